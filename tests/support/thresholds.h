/* SPDX-License-Identifier: BSD-3-Clause
 * Checks that a document contains exactly the rows of a table of thresholds. For one test program per table, after
 * cmocka. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/threshold.h"

static char *thresholds_markdown(const struct threshold *thresholds, size_t count) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fprintf(out, "| threshold | value | of what, and what it decides | why |\n|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "| %s | %g | %s | %s |\n", thresholds[i].name, thresholds[i].value, thresholds[i].decides,
                thresholds[i].because);
    fputc('\n', out);
    fclose(out);
    return text;
}

/* Names are unique, because documents refer to them; each row states its decision and its reason. */
static void thresholds_shown_in(const char *path, const struct threshold *thresholds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_true(thresholds[i].value > 0 && *thresholds[i].decides && *thresholds[i].because);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(thresholds[i].name, thresholds[k].name);
    }
    static char document[1 << 17];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    document[fread(document, 1, sizeof document - 1, in)] = '\0';
    fclose(in);
    char *wanted = thresholds_markdown(thresholds, count);
    const char *found = strstr(document, wanted);
    if (!found) {
        fputs(wanted, stdout);
        fail_msg("%s does not show this table of thresholds", path);
    }
    free(wanted);
}
