/* SPDX-License-Identifier: BSD-3-Clause
 * An unroll map from the result of a campaign. */
#include "unroll_map.h"
#include "number_thresholds.h"

#include <math.h>
#include <string.h>

#include "asm/assemble.h"
#include "probe/error.h"

double unroll_map_row_best(const struct unroll_map *map, unsigned row) {
    double best = 0;
    for (unsigned c = 0; c < map->search.columns; c++)
        best = fmax(best, map->search.values[row][c]); /* fmax ignores NaN */
    return best;
}

void unroll_map_find_enough(struct unroll_map *map) {
    double enough = map->winner.per_cycle * (1 - number_thresholds.shape_enough.value);
    for (unsigned r = 0; r < map->search.rows; r++)
        for (unsigned c = 0; c < map->search.columns; c++)
            if (map->search.values[r][c] >= enough) {
                map->enough_row = r;
                map->enough_column = c;
                return;
            }
    map->enough_row = map->row;
    map->enough_column = map->column;
}

/* If the core clock does not pace the work, the campaign compares per second. */
static void values_per_cycle(struct unroll_map *map, const struct campaign_step *step) {
    const struct sample *winner = &map->winner;
    if (step->plan->paced || winner->value <= 0)
        return;
    for (unsigned r = 0; r < map->search.rows; r++)
        for (unsigned c = 0; c < map->search.columns; c++)
            map->search.values[r][c] *= winner->per_cycle / winner->value;
}

static bool read_campaign(const struct bench *bench, const struct campaign *campaign, struct unroll_map *out,
                          struct error *err) {
    const struct campaign_step *step = &campaign->steps[0];
    const struct shapes *shapes = step->shapes;
    struct assembled assembled;
    unsigned row, column;
    if (bench->no_shapes[0])
        return error_set(err, "%s", bench->no_shapes);
    if (!shapes || shapes->search.known == 0 || step->code.width == 0)
        return error_set(err, "the time was over before anything was measured; allow more with --budget");
    out->kind = shapes->kind;
    out->search = shapes->search;
    memcpy(out->widths, shapes->widths, sizeof out->widths);
    memcpy(out->unrolls, shapes->unrolls, sizeof out->unrolls);
    out->working_set_bytes = step->plan->size_count ? step->plan->size_bytes[step->size] : 0;
    out->settled = unroll_search_settled(&out->search);
    out->complete = !unroll_search_next(&out->search, &row, &column);
    out->reference = step->own;
    const struct kernel *like = step->code.kernel;
    const struct recipe recipe = {like->isa, like->type, like->op, step->code.width, step->code.unroll, {0}};
    if (!campaign_number(campaign, 0, &out->winner) || !assemble_kernel(&recipe, &assembled, err))
        return false;
    out->winner_cost = assembled.kernel.cost;
    assemble_free(&assembled);
    values_per_cycle(out, step);
    shapes_find(shapes, step->code.width, step->code.unroll, &out->row, &out->column);
    out->search.values[out->row][out->column] = out->winner.per_cycle;
    unroll_map_find_enough(out);
    return true;
}

bool unroll_map_measure(struct bench *bench, const struct plan *plan, double budget_s, struct unroll_map *out,
                        struct error *err) {
    *out = (struct unroll_map){0};
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
