/* SPDX-License-Identifier: BSD-3-Clause
 * The tick source, and the core clock by chains of known latency (see clock.h). */
#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "arch.h"
#include "clock_chains.h"
#include "error.h"
#include "order.h"
#include "osfile.h"

enum {
    LEAST_PIECES = 8, /* of a slice */
    MOST_PIECES = 192,
    ROUNDS = 101, /* readings per comparison */
    EMPTY_READINGS = 1001,
    SPAN_NS = 5000000,         /* to compare the TSC with the system's clock */
    COARSE_SPAN_NS = 20000000, /* with a coarse one: a step is known to a few µs where reading the clock is slow */
    COARSE_SPAN_STEPS = 20,
    TRIES = 3,
    COARSEST_STEP_NS = 10000, /* of a tick: the longest slice takes ten */
};
/* A step of the tick is no more than this share of a slice. On a core whose tick advances by 10 ns, slices of 1 µs read
 * 3.19, 3.23 or 3.26 GHz where the truth is 3.244 (seen on Zen 3). */
static const double STEP_SHARE = 0.001;
/* Likewise if that took more than MOST_PIECES; and the longest slice. A step of 40 ns is 0.25 % of MOST_PIECES at 3
 * GHz. */
static const double COARSE_SHARE = 0.0025, LONGEST_S = 100e-6;
/* With a longer step than this the shortest slice may take none; then a core is as fast as this one, until it is known.
 */
static const double COARSE_STEP_S = 100e-9, USUAL_HZ = 3e9;
/* Relative difference of the clock when it is read after a load and when it is interleaved with the load: 0.03 to
 * 0.2 % (docs/method.md). */
static const double AFTER_AND_DURING = 0.002;

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_tick(const struct clock *clock) {
    return clock->uses_tsc ? arch_tick() : nanoseconds();
}

const char *clock_tick_source(const struct clock *clock) {
    return clock->uses_tsc ? "the " ARCH_COUNTER : "CLOCK_MONOTONIC_RAW";
}

double clock_step_s(const struct clock *clock) {
    return clock->step_ticks / clock->tick_hz;
}

double clock_at_least_s(const struct clock *clock, double seconds) {
    return fmax(seconds, CLOCK_STEPS * clock_step_s(clock));
}

double clock_seconds(const struct clock *clock, uint64_t from_tick, uint64_t to_tick) {
    return (double)(to_tick - from_tick) / clock->tick_hz;
}

static double chain_ticks(const struct clock *clock, unsigned chain) {
    uint64_t start = clock_tick(clock);
    clock_chains[chain](clock->slice_pieces);
    return (double)(clock_tick(clock) - start);
}

static double slice_hz(const struct clock *clock, double ticks) {
    return CLOCK_PIECE_CYCLES * clock->slice_pieces * clock->tick_hz / (ticks - clock->overhead_ticks);
}

static double noops_per_s(const struct clock *clock) {
    clock_noops(1);
    const uint64_t start = clock_tick(clock);
    clock_noops(clock->slice_pieces);
    const double ticks = (double)(clock_tick(clock) - start) - clock->overhead_ticks;
    return ticks > 0 ? CLOCK_PIECE_NOOPS * clock->slice_pieces * clock->tick_hz / ticks : 0;
}

struct clock_reading clock_reading_of(const double *slices_hz, unsigned count) {
    double fastest = 0, second = 0;
    for (unsigned i = 0; i < count; i++) {
        second = fmax(second, fmin(fastest, slices_hz[i]));
        fastest = fmax(fastest, slices_hz[i]);
    }
    return (struct clock_reading){.hz = fastest, .spread = fastest > 0 ? (fastest - second) / fastest : 0};
}

static struct clock_reading read_chains(const struct clock *clock, double *chain_hz) {
    for (unsigned c = 0; c < CLOCK_SLICES; c++)
        clock_chains[c](1);
    for (unsigned c = 0; c < CLOCK_SLICES; c++)
        chain_hz[c] = slice_hz(clock, chain_ticks(clock, c));
    struct clock_reading reading = clock_reading_of(chain_hz, CLOCK_SLICES);
    reading.noops_per_cycle = reading.hz > 0 ? noops_per_s(clock) / reading.hz : 0;
    return reading;
}

struct clock_reading clock_read(const struct clock *clock) {
    double chain_hz[CLOCK_SLICES];
    return read_chains(clock, chain_hz);
}

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The step of a tick that stays the same over many readings. */
static uint64_t awaited_step(const struct clock *clock) {
    uint64_t least = UINT64_MAX, before = clock_tick(clock);
    for (int i = 0; i <= TRIES; i++) {
        uint64_t now = before;
        while (now == before)
            now = clock_tick(clock);
        if (i > 0) /* the first one began before */
            least = now - before < least ? now - before : least;
        before = now;
    }
    return least;
}

/* The cost of reading the tick, and the tick's step. Two readings in a row differ by the cost, rounded up or down to
 * a step. A step of 24.45 ticks shows as 24 or 25: differences of one tick are not a step. */
static void measure_tick(struct clock *clock) {
    uint64_t ticks[EMPTY_READINGS];
    for (int i = 0; i < EMPTY_READINGS; i++) {
        uint64_t start = clock_tick(clock);
        ticks[i] = clock_tick(clock) - start;
    }
    qsort(ticks, EMPTY_READINGS, sizeof ticks[0], compare_u64);
    uint64_t step = 0;
    double sum = 0;
    const int most = EMPTY_READINGS * 9 / 10; /* the slowest ones were interrupted */
    for (int i = 0; i < most; i++) {
        sum += (double)ticks[i];
        uint64_t apart = i > 0 ? ticks[i] - ticks[i - 1] : 0;
        if (apart > 1 && (step == 0 || apart < step))
            step = apart;
    }
    clock->overhead_ticks = sum / most;
    clock->step_ticks = ticks[most - 1] == 0 ? (double)awaited_step(clock) : step > 0 ? (double)step : 1;
}

/* Time can be read by nothing else: the CPU's counter has been refused. */
static bool refuse_clock(double step_ns, struct error *err) {
    static const char FOLDER[] = "/sys/devices/system/clocksource/clocksource0/";
    char path[128], source[64], others[256];
    snprintf(path, sizeof path, "%scurrent_clocksource", FOLDER);
    if (!osfile_text("", path, source, sizeof source))
        snprintf(source, sizeof source, "not known");
    snprintf(path, sizeof path, "%savailable_clocksource", FOLDER);
    osfile_text("", path, others, sizeof others);
    return error_set(err,
                     "the system's clock moves in steps of %g ms (clock source: %s), too coarse to measure with, and "
                     "the " ARCH_COUNTER
                     " is not invariant or disagrees with it; write a finer one into %scurrent_clocksource%s%s",
                     step_ns / 1e6, source, FOLDER, others[0] ? ": there are " : "", others);
}

/* The ticks that reading the system's clock takes, undisturbed. */
static uint64_t reading_ticks(void) {
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t start = arch_tick();
        nanoseconds();
        const uint64_t taken = arch_tick() - start;
        least = taken < least ? taken : least;
    }
    return least;
}

/* A moment at which the system's clock has just moved. Its tick is exact, however coarse the clock. */
struct clock_step {
    uint64_t ns, tick;
    uint64_t length_ns; /* of the step; or the cost of reading the clock where that is longer */
};

/* Waits for a step between two readings that nothing interrupted: on a busy machine most are interrupted. */
static struct clock_step next_step(uint64_t reading) {
    struct clock_step out = {.tick = arch_tick(), .ns = nanoseconds()};
    for (int patience = ROUNDS; patience > 0; patience--) {
        struct clock_step before;
        do {
            before = out;
            out.tick = arch_tick();
            out.ns = nanoseconds();
        } while (out.ns == before.ns);
        out.length_ns = out.ns - before.ns;
        if (arch_tick() - before.tick <= 4 * reading)
            break;
    }
    return out;
}

/* The TSC's rate against CLOCK_MONOTONIC_RAW over `span_ns`. */
static double tsc_hz(uint64_t span_ns, uint64_t reading) {
    const struct clock_step start = next_step(reading);
    struct clock_step end;
    do
        end = next_step(reading);
    while (end.ns - start.ns < span_ns);
    return (double)(end.tick - start.tick) * 1e9 / (double)(end.ns - start.ns);
}

static bool choose_tick(struct clock *clock, struct error *err) {
    const uint64_t reading = reading_ticks(), step_ns = next_step(reading).length_ns;
    const bool coarse = step_ns >= COARSEST_STEP_NS;
    const double coarse_span_ns = fmax(COARSE_SPAN_NS, COARSE_SPAN_STEPS * (double)step_ns);
    const uint64_t span_ns = coarse ? (uint64_t)coarse_span_ns : SPAN_NS;
    double second_hz = 0;
    for (int i = 0; i < TRIES && !clock->uses_tsc && clock_counter_is_invariant(); i++) {
        const double first_hz = tsc_hz(span_ns, reading);
        second_hz = tsc_hz(2 * span_ns, reading);
        clock->uses_tsc = fabs(first_hz / second_hz - 1) < 1e-3;
    }
    clock->tick_hz = clock->uses_tsc ? second_hz : 1e9;
    if (clock->uses_tsc)
        return true;
    snprintf(clock->doubt, sizeof clock->doubt,
             "the " ARCH_COUNTER
             " is not invariant or disagrees with the system's clock: time comes from CLOCK_MONOTONIC_RAW");
    return !coarse || refuse_clock((double)step_ns, err);
}

static double quantile_of_rounds(double *values, double share) {
    qsort(values, ROUNDS, sizeof values[0], order_doubles);
    return values[(size_t)(share * (ROUNDS - 1))];
}

static double median_of_rounds(double *values) {
    return quantile_of_rounds(values, 0.5);
}

/* A reading compares the chains at one moment, so a clock that changes between readings does no harm. The median of
 * the spreads is valid while more than half of the readings are undisturbed. Returns it. */
static double compare_chains(struct clock *clock) {
    double hz[ROUNDS], spread[ROUNDS], noops[ROUNDS], of_chain[CLOCK_SLICES][ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double chain_hz[CLOCK_SLICES];
        const struct clock_reading reading = read_chains(clock, chain_hz);
        hz[i] = reading.hz;
        spread[i] = reading.spread;
        noops[i] = reading.noops_per_cycle;
        for (unsigned c = 0; c < CLOCK_SLICES; c++)
            of_chain[c][i] = chain_hz[c];
    }
    clock->rest_hz = median_of_rounds(hz);
    clock->noops_per_cycle = quantile_of_rounds(noops, 0.75);
    for (unsigned c = 0; c < CLOCK_SLICES; c++)
        clock->chain_hz[c] = median_of_rounds(of_chain[c]);
    return median_of_rounds(spread);
}

bool clock_open_tick(struct clock *out, struct error *err) {
    *out = (struct clock){.slice_pieces = LEAST_PIECES};
    if (!choose_tick(out, err))
        return false;
    measure_tick(out);
    return true;
}

/* The length of a slice on a core of this clock. */
static unsigned pieces_of(const struct clock *clock, double core_hz) {
    const double piece_ticks = CLOCK_PIECE_CYCLES * clock->tick_hz / core_hz,
                 fine = clock->step_ticks / STEP_SHARE / piece_ticks,
                 coarse = clock->step_ticks / COARSE_SHARE / piece_ticks,
                 longest = LONGEST_S * clock->tick_hz / piece_ticks;
    return (unsigned)fmax(fmax(LEAST_PIECES, ceil(fmin(fine, MOST_PIECES))), ceil(fmin(coarse, longest)));
}

bool clock_open(struct clock *out, struct error *err) {
    const uint64_t start_ns = nanoseconds();
    if (!clock_open_tick(out, err))
        return false;
    if (clock_step_s(out) > COARSE_STEP_S)
        out->slice_pieces = pieces_of(out, USUAL_HZ);
    compare_chains(out); /* warms up, and gives the length of a piece */
    if (!(isfinite(out->rest_hz) && out->rest_hz > 0))
        return refuse_clock(out->step_ticks * 1e9 / out->tick_hz, err);
    out->slice_pieces = pieces_of(out, out->rest_hz);
    out->within = AFTER_AND_DURING + clock_step_s(out) * out->rest_hz / (out->slice_pieces * CLOCK_PIECE_CYCLES);
    double gap = INFINITY;
    while (gap > CLOCK_UNCERTAIN && (double)(nanoseconds() - start_ns) < CLOCK_PATIENCE_S * 1e9) {
        struct clock trial = *out;
        double own = compare_chains(&trial);
        if (own < gap) {
            gap = own;
            *out = trial;
        }
    }
    out->uncertain = !(gap <= CLOCK_UNCERTAIN);
    if (out->uncertain && !out->doubt[0])
        snprintf(out->doubt, sizeof out->doubt,
                 "clock uncertain: chains of adds, vector adds and " ARCH_LAST_CHAIN " show %.3f, %.3f and %.3f GHz",
                 out->chain_hz[0] / 1e9, out->chain_hz[1] / 1e9, out->chain_hz[2] / 1e9);
    return true;
}
