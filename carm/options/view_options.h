/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose a part of a result, shared by the commands that show, compare and draw. */
#ifndef CARM_VIEW_OPTIONS_H
#define CARM_VIEW_OPTIONS_H

#include <jansson.h>

#include "carm/compare/compare.h"
#include "cli.h"

struct error;

#define CHOICE_MARKDOWN                                                                                                \
    { "markdown", 0, NULL, "print the tables in Markdown, for issues and wikis" }
#define CHOICE_LATEX                                                                                                   \
    { "latex", 0, NULL, "print the tables in LaTeX (booktabs), all else as comments" }
#define CHOICE_CSV                                                                                                     \
    { "csv", 0, NULL, "print CSV, a row for each row of the table, in units without prefix" }

/* Whether the answer is data, --json or --csv; prints it so, and releases it: CSV has the list `rows` of the object. */
bool view_options_data(const struct arguments *arguments);
void view_options_print(const struct arguments *arguments, json_t *answer, const char *rows);

/* --per: cycle, or core if the command has it; PER_MACHINE if not given. */
enum compare_per view_options_per(const struct arguments *arguments);

/* --threads, the number of threads: ROOF_ALL_CORES for "all", 0 if not given. */
bool view_options_threads(const struct arguments *arguments, unsigned *out, struct error *err);

/* --threads with several numbers, such as 1,all, in their order. `count` 0: not given. */
enum { VIEW_THREADS_MAX = 3 };
bool view_options_thread_list(const struct arguments *arguments, unsigned out[VIEW_THREADS_MAX], size_t *count,
                              struct error *err);

/* --plot: a picture drawn after the measurement. Error: unknown format, or it could not be written. True if not given.
 */
bool view_options_plot(const struct arguments *arguments, struct error *err);

/* -o of a command that writes a result. Error: the name is that of a picture. True if not given. The writer checks
 * whether it can be written. */
bool view_options_output(const struct arguments *arguments, struct error *err);

#endif
