/* SPDX-License-Identifier: BSD-3-Clause
 * How a picture shows the part of its roof that a point reaches: the way to that roof, a piece of it, the point's place
 * there and the saved time; and which points of a crowd have names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart.h"
#include "carm/chart/chart_points.h"
#include "carm/model/verdict.h"
#include "tests/support/fixtures.h"

static struct statistics exactly(double value) {
    return (struct statistics){1, 1, value, value, value, value, value};
}

static struct result of_points(size_t most) {
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    r.points = calloc(most, sizeof *r.points);
    return r;
}

/* AVX2 code of one thread, two loads per store; the traffic to DRAM is half of the core's requests. */
static struct app_point *add(struct result *r, const char *name, double seconds, double flop, double flop_per_byte) {
    const double bytes = flop / flop_per_byte;
    struct app_point *point = &r->points[r->point_count++];
    *point = (struct app_point){.threads = 1,
                                .time_share = 1,
                                .seconds = exactly(seconds),
                                .seconds_source = SOURCE_CLOCK,
                                .flop = exactly(flop),
                                .flop_source = SOURCE_COUNTED,
                                .load_bytes = exactly(bytes * 2 / 3),
                                .store_bytes = exactly(bytes / 3),
                                .bytes_source = SOURCE_COUNTED,
                                .dram_read_bytes = exactly(bytes / 3),
                                .dram_write_bytes = exactly(bytes / 6),
                                .dram_source = SOURCE_COUNTERS,
                                .has_count = true};
    snprintf(point->name, sizeof point->name, "%s", name);
    snprintf(point->program, sizeof point->program, "%s", name);
    point->count.flop[COUNT_F64][COUNT_256] = 1000;
    return point;
}

/* The picture's parts about reach; those of the picture live for the time of the call. */
struct seen {
    size_t stems, ticks, ghosts, named, numbered;
    struct plot_line stem, tick; /* the last ones */
    double stem_y[2], tick_x[2], tick_y[2];
    struct plot_point ghost, point;
    char saving[64], reach[64], rest[128];
};

static void take(const struct plot *plot, void *taker) {
    struct seen *seen = taker;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (!line->clear)
            continue;
        assert_int_equal(line->count, 2);
        if (line->dash == PLOT_DASHED) {
            seen->stems++, seen->stem = *line;
            assert_true(line->x[0] == line->x[1]);
            memcpy(seen->stem_y, line->y, sizeof seen->stem_y);
        } else {
            seen->ticks++, seen->tick = *line;
            memcpy(seen->tick_x, line->x, sizeof seen->tick_x);
            memcpy(seen->tick_y, line->y, sizeof seen->tick_y);
        }
    }
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        if (point->legend && strstr(point->legend, " more, "))
            snprintf(seen->rest, sizeof seen->rest, "%s", point->legend);
        if (point->ghost) {
            seen->ghosts++, seen->ghost = *point;
            snprintf(seen->saving, sizeof seen->saving, "%s", point->label);
        } else {
            seen->named += point->label && !point->numbered, seen->point = *point;
            seen->numbered += point->label && point->numbered;
            snprintf(seen->reach, sizeof seen->reach, "%s", point->sublabel ? point->sublabel : "");
        }
    }
}

static struct seen look(const struct result *r, const char *chart, struct chart_options options) {
    struct model model = model_build(r);
    struct error err = {""};
    struct seen seen = {0};
    options.take = take, options.taker = &seen;
    if (!chart_named(chart)->draw(&model, &options, NULL, &err))
        fail_msg("%s: %s", chart, err.text);
    model_free(&model);
    return seen;
}

/* The stem ends at the verdict's roof at the point's intensity, not at a drawn line. */
static void the_way_to_its_own_roof(void **state) {
    (void)state;
    struct result r = of_points(1);
    add(&r, "solve", 1.1, 5e8, 1.0 / 12);
    struct model model = model_build(&r);
    const struct verdict verdict = verdict_find(&model, &r.points[0]);
    const struct seen seen = look(&r, "roofline", (struct chart_options){0});
    const double reached = 5e8 / 1.1, allowed = verdict.attainable_flop_per_s;
    char percent[32];
    assert_true(verdict.known && verdict.bandwidth && verdict.ratio < 0.7);
    assert_int_equal(seen.stems, 1);
    assert_int_equal(seen.ticks, 1);
    assert_near(seen.stem_y[0], reached);
    assert_near(seen.stem_y[1], allowed);
    assert_near(sqrt(seen.tick_y[0] * seen.tick_y[1]), allowed); /* in the middle of the piece */
    assert_near(seen.tick_y[1] / seen.tick_y[0], seen.tick_x[1] / seen.tick_x[0]);
    snprintf(percent, sizeof percent, "≤ %.0f %% of %s", 100 * verdict.ratio, verdict.bandwidth->sample->level);
    assert_string_equal(seen.reach, percent);
    assert_int_equal(seen.ghosts, 0); /* the saving is unknown if its level is unknown */
    assert_int_equal(look(&r, "roofline", (struct chart_options){.no_points = true}).stems, 0);
    const struct seen outlined = look(&r, "roofline", (struct chart_options){.dram = true});
    assert_int_equal(outlined.stems, 1);
    assert_int_equal(outlined.ghosts, 0); /* other outlines are there */
    model_free(&model);
    results_free(&r);
}

/* A ceiling is level; a point near its roof has no ghost, and a point above it a way down. */
static void ceilings_near_and_above(void **state) {
    (void)state;
    struct result r = of_points(1);
    struct model model = model_build(&r);
    const double shares[] = {0.4, 0.95, 2};
    for (size_t i = 0; i < 3; i++) {
        r.point_count = 0;
        add(&r, "dgemm", 1.1, 1, 100);
        const double ceiling = verdict_find(&model, &r.points[0]).peak->sample->value;
        r.points[0].flop = exactly(1.1 * shares[i] * ceiling);
        r.points[0].load_bytes = exactly(1.1 * shares[i] * ceiling / 100);
        r.points[0].store_bytes = exactly(0);
        const struct verdict verdict = verdict_find(&model, &r.points[0]);
        const struct seen seen = look(&r, "roofline", (struct chart_options){0});
        assert_null(verdict.bandwidth);
        assert_int_equal(seen.stems, 1);
        assert_near(seen.stem_y[1], verdict.attainable_flop_per_s);
        assert_true(seen.tick_y[0] == seen.tick_y[1] && seen.tick_x[0] < seen.tick_x[1]);
        assert_int_equal(seen.ghosts, shares[i] < 0.5);
        if (seen.ghosts) {
            assert_near(seen.ghost.x, seen.point.x);
            assert_near(seen.ghost.y, verdict.attainable_flop_per_s);
            assert_true(seen.ghost.hollow && seen.ghost.color.a < 1 && seen.ghost.shape == seen.point.shape);
            assert_contains(seen.saving, " of 1.1 s");
            assert_true(fabs(strtod(seen.saving, NULL) - 1.1 * (1 - verdict.ratio)) < 0.006);
        }
        assert_int_equal(seen.stem_y[0] > seen.stem_y[1], shares[i] > 1);
    }
    model_free(&model);
    results_free(&r);
}

/* With other bytes, and per cycle, the picture agrees with the text beside the point. */
static void every_roofline_agrees_with_its_share(void **state) {
    static const char *const CHARTS[] = {"roofline", "dram", "read", "write"};
    (void)state;
    struct result r = of_points(1);
    add(&r, "solve", 1, 1e9, 1.0 / 12)->clock_hz = 2.5e9;
    for (size_t c = 0; c < 4; c++)
        for (int cycle = 0; cycle < 2; cycle++) {
            const struct seen seen = look(&r, CHARTS[c], (struct chart_options){.per_cycle = cycle});
            assert_int_equal(seen.stems, 1);
            const double share = atof(strpbrk(seen.reach, "0123456789")) / 100;
            assert_true(fabs(seen.stem_y[0] / seen.stem_y[1] / share - 1) < 0.06); /* it is rounded */
            assert_near(seen.stem_y[0], seen.point.y);
            assert_near(sqrt(seen.tick_y[0] * seen.tick_y[1]), seen.stem_y[1]);
        }
    results_free(&r);
}

/* If every link was simulated, too: by the traffic over the last one. */
static void simulated_links_tell_of_memory(void **state) {
    (void)state;
    struct result r = of_points(1);
    struct app_point *point = add(&r, "solve", 1, 1e9, 1.0 / 12);
    const struct seen plain = look(&r, "dram", (struct chart_options){0});
    point->levels.links = 4;
    for (unsigned i = 0; i < 4; i++)
        point->levels.link[i] = (struct point_link){.level = i,
                                                    .load_bytes = point->dram_read_bytes.median,
                                                    .write_back_bytes = point->dram_write_bytes.median};
    const struct seen seen = look(&r, "dram", (struct chart_options){0});
    assert_contains(seen.reach, "DRAM");
    assert_string_equal(seen.reach, plain.reach);
    assert_near(seen.stem_y[1], plain.stem_y[1]);
    results_free(&r);
}

/* Up to 15 points all have names; of more, the ten with the longest times, and the others have numbers. A page's legend
 * counts the others. */
static void crowds_name_ten(void **state) {
    (void)state;
    struct result r = of_points(40);
    for (size_t i = 0; i < 15; i++) {
        char name[32];
        snprintf(name, sizeof name, "p%zu", i);
        add(&r, name, 1.5 - 0.01 * (double)i, 1e8 * (double)(1 + i), 0.1);
    }
    assert_int_equal(look(&r, "roofline", (struct chart_options){0}).named, 15);
    assert_string_equal(look(&r, "roofline", (struct chart_options){0}).rest, "");
    add(&r, "last", 0.25, 1e9, 0.1);
    struct seen seen = look(&r, "roofline", (struct chart_options){0});
    assert_int_equal(seen.named, 10);
    assert_int_equal(seen.numbered, 6);
    assert_int_equal(seen.stems, 10);
    assert_string_equal(seen.rest, "");
    const struct chart_options page = {.page = true};
    seen = look(&r, "roofline", page);
    assert_int_equal(seen.named, 10);
    assert_int_equal(seen.numbered, 0);
    assert_string_equal(seen.rest, "and 6 more, none above 1.4 s");
    for (size_t i = 0; i < r.point_count; i++) { /* parts of one program */
        snprintf(r.points[i].program, sizeof r.points[0].program, "all");
        snprintf(r.points[i].region, sizeof r.points[0].region, "%.60s", r.points[i].name);
        r.points[i].part = APP_REGION;
        r.points[i].time_share = i < 10 ? 0.09 : 0.012;
    }
    seen = look(&r, "roofline", page);
    assert_int_equal(seen.named, 10);
    assert_string_equal(seen.rest, "and 6 more, all below 2 % of the time");
    for (size_t i = 0; i < r.point_count; i++) /* series have connections of their own */
        snprintf(r.points[i].series, sizeof r.points[0].series, "s"), r.points[i].size = i + 1;
    assert_string_equal(look(&r, "roofline", (struct chart_options){0}).rest, "");
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_to_its_own_roof),
        cmocka_unit_test(ceilings_near_and_above),
        cmocka_unit_test(every_roofline_agrees_with_its_share),
        cmocka_unit_test(simulated_links_tell_of_memory),
        cmocka_unit_test(crowds_name_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
