/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of carmine-workload for one process. */
#ifndef BENCH_WORKLOAD_WORDS_H
#define BENCH_WORKLOAD_WORDS_H

#include "workload.h"

enum { WORKLOAD_MAX_WORDS = 28, WORKLOAD_WORD_BYTES = 32 };

struct workload_words {
    size_t count; /* of options and their values */
    char text[WORKLOAD_MAX_WORDS][WORKLOAD_WORD_BYTES];
    char *argv[WORKLOAD_MAX_WORDS + 5]; /* as execv() takes them, once listed: program, workload, --file of one's
                                            own and its library, `text`, NULL */
};

/* Adds an option and its value, printf-like. */
__attribute__((format(printf, 3, 4))) void workload_words_add(struct workload_words *words, const char *option,
                                                              const char *format, ...);

/* Adds an option without a value. */
void workload_words_flag(struct workload_words *words, const char *option);

/* Makes `argv` of the words so far. What it points to belongs to `out` and to the request. */
void workload_words_list(const struct workload_request *request, struct workload_words *out);

/* The words of a process with so many repetitions of as many runs as the threshold of cycles needs; with 0 it does a
 * single run, to be counted. They are listed, too. */
void workload_words_make(const struct workload_request *request, unsigned repetitions, struct workload_words *out);

/* The command line as one text: "carmine-workload daxpy --size 1000 …". */
void workload_words_join(const struct workload_words *words, char *out, size_t size);

#endif
