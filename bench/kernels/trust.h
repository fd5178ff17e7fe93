/* SPDX-License-Identifier: BSD-3-Clause
 * How far a result as a whole can be trusted: a grade by the roofs that its answers rest on. Pure. */
#ifndef BENCH_KERNELS_TRUST_H
#define BENCH_KERNELS_TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"

/* The roofs that answers rest on, place by place: the highest ceiling of each element type, the highest bandwidth of
 * each level, and the latency of each level. Not of 4 KiB pages that were asked for. `is_headline` has a member for
 * each sample. */
void trust_headline(const struct sample *samples, size_t count, bool *is_headline);

/* A: all headline roofs are known to 1 %. B: all are known to 5 %. C: at most half of them are uncertain by more.
 * D: more than half of them are, or some sample's clock is uncertain, or nothing is measured yet. */
struct trust {
    char grade;                    /* 'A' … 'D'; '\0': no sample has an interval (files of before, other tools') */
    unsigned headline;             /* roofs */
    unsigned beyond_1, beyond_5;   /* of them, uncertain by more than so many percent */
    struct doubts doubts;          /* of those that keep the grade from being better */
    bool clock_uncertain, partial; /* partial: the plan is not done */
    char worst[128]; /* "L3 latency ±85 %, DRAM of 2 threads ±13 %": the first of those beyond 5 %, worst first */
};

struct trust trust_grade(const struct sample *samples, size_t count, bool partial);

/* "B: all 26 headline roofs are known to 5 %, 20 of them to 1 %", or how many are not and the worst of them, with the
 * command that would improve it where `path` names the file (NULL: without). "" where there is no grade. */
char *trust_text(const struct trust *trust, const char *path, char *out, size_t size);

#endif
