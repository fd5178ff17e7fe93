/* SPDX-License-Identifier: BSD-3-Clause
 * The busiest pipes of a core whose ports are unknown: they are named after the instructions that need them. A form
 * keeps its own pipes busy for its throughput; whether two forms have pipes in common is unknown. */
#ifndef ASM_INCORE_PIPES_H
#define ASM_INCORE_PIPES_H

#include "core_measured.h"

struct pipe_use {
    const struct core_value *of; /* a form, or one load or store */
    double cycles;
};
struct busiest_pipes {
    double cycles;
    const struct core_value *of; /* NULL: none */
};
/* A form may be there several times. */
struct busiest_pipes pipes_busiest(const struct pipe_use *uses, size_t count);

/* "of addsd": in place of the ports' names. Returns `out`. */
char *pipes_text(const struct busiest_pipes *pipes, char *out, size_t size);

#endif
