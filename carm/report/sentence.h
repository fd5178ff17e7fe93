/* SPDX-License-Identifier: BSD-3-Clause
 * Growing text (see probe/text.h). */
#ifndef CARM_REPORT_SENTENCE_H
#define CARM_REPORT_SENTENCE_H

enum { SENTENCE_BYTES = 512 };

struct sentence {
    char text[SENTENCE_BYTES]; /* "" to begin with */
};

void sentence_say(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
