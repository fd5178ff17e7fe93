/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's history under load, and its figures. */
#include "clockcheck.h"
#include "sample.h"
#include "team.h"
#include "number_thresholds.h"

#include <math.h>
#include <stdlib.h>

#include "asm/interleaved_chain.h"
#include "probe/arch.h"
#include "probe/events/papi.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/stop.h"

static const double PHASE_S = 0.1, BURST_S = 300e-6, SETTLE_S = 20e-6;
enum { AT_REST = 0 };

struct follow {
    struct clock_history *history;
    const struct clock *clock;
    const struct interleaved_chain *loads[CLOCKCHECK_MAX_LOADS]; /* [AT_REST] is NULL */
    double seconds;
    const atomic_int *stop;
};

static void add_point(struct clock_history *history, struct clock_point point) {
    if (history->count == history->capacity) {
        history->capacity = history->capacity ? 2 * history->capacity : 1024;
        history->points = need_realloc(history->points, history->capacity * sizeof *history->points);
    }
    history->points[history->count++] = point;
}

/* 0 if the clock changed during the reading. */
static double read_slices(const struct clock *clock) {
    struct clock_reading reading = clock_read(clock);
    return reading.spread <= CLOCK_AGREES ? reading.hz : 0;
}

/* Runs one burst of the load (or waits), and reads the clock. */
static struct clock_point burst(const struct follow *follow, unsigned load, const struct papi_cycles *counter,
                                uint64_t first_tick) {
    const struct clock *clock = follow->clock;
    const struct interleaved_chain *chain = follow->loads[load];
    struct clock_point point = {.load = load};
    if (chain) {
        double expected_hz = clock->rest_hz;
        chain->run((uint64_t)(SETTLE_S * expected_hz / chain->chain_cycles));
        uint64_t iterations = (uint64_t)(BURST_S * expected_hz / chain->chain_cycles);
        long long cycles = papi_cycles_read(counter);
        uint64_t start = clock_tick(clock);
        chain->run(iterations);
        uint64_t end = clock_tick(clock);
        point.slices_hz = read_slices(clock);
        double elapsed_s = clock_seconds(clock, start, end);
        point.woven_hz = (double)(iterations * chain->chain_cycles) / elapsed_s;
        if (counter->counting) /* the interval includes the slices, which run at the same clock */
            point.counted_hz =
                (double)(papi_cycles_read(counter) - cycles) / clock_seconds(clock, start, clock_tick(clock));
    } else {
        uint64_t until = clock_tick(clock) + (uint64_t)(BURST_S * clock->tick_hz);
        while (clock_tick(clock) < until)
            arch_pause();
        point.slices_hz = read_slices(clock);
    }
    point.at_s = clock_seconds(clock, first_tick, clock_tick(clock));
    return point;
}

static void follow_clock(unsigned thread, void *context) {
    (void)thread;
    const struct follow *follow = context;
    struct clock_history *history = follow->history;
    struct papi_cycles counter = papi_cycles_open();
    uint64_t first_tick = clock_tick(follow->clock);
    double now_s = 0;
    const double phase_s = fmin(PHASE_S, follow->seconds), seconds = follow->seconds * history->load_count;
    for (unsigned phase = 0; (now_s < seconds || phase < history->load_count) && !stop_requested(follow->stop);
         phase++) {
        double phase_end_s = now_s + phase_s;
        while (now_s < phase_end_s) {
            struct clock_point point = burst(follow, phase % history->load_count, &counter, first_tick);
            now_s = point.at_s;
            add_point(history, point);
        }
    }
    papi_cycles_close(&counter);
}

bool clockcheck_run(struct clock_history *out, const struct machine *machine, const struct clock *clock, double seconds,
                    const atomic_int *stop, struct error *err) {
    *out = (struct clock_history){.load_count = 1, .loads = {[AT_REST] = {.name = "at rest"}}};
    struct follow follow = {.history = out, .clock = clock, .seconds = seconds, .stop = stop};
    for (size_t i = 0; i < interleaved_chain_count && out->load_count < CLOCKCHECK_MAX_LOADS; i++)
        if (machine_has(machine, interleaved_chain_table[i].needs)) {
            follow.loads[out->load_count] = &interleaved_chain_table[i];
            out->loads[out->load_count++].name = interleaved_chain_table[i].name;
        }
    struct team team;
    if (!team_choose(&team, machine, TEAM_ANY_KIND, 1, err))
        return false;
    bool done = team_run(&team, follow_clock, &follow, err);
    team_free(&team);
    if (done)
        clockcheck_summarise(out);
    return done;
}

void clockcheck_free(struct clock_history *history) {
    free(history->points);
    *history = (struct clock_history){0};
}

/* The known values of one load, by time. */
static size_t gather(const struct clock_history *history, unsigned load, size_t member, double *out) {
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++) {
        double value = *(const double *)((const char *)&history->points[i] + member);
        if (history->points[i].load == load && value > 0)
            out[count++] = value;
    }
    return count;
}

/* Difference between the readings during and after the load: the median over the points, because the clock itself
 * varies. */
static double disagreement(const struct clock_history *history, unsigned load, double *scratch) {
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct clock_point *point = &history->points[i];
        if (point->load == load && point->slices_hz > 0 && point->woven_hz > 0)
            scratch[count++] = point->woven_hz / point->slices_hz - 1;
    }
    return fabs(sample_statistics(scratch, count).median);
}

static double median_of(const struct clock_history *history, unsigned load, size_t member, double *scratch) {
    return sample_statistics(scratch, gather(history, load, member, scratch)).median;
}

/* Clocks that were held: bins of `clock step` with at least `clock step, share` of the sorted values. */
static void find_steps(struct clock_load *load, const double *sorted, size_t count) {
    load->step_count = 0;
    for (size_t i = 0; i < count && load->step_count < CLOCKCHECK_MAX_STEPS;) {
        double sum = 0;
        size_t from = i;
        for (; i < count && sorted[i] < sorted[from] + number_thresholds.clock_step_hz.value; i++)
            sum += sorted[i];
        if ((double)(i - from) >= number_thresholds.clock_step_share.value * (double)count)
            load->steps_hz[load->step_count++] = sum / (double)(i - from);
    }
}

void clockcheck_summarise(struct clock_history *history) {
    double *scratch = need_calloc(history->count + 1, sizeof *scratch);
    for (unsigned l = 0; l < history->load_count; l++) {
        struct clock_load *load = &history->loads[l];
        size_t count = gather(history, l, offsetof(struct clock_point, slices_hz), scratch), quarter = count / 4;
        if (quarter > 0) {
            double first = sample_statistics(scratch, quarter).median; /* sorts only that quarter */
            double last = sample_statistics(scratch + count - quarter, quarter).median;
            load->throttled = last < number_thresholds.throttled.value * first;
        }
        struct statistics slices = sample_statistics(scratch, count);
        load->count = (unsigned)count;
        load->slices_hz = slices.median;
        load->min_hz = count ? scratch[count / 20] : 0;
        load->max_hz = count ? scratch[count - 1 - count / 20] : 0;
        find_steps(load, scratch, count);
        load->woven_hz = median_of(history, l, offsetof(struct clock_point, woven_hz), scratch);
        load->counted_hz = median_of(history, l, offsetof(struct clock_point, counted_hz), scratch);
        load->disagreement = disagreement(history, l, scratch);
    }
    free(scratch);
}
