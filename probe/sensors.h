/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's reports of heat, throttling and memory errors: hwmon, thermal_throttle, EDAC. A virtual machine
 * mostly has none of them. `root` as in osfile.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sensors {
    bool has_temperature, has_throttling, has_memory_errors; /* whether the next fields can be read */
    double temperature_c;                                    /* the highest of cores and packages */
    uint64_t throttled;   /* sum over cores and packages: thermal throttling events since boot */
    uint64_t corrected;   /* sum over memory controllers: memory errors since the driver was loaded */
    uint64_t uncorrected; /* likewise */
    unsigned temperatures, counters, controllers; /* how many of each were read */
    char driver[32];                              /* source of the temperatures: "k10temp"; "": none */
};

struct sensors sensors_read(const char *root);
