/* SPDX-License-Identifier: BSD-3-Clause
 * The choice of the core whose event tables libpfm4 reads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/* The core whose tables libpfm4 reads. */
struct event_tables {
    char library[32]; /* "libpfm4 4.13.0" */
    char name[32];    /* "spr"; "" if it has no suitable ones */
    bool forced;      /* by LIBPFM_FORCE_PMU */
    char note[256];   /* why they differ from libpfm4's own choice, and the consequence; "" */
};

/* Chooses tables for the set: the core's own, or its stand-in's. libpfm4 may choose others by itself: it uses the
 * model number, which a hypervisor may mask, or it is older than the CPU. Then, if `force` is set, LIBPFM_FORCE_PMU
 * is set in the environment, for its children, and for this process unless it has already used libpfm4 or PAPI. PAPI
 * then counts with these tables only, so this is not for hybrid CPUs. A variable set by the user remains. */
void event_tables_choose(const struct event_set *set, bool force, struct event_tables *out);

/* From now on, names for cores of other machines resolve too. Works by the environment: call it before any use of
 * libpfm4 or PAPI. */
void event_tables_of_all_cores(void);

/* The code of an event ("spr::FP_ARITH…"), 0 if it has none. Returns NULL, or the fault: no such event. */
const char *event_tables_find(const char *name, uint64_t *code);

/* What the kernel is asked to count. Returns NULL, or the fault: it has no counters for it. */
const char *event_tables_encode(const char *name, uint32_t *type, uint64_t *config);
