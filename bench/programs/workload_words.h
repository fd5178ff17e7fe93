/* SPDX-License-Identifier: BSD-3-Clause
 * What is requested of one process of carmine-workload, word by word. */
#ifndef BENCH_PROGRAMS_WORKLOAD_WORDS_H
#define BENCH_PROGRAMS_WORKLOAD_WORDS_H

#include "workload.h"

enum { WORKLOAD_MAX_WORDS = 18, WORKLOAD_WORD_BYTES = 32 };

struct workload_words {
    size_t count; /* of those in `text` */
    char text[WORKLOAD_MAX_WORDS][WORKLOAD_WORD_BYTES];
    char file[608]; /* the library of a workload of one's own */
    char
        *argv[WORKLOAD_MAX_WORDS + 4]; /* as execv() takes them, once listed: program, workload, `text`, `file`, NULL */
};

/* Adds a word KEY=VALUE, printf-like: bench/workloads/request.h says which there are. */
__attribute__((format(printf, 2, 3))) void workload_words_add(struct workload_words *words, const char *format, ...);

/* Makes `argv` of the words so far. What it points to belongs to `out` and to the request. */
void workload_words_list(const struct workload_request *request, struct workload_words *out);

/* The words of a process with so many repetitions of as many runs as the threshold of cycles needs; with 0 it does a
 * single run, to be counted. They are listed, too. */
void workload_words_make(const struct workload_request *request, unsigned repetitions, struct workload_words *out);

/* The command line as one text: "carmine-workload daxpy size=1000 …". */
void workload_words_join(const struct workload_words *words, char *out, size_t size);

#endif
