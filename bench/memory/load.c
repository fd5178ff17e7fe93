/* SPDX-License-Identifier: BSD-3-Clause
 * Background load of a memory level. */
#include "memory_run.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asm/pattern.h"
#include "bench/kernels/team.h"
#include "probe/arch.h"
#include "probe/error.h"
#include "probe/need.h"

/* A burst is as long as a stream needs to reach its full rate. Non-temporal stores end in a fence, which waits for all
 * of them: theirs is longer (seen: 2.8 GB/s in bursts of 8 lines, 5 of 32, 23 of 1024). */
enum { BURST_GROUPS = 32, FENCED_BURSTS = 16, FULL_BYTES = 64 << 10 };
static const double STEADY_S = 1e-3; /* until queues and the clock have settled */
enum { WAIT, RUN, END };

struct loader {
    struct load *load;
    unsigned pu;
    unsigned char *buffer;
    pthread_t thread;
    clockid_t cpu_clock;
    atomic_ulong bytes; /* moved so far */
    atomic_bool begun, failed;
} __attribute__((aligned(TEAM_APART_BYTES)));

struct load {
    const struct kernel *burst, *full; /* with pauses, and without */
    uint64_t burst_blocks, buffer_bytes;
    unsigned count, started;
    struct loader *loaders;
    atomic_long doing; /* WAIT, RUN or END; set after `noops`, so whoever sees it sees them */
    atomic_ulong noops;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static unsigned long run_piece(struct loader *loader, uint64_t *at, uint64_t noops) {
    const struct load *load = loader->load;
    const struct kernel *kernel = noops > 0 ? load->burst : load->full;
    const uint64_t blocks = noops > 0 ? load->burst_blocks : FULL_BYTES / kernel->block_bytes,
                   bytes = blocks * kernel->block_bytes;
    if (*at + bytes > load->buffer_bytes)
        *at = 0;
    kernel->entry(&(struct kernel_call){.buffer = loader->buffer + *at, .blocks = blocks, .passes = 1});
    arch_noops(noops * blocks);
    *at += bytes;
    return blocks * (kernel->cost.load_bytes + kernel->cost.store_bytes);
}

static unsigned long moved_bytes(const struct loader *loader) {
    return atomic_load_explicit(&loader->bytes, memory_order_relaxed);
}

static void wait_for_change(struct load *load) {
    pthread_mutex_lock(&load->lock);
    while (atomic_load_explicit(&load->doing, memory_order_relaxed) == WAIT)
        pthread_cond_wait(&load->changed, &load->lock);
    pthread_mutex_unlock(&load->lock);
}

static void *run_loader(void *context) {
    struct loader *loader = context;
    struct load *load = loader->load;
    uint64_t at = 0;
    atomic_store_explicit(&loader->failed, !team_pin(loader->pu), memory_order_relaxed);
    atomic_store_explicit(&loader->begun, true, memory_order_release);
    for (long doing; (doing = atomic_load_explicit(&load->doing, memory_order_acquire)) != END;) {
        if (doing == WAIT) {
            wait_for_change(load);
            continue;
        }
        const unsigned long bytes = run_piece(loader, &at, atomic_load_explicit(&load->noops, memory_order_relaxed));
        atomic_store_explicit(&loader->bytes, moved_bytes(loader) + bytes, memory_order_relaxed);
    }
    return NULL;
}

/* The variant with the fewest groups is the shortest burst. */
static const struct kernel *shortest(const struct kernel *kernel) {
    size_t count = 0;
    const struct kernel *const *variants = kernel_find(kernel->name, &count), *best = kernel;
    for (size_t i = 0; i < count; i++)
        if (variants[i]->unroll >= BURST_GROUPS && variants[i]->block_bytes < best->block_bytes)
            best = variants[i];
    return best;
}

static void change(struct load *load, long doing) {
    pthread_mutex_lock(&load->lock);
    atomic_store_explicit(&load->doing, doing, memory_order_release);
    pthread_cond_broadcast(&load->changed);
    pthread_mutex_unlock(&load->lock);
}

static void sleep_s(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

/* Starts the threads one by one; each pins itself. */
static bool start(struct load *load, struct error *err) {
    for (; load->started < load->count; load->started++) {
        struct loader *loader = &load->loaders[load->started];
        const int failure = pthread_create(&loader->thread, NULL, run_loader, loader);
        if (failure)
            return error_set(err, "the system lets only %u of %u threads start: %s; raise `ulimit -u`", load->started,
                             load->count, strerror(failure));
        pthread_getcpuclockid(loader->thread, &loader->cpu_clock);
        while (!atomic_load_explicit(&loader->begun, memory_order_acquire))
            sleep_s(20e-6);
        if (atomic_load_explicit(&loader->failed, memory_order_relaxed)) {
            load->started++;
            return error_set(err, "cannot pin a thread to CPU %u; is the process allowed to use it (taskset -p $$)?",
                             loader->pu);
        }
    }
    return true;
}

struct load *load_begin(const struct memory_subject *subject, const struct machine *machine, struct memory *memory,
                        struct error *err) {
    struct load *load = need_calloc(1, sizeof *load);
    struct team team;
    load->count = subject->loader_count;
    load->burst = shortest(subject->kernel);
    load->full = subject->kernel;
    load->burst_blocks = pattern_of_kernel(subject->kernel->op)->nontemporal ? FENCED_BURSTS : 1;
    load->buffer_bytes = subject->loader_bytes;
    load->loaders = need_made(aligned_alloc(TEAM_APART_BYTES, load->count * sizeof *load->loaders));
    memset(load->loaders, 0, load->count * sizeof *load->loaders);
    pthread_mutex_init(&load->lock, NULL);
    pthread_cond_init(&load->changed, NULL);
    team_make(&team, machine, subject->loaders, load->count, subject->memory_node);
    void **buffers = need_calloc(load->count, sizeof *buffers);
    bool done = memory_take(memory, &team, load->buffer_bytes, buffers, err);
    for (unsigned i = 0; i < load->count; i++) {
        struct loader *loader = &load->loaders[i];
        loader->load = load;
        loader->pu = team.pus[i];
        loader->buffer = buffers[i];
    }
    done = done && start(load, err);
    free(buffers);
    team_free(&team);
    if (done)
        return load;
    load_end(load);
    return NULL;
}

void load_set(struct load *load, double noops) {
    if (noops >= MEMORY_IDLE) {
        change(load, WAIT);
        return;
    }
    unsigned long *before = need_calloc(load->count, sizeof *before);
    for (unsigned i = 0; i < load->count; i++)
        before[i] = moved_bytes(&load->loaders[i]);
    atomic_store_explicit(&load->noops, (unsigned long)noops, memory_order_relaxed);
    change(load, RUN);
    for (unsigned i = 0; i < load->count; i++)
        while (moved_bytes(&load->loaders[i]) == before[i])
            sleep_s(20e-6);
    free(before);
    sleep_s(STEADY_S);
}

struct load_reading load_read(const struct load *load) {
    struct load_reading out = {0};
    for (unsigned i = 0; i < load->count; i++) {
        struct timespec cpu;
        out.bytes += (double)moved_bytes(&load->loaders[i]);
        if (clock_gettime(load->loaders[i].cpu_clock, &cpu) == 0)
            out.cpu_s += (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec;
    }
    return out;
}

void load_end(struct load *load) {
    if (!load)
        return;
    change(load, END);
    for (unsigned i = 0; i < load->started; i++)
        pthread_join(load->loaders[i].thread, NULL);
    pthread_cond_destroy(&load->changed);
    pthread_mutex_destroy(&load->lock);
    free(load->loaders);
    free(load);
}
