/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose a part of a result, shared by the commands that show, compare and draw; and the
 * terminal's abilities, from its environment. */
#pragma once

#include <jansson.h>

#include "cli.h"

#include "carm/compare/compare.h"
#include "carm/text/suggestion.h"
#include "render/draw/term.h"

struct error;

/* Whether LC_ALL, LC_CTYPE or LANG, the first that is set, names UTF-8. */
bool terminal_has_utf8(void);

/* Columns: COLUMNS, else the terminal's on standard output. UTF-8 by the function above. Colours from TERM and
 * COLORTERM: none if NO_COLOR is set or standard output is no terminal, unless CLICOLOR_FORCE is set (bixense.com). */
struct plot_terminal terminal_find(void);

/* From now on tables are limited to the columns. In a pipe without COLUMNS they have no limit. */
void terminal_fit_tables(void);

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

/* --labels OLD=NEW,…: other names of applications, programs, series and machines. */

/* clang-format off */
#define CHOICE_LABELS {"labels", 0, "OLD=NEW,…", "other names of applications, programs, series, and of several " \
                       "machines (by name, file or letter)"}
/* clang-format on */

enum { LABELS_MAX = 64 };

struct labels {
    size_t count;
    struct label_pair {
        const char *old, *new;
        bool used;
        struct suggestion near; /* to the old name */
    } pairs[LABELS_MAX];
};

/* Not given: no pairs. Error: another form. */
bool labels_read(const struct arguments *arguments, struct labels *out, struct error *err);

/* Gives the results' points their other names. */
void labels_rename_points(struct labels *labels, struct result *results, size_t count);

/* Gives the sides other names than those of compare_label(). Error: a side has two. */
bool labels_rename_sides(struct labels *labels, struct compare_side *sides, size_t count, struct error *err);

/* After all renaming. Error: nothing has an old name. */
bool labels_check(struct labels *labels, struct error *err);
