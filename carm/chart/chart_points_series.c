/* SPDX-License-Identifier: BSD-3-Clause
 * Series in a roofline: a line through their points by size, dashed lines between equal sizes of implementations of one
 * workload, and labels for as many sizes as stand clear of each other (see chart_points_entry.h). */
#include "chart_groups.h"
#include "chart_points_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/palette.h"

enum { MAX_MIDDLE_LABELS = 4 };      /* of a series, beside its ends */
static const double CLEAR = 75;      /* between labelled points */
static const double SAME_PLACE = 30; /* nearer ends have one label */

/* The drawn points of series, by group and size, and where each series begins among them. */
struct strands {
    size_t count, points;
    size_t first[POINTS_MAX + 1];
    const struct entry *entries[POINTS_MAX];
    bool labelled[POINTS_MAX], joined[POINTS_MAX];
};

static int by_size(const void *a, const void *b) {
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
    qsort(s->entries, s->points, sizeof *s->entries, by_size);
    for (size_t i = 0; i < s->points; i++)
        if (i == 0 || s->entries[i]->group != s->entries[i - 1]->group)
            s->first[s->count++] = i;
    s->first[s->count] = s->points;
}

static double distance(const struct roofs *roofs, const struct entry *a, const struct entry *b) {
    return points_page_distance(roofs, (struct vec){a->x.median, a->y.median}, (struct vec){b->x.median, b->y.median});
}

static double distance_to_labelled(const struct strands *s, const struct roofs *roofs, size_t i) {
    double least = INFINITY;
    for (size_t k = 0; k < s->points; k++)
        if (s->labelled[k])
            least = fmin(least, distance(roofs, s->entries[i], s->entries[k]));
    return least;
}

static const char *doubt_sign(const struct entry *entry) {
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
             size_text(size, sizeof size, entry->point.size, are_powers(s, strand)), doubt_sign(entry));
    point->label = out->labels[entry->slot];
    point->sublabel = end ? out->sublabels[entry->slot] : NULL;
    point->optional = true;
    point->near = !end;
}

/* "100 … 3000", "L2 95 % … DRAM 82 %": the ends of a series that lie in one place. */
static void label_ends_together(struct points *out, const struct strands *s, size_t strand) {
    const struct entry *first = s->entries[s->first[strand]], *last = s->entries[s->first[strand + 1] - 1];
    char from[32], to[32], of_first[48], of_last[48];
    bool power = are_powers(s, strand);
    snprintf(out->labels[last->slot], POINTS_LABEL_BYTES, "%s … %s%s",
             size_text(from, sizeof from, first->point.size, power), size_text(to, sizeof to, last->point.size, power),
             doubt_sign(last));
    snprintf(of_first, sizeof of_first, "%.47s", out->sublabels[first->slot]);
    snprintf(of_last, sizeof of_last, "%.47s", out->sublabels[last->slot]);
    if (strcmp(of_first, of_last) != 0)
        snprintf(out->sublabels[last->slot], sizeof out->sublabels[0], "%s … %s", of_first, of_last);
}

/* The ends of each series, then what is farthest from all that has a label. One size alone has its series' name. */
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
        if (distance(roofs, s->entries[first], s->entries[last]) < SAME_PLACE) {
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

/* How much of all names' end is " 2 threads", which the picture's title says. */
static size_t threads_end(const char *const *names, size_t count) {
    size_t end = groups_shared_end(names, count);
    if (end == 0)
        return 0;
    const char *shared = names[0] + strlen(names[0]) - end, *word = strstr(shared, " thread");
    while (word && word > shared && word[-1] != ' ')
        word--;
    return word && word > shared ? strlen(word) + 1 : 0;
}

/* One row for each series: "dgemm-blocked, 100 … 3000". Of one with a single size, that is its label. */
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
                     doubt_sign(s->entries[first]));
            continue;
        }
        snprintf(out->legends[slot], sizeof out->legends[0], "%.*s, %s … %s", length, names[strand], from, to);
        out->points[slot].legend = out->legends[slot];
    }
}

/* From each outline to the next; that of a series of one size to its point. */
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

/* Series of one workload are named alike up to the first "-" or blank: "dgemm-blocked cold". Where those of several
 * numbers of threads are in one picture, each number is for itself. */
static bool same_workload(const struct entry *a, const struct entry *b) {
    size_t length = strcspn(a->point.series, "- ");
    return a->roofs == b->roofs && length == strcspn(b->point.series, "- ") &&
           strncmp(a->point.series, b->point.series, length) == 0;
}

/* "stream-copy" and "stream-add" have a name in common, but not their work. */
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

static void join_equal_sizes(struct points *out, struct strands *s, enum chart_join join) {
    bool said = false;
    for (size_t strand = 0; strand < s->count && join != JOIN_NONE; strand++)
        for (size_t i = s->first[strand]; i < s->first[strand + 1]; i++) {
            const struct entry *entry = s->entries[i];
            size_t members = 0;
            if (s->joined[i] || (join == JOIN_PAIRS && implementations_of(s, strand) != 2))
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

void points_join_series(struct points *out, const struct roofs *roofs, const struct chart_options *options,
                        const struct entry *entries, size_t count) {
    struct strands strands = {0};
    find_strands(&strands, entries, count);
    name_series(out, &strands);
    label_sizes(out, &strands, roofs);
    join_equal_sizes(out, &strands, options->join);
    join_points(out, &strands);
}
