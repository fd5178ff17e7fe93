/* SPDX-License-Identifier: BSD-3-Clause
 * A walk through JSON (see scan.h). */
#include "scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

static void pass_blanks(struct scan *scan) {
    while (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\r' || *scan->at == '\t')
        scan->at++;
}

static bool take(struct scan *scan, char wanted) {
    pass_blanks(scan);
    if (scan->failed || *scan->at != wanted)
        return false;
    scan->at++;
    return true;
}

static bool fail(struct scan *scan) {
    scan->failed = true;
    return false;
}

/* The text's bytes between its quotes; NULL: it fails. */
static const char *take_text(struct scan *scan, size_t *length, bool *escaped) {
    if (!take(scan, '"')) {
        fail(scan);
        return NULL;
    }
    const char *begin = scan->at;
    *escaped = false;
    for (; *scan->at != '"'; scan->at++) {
        if ((unsigned char)*scan->at < ' ') { /* the end, too */
            fail(scan);
            return NULL;
        }
        if (*scan->at == '\\') {
            *escaped = true;
            if (*++scan->at == '\0') {
                fail(scan);
                return NULL;
            }
        }
    }
    *length = (size_t)(scan->at++ - begin);
    return begin;
}

/* Between brackets: opens at first, then expects a comma or the end. */
static bool next(struct scan *scan, bool *inside, char open, char close) {
    if (scan->failed)
        return false;
    if (!*inside) {
        *inside = true;
        if (!take(scan, open))
            return fail(scan);
        return !take(scan, close);
    }
    if (take(scan, close))
        return false;
    return take(scan, ',') || fail(scan);
}

bool scan_member(struct scan *scan, bool *inside, char *key, size_t size) {
    size_t length;
    bool escaped;
    if (!next(scan, inside, '{', '}'))
        return false;
    const char *text = take_text(scan, &length, &escaped);
    if (!text || !take(scan, ':'))
        return fail(scan);
    if (length >= size || escaped)
        length = 0;
    memcpy(key, text, length);
    key[length] = '\0';
    return true;
}

bool scan_item(struct scan *scan, bool *inside) {
    return next(scan, inside, '[', ']');
}

void scan_text(struct scan *scan, char *out, size_t size) {
    size_t length;
    bool escaped;
    const char *text = take_text(scan, &length, &escaped);
    out[0] = '\0';
    if (!text || escaped || length >= size) {
        fail(scan);
        return;
    }
    memcpy(out, text, length);
    out[length] = '\0';
}

double scan_number(struct scan *scan) {
    char *end;
    pass_blanks(scan);
    if (scan->failed || *scan->at < '0' || *scan->at > '9') {
        fail(scan);
        return 0;
    }
    const double number = strtod(scan->at, &end);
    if (!isfinite(number) || scan->at[1] == 'x' || scan->at[1] == 'X') /* strtod takes hexadecimal numbers too */
        fail(scan);
    scan->at = end;
    return number;
}

/* -1: neither. */
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

bool scan_bool(struct scan *scan) {
    const int word = scan->failed ? -1 : take_word(scan);
    if (word != 0 && word != 1)
        fail(scan);
    return word == 1;
}

static void skip(struct scan *scan, unsigned depth) {
    char key[1];
    bool inside = false, escaped;
    size_t length;
    pass_blanks(scan);
    const char first = *scan->at;
    if (scan->failed || depth == 0) {
        fail(scan);
    } else if (first == '{') {
        while (scan_member(scan, &inside, key, sizeof key))
            skip(scan, depth - 1);
    } else if (first == '[') {
        while (scan_item(scan, &inside))
            skip(scan, depth - 1);
    } else if (first == '"') {
        take_text(scan, &length, &escaped);
    } else if (first == '-' || (first >= '0' && first <= '9')) {
        scan->at += strspn(scan->at, "+-.0123456789eE");
    } else if (take_word(scan) < 0) {
        fail(scan);
    }
}

void scan_skip(struct scan *scan) {
    skip(scan, DEEPEST);
}

bool scan_is_end(struct scan *scan) {
    pass_blanks(scan);
    return !scan->failed && *scan->at == '\0';
}
