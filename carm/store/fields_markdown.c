/* SPDX-License-Identifier: BSD-3-Clause
 * Prints tables of fields as a document. */
#include "fields.h"
#include "ranges.h"

enum { PATH_BYTES = 64 };

static const char *const VALUES[] = {
    [FIELD_TEXT] = "text",
    [FIELD_LABEL] = "text, not empty",
    [FIELD_NUMBER] = "number",
    [FIELD_AMOUNT] = "number",
    [FIELD_NUMBERS] = "numbers",
    [FIELD_COUNT] = "count",
    [FIELD_PLACE] = "number, from 0",
    [FIELD_WHOLE] = "whole number",
    [FIELD_BYTES] = "count",
    [FIELD_BOOL] = "true or false",
    [FIELD_DOUBTS] = "list of names",
    [FIELD_FEATURES] = "list of names",
    [FIELD_NAME] = "",
    [FIELD_STATISTICS] = "`[n, kept, min, q1, median, q3, max]`",
    [FIELD_CONSTANT] = "",
    [FIELD_TALLY] = "object of counts: ",
    [FIELD_TALLIES] = "object of objects of counts: ",
    [FIELD_RECORD] = "object",
    [FIELD_LIST] = "list",
    [FIELD_ALLOCATED] = "list",
};

static void print_names(const char *const *names, FILE *out) {
    for (size_t i = 0; names && names[i]; i++)
        fprintf(out, "%s`%s`", i ? ", " : "", names[i]);
}

static void print_row(const struct field *row, FILE *out) {
    /* The first name of an enum is the meaning of a missing key. */
    const bool less = row->type == FIELD_NAME && row->missing;
    fprintf(out, "| `%s` | %s", row->key, VALUES[row->type]);
    print_names(row->types, out);
    fputs(row->types ? "; each of " : "", out);
    print_names(row->names ? row->names + less : NULL, out);
    fprintf(out, " | %s | %s | %s |\n", row->unit ? row->unit : "", row->meaning, row->missing ? row->missing : "");
}

static void print_table(const struct field *fields, const char *path, FILE *out);

/* The tables of the records in a record. A bare one has no table, and only extends the path. */
static void print_parts(const struct field *fields, const char *path, FILE *out) {
    for (; fields->key; fields++) {
        char inner[PATH_BYTES];
        if (!fields->of)
            continue;
        snprintf(inner, sizeof inner, "%s%s%s%s", path, *path && !fields->bare ? "." : "",
                 fields->bare ? "" : fields->key, fields->type == FIELD_RECORD ? "" : "[]");
        if (fields->of->bare) {
            print_parts(fields->of, inner, out);
            continue;
        }
        fprintf(out, "\n### `%s`\n\n", inner);
        print_table(fields->of, inner, out);
    }
}

static void print_table(const struct field *fields, const char *path, FILE *out) {
    fputs("| key | value | unit | meaning | missing means |\n|---|---|---|---|---|\n", out);
    for (const struct field *row = fields; row->key; row++)
        print_row(row, out);
    print_parts(fields, path, out);
}

void fields_markdown_print(const struct field *fields, const char *name, FILE *out) {
    fprintf(out, "### %s\n\n", name);
    print_table(fields, "", out);
    fputs("\n### Ranges\n\n", out);
    ranges_print(out);
}
