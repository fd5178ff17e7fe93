/* SPDX-License-Identifier: BSD-3-Clause
 * Two charts as a benchmark would draw them: a roofline with close ceilings, and bandwidth against size. Numbers are
 * invented where they do not matter. Built once into static storage. */
#pragma once

#include "render/page/palette.h"

#include <math.h>
#include <stdio.h>

#define DEMO_COUNT(array) (sizeof(array) / sizeof *(array))

static inline struct plot demo_roofline(void) {
    static const struct {
        const char *label, *sublabel;
        double best, weakest; /* bytes per second */
    } levels[] = {
        {"L1  2LD1ST", "523 GB/s · 174 B/cycle", 523e9, 192e9},
        {"L2  load", "147 GB/s · 49 B/cycle", 147e9, 48e9},
        {"L3  update", "54 GB/s · 18 B/cycle", 54e9, 29e9},
        {"DRAM  update", "31 GB/s · 10 B/cycle", 31e9, 10e9},
    };
    static const struct {
        const char *label;
        double flop_per_s;
    } ceilings[] = {
        {"AVX-512 FMA", 89.5e9}, {"AVX2 FMA+ADD", 59.1e9}, {"AVX2 FMA", 47.9e9},   {"AVX-512 ADD", 44.8e9},
        {"AVX2 ADD", 24.0e9},    {"SSE FMA", 24.0e9},      {"SSE ADD", 12.1e9},    {"scalar FMA", 12.0e9},
        {"scalar ADD", 6.0e9},   {"x87 ADD", 3.0e9},       {"AVX-512 div", 5.6e9}, {"x87 MUL", 2.9e9},
    };
    enum { LEVELS = DEMO_COUNT(levels), CEILINGS = DEMO_COUNT(ceilings), MIXED = 9 };
    static double x[LEVELS + CEILINGS][2], y[LEVELS + CEILINGS][2], bx[LEVELS][3], high[LEVELS][3], low[LEVELS][3];
    static const char *const ridges[LEVELS] = {"0.17", "0.61", "1.7", "2.9"};
    static char texts[CEILINGS][48];
    static struct plot_line lines[LEVELS + CEILINGS];
    static struct plot_band bands[LEVELS];
    static struct plot_mark marks[LEVELS];
    static struct plot_point points[MIXED + 3];
    static const char *const notes[] = {
        "L3: hwloc reports 260 MiB, the plateau ends near 100 MiB (shared with other machines)",
        "no hardware counters: the clock is measured through chains of known latency"};
    const struct plot_color colors[LEVELS] = {PALETTE_BLUE, PALETTE_GREEN, PALETTE_ORANGE, PALETTE_VERMILLION};
    const double peak = ceilings[0].flop_per_s, x_min = 1.0 / 128, x_max = 64;

    for (size_t i = 0; i < LEVELS; i++) {
        double ridge = peak / levels[i].best, weak_ridge = peak / levels[i].weakest;
        x[i][0] = x_min, y[i][0] = x_min * levels[i].best;
        x[i][1] = ridge, y[i][1] = peak;
        lines[i] = (struct plot_line){.count = 2,
                                      .x = x[i],
                                      .y = y[i],
                                      .color = colors[i],
                                      .width = 2.6,
                                      .label = levels[i].label,
                                      .sublabel = levels[i].sublabel,
                                      .label_place = PLOT_LABEL_ALONG,
                                      .priority = 10};
        bx[i][0] = x_min, bx[i][1] = ridge, bx[i][2] = weak_ridge;
        for (size_t k = 0; k < 3; k++) {
            high[i][k] = fmin(peak, bx[i][k] * levels[i].best);
            low[i][k] = bx[i][k] * levels[i].weakest;
        }
        bands[i] = (struct plot_band){
            .count = 3, .x = bx[i], .y_low = low[i], .y_high = high[i], .color = palette_faint(colors[i])};
        marks[i] = (struct plot_mark){.vertical = true,
                                      .at = ridge,
                                      .from = 0.3e9,
                                      .to = peak,
                                      .color = colors[i],
                                      .dash = PLOT_DOTTED,
                                      .label = ridges[i]};
    }
    for (size_t i = 0; i < CEILINGS; i++) {
        size_t at = LEVELS + i;
        double value = ceilings[i].flop_per_s;
        x[at][0] = value / levels[0].best, x[at][1] = x_max;
        y[at][0] = y[at][1] = value;
        snprintf(texts[i], sizeof texts[i], "%.1f Gflop/s · %.1f/cycle", value / 1e9, value / 2.8e9);
        lines[at] = (struct plot_line){.count = 2,
                                       .x = x[at],
                                       .y = y[at],
                                       .width = i ? 1.1 : 2.6,
                                       .color = i ? PALETTE_GREY : PALETTE_BLACK,
                                       .label = ceilings[i].label,
                                       .sublabel = texts[i],
                                       .label_place = PLOT_LABEL_END,
                                       .priority = i ? 0 : 10};
    }
    for (size_t i = 0; i < MIXED; i++) {
        double intensity = exp2((double)i - 6);
        points[i] = (struct plot_point){.x = intensity,
                                        .y = fmin(peak, intensity * levels[0].best) * 0.985,
                                        .hollow = true,
                                        .color = PALETTE_BLUE,
                                        .legend = "mixed kernels (validation)"};
    }
    points[MIXED] = (struct plot_point){.x = 1.0 / 12,
                                        .y = 2.05e9,
                                        .x_min = 0.078,
                                        .x_max = 0.09,
                                        .y_min = 1.8e9,
                                        .y_max = 2.3e9,
                                        .color = PALETTE_PURPLE,
                                        .label = "daxpy, n = 2·10⁷",
                                        .sublabel = "DRAM · 97 % of axpy",
                                        .priority = 5};
    points[MIXED + 1] = (struct plot_point){.x = 2.3,
                                            .y = 21e9,
                                            .x_q1 = 2.0,
                                            .x_q3 = 2.6,
                                            .y_q1 = 20e9,
                                            .y_q3 = 22e9,
                                            .x_min = 1.73,
                                            .x_max = 2.85,
                                            .y_min = 18.6e9,
                                            .y_max = 23.5e9,
                                            .color = PALETTE_PURPLE,
                                            .label = "dgemm, blocked",
                                            .sublabel = "compute · 23 %",
                                            .priority = 5};
    points[MIXED + 2] = (struct plot_point){.x = 5.5,
                                            .y = 80e9,
                                            .x_q1 = 4.4,
                                            .x_q3 = 6.6,
                                            .x_min = 3.3,
                                            .x_max = 7.8,
                                            .color = PALETTE_PURPLE,
                                            .label = "dgemm, OpenBLAS",
                                            .sublabel = "compute · 89 %",
                                            .priority = 5};
    return (struct plot){
        .title = "Xeon (Emerald Rapids), one core, f64",
        .subtitle = "2.996 GHz, 2.80 GHz under AVX-512 FMA · 2 MiB pages · pinned · 2026-11-20 · virtual machine",
        .note_count = DEMO_COUNT(notes),
        .notes = notes,
        .x = {.title = "Arithmetic intensity [flop per byte requested by the core]",
              .scale = PLOT_LOG2,
              .unit = PLOT_UNIT_FRACTION,
              .min = x_min,
              .max = x_max},
        .y = {.title = "Performance [Gflop/s]", .scale = PLOT_LOG10, .min = 0.3e9, .max = 160e9, .divisor = 1e9},
        .band_count = LEVELS,
        .bands = bands,
        .line_count = LEVELS + CEILINGS,
        .lines = lines,
        .mark_count = LEVELS,
        .marks = marks,
        .point_count = DEMO_COUNT(points),
        .points = points,
        .footer =
            "carmine 0.1.0 · demo.json · bands reach down to the weakest access pattern of each level; bytes are those "
            "that the core asks for, write-allocate is not counted; per cycle and core, at the clock under load",
    };
}

static inline struct plot demo_staircase(void) {
    static const struct {
        const char *label;
        double speed[4]; /* L1, L2, L3, DRAM in bytes per second */
    } patterns[] = {
        {"2LD1ST", {523e9, 92e9, 30e9, 14e9}},      {"load", {360e9, 147e9, 31e9, 17.5e9}},
        {"update", {250e9, 97e9, 54e9, 31e9}},      {"store", {180e9, 46e9, 21e9, 10e9}},
        {"nt store", {26e9, 25.5e9, 25e9, 24.5e9}}, {"random", {110e9, 41e9, 9e9, 3.1e9}},
    };
    static const double ends[] = {48 * 1024.0, 2 * 1048576.0, 96 * 1048576.0};
    enum { PATTERNS = DEMO_COUNT(patterns), SIZES = 39 };
    static double x[SIZES], y[PATTERNS][SIZES];
    static struct plot_line lines[PATTERNS];
    static struct plot_mark marks[4];
    const struct plot_color colors[PATTERNS] = {PALETTE_BLUE,   PALETTE_GREEN, PALETTE_VERMILLION,
                                                PALETTE_ORANGE, PALETTE_AZURE, PALETTE_PURPLE};
    for (size_t i = 0; i < PATTERNS; i++) {
        for (size_t k = 0; k < SIZES; k++) {
            x[k] = 4096 * exp2((double)k / 2);
            double logarithm = log(patterns[i].speed[0]);
            for (size_t level = 0; level < 3; level++)
                logarithm +=
                    log(patterns[i].speed[level + 1] / patterns[i].speed[level]) / (1 + pow(ends[level] / x[k], 4));
            y[i][k] = exp(logarithm) * (1 + 0.02 * sin((double)(k * 7 + i)));
        }
        lines[i] = (struct plot_line){.count = SIZES,
                                      .x = x,
                                      .y = y[i],
                                      .color = colors[i],
                                      .width = 2,
                                      .markers = true,
                                      .label = patterns[i].label,
                                      .label_place = PLOT_LABEL_END};
    }
    marks[0] = (struct plot_mark){
        .vertical = true, .at = ends[0], .color = PALETTE_GREY, .dash = PLOT_DASHED, .label = "L1 48 KiB"};
    marks[1] = (struct plot_mark){
        .vertical = true, .at = ends[1], .color = PALETTE_GREY, .dash = PLOT_DASHED, .label = "L2 2 MiB"};
    marks[2] = (struct plot_mark){.vertical = true,
                                  .at = 480 * 1048576.0,
                                  .color = PALETTE_GREY,
                                  .dash = PLOT_DASHED,
                                  .label = "L3 480 MiB (hwloc)"};
    marks[3] = (struct plot_mark){
        .vertical = true, .at = ends[2], .color = PALETTE_AMBER, .dash = PLOT_DOTTED, .label = "L3 ends near 96 MiB"};
    return (struct plot){
        .title = "Bandwidth against working set, one core",
        .subtitle = "512-bit f64 · 2 MiB pages · bytes that the core asks for",
        .x = {.title = "Working set", .scale = PLOT_LOG2, .unit = PLOT_UNIT_BINARY, .min = 4096, .max = 2147483648.0},
        .y = {.title = "Bandwidth [GB/s]", .scale = PLOT_LOG10, .min = 2e9, .max = 700e9, .divisor = 1e9},
        .line_count = PATTERNS,
        .lines = lines,
        .mark_count = 4,
        .marks = marks,
        .footer = "carmine 0.1.0 · demo.json",
    };
}
