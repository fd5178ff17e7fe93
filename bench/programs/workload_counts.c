/* SPDX-License-Identifier: BSD-3-Clause
 * Counts workloads side by side, each in a copy of this process on a CPU of its own (see workload.h). */
#include "child.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bench/kernels/team.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

enum { EACH_CPU_COUNTS = 4 };
static const uint64_t EACH_TAKES_BYTES = 4ULL << 30; /* its data twice, and other data that fills caches */
enum count_state { COUNT_WAITS, COUNT_RUNS, COUNT_DONE, COUNT_FAILED };

/* The results of a copy. */
struct left {
    struct workload_outcome outcome;
    bool done;
};

struct count_crew {
    struct workload_request *requests;
    size_t count;             /* still to be counted; requests after a failed one can wait */
    enum count_state *states; /* by request */
    struct left *left;        /* by request, shared with the copies */
    struct team team;         /* thread i's CPU is that of the copy in slot i */
    size_t *request_of;       /* by slot */
    bool *is_busy;            /* by slot */
};

bool workload_same_series(const struct workload_request *a, const struct workload_request *b) {
    return strcmp(a->name, b->name) == 0 && a->threads == b->threads;
}

/* Several threads' counts depend on how they take turns on the CPUs, and an annotation is not plain data. */
static bool may_have_company(const struct workload_request *request) {
    return request->threads == 1 && !request->annotate && !request->alone;
}

size_t workload_counted_together(const struct workload_request *requests, size_t count, unsigned cpus) {
    size_t together = 0;
    while (cpus > 1 && together < count && may_have_company(&requests[together]) &&
           (together < (size_t)EACH_CPU_COUNTS * cpus ||
            workload_same_series(&requests[together - 1], &requests[together])))
        together++;
    return together > 0 ? together : 1;
}

/* A bound from a larger size holds for this one: the smallest known data is the best bound. */
static void tell_bytes(struct workload_request *requests, size_t count, const struct workload_outcome *outcome) {
    const double bytes = (double)outcome->point.working_set_bytes;
    for (size_t i = 0; i < count; i++)
        if (strcmp(requests[i].name, outcome->point.region) == 0 &&
            (requests[i].other_size == 0 || bytes < requests[i].other_bytes)) {
            requests[i].other_size = outcome->point.size;
            requests[i].other_bytes = bytes;
        }
}

static void say_nothing(const struct workload_request *request, const char *what) {
    (void)request, (void)what;
}

struct copy_task {
    const struct workload_request *request;
    struct left *left;
    unsigned cpu;
};

/* Errors are not reported: the request is tried again alone, because others may have used its memory. */
static void count_in_copy(void *context) {
    const struct copy_task *task = context;
    struct workload_request request = *task->request;
    struct error ignored;
    request.progress = say_nothing;
    team_pin(task->cpu);
    task->left->done = workload_count(&request, &task->left->outcome, &ignored);
}

/* The largest first, so that no CPU has a long one left at the end. */
static size_t next_request(const struct count_crew *crew) {
    size_t next = crew->count;
    for (size_t i = 0; i < crew->count; i++)
        if (crew->states[i] == COUNT_WAITS &&
            (next == crew->count || crew->requests[i].size > crew->requests[next].size))
            next = i;
    return next;
}

static unsigned free_slot(const struct count_crew *crew) {
    unsigned slot = 0;
    while (slot < crew->team.count && crew->is_busy[slot])
        slot++;
    return slot;
}

static void finish(struct count_crew *crew, size_t index) {
    const bool done = crew->left[index].done;
    crew->states[index] = done ? COUNT_DONE : COUNT_FAILED;
    if (done)
        tell_bytes(crew->requests, crew->count, &crew->left[index].outcome);
    else if (index < crew->count)
        crew->count = index;
}

static void start(struct count_crew *crew, size_t index, unsigned slot) {
    const struct workload_request *request = &crew->requests[index];
    struct copy_task task = {request, &crew->left[index], crew->team.pus[slot]};
    request->progress(request, "count");
    crew->states[index] = COUNT_RUNS;
    crew->request_of[slot] = index;
    crew->is_busy[slot] = child_copy_start(slot, count_in_copy, &task);
    if (!crew->is_busy[slot])
        finish(crew, index);
}

static void count_all(struct count_crew *crew) {
    for (unsigned running = 0;;) {
        const size_t index = next_request(crew);
        const unsigned slot = free_slot(crew);
        if (!child_stopped() && index < crew->count && slot < crew->team.count) {
            start(crew, index, slot);
            running += crew->is_busy[slot];
        } else if (running > 0) {
            const unsigned ended = child_copy_wait();
            if (ended == CHILD_COPIES_MOST)
                return;
            crew->is_busy[ended] = false;
            finish(crew, crew->request_of[ended]);
            running--;
        } else {
            return;
        }
    }
}

/* One per CPU, as far as there is memory. */
static unsigned copies_at_once(const struct machine *machine) {
    const uint64_t fit = machine->memory_available_bytes / EACH_TAKES_BYTES;
    const unsigned most = machine->allowed_pu_count < CHILD_COPIES_MOST ? machine->allowed_pu_count : CHILD_COPIES_MOST;
    return fit < most ? (unsigned)fit : most;
}

/* Returns how many were counted, from the first on, and marks the failed one. */
static size_t count_side_by_side(struct workload_request *requests, size_t count, unsigned most,
                                 struct workload_outcome *outcomes) {
    const struct machine *machine = requests->machine;
    const size_t bytes = count * sizeof(struct left);
    struct count_crew crew = {.requests = requests, .count = count};
    struct error ignored;
    crew.left = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (crew.left == MAP_FAILED)
        return 0;
    crew.states = need_calloc(count, sizeof *crew.states);
    crew.request_of = need_calloc(CHILD_COPIES_MOST, sizeof *crew.request_of);
    crew.is_busy = need_calloc(CHILD_COPIES_MOST, sizeof *crew.is_busy);
    if (team_crowd(&crew.team, machine, count < most ? (unsigned)count : most, &ignored))
        count_all(&crew);
    else
        crew.count = 0;
    for (size_t i = 0; i < crew.count; i++)
        outcomes[i] = crew.left[i].outcome;
    if (crew.count < count)
        requests[crew.count].alone = true;
    team_free(&crew.team);
    free(crew.states);
    free(crew.request_of);
    free(crew.is_busy);
    munmap(crew.left, bytes);
    return crew.count;
}

size_t workload_count_some(struct workload_request *requests, size_t count, struct workload_outcome *outcomes,
                           struct error *err) {
    const unsigned most = copies_at_once(requests->machine);
    const size_t together = workload_counted_together(requests, count, most);
    size_t counted = together > 1 ? count_side_by_side(requests, together, most, outcomes) : 0;
    requests->progress(requests, NULL);
    if (child_stopped()) {
        error_set(err, "interrupted");
        return 0;
    }
    if (counted == 0 && workload_count(requests, outcomes, err))
        counted = 1;
    for (size_t i = 0; i < counted; i++)
        tell_bytes(requests, count, &outcomes[i]);
    return counted;
}
