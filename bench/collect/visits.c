/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: their names, which are open on a thread, and for how long. */
#include "visits.h"

#include <string.h>

#include "probe/marks/collector.h"
#include "events.h"

enum { SLOTS = 4 * MOST_REGIONS, FURTHER = MOST_REGIONS - 1 };

static struct {
    uint32_t hash;
    char text[COLLECTOR_NAME_BYTES];
} names[MOST_REGIONS] = {[FURTHER] = {.text = "(further regions)"}};
static _Atomic uint16_t slots[SLOTS]; /* by hash: a region, 0 for none. Read without the lock */
static atomic_uint named = 1;         /* the whole program has no name */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

unsigned region_count(void) {
    return named;
}
const char *region_name(unsigned region) {
    return names[region].text;
}

static uint32_t hash_name(const char *name) { /* FNV-1a */
    uint32_t hash = 2166136261;
    for (unsigned i = 0; name[i] && i < COLLECTOR_NAME_BYTES - 1; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619;
    return hash;
}

/* Its slot, or the empty one where it belongs. */
static unsigned find_slot(const char *name, uint32_t hash) {
    unsigned slot = hash % SLOTS, region;
    while ((region = atomic_load_explicit(&slots[slot], memory_order_acquire)) != 0 &&
           (names[region].hash != hash || strncmp(names[region].text, name, COLLECTOR_NAME_BYTES - 1) != 0))
        slot = (slot + 1) % SLOTS;
    return slot;
}

static unsigned name_region(const char *name, uint32_t hash) {
    pthread_mutex_lock(&lock);
    const unsigned slot = find_slot(name, hash); /* another thread may have named it meanwhile */
    unsigned region = slots[slot];
    if (region == 0) {
        region = named;
        if (region < FURTHER) {
            names[region].hash = hash;
            memcpy(names[region].text, name, strnlen(name, COLLECTOR_NAME_BYTES - 1));
            atomic_store_explicit(&slots[slot], (uint16_t)region, memory_order_release);
            named++;
        } else {
            region = FURTHER;
            named = MOST_REGIONS;
        }
    }
    pthread_mutex_unlock(&lock);
    return region;
}

static unsigned find_region(const char *name) {
    if (!name || !*name)
        name = "(no name)";
    const uint32_t hash = hash_name(name);
    const unsigned region = atomic_load_explicit(&slots[find_slot(name, hash)], memory_order_relaxed);
    return region ? region : name_region(name, hash);
}

static void push(struct thread *thread, unsigned region) {
    if (thread->depth < MOST_DEPTH) {
        thread->open[thread->depth] = (uint16_t)region;
        thread->innermost = (uint16_t)region;
    }
    thread->depth++;
}

/* Regions should end the innermost first; one that does not is taken out from between the others. */
static void pop(struct thread *thread, unsigned region) {
    if (--thread->depth >= MOST_DEPTH)
        return;
    unsigned at = thread->depth;
    while (at > 0 && thread->open[at] != region)
        at--;
    if (at < thread->depth)
        thread->visits[region].mismatched++;
    for (; at < thread->depth; at++)
        thread->open[at] = thread->open[at + 1];
    thread->innermost = thread->depth ? thread->open[thread->depth - 1] : WHOLE_PROGRAM;
}

void visit_begin(struct thread *thread, const char *name) {
    const unsigned region = find_region(name);
    struct visit *visit = &thread->visits[region];
    push(thread, region);
    if (visit->depth++ > 0)
        return;
    visit->calls++;
    events_enter(thread, region);
    visit->start_ns = clock_ns();
}

void visit_end(struct thread *thread, const char *name) {
    const uint64_t now_ns = clock_ns();
    const unsigned region = find_region(name);
    struct visit *visit = &thread->visits[region];
    if (visit->depth == 0) {
        visit->mismatched++;
        return;
    }
    pop(thread, region);
    if (--visit->depth > 0)
        return;
    if (!visit->not_entered) {
        visit->ns += now_ns - visit->start_ns;
        events_leave(thread, region);
    }
    visit->not_entered = false;
}

static bool is_open(const struct visit *visit) {
    return visit->depth > 0 && !visit->not_entered;
}

void visits_close(struct thread *thread) {
    for (unsigned region = 1; region < named; region++)
        if (is_open(&thread->visits[region]))
            events_leave(thread, region);
}

void visits_total(const struct thread *thread, struct total totals[MOST_REGIONS], uint64_t now_ns) {
    for (unsigned region = 1; region < named; region++) {
        const struct visit *visit = &thread->visits[region];
        struct total *total = &totals[region];
        const uint64_t ns = visit->ns + (is_open(visit) && now_ns > visit->start_ns ? now_ns - visit->start_ns : 0);
        total->calls += visit->calls;
        total->mismatched += visit->mismatched;
        total->open += is_open(visit);
        total->threads += visit->calls > 0;
        if (ns > total->longest_ns)
            total->longest_ns = ns;
    }
}

/* What the parent has open the child may well end, but it is the parent's. */
void visits_after_fork(struct thread *thread) {
    pthread_mutex_init(&lock, NULL);
    for (unsigned region = 1; region < named; region++) {
        struct visit *visit = &thread->visits[region];
        *visit = (struct visit){.depth = visit->depth, .not_entered = visit->depth > 0};
    }
}
