/* SPDX-License-Identifier: BSD-3-Clause
 * --labels OLD=NEW,…: other names of applications, programs, series and machines. */
#pragma once

#include "cli.h"
#include "carm/text/suggestion.h"

#include "carm/compare/compare.h"

struct result;

#define CHOICE_LABELS                                                                                                  \
    {                                                                                                                  \
        "labels", 0, "OLD=NEW,…",                                                                                      \
            "other names of applications, programs, series, and of several machines (by name, file or letter)"         \
    }

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
