/* SPDX-License-Identifier: BSD-3-Clause
 * A soak over time (see soak_views.h). */
#include "soak_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/describe.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/units.h"

enum { PANEL_BYTES = 160, MARK_BYTES = 48 };
static const double PANEL_HEIGHT = 98, AROUND_HEIGHT = 110; /* of a page in points */
static const double LEAST_RANGE = 0.02;                     /* of the median: noise must not look like change */

/* Data of a panel. */
struct soak_panel {
    char name[PANEL_BYTES];
    struct plot_line lines[2];
    double *level_x, *level_y;
    struct plot_mark marks[SERIES_MAX_STEPS];
    char mark_text[SERIES_MAX_STEPS][MARK_BYTES];
    double *counted; /* of a counter */
};

struct soak_panels {
    const struct findings *findings;
    size_t count;
    struct plot *plots;
    struct soak_panel *parts;
    struct plot_axis x;
    char x_title[96];
};

static struct plot_axis time_axis(const struct findings *findings, char *title, size_t size) {
    static const struct {
        double most_s, unit_s;
        const char *name;
    } UNITS[] = {{600, 1, "s"}, {5 * 3600, 60, "min"}, {4 * 86400, 3600, "h"}, {INFINITY, 86400, "d"}};
    const double last_s = findings->at_s[findings->rounds - 1];
    size_t i = 0;
    while (last_s >= UNITS[i].most_s)
        i++;
    char started[32];
    snprintf(title, size, "Time since %s UTC  [%s]", findings_date(findings, started, sizeof started), UNITS[i].name);
    return (struct plot_axis){.scale = PLOT_LINEAR, .min = 0, .max = last_s, .divisor = UNITS[i].unit_s};
}

/* The axis label of a quantity's unit, "GB/s", and the divisor of its values. */
static double divisor_of(const struct quantity *quantity, const char **unit) {
    static const struct {
        const char *unit, *shown;
        double divisor;
    } UNITS[] = {{"flop/s", "Gflop/s", 1e9}, {"B/s", "GB/s", 1e9}, {"s", "ns", 1e-9}, {"Hz", "GHz", 1e9}};
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        if (strcmp(quantity->unit, UNITS[i].unit) == 0) {
            *unit = UNITS[i].shown;
            return UNITS[i].divisor;
        }
    *unit = quantity->unit;
    return 1;
}

/* From the lowest to the highest value, with some room. */
static struct plot_axis value_axis(const struct quantity *quantity, double divisor) {
    const struct series_changes *changes = &quantity->changes;
    const double room = fmax(0.06 * (changes->high - changes->low), LEAST_RANGE / 2 * fabs(changes->median));
    const double least = quantity->kind > QUANTITY_CLOCK ? 0.05 : 0;
    const bool whole = changes->low >= 0 && quantity->kind == QUANTITY_CPUS;
    return (struct plot_axis){.scale = PLOT_LINEAR,
                              .min = whole ? 0 : changes->low - fmax(room, least),
                              .max = changes->high + fmax(room, least),
                              .divisor = divisor};
}

/* The levels between steps, sloping if there is a drift. */
static size_t trace_levels(const struct findings *findings, const struct quantity *quantity, double *x, double *y) {
    const struct series_changes *changes = &quantity->changes;
    const double first_s = findings->at_s[0], last_s = findings->at_s[findings->rounds - 1];
    const double per_s = changes->drifts ? changes->per_s : 0;
    size_t count = 0;
    for (size_t i = 0; i <= changes->step_count; i++) {
        const double from_s = i ? changes->steps[i - 1].at_s : first_s,
                     to_s = i < changes->step_count ? changes->steps[i].at_s : last_s;
        const double level = i                     ? changes->steps[i - 1].to
                             : changes->step_count ? changes->steps[0].from
                                                   : changes->median;
        x[count] = from_s, y[count++] = level - per_s * (to_s - from_s) / 2;
        x[count] = to_s, y[count++] = level + per_s * (to_s - from_s) / 2;
    }
    return count;
}

static size_t mark_steps(const struct findings *findings, const struct quantity *quantity, struct soak_panel *part) {
    const struct series_changes *changes = &quantity->changes;
    for (size_t i = 0; i < changes->step_count; i++) {
        char by[UNITS_BYTES], time[UNITS_BYTES];
        snprintf(part->mark_text[i], MARK_BYTES, "%s, %s",
                 quantity_change(quantity, changes->steps[i].to - changes->steps[i].from, changes->steps[i].from, by,
                                 sizeof by),
                 findings_time(findings, changes->steps[i].at_s, time, sizeof time));
        part->marks[i] = (struct plot_mark){.vertical = true,
                                            .at = changes->steps[i].at_s,
                                            .color = PALETTE_VERMILLION,
                                            .dash = PLOT_DASHED,
                                            .label = part->mark_text[i]};
    }
    return changes->step_count;
}

/* "DRAM, 2 cores  [GB/s]  · drifts by −0.8 %/h" */
static void name_panel(const struct quantity *quantity, const char *unit, struct soak_panel *part) {
    const struct series_changes *changes = &quantity->changes;
    char by[UNITS_BYTES];
    snprintf(part->name, PANEL_BYTES, "%c%s  [%s]",
             quantity_is_roof(quantity) ? quantity->name[0] : quantity->name[0] - 'a' + 'A', quantity->name + 1, unit);
    if (changes->drifts)
        text_append(part->name, PANEL_BYTES, " · drifts by %s/h",
                    quantity_change(quantity, 3600 * changes->per_s, changes->median, by, sizeof by));
}

static struct plot *add_panel(struct soak_panels *panels, struct soak_panel **part) {
    *part = &panels->parts[panels->count];
    struct plot *plot = &panels->plots[panels->count++];
    *plot = (struct plot){.subtitle = (*part)->name, .x = panels->x, .lines = (*part)->lines, .line_count = 1};
    return plot;
}

static void add_quantity(struct soak_panels *panels, const struct quantity *quantity) {
    const struct findings *findings = panels->findings;
    struct soak_panel *part;
    struct plot *plot = add_panel(panels, &part);
    const char *unit;
    plot->y = value_axis(quantity, divisor_of(quantity, &unit));
    name_panel(quantity, unit, part);
    part->level_x = need_calloc(4 * (SERIES_MAX_STEPS + 1), sizeof(double));
    part->level_y = part->level_x + 2 * (SERIES_MAX_STEPS + 1);
    const size_t levels = trace_levels(findings, quantity, part->level_x, part->level_y);
    part->lines[0] = (struct plot_line){.count = findings->rounds,
                                        .x = findings->at_s,
                                        .y = quantity->values,
                                        .color = quantity_is_roof(quantity) ? PALETTE_AZURE : PALETTE_GREY,
                                        .width = 0.9};
    part->lines[1] = (struct plot_line){
        .count = levels, .x = part->level_x, .y = part->level_y, .color = PALETTE_BLUE, .width = 1.4};
    plot->line_count = quantity->changes.judged ? 2 : 1;
    plot->marks = part->marks;
    plot->mark_count = mark_steps(findings, quantity, part);
}

/* A counter that rose: its rise since the start. */
static void add_counter(struct soak_panels *panels, size_t which) {
    const struct findings *findings = panels->findings;
    const char *name = findings_counters[which].many;
    struct soak_panel *part;
    if (findings->counted[which] == 0)
        return;
    struct plot *plot = add_panel(panels, &part);
    snprintf(part->name, PANEL_BYTES, "%c%s  [since the start]", name[0] - 'a' + 'A', name + 1);
    part->counted = need_calloc(findings->rounds + 1, sizeof *part->counted);
    for (size_t i = 1; i < findings->rounds; i++)
        part->counted[i] =
            part->counted[i - 1] + (double)findings_rise(findings->soak, i - 1, &findings_counters[which]);
    plot->y = (struct plot_axis){.scale = PLOT_LINEAR, .min = 0, .max = 1.1 * (double)findings->counted[which]};
    part->lines[0] = (struct plot_line){
        .count = findings->rounds, .x = findings->at_s, .y = part->counted, .color = PALETTE_VERMILLION, .width = 1.4};
}

static struct soak_panels panels_make(const struct findings *findings) {
    const size_t most = findings->count + FINDINGS_COUNTERS;
    struct soak_panels out = {.findings = findings,
                              .plots = need_calloc(most, sizeof *out.plots),
                              .parts = need_calloc(most, sizeof *out.parts)};
    out.x = time_axis(findings, out.x_title, sizeof out.x_title);
    for (size_t q = 0; q < findings->count; q++)
        if (quantity_is_shown(&findings->quantities[q]))
            add_quantity(&out, &findings->quantities[q]);
    for (size_t i = 0; i < FINDINGS_COUNTERS; i++)
        add_counter(&out, i);
    return out;
}

static void panels_free(struct soak_panels *panels) {
    for (size_t i = 0; i < panels->count; i++) {
        free(panels->parts[i].level_x);
        free(panels->parts[i].counted);
    }
    free(panels->plots);
    free(panels->parts);
}

static bool draw(const struct soak_panels *panels, const struct chart_options *asked, const char *path,
                 struct error *err) {
    const struct findings *findings = panels->findings;
    struct chart_options options = *asked;
    char cpu[160], title[256];
    snprintf(title, sizeof title, "%s · soak", describe_cpu(&findings->soak->result, cpu, sizeof cpu));
    const struct plot plot = {.title = options.terminal ? NULL : title,
                              .subtitle = findings->text,
                              .panel_count = panels->count,
                              .panels = panels->plots,
                              .footer = "Each roof's value in each round, and the levels between steps. `carmine "
                                        "show` has the numbers."};
    if (options.height == 0 && !(options.style && options.style->sparse))
        options.height = AROUND_HEIGHT + PANEL_HEIGHT * (double)panels->count;
    return chart_write_panels(&plot, panels->x_title, &options, path, err);
}

static bool any_roof_has_value(const struct findings *findings) {
    for (size_t q = 0; q < findings->count; q++)
        if (findings->quantities[q].kind <= QUANTITY_LATENCY && quantity_is_shown(&findings->quantities[q]))
            return true;
    return false;
}

bool soak_chart(const struct findings *findings, const struct chart_options *options, const char *path,
                struct error *err) {
    if (findings->rounds < 2 || !(findings->span_s > 0))
        return error_set(err,
                         "the log has fewer than two rounds: nothing to draw over time; continue with `carmine soak "
                         "--resume FILE`");
    if (!any_roof_has_value(findings))
        return error_set(err,
                         "every value of the log is blank: other programs used these cores; stop them and continue "
                         "with `carmine soak --resume FILE`");
    struct soak_panels panels = panels_make(findings);
    const bool done = draw(&panels, options, path, err);
    panels_free(&panels);
    return done;
}
