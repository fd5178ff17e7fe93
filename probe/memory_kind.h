/* SPDX-License-Identifier: BSD-3-Clause
 * The kinds of memory: of a node (struct memory_node), and of a level of memory, which has the name of its kind. */
#pragma once

#include <stdbool.h>

struct memory_kind {
    const char *name; /* "DRAM" */
    bool ordinary;    /* of the modules whose figures vendors state; of a node without a kind */
    bool fast;        /* in the processor's package */
    bool foreign;     /* of another processor: programs on the CPU keep no data there */
};

/* The kind of this name. Of any other name one without a fact. */
const struct memory_kind *memory_kind_of(const char *name);

/* The kind of a product's memory, by the name of its modules: HBM of "HBM2-2000"; DRAM if it names no kind. */
const struct memory_kind *memory_kind_of_modules(const char *name);
