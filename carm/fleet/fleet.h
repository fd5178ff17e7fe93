/* SPDX-License-Identifier: BSD-3-Clause
 * Results of thousands of nodes: grouped by machine type, what is usual in each group, and which nodes stand apart.
 * Only fleet_read() does I/O; the rest is pure. */
#ifndef CARM_FLEET_H
#define CARM_FLEET_H

#include "bench/kernels/others.h"
#include "carm/compare/check.h"
#include "carm/store/result_paths.h"

enum {
    FLEET_LEVELS = MACHINE_MAX_CACHES, /* caches that are kept of a node */
    FLEET_GROUP_LEAST = 3,             /* nodes of a group that is judged: fewer do not tell what is usual */
    FLEET_DETAIL_BYTES = 64,
    FLEET_DIFFERENCE_BYTES = 96 /* of what makes a machine another than others: "Granite Rapids (Redwood Cove)" */
};

/* Of its memory: systems keep less than that for themselves, and all the same. */
#define FLEET_MEMORY_LOST 0.03

/* The machine that a result says it was measured on. */
struct fleet_machine {
    /* Host name, the CPU's brand, and the microarchitecture that its model number and features tell; "": not known. */
    char host[64], cpu[64], uarch[64];
    uint32_t features;        /* what it may execute, bits of enum cpu_feature */
    unsigned family, model;   /* as CPUID tells them, which a hypervisor may mask */
    unsigned packages, cores; /* of the whole machine, whether they were allowed or not */
    unsigned allowed_cores;   /* cores that could be measured */
    unsigned allowed_pus;     /* hardware threads that could be used */
    double cpu_quota_cpus;    /* CPUs' worth of time that a control group grants; 0: enough for all of these */
    uint64_t memory_bytes;    /* memory that the system shows */
    /* The caches of a core: as detected; where a sweep saw one hold much more, so much. 0: not known. */
    uint64_t l1_bytes, l2_bytes;
    /* How it is set: by the system and the firmware. "" and 0: not known. */
    char governor[32], huge_pages[32], microcode[32];
    unsigned pus, memory_nodes; /* hardware threads of all cores; parts that its memory is divided into */
};

/* An index that points nowhere. */
#define FLEET_NONE ((size_t)-1)

/* One roof of one node. */
struct fleet_value {
    struct doubts doubts;
    uint32_t key;          /* which roof it is: its index in fleet.keys */
    uint32_t reserved;     /* 0: no byte of an index is padding */
    float value, clock_hz; /* sample.value in flop/s, bytes/s or s, and the core clock; 0: not known */
    float low, high;       /* the interval of the value, in its unit; 0 and 0: not known */
};

/* One cache level of a node, or of a group. */
struct fleet_cache {
    char level[8]; /* "L2" */
    uint64_t detected_bytes,
        found_bytes; /* the size that was detected; that at which the sweep saw it end, 0: nowhere */
};

/* One result file. */
struct fleet_node {
    const char *path; /* borrowed from the paths that were read */
    struct fleet_machine machine;
    int64_t started_s;    /* when the measurement began, in seconds since 1970 */
    double elapsed_s;     /* how long it took */
    struct others others; /* programs that ran beside */
    bool interrupted;     /* it was stopped before its end */
    bool older;           /* its host has a newer result, so that this one is not looked at */
    unsigned cache_count;
    struct fleet_cache caches[FLEET_LEVELS]; /* the caches of the first core kind */
    size_t count;
    struct fleet_value *values; /* its roofs; allocated */
};

/* A file that is no result. */
struct fleet_refusal {
    const char *path; /* borrowed from the paths that were read */
    char why[256];    /* the error that reading it gave */
};

/* All files that were read. */
struct fleet {
    size_t count, refusal_count; /* entries of nodes and of refusals */
    struct fleet_node *nodes;
    struct fleet_refusal *refusals;
    struct roof_keys keys; /* the roofs that any node has, which values and groups name by their index */
    const struct check_limits
        *limits; /* borrowed: how far nodes may be off; NULL: the usual, and each group's spread */
};

/* Reads all files in parallel; those that are no results become refusals. Keys are numbered in the order of the files.
 * `indexed`: what a folder's index knows is not read again, and the index is kept up to date (fleet_index.h); what
 * comes out is the same. The caller ends with fleet_free() in any case. Error: none of the files is a result; the error
 * is that of the first one. */
bool fleet_read(const struct result_paths *paths, bool indexed, struct fleet *out, struct error *err);

/* Frees what fleet_read() allocated. */
void fleet_free(struct fleet *fleet);

/* Marks all results of a host but its newest as `older`. It does so where `latest` is set, or where most hosts have
 * several results, which then are a history. Otherwise nothing is marked, and several results of one host are reported:
 * two nodes may answer to one name. Returns the number of nodes that it marked. */
size_t fleet_drop_older(struct fleet *fleet, bool latest);

/* The machine that the result was measured on. */
struct fleet_machine fleet_machine_of(const struct result *result);

/* Whether two machines have the same CPU: brand, core, caches of a core, number of cores and packages. Their memory may
 * differ. A core is its microarchitecture, as far as that was identified, whatever the model number; else family, model
 * number and instruction sets. */
bool fleet_same_cpu(const struct fleet_machine *a, const struct fleet_machine *b);

/* Writes what `own` has where it is another CPU than `other`, the plainest difference: "Another CPU", "Granite Rapids
 * (Redwood Cove)", "L2 of 1 MiB", "with amx_fp16", "64 cores in 2 packages". False, with "": they are the same. */
bool fleet_difference(const struct fleet_machine *own, const struct fleet_machine *other,
                      char out[FLEET_DIFFERENCE_BYTES]);

/* How much memory is installed, in bytes, where the system shows `bytes`, which is a little less: memory is sold in
 * sizes of 1 or 1.5 times a power of two. */
uint64_t fleet_memory_class(uint64_t bytes);

/* A class: the roofs of a group that one fault makes slow together, of one instruction set and kind of operation, or of
 * one level. Deviations are relative to the group's median of each roof: -0.3 is 30 % below. The arrays have an entry
 * for each member of the group. */
struct fleet_class {
    struct roof_key key;  /* what its roofs share; key.kernel is "avx512.fma", "avx512.other", "random" or "" */
    double tolerance;     /* smaller deviations do not count: in large groups so that their spread decides */
    double center, sigma; /* the median of the members' deviations, and fleet_sigma() of their MAD */
    double *deviations;   /* the median of the deviations of the member's roofs; NaN: no roof of it can be compared */
    double *lows, *highs; /* the medians of the deviations of the lower and upper ends of its roofs' intervals */
};

/* One roof over all members of a group. */
struct fleet_roof {
    size_t holders;     /* members that have it */
    size_t class;       /* the index of its class in group.classes; FLEET_NONE: it is of no class */
    double median, mad; /* median and median absolute deviation of the members' values, in their unit; NaN: no member */
    /* Relative to the median: what it may be off alone, and fleet_sigma() of its MAD. */
    double tolerance, sigma;
    double clock_hz; /* the median of the core clocks */
};

/* What is usual of a quantity: the median of the members, and fleet_sigma() of their MAD. */
struct fleet_usual {
    double median, sigma;
};

/* The nodes of one machine type, and what is usual among them. */
struct fleet_group {
    char name[192]; /* "Granite Rapids · 2 cores · 24 GiB"; longer where two types would otherwise be named alike */
    struct fleet_machine typical; /* the machine type, as a member states it */
    bool judged;                  /* it has FLEET_GROUP_LEAST members or more */
    size_t count, class_count,
        outlier_count; /* members, classes, and members that fleet_judge() found to stand apart */
    struct fleet_usual others, busiest_other; /* CPUs that other programs used, and the busiest of them */
    struct fleet_usual clock;                 /* the members' clocks, relative to the median of each roof */
    double *clock_deviations;                 /* of each member: the median over its compute roofs; NaN: not known */
    size_t *members;                          /* their indices in fleet.nodes */
    struct fleet_roof *roofs;                 /* one for each of fleet.keys */
    struct fleet_class *classes;
    struct fleet_cache caches[FLEET_LEVELS]; /* median sizes; found_bytes is 0 also where members disagree */
    unsigned cache_count;
};

/* The standard deviation of normally distributed numbers whose median absolute deviation is `mad` (1.4826 times as
 * much), but no less than a tenth of the tolerance: numbers that agree better than that do so by chance. */
double fleet_sigma(double mad, double tolerance);

/* Whether so relative a deviation from what is usual in a class stands apart: beyond the tolerance and so many sigmas
 * that of some million numbers not one lies so far off by chance. NaN does not. */
bool fleet_is_apart(const struct fleet_class *class, double deviation);

/* Whether the member's clock stands apart from the group's, as classes do. */
bool fleet_clock_is_apart(const struct fleet_group *group, size_t member);

/* All groups, the largest first. */
struct fleet_groups {
    size_t count;
    struct fleet_group *groups; /* allocated */
};

/* Groups the nodes that are not `older` by machine type and finds what is usual in each group. The groups refer to the
 * fleet, which has to outlive them; the caller ends with fleet_groups_free(). */
struct fleet_groups fleet_group(const struct fleet *fleet);

/* The interval in which the value lies in nine of ten cases; from the value to the value where no interval is known. */
struct compare_interval fleet_interval(const struct fleet_value *value);

/* Finds roofs, classes and caches of a group whose members are set. */
void fleet_find_usual(const struct fleet *fleet, struct fleet_group *group);

/* Whether this roof of a node can be compared with the group: what all cores reach together cannot when the node was
 * allowed another number of cores than is typical. */
bool fleet_comparable(const struct fleet_group *group, const struct fleet_machine *machine, const struct roof_key *key);

/* A setting that nodes of one type should agree in: its name, that of its column in CSV, and a node's value as
 * text. */
enum { FLEET_SETTING_BYTES = 32 };
struct fleet_setting {
    const char *name, *key; /* NULL: the table ends here */
    void (*write)(const struct fleet_machine *machine, char *out);
};
extern const struct fleet_setting fleet_settings[];

/* A value that nodes of a group have. */
struct fleet_setting_value {
    char text[FLEET_SETTING_BYTES];
    size_t count, first_node; /* nodes that have it, and the first of them, an index in fleet.nodes */
};

/* The values of a setting in a group, the most frequent first; `*out` is allocated. 1: all nodes agree. */
size_t fleet_setting_values(const struct fleet *fleet, const struct fleet_group *group,
                            const struct fleet_setting *setting, struct fleet_setting_value **out);

/* Frees what fleet_group() allocated. */
void fleet_groups_free(struct fleet_groups *groups);

/* A node that stands apart, and what is wrong with it as far as its numbers tell. */
struct fleet_outlier {
    size_t node, group;              /* indices in fleet.nodes and fleet_groups.groups */
    size_t member;                   /* its index in the group's members */
    char diagnosis[64];              /* "lost DIMM or channel"; the gravest where there are several */
    char detail[FLEET_DETAIL_BYTES]; /* what a table says behind the diagnosis: "1.0 CPUs: hog"; "": nothing */
    uint32_t diagnoses;              /* all of them, a bit for each */
    char text[1000];                 /* all diagnoses in words */
    size_t key;   /* the roof that gives the node away, an index in fleet.keys; FLEET_NONE: no single roof does */
    size_t class; /* the class of that roof, an index in group.classes; FLEET_NONE: the class is as usual */
    double value, median,
        deviation;        /* of that roof: the node's value, the group's median, value / median - 1; NaN: none */
    double z;             /* deviation in robust sigmas: that of the class, or of the roof where it is slow alone */
    struct doubts doubts; /* doubts about how that roof was measured */
    /* The first outlier that this one is alike to, an index in fleet_report.outliers: its own where it is the first;
     * and of a first one how many there are, itself among them; else 0. */
    size_t first_alike, alike_count;
};

/* All nodes that stand apart. */
struct fleet_report {
    size_t count;
    struct fleet_outlier *outliers; /* by group, within a group by host; allocated */
};

/* Judges each node of each group that can be judged, counts the outliers in the groups, and finds those that are alike.
 * The caller ends with fleet_report_free(). */
struct fleet_report fleet_judge(const struct fleet *fleet, struct fleet_groups *groups);

/* Sets first_alike and alike_count of all outliers. Two of a group are alike where all diagnoses are the same and they
 * would not stand apart from each other, in any class of roofs or in memory. */
void fleet_find_alike(const struct fleet *fleet, const struct fleet_groups *groups, struct fleet_report *report);

/* Frees what fleet_judge() allocated. */
void fleet_report_free(struct fleet_report *report);

/* The index in group->classes of the class that stands for all roofs of a kind and level: that of all cores, or of one
 * core where there is none; for compute that of FMA in the widest instruction set, for memory one without random lines.
 * `level` is "" for compute. FLEET_NONE: the group has no such class. */
size_t fleet_headline(const struct fleet_group *group, enum sample_kind kind, const char *level);

#endif
