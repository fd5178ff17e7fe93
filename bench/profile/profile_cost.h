/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of one step of each counter of a dump, and its function. Each block is decoded once for all regions and
 * threads. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "profile.h"
#include "profile_dump.h"

#include "asm/instruction.h"

/* Decoded blocks of machine code. Equal code is decoded once for all users and all processes. */

struct code_block { /* a block of a dump */
    const uint8_t *code;
    const struct decoded_instruction *instructions;
    uint32_t count; /* decoded instructions: fewer than the dump states if the bytes are no valid code */
};
struct code_instructions { /* zero before first use */
    struct decoded_run **slots;
    size_t run_count, slot_count, instruction_count;
};

/* Decodes each block of a checked dump. The array is allocated. The instructions live until the next call or
 * code_instructions_free(). */
struct code_block *code_instructions_find(struct code_instructions *known, const struct dump *dump);
void code_instructions_free(struct code_instructions *known);

/* The files with code, each opened once, and their decoded code; zero before first use. */
struct code_files {
    struct code_file *files;
    size_t count;
    struct code_instructions instructions;
};
void code_files_close(struct code_files *files);

/* The file of an object of the dump, by number. Its lines are opened when first needed; NULL: it has none. */
size_t code_files_open(struct code_files *files, const struct dump *dump, uint32_t object);
struct lines *code_files_lines(struct code_files *files, size_t file);

struct code_object { /* an object of the dump, and its role */
    struct dump_object from;
    bool links;  /* the dynamic linker */
    bool is_own; /* the collector's hooks, or the adapters of other systems' marks */
};
struct code_function {
    uint32_t object;  /* index in the dump */
    const char *name; /* "" if no symbol covers it; lives as long as the files are open */
};
struct cost_share { /* one step raises this word of struct count by `value` */
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
    struct code_object *objects; /* as many as in the dump */
    struct code_block *code;     /* by block of the dump */
    uint32_t *block_functions;   /* by block of the dump */
    uint64_t *block_starts;      /* where its function begins in the file; 0 without a name */
    bool *block_waits;
    struct counter_cost *counters; /* as many as in the dump */
    struct cost_share *shares;
};

/* For one checked dump at a time. Error: code that does not decode. Call code_cost_free() in any case, before the next
 * dump. */
bool code_cost_find(const struct dump *dump, struct code_files *files, struct code_cost *out, struct error *err);
void code_cost_free(struct code_cost *cost);

/* The short name of an object: "libm.so.6", "[written]", "[unknown]". */
void code_object_name(const struct dump_object *object, char *out, size_t size);

/* For each function with `counts`, the first one of the same name, since static functions may share one. To be
 * freed. */
size_t *code_cost_namesakes(const struct code_cost *cost, const struct count *counts);

/* How often the program read a clock without a system call: by the vdso, or by an instruction of its own. */
uint64_t code_clock_readings(const struct dump *dump, const struct code_cost *cost);

/* Adds the executed instructions that are newer than the decoder. */
void code_cost_add_unknown(const struct dump *dump, const struct code_cost *cost,
                           struct unknown_code out[UNKNOWN_CODES]);

/* Properties of a block that override its instructions'. */
struct block_kind {
    bool waits, links, is_own;
};
struct block_kind code_cost_kind(const struct code_cost *cost, uint32_t object, size_t block);

/* The cost of one execution of an instruction in such a block, and of each element if it has a counter of its own. */
void code_cost_instruction(struct block_kind kind, const struct decoded_instruction *instruction,
                           struct count *executed, struct count *element);

/* Adds `steps` of the counter. */
void code_cost_add(const struct code_cost *cost, size_t counter, uint64_t steps, struct count *sum);

/* Slices of a dump → a profile's (profile.h). */

/* Adds the process's slices. Each thread's sum is its count of the whole program. */
void profile_slices_add(struct profile *profile, const struct dump *dump, const struct code_cost *cost);

/* Sorts them, after the last process. */
void profile_slices_sort(struct profile *profile);

/* Adds up struct profile_parts (profile.h). */

struct profile_parts *profile_parts_new(void); /* empty */

/* Adds the work of one process: `steps` by counter. profile_parts_merge() follows once, after all of them. */
void profile_parts_add(struct profile_parts *parts, const struct dump *dump, const struct code_cost *cost,
                       struct code_files *files, const uint64_t *steps);
void profile_parts_merge(struct profile_parts *parts);
void profile_parts_free(struct profile_parts *parts); /* NULL: no effect */

/* Shared texts, each stored once: equal texts have equal addresses. */

struct texts { /* zero before first use */
    char **slots;
    size_t count, most;
};

/* The stored text, which lives until texts_free(). */
const char *texts_keep(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

/* FNV-1a, 64 bits: Fowler, Noll, Vo. */
uint64_t texts_hash(const char *text);
