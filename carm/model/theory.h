/* SPDX-License-Identifier: BSD-3-Clause
 * What theory says of workloads by size: the bytes that memory moves for cold data, with those that come again once the
 * data no longer fit into the caches, and misses of a TLB. By one thread. Each is a row of the table. Pure. */
#ifndef CARM_MODEL_THEORY_H
#define CARM_MODEL_THEORY_H

#include "bench/programs/app_point.h"

/* A problem, and where it runs. */
struct theory_case {
    double n, element_bytes; /* the size that the workload is told, and of its type */
    double block;            /* N_B; of what is blocked alone */
    double cache_bytes;      /* of all caches together, each byte once; 0: no statement on traffic */
    double line_bytes;
};

struct theory {
    const char *program;          /* the workload, or the begin of several: the first row that fits */
    const char *source, *formula; /* of the bytes */
    bool bound;                   /* what no algorithm can go below, not what this one does */
    bool powers;                  /* its sizes are powers of two */
    double (*elements)(double n); /* of all its data */
    /* Flop; NULL: those of a library are its own. */
    double (*flop)(double n);
    /* Bytes that are read from and written to memory, all together. */
    double (*bytes)(const struct theory_case *of);
    /* Misses of a TLB of so many entries, in pages of 4 KiB; NaN where nothing is said. NULL: no statement at all. */
    double (*tlb_misses)(const struct theory_case *of, double entries);
};

/* All rows; one without a program ends them. */
extern const struct theory theory_table[];

/* The row of a point of a series by one thread; NULL: there is none. */
const struct theory *theory_of(const struct app_point *point);

/* The point's problem, with `cache_bytes` where its own are not told. */
struct theory_case theory_case_of(const struct theory *theory, const struct app_point *point, double cache_bytes);

/* The same of another size. */
struct theory_case theory_case_at(const struct theory_case *of, double n);

/* Bytes that memory moves; for data that was used just before, none while all of it fits. NaN: no caches are known. */
double theory_bytes(const struct theory *theory, const struct theory_case *of, bool warm);

/* NaN: nothing is said, or there is no such TLB. */
double theory_tlb_misses(const struct theory *theory, const struct theory_case *of, double entries);

#endif
