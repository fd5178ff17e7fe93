/* SPDX-License-Identifier: BSD-3-Clause
 * The longest chain of dependent instructions from one iteration of a loop to the next, on a core without limits: the
 * iterations are run on paper, each instruction as soon as its inputs are there. */
#pragma once

#include "core_table.h"

struct chain_link { /* an instruction of one iteration, in the order of execution */
    const struct instruction_demand *demand;
    const struct core_form *form; /* NULL: unknown: its result is there at once */
    bool calls;                   /* ends all chains: the called function's time is not the loop's own */
};
struct loop_chain {
    double cycles;         /* per iteration */
    double memory_cycles;  /* of these: loads from L1, and from stores in flight */
    double forward_cycles; /* of these: from stores */
    double strided;        /* share of the accesses to memory whose address changes by the same small amount each time;
                              0: none, or unknown */
    double *of;            /* by link, its part of `cycles`; allocated */
    double *inputs;        /* by link, when its inputs are there if all earlier iterations have ended; allocated */
};
void chain_find(const struct core_table *table, const struct chain_link *links, size_t count, struct loop_chain *out);
