/* SPDX-License-Identifier: BSD-3-Clause
 * The machine as hwloc and CPUID tell it: identity, cores, caches, memory nodes, and which CPUs may be used.
 * Also of a machine recorded in an hwloc XML file; then nothing can be measured on it. */
#ifndef PROBE_MACHINE_H
#define PROBE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"
#include "error.h"

enum {
    MACHINE_MAX_CACHES = 4,
    MACHINE_MAX_SHAPES = 8,
    MACHINE_MAX_KINDS = 8,
    MACHINE_MAX_NODES = 1024,
    MACHINE_MAX_PUS = 8, /* of a core */
};

/* cache_instance of a PU that lacks a cache which others of its kind have. */
#define MACHINE_NO_INSTANCE (~0u)

/* Instances of one cache level that are alike. */
struct cache_shape {
    uint64_t size_bytes;
    int associativity;           /* -1: fully associative, 0: not known */
    unsigned sharing_core_count; /* cores that share one instance, allowed or not; 0: it is for some of a core's PUs */
    unsigned instance_count;
};

/* A data or unified cache level as the cores of one kind see it. Where instances differ (one die of two with stacked
 * cache, full and dense cores), what the allowed cores can rely on: the smallest, and the most that share one. */
struct cache {
    unsigned level;              /* 1, 2, 3, … */
    uint64_t size_bytes;         /* of one instance */
    unsigned line_bytes;         /* 0: not known */
    int associativity;           /* -1: fully associative, 0: not known */
    unsigned sharing_core_count; /* cores that share one instance, allowed or not; 0: it is for some of a core's PUs */
    unsigned instance_count;     /* on the whole machine, of this kind's cores */
    unsigned shape_count;        /* 0: all instances are alike */
    struct cache_shape shapes[MACHINE_MAX_SHAPES];
};

/* Cores that are alike. A machine that is not hybrid has one kind, named "". Kinds without an allowed core are left
 * out, so a hybrid machine may show one kind, "P". */
struct core_kind {
    char name[32];       /* "P", "E", "E2"; "kind1" (the fastest), "kind2", … where nobody tells which is what */
    unsigned core_count; /* allowed cores */
    unsigned cache_count;
    struct cache caches[MACHINE_MAX_CACHES]; /* from the innermost */
};

/* A core with at least one allowed PU. */
struct core {
    unsigned kind;                                                /* index into kinds */
    unsigned package;                                             /* logical index */
    unsigned node;                                                /* index into nodes: the nearest with memory */
    unsigned pu_count;                                            /* allowed PUs */
    unsigned pus[MACHINE_MAX_PUS];                                /* OS indices of as many as fit */
    unsigned cache_instance[MACHINE_MAX_PUS][MACHINE_MAX_CACHES]; /* each PU's instance of caches[i], logical index */
};

struct memory_node {
    unsigned os_index;
    uint64_t memory_bytes;            /* as hwloc tells it; a virtual machine may tell less than there is */
    uint64_t memory_side_cache_bytes; /* 0: none. What lies behind one is told as "DRAM" where nobody tells */
    char kind[8];                     /* "DRAM", "HBM", "NVM", "CXL", "GPU" */
    unsigned core_count;              /* allowed cores nearest to it; 0 for a node without cores */
    unsigned near_node;               /* index of the node whose cores are nearest: itself where it has some */
};

struct machine {
    char host[64];         /* "": a recording does not tell */
    char architecture[16]; /* as uname tells it: "x86_64", "aarch64"; "": a recording does not tell */
    struct cpu_identity cpu;
    char tiles_refused[64];    /* why the operating system does not let us use AMX tiles that the CPU has; else "" */
    bool isa_known;            /* false under a recorded topology that does not tell */
    bool recorded;             /* from a file: cannot be measured */
    char topology_source[256]; /* "this machine", or the file's name */
    char cache_source[16];     /* "hwloc", "cpuid" (the fallback), or "none" */
    unsigned package_count;
    unsigned pu_count, allowed_pu_count;
    unsigned machine_core_count; /* all cores, allowed or not */
    unsigned kind_count;
    struct core_kind kinds[MACHINE_MAX_KINDS];
    unsigned core_count; /* allowed cores, in logical order */
    struct core *cores;
    unsigned node_count;
    struct memory_node *nodes;
    uint64_t memory_total_bytes;     /* of the operating system, or the sum of a recording's nodes */
    uint64_t memory_available_bytes; /* MemAvailable, within the cgroup's limit; 0 in a recording */
};

/* Reads this machine (topology_path NULL, honouring hwloc's own environment variables) or a recorded one. Errors: not
 * a readable topology; no CPU is allowed. machine_free() releases what it took; it may be called after a failure. */
bool machine_load(struct machine *out, const char *topology_path, struct error *err);
void machine_free(struct machine *machine);

/* Of one instance of a level, the largest where they differ. */
uint64_t machine_largest_cache(const struct cache *cache);

/* True of a recording that says that it is of another architecture: no kernel, ISA or documented limit is about it. */
bool machine_is_foreign(const struct machine *machine);

/* True when every feature in `needs` (enum cpu_feature) can be executed here. */
bool machine_has(const struct machine *machine, uint32_t needs);

#endif
