/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into a program: all clocks but the wall clock advance in steps of COARSE_NS nanoseconds, as where the
 * kernel has only its timer interrupts. With COARSE_GAIN=1 their rate rises by 100 % per second, so that the TSC
 * disagrees with them. WALL_S is the time() that it reports. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NS_PER_S = 1000000000 };
static long long step_ns, began_ns;
static int gains;

static long long now_ns(clockid_t clock) {
    struct timespec now;
    syscall(SYS_clock_gettime, clock, &now);
    return now.tv_sec * (long long)NS_PER_S + now.tv_nsec;
}

__attribute__((constructor)) static void open_stand_in(void) {
    const char *step = getenv("COARSE_NS");
    began_ns = now_ns(CLOCK_MONOTONIC);
    gains = getenv("COARSE_GAIN") != NULL;
    step_ns = step ? atoll(step) : 1;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    if (clock == CLOCK_REALTIME || step_ns == 0)
        return (int)syscall(SYS_clock_gettime, clock, out);
    long long ns = now_ns(clock);
    if (gains) {
        const double age_s = (double)(now_ns(CLOCK_MONOTONIC) - began_ns) / NS_PER_S;
        ns += (long long)(age_s * age_s * NS_PER_S);
    }
    ns -= ns % step_ns;
    *out = (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    return 0;
}

time_t time(time_t *out) {
    const char *wall_s = getenv("WALL_S");
    const time_t now = wall_s ? atoll(wall_s) : (time_t)(now_ns(CLOCK_REALTIME) / NS_PER_S);
    if (out)
        *out = now;
    return now;
}
