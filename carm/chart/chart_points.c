/* SPDX-License-Identifier: BSD-3-Clause
 * The points of a roofline: which points are drawn, why others are not, their places, sizes, labels and notes. */
#include "chart_points.h"
#include "chart_groups.h"
#include "chart_points_entry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/verdict_words.h"
#include "carm/store/results.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { MAX_NAMES = 5 };

/* The subject of a note or of a part of it: points with a doubt, or points that are not drawn for the same reason as
 * `absent`. */
struct note_subject {
    enum doubt_id doubt; /* DOUBT_COUNT: unknown traffic */
    const struct entry *absent;
};

static bool is_about(const struct note_subject *subject, const struct entry *entry) {
    const struct entry *absent = subject->absent;
    return !absent && subject->doubt == DOUBT_COUNT ? entry->traffic_unknown
           : !absent
               ? doubts_has(entry->doubts, subject->doubt)
               : entry->fate == absent->fate && (entry->fate != OTHER_TYPE || strcmp(entry->type, absent->type) == 0) &&
                     (entry->fate != OTHER_THREADS || entry->threads == absent->threads);
}

static bool chart_points_same_series(const struct entry *a, const struct entry *b) {
    return *a->point.series && a->group == b->group;
}

/* "dgemm cold (3 of 12 sizes)": the number of a series' points that the note is about. */
static void append_name(char *text, const struct entry *entries, size_t count, const struct note_subject *subject,
                        const struct entry *entry) {
    size_t meant = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        all += chart_points_same_series(&entries[i], entry);
        meant += chart_points_same_series(&entries[i], entry) && is_about(subject, &entries[i]);
    }
    text_append(text, CHART_NOTE_BYTES, "%.50s", meant > 1 ? entry->point.series : entry->point.name);
    if (meant > 1 && meant < all)
        text_append(text, CHART_NOTE_BYTES, " (%zu of %zu sizes)", meant, all);
}

/* "a, b, c, … 4 more" */
static void append_names(char *text, const struct entry *entries, size_t count, const struct note_subject *subject) {
    size_t names = 0;
    for (size_t i = 0; i < count; i++) {
        bool told = !is_about(subject, &entries[i]);
        for (size_t k = 0; k < i && !told; k++)
            told = is_about(subject, &entries[k]) && chart_points_same_series(&entries[k], &entries[i]);
        if (told || names++ >= MAX_NAMES)
            continue;
        text_append(text, CHART_NOTE_BYTES, "%s", names > 1 ? ", " : "");
        append_name(text, entries, count, subject, &entries[i]);
    }
    if (names > MAX_NAMES)
        text_append(text, CHART_NOTE_BYTES, ", … %zu more", names - MAX_NAMES);
}

static void chart_points_add_note(struct notes *out, const struct entry *entries, size_t count, const char *what,
                                  enum doubt_id doubt) {
    const struct note_subject subject = {.doubt = doubt};
    size_t hits = 0, drawn = 0;
    for (size_t i = 0; i < count; i++) {
        hits += is_about(&subject, &entries[i]);
        drawn += entries[i].fate == DRAWN;
    }
    if (hits == 0 || out->count == POINTS_MAX_NOTES)
        return;
    char *text = out->text[out->count];
    text_append(text, CHART_NOTE_BYTES, "%s: ", what);
    if (hits > 1 && hits == drawn)
        text_append(text, CHART_NOTE_BYTES, "all points");
    else
        append_names(text, entries, count, &subject);
    out->list[out->count++] = text;
}

static void append_reason(char *text, const struct entry *entry) {
    static const char *const REASONS[FATES] = {[NO_WORK] = "no flop, bytes or time",
                                               [ONLY_TRAFFIC] = "--chart dram",
                                               [OTHER_THREADS] = "no roofs of its threads",
                                               [OF_A_PART] = "roofs of a part of the machine",
                                               [NO_TRAFFIC] = "DRAM traffic not known",
                                               [NO_SUCH_BYTES] = "no such bytes",
                                               [FAR_OFF] = "far beyond this picture",
                                               [OUTSIDE] = "outside of the chosen limits",
                                               [AS_WITHIN] = "as the loop within it",
                                               [TOO_MANY] = "too many",
                                               [NO_MISSES] = "no misses",
                                               [NOT_KNOWN] = "not known"};
    if (entry->fate == OTHER_TYPE)
        text_append(text, CHART_NOTE_BYTES, " (--type %s)", entry->type);
    else if (entry->fate == OTHER_THREADS && entry->threads)
        text_append(text, CHART_NOTE_BYTES, " (--threads %u)", entry->threads);
    else
        text_append(text, CHART_NOTE_BYTES, " (%s)", REASONS[entry->fate]);
}

/* "not drawn: copy (no flop), sgemm, sgemv (--type f32)": a reason follows all names that it applies to. */
static void note_absent(struct notes *out, const struct entry *entries, size_t count) {
    char *text = out->text[out->count];
    for (size_t i = 0; i < count; i++) {
        const struct note_subject subject = {.absent = &entries[i]};
        bool told = entries[i].fate == DRAWN;
        for (size_t k = 0; k < i && !told; k++)
            told = is_about(&subject, &entries[k]);
        if (told)
            continue;
        text_append(text, CHART_NOTE_BYTES, "%s", *text ? ", " : "not drawn: ");
        append_names(text, entries, count, &subject);
        append_reason(text, &entries[i]);
    }
    if (*text)
        out->list[out->count++] = text;
}

void points_write_notes(struct notes *out, const struct entry *entries, size_t count) {
    note_absent(out, entries, count);
    chart_points_add_note(out, entries, count, doubt_table[DOUBT_ABOVE_ROOF].name, DOUBT_ABOVE_ROOF);
    chart_points_add_note(out, entries, count, "DRAM traffic not known", DOUBT_COUNT);
    for (unsigned d = 0; d < DOUBT_COUNT; d++)
        if (d != DOUBT_ABOVE_ROOF)
            chart_points_add_note(out, entries, count, doubt_table[d].name, d);
}

enum { CROWD_FROM = 16, NAMED = 10 };

/* Longest first. */
static int by_time(const void *a, const void *b) {
    const struct entry *p = *(const struct entry *const *)a, *q = *(const struct entry *const *)b;
    const double p_s = p->point.seconds.median, q_s = q->point.seconds.median;
    if (p_s != q_s)
        return p_s > q_s ? -1 : 1;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

/* "and 12 more, all below 2 % of the time" for parts of one program, else "… none above 0.3 s". */
static void write_rest(const struct entry *const *rest, size_t count, bool parts, char *out, size_t size) {
    char time[UNITS_BYTES];
    double share = 0;
    for (size_t i = 0; i < count; i++)
        share = fmax(share, rest[i]->point.time_share);
    if (parts && share < 0.5)
        snprintf(out, size, "and %zu more, all below %.0f %% of the time", count, floor(100 * share) + 1);
    else
        snprintf(out, size, "and %zu more, none above %s", count,
                 units_seconds(time, sizeof time, rest[0]->point.seconds.median));
}

/* In the row of a point without a row, if there is one. */
static void tell_rest(struct points *out, const struct entry *const *rest, size_t count, bool parts) {
    size_t slot = rest[0]->slot;
    for (size_t i = count; i-- > 0;)
        if (!out->points[rest[i]->slot].legend)
            slot = rest[i]->slot;
    const size_t length = out->points[slot].legend ? strlen(strncat(out->legends[slot], ", ", 3)) : 0;
    write_rest(rest, count, parts, out->legends[slot] + length, sizeof out->legends[0] - length);
    out->points[slot].legend = out->legends[slot];
}

/* Of more than 15 placed points without a series, only the ten with the longest time have their names beside them. The
 * others have numbers, and their names are in the legend. A page's names appear when a reader points at them: its
 * legend shows how many more there are, and their longest time. */
static void thin_crowd(struct points *out, const struct entry *entries, size_t count, bool page) {
    const struct entry *alone[POINTS_MAX];
    size_t found = 0;
    bool parts = true;
    for (size_t i = 0; i < count; i++)
        if (entries[i].fate == DRAWN && !*entries[i].point.series) {
            alone[found++] = &entries[i];
            parts &= entries[i].group == alone[0]->group && entries[i].point.time_share > 0;
        }
    if (found < CROWD_FROM)
        return;
    qsort(alone, found, sizeof *alone, by_time);
    for (size_t i = NAMED; i < found; i++) {
        struct plot_point *point = &out->points[alone[i]->slot];
        point->numbered = !page;
        if (page)
            point->label = point->sublabel = NULL;
    }
    if (page)
        tell_rest(out, alone + NAMED, found - NAMED, parts);
}

static const double MARGIN = 1.5; /* between a point and the frame */
static const double LEAST_RADIUS = 2.8, MAX_RADIUS = 9, CROWD_RADIUS = 5, USUAL_RADIUS = 4.8, SERIES_RADIUS = 3.8;

bool points_chosen(const struct app_point *point, const struct chart_options *options) {
    bool chosen = !options->points;
    for (size_t i = 0; !chosen && options->points[i]; i++)
        chosen = strcmp(options->points[i], point->name) == 0 || strcmp(options->points[i], point->program) == 0 ||
                 strcmp(options->points[i], point->series) == 0;
    return chosen && !options->no_points;
}

/* Whether a decides on the view rather than b. */
static bool is_weightier(const struct app_point *a, unsigned a_threads, const struct app_point *b, unsigned b_threads) {
    int age = strcmp(a->measured_utc, b->measured_utc);
    return age != 0 ? age > 0 : a_threads != b_threads ? a_threads > b_threads : a->time_share > b->time_share;
}

bool points_has_intensity(const struct app_point *point) {
    return app_flop_per_byte(point) + app_flop_per_dram_byte(point) > 0;
}

bool points_view(const struct model *model, const struct chart_options *options,
                 bool (*has)(const struct app_point *point), struct model_view *out) {
    const struct result *result = model->result;
    const struct app_point *best = NULL;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct applicable_roofs applicable;
        if (!points_chosen(point, options) || !has(point) || !applicable_make(model, point, &applicable) ||
            (options->type && strcmp(options->type, applicable.view.type) != 0) ||
            (options->threads && options->threads != applicable.view.threads) ||
            (best && !is_weightier(point, applicable.view.threads, best, out->threads)))
            continue;
        *out = applicable.view;
        best = point;
    }
    return best != NULL;
}

/* The roofs of the entry's number of threads, else the first roofs. */
static const struct roofs *chart_points_roofs_of(const struct roofs *first, const struct entry *entry) {
    const struct roofs *r = first;
    while (r && r->view.threads != entry->threads)
        r = r->fewer;
    return r ? r : first;
}

static bool is_within(double value, double middle) {
    return value > middle * 1e-6 && value < middle * 1e6;
}

static enum fate fate_of(const struct roofs *roofs, const struct entry *entry) {
    const struct app_point *point = &entry->point;
    bool dram = chart_is_dram(roofs->bytes), any = entry->x.median > 0;
    bool core_known = app_core_bytes(point) > 0, dram_known = app_dram_bytes(point) > 0;
    bool dram_told = point->dram_source != SOURCE_UNKNOWN; /* known, though it may be none for warm data */
    return !(app_flop_per_s(point) > 0) || !(core_known || dram_known) ? NO_WORK
           : !dram && !core_known                                      ? ONLY_TRAFFIC
           : roofs->view.package || roofs->view.node                   ? OF_A_PART
           : strcmp(entry->type, roofs->view.type) != 0                ? OTHER_TYPE
           : entry->threads != roofs->view.threads                     ? OTHER_THREADS
           : dram && !dram_known && !dram_told                         ? NO_TRAFFIC
           : !any                                                      ? NO_SUCH_BYTES
           : is_within(entry->x.median, 1) && is_within(entry->y.median, roofs_rate(roofs, roofs->peak->sample))
               ? DRAWN
               : FAR_OFF;
}

/* The size of a program's parts shows their share of its time: of many parts by smaller markers, which else would hide
 * each other. */
static void chart_points_choose_sizes(struct entry *entries, size_t count) {
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++)
        drawn += entries[i].fate == DRAWN;
    const double most = drawn < CROWD_FROM ? MAX_RADIUS : CROWD_RADIUS;
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &entries[i].point;
        unsigned parts = 0;
        if (entries[i].fate != DRAWN)
            continue;
        for (size_t k = 0; k < count && !*point->series; k++)
            parts += entries[k].group == entries[i].group && entries[k].point.part != APP_PROGRAM;
        entries[i].sized = parts > 1 && point->time_share > 0;
        entries[i].radius = entries[i].sized ? fmax(LEAST_RADIUS, fmin(most, most * sqrt(point->time_share)))
                            : *point->series ? SERIES_RADIUS
                                             : USUAL_RADIUS;
    }
}

static int by_radius(const void *a, const void *b) {
    const struct entry *p = a, *q = b;
    if (p->radius != q->radius)
        return p->radius > q->radius ? -1 : 1;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

static void set_spread(struct plot_point *out, struct statistics x, struct statistics y) {
    out->x_min = x.min, out->x_q1 = x.q1, out->x_q3 = x.q3, out->x_max = x.max;
    out->y_min = y.min, out->y_q1 = y.q1, out->y_q3 = y.q3, out->y_max = y.max;
}

static size_t parts_of(const struct entry *entries, size_t count, size_t group) {
    size_t parts = 0;
    for (size_t i = 0; i < count; i++)
        parts += entries[i].fate == DRAWN && entries[i].group == group;
    return parts;
}

/* The name of a part lacks its program's name if the legend shows that. A region named like its program has that
 * name only once. */
static const char *chart_points_label_of(const struct entry *entries, size_t count, const struct entry *entry) {
    const struct app_point *point = &entry->point;
    const size_t own = strlen(point->program);
    const char *part = point->part == APP_FUNCTION ? point->function : point->region;
    const bool named = point->part == APP_RANK || (point->part >= APP_LOOP && point->part <= APP_PHASE);
    if (named && strncmp(point->name, point->program, own) == 0 && point->name[own])
        part = point->name + own + 1; /* "solve rank 3", "dgemm:17", "solve.c:23" */
    bool told = parts_of(entries, count, entry->group) > 1 || strcmp(part, point->program) == 0;
    return *part && told && !*point->series ? part : point->name;
}

/* The legend's row of a program with several points also explains their size. */
static const char *chart_points_legend_of(const struct entry *entries, size_t count, size_t i, char *out, size_t size) {
    size_t first = i;
    bool sized = false;
    for (size_t k = count; k-- > 0;)
        if (entries[k].fate == DRAWN && entries[k].group == entries[i].group) {
            first = k;
            sized |= entries[k].sized;
        }
    snprintf(out, size, "%s%s", entries[i].point.program, sized ? " (size: share of its time)" : "");
    return parts_of(entries, count, entries[i].group) > 1 && first == i ? out : NULL;
}

/* Adds an outline at the flop per DRAM byte, joined to its point. Outlines of a series are joined to each other
 * (chart_points_lines.c). */
static void chart_points_add_outline(struct points *out, struct roofs *roofs, const struct entry *entry) {
    const struct plot_point *point = &out->points[entry->slot];
    double x = app_flop_per_dram_byte(&entry->point);
    if (!(x > 0) || !is_within(x, 1))
        return;
    size_t slot = out->outline_count++;
    if (!*entry->point.series) {
        points_line(out, &(struct plot_line){.color = point->color, .dash = PLOT_DOTTED});
        points_corner(out, point->x, point->y);
        points_corner(out, x, point->y);
    }
    out->outlines[slot] = (struct plot_point){.x = x,
                                              .y = point->y,
                                              .radius = fmax(LEAST_RADIUS, 0.8 * point->radius),
                                              .shape = point->shape,
                                              .hollow = true,
                                              .color = point->color,
                                              .legend = slot ? NULL : out->outline_legend,
                                              .detail = point->detail,
                                              .source = point->source};
    chart_widen(&roofs->x, x, MARGIN);
}

static void chart_points_add_point(struct points *out, struct roofs *roofs, struct entry *entries, size_t count,
                                   size_t i, bool outlined) {
    struct entry *entry = &entries[i];
    const struct app_point *point = &entry->point;
    size_t slot = entry->slot = out->count++;
    struct plot_point *plotted = &out->points[slot];
    char words[VERDICT_WORDS_BYTES];
    if (outlined || chart_is_dram(roofs->bytes))
        out->traffic_source = chart_dram_source(out->traffic_source, point);
    out->clocks_assumed |= roofs->per_cycle && !(point->clock_hz > 0);
    snprintf(out->labels[slot], POINTS_LABEL_BYTES, "%s%s", chart_points_label_of(entries, count, entry),
             doubts_any(entry->doubts) ? " ▲" : "");
    entry->reach = points_reach(entry->roofs, entry);
    points_write_reach(entry, out->sublabels[slot], sizeof out->sublabels[slot]);
    *plotted = (struct plot_point){
        .x = entry->x.median,
        .y = entry->y.median,
        .radius = entry->radius,
        .label = out->labels[slot],
        .sublabel = out->sublabels[slot],
        .priority = (int)(100 * fmin(1, point->time_share)),
        .legend = chart_points_legend_of(entries, count, i, out->legends[slot], sizeof out->legends[0]),
        .detail = out->details[slot],
        .source = entry->origin};
    snprintf(out->details[slot], POINTS_DETAIL_BYTES, "%s: %s.\n%s", point->name,
             verdict_words(&entry->verdict, point, words), point->command);
    if (roofs->several)
        group_look_by_threads(entry->look, entry->roofs->behind, &plotted->color, &plotted->shape);
    else
        group_look(entry->look, &plotted->color, &plotted->shape);
    set_spread(plotted, entry->x, entry->y);
    chart_widen(&roofs->x, plotted->x, MARGIN);
    chart_widen(&roofs->y, plotted->y, MARGIN);
    if (entry->reach.ratio > 0 && entry->reach.ratio < 1)
        chart_widen(&roofs->y, plotted->y / entry->reach.ratio, MARGIN);
    if (outlined)
        chart_points_add_outline(out, roofs, entry);
}

static const char *outermost_function(const struct app_point *loop) {
    return *loop->inlined_in ? loop->inlined_in : loop->function;
}

/* Whether a deeper loop of the same function has nearly all of this loop's flop and bytes. Files do not say which
 * loop contains which; two loops beside each other cannot both have nearly all of one amount. */
static bool is_as_within(const struct result *result, const struct chart_options *options,
                         const struct app_point *loop) {
    static const double NEARLY_ALL = 0.95;
    for (size_t i = 0; i < result->point_count && loop->part == APP_LOOP; i++) {
        const struct app_point *inner = &result->points[i];
        if (points_chosen(inner, options) && inner->part == APP_LOOP && inner->depth > loop->depth &&
            strcmp(inner->program, loop->program) == 0 &&
            strcmp(outermost_function(inner), outermost_function(loop)) == 0 &&
            inner->flop.median > NEARLY_ALL * loop->flop.median && inner->flop.median <= loop->flop.median &&
            app_core_bytes(inner) > NEARLY_ALL * app_core_bytes(loop) && app_core_bytes(inner) <= app_core_bytes(loop))
            return true;
    }
    return false;
}

static void take_remarks(struct entry *entry, bool outlined) {
    if (entry->fate != DRAWN)
        return;
    entry->doubts = doubts_without(entry->point.doubts, DOUBTS(DOUBT_SIMULATED));
    doubts_add_if(&entry->doubts, verdict_is_above(&entry->verdict), DOUBT_ABOVE_ROOF);
    entry->traffic_unknown = outlined && !(app_flop_per_dram_byte(&entry->point) > 0);
}

/* Numbers of the groups of a result's points, by index of the point. */
struct group_numbers {
    size_t *own, *workload;
};

/* Works out the place of point i of the result, and its roofs. */
static void make_entry(const struct roofs *first, const struct chart_options *options, size_t i,
                       const struct group_numbers *groups, struct entry *entry) {
    const struct app_point *origin = &first->model->result->points[i];
    *entry = (struct entry){.point = chart_point(origin, options),
                            .origin = origin,
                            .group = groups->own[i],
                            .workload = groups->workload[i]};
    struct applicable_roofs applicable;
    entry->threads = applicable_make(first->model, &entry->point, &applicable) ? applicable.view.threads : 0;
    snprintf(entry->type, sizeof entry->type, "%s", applicable.view.type);
    entry->roofs = chart_points_roofs_of(first, entry);
    if (first->several) /* a program has one group per number of threads */
        entry->group = entry->group * (CHART_MAX_FEWER + 1) + entry->roofs->behind;
    const double clock_hz = first->per_cycle ? chart_clock_hz(first->model, &entry->point) : 1;
    entry->verdict = verdict_find(first->model, &entry->point);
    entry->x = chart_quotient(entry->point.flop, chart_point_bytes(&entry->point, first->bytes));
    entry->y = chart_scaled(chart_quotient(entry->point.flop, entry->point.seconds),
                            clock_hz > 0 ? 1 / clock_hz / (first->shared_by ? first->shared_by : 1) : 0);
    entry->fate = fate_of(entry->roofs, entry);
}

static size_t chart_points_collect(const struct roofs *roofs, const struct chart_options *options,
                                   const struct group_numbers *groups, struct entry *entries) {
    const struct result *result = roofs->model->result;
    size_t count = 0, drawn = 0, alone = 0;
    const size_t most = options->page ? POINTS_MAX : POINTS_MAX_DRAWN;
    for (size_t i = 0; i < result->point_count; i++) {
        if (!points_chosen(&result->points[i], options))
            continue;
        struct entry *entry = &entries[count];
        make_entry(roofs, options, i, groups, entry);
        entry->slot = count;
        if (entry->fate == OTHER_THREADS && entry->threads && (options->threads || options->page))
            continue; /* the options choose the threads, so no note is needed */
        if (entry->fate == OTHER_TYPE && options->page)
            continue;
        if (entry->fate == DRAWN && is_as_within(result, options, entry->origin))
            entry->fate = AS_WITHIN;
        if (entry->fate == DRAWN &&
            limits_exclude(&options->limits, &roofs->x, &roofs->y, entry->x.median, entry->y.median))
            entry->fate = OUTSIDE;
        const bool is_alone = !*entry->point.series;
        if (entry->fate == DRAWN && (drawn == most || (is_alone && alone == (options->page ? most : POINTS_MAX_ALONE))))
            entry->fate = TOO_MANY;
        drawn += entry->fate == DRAWN;
        alone += entry->fate == DRAWN && is_alone;
        take_remarks(entry, options->dram && !chart_is_dram(roofs->bytes));
        count++;
    }
    chart_points_choose_sizes(entries, count);
    qsort(entries, count, sizeof *entries, by_radius); /* small points lie above large ones */
    return count;
}

/* Layers of a page are drawn one by one, and a group looks the same in all of them. */
static void chart_points_choose_looks(const struct roofs *roofs, bool page, struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        entries[i].look = roofs->several ? entries[i].workload : entries[i].group;
    if (page)
        return;
    size_t drawn = 0, *numbers = need_calloc(count + 1, sizeof *numbers),
           *looks = need_calloc(count + 1, sizeof *looks);
    for (size_t i = 0; i < count; i++)
        if (entries[i].fate == DRAWN)
            numbers[drawn++] = entries[i].look;
    groups_tell_apart(numbers, drawn, looks);
    for (size_t i = 0, k = 0; i < count; i++)
        if (entries[i].fate == DRAWN)
            entries[i].look = looks[k++];
    free(numbers);
    free(looks);
}

void points_find(struct roofs *roofs, const struct chart_options *options, struct points *out) {
    const struct result *result = roofs->model->result;
    struct entry *entries = need_calloc(result->point_count + 1, sizeof *entries);
    struct group_numbers groups = {need_calloc(result->point_count + 1, sizeof *groups.own),
                                   need_calloc(result->point_count + 1, sizeof *groups.workload)};
    const bool outlined = options->dram && roofs->bytes == BYTES_CORE;
    memset(out, 0, sizeof *out);
    groups_number(result->points, result->point_count, groups.own);
    groups_number_workloads(result->points, result->point_count, groups.workload);
    const size_t count = chart_points_collect(roofs, options, &groups, entries);
    chart_points_choose_looks(roofs, options->page, entries, count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].fate == DRAWN)
            chart_points_add_point(out, roofs, entries, count, i, outlined);
    points_join_series(out, roofs, options, entries, count);
    points_join_phases(out, entries, count);
    thin_crowd(out, entries, count, options->page);
    points_show_reach(out, roofs, entries, count);
    snprintf(out->outline_legend, sizeof out->outline_legend, "outlines: at flop per DRAM byte (%s)",
             out->traffic_source ? out->traffic_source : "");
    points_write_notes(&out->notes, entries, count);
    free(entries);
    free(groups.own);
    free(groups.workload);
}
