/* SPDX-License-Identifier: BSD-3-Clause
 * The search for better shapes of one step: when it is worth it, where it begins, when it ends (see choose.h). */
#include "choose.h"
#include "step.h"
#include "visit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static const double SHAPES_SHARE = 0.05; /* of the budget, for the shapes of one step */
static const double SHAPES_LEAST_S = 0.4, ALL_SHAPES_SHARE = 0.25;
static const double SAME_HEIGHT = 0.01;
static const double DISTURBED = 0.97; /* a try of the step's own code that reaches no more of its number */
static const double PROMISING = 1.01; /* a cell above the step's number */
static const double PUT_OFF_S = 0.5, PUT_OFF_MAX_S = 2;
enum { FINALISTS = 4, LEAST_CELLS = 8 /* of a map, however small its budget */, PUT_OFF_MAX = 8 };

/* What has failed for a relative at the same height will fail here. */
static bool has_failed(const struct campaign_step *relative, const struct campaign_step *step) {
    return relative->shapes_tried && relative->shapes && relative->code.width == 0 &&
           fabs(step_reached(step) - step_reached(relative)) < SAME_HEIGHT;
}

/* A relative that still may search goes first; of the same work it searches for both. */
static bool may_search(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at], *relative = step_relative_of(campaign, step);
    if (step->shapes_tried || step_searches_everything(campaign, at))
        return !step->shapes_tried;
    return step_may_gain(campaign, step) && campaign->searched_s < ALL_SHAPES_SHARE * campaign->options.budget_s &&
           (!relative ||
            (!step_same_work(relative, step) && !may_search(campaign, step->relative) && !has_failed(relative, step)));
}

bool choose_wants_shapes(const struct campaign *campaign, size_t at) {
    return may_search(campaign, at) && visit_now_s(campaign) >= campaign->steps[at].put_off_until_s;
}

bool choose_shapes_wait(const struct campaign *campaign, size_t at) {
    return may_search(campaign, at) && visit_now_s(campaign) < campaign->steps[at].put_off_until_s;
}

static struct campaign_code code_of(const struct campaign_step *step, const struct unroll_search_cell *cell) {
    size_t count;
    return (struct campaign_code){
        *step_variants_of(step, &count), step->shapes->widths[cell->row], step->shapes->unrolls[cell->column], {0}};
}

/* Tries the cell; one that is out of line twice more: the median counts. */
static bool try_cell(struct campaign *campaign, size_t at, unsigned row, unsigned column, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct unroll_search *search = &step->shapes->search;
    const struct campaign_code code = code_of(step, &(struct unroll_search_cell){.row = row, .column = column});
    double merit = 0, again[2] = {0};
    if (!visit_try(campaign, at, &code, step->size, &merit, err))
        return false;
    if (merit <= 0) {
        search->possible[row][column] = visit_is_over(campaign);
        return true;
    }
    unroll_search_put(search, row, column, merit);
    if (!shapes_out_of_line(step->shapes, row, column))
        return true;
    for (int i = 0; i < 2; i++)
        if (!visit_try(campaign, at, &code, step->size, &again[i], err))
            return false;
    if (again[0] > 0 && again[1] > 0)
        search->values[row][column] = sample_median_of_three(merit, again[0], again[1]);
    return true;
}

static void put_off(struct campaign *campaign, struct campaign_step *step) {
    step->put_off++;
    step->put_off_until_s = visit_now_s(campaign) + fmin(PUT_OFF_MAX_S, PUT_OFF_S * step->put_off);
}

/* Else a search would tell little now: the step's own code reads low. */
static bool is_calm(struct campaign *campaign, size_t at, bool *calm, struct error *err) {
    const struct campaign_step *step = &campaign->steps[at];
    double merit = 0;
    *calm = false;
    if (!visit_try(campaign, at, &step->code, step->size, &merit, err))
        return false;
    *calm = merit >= DISTURBED * estimate_merit(&step->number, step->plan->paced);
    return true;
}

/* A cell is better than the number by more than chance; what no document allows is misread. */
static bool is_promising(const struct campaign_step *step) {
    const struct unroll_search *search = &step->shapes->search;
    const double limit = step->number.documented_per_cycle;
    unsigned row, column;
    return unroll_search_best(search, &row, &column) &&
           search->values[row][column] > PROMISING * estimate_merit(&step->number, step->plan->paced) &&
           (limit <= 0 || search->values[row][column] <= ESTIMATE_ABOVE_DOCUMENTED * limit);
}

/* Documented to the percent. */
static bool is_perfect(const struct campaign_step *step) {
    unsigned row, column;
    return step->number.documented_per_cycle > 0 && unroll_search_best(&step->shapes->search, &row, &column) &&
           step->shapes->search.values[row][column] >= STEP_PERFECT * step->number.documented_per_cycle;
}

/* What others do well with: the same operation of another type or width, or of other cores. */
static bool try_seeds(struct campaign *campaign, size_t at, struct error *err) {
    const struct campaign_step *step = &campaign->steps[at];
    unsigned row, column;
    for (size_t i = 0; i < campaign->count && !is_perfect(step) && !visit_is_over(campaign); i++) {
        const struct campaign_step *other = &campaign->steps[i];
        if (other->visit_count > 0 && other->code.width > 0 && step_same_kind_of_place(step->plan, other->plan) &&
            strcmp(step_operation_of(step->plan->kernel), step_operation_of(other->plan->kernel)) == 0 &&
            shapes_find(step->shapes, other->code.width, other->code.unroll, &row, &column) &&
            isnan(step->shapes->search.values[row][column]) && !try_cell(campaign, at, row, column, err))
            return false;
    }
    return true;
}

/* Until the neighbourhood of the best is known, or the documented limit is reached, or the time is over; for the whole
 * map, and the second time where nothing is documented, until it is complete. */
static bool search_shapes(struct campaign *campaign, size_t at, double until_s, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const struct campaign_bench *bench = campaign->bench;
    const bool whole = step_searches_everything(campaign, at);
    const bool complete = whole || (step->searches > 0 && step_reached(step) <= 0);
    struct unroll_search *search = &step->shapes->search;
    unsigned row, column;
    for (bool goes_on = true; goes_on && unroll_search_next(search, &row, &column) &&
                              (complete || !(unroll_search_settled(search) || is_perfect(step)));) {
        if (!try_cell(campaign, at, row, column, err))
            return false;
        const bool in_time = !visit_is_over(campaign) && visit_now_s(campaign) < until_s;
        goes_on = in_time || (whole && search->known < LEAST_CELLS && !(bench->stop && *bench->stop));
    }
    return true;
}

/* The best are measured properly. */
static bool challenge_with_shapes(struct campaign *campaign, size_t at, bool whole, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct unroll_search_cell finalists[FINALISTS];
    const size_t count = shapes_finalists(step->shapes, finalists, FINALISTS);
    const unsigned own_visits = step->visit_count;
    step->own = step->number;
    if (whole) /* a shape wins; the program's own kernel is told beside it */
        step->visit_count = 0;
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        const struct campaign_code code = code_of(step, &finalists[i]);
        done = visit_challenge(campaign, at, &code, step->size, err);
    }
    if (step->visit_count == 0) /* stopped before any was measured */
        step->visit_count = own_visits;
    return done;
}

/* The map is as large as the step's buffer. */
static void make_map(struct campaign_step *step) {
    if (step->shapes)
        return;
    step->shapes = need_malloc(sizeof *step->shapes);
    shapes_begin(step->shapes, *kernel_find(step->plan->kernel, NULL),
                 step->plan->size_count ? step->plan->size_bytes[step->size] : 0);
}

/* Put off, but not for ever, where the core is disturbed: before the search, or while its best were measured. */
bool choose_shapes(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const bool whole = step_searches_everything(campaign, at), may_wait = !whole && step->put_off < PUT_OFF_MAX;
    const double began_s = visit_now_s(campaign), budget_s = campaign->options.budget_s;
    const double until_s = began_s + (whole ? budget_s : fmax(SHAPES_LEAST_S, SHAPES_SHARE * budget_s));
    bool calm = true;
    if (may_wait && !is_calm(campaign, at, &calm, err))
        return false;
    if (!calm) {
        put_off(campaign, step);
        return true;
    }
    make_map(step);
    step->shapes_tried = true;
    if (whole) /* the map is of this size, and a shape wins */
        step->variants_tried = step->sizes_tried = true;
    const bool done = (whole || try_seeds(campaign, at, err)) && search_shapes(campaign, at, until_s, err) &&
                      challenge_with_shapes(campaign, at, whole, err);
    if (done && may_wait && is_promising(step)) {
        step->shapes_tried = false;
        put_off(campaign, step);
    }
    campaign->searched_s += visit_now_s(campaign) - began_s;
    return done;
}
