/* SPDX-License-Identifier: BSD-3-Clause
 * Looks up instruction sets and CPU features by name. It does not query the CPU, so the build-time generator can
 * link it alone; probe/cpu.h queries the CPU. */
#include "isa.h"

#include <string.h>

const struct isa *isa_find(const char *name) {
    for (size_t i = 0; i < isa_count; i++)
        if (strcmp(isa_table[i].name, name) == 0)
            return &isa_table[i];
    return NULL;
}

const char *cpu_feature_name(uint32_t bit) {
    for (size_t i = 0; cpu_feature_names[i].name; i++)
        if (cpu_feature_names[i].bit == bit)
            return cpu_feature_names[i].name;
    return NULL;
}

uint32_t cpu_feature_find(const char *name) {
    for (size_t i = 0; cpu_feature_names[i].name; i++)
        if (strcmp(cpu_feature_names[i].name, name) == 0)
            return cpu_feature_names[i].bit;
    return 0;
}
