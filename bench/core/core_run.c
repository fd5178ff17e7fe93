/* SPDX-License-Identifier: BSD-3-Clause */
#include "core_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "asm/assemble_pages.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/stop.h"

/* Reading the clock takes longer than a slice, so two slices share the readings around them. Items are visited in
 * rounds, so that a disturbance of a second or so harms one visit of each. */
enum { ROUNDS = 3, SLICES = 8, TOGETHER = 2, TRIAL_ITERATIONS = 2, TRIAL_STEPS = 2 };
static const double SLICE_S = 4e-6, NOOPS_AGREE = 0.02;
static const double ROUND_S = 0.25; /* at least, also of a few items: so far apart, they meet different disturbances */

struct core_here {
    const struct core_plan *plan;
    const struct core_bench *bench;
    struct pages pages;
    struct core_data *data;
    unsigned *units;              /* by item: per iteration */
    uint64_t *iterations;         /* of a slice */
    double alone_noops_per_cycle; /* of the core when nothing else uses it: the most so far */
    uint64_t random;
    double began_s;
};

static double ticks_of(const struct core_here *here, size_t item, uint64_t iterations) {
    core_function *function;
    const void *code = here->pages.code + item * CORE_CODE_BYTES;
    memcpy(&function, &code, sizeof function);
    const uint64_t from = clock_tick(here->bench->clock);
    function(here->data, iterations);
    return (double)(clock_tick(here->bench->clock) - from) - here->bench->clock->overhead_ticks;
}

/* The first calls find the code in no cache, and the branches unknown. */
static void find_iterations(struct core_here *here, size_t item) {
    const struct clock *clock = here->bench->clock;
    const double slice_ticks = clock_at_least_s(clock, SLICE_S) * clock->tick_hz;
    uint64_t tried = TRIAL_ITERATIONS;
    ticks_of(here, item, tried);
    double trial_ticks = ticks_of(here, item, tried);
    while (trial_ticks < fmin(TRIAL_STEPS * clock->step_ticks, slice_ticks / 2))
        trial_ticks = ticks_of(here, item, tried *= 2);
    here->iterations[item] = (uint64_t)fmax(1, (double)tried * slice_ticks / trial_ticks);
}

/* A visit's readings show the core's own width if they agree: another program takes now more, now less. */
static void note_noops(struct core_here *here, double least, double most) {
    if (least > (1 - NOOPS_AGREE) * most)
        here->alone_noops_per_cycle = fmax(here->alone_noops_per_cycle, least);
}

static void visit(struct core_here *here, size_t index, struct core_slices *slices) {
    const struct core_item *item = &here->plan->items[index];
    const struct clock *clock = here->bench->clock;
    core_data_set(here->data, item->operands, here->random);
    if (here->iterations[index] == 0)
        find_iterations(here, index);
    ticks_of(here, index, here->iterations[index]);
    struct clock_reading before = clock_read(clock);
    double least = before.noops_per_cycle, most = least;
    const double units = (double)here->iterations[index] * here->units[index];
    for (unsigned i = 0; i < SLICES && slices->count + TOGETHER <= CORE_SLICES_MOST; i += TOGETHER) {
        double ticks[TOGETHER];
        for (unsigned k = 0; k < TOGETHER; k++) {
            here->random = here->random * 6364136223846793005u + 1442695040888963407u;
            core_data_set(here->data, item->operands, here->random);
            ticks[k] = ticks_of(here, index, here->iterations[index]);
        }
        const struct clock_reading after = clock_read(clock);
        const double hz = (before.hz + after.hz) / 2;
        for (unsigned k = 0; k < TOGETHER; k++) {
            slices->cycles[slices->count] = ticks[k] / clock->tick_hz * hz / units;
            slices->clock_hz[slices->count] = hz;
            slices->noops_per_cycle[slices->count] = fmin(before.noops_per_cycle, after.noops_per_cycle);
            slices->steady[slices->count++] = fabs(after.hz - before.hz) < CLOCK_UNCERTAIN * hz;
        }
        least = fmin(least, after.noops_per_cycle);
        most = fmax(most, after.noops_per_cycle);
        before = after;
    }
    note_noops(here, least, most);
}

static bool stopped(const struct core_here *here) {
    return stop_requested(here->bench->stop);
}

static bool ended(const struct core_here *here) {
    return stopped(here) || now_s() - here->began_s > here->bench->budget_s;
}

/* Busy, so that the clock stays what it is. */
static void wait_until(const struct core_here *here, double until_s) {
    while (now_s() < until_s && !ended(here))
        clock_read(here->bench->clock);
}

static void tell_alone(const struct core_here *here, struct core_slices *slices) {
    for (size_t i = 0; i < here->plan->count; i++)
        slices[i].alone_noops_per_cycle = here->alone_noops_per_cycle;
}

static void visit_all(struct core_here *here, struct core_slices *slices) {
    bool again = true;
    for (unsigned round = 0; again; round++) {
        const double round_s = now_s();
        again = round + 1 < ROUNDS;
        tell_alone(here, slices);
        for (size_t i = 0; i < here->plan->count; i++) {
            if (ended(here))
                return;
            const bool disturbed = slices[i].count < CORE_SLICES_MOST && core_slices_disturbed(&slices[i]);
            if (round < ROUNDS || disturbed)
                visit(here, i, &slices[i]);
            again |= disturbed;
        }
        if (again)
            wait_until(here, round_s + ROUND_S);
    }
}

static bool write_code(struct core_here *here, struct error *err) {
    const size_t bytes = (here->plan->count + 1) * CORE_CODE_BYTES;
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return error_set(err, "no memory for code of %zu bytes: %s", bytes, strerror(errno));
    here->pages = (struct pages){base, base, bytes};
    for (size_t i = 0; i < here->plan->count; i++)
        core_code_write(&here->plan->items[i], here->pages.code + i * CORE_CODE_BYTES, &here->units[i]);
    return pages_seal(&here->pages, err);
}

bool core_run(const struct core_plan *plan, const struct core_bench *bench, struct core_slices *slices,
              struct error *err) {
    struct core_here here = {.plan = plan,
                             .bench = bench,
                             .data = need_made(aligned_alloc(4096, sizeof *here.data)),
                             .units = need_calloc(plan->count + 1, sizeof *here.units),
                             .iterations = need_calloc(plan->count + 1, sizeof *here.iterations),
                             .alone_noops_per_cycle = bench->clock->noops_per_cycle,
                             .random = clock_tick(bench->clock),
                             .began_s = now_s()};
    const bool done = write_code(&here, err);
    if (done)
        visit_all(&here, slices);
    tell_alone(&here, slices);
    pages_release(&here.pages);
    free(here.data);
    free(here.units);
    free(here.iterations);
    return done;
}
