/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: one screen, text for people, JSON for programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/compare/why.h"
#include "render/draw/term.h"

/* One screen: how fast B is against A, and the factors of each headline roof's ratio. The list holds at least one rate.
 */
void why_answer_print(const struct comparison *comparison, const struct why_list *list, const struct screen *screen);

/* Prints the two sides, and each ratio's product with its meaning. */
void why_print(const struct comparison *comparison, const struct why_list *list, const struct plot_terminal *terminal,
               FILE *out);

/* Prints one ratio: value and meaning, the two sides, each factor with its facts and share, and the warnings. */
void why_print_roof(const struct comparison *comparison, const struct why *why, const struct plot_terminal *terminal,
                    FILE *out);

/* The ratios as JSON of the schema "carmine.why/1" (docs/compare.md); the caller releases it. */
json_t *why_json(const struct comparison *comparison, const struct why_list *list);

/* Prints the ratios as CSV, with a column for each factor. */
void why_csv(const struct why_list *list, FILE *out);

/* The factors of a ratio in words (carm/compare/why.h has the facts). */

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
