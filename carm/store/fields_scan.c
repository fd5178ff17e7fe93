/* SPDX-License-Identifier: BSD-3-Clause
 * JSON text → structs by tables. */
#include "fields.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

/* A walk through JSON. */

/* Its bytes in the text, without quotes and NUL; length 0 if it has escapes. */
struct scan_key {
    const char *text;
    size_t length;
};

enum { DEEPEST = 64 };

static void pass_blanks(struct scan *scan) {
    while (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t')
        scan->at++;
}

static bool fields_scan_take(struct scan *scan, char wanted) {
    pass_blanks(scan);
    if (scan->failed || *scan->at != wanted)
        return false;
    scan->at++;
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_of_number(char c) {
    return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

static bool fields_scan_fail(struct scan *scan) {
    scan->failed = true;
    return false;
}

/* The text between its quotes; NULL: failed. */
static const char *take_text(struct scan *scan, size_t *length, bool *escaped) {
    if (!fields_scan_take(scan, '"')) {
        fields_scan_fail(scan);
        return NULL;
    }
    const char *begin = scan->at;
    *escaped = false;
    for (; *scan->at != '"'; scan->at++) {
        if ((unsigned char)*scan->at < ' ') { /* also the end of the text */
            fields_scan_fail(scan);
            return NULL;
        }
        if (*scan->at == '\\') {
            *escaped = true;
            if (*++scan->at == '\0') {
                fields_scan_fail(scan);
                return NULL;
            }
        }
    }
    *length = (size_t)(scan->at++ - begin);
    return begin;
}

/* Between brackets: opens first, then expects a comma or the end. */
static bool next(struct scan *scan, bool *inside, char open, char close) {
    if (scan->failed)
        return false;
    if (!*inside) {
        *inside = true;
        if (!fields_scan_take(scan, open))
            return fields_scan_fail(scan);
        return !fields_scan_take(scan, close);
    }
    if (fields_scan_take(scan, close))
        return false;
    return fields_scan_take(scan, ',') || fields_scan_fail(scan);
}

/* An object or list: true if there is a next member or item, which must be taken or skipped. Begin with *inside false.
 */
static bool scan_member(struct scan *scan, bool *inside, struct scan_key *key) {
    bool escaped;
    if (!next(scan, inside, '{', '}'))
        return false;
    key->text = take_text(scan, &key->length, &escaped);
    if (!key->text || !fields_scan_take(scan, ':'))
        return fields_scan_fail(scan);
    if (escaped)
        key->length = 0;
    return true;
}

static bool scan_item(struct scan *scan, bool *inside) {
    return next(scan, inside, '[', ']');
}

/* Each takes one value, and fails for another type. Texts with escapes, texts too long for `size` bytes with their NUL,
 * and numbers that are negative or not finite fail too. */
static void scan_text(struct scan *scan, char *out, size_t size) {
    size_t length;
    bool escaped;
    const char *text = take_text(scan, &length, &escaped);
    out[0] = '\0';
    if (!text || escaped || length >= size) {
        fields_scan_fail(scan);
        return;
    }
    memcpy(out, text, length);
    out[length] = '\0';
}

/* Reads a number whose digits and power of ten are both exact as a double. One product or quotient then rounds like
 * strtod() (W. D. Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990), several times faster. Returns its
 * end; NULL: the number is longer. */
static const char *take_short_number(const char *at, double *out) {
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0; /* at most 15 of them: less than 2^53 */
    int power = 0, exponent = 0, count = 0;
    for (; is_digit(*at); at++, count++)
        digits = 10 * digits + (uint64_t)(*at - '0');
    if (*at == '.')
        for (at++; is_digit(*at); at++, count++, power--)
            digits = 10 * digits + (uint64_t)(*at - '0');
    if (*at == 'e' || *at == 'E') {
        const bool below = at[1] == '-';
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (!is_digit(*at) || (is_digit(at[1]) && is_digit(at[2])))
            return NULL;
        for (; is_digit(*at); at++)
            exponent = 10 * exponent + *at - '0';
        power += below ? -exponent : exponent;
    }
    if (count > 15 || power < -22 || power > 22 || *at == 'x' || *at == 'X')
        return NULL;
    *out = power < 0 ? (double)digits / TENS[-power] : (double)digits * TENS[power];
    return at;
}

double scan_number(struct scan *scan) {
    double number;
    char *end;
    pass_blanks(scan);
    if (scan->failed || !is_digit(*scan->at)) {
        fields_scan_fail(scan);
        return 0;
    }
    const char *after = take_short_number(scan->at, &number);
    if (after) {
        scan->at = after;
        return number;
    }
    number = strtod(scan->at, &end);
    if (!isfinite(number) || scan->at[1] == 'x' || scan->at[1] == 'X') /* strtod() accepts hexadecimal numbers too */
        fields_scan_fail(scan);
    scan->at = end;
    return number;
}

/* -1: another word. */
static int take_word(struct scan *scan) {
    static const char *const WORDS[] = {"false", "true", "null"};
    pass_blanks(scan);
    for (int i = 0; i < 3; i++)
        if (strncmp(scan->at, WORDS[i], strlen(WORDS[i])) == 0) {
            scan->at += strlen(WORDS[i]);
            return i;
        }
    return -1;
}

static bool scan_bool(struct scan *scan) {
    const int word = scan->failed ? -1 : take_word(scan);
    if (word != 0 && word != 1)
        fields_scan_fail(scan);
    return word == 1;
}

static void skip(struct scan *scan, unsigned depth) {
    struct scan_key key;
    bool inside = false, escaped;
    size_t length;
    pass_blanks(scan);
    const char first = *scan->at;
    if (scan->failed || depth == 0) {
        fields_scan_fail(scan);
    } else if (first == '{') {
        while (scan_member(scan, &inside, &key))
            skip(scan, depth - 1);
    } else if (first == '[') {
        while (scan_item(scan, &inside))
            skip(scan, depth - 1);
    } else if (first == '"') {
        take_text(scan, &length, &escaped);
    } else if (first == '-' || is_digit(first)) {
        while (is_of_number(*scan->at))
            scan->at++;
    } else if (take_word(scan) < 0) {
        fields_scan_fail(scan);
    }
}

/* Skips a value of any type with its contents. Fails if it is nested more than 64 deep. */
static void scan_skip(struct scan *scan) {
    skip(scan, DEEPEST);
}

bool scan_is_end(struct scan *scan) {
    pass_blanks(scan);
    return !scan->failed && *scan->at == '\0';
}

static uint64_t scan_whole(struct scan *scan, double most) {
    const double number = scan_number(scan);
    if (number > most || number != (double)(uint64_t)number)
        scan->failed = true;
    return scan->failed ? 0 : (uint64_t)number;
}

static struct doubts scan_doubts(struct scan *scan) {
    struct doubts doubts = NO_DOUBTS;
    char name[64];
    for (bool inside = false; scan_item(scan, &inside);) {
        scan_text(scan, name, sizeof name);
        const enum doubt_id id = doubt_find(name);
        if (id == DOUBT_COUNT)
            scan->failed = true;
        else
            doubts_add(&doubts, id);
    }
    return doubts;
}

static cpu_features scan_features(struct scan *scan) {
    cpu_features bits = 0;
    char name[64];
    for (bool inside = false; scan_item(scan, &inside);) {
        scan_text(scan, name, sizeof name);
        const cpu_features bit = cpu_feature_find(name);
        if (!bit)
            scan->failed = true;
        bits |= bit;
    }
    return bits;
}

static unsigned scan_name(struct scan *scan, const char *const *names) {
    char name[32];
    scan_text(scan, name, sizeof name);
    for (unsigned i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    scan->failed = true;
    return 0;
}

static void scan_numbers(struct scan *scan, double *out, size_t count) {
    size_t found = 0;
    for (bool inside = false; scan_item(scan, &inside); found++) {
        if (found == count) {
            scan->failed = true;
            return;
        }
        out[found] = scan_number(scan);
    }
    if (found < count)
        scan->failed = true;
}

static void scan_list(const struct field *field, struct scan *scan, void *record) {
    size_t count = 0, capacity = field->most;
    char *entries = field_entries(field, record);
    if (field->type == FIELD_ALLOCATED)
        field_set_entries(field, record, entries = need_calloc(capacity = 1, field->size));
    for (bool inside = false; scan_item(scan, &inside);) {
        if (count == field->most) {
            scan->failed = true;
            return;
        }
        if (count == capacity) {
            capacity = capacity < 512 ? 512 : 2 * capacity;
            field_set_entries(field, record, entries = need_realloc(entries, capacity * field->size));
        }
        char *entry = entries + count * field->size;
        memset(entry, 0, field->size);
        field_set_count(field, record, ++count);
        fields_scan(field->of, scan, entry);
    }
}

static void scan_value(const struct field *field, struct scan *scan, void *record) {
    void *at = (char *)record + field->offset;
    switch (field->type) {
    case FIELD_TEXT: /* fields_read() reads texts that need cleaning */
        scan_text(scan, at, field->size);
        scan->failed |= !safe_text_is(at);
        break;
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        *(double *)at = scan_number(scan);
        break;
    case FIELD_NUMBERS:
        scan_numbers(scan, at, field->size / sizeof(double));
        break;
    case FIELD_COUNT:
        *(unsigned *)at = (unsigned)scan_whole(scan, 1e9);
        break;
    case FIELD_PLACE:
        *(unsigned *)at = (unsigned)scan_whole(scan, 1e9) + 1;
        break;
    case FIELD_BYTES:
        *(uint64_t *)at = scan_whole(scan, 0x1p53);
        break;
    case FIELD_BOOL:
        *(bool *)at = scan_bool(scan);
        break;
    case FIELD_DOUBTS:
        *(struct doubts *)at = scan_doubts(scan);
        break;
    case FIELD_FEATURES:
        *(cpu_features *)at = scan_features(scan);
        break;
    case FIELD_NAME:
        *(unsigned *)at = scan_name(scan, field->names);
        break;
    case FIELD_CONSTANT:
        if (scan_name(scan, field->names) != 0)
            scan->failed = true;
        break;
    case FIELD_RECORD:
        field_set_count(field, record, 1);
        fields_scan(field->of, scan, at);
        break;
    case FIELD_LIST:
    case FIELD_ALLOCATED:
        scan_list(field, scan, record);
        break;
    default:
        scan->failed = true;
    }
}

static bool is_key(const char *name, const struct scan_key *key) {
    for (size_t i = 0; i < key->length; i++)
        if (name[i] != key->text[i])
            return false;
    return name[key->length] == '\0';
}

/* The row of a key. The search begins at `from`: files have the table's order, so the first is nearly always right. */
static const struct field *fields_scan_row_of(const struct field *fields, const struct field *from,
                                              const struct scan_key *key) {
    const struct field *row = from;
    do {
        if (!row->key)
            row = fields;
        else if (is_key(row->key, key))
            return row;
        else
            row++;
    } while (row != from);
    return NULL;
}

void fields_scan(const struct field *fields, struct scan *scan, void *record) {
    if (fields->bare) {
        scan_value(fields, scan, record);
        return;
    }
    uint64_t seen = 0; /* one bit per row; scanned ones are among the first 64 */
    const struct field *next = fields;
    struct scan_key key;
    for (bool inside = false; scan_member(scan, &inside, &key);) {
        const struct field *row = fields_scan_row_of(fields, next, &key);
        next = row ? row + 1 : next;
        if (!row || !row->scanned) {
            scan_skip(scan);
            continue;
        }
        const uint64_t bit = (uint64_t)1 << (row - fields);
        if (seen & bit) { /* a second list would overwrite the first */
            scan->failed = true;
            return;
        }
        seen |= bit;
        scan_value(row, scan, record);
    }
    for (const struct field *row = fields; row->key; row++)
        if (row->scanned && !row->missing && !(seen >> (row - fields) & 1))
            scan->failed = true;
}
