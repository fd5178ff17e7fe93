/* SPDX-License-Identifier: BSD-3-Clause
 * What a counted program did loop by loop and line by line: exact counts, and where in its files the code of each lies,
 * so that samples of CPU time find their loop and their line. */
#ifndef BENCH_PROFILE_PARTS_H
#define BENCH_PROFILE_PARTS_H

#include "profile.h"
#include "texts.h"

#define PART_NONE UINT32_MAX

/* Where a part is in the source, and whose it is. Texts are kept by the parts, each once; "" is what is not known. */
struct part_source {
    const char *object;   /* file name of the code, "libm.so.6" */
    const char *function; /* as in that file; "" where no symbol covers it */
    const char *inlined;  /* the innermost function that was inlined into that one, and is whose code this is */
    const char *file;     /* of the source */
    unsigned line;        /* 0: no debug information tells */
    uint64_t offset; /* of the loop's header, or of the code where no line is known: from where its function begins;
                        without one, in the file */
};
struct profile_loop {
    struct part_source source;
    uint32_t parent;     /* the loop of the same function that it is in; PART_NONE */
    unsigned depth;      /* 1: it is in none */
    uint64_t iterations; /* executions of its first piece of code: of a loop that asks at its top, one more for each
                            time that it was entered */
    uint64_t entries;
    bool entries_known;
    struct count count;              /* with the loops within it, without what they call */
    struct count own;                /* without the loops within it */
    struct profile_traffic *traffic; /* of simulated caches (profile_traffic.h), as `count`; NULL: none */
    struct touched touched;          /* as `count` */
};
struct profile_line {
    struct part_source source; /* of one function alone, where several have code of the line */
    struct count count;
    struct profile_traffic *traffic; /* NULL: none */
    struct touched touched;
};
enum { PLACE_CODE_BYTES = 15 }; /* of the longest instruction */
struct profile_place {          /* an instruction that ran, of one loop and one line */
    const char *path;
    uint64_t start, function_start;         /* in the file; function_start: 0 where no symbol covers it */
    uint64_t executions;                    /* of all processes */
    uint64_t flop, load_bytes, store_bytes; /* of all executions; without the implicit stack */
    uint32_t loop, line;                    /* the innermost loop; PART_NONE */
    uint16_t data_bytes;                    /* width of what it computes, loads or stores; 0: it does none of these */
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
    uint64_t irreducible_turns; /* how often what follows was gone round, or entered */
    size_t irreducible_count;   /* ways back in the code that make no loop, since it can be entered elsewhere */
    struct texts texts;
    struct part_slots loop_slots, line_slots; /* for profile_parts.c alone */
};

/* The instruction that covers an offset in a file; NULL: none that ran. */
const struct profile_place *profile_place_find(const struct profile_parts *parts, const char *path,
                                               uint64_t file_offset);

/* Adds what one process did: `steps` of each counter. Then, once, for all of them: */
struct code_cost;
struct code_files;
struct dump;
void profile_parts_add(struct profile_parts *parts, const struct dump *dump, const struct code_cost *cost,
                       struct code_files *files, const uint64_t *steps);
void profile_parts_merge(struct profile_parts *parts);
void profile_parts_free(struct profile_parts *parts); /* also NULL */

#endif
