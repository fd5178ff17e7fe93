/* SPDX-License-Identifier: BSD-3-Clause
 * What the kernel tells of heat, throttling and memory errors: hwmon, thermal_throttle, EDAC. A virtual machine mostly
 * has none of them. `root` is as of osfile.h. */
#ifndef PROBE_SENSORS_H
#define PROBE_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

struct sensors {
    bool has_temperature, has_throttling, has_memory_errors; /* whether what follows can be read */
    double temperature_c;                                    /* the highest of cores and packages */
    uint64_t throttled;   /* times that a core or a package was slowed down for heat, of all together, since the boot */
    uint64_t corrected;   /* memory errors since the driver was loaded, of all controllers */
    uint64_t uncorrected; /* likewise */
    unsigned temperatures, counters, controllers; /* how many were read */
    char driver[32];                              /* of the temperatures: "k10temp"; "": none */
};

struct sensors sensors_read(const char *root);

#endif
