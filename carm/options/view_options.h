/* SPDX-License-Identifier: BSD-3-Clause
 * The options that choose what of a result is looked at, shared by the commands that show, compare and draw. */
#ifndef CARM_VIEW_OPTIONS_H
#define CARM_VIEW_OPTIONS_H

#include "carm/compare/compare.h"
#include "probe/error.h"
#include "cli.h"

/* --per: cycle, or core where the command knows that; PER_MACHINE where it is not given. */
enum compare_per view_options_per(const struct arguments *arguments);

/* --threads, the roofs of so many: ROOF_ALL_CORES for "all", 0 where it is not given. */
bool view_options_threads(const struct arguments *arguments, unsigned *out, struct error *err);

/* --threads of several numbers, such as 1,all: `count` of them, as they are named; none where it is not given. */
enum { VIEW_THREADS_MAX = 3 };
bool view_options_thread_list(const struct arguments *arguments, unsigned out[VIEW_THREADS_MAX], size_t *count,
                              struct error *err);

/* --plot: a picture, to be drawn when something was measured. Error: its ending is of no format, or it could not be
 * written there. True where the option is not given. */
bool view_options_plot(const struct arguments *arguments, struct error *err);

/* -o, of a command that writes a result: error where it is named as a picture. True where the option is not given;
 * whether it can be written there is found out by who writes it. */
bool view_options_output(const struct arguments *arguments, struct error *err);

#endif
