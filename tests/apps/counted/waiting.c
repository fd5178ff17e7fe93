/* SPDX-License-Identifier: BSD-3-Clause
 * Threads that wait for each other while others work: waiting WAY. The same work however many threads wait, as region
 * "work". What OpenMP moves of its own is small beside it: it has started its threads, and shares large loops (LLVM's
 * library moves 5 kB a thread for each). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carmine.h"
#include "work.h"

enum { N = 500000, ROUNDS = 6, HOLDS = 20, HOLD_FLOP = 100000 };

static double a[N], b[N], c[N];

/* As in CG, FT and LULESH: loops that are shared out, sums of all threads, and parts that one thread does alone. */
static double share_loops(void) {
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            a[i] = b[i] + 3 * c[i];
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += a[i] * c[i];
#pragma omp parallel
        {
#pragma omp single
            for (int i = 0; i < N; i++)
                c[i] = 0.5 * a[i];
        }
    }
    return sum;
}

static pthread_spinlock_t lock;
static pthread_mutex_t mutex;
static int adaptive;

static void *hold(void *unused) {
    for (int i = 0; i < HOLDS; i++) {
        adaptive ? pthread_mutex_lock(&mutex) : pthread_spin_lock(&lock);
        work(HOLD_FLOP);
        adaptive ? pthread_mutex_unlock(&mutex) : pthread_spin_unlock(&lock);
    }
    return unused;
}
static void hold_in_turn(void) {
    pthread_t other;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(&mutex, &attributes);
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    if (pthread_create(&other, NULL, hold, NULL) != 0)
        exit(77);
    hold(NULL);
    pthread_join(other, NULL);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    for (int i = 0; i < N; i++)
        b[i] = i, c[i] = 2 * i;
    adaptive = strcmp(way, "mutex") == 0;
    const int shares = strcmp(way, "openmp") == 0;
    double sum = shares ? share_loops() : 0;
    carmine_region_begin("work");
    if (shares)
        sum += share_loops();
    else
        hold_in_turn();
    carmine_region_end("work");
    printf("%.0f\n", sum * 0);
    return 0;
}
