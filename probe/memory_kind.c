/* SPDX-License-Identifier: BSD-3-Clause
 * The table of kinds of memory (memory_kind.h). */
#include "memory_kind.h"

#include <stddef.h>
#include <string.h>

/* Kinds without a fact, such as "NVM", need no row; the last is theirs. */
static const struct memory_kind KINDS[] = {
    {.name = "DRAM", .ordinary = true}, {.name = "HBM", .fast = true}, {.name = "GPU", .foreign = true}, {.name = ""}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const struct memory_kind *memory_kind_of(const char *name) {
    size_t i = 0;
    while (i + 1 < KIND_COUNT && strcmp(KINDS[i].name, name) != 0)
        i++;
    return &KINDS[i];
}

const struct memory_kind *memory_kind_of_modules(const char *name) {
    size_t i = 0;
    while (i + 1 < KIND_COUNT && strncmp(KINDS[i].name, name, strlen(KINDS[i].name)) != 0)
        i++;
    return i + 1 < KIND_COUNT ? &KINDS[i] : &KINDS[0];
}
