/* SPDX-License-Identifier: BSD-3-Clause
 * The table of charts. */
#include "chart.h"

#include <string.h>

const struct chart chart_table[] = {
    {"roofline", "ceilings and roofs of every level over arithmetic intensity", chart_roofline, {0}, true, NULL},
    {"sweep", "bandwidth against working-set size", chart_sweep, {0}, false, NULL},
    {"latency", "latency against working-set size", chart_latency, {0}, false, NULL},
    {"scaling", "bandwidth and the highest ceiling against threads", chart_scaling, {0}, false, NULL},
    {"matrix", "bandwidth from memory node to memory node", chart_matrix, {0}, false, NULL},
    {"matrix-latency", "latency from memory node to memory node", chart_matrix_latency, {0}, false, NULL},
    {"dram", "the roofline over flop per byte between caches and memory", chart_dram, {0}, true, NULL},
    {"read", "the roofline over flop per byte read", chart_read, {"core", "dram"}, true, NULL},
    {"write", "the roofline over flop per byte written", chart_written, {"core", "dram"}, true, NULL},
    {"levels", "the roofline over flop per byte of each link between caches", chart_levels, {0}, false, NULL},
    {"instructions",
     "instructions per second over instructions per byte of each link",
     chart_instructions,
     {0},
     false,
     NULL},
    {"time", "the time that each link between caches, and the ceiling, would need alone", chart_time, {0}, false, NULL},
    {"loops", "the time that each part of the core would need alone for a loop", chart_loops, {0}, false, NULL},
    {"phases",
     "flop/s, bytes/s and active threads of a program over time, and what binds it",
     chart_phases,
     {0},
     false,
     NULL},
    {"performance", "flop/s of series against size", chart_performance, {0}, false, NULL},
    {"intensity", "flop per byte of series against size, with theory", chart_intensity, {"core", "dram"}, false, NULL},
    {"tlb", "TLB misses of series against size, with theory", chart_tlb, {"walks", "first"}, false, NULL},
    {"ratio",
     "measured flop and bytes over those of theory, against size",
     chart_ratio,
     {"flop", "core", "dram"},
     false,
     NULL},
    {"distribution",
     "repetitions against size: extremes, quartiles, median",
     chart_distribution,
     {"time", "performance", "spread"},
     false,
     NULL},
    {"histogram", "a workload's repetitions by their time", chart_histogram, {0}, false, NULL},
    {"loaded", "latency while others load the memory, against bandwidth", chart_loaded, {"dram", "l3"}, false, NULL},
    {"mlp", "bandwidth of parallel pointer chases in one core", chart_chases, {0}, false, NULL},
    {"cores", "time of a cache line from core to core", chart_handover, {"swap", "store"}, false, NULL},
    {"pages", "latency against touched pages, by page size", chart_pages, {0}, false, NULL},
    {"core", "latency and throughput of the core's instructions", chart_core, {0}, false, chart_cores_beside},
    {0},
};

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
