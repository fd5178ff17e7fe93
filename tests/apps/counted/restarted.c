/* SPDX-License-Identifier: BSD-3-Clause
 * Restartable sequences (rseq) while counting: restarted [THREADS]. Each increment of a counter of the CPU's own is
 * one, on more threads than CPUs, at times interrupted by signals; none may be lost. Two flop per increment that was
 * made. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "carmine.h"

#if __has_include(<sys/rseq.h>) /* glibc 2.35 */
#include <sys/rseq.h>

enum { MAX_CPUS = 4096, TURNS = 1000000 };
static struct { int64_t value, rest[7]; } counts[MAX_CPUS];
static volatile long handled;

/* Adds one on the CPU that the thread is on; false: it was interrupted. r12 must outlive that. */
static __attribute__((noinline)) int increment(struct rseq *area) {
    int done = 0;
    uint64_t kept = 0x1234;
    __asm__ volatile(".pushsection __rseq_cs, \"aw\"; .balign 32\n"
                     "1: .long 0, 0; .quad 2f, 3f - 2f, 4f\n"
                     ".popsection\n"
                     "mov $0x77, %%eax; mov $0x88, %%ecx\n"
                     "lea 1b(%%rip), %%r8; mov %%r8, %c[cs](%[area])\n"
                     "2: mov %c[cpu](%[area]), %%r9d; shl $6, %%r9; mov (%[counts],%%r9), %%r10\n"
                     "mov $3, %%r11d\n"
                     "5: inc %%r10; dec %%r10; dec %%r11d; jnz 5b\n"
                     "lea 1(%%r10), %%r10; mov %%r10, (%[counts],%%r9)\n"
                     "3: mov $1, %[done]; jmp 6f\n"
                     ".byte 0x0f, 0xb9, 0x3d; .long 0x53053053\n"
                     "4: nop\n"
                     "6: cmp $0x77, %%eax; jne 7f; cmp $0x88, %%ecx; je 8f\n"
                     "7: mov $-1, %[done]\n"
                     "8:\n"
                     : [done] "+r"(done), [kept] "+r"(kept)
                     : [area] "r"(area), [counts] "r"(counts), [cs] "i"(offsetof(struct rseq, rseq_cs)),
                       [cpu] "i"(offsetof(struct rseq, cpu_id_start))
                     : "rax", "rcx", "r8", "r9", "r10", "r11", "memory", "cc");
    if (done < 0 || kept != 0x1234)
        abort();
    return done;
}

static void *count(void *unused) {
    struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
    for (int i = 0; i < TURNS;) {
        if (increment(area)) {
            __asm__ volatile("addsd %%xmm0, %%xmm0" ::: "xmm0");
            i++;
        }
    }
    return unused;
}

static void handle(int signal) {
    struct rseq *area = (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
    (void)signal;
    while (!increment(area))
        ;
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    const int thread_count = argc > 1 ? atoi(argv[1]) : 6;
    pthread_t threads[64];
    struct itimerval timer = {{0, 1000}, {0, 1000}}, none = {{0, 0}, {0, 0}};
    if (__rseq_size == 0 || thread_count < 1 || thread_count > 64)
        return 77;
    signal(SIGALRM, handle);
    carmine_region_begin("work");
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, count, NULL) != 0)
            return 77;
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    setitimer(ITIMER_REAL, &none, NULL);
    carmine_region_end("work");
    int64_t sum = -handled;
    for (int i = 0; i < MAX_CPUS; i++)
        sum += counts[i].value;
    printf("lost: %ld\nregion \"work\" flop %ld\n", (long)((int64_t)thread_count * TURNS - sum),
           (long)thread_count * TURNS);
    return 0;
}
#else
int main(void) {
    return 77;
}
#endif
