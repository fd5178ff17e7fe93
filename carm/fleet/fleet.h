/* SPDX-License-Identifier: BSD-3-Clause
 * Results of thousands of nodes, grouped by machine type: the usual values of each group, and the nodes that stand
 * out. Only fleet_read() does I/O; the rest is pure. */
#pragma once

#include "bench/kernels/others.h"
#include "carm/compare/check.h"
#include "carm/store/file_io.h"
#include "probe/isa.h"
#include "probe/machine_limits.h"

enum {
    FLEET_LEVELS = MACHINE_MAX_CACHES, /* stored caches of a node */
    FLEET_DETAIL_BYTES = 64,
    FLEET_DIFFERENCE_BYTES = 96 /* of a difference between machines: "Granite Rapids (Redwood Cove)" */
};

/* The machine of a result, as the result describes it. */
struct fleet_machine {
    /* Host name, CPU brand, and the microarchitecture found from model number and features; "": unknown. */
    char host[64], cpu[64], uarch[64];
    cpu_features features;    /* supported instructions: bits of enum cpu_feature */
    unsigned family, model;   /* from CPUID; a hypervisor may mask them */
    unsigned packages, cores; /* of the whole machine, allowed or not */
    unsigned allowed_cores;   /* cores that the measurement may use */
    unsigned allowed_pus;     /* hardware threads that it may use */
    double cpu_quota_cpus;    /* CPU time that a control group grants, in CPUs; 0: no limit below allowed_pus */
    uint64_t memory_bytes;    /* memory that the system shows */
    /* Documented limit of memory (memory_peak.h), if all cores may be used; 0: unknown. */
    double dram_bytes_per_s;
    /* Caches of a core as detected, or as a sweep found them if that is much more. 0: unknown. */
    uint64_t l1_bytes, l2_bytes;
    /* Settings of system and firmware. "" and 0: unknown. */
    char governor[32], huge_pages[32], microcode[32];
    unsigned pus, memory_nodes; /* hardware threads of all cores; NUMA nodes */
};

/* No index. */
#define FLEET_NONE ((size_t)-1)

/* One roof of one node. */
struct fleet_value {
    struct doubts doubts;
    uint32_t key;          /* index of the roof in fleet.keys */
    uint32_t reserved;     /* 0: the struct has no padding */
    float value, clock_hz; /* sample.value in flop/s, bytes/s or s, and the core clock; 0: unknown */
    float low, high;       /* interval of the value, in its unit; 0 and 0: unknown */
};

/* One cache level of a node, or of a group. */
struct fleet_cache {
    char level[8];                        /* "L2" */
    uint64_t detected_bytes, found_bytes; /* detected size; size at which the sweep saw the cache end, 0: no end seen */
};

/* One result file. */
struct fleet_node {
    const char *path; /* borrowed from the paths that were read */
    struct fleet_machine machine;
    int64_t started_s;    /* start of the measurement, in seconds since 1970 */
    double elapsed_s;     /* its duration */
    struct others others; /* other programs that ran meanwhile */
    bool interrupted;     /* stopped before its end */
    bool older;           /* its host has a newer result; this one is ignored */
    unsigned cache_count;
    struct fleet_cache caches[FLEET_LEVELS]; /* caches of the first core kind */
    size_t count;
    struct fleet_value *values; /* its roofs; allocated */
};

/* A file that is not a result, or has only blank roofs. */
struct fleet_refusal {
    const char *path; /* borrowed from the paths that were read */
    char why[256];    /* the error from reading it */
};

/* All files that were read. */
struct fleet {
    size_t count, refusal_count; /* entries of nodes and of refusals */
    struct fleet_node *nodes;
    struct fleet_refusal *refusals;
    struct roof_keys keys; /* the roofs of all nodes; values and groups refer to them by index */
    const struct check_limits
        *limits; /* borrowed: the allowed deviations; NULL: the defaults and each group's spread */
};

/* Reads all files in parallel; files that are no results, or whose roofs are all blank, become refusals. Keys are
 * numbered in the order of the files. `indexed`: files that a folder's index knows are not read again, and the index is
 * updated (fleet_index.h); the outcome is the same. The caller ends with fleet_free() in any case. Error: no file is a
 * result; the error is the first file's. */
bool fleet_read(const struct result_paths *paths, bool indexed, struct fleet *out, struct error *err);

/* Frees what fleet_read() allocated. */
void fleet_free(struct fleet *fleet);

/* Whether two machines are one host: the same name and the same CPU. A name alone is not enough: "vm" and "localhost"
 * are names of many. */
bool fleet_same_host(const struct fleet_machine *a, const struct fleet_machine *b);

/* Marks all results of a host but the newest as `older` if `latest` is set, or if most hosts have several results:
 * then these are a history. Otherwise nothing is marked, and several results of one host are reported, because two
 * nodes may have one name. Returns the number of marked nodes. */
size_t fleet_drop_older(struct fleet *fleet, bool latest);

/* The machine of the result. */
struct fleet_machine fleet_machine_of(const struct result *result);

/* Whether two machines have the same CPU: brand, core, caches of a core, number of cores and packages. Their memory
 * may differ. An identified core is compared by its microarchitecture, whatever its model number; any other core by
 * family, model number and instruction sets. */
bool fleet_same_cpu(const struct fleet_machine *a, const struct fleet_machine *b);

/* Writes the plainest feature of `own` by which its CPU differs from that of `other`: "Another CPU", "Granite Rapids
 * (Redwood Cove)", "L2 of 1 MiB", "with amx_fp16", "64 cores in 2 packages". False, with "": they are the same. */
bool fleet_difference(const struct fleet_machine *own, const struct fleet_machine *other,
                      char out[FLEET_DIFFERENCE_BYTES]);

/* The installed memory, in bytes, of a system that shows `bytes`, which is a little less. Memory is sold in sizes of
 * 1 or 1.5 times a power of two. */
uint64_t fleet_memory_class(uint64_t bytes);

/* A class: the roofs of a group that one fault slows down together. They share an instruction set and a kind of
 * operation, or a level. Deviations are relative to the group's median of each roof: -0.3 is 30 % below. The arrays
 * have an entry for each member of the group. */
struct fleet_class {
    struct roof_key key;  /* what its roofs share; without a kernel, but of a figure, which is a class of its own */
    char isa[16];         /* of compute roofs: "avx512" */
    bool fma;             /* of compute roofs: FMA and dot products; else all other operations */
    bool random;          /* of bandwidths: random lines; else streams */
    double tolerance;     /* smaller deviations do not count; low in large groups, whose spread decides */
    double center, sigma; /* the median of the members' deviations, and fleet_sigma() of their MAD */
    double *deviations;   /* each member's median deviation over its roofs; NaN: no comparable roof */
    double *lows, *highs; /* the same for the lower and upper ends of the roofs' intervals */
};

/* Writes the operations of a class of compute roofs, "avx512.fma" or "avx512.other", and returns `out`. */
enum { FLEET_OPERATIONS_BYTES = 24 };
const char *fleet_operations(const struct fleet_class *class, char out[FLEET_OPERATIONS_BYTES]);

/* One roof over all members of a group. */
struct fleet_roof {
    size_t holders;     /* members that have it */
    size_t class;       /* index of its class in group.classes; FLEET_NONE: no class */
    double median, mad; /* median and median absolute deviation of the members' values, in their unit; NaN: no member */
    /* Relative to the median: tolerance for a roof that is slow alone, and fleet_sigma() of its MAD. */
    double tolerance, sigma;
    double clock_hz; /* median of the core clocks */
};

/* The usual value of a quantity: the members' median, and fleet_sigma() of their MAD. */
struct fleet_usual {
    double median, sigma;
};

/* The nodes of one machine type and their usual values. */
struct fleet_group {
    char name[192];               /* "Granite Rapids · 2 cores · 24 GiB"; longer if two types had the same name */
    struct fleet_machine typical; /* the machine type, from a member */
    bool judged;                  /* it has enough members (fleet_thresholds.h) */
    size_t count, class_count,
        outlier_count; /* numbers of members, of classes, and of members that fleet_judge() found to stand out */
    struct fleet_usual others, busiest_other; /* CPUs used by other programs together, and by the busiest of them */
    struct fleet_usual clock;                 /* the members' clocks, relative to the median of each roof */
    double *clock_deviations;                 /* of each member: the median over its compute roofs; NaN: unknown */
    size_t *members;                          /* their indices in fleet.nodes */
    struct fleet_roof *roofs;                 /* one for each of fleet.keys */
    struct fleet_class *classes;
    struct fleet_cache caches[FLEET_LEVELS]; /* median sizes; found_bytes is 0 also if members disagree */
    unsigned cache_count;
};

/* The standard deviation of a normal distribution whose median absolute deviation is `mad` (1.4826 times as much),
 * but at least a tenth of the tolerance: a smaller spread is chance. */
double fleet_sigma(double mad, double tolerance);

/* Whether a relative deviation from the class's usual value stands out: beyond the tolerance, and so many sigmas
 * away that chance does not do it once in some million numbers. False for NaN. */
bool fleet_is_apart(const struct fleet_class *class, double deviation);

/* Whether the member's clock stands out from the group's, by the same rule. */
bool fleet_clock_is_apart(const struct fleet_group *group, size_t member);

/* All groups, largest first. */
struct fleet_groups {
    size_t count;
    struct fleet_group *groups; /* allocated */
};

/* Groups the nodes that are not `older` by machine type and finds each group's usual values. The groups refer to the
 * fleet, which has to outlive them; the caller ends with fleet_groups_free(). */
struct fleet_groups fleet_group(const struct fleet *fleet);

/* The interval that holds the value in nine of ten cases; only the value itself if no interval is known. */
struct compare_interval fleet_interval(const struct fleet_value *value);

/* Finds roofs, classes and caches of a group whose members are set. */
void fleet_find_usual(const struct fleet *fleet, struct fleet_group *group);

/* Whether this roof of a node can be compared with the group. A roof of all cores cannot if the node was allowed
 * another number of cores than is typical. */
bool fleet_comparable(const struct fleet_group *group, const struct fleet_machine *machine, const struct roof_key *key);

/* A setting that nodes of one type should agree in: its name, its CSV column, and a node's value as text. */
enum { FLEET_SETTING_BYTES = 32 };
struct fleet_setting {
    const char *name, *key; /* NULL ends the table */
    void (*write)(const struct fleet_machine *machine, char *out);
};
extern const struct fleet_setting fleet_settings[];

/* A value of a setting, and the nodes of a group that have it. */
struct fleet_setting_value {
    char text[FLEET_SETTING_BYTES];
    size_t count, first_node; /* number of these nodes; the first of them, an index in fleet.nodes */
};

/* The values of a setting in a group, the most frequent first; `*out` is allocated. Returns their number; 1: all
 * nodes agree. */
size_t fleet_setting_values(const struct fleet *fleet, const struct fleet_group *group,
                            const struct fleet_setting *setting, struct fleet_setting_value **out);

/* Frees what fleet_group() allocated. */
void fleet_groups_free(struct fleet_groups *groups);

/* A node that stands out, and its faults as far as its numbers show them. */
struct fleet_outlier {
    size_t node, group;              /* indices in fleet.nodes and fleet_groups.groups */
    size_t member;                   /* index in the group's members */
    char diagnosis[64];              /* "lost DIMM or channel"; the gravest of several */
    char detail[FLEET_DETAIL_BYTES]; /* printed in tables behind the diagnosis: "1.0 CPUs: hog"; "": nothing */
    uint32_t diagnoses;              /* all diagnoses, a bit each */
    char text[1000];                 /* all diagnoses in words */
    size_t key;   /* roof that shows the fault most clearly, an index in fleet.keys; FLEET_NONE: no single roof */
    size_t class; /* class of that roof, an index in group.classes; FLEET_NONE: the class is as usual */
    double value, median,
        deviation;        /* of that roof: the node's value, the group's median, value / median - 1; NaN: none */
    double z;             /* deviation in robust sigmas: of the class, or of a roof that is slow alone */
    struct doubts doubts; /* warnings about the measurement of that roof */
    /* The first outlier that is like this one, an index in fleet_report.outliers; its own index if it is the first.
     * The number of outliers alike, for the first of them; else 0. */
    size_t first_alike, alike_count;
};

/* All nodes that stand out. */
struct fleet_report {
    size_t count;
    struct fleet_outlier *outliers; /* by group, within a group by host; allocated */
};

/* Judges each node of each group that can be judged, counts the outliers of the groups, and finds outliers that are
 * alike. The caller ends with fleet_report_free(). */
struct fleet_report fleet_judge(const struct fleet *fleet, struct fleet_groups *groups);

/* Frees what fleet_judge() allocated. */
void fleet_report_free(struct fleet_report *report);

/* The index in group->classes of the class that represents a kind and level: of all cores, else of one core; for
 * compute FMA in the widest instruction set, for memory no random lines. `level` is "" for compute, NULL for the
 * machine's memory: DRAM, or HBM where it has no DRAM. FLEET_NONE: the group has no such class. */
size_t fleet_headline(const struct fleet_group *group, enum sample_kind kind, const char *level);
