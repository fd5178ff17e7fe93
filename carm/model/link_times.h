/* SPDX-License-Identifier: BSD-3-Clause
 * The time that each link between core, caches and memory would need for its traffic alone: simulated bytes (struct
 * point_levels) over the measured rate of that link. Pure.
 *
 * The link between core and L1 has the roof of L1 that fits the program's own code. Each outer link has the fastest
 * pattern whose traffic has the nearest share of writes, with its data in the outer level (or memory), write-allocate
 * and write-back included. Unchanged lines that a victim cache takes count as bytes of the link but need no time of
 * their own: a pattern moves one for each line that it fetches, and the measured time includes that. */
#pragma once

#include "applicable_roofs.h"
#include "bench/programs/app_point.h"

struct link_time {
    char name[24];           /* "core ⇄ L1", "L3 ⇄ DRAM" */
    char level[8];           /* the outer level, whose roof it is: "L1", "DRAM" */
    const struct roof *roof; /* NULL: not measured */
    double bytes, low_bytes, high_bytes;
    double allowed_bytes_per_s; /* for such traffic, victims included; 0 without a roof */
    double seconds;             /* needed alone; 0 without a roof */
    double share;               /* of the point's time; 0: unknown */
    double flop_per_byte;       /* of this link; 0: no flop or no bytes */
};

enum { LINK_TIMES_CEILING = -1, LINK_TIMES_NONE = -2 };

struct link_times {
    unsigned count; /* from the core outwards; 0: nothing was simulated */
    struct link_time link[POINT_LINKS_MAX];
    const struct roof *ceiling; /* of its own code, or if it exceeds that, the highest; NULL: none, or no flop */
    double ceiling_seconds, ceiling_share;
    int longest, second; /* the longest and the second longest: a link, LINK_TIMES_CEILING or LINK_TIMES_NONE */
};

struct link_times link_times_find(const struct model *model, const struct app_point *point);

/* For a link or LINK_TIMES_CEILING: its roof, its seconds, and their share of the point's time. */
const struct roof *link_times_roof(const struct link_times *times, int which);
double link_times_seconds(const struct link_times *times, int which);
double link_times_share(const struct link_times *times, int which);
