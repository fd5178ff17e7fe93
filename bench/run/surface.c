/* SPDX-License-Identifier: BSD-3-Clause
 * A surface from a campaign (see surface.h). */
#include "surface.h"

#include <math.h>
#include <string.h>

#include "asm/assemble.h"
#include "bench/measure/shapes.h"

double surface_row_best(const struct surface *surface, unsigned row) {
    double best = 0;
    for (unsigned c = 0; c < surface->search.columns; c++)
        best = fmax(best, surface->search.values[row][c]); /* NaN loses */
    return best;
}

void surface_find_enough(struct surface *surface) {
    double enough = surface->winner.per_cycle * (1 - SURFACE_ENOUGH);
    for (unsigned r = 0; r < surface->search.rows; r++)
        for (unsigned c = 0; c < surface->search.columns; c++)
            if (surface->search.values[r][c] >= enough) {
                surface->enough_row = r;
                surface->enough_column = c;
                return;
            }
    surface->enough_row = surface->row;
    surface->enough_column = surface->column;
}

/* The campaign compares per second what the core's clock does not pace. */
static void values_per_cycle(struct surface *surface, const struct campaign_step *step) {
    const struct sample *winner = &surface->winner;
    if (step->plan->paced || winner->value <= 0)
        return;
    for (unsigned r = 0; r < surface->search.rows; r++)
        for (unsigned c = 0; c < surface->search.columns; c++)
            surface->search.values[r][c] *= winner->per_cycle / winner->value;
}

static bool read_campaign(const struct bench *bench, const struct campaign *campaign, struct surface *out,
                          struct error *err) {
    const struct campaign_step *step = &campaign->steps[0];
    const struct shapes *shapes = step->shapes;
    struct assembled assembled;
    unsigned row, column;
    if (bench->no_shapes.text[0]) {
        *err = bench->no_shapes;
        return false;
    }
    if (!shapes || shapes->search.known == 0 || step->code.width == 0)
        return error_set(err, "the time was over before anything was measured; give it more with --budget");
    out->kind = shapes->kind;
    out->search = shapes->search;
    memcpy(out->widths, shapes->widths, sizeof out->widths);
    memcpy(out->unrolls, shapes->unrolls, sizeof out->unrolls);
    out->working_set_bytes = step->plan->size_count ? step->plan->size_bytes[step->size] : 0;
    out->settled = search_settled(&out->search);
    out->complete = !search_next(&out->search, &row, &column);
    out->reference = step->own;
    const struct kernel *like = step->code.kernel;
    const struct recipe recipe = {like->isa, like->type, like->op, step->code.width, step->code.unroll};
    if (!campaign_number(campaign, 0, &out->winner) || !assemble_kernel(&recipe, &assembled, err))
        return false;
    out->winner_cost = assembled.kernel.cost;
    assemble_free(&assembled);
    values_per_cycle(out, step);
    shapes_find(shapes, step->code.width, step->code.unroll, &out->row, &out->column);
    out->search.values[out->row][out->column] = out->winner.per_cycle;
    surface_find_enough(out);
    return true;
}

bool surface_measure(struct bench *bench, const struct plan *plan, double budget_s, struct surface *out,
                     struct error *err) {
    *out = (struct surface){0};
    const struct kernel *const *kernel = kernel_find(plan->steps[0].kernel, NULL);
    if (!kernel || !shapes_exist(*kernel))
        return error_set(err, "there is no %s whose accumulators or streams can be chosen", plan->steps[0].kernel);
    const struct campaign_bench here = bench_for_campaign(bench);
    const struct campaign_options options = {.budget_s = budget_s, .every_shape = true};
    struct campaign campaign;
    campaign_open(&campaign, plan, &here, &options);
    const bool done = campaign_run(&campaign, err) && read_campaign(bench, &campaign, out, err);
    campaign_close(&campaign);
    return done;
}
