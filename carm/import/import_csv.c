/* SPDX-License-Identifier: BSD-3-Clause
 * CSV (see import_csv.h). */
#include "import_csv.h"
#include "probe/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A cell in quotes, cut in place. Returns the text after its closing quote; NULL: no closing quote. */
static char *read_quoted(struct import_text *text, char *at, char **cell) {
    char *to = at, *from = at + 1;
    *cell = at;
    for (; *from; from++) {
        if (*from == '"' && from[1] == '"')
            from++;
        else if (*from == '"')
            break;
        text->line += *from == '\n';
        *to++ = *from;
    }
    if (!*from)
        return NULL;
    *to = '\0';
    return from + 1;
}

/* Cuts the row that begins at text->next; `*count` may be 1 for an empty line. */
static bool read_row(struct import_text *text, char separator, struct csv_row *out, struct error *err) {
    const char ends[] = {separator, '\n', '"', '\0'};
    char *at = text->begin = text->next;
    out->count = 0;
    out->line = ++text->line;
    for (;;) {
        if (out->count == CSV_MAX_CELLS)
            return import_text_fail(text, NULL, err, "has more than %d columns", CSV_MAX_CELLS);
        char **cell = &out->cells[out->count++], *begin = at;
        if (*at == '"') {
            at = read_quoted(text, at, cell);
            if (!at) {
                text->line = out->line;
                return import_text_fail(text, begin, err, "a quote that is never closed; is the file complete?");
            }
            if (*at && *at != separator && *at != '\n' && !(at[0] == '\r' && at[1] == '\n'))
                return csv_fail(text, out, NULL, out->count, err, "text behind the closing quote");
        } else {
            *cell = at;
            at += strcspn(at, ends);
            if (*at == '"')
                return csv_fail(text, out, NULL, out->count, err, "a quote in the middle of a cell");
        }
        char end = *at;
        if (end == '\r')
            *at++ = '\0';
        else if (end != separator && at > begin && at[-1] == '\r')
            at[-1] = '\0';
        end = *at;
        if (end)
            *at++ = '\0';
        if (end != separator) {
            text->next = at;
            return true;
        }
    }
}

bool csv_read(struct import_text *text, char separator, struct csv_row *out, struct error *err) {
    out->count = 0;
    while (text->next < text->text + text->length) {
        if (!read_row(text, separator, out, err))
            return false;
        if (out->count > 1 || out->cells[0][0])
            return true;
        out->count = 0;
    }
    return true;
}

char csv_separator(const char *line) {
    const char candidates[] = ",;\t|^";
    size_t most = 0;
    char best = ',';
    for (const char *candidate = candidates; *candidate; candidate++) {
        size_t count = 0;
        for (const char *c = line; *c && *c != '\n'; c++)
            count += *c == *candidate;
        if (count > most) {
            most = count;
            best = *candidate;
        }
    }
    return best;
}

size_t csv_find(const struct csv_row *heading, const char *name) {
    for (size_t i = 0; i < heading->count; i++)
        if (strcmp(heading->cells[i], name) == 0)
            return i + 1;
    return 0;
}

bool csv_fail(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
              struct error *err, const char *format, ...) {
    char what[320], name[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (heading && cell <= heading->count)
        snprintf(name, sizeof name, " (%.60s)", heading->cells[cell - 1]);
    return error_set(err, "%s: line %u, column %zu%s: %s", text->path, row->line, cell, name, what);
}

bool csv_number(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                double *out, struct error *err) {
    if (cell > row->count)
        return csv_fail(text, row, heading, cell, err, "the row ends before it; is the file complete?");
    const char *value = row->cells[cell - 1], *trouble = import_number(value, out);
    return !trouble || csv_fail(text, row, heading, cell, err, "'%.40s' %s", value, trouble);
}
