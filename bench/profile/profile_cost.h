/* SPDX-License-Identifier: BSD-3-Clause
 * What one step of each counter of a dump costs, and in which function that is: blocks are decoded once, however many
 * regions and threads they ran in. */
#ifndef BENCH_PROFILE_COST_H
#define BENCH_PROFILE_COST_H

#include "code_instructions.h"
#include "profile.h"

/* The files that code came from, each opened once, and what was decoded of it; zero to begin with. */
struct code_files {
    struct code_file *files;
    size_t count;
    struct code_instructions instructions;
};
void code_files_close(struct code_files *files);

/* The file of an object of the dump, by its number; and its lines, which are opened when first asked for: NULL where it
 * has none. */
size_t code_files_open(struct code_files *files, const struct dump *dump, uint32_t object);
struct lines *code_files_lines(struct code_files *files, size_t file);

struct code_object { /* of the dump, and whose it is */
    struct dump_object from;
    bool links;  /* the linker */
    bool is_own; /* the collector's hooks, or the adapters of other systems' marks */
};
struct code_function {
    uint32_t object;  /* of the dump */
    const char *name; /* "" where no symbol covers it; lives as long as the files are open */
};
struct cost_share { /* a word of struct count, and by how much one step raises it */
    uint64_t amount;
    uint32_t word;
};
struct counter_cost {
    uint32_t function;
    uint32_t share_count;
    size_t first_share;
};
struct code_cost {
    size_t function_count, share_count, share_most;
    struct code_function *functions;
    struct code_object *objects; /* as many as the dump has */
    struct code_block *code;     /* of each block of the dump */
    uint32_t *block_functions;   /* of each block of the dump */
    uint64_t *block_starts;      /* where in the file that begins; without a name 0 */
    bool *block_waits;
    struct counter_cost *counters; /* as many as the dump has */
    struct cost_share *shares;
};

/* For a dump that was checked, one at a time. Error: code that does not decode as it should. code_cost_free in any
 * case, before the next dump. */
bool code_cost_find(const struct dump *dump, struct code_files *files, struct code_cost *out, struct error *err);
void code_cost_free(struct code_cost *cost);

/* What the file that code is from is called: "libm.so.6", "[written]", "[unknown]". */
void code_object_name(const struct dump_object *object, char *out, size_t size);

/* Of each function that did something, by `counts`, the first that is called the same, as static ones may be. To be
 * freed. */
size_t *code_cost_namesakes(const struct code_cost *cost, const struct count *counts);

/* How often the program read a clock without a system call: by the kernel's code in its memory, or by itself. */
uint64_t code_clock_readings(const struct dump *dump, const struct code_cost *cost);

/* What is told of a block's instructions otherwise than they say themselves. */
struct block_kind {
    bool waits, links, is_own;
};
struct block_kind code_cost_kind(const struct code_cost *cost, uint32_t object, size_t block);

/* What an instruction of such a block adds each time that it is executed, and for each element where it has a
 * counter. */
void code_cost_instruction(struct block_kind kind, const struct decoded_instruction *instruction,
                           struct count *executed, struct count *element);

/* Adds `steps` of the counter. */
void code_cost_add(const struct code_cost *cost, size_t counter, uint64_t steps, struct count *sum);

#endif
