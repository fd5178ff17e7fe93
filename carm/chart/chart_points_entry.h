/* SPDX-License-Identifier: BSD-3-Clause
 * One point on its way into a chart: whether it is drawn and why not, and how much of its roof it reaches. */
#ifndef CARM_CHART_CHART_POINTS_ENTRY_H
#define CARM_CHART_CHART_POINTS_ENTRY_H

#include "chart_points.h"

#include "carm/model/verdict.h"

/* What becomes of a point: it is drawn, or the reason why it is not. */
enum fate {
    DRAWN,
    NO_WORK,       /* its flop, its time, or all of its bytes are not known or 0 */
    ONLY_TRAFFIC,  /* the chart is over bytes that the core asks for, and only its DRAM bytes are known */
    OTHER_THREADS, /* the chart's roofs are of another number of threads */
    OTHER_TYPE,    /* the chart's ceilings are of another element type */
    OF_A_PART,     /* the chart's roofs are of a package or a memory node, and points are of the whole machine */
    NO_TRAFFIC,    /* the chart is over DRAM bytes, and the point's are not known */
    NO_SUCH_BYTES, /* it has no bytes of the kind that the chart is over, such as bytes that are stored */
    FAR_OFF,       /* more than a factor of a million off 1 flop/byte or off the highest ceiling */
    AS_WITHIN,     /* a loop whose work is that of a loop within it, as good as all: the two would lie on each other */
    TOO_MANY,      /* there is no room for more points (POINTS_MAX, POINTS_MAX_ALONE) */
    NO_MISSES,     /* a chart of TLBs: it is known to have none */
    NOT_KNOWN,     /* a chart by size: what it shows is not known of the point */
    FATES          /* the number of fates */
};

/* What of its roof a point reaches, as the chart tells: by core bytes its verdict's, else by the bytes of the chart. */
struct attained {
    const char *by; /* the level, or "compute"; NULL: not judged */
    double ratio;   /* reached / allowed */
    bool unsure;    /* whether its data come from that level is not known */
};

/* A point of the result with all that a chart works out about it. */
struct entry {
    struct app_point point;         /* a copy, with pseudo-flop in place of flop where the options ask for them */
    const struct app_point *origin; /* the point in the result; borrowed */
    const char *detail;             /* the text for hovering; NULL: none of its own */
    const struct roofs *roofs;      /* those that it belongs to, or the first where there are none */
    size_t group, slot;     /* the number of its group (chart_groups.h); once placed, its index in points.points */
    size_t workload;        /* the number of its group whatever the threads: its colour where both are drawn */
    size_t look;            /* by which of these it looks, apart from the others in this picture */
    struct verdict verdict; /* which roof binds it */
    struct attained reach;  /* and how much of it is reached; of what is placed */
    struct statistics x, y; /* its place: flop/byte, and flop/s or flop/cycle; n is 0 where not known */
    double radius;          /* of its marker, in points */
    bool sized;             /* the marker's area goes by its share of the program's time */
    enum fate fate;
    struct doubts doubts; /* its verdict's that the chart marks; none unless it is drawn */
    bool traffic_unknown; /* its DRAM traffic, although the chart shows that of others */
    unsigned threads;     /* the number of threads of the roofs that it belongs to; 0: there are no such roofs */
    char type[8];         /* the element type of the roofs that it belongs to: "f64" */
};

/* Joins the points of each series in `out`, which have been placed, by lines, labels the ends of the series instead of
 * each point, and draws the lines between equal sizes that the options ask for. `entries` are those of all `count`
 * points, drawn or not. */
void points_join_series(struct points *out, const struct roofs *roofs, const struct chart_options *options,
                        const struct entry *entries, size_t count);

/* How much of which roof the point reaches; and the same beside its marker, "DRAM 82 %", with the threads where the
 * roofs are of more. */
struct attained points_reach(const struct roofs *roofs, const struct entry *entry);
void points_write_reach(const struct entry *entry, char *out, size_t size);

/* For each placed point that says how much it reaches: a line to its roof, a piece of that roof, and its ghost; ghosts
 * only where no outlines are. */
void points_show_reach(struct points *out, const struct roofs *roofs, const struct entry *entries, size_t count);

/* Writes the notes: which points are not drawn and why, and the doubts about those that are drawn. */
void points_write_notes(struct notes *out, const struct entry *entries, size_t count);

#endif
