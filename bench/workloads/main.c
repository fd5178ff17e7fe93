/* SPDX-License-Identifier: BSD-3-Clause
 * carmine-workload: one built-in workload as an ordinary program. `carmine workload` runs it natively and under the
 * counter, as it does with any application. Exit status 0: done, 1: a result was wrong, 2: it could not be done. */
#include "measure.h"
#include "request.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/memory.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

/* The output of carmine-workload: JSON, one object per line. It is written by hand: all strings are our own, except
 * those from libraries. */

struct outcome {
    const struct task *task;
    const struct measuring *measuring;
    const char *type, *cpus;
    uint64_t page_bytes;
    const double *seconds, *clock_hz; /* by repetition */
    double error;
    bool ok;
};

static void print_string(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar((unsigned char)*text < ' ' ? ' ' : *text);
    putchar('"');
}

static void main_print_text(const char *name, const char *text) {
    printf(",\"%s\":", name);
    print_string(text);
}

static void print_count(const char *name, uint64_t count) {
    printf(",\"%s\":%" PRIu64, name, count);
}

static void print_known(const char *name, bool known, uint64_t count) {
    if (known)
        print_count(name, count);
    else
        printf(",\"%s\":null", name);
}

static void print_list(const char *name, const double *values, unsigned count, int digits) {
    printf(",\"%s\":[", name);
    for (unsigned i = 0; i < count; i++)
        printf("%s%.*g", i ? "," : "", digits, values[i]);
    putchar(']');
}

static void report_outcome(const struct outcome *outcome) {
    static const char *const ways[] = {[COLD_BY_ANY] = "", [COLD_BY_COPIES] = "copies", [COLD_BY_FLUSH] = "flush"};
    const struct task *task = outcome->task;
    const struct measuring *measuring = outcome->measuring;
    const struct caches *caches = measuring->caches;
    const struct work work = workload_work(task);
    const struct workload_traffic traffic = workload_traffic(task);
    printf("{\"workload\":");
    print_string(task->workload->name);
    print_count("size", task->n);
    main_print_text("type", outcome->type);
    print_count("threads", task->threads);
    print_known("block", task->block > 0, task->block);
    print_count("runs", measuring->runs);
    main_print_text("data", caches->wish.data_cold ? "cold" : "warm");
    main_print_text("code", caches->wish.code_cold ? "cold" : "warm");
    main_print_text("tlb", caches->wish.tlb_cold ? "cold" : caches->wish.data_cold ? "unknown" : "warm");
    main_print_text("cold_by", ways[caches->plan.by]);
    print_count("copies", measuring->data->count);
    print_count("fill_bytes", caches->filled_bytes);
    main_print_text("isa", task->isa->name);
    main_print_text("library", task->library_name);
    main_print_text("cpus", outcome->cpus);
    print_count("page_bytes", outcome->page_bytes);
    print_list("seconds", outcome->seconds, measuring->repetitions, 9);
    print_list("clock_hz", outcome->clock_hz, measuring->clock_wanted ? measuring->repetitions : 0, 6);
    print_known("flop", !work.flop_unknown, work.flop);
    print_count("pseudo_flop", work.pseudo_flop);
    print_count("read_bytes", traffic.read_bytes);
    print_count("write_bytes", traffic.write_bytes);
    print_count("allocate_bytes", traffic.allocate_bytes);
    print_known("load_bytes", work.bytes_exact, work.load_bytes);
    print_known("store_bytes", work.bytes_exact, work.store_bytes);
    print_count("working_set_bytes", traffic.data_bytes);
    if (isfinite(outcome->error))
        printf(",\"check_error\":%.3g", outcome->error);
    else
        printf(",\"check_error\":null");
    printf(",\"tolerance\":%.3g,\"ok\":%s}\n", workload_tolerance(task), outcome->ok ? "true" : "false");
    fflush(stdout);
}

/* A row of the table; `missing` is the reason why it cannot run here, NULL: it can. */
static void report_row(const struct workload *workload, bool has_f32, const char *missing) {
    printf("{\"workload\":");
    print_string(workload->name);
    main_print_text("summary", workload->summary);
    main_print_text("size", workload->size);
    printf(",\"types\":[\"f64\"%s]", has_f32 ? ",\"f32\"" : "");
    printf(",\"threads\":\"%s\"", workload->one_thread ? "one" : "any");
    print_count("size_least", workload->size_least > 0 ? workload->size_least : 1);
    printf(",\"power_of_two\":%s", workload->power_of_two ? "true" : "false");
    print_known("block", workload->block != NULL, workload->block_default);
    if (missing)
        main_print_text("missing", missing);
    else
        printf(",\"missing\":null");
    printf("}\n");
}

enum { DONE = 0, WRONG_RESULT = 1, IMPOSSIBLE = 2 };

/* Shared by all sizes. */
struct place_here {
    struct machine machine;
    const struct isa *isa;
    struct team team;
    struct clock clock;
    struct team_cpus *allowed; /* NULL: not known */
};

static bool choose_isa(const struct machine *machine, const char *wanted, const struct isa **out, struct error *err) {
    const struct isa *widest = workload_isa(machine->cpu.features), *isa = wanted ? NULL : widest;
    for (size_t i = 0; wanted && i < isa_count; i++) /* of a family the machine has one */
        if (isa_named(&isa_table[i], wanted) && workload_rows("f64", isa_table[i].name) &&
            (!isa || machine_has(machine, isa_table[i].needs)))
            isa = &isa_table[i];
    if (!isa)
        return error_set(err, "no workloads for the ISA '%s'; `carmine workload --help` lists them", wanted);
    if (!machine_has(machine, isa->needs))
        return error_set(err, "this CPU has no %s; its widest ISA is %s", isa->label, widest->name);
    *out = isa;
    return true;
}

/* The core clock is not reported if it cannot be read, as while the program is counted. */
static bool set_up(struct place_here *out, const struct process_request *request, struct error *err) {
    *out = (struct place_here){.allowed = team_cpus_save()};
    if (!machine_load(&out->machine, NULL, err) || !choose_isa(&out->machine, request->isa, &out->isa, err) ||
        !team_crowd(&out->team, &out->machine, request->threads, err))
        return false;
    return request->list || clock_open(&out->clock, err);
}

static void tear_down(struct place_here *here) {
    team_free(&here->team);
    machine_free(&here->machine);
    team_cpus_free(here->allowed);
}

static bool task_make(struct task *out, const struct process_request *request, uint64_t size, const struct isa *isa,
                      struct error *err) {
    const struct workload *workload = request->file ? workload_file_load(request->file, request->workload, size, err)
                                                    : workload_find(request->workload, request->type, isa, err);
    if (!workload)
        return false;
    *out = (struct task){.workload = workload,
                         .isa = isa,
                         .n = size,
                         .threads = request->threads,
                         .block = request->block ? (unsigned)request->block : workload->block_default,
                         .element_bytes = element_table[element_find(request->type)].bytes};
    if (size < workload->size_least)
        return error_set(err, "%s needs a size of at least %" PRIu64 ": %s", workload->name, workload->size_least,
                         workload->size);
    if (workload->power_of_two && (size & (size - 1)) != 0)
        return error_set(err, "%" PRIu64 " is not a size for %s: %s", size, workload->name, workload->size);
    if (workload->one_thread && request->threads > 1)
        return error_set(err, "%s runs on one thread; leave out --threads", workload->name);
    if (workload->own_threads && request->threads > 1 && request->caches.tlb_cold)
        return error_set(err, "%s starts its own threads, and their TLBs cannot be emptied; leave out %s",
                         workload->name, "--threads or --state tlb-cold");
    if (request->block && !workload->block)
        return error_set(err, "%s has no blocks; leave out --block", workload->name);
    return !workload->open || workload->open(out, err);
}

/* A library starts its threads itself; they inherit the CPUs of this thread. */
static void let_threads_spread(const struct place_here *here, const struct task *task) {
    if (task->workload->own_threads && task->threads > 1)
        team_cpus_restore(here->allowed);
}

/* Runs the code of a run once, with a small size if possible: large products take long in simulated caches. */
static bool warm_code(struct measuring *measuring, struct error *err) {
    struct task *task = measuring->data->task;
    const uint64_t size = task->n, alike = task->workload->alike_from;
    task->n = alike > 0 && alike < size ? alike : size;
    const bool done = measure_once(measuring, err);
    task->n = size;
    return done;
}

/* One run on fresh data, which also warms the code, and the error of its result. A simulation skips the check: it
 * takes many times as long as the run in simulated caches, and the timed process checks too. */
static bool main_check_result(const struct place_here *here, struct measuring *measuring, double *error,
                              struct error *err) {
    if (!data_fill(measuring->data, false, err))
        return false;
    let_threads_spread(here, measuring->data->task);
    *error = 0;
    if (measuring->simulated && !measuring->caches->wish.data_cold)
        return true; /* the uncounted runs warm the code */
    if (measuring->simulated)
        return warm_code(measuring, err);
    if (!measure_once(measuring, err))
        return false;
    *error = workload_error(measuring->data->task, measuring->data->arrays[0]);
    return true;
}

static bool time_and_report(const struct place_here *here, const struct process_request *request,
                            struct measuring *measuring, double error, bool *ok, struct error *err) {
    struct data *data = measuring->data;
    double *seconds = need_calloc(request->repetitions, sizeof *seconds);
    double *clock_hz = need_calloc(request->repetitions, sizeof *clock_hz);
    bool done = data_fill(data, true, err);
    let_threads_spread(here, data->task);
    done = done && measure_runs(measuring, err) && measure_repetitions(measuring, seconds, clock_hz, err);
    *ok = error <= workload_tolerance(data->task);
    workload_file_report();
    if (done)
        report_outcome(&(struct outcome){
            .task = data->task,
            .measuring = measuring,
            .type = request->type,
            .cpus = here->team.cpus,
            .page_bytes = memory_page_bytes(data->base, data->copy_bytes * data->count),
            .seconds = seconds,
            .clock_hz = clock_hz,
            .error = error,
            .ok = *ok,
        });
    free(seconds);
    free(clock_hz);
    return done;
}

/* The TSC counts about as fast as a core, and always the same; the counters of other architectures may be slower. */
static double cycles_per_s(const struct clock *clock) {
    enum { AS_FAST = 3 };
    return clock->uses_tsc && AS_FAST * clock->tick_hz > clock->rest_hz ? clock->tick_hz : clock->rest_hz;
}

static bool measure_size(const struct place_here *here, const struct process_request *request, uint64_t size, bool *ok,
                         struct error *err) {
    struct task task = {0};
    struct data data = {0};
    struct caches caches = {0};
    struct caches_plan plan;
    double error = 0;
    struct last_level last_level = caches_last_level(&here->machine, &here->team);
    if (request->last_level_bytes > 0)
        last_level.bytes = request->last_level_bytes;
    if (!task_make(&task, request, size, here->isa, err))
        return false;
    struct measuring measuring = {
        .clock = &here->clock,
        .clock_wanted = !request->counted,
        .counted = request->counted,
        .simulated = request->simulated,
        .unseen = request->simulated && request->caches.data_cold && task.workload->own_threads && task.threads > 1,
        .data = &data,
        .caches = &caches,
        .runs = request->runs,
        .repetition_s = request->cycles / cycles_per_s(&here->clock),
        .repetitions = request->repetitions,
        .budget_s = request->budget_s,
    };
    bool done = caches_plan(&plan, &task, &request->caches, &last_level, here->machine.memory_available_bytes,
                            request->runs, err) &&
                data_open(&data, &task, &here->team, plan.copies + measuring.unseen, err) &&
                caches_open(&caches, &request->caches, &plan, &task, err) &&
                main_check_result(here, &measuring, &error, err) &&
                time_and_report(here, request, &measuring, error, ok, err);
    caches_close(&caches);
    data_close(&data);
    if (task.workload->close && task.library)
        task.workload->close(&task);
    return done;
}

/* Rows that need a library are tried with their smallest size. */
static void main_list(const struct isa *isa) {
    const struct workload *const *rows = workload_rows("f64", isa->name);
    for (; *rows; rows++) {
        struct error err = {""};
        struct task task;
        const struct process_request least = {.workload = (*rows)->name, .type = "f64", .threads = 1};
        const bool there = task_make(&task, &least, (*rows)->size_least ? (*rows)->size_least : 1, isa, &err);
        if (there && (*rows)->close)
            (*rows)->close(&task);
        report_row(*rows, workload_find((*rows)->name, "f32", isa, &(struct error){""}), there ? NULL : err.text);
    }
}

static int main_run(const struct process_request *request, struct error *err) {
    struct place_here here;
    bool done = set_up(&here, request, err), all_ok = true;
    if (done && request->list)
        main_list(here.isa);
    for (size_t i = 0; done && i < request->size_count; i++) {
        bool ok = true;
        done = measure_size(&here, request, request->sizes[i], &ok, err);
        all_ok &= ok;
    }
    tear_down(&here);
    return !done ? IMPOSSIBLE : all_ok ? DONE : WRONG_RESULT;
}

int main(int argc, char **argv) {
    struct process_request request;
    struct error err;
    int status = IMPOSSIBLE;
    if (request_read(argc, argv, &request, &err))
        status = main_run(&request, &err);
    if (status == IMPOSSIBLE)
        fprintf(stderr, "carmine-workload: %s\n", err.text);
    return status;
}
