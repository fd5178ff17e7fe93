/* SPDX-License-Identifier: BSD-3-Clause
 * The table of values that options take by name, from the tables that define them. */
#include "cli.h"

#include <string.h>

#include "picture_options.h"

#include "asm/arithmetic.h"
#include "asm/element.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/kernels/sample.h"
#include "bench/memory/memory_system.h"
#include "bench/programs/app.h"
#include "bench/programs/workload.h"
#include "carm/chart/chart.h"
#include "carm/import/import.h"
#include "carm/report/check_report.h"
#include "probe/isa.h"
#include "probe/marks/systems.h"
#include "render/page/style.h"

#define NAMES(...)                                                                                                     \
    .names = (const char *const[]) {                                                                                   \
        __VA_ARGS__, NULL                                                                                              \
    }

/* Of all architectures: a file may come from any. */
static const char *isa(size_t index) {
    return index < isa_count ? isa_table[index].name : isa_families[index - isa_count];
}

static const char *row_with_kernels(size_t index) {
    const struct isa *isa = kernel_isa(index);
    return isa ? isa->name : NULL;
}

/* SVE of 128 bits is as wide as NEON, which serves. */
static const char *row_of_workloads(size_t index) {
    for (size_t i = 0; kernel_isa(i); i++)
        if (kernel_isa(i)->operands == ISA_VECTORS && !(kernel_isa(i)->needs & CPU_SVE128) && index-- == 0)
            return kernel_isa(i)->name;
    return NULL;
}

/* The rows' names, then the families of any of them. */
static const char *row_or_family(const char *row(size_t), size_t index) {
    size_t count = 0, named;
    while (row(count))
        count++;
    if (index < count)
        return row(index);
    for (const char *const *family = isa_families; *family; family++) {
        for (named = 0; named < count && !isa_named(isa_find(row(named)), *family);)
            named++;
        if (named < count && index-- == count)
            return *family;
    }
    return NULL;
}

static const char *isa_with_kernels(size_t index) {
    return row_or_family(row_with_kernels, index);
}

static const char *isa_of_workloads(size_t index) {
    return row_or_family(row_of_workloads, index);
}

static const char *element(size_t index) { /* all except TYPE_NONE */
    return TYPE_F64 + index < TYPE_COUNT ? element_table[TYPE_F64 + index].name : NULL;
}

static const char *pattern(size_t index) {
    return index < pattern_count ? pattern_table[index].op : NULL;
}

static const char *operation(size_t index) {
    const struct arithmetic *arithmetic = index < pattern_count ? NULL : kernel_arithmetic(index - pattern_count);
    return index < pattern_count ? pattern_table[index].op : arithmetic ? arithmetic->op : NULL;
}

static const char *workload_state(size_t index) {
    return index < WORKLOAD_STATES ? workload_states[index].word : NULL;
}

static const char *style(size_t index) {
    static const char *const NOTES[] = {"notes", "no-notes", NULL};
    size_t count = 0;
    while (plot_styles[count].name)
        count++;
    return index < count ? plot_styles[index].name : NOTES[index - count];
}

static const char *chart(size_t index) {
    return chart_table[index].name;
}

static const char *check_format(size_t index) {
    return check_formats[index].name;
}

static const char *flat_format(size_t index) {
    return flat_formats[index].name;
}

static const char *import_format(size_t index) {
    return import_formats[index] ? import_formats[index]->name : NULL;
}

static const char *mark_system(size_t index) {
    return index < MARKS_SYSTEMS ? mark_systems[index].name : index == MARKS_SYSTEMS ? "none" : NULL;
}

/* The variants of a kernel stand together in the table. */
static const char *kernel(size_t index) {
    size_t i = 0;
    for (; i < kernel_count; i++)
        if ((i == 0 || strcmp(kernel_table[i]->name, kernel_table[i - 1]->name) != 0) && index-- == 0)
            return kernel_table[i]->name;
    return NULL;
}

static const char *const LEVELS[] = {"L1", "L1.5", "L2", "L3", "L4", "DRAM", "HBM", NULL};

static const char *roof(size_t index) {
    const size_t types = TYPE_COUNT - TYPE_F64;
    return index < types ? element(index) : LEVELS[index - types];
}

const struct cli_set cli_sets[] = {
    {.argument = "TABLE", .what = "table", NAMES("roofs", "points", "memory", "core")},
    {.argument = "CHART", .what = "chart", .name = chart},
    {.argument = "cycle", .what = "choice of --per", NAMES("cycle")},
    {.argument = "ENGINE", NAMES("slurm", "mpi", "clush", "pdsh")},
    {.argument = "EXTRA", .what = "choice of --add", .name = chart_extra_name},
    {.argument = "FLAT", .what = "form", .name = flat_format},
    {.argument = "FLOAT", .what = "type", NAMES("f64", "f32")},
    {.argument = "FORM", .what = "form", .name = check_format},
    {.argument = "FORMAT", .what = "format", .name = import_format},
    {.argument = "ISA", .what = "ISA", .name = isa_with_kernels},
    {.argument = "ISA|TOOL", .name = isa},
    {.argument = "KERNEL", .name = kernel},
    {.argument = "KIND", .what = "chart", NAMES("overlay", "ratios")},
    {.argument = "LEVEL", .what = "level", .names = LEVELS},
    {.argument = "MEMORY", .what = "part", .names = memory_part_names},
    {.argument = "N|all", NAMES("1", "all")},
    {.argument = "OP", .name = pattern},
    {.argument = "OPERATION", .name = operation},
    {.argument = "PAGES", .what = "kind of pages", NAMES("huge", "small")},
    {.argument = "PART", .what = "by", .names = app_by_names + 1}, /* without the first entry "" (marked regions) */
    {.argument = "PER", .what = "choice of --per", NAMES("cycle", "core")},
    {.argument = "ROOF", .name = roof},
    {.argument = "RUN", .what = "run", NAMES("count", "time")},
    {.argument = "SETS", .what = "ISA", .name = isa},
    {.argument = "SIMD", .what = "ISA", .name = isa_of_workloads},
    {.argument = "SIZE", .name = column_width_name},
    {.argument = "STATE", .what = "state", .name = workload_state},
    {.argument = "HOW", .what = "statistic", .names = sample_statistic_names},
    {.argument = "STYLE", .what = "style", .name = style, .free = "font=NAME"},
    {.argument = "SYSTEM", .name = mark_system},
    {.argument = "TYPE", .what = "type", .name = element},
    {.argument = "WAY", .what = "counters", .names = app_counters_names},
    {0},
};
