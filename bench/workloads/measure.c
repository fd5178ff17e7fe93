/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "probe/marks/carmine.h"
#include "probe/need.h"

/* One thread's measurements in a repetition; on separate cache lines. */
struct timed {
    uint64_t start_tick, end_tick;
    double clock_hz;
} __attribute__((aligned(TEAM_APART_BYTES)));

struct measured_round {
    const struct measuring *measuring;
    struct timed *timed; /* by thread */
    uint64_t runs;
    const char *mark;            /* NULL: this one does not count */
    pthread_barrier_t *all_done; /* NULL: no thread sleeps */
};

static void repeat(unsigned thread, void *context) {
    struct measured_round *round = context;
    const struct measuring *measuring = round->measuring;
    const struct data *data = measuring->data;
    const struct workload *workload = data->task->workload;
    const struct lane lane = lane_of(data->task, thread, data->task->n);
    const unsigned threads = workload->own_threads ? 1 : data->task->threads;
    struct timed *timed = &round->timed[thread];
    uint64_t turn = measuring->turn;
    caches_prepare(measuring->caches, data, thread, threads);
    timed->start_tick = clock_tick(measuring->clock);
    if (round->mark)
        carmine_region_begin(round->mark);
    for (uint64_t run = 0; run < round->runs; run++) {
        workload->run(&lane, data->arrays[turn]);
        turn = turn + 1 < data->count ? turn + 1 : 0;
    }
    const bool writes_back = round->mark && measuring->caches->wish.write_back == WRITE_BACK_COUNTED;
    if (writes_back)
        timed->end_tick = clock_tick(measuring->clock);
    if (writes_back && !measuring->counted) /* a simulation writes back by itself */
        data_flush(data, thread, threads);
    if (round->mark)
        carmine_region_end(round->mark);
    if (!writes_back)
        timed->end_tick = clock_tick(measuring->clock);
    if (round->all_done)
        pthread_barrier_wait(round->all_done);
    timed->clock_hz = measuring->clock_wanted ? clock_read(measuring->clock).hz : 0;
}

/* `*seconds` is the time of all runs together. */
static bool repeat_all(struct measuring *measuring, uint64_t runs, const char *mark, double *seconds, double *clock_hz,
                       struct error *err) {
    const struct data *data = measuring->data;
    const bool alone = data->task->workload->own_threads;
    const unsigned threads = alone ? 1 : data->task->threads;
    struct timed *timed = need_made(aligned_alloc(TEAM_APART_BYTES, threads * sizeof *timed));
    pthread_barrier_t all_done;
    struct measured_round round = {measuring, timed, runs, mark, measuring->counted ? &all_done : NULL};
    bool done = true;
    pthread_barrier_init(&all_done, NULL, threads);
    if (alone)
        repeat(0, &round);
    else
        done = team_run(data->team, repeat, &round, err);
    uint64_t first = UINT64_MAX, last = 0;
    *clock_hz = 0;
    for (unsigned t = 0; t < threads && done; t++) {
        first = timed[t].start_tick < first ? timed[t].start_tick : first;
        last = timed[t].end_tick > last ? timed[t].end_tick : last;
        *clock_hz += timed[t].clock_hz / threads;
    }
    *seconds = clock_seconds(measuring->clock, first, last);
    measuring->turn = (measuring->turn + runs) % data->count;
    pthread_barrier_destroy(&all_done);
    free(timed);
    return done;
}

bool measure_once(struct measuring *measuring, struct error *err) {
    struct caches none = {0};
    struct measuring once = *measuring;
    double clock_hz;
    once.caches = &none;
    return repeat_all(&once, 1, NULL, &measuring->once_s, &clock_hz, err);
}

/* Provides copies for the next runs. Flushed copies serve one run each. Otherwise runs cycle through all copies of
 * the plan. Making them all may take longer than a series, so only as many are made as runs are to come, and at
 * least twice the last cache's size, since prefetches reach beyond a copy's end. Each of these is used once; when
 * more are made, all are flushed again. */
static bool have_copies(struct measuring *measuring, uint64_t runs, uint64_t runs_to_come, struct error *err) {
    struct caches *caches = measuring->caches;
    struct data *data = measuring->data;
    const struct caches_plan *plan = &caches->plan;
    if (plan->by != COLD_BY_COPIES)
        return data_grow(data, plan->by == COLD_BY_FLUSH && runs < plan->copies ? runs : plan->copies, err);
    if (data->count < plan->copies && measuring->since_flush + runs > data->count) {
        const uint64_t fewest = 2 * plan->fill_bytes / data->copy_bytes + 1,
                       wanted = fewest > runs_to_come ? fewest : runs_to_come;
        if (!data_grow(data, wanted < plan->copies ? wanted : plan->copies, err))
            return false;
        caches->filled = false;
        measuring->since_flush = 0;
    }
    measuring->since_flush += runs;
    return true;
}

/* As many as fit the budget, plus one, since the first of them may be faster than the uncounted one. */
static uint64_t runs_to_come(const struct measuring *measuring, unsigned repetitions) {
    const double most =
        measuring->budget_s > 0 && measuring->round_s > 0 ? measuring->budget_s / measuring->round_s + 1 : repetitions;
    return measuring->runs * (uint64_t)fmin(repetitions, most);
}

static uint64_t runs_most(const struct measuring *measuring) {
    const struct caches *caches = measuring->caches;
    const struct caches_wish *wish = &caches->wish;
    return wish->code_cold || wish->tlb_cold || wish->write_back != WRITE_BACK_EVEN ? 1
           : caches->plan.by == COLD_BY_FLUSH                                       ? caches->plan.copies
                                                                                    : UINT64_MAX;
}

bool measure_runs(struct measuring *measuring, struct error *err) {
    const uint64_t most = runs_most(measuring);
    double seconds = 0, clock_hz;
    if (measuring->runs == 0 && measuring->budget_s > 0 && measuring->once_s >= measuring->repetition_s &&
        measuring->once_s * measuring->repetitions > measuring->budget_s)
        measuring->runs = 1, measuring->round_s = measuring->once_s;
    if (measuring->runs > 0)
        return true;
    for (measuring->runs = 1;;) {
        if (!have_copies(measuring, measuring->runs, measuring->runs, err) ||
            !repeat_all(measuring, measuring->runs, NULL, &seconds, &clock_hz, err))
            return false;
        measuring->round_s = seconds;
        if (seconds >= measuring->repetition_s || measuring->runs == most)
            return true;
        const double factor = fmin(50, fmax(2, 1.2 * measuring->repetition_s / seconds));
        measuring->runs = (uint64_t)fmin((double)most, (double)measuring->runs * factor);
    }
}

static void fill_caches(unsigned thread, void *context) {
    const struct measuring *measuring = context;
    caches_prepare(measuring->caches, measuring->data, thread, measuring->data->team->count);
}

/* A simulation ignores flushes, and this thread cannot fill the simulated caches of a library's threads with other
 * data. So the counted run uses a copy that those threads have not seen, and the threads that made the copy fill
 * their own caches. */
static bool make_unseen(struct measuring *measuring, struct error *err) {
    measuring->turn = 1;
    return data_grow(measuring->data, 2, err) && team_run(measuring->data->team, fill_caches, measuring, err);
}

bool measure_repetitions(struct measuring *measuring, double *seconds, double *clock_hz, struct error *err) {
    uint64_t first_tick = 0;
    /* Filling left the data dirty, and its later evictions would count as the run's write-backs. At the second run,
     * a library's buffers have other addresses. */
    const unsigned before = measuring->simulated && !measuring->caches->wish.data_cold ? 2 : 0;
    for (unsigned i = 0; i < before; i++)
        if (!repeat_all(measuring, 1, NULL, &seconds[0], &clock_hz[0], err))
            return false;
    if (measuring->unseen && !make_unseen(measuring, err))
        return false;
    for (unsigned i = 0; i < measuring->repetitions; i++) {
        if (!have_copies(measuring, measuring->runs, runs_to_come(measuring, measuring->repetitions - i), err))
            return false;
        if (i == 0) /* most copies exist now */
            first_tick = clock_tick(measuring->clock);
        if (!repeat_all(measuring, measuring->runs, measuring->data->task->workload->name, &seconds[i], &clock_hz[i],
                        err))
            return false;
        seconds[i] /= (double)measuring->runs;
        if (measuring->budget_s > 0 &&
            clock_seconds(measuring->clock, first_tick, clock_tick(measuring->clock)) >= measuring->budget_s)
            measuring->repetitions = i + 1;
    }
    return true;
}
