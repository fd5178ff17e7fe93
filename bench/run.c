/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a plan → one sample (see run.h). */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "activity.h"
#include "chain.h"
#include "doubt.h"
#include "timing.h"

enum { SEARCH_REPETITIONS_AT_LEAST = 5, CALIBRATE_REPETITIONS = 3, TRIES = 3, KEPT_AT_LEAST = 30 };
static const double PACED_BOUND = 0.01, UNPACED_BOUND = 0.05; /* of the interval to either side */
static const char PROC_STAT[] = "/proc/stat";
static const double OTHERS_MATTER = 0.2; /* CPUs kept busy by others that show in a shared level */
static const double PACED_AGREE = 0.005, UNPACED_AGREE = 0.05; /* two visits to one step */
static const double SETTLE_CHUNK_S = 1.5e-6; /* untimed pieces are short, so that all threads start together */

/* The step at hand and those who do it. */
struct task {
    struct bench *bench;
    const struct plan_step *step;
    struct team team;
    bool paced; /* registers, L1 and L2 run at the core's clock, the rest does not */
};

/* One kernel at one size, and what came out. */
struct attempt {
    const struct kernel *kernel;
    uint64_t bytes;
    struct sample sample;
};

static struct memory *memory_of(const struct task *task) {
    return task->step->small_pages ? &task->bench->small_memory : &task->bench->memory;
}

static bool stopped(const struct bench *bench) {
    return bench->stop && *bench->stop;
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

/* A call that takes about the step's repetition_s: for compute and chase by iterations, for the others by passes over
 * the buffer. `*iteration_s` gets what one iteration takes. */
static bool calibrate(const struct task *task, const struct attempt *attempt, void **buffers, struct kernel_call *call,
                      double *iteration_s, struct error *err) {
    const struct kernel *kernel = attempt->kernel;
    double aim_s = task->step->repetition_s;
    *call = (struct kernel_call){.blocks = walks(kernel) ? attempt->bytes / kernel->block_bytes : 16,
                                 .passes = 1,
                                 .lines = attempt->bytes / 64,
                                 .seed = 1};
    if (call->blocks == 0)
        call->blocks = 1;
    for (;;) {
        struct timing_request request = {.clock = &task->bench->clock,
                                         .team = &task->team,
                                         .kernel = kernel,
                                         .call = *call,
                                         .buffers = buffers,
                                         .repetitions = CALIBRATE_REPETITIONS};
        struct timing timing;
        bool done = timing_run(&request, &timing, err);
        double seconds = INFINITY; /* the best: the first one warms up */
        for (unsigned i = 0; done && i < timing.count; i++)
            seconds = fmin(seconds, timing.repetitions[i * timing.lanes].team_s);
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

/* Cores of several kinds in one team. */
static bool lanes_differ(const struct task *task) {
    bool differ = false;
    for (unsigned i = 1; i < task->team.count; i++)
        differ |= task->team.cores[i]->kind != task->team.cores[0]->kind;
    return differ;
}

/* The numbers and doubts of a timing, as a sample. */
static void reduce(const struct task *task, const struct timing_request *request, const struct timing *timing,
                   struct attempt *attempt) {
    const struct kernel_call *call = &request->call;
    struct sample *sample = &attempt->sample;
    *sample = (struct sample){.kind = task->step->kind,
                              .threads = task->team.count,
                              .cores = task->team.core_count < task->team.count ? task->team.core_count : 0,
                              .working_set_bytes = walks(attempt->kernel) /* whole blocks of what was asked for */
                                                       ? call->blocks * attempt->kernel->block_bytes * request->segments
                                                       : attempt->bytes};
    sample->doubts |= timing->harmful_operands ? DOUBT_FP_ASSIST : 0;
    sample->doubts |= timing->core_taken_away ? DOUBT_CORE_SHARED : 0;
    sample->doubts |= timing->count < request->repetitions ? DOUBT_INTERRUPTED : 0;
    sample_reduce(sample,
                  &(struct repetitions){.of = timing->repetitions,
                                        .count = timing->count,
                                        .lanes = timing->lanes,
                                        .work = work_per_call(attempt->kernel, call),
                                        .core_paced = task->paced,
                                        .lanes_differ = lanes_differ(task),
                                        .clock_within = task->bench->clock.within},
                  task->bench->statistic);
    bool wide = sample->high - sample->low > 2 * (task->paced ? PACED_BOUND : UNPACED_BOUND) * sample->value;
    sample->doubts |= wide ? DOUBT_UNSTABLE : 0;
    sample->doubts |= task->paced && task->bench->clock.uncertain ? DOUBT_CLOCK_UNCERTAIN : 0;
    if (attempt->bytes > 0) {
        sample->page_bytes = memory_page_bytes(request->buffers[0], attempt->bytes);
        sample->doubts |=
            task->bench->huge_pages && !task->step->small_pages && sample->page_bytes <= 4096 ? DOUBT_NO_HUGE_PAGES : 0;
        bool in_place = memory_in_place(memory_of(task), &task->team, request->buffers, attempt->bytes);
        sample->doubts |= in_place ? 0 : DOUBT_MEMORY_ELSEWHERE;
    }
}

/* Measures attempt->kernel at attempt->bytes. `search_s` > 0: only so long, to compare variants. */
static bool measure(const struct task *task, double search_s, struct attempt *attempt, struct error *err) {
    const struct plan_step *step = task->step;
    const struct kernel *kernel = attempt->kernel;
    bool chase = kernel->kind == KERNEL_CHASE, searching = search_s > 0;
    void **buffers = calloc(task->team.count, sizeof *buffers);
    bool done = attempt->bytes == 0 || memory_take(memory_of(task), &task->team, attempt->bytes, buffers, err);
    for (unsigned t = 0; t < task->team.count && done && chase; t++)
        buffers[t] = chain_build(buffers[t], attempt->bytes, step->memory);
    struct timing_request request = {.clock = &task->bench->clock,
                                     .team = &task->team,
                                     .kernel = kernel,
                                     .buffers = buffers,
                                     .segments = 1,
                                     .repetitions = step->repetitions,
                                     .stop = task->bench->stop};
    if (searching) /* as many as fit the time */
        request.repetitions = (unsigned)fmax(SEARCH_REPETITIONS_AT_LEAST, search_s / step->repetition_s);
    double iteration_s = 0;
    if (done && step->memory && walks(kernel)) {
        request.segments = step->repetitions;
        request.call = (struct kernel_call){
            .blocks = attempt->bytes / request.segments / 4096 * 4096 / kernel->block_bytes, .passes = 1};
    } else if (done) {
        done = calibrate(task, attempt, buffers, &request.call, &iteration_s, err);
    }
    if (task->paced && !chase && iteration_s > 0)
        request.settle_blocks = (uint64_t)fmax(1, fmin((double)request.call.blocks, SETTLE_CHUNK_S / iteration_s));
    struct timing timing = {0};
    done = done && timing_run(&request, &timing, err);
    if (done)
        reduce(task, &request, &timing, attempt);
    for (unsigned t = 0; t < task->team.count && chase && buffers[t]; t++)
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
    struct uarch_mix mix = kernel->cost.mix;
    mix.touched_bytes = kernel->block_bytes;
    struct uarch_limit limit = uarch_limit(uarch, &mix, level);
    bool flop = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MIXED;
    limit.per_cycle *= flop ? kernel->cost.flop : kernel->cost.load_bytes + kernel->cost.store_bytes;
    return limit;
}

/* What a variant is worth, in a few milliseconds: two short tries, and where they differ the middle of three, since a
 * disturbance lowers one and a misread clock raises one. */
static bool try_variant(const struct task *task, const struct kernel *kernel, uint64_t bytes, double *out,
                        struct error *err) {
    static const double SAME = 0.02;
    double merits[3];
    for (unsigned i = 0; i < 3; i++) {
        struct attempt trial = {.kernel = kernel, .bytes = bytes};
        if (!measure(task, task->step->search_s / 2, &trial, err))
            return false;
        merits[i] = merit(&trial.sample, task->paced);
        if (i == 1 && fabs(merits[0] / merits[1] - 1) < SAME) {
            *out = fmax(merits[0], merits[1]);
            return true;
        }
    }
    *out = fmax(fmin(merits[0], merits[1]), fmin(fmax(merits[0], merits[1]), merits[2]));
    return true;
}

/* Tries every variant that this CPU can execute and that fits the size. */
static bool search(const struct task *task, const struct kernel *const *variants, size_t count, uint64_t bytes,
                   const struct kernel **best, struct error *err) {
    double best_merit = -INFINITY, own;
    *best = variants[0];
    for (size_t v = 0; v < count && count > 1 && task->step->search_s > 0 && !stopped(task->bench); v++) {
        if (!machine_has(task->bench->machine, variants[v]->needs) || (bytes && variants[v]->block_bytes > bytes))
            continue;
        if (!try_variant(task, variants[v], bytes, &own, err))
            return false;
        if (own > best_merit) {
            best_merit = own;
            *best = variants[v];
        }
    }
    return true;
}

/* Measures, and again where it came out unstable: on a shared machine the disturbance has often passed. */
static bool measure_stable(const struct task *task, struct attempt *attempt, struct error *err) {
    bool done = measure(task, 0, attempt, err);
    bool can_be = task->step->repetitions >= KEPT_AT_LEAST; /* a sweep's points have fewer, and are what they are */
    for (int try = 1; try < TRIES && done && can_be && !stopped(task->bench) && attempt->sample.doubts & DOUBT_UNSTABLE;
         try++) {
        struct attempt again = *attempt;
        done = measure(task, 0, &again, err);
        if (done && again.sample.spread < attempt->sample.spread)
            *attempt = again;
    }
    return done;
}

/* Searches the variant and the size, measuring on the way: the plateau is in `*out`. */
static bool choose(const struct task *task, struct attempt *out, struct error *err) {
    const struct plan_step *step = task->step;
    size_t count = 0;
    const struct kernel *const *variants = kernel_find(step->kernel, &count);
    if (!variants)
        return error_set(err, "no kernel %s; `carmine kernels` lists them", step->kernel);
    unsigned sizes = step->size_count ? step->size_count : 1;
    struct attempt attempts[PLAN_MAX_SIZES];
    const struct kernel *best = NULL;
    for (unsigned i = 0; i < sizes; i++) {
        /* In L1 the best variant depends on the size; further out on the level alone. */
        if ((!best || step->level == 0) &&
            !search(task, variants, count, step->size_bytes[step->level == 0 ? i : sizes / 2], &best, err))
            return false;
        attempts[i] = (struct attempt){.kernel = best, .bytes = step->size_bytes[i]};
        if (!measure_stable(task, &attempts[i], err))
            return false;
        /* Arithmetic may run in several ways, by the ports that it happens to get: the generator's first guess at the
         * best has its chance even where a few milliseconds spoke against it. */
        struct attempt guess = {.kernel = variants[0], .bytes = attempts[i].bytes};
        if (step->level == PLAN_REGISTERS && best != guess.kernel && !stopped(task->bench)) {
            if (!measure_stable(task, &guess, err))
                return false;
            if (merit(&guess.sample, task->paced) > merit(&attempts[i].sample, task->paced))
                attempts[i] = guess;
        }
    }
    *out = attempts[choose_size(attempts, sizes, task->paced, step->level <= 0)];
    return true;
}

bool bench_visit(struct bench *bench, const struct plan_step *step, struct bench_choice *choice, struct sample *out,
                 struct error *err) {
    struct plan_step visit = *step;
    struct task task = {.bench = bench, .step = &visit};
    task.paced = step->level < 2 && !step->memory;
    if (choice->kernel && task.paced) /* to vouch for the first visit, half as many do */
        visit.repetitions = step->repetitions / 2 > KEPT_AT_LEAST ? step->repetitions / 2 : step->repetitions;
    if (!team_place(&task.team, bench->machine, step->core_kind, &step->place, step->threads, err))
        return false;
    struct activity before = activity_now(PROC_STAT);
    struct attempt attempt = {.kernel = choice->kernel, .bytes = choice->bytes};
    bool done = attempt.kernel ? measure_stable(&task, &attempt, err) : choose(&task, &attempt, err);
    if (done) {
        *choice = (struct bench_choice){attempt.kernel, attempt.bytes};
        *out = attempt.sample;
        snprintf(out->kernel, sizeof out->kernel, "%s", attempt.kernel->name);
        snprintf(out->variant, sizeof out->variant, "%s", attempt.kernel->variant);
        snprintf(out->cpus, sizeof out->cpus, "%s", task.team.cpus);
        plan_describe(step, bench->machine, bench->levels, out);
        out->doubts |= step->doubts;
        struct activity after = activity_now(PROC_STAT);
        if (!task.paced && activity_of_others(&before, &after) > OTHERS_MATTER)
            out->doubts |= DOUBT_OTHERS_ACTIVE;
    }
    team_free(&task.team);
    return done;
}

bool bench_run(struct bench *bench, const struct plan_step *step, struct sample *out, struct error *err) {
    return bench_visit(bench, step, &(struct bench_choice){0}, out, err);
}

bool bench_agree(const struct plan_step *step, const struct sample *a, const struct sample *b) {
    bool paced = step->level < 2 && !step->memory && a->per_cycle > 0 && b->per_cycle > 0;
    double x = paced ? a->per_cycle : a->value, y = paced ? b->per_cycle : b->value;
    return fabs(x / y - 1) <= (paced ? PACED_AGREE : UNPACED_AGREE);
}

bool bench_better(const struct plan_step *step, const struct sample *a, const struct sample *b) {
    bool paced = step->level < 2 && !step->memory;
    return merit(a, paced) > merit(b, paced);
}

bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err) {
    *out = (struct bench){.machine = machine, .huge_pages = huge_pages};
    if (machine->recorded)
        return error_set(err,
                         "%s is a recorded machine: nothing can be measured on it; leave out --topology (or use "
                         "--dry-run to see the plan)",
                         machine->topology_source);
    clock_open(&out->clock);
    return memory_open(&out->memory, machine, node_bytes, huge_pages, err) &&
           memory_open(&out->small_memory, machine, node_bytes, false, err);
}

void bench_close(struct bench *bench) {
    memory_close(&bench->memory);
    memory_close(&bench->small_memory);
}
