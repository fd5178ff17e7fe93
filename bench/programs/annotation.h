/* SPDX-License-Identifier: BSD-3-Clause
 * The code of a hot loop or function: the work of each instruction, and the source lines, with their text. Plain data;
 * counts are of one run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANNOTATIONS_MOST = 5, ANNOTATION_INSTRUCTIONS = 200, ANNOTATION_LINES = 3 * ANNOTATION_INSTRUCTIONS };

struct annotated_line {
    char file[192];    /* as in the debug information */
    char inlined[128]; /* the inlined function that contains the line; "": the function itself */
    unsigned line;
    char text[160]; /* "": no such file on the machine that was measured */
};
struct annotated_instruction {
    uint64_t offset; /* from the function's start; without a symbol, in the file */
    char text[96];   /* disassembly by instruction_text() */
    unsigned code_bytes;
    unsigned line;                                      /* 1 + index of its line in `lines`; 0: unknown */
    uint64_t executions, flop, load_bytes, store_bytes; /* all executions together; without the implicit stack */
    unsigned data_bits;                                 /* width of its computation, load or store; 0: none */
    double chain_cycles, ports_cycles; /* per iteration of its innermost loop: its part of the longest chain, and of the
                                          busiest ports' time; 0: none, or unknown */
    double time_share;                 /* share of the program's sampled CPU time: 0 to 1 */
};
struct annotation {
    char name[96]; /* the name of the loop's point, or the one that it would have; for a function "program/function" */
    char program[64], function[128], object[128];
    bool is_loop;
    uint64_t iterations; /* of a loop */
    double time_share;   /* of all instructions, with those left out */
    uint64_t samples;    /* of the whole program, the base of the shares */
    unsigned left_out;   /* instructions that did not fit: those with the fewest executions or samples */
    bool source_newer;   /* a source file was written after the program was built */
    size_t line_count, instruction_count;
    struct annotated_line *lines; /* by file and line, inlined functions last; includes short gaps without code */
    struct annotated_instruction *instructions; /* by address */
};

/* The work of the instructions of one line. */
struct annotated_sums {
    uint64_t executions, flop, load_bytes, store_bytes; /* executions: of the most executed instruction */
    double time_share;
};
struct annotated_sums annotation_sums(const struct annotation *annotation, size_t line);

/* Whether any line has its text. */
bool annotation_has_text(const struct annotation *annotation);

/* In the function itself "17", or "solve.c:17" if there is no text; in an inlined one "square:3". */
enum { ANNOTATED_LABEL_BYTES = 160 };
const char *annotated_line_label(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]);

/* The heading above the first line of a file or an inlined function: "solve.c", "square, inlined: vector.h". */
const char *annotated_line_heading(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]);

/* Whether `wanted` is the name, with or without the program before it. */
bool annotation_is_called(const char *name, const char *wanted);

void annotation_free(struct annotation *annotation);                 /* frees its arrays */
void annotations_free(struct annotation *annotations, size_t count); /* NULL, 0: no effect */
