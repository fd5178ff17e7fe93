/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a core needs for the code of a loop when all its data is in L1: by its ports (or the pipes that are
 * known by their instructions alone), by renaming, by units
 * without a pipeline, and by the longest chain of instructions from one iteration to the next. Each is a lower bound,
 * the largest one binds. Pure.
 *
 * Ports: the busiest set of ports, as of documented limits (probe/uarch.h). The chain follows the loop's main path
 * through registers, flags, and through memory where a load reads what a store with an equal address has written. */
#pragma once

#include "core_table.h"
#include "pipes.h"

struct loop_instruction {
    uint64_t address;
    const uint8_t *code;
    unsigned code_bytes;
    double executions; /* per iteration */
};
enum in_core_bound { IN_CORE_PORTS, IN_CORE_RENAMING, IN_CORE_DIVIDER, IN_CORE_CHAIN, IN_CORE_BOUNDS };

struct in_core {
    double cycles[IN_CORE_BOUNDS]; /* per iteration */
    double fetch_cycles; /* lines of code that the main path enters, one per cycle; 0: unknown. No bound: a core
                            may keep a short loop's decoded instructions at hand */
    double rarer_ways; /* of its branches within the loop: executions of the rarer way, per iteration. A predictor that
                          always expects the other way is wrong that often */
    double rarer_wait; /* cycles that these wait for their inputs: a wrongly expected branch's are not there yet */
    double calls;      /* of functions, per iteration */
    double strided;    /* share of the main path's accesses to memory at constant strides; 0: none, or unknown */
    double taken;      /* branches that are always taken, per iteration: jumps, and the way back */
    uint64_t ports;    /* the busiest set */
    struct busiest_pipes pipes;  /* in its place where the ports are unknown */
    double instructions;         /* per iteration */
    double unknown;              /* of these, unknown to the table: they count at renaming alone */
    double chain_memory_cycles;  /* of the chain: through loads from L1, and from stores in flight */
    double chain_forward_cycles; /* of these: from stores */
    unsigned chain_count;        /* instructions of the chain; 0: the path is unknown (it ends in other functions) */
    struct in_core_instruction { /* in the order of the input */
        double chain_cycles;     /* its part of the chain, per iteration; 0: not on it */
        double ports_cycles;     /* its operations on the busiest set, per iteration, over that set's ports */
        double inputs_cycles;    /* from the begin of its iteration, if all earlier ones have ended */
    } * of;                      /* allocated */
};

/* `instructions`: of the loop without inner loops, by address; `header`: where an iteration begins; `issue_width`: of
 * renaming, 0 if unknown. */
void in_core_find(const struct core_table *table, unsigned issue_width, const struct loop_instruction *instructions,
                  size_t count, uint64_t header, struct in_core *out);
void in_core_free(struct in_core *in_core);
