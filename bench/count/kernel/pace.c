/* SPDX-License-Identifier: BSD-3-Clause
 * The program's time (see pace.h). With fast time, a wait precedes each reading of a clock, and sleeps and timers are
 * halved. */
#include "pace.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include "bench/count/base/system.h"
#include "bench/count/code/object.h"

static bool is_fast;
static uint32_t readings; /* clock readings by system calls */
static bool timers;
/* The state of a thread at its last clock reading, and its sleeps since then. */
static struct clock_use {
    uint64_t cycles; /* 0: none */
    uint64_t work_ns, slept_ns;
} last_of[CONTEXT_THREADS];
static uint64_t start_cycles, start_ns;
static uint64_t armed_until_ns; /* end of the latest timer, in the program's time */

static uint64_t cycles(void) {
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static uint64_t time_ns(long clock) {
    struct timespec now = {0, 0};
    SYSTEM_CALL(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void pace_prepare(bool fast) {
    is_fast = fast;
    start_cycles = cycles();
    start_ns = time_ns(CLOCK_MONOTONIC);
}

bool pace_is_clock(uint64_t target) {
    if (!is_fast)
        return false;
    const uint32_t object = object_find(target);
    return object != 0 && text_equal(object_get(object)->path, "[vdso]");
}

/* A time in cycles or nanoseconds in the other unit, by how both have advanced since the start. */
static uint64_t converted(uint64_t time, uint64_t to, uint64_t from) {
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)time * to / (from + 1));
}
static uint64_t ns_of(uint64_t time_cycles) {
    return converted(time_cycles, time_ns(CLOCK_MONOTONIC) - start_ns, cycles() - start_cycles);
}
static uint64_t cycles_of(uint64_t ns) {
    return converted(ns, cycles() - start_cycles, time_ns(CLOCK_MONOTONIC) - start_ns);
}

/* CPU time of this process and of its children that have ended. */
static uint64_t work_ns(void) {
    struct rusage children = {0};
    SYSTEM_CALL(SYS_getrusage, RUSAGE_CHILDREN, &children);
    return time_ns(CLOCK_PROCESS_CPUTIME_ID) +
           (uint64_t)(children.ru_utime.tv_sec + children.ru_stime.tv_sec) * 1000000000 +
           (uint64_t)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) * 1000;
}

/* Of a long time since the last reading: the share in which the process worked, the thread slept or a timer ran. It may
 * have waited for another process for the rest. That one waits before its own readings, too, and such waits of several
 * processes for each other would grow without end. */
static uint64_t share_of(uint64_t passed, struct clock_use *last) {
    const uint64_t work = work_ns(), worked_ns = (work > last->work_ns ? work - last->work_ns : 0) + last->slept_ns,
                   since_ns = time_ns(CLOCK_MONOTONIC) - ns_of(passed), worked = cycles_of(worked_ns);
    last->work_ns = work;
    last->slept_ns = 0;
    return since_ns < armed_until_ns || worked > passed ? passed : worked;
}

/* Sleeps nearly until then: waiting must not count as work. */
static void sleep_until(uint64_t end) {
    enum { REST_NS = 100000 };
    const uint64_t now = cycles(), left_ns = end > now ? ns_of(end - now) : 0;
    if (left_ns <= REST_NS)
        return;
    const struct timespec time = {(time_t)((left_ns - REST_NS) / 1000000000), (long)((left_ns - REST_NS) % 1000000000)};
    SYSTEM_CALL(SYS_nanosleep, &time, NULL);
}

void pace_clock(const struct context *context) {
    enum { LONG_CYCLES = 200000 };
    struct clock_use *last = &last_of[context->index];
    if (!is_fast)
        return;
    const uint64_t now = cycles(), passed = last->cycles ? now - last->cycles : 0;
    const uint64_t end = now + (passed > LONG_CYCLES ? share_of(passed, last) : passed);
    if (end - now > LONG_CYCLES)
        sleep_until(end);
    while (cycles() < end)
        __asm__ volatile("pause");
    last->cycles = cycles();
}

static struct timespec half_of(const struct timespec *time) {
    const long second_ns = 1000000000;
    const long long ns = ((long long)time->tv_sec * second_ns + time->tv_nsec) / 2;
    return (struct timespec){ns / second_ns, (long)(ns % second_ns)};
}

/* Microseconds; at least 1 if there were any, because 0 means no timer. */
static struct timeval half_of_timer(const struct timeval *time) {
    const long second_us = 1000000;
    const long long us = (long long)time->tv_sec * second_us + time->tv_usec, half = us / 2 + (us == 1);
    return (struct timeval){half / second_us, half % second_us};
}

/* The moment half way to `until`; a past moment is unchanged. */
static struct timespec half_way(long clock, const struct timespec *until) {
    struct timespec now = {0, 0};
    SYSTEM_CALL(SYS_clock_gettime, clock, &now);
    const long second_ns = 1000000000;
    const long long from_ns = (long long)now.tv_sec * second_ns + now.tv_nsec,
                    to_ns = (long long)until->tv_sec * second_ns + until->tv_nsec,
                    ns = to_ns > from_ns ? from_ns + (to_ns - from_ns) / 2 : to_ns;
    return (struct timespec){ns / second_ns, (long)(ns % second_ns)};
}

static bool sleep_half(struct registers *r) {
    const bool by_clock = r->rax == SYS_clock_nanosleep, moment = by_clock && (r->rsi & TIMER_ABSTIME);
    const struct timespec *time = (const struct timespec *)(by_clock ? r->rdx : r->rdi);
    if (!time)
        return false;
    struct timespec half = moment ? half_way((long)r->rdi, time) : half_of(time);
    struct timespec *rest = (struct timespec *)(by_clock ? r->r10 : r->rsi);
    r->rax = (uint64_t)(by_clock ? SYSTEM_CALL(SYS_clock_nanosleep, r->rdi, r->rsi, &half, rest)
                                 : SYSTEM_CALL(SYS_nanosleep, &half, rest));
    if (r->rax == (uint64_t)-EINTR && rest && !moment) {
        const long second_ns = 1000000000;
        const long long ns = 2 * ((long long)rest->tv_sec * second_ns + rest->tv_nsec);
        *rest = (struct timespec){ns / second_ns, (long)(ns % second_ns)};
    }
    return true;
}

static int futex_command(const struct registers *r) {
    return (int)r->rsi & FUTEX_CMD_MASK;
}

/* Waits with a time limit. */
static bool wait_half(struct registers *r) {
    struct timespec half;
    struct timeval half_timer;
    switch (r->rax) {
    case SYS_poll:
        r->rax = (uint64_t)SYSTEM_CALL(SYS_poll, r->rdi, r->rsi, ((int)r->rdx + 1) / 2);
        return true;
    case SYS_epoll_wait:
        r->rax = (uint64_t)SYSTEM_CALL(SYS_epoll_wait, r->rdi, r->rsi, r->rdx, ((int)r->r10 + 1) / 2);
        return true;
    case SYS_select:
        half_timer = half_of_timer((const struct timeval *)r->r8);
        r->rax = (uint64_t)SYSTEM_CALL(SYS_select, r->rdi, r->rsi, r->rdx, r->r10, &half_timer);
        return true;
    case SYS_pselect6: /* the kernel may change the time; no library passes that to the program */
        half = half_of((const struct timespec *)r->r8);
        r->rax = (uint64_t)SYSTEM_CALL(SYS_pselect6, r->rdi, r->rsi, r->rdx, r->r10, &half, r->r9);
        return true;
    default:
        half = futex_command(r) == FUTEX_WAIT
                   ? half_of((const struct timespec *)r->r10)
                   : half_way(r->rsi & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                              (const struct timespec *)r->r10);
        r->rax = (uint64_t)SYSTEM_CALL(SYS_futex, r->rdi, r->rsi, r->rdx, &half, r->r8, r->r9);
        return true;
    }
}

/* Whether such a call has a time limit that is not over at once. */
static bool is_limited(const struct registers *r) {
    const int command = futex_command(r);
    switch (r->rax) {
    case SYS_poll:
        return (int)r->rdx > 0;
    case SYS_epoll_wait:
        return (int)r->r10 > 0;
    case SYS_select:
    case SYS_pselect6:
        return r->r8 != 0;
    case SYS_futex:
        return r->r10 != 0 && (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET);
    default:
        return false;
    }
}

static void note_timer(const struct timespec *half, bool again) {
    const uint64_t end_ns =
        again ? UINT64_MAX / 2
              : time_ns(CLOCK_MONOTONIC) + (uint64_t)half->tv_sec * 1000000000 + (uint64_t)half->tv_nsec;
    armed_until_ns = end_ns > armed_until_ns ? end_ns : armed_until_ns;
}
static void note_timer_us(const struct itimerval *half) {
    note_timer(&(struct timespec){half->it_value.tv_sec, half->it_value.tv_usec * 1000},
               half->it_interval.tv_sec || half->it_interval.tv_usec);
}

static bool arm_half(struct registers *r) {
    const struct itimerval *wanted = (const struct itimerval *)r->rsi;
    struct itimerval half = {{0, 0}, {0, 0}}, before;
    if (r->rax == SYS_setitimer && wanted) {
        half = (struct itimerval){half_of_timer(&wanted->it_interval), half_of_timer(&wanted->it_value)};
        note_timer_us(&half);
        r->rax = (uint64_t)SYSTEM_CALL(SYS_setitimer, r->rdi, &half, r->rdx);
        return true;
    }
    if (r->rax != SYS_alarm)
        return false;
    const struct timeval seconds = {(time_t)(uint32_t)r->rdi, 0};
    half.it_value = half_of_timer(&seconds);
    note_timer_us(&half);
    SYSTEM_CALL(SYS_setitimer, ITIMER_REAL, &half, &before);
    r->rax = (uint64_t)before.it_value.tv_sec + (before.it_value.tv_usec > 0);
    return true;
}

static bool arm_half_posix(struct registers *r) {
    const struct itimerspec *wanted = (const struct itimerspec *)r->rdx;
    if (!wanted || (r->rsi & TIMER_ABSTIME))
        return false;
    struct itimerspec half = {half_of(&wanted->it_interval), half_of(&wanted->it_value)};
    note_timer(&half.it_value, half.it_interval.tv_sec || half.it_interval.tv_nsec);
    r->rax = (uint64_t)system_call((long)r->rax, (long)r->rdi, (long)r->rsi, (long)&half, (long)r->r10, 0, 0);
    return true;
}

/* Makes the call, and notes its time unless another thread or process ended it. */
static bool slept(const struct context *context, bool (*call)(struct registers *), struct registers *r) {
    const uint64_t before_ns = time_ns(CLOCK_MONOTONIC), in_time = r->rax == SYS_futex ? (uint64_t)-ETIMEDOUT : 0;
    const bool made = call(r);
    if (made && (r->rax == in_time || r->rax == (uint64_t)-EINTR))
        last_of[context->index].slept_ns += time_ns(CLOCK_MONOTONIC) - before_ns;
    return made;
}

bool pace_call(const struct context *context, struct registers *r) {
    const bool halves = is_fast && !context->passing.alternate; /* signals are blocked here then */
    switch (r->rax) {
    case SYS_clock_gettime:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_times:
    case SYS_getrusage:
        __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED);
        pace_clock(context);
        return false;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
        timers = true;
        return halves && slept(context, sleep_half, r);
    case SYS_alarm:
    case SYS_setitimer:
        timers = true;
        return is_fast && arm_half(r);
    case SYS_timer_settime:
    case SYS_timerfd_settime:
        timers = true;
        return is_fast && arm_half_posix(r);
    default:
        if (!is_limited(r))
            return false;
        timers = true;
        return halves && slept(context, wait_half, r);
    }
}

uint32_t pace_readings(void) {
    return readings;
}

bool pace_timers(void) {
    return timers;
}
