/* SPDX-License-Identifier: BSD-3-Clause
 * Code that the program writes (see written.h): a table of pages, in the order of their discovery, and a hash table for
 * it. A forgotten page keeps its place. */
#include "written.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "cache.h"
#include "gone.h"

enum {
    PAGE_BYTES = 4096,
    MAX_PAGES = 1 << 18, /* 1 GiB of code */
    PLACE_BITS = 19,
    PLACES = 1 << PLACE_BITS,
    MAX_RUNS = 1 << 14, /* of shut pages: each run adds two mappings, of 65,530 per process */
    MAX_FAULTS = 200,   /* a fault takes some microseconds, checking a block a tenth of one */
};

struct code_page {
    uint64_t address;
    uint32_t object; /* 0: nothing is known of it now */
    uint32_t blocks; /* its last block that may be entered (block.next_written); 0: none */
    uint32_t faults;
    bool writable; /* by the program */
    bool shut;     /* write-protected by the counter */
    bool checked;
    bool crosses; /* one of its blocks ends in the next page */
};
static struct code_page *pages;
static uint32_t *places; /* indices of pages; 0: the place is empty */
static uint32_t page_count = 1, checked_count, run_count;
static uint64_t shut_low = ~0ull, shut_high; /* range of all pages that were ever shut */

void written_prepare(void) {
    pages = fail_or_map(sizeof *pages * MAX_PAGES);
    places = fail_or_map(sizeof *places * PLACES);
}

bool written_any_watched(void) {
    return shut_high != 0;
}

static uint64_t page_of(uint64_t address) {
    return address & ~(uint64_t)(PAGE_BYTES - 1);
}

/* The place of a page in the hash table, or the empty place for it. */
static uint32_t place_of(uint64_t page) {
    uint32_t place = (uint32_t)(page / PAGE_BYTES * 0x9e3779b97f4a7c15ull >> (64 - PLACE_BITS));
    while (__atomic_load_n(&places[place], __ATOMIC_ACQUIRE) && pages[places[place]].address != page)
        place = (place + 1) % PLACES;
    return place;
}

static struct code_page *find(uint64_t address) {
    if (page_count == 1) /* most programs write no code and need not touch the table */
        return NULL;
    const uint32_t index = places[place_of(page_of(address))];
    return index && pages[index].object ? &pages[index] : NULL;
}

static struct code_page *new_page(uint64_t address) {
    const uint32_t place = place_of(address);
    if (places[place])
        return &pages[places[place]];
    if (page_count == MAX_PAGES)
        fail_program("it writes more code than the counter's tables hold", 0);
    pages[page_count] = (struct code_page){.address = address};
    __atomic_store_n(&places[place], page_count, __ATOMIC_RELEASE);
    return &pages[page_count++];
}

static void check(struct code_page *page) {
    checked_count += !page->checked;
    page->checked = true;
}

void written_add(uint64_t address, uint32_t object, bool writable, bool checked) {
    struct code_page *page = new_page(page_of(address));
    page->object = object;
    page->writable = writable;
    if (checked)
        check(page);
}

uint32_t written_object(uint64_t address) {
    const struct code_page *page = find(address);
    return page ? page->object : 0;
}

bool written_is_checked(uint64_t address) {
    const struct code_page *page = checked_count ? find(address) : NULL;
    return page && page->checked;
}

static bool protect(const struct code_page *page, int protection) {
    return !system_failed(SYSTEM_CALL(SYS_mprotect, page->address, PAGE_BYTES, protection));
}

static bool is_shut(uint64_t address) {
    const struct code_page *page = find(address);
    return page && page->shut;
}

/* How many more runs of shut pages there are once this page is shut. */
static uint32_t further_runs(const struct code_page *page) {
    return 1u - is_shut(page->address - PAGE_BYTES) - is_shut(page->address + PAGE_BYTES);
}

void written_watch(uint64_t address) {
    struct code_page *page = find(address);
    if (!page || !page->writable || page->shut || page->checked)
        return;
    if (run_count == MAX_RUNS || !protect(page, PROT_READ | PROT_EXEC)) {
        check(page);
        return;
    }
    page->shut = true;
    run_count += further_runs(page);
    shut_low = page->address < shut_low ? page->address : shut_low;
    shut_high = page->address + PAGE_BYTES > shut_high ? page->address + PAGE_BYTES : shut_high;
}

void written_own(uint64_t address, uint32_t block) {
    struct code_page *page = find(address);
    if (!page || page->checked)
        return;
    gone_chain(block, page->blocks);
    page->blocks = block;
    page->crosses |= cache_block(block)->original + cache_block(block)->code_bytes > page->address + PAGE_BYTES;
}

static void open_page(struct code_page *page) {
    for (uint32_t block = page->blocks; block; block = cache_block(block)->next_written)
        gone_leave(block);
    page->blocks = 0;
    if (page->shut) {
        protect(page, PROT_READ | PROT_WRITE | PROT_EXEC);
        run_count -= further_runs(page);
    }
    page->shut = page->crosses = false;
}

static void open_with_neighbour(struct code_page *page) {
    struct code_page *before = find(page->address - PAGE_BYTES);
    if (before && before->crosses)
        open_page(before);
    open_page(page);
}

void written_watch_across(uint64_t address) {
    struct code_page *page = find(address);
    const uint64_t next = page_of(address) + PAGE_BYTES;
    written_watch(next);
    if (!page || page->checked || !written_is_checked(next))
        return;
    check(page);
    open_page(page);
}

/* Calls `act` for each known page of a range. */
static void for_pages(uint64_t low, uint64_t high, void (*act)(struct code_page *)) {
    if ((high - page_of(low)) / PAGE_BYTES < page_count) {
        for (uint64_t at = page_of(low); at < high; at += PAGE_BYTES) {
            struct code_page *page = find(at);
            if (page)
                act(page);
        }
        return;
    }
    for (uint32_t i = 1; i < page_count; i++)
        if (pages[i].object && pages[i].address < high && pages[i].address + PAGE_BYTES > low)
            act(&pages[i]);
}

void written_open(uint64_t low, uint64_t high) {
    low = low > shut_low ? low : shut_low;
    high = high < shut_high ? high : shut_high;
    if (low < high)
        for_pages(low, high, open_with_neighbour);
}

static void forget_page(struct code_page *page) {
    open_with_neighbour(page);
    checked_count -= page->checked;
    *page = (struct code_page){.address = page->address, .faults = page->faults};
}

void written_forget(uint64_t low, uint64_t high) {
    if (page_count > 1)
        for_pages(low, high, forget_page);
}

enum written_fault written_fault(uint64_t address, uint64_t low, uint64_t high) {
    struct code_page *page = find(address);
    if (!page || !page->writable)
        return WRITTEN_NOT;
    const bool own = low < page->address + PAGE_BYTES && high > page->address;
    if (page->shut && (own || ++page->faults == MAX_FAULTS))
        check(page);
    open_with_neighbour(page);
    return own ? WRITTEN_LEAVE : WRITTEN_AGAIN;
}
