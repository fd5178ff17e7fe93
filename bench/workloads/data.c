/* SPDX-License-Identifier: BSD-3-Clause */
#include "data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/kernels/memory.h"
#include "probe/arch.h"
#include "probe/cpu.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

/* Steps over lines: a longer one is met again, at hardly any cost. Loads and stores are told apart by the low 12 bits
 * of their addresses, whatever the size of pages. */
enum { LINE_BYTES = 64, ALIAS_BYTES = 4096 };

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/* Data of less than a huge page lies in one all the same, unless that has hundreds of MiB. */
static uint64_t reserved_bytes(uint64_t bytes, uint64_t *alignment) {
    const uint64_t most = (uint64_t)32 << 20, huge = machine_huge_page_of((uint64_t)sysconf(_SC_PAGESIZE));
    *alignment = huge <= most || bytes >= huge ? huge : MEMORY_UNIT_BYTES;
    return round_up(bytes, *alignment);
}

void *data_reserve(uint64_t bytes, struct error *err) {
    uint64_t alignment, wanted = reserved_bytes(bytes, &alignment);
    unsigned char *base = memory_reserve(wanted, alignment);
    if (base)
        madvise(base, wanted, MADV_HUGEPAGE);
    else
        error_set(err, "no address space for %" PRIu64 " MiB: %s; use a smaller size, or raise the limit (ulimit -v)",
                  bytes >> 20, strerror(errno));
    return base;
}

void data_release(void *base, uint64_t bytes) {
    uint64_t alignment;
    if (base)
        munmap(base, reserved_bytes(bytes, &alignment));
}

/* The offset in 4 KiB at which array `index` starts, if it has as many bytes. A load waits for an earlier store
 * whose address has the same low 12 bits, and the core executes loads far ahead of pending stores. So arrays that
 * are only read start a line after one another, behind the written ones: a load then only meets such a store with
 * nearly 4 KiB of stores pending. */
static uint64_t place_in_alias(const struct workload *workload, unsigned index) {
    uint64_t before = 0;
    const bool written = workload->arrays[index].access & WRITTEN;
    for (unsigned i = 0; i < workload_array_count(workload); i++) {
        const bool other_written = workload->arrays[i].access & WRITTEN;
        before += other_written == written ? i < index : other_written;
    }
    return before * LINE_BYTES;
}

/* Returns the bytes of a copy; `offsets` may be NULL. */
static uint64_t lay_out(const struct task *task, uint64_t *offsets) {
    uint64_t end = 0;
    for (unsigned i = 0; i < workload_array_count(task->workload); i++) {
        uint64_t bytes = workload_array_bytes(task, i), start = round_up(end, LINE_BYTES);
        if (bytes >= ALIAS_BYTES)
            start += (place_in_alias(task->workload, i) - start) % ALIAS_BYTES;
        if (offsets)
            offsets[i] = start;
        end = start + bytes;
    }
    return round_up(end, end >= ALIAS_BYTES ? ALIAS_BYTES : LINE_BYTES);
}

uint64_t data_copy_bytes(const struct task *task) {
    return lay_out(task, NULL);
}

bool data_open(struct data *out, struct task *task, const struct team *team, uint64_t most, struct error *err) {
    *out = (struct data){.task = task, .team = team, .array_count = workload_array_count(task->workload), .most = most};
    out->copy_bytes = lay_out(task, out->offsets);
    out->reserved_bytes = out->copy_bytes * most;
    out->arrays = need_calloc(most, sizeof *out->arrays);
    out->base = data_reserve(out->reserved_bytes, err);
    if (out->base)
        return true;
    data_close(out);
    return false;
}

void data_close(struct data *data) {
    data_release(data->base, data->reserved_bytes);
    free(data->arrays);
    *data = (struct data){0};
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    return b == 0 ? a : common_divisor(b, a % b);
}

/* A step of about 5/13 of the count, without a common divisor, visits all copies. */
static void take_turns(struct data *data) {
    uint64_t step = data->count * 5 / 13 + 1;
    while (common_divisor(data->count, step) != 1)
        step++;
    for (uint64_t turn = 0; turn < data->count; turn++)
        for (unsigned i = 0; i < data->array_count; i++)
            data->arrays[turn][i] = data->base + turn * step % data->count * data->copy_bytes + data->offsets[i];
}

static void fill_lane(unsigned thread, void *context) {
    const struct data *data = context;
    const struct lane lane = lane_of(data->task, thread, data->task->n);
    workload_fill(&lane, data->arrays[0]);
}

bool data_fill(struct data *data, bool repeated, struct error *err) {
    data->task->repeated = repeated;
    data->count = 1;
    take_turns(data);
    return team_run(data->team, fill_lane, data, err);
}

struct growth {
    struct data *data;
    uint64_t until;
};

/* First touch by the thread that will work on the part. */
static void copy_lane(unsigned thread, void *context) {
    const struct growth *growth = context;
    const struct data *data = growth->data;
    for (unsigned i = 0; i < data->array_count; i++) {
        uint64_t bytes = workload_array_bytes(data->task, i), threads = data->team->count;
        uint64_t from = bytes * thread / threads / LINE_BYTES * LINE_BYTES;
        uint64_t to = thread + 1 == threads ? bytes : bytes * (thread + 1) / threads / LINE_BYTES * LINE_BYTES;
        unsigned char *first = data->base + data->offsets[i];
        for (uint64_t copy = data->count; copy < growth->until; copy++)
            memcpy(first + copy * data->copy_bytes + from, first + from, to - from);
    }
}

bool data_grow(struct data *data, uint64_t count, struct error *err) {
    struct growth growth = {data, count};
    if (count <= data->count)
        return true;
    if (!team_run(data->team, copy_lane, &growth, err))
        return false;
    data->count = count;
    take_turns(data);
    return true;
}

/* The lines that one of several threads works on. */
static void part_of(const struct data *data, unsigned thread, unsigned threads, const char **from, const char **to) {
    uint64_t lines = data->copy_bytes * data->count / LINE_BYTES;
    *from = (const char *)data->base + lines * thread / threads * LINE_BYTES;
    *to = (const char *)data->base + lines * (thread + 1) / threads * LINE_BYTES;
}

void data_flush(const struct data *data, unsigned thread, unsigned threads) {
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    const char *from, *to;
    part_of(data, thread, threads, &from, &to);
    for (; from < to; from += LINE_BYTES)
        arch_flush_line(from, cpu.features);
    arch_fence();
}

void data_load(const struct data *data, unsigned thread, unsigned threads) {
    const char *from, *to;
    part_of(data, thread, threads, &from, &to);
    for (; from < to; from += LINE_BYTES)
        (void)*(const volatile char *)from;
}
