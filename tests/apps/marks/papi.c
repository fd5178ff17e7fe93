/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI's high-level regions, by its own header and library. Without counters it says so on standard error. */
#include <papi.h>

#include "regions.h"

int main(void) {
    NEST(PAPI_hl_region_begin, PAPI_hl_region_end);
    OVERLAP(PAPI_hl_region_begin, PAPI_hl_region_end);
    PAPI_hl_stop();
    return 0;
}
