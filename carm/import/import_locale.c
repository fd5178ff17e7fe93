/* SPDX-License-Identifier: BSD-3-Clause
 * The decimal mark of a file (see import_locale.h). */
#include "import_locale.h"

#include <stdio.h>
#include <string.h>

/* Marks between thousands: U+202F, U+00A0, also as Latin-1, U+2009, U+2019, an apostrophe and a blank. */
static const char *const BLANKS[] = {"\u202F", "\u00A0", "\xA0", "\u2009", "\u2019", "'", " "};

static size_t blank_length(const char *at) {
    for (size_t i = 0; i < sizeof BLANKS / sizeof BLANKS[0]; i++)
        if (strncmp(at, BLANKS[i], strlen(BLANKS[i])) == 0)
            return strlen(BLANKS[i]);
    return 0;
}

/* "1 234 567,5" → "1234567,5": takes such marks out if each is between a digit and three digits. Returns how many;
 * `out` is "" for text that is too long. */
static size_t join_groups(const char *number, char out[LOCALE_NUMBER_BYTES]) {
    size_t length = 0, marks = 0;
    *out = '\0';
    for (const char *at = number; *at; at++) {
        const size_t blank = at > number && at[-1] >= '0' && at[-1] <= '9' ? blank_length(at) : 0;
        const bool group = blank > 0 && strspn(at + blank, "0123456789") == 3;
        if (length + 1 >= LOCALE_NUMBER_BYTES) {
            *out = '\0';
            return 0;
        }
        at += group ? blank : 0;
        marks += group;
        out[length++] = *at;
        out[length] = '\0';
    }
    return marks;
}

/* "117.344" and "2.000", but neither "0.125" nor "65.77": its only mark may be between thousands. */
static bool is_group(const char *number) {
    const size_t before = strcspn(number, ".,");
    return before >= 1 && before <= 3 && *number != '0' && strlen(number + before) == 4;
}

void import_locale_see(struct import_locale *locale, const char *text, bool whole) {
    char number[LOCALE_NUMBER_BYTES];
    const size_t marks = join_groups(text, number);
    size_t points = 0, commas = 0, length = strlen(number);
    const char *last = number;
    if (length == 0 || strspn(number, "0123456789.,") != length)
        return;
    locale->blank_groups |= marks > 0;
    for (const char *c = number; *c; c++) {
        points += *c == '.';
        commas += *c == ',';
        last = *c == '.' || *c == ',' ? c : last;
    }
    if (points + commas == 0)
        return;
    char *proves = points > 0 && commas > 0    ? (*last == '.' ? locale->decimal_point : locale->decimal_comma)
                   : points + commas > 1       ? (points > 1 ? locale->decimal_comma : locale->decimal_point)
                   : !is_group(number)         ? (points ? locale->decimal_point : locale->decimal_comma)
                   : !whole                    ? NULL
                   : commas                    ? locale->decimal_point
                   : strcmp(last, ".000") == 0 ? locale->either
                                               : locale->decimal_comma;
    if (proves && !*proves)
        memcpy(proves, number, length + 1);
}

bool import_locale_check(const struct import_locale *locale, const struct import_text *file, const char *tool,
                         struct error *err) {
    const bool comma = *locale->decimal_comma, point = *locale->decimal_point;
    if (comma && point)
        return import_file_fail(file, err,
                                "its numbers are of two locales: '%s' has a decimal comma or points between "
                                "thousands, '%s' has not; make it with LC_ALL=C %s",
                                locale->decimal_comma, locale->decimal_point, tool);
    if (*locale->either && !comma && !point && !locale->blank_groups)
        return import_file_fail(file, err, "'%s' may be %.*s or a thousand times as much; make it with LC_ALL=C %s",
                                locale->either, (int)strcspn(locale->either, "."), locale->either, tool);
    return true;
}

const char *import_locale_number(const struct import_locale *locale, const char *text, double *out) {
    char plain[LOCALE_NUMBER_BYTES];
    join_groups(text, plain);
    if (!*plain || (!locale->blank_groups && !*locale->decimal_comma))
        return import_grouped_number(text, out);
    for (char *c = plain; *c; c++)
        *c = *c == ',' ? '.' : *c == '.' && !locale->blank_groups ? ',' : *c;
    if (!locale->blank_groups)
        return import_grouped_number(plain, out);
    return strchr(plain, '.') != strrchr(plain, '.')
               ? "has marks of several locales; LC_ALL=C before the tool avoids them"
               : import_number(plain, out);
}
