/* SPDX-License-Identifier: BSD-3-Clause
 * Test results as JUnit XML for CI systems: one suite of cases. */
#pragma once

#include <stddef.h>

#include <stdio.h>

enum junit_outcome { JUNIT_PASSED, JUNIT_FAILED, JUNIT_SKIPPED };

struct junit_case {
    char group[64], name[160];
    enum junit_outcome outcome;
    const char *type;  /* of a failure: "fail", "missing" */
    char message[320]; /* of a case that did not pass */
};

/* `suite` is the name of the suite, `host` that of the machine. */
void junit_print(const char *suite, const char *host, const char *timestamp, const struct junit_case *cases,
                 size_t count, FILE *out);
