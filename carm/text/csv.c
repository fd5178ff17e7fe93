/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of CSV (see csv.h). */
#include "csv.h"

#include <math.h>

void csv_put_text(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void csv_put_number(double value, int digits, FILE *out) {
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, "%.*g", digits, value);
}
