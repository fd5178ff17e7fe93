/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a plan → one sample. */
#include "run.h"
#include "doubt.h"
#include "together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "asm/pattern.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/now.h"

enum { CALIBRATE_REPETITIONS = 3, CALIBRATIONS = 3 };
static const char PROC_STAT[] = "/proc/stat";
static const double SETTLE_CHUNK_S = 1.5e-6; /* untimed pieces are short, so that all threads start together */

/* The current trial and its team. */
struct trial_task {
    struct bench *bench;
    const struct campaign_trial *trial;
    const struct plan_step *step;
    const struct kernel *kernel;
    struct team team;
    bool died; /* the kernel died of a signal: there is no sample */
};

static struct memory *run_memory_of(const struct trial_task *task) {
    return task->step->small_pages ? &task->bench->small_memory : &task->bench->memory;
}

double bench_random_bytes(const struct bench *bench, const struct kernel *kernel) {
    return kernel->cost.load_bytes * (double)machine_line_bytes(bench->machine) / KERNEL_LINE_BYTES;
}

static double loaded_bytes(const struct trial_task *task) {
    const struct kernel *kernel = task->kernel;
    return kernel->kind == KERNEL_RANDOM && task->step->level > 0 ? bench_random_bytes(task->bench, kernel)
                                                                  : kernel->cost.load_bytes;
}

static double work_per_call(const struct trial_task *task, const struct kernel_call *call) {
    const struct kernel *kernel = task->kernel;
    double iterations = (double)call->blocks * (double)call->passes;
    if (kernel->kind == KERNEL_CHASE)
        return iterations * kernel_hops(kernel);
    if (kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MIXED)
        return iterations * kernel->cost.flop;
    return iterations * (loaded_bytes(task) + kernel->cost.store_bytes);
}

static bool walks(const struct kernel *kernel) {
    return kernel->kind == KERNEL_MEMORY || kernel->kind == KERNEL_MIXED;
}

bool bench_has_died(const struct bench *bench, const char *kernel) {
    for (size_t i = 0; i < bench->death_count; i++)
        if (strcmp(bench->deaths[i].kernel, kernel) == 0)
            return true;
    return false;
}

static void note_death(struct trial_task *task, const struct timing *timing) {
    struct bench *bench = task->bench;
    const struct kernel *kernel = task->kernel;
    const char *signal_name = fault_name(timing->died_of);
    task->died = true;
    for (size_t i = 0; i < bench->death_count; i++)
        if (strcmp(bench->deaths[i].kernel, kernel->name) == 0 && strcmp(bench->deaths[i].signal, signal_name) == 0)
            return;
    bench->deaths = need_realloc(bench->deaths, (bench->death_count + 1) * sizeof *bench->deaths);
    struct kernel_death *death = &bench->deaths[bench->death_count++];
    *death = (struct kernel_death){.cpu = timing->died_on_cpu};
    snprintf(death->kernel, sizeof death->kernel, "%s", kernel->name);
    snprintf(death->variant, sizeof death->variant, "%s", kernel->variant);
    snprintf(death->signal, sizeof death->signal, "%s", signal_name);
}

/* timing_run() for a kernel that may die. Then sets task->died, and `*out` is useless. */
static bool time_kernel(struct trial_task *task, const struct timing_request *request, struct timing *out,
                        struct error *err) {
    const bool done = timing_run(request, out, err);
    task->bench->taken_s += out->taken_s;
    if (done && out->died_of)
        note_death(task, out);
    return done;
}

/* Chooses the request's call so that it takes about `aim_s`: by iterations for compute kernels and the
 * pointer chase, by passes over the buffer for the others. `*iteration_s` gets the time of one iteration. */
static bool run_calibrate(struct trial_task *task, struct timing_request *request, double aim_s, double *iteration_s,
                          struct error *err) {
    const struct kernel *kernel = task->kernel;
    struct kernel_call *call = &request->call;
    *call = (struct kernel_call){.blocks = walks(kernel) ? task->trial->bytes / kernel->block_bytes : 16,
                                 .passes = 1,
                                 .lines = task->trial->bytes / KERNEL_LINE_BYTES,
                                 .seed = 1};
    if (call->blocks == 0)
        call->blocks = 1;
    for (bool known = false; !known;) {
        struct timing_request few = *request;
        few.repetitions = CALIBRATE_REPETITIONS;
        few.limit_s = 0;
        few.stop = NULL;
        struct timing timing;
        const bool done = time_kernel(task, &few, &timing, err);
        const double seconds = done ? repetitions_fastest_s(timing.repetitions, timing.count * timing.lanes) : 0;
        timing_free(&timing);
        if (!done || task->died)
            return done;
        *iteration_s = seconds / (double)call->blocks / (double)call->passes;
        known = repetitions_lengthen(walks(kernel) ? &call->passes : &call->blocks, seconds, aim_s);
    }
    return true;
}

/* The team's cores are of several kinds. */
static bool lanes_differ(const struct trial_task *task) {
    bool differ = false;
    for (unsigned i = 1; i < task->team.count; i++)
        differ |= task->team.cores[i]->kind != task->team.cores[0]->kind;
    return differ;
}

/* Raises the kind's number to the upper quartile of a lane's repetitions: one alone may have a misread clock. */
static void run_note_noops(const struct timing *timing, unsigned lane, double *most) {
    double *own = need_calloc(timing->count + 1, sizeof *own);
    size_t n = 0;
    for (size_t i = lane; i < (size_t)timing->count * timing->lanes; i += timing->lanes)
        if (timing->repetitions[i].clock_spread <= CLOCK_AGREES)
            own[n++] = timing->repetitions[i].noops_per_cycle;
    if (n >= TIMING_LEAST)
        *most = fmax(*most, sample_statistics(own, n).q3);
    free(own);
}

/* Threads that share cores are never alone: false. */
static bool alone_noops(const struct trial_task *task, const struct timing *timing, double *by_lane) {
    double *by_kind = task->bench->alone_noops_per_cycle;
    for (unsigned lane = 0; lane < timing->lanes; lane++)
        run_note_noops(timing, lane, &by_kind[task->team.cores[lane]->kind]);
    for (unsigned lane = 0; lane < timing->lanes; lane++)
        by_lane[lane] = by_kind[task->team.cores[lane]->kind];
    return task->team.core_count == task->team.count;
}

/* Reduces a timing to a sample with numbers and doubts. */
static void run_reduce(const struct trial_task *task, const struct timing_request *request, const struct timing *timing,
                       struct sample *out) {
    const struct kernel_call *call = &request->call;
    double *noops = need_calloc(timing->lanes + 1, sizeof *noops);
    *out = (struct sample){.kind = task->step->kind,
                           .threads = task->team.count,
                           .cores = task->team.core_count < task->team.count ? task->team.core_count : 0,
                           .working_set_bytes = walks(task->kernel) /* whole blocks of the requested size */
                                                    ? call->blocks * task->kernel->block_bytes * request->segments
                                                    : task->trial->bytes};
    doubts_add_if(&out->doubts, timing->harmful_operands, DOUBT_FP_ASSIST);
    doubts_add_if(&out->doubts, timing->stopped, DOUBT_INTERRUPTED);
    doubts_add_if(&out->doubts, task->step->paced && task->bench->clock.uncertain, DOUBT_CLOCK_UNCERTAIN);
    sample_reduce(out,
                  &(struct repetitions){.of = timing->repetitions,
                                        .count = timing->count,
                                        .lanes = timing->lanes,
                                        .work = work_per_call(task, call),
                                        .core_paced = task->step->paced,
                                        .lanes_differ = lanes_differ(task),
                                        .clock_within = task->bench->clock.within,
                                        .step_s = clock_step_s(&task->bench->clock),
                                        .alone_noops_per_cycle = alone_noops(task, timing, noops) ? noops : NULL},
                  task->bench->statistic);
    free(noops);
}

/* Records the page size and the place of the buffers. */
static void describe_memory(const struct trial_task *task, void *const *buffers, struct sample *out) {
    const uint64_t bytes = task->trial->bytes;
    out->page_bytes = memory_page_bytes(buffers[0], bytes);
    bool small = task->bench->huge_pages && !task->step->small_pages &&
                 out->page_bytes < machine_huge_page_bytes(task->bench->machine);
    doubts_add_if(&out->doubts, small, DOUBT_NO_HUGE_PAGES);
    const bool in_place = memory_in_place(run_memory_of(task), &task->team, buffers, bytes);
    doubts_add_if(&out->doubts, !in_place, DOUBT_MEMORY_ELSEWHERE);
}

/* Reads memory in segments, beginning where the last visit ended. */
static bool time_segments(struct trial_task *task, struct timing_request *request, struct timing *out,
                          struct error *err) {
    struct bench *bench = task->bench;
    request->segments = task->step->repetitions;
    request->first_segment = bench->next_segment % request->segments;
    bench->next_segment = request->first_segment + request->repetitions;
    request->call = (struct kernel_call){
        .blocks = task->trial->bytes / request->segments / 4096 * 4096 / task->kernel->block_bytes, .passes = 1};
    return time_kernel(task, request, out, err);
}

/* Times the call again if its repetitions are much too short all the same: other programs disturbed the calibration. */
static bool time_calibrated(struct trial_task *task, struct timing_request *request, struct timing *out,
                            struct error *err) {
    const double aim_s = clock_at_least_s(&task->bench->clock, task->trial->repetition_s);
    bool done = true, again = true;
    for (unsigned i = 0; i < CALIBRATIONS && done && again && !task->died; i++) {
        double iteration_s = 0;
        timing_free(out);
        done = run_calibrate(task, request, aim_s, &iteration_s, err);
        if (task->step->paced && task->kernel->kind != KERNEL_CHASE && iteration_s > 0)
            request->settle_blocks =
                (uint64_t)fmax(1, fmin((double)request->call.blocks, SETTLE_CHUNK_S / iteration_s));
        done = done && (task->died || time_kernel(task, request, out, err));
        again = done && !out->stopped && repetitions_are_short(out->repetitions, out->count * out->lanes, aim_s);
    }
    return done;
}

/* Bytes that are read again before each repetition. The pointer chase then uses only the first half of the set: reading
 * the second half evicts the first from the inner level. This needs a set of twice the inner level; in smaller sets the
 * chase returns before others evict much. */
static uint64_t run_reread_bytes(const struct trial_task *task) {
    const uint64_t inner_bytes = task->step->inner_bytes, bytes = task->trial->bytes;
    const bool enough = task->kernel->kind != KERNEL_CHASE || bytes > 2 * inner_bytes;
    return inner_bytes > 0 && enough ? bytes : 0;
}

/* Takes each thread's set, and where its kernel starts: the pointer chase starts at an element. */
static bool take_sets(const struct trial_task *task, void **sets, void **buffers, struct error *err) {
    const uint64_t bytes = task->trial->bytes, chased_bytes = run_reread_bytes(task) > 0 ? bytes / 2 : bytes;
    const unsigned line_bytes = machine_line_bytes(task->bench->machine);
    if (bytes > 0 && !memory_take(run_memory_of(task), &task->team, bytes, sets, err))
        return false;
    for (unsigned t = 0; t < task->team.count; t++)
        buffers[t] = task->kernel->kind == KERNEL_CHASE
                         ? chain_build(sets[t], chased_bytes, line_bytes, task->step->memory)
                         : sets[t];
    return true;
}

static bool run_measure(struct trial_task *task, struct sample *out, struct error *err) {
    const uint64_t bytes = task->trial->bytes;
    const struct kernel *kernel = task->kernel;
    const bool chase = kernel->kind == KERNEL_CHASE;
    void **sets = need_calloc(2 * task->team.count, sizeof *sets), **buffers = sets + task->team.count;
    bool done = take_sets(task, sets, buffers, err);
    struct timing_request request = {.clock = &task->bench->clock,
                                     .team = &task->team,
                                     .kernel = kernel,
                                     .buffers = buffers,
                                     .sets = sets,
                                     .set_bytes = run_reread_bytes(task),
                                     .segments = 1,
                                     .cached = !task->step->memory,
                                     .repetitions = task->trial->repetitions,
                                     .limit_s = task->trial->limit_s,
                                     .stop = task->bench->stop};
    struct timing timing = {0};
    done = done && (task->step->memory && walks(kernel) ? time_segments(task, &request, &timing, err)
                                                        : time_calibrated(task, &request, &timing, err));
    const bool known = done && !task->died;
    if (known)
        run_reduce(task, &request, &timing, out);
    if (known && bytes > 0 && !task->trial->brief)
        describe_memory(task, sets, out);
    for (unsigned t = 0; t < task->team.count && chase && buffers[t]; t++)
        chain_erase(buffers[t]);
    timing_free(&timing);
    free(sets);
    return done;
}

static struct uarch_limit limit_of_variant(const struct uarch *uarch, const struct kernel *kernel, unsigned level) {
    struct uarch_mix mix = kernel->cost.mix;
    mix.touched_bytes = kernel->block_bytes;
    mix.sve = kernel->isa && kernel->isa->needs & CPU_SVE;
    struct uarch_limit limit = uarch_limit(uarch, &mix, level);
    bool flop = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MIXED;
    limit.per_cycle *= flop ? kernel->cost.flop : kernel->cost.load_bytes + kernel->cost.store_bytes;
    return limit;
}

struct uarch_limit bench_documented(const struct uarch *uarch, const struct kernel *kernel, unsigned level) {
    if (!uarch || kernel->kind == KERNEL_CHASE || kernel->kind == KERNEL_RANDOM ||
        pattern_of_kernel(kernel->op)->nontemporal)
        return (struct uarch_limit){0};
    size_t count = 0;
    const struct kernel *const *variants = kernel_find(kernel->name, &count);
    struct uarch_limit most = limit_of_variant(uarch, kernel, level);
    for (size_t i = 0; i < count; i++) {
        const struct uarch_limit limit = limit_of_variant(uarch, variants[i], level);
        most = limit.per_cycle > most.per_cycle ? limit : most;
    }
    return most;
}

/* Returns the shape from the recently used ones, or assembles it in place of the least recently used one. */
static const struct kernel *shape(struct bench *bench, const struct campaign_code *code, struct error *err) {
    const struct kernel *like = code->kernel;
    struct bench_assembled *oldest = &bench->assembled[0];
    const struct recipe recipe = {like->isa, like->type, like->op, code->width, code->unroll, code->prefetch};
    char variant[16];
    assemble_variant(&recipe, variant, sizeof variant);
    for (size_t i = 0; i < BENCH_ASSEMBLED; i++) {
        struct bench_assembled *slot = &bench->assembled[i];
        if (slot->used > 0 && strcmp(slot->kernel.name, like->name) == 0 &&
            strcmp(slot->kernel.variant, variant) == 0) {
            slot->used = bench->trials;
            return &slot->kernel.kernel;
        }
        oldest = slot->used < oldest->used ? slot : oldest;
    }
    if (oldest->used > 0)
        assemble_free(&oldest->kernel);
    oldest->used = 0;
    if (!assemble_kernel(&recipe, &oldest->kernel, err))
        return NULL;
    oldest->used = bench->trials;
    return &oldest->kernel.kernel;
}

/* Memory is limited by its channels, not by the core. Cores of several kinds have several limits. */
static void look_up_limit(const struct trial_task *task, struct sample *out) {
    const struct bench *bench = task->bench;
    const struct plan_step *step = task->step;
    const bool mixed_kinds = step->core_kind == TEAM_ANY_KIND && bench->machine->kind_count > 1;
    if (!bench->uarch || mixed_kinds || step->memory || levels_is_between(out->level))
        return;
    const struct uarch_match *match = &bench->uarch[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    const unsigned level = levels_cache(out->level);
    out->documented_per_cycle = bench_documented(match->uarch, task->kernel, level).per_cycle;
    if (estimate_above_documented(out) && match->doubt[0])
        doubts_add(&out->doubts, DOUBT_MASKED_CPU);
}

bool bench_others_are_active(struct bench *bench) {
    const struct activity now = activity_now(PROC_STAT);
    activity_sample(&bench->watched_from, &now, &bench->others_active);
    return bench->others_active;
}

/* Of cores that share the outermost cache; 0 where the core paces the work. */
static bool time_handover(const struct trial_task *task, double *handover_s, struct error *err) {
    const struct core_kind *kind = &task->bench->machine->kinds[task->team.cores[0]->kind];
    *handover_s = 0;
    return task->step->paced || kind->cache_count == 0 ||
           together_time(&task->bench->clock, &task->team, kind->cache_count - 1, handover_s, err);
}

/* Measures between two hand-overs. */
static bool measure_together(struct trial_task *task, struct sample *out, struct error *err) {
    double before_s, after_s;
    const bool done =
        time_handover(task, &before_s, err) && run_measure(task, out, err) && time_handover(task, &after_s, err);
    out->handover_s = done && !task->died ? fmax(before_s, after_s) : 0;
    return done;
}

bool bench_measure(void *context, const struct campaign_trial *trial, struct sample *out, struct error *err) {
    struct bench *bench = context;
    struct trial_task task = {.bench = bench, .trial = trial, .step = trial->step, .kernel = trial->code.kernel};
    bench->trials++;
    *out = (struct sample){0};   /* stays zero if the code cannot run */
    if (trial->code.width > 0) { /* some systems forbid new executable memory */
        struct error refusal;
        if (bench->no_shapes[0])
            return true;
        task.kernel = shape(bench, &trial->code, &refusal);
        if (!task.kernel) {
            snprintf(bench->no_shapes, sizeof bench->no_shapes, "%s", refusal.text);
            return true;
        }
    }
    if (!team_place(&task.team, bench->machine, task.step->core_kind, &task.step->place, task.step->threads, err))
        return false;
    const bool done = measure_together(&task, out, err);
    if (done && !task.died) {
        snprintf(out->kernel, sizeof out->kernel, "%s", task.kernel->name);
        snprintf(out->variant, sizeof out->variant, "%s", task.kernel->variant);
        snprintf(out->cpus, sizeof out->cpus, "%s", task.team.cpus);
        plan_describe(task.step, bench->machine, bench->levels, out);
        look_up_limit(&task, out);
        if (!task.step->paced && !trial->brief)
            doubts_add_if(&out->doubts, bench_others_are_active(bench), DOUBT_OTHERS_ACTIVE);
    }
    team_free(&task.team);
    return done;
}

static double run_tell_now_s(void *context) {
    (void)context;
    return now_s();
}

static double tell_taken_s(void *context) {
    return ((struct bench *)context)->taken_s;
}

static void wait_s(void *context, double seconds) {
    (void)context;
    nanosleep(&(struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = (long)(fmod(seconds, 1) * 1e9)}, NULL);
}

struct campaign_bench bench_for_campaign(struct bench *bench) {
    return (struct campaign_bench){.context = bench,
                                   .machine = bench->machine,
                                   .uarch = bench->uarch,
                                   .measure = bench_measure,
                                   .now_s = run_tell_now_s,
                                   .taken_s = tell_taken_s,
                                   .wait = wait_s,
                                   .stop = bench->stop};
}

bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err) {
    *out = (struct bench){.machine = machine, .huge_pages = huge_pages};
    if (machine->recorded)
        return error_set(err,
                         "%s is a recorded machine: nothing can be measured on it; leave out --topology (or use "
                         "--dry-run to see the plan)",
                         machine->topology_source);
    out->cpus = team_cpus_save();
    return clock_open(&out->clock, err) && memory_open(&out->memory, machine, node_bytes, huge_pages, err) &&
           memory_open(&out->small_memory, machine, node_bytes, false, err);
}

void bench_close(struct bench *bench) {
    for (size_t i = 0; i < BENCH_ASSEMBLED; i++)
        if (bench->assembled[i].used > 0)
            assemble_free(&bench->assembled[i].kernel);
    free(bench->deaths);
    memory_close(&bench->memory);
    memory_close(&bench->small_memory);
    team_cpus_restore(bench->cpus);
    team_cpus_free(bench->cpus);
}
