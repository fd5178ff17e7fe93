/* SPDX-License-Identifier: BSD-3-Clause
 * One screen of a comparison: how fast each side is against the base, how much of that is due to clock and cores, and
 * the roofs that differ most. */
#ifndef CARM_REPORT_COMPARE_ANSWER_H
#define CARM_REPORT_COMPARE_ANSWER_H

#include "screen.h"

#include "carm/compare/compare.h"

/* What a comparison says first, in sentences: how fast each side is against the base, and how much of that is the clock
 * and the cores. */

enum { SENTENCE_BYTES = 512 };

/* Text that grows, and is cut at its end. */
struct sentence {
    char text[SENTENCE_BYTES];
    size_t length;
};

void sentence_say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints them. Values are divided as `per` says. */
void sentences_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

/* Behind a blank line one for each side: its letter, name, cores, clock and file. */
void sentences_print_sides(const struct comparison *comparison, const struct screen *screen);

/* Values are divided as `per` says. False, with nothing printed, where no roof is to be compared. */
bool compare_answer_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

#endif
