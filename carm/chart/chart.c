/* SPDX-License-Identifier: BSD-3-Clause
 * The charts there are (see chart.h). */
#include "chart.h"

#include <string.h>

const struct chart chart_table[] = {
    {"roofline", "ceilings and roofs of every level over arithmetic intensity", chart_roofline, {0}},
    {"sweep", "bandwidth against working-set size", chart_sweep, {0}},
    {"latency", "latency against working-set size", chart_latency, {0}},
    {"scaling", "bandwidth and the highest ceiling against threads", chart_scaling, {0}},
    {"matrix", "bandwidth from memory node to memory node", chart_matrix, {0}},
    {"matrix-latency", "latency from memory node to memory node", chart_matrix_latency, {0}},
    {"dram", "the roofline over flop per byte that passes between caches and memory", chart_dram, {0}},
    {"read", "the roofline over flop per byte that is read", chart_read, {"core", "dram"}},
    {"write", "the roofline over flop per byte that is written", chart_written, {"core", "dram"}},
    {"levels", "the roofline over flop per byte of each link between caches", chart_levels, {0}},
    {"instructions", "instructions per second over instructions per byte of each link", chart_instructions, {0}},
    {"time", "the time that each link between caches, and the ceiling, would need alone", chart_time, {0}},
    {"performance", "flop/s of series against size", chart_performance, {0}},
    {"intensity", "flop per byte of series against size, and what theory says", chart_intensity, {"core", "dram"}},
    {"ratio", "flop and bytes over what theory says, against size", chart_ratio, {"flop", "core", "dram"}},
    {"distribution",
     "repetitions against size: extremes, quartiles, median",
     chart_distribution,
     {"time", "performance", "spread"}},
    {0},
};

const struct chart *chart_named(const char *name) {
    for (const struct chart *chart = chart_table; chart->name; chart++)
        if (strcmp(chart->name, name) == 0)
            return chart;
    return NULL;
}
