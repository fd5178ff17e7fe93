/* SPDX-License-Identifier: BSD-3-Clause
 * The memory system under load as text, JSON and CSV. `parts` is a mask of 1 << enum memory_part. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "bench/memory/memory_system.h"
#include "carm/model/memory_model.h"

enum { MEMORY_ALL_PARTS = (1 << MEMORY_PARTS) - 1 };

/* The parts that the result has. */
unsigned memory_parts(const struct result *result);

/* One screen: a sentence for each part, the grade, what was omitted, and the tables that fit. */
void memory_answer_print(const struct result *result, unsigned parts, const struct screen *screen);

/* A line for each part: the answer's sentences, named. */
void memory_lines_print(const struct result *result, const struct screen *screen);

/* All tables, and the warnings that are not explained yet; nothing without data. */
void memory_print(const struct result *result, unsigned parts, struct doubts explained, FILE *out);

/* Schema "carmine.memory/1": a list for each part. The caller releases it. */
json_t *memory_json(const struct result *result, unsigned parts);

/* A row for each measured point, and for each direction and kind of a pair of CPUs. */
void memory_csv(const struct result *result, unsigned parts, FILE *out);

/* The memory system under load in sentences. */

enum { MEMORY_WORDS_BYTES = 640 };

/* What the part found; "" if the result has nothing of it. `brief`: only the first clause. */
const char *memory_words(const struct result *result, enum memory_part part, bool brief, char out[MEMORY_WORDS_BYTES]);

/* "Loaded", "Chases", …: of at most 7 letters. */
const char *memory_words_name(enum memory_part part);
