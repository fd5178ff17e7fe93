/* SPDX-License-Identifier: BSD-3-Clause
 * carmine clock: the core clock under each kind of load, checked by independent readings, and its history. */
#include "commands.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "bench/kernels/clockcheck.h"
#include "carm/chart/chart_parts.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/screen.h"
#include "carm/store/fields.h"
#include "carm/text/columns.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/arch.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/text.h"
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
    const struct plot_color colors[] = {PALETTE_GREY,       PALETTE_VIOLET, PALETTE_BLUE,   PALETTE_GREEN,
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
        return error_set(err, "too few readings of the clock agree to draw them; follow it longer with --for");
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
    return chart_draw(&plot, path, 0, 400, err);
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
    {"for", 0, "TIME", "duration of each load: 30, 30s, 10m (default: 2s)"},
    {0},
};
static const struct cli_old_option OLD[] = {{"output", 'o', "plot", NULL}, {"seconds", 0, "for", NULL}, {0}};

static const double DISAGREES = 0.01; /* the two readings agree to about 0.5 % each */

/* A clock with three decimals: the readings differ in the third. */
static struct cell clock_cell(double hz, char text[UNITS_BYTES]) {
    snprintf(text, UNITS_BYTES, "%.3f GHz", hz / 1e9);
    return cell_read(cell_positive(hz), hz > 0 ? text : "");
}

static void load_columns(struct column_walk *to, const struct clock_load *load) {
    char slices[UNITS_BYTES], own[UNITS_BYTES], counted[UNITS_BYTES], range[UNITS_BYTES], steps[TABLE_CELL_BYTES] = "",
                                                                                          difference[UNITS_BYTES];
    const bool woven = load->woven_hz > 0 && load->count > 0;
    json_t *list = json_array();
    for (size_t s = 0; s < load->step_count; s++) {
        json_array_append_new(list, json_real(load->steps_hz[s]));
        text_append(steps, sizeof steps, "%s%.2f%s", s ? ", " : "", load->steps_hz[s] / 1e9,
                    s + 1 == load->step_count ? " GHz" : "");
    }
    const char *form = load->count ? "%.2f – %.2f GHz" : "not known";
    snprintf(range, sizeof range, form, load->min_hz / 1e9, load->max_hz / 1e9);
    snprintf(difference, sizeof difference, "%.2f %%%s", 100 * load->disagreement,
             load->disagreement > DISAGREES ? " ▲" : "");
    column(to, cell_text(load->name), .title = "load", .key = "name", .text = {STAYS}, .csv = 1, .json = 1);
    column(to, cell_amount(true, load->count), .key = "count", .csv = 2, .json = 2);
    column(to, clock_cell(load->slices_hz, slices), .title = "read after it", .key = "clock_hz", .format = COLUMN_CLOCK,
           .text = {STAYS}, .csv = 3, .json = 3);
    column(to, clock_cell(load->woven_hz, own), .title = "woven in", .key = "woven_hz", .format = COLUMN_CLOCK,
           .text = {3}, .csv = 4, .json = 4);
    column(to, clock_cell(load->counted_hz, counted), .title = "counted (PMU)", .key = "counted_hz",
           .format = COLUMN_CLOCK, .text = {4}, .csv = 5, .json = 5);
    column(to, cell_read(cell_number(woven, load->disagreement), woven ? difference : ""), .title = "difference",
           .key = "disagreement", .format = COLUMN_TEXT, .right = true, .text = {STAYS}, .csv = 6, .json = 6);
    column(to, cell_text(range), .title = "range (90 %)", .right = true, .text = {2});
    column(to, cell_positive(load->min_hz), .key = "min_hz", .csv = 7, .json = 7);
    column(to, cell_positive(load->max_hz), .key = "max_hz", .csv = 8, .json = 8);
    column(to, cell_text(steps), .title = "stays at (turbo steps)", .text = {1});
    column(to, cell_text(load->throttled ? "▲ throttled" : ""), .title = "", .text = {STAYS});
    column(to, cell_bool(true, load->throttled), .key = "throttled", .csv = 9, .json = 9);
    column(to, cell_json(list), .key = "steps_hz", .json = 10);
}

/* "3.00 GHz at rest, 2.79 GHz under avx512 FMA". */
static void print_headline(const struct clock_history *history, const struct screen *screen) {
    const struct clock_load *rest = &history->loads[0], *slowest = rest;
    char text[160];
    for (unsigned i = 1; i < history->load_count; i++)
        if (history->loads[i].slices_hz > 0 && history->loads[i].slices_hz < slowest->slices_hz)
            slowest = &history->loads[i];
    const bool equal = slowest->slices_hz > rest->slices_hz * (1 - DISAGREES);
    snprintf(text, sizeof text,
             rest->slices_hz == 0
                 ? "The core clock is not known: no two chains of instructions agree on it; look longer (--for 30s)"
             : equal ? "%.2f GHz at rest and under every load"
                     : "%.2f GHz at rest, %.2f GHz under %s",
             rest->slices_hz / 1e9, slowest->slices_hz / 1e9, slowest->name);
    screen_say(screen, text, "");
}

/* What to do about it: a virtual machine has no governor. */
static void print_warnings(const struct clock_history *history, bool guest) {
    unsigned doubtful = 0, throttled = 0;
    for (unsigned i = 0; i < history->load_count; i++) {
        doubtful += history->loads[i].disagreement > DISAGREES;
        throttled += history->loads[i].throttled;
    }
    if (doubtful)
        wrap_format(
            stdout, "  ",
            "▲ %u load%s: the clock read after the load differs from that during it, and figures per cycle have "
            "this error. Remedy: %s.",
            doubtful, doubtful == 1 ? "" : "s",
            guest ? "run again when the host's other guests are quiet"
                  : "stop other programs, or fix the frequency (governor `performance`, turbo off)");
    if (throttled)
        wrap_format(stdout, "  ",
                    "▲ %u load%s slowed down meanwhile: a limit of power or temperature. Remedy: let the machine cool, "
                    "or compare per cycle.",
                    throttled, throttled == 1 ? "" : "s");
}

static void print_text(const struct clock_history *history, const struct clock *clock, const struct machine *machine,
                       const struct screen *screen) {
    struct column_walk to = columns_table(0);
    char tick[32];
    print_headline(history, screen);
    putchar('\n');
    for (unsigned i = 0; i < history->load_count; i++) {
        columns_row(&to);
        load_columns(&to, &history->loads[i]);
    }
    screen_fit(screen, &to.table);
    columns_print(&to, stdout);
    printf("\ntick %s from %s\n", units_si_digits(tick, sizeof tick, clock->tick_hz, "Hz", 5),
           clock_tick_source(clock));
    print_warnings(history, machine->cpu.features & CPU_HYPERVISOR);
}

static void print_csv(const struct clock_history *history) {
    struct column_walk to = columns_csv_rows();
    for (unsigned i = 0; i < history->load_count; i++) {
        load_columns(&to, &history->loads[i]);
        columns_end_csv(&to, stdout);
    }
}

static json_t *json(const struct clock_history *history, const struct clock *clock) {
    json_t *loads = json_array();
    for (unsigned i = 0; i < history->load_count; i++) {
        struct column_walk to = columns_json();
        load_columns(&to, &history->loads[i]);
        json_array_append_new(loads, columns_end_json(&to));
    }
    return json_pack("{s:s,s:f,s:o,s:o}", "schema", "carmine.clock/1", "tick_hz", clock->tick_hz, "rest_hz",
                     positive_or_null(clock->rest_hz), "loads", loads);
}

static json_t *next_of_clock(const struct clock_history *history) {
    bool doubtful = false;
    for (unsigned i = 0; i < history->load_count; i++)
        doubtful |= history->loads[i].throttled || history->loads[i].disagreement > DISAGREES;
    return next_step_json(doubtful ? NEXT_DOCTOR : NEXT_NOTHING, "", NULL);
}

json_t *clock_described(const struct model *model) {
    (void)model;
    return json(&(struct clock_history){.load_count = 1, .loads = {{.name = "", .step_count = 1}}}, &(struct clock){0});
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine = {0};
    struct clock clock;
    struct clock_history history = {0};
    double seconds = 2;
    int status = CLI_ERROR;
    const char *path = cli_value(arguments, "plot"), *value = cli_value(arguments, "for");
    const struct plot_terminal terminal = terminal_find();
    if ((value && !cli_duration(value, "--for", &seconds, err)) || !view_options_plot(arguments, err) ||
        (seconds > 3600 && !error_set(err, "--for takes at most 1h for each load")) ||
        !machine_load(&machine, NULL, err) ||
        (machine.recorded && !error_set(err, "%s is a recorded machine: it has no clock; unset hwloc's variables",
                                        machine.topology_source)))
        goto out;
    cli_catch_signals();
    if (!clock_open(&clock, err) || !clockcheck_run(&history, &machine, &clock, seconds, &cli_stop, err))
        goto out;
    if (cli_given(arguments, "json"))
        fields_print(next_add(json(&history, &clock), next_of_clock(&history)));
    else if (cli_given(arguments, "csv"))
        print_csv(&history);
    else
        print_text(&history, &clock, &machine, &(struct screen){&terminal, stdout});
    if (!path || draw_history(&history, machine.cpu.brand, path, err))
        status = CLI_DONE;
out:
    clockcheck_free(&history);
    machine_free(&machine);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine clock", "each kind of load for two seconds"},
    {"carmine clock --for 1m --plot clock.svg", "long enough for turbo budgets and heat, drawn"},
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
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .old = OLD,
    .examples = EXAMPLES,
    .run = command,
};
