/* SPDX-License-Identifier: BSD-3-Clause
 * The choice of code and working set: variants, sizes, codes of relatives, shapes, and winners of other machines. */
#include "choose.h"
#include "campaign_thresholds.h"
#include "visit.h"
#include "number_thresholds.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/machine.h"
#include "probe/need.h"
#include "probe/stop.h"

/* Search for better shapes of one step: when it is worthwhile, where it begins, when it ends. */

enum { FINALISTS = 4 };
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;

/* A search that failed for a relative at the same height will fail here too. */
static bool choose_has_failed(const struct campaign_step *relative, const struct campaign_step *step) {
    return relative->shapes_tried && relative->shapes && relative->code.width == 0 &&
           fabs(step_reached(step) - step_reached(relative)) < THRESHOLD->failed_alike.value;
}

/* A relative that may still search goes first. If both do the same work, it searches for both. */
static bool may_search(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at], *relative = step_relative_of(campaign, step);
    if (step->shapes_tried || step_searches_everything(campaign, at))
        return !step->shapes_tried;
    return step_may_gain(campaign, step) &&
           campaign->searched_s < THRESHOLD->shapes_all.value * campaign->options.budget_s &&
           (!relative || (!step_same_work(relative, step) && !may_search(campaign, step->relative) &&
                          !choose_has_failed(relative, step)));
}

bool choose_wants_shapes(const struct campaign *campaign, size_t at) {
    return may_search(campaign, at) && visit_now_s(campaign) >= campaign->steps[at].put_off_until_s;
}

bool choose_shapes_wait(const struct campaign *campaign, size_t at) {
    return may_search(campaign, at) && visit_now_s(campaign) < campaign->steps[at].put_off_until_s;
}

static struct campaign_code choose_code_of(const struct campaign_step *step, const struct unroll_search_cell *cell) {
    size_t count;
    return (struct campaign_code){
        *step_variants_of(step, &count), step->shapes->widths[cell->row], step->shapes->unrolls[cell->column], {0}};
}

/* A disturbed core postpones the search a limited number of times, before it or while its best are measured. */
static bool may_wait(const struct campaign *campaign, size_t at) {
    return !step_searches_everything(campaign, at) && campaign->steps[at].put_off < THRESHOLD->put_offs.value;
}

/* The latest trial says nothing about its code, and so would the next. */
static bool waits_for_calm(const struct campaign *campaign, size_t at) {
    return campaign->disturbed && may_wait(campaign, at);
}

/* Tries a cell. An outlier is tried twice more, and the median counts. */
static bool try_cell(struct campaign *campaign, size_t at, unsigned row, unsigned column, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct unroll_search *search = &step->shapes->search;
    const struct campaign_code code = choose_code_of(step, &(struct unroll_search_cell){.row = row, .column = column});
    double merit = 0, again[2] = {0};
    if (!visit_try(campaign, at, &code, step->size, &merit, err))
        return false;
    if (waits_for_calm(campaign, at))
        return true;
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
    step->put_off_until_s =
        visit_now_s(campaign) + fmin(THRESHOLD->put_off_most_s.value, THRESHOLD->put_off_s.value * step->put_off);
}

/* Not calm: the step's own code reads low, or another program uses the core, and a search would be unreliable. */
static bool is_calm(struct campaign *campaign, size_t at, bool *calm, struct error *err) {
    const struct campaign_step *step = &campaign->steps[at];
    double merit = 0;
    *calm = false;
    if (!visit_try(campaign, at, &step->code, step->size, &merit, err))
        return false;
    *calm = !campaign->disturbed && merit >= THRESHOLD->calm.value * estimate_merit(&step->number, step->plan->paced);
    return true;
}

/* A cell exceeds the number by more than chance. A value above the documented limit is a misreading. */
static bool is_promising(const struct campaign_step *step) {
    const struct unroll_search *search = &step->shapes->search;
    const double limit = step->number.documented_per_cycle;
    unsigned row, column;
    return unroll_search_best(search, &row, &column) &&
           search->values[row][column] >
               THRESHOLD->promising.value * estimate_merit(&step->number, step->plan->paced) &&
           (limit <= 0 || search->values[row][column] <= number_thresholds.above_documented.value * limit);
}

/* At the documented limit. */
static bool is_perfect(const struct campaign_step *step) {
    unsigned row, column;
    return step->number.documented_per_cycle > 0 && unroll_search_best(&step->shapes->search, &row, &column) &&
           step->shapes->search.values[row][column] >= THRESHOLD->perfect.value * step->number.documented_per_cycle;
}

/* Tries the shapes that won for other steps: the same operation of another type or width, or on other cores. */
static bool try_seeds(struct campaign *campaign, size_t at, struct error *err) {
    const struct campaign_step *step = &campaign->steps[at];
    unsigned row, column;
    for (size_t i = 0; i < campaign->count && !is_perfect(step) && !visit_is_over(campaign); i++) {
        const struct campaign_step *other = &campaign->steps[i];
        if (other->visit_count > 0 && other->code.width > 0 && step_same_kind_of_place(step->plan, other->plan) &&
            strcmp(kernel_operation(step->plan->kernel), kernel_operation(other->plan->kernel)) == 0 &&
            shapes_find(step->shapes, other->code.width, other->code.unroll, &row, &column) &&
            isnan(step->shapes->search.values[row][column]) && !try_cell(campaign, at, row, column, err))
            return false;
    }
    return true;
}

/* Searches until the neighbourhood of the best is known, the documented limit is reached, or the time is over. The
 * whole map, and a second search without a documented limit, end when the map is complete. */
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
        const bool in_time =
            !visit_is_over(campaign) && visit_now_s(campaign) < until_s && !waits_for_calm(campaign, at);
        goes_on = in_time || (whole && search->known < THRESHOLD->least_cells.value && !stop_requested(bench->stop));
    }
    return true;
}

/* Makes full visits to the best shapes, which may replace the step's own code. */
static bool challenge_with_shapes(struct campaign *campaign, size_t at, bool whole, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    struct unroll_search_cell finalists[FINALISTS];
    const size_t count = shapes_finalists(step->shapes, finalists, FINALISTS);
    const unsigned own_visits = step->visit_count;
    step->own = step->number;
    if (whole) /* the best shape makes the sample; the own kernel is reported beside it */
        step->visit_count = 0;
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        const struct campaign_code code = choose_code_of(step, &finalists[i]);
        done = visit_challenge(campaign, at, &code, step->size, err);
    }
    if (step->visit_count == 0) /* stopped before a shape was measured */
        step->visit_count = own_visits;
    return done;
}

/* The map belongs to the size of the step's buffer. */
static void make_map(struct campaign_step *step) {
    if (step->shapes)
        return;
    step->shapes = need_malloc(sizeof *step->shapes);
    shapes_begin(step->shapes, *kernel_find(step->plan->kernel, NULL),
                 step->plan->size_count ? step->plan->size_bytes[step->size] : 0);
}

bool choose_shapes(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const bool whole = step_searches_everything(campaign, at), waits = may_wait(campaign, at);
    const double began_s = visit_now_s(campaign), budget_s = campaign->options.budget_s;
    const double until_s =
        began_s + (whole ? budget_s : fmax(THRESHOLD->shapes_least_s.value, THRESHOLD->shapes_share.value * budget_s));
    bool calm = true;
    if (waits && !is_calm(campaign, at, &calm, err))
        return false;
    if (!calm) {
        put_off(campaign, step);
        return true;
    }
    make_map(step);
    step->shapes_tried = true;
    if (whole) /* the map belongs to this size, and a shape wins */
        step->variants_tried = step->sizes_tried = true;
    const bool done = (whole || try_seeds(campaign, at, err)) && search_shapes(campaign, at, until_s, err) &&
                      challenge_with_shapes(campaign, at, whole, err);
    if (done && waits && (waits_for_calm(campaign, at) || is_promising(step))) {
        step->shapes_tried = false;
        put_off(campaign, step);
    }
    campaign->searched_s += visit_now_s(campaign) - began_s;
    return done;
}

/* For example "avx2.f64.fma" and "avx2.f32.fma". */
static bool same_isa_and_operation(const char *a, const char *b) {
    const char *dot_a = strchr(a, '.'), *dot_b = strchr(b, '.');
    return dot_a && dot_b && dot_a - a == dot_b - b && strncmp(a, b, (size_t)(dot_a - a)) == 0 &&
           strcmp(kernel_operation(a), kernel_operation(b)) == 0;
}

size_t choose_relative(const struct plan *plan, size_t at) {
    const struct plan_step *step = &plan->steps[at];
    size_t of_other_type = SIZE_MAX;
    for (size_t i = 0; i < at; i++) {
        const struct plan_step *other = &plan->steps[i];
        if (!step_same_kind_of_place(step, other))
            continue;
        if (strcmp(step->kernel, other->kernel) == 0)
            return i;
        if (of_other_type == SIZE_MAX && same_isa_and_operation(step->kernel, other->kernel))
            of_other_type = i;
    }
    return of_other_type;
}

/* The same shape or variant of this step's own kernel; its kernel is NULL if there is none. */
static struct campaign_code choose_translate(const struct campaign_step *step, const struct campaign_code *code) {
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count);
    if (code->width > 0)
        return (struct campaign_code){own[0], code->width, code->unroll, {0}};
    return (struct campaign_code){kernel_find_variant(step->plan->kernel, code->kernel->variant), 0, 0, {0}};
}

/* Decides what may be searched for the step. */
static void arm(struct campaign *campaign, size_t at) {
    struct campaign_step *step = &campaign->steps[at];
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count);
    const bool searched = step->plan->search_s > 0, whole = step_searches_everything(campaign, at);
    step->variants_tried = count < 2 || !searched;
    step->sizes_tried = step->plan->size_count < 2 || !searched;
    step->shapes_tried = !shapes_exist(own[0]) || (step->advised && campaign->options.trusts_wisdom) ||
                         (!whole && (campaign->options.no_shapes || !searched || !step->plan->paced));
}

/* The registry lists the best guess for L1 first. Beyond L2 prefetchers decide, and the shortest stretches are always
 * close to the best (Zen 4, two loads and a store: 27 and 23 bytes/cycle from L3, 10.7 and 3.7 from memory), except
 * lines side by side (Zen 5, with FMA: 20 % less from memory at 1/16 flop per byte). */
static const struct kernel *first_guess(const struct campaign_step *step) {
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count), *guess = own[0];
    for (size_t v = 1; v < count && !step->plan->paced && guess->stretch_bytes > 0; v++)
        if (own[v]->stretch_bytes < guess->stretch_bytes && own[v]->stretch_bytes > KERNEL_LINE_BYTES)
            guess = own[v];
    return guess;
}

/* The first variant whose block fits the working set, instead of a longer one; unchanged if none fits. */
static void make_fit(const struct campaign_step *step, struct campaign_code *code) {
    const uint64_t bytes = step->plan->size_count ? step->plan->size_bytes[step->size] : 0;
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count);
    for (size_t v = 0; v < count && code->width == 0 && !visit_fits(code, bytes); v++) {
        const struct campaign_code other = {own[v], 0, 0, {0}};
        if (visit_fits(&other, bytes))
            *code = other;
    }
}

/* Any memory is "DRAM" here. */
static void choose_name_level(const struct machine *machine, const struct plan_step *plan, char *out) {
    struct levels levels[MACHINE_MAX_KINDS];
    for (unsigned k = 0; k < machine->kind_count; k++)
        levels[k] = levels_detected(&machine->kinds[k], "DRAM");
    const struct levels own = plan_levels(machine, levels, plan->core_kind);
    snprintf(out, sizeof own.level[0].name, "%s", own.level[plan->level].name);
}

/* The winner on this microarchitecture; false: none is known, or it does not fit here. */
static bool advise(const struct campaign *campaign, const struct campaign_step *step, struct campaign_code *out) {
    const struct plan_step *plan = step->plan;
    const struct uarch_match *match = campaign->bench->uarch;
    char level[sizeof((struct level *)NULL)->name] = "";
    if (match && plan->level != PLAN_REGISTERS)
        choose_name_level(campaign->bench->machine, plan, level);
    const char *variant =
        match ? wisdom_variant(match[plan->core_kind == TEAM_ANY_KIND ? 0 : plan->core_kind].uarch, level, plan->kernel)
              : NULL;
    *out = (struct campaign_code){variant ? kernel_find_variant(plan->kernel, variant) : NULL, 0, 0, {0}};
    if (!variant || out->kernel)
        return variant;
    size_t count;
    out->kernel = *step_variants_of(step, &count);
    return plan->paced && !campaign->options.no_shapes && shapes_exist(out->kernel) &&
           sscanf(variant, "%ux%u", &out->width, &out->unroll) == 2 &&
           shapes_fit(out->kernel, out->width, out->unroll, plan->size_count ? plan->size_bytes[step->size] : 0);
}

/* A result of the same kernel on this machine is better evidence than a winner on another machine. */
void choose_first(struct campaign *campaign, size_t at, bool by_wisdom) {
    struct campaign_step *step = &campaign->steps[at];
    const struct campaign_step *relative = step_relative_of(campaign, step);
    const bool related = relative && relative->visit_count > 0;
    step->size = step->plan->middle_size;
    if (related && relative->size < step->plan->size_count && relative->plan->size_count == step->plan->size_count)
        step->size = relative->size;
    step->advised = by_wisdom && !step_searches_everything(campaign, at) &&
                    !(related && strcmp(relative->plan->kernel, step->plan->kernel) == 0) &&
                    advise(campaign, step, &step->code);
    if (!step->advised)
        step->code = (struct campaign_code){first_guess(step), 0, 0, {0}};
    if (related && !step->advised) {
        const struct campaign_code guess = choose_translate(step, &relative->code);
        step->guessed = relative->code;
        step->guessed_size = relative->size;
        if (guess.kernel)
            step->code = guess;
    }
    make_fit(step, &step->code);
    arm(campaign, at);
}

/* A visit at a larger size was faster, but the size was not chosen. */
static bool has_seen_more(const struct campaign_step *step) {
    return step->seen[0] > step->number.per_cycle * (1 + THRESHOLD->size_seen.value);
}

bool choose_again(struct campaign *campaign, size_t at) {
    struct campaign_step *step = &campaign->steps[at];
    if (has_seen_more(step) && step->searches < THRESHOLD->size_searches.value && step->plan->search_s > 0 &&
        step->sizes_tried) {
        step->searches++;
        step->sizes_tried = false;
        return choose_wants_sizes(campaign, at);
    }
    const double share = step_reached(step);
    const bool outdone = step_outdone(campaign, step) > 0;
    const double most = share > 0 || outdone ? THRESHOLD->searches.value : 1;
    if (step_searches_everything(campaign, at) || !step_may_gain(campaign, step) || step->searches >= most ||
        step->plan->search_s <= 0)
        return false;
    if (share > 0) { /* earlier tries may have been disturbed; without a limit, the rest of the map may hold more */
        free(step->shapes);
        step->shapes = NULL;
    }
    step->searches++;
    arm(campaign, at);
    step->sizes_tried = true;
    return !step->variants_tried || !step->shapes_tried;
}

bool choose_wants_variants(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return !step->variants_tried && step_may_gain(campaign, step);
}

bool choose_variants(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count);
    struct campaign_code best = step->code;
    double best_merit = 0;
    step->variants_tried = true;
    for (size_t v = 0; v < count && !visit_is_over(campaign); v++) {
        const struct campaign_code code = {own[v], 0, 0, {0}};
        double merit = 0;
        if (!visit_try(campaign, at, &code, step->size, &merit, err))
            return false;
        if (merit > best_merit) {
            best_merit = merit;
            best = code;
        }
    }
    return step_same_code(&best, &step->code) || visit_challenge(campaign, at, &best, step->size, err);
}

bool choose_wants_sizes(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return !step->sizes_tried && step_may_gain(campaign, step);
}

unsigned choose_plateau(const double *merits, unsigned count, unsigned middle, unsigned alone_from) {
    const bool innermost = alone_from == 0;
    unsigned best = innermost ? 0 : middle;
    double best_merit = innermost ? merits[0] : -INFINITY;
    for (unsigned i = 0; i < count; i++) {
        bool supported = i >= alone_from;
        for (unsigned j = 0; j < count; j++)
            supported |= j != i && fabs(merits[j] / merits[i] - 1) < THRESHOLD->size_support.value;
        if (supported && merits[i] > best_merit) {
            best_merit = merits[i];
            best = i;
        }
    }
    const double close = best >= alone_from ? THRESHOLD->larger_ahead.value : THRESHOLD->size_support.value;
    return !innermost && merits[middle] > best_merit * (1 - close) ? middle : best;
}

/* In L1 the best variant depends on the size; further out, on the level alone. */
bool choose_sizes(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const bool innermost = step->plan->level == 0;
    const unsigned sizes = step->plan->size_count;
    size_t count;
    const struct kernel *const *own = step_variants_of(step, &count);
    struct campaign_code best[PLAN_MAX_SIZES];
    double merits[PLAN_MAX_SIZES] = {0};
    step->sizes_tried = true;
    for (unsigned s = step->searches > 0 ? step->size : 0; s < sizes && !visit_is_over(campaign); s++) {
        best[s] = step->code;
        if (!visit_try(campaign, at, &step->code, s, &merits[s], err))
            return false;
        for (size_t v = 0; v < count && innermost && s != step->size && !visit_is_over(campaign); v++) {
            const struct campaign_code code = {own[v], 0, 0, {0}};
            double merit = 0;
            if (!step_same_code(&code, &step->code) && !visit_try(campaign, at, &code, s, &merit, err))
                return false;
            if (merit > merits[s]) {
                merits[s] = merit;
                best[s] = code;
            }
        }
    }
    if (visit_is_over(campaign))
        return true;
    const unsigned middle = step->plan->middle_size;
    const unsigned chosen = choose_plateau(merits, sizes, middle,
                                           innermost           ? 0
                                           : step->plan->paced ? middle + 1
                                                               : sizes);
    return chosen == step->size || visit_challenge(campaign, at, &best[chosen], chosen, err);
}

/* Closer to its documented limit. Without limits: the same work, or that of a narrower instruction set, with more per
 * cycle. */
static bool is_ahead(const struct campaign_step *other, const struct campaign_step *step) {
    if (step_reached(other) > 0 && step_reached(step) > 0)
        return step_reached(other) > step_reached(step) * THRESHOLD->ahead.value;
    return (step_same_work(other, step) || step_is_narrower(other, step)) &&
           other->number.per_cycle > step->number.per_cycle * THRESHOLD->ahead.value;
}

/* The size of the other step, if this step has it. */
static unsigned size_of(const struct campaign_step *step, const struct campaign_step *other) {
    for (unsigned s = 0; s < step->plan->size_count && other->plan->size_count > 0; s++)
        if (step->plan->size_bytes[s] == other->plan->size_bytes[other->size])
            return s;
    return step->size;
}

/* The other step's code and size were the last that this step tried. */
static bool is_guess_of(const struct campaign_step *step, const struct campaign_step *other) {
    return step_same_code(&other->code, &step->guessed) && other->size == step->guessed_size;
}

/* Its code was not tried yet; or it was tried in vain, and the other step is still ahead with it. */
static bool can_lead(const struct campaign_step *other, const struct campaign_step *step) {
    if (other->visit_count == 0)
        return false;
    if (!is_guess_of(step, other))
        return true;
    const struct campaign_code code = choose_translate(step, &other->code);
    return code.kernel && !(step_same_code(&code, &step->code) && size_of(step, other) == step->size) &&
           is_ahead(other, step);
}

/* The step that may have found better code: the relative, whatever its result; a follower that is closer to its
 * documented limit; or a narrower instruction set that is faster. NULL: none. */
static const struct campaign_step *leader_of(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at], *leader = step_relative_of(campaign, step);
    const bool outdone = step_outdone(campaign, step) > 0;
    if (leader && !can_lead(leader, step))
        leader = NULL;
    for (size_t i = 0; i < campaign->count && !leader; i++) {
        const struct campaign_step *other = &campaign->steps[i];
        const bool ahead =
            i > at && other->relative == at && step_reached(other) > step_reached(step) * (2 - THRESHOLD->enough.value);
        const bool narrower = outdone && step_is_narrower(other, step) && is_ahead(other, step);
        if ((ahead || narrower) && can_lead(other, step))
            leader = other;
    }
    return leader;
}

/* The same code again, and too soon. */
static bool follows_later(const struct campaign *campaign, const struct campaign_step *step,
                          const struct campaign_step *leader) {
    return is_guess_of(step, leader) &&
           visit_now_s(campaign) < step->followed_at_s + THRESHOLD->follow_apart_s.value * step->follows;
}

static bool may_follow(const struct campaign *campaign, size_t at) {
    const struct campaign_step *step = &campaign->steps[at];
    return step_reached(step) < THRESHOLD->perfect.value && step->follows < THRESHOLD->follows.value &&
           !step_searches_everything(campaign, at);
}

bool choose_wants_follow(const struct campaign *campaign, size_t at) {
    const struct campaign_step *leader = may_follow(campaign, at) ? leader_of(campaign, at) : NULL;
    return leader && !follows_later(campaign, &campaign->steps[at], leader);
}

bool choose_follow(struct campaign *campaign, size_t at, struct error *err) {
    struct campaign_step *step = &campaign->steps[at];
    const struct campaign_step *leader = leader_of(campaign, at);
    step->guessed = leader->code;
    step->guessed_size = leader->size;
    step->follows++;
    step->followed_at_s = visit_now_s(campaign);
    const struct campaign_code code = choose_translate(step, &leader->code);
    const unsigned size = size_of(step, leader);
    return !code.kernel || (step_same_code(&code, &step->code) && size == step->size) ||
           visit_challenge(campaign, at, &code, size, err);
}

bool choose_follow_waits(const struct campaign *campaign, size_t at) {
    const struct campaign_step *leader = may_follow(campaign, at) ? leader_of(campaign, at) : NULL;
    return leader && follows_later(campaign, &campaign->steps[at], leader);
}

/* Winners by microarchitecture (wisdom_table.c). */

static size_t choose_place_of(const struct uarch *uarch) {
    size_t at = 0;
    while (uarch_at(at) && uarch_at(at) != uarch)
        at++;
    return at;
}

/* Number of rows between two microarchitectures in their table, which is sorted by year; SIZE_MAX: different
 * vendors. */
static size_t choose_distance(const struct uarch *a, const struct uarch *b) {
    const size_t at = choose_place_of(a), other = choose_place_of(b);
    if (!b || strcmp(uarch_vendor(a), uarch_vendor(b)) != 0)
        return SIZE_MAX;
    return at > other ? at - other : other - at;
}

static bool choose_same_isa(const char *kernel, const char *other) {
    const size_t length = strcspn(kernel, ".");
    return strncmp(kernel, other, length + 1) == 0;
}

const char *wisdom_variant(const struct uarch *uarch, const char *level, const char *kernel) {
    const struct uarch *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < wisdom_count && uarch; i++) {
        const struct uarch *other =
            choose_same_isa(kernel, wisdom_table[i].kernel) ? uarch_named(wisdom_table[i].uarch) : NULL;
        if (other && other != nearest && choose_distance(uarch, other) < least) {
            least = choose_distance(uarch, other);
            nearest = other;
        }
    }
    for (size_t i = 0; i < wisdom_count && nearest; i++)
        if (uarch_named(wisdom_table[i].uarch) == nearest && strcmp(wisdom_table[i].level, level) == 0 &&
            strcmp(wisdom_table[i].kernel, kernel) == 0)
            return wisdom_table[i].variant;
    return NULL;
}
