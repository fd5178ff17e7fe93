/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of a memory system. */
#include "memory_system.h"

#include <stdlib.h>

const char *const memory_part_names[] = {"loaded", "mlp", "cores", "writes", "pages", NULL};

void memory_system_free(struct memory_system *memory) {
    for (size_t i = 0; i < memory->series_count; i++)
        free(memory->series[i].points);
    free(memory->series);
    free(memory->pairs);
    *memory = (struct memory_system){0};
}
