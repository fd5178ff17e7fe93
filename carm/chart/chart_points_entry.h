/* SPDX-License-Identifier: BSD-3-Clause
 * One point on its way into a chart: whether it is drawn and why not, and how much of its roof it reaches. */
#pragma once

#include "chart_points.h"

#include "carm/model/verdict.h"

/* Whether a point is drawn, or why it is not. */
enum fate {
    DRAWN,
    NO_WORK,       /* its flop, its time, or all of its bytes are unknown or 0 */
    ONLY_TRAFFIC,  /* the chart is over bytes requested by the core, but only its DRAM bytes are known */
    OTHER_THREADS, /* the chart's roofs have another number of threads */
    OTHER_TYPE,    /* the chart's ceilings have another element type */
    OF_A_PART,     /* the chart's roofs are those of a package or a memory node; points are of the whole machine */
    NO_TRAFFIC,    /* the chart is over DRAM bytes, but the point's are unknown */
    NO_SUCH_BYTES, /* it has no bytes of the chart's kind, such as stored bytes */
    FAR_OFF,       /* more than a factor of a million off 1 flop/byte or off the highest ceiling */
    OUTSIDE,       /* beyond the limits of the axes that the user chose */
    AS_WITHIN,     /* a loop with nearly the same work as a loop within it: the two points would cover each other */
    TOO_MANY,      /* no room for more points (POINTS_MAX, POINTS_MAX_ALONE) */
    NO_MISSES,     /* a chart of TLBs: the point has no misses */
    NOT_KNOWN,     /* a chart by size: the point's value is unknown */
    FATES          /* the number of fates */
};

/* The share of its roof that a point reaches: by core bytes as its verdict says, else by the chart's bytes. */
struct attained {
    const char *by; /* the level, or "compute"; NULL: not judged */
    double ratio;   /* reached / allowed */
    bool unsure;    /* the level that serves its data is unknown */
};

/* A point of the result, with all that a chart works out about it. */
struct entry {
    struct app_point point;         /* a copy, with pseudo-flop instead of flop if the options want them */
    const struct app_point *origin; /* the point in the result; borrowed */
    const char *detail;             /* text for hovering; NULL: none */
    const struct roofs *roofs;      /* the roofs of its number of threads, else the first roofs */
    size_t group, slot;     /* the number of its group (chart_groups.h); once placed, its index in points.points */
    size_t workload;        /* its group whatever the threads: sets the colour if several are drawn */
    size_t look;            /* the number of its look in this picture */
    struct verdict verdict; /* the roof that binds it */
    struct attained reach;  /* the share of that roof that it reaches; set for placed points */
    struct statistics x, y; /* its place: flop/byte, and flop/s or flop/cycle; n is 0 if unknown */
    double radius;          /* of its marker, in points */
    bool sized;             /* the marker's area shows its share of the program's time */
    enum fate fate;
    struct doubts doubts; /* doubts of its verdict that the chart marks; empty unless it is drawn */
    bool traffic_unknown; /* its DRAM traffic is unknown, but the chart shows that of others */
    unsigned threads;     /* number of threads of its roofs; 0: it has no roofs */
    char type[8];         /* element type of its roofs: "f64" */
};

/* Joins the placed points of each series in `out` by lines, labels the ends of the series instead of each point, and
 * draws the lines between equal sizes that the options choose. `entries` has all `count` points, drawn or not. */
void points_join_series(struct points *out, const struct roofs *roofs, const struct chart_options *options,
                        const struct entry *entries, size_t count);

/* Joins the placed phases of each program, in the order of the result, which is that of time. */
void points_join_phases(struct points *out, const struct entry *entries, size_t count);

/* The share of its roof that the point reaches; and its text beside the marker, "DRAM 82 %", with the threads if the
 * roofs have more. */
struct attained points_reach(const struct roofs *roofs, const struct entry *entry);
void points_write_reach(const struct entry *entry, char *out, size_t size);

/* Draws for each placed point with a known share: a stem to its roof, a piece of that roof, and its ghost. There are
 * no ghosts beside outlines. */
void points_show_reach(struct points *out, const struct roofs *roofs, const struct entry *entries, size_t count);

/* Writes the notes: which points are not drawn and why, and doubts about drawn points. */
void points_write_notes(struct notes *out, const struct entry *entries, size_t count);
