/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of known work: `phases LETTERS`, of c (computes), s (streams through memory), t (two threads compute), w
 * (sleeps), l (waits for a thread that sleeps), f (touches new pages). Prints when each began and ended, in ms since
 * main. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ELEMENTS = 1 << 21, PASSES = 60, ROUNDS = 100000000, MOST = 16 };
static double *a, *b;
static volatile double sink;

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static __attribute__((noinline)) void *compute(void *unused) {
    double x = 1, y = 2, z = 3, w = 4;
    for (long i = 0; i < ROUNDS; i++) {
        x = x * 1.0000001 + 0.1;
        y = y * 1.0000001 + 0.1;
        z = z * 1.0000001 + 0.1;
        w = w * 1.0000001 + 0.1;
    }
    sink = x + y + z + w;
    return unused;
}

static __attribute__((noinline)) void stream(void) {
    for (int pass = 0; pass < PASSES; pass++)
        for (long i = 0; i < ELEMENTS; i++)
            a[i] += 3 * b[i];
}

static void touch(void) {
    enum { MAPS = 12, PAGES = 1 << 14, PAGE = 4096 };
    for (int map = 0; map < MAPS; map++) {
        char *pages = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED)
            exit(77);
        madvise(pages, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
        for (long page = 0; page < PAGES; page++)
            pages[page * PAGE] = 1;
        munmap(pages, (size_t)PAGES * PAGE);
    }
}

static const struct timespec NAP = {.tv_nsec = 400000000};

static void *sleep_awhile(void *unused) {
    nanosleep(&NAP, NULL);
    return unused;
}

static void wait_for_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_awhile, NULL) != 0)
        exit(77);
    pthread_join(thread, NULL);
}

static void two_threads(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, compute, NULL) != 0)
            exit(77);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    const double begin_ms = now_ms();
    double ends_ms[MOST + 1];
    const char *letters = argc > 1 ? argv[1] : "csw";
    const size_t count = strnlen(letters, MOST);
    a = malloc(ELEMENTS * sizeof *a);
    b = malloc(ELEMENTS * sizeof *b);
    if (!a || !b)
        return 77;
    for (long i = 0; i < ELEMENTS; i++)
        a[i] = b[i] = (double)i;
    ends_ms[0] = now_ms();
    for (size_t i = 0; i < count; i++) {
        if (letters[i] == 'c')
            compute(NULL);
        else if (letters[i] == 's')
            stream();
        else if (letters[i] == 't')
            two_threads();
        else if (letters[i] == 'f')
            touch();
        else if (letters[i] == 'l')
            wait_for_thread();
        else
            nanosleep(&NAP, NULL);
        ends_ms[i + 1] = now_ms();
    }
    for (size_t i = 0; i < count; i++)
        printf("phase %c %.0f %.0f\n", letters[i], ends_ms[i] - begin_ms, ends_ms[i + 1] - begin_ms);
    return 0;
}
