/* SPDX-License-Identifier: BSD-3-Clause
 * The kernels that a metric is calibrated with, and their execution between two readings. */
#include "calibrate.h"
#include "levels.h"
#include "memory.h"
#include "plan.h"
#include "sample.h"
#include "team.h"
#include "number_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "asm/interleaved_chain.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

/* The counters that a calibration reads: through PAPI on the core, through the kernel at the memory controllers. */

static bool counters_open(void *context, size_t count, const char (*events)[96], struct error *err) {
    struct calibrate_counters *counters = context;
    *counters = (struct calibrate_counters){.of_memory = count > 0 && uncore_is(events[0]), .count = count};
    return counters->of_memory ? uncore_open(&counters->uncore, count, events, err)
                               : papi_events_open(&counters->papi, count, events, err);
}

static bool counters_start(void *context, const struct calibrate_work *work, struct error *err) {
    struct calibrate_counters *counters = context;
    (void)work;
    return counters->of_memory ? uncore_read(&counters->uncore, counters->before, err)
                               : papi_events_start(&counters->papi, err);
}

static bool counters_stop(void *context, double *values, struct error *err) {
    struct calibrate_counters *counters = context;
    if (!counters->of_memory)
        return papi_events_stop(&counters->papi, values, err);
    if (!uncore_read(&counters->uncore, values, err))
        return false;
    for (size_t i = 0; i < counters->count; i++)
        values[i] -= counters->before[i];
    return true;
}

static void counters_close(void *context) {
    struct calibrate_counters *counters = context;
    if (counters->of_memory)
        uncore_close(&counters->uncore);
    else
        papi_events_close(&counters->papi);
}

struct calibrate_reader calibrate_counters_reader(struct calibrate_counters *context) {
    return (struct calibrate_reader){context, counters_open, counters_start, counters_stop, counters_close};
}

/* Long enough to hide the reading itself (some thousand instructions of PAPI). Memory: one pass. */
static const double WORK_INSTRUCTIONS = 1e6;
enum { CACHED_BYTES = 16 << 10, MEMORY_REPETITIONS = 3, MAX_OPS = 4 };

/* Operations of every instruction set; `type` is empty if they only move data. */
static const struct {
    enum metric metric;
    const char *type;
    const char *ops[MAX_OPS];
} CASES[] = {
    {METRIC_F64_FLOP, "f64", {"add", "mul", "fma", "div"}},
    {METRIC_F32_FLOP, "f32", {"add", "mul", "fma", "div"}},
    {METRIC_F16_FLOP, "f16", {"add", "mul", "fma", "div"}},
    {METRIC_ANY_FLOP, "f64", {"add", "mul", "fma", "div"}},
    {METRIC_ANY_FLOP, "f32", {"add", "mul", "fma", "div"}},
    {METRIC_ANY_FLOP, "f16", {"add", "mul", "fma", "div"}},
    {METRIC_ANY_FLOP, "bf16", {"dot"}},
    {METRIC_LOADS, "", {"load", "2ld1st"}},
    {METRIC_STORES, "", {"store", "2ld1st"}},
    {METRIC_INSTRUCTIONS, "f64", {"add"}},
    {METRIC_INSTRUCTIONS, "", {"load", "2ld1st"}},
    /* Whether plain stores read their lines first depends on the core: newer cores recognise whole lines. */
    {METRIC_DRAM_READ_BYTES, "", {"load"}},
    {METRIC_DRAM_WRITE_BYTES, "", {"ntstore"}},
};

bool calibration_doubtful(const struct calibration *calibration) {
    return !*calibration->failure && !(calibration->median >= number_thresholds.counter_low.value &&
                                       calibration->median <= number_thresholds.counter_high.value);
}

double calibrate_expected(enum metric metric, const struct calibrate_work *work) {
    static const enum element_type TYPES[METRIC_COUNT] = {
        [METRIC_F64_FLOP] = TYPE_F64, [METRIC_F32_FLOP] = TYPE_F32, [METRIC_F16_FLOP] = TYPE_F16};
    const struct kernel *kernel = work->kernel;
    if (!kernel)
        return metric == METRIC_CYCLES ? work->iterations * work->chain_cycles : 0;
    const struct cost *cost = &kernel->cost;
    switch (metric) {
    case METRIC_F64_FLOP:
    case METRIC_F32_FLOP:
    case METRIC_F16_FLOP:
        return kernel->type == TYPES[metric] ? work->iterations * cost->flop : 0;
    case METRIC_ANY_FLOP:
        return element_table[kernel->type].integer ? 0 : work->iterations * cost->flop;
    case METRIC_LOADS:
        return work->iterations * cost->mix.load;
    case METRIC_STORES:
        return work->iterations * cost->mix.store;
    case METRIC_INSTRUCTIONS:
        return work->iterations * cost->instructions;
    case METRIC_DRAM_READ_BYTES:
        return work->iterations * cost->load_bytes;
    case METRIC_DRAM_WRITE_BYTES:
        return work->iterations * cost->store_bytes;
    case METRIC_WIDTH_BYTES:
    case METRIC_TLB_MISSES:
    case METRIC_CYCLES:
    case METRIC_COUNT:
        break;
    }
    return 0;
}

void calibrate_judge(struct calibration *out, size_t count, const double *measured) {
    double *ratios = need_calloc(count + 1, sizeof *ratios);
    out->worst = 1;
    for (size_t i = 0; i < count; i++) {
        ratios[i] = measured[i] / out->expected;
        if (fabs(ratios[i] - 1) > fabs(out->worst - 1))
            out->worst = ratios[i];
    }
    out->median = sample_statistics(ratios, count).median;
    free(ratios);
}

/* State of a calibration, on the thread that counts. */
struct calibration_run {
    const struct machine *machine;
    const struct event_set *set;
    const struct calibrate_reader *reader;
    struct calibration *out;
    size_t *count;
    void *cached;
    void *memory; /* NULL: no DRAM metrics */
    uint64_t memory_bytes;
};

static bool of_memory(enum metric metric) {
    return metric == METRIC_DRAM_READ_BYTES || metric == METRIC_DRAM_WRITE_BYTES;
}

static bool repeat(const struct calibration_run *run, const struct calibrate_work *work, const struct kernel_call *call,
                   struct calibration *out, struct error *err) {
    const struct calibrate_reader *reader = run->reader;
    const struct event_formula *formula = &run->set->metrics[out->metric];
    char names[EVENTS_MAX_TERMS][96];
    double values[EVENTS_MAX_TERMS], measured[CALIBRATE_REPETITIONS];
    const size_t repetitions = of_memory(out->metric) ? MEMORY_REPETITIONS : CALIBRATE_REPETITIONS;
    for (unsigned t = 0; t < formula->term_count; t++)
        memcpy(names[t], formula->terms[t].event, sizeof names[t]);
    const char(*const events)[96] = (const char(*)[96])names;
    if (!reader->open(reader->context, formula->term_count, events, err))
        return false;
    bool good = true;
    for (size_t i = 0; i <= repetitions && good; i++) { /* the first repetition warms up */
        good = reader->start(reader->context, work, err);
        if (good && work->kernel)
            work->kernel->entry(call);
        else if (good)
            interleaved_chain_table[0].run((uint64_t)work->iterations);
        good = good && reader->stop(reader->context, values, err);
        if (good && i > 0)
            good = events_evaluate(formula, formula->term_count, events, values, &measured[i - 1]) ||
                   error_set(err, "the formula cannot be evaluated");
    }
    reader->close(reader->context);
    if (good)
        calibrate_judge(out, repetitions, measured);
    return good;
}

static void calibrate(const struct calibration_run *run, enum metric metric, const char *name,
                      const struct calibrate_work *work, const struct kernel_call *call) {
    if (*run->count == CALIBRATE_MAX)
        return;
    struct calibration *out = &run->out[(*run->count)++];
    struct error err;
    *out = (struct calibration){.metric = metric, .expected = calibrate_expected(metric, work)};
    snprintf(out->kernel, sizeof out->kernel, "%s", name);
    if (!repeat(run, work, call, out, &err))
        snprintf(out->failure, sizeof out->failure, "%.191s", err.text);
}

static void calibrate_kernel(const struct calibration_run *run, enum metric metric, const struct kernel *kernel) {
    const bool memory = of_memory(metric);
    const uint64_t bytes = memory ? run->memory_bytes : CACHED_BYTES;
    struct kernel_call call = {.buffer = memory ? run->memory : run->cached, .blocks = 1, .passes = 1};
    if (kernel->block_bytes > 0)
        call.blocks = bytes / kernel->block_bytes;
    if (!memory)
        call.passes = (uint64_t)(WORK_INSTRUCTIONS / (double)kernel->cost.instructions / (double)call.blocks) + 1;
    const struct calibrate_work work = {.kernel = kernel, .iterations = (double)call.blocks * (double)call.passes};
    calibrate(run, metric, kernel->name, &work, &call);
}

/* No metric counts x87, and tiles have events of their own. */
static bool is_counted(const struct isa *isa) {
    return isa->operands == ISA_SINGLE || isa->operands == ISA_VECTORS;
}

/* The kernels of one case in every instruction set. Memory: in the widest alone, since the set makes no difference. */
static void calibrate_case(const struct calibration_run *run, size_t index) {
    const enum metric metric = CASES[index].metric;
    const bool memory = of_memory(metric);
    if (run->set->metrics[metric].term_count == 0 || (memory && !run->memory))
        return;
    for (unsigned o = 0; o < MAX_OPS && CASES[index].ops[o]; o++)
        for (size_t i = isa_count; i-- > 0;) {
            char name[64];
            snprintf(name, sizeof name, "%s.%s%s%s", isa_table[i].name, CASES[index].type,
                     *CASES[index].type ? "." : "", CASES[index].ops[o]);
            const struct kernel *const *kernel = is_counted(&isa_table[i]) ? kernel_find(name, NULL) : NULL;
            if (!kernel || !machine_has(run->machine, (*kernel)->needs))
                continue;
            calibrate_kernel(run, metric, *kernel);
            if (memory)
                break;
        }
}

static void calibrate_all(unsigned thread, void *context) {
    const struct calibration_run *run = context;
    (void)thread;
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++)
        calibrate_case(run, c);
    const struct interleaved_chain *lightest = &interleaved_chain_table[0];
    if (run->set->metrics[METRIC_CYCLES].term_count > 0 && machine_has(run->machine, lightest->needs)) {
        const struct calibrate_work chain = {.iterations = ceil(WORK_INSTRUCTIONS / lightest->chain_cycles / 2),
                                             .chain_cycles = lightest->chain_cycles};
        calibrate(run, METRIC_CYCLES, "chain of adds", &chain, NULL);
    }
}

bool calibrate_run(const struct calibrate_subject *subject, const struct calibrate_reader *reader,
                   struct calibration *out, size_t *count, struct error *err) {
    const struct machine *machine = subject->machine;
    const int kind = (int)subject->kind;
    struct calibration_run run = {
        .machine = machine, .set = subject->set, .reader = reader, .out = out, .count = count};
    struct levels levels[MACHINE_MAX_KINDS];
    struct memory arena = {0};
    struct team team;
    struct doubts ignored = {0};
    *count = 0;
    for (unsigned k = 0; k < machine->kind_count; k++)
        levels[k] = levels_detected(&machine->kinds[k], "DRAM");
    if (!team_choose(&team, machine, kind, 1, err))
        return false;
    if (subject->memory)
        run.memory_bytes =
            plan_memory_bytes(machine, levels, &(struct spot){.kind = kind, .threads = 1}, false, &ignored);
    bool good = memory_open(&arena, machine, run.memory_bytes + CACHED_BYTES, true, err) &&
                memory_take(&arena, &team, run.memory_bytes + CACHED_BYTES, &run.cached, err);
    if (good) {
        run.memory = subject->memory ? (char *)run.cached + CACHED_BYTES : NULL;
        good = team_run(&team, calibrate_all, &run, err);
    }
    memory_close(&arena);
    team_free(&team);
    return good;
}
