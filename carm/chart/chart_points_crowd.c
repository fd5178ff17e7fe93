/* SPDX-License-Identifier: BSD-3-Clause
 * Crowds of points: of many only those that take longest have names, and the legend tells of the rest (see
 * chart_points_entry.h). Series have their own way with labels. */
#include "chart_points_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/units.h"

enum { CROWD_FROM = 16, NAMED = 10 };

/* Longest first. */
static int by_time(const void *a, const void *b) {
    const struct entry *p = *(const struct entry *const *)a, *q = *(const struct entry *const *)b;
    const double p_s = p->point.seconds.median, q_s = q->point.seconds.median;
    if (p_s != q_s)
        return p_s > q_s ? -1 : 1;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

/* "and 12 more, all below 2 % of the time" of parts of one program, else "… all below 0.3 s". */
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

/* In the row of one that has none yet. */
static void tell_rest(struct points *out, const struct entry *const *rest, size_t count, bool parts) {
    size_t slot = rest[0]->slot;
    for (size_t i = count; i-- > 0;)
        if (!out->points[rest[i]->slot].legend)
            slot = rest[i]->slot;
    const size_t length = out->points[slot].legend ? strlen(strncat(out->legends[slot], ", ", 3)) : 0;
    write_rest(rest, count, parts, out->legends[slot] + length, sizeof out->legends[0] - length);
    out->points[slot].legend = out->legends[slot];
}

void points_thin_crowd(struct points *out, const struct entry *entries, size_t count) {
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
    for (size_t i = NAMED; i < found; i++)
        out->points[alone[i]->slot].label = out->points[alone[i]->slot].sublabel = NULL;
    tell_rest(out, alone + NAMED, found - NAMED, parts);
}
