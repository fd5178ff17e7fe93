/* SPDX-License-Identifier: BSD-3-Clause */
#include "caches.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/machine.h"

enum { LINE_BYTES = 64 }; /* a longer line is met again, at hardly any cost */
/* Copies that take more are flushed instead; flushed copies take at most FLUSHED_MAX_BYTES, some 10 ms of any
 * memory. */
static const uint64_t COPIES_MAX_BYTES = 1ull << 30, FLUSHED_MAX_BYTES = 256ull << 20;

struct last_level caches_last_level(const struct machine *machine, const struct team *team) {
    struct last_level out = {0};
    for (unsigned i = 0; i < team->count; i++) {
        const struct core *core = team->cores[i];
        const struct core_kind *kind = &machine->kinds[core->kind];
        if (kind->cache_count == 0)
            return (struct last_level){0};
        const unsigned last = kind->cache_count - 1;
        bool seen = team->caches[i][last] == MACHINE_NO_INSTANCE;
        for (unsigned j = 0; j < i; j++)
            seen |= team->caches[j][last] == team->caches[i][last];
        const int ways = kind->caches[last].associativity;
        out.bytes += seen ? 0 : machine_largest_cache(&kind->caches[last]);
        out.associativity = ways < 0 ? 1 : (unsigned)ways; /* a fully associative cache is one set */
    }
    return out;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static uint64_t at_least_one(uint64_t a) {
    return a > 0 ? a : 1;
}

bool caches_plan(struct caches_plan *out, const struct task *task, const struct caches_wish *wish,
                 const struct last_level *last_level, uint64_t memory_bytes, uint64_t runs, struct error *err) {
    const uint64_t copy_bytes = data_copy_bytes(task), data_bytes = workload_traffic(task).data_bytes;
    *out = (struct caches_plan){.copies = 1};
    if (copy_bytes > memory_bytes)
        return error_set(err,
                         "size %" PRIu64 " needs %" PRIu64 " MiB, and %" PRIu64 " MiB are free; use a smaller size",
                         task->n, copy_bytes >> 20, memory_bytes >> 20);
    out->fill_bytes = wish->data_cold || wish->code_cold ? least(last_level->bytes, memory_bytes / 4) : 0;
    if (!wish->data_cold)
        return true;
    const uint64_t passing_bytes = last_level->bytes * last_level->associativity;
    const uint64_t copies = (passing_bytes + data_bytes - 1) / data_bytes + 1;
    const bool fit = passing_bytes > 0 && copies * copy_bytes <= memory_bytes / 2;
    if (wish->by == COLD_BY_COPIES && !fit)
        return error_set(err,
                         "cold data by copies takes %" PRIu64 " MiB here (size × associativity of the last-level "
                         "cache), and %" PRIu64 " MiB are free; use --cold-by flush",
                         copies * copy_bytes >> 20, memory_bytes >> 20);
    if (wish->by == COLD_BY_COPIES || (wish->by == COLD_BY_ANY && fit && copies * copy_bytes <= COPIES_MAX_BYTES)) {
        out->by = COLD_BY_COPIES;
        out->copies = copies;
        return true;
    }
    out->by = COLD_BY_FLUSH;
    out->copies = runs > 0 ? runs : at_least_one(least(FLUSHED_MAX_BYTES, memory_bytes / 4) / copy_bytes);
    if (out->copies > memory_bytes / 2 / copy_bytes && out->copies > 1)
        return error_set(err,
                         "%" PRIu64 " runs on cold data need as many copies, %" PRIu64 " MiB, and %" PRIu64
                         " MiB are free; use fewer runs, or --state warm",
                         runs, copy_bytes * out->copies >> 20, memory_bytes >> 20);
    return true;
}

bool caches_open(struct caches *out, const struct caches_wish *wish, const struct caches_plan *plan,
                 const struct task *task, struct error *err) {
    const struct workload_traffic traffic = workload_traffic(task);
    *out = (struct caches){.wish = *wish, .plan = *plan};
    out->dirty_share = (double)traffic.write_bytes / (double)at_least_one(traffic.read_bytes + traffic.allocate_bytes);
    out->dirty_share = wish->write_back != WRITE_BACK_EVEN ? 0 : out->dirty_share < 1 ? out->dirty_share : 1;
    if (wish->tlb_cold && !tlb_open(&out->tlb, (uint64_t)sysconf(_SC_PAGESIZE), err))
        return false;
    if (plan->fill_bytes == 0)
        return true;
    out->ring_bytes = (plan->fill_bytes + plan->fill_bytes / 2) / LINE_BYTES * LINE_BYTES;
    out->ring = data_reserve(out->ring_bytes, err);
    return out->ring != NULL;
}

void caches_close(struct caches *caches) {
    data_release(caches->ring, caches->ring_bytes);
    tlb_close(&caches->tlb);
    *caches = (struct caches){0};
}

/* Multiples of the golden ratio, modulo 1: for any number of lines, and for every 64th line alone (a simulation may
 * sample these), the share of values below `limit` is about limit / 2^32. In integers: nothing here counts as flop. */
static bool is_dirty(uint64_t line, uint64_t limit) {
    static const uint64_t GOLDEN = 0x9e3779b97f4a7c15u;
    return line * GOLDEN >> 32 < limit;
}

/* Reads lines of the ring from the current position on, and writes a share of them. */
static void fill_share(struct caches *caches, uint64_t bytes, unsigned thread, unsigned threads) {
    const uint64_t lines = bytes / LINE_BYTES;
    const uint64_t first = lines * thread / threads, end = lines * (thread + 1) / threads;
    const uint64_t dirty_limit = (uint64_t)(caches->dirty_share * 0x1p32);
    char seen = 0; /* valgrind skips loads with unused values */
    for (uint64_t line = first; line < end; line++) {
        volatile char *at = (volatile char *)caches->ring + (caches->ring_at + line * LINE_BYTES) % caches->ring_bytes;
        seen ^= *at;
        if (is_dirty(line, dirty_limit))
            *at = 1;
    }
    volatile char used = seen;
    (void)used;
    team_barrier();
    if (thread == 0) {
        caches->ring_at = (caches->ring_at + bytes) % caches->ring_bytes;
        caches->filled_bytes = bytes;
        caches->filled = true;
    }
    team_barrier();
}

/* As in the thesis: it evicts code by reading a large buffer, as the outer caches hold code and data, and by
 * executing more code than the innermost instruction cache holds. It then warms the data by accessing each of its
 * cache lines, or flushes it. Code is warm from the previous repetition. The TLB comes last, since all of this
 * translates addresses; each thread empties the TLBs of its own core. */
void caches_prepare(struct caches *caches, const struct data *data, unsigned thread, unsigned threads) {
    const bool made_now = caches->plan.by == COLD_BY_COPIES && !caches->filled,
               flush = caches->plan.by == COLD_BY_FLUSH || made_now;
    if (flush)
        data_flush(data, thread, threads);
    team_barrier();
    if (caches->ring && (flush || caches->wish.code_cold)) {
        const uint64_t all = caches->plan.fill_bytes, flushed = data->count * data->copy_bytes;
        const bool in_full = !caches->filled || caches->wish.code_cold;
        fill_share(caches, in_full ? all : least(all, flushed + flushed / 4), thread, threads);
    }
    if (!caches->wish.data_cold && (caches->wish.code_cold || caches->wish.write_back == WRITE_BACK_COUNTED))
        data_load(data, thread, threads);
    if (caches->wish.code_cold)
        caches_run_code();
    if (caches->wish.tlb_cold)
        tlb_empty(&caches->tlb);
    team_barrier();
}

/* Emptying TLBs. */

enum { LINE_IN_PAGE = 2048 }; /* arrays and stacks begin and end elsewhere */

static uint64_t tlb_small_bytes(const struct tlb_pages *pages) {
    return TLB_SMALL_PAGES * pages->small_page_bytes;
}

static uint64_t tlb_all_bytes(const struct tlb_pages *pages) {
    return tlb_small_bytes(pages) + pages->huge_pages * machine_huge_page_of(pages->small_page_bytes);
}

bool tlb_open(struct tlb_pages *out, uint64_t page_bytes, struct error *err) {
    const bool rare = machine_huge_page_of(page_bytes) > TLB_LARGEST_PAGE;
    *out = (struct tlb_pages){.small_page_bytes = page_bytes, .huge_pages = rare ? 0 : TLB_HUGE_PAGES};
    out->base = data_reserve(tlb_all_bytes(out), err);
    if (!out->base)
        return false;
    madvise(out->base, tlb_small_bytes(out), MADV_NOHUGEPAGE);
    tlb_empty(out); /* the system creates the page tables now, outside the timed part */
    return true;
}

void tlb_close(struct tlb_pages *pages) {
    data_release(pages->base, tlb_all_bytes(pages));
    *pages = (struct tlb_pages){0};
}

void tlb_empty(const struct tlb_pages *pages) {
    const volatile unsigned char *at = pages->base + LINE_IN_PAGE, *huge = at + tlb_small_bytes(pages);
    unsigned char seen = 0; /* valgrind skips loads with unused values */
    for (unsigned page = 0; page < pages->huge_pages; page++)
        seen |= huge[page * machine_huge_page_of(pages->small_page_bytes)];
    for (unsigned page = 0; page < TLB_SMALL_PAGES; page++)
        seen |= at[page * pages->small_page_bytes];
    volatile unsigned char used = seen;
    (void)used;
}
