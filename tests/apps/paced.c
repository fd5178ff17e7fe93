/* SPDX-License-Identifier: BSD-3-Clause
 * Waits for a time in several ways, and prints those that took less by its own clock. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static const double WAIT_S = 0.2;

static void ignore(int number) {
    (void)number;
}
static void set_alarm(void) {
    const struct itimerval once = {.it_value = {.tv_usec = (suseconds_t)(1e6 * WAIT_S)}};
    signal(SIGALRM, ignore);
    setitimer(ITIMER_REAL, &once, NULL);
}
static void sleeps(void) {
    usleep((useconds_t)(1e6 * WAIT_S));
}
static void alarm_and_pause(void) {
    set_alarm();
    pause();
}
static void timer_file(void) {
    const struct itimerspec once = {.it_value = {.tv_nsec = (long)(1e9 * WAIT_S)}};
    const int file = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t times;
    timerfd_settime(file, 0, &once, NULL);
    if (read(file, &times, sizeof times) != sizeof times)
        perror("read");
    close(file);
}
static void interrupted_sleep(void) {
    struct timespec rest = {0, (long)(2e9 * WAIT_S)};
    set_alarm();
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}
static void works(void) {
    const clock_t end = clock() + (clock_t)(WAIT_S * CLOCKS_PER_SEC);
    while (clock() < end)
        work(1000);
}
static void child_works(void) {
    if (fork() == 0) {
        works();
        _exit(0);
    }
    wait(NULL);
}

int main(void) {
    static const struct {
        const char *name;
        void (*wait)(void);
        double least_s;
    } ways[] = {{"sleep", sleeps, 1},
                {"alarm", alarm_and_pause, 1},
                {"timer file", timer_file, 1},
                {"interrupted", interrupted_sleep, 2},
                {"work", works, 1},
                {"child", child_works, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const double begin_s = now_s();
        ways[i].wait();
        const double took_s = now_s() - begin_s;
        if (took_s < 0.95 * ways[i].least_s * WAIT_S)
            printf("%s: %g s\n", ways[i].name, took_s);
    }
    return 0;
}
