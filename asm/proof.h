/* SPDX-License-Identifier: BSD-3-Clause
 * What a kernel's loop was decoded to, and its comparison with the descriptor. The architecture's decode.c decodes. */
#pragma once

#include "instruction.h"
#include "kernel.h"

struct error;

/* An instruction of the loop. */
struct proof_step {
    enum sort sort;
    unsigned flop, data_bytes; /* data_bytes: of its data registers; 0: it has none */
    unsigned load_bytes, store_bytes, accesses;
    bool x87, matrix, outer;
};
void proof_add(struct cost *cost, const struct proof_step *step);

/* The step per iteration of the register that addresses memory, and the accessed bytes relative to its start. */
struct proof_walk {
    int64_t step_bytes, low_bytes, high_bytes;
    bool irregular;
};

/* Reports the first difference. */
bool proof_of_cost(const struct cost *declared, const struct cost *executed, struct error *err);
bool proof_of_walk(const struct kernel *kernel, const struct proof_walk *walk, struct error *err);
