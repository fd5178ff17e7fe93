/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions recorded on a busy host (tests/noise/busy_host.txt) yield the core's true numbers: where the host did not
 * disturb a third of the lanes, a kernel's value is between 97 and 101.5 % of the documented one. RECORDED=1 prints
 * each visit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/estimate.h"
#include "bench/kernels/sample.h"
#include "probe/clock.h"

enum { MAX_LANES = 2, MAX_REPETITIONS = 400, MAX_VISITS = 80, SLICE_CYCLES = 3072 };
static const double KERNEL_UNIT_S = 50e-9, SLICE_UNIT_S = 1e-9;

/* A kernel is clean on a lane that the host does not disturb: then a quarter of the repetitions come within 3 % of the
 * documented value. All count, whether or not sample_reduce() would use them. */
static const double CLEAN = 0.97, CLEAN_LANES = 1.0 / 3;

struct visit {
    struct sample sample;
    unsigned clean_lanes;
};

static struct visit visits[MAX_VISITS];
static size_t visit_count;

/* The next lane of a line; its numbers are differences from the visit's own. */
static bool read_lane(char **text, long kernel_units, long slice_units, struct repetition *out) {
    long numbers[1 + CLOCK_SLICES];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        numbers[i] = strtol(*text, &end, 10);
        if (end == *text)
            return false;
        *text = end;
    }
    double slices_hz[CLOCK_SLICES];
    for (int i = 0; i < CLOCK_SLICES; i++)
        slices_hz[i] = SLICE_CYCLES / ((double)(slice_units + numbers[1 + i]) * SLICE_UNIT_S);
    const struct clock_reading clock = clock_reading_of(slices_hz, CLOCK_SLICES);
    const double seconds = (double)(kernel_units + numbers[0]) * KERNEL_UNIT_S;
    *out =
        (struct repetition){.seconds = seconds, .team_s = seconds, .clock_hz = clock.hz, .clock_spread = clock.spread};
    return true;
}

static bool is_clean(const struct repetitions *all, unsigned lane, double documented_per_cycle) {
    double of_documented[MAX_REPETITIONS];
    for (size_t i = 0; i < all->count; i++) {
        const struct repetition *r = &all->of[i * all->lanes + lane];
        of_documented[i] = all->work / r->seconds / r->clock_hz / documented_per_cycle;
    }
    return sample_statistics(of_documented, all->count).q3 >= CLEAN;
}

static void add_visit(struct sample sample, const struct repetitions *all) {
    assert_true(visit_count < MAX_VISITS && all->count > 0);
    struct visit *visit = &visits[visit_count++];
    sample_reduce(&sample, all, STATISTIC_UPPER_QUARTILE);
    *visit = (struct visit){.sample = sample};
    for (unsigned lane = 0; lane < all->lanes; lane++)
        visit->clean_lanes += is_clean(all, lane, sample.documented_per_cycle);
    if (getenv("RECORDED"))
        printf("%-20s %-7s %u threads: %5.1f %% of documented, %u of %u repetitions kept, clean lanes %u\n",
               sample.kernel, sample.variant, sample.threads,
               100 * visit->sample.per_cycle / sample.documented_per_cycle, visit->sample.rate.kept,
               visit->sample.rate.n, visit->clean_lanes);
}

/* The first lines of the file describe its format. */
static int read_visits(void **state) {
    (void)state;
    FILE *file = fopen("tests/noise/busy_host.txt", "r");
    assert_non_null(file);
    static struct repetition repetitions[MAX_REPETITIONS * MAX_LANES];
    struct repetitions all = {.of = repetitions, .core_paced = true};
    struct sample sample = {.threads = 0};
    long kernel_units = 0, slice_units = 0;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        if (strncmp(line, "visit ", 6) == 0) {
            if (sample.threads)
                add_visit(sample, &all);
            sample = (struct sample){.kind = SAMPLE_COMPUTE};
            assert_int_equal(sscanf(line, "visit %47s %15s %u %lf %lf %ld %ld", sample.kernel, sample.variant,
                                    &sample.threads, &all.work, &sample.documented_per_cycle, &kernel_units,
                                    &slice_units),
                             7);
            sample.cores = all.lanes = sample.threads;
            all.count = 0;
            continue;
        }
        assert_true(all.lanes > 0 && all.lanes <= MAX_LANES && all.count < MAX_REPETITIONS);
        char *text = line;
        for (unsigned lane = 0; lane < all.lanes; lane++)
            assert_true(read_lane(&text, kernel_units, slice_units, &repetitions[all.count * all.lanes + lane]));
        all.count++;
    }
    add_visit(sample, &all);
    assert_false(ferror(file));
    fclose(file);
    return 0;
}

static bool same_code(const struct sample *a, const struct sample *b) {
    return strcmp(a->kernel, b->kernel) == 0 && a->threads == b->threads && strcmp(a->variant, b->variant) == 0;
}

static bool same_kernel(const struct sample *a, const struct sample *b) {
    return strcmp(a->kernel, b->kernel) == 0 && a->threads == b->threads;
}

/* The result of all visits to one variant of a kernel. */
static struct sample value_of(const struct sample *code) {
    struct sample same[ESTIMATE_MAX_VISITS], out;
    size_t count = 0;
    for (size_t i = 0; i < visit_count && count < ESTIMATE_MAX_VISITS; i++)
        if (same_code(&visits[i].sample, code))
            same[count++] = visits[i].sample;
    estimate_combine(&out, same, count, true, (struct estimate_habit){0});
    return out;
}

static void kernels_are_as_documented(void **state) {
    (void)state;
    unsigned kernels = 0, judged = 0;
    for (size_t i = 0; i < visit_count; i++) {
        const struct sample *first = &visits[i].sample;
        bool seen = false;
        for (size_t j = 0; j < i; j++)
            seen = seen || same_kernel(&visits[j].sample, first);
        if (seen)
            continue;
        struct sample best = {.per_cycle = 0};
        unsigned lanes = 0, clean = 0;
        for (size_t j = i; j < visit_count; j++)
            if (same_kernel(&visits[j].sample, first)) {
                const struct sample value = value_of(&visits[j].sample);
                best = estimate_merit(&value, true) > estimate_merit(&best, true) ? value : best;
                lanes += first->threads;
                clean += visits[j].clean_lanes;
            }
        const double percent = 100 * best.per_cycle / first->documented_per_cycle;
        const bool is_judged = clean >= CLEAN_LANES * lanes;
        if (getenv("RECORDED"))
            printf("%-20s %u threads: %5.1f %% of documented, clean lanes %u of %u\n", first->kernel, first->threads,
                   percent, clean, lanes);
        kernels++;
        judged += is_judged;
        if (percent > 101.5 || (is_judged && percent < 97))
            fail_msg("%s with %u threads is %.1f %% of documented; %u of %u lanes are clean", first->kernel,
                     first->threads, percent, clean, lanes);
    }
    assert_int_equal(kernels, 16);
    assert_true(judged >= 10); /* else the test checks nothing */
}

/* Not confirmed by a second visit. 103: the slices were recorded without the piece of chain that warms them up, and
 * read 2.5 % low in two visits. */
static void a_visit_alone_is_near(void **state) {
    (void)state;
    for (size_t i = 0; i < visit_count; i++) {
        const struct visit *visit = &visits[i];
        const double percent = 100 * visit->sample.per_cycle / visit->sample.documented_per_cycle;
        if (percent > 103 || (visit->clean_lanes * 3 >= visit->sample.threads && percent < 97))
            fail_msg("visit %zu of %s is %.1f %% of documented", i, visit->sample.kernel, percent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_as_documented),
        cmocka_unit_test(a_visit_alone_is_near),
    };
    return cmocka_run_group_tests(tests, read_visits, NULL);
}
