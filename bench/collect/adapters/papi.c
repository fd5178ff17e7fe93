/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI's high-level regions (papi.h of icl-utk-edu/papi 6 and later), which its Fortran interface calls too.
 * PAPI_hl_read and PAPI_hl_stop begin and end none, and remain PAPI's own. */
#include "adapter.h"
#include "original.h"

ORIGINAL(PAPI_hl_region_begin);
ORIGINAL(PAPI_hl_region_end);
EXPORTED int PAPI_hl_region_begin(const char *region);
EXPORTED int PAPI_hl_region_end(const char *region);

int PAPI_hl_region_begin(const char *region) {
    FIND_ORIGINAL(PAPI_hl_region_begin);
    FIND_END(PAPI_hl_region_end);
    const int status = original ? original(region) : 0;
    adapter_begin(MARKS_PAPI, region);
    return status;
}

int PAPI_hl_region_end(const char *region) {
    adapter_end(MARKS_PAPI, region);
    FIND_ORIGINAL(PAPI_hl_region_end);
    return original ? original(region) : 0;
}
