/* SPDX-License-Identifier: BSD-3-Clause
 * The process's mappings that code comes from, looked up when code in them first runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct object {
    uint64_t low, high, file_offset;
    bool gone;    /* unmapped since */
    bool written; /* the program may write to it: written.h has its pages */
    char path[256];
};

/* The list of all threads: code on their stacks is in memory that is written all the time. */
struct context;
void object_prepare(struct context *const *first_thread);

/* The index of the mapping in which the address is executable; 0: none, and executing it is a fault of the program. All
 * code that the program writes into memory without a file is one object, with memory addresses as its addresses. */
uint32_t object_find(uint64_t address);

/* The same for code that was found before and that the program does not write; 0: none. */
uint32_t object_known(uint64_t address);

/* Sets a file with the names of such code, jit-PID.dump. */
void object_names_written(const char *path);

/* Whether code is mapped at an address, from /proc/self/maps alone. */
bool object_is_mapped(uint64_t address);

/* The code address in a file that is stored at an address in read-only memory, as linkers store it that bind all
 * functions at start; 0: none. Valid until object_forget_constants() for that place. */
uint64_t object_constant(uint64_t address);
void object_forget_constants(uint64_t low, uint64_t high);

uint32_t object_count(void); /* including index 0 */
const struct object *object_get(uint32_t index);

/* Whether code that was run lay between the addresses; it is gone from now on. */
bool object_forget(uint64_t low, uint64_t high);
