/* SPDX-License-Identifier: BSD-3-Clause
 * Changes one number of a text file, for tests of absurd numbers.
 *
 *   mutate SEED <FILE              prints the file with one number replaced; the seed chooses both
 *   mutate find <OUTPUT            exit status 1, and the place, if the output has "inf", "nan", or a number of more
 *                                  than 8 digits; exceptions: see is_excepted()
 *   mutate find raw <OUTPUT        the same of JSON and CSV, where exact values may have their digits, but no more than
 *                                  two in a power of ten
 *
 * It knows no format: a number is digits that no letter precedes, outside of quotes that hold other text too. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20, MOST_DIGITS = 8 };

static const char *const WRONG[] = {"1e308", "5e-324", "-1",   "0",    "1e-300", "NaN", "1e18",
                                    "1e30",  "1e-30",  "1e99", "1e12", "1e21",   "",    ""};
enum { WRONG_COUNT = sizeof WRONG / sizeof WRONG[0], HALF = WRONG_COUNT - 2 };

static uint64_t next_chance(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-' || (c & 0x80);
}

/* The number that begins at `at`, or 0. */
static size_t number_length(const char *text, const char *at) {
    if (!isdigit((unsigned char)*at) || (at > text && is_of_word(at[-1])))
        return 0;
    const size_t length = strspn(at, "0123456789.");
    const char *end = at + length;
    size_t power = 0;
    if ((*end == 'e' || *end == 'E') && strspn(end + 1, "+-0123456789"))
        power = 1 + strspn(end + 1, "+-0123456789");
    return is_of_word(end[power]) ? 0 : length + power;
}

static const char *number_at(const char *text, size_t wanted, size_t *count) {
    const char *found = NULL;
    *count = 0;
    for (const char *at = text; *at; at++) {
        const size_t length = number_length(text, at);
        if (length == 0)
            continue;
        if ((*count)++ == wanted)
            found = at;
        at += length - 1;
    }
    return found;
}

static int mutate(const char *text, uint64_t seed) {
    size_t count;
    uint64_t state = seed;
    next_chance(&state);
    number_at(text, 0, &count);
    if (count == 0)
        return fputs(text, stdout) < 0;
    const char *at = number_at(text, next_chance(&state) % count, &count);
    const size_t which = next_chance(&state) % WRONG_COUNT;
    printf("%.*s", (int)(at - text), text);
    if (which < HALF)
        fputs(WRONG[which], stdout);
    else
        printf("%.6g", strtod(at, NULL) * (which == HALF ? 0.5 : 2));
    return fputs(at + number_length(text, at), stdout) < 0;
}

/* Not of a longer word, and not a quotation of the input: 'NaN'. */
static bool is_word(const char *text, const char *at, const char *word) {
    const size_t length = strlen(word);
    return strncasecmp(at, word, length) == 0 &&
           (at == text || (!isalnum((unsigned char)at[-1]) && !strchr("'_.", at[-1]))) &&
           !isalnum((unsigned char)at[length]) && at[length] != '\'';
}

/* Counts with commas are exact, and dates, paths, file names and messages that quote the input are no quantities. */
static bool is_excepted(const char *text, const char *at, const char *end) {
    return (at > text && (is_of_word(at[-1]) || strchr("'\"/,:%#", at[-1]))) || is_of_word(*end) ||
           (*end && strchr("'\":/", *end));
}

static int find(const char *text, bool raw) {
    size_t line = 1;
    for (const char *at = text; *at; at++) {
        line += *at == '\n';
        const size_t digits = strspn(at, "0123456789");
        const char *end = at + strspn(at, "0123456789.");
        const char *wrong =
            is_word(text, at, "inf") || is_word(text, at, "nan")          ? "no number"
            : !raw && digits > MOST_DIGITS && !is_excepted(text, at, end) ? "a long number"
            : raw && digits && *end == 'e' && strspn(end + 2, "0123456789") > 2 && !is_excepted(text, at, end + 5)
                ? "an absurd number"
                : NULL;
        if (wrong) {
            const char *begin = at - text > 40 ? at - 40 : text;
            printf("line %zu: %s: %.80s\n", line, wrong, begin);
            return 1;
        }
        if (digits)
            at = end - 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    char *text = calloc(1, MOST_BYTES + 1);
    if (!text || argc < 2 || fread(text, 1, MOST_BYTES, stdin) == MOST_BYTES)
        return 2;
    const bool finds = strcmp(argv[1], "find") == 0;
    const int status = finds ? find(text, argc > 2) : mutate(text, strtoull(argv[1], NULL, 10));
    free(text);
    return status;
}
