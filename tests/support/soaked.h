/* SPDX-License-Identifier: BSD-3-Clause
 * A made-up soak: three roofs on two cores, a round every 6 s; each test changes it. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carm/soak/soak.h"

enum { SOAKED_PEAK, SOAKED_DRAM, SOAKED_LATENCY, SOAKED_ROOFS };
#define SOAKED_STARTED_S 1795392000 /* 2026-11-23 00:00 UTC */

static inline struct soak soaked(size_t rounds) {
    static const struct sample ROOFS[] = {
        {.kernel = "avx2.f64.fma", .kind = SAMPLE_COMPUTE, .threads = 2, .value = 100e9},
        {.kernel = "avx2.load",
         .kind = SAMPLE_BANDWIDTH,
         .threads = 2,
         .level = "DRAM",
         .value = 40e9,
         .working_set_bytes = 1 << 26,
         .page_bytes = 4096},
        {.kernel = "chase",
         .kind = SAMPLE_LATENCY,
         .threads = 1,
         .level = "DRAM",
         .value = 90e-9,
         .working_set_bytes = 1 << 26,
         .page_bytes = 4096},
    };
    struct soak out = {.for_s = 6 * (double)rounds, .started_s = SOAKED_STARTED_S, .has_activity = true};
    unsigned long random = 1;
    out.result.machine.core_count = out.result.machine.machine_core_count = 2;
    snprintf(out.result.machine.host, sizeof out.result.machine.host, "node17");
    snprintf(out.result.machine.cpu.brand, sizeof out.result.machine.cpu.brand, "Made-up CPU");
    out.result.samples = calloc(SOAKED_ROOFS, sizeof *out.result.samples);
    memcpy(out.result.samples, ROOFS, sizeof ROOFS);
    out.result.sample_count = SOAKED_ROOFS;
    for (size_t i = 0; i < rounds; i++) {
        struct soak_round *round = soak_add(&out);
        round->at_s = 6 * (double)(i + 1);
        round->seconds = 6;
        round->clock_hz = 3e9;
        for (size_t s = 0; s < SOAKED_ROOFS; s++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const double noise = 0.002 * ((double)(random >> 40) / 16777216.0 - 0.5);
            round->values[s].value = ROOFS[s].value * (1 + noise);
        }
    }
    return out;
}
