/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions that are thought to have the same pipes, so that one of them can stand for all where pipes are compared:
 * which classes share pipes is measured by pairs of these. A form whose throughput is another than its class's is not
 * of it on that core. Each architecture has its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct pipe_class {
    const char *form;      /* that stands for it */
    const char *operands;  /* lists of letters, as in demand.h */
    const char *mnemonics; /* with each of these lists */
};
extern const struct pipe_class pipe_classes[];
extern const size_t pipe_class_count;

/* NULL: of none. */
const struct pipe_class *pipe_class_of(const char *form);
