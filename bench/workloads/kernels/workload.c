/* SPDX-License-Identifier: BSD-3-Clause
 * Values derived from a row: shares of threads, sizes of arrays, work and traffic, first values, errors of results. */
#include "workload.h"

#include <float.h>
#include <math.h>

enum { LINE_BYTES = 64 };

struct lane lane_of(const struct task *task, unsigned thread, uint64_t count) {
    uint64_t per_line = LINE_BYTES / task->element_bytes, lines = (count + per_line - 1) / per_line;
    uint64_t first = lines * thread / task->threads * per_line, end = lines * (thread + 1) / task->threads * per_line;
    return (struct lane){task, thread, first < count ? first : count, end < count ? end : count};
}

unsigned workload_array_count(const struct workload *workload) {
    unsigned count = 0;
    while (count < MAX_ARRAYS && workload->arrays[count].name)
        count++;
    return count;
}

static unsigned element_bytes(const struct task *task, const struct array *array) {
    return array->element_bytes ? array->element_bytes : task->element_bytes;
}

uint64_t workload_array_bytes(const struct task *task, unsigned array) {
    const struct array *row = &task->workload->arrays[array];
    return task->workload->array_bytes ? task->workload->array_bytes(task, array)
                                       : row->elements(task) * element_bytes(task, row);
}

struct work workload_work(const struct task *task) {
    const struct workload *workload = task->workload;
    struct work work = {.flop = workload->each.flop * task->n,
                        .load_bytes = workload->each.loads * task->n * task->element_bytes,
                        .store_bytes = workload->each.stores * task->n * task->element_bytes,
                        .bytes_exact = true};
    if (workload->work) {
        work = (struct work){0};
        workload->work(task, &work);
    }
    return work;
}

struct workload_traffic workload_traffic(const struct task *task) {
    struct workload_traffic traffic = {0};
    for (unsigned i = 0; i < workload_array_count(task->workload); i++) {
        uint64_t bytes = workload_array_bytes(task, i);
        unsigned access = task->workload->arrays[i].access;
        traffic.data_bytes += bytes;
        traffic.read_bytes += access & READ ? bytes : 0;
        traffic.write_bytes += access & WRITTEN ? bytes : 0;
        traffic.allocate_bytes += (access & (READ | WRITTEN | PAST_CACHES)) == WRITTEN ? bytes : 0;
    }
    return traffic;
}

/* A value between 0.5 and 1.5 that differs at every index. */
static double usual_value(unsigned array, uint64_t index) {
    uint64_t mixed = (index + 1) * 0x9e3779b97f4a7c15u + array * 0xd1342543de82ef95u;
    return 0.5 + (double)(mixed >> 40) / (double)(1 << 24);
}

double workload_value(const struct task *task, unsigned array, uint64_t index) {
    double value = task->workload->value ? task->workload->value(task, array, index) : usual_value(array, index);
    return task->element_bytes == sizeof(float) ? (double)(float)value : value;
}

void workload_fill(const struct lane *lane, void *const *arrays) {
    const struct task *task = lane->task;
    if (task->workload->fill) {
        task->workload->fill(lane, arrays);
        return;
    }
    for (unsigned i = 0; i < workload_array_count(task->workload); i++) {
        const struct array *array = &task->workload->arrays[i];
        struct lane part = lane_of(task, lane->thread, workload_array_bytes(task, i) / element_bytes(task, array));
        for (uint64_t at = part.first; at < part.end; at++) {
            double value = array->access & READ ? workload_value(task, i, at) : 0;
            if (task->element_bytes == sizeof(float))
                ((float *)arrays[i])[at] = (float)value;
            else
                ((double *)arrays[i])[at] = value;
        }
    }
}

/* The largest difference from the expected value, relative to that value or to 1. */
static double worst_element(const struct task *task, const void *result, uint64_t count) {
    double worst = 0;
    for (uint64_t i = 0; i < count; i++) {
        double expected = task->workload->expected(task, i);
        double found =
            task->element_bytes == sizeof(float) ? (double)((const float *)result)[i] : ((const double *)result)[i];
        double error = fabs(found - expected) / fmax(1, fabs(expected));
        worst = isnan(worst) || error <= worst ? worst : error;
    }
    return worst;
}

double workload_error(const struct task *task, void *const *arrays) {
    if (task->workload->check)
        return task->workload->check(task, arrays);
    unsigned written = 0;
    while (!(task->workload->arrays[written].access & WRITTEN))
        written++;
    return worst_element(task, arrays[written], task->workload->arrays[written].elements(task));
}

double workload_tolerance(const struct task *task) {
    double epsilon = task->element_bytes == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;
    return task->workload->tolerance * epsilon * (task->workload->sums ? sqrt((double)task->n) : 1);
}
