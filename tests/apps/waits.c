/* SPDX-License-Identifier: BSD-3-Clause
 * Waits, some tenths of a second, for the thing that its argument names: see main(). */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HALF_A_SECOND_US = 500000, LONG = 100000000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile double sum = 1;

static void compute(long steps) {
    for (long i = 0; i < steps; i++)
        sum = sum * 0.999 + 1;
}

static void *take_lock(void *nothing) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return nothing;
}

/* Three threads wait for a lock whose owner sleeps. */
static void wait_for_lock(void) {
    pthread_t threads[3];
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, take_lock, NULL);
    usleep(HALF_A_SECOND_US);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void *compute_long(void *nothing) {
    compute(LONG);
    return nothing;
}

/* One thread runs all the time, and the other waits for its end. */
static void wait_for_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, compute_long, NULL);
    pthread_join(thread, NULL);
}

static void do_nothing(int number) {
    (void)number;
}

/* From a pipe that nobody writes into, until a signal. */
static void read_pipe(void) {
    int ends[2];
    char byte;
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = do_nothing}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = HALF_A_SECOND_US}, NULL);
    if (pipe(ends) != 0 || read(ends[0], &byte, 1) >= 0)
        sum = 0;
}

static void wait_for_child(void) {
    if (fork() == 0) {
        compute(LONG);
        _exit(0);
    }
    wait(NULL);
}

static void touch_memory(void) {
    const size_t bytes = 16 << 20, page = 4096;
    for (int round = 0; round < 40; round++) {
        char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(pages, bytes, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < bytes; i += page)
            pages[i] = 1;
        munmap(pages, bytes);
    }
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "sleep") == 0)
        usleep(HALF_A_SECOND_US);
    else if (strcmp(what, "lock") == 0)
        wait_for_lock();
    else if (strcmp(what, "pipe") == 0)
        read_pipe();
    else if (strcmp(what, "child") == 0)
        wait_for_child();
    else if (strcmp(what, "thread") == 0)
        wait_for_thread();
    else if (strcmp(what, "faults") == 0)
        touch_memory();
    else
        return 2;
    compute(10000);
    return sum > 0 ? 0 : 1;
}
