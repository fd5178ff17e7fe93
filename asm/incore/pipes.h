/* SPDX-License-Identifier: BSD-3-Clause
 * The busiest pipes of a core whose ports are unknown: they are named after the instructions that need them. A form
 * keeps its own pipes busy for its throughput. What forms share was measured by pairs (core_measured.h): forms that
 * share all pipes need them one after the other; of two that share a part, the shorter one waits for that part of the
 * longer one. Nothing is known of other forms, so the result is a lower bound. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core_measured.h"
#include "core_table.h"

enum { PIPES_FORMS_MOST = 16 };

struct pipe_use {
    const struct core_value *of; /* a form, or one load or store */
    double cycles;
};
struct busiest_pipes {
    double cycles;
    double part;    /* of the sum of its forms' cycles */
    unsigned count; /* of forms, the longest first */
    const struct core_value *of[PIPES_FORMS_MOST];
};
/* A form may be there several times. */
struct busiest_pipes pipes_busiest(const struct core_measured *measured, const struct pipe_use *uses, size_t count);

/* The share of a use in the busiest pipes' cycles; 0: it needs others. */
double pipes_part(const struct busiest_pipes *pipes, const struct pipe_use *use);

/* "of addsd, mulsd": in place of the ports' names, as many as there is room for. Returns `out`. */
char *pipes_text(const struct busiest_pipes *pipes, char *out, size_t size);

/* The busiest set of ports: operations that only these ports can do need at least their sum over the number of ports.
 */

struct busiest_ports {
    uint64_t ports;
    double cycles;
};
/* Of uses with equal or overlapping sets; the smallest set if several need as long. */
struct busiest_ports ports_busiest(const struct core_use *uses, size_t count);

/* Instructions that are thought to have the same pipes, so that one of them can stand for all where pipes are compared:
 * which classes share pipes is measured by pairs of these. A form whose throughput is another than its class's is not
 * of it on that core. */

struct pipe_class {
    const char *form;      /* that stands for it */
    const char *operands;  /* lists of letters, as in demand.h */
    const char *mnemonics; /* with each of these lists */
};
extern const struct pipe_class pipe_classes[];
extern const size_t pipe_class_count;

/* NULL: of none. */
const struct pipe_class *pipe_class_of(const char *form);
