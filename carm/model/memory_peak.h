/* SPDX-License-Identifier: BSD-3-Clause
 * The most that a machine's memory can transfer: channels × transfers per second × bytes of the bus. There is
 * one limit of the modules in the machine, and one of those that the vendor states for its CPU. Pure. */
#pragma once

#include "carm/store/spec.h"

struct result;
struct sample;

/* One side: unknown numbers are 0. */
struct memory_figure {
    unsigned channels; /* of all packages */
    double transfers_per_s, bytes_per_s;
    const char *memory; /* "DDR4-3200", as the vendor states it; NULL: in other words, or unknown */
    const char *source; /* who says so; NULL: nobody */
};

struct memory_peak {
    struct memory_figure fitted; /* by the firmware, EDAC or dmidecode; a rate that these lack is the stated one */
    struct memory_figure stated; /* by `--spec`, else by the CPU's model; of a virtual machine by `--spec` alone */
    /* The documented limit of all packages, that of the modules there if they are known, and its source. */
    double bytes_per_s;
    const char *source;
    const char *level; /* that it is the limit of: "DRAM", or "HBM" of a product without modules */
};

/* The level of memory whose documented limit is known, of a CPU of this brand: "DRAM", "HBM" of A64FX. */
const char *memory_peak_level(const char *brand);

/* `spec` may be NULL. */
struct memory_peak memory_peak_find(const struct result *result, const struct spec *spec);

/* The limit of a sample's packages or memory node; 0: unknown, or no bandwidth of that level. */
double memory_peak_of(const struct memory_peak *peak, const struct result *result, const struct sample *sample);

/* Whether the sample used all cores of its packages, without which they do not reach the limit. */
bool memory_peak_uses_all_cores(const struct result *result, const struct sample *sample);
