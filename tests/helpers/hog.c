/* SPDX-License-Identifier: BSD-3-Clause
 * hog compute|memory CPU: keeps one CPU busy until its parent ends or it is killed (tests/beside_hogs). It computes in
 * registers, or streams through more memory than the caches hold. */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { STREAM_BYTES = 256 << 20, CHAINS = 8 };

/* Independent chains fill the units, as our kernels do. */
static void compute(void) {
    volatile double kept = 0;
    for (double x[CHAINS] = {1, 2, 3, 4, 5, 6, 7, 8};; kept = x[0]) {
        for (int i = 0; i < 1000000; i++)
            for (int c = 0; c < CHAINS; c++)
                x[c] = x[c] * 0.999999 + 0.000001;
    }
    (void)kept;
}

static int stream(void) {
    char *bytes = malloc(STREAM_BYTES);
    if (!bytes)
        return 1;
    for (int round = 0;; round++) {
        memset(bytes, round, STREAM_BYTES / 2);
        memcpy(bytes + STREAM_BYTES / 2, bytes, STREAM_BYTES / 2);
        __asm__ volatile("" : : "r"(bytes) : "memory"); /* nobody reads it, but the copy must happen */
    }
}

int main(int argc, char **argv) {
    if (argc != 3 || (strcmp(argv[1], "compute") != 0 && strcmp(argv[1], "memory") != 0)) {
        fprintf(stderr, "usage: hog compute|memory CPU\n");
        return 2;
    }
    const pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent ended before that */
        return 1;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)atoi(argv[2]), &cpus);
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
        perror("hog: sched_setaffinity");
        return 1;
    }
    if (strcmp(argv[1], "memory") == 0)
        return stream();
    compute();
}
