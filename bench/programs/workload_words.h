/* SPDX-License-Identifier: BSD-3-Clause
 * The arguments of one carmine-workload process. */
#ifndef BENCH_PROGRAMS_WORKLOAD_WORDS_H
#define BENCH_PROGRAMS_WORKLOAD_WORDS_H

#include "workload.h"

enum { WORKLOAD_MAX_WORDS = 18, WORKLOAD_WORD_BYTES = 32 };

struct workload_words {
    size_t count; /* of words in `text` */
    char text[WORKLOAD_MAX_WORDS][WORKLOAD_WORD_BYTES];
    char file[608];                     /* the library of a user's workload */
    char *argv[WORKLOAD_MAX_WORDS + 4]; /* for execv(), after listing: program, workload, `text`, `file`, NULL */
};

/* Adds a word KEY=VALUE, printf-like; bench/workloads/request.h lists them. */
__attribute__((format(printf, 2, 3))) void workload_words_add(struct workload_words *words, const char *format, ...);

/* Makes `argv` from the words so far. It points into `out` and the request. */
void workload_words_list(const struct workload_request *request, struct workload_words *out);

/* The arguments for so many repetitions, with as many runs each as the threshold of cycles needs. 0: a single run, to
 * be counted. They are listed, too. */
void workload_words_make(const struct workload_request *request, unsigned repetitions, struct workload_words *out);

/* The command line as one text: "carmine-workload daxpy size=1000 …". */
void workload_words_join(const struct workload_words *words, char *out, size_t size);

#endif
