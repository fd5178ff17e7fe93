/* SPDX-License-Identifier: BSD-3-Clause
 * Lines through and beside the points of a roofline. Series: a line by rising size, dashed lines between equal sizes,
 * labels where there is room. Reach: a dashed stem from a point to its roof, a short piece of that roof, and a ghost
 * where the roof would allow the point. The roof has the point's pattern, width and type; it need not be drawn. */
#include "chart_groups.h"
#include "chart_points.h"
#include "chart_points_entry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/model/verdict_words.h"
#include "probe/text.h"
#include "render/page/geometry.h"
#include "render/page/palette.h"
#include "render/page/units.h"

void points_line(struct points *out, const struct plot_line *look) {
    struct plot_line *line = &out->lines[out->line_count++];
    *line = *look;
    line->x = out->corner_x + out->corner_count;
    line->y = out->corner_y + out->corner_count;
    line->count = 0;
}

void points_corner(struct points *out, double x, double y) {
    out->corner_x[out->corner_count] = x;
    out->corner_y[out->corner_count++] = y;
    out->lines[out->line_count - 1].count++;
}

static const double PAGE_WIDTH = 760, PAGE_HEIGHT = 430; /* of the plot area, about, in points */
static const double TICK_BESIDE = 6;     /* how far the piece of roof reaches beside the marker, in points */
static const double GHOST_FROM = 7;      /* least length of a stem between a marker and a ghost, in points */
static const char COMPUTE[] = "compute"; /* as in verdict_bound_by() */

/* The distance of two places of a roofline, in the units of its axes, on a page of the usual size: in points. */
static double page_distance(const struct roofs *roofs, struct vec a, struct vec b) {
    const double x = log(a.x / b.x) / log(roofs->x.max / roofs->x.min) * PAGE_WIDTH;
    const double y = log(a.y / b.y) / log(roofs->y.max / roofs->y.min) * PAGE_HEIGHT;
    return hypot(x, y);
}

/* The share of the lowest drawn roof that allows the point, or of the ceiling of its width. */
static struct attained reach_of_drawn(const struct roofs *roofs, const struct entry *entry) {
    const double bytes_per_s = chart_point_bytes(&entry->point, roofs->bytes).median / entry->point.seconds.median;
    const double compute = app_flop_per_s(&entry->point) / entry->verdict.ceiling->sample->value;
    for (size_t i = roofs->level_count; i-- > 0;) {
        const struct roof *roof = roofs->levels[i].roof;
        const double memory = bytes_per_s / (roof->sample->value * chart_roof_share(roof, roofs->bytes));
        if (memory > 1 && i > 0)
            continue;
        return memory > compute ? (struct attained){roof->sample->level, memory, false}
                                : (struct attained){COMPUTE, compute, false};
    }
    return (struct attained){COMPUTE, compute, false};
}

/* The share of memory's bandwidth with this mix of traffic. If all links were simulated, the verdict is by links,
 * and memory is the last one. */
static struct attained reach_of_memory(const struct verdict *verdict) {
    const struct link_time *last = verdict->times.count > 0 ? &verdict->times.link[verdict->times.count - 1] : NULL;
    if (last && last->roof)
        return (struct attained){last->roof->sample->level, last->share, false};
    return verdict->dram_pattern ? (struct attained){verdict->dram_pattern->sample->level, verdict->dram_ratio, false}
                                 : (struct attained){0};
}

struct attained points_reach(const struct roofs *roofs, const struct entry *entry) {
    const struct verdict *verdict = &entry->verdict;
    if (!verdict->known)
        return (struct attained){0};
    if (roofs->bytes == BYTES_CORE)
        return (struct attained){verdict->bandwidth ? verdict->bandwidth->sample->level : COMPUTE, verdict->ratio,
                                 verdict->nearest != NULL};
    if (roofs->bytes != BYTES_DRAM)
        return reach_of_drawn(roofs, entry);
    const struct attained memory = reach_of_memory(verdict),
                          compute = {COMPUTE, app_flop_per_s(&entry->point) / verdict->ceiling->sample->value, false};
    return memory.by && memory.ratio >= compute.ratio ? memory : compute;
}

void points_write_reach(const struct entry *entry, char *out, size_t size) {
    const unsigned threads = entry->point.threads;
    verdict_mark(&entry->verdict, entry->reach.by ? entry->reach.by : "", entry->reach.ratio, entry->reach.unsure, out,
                 size);
    const bool beside_others = entry->roofs && entry->roofs->several && !*entry->point.series,
               by_name = entry->point.cores > 0; /* more threads than cores: its name shows the number */
    if (threads && !by_name && (beside_others || entry->verdict.threads != threads))
        text_append(out, size, " · %u thread%s", threads, threads == 1 ? "" : "s");
}

static bool is_compute(const struct attained *reach) {
    return strcmp(reach->by, COMPUTE) == 0;
}

static struct plot_color chart_points_lines_color_of(const struct roofs *roofs, const struct attained *reach) {
    for (unsigned i = 0; i < roofs->all_levels->count; i++)
        if (strcmp(roofs->all_levels->level[i].name, reach->by) == 0)
            return chart_level_color(roofs->all_levels, i);
    return PALETTE_BLACK;
}

/* "0.4 of 1.1 s": both in the unit of the whole. */
static void write_saving(double seconds, double ratio, char *out, size_t size) {
    char all[UNITS_BYTES], saved[UNITS_BYTES];
    units_seconds(all, sizeof all, seconds);
    units_number_digits(saved, sizeof saved, (1 - ratio) * strtod(all, NULL), 2);
    snprintf(out, size, "%s of %s", saved, all);
}

static void add_stem(struct points *out, const struct roofs *roofs, const struct plot_point *point,
                     const struct attained *reach) {
    const double roof_y = point->y / reach->ratio;
    const double beside = pow(roofs->x.max / roofs->x.min, (point->radius + TICK_BESIDE) / PAGE_WIDTH);
    const double rise = is_compute(reach) ? 1 : beside;
    struct plot_color pale = point->color;
    pale.a = 0.7;
    points_line(out, &(struct plot_line){.color = pale, .width = 0.9, .dash = PLOT_DASHED, .clear = true});
    points_corner(out, point->x, point->y);
    points_corner(out, point->x, roof_y);
    points_line(out,
                &(struct plot_line){.color = chart_points_lines_color_of(roofs, reach), .width = 2.4, .clear = true});
    points_corner(out, point->x / beside, roof_y / rise);
    points_corner(out, point->x * beside, roof_y * rise);
}

static void add_ghost(struct points *out, const struct entry *entry, const struct plot_point *point) {
    const size_t slot = out->ghost_count++;
    struct plot_point *ghost = &out->ghosts[slot];
    write_saving(entry->point.seconds.median, entry->reach.ratio, out->savings[slot], sizeof out->savings[0]);
    *ghost = (struct plot_point){.x = point->x,
                                 .y = point->y / entry->reach.ratio,
                                 .radius = fmax(2.6, 0.85 * point->radius),
                                 .shape = point->shape,
                                 .hollow = true,
                                 .ghost = true,
                                 .color = point->color,
                                 .label = out->savings[slot],
                                 .optional = true,
                                 .near = true,
                                 .priority = -1,
                                 .legend = slot ? NULL : "attainable at its roof",
                                 .legend_of_labels = slot ? NULL : "attainable at its roof, and the time saved"};
    ghost->color.a = 0.55;
}

/* Ghosts show what a roof would save only if it is known to be the point's roof. Beside outlines at other bytes,
 * ghosts would look like more outlines. */
void points_show_reach(struct points *out, const struct roofs *roofs, const struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct plot_point *point = &out->points[entries[i].slot];
        const double ratio = entries[i].reach.ratio;
        if (entries[i].fate != DRAWN || !point->sublabel || point->numbered || !(ratio > 0))
            continue;
        const struct vec at = {point->x, point->y}, roof = {point->x, point->y / ratio};
        add_stem(out, roofs, point, &entries[i].reach);
        if (ratio < 1 && !entries[i].reach.unsure && !*entries[i].point.series && out->outline_count == 0 &&
            page_distance(roofs, at, roof) > 2 * point->radius + GHOST_FROM)
            add_ghost(out, &entries[i], point);
    }
}

enum { MAX_MIDDLE_LABELS = 4 };      /* per series, beside its ends */
static const double CLEAR = 75;      /* least distance between labelled points */
static const double SAME_PLACE = 30; /* ends that are nearer share a label */

/* The drawn points of series by group and size, and where each series begins. */
struct strands {
    size_t count, points;
    size_t first[POINTS_MAX + 1];
    const struct entry *entries[POINTS_MAX];
    bool labelled[POINTS_MAX], joined[POINTS_MAX];
};

static int chart_points_lines_by_size(const void *a, const void *b) {
    const struct entry *p = *(const struct entry *const *)a, *q = *(const struct entry *const *)b;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    if (p->point.size != q->point.size)
        return p->point.size < q->point.size ? -1 : 1;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

static void find_strands(struct strands *s, const struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (entries[i].fate == DRAWN && *entries[i].point.series)
            s->entries[s->points++] = &entries[i];
    qsort(s->entries, s->points, sizeof *s->entries, chart_points_lines_by_size);
    for (size_t i = 0; i < s->points; i++)
        if (i == 0 || s->entries[i]->group != s->entries[i - 1]->group)
            s->first[s->count++] = i;
    s->first[s->count] = s->points;
}

static double chart_points_lines_distance(const struct roofs *roofs, const struct entry *a, const struct entry *b) {
    return page_distance(roofs, (struct vec){a->x.median, a->y.median}, (struct vec){b->x.median, b->y.median});
}

static double distance_to_labelled(const struct strands *s, const struct roofs *roofs, size_t i) {
    double least = INFINITY;
    for (size_t k = 0; k < s->points; k++)
        if (s->labelled[k])
            least = fmin(least, chart_points_lines_distance(roofs, s->entries[i], s->entries[k]));
    return least;
}

static const char *chart_points_lines_doubt_sign(const struct entry *entry) {
    return doubts_any(entry->doubts) ? " ▲" : "";
}

static bool are_powers(const struct strands *s, size_t strand) {
    double sizes[POINTS_MAX];
    size_t count = 0;
    for (size_t i = s->first[strand]; i < s->first[strand + 1]; i++)
        sizes[count++] = (double)s->entries[i]->point.size;
    return sizes_are_powers(sizes, count);
}

static void label_size_of(struct points *out, const struct strands *s, size_t strand, size_t i, bool end) {
    const struct entry *entry = s->entries[i];
    struct plot_point *point = &out->points[entry->slot];
    char size[32];
    snprintf(out->labels[entry->slot], POINTS_LABEL_BYTES, "%s%s",
             size_text(size, sizeof size, entry->point.size, are_powers(s, strand)),
             chart_points_lines_doubt_sign(entry));
    point->label = out->labels[entry->slot];
    point->sublabel = end ? out->sublabels[entry->slot] : NULL;
    point->optional = true;
    point->near = !end;
}

/* "100 … 3000", "L2 95 % … DRAM 82 %": labels the ends of a series that lie in one place. */
static void label_ends_together(struct points *out, const struct strands *s, size_t strand) {
    const struct entry *first = s->entries[s->first[strand]], *last = s->entries[s->first[strand + 1] - 1];
    char from[32], to[32], of_first[48], of_last[48];
    bool power = are_powers(s, strand);
    snprintf(out->labels[last->slot], POINTS_LABEL_BYTES, "%s … %s%s",
             size_text(from, sizeof from, first->point.size, power), size_text(to, sizeof to, last->point.size, power),
             chart_points_lines_doubt_sign(last));
    snprintf(of_first, sizeof of_first, "%.47s", out->sublabels[first->slot]);
    snprintf(of_last, sizeof of_last, "%.47s", out->sublabels[last->slot]);
    if (strcmp(of_first, of_last) != 0)
        snprintf(out->sublabels[last->slot], sizeof out->sublabels[0], "%s … %s", of_first, of_last);
}

/* Labels the ends of each series, then the points farthest from all labels. A series with one size has its name as
 * its label. */
static void label_sizes(struct points *out, struct strands *s, const struct roofs *roofs) {
    for (size_t strand = 0; strand < s->count; strand++) {
        size_t first = s->first[strand], last = s->first[strand + 1] - 1;
        s->labelled[last] = true;
        if (first == last)
            continue;
        for (size_t i = first; i <= last; i++) {
            out->points[s->entries[i]->slot].label = NULL;
            out->points[s->entries[i]->slot].sublabel = NULL;
        }
        label_size_of(out, s, strand, last, true);
        if (chart_points_lines_distance(roofs, s->entries[first], s->entries[last]) < SAME_PLACE) {
            label_ends_together(out, s, strand);
        } else {
            label_size_of(out, s, strand, first, true);
            s->labelled[first] = true;
        }
    }
    for (unsigned round = 0; round < MAX_MIDDLE_LABELS; round++)
        for (size_t strand = 0; strand < s->count; strand++) {
            size_t best = s->points;
            double farthest = CLEAR;
            for (size_t i = s->first[strand]; i < s->first[strand + 1]; i++) {
                double far = s->labelled[i] ? 0 : distance_to_labelled(s, roofs, i);
                if (far > farthest && isfinite(far))
                    best = i, farthest = far;
            }
            if (best == s->points)
                continue;
            label_size_of(out, s, strand, best, false);
            s->labelled[best] = true;
        }
}

/* Length of the common suffix " 2 threads" of all names, which the title already shows; 0: none. */
static size_t threads_end(const char *const *names, size_t count) {
    size_t end = groups_shared_end(names, count);
    if (end == 0)
        return 0;
    const char *shared = names[0] + strlen(names[0]) - end, *word = strstr(shared, " thread");
    while (word && word > shared && word[-1] != ' ')
        word--;
    return word && word > shared ? strlen(word) + 1 : 0;
}

/* Adds a row per series: "dgemm-blocked, 100 … 3000". For a series with one size that is its label. */
static void name_series(struct points *out, const struct strands *s) {
    const char *names[POINTS_MAX];
    for (size_t strand = 0; strand < s->count; strand++)
        names[strand] = s->entries[s->first[strand]]->point.series;
    size_t shared = threads_end(names, s->count);
    for (size_t strand = 0; strand < s->count; strand++) {
        size_t first = s->first[strand], last = s->first[strand + 1] - 1, slot = s->entries[first]->slot;
        int length = (int)(strlen(names[strand]) - shared);
        char from[32], to[32];
        bool power = are_powers(s, strand);
        size_text(from, sizeof from, s->entries[first]->point.size, power);
        size_text(to, sizeof to, s->entries[last]->point.size, power);
        for (size_t i = first; i <= last; i++)
            out->points[s->entries[i]->slot].legend = NULL;
        if (first == last) {
            snprintf(out->labels[slot], POINTS_LABEL_BYTES, "%.*s, %s%s", length, names[strand], from,
                     chart_points_lines_doubt_sign(s->entries[first]));
            continue;
        }
        snprintf(out->legends[slot], sizeof out->legends[0], "%.*s, %s … %s", length, names[strand], from, to);
        out->points[slot].legend = out->legends[slot];
    }
}

/* Joins each outline to the next; that of a series with one size to its point. */
static void join_outlines(struct points *out, const struct strands *s, size_t strand) {
    size_t first = s->first[strand], last = s->first[strand + 1] - 1;
    points_line(out, &(struct plot_line){.color = out->points[s->entries[first]->slot].color, .dash = PLOT_DOTTED});
    if (first == last)
        points_corner(out, s->entries[first]->x.median, s->entries[first]->y.median);
    for (size_t i = first; i <= last; i++)
        if (app_flop_per_dram_byte(&s->entries[i]->point) > 0)
            points_corner(out, app_flop_per_dram_byte(&s->entries[i]->point), s->entries[i]->y.median);
}

static void join_points(struct points *out, const struct strands *s) {
    for (size_t strand = 0; strand < s->count; strand++) {
        size_t first = s->first[strand], last = s->first[strand + 1] - 1;
        points_line(out, &(struct plot_line){.color = out->points[s->entries[first]->slot].color,
                                             .width = s->entries[first]->roofs->behind ? 0.7 : 1.3,
                                             .source = s->entries[first]->origin});
        for (size_t i = first; i <= last; i++)
            points_corner(out, s->entries[i]->x.median, s->entries[i]->y.median);
        if (out->outline_count > 0)
            join_outlines(out, s, strand);
    }
}

/* Series of one workload have the same name up to the first "-" or blank: "dgemm-blocked cold". Series with
 * different numbers of threads in one picture do not match. */
static bool same_workload(const struct entry *a, const struct entry *b) {
    size_t length = strcspn(a->point.series, "- ");
    return a->roofs == b->roofs && length == strcspn(b->point.series, "- ") &&
           strncmp(a->point.series, b->point.series, length) == 0;
}

/* "stream-copy" and "stream-add" share the first part of their names, but do different work. */
static bool same_problem(const struct app_point *a, const struct app_point *b) {
    return a->size == b->size && (a->pseudo_flop > 0 ? a->pseudo_flop == b->pseudo_flop
                                                     : a->analytic_flop > 0 && a->analytic_flop == b->analytic_flop &&
                                                           a->compulsory_read_bytes == b->compulsory_read_bytes);
}

static size_t implementations_of(const struct strands *s, size_t strand) {
    size_t count = 0;
    for (size_t other = 0; other < s->count; other++)
        count += same_workload(s->entries[s->first[strand]], s->entries[s->first[other]]);
    return count;
}

static void join_equal_sizes(struct points *out, struct strands *s, const struct chart_options *options) {
    bool said = false;
    for (size_t strand = 0; strand < s->count && !options->unjoined; strand++)
        for (size_t i = s->first[strand]; i < s->first[strand + 1]; i++) {
            const struct entry *entry = s->entries[i];
            size_t members = 0;
            if (s->joined[i] || (!options->joined && implementations_of(s, strand) != 2))
                continue;
            for (size_t k = s->first[strand + 1]; k < s->points; k++) {
                const struct entry *other = s->entries[k];
                if (s->joined[k] || !same_workload(entry, other) || !same_problem(&entry->point, &other->point))
                    continue;
                if (members++ == 0) {
                    points_line(out, &(struct plot_line){.color = PALETTE_GREY,
                                                         .width = 0.7,
                                                         .dash = PLOT_DASHED,
                                                         .label = said ? NULL : "equal sizes",
                                                         .label_place = PLOT_LABEL_LEGEND});
                    points_corner(out, entry->x.median, entry->y.median);
                }
                points_corner(out, other->x.median, other->y.median);
                s->joined[k] = said = true;
            }
        }
}

/* The program's next placed phase; NULL: none. */
static const struct entry *next_phase(const struct entry *entries, size_t count, const struct entry *phase) {
    const struct entry *next = NULL;
    for (const struct entry *each = entries; each < entries + count; each++)
        if (each->point.part == APP_PHASE && each->fate == DRAWN && each->origin > phase->origin &&
            strcmp(each->point.program, phase->point.program) == 0 && (!next || each->origin < next->origin))
            next = each;
    return next;
}

void points_join_phases(struct points *out, const struct entry *entries, size_t count) {
    for (const struct entry *phase = entries; phase < entries + count; phase++) {
        const bool placed = phase->point.part == APP_PHASE && phase->fate == DRAWN;
        const struct entry *next = placed ? next_phase(entries, count, phase) : NULL;
        if (!next)
            continue;
        points_line(out, &(struct plot_line){.color = out->points[phase->slot].color, .width = 0.7});
        points_corner(out, out->points[phase->slot].x, out->points[phase->slot].y);
        points_corner(out, out->points[next->slot].x, out->points[next->slot].y);
    }
}

void points_join_series(struct points *out, const struct roofs *roofs, const struct chart_options *options,
                        const struct entry *entries, size_t count) {
    struct strands strands = {0};
    find_strands(&strands, entries, count);
    name_series(out, &strands);
    label_sizes(out, &strands, roofs);
    join_equal_sizes(out, &strands, options);
    join_points(out, &strands);
}
