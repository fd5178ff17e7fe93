/* SPDX-License-Identifier: BSD-3-Clause
 * The core clock under load, known by construction: vector work interleaved with a longer chain of dependent adds, so
 * that the whole takes as many cycles as the chain has adds. Cross-checks the clock readings after kernels. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "probe/isa.h"

struct interleaved_chain {
    const char *name;      /* the work: "avx512 FMA" */
    cpu_features needs;    /* enum cpu_feature */
    unsigned chain_cycles; /* of one iteration, on a core that starts two operations per cycle */
    void (*run)(uint64_t iterations);
};

extern const struct interleaved_chain interleaved_chain_table[]; /* from the lightest to the heaviest */
extern const size_t interleaved_chain_count;
