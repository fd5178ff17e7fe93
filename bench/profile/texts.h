/* SPDX-License-Identifier: BSD-3-Clause
 * Texts that many share, each kept once: two are the same where their addresses are. */
#ifndef BENCH_PROFILE_TEXTS_H
#define BENCH_PROFILE_TEXTS_H

#include <stddef.h>

struct texts { /* zero to begin with */
    char **slots;
    size_t count, most;
};

/* The text as it is kept, which lives until texts_free(). */
const char *texts_keep(struct texts *texts, const char *text);
void texts_free(struct texts *texts);

#endif
