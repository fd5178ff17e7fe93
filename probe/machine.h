/* SPDX-License-Identifier: BSD-3-Clause
 * The machine according to hwloc and CPUID: identity, cores, caches, memory nodes, and the allowed CPUs. Also for a
 * machine recorded in an hwloc XML file, on which nothing can be measured. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "machine_limits.h"
#include "memory_modules.h"

struct error;

/* cache_instance of a PU without a cache that other PUs of its kind have. */
#define MACHINE_NO_INSTANCE (~0u)

/* Equal instances of one cache level. */
struct cache_shape {
    uint64_t size_bytes;
    int associativity;           /* -1: fully associative, 0: not known */
    unsigned sharing_core_count; /* cores that share one instance, allowed or not; 0: serves only part of a core */
    unsigned instance_count;
};

/* A data or unified cache level as seen by the cores of one kind. If instances differ (one die of two with stacked
 * cache, full and dense cores), the values that every allowed core can rely on: the smallest size, the largest
 * number of sharers. */
struct cache {
    unsigned level;              /* 1, 2, 3, … */
    bool between;                /* a second one of this level, before the next level: "L1.5" */
    uint64_t size_bytes;         /* of one instance */
    unsigned line_bytes;         /* 0: not known */
    int associativity;           /* -1: fully associative, 0: not known */
    unsigned sharing_core_count; /* cores that share one instance, allowed or not; 0: serves only part of a core */
    unsigned instance_count;     /* on the whole machine, of this kind's cores */
    unsigned shape_count;        /* 0: all instances are alike */
    struct cache_shape shapes[MACHINE_MAX_SHAPES];
};

/* Equal cores. A machine that is not hybrid has one kind, named "". Kinds without an allowed core are left out, so a
 * hybrid machine may show one kind, "P". */
struct core_kind {
    char name[32]; /* "P", "E", "LP-E", and "E2" for a second sort; "kind1" (the fastest), "kind2", … if neither hwloc
                      nor the CPU tells them */
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
    unsigned pus[MACHINE_MAX_PUS];                                /* OS indices, as many as fit */
    unsigned cache_instance[MACHINE_MAX_PUS][MACHINE_MAX_CACHES]; /* each PU's instance of caches[i], logical index */
};

struct memory_node {
    unsigned os_index;
    uint64_t memory_bytes;            /* according to hwloc; a virtual machine may report less than there is */
    uint64_t memory_side_cache_bytes; /* 0: none. The memory behind one is named "DRAM" if nothing names its kind */
    char kind[8];                     /* "DRAM", "HBM", "NVM", "CXL", "GPU" */
    unsigned core_count;              /* allowed cores nearest to it; 0 for a node without cores */
    unsigned near_node;               /* index of the node whose cores are nearest: itself if it has some */
};

struct machine {
    char host[64];         /* "": the recording does not say */
    char architecture[16]; /* from uname: "x86_64", "aarch64"; "": the recording does not say */
    struct cpu_identity cpu;
    char tiles_refused[64];    /* why the operating system denies AMX tiles that the CPU has; else "" */
    bool isa_known;            /* false for a recorded topology without features */
    bool recorded;             /* from a file: cannot be measured */
    char topology_source[256]; /* "this machine", or the file's name */
    char cache_source[16];     /* "hwloc", "cpuid" or "documents" (the fallback), or "none" */
    unsigned package_count;
    unsigned pu_count, allowed_pu_count;
    unsigned machine_core_count; /* all cores, allowed or not */
    unsigned kind_count;
    struct core_kind kinds[MACHINE_MAX_KINDS];
    unsigned core_count; /* allowed cores, in logical order */
    struct core *cores;
    unsigned node_count;
    struct memory_node *nodes;
    struct memory_modules memory_modules; /* not of a virtual machine, whose modules are made up */
    uint64_t memory_total_bytes;          /* of the operating system, or the sum of a recording's nodes */
    uint64_t memory_available_bytes;      /* MemAvailable, within the cgroup's limit; 0 in a recording */
    uint64_t page_bytes;                  /* of the system's small pages; 0: 4 KiB, or the recording does not say */
};

/* Reads this machine (topology_path NULL, honouring hwloc's own environment variables) or a recorded one. Errors: not
 * a readable topology; no CPU is allowed. machine_free() releases what it took; it may be called after a failure. */
bool machine_load(struct machine *out, const char *topology_path, struct error *err);
void machine_free(struct machine *machine);

/* Adds the firmware's clocks of a CPU of AMD, whose CPUID lacks them, or Arm with equal cores; root: "", or where the
 * system's files are. */
void machine_complete_clocks(const char *root, struct cpu_identity *cpu);

/* What to do where the source is "none". */
#define MACHINE_CACHES_REMEDY "state the machine's caches (HWLOC_SYNTHETIC: docs/placements.md)"

/* "L1", "L2"; "L1.5" between them. Returns `out`. */
enum { CACHE_NAME_BYTES = 8 };
char *machine_cache_name(const struct cache *cache, char out[CACHE_NAME_BYTES]);

/* The index of a kind's cache of this name; MACHINE_NO_INSTANCE: it has none. */
unsigned machine_cache_index(const struct core_kind *kind, const char *name);

/* Size of one instance of a level, the largest if they differ. */
uint64_t machine_largest_cache(const struct cache *cache);

/* The longest line of any cache: data a line apart share none in any of them. 64 if no cache has a known one. */
unsigned machine_line_bytes(const struct machine *machine);

/* The system's small pages, and its huge ones: what one page of a page table maps, 2 MiB in pages
 * of 4 KiB, 32 MiB of 16 KiB, 512 MiB of 64 KiB. */
uint64_t machine_page_bytes(const struct machine *machine);
uint64_t machine_huge_page_bytes(const struct machine *machine);
uint64_t machine_huge_page_of(uint64_t page_bytes);

/* True for a recording of another architecture: no kernel, ISA or documented limit applies to it. */
bool machine_is_foreign(const struct machine *machine);

/* Why results of such a machine need a second look, in one line; NULL: they do not. */
const char *machine_unproven(const struct machine *machine);

/* True when this machine can execute every feature in `needs` (enum cpu_feature). */
bool machine_has(const struct machine *machine, cpu_features needs);

/* "avx2, fma": the names of a mask of features. Returns `out`. */
const char *machine_features(cpu_features features, char *out, size_t size);

/* What the CPU has and cannot be measured, with the reasons: "Left out: avx10_2 (no kernels)"; "": nothing. Returns
 * `out`. */
const char *machine_left_out(const struct machine *machine, char *out, size_t size);
