/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring a surface (see surface.h). */
#include "surface.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../asm/assemble.h"
#include "doubt.h"
#include "timing.h"

/* A cell takes about 2.5 ms; the final ones about 23 ms each, in rounds, so that whatever changes hits all alike. */
static const double CELL_REPETITION_S = 100e-6, SETTLE_CHUNK_S = 1.5e-6, CALIBRATE_S = 10e-6;
static const double FINAL_SHARE = 0.01, EQUAL_SHARE = 0.002, LINE_SHARE = 0.02;
enum { CELL_REPETITIONS = 16, FINAL_ROUNDS = 10, FINAL_PER_ROUND = 10, FINALISTS = 6, FINAL_LONGER = 2 };

struct task {
    struct bench *bench;
    const struct surface_request *request;
    struct team team;
    void **buffers;
};

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool stopped(const struct task *task) {
    return task->bench->stop != NULL && *task->bench->stop;
}

static bool walks(const struct kernel *kernel) {
    return kernel->kind == KERNEL_MEMORY;
}

static double work(const struct kernel *kernel, const struct kernel_call *call) {
    const struct cost *cost = &kernel->cost;
    return (double)call->blocks * (double)call->passes *
           (walks(kernel) ? cost->load_bytes + cost->store_bytes : cost->flop);
}

static struct timing_request timing_of(const struct task *task, const struct kernel *kernel) {
    return (struct timing_request){.clock = &task->bench->clock,
                                   .team = &task->team,
                                   .kernel = kernel,
                                   .buffers = task->buffers,
                                   .segments = 1,
                                   .stop = task->bench->stop};
}

/* A request whose call lasts about CELL_REPETITION_S, from a first guess of an instruction a cycle. */
static bool calibrate(const struct task *task, const struct kernel *kernel, struct timing_request *out,
                      struct error *err) {
    double iteration_s = kernel->cost.instructions / task->bench->clock.rest_hz;
    uint64_t fitting = walks(kernel) ? task->request->working_set_bytes / kernel->block_bytes : 1;
    uint64_t around = fitting > 0 ? fitting : 1;
    *out = timing_of(task, kernel);
    for (int second = 0; second < 2; second++) {
        double aim_s = second == 0 ? CALIBRATE_S : CELL_REPETITION_S;
        uint64_t times = (uint64_t)fmax(1, round(aim_s / iteration_s / (double)around));
        out->call = (struct kernel_call){.blocks = walks(kernel) ? around : times, .passes = walks(kernel) ? times : 1};
        out->repetitions = second == 0 ? 3 : CELL_REPETITIONS;
        if (second)
            break;
        struct timing timing;
        bool done = timing_run(out, &timing, err);
        double seconds = INFINITY;
        for (unsigned i = 0; done && i < timing.count; i++)
            seconds = fmin(seconds, timing.repetitions[i * timing.lanes].team_s);
        timing_free(&timing);
        if (!done)
            return false;
        if (isfinite(seconds) && seconds > 0)
            iteration_s = seconds / (double)out->call.blocks / (double)out->call.passes;
    }
    if (task->request->paced)
        out->settle_blocks = (uint64_t)fmax(1, fmin((double)out->call.blocks, SETTLE_CHUNK_S / iteration_s));
    return true;
}

static void reduce(const struct task *task, const struct timing_request *timed, const struct timing *timing,
                   struct sample *out) {
    const struct kernel *kernel = timed->kernel;
    *out = (struct sample){.kind = walks(kernel) ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE,
                           .threads = task->team.count,
                           .working_set_bytes = walks(kernel) ? timed->call.blocks * kernel->block_bytes : 0};
    snprintf(out->kernel, sizeof out->kernel, "%s", kernel->name);
    snprintf(out->variant, sizeof out->variant, "%s", kernel->variant);
    snprintf(out->cpus, sizeof out->cpus, "%s", task->team.cpus);
    out->doubts |= timing->harmful_operands ? DOUBT_FP_ASSIST : 0;
    out->doubts |= timing->core_taken_away ? DOUBT_CORE_SHARED : 0;
    sample_reduce(out,
                  &(struct repetitions){.of = timing->repetitions,
                                        .count = timing->count,
                                        .lanes = timing->lanes,
                                        .work = work(kernel, &timed->call),
                                        .core_paced = task->request->paced,
                                        .clock_within = task->bench->clock.within},
                  task->bench->statistic);
    if (out->per_cycle <= 0) /* the clock could not be read, which the sample says */
        out->per_cycle = out->value / out->threads / task->bench->clock.rest_hz;
}

static bool assemble_cell(const struct task *task, const struct surface *surface, unsigned row, unsigned column,
                          struct assembled *out, struct error *err) {
    const struct surface_request *request = task->request;
    return assemble_kernel(
        &(struct recipe){request->isa, request->type, request->op, surface->widths[row], surface->unrolls[column]}, out,
        err);
}

/* Where a core's clock moves between a repetition and its reading, a few repetitions read a quarter too high (seen: 40
 * instead of 32 flop/cycle in 2 of 532 cells). A value that is out of line is measured twice more, and the median
 * counts.
 */
static double median_of_three(double a, double b, double c) {
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static bool out_of_line(const struct surface *surface, unsigned row, unsigned column, double value) {
    const struct search *search = &surface->search;
    unsigned best_row, best_column;
    if (search_best(search, &best_row, &best_column) &&
        value > search->values[best_row][best_column] * (1 + LINE_SHARE))
        return true;
    const double beside[] = {column > 0 ? search->values[row][column - 1] : NAN,
                             column + 1 < search->columns ? search->values[row][column + 1] : NAN};
    bool differs = false;
    for (size_t i = 0; i < 2; i++)
        differs = differs || fabs(value / beside[i] - 1) > LINE_SHARE; /* never of NaN */
    return differs;
}

/* `times` measurements of one cell, at most three. False in `*possible`: no number came out. */
static bool measure_cell(const struct task *task, const struct surface *surface, unsigned row, unsigned column,
                         unsigned times, double *values, bool *possible, struct error *err) {
    struct assembled assembled;
    struct timing_request timed;
    if (!assemble_cell(task, surface, row, column, &assembled, err))
        return false;
    bool done = calibrate(task, &assembled.kernel, &timed, err);
    *possible = true;
    for (unsigned i = 0; i < times && done && *possible; i++) {
        struct timing timing;
        struct sample sample;
        done = timing_run(&timed, &timing, err);
        if (done) {
            reduce(task, &timed, &timing, &sample);
            values[i] = sample.per_cycle;
            *possible = sample.per_cycle > 0 && isfinite(sample.per_cycle);
        }
        timing_free(&timing);
    }
    assemble_free(&assembled);
    return done;
}

/* Measures what the search asks for until it is complete or the time is over. */
static bool explore(const struct task *task, struct surface *surface, struct error *err) {
    unsigned row, column;
    bool done = true;
    while (done && !stopped(task) && now_s() < task->request->until_s && search_next(&surface->search, &row, &column)) {
        double value = 0;
        bool *possible = &surface->search.possible[row][column];
        done = measure_cell(task, surface, row, column, 1, &value, possible, err);
        if (done && *possible && !stopped(task))
            search_put(&surface->search, row, column, value);
    }
    return done;
}

/* Once more what is out of line with its neighbours. */
static bool recheck(const struct task *task, struct surface *surface, struct error *err) {
    struct search *search = &surface->search;
    bool done = true;
    for (unsigned r = 0; r < search->rows && done; r++)
        for (unsigned c = 0; c < search->columns && done && !stopped(task) && now_s() < task->request->until_s; c++) {
            double again[2];
            bool possible;
            if (isnan(search->values[r][c]) || !out_of_line(surface, r, c, search->values[r][c]))
                continue;
            done = measure_cell(task, surface, r, c, 2, again, &possible, err);
            if (done && possible && !stopped(task))
                search->values[r][c] = median_of_three(search->values[r][c], again[0], again[1]);
        }
    return done;
}

/* One of those that are measured properly, with the repetitions of all rounds. */
struct finalist {
    unsigned row, column;
    struct assembled assembled; /* pages NULL: the reference, which is part of the program */
    struct timing_request timed;
    struct timing pool;
    struct sample sample;
};

static bool finalist_round(struct finalist *finalist, struct error *err) {
    struct timing timing;
    struct timing *pool = &finalist->pool;
    if (!timing_run(&finalist->timed, &timing, err))
        return false;
    if (pool->count + timing.count <= FINAL_ROUNDS * FINAL_PER_ROUND) {
        memcpy(pool->repetitions + pool->count * timing.lanes, timing.repetitions,
               (size_t)timing.count * timing.lanes * sizeof *timing.repetitions);
        pool->count += timing.count;
        pool->lanes = timing.lanes;
    }
    pool->harmful_operands |= timing.harmful_operands;
    pool->core_taken_away |= timing.core_taken_away;
    timing_free(&timing);
    return true;
}

static bool finalist_begin(const struct task *task, const struct kernel *kernel, struct finalist *finalist,
                           struct error *err) {
    if (!calibrate(task, kernel, &finalist->timed, err))
        return false;
    *(walks(kernel) ? &finalist->timed.call.passes : &finalist->timed.call.blocks) *= FINAL_LONGER;
    finalist->timed.repetitions = FINAL_PER_ROUND;
    finalist->pool.repetitions =
        calloc((size_t)FINAL_ROUNDS * FINAL_PER_ROUND * task->team.count, sizeof *finalist->pool.repetitions);
    return true;
}

/* The highest cells, and the shortest among those that are hardly lower: on a plateau height says little. */
static unsigned choose_finalists(const struct surface *surface, struct search_cell *out) {
    struct search_cell top[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    unsigned count = search_top(&surface->search, FINAL_SHARE, sizeof top / sizeof *top, top), chosen = 0;
    for (; chosen < count && chosen < FINALISTS / 2; chosen++)
        out[chosen] = top[chosen];
    while (chosen < FINALISTS && chosen < count) {
        unsigned best = UINT32_MAX, at = 0;
        for (unsigned i = 0; i < count; i++) {
            unsigned length = surface->widths[top[i].row] * surface->unrolls[top[i].column];
            bool taken = false;
            for (unsigned k = 0; k < chosen; k++)
                taken = taken || (out[k].row == top[i].row && out[k].column == top[i].column);
            if (!taken && length < best) {
                best = length;
                at = i;
            }
        }
        out[chosen++] = top[at];
    }
    return chosen;
}

static void choose_winner(struct surface *surface, const struct finalist *finalists, unsigned count) {
    double best = 0;
    for (unsigned i = 0; i < count; i++)
        best = fmax(best, finalists[i].sample.per_cycle);
    unsigned shortest = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        const struct finalist *finalist = &finalists[i];
        unsigned length = surface->widths[finalist->row] * surface->unrolls[finalist->column];
        surface->search.values[finalist->row][finalist->column] = finalist->sample.per_cycle;
        if (finalist->sample.per_cycle < best * (1 - EQUAL_SHARE) || length >= shortest)
            continue;
        shortest = length;
        surface->row = finalist->row;
        surface->column = finalist->column;
        surface->winner = finalist->sample;
        surface->winner_cost = finalist->assembled.kernel.cost;
    }
}

/* The best cells and the reference in turns. */
static bool measure_finalists(const struct task *task, struct surface *surface, struct error *err) {
    struct search_cell chosen[FINALISTS];
    struct finalist finalists[FINALISTS + 1] = {{0}};
    unsigned cells = choose_finalists(surface, chosen), count = cells;
    bool done = true;
    for (unsigned i = 0; i < cells && done; i++) {
        finalists[i].row = chosen[i].row;
        finalists[i].column = chosen[i].column;
        done = assemble_cell(task, surface, chosen[i].row, chosen[i].column, &finalists[i].assembled, err) &&
               finalist_begin(task, &finalists[i].assembled.kernel, &finalists[i], err);
    }
    if (task->request->reference != NULL && done)
        done = finalist_begin(task, task->request->reference, &finalists[count++], err);
    for (unsigned round = 0; round < FINAL_ROUNDS && done && !stopped(task); round++)
        for (unsigned i = 0; i < count && done; i++)
            done = finalist_round(&finalists[i], err);
    for (unsigned i = 0; i < count && done; i++)
        reduce(task, &finalists[i].timed, &finalists[i].pool, &finalists[i].sample);
    if (done && !stopped(task))
        choose_winner(surface, finalists, cells);
    if (count > cells)
        surface->reference = finalists[cells].sample;
    for (unsigned i = 0; i < FINALISTS + 1; i++) {
        timing_free(&finalists[i].pool);
        assemble_free(&finalists[i].assembled);
    }
    return done;
}

bool surface_measure(struct bench *bench, const struct surface_request *request, struct surface *out,
                     struct error *err) {
    *out = (struct surface){.working_set_bytes = request->working_set_bytes};
    if (!assemble_knows(request->isa, request->op, &out->kind))
        return error_set(err, "there is no %s in %s whose accumulators or streams can be chosen", request->op,
                         request->isa->label);
    struct task task = {.bench = bench, .request = request};
    if (!team_choose(&task.team, bench->machine, request->core_kind, request->threads, err))
        return false;
    task.buffers = calloc(task.team.count, sizeof *task.buffers);
    bool done = request->working_set_bytes == 0 ||
                memory_take(&bench->memory, &task.team, request->working_set_bytes, task.buffers, err);
    unsigned row, column;
    surface_grid(out, request);
    for (int pass = 0; pass < 2; pass++) /* what the check corrects may move the best, and with it the search */
        done = done && explore(&task, out, err) && recheck(&task, out, err);
    out->settled = search_settled(&out->search);
    out->complete = !search_next(&out->search, &row, &column);
    if (done && out->search.known == 0)
        done = error_set(err, "the time was over before anything was measured; give it more with --budget");
    done = done && measure_finalists(&task, out, err);
    if (done)
        surface_find_enough(out);
    free(task.buffers);
    team_free(&task.team);
    return done;
}
