/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts against a baseline in the forms that other programs read: acceptance tests, CI, monitoring. A form is a row
 * of a table. */
#ifndef CARM_REPORT_CHECK_FORMATS_H
#define CARM_REPORT_CHECK_FORMATS_H

#include <jansson.h>
#include <stdio.h>

#include "check_report.h"

struct check_format {
    const char *name, *what; /* "junit"; what it is, in words. NULL: the table ends here */
    void (*print)(const struct check *check, const struct check_setting *setting, FILE *out);
    int failed, doubtful, unknown; /* exit statuses: roofs fail; none fails, but a headline is doubtful; no check */
    void (*print_unknown)(const char *why, FILE *out); /* there was no check; NULL: the form has no words for it */
};
extern const struct check_format check_formats[];

/* NULL: there is none of that name. */
const struct check_format *check_format_find(const char *name);

/* A file of the form in which the format prints, all of it or nothing. Error: it cannot be written. */
bool check_format_write(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting, const char *path, struct error *err);

/* The exit status of a check in that form. */
int check_format_status(const struct check_format *format, const struct check *check,
                        const struct check_setting *setting);

/* The check as JSON of the schema "carmine.check/2"; the caller releases it. */
json_t *check_json(const struct check *check, const struct check_setting *setting);

#endif
