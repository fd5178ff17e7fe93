/* SPDX-License-Identifier: BSD-3-Clause
 * LIKWID's marker API (likwid.h of RRZE-HPC/likwid 5): LIKWID_MARKER_START and _STOP, which its Fortran module calls
 * too. The other functions (init, register, get, …) remain LIKWID's own. */
#include "adapter.h"
#include "original.h"

ORIGINAL(likwid_markerStartRegion);
ORIGINAL(likwid_markerStopRegion);
EXPORTED int likwid_markerStartRegion(const char *name);
EXPORTED int likwid_markerStopRegion(const char *name);

int likwid_markerStartRegion(const char *name) {
    FIND_ORIGINAL(likwid_markerStartRegion);
    FIND_END(likwid_markerStopRegion);
    const int status = original ? original(name) : 0;
    adapter_begin(MARKS_LIKWID, name);
    return status;
}

int likwid_markerStopRegion(const char *name) {
    adapter_end(MARKS_LIKWID, name);
    FIND_ORIGINAL(likwid_markerStopRegion);
    return original ? original(name) : 0;
}
