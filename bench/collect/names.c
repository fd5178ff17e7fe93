/* SPDX-License-Identifier: BSD-3-Clause
 * The regions' names and numbers. */
#include "visits.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "probe/marks/collector.h"
#include "collect.h"

enum { SLOTS = 4 * MAX_REGIONS, FURTHER = MAX_REGIONS - 1 };

static struct {
    uint32_t hash;
    char text[COLLECTOR_NAME_BYTES];
} names[MAX_REGIONS] = {[FURTHER] = {.text = COLLECTOR_FURTHER}};
static _Atomic uint16_t slots[SLOTS]; /* by hash: a region, 0 for none. Read without the lock */
static atomic_uint named = 1;         /* the whole program has no name. Counts a region before a slot shows it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

unsigned names_count(void) {
    return atomic_load_explicit(&named, memory_order_acquire);
}
const char *names_text(unsigned region) {
    return names[region].text;
}

static uint32_t hash_name(const char *name) { /* FNV-1a */
    uint32_t hash = 2166136261;
    for (unsigned i = 0; name[i] && i < COLLECTOR_NAME_BYTES - 1; i++)
        hash = (hash ^ (uint8_t)name[i]) * 16777619;
    return hash;
}

/* The region, and its slot; 0: none has this name, and the slot is the empty one for it. */
static unsigned find_slot(const char *name, uint32_t hash, unsigned *slot) {
    unsigned region;
    *slot = hash % SLOTS;
    while ((region = atomic_load_explicit(&slots[*slot], memory_order_acquire)) != 0 &&
           (names[region].hash != hash || strncmp(names[region].text, name, COLLECTOR_NAME_BYTES - 1) != 0))
        *slot = (*slot + 1) % SLOTS;
    return region;
}

static unsigned name_region(const char *name, uint32_t hash) {
    pthread_mutex_lock(&lock);
    unsigned slot, region = find_slot(name, hash, &slot); /* another thread may have named it meanwhile */
    if (region == 0) {
        region = atomic_load_explicit(&named, memory_order_relaxed);
        if (region < FURTHER) {
            names[region].hash = hash;
            strncpy(names[region].text, name, COLLECTOR_NAME_BYTES - 1); /* also over what a fork has cut short */
            atomic_store_explicit(&named, region + 1, memory_order_release);
            atomic_store_explicit(&slots[slot], (uint16_t)region, memory_order_release);
        } else {
            region = FURTHER;
            atomic_store_explicit(&named, MAX_REGIONS, memory_order_release);
        }
    }
    pthread_mutex_unlock(&lock);
    return region;
}

unsigned names_find(const char *name) {
    name = collector_region(name);
    const uint32_t hash = hash_name(name);
    unsigned slot;
    const unsigned region = find_slot(name, hash, &slot);
    return region ? region : name_region(name, hash);
}

void names_after_fork(void) {
    pthread_mutex_init(&lock, NULL);
}
