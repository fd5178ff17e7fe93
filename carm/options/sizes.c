/* SPDX-License-Identifier: BSD-3-Clause
 * Parses problem sizes. */
#include "sizes.h"
#include "probe/error.h"
#include "probe/need.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LARGEST = 0x1p48; /* exact in a double, and above any memory size */
static const double LEAST_FACTOR = 1.01;

static const struct {
    const char *letters;
    double factor;
} SUFFIXES[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}};

/* The whole text as a number. No sign, "inf" or "0x5". */
static bool read_number(const char *text, double *out) {
    char *end;
    double exponent;
    if (!isdigit((unsigned char)*text) || tolower((unsigned char)text[1]) == 'x')
        return false;
    *out = strtod(text, &end);
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof SUFFIXES[0]; i++)
        if (strcmp(end, SUFFIXES[i].letters) == 0) {
            *out *= SUFFIXES[i].factor;
            return true;
        }
    if (*end != '^')
        return !*end;
    if (!read_number(end + 1, &exponent))
        return false;
    *out = pow(*out, exponent);
    return true;
}

static bool read_size(const char *text, double *out) {
    return read_number(text, out) && *out >= 1 && *out <= LARGEST && *out == floor(*out);
}

/* One piece between commas: first and last size, and the step. */
struct range {
    double first, last, step, factor;
};

/* Cuts the text at the first `separator`. Returns the rest; NULL: no separator. */
static char *cut(char *text, const char *separator) {
    char *at = strstr(text, separator);
    if (!at)
        return NULL;
    *at = '\0';
    return at + strlen(separator);
}

static bool parse_range(char *from, char *to, bool doubles, struct range *out) {
    char *by = doubles ? NULL : cut(to, ":");
    if (!read_size(from, &out->first) || !read_size(to, &out->last))
        return false;
    if (doubles)
        out->factor = 2;
    else if (by)
        return (*by == '+' && read_number(by + 1, &out->step)) || (*by == '*' && read_number(by + 1, &out->factor));
    return doubles;
}

static bool read_range(const char *text, struct range *out, struct error *err) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    char *to = cut(copy, "..");
    bool doubles = to != NULL;
    to = to ? to : cut(copy, ":");
    *out = (struct range){.factor = 1};
    if (!to && !read_size(copy, &out->first))
        return error_set(err, "'%s' is not a size: a whole number from 1, such as 1000, 1.5M, 64Ki or 2^20", text);
    out->last = out->first;
    if (!to)
        return true;
    if (!parse_range(copy, to, doubles, out))
        return error_set(
            err, "'%s' is not a range of sizes: FROM:TO:+STEP, FROM:TO:*FACTOR, or FROM..TO, which doubles", text);
    if (out->last < out->first)
        return error_set(err, "'%s' ends before it begins", text);
    if (out->step < 1 && out->factor < LEAST_FACTOR)
        return error_set(err, "'%s' does not grow: the step must be 1 or more, the factor 1.01 or more", text);
    return true;
}

static bool add(double size, uint64_t *out, size_t *count, struct error *err) {
    for (size_t i = 0; i < *count; i++)
        if (out[i] == (uint64_t)size)
            return true;
    if (*count == SIZES_MAX)
        return error_set(err, "more than %d sizes", SIZES_MAX);
    out[(*count)++] = (uint64_t)size;
    return true;
}

bool sizes_parse(const char *text, uint64_t out[SIZES_MAX], size_t *count, struct error *err) {
    char *copy = need_strdup(text), *rest = copy, *piece;
    bool done = true;
    *count = 0;
    while (done && (piece = strsep(&rest, ","))) {
        struct range range;
        done = read_range(piece, &range, err);
        for (double size = range.first; done && floor(size) <= range.last; size = size * range.factor + range.step) {
            done = add(floor(size), out, count, err);
            if (range.first == range.last)
                break;
        }
    }
    free(copy);
    return done;
}
