/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of a tool that prints them by its user's locale: 1,234.5 or 1.234,5, or with a blank or an apostrophe between
 * thousands. One number may fit both ("117.344"), so all numbers of a file together show which mark is the decimal
 * one. */
#ifndef CARM_IMPORT_LOCALE_H
#define CARM_IMPORT_LOCALE_H

#include "import_text.h"

enum { LOCALE_NUMBER_BYTES = 48 };

/* A number of the file that proves each reading, or that either reading makes whole; "": none. If blanks or apostrophes
 * are between thousands, points and commas are not. */
struct import_locale {
    bool blank_groups;
    char decimal_point[LOCALE_NUMBER_BYTES], decimal_comma[LOCALE_NUMBER_BYTES], either[LOCALE_NUMBER_BYTES];
};

/* Takes a number of the file as evidence; other text is none. `whole`: it counts something, so its only mark with
 * three digits behind it is between thousands. */
void import_locale_see(struct import_locale *locale, const char *text, bool whole);

/* Error: its numbers prove both readings, or a count has two readings. `tool` is the command of the remedy. */
bool import_locale_check(const struct import_locale *locale, const struct import_text *file, const char *tool,
                         struct error *err);

/* Reads such a number, with marks between thousands. Returns NULL, or the fault: "is not a number". */
const char *import_locale_number(const struct import_locale *locale, const char *text, double *out);

#endif
