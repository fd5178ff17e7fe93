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
