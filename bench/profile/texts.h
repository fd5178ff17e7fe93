/* SPDX-License-Identifier: BSD-3-Clause
 * Shared texts, each stored once: equal texts have equal addresses. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct texts { /* zero before first use */
    char **slots;
    size_t count, most;
};

/* The stored text, which lives until texts_free(). */
const char *texts_keep(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

/* FNV-1a, 64 bits: Fowler, Noll, Vo. */
uint64_t texts_hash(const char *text);
