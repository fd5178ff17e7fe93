/* SPDX-License-Identifier: BSD-3-Clause */
#include "counter.h"
#include "process.h"
#include "threads.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/object.h"
#include "bench/count/code/stubs.h"
#include "bench/count/code/translate.h"
#include "bench/count/code/written.h"
#include "bench/count/kernel/pace.h"

/* The kernel's old page of calls at a fixed address (vsyscall; see its arch/x86/entry/vsyscall/): gettimeofday, time
 * and getcpu. Its code cannot be read; the kernel detects that it is reached and makes the call. So does the
 * counter. */

#define PAGE 0xffffffffff600000ull
enum { PAGE_BYTES = 4096, EACH_BYTES = 1024 };

/* Whether an address is in that page. */
static bool vsyscall_holds(uint64_t target) {
    return target >= PAGE && target < PAGE + PAGE_BYTES;
}

/* The kernel may lack it. */
static bool page_is_there(void) {
    static enum { UNKNOWN, THERE, NOT_THERE } page;
    if (page == UNKNOWN)
        page = object_is_mapped(PAGE) ? THERE : NOT_THERE;
    return page == THERE;
}

/* The program has come to `target` in the page: sets its registers for the equivalent system call, with the number in
 * rax. False: there is no call at this address, or this kernel has no such page. */
static bool vsyscall_prepare(uint64_t target, struct registers *registers) {
    static const uint16_t calls[] = {SYS_gettimeofday, SYS_time, SYS_getcpu};
    const uint64_t index = (target - PAGE) / EACH_BYTES;
    if ((target - PAGE) % EACH_BYTES != 0 || index >= sizeof calls / sizeof *calls || !page_is_there())
        return false;
    registers->rax = calls[index];
    return true;
}

/* Returns from the page to the program; returns the address at which it continues. */
static uint64_t vsyscall_return(struct registers *registers) {
    const uint64_t to = *(const uint64_t *)registers->rsp;
    registers->rsp += sizeof to;
    return to;
}

static uint64_t find(uint64_t target) {
    return written_is_checked(target) ? gone_find_unchanged(target) : cache_find(target);
}

static uint64_t find_or_translate(struct context *context, uint64_t target, struct exit *from) {
    uint64_t code = find(target);
    if (code)
        return code;
    vector_state_save(context);
    system_lock();
    code = find(target); /* another thread may have been faster */
    if (!code)
        code = translate(target, from);
    const uint64_t moved = landing_moved();
    if (moved)
        threads_forget(moved, moved + 1);
    system_unlock();
    vector_state_restore(context);
    return code;
}

static void set_lookup(struct context *context, uint32_t place, struct lookup entry) {
    struct lookup *lookup = &context->lookups[place];
    lookup->negated = place == 0; /* none: a signal may come between these stores */
    __asm__ volatile("" ::: "memory");
    lookup->code = entry.code;
    __asm__ volatile("" ::: "memory");
    lookup->negated = entry.negated;
}

static void look_up_next_time(struct context *context, uint64_t target, uint64_t code) {
    const uint32_t place = lookup_first(target);
    const struct lookup before = context->lookups[place];
    if (before.negated && lookup_first(-before.negated) == place)
        set_lookup(context, lookup_second(-before.negated), before);
    set_lookup(context, place, (struct lookup){-target, landing_find(target, code)});
}

/* Makes the call at this address in the kernel's page; returns the address at which the program continues. */
static uint64_t call_in_page(struct context *context, uint64_t target) {
    struct registers *r = &context->passing.registers;
    system_lock();
    const bool there = vsyscall_prepare(target, r);
    system_unlock();
    if (!there)
        return target;
    if (!pace_call(context, r))
        r->rax = (uint64_t)SYSTEM_CALL((long)r->rax, r->rdi, r->rsi, r->rdx);
    return vsyscall_return(r);
}

/* From now on the code takes this way by itself: from the exit by which it left, or through the thread's table. */
static void lead(struct context *context, struct exit *exit, uint64_t target, uint64_t code) {
    if (exit && exit->kind != EXIT_GUESS) {
        system_lock();
        if (exit->kind == EXIT_LEFT)
            gone_link_left(exit);
        else
            link_set(exit, code);
        system_unlock();
        return;
    }
    if (exit) {
        system_lock();
        link_guess(exit, target, code, stubs_get()->anew);
        system_unlock();
    }
    look_up_next_time(context, target, code);
}

uint64_t follow_exit(struct context *context, struct exit *exit) {
    struct exit *direct = exit && exit->kind != EXIT_GUESS ? exit : NULL;
    uint64_t target = direct ? direct->target : context->passing.target;
    if (vsyscall_holds(target)) {
        target = call_in_page(context, target);
        exit = direct = NULL;
    }
    const uint64_t code = vsyscall_holds(target) ? 0 : find_or_translate(context, target, direct);
    if (!code) {
        context->passing.target = target;
        return stubs_get()->wild;
    }
    if (written_is_checked(target)) /* it enters the dispatcher again next time */
        return code;
    if (!direct && pace_is_clock(target)) {
        if (process_is_own())
            pace_clock(context); /* and enters the dispatcher again next time */
        return code;
    }
    lessons_tell(target, exit ? context->passing.exit : 0);
    lead(context, exit, target, code);
    return code;
}

void follow_lessons(struct context *context) {
    struct lesson lesson;
    while (lessons_next(&lesson)) {
        const bool known = lesson.exit != LESSON_NO_EXIT;
        struct exit *exit = known && lesson.exit ? exit_get(lesson.exit) : NULL;
        const bool links = exit && exit->kind == EXIT_LINK && exit->target == lesson.target,
                   looks = known && (!exit || exit->kind == EXIT_GUESS);
        const uint64_t code = find_or_translate(context, lesson.target, links ? exit : NULL);
        if (code && (links || looks))
            lead(context, exit, lesson.target, code);
    }
}
