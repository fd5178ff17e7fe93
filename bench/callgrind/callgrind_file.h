/* SPDX-License-Identifier: BSD-3-Clause
 * The files that callgrind leaves, part by part (format: valgrind's manual, "Callgrind Format Specification"). Written
 * with --dump-line=no --compress-pos=no --compress-strings=no; with --dump-instr=yes each line is an instruction. */
#ifndef BENCH_CALLGRIND_FILE_H
#define BENCH_CALLGRIND_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/error.h"

enum { CALLGRIND_MAX_EVENTS = 16 };

struct callgrind_line {
    const char *object;    /* path, "???" where valgrind knows none; lives as long as the file is open */
    uint64_t address;      /* as in the object's own headers; of an unknown object: in memory */
    uint64_t executions;   /* the first event */
    uint64_t self_jumps;   /* jumps of the instruction to itself: repeated string instructions, see --collect-jumps */
    uint64_t self_chances; /* how often it came to where it jumps or does not */
};
struct callgrind_part {
    unsigned thread;      /* valgrind's number, which a later thread gets again */
    uint64_t first_block; /* how many basic blocks the process ran before; 0: from its start */
    char trigger[192];    /* why the part was written */
    unsigned event_count;
    char events[CALLGRIND_MAX_EVENTS][16]; /* "Ir", … */
    uint64_t totals[CALLGRIND_MAX_EVENTS];
    size_t line_count;
    struct callgrind_line *lines;
};

struct callgrind_file;

struct callgrind_file *callgrind_file_open(const char *path, struct error *err);
void callgrind_file_close(struct callgrind_file *file);

/* The next part, which lives until the next call; `*out` is NULL after the last one. Error: what is there can't be
 * understood, with its line. */
bool callgrind_file_next(struct callgrind_file *file, const struct callgrind_part **out, struct error *err);

/* The command, as its header tells it; after the first part. */
const char *callgrind_file_command(const struct callgrind_file *file);

/* Error: the part has no such event. */
bool callgrind_total(const struct callgrind_part *part, const char *event, uint64_t *out, struct error *err);

#endif
