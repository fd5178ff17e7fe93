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
static atomic_uint named = 1;         /* the whole program has no name */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

unsigned names_count(void) {
    return named;
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

/* Its slot, or the empty one for it. */
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
            named = MAX_REGIONS;
        }
    }
    pthread_mutex_unlock(&lock);
    return region;
}

unsigned names_find(const char *name) {
    name = collector_region(name);
    const uint32_t hash = hash_name(name);
    const unsigned region = atomic_load_explicit(&slots[find_slot(name, hash)], memory_order_relaxed);
    return region ? region : name_region(name, hash);
}

void names_after_fork(void) {
    pthread_mutex_init(&lock, NULL);
}
