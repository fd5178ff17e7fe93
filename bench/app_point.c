/* SPDX-License-Identifier: BSD-3-Clause
 * Rates and intensities of an application (see app_point.h). */
#include "app_point.h"

const char *const app_source_names[SOURCE_COUNT + 1] = {
    [SOURCE_UNKNOWN] = "unknown",     [SOURCE_CLOCK] = "clock",         [SOURCE_SAMPLED] = "sampled",
    [SOURCE_COUNTED] = "counted",     [SOURCE_COUNTERS] = "counters",   [SOURCE_ESTIMATED] = "estimated",
    [SOURCE_SIMULATED] = "simulated", [SOURCE_CALLGRIND] = "callgrind", [SOURCE_STATED] = "stated",
};
const char *const app_part_names[] = {"program", "region", "function", NULL};
const char *const app_state_names[] = {"unknown", "cold", "warm", NULL};

static double quotient(double a, double b) {
    return b > 0 ? a / b : 0;
}

double app_flop_per_s(const struct app_point *point) {
    return quotient(point->flop.median, point->seconds.median);
}

double app_core_bytes(const struct app_point *point) {
    return point->load_bytes.median + point->store_bytes.median;
}

double app_dram_bytes(const struct app_point *point) {
    return point->dram_read_bytes.median + point->dram_write_bytes.median;
}

double app_flop_per_byte(const struct app_point *point) {
    return quotient(point->flop.median, app_core_bytes(point));
}

double app_flop_per_dram_byte(const struct app_point *point) {
    return quotient(point->flop.median, app_dram_bytes(point));
}

double app_bandwidth_bound(const struct app_point *point) {
    return quotient(app_dram_bytes(point), app_core_bytes(point));
}
