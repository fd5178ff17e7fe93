/* SPDX-License-Identifier: BSD-3-Clause
 * Verdicts against a baseline as text, as JSON, and as JUnit XML. */
#ifndef CARM_CHECK_REPORT_H
#define CARM_CHECK_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/compare/check.h"

struct check_setting {
    const char *path, *baseline_path;
    const struct result *result;
    const struct baseline *baseline;
    bool strict; /* a doubtful roof is a failure too */
};

/* Roofs that make the check fail. */
size_t check_failures(const struct check *check, const struct check_setting *setting);

void check_print(const struct check *check, const struct check_setting *setting, FILE *out);

/* Schema "carmine.check/1". */
json_t *check_json(const struct check *check, const struct check_setting *setting);

bool check_junit(const struct check *check, const struct check_setting *setting, const char *path, struct error *err);

#endif
