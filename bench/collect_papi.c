/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-papi.so: time and counted events of the program that it is preloaded into, by region. */
#include <papi.h>

#include "../probe/collector.h"

int carmine_collector_dummy(void);
int carmine_collector_dummy(void) {
    return PAPI_is_initialized();
}
