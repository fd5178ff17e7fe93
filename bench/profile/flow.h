/* SPDX-License-Identifier: BSD-3-Clause
 * How a program's blocks led to each other: each block of a dump, what it does as far as loops are concerned, and where
 * its last instruction leads. Blocks may overlap: where a branch leads into the middle of one, the rest of it is a
 * block of its own. */
#ifndef BENCH_PROFILE_FLOW_H
#define BENCH_PROFILE_FLOW_H

#include <stdbool.h>

#include "code_instructions.h"

enum { FLOW_WAYS = 2 }; /* on from a block */
#define FLOW_NOWHERE ((size_t)-1)

struct flow_block {
    uint64_t address, end; /* end: behind its last instruction */
    size_t block;          /* of the dump */
    uint32_t object;
    uint64_t executions;
    size_t next[FLOW_WAYS]; /* blocks that it leads to: the one behind it, and by its jump; FLOW_NOWHERE */
    size_t calls;           /* the block that it calls at its end; FLOW_NOWHERE */
    enum flow leaves;       /* where its last instruction leads */
    bool pauses;
    bool returns;       /* or leads where nobody knows */
    bool jumps_unknown; /* of these, by a jump through a register or memory */
    bool calls_unknown; /* through a register or memory */
    bool calls_any;
    bool innocent; /* it neither computes nor stores where others see it */
};
struct code_flow {
    size_t count;
    struct flow_block *blocks; /* by rising address */
};

/* Of a dump that was checked, and of its code. Code that does not decode leads away. */
void flow_build(const struct dump *dump, const struct code_block *code, struct code_flow *out);
void flow_free(struct code_flow *flow);

/* The first block at or behind the address; `count` where there is none. */
size_t flow_from(const struct code_flow *flow, uint64_t address);

#endif
