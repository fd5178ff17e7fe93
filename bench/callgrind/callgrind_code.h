/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions that callgrind tells of: each is found in its file and decoded once. */
#ifndef BENCH_CALLGRIND_CODE_H
#define BENCH_CALLGRIND_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/instruction.h"
#include "callgrind_slices.h"

struct callgrind_function {
    const char *object; /* file name; "" for code that lies in no file */
    const char *name;   /* "" where no symbol covers it */
    bool is_mark;       /* one of libcarmine's */
    bool is_foreign;    /* of valgrind or the collector, not the program's */
};
struct code_instruction {
    size_t function;
    bool known;    /* false: no code was found, so its effect is not known */
    bool compares; /* a repeated one that ends by what it finds (cmps, scas) */
    struct effect effect;
};

struct code;

struct code *code_open(void);
void code_close(struct code *code);

/* Lives until the next call. */
const struct code_instruction *code_find(struct code *code, const struct slice *slice,
                                         const struct callgrind_line *line);

const struct callgrind_function *code_function(const struct code *code, size_t function);

#endif
