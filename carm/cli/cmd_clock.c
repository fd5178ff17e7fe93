/* SPDX-License-Identifier: BSD-3-Clause
 * carmine clock: the core clock under each kind of load, checked by independent readings, and its history. */
#include "commands.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "bench/kernels/clockcheck.h"
#include "carm/options/view_options.h"
#include "carm/store/fields.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "render/page/units.h"

enum { DRAWN_POINTS = 500, LABEL_BYTES = 96 }; /* of each load: more would only make the file larger */

/* The load's clock over time, thinned; a gap where another load ran. Returns how many vertices. */
static size_t trace(const struct clock_history *history, unsigned load, double *x, double *y) {
    size_t count = 0, stride = history->count / DRAWN_POINTS + 1;
    bool gap = true;
    for (size_t i = 0; i < history->count; i += stride) {
        const struct clock_point *point = &history->points[i];
        bool other = point->load != load;
        if (other ? !gap : point->slices_hz > 0) { /* a reading that did not agree with itself is no gap */
            x[count] = other ? NAN : point->at_s;
            y[count++] = other ? NAN : point->slices_hz;
        }
        gap = other || (gap && point->slices_hz == 0);
    }
    return count;
}

/* The lines of all loads, and how far they reach. */
struct clock_lines {
    size_t count;
    struct plot_line lines[CLOCKCHECK_MAX_LOADS];
    char labels[CLOCKCHECK_MAX_LOADS][LABEL_BYTES];
    double low, high, end;
};

/* `x` and `y` have room for a load's vertices. */
static void add_line(struct clock_lines *out, const struct clock_history *history, unsigned load, double *x,
                     double *y) {
    const struct plot_color colors[] = {PALETTE_GREY,       PALETTE_SKY,    PALETTE_BLUE,   PALETTE_GREEN,
                                        PALETTE_VERMILLION, PALETTE_PURPLE, PALETTE_ORANGE, PALETTE_BLACK};
    const struct clock_load *of = &history->loads[load];
    const size_t count = trace(history, load, x, y);
    for (size_t k = 0; k < count; k++)
        if (!isnan(y[k])) {
            out->low = fmin(out->low, y[k]);
            out->high = fmax(out->high, y[k]);
            out->end = fmax(out->end, x[k]);
        }
    snprintf(out->labels[load], LABEL_BYTES, "%s, %.2f GHz%s", of->name, of->slices_hz / 1e9,
             of->throttled ? " ▲ throttled" : "");
    if (count > 1)
        out->lines[out->count++] = (struct plot_line){.count = count,
                                                      .x = x,
                                                      .y = y,
                                                      .color = colors[load],
                                                      .width = 1.6,
                                                      .label = out->labels[load],
                                                      .label_place = PLOT_LABEL_LEGEND};
}

static bool draw(const struct clock_lines *lines, const char *cpu, const char *path, struct error *err) {
    char title[160];
    if (lines->count == 0)
        return error_set(err, "too few readings of the clock agree to draw them; follow it longer with --seconds");
    snprintf(title, sizeof title, "%s · core clock under load", cpu);
    struct plot plot = {
        .title = title,
        .subtitle = "read straight after bursts of 0.3 ms; the label's figure is the median",
        .x = {.title = "Time  [s]", .scale = PLOT_LINEAR, .min = 0, .max = lines->end > 0 ? lines->end : 1},
        .y = {.title = "Core clock  [GHz]",
              .scale = PLOT_LINEAR,
              .min = lines->low * 0.97,
              .max = lines->high * 1.02,
              .divisor = 1e9},
        .line_count = lines->count,
        .lines = lines->lines,
    };
    struct plot_error plot_err;
    return plot_write(&plot, path, 0, 400, &plot_err) || error_set(err, "%s", plot_err.text);
}

/* Draws the history into the file at `path`, whose ending says the format; `cpu` names the CPU in the title. Error: the
 * file cannot be written. */
static bool draw_history(const struct clock_history *history, const char *cpu, const char *path, struct error *err) {
    const size_t size = 2 * (DRAWN_POINTS + 2);
    double *storage = need_calloc(2 * size * CLOCKCHECK_MAX_LOADS, sizeof *storage);
    struct clock_lines lines = {.low = DBL_MAX};
    for (unsigned i = 0; i < history->load_count; i++) {
        double *x = storage + 2 * size * i, *y = x + size;
        add_line(&lines, history, i, x, y);
    }
    const bool done = draw(&lines, cpu, path, err);
    free(storage);
    return done;
}

static const struct cli_option OPTIONS[] = {
    {"plot", 0, "FILE", "draw the history (" PLOT_FORMATS ")"},
    {"seconds", 0, "N", "seconds of each load (default: 2)"},
    {"json", 0, NULL, "print the loads' clocks as JSON"},
    {0},
};
static const struct cli_old_option OLD[] = {{"output", 'o', "plot", NULL}, {0}};

static const double DISAGREES = 0.01; /* the two readings agree to about 0.5 % each */

static void print_text(const struct clock_history *history, const struct clock *clock) {
    struct table table = table_begin("lrrrrrl");
    const char *const names[] = {"load",         "read after it",         "woven in", "counted (PMU)", "difference",
                                 "range (90 %)", "stays at (turbo steps)"};
    table_head(&table, names, sizeof names / sizeof names[0]);
    unsigned doubtful = 0, throttled = 0;
    for (unsigned i = 0; i < history->load_count; i++) {
        const struct clock_load *load = &history->loads[i];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", load->name);
        table_set(row, 1, "%.3f GHz", load->slices_hz / 1e9);
        if (load->woven_hz > 0) {
            table_set(row, 2, "%.3f GHz", load->woven_hz / 1e9);
            table_set(row, 4, "%.2f %%%s", 100 * load->disagreement, load->disagreement > DISAGREES ? " ▲" : "");
        }
        table_set(row, 3, load->counted_hz > 0 ? "%.3f GHz" : "no PMU", load->counted_hz / 1e9);
        table_set(row, 5, "%.2f – %.2f GHz", load->min_hz / 1e9, load->max_hz / 1e9);
        char steps[TABLE_CELL_BYTES] = "";
        for (unsigned s = 0, length = 0; s < load->step_count; s++)
            length += (unsigned)snprintf(steps + length, sizeof steps - length, "%s%.2f", s ? ", " : "",
                                         load->steps_hz[s] / 1e9);
        table_set(row, 6, "%s%s%s", steps, steps[0] ? " GHz" : "", load->throttled ? "  ▲ throttled" : "");
        doubtful += load->disagreement > DISAGREES;
        throttled += load->throttled;
    }
    table_print(&table, stdout);
    char tick[32];
    printf("\ntick %s from %s\n", units_si_digits(tick, sizeof tick, clock->tick_hz, "Hz", 5),
           clock->uses_tsc ? "the TSC" : "CLOCK_MONOTONIC_RAW");
    if (doubtful)
        printf("▲ %u load%s: the clock read after the load differs from the clock during it. Per-cycle figures of this "
               "machine have this error.\n  Remedy: fix the frequency (governor `performance`, turbo off), or stop "
               "other programs on the host.\n",
               doubtful, doubtful == 1 ? "" : "s");
    if (throttled)
        printf("▲ %u load%s slowed down during the measurement: power or temperature limits.\n  Remedy: let the "
               "machine cool, or compare per cycle.\n",
               throttled, throttled == 1 ? "" : "s");
}

static json_t *json(const struct clock_history *history, const struct clock *clock) {
    json_t *loads = json_array();
    for (unsigned i = 0; i < history->load_count; i++) {
        const struct clock_load *load = &history->loads[i];
        json_t *steps = json_array();
        for (unsigned s = 0; s < load->step_count; s++)
            json_array_append_new(steps, json_real(load->steps_hz[s]));
        json_array_append_new(
            loads, json_pack("{s:s,s:i,s:f,s:o,s:o,s:f,s:f,s:f,s:b,s:o}", "name", load->name, "count", (int)load->count,
                             "clock_hz", load->slices_hz, "woven_hz", positive_or_null(load->woven_hz), "counted_hz",
                             positive_or_null(load->counted_hz), "disagreement", load->disagreement, "min_hz",
                             load->min_hz, "max_hz", load->max_hz, "throttled", load->throttled, "steps_hz", steps));
    }
    return json_pack("{s:s,s:f,s:f,s:o}", "schema", "carmine.clock/1", "tick_hz", clock->tick_hz, "rest_hz",
                     clock->rest_hz, "loads", loads);
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine = {0};
    struct clock clock;
    struct clock_history history = {0};
    double seconds = 2;
    int status = CLI_ERROR;
    const char *path = cli_value(arguments, "plot"), *value = cli_value(arguments, "seconds");
    if ((value && !cli_number(value, "--seconds", &seconds, err)) || !view_options_plot(arguments, err) ||
        !machine_load(&machine, NULL, err))
        goto out;
    if (seconds > 3600) {
        error_set(err, "--seconds takes at most 3600");
        goto out;
    }
    if (machine.recorded) {
        error_set(err, "%s is a recorded machine: it has no clock; unset hwloc's variables", machine.topology_source);
        goto out;
    }
    cli_catch_signals();
    clock_open(&clock);
    if (!clockcheck_run(&history, &machine, &clock, seconds, &cli_stop, err))
        goto out;
    if (cli_given(arguments, "json")) {
        fields_print(json(&history, &clock));
    } else {
        print_text(&history, &clock);
    }
    if (!path || draw_history(&history, machine.cpu.brand, path, err))
        status = CLI_DONE;
out:
    clockcheck_free(&history);
    machine_free(&machine);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine clock", "each kind of load for two seconds"},
    {"carmine clock --seconds 60 --plot clock.svg", "long enough for turbo budgets and heat, drawn"},
    {0},
};

const struct command command_clock = {
    .name = "clock",
    .operands = "",
    .summary = "the core clock under load, checked by independent readings, and its history",
    .description = "Shows the core clock at rest and under each kind of load, with turbo steps and throttling, and "
                   "checks how it is read. Every per-cycle figure depends on a clock that is read within 3 µs after a "
                   "kernel. The check interleaves vector work with a longer chain of dependent adds, so the number of "
                   "cycles is known by construction. With a PMU the cycles are counted too.",
    .options = OPTIONS,
    .old = OLD,
    .examples = EXAMPLES,
    .run = command,
};
