/* SPDX-License-Identifier: BSD-3-Clause
 * Lines, places, numbers and rows of CSV (see import_text.h). */
#include "import_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/file_io.h"
#include "probe/error.h"
#include "probe/need.h"

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
static bool import_text_read_row(struct import_text *text, char separator, struct csv_row *out, struct error *err) {
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
        if (!import_text_read_row(text, separator, out, err))
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

static const char UTF_16[] = "this is UTF-16, as PowerShell writes it: convert it with iconv -f UTF-16 -t UTF-8";

static const struct binary_form {
    const char *mark;
    size_t length;
    const char *sentence;
} BINARY[] = {
    {"PERFILE2", 8, "this is perf.data of perf record: make counts with perf stat -x,"},
    {"NVR\0", 4, "this is a report of Nsight Compute: print it with ncu --import FILE --csv --page raw"},
    {"SQLite format 3", 16,
     "this is a database, as nvprof -o and nsys export write it: make nvprof's text with nvprof --csv --metrics …, and "
     "the times with nvprof --import FILE --csv --print-gpu-summary"},
    {"\177ELF", 4, "this is a program: give the output of the tool"},
    {"\x1f\x8b", 2, "this file is compressed: unpack it with gunzip"},
    {"PK\3\4", 4, "this is an archive or a workbook: unpack it, or store its table as CSV"},
    {"\xFF\xFE", 2, UTF_16},
    {"\xFE\xFF", 2, UTF_16},
};

static bool begins_line(const char *text, const char *at) {
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n' || at[-1] == '\0';
}

static bool has_mark(const char *text, size_t length, const char *mark) {
    const bool at_beginning = *mark == '^';
    const char *end = text + length;
    mark += at_beginning;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), mark, strlen(mark))); at++)
        if (!at_beginning || begins_line(text, at))
            return true;
    return false;
}

/* The sentence of the first form whose mark the text has; NULL: none. Its lines may be cut by NULs. */
static const char *forms_find(const struct unread_form *forms, const char *text, size_t length) {
    for (; forms->mark; forms++)
        if (has_mark(text, length, forms->mark))
            return forms->sentence;
    return NULL;
}

/* The same of binary files, which begin with a mark. */
static const char *forms_find_binary(const char *bytes, size_t length) {
    for (size_t i = 0; i < sizeof BINARY / sizeof BINARY[0]; i++)
        if (length >= BINARY[i].length && memcmp(bytes, BINARY[i].mark, BINARY[i].length) == 0)
            return BINARY[i].sentence;
    return NULL;
}

enum { MAX_FILE_BYTES = 256 << 20, NUMBER_BYTES = 64 };
/* No counter, time or rate lies beyond. The ranges of the units (carm/store/ranges.h) are narrower, but a number's
 * place in the file is known only here. */
static const double LEAST = 1e-30, MOST = 1e30;
static const char BEHIND[] = "is followed by a unit or other letters; write only the number, in base units";

/* Moves to the line of `at`. */
static void go_to(struct import_text *text, const char *at) {
    while (import_text_line(text) && text->next <= at)
        ;
}

static const char *find_no_text(const struct import_text *text) {
    for (const char *c = text->text; c < text->text + text->length; c++)
        if ((unsigned char)*c < ' ' && !isspace((unsigned char)*c) && *c != '\033')
            return c;
    return NULL;
}

bool import_text_read(struct import_text *out, const char *path, struct error *err) {
    *out = (struct import_text){.path = path};
    if (!file_read(path, MAX_FILE_BYTES, &out->text, &out->length, err)) {
        out->text = NULL;
        return false;
    }
    const char *binary = forms_find_binary(out->text, out->length);
    if (binary)
        return import_file_fail(out, err, "%s", binary);
    out->next = out->text + (strncmp(out->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0); /* a byte order mark */
    if (out->next[strspn(out->next, " \t\r\n")] == '\0' && strlen(out->text) == out->length)
        return import_file_fail(out, err, "is empty");
    const char *at = find_no_text(out);
    if (!at)
        return true;
    unsigned byte = (unsigned char)*at;
    go_to(out, at);
    return import_text_fail(out, at, err, "a byte 0x%02x: this is not a text file", byte);
}

void import_text_free(struct import_text *text) {
    free(text->text);
    *text = (struct import_text){0};
}

struct import_text import_text_copy(const struct import_text *text) {
    struct import_text copy = *text;
    copy.text = need_malloc(text->length + 1);
    memcpy(copy.text, text->text, text->length + 1);
    copy.next = copy.text + (text->next - text->text);
    copy.begin = copy.cut = copy.next;
    return copy;
}

char *import_text_line(struct import_text *text) {
    if (text->next >= text->text + text->length)
        return NULL;
    text->begin = text->next;
    text->cut = text->begin + strcspn(text->begin, "\n");
    text->next = text->cut + (text->cut < text->text + text->length);
    if (text->cut > text->begin && text->cut[-1] == '\r')
        text->cut--;
    text->replaced = *text->cut;
    *text->cut = '\0';
    text->line++;
    return text->begin;
}

void import_text_back(struct import_text *text) {
    *text->cut = text->replaced;
    text->next = text->begin;
    text->line--;
}

bool import_text_fail(const struct import_text *text, const char *at, struct error *err, const char *format, ...) {
    char what[320], place[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (at)
        snprintf(place, sizeof place, "line %u, column %zu: ", text->line, (size_t)(at - text->begin) + 1);
    else if (text->line > 0)
        snprintf(place, sizeof place, "line %u: ", text->line);
    return error_set(err, "%s: %s%s", text->path, place, what);
}

bool import_file_fail(const struct import_text *text, struct error *err, const char *format, ...) {
    char what[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(err, "%s: %s", text->path, what);
}

bool import_unread_form(const struct import_text *text, const struct unread_form *forms, struct error *err) {
    const char *sentence = forms_find(forms, text->text, text->length);
    return sentence && !import_file_fail(text, err, "%s", sentence);
}

/* strtod without its words and hexadecimal numbers. */
static const char *plain_number(const char *text, size_t length, double *out) {
    char copy[NUMBER_BYTES], *end;
    if (length == 0)
        return "is missing";
    if (length >= sizeof copy)
        return "is too long for a number";
    snprintf(copy, sizeof copy, "%.*s", (int)length, text);
    size_t plain = strspn(copy, "0123456789+-.eE");
    if (!isdigit((unsigned char)copy[0]) && copy[0] != '-' && copy[0] != '+' && copy[0] != '.')
        return "is not a number";
    if (copy[plain] == ',' || copy[plain] == '\'')
        return "has a thousands separator or a decimal comma; write plain digits with a point";
    if (copy[plain])
        return BEHIND;
    *out = strtod(copy, &end);
    if (end == copy)
        return "is not a number";
    if (*end == '.')
        return "has several points; write plain digits with one decimal point";
    if (*end)
        return BEHIND;
    if (!isfinite(*out) || fabs(*out) > MOST)
        return "is too large";
    if (*out != 0 && fabs(*out) < LEAST)
        return "is too small";
    return *out < 0 ? "is negative" : NULL;
}

const char *import_number(const char *text, double *out) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return plain_number(text, length, out);
}

const char *import_whole_number(const char *text, double *out) {
    const char *trouble = import_number(text, out), *point = strchr(text, '.');
    if (trouble || *out != floor(*out))
        return trouble ? trouble : "is not a whole number; a point between thousands is of another locale (LC_ALL=C)";
    return point && strspn(point + 1, "0123456789") == 3 && point[4] == '\0' && *out < 1000
               ? "may have a point between thousands, of another locale (LC_ALL=C)"
               : NULL;
}

uint64_t import_count(double number) {
    return number < 0x1p63 ? (uint64_t)number : 0;
}

const char *import_grouped_number(const char *text, double *out) {
    char copy[NUMBER_BYTES];
    size_t first = strspn(text, "0123456789"), at = first, length = first;
    if (text[first] != ',' || first == 0 || first > 3)
        return import_number(text, out);
    snprintf(copy, sizeof copy, "%.*s", (int)first, text);
    while (text[at] == ',') {
        if (strspn(text + at + 1, "0123456789") != 3 || length + 4 > sizeof copy)
            return "has commas, but not between groups of three digits";
        memcpy(copy + length, text + at + 1, 3);
        length += 3, at += 4;
    }
    snprintf(copy + length, sizeof copy - length, "%s", text + at);
    return import_number(copy, out);
}

char *import_trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = '\0';
    return text;
}
