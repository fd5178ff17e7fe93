/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of CSV. */
#include "csv.h"

#include <math.h>
#include <string.h>

#include "render/page/safe_text.h"

/* Beginnings that spreadsheets take for a formula (OWASP, CSV Injection). */
static const char FORMULA[] = "=+-@\t\r";

void csv_put_text(const char *text, FILE *out) {
    fputs(*text && strchr(FORMULA, *text) ? "\"'" : "\"", out);
    while (*text) {
        const char *instead;
        const size_t bytes = safe_text_next(text, &instead);
        fprintf(out, "%s%.*s", *text == '"' ? "\"" : "", instead ? 1 : (int)bytes, instead ? instead : text);
        text += bytes;
    }
    fputc('"', out);
}

void csv_put_next(const char *text, FILE *out) {
    fputc(',', out);
    csv_put_text(text, out);
}

void csv_put_number(double value, int digits, FILE *out) {
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, "%.*g", digits, value);
}
