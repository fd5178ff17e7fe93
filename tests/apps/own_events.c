/* SPDX-License-Identifier: BSD-3-Clause
 * A program with software-defined events, which PAPI counts on any machine as it counts a CPU's: 1000 flop, 500 loads
 * and 200 stores in region "work", and 10, 5 and 2 before it. Their numbers are made up. */
#include <sde_lib.h>
#include <unistd.h>

#include "carmine.h"

static long long flop, loads, stores;

static void work(long long times) {
    flop += 10 * times;
    loads += 5 * times;
    stores += 2 * times;
}

int main(void) {
    papi_handle_t library = papi_sde_init("carmine_test");
    papi_sde_register_counter(library, "flop", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &flop);
    papi_sde_register_counter(library, "loads", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &loads);
    papi_sde_register_counter(library, "stores", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long, &stores);
    work(1);
    carmine_region_begin("work");
    work(100);
    usleep(1000);
    carmine_region_end("work");
    return 0;
}
