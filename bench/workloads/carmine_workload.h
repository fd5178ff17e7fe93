/* SPDX-License-Identifier: BSD-3-Clause
 * A kernel of your own, for `carmine workload my.c --sizes 1K:1M:*10`: the functions that my.c may define.
 * buffers() and run() are required; the others are optional. */
#ifndef CARMINE_WORKLOAD_H
#define CARMINE_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The element type from --type. */
#ifdef CARMINE_F32
typedef float carmine_real;
#else
typedef double carmine_real;
#endif

/* How one run uses a buffer. It determines the minimum DRAM traffic of cold data: read data comes in, written data
 * goes out. Written data also comes in first if caches allocate lines on writes, unless the stores bypass them. */
enum { CARMINE_SCRATCH = 0, CARMINE_READ = 1, CARMINE_WRITTEN = 2, CARMINE_UPDATED = 3, CARMINE_PAST_CACHES = 4 };

struct carmine_buffer {
    const char *name;
    uint64_t bytes;
    unsigned access;
};
enum { CARMINE_BUFFERS = 10 }; /* maximum number of buffers */

/* One thread's part: elements, or rows, from `first` on and before `end`, of n; with one thread all. Parts begin at
 * multiples of a cache line's elements. */
struct carmine_part {
    uint64_t n; /* the size, from --sizes */
    uint64_t first, end;
    unsigned thread, threads;
};

/* Defines the buffers at this size: fills the first entries of `out`, which are all empty. */
void buffers(uint64_t n, struct carmine_buffer *out);

/* One run of one thread: data[0] is the first buffer. It is called repeatedly on the same data, which has to stay
 * normal numbers: data that grows without bounds, or vanishes, makes the run slow at some point. */
void run(const struct carmine_part *part, void *const *data);

/* Fills the thread's part before the first run. Without it, buffers that are read hold numbers of carmine_real from
 * 0.5 to 1.5, and the others hold zeros. */
void init(const struct carmine_part *part, void *const *data);

/* For one run of all threads: its floating-point operations, and the bytes of its loads and stores. They are
 * compared with the executed ones. */
uint64_t flop(uint64_t n);
struct carmine_bytes {
    uint64_t load, store;
};
struct carmine_bytes bytes(uint64_t n);

/* Whether a single run, on data from init(), produced the right result. */
bool check(uint64_t n, void *const *data);

/* For kernels that start threads themselves: receives their number. run() is then called once, for everything. */
void threads(unsigned count);

#ifdef __cplusplus
}
#endif

#endif
