/* SPDX-License-Identifier: BSD-3-Clause
 * How many parts of a machine are stored at most (machine.h). */
#pragma once

enum {
    MACHINE_MAX_CACHES = 4,
    MACHINE_MAX_MEMORIES = 5, /* kinds of memory: "DRAM", "HBM", … */
    MACHINE_MAX_LEVELS = MACHINE_MAX_CACHES + MACHINE_MAX_MEMORIES,
    MACHINE_MAX_SHAPES = 8,
    MACHINE_MAX_KINDS = 8,
    MACHINE_MAX_NODES = 1024,
    MACHINE_MAX_PUS = 8, /* of a core */
};
