/* SPDX-License-Identifier: BSD-3-Clause
 * From a result's points to those of a picture (see chart_points.h). */
#include "chart_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/doubt.h"
#include "../render/palette.h"
#include "chart_points_notes.h"
#include "fitting.h"

static const double MARGIN = 1.5; /* between a point and the frame */
static const double LEAST_RADIUS = 2.8, MOST_RADIUS = 9, USUAL_RADIUS = 4.8;

static bool is_chosen(const struct app_point *point, const struct chart_options *options) {
    bool chosen = !options->points;
    for (size_t i = 0; !chosen && options->points[i]; i++)
        chosen = strcmp(options->points[i], point->name) == 0 || strcmp(options->points[i], point->program) == 0;
    return chosen && !options->no_points;
}

/* Whether a decides on the view and not b. */
static bool is_weightier(const struct app_point *a, unsigned a_threads, const struct app_point *b, unsigned b_threads) {
    int age = strcmp(a->measured_utc, b->measured_utc);
    return age != 0 ? age > 0 : a_threads != b_threads ? a_threads > b_threads : a->time_share > b->time_share;
}

bool points_view(const struct model *model, const struct chart_options *options, struct model_view *out) {
    const struct result *result = model->result;
    const struct app_point *best = NULL;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct fitting fitting;
        if (!is_chosen(point, options) || !(app_flop_per_byte(point) + app_flop_per_dram_byte(point) > 0) ||
            !fitting_make(model, point, &fitting) || (options->type && strcmp(options->type, fitting.view.type) != 0) ||
            (options->threads && options->threads != fitting.view.threads) ||
            (best && !is_weightier(point, fitting.view.threads, best, out->threads)))
            continue;
        *out = fitting.view;
        best = point;
    }
    return best != NULL;
}

static bool is_within(double value, double middle) {
    return value > middle * 1e-6 && value < middle * 1e6;
}

static enum fate fate_of(const struct roofs *roofs, const struct entry *entry) {
    double reached = app_flop_per_s(entry->point);
    double core = app_core_bytes(entry->point), dram = app_dram_bytes(entry->point);
    return !(reached > 0) || !(core + dram > 0)                                       ? NO_WORK
           : !(core > 0) && !roofs->traffic                                           ? ONLY_TRAFFIC
           : roofs->view.package || roofs->view.node                                  ? OF_A_PART
           : strcmp(entry->type, roofs->view.type) != 0                               ? OTHER_TYPE
           : entry->threads != roofs->view.threads                                    ? OTHER_THREADS
           : roofs->traffic && !(entry->x > 0)                                        ? NO_TRAFFIC
           : is_within(entry->x, 1) && is_within(reached, roofs->peak->sample->value) ? DRAWN
                                                                                      : FAR_OFF;
}

static bool same_program(const struct app_point *a, const struct app_point *b) {
    return strcmp(a->program, b->program) == 0;
}

/* Which program of the file it is: its colour and shape stay when other points are chosen. */
static size_t program_index(const struct result *result, const struct app_point *point) {
    const struct app_point *programs[POINTS_MOST];
    size_t count = 0;
    for (size_t i = 0; !same_program(&result->points[i], point) && count < POINTS_MOST; i++) {
        bool known = false;
        for (size_t k = 0; k < count && !known; k++)
            known = same_program(programs[k], &result->points[i]);
        if (!known)
            programs[count++] = &result->points[i];
    }
    return count;
}

/* Parts of one program are as large as their share of its time. */
static void choose_sizes(struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned parts = 0;
        if (entries[i].fate != DRAWN)
            continue;
        for (size_t k = 0; k < count; k++)
            parts += same_program(entries[k].point, entries[i].point) && entries[k].point->part != APP_PROGRAM;
        double share = entries[i].point->time_share;
        entries[i].sized = parts > 1 && share > 0;
        entries[i].radius =
            entries[i].sized ? fmax(LEAST_RADIUS, fmin(MOST_RADIUS, MOST_RADIUS * sqrt(share))) : USUAL_RADIUS;
    }
}

static int by_size(const void *a, const void *b) {
    const struct entry *p = a, *q = b;
    if (p->radius != q->radius)
        return p->radius > q->radius ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point;
}

/* Of a over b, whose quantities are all positive. */
static struct statistics quotient(struct statistics a, struct statistics b) {
    return (struct statistics){.min = a.min / b.max,
                               .q1 = a.q1 / b.q3,
                               .median = a.median / b.median,
                               .q3 = a.q3 / b.q1,
                               .max = a.max / b.min};
}

static struct statistics sum(struct statistics a, struct statistics b) {
    return (struct statistics){.min = a.min + b.min,
                               .q1 = a.q1 + b.q1,
                               .median = a.median + b.median,
                               .q3 = a.q3 + b.q3,
                               .max = a.max + b.max};
}

void points_spread(struct plot_point *out, const struct app_point *point, bool traffic) {
    struct statistics bytes =
        traffic ? sum(point->dram_read_bytes, point->dram_write_bytes) : sum(point->load_bytes, point->store_bytes);
    struct statistics x = quotient(point->flop, bytes), y = quotient(point->flop, point->seconds);
    out->x_min = x.min, out->x_q1 = x.q1, out->x_q3 = x.q3, out->x_max = x.max;
    out->y_min = y.min, out->y_q1 = y.q1, out->y_q3 = y.q3, out->y_max = y.max;
}

static void set_style(struct plot_point *out, size_t program) {
    const struct plot_color colors[] = {PALETTE_MAGENTA, PALETTE_NAVY, PALETTE_VIOLET, PALETTE_BROWN, PALETTE_AZURE};
    out->color = colors[program % (sizeof colors / sizeof colors[0])];
    out->shape = (enum plot_shape)(program % PLOT_SHAPES);
}

/* "DRAM 82 %", and the threads where the roofs are of more. */
static void write_sublabel(char *out, size_t size, const struct entry *entry, bool traffic) {
    const struct verdict *verdict = &entry->verdict;
    double ratio = verdict->ratio,
           compute = verdict->known ? app_flop_per_s(entry->point) / verdict->ceiling->sample->value : 0;
    const char *by = verdict->bound_by;
    if (traffic) {
        bool memory = verdict->dram_pattern && verdict->dram_ratio >= compute;
        ratio = memory ? verdict->dram_ratio : compute;
        by = memory ? verdict->dram_pattern->sample->level : "compute";
    }
    if (!verdict->known)
        snprintf(out, size, "not judged");
    else
        snprintf(out, size, "%s %.*f %%", by, ratio < 0.1 ? 1 : 0, 100 * ratio);
    if (verdict->threads != entry->point->threads && entry->point->threads) {
        size_t length = strlen(out);
        snprintf(out + length, size - length, " · %u thread%s", entry->point->threads,
                 entry->point->threads == 1 ? "" : "s");
    }
}

static size_t parts_of(const struct entry *entries, size_t count, const struct app_point *point) {
    size_t parts = 0;
    for (size_t i = 0; i < count; i++)
        parts += entries[i].fate == DRAWN && same_program(entries[i].point, point);
    return parts;
}

/* Parts of a program that the legend names go without its name, and so does the one region that is called like it. */
static const char *label_of(const struct entry *entries, size_t count, const struct app_point *point) {
    const char *part = point->part == APP_FUNCTION ? point->function : point->region;
    bool told = parts_of(entries, count, point) > 1 || strcmp(part, point->program) == 0;
    return *part && told ? part : point->name;
}

/* A row in the legend names a program that has several points, and says what their size means. */
static const char *legend_of(const struct entry *entries, size_t count, size_t i, char *out, size_t size) {
    size_t first = i;
    bool sized = false;
    for (size_t k = count; k-- > 0;)
        if (entries[k].fate == DRAWN && same_program(entries[k].point, entries[i].point)) {
            first = k;
            sized |= entries[k].sized;
        }
    snprintf(out, size, "%s%s", entries[i].point->program, sized ? " (size: share of its time)" : "");
    return parts_of(entries, count, entries[i].point) > 1 && first == i ? out : NULL;
}

static void widen(struct plot_axis *axis, double value) {
    axis->min = fmin(axis->min, value / MARGIN);
    axis->max = fmax(axis->max, value * MARGIN);
}

/* At the flop per DRAM byte, joined to its point. */
static void add_outline(struct points *out, struct roofs *roofs, const struct plot_point *point, double x) {
    if (!(x > 0) || !is_within(x, 1))
        return;
    size_t slot = out->outline_count++;
    out->link_x[slot][0] = point->x, out->link_x[slot][1] = x;
    out->link_y[slot][0] = out->link_y[slot][1] = point->y;
    out->links[slot] = (struct plot_line){
        .count = 2, .x = out->link_x[slot], .y = out->link_y[slot], .color = point->color, .dash = PLOT_DOTTED};
    out->outlines[slot] = (struct plot_point){.x = x,
                                              .y = point->y,
                                              .radius = fmax(LEAST_RADIUS, 0.8 * point->radius),
                                              .shape = point->shape,
                                              .hollow = true,
                                              .color = point->color,
                                              .legend = slot ? NULL : out->outline_legend,
                                              .detail = point->detail};
    widen(&roofs->x, x);
}

static void add_source(struct points *out, const struct app_point *point) {
    const char *source = app_source_names[point->dram_source];
    if (point->dram_source != SOURCE_UNKNOWN)
        out->traffic_source =
            !out->traffic_source || strcmp(out->traffic_source, source) == 0 ? source : "of several sources";
}

static void add_point(struct points *out, struct roofs *roofs, const struct entry *entries, size_t count, size_t i,
                      bool outlined) {
    const struct entry *entry = &entries[i];
    const struct app_point *point = entry->point;
    size_t slot = out->count++;
    struct plot_point *plotted = &out->points[slot];
    if (outlined || roofs->traffic)
        add_source(out, point);
    snprintf(out->labels[slot], POINTS_LABEL_BYTES, "%s%s", label_of(entries, count, point),
             entry->remarks & ~REMARK_NO_TRAFFIC ? " ▲" : "");
    write_sublabel(out->sublabels[slot], sizeof out->sublabels[slot], entry, roofs->traffic);
    *plotted = (struct plot_point){.x = entry->x,
                                   .y = app_flop_per_s(point),
                                   .radius = entry->radius,
                                   .label = out->labels[slot],
                                   .sublabel = out->sublabels[slot],
                                   .priority = (int)(100 * fmin(1, point->time_share)),
                                   .legend = legend_of(entries, count, i, out->legends[slot], sizeof out->legends[0]),
                                   .detail = point->command};
    set_style(plotted, program_index(roofs->model->result, point));
    points_spread(plotted, point, roofs->traffic);
    widen(&roofs->x, plotted->x);
    widen(&roofs->y, plotted->y);
    if (outlined)
        add_outline(out, roofs, plotted, app_flop_per_dram_byte(point));
}

/* That traffic is simulated stands in the axis' title or the legend. */
static uint32_t remarks_of(const struct entry *entry, bool outlined) {
    bool traffic = app_flop_per_dram_byte(entry->point) > 0;
    return entry->fate != DRAWN
               ? 0
               : (entry->point->doubts & ~(uint32_t)DOUBT_SIMULATED) | (entry->verdict.above_all ? REMARK_ABOVE : 0) |
                     (outlined && !traffic ? REMARK_NO_TRAFFIC : 0);
}

static size_t collect(const struct roofs *roofs, const struct chart_options *options, struct entry *entries) {
    const struct result *result = roofs->model->result;
    size_t count = 0, drawn = 0;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct fitting fitting;
        if (!is_chosen(point, options))
            continue;
        struct entry *entry = &entries[count++];
        *entry = (struct entry){.point = point,
                                .verdict = verdict_find(roofs->model, point),
                                .x = roofs->traffic ? app_flop_per_dram_byte(point) : app_flop_per_byte(point)};
        entry->threads = fitting_make(roofs->model, point, &fitting) ? fitting.view.threads : 0;
        entry->type = fitting.view.type;
        entry->fate = fate_of(roofs, entry);
        if (entry->fate == DRAWN && drawn++ >= POINTS_MOST)
            entry->fate = TOO_MANY;
        entry->remarks = remarks_of(entry, options->dram && !roofs->traffic);
    }
    choose_sizes(entries, count);
    qsort(entries, count, sizeof *entries, by_size); /* small ones lie above large ones */
    return count;
}

bool points_find(struct roofs *roofs, const struct chart_options *options, struct points *out, struct error *err) {
    struct entry *entries = calloc(roofs->model->result->point_count + 1, sizeof *entries);
    *out = (struct points){0};
    if (!entries)
        return error_set(err, "out of memory");
    size_t count = collect(roofs, options, entries);
    for (size_t i = 0; i < count; i++)
        if (entries[i].fate == DRAWN)
            add_point(out, roofs, entries, count, i, options->dram && !roofs->traffic);
    snprintf(out->outline_legend, sizeof out->outline_legend, "outlines: at flop per DRAM byte (%s)",
             out->traffic_source ? out->traffic_source : "");
    points_write_notes(out, entries, count);
    free(entries);
    return true;
}
