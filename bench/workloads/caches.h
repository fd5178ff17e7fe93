/* SPDX-License-Identifier: BSD-3-Clause
 * The state of the caches before a repetition: data, code and translations, cold or warm. The methods are from
 * Ofenbeck et al., "Applying the Roofline Model" (section III-A), and from Steinmann's thesis of the same name
 * (chapter 2). */
#pragma once

#include <stdbool.h>

#include "data.h"

struct error;

/* Empties a core's TLBs of a workload's translations by accesses to many other pages (Ofenbeck et al., "Applying the
 * Roofline Model", section III-A). */

/* In small pages: twice the entries of the largest documented second-level TLB (4096: Zen 5, AMD 58455). In huge pages:
 * twice the 32 separate entries of Intel's first level for 2 MiB. Data of workloads has no larger pages than
 * TLB_LARGEST_PAGE. */
enum { TLB_SMALL_PAGES = 8192, TLB_HUGE_PAGES = 64, TLB_LARGEST_PAGE = 32 << 20 };

struct tlb_pages {
    unsigned char *base; /* 2 MiB aligned: first the small pages, then the huge ones */
    uint64_t small_page_bytes;
    unsigned huge_pages; /* how many */
};

/* Reserves address space and page tables for them, but hardly any memory: pages that are only read all map to the
 * system's zero page. `page_bytes`: of the small ones. Error: the address space is refused. */
bool tlb_open(struct tlb_pages *out, uint64_t page_bytes, struct error *err);

void tlb_close(struct tlb_pages *pages);

/* Reads a line of each page, always at the same offset, so that it uses at most one in 64 of the caches' sets,
 * besides the 64 KiB of page tables. */
void tlb_empty(const struct tlb_pages *pages);

enum cold_by { COLD_BY_ANY, COLD_BY_COPIES, COLD_BY_FLUSH };

/* Treatment of dirty lines that a run leaves in the caches. EVEN: the run evicts as many dirty lines of others.
 * Otherwise the caches hold no dirty lines of others, and the run's are COUNTED, by a write-back at its end, or
 * LEFT_OUT. */
enum write_back { WRITE_BACK_EVEN, WRITE_BACK_COUNTED, WRITE_BACK_LEFT_OUT };

struct caches_wish {
    bool data_cold, code_cold;
    bool tlb_cold; /* one run per repetition */
    enum cold_by by;
    enum write_back write_back; /* other than WRITE_BACK_EVEN: one run per repetition, and cold data is flushed */
};

/* The last-level caches that a team's threads reach. */
struct last_level {
    uint64_t bytes;         /* sum of all; 0: not known */
    unsigned associativity; /* 0: not known */
};
struct last_level caches_last_level(const struct machine *machine, const struct team *team);

/* Cold data, the paper's way: every run works on another copy. Enough copies exist that size × associativity of the
 * last-level cache passes through the cache before a copy is used again. A repetition starts where the previous one
 * ended. The cache is then full of this workload's dirty lines, and their evictions at the start replace the missing
 * write-backs at the end. After new copies are made, all are flushed before the next repetition, and the cache is
 * filled with other lines, the same share of them dirty. Fewer copies are made if all runs together need fewer, each on
 * its own copy.
 *
 * If that takes too much memory, as with a cache of hundreds of megabytes: before each repetition the copies, each
 * for one run, are flushed, and the freed cache lines are filled. */
struct caches_plan {
    enum cold_by by;     /* COLD_BY_ANY: data is warm */
    uint64_t copies;     /* maximum: COLD_BY_COPIES: runs cycle through them; COLD_BY_FLUSH: one for each run */
    uint64_t fill_bytes; /* bytes of the last-level cache to fill with others' lines; 0: none */
};

/* Pure; `runs` as requested, or 0. Error: the data, the requested copies, or the copies for this number of runs do
 * not fit the memory. */
bool caches_plan(struct caches_plan *out, const struct task *task, const struct caches_wish *wish,
                 const struct last_level *last_level, uint64_t memory_bytes, uint64_t runs, struct error *err);

struct caches {
    struct caches_wish wish;
    struct caches_plan plan;
    struct tlb_pages tlb; /* for tlb_cold */
    unsigned char *ring;  /* others' lines: 1.5 times the filled bytes, so that each is cold at its next use */
    uint64_t ring_bytes, ring_at;
    uint64_t filled_bytes; /* at the last preparation */
    double dirty_share;    /* share of the lines that the workload touches */
    bool filled;           /* once in full */
};
bool caches_open(struct caches *out, const struct caches_wish *wish, const struct caches_plan *plan,
                 const struct task *task, struct error *err);
void caches_close(struct caches *caches);

/* 128 KiB of nops, twice the largest first-level instruction cache. */
void caches_run_code(void);

/* Prepares the caches before a repetition. Each of `threads` threads calls it at the same time; it contains
 * barriers. */
void caches_prepare(struct caches *caches, const struct data *data, unsigned thread, unsigned threads);
