/* SPDX-License-Identifier: BSD-3-Clause
 * Where code comes from: the process's mappings, looked up when code in them is first run. */
#ifndef BENCH_COUNT_OBJECT_H
#define BENCH_COUNT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct object {
    uint64_t low, high, file_offset;
    bool gone; /* unmapped since */
    char path[256];
};

/* The mapping that the address can be executed in, as an index; 0: none, so that going there is a fault of the program.
 * Ends the program where code was written by the program itself: it may change without being noticed. */
uint32_t object_find(uint64_t address);
uint32_t object_count(void); /* with the none */
const struct object *object_get(uint32_t index);

/* Whether code that was run lay between the addresses; it is gone from now on. */
bool object_forget(uint64_t low, uint64_t high);

#endif
