/* SPDX-License-Identifier: BSD-3-Clause
 * A vendor's data of one CPU model, from a file of schema "carmine.spec/1", and the peaks derived from it. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "probe/cpu.h"

struct error;

/* One package. Unknown values are zero or "". */
struct spec {
    char name[96], vendor[48], uarch[64], source[256];
    unsigned cores, threads;
    double base_clock_hz, all_core_turbo_hz, turbo_clock_hz;
    unsigned memory_channels, memory_bus_bytes; /* of one channel; default 8 */
    double memory_transfers_per_s;
    double flop_per_cycle_per_core, peak_flop_per_s, memory_bytes_per_s; /* stated, not derived */
};

enum spec_clock { SPEC_BASE, SPEC_ALL_CORE_TURBO, SPEC_TURBO, SPEC_CLOCKS };
extern const char *const spec_clock_names[SPEC_CLOCKS]; /* "base", … */

/* f64, all cores of one package: flop per cycle, Hz, flop/s and bytes per second, as the names say. */
struct spec_peaks {
    double flop_per_cycle; /* per core; 0: neither stated nor documented for its microarchitecture */
    bool flop_per_cycle_stated;
    double clock_hz[SPEC_CLOCKS], flop_per_s[SPEC_CLOCKS]; /* 0: not known */
    double memory_bytes_per_s;                             /* channels × transfers × bus, or as stated */
};

/* The schema of such a file, for descriptions (shape.h). */
json_t *spec_shape(void);

/* Error: the path, and the fault in the file, also for an unknown name. */
bool spec_read(const char *path, struct spec *out, struct error *err);

/* Pure. */
struct spec_peaks spec_peaks(const struct spec *spec);

/* The clocks as the specification, the CPU itself or its brand states them; 0: unknown. `spec` may be NULL. */
double spec_base_clock(const struct spec *spec, const struct cpu_identity *cpu);
double spec_boost_clock(const struct spec *spec, const struct cpu_identity *cpu);

/* The base clock in a brand: "… CPU E5-2660 0 @ 2.20GHz" → 2.2e9; 0: none. */
double spec_brand_clock(const char *brand);
