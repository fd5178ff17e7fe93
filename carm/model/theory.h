/* SPDX-License-Identifier: BSD-3-Clause
 * Theory of workloads by size, for one thread: the bytes that memory moves for cold data, including data that is read
 * again once it exceeds the caches, and TLB misses. Each workload is a row of the table. Pure. */
#pragma once

#include <stdbool.h>

struct app_point;

/* A problem, and the machine that runs it. */
struct theory_case {
    double n, element_bytes; /* the size given to the workload, and the bytes of its type */
    double block;            /* N_B; for blocked workloads only */
    double cache_bytes;      /* of all caches together, each byte once; 0: no statement about traffic */
    double line_bytes;
};

struct theory {
    const char *program;          /* the workload, or the prefix of several: the first matching row counts */
    const char *source, *formula; /* of the bytes */
    bool bound;                   /* a lower bound for any algorithm, not the traffic of this one */
    bool powers;                  /* its sizes are powers of two */
    double (*elements)(double n); /* of all its data */
    /* Flop; NULL: a library's own. */
    double (*flop)(double n);
    /* Bytes read from and written to memory, in total. */
    double (*bytes)(const struct theory_case *of);
    /* Misses of a TLB with so many entries, in pages of 4 KiB; NaN: no statement. NULL: never a statement. */
    double (*tlb_misses)(const struct theory_case *of, double entries);
};

/* All rows; one without a program ends them. */
extern const struct theory theory_table[];

/* The row for a one-thread point of a series; NULL: none. */
const struct theory *theory_of(const struct app_point *point);

/* The point's problem, with `cache_bytes` if its own are unknown. */
struct theory_case theory_case_of(const struct theory *theory, const struct app_point *point, double cache_bytes);

/* The same problem with another size. */
struct theory_case theory_case_at(const struct theory_case *of, double n);

/* Bytes that memory moves; for warm data, none while all of it fits. NaN: the caches are unknown. */
double theory_bytes(const struct theory *theory, const struct theory_case *of, bool warm);

/* NaN: no statement, or no such TLB. */
double theory_tlb_misses(const struct theory *theory, const struct theory_case *of, double entries);
