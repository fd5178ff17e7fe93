/* SPDX-License-Identifier: BSD-3-Clause
 * The factors of a ratio in words (carm/compare/why.h has the facts). */
#pragma once

#include "carm/compare/why.h"

enum { WHY_WORDS_BYTES = 256 };

/* All functions write to `out`, cut to `size` bytes, and return it. "A" and "B" are the two ends. */

/* "clock", "per cycle", "cycles": the factor's label after its number. */
const char *why_factor_label(const struct why *why, enum why_factor factor);

/* "1.94 = 1.10 clock × 0.926 per cycle × 1.90 cores"; "≈1.01 = …" if the intervals overlap. */
const char *why_product(const struct why *why, char *out, size_t size);

/* The facts of one factor, B's first: "3.58 GHz, not 3.26 GHz". */
const char *why_factor_words(const struct why *why, enum why_factor factor, char *out, size_t size);

/* The meaning of the product: the decisive factors, the strongest first; clock and per cycle as one if the clock does
 * not pace the level. */
const char *why_meaning(const struct why *why, char *out, size_t size);

/* "DRAM, all cores": the roof and its place; latencies are always for one core. */
enum { WHY_TITLE_BYTES = 384 };
const char *why_title(const struct why *why, char *out, size_t size);

/* "unstable" if both have it, else "A: clock drifted; B: unstable"; "" without warnings. */
const char *why_doubts(const struct why *why, char *out, size_t size);

/* "30 GB/s", "227 ns": a value in the roof's unit. */
const char *why_value(const struct why *why, double value, char *out, size_t size);
