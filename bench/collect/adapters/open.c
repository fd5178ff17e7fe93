/* SPDX-License-Identifier: BSD-3-Clause
 * A thread's open regions, for end marks without a name (see adapter.h). */
#include "adapter.h"

#include <pthread.h>
#include <sys/mman.h>

#include "probe/marks/collector.h"

struct open_region {
    enum mark_system_number system;
    uint64_t key;
    char name[COLLECTOR_NAME_BYTES];
};
struct open_regions {
    unsigned depth, beyond; /* beyond: opened without room */
    struct open_region of[ADAPTER_DEPTH];
};

/* Mapped instead of allocated: a mark may be inside the program's own malloc. */
static __thread struct open_regions *here __attribute__((tls_model("initial-exec")));
static pthread_key_t at_end;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void forget(void *regions) {
    munmap(regions, sizeof(struct open_regions));
    here = NULL;
}
static void prepare(void) {
    pthread_key_create(&at_end, forget);
}

static struct open_regions *regions_here(void) {
    if (here)
        return here;
    void *memory = mmap(NULL, sizeof *here, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    pthread_once(&prepared, prepare);
    pthread_setspecific(at_end, memory);
    here = memory;
    return here;
}

/* Copies without the C library's functions, which would count as the program's work; so would an assignment of
 * structs. */
static void copy_name(char to[COLLECTOR_NAME_BYTES], const char *name) {
    unsigned i = 0;
    for (; i < COLLECTOR_NAME_BYTES - 1 && name[i]; i++)
        to[i] = name[i];
    to[i] = '\0';
}

void adapter_open(enum mark_system_number system, uint64_t key, const char *name) {
    struct open_regions *regions = adapter_takes(system) ? regions_here() : NULL;
    if (!regions)
        return;
    if (regions->depth == ADAPTER_DEPTH) {
        regions->beyond++;
        return;
    }
    struct open_region *region = &regions->of[regions->depth++];
    region->system = system;
    region->key = key;
    copy_name(region->name, collector_region(name));
    adapter_begin(system, region->name);
}

void adapter_close(enum mark_system_number system, uint64_t key) {
    struct open_regions *regions = here;
    if (!regions || !adapter_takes(system))
        return;
    if (regions->beyond > 0) {
        regions->beyond--;
        return;
    }
    unsigned at = regions->depth;
    while (at > 0 && (regions->of[at - 1].system != system || regions->of[at - 1].key != key))
        at--;
    if (at == 0)
        return;
    adapter_end(system, regions->of[at - 1].name);
    for (regions->depth--; at <= regions->depth; at++) {
        struct open_region *to = &regions->of[at - 1], *from = &regions->of[at];
        to->system = from->system;
        to->key = from->key;
        copy_name(to->name, from->name);
    }
}
