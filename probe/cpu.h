/* SPDX-License-Identifier: BSD-3-Clause
 * The CPU that this process runs on, from CPUID and XGETBV, or from MIDR_EL1 and the kernel's list of features: its
 * identity and the instruction sets that it may execute. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa.h"

struct cpu_identity {
    char vendor[16]; /* "GenuineIntel"; of Arm's see midr.h */
    char brand[64];  /* CPUID 0x80000002…4, trimmed; "AWS Graviton3 (Neoverse V1)" */
    unsigned family, model, stepping;
    cpu_features features;                /* enum cpu_feature */
    cpu_features unsaved;                 /* those whose registers the operating system does not save */
    char hypervisor[16];                  /* "KVMKVMKVM", empty on bare metal */
    double base_clock_hz, boost_clock_hz; /* as the CPU or its firmware states them; 0: unknown, or kinds differ */
};

/* One cache according to CPUID leaf 4 (Intel) or 0x8000001D (AMD), or documents: the fallback if hwloc sees none. */
struct cpu_cache {
    unsigned level, line_bytes, associativity, sharing_pu_count;
    uint64_t size_bytes;
};

void cpu_identify(struct cpu_identity *out);

/* Whether it is a virtual machine's. Some hypervisors do not say their name. */
static inline bool cpu_is_guest(const struct cpu_identity *cpu) {
    return *cpu->hypervisor || cpu->features & CPU_HYPERVISOR;
}

/* A vendor's or CPU's name without padding, which some put before, behind or between the words. */
static inline void cpu_name_copy(char *out, size_t out_bytes, const char *name) {
    size_t n = 0;
    for (const char *c = name; *c; c++)
        if ((*c != ' ' || (n > 0 && out[n - 1] != ' ')) && n + 1 < out_bytes)
            out[n++] = *c;
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

/* True when machines of that name (uname -m) execute this program's architecture. */
bool cpu_is_architecture(const char *name);

/* Requests permission to use AMX tiles for all threads of this process. The feature bit alone does not allow it:
 * Linux saves so large a state only on request. A repeated request does no harm. NULL on success, else the reason. */
const char *cpu_tiles_refusal(void);

/* Fills `out` with data and unified caches from the innermost; returns how many there are, at most `max`. */
unsigned cpu_caches(struct cpu_cache *out, unsigned max);
