/* SPDX-License-Identifier: BSD-3-Clause
 * Results of thousands of nodes: grouped by machine type, what is usual in each group, and which nodes stand apart.
 * Only fleet_read() does I/O; the rest is pure. */
#ifndef CARM_FLEET_H
#define CARM_FLEET_H

#include "carm/compare/check.h"
#include "carm/store/result_paths.h"

enum {
    FLEET_LEVELS = MACHINE_MAX_CACHES, /* caches that are kept of a node */
    FLEET_GROUP_LEAST = 3              /* nodes of a group that is judged: fewer do not tell what is usual */
};

/* The machine that a result says it was measured on. */
struct fleet_machine {
    char host[64], cpu[64], uarch[64]; /* host name, the CPU's brand, microarchitecture */
    unsigned family, model, stepping, packages,
        cores;              /* as CPUID tells them; packages and cores of the whole machine, allowed or not */
    unsigned allowed_cores; /* cores that could be measured */
    uint64_t memory_bytes;  /* memory that the system shows */
};

#define FLEET_NONE ((size_t)-1)

/* What is kept of a roof. */
struct fleet_value {
    uint32_t key; /* its number in the fleet's keys */
    uint32_t doubts;
    float value, clock_hz; /* as in samples; 0: not known */
    float low, high;       /* 0, 0: not known */
};

struct fleet_cache {
    char level[8];
    uint64_t detected_bytes, found_bytes; /* found: where the sweep saw it end, 0 where it saw no end */
};

struct fleet_node {
    const char *path; /* borrowed from the paths */
    struct fleet_machine machine;
    int64_t started_s; /* since 1970 */
    double elapsed_s;
    bool interrupted;
    bool older; /* its host has a newer result: not looked at */
    unsigned cache_count;
    struct fleet_cache caches[FLEET_LEVELS]; /* of the first core kind */
    size_t count;
    struct fleet_value *values;
};

/* A file that is no result. */
struct fleet_refusal {
    const char *path;
    char why[256];
};

struct fleet {
    size_t count, refusal_count;
    struct fleet_node *nodes;
    struct fleet_refusal *refusals;
    struct roof_keys keys;
};

/* Reads all of them in parallel. Error: none of them is a result; the first one's reason. */
bool fleet_read(const struct result_paths *paths, struct fleet *out, struct error *err);
void fleet_free(struct fleet *fleet);

/* Where a host has several results, all but its newest are `older`: if `latest`, or if most hosts have several, so that
 * this is a history. Elsewhere they are left, and reported: two nodes may answer to one name. Returns how many. */
size_t fleet_drop_older(struct fleet *fleet, bool latest);

struct fleet_machine fleet_machine_of(const struct result *result);

/* Whether two are of one type but for their memory: CPU and number of cores. */
bool fleet_same_cpu(const struct fleet_machine *a, const struct fleet_machine *b);

/* Installed memory as it is sold, of which the system shows a little less: 1 or 1.5 times a power of two. */
uint64_t fleet_memory_class(uint64_t bytes);

/* Roofs that one fault makes slow together: of one instruction set and kind of operation, or of one level. */
struct fleet_class {
    struct roof_key key;  /* its kernel is "avx512.fma", "avx512.other", "random" or "" */
    double tolerance;     /* the least deviation that counts */
    double center, sigma; /* of the members' deviations: median, and fleet_sigma() of their MAD */
    double *deviations;   /* of each member: the median of its roofs' deviations; NaN: none can be compared */
    double *lows, *highs; /* the same of the ends of its roofs' intervals */
};

/* A roof of a group. */
struct fleet_roof {
    size_t holders;     /* members that have it */
    size_t class;       /* its number */
    double median, mad; /* of the values; NaN where nobody has it */
    double clock_hz;    /* median */
};

struct fleet_group {
    char name[192]; /* "Granite Rapids · 2 cores · 24 GiB"; longer where two types would be named alike */
    struct fleet_machine typical;
    bool judged; /* it has FLEET_GROUP_LEAST members or more */
    size_t count, class_count, outlier_count;
    size_t *members;          /* numbers of nodes */
    struct fleet_roof *roofs; /* of the fleet's keys */
    struct fleet_class *classes;
    struct fleet_cache caches[FLEET_LEVELS]; /* medians; found 0 also where members disagree */
    unsigned cache_count;
};

/* The standard deviation of normal numbers with this median absolute deviation; but never below a tenth of the
 * tolerance: numbers that agree better agree by chance. */
double fleet_sigma(double mad, double tolerance);

/* By falling size. */
struct fleet_groups {
    size_t count;
    struct fleet_group *groups;
};
struct fleet_groups fleet_group(const struct fleet *fleet);

/* Where a value lies in nine of ten cases; where that is not known, where it was measured. */
struct compare_interval fleet_interval(const struct fleet_value *value);

/* Fills a group that has its members: all but name and outliers. */
void fleet_find_usual(const struct fleet *fleet, struct fleet_group *group);

/* What all cores reach tells nothing of a node that was given another number of them. */
bool fleet_comparable(const struct fleet_group *group, const struct fleet_machine *machine, const struct roof_key *key);
void fleet_groups_free(struct fleet_groups *groups);

/* What is wrong with a node, as far as its numbers tell. */
struct fleet_outlier {
    size_t node, group;
    char diagnosis[64]; /* "lost DIMM or channel": the first, of several the gravest */
    char text[400];     /* all of it, in words */
    size_t key;         /* of the roof that gives it away, its number in the fleet's keys; FLEET_NONE: none does */
    size_t class;       /* that roof's, its number in the group; FLEET_NONE: its class is as usual */
    double value, median, deviation; /* of that roof; NaN where there is none */
    double z;                        /* of its class, or where it alone is slow its own: in robust sigmas */
    uint32_t doubts;                 /* about how it was measured */
};

struct fleet_report {
    size_t count;
    struct fleet_outlier *outliers; /* by group, then by host */
};
struct fleet_report fleet_judge(const struct fleet *fleet, struct fleet_groups *groups);
void fleet_report_free(struct fleet_report *report);

/* The class that stands for a kind and level: of all cores, else of one; of compute that of FMA of the widest
 * instruction set, of memory without random lines. FLEET_NONE: there is none. */
size_t fleet_headline(const struct fleet_group *group, enum sample_kind kind, const char *level);

#endif
