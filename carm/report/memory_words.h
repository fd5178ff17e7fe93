/* SPDX-License-Identifier: BSD-3-Clause
 * The memory system under load in sentences. */
#pragma once

#include "bench/memory/memory_system.h"
#include "carm/model/memory_model.h"

enum { MEMORY_WORDS_BYTES = 640 };

/* What the part found; "" if the result has nothing of it. `brief`: only the first clause. */
const char *memory_words(const struct result *result, enum memory_part part, bool brief, char out[MEMORY_WORDS_BYTES]);

/* "Loaded", "Chases", …: of at most 7 letters. */
const char *memory_words_name(enum memory_part part);
