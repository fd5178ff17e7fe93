/* SPDX-License-Identifier: BSD-3-Clause
 * The code of hot loops, annotated. Reads the sources, and nothing else of the machine. */
#ifndef BENCH_PROGRAMS_ANNOTATE_H
#define BENCH_PROGRAMS_ANNOTATE_H

#include "annotation.h"

#include "bench/profile/profile_parts.h"
#include "probe/error.h"

/* What was counted and sampled. */
struct annotate_from {
    const struct profile_parts *parts;
    const unsigned *hits; /* samples of each of its places */
    unsigned all_hits;    /* of the program */
    const char *program;
    const char *const *names; /* of each loop: as its point is called; NULL: it has none */
};

/* The loop or function that `wanted` names first ("",
 * the hottest loop), then the next hottest loops, ANNOTATIONS_MOST at most. The hottest is the one in whose own code,
 * without the loops within it, most time was sampled, or most was executed where there are few samples. A name is that
 * of a point, with or without the program before it; or a function's. Errors: nothing that ran is called so; nothing
 * went round. What is allocated is freed by annotations_free(). */
bool annotate(const struct annotate_from *from, const char *wanted, struct annotation **out, size_t *count,
              struct error *err);

#endif
