/* SPDX-License-Identifier: BSD-3-Clause
 * The decimal mark of a file (see import_locale.h). */
#include "import_locale.h"

#include <stdio.h>
#include <string.h>

/* "117.344" and "2.000", but neither "0.125" nor "65.77": its only mark may be between thousands. */
static bool is_group(const char *number) {
    const size_t before = strcspn(number, ".,");
    return before >= 1 && before <= 3 && *number != '0' && strlen(number + before) == 4;
}

void import_locale_see(struct import_locale *locale, const char *number, bool whole) {
    size_t points = 0, commas = 0, length = strlen(number);
    const char *last = number;
    if (length >= LOCALE_NUMBER_BYTES || strspn(number, "0123456789.,") != length)
        return;
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
    if (*locale->either && !comma && !point)
        return import_file_fail(file, err, "'%s' may be %.*s or a thousand times as much; make it with LC_ALL=C %s",
                                locale->either, (int)strcspn(locale->either, "."), locale->either, tool);
    return true;
}

const char *import_locale_number(const struct import_locale *locale, const char *text, double *out) {
    char swapped[LOCALE_NUMBER_BYTES];
    if (!*locale->decimal_comma || strlen(text) >= sizeof swapped)
        return import_grouped_number(text, out);
    size_t i = 0;
    for (; text[i]; i++)
        swapped[i] = text[i] == '.' ? ',' : text[i] == ',' ? '.' : text[i];
    swapped[i] = '\0';
    return import_grouped_number(swapped, out);
}
