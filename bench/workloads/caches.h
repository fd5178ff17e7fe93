/* SPDX-License-Identifier: BSD-3-Clause
 * The state of the caches before a repetition: data, code and translations, cold or warm. How it is made is that of
 * Ofenbeck et al., "Applying the Roofline Model" (section III-A), and of Steinmann's thesis of the same name (chapter
 * 2). */
#ifndef BENCH_WORKLOADS_CACHES_H
#define BENCH_WORKLOADS_CACHES_H

#include <stdbool.h>

#include "data.h"

#include "probe/error.h"

/* A core's TLBs emptied of what a workload uses, by accesses to many other pages (Ofenbeck et al., "Applying the
 * Roofline Model", section III-A). */

/* Twice the entries of the largest second-level TLB that is documented (4096: Zen 5, AMD 58455), in pages of 4 KiB;
 * and, since Intel's first level has 32 entries apart for pages of 2 MiB, twice these in such pages. */
enum { TLB_SMALL_PAGES = 8192, TLB_HUGE_PAGES = 64 };

struct tlb_pages {
    unsigned char *base; /* 2 MiB aligned: the small ones, then the huge ones */
};

/* Takes address space for them and page tables, but hardly memory: pages that are only read are all the system's one
 * page of zeros. Error: the address space is refused. */
bool tlb_open(struct tlb_pages *out, struct error *err);

void tlb_close(struct tlb_pages *pages);

/* Reads a line of each page, always the same line, so that of the caches' sets no more than one in 64 is used. What
 * comes along is the pages' tables, 64 KiB. */
void tlb_empty(const struct tlb_pages *pages);

enum cold_by { COLD_BY_ANY, COLD_BY_COPIES, COLD_BY_FLUSH };

/* What a run leaves changed in the caches: others' changed lines, which it puts out, make up for that; or there are
 * none of others, and it is written back at the end of the run, or left out. */
enum write_back { WRITE_BACK_EVEN, WRITE_BACK_COUNTED, WRITE_BACK_LEFT_OUT };

struct caches_wish {
    bool data_cold, code_cold;
    bool tlb_cold; /* one run a repetition */
    enum cold_by by;
    enum write_back write_back; /* but for WRITE_BACK_EVEN one run a repetition, and cold data is flushed */
};

/* The last-level caches that a team's threads reach. */
struct last_level {
    uint64_t bytes;         /* of all of them; 0: not known */
    unsigned associativity; /* 0: not known */
};
struct last_level caches_last_level(const struct machine *machine, const struct team *team);

/* Cold data, the paper's way: every run works on another copy, and there are so many that until a copy's next turn
 * size × associativity of the last-level cache has passed through it. A repetition goes on where the one before ended.
 * That leaves the cache full of what this workload writes, so that what is evicted at first makes up for what is not
 * written back at the end. Where copies have just been made, all are flushed before the next repetition, and the
 * cache is filled with other lines, of which as many are dirty as this workload leaves. There are fewer of them where
 * all runs together need no more, each on a copy of its own.
 *
 * Where that would take too much memory, as with a cache of hundreds of megabytes: the copies that there are, each for
 * one run a repetition, are flushed and the lines that this frees are filled before each repetition. */
struct caches_plan {
    enum cold_by by; /* COLD_BY_ANY: data is warm */
    uint64_t copies; /* most that are made: of COLD_BY_COPIES so many where runs go round them, of COLD_BY_FLUSH one for
                        each run */
    uint64_t fill_bytes; /* of the last-level cache, by others' lines; 0: they are not filled */
};

/* Pure; `runs` as asked for, or 0. Error: the data, the copies asked for, or those that so many runs need do not fit
 * the memory. */
bool caches_plan(struct caches_plan *out, const struct task *task, const struct caches_wish *wish,
                 const struct last_level *last_level, uint64_t memory_bytes, uint64_t runs, struct error *err);

struct caches {
    struct caches_wish wish;
    struct caches_plan plan;
    struct tlb_pages tlb; /* of tlb_cold */
    unsigned char *ring;  /* others' lines: one and a half times what fits, so that each comes back cold */
    uint64_t ring_bytes, ring_at;
    uint64_t filled_bytes; /* at the last preparation */
    double dirty_share;    /* of the lines that the workload touches */
    bool filled;           /* once in full */
};
bool caches_open(struct caches *out, const struct caches_wish *wish, const struct caches_plan *plan,
                 const struct task *task, struct error *err);
void caches_close(struct caches *caches);

/* 128 KiB of instructions that do nothing, twice what any first-level instruction cache holds. */
void caches_run_code(void);

/* Before a repetition, by each of `threads` threads at once, which all wait for each other in it. */
void caches_prepare(struct caches *caches, const struct data *data, unsigned thread, unsigned threads);

#endif
