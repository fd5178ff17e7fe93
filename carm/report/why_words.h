/* SPDX-License-Identifier: BSD-3-Clause
 * What the factors of a ratio say in words (carm/compare/why.h has the facts). */
#ifndef CARM_REPORT_WHY_WORDS_H
#define CARM_REPORT_WHY_WORDS_H

#include "carm/compare/why.h"

enum { WHY_WORDS_BYTES = 256 };

/* All write to `out`, cut to `size` bytes, and return it. "A" and "B" are the two ends. */

/* "clock", "per cycle", "cycles": the factor as it stands behind its number. */
const char *why_factor_label(const struct why *why, enum why_factor factor);

/* "1.94 = 1.10 clock × 0.926 per cycle × 1.90 cores"; "≈1.01 = …" where the intervals overlap. */
const char *why_product(const struct why *why, char *out, size_t size);

/* What lies behind one factor, that of B first: "3.58 GHz, not 3.26 GHz". */
const char *why_factor_words(const struct why *why, enum why_factor factor, char *out, size_t size);

/* What the product means: the factors that make the difference, the strongest first; what the clock does not pace by
 * clock and per cycle in one. */
const char *why_meaning(const struct why *why, char *out, size_t size);

/* "DRAM, all cores": the roof and its place; a latency is one core's anyway. */
enum { WHY_TITLE_BYTES = 384 };
const char *why_title(const struct why *why, char *out, size_t size);

/* "unstable" where both have it, else "A: clock drifted; B: unstable"; "" where there is no doubt about either. */
const char *why_doubts(const struct why *why, char *out, size_t size);

/* "30 GB/s", "227 ns": a value in the roof's unit. */
const char *why_value(const struct why *why, double value, char *out, size_t size);

#endif
