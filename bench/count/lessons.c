/* SPDX-License-Identifier: BSD-3-Clause
 * What a process learns from its forked children (see counter.h). */
#include "counter.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/links.h"
#include "bench/count/code/object.h"

enum { MAX_LESSONS = 4095 };

static struct lessons {
    uint64_t told; /* may exceed MAX_LESSONS */
    struct lesson list[MAX_LESSONS];
} * own, *creators;               /* from this process's children, and to its creator; NULL: none */
static uint64_t first, end, next; /* the lessons that are being read, from the last down to the first */

/* In common with the creator: exits and objects below these numbers, as long as no code is gone or has changed. */
static uint32_t common_exits, common_objects, common_changes;

void lessons_offer(void) {
    if (own)
        return;
    const long at = SYSTEM_CALL(SYS_mmap, 0, sizeof *own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    own = system_failed(at) ? NULL : (struct lessons *)at;
}

void lessons_forked(void) {
    if (creators)
        SYSTEM_CALL(SYS_munmap, creators, sizeof *creators);
    creators = own;
    own = NULL;
    first = end = next = 0;
    common_exits = exit_next();
    common_objects = object_count();
    common_changes = gone_changes();
}

static uint32_t check_of(const struct lesson *lesson) {
    const uint64_t key = lesson->target ^ (uint64_t)lesson->exit << 32 ^ (uint64_t)gone_changes() << 16;
    return (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32);
}

void lessons_tell(uint64_t target, uint64_t exit) {
    if (!creators || gone_changes() != common_changes || creators->told >= MAX_LESSONS)
        return;
    const uint32_t object = object_known(target);
    if (object == 0 || object >= common_objects)
        return;
    struct lesson lesson = {.target = target, .exit = exit < common_exits ? (uint32_t)exit : LESSON_NO_EXIT};
    lesson.check = check_of(&lesson);
    const uint64_t place = __atomic_fetch_add(&creators->told, 1, __ATOMIC_RELAXED);
    if (place < MAX_LESSONS)
        creators->list[place] = lesson;
}

static uint64_t told_so_far(void) {
    const uint64_t told = __atomic_load_n(&own->told, __ATOMIC_RELAXED);
    return told < MAX_LESSONS ? told : MAX_LESSONS;
}

bool lessons_next(struct lesson *out) {
    if (own && next == first) {
        first = end;
        next = end = told_so_far();
    }
    while (own && next > first) {
        *out = own->list[--next];
        if (out->check == check_of(out) && object_known(out->target))
            return true;
    }
    return false;
}
