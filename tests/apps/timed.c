/* SPDX-License-Identifier: BSD-3-Clause
 * Programs whose work depends on time, and such as only look at it: timed WAY. Work of known flop, some of it in
 * regions. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

enum { STEP_FLOP = 20000, STEPS = 50 };
static const double TIME_S = 0.2;

static volatile sig_atomic_t over;

static void step(void) {
    carmine_region_begin("step");
    work(STEP_FLOP);
    carmine_region_end("step");
}

/* As benchmarks do that run for a given time. */
static void until_time_is_over(void) {
    const double end_s = now_s() + TIME_S;
    while (now_s() < end_s)
        step();
}
static void on_alarm(int number) {
    (void)number;
    over = 1;
}
static void until_an_alarm(void) {
    signal(SIGALRM, on_alarm);
    alarm(1);
    while (!over)
        work(STEP_FLOP);
}
static void *sleep_and_stop(void *unused) {
    usleep((useconds_t)(TIME_S * 1e6));
    over = 1;
    return unused;
}
static void until_a_thread_says(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleep_and_stop, NULL);
    while (!over)
        work(STEP_FLOP);
    pthread_join(thread, NULL);
}

/* How often, is found by how long it takes: the time decides, and is read as often in each run. */
static void calibrate(void) {
    const double begin_s = now_s();
    for (int i = 0; i < 10; i++)
        work(STEP_FLOP);
    const long times = (long)(10 * TIME_S / (now_s() - begin_s));
    for (long i = 0; i < times; i++)
        work(STEP_FLOP);
    fprintf(stderr, "%g s\n", now_s() - begin_s);
}

/* Each call does more than the one before: what it does per call says nothing. */
static void grow(void) {
    const double end_s = now_s() + TIME_S;
    for (long i = 1; now_s() < end_s; i++) {
        carmine_region_begin("step");
        work(i * 1000);
        carmine_region_end("step");
    }
}

/* Looks at the time, and does the same whatever it says. */
static void steadily(void) {
    double spent_s = 0;
    for (int i = 0; i < STEPS; i++) {
        const double begin_s = now_s();
        step();
        spent_s += now_s() - begin_s;
    }
    fprintf(stderr, "%g s\n", spent_s);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"clock", until_time_is_over},
        {"alarm", until_an_alarm},
        {"thread", until_a_thread_says},
        {"calibrate", calibrate},
        {"grow", grow},
        {"steady", steadily},
    };
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run();
            return 0;
        }
    return 2;
}
