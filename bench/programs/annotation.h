/* SPDX-License-Identifier: BSD-3-Clause
 * The code of a hot loop, or of a function: what each of its instructions did, and the lines of the source that they
 * are of, with their text. Plain data; what is counted is of one run. */
#ifndef BENCH_PROGRAMS_ANNOTATION_H
#define BENCH_PROGRAMS_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANNOTATIONS_MOST = 5, ANNOTATION_INSTRUCTIONS = 200, ANNOTATION_LINES = 3 * ANNOTATION_INSTRUCTIONS };

struct annotated_line {
    char file[192];    /* as the debug information has it */
    char inlined[128]; /* the function that it is of, where that was inlined; "": it is of the function itself */
    unsigned line;
    char text[160]; /* "": the file is not on the machine where it was measured */
};
struct annotated_instruction {
    uint64_t offset; /* from where its function begins; without a symbol, in its file */
    char text[96];   /* assembly, as instruction_text() has it */
    unsigned code_bytes;
    unsigned line;                                      /* 1 + its line's place among `lines`; 0: none is known */
    uint64_t executions, flop, load_bytes, store_bytes; /* all of them together; without the implicit stack */
    unsigned data_bits; /* width of what it computes, loads or stores; 0: it does none of these */
    double time_share;  /* of the program's sampled CPU time: 0 to 1 */
};
struct annotation {
    char name[96]; /* as the point of the loop is called, or would be; of a function "program/function" */
    char program[64], function[128], object[128];
    bool is_loop;
    uint64_t iterations; /* of a loop */
    double time_share;   /* of all of its instructions, also those left out */
    uint64_t samples;    /* of the whole program, that the shares are of */
    unsigned left_out;   /* instructions, where there are more than fit: those that ran or were sampled the least */
    bool source_newer;   /* a source file was written after the program was built */
    size_t line_count, instruction_count;
    struct annotated_line *lines;               /* by file and line, those of inlined functions last; between two that
                                                   have code stand the few that have none */
    struct annotated_instruction *instructions; /* by address */
};

/* What the instructions of one of its lines did. */
struct annotated_sums {
    uint64_t executions, flop, load_bytes, store_bytes; /* executions: of the instruction that ran most often */
    double time_share;
};
struct annotated_sums annotation_sums(const struct annotation *annotation, size_t line);

/* Whether any line has its text. */
bool annotation_has_text(const struct annotation *annotation);

/* Of the function itself "17", or "solve.c:17" where its text is not there; of one that was inlined "square:3". */
enum { ANNOTATED_LABEL_BYTES = 160 };
const char *annotated_line_label(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]);

/* What stands above the first line of a file, or of an inlined function: "solve.c", "square, inlined: vector.h". */
const char *annotated_line_heading(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]);

/* Whether it is what a user calls so: its name, with the program before it or without. */
bool annotation_is_called(const char *name, const char *wanted);

void annotation_free(struct annotation *annotation);                 /* what it holds */
void annotations_free(struct annotation *annotations, size_t count); /* also of NULL, 0 */

#endif
