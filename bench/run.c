/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a plan → one sample (see run.h). */
#include "run.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <xmmintrin.h>

#include "chain.h"
#include "doubt.h"

enum { MXCSR_HARMFUL = 0x1f, MXCSR_FLAGS = 0x3f }; /* invalid, denormal, zero divide, overflow, underflow; and inexact */
enum { SEARCH_REPETITIONS_AT_LEAST = 5, TRIES = 3 };
/* A core that starts heavy vector code stops for about 2 µs while its clock changes, and runs at the new clock only
 * after that: so the same kernel runs untimed until the agreed start. */
static const double SETTLE_S = 12e-6, SETTLE_CHUNK_S = 1.5e-6, LEAD_S = 3e-6;

/* What one thread does; each on cache lines of its own. */
struct lane {
    struct kernel_call call;
    struct kernel_call settle;      /* a short piece of the same, blocks 0: none */
    uint64_t start_tick, end_tick;
    double slice_hz[CLOCK_SLICES];
    unsigned harmful_flags;
    long taken_away;                /* involuntary context switches */
} __attribute__((aligned(128)));

struct timing {
    struct bench *bench;
    const struct kernel *kernel;
    unsigned threads;
    unsigned repetitions;           /* at least so many, */
    unsigned most;                  /* at most so many, to collect enough whose clock readings agree */
    unsigned done, agreeing;
    unsigned segments;              /* > 1: repetition i walks over segment i of the buffer, once */
    struct lane *lanes;
    struct repetition *results;     /* one per repetition */
    _Atomic uint64_t agreed_tick;   /* of the next start; 1: stop here */
};

static bool stopped(const struct bench *bench) {
    return bench->stop && *bench->stop;
}

static void await_start(struct timing *timing, unsigned thread, unsigned repetition) {
    const struct clock *clock = &timing->bench->clock;
    struct lane *lane = &timing->lanes[thread];
    if (thread == 0) {
        bool enough = repetition >= timing->repetitions && timing->agreeing >= SAMPLE_KEPT_AT_LEAST;
        bool stop = enough || (repetition > 0 && stopped(timing->bench));
        double lead_s = lane->settle.blocks ? SETTLE_S : LEAD_S;
        atomic_store(&timing->agreed_tick, stop ? 1 : clock_tick(clock) + (uint64_t)(lead_s * clock->tick_hz));
    }
    team_barrier();
    uint64_t start = atomic_load(&timing->agreed_tick);
    while (start > 1 && clock_tick(clock) < start)
        if (lane->settle.blocks)
            timing->kernel->entry(&lane->settle);
}

static void summarise(struct timing *timing, unsigned repetition) {
    uint64_t first = UINT64_MAX, last = 0;
    double clock_sum = 0, worst_spread = 0;
    for (unsigned t = 0; t < timing->threads; t++) {
        const struct lane *lane = &timing->lanes[t];
        first = lane->start_tick < first ? lane->start_tick : first;
        last = lane->end_tick > last ? lane->end_tick : last;
        double low = INFINITY, high = 0, sum = 0;
        for (unsigned s = 0; s < CLOCK_SLICES; s++) {
            low = fmin(low, lane->slice_hz[s]);
            high = fmax(high, lane->slice_hz[s]);
            sum += lane->slice_hz[s];
        }
        clock_sum += sum / CLOCK_SLICES;
        worst_spread = fmax(worst_spread, (high - low) / (sum / CLOCK_SLICES));
    }
    timing->agreeing += worst_spread <= SAMPLE_SLICES_AGREE;
    timing->done = repetition + 1;
    timing->results[repetition] = (struct repetition){
        .seconds = clock_seconds(&timing->bench->clock, first, last),
        .clock_hz = clock_sum / timing->threads,
        .clock_spread = worst_spread,
    };
}

static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void repeat(unsigned thread, void *context) {
    struct timing *timing = context;
    struct lane *lane = &timing->lanes[thread];
    const struct clock *clock = &timing->bench->clock;
    unsigned char *base = lane->call.buffer;
    const uint64_t segment_bytes = lane->call.blocks * timing->kernel->block_bytes;
    long switches_before = switches();
    _mm_setcsr(_mm_getcsr() & ~(unsigned)MXCSR_FLAGS);
    for (unsigned i = 0; i < timing->most; i++) {
        if (timing->segments > 1)
            lane->call.buffer = base + (i % timing->segments) * segment_bytes;
        lane->call.seed += 0x9e3779b97f4a7c15u; /* another random sequence, not the lines of the last one */
        await_start(timing, thread, i);
        if (atomic_load(&timing->agreed_tick) == 1)
            break;
        lane->start_tick = clock_tick(clock);
        void *stopped_at = timing->kernel->entry(&lane->call);
        lane->end_tick = clock_tick(clock);
        for (unsigned s = 0; s < CLOCK_SLICES; s++)
            lane->slice_hz[s] = clock_slice_hz(clock);
        if (timing->kernel->kind == KERNEL_CHASE)
            lane->call.buffer = stopped_at;
        team_barrier();
        if (thread == 0)
            summarise(timing, i);
    }
    lane->harmful_flags = _mm_getcsr() & MXCSR_HARMFUL;
    lane->taken_away = switches() - switches_before;
    if (timing->segments > 1)
        lane->call.buffer = base;
}

/* Everything about one kernel at one size; `call` is the same for all threads but for the buffer. */
static bool measure(struct bench *bench, const struct team *team, const struct kernel *kernel, struct kernel_call call,
                    void **buffers, unsigned segments, double settle_blocks, unsigned repetitions, unsigned most,
                    struct timing *timing, struct error *err) {
    *timing = (struct timing){.bench = bench,
                              .kernel = kernel,
                              .threads = team->count,
                              .repetitions = repetitions,
                              .most = most,
                              .segments = segments,
                              .lanes = aligned_alloc(128, team->count * sizeof(struct lane)),
                              .results = calloc(most, sizeof(struct repetition))};
    for (unsigned t = 0; t < team->count; t++) {
        struct lane *lane = &timing->lanes[t];
        *lane = (struct lane){.call = call, .settle = call};
        lane->call.buffer = lane->settle.buffer = buffers[t];
        lane->call.seed += t * 0xd1342543de82ef95u;
        lane->settle.passes = 1;
        lane->settle.blocks = (uint64_t)settle_blocks;
    }
    bool done = team_run(team, repeat, timing, err);
    for (unsigned t = 0; t < team->count && kernel->kind == KERNEL_CHASE; t++)
        buffers[t] = timing->lanes[t].call.buffer; /* the next chase meets lines that this one did not warm */
    return done;
}

static void timing_free(struct timing *timing) {
    free(timing->lanes);
    free(timing->results);
}

static double work_per_call(const struct kernel *kernel, const struct kernel_call *call) {
    double iterations = (double)call->blocks * (double)call->passes;
    if (kernel->kind == KERNEL_CHASE)
        return iterations * kernel->cost.mix.load;
    if (kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MIXED)
        return iterations * kernel->cost.flop;
    return iterations * (kernel->cost.load_bytes + kernel->cost.store_bytes);
}

static bool walks(const struct kernel *kernel) {
    return kernel->kind == KERNEL_MEMORY || kernel->kind == KERNEL_MIXED;
}

/* A call that takes about `aim_s`: for compute and chase by iterations, for the others by passes over the buffer. */
static bool calibrate(struct bench *bench, const struct team *team, const struct kernel *kernel, uint64_t bytes,
                      double aim_s, void **buffers, struct kernel_call *call, double *iteration_s,
                      struct error *err) {
    *call = (struct kernel_call){.blocks = walks(kernel) ? bytes / kernel->block_bytes : 16, .passes = 1, .lines = bytes / 64, .seed = 1};
    if (call->blocks == 0)
        call->blocks = 1;
    for (;;) {
        struct timing timing;
        bool done = measure(bench, team, kernel, *call, buffers, 1, 0, 3, 3, &timing, err);
        double seconds = INFINITY; /* the best of three: the first one warms up */
        for (unsigned i = 0; done && i < timing.done; i++)
            seconds = fmin(seconds, timing.results[i].seconds);
        timing_free(&timing);
        if (!done)
            return false;
        uint64_t *count = walks(kernel) ? &call->passes : &call->blocks;
        *iteration_s = seconds / (double)call->blocks / (double)call->passes;
        if (seconds > aim_s / 8 || !isfinite(seconds)) {
            *count = (uint64_t)fmax(1, fmin((double)*count * 1e6, round((double)*count * aim_s / seconds)));
            return true;
        }
        *count *= 8;
    }
}

struct attempt {
    const struct kernel *kernel;
    uint64_t bytes;
    struct sample sample;
};

static bool core_paced(const struct plan_step *step, const struct levels *levels) {
    /* Registers, L1 and L2 run at the core's clock, the rest at the uncore's and the memory's. */
    return step->level < 2 && step->level < (int)levels->count - 1;
}

/* One kernel at one size, as a sample. */
static bool attempt(struct bench *bench, const struct team *team, const struct plan_step *step, double total_s,
                    unsigned repetitions, struct attempt *out, struct error *err) {
    const struct levels *levels = &bench->levels[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    const struct kernel *kernel = out->kernel;
    bool paced = core_paced(step, levels);
    bool chase = kernel->kind == KERNEL_CHASE;
    void **buffers = calloc(team->count, sizeof *buffers);
    bool done = out->bytes == 0 || memory_take(&bench->memory, team, out->bytes, buffers, err);
    struct kernel_call call;
    struct timing timing = {0};
    double iteration_s = 0;
    unsigned segments = step->memory && !chase && kernel->block_bytes ? step->repetitions : 1;
    if (done && chase)
        for (unsigned t = 0; t < team->count; t++)
            buffers[t] = chain_build(buffers[t], out->bytes, step->memory);
    if (done && segments > 1) {
        uint64_t segment_bytes = out->bytes / segments / 4096 * 4096;
        call = (struct kernel_call){.blocks = segment_bytes / kernel->block_bytes, .passes = 1};
    } else if (done) {
        done = calibrate(bench, team, kernel, out->bytes, step->repetition_s, buffers, &call, &iteration_s, err);
    }
    bool searching = repetitions == 0;
    if (searching) /* as many as fit the time */
        repetitions = (unsigned)fmax(SEARCH_REPETITIONS_AT_LEAST, total_s / step->repetition_s);
    unsigned most = paced && !searching ? TRIES * repetitions : repetitions;
    bool settles = paced && !chase && iteration_s > 0;
    double settle_blocks = settles ? fmax(1, fmin((double)call.blocks, SETTLE_CHUNK_S / iteration_s)) : 0;
    done = done && measure(bench, team, kernel, call, buffers, segments, settle_blocks, repetitions, most, &timing, err);
    if (done) {
        struct sample *sample = &out->sample;
        bool whole_blocks = kernel->block_bytes > 0 && !chase; /* of what was asked for, so many were walked */
        *sample = (struct sample){.kind = step->kind, .threads = team->count,
                                  .working_set_bytes = whole_blocks ? call.blocks * kernel->block_bytes * segments : out->bytes};
        for (unsigned t = 0; t < team->count; t++) {
            sample->doubts |= timing.lanes[t].harmful_flags ? DOUBT_FP_ASSIST : 0;
            sample->doubts |= timing.lanes[t].taken_away * 4 > (long)timing.done ? DOUBT_CORE_SHARED : 0;
        }
        sample->doubts |= timing.done < repetitions ? DOUBT_INTERRUPTED : 0;
        sample_reduce(sample, timing.results, timing.done, work_per_call(kernel, &call) * team->count, paced,
                      bench->statistic);
        if (out->bytes > 0) {
            sample->page_bytes = memory_page_bytes(buffers[0], out->bytes);
            sample->doubts |= bench->huge_pages && sample->page_bytes <= 4096 ? DOUBT_NO_HUGE_PAGES : 0;
        }
    }
    if (chase && buffers[0])
        for (unsigned t = 0; t < team->count; t++)
            chain_erase(buffers[t]);
    timing_free(&timing);
    free(buffers);
    return done;
}

static double merit(const struct sample *sample, bool paced) {
    double merit = paced && sample->per_cycle > 0 ? sample->per_cycle : sample->value;
    return sample->kind == SAMPLE_LATENCY ? -merit : merit;
}

/* The plateau among the sizes: the best value that another size supports, else the one in the middle. L1 has nothing
 * inside it that could raise a small size, so there the best counts. */
static unsigned choose_size(const struct attempt *attempts, unsigned count, bool paced, bool innermost) {
    static const double SUPPORT = 0.04;
    unsigned best = count > 1 && !innermost ? count / 2 : 0;
    double best_merit = innermost ? merit(&attempts[0].sample, paced) : -INFINITY;
    for (unsigned i = 0; i < count; i++) {
        double own = merit(&attempts[i].sample, paced);
        bool supported = innermost;
        for (unsigned j = 0; j < count; j++)
            supported |= j != i && fabs(merit(&attempts[j].sample, paced) / own - 1) < SUPPORT;
        if (supported && own > best_merit) {
            best_merit = own;
            best = i;
        }
    }
    return best;
}

struct uarch_limit bench_documented(const struct uarch *uarch, const struct kernel *kernel, unsigned level) {
    if (!uarch || kernel->kind == KERNEL_CHASE || kernel->kind == KERNEL_RANDOM || strcmp(kernel->op, "ntstore") == 0)
        return (struct uarch_limit){0};
    struct uarch_limit limit = uarch_limit(uarch, &kernel->cost.mix, level);
    bool flop = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MIXED;
    limit.per_cycle *= flop ? kernel->cost.flop : kernel->cost.load_bytes + kernel->cost.store_bytes;
    return limit;
}

/* Tries every variant that this CPU can execute and that fits the size for a few milliseconds. */
static bool search(struct bench *bench, const struct team *team, const struct plan_step *step,
                   const struct kernel *const *kernels, size_t variants, uint64_t bytes, const struct kernel **best,
                   struct error *err) {
    bool paced = core_paced(step, &bench->levels[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind]);
    double best_merit = -INFINITY;
    *best = kernels[0];
    for (size_t v = 0; v < variants && variants > 1 && step->search_s > 0 && !stopped(bench); v++) {
        struct attempt trial = {.kernel = kernels[v], .bytes = bytes};
        if (!machine_has(bench->machine, trial.kernel->needs) || (bytes && trial.kernel->block_bytes > bytes))
            continue;
        if (!attempt(bench, team, step, step->search_s, 0, &trial, err))
            return false;
        if (merit(&trial.sample, paced) > best_merit) {
            best_merit = merit(&trial.sample, paced);
            *best = trial.kernel;
        }
    }
    return true;
}

bool bench_run(struct bench *bench, const struct plan_step *step, struct sample *out, struct error *err) {
    const struct levels *levels = &bench->levels[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    bool paced = core_paced(step, levels);
    size_t variants = 0;
    const struct kernel *const *kernels = kernel_find(step->kernel, &variants);
    if (!kernels)
        return error_set(err, "no kernel %s; `carmine kernels` lists them", step->kernel);
    struct team team;
    if (!team_choose(&team, bench->machine, step->core_kind, step->threads, err))
        return false;
    unsigned sizes = step->size_count ? step->size_count : 1;
    struct attempt attempts[PLAN_MAX_SIZES];
    const struct kernel *best = NULL;
    bool done = true;
    for (unsigned i = 0; i < sizes && done; i++) {
        /* In L1 the best variant depends on the size; further out on the level alone. */
        if (!best || step->level == 0)
            done = search(bench, &team, step, kernels, variants, step->size_bytes[step->level == 0 ? i : sizes / 2], &best, err);
        attempts[i] = (struct attempt){.kernel = best, .bytes = step->size_bytes[i]};
        done = done && attempt(bench, &team, step, 0, step->repetitions, &attempts[i], err);
        /* Again where it came out unstable: on a shared machine the disturbance has often passed. */
        for (int try = 1; try < TRIES && done && !stopped(bench) && attempts[i].sample.doubts & DOUBT_UNSTABLE; try++) {
            struct attempt again = attempts[i];
            done = attempt(bench, &team, step, 0, step->repetitions, &again, err);
            if (done && again.sample.spread < attempts[i].sample.spread)
                attempts[i] = again;
        }
    }
    if (done) {
        const struct attempt *chosen = &attempts[choose_size(attempts, sizes, paced, step->level <= 0)];
        *out = chosen->sample;
        snprintf(out->kernel, sizeof out->kernel, "%s", chosen->kernel->name);
        snprintf(out->variant, sizeof out->variant, "%s", chosen->kernel->variant);
        snprintf(out->cpus, sizeof out->cpus, "%s", team.cpus);
        snprintf(out->level, sizeof out->level, "%s", step->level < 0 ? "" : levels->level[step->level].name);
        if (step->core_kind != TEAM_ANY_KIND)
            snprintf(out->core_kind, sizeof out->core_kind, "%s", bench->machine->kinds[step->core_kind].name);
        out->doubts |= step->doubts;
    }
    team_free(&team);
    return done;
}

bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err) {
    *out = (struct bench){.machine = machine, .huge_pages = huge_pages};
    if (machine->recorded)
        return error_set(err, "%s is a recorded machine: nothing can be measured on it; leave out --topology (or use "
                              "--dry-run to see the plan)", machine->topology_source);
    return clock_open(&out->clock, err) && memory_open(&out->memory, machine, node_bytes, huge_pages, err);
}

void bench_close(struct bench *bench) {
    memory_close(&bench->memory);
}
