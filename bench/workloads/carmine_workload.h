/* SPDX-License-Identifier: BSD-3-Clause
 * A kernel of your own, for `carmine workload --file my.c --sizes 1K:1M:*10`: the functions that my.c may define.
 * buffers() and run() it has to; the others it may leave out. */
#ifndef CARMINE_WORKLOAD_H
#define CARMINE_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The element type that --type names. */
#ifdef CARMINE_F32
typedef float carmine_real;
#else
typedef double carmine_real;
#endif

/* What one run does to a buffer. What DRAM has to move at least of cold data follows from it: what is read comes in,
 * what is written goes out, and comes in first where caches allocate lines on writes, unless the stores go past them.
 */
enum { CARMINE_SCRATCH = 0, CARMINE_READ = 1, CARMINE_WRITTEN = 2, CARMINE_UPDATED = 3, CARMINE_PAST_CACHES = 4 };

struct carmine_buffer {
    const char *name;
    uint64_t bytes;
    unsigned access;
};
enum { CARMINE_BUFFERS = 10 }; /* that there may be */

/* What one thread is to do: elements, or rows, from `first` on and before `end`, of n; with one thread all. Parts begin
 * at multiples of as many as fit a cache line. */
struct carmine_part {
    uint64_t n; /* the size, as --sizes names it */
    uint64_t first, end;
    unsigned thread, threads;
};

/* Which buffers there are at this size: fills the first ones of `out`, which are all empty. */
void buffers(uint64_t n, struct carmine_buffer *out);

/* One run of one thread: data[0] is the first buffer. It is called again and again on the same data, which has to stay
 * normal numbers: what grows without bounds, or vanishes, is slow at some point. */
void run(const struct carmine_part *part, void *const *data);

/* Fills the thread's part before the first run. Without it, buffers that are read hold numbers of carmine_real from 0.5
 * to 1.5, and the others zeros. */
void init(const struct carmine_part *part, void *const *data);

/* Of one run of all threads: its floating-point operations, and the bytes that its loads and stores ask for. What was
 * executed is compared with them. */
uint64_t flop(uint64_t n);
struct carmine_bytes {
    uint64_t load, store;
};
struct carmine_bytes bytes(uint64_t n);

/* Whether a single run, on data as init() left it, made the right result. */
bool check(uint64_t n, void *const *data);

/* For kernels that start threads themselves: run() is called once, for everything, after this was told how many. */
void threads(unsigned count);

#ifdef __cplusplus
}
#endif

#endif
