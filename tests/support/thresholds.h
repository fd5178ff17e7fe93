/* SPDX-License-Identifier: BSD-3-Clause
 * Checks that each row of a table of thresholds decides at its value, and that a document contains exactly its rows.
 * For one test program per table, after cmocka. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/threshold.h"

/* A row: a yes or no of the program that changes where a quantity passes this number. It stands here and in the row, so
 * that a changed row fails its case; of counts it is halfway between two. */
struct threshold_case {
    const char *name;
    double value;
    bool (*answer)(double quantity);
    bool above; /* the answer just above; the other one just below */
};

/* Each row has a case at least, and each case a row. */
static inline void thresholds_decide(const struct threshold *thresholds, size_t count,
                                     const struct threshold_case *cases, size_t case_count) {
    for (size_t i = 0; i < count; i++) {
        size_t own = 0;
        for (size_t k = 0; k < case_count; k++)
            own += strcmp(cases[k].name, thresholds[i].name) == 0;
        if (own == 0)
            fail_msg("no case shows what \"%s\" decides", thresholds[i].name);
        assert_true(thresholds[i].value > 0 && *thresholds[i].decides && *thresholds[i].because);
    }
    for (size_t k = 0; k < case_count; k++) {
        size_t row = 0;
        while (row < count && strcmp(thresholds[row].name, cases[k].name) != 0)
            row++;
        if (row == count)
            fail_msg("no row is \"%s\"", cases[k].name);
        for (int above = 0; above < 2; above++)
            if (cases[k].answer(cases[k].value * (above ? 1.001 : 0.999)) != (above == cases[k].above))
                fail_msg("\"%s\" does not decide just %s %g", cases[k].name, above ? "above" : "below", cases[k].value);
    }
}

static inline char *thresholds_markdown(const struct threshold *thresholds, size_t count) {
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

/* Names are unique, because documents refer to them. */
static inline void thresholds_shown_in(const char *path, const struct threshold *thresholds, size_t count) {
    for (size_t i = 0; i < count; i++) {
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
