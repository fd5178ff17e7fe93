/* SPDX-License-Identifier: BSD-3-Clause
 * One point on its way into a roofline: what becomes of it, and why. */
#ifndef CARM_CHART_POINTS_ENTRY_H
#define CARM_CHART_POINTS_ENTRY_H

#include "chart_points.h"
#include "carm/model/verdict.h"

/* What becomes of a point. All but the first keep it out of the picture. */
enum fate {
    DRAWN,
    NO_WORK,
    ONLY_TRAFFIC,
    OTHER_THREADS,
    OTHER_TYPE,
    OF_A_PART,
    NO_TRAFFIC,
    NO_SUCH_BYTES,
    FAR_OFF,
    TOO_MANY,
    NOT_KNOWN,
    FATES
};

/* Remarks that are no doubts: bits above the 32 that are kept for those. */
#define REMARK_ABOVE      (UINT64_C(1) << 32)
#define REMARK_NO_TRAFFIC (UINT64_C(1) << 33)

struct entry {
    struct app_point point;         /* with pseudo-flop where those are drawn */
    const struct app_point *origin; /* in the result */
    const char *detail;             /* for hovering */
    size_t group, slot;             /* see chart_groups.h; its place in points.points */
    struct verdict verdict;
    struct statistics x, y;
    double radius;
    bool sized; /* by its share of time */
    enum fate fate;
    uint64_t remarks; /* its doubts, and more; of a point that is drawn */
    unsigned threads; /* and type of the roofs that it belongs to; 0: there are none of its threads */
    const char *type;
};

/* Lines and labels of the series among the points that are placed. */
void points_join_series(struct points *out, const struct roofs *roofs, const struct chart_options *options,
                        const struct entry *entries, size_t count);

/* Those that are not drawn, and why; doubts about those that are. */
void points_write_notes(struct notes *out, const struct entry *entries, size_t count);

#endif
