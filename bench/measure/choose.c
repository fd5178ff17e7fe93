/* SPDX-License-Identifier: BSD-3-Clause
 * The choice of code and working set (see choose.h). */
#include "choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Documented to the percent: nothing is to be gained any more. */
static const double ENOUGH = 0.99, PERFECT = 0.995;
static const double SUPPORT = 0.04;      /* sizes on one plateau */
static const double SHAPES_SHARE = 0.05; /* of the budget, for the shapes of one step */
static const double SHAPES_LEAST_S = 0.4, ALL_SHAPES_SHARE = 0.25;
enum {
    SEARCHES_MOST = 2,
    FOLLOWS_MOST = 6,
    FINALISTS = 4,
    LEAST_CELLS = 8 /* of a map, however small its budget */,
    HOPELESS_VISITS = 2
};

static bool same_code(const struct campaign_code *a, const struct campaign_code *b) {
    return a->kernel == b->kernel && a->width == b->width && a->unroll == b->unroll;
}

static const char *operation_of(const char *kernel) {
    const char *dot = strrchr(kernel, '.');
    return dot ? dot + 1 : kernel;
}

static bool same_kind_of_place(const struct plan_step *a, const struct plan_step *b) {
    return a->level == b->level && a->memory == b->memory && (a->size_count > 0) == (b->size_count > 0);
}

/* "avx2.f64.fma" and "avx2.f32.fma". */
static bool same_isa_and_operation(const char *a, const char *b) {
    const char *dot_a = strchr(a, '.'), *dot_b = strchr(b, '.');
    return dot_a && dot_b && dot_a - a == dot_b - b && strncmp(a, b, (size_t)(dot_a - a)) == 0 &&
           strcmp(operation_of(a), operation_of(b)) == 0;
}

size_t choose_relative(const struct plan *plan, size_t at) {
    const struct plan_step *step = &plan->steps[at];
    size_t of_other_type = SIZE_MAX;
    for (size_t i = 0; i < at; i++) {
        const struct plan_step *other = &plan->steps[i];
        if (!same_kind_of_place(step, other))
            continue;
        if (strcmp(step->kernel, other->kernel) == 0)
            return i;
        if (of_other_type == SIZE_MAX && same_isa_and_operation(step->kernel, other->kernel))
            of_other_type = i;
    }
    return of_other_type;
}

static const struct kernel *const *variants_of(const struct campaign_step *step, size_t *count) {
    *count = 0;
    return kernel_find(step->plan->kernel, count);
}

/* The same shape or variant of this step's own kernel; a kernel of NULL: there is none. */
static struct campaign_code translate(const struct campaign_step *step, const struct campaign_code *code) {
    size_t count;
    const struct kernel *const *own = variants_of(step, &count);
    if (code->width > 0)
        return (struct campaign_code){own[0], code->width, code->unroll};
    return (struct campaign_code){kernel_find_variant(step->plan->kernel, code->kernel->variant), 0, 0};
}

bool choose_hopeless(const struct campaign_step *step) {
    return step->visit_count == 0 && step->visited >= HOPELESS_VISITS;
}

/* NULL: there is none, or it has nothing to tell, now and later: it was left out, or cannot run. */
static const struct campaign_step *relative_of(const struct campaign *campaign, const struct campaign_step *step) {
    const struct campaign_step *relative = step->relative < campaign->count ? &campaign->steps[step->relative] : NULL;
    return relative && relative->wanted && !choose_hopeless(relative) ? relative : NULL;
}

static unsigned middle(const struct campaign_step *step) {
    return step->plan->size_count / 2;
}

static bool searches_everything(const struct campaign *campaign, size_t at) {
    return campaign->options.every_shape && at == 0;
}

/* What may be searched for the step. */
static void arm(struct campaign *campaign, size_t at) {
    struct campaign_step *step = &campaign->steps[at];
    size_t count;
    const struct kernel *const *own = variants_of(step, &count);
    const bool searched = step->plan->search_s > 0, whole = searches_everything(campaign, at);
    step->variants_tried = count < 2 || !searched;
    step->sizes_tried = step->plan->size_count < 2 || !searched;
    step->shapes_tried =
        !shapes_exist(own[0]) || (!whole && (campaign->options.no_shapes || !searched || !step->plan->paced));
}

void choose_first(struct campaign *campaign, size_t at) {
    struct campaign_step *step = &campaign->steps[at];
    size_t count;
    const struct kernel *const *own = variants_of(step, &count);
    const struct campaign_step *relative = relative_of(campaign, step);
    step->code = (struct campaign_code){own[0], 0, 0};
    step->size = middle(step);
    if (relative && relative->visit_count > 0) {
        struct campaign_code guess = translate(step, &relative->code);
        step->guessed = relative->code;
        if (guess.kernel)
            step->code = guess;
        if (relative->size < step->plan->size_count && relative->plan->size_count == step->plan->size_count)
            step->size = relative->size;
    }
    arm(campaign, at);
}

/* The share of its documented limit that the step reaches so far; 0 where none is known. */
static double reached(const struct campaign_step *step) {
    const struct sample *number = &step->number;
    return number->documented_per_cycle > 0 ? number->per_cycle / number->documented_per_cycle : 0;
}

/* Something may be gained: it stays under what is documented. Where nothing is documented a step that follows another
 * one's choice has what that one found. */
static bool may_gain(const struct campaign *campaign, const struct campaign_step *step) {
    const double share = reached(step);
    return share > 0 ? share < ENOUGH : relative_of(campaign, step) == NULL;
}

bool choose_again(struct campaign *campaign, size_t at) {
    struct campaign_step *step = &campaign->steps[at];
    const double share = reached(step);
    const unsigned most = share > 0 ? SEARCHES_MOST : 1;
    if (searches_everything(campaign, at) || !may_gain(campaign, step) || step->searches >= most ||
        step->plan->search_s <= 0)
        return false;
    free(step->shapes); /* what was tried then may have been disturbed */
    step->shapes = NULL;
    step->searches++;
    arm(campaign, at);
    step->sizes_tried = true;
    return !step->variants_tried || !step->shapes_tried;
}

bool choose_wants_variants(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return !step->variants_tried && may_gain(campaign, step);
}

bool choose_variants(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    size_t count;
    const struct kernel *const *own = variants_of(step, &count);
    struct campaign_code best = step->code;
    double best_merit = 0;
    step->variants_tried = true;
    for (size_t v = 0; v < count && !campaign_over(campaign); v++) {
        const struct campaign_code code = {own[v], 0, 0};
        double merit = 0;
        if (!campaign_try(campaign, at, &code, step->size, &merit, err))
            return false;
        if (merit > best_merit) {
            best_merit = merit;
            best = code;
        }
    }
    return same_code(&best, &step->code) || campaign_challenge(campaign, at, &best, step->size, err);
}

bool choose_wants_sizes(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return !step->sizes_tried && may_gain(campaign, step);
}

unsigned choose_plateau(const double *merits, unsigned count, bool innermost) {
    const unsigned middle_one = count > 1 ? count / 2 : 0;
    unsigned best = innermost ? 0 : middle_one;
    double best_merit = innermost ? merits[0] : -INFINITY;
    for (unsigned i = 0; i < count; i++) {
        bool supported = innermost;
        for (unsigned j = 0; j < count; j++)
            supported |= j != i && fabs(merits[j] / merits[i] - 1) < SUPPORT;
        if (supported && merits[i] > best_merit) {
            best_merit = merits[i];
            best = i;
        }
    }
    const bool on_plateau = !innermost && merits[middle_one] > best_merit * (1 - SUPPORT);
    return on_plateau ? middle_one : best;
}

/* In L1 the best variant depends on the size; further out on the level alone. */
bool choose_sizes(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const bool innermost = step->plan->level == 0;
    const unsigned sizes = step->plan->size_count;
    size_t count;
    const struct kernel *const *own = variants_of(step, &count);
    struct campaign_code best[PLAN_MAX_SIZES];
    double merits[PLAN_MAX_SIZES] = {0};
    step->sizes_tried = true;
    for (unsigned s = 0; s < sizes && !campaign_over(campaign); s++) {
        best[s] = step->code;
        if (!campaign_try(campaign, at, &step->code, s, &merits[s], err))
            return false;
        for (size_t v = 0; v < count && innermost && s != step->size && !campaign_over(campaign); v++) {
            const struct campaign_code code = {own[v], 0, 0};
            double merit = 0;
            if (!same_code(&code, &step->code) && !campaign_try(campaign, at, &code, s, &merit, err))
                return false;
            if (merit > merits[s]) {
                merits[s] = merit;
                best[s] = code;
            }
        }
    }
    if (campaign_over(campaign))
        return true;
    const unsigned chosen = choose_plateau(merits, sizes, innermost);
    return chosen == step->size || campaign_challenge(campaign, at, &best[chosen], chosen, err);
}

/* Who may have found better code: the relative, whatever it has; and of those who follow this step one that comes
 * nearer to its documented limit. NULL: nobody has any that was not tried. */
static const struct campaign_step *leader_of(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at], *leader = relative_of(campaign, step);
    if (leader && (leader->visit_count == 0 || same_code(&leader->code, &step->guessed)))
        leader = NULL;
    for (size_t i = at + 1; i < campaign->count && !leader; i++) {
        const struct campaign_step *other = &campaign->steps[i];
        if (other->relative == at && other->visit_count > 0 && reached(other) > reached(step) * (2 - ENOUGH) &&
            !same_code(&other->code, &step->guessed))
            leader = other;
    }
    return leader;
}

bool choose_wants_follow(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return reached(step) < PERFECT && !step->plan->memory && step->follows < FOLLOWS_MOST &&
           !searches_everything(campaign, at) && leader_of(campaign, at);
}

bool choose_follow(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const struct campaign_step *leader = leader_of(campaign, at);
    step->guessed = leader->code;
    step->follows++;
    const struct campaign_code code = translate(step, &leader->code);
    return !code.kernel || same_code(&code, &step->code) || campaign_challenge(campaign, at, &code, step->size, err);
}

/* What has failed for a relative at the same height will fail here. */
static bool has_failed(const struct campaign_step *relative, const struct campaign_step *step) {
    return relative->shapes_tried && relative->shapes && relative->code.width == 0 &&
           fabs(reached(step) - reached(relative)) < 1 - ENOUGH;
}

/* A relative that still may search goes first. */
bool choose_wants_shapes(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at], *relative = relative_of(campaign, step);
    if (step->shapes_tried)
        return false;
    if (searches_everything(campaign, at))
        return true;
    return may_gain(campaign, step) && campaign->searched_s < ALL_SHAPES_SHARE * campaign->options.budget_s &&
           (!relative || (!choose_wants_shapes(campaign, step->relative) && !has_failed(relative, step)));
}

static struct campaign_code code_of(const struct campaign_step *step, const struct search_cell *cell) {
    size_t count;
    return (struct campaign_code){*variants_of(step, &count), step->shapes->widths[cell->row],
                                  step->shapes->unrolls[cell->column]};
}

/* Tries the cell; one that is out of line twice more: the median counts. */
static bool try_cell(struct campaign *campaign, size_t at, unsigned row, unsigned column, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct search *search = &step->shapes->search;
    const struct campaign_code code = code_of(step, &(struct search_cell){.row = row, .column = column});
    double merit = 0, again[2] = {0};
    if (!campaign_try(campaign, at, &code, step->size, &merit, err))
        return false;
    if (merit <= 0) {
        search->possible[row][column] = campaign_over(campaign);
        return true;
    }
    search_put(search, row, column, merit);
    if (!shapes_out_of_line(step->shapes, row, column))
        return true;
    for (int i = 0; i < 2; i++)
        if (!campaign_try(campaign, at, &code, step->size, &again[i], err))
            return false;
    if (again[0] > 0 && again[1] > 0)
        search->values[row][column] = sample_median_of_three(merit, again[0], again[1]);
    return true;
}

/* Searches until the neighbourhood of the best is known, or the documented limit is reached, or the time is over; for
 * the whole map until it is complete. Then the best are measured properly. */
bool choose_shapes(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const struct campaign_bench *bench = campaign->bench;
    const bool whole = searches_everything(campaign, at);
    const double began_s = bench->now_s(bench->context),
                 share_s = fmax(SHAPES_LEAST_S, SHAPES_SHARE * campaign->options.budget_s);
    const double until_s = began_s + (whole ? campaign->options.budget_s : share_s);
    unsigned row, column;
    if (!step->shapes) {
        step->shapes = malloc(sizeof *step->shapes);
        shapes_begin(step->shapes, *kernel_find(step->plan->kernel, NULL),
                     step->plan->size_count ? step->plan->size_bytes[step->size] : 0);
    }
    step->shapes_tried = true;
    struct search *search = &step->shapes->search;
    for (bool goes_on = true; goes_on && search_next(search, &row, &column) && (whole || !search_settled(search));) {
        if (!try_cell(campaign, at, row, column, err))
            return false;
        const bool in_time = !campaign_over(campaign) && bench->now_s(bench->context) < until_s;
        goes_on = in_time || (whole && search->known < LEAST_CELLS && !(bench->stop && *bench->stop));
    }
    struct search_cell finalists[FINALISTS];
    const size_t count = shapes_finalists(step->shapes, finalists, FINALISTS);
    const unsigned own_visits = step->visit_count;
    step->own = step->number;
    if (whole) /* a shape wins; the program's own kernel is told beside it */
        step->visit_count = 0;
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        const struct campaign_code code = code_of(step, &finalists[i]);
        done = campaign_challenge(campaign, at, &code, step->size, err);
    }
    if (whole) /* the map is of this size, and a shape wins */
        step->variants_tried = step->sizes_tried = true;
    if (step->visit_count == 0) /* stopped before any was measured */
        step->visit_count = own_visits;
    campaign->searched_s += bench->now_s(bench->context) - began_s;
    return done;
}
