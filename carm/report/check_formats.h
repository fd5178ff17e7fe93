/* SPDX-License-Identifier: BSD-3-Clause
 * Checks in formats for other programs: acceptance tests, CI, monitoring. A format is a row of a table. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "check_report.h"

struct error;

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
