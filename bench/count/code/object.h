/* SPDX-License-Identifier: BSD-3-Clause
 * Where code comes from: the process's mappings, looked up when code in them is first run. */
#ifndef BENCH_COUNT_OBJECT_H
#define BENCH_COUNT_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

struct object {
    uint64_t low, high, file_offset;
    bool gone;    /* unmapped since */
    bool written; /* the program may write to it: its pages stand in written.h */
    char path[256];
};

/* The list of all threads: code on their stacks is that of memory which everything writes to. */
struct context;
void object_prepare(struct context *const *first_thread);

/* The mapping that the address can be executed in, as an index; 0: none, so that going there is a fault of the program.
 * All code that the program writes into memory without a file is one object, whose addresses are those of the memory.
 */
uint32_t object_find(uint64_t address);

/* The same of code that was found before, and that the program does not write; 0: it is none. */
uint32_t object_known(uint64_t address);

/* A file that tells the names of such code, jit-PID.dump. */
void object_names_written(const char *path);

/* Whether code at an address is mapped, by /proc/self/maps alone. */
bool object_is_mapped(uint64_t address);

/* The address of code of a file that stands at an address where nothing can be written, as linkers leave it that bind
 * all functions at once; 0: there is none. It stays until
 * object_forget_constants() is told of its place. */
uint64_t object_constant(uint64_t address);
void object_forget_constants(uint64_t low, uint64_t high);

uint32_t object_count(void); /* with the none */
const struct object *object_get(uint32_t index);

/* Whether code that was run lay between the addresses; it is gone from now on. */
bool object_forget(uint64_t low, uint64_t high);

#endif
