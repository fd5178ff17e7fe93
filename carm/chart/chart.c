/* SPDX-License-Identifier: BSD-3-Clause
 * The table of charts. */
#include "chart.h"

#include <string.h>

/* clang-format off */
const struct chart chart_table[] = {
    {.name = "roofline", .summary = "ceilings and roofs of every level over arithmetic intensity",
     .draw = chart_roofline, .takes_fewer = true},
    {.name = "sweep", .summary = "bandwidth against working-set size", .draw = chart_sweep},
    {.name = "latency", .summary = "latency against working-set size", .draw = chart_latency},
    {.name = "scaling", .summary = "bandwidth and the highest ceiling against threads", .draw = chart_scaling},
    {.name = "matrix", .summary = "bandwidth from memory node to memory node", .draw = chart_matrix},
    {.name = "matrix-latency", .summary = "latency from memory node to memory node", .draw = chart_matrix_latency},
    {.name = "dram", .summary = "the roofline over flop per byte between caches and memory", .draw = chart_dram,
     .takes_fewer = true},
    {.name = "read", .summary = "the roofline over flop per byte read", .draw = chart_read,
     .of = {"core", "dram"}, .takes_fewer = true},
    {.name = "write", .summary = "the roofline over flop per byte written", .draw = chart_written,
     .of = {"core", "dram"}, .takes_fewer = true},
    {.name = "levels", .summary = "the roofline over flop per byte of each link between caches", .draw = chart_levels},
    {.name = "instructions", .summary = "instructions per second over instructions per byte of each link",
     .draw = chart_instructions},
    {.name = "time", .summary = "the time that each link between caches, and the ceiling, would need alone",
     .draw = chart_time},
    {.name = "loops", .summary = "the time that each part of the core would need alone for a loop",
     .draw = chart_loops},
    {.name = "phases", .summary = "flop/s, bytes/s and active threads of a program over time, and what binds it",
     .draw = chart_phases},
    {.name = "performance", .summary = "flop/s of series against size", .draw = chart_performance},
    {.name = "intensity", .summary = "flop per byte of series against size, with theory", .draw = chart_intensity,
     .of = {"core", "dram"}},
    {.name = "tlb", .summary = "TLB misses of series against size, with theory", .draw = chart_tlb,
     .of = {"walks", "first"}},
    {.name = "ratio", .summary = "measured flop and bytes over those of theory, against size", .draw = chart_ratio,
     .of = {"flop", "core", "dram"}},
    {.name = "distribution", .summary = "repetitions against size: extremes, quartiles, median",
     .draw = chart_distribution, .of = {"time", "performance", "spread"}},
    {.name = "histogram", .summary = "a workload's repetitions by their time", .draw = chart_histogram},
    {.name = "loaded", .summary = "latency while others load the memory, against bandwidth", .draw = chart_loaded,
     .of = {"dram", "l2", "l3", "l4"}},
    {.name = "mlp", .summary = "bandwidth of parallel pointer chases in one core", .draw = chart_chases},
    {.name = "cores", .summary = "time of a cache line from core to core", .draw = chart_handover,
     .of = {"swap", "store"}},
    {.name = "pages", .summary = "latency against touched pages, by page size", .draw = chart_pages},
    {.name = "core", .summary = "latency and throughput of the core's instructions", .draw = chart_core,
     .beside = chart_cores_beside},
    {0},
};
/* clang-format on */

#define EXTRA(name, field)                                                                                             \
    { name, offsetof(struct chart_options, field) }
const struct chart_extra chart_extras[] = {
    EXTRA("ceilings", all_ceilings),
    EXTRA("deviation", deviation),
    EXTRA("documented", documented),
    EXTRA("dram", dram),
    EXTRA("intensities", intensities),
    EXTRA("joined", joined),
    EXTRA("pseudo-flop", pseudo_flop),
    EXTRA("random", random),
    EXTRA("unjoined", unjoined),
    EXTRA("working-set", working_set),
    {0},
};

const char *chart_extra_name(size_t index) {
    return chart_extras[index].name;
}

const struct chart *chart_named(const char *name) {
    for (const struct chart *chart = chart_table; chart->name; chart++)
        if (strcmp(chart->name, name) == 0)
            return chart;
    return NULL;
}
