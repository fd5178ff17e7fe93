/* SPDX-License-Identifier: BSD-3-Clause
 * What the table of patterns (pattern.c) says of an operation, and of a kernel by its name. */
#include "pattern.h"

#include <stdio.h>
#include <string.h>

const struct pattern *pattern_find(const char *op) {
    for (size_t i = 0; i < pattern_count; i++)
        if (strcmp(pattern_table[i].op, op) == 0)
            return &pattern_table[i];
    return NULL;
}

const struct pattern *pattern_of_kernel(const char *kernel) {
    static const struct pattern NONE = {.op = ""};
    const char *dot = strrchr(kernel, '.');
    const struct pattern *pattern = pattern_find(dot ? dot + 1 : kernel);
    return pattern ? pattern : &NONE;
}

bool pattern_only_loads(const struct pattern *pattern) {
    return pattern->loads > 0 && pattern->stores == 0 && !pattern->scattered;
}

bool pattern_is_random(const struct pattern *pattern) {
    return pattern->scattered && pattern->isas != PATTERN_NO_ISA;
}

bool pattern_is_chase(const struct pattern *pattern) {
    return pattern->scattered && pattern->isas == PATTERN_NO_ISA;
}

unsigned pattern_reads(const struct pattern *pattern) {
    return pattern->loads + (pattern->in_place || pattern->nontemporal ? 0 : pattern->stores);
}

const char *pattern_ratio(const struct pattern *pattern, char out[PATTERN_RATIO_BYTES]) {
    if (pattern->loads == 0 || pattern->stores == 0)
        return pattern->loads > 0 ? "loads" : "stores";
    snprintf(out, PATTERN_RATIO_BYTES, "%u load%s : %u store%s", pattern->loads, pattern->loads > 1 ? "s" : "",
             pattern->stores, pattern->stores > 1 ? "s" : "");
    return out;
}
