/* SPDX-License-Identifier: BSD-3-Clause
 * What there is to note about the points of a picture: those that are not drawn, and why; doubts about those that are.
 */
#ifndef CARM_CHART_POINTS_NOTES_H
#define CARM_CHART_POINTS_NOTES_H

#include "chart_points.h"
#include "verdict.h"

/* What becomes of a point. All but the first keep it out of the picture. */
enum fate { DRAWN, NO_WORK, ONLY_TRAFFIC, OTHER_THREADS, OTHER_TYPE, OF_A_PART, NO_TRAFFIC, FAR_OFF, TOO_MANY, FATES };

/* Beside the bits of doubts. */
#define REMARK_ABOVE      (UINT32_C(1) << 30)
#define REMARK_NO_TRAFFIC (UINT32_C(1) << 31)

/* One point on its way into the picture. */
struct entry {
    const struct app_point *point;
    struct verdict verdict;
    double x, radius;
    bool sized; /* by its share of time */
    enum fate fate;
    uint32_t remarks; /* its doubts, and more; of a point that is drawn */
    unsigned threads; /* and type of the roofs that it belongs to; 0: there are none of its threads */
    const char *type;
};

/* Writes the notes of points that are placed. */
void points_write_notes(struct points *out, const struct entry *entries, size_t count);

#endif
