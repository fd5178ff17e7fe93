/* SPDX-License-Identifier: BSD-3-Clause
 * The arrays of a workload, in as many copies as runs on cold data need. Each array starts on a cache line, large
 * ones at different offsets in 4 KiB. They use huge pages, first touched by the threads that work on them. */
#pragma once

#include "bench/kernels/team.h"
#include "bench/workloads/kernels/workload.h"

struct data {
    struct task *task;
    const struct team *team;
    unsigned char *base; /* 2 MiB aligned */
    uint64_t reserved_bytes;
    uint64_t copy_bytes; /* distance between copies */
    unsigned array_count;
    uint64_t offsets[MAX_ARRAYS]; /* offset of each array in a copy */
    uint64_t most, count;         /* reserved copies, and filled ones */
    void *(*arrays)[MAX_ARRAYS];  /* of the filled copies, in the order of use: no copy is next to its predecessor, so
                                     prefetches beyond a copy's end do not help */
};

/* Bytes of a copy, including gaps. */
uint64_t data_copy_bytes(const struct task *task);

/* Reserves address space for at most `copies` copies; none is filled. Error: the address space is refused. */
bool data_open(struct data *out, struct task *task, const struct team *team, uint64_t most, struct error *err);
void data_close(struct data *data);

/* Fills, or refills, the first copy: for one run that is checked, or for many runs. Error: as team_run(). */
bool data_fill(struct data *data, bool repeated, struct error *err);

/* Adds copies of the first one, which stays first in order. Error: as team_run(). */
bool data_grow(struct data *data, uint64_t count, struct error *err);

/* The part of one of `threads` threads: evicts the lines of all copies from all caches, or loads them. */
void data_flush(const struct data *data, unsigned thread, unsigned threads);
void data_load(const struct data *data, unsigned thread, unsigned threads);

/* Address space for huge pages, aligned to 2 MiB at least, allocated on touch; NULL and an error if it is refused. */
void *data_reserve(uint64_t bytes, struct error *err);
void data_release(void *base, uint64_t bytes);
