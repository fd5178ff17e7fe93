/* SPDX-License-Identifier: BSD-3-Clause
 * How long each link between the core, its caches and memory would need for what passed over it, if that were all:
 * simulated bytes (struct point_levels) over what that link was measured to move. Pure.
 *
 * Between the core and L1 that is the roof of L1 that fits the program's own code. Further out it is the pattern whose
 * traffic has the nearest share of writes, the fastest of those, with its data in the level outside (in memory): what
 * it moves there, write-allocate and write-back included. Unchanged lines that a level of victims takes are in the
 * bytes of the link, but need no time of their own: a pattern moves one for each line that it fetches, too, which was
 * in its time when it was measured. */
#ifndef CARM_LINK_TIMES_H
#define CARM_LINK_TIMES_H

#include "applicable_roofs.h"

struct link_time {
    char name[24];           /* "core ⇄ L1", "L3 ⇄ DRAM" */
    char level[8];           /* the level outside, whose roof it is: "L1", "DRAM" */
    const struct roof *roof; /* NULL: none was measured */
    double bytes, low_bytes, high_bytes;
    double allowed_bytes_per_s; /* of such traffic, victims included; 0 without a roof */
    double seconds;             /* that it needs alone; 0 without a roof */
    double share;               /* of the point's time; 0 where one of them is not known */
    double flop_per_byte;       /* of this link; 0: no flop, or no bytes */
};

enum { LINK_TIMES_CEILING = -1, LINK_TIMES_NONE = -2 };

struct link_times {
    unsigned count; /* from the core outwards; 0: nothing was simulated */
    struct link_time link[POINT_LINKS_MAX];
    const struct roof *ceiling; /* of its own code, or where it exceeds that, the highest; NULL: none, or no flop */
    double ceiling_seconds, ceiling_share;
    int longest, second; /* which of them need the most time: a link, LINK_TIMES_CEILING or LINK_TIMES_NONE */
};

struct link_times link_times_find(const struct model *model, const struct app_point *point);

/* Of a link, or of LINK_TIMES_CEILING: its roof, its seconds, and the share of the point's time that these are. */
const struct roof *link_times_roof(const struct link_times *times, int which);
double link_times_seconds(const struct link_times *times, int which);
double link_times_share(const struct link_times *times, int which);

#endif
