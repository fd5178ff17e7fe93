/* SPDX-License-Identifier: BSD-3-Clause
 * The log of ticks (see ticks.h): a table of fixed size, so that a signal handler can fill it. */
#include "ticks.h"
#include "collect.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TICKS = 1 << 21, LEAST_NS = 1000000 };

static struct tick_record *ticks;
static atomic_uint used, lost;
static uint64_t period_ns;

void ticks_start(const char *every_ns) {
    period_ns = every_ns ? strtoull(every_ns, NULL, 10) : 0;
    if (period_ns == 0)
        return;
    period_ns = period_ns < LEAST_NS ? LEAST_NS : period_ns;
    ticks =
        mmap(NULL, TICKS * sizeof *ticks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (ticks == MAP_FAILED)
        period_ns = 0;
}

uint64_t ticks_period_ns(void) {
    return period_ns;
}

/* From its file: CPU time, then the time that it was ready to run, in ns. Without snprintf, for signal handlers. */
static uint64_t delay_of(uint32_t tid) {
    char path[] = "/proc/self/task/4294967295/schedstat", text[64], *digit = path + sizeof "/proc/self/task/" - 1;
    uint64_t delay_ns = 0, tens = 1;
    while (tens <= tid / 10)
        tens *= 10;
    for (; tens > 0; tens /= 10)
        *digit++ = (char)('0' + tid / tens % 10);
    memcpy(digit, "/schedstat", sizeof "/schedstat");
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *at = text;
    while (*at >= '0' && *at <= '9')
        at++;
    for (at += *at == ' '; *at >= '0' && *at <= '9'; at++)
        delay_ns = 10 * delay_ns + (uint64_t)(*at - '0');
    return delay_ns;
}

void ticks_add(uint32_t tid, uint32_t place) {
    enum { OF_THREAD = 4, SCHEDULED = 2 }; /* the kernel's number of the clock of a thread's CPU time */
    struct timespec cpu = {0};
    if (period_ns == 0)
        return;
    const unsigned at =
        atomic_fetch_add_explicit(&used, 1, memory_order_release); /* whoever counts it sees its place */
    if (at >= TICKS) {
        atomic_store_explicit(&used, TICKS, memory_order_relaxed);
        atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
        return;
    }
    struct tick_record *tick = &ticks[at];
    clock_gettime((clockid_t)(~tid << 3 | OF_THREAD | SCHEDULED), &cpu);
    tick->wall_ns = clock_ns();
    tick->cpu_ns = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
    tick->delay_ns = delay_of(tid);
    tick->place = place;
    atomic_store_explicit(&tick->tid, tid, memory_order_release);
}

const struct tick_record *ticks_all(uint32_t *count, uint32_t *missing) {
    const unsigned begun = atomic_load_explicit(&used, memory_order_acquire);
    *count = begun < TICKS ? begun : TICKS;
    *missing = atomic_load_explicit(&lost, memory_order_relaxed);
    return ticks;
}

void ticks_forget(void) {
    if (period_ns > 0)
        madvise(ticks, TICKS * sizeof *ticks, MADV_DONTNEED); /* all zero again */
    atomic_store_explicit(&used, 0, memory_order_relaxed);
    atomic_store_explicit(&lost, 0, memory_order_relaxed);
}
