/* SPDX-License-Identifier: BSD-3-Clause
 * The arrays of a workload, in as many copies as runs on cold data need: each array starts on a cache line, large ones
 * at different places in a page, in huge pages, first touched by the threads that work on them. */
#ifndef BENCH_WORKLOADS_DATA_H
#define BENCH_WORKLOADS_DATA_H

#include "bench/kernels/team.h"
#include "bench/workloads/kernels/workload.h"

struct data {
    struct task *task;
    const struct team *team;
    unsigned char *base; /* 2 MiB aligned */
    uint64_t reserved_bytes;
    uint64_t copy_bytes; /* from a copy to the next */
    unsigned array_count;
    uint64_t offsets[MAX_ARRAYS]; /* in a copy */
    uint64_t most, count;         /* copies that there is room for, and that are filled */
    void *(*arrays)[MAX_ARRAYS];  /* of the filled copies, in the order of their turns: none is beside the last one,
                                      so that prefetches beyond its end help nobody */
};

/* What a copy takes, its gaps included. */
uint64_t data_copy_bytes(const struct task *task);

/* Reserves address space for at most so many copies; none is filled. Error: the address space is refused. */
bool data_open(struct data *out, struct task *task, const struct team *team, uint64_t most, struct error *err);
void data_close(struct data *data);

/* Fills the first copy, again if it was: for one run that is checked, or for many. Error: as team_run(). */
bool data_fill(struct data *data, bool repeated, struct error *err);

/* More copies of the first one, which keeps its turn. Error: as team_run(). */
bool data_grow(struct data *data, uint64_t count, struct error *err);

/* One of `threads` threads' part: takes the lines of all copies out of all caches, or loads them. */
void data_flush(const struct data *data, unsigned thread, unsigned threads);
void data_load(const struct data *data, unsigned thread, unsigned threads);

/* Address space in huge pages, 2 MiB aligned, taken as it is touched; NULL and an error where it is refused. */
void *data_reserve(uint64_t bytes, struct error *err);
void data_release(void *base, uint64_t bytes);

#endif
