/* SPDX-License-Identifier: BSD-3-Clause
 * JSON by hand (see report.h): its strings are our own, but for those of libraries. */
#include "report.h"

#include <inttypes.h>
#include <math.h>

static void print_string(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else
            putchar((unsigned char)*text < ' ' ? ' ' : *text);
    putchar('"');
}

static void print_text(const char *name, const char *text) {
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

void report_outcome(const struct outcome *outcome) {
    static const char *const ways[] = {[COLD_BY_ANY] = "", [COLD_BY_COPIES] = "copies", [COLD_BY_FLUSH] = "flush"};
    const struct task *task = outcome->task;
    const struct measuring *measuring = outcome->measuring;
    const struct caches *caches = measuring->caches;
    const struct work work = workload_work(task);
    const struct workload_traffic traffic = workload_traffic(task);
    printf("{\"workload\":");
    print_string(task->workload->name);
    print_count("size", task->n);
    print_text("type", outcome->type);
    print_count("threads", task->threads);
    print_known("block", task->block > 0, task->block);
    print_count("runs", measuring->runs);
    print_text("data", caches->wish.data_cold ? "cold" : "warm");
    print_text("code", caches->wish.code_cold ? "cold" : "warm");
    print_text("tlb", caches->wish.tlb_cold ? "cold" : caches->wish.data_cold ? "unknown" : "warm");
    print_text("cold_by", ways[caches->plan.by]);
    print_count("copies", measuring->data->count);
    print_count("fill_bytes", caches->filled_bytes);
    print_text("isa", task->isa->name);
    print_text("library", task->library_name);
    print_text("cpus", outcome->cpus);
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

void report_row(const struct workload *workload, bool has_f32, const char *missing) {
    printf("{\"workload\":");
    print_string(workload->name);
    print_text("summary", workload->summary);
    print_text("size", workload->size);
    printf(",\"types\":[\"f64\"%s]", has_f32 ? ",\"f32\"" : "");
    printf(",\"threads\":\"%s\"", workload->one_thread ? "one" : "any");
    print_count("size_least", workload->size_least > 0 ? workload->size_least : 1);
    printf(",\"power_of_two\":%s", workload->power_of_two ? "true" : "false");
    print_known("block", workload->block != NULL, workload->block_default);
    if (missing)
        print_text("missing", missing);
    else
        printf(",\"missing\":null");
    printf("}\n");
}
