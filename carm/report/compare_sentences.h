/* SPDX-License-Identifier: BSD-3-Clause
 * What a comparison says first, in sentences: how fast each side is against the base, and how much of that is the clock
 * and the cores. */
#ifndef CARM_REPORT_COMPARE_SENTENCES_H
#define CARM_REPORT_COMPARE_SENTENCES_H

#include "screen.h"

#include "carm/compare/compare.h"

enum { SENTENCES_MOST = 3 /* sides that have one each; of more it is one with ranges */, SENTENCE_BYTES = 512 };

/* Text that grows, and is cut at its end. */
struct sentence {
    char text[SENTENCE_BYTES];
    size_t length;
};
void sentence_say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The letter of a side, or of many its name. */
const char *sentence_name(const struct comparison *comparison, size_t side, char letter[2]);

/* Numbers of cores by how much they tell: all cores more than one, and of one number more than of another. */
unsigned sentence_rank(unsigned cores);

/* What stands for a side (for the base: for any) in a sentence: the peak of f64 or else of the first type, or the
 * outermost bandwidth; of all cores where both have it. NULL: there is none. */
const struct compare_row *sentence_row(const struct comparison *comparison, size_t side, enum sample_kind kind,
                                       enum compare_per per);

/* Prints them. Values are divided as `per` says. */
void sentences_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

/* Behind a blank line one for each side: its letter, name, cores, clock and file. */
void sentences_print_sides(const struct comparison *comparison, const struct screen *screen);

#endif
