/* SPDX-License-Identifier: BSD-3-Clause
 * The work of a counted program by loop and by line: exact counts, and the places of their code in its files, so that
 * samples of CPU time find their loop and their line. */
#ifndef BENCH_PROFILE_PARTS_H
#define BENCH_PROFILE_PARTS_H

#include "profile.h"
#include "texts.h"

#define PART_NONE UINT32_MAX

/* The source of a part, and its function. Each text is stored once, in the parts; "" is unknown. */
struct part_source {
    const char *object;   /* file name of the code, "libm.so.6" */
    const char *function; /* as in that file; "" if no symbol covers it */
    const char *inlined;  /* the innermost inlined function that the code is from */
    const char *file;     /* of the source */
    unsigned line;        /* 0: no debug information */
    uint64_t offset; /* of the loop's header, or of code without a line: from the function's start; without a function,
                        in the file */
};
struct profile_loop {
    struct part_source source;
    uint32_t parent;     /* enclosing loop in the same function; PART_NONE */
    unsigned depth;      /* 1: outermost */
    uint64_t iterations; /* executions of its header: if the loop tests at its top, one more for each entry */
    uint64_t entries;
    bool entries_known;
    struct count count;              /* with inner loops, without called functions */
    struct count own;                /* without inner loops */
    struct profile_traffic *traffic; /* of simulated caches (profile_traffic.h), as `count`; NULL: none */
    struct touched touched;          /* as `count` */
};
struct profile_line {
    struct part_source source; /* of one function, if several have code of the line */
    struct count count;
    struct profile_traffic *traffic; /* NULL: none */
    struct touched touched;
};
enum { PLACE_CODE_BYTES = 15 }; /* length of the longest instruction */
struct profile_place {          /* an executed instruction, of one loop and one line */
    const char *path;
    uint64_t start, function_start;         /* in the file; function_start: 0 if no symbol covers it */
    uint64_t executions;                    /* of all processes */
    uint64_t flop, load_bytes, store_bytes; /* of all executions; without the implicit stack */
    uint32_t loop, line;                    /* the innermost loop; PART_NONE */
    uint16_t data_bytes;                    /* width of its computation, load or store; 0: none */
    uint8_t code_bytes, code[PLACE_CODE_BYTES];
};
struct part_slots { /* 1 + the number of a part; 0: free */
    uint32_t *of;
    size_t most;
};
struct profile_parts {
    size_t loop_count, line_count, place_count;
    struct profile_loop *loops; /* most instructions first */
    struct profile_line *lines; /* most instructions first */
    struct profile_place *places;
    struct count outside;       /* of all loops */
    uint64_t irreducible_turns; /* executions of these edges' targets */
    size_t irreducible_count;   /* back edges that make no loop because the cycle has several entries */
    struct texts texts;
    struct part_slots loop_slots, line_slots; /* used by profile_parts.c alone */
};

/* The executed instruction that covers an offset in a file; NULL: none. */
const struct profile_place *profile_place_find(const struct profile_parts *parts, const char *path,
                                               uint64_t file_offset);

/* Adds the work of one process: `steps` by counter. profile_parts_merge() follows once, after all of them. */
struct code_cost;
struct code_files;
struct dump;
void profile_parts_add(struct profile_parts *parts, const struct dump *dump, const struct code_cost *cost,
                       struct code_files *files, const uint64_t *steps);
void profile_parts_merge(struct profile_parts *parts);
void profile_parts_free(struct profile_parts *parts); /* NULL: no effect */

#endif
