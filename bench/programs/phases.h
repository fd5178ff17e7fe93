/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of a program: where what it does changes. Pure. */
#pragma once

#include <stddef.h>

#include "bench/profile/profile.h"
#include "waits.h"

enum { PHASE_PLACES = 16 }; /* of the code; the last one stands for all others */

/* A short piece of time; all have the same length. */
struct phase_bin {
    double cpu_s, active_s; /* of all threads; active: also ready to run while other programs had the CPU */
    double flop, bytes, instructions, mix[CLASS_COUNT];
    double places_s[PHASE_PLACES]; /* sampled CPU time by code */
    double waits_s[WAIT_KINDS];    /* of all threads, by what they did; zero: unknown */
};

struct phase {
    size_t first, end; /* bins */
    unsigned kind;     /* from 0, in the order of their first phases; alike phases are of one kind */
};

/* Finds the phases; at most `most`. Returns their number, at least 1 for at least one bin. */
size_t phases_find(const struct phase_bin *bins, size_t count, double bin_s, struct phase *out, size_t most);
