/* SPDX-License-Identifier: BSD-3-Clause
 * The systems of marks whose regions carmine takes: its own, and those that programs may have already. A list of them
 * ("likwid,papi") is what --marks takes, and what collectors and adapters find in COLLECTOR_MARKS. */
#ifndef PROBE_MARK_SYSTEMS_H
#define PROBE_MARK_SYSTEMS_H

#include <stdbool.h>

#include "probe/error.h"

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
    const char *variable; /* of the environment, by which programs find a tool's library; NULL: they need none */
    const char *former;   /* what older versions call it; newer ones bear no other value there. NULL: the same */
};
extern const struct mark_system mark_systems[MARKS_SYSTEMS];

/* All systems, as a list. */
const char *mark_systems_all(void);

/* Whether the text is a list of systems, of pairs of SSC marks ("1:2", hexadecimal), or "none". Error: it is not. */
bool mark_systems_check(const char *list, struct error *err);

/* Whether the region is one of SSC marks without a name from elsewhere (collector.h): counted, and not timed. */
bool mark_systems_untimed(const char *region);

#endif
