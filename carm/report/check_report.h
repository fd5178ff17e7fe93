/* SPDX-License-Identifier: BSD-3-Clause
 * A check against a baseline as text: all verdicts, and one screen with the sum, the classes and the worst roofs; and
 * in formats for other programs. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/compare/check.h"
#include "carm/text/columns.h"

struct error;

/* The subjects of a check, borrowed. */
struct check_setting {
    const char *path, *baseline_path; /* the result's file; the baseline's file or folder */
    const struct result *result;
    const struct baseline *baseline;
    bool strict; /* doubtful roofs fail too */
};

/* How many roofs make the check fail. */
size_t check_failures(const struct check *check, const struct check_setting *setting);

/* FAILED if roofs fail, else UNKNOWN if too little could be judged (check_can_tell), else PASSED. */
enum check_outcome { CHECK_PASSED, CHECK_FAILED, CHECK_UNKNOWN };
enum check_outcome check_outcome(const struct check *check, const struct check_setting *setting);

/* Writes "FAILED: of 155 roofs 52 fail, 103 pass" to `out`, and returns it. */
const char *check_sum(const struct check *check, const struct check_setting *setting, char *out, size_t size);

/* Whether the verdict makes the check fail. */
bool check_is_failure(enum check_verdict verdict, const struct check_setting *setting);

/* A value of the row for people, "31.6 GB/s", or why there is none. */
const char *check_value_text(const struct check_row *row, double value, enum compare_per per, char *out, size_t size);

/* Its unit in files: "bytes_per_s". */
const char *check_unit_name(const struct check_row *row, enum compare_per per);

/* The columns of a verdict. */
void check_row_columns(struct column_walk *to, const struct check_row *row, const struct check_setting *setting);

/* Prints the verdict of each roof, and the meaning of the warnings. */
void check_print(const struct check *check, const struct check_setting *setting, FILE *out);

/* One screen: passed or failed, whether the clock is the reason, the roofs of each class, and the worst roofs.
 * `per_cycle` is the same check with values per cycle; NULL: none. */
void check_answer_print(const struct check *check, const struct check *per_cycle, const struct check_setting *setting,
                        const struct screen *screen);

/* Checks in formats for other programs: acceptance tests, CI, monitoring. A format is a row of a table. */

struct check_format {
    const char *name, *what; /* "junit"; its description. NULL: end of the table */
    void (*print)(const struct check *check, const struct check_setting *setting, FILE *out);
    int failed, doubtful, unknown; /* exit statuses: roofs fail; none fails, but a headline is doubtful; no check */
    void (*print_unknown)(const char *why, FILE *out); /* without a check; NULL: the format has nothing for it */
};
extern const struct check_format check_formats[];

/* NULL: no such format. */
const struct check_format *check_format_find(const char *name);

/* Writes a file in this format, all of it or nothing. Error: it cannot be written. */
bool check_format_write(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting, const char *path, struct error *err);

/* The exit status of a check in this format. */
int check_format_status(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting);

/* A result's roofs and figures of its memory, each a number with a name, for tools that keep numbers. */
struct flat_format {
    const char *name;                                                      /* "prometheus"; NULL: end of the table */
    void (*print)(const struct model *model, const char *path, FILE *out); /* path: of the result */
};
extern const struct flat_format flat_formats[];
void flat_print(const char *name, const struct model *model, const char *path, FILE *out);

/* Schema "carmine.flat/1": value, unit and interval of each, by its name. The caller releases it. */
json_t *flat_json(const struct model *model);

/* Schema "carmine.check.reframe/1": what a ReFrame test takes. The caller releases it. */
json_t *reframe_json(const struct check *check, const struct check_setting *setting);

/* The check as JSON of the schema "carmine.check/2"; the caller releases it. */
json_t *check_json(const struct check *check, const struct check_setting *setting);
