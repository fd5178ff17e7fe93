/* SPDX-License-Identifier: BSD-3-Clause
 * The systems of marks whose regions carmine accepts: its own, and systems that programs may already use. --marks
 * takes a list of them ("likwid,papi"); collectors and adapters read it from COLLECTOR_MARKS. */
#pragma once

#include <stdbool.h>

struct error;

enum mark_system_number {
    MARKS_CARMINE,
    MARKS_SSC,
    MARKS_LIKWID,
    MARKS_PAPI,
    MARKS_ITT,
    MARKS_KOKKOS,
    MARKS_CALIPER,
    MARKS_NVTX,
    MARKS_SYSTEMS
};

struct mark_system {
    const char *name;
    const char *variable; /* environment variable by which programs find a tool's library; NULL: not needed */
    const char *former;   /* the variable's name in older versions; unused or equal in newer ones. NULL: the same */
};
extern const struct mark_system mark_systems[MARKS_SYSTEMS];

/* All systems, as a list. */
const char *mark_systems_all(void);

/* Whether the text is a list of systems, of pairs of SSC marks ("1:2", hexadecimal), or "none". Error: it is none of
 * these. */
bool mark_systems_check(const char *list, struct error *err);

/* Whether the region consists of SSC marks without a name (collector.h): counted, but not timed. */
bool mark_systems_untimed(const char *region);
