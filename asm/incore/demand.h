/* SPDX-License-Identifier: BSD-3-Clause
 * What one instruction asks of a core: the form that the cores' tables know, the registers that it connects, and its
 * memory access. Each architecture has its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEMAND_FORM_BYTES = 40, DEMAND_REGISTERS_MOST = 12, DEMAND_REGISTERS = 96 };

/* Registers of a stack have these numbers, counted from its top. An instruction that pushes reads by the numbers before
 * the push, and writes by those after it; one that pops reads and writes by the numbers before the pop. */
enum { DEMAND_STACK = 64, DEMAND_STACK_DEPTH = 8 };

struct demand_registers {
    unsigned count;
    uint8_t of[DEMAND_REGISTERS_MOST]; /* numbers from 1 on; any part of a register is the whole one */
};
struct demand_address { /* base + scale × index + displacement; register 0: none, also if code is the base */
    uint8_t base, index;
    unsigned scale;
    int64_t displacement;
};
struct instruction_demand {
    unsigned length_bytes;
    char form[DEMAND_FORM_BYTES]; /* mnemonic and a letter per operand, "vfmadd231pd yym": x, y, z vectors of 128, 256
                                     and 512 bits; b, w, d, q general registers of 8 to 64; c the register cl as a shift
                                     count; k masks; f x87; i a constant; m memory; a an address, A one of three
                                     parts, s and S these with a scaled index. A masked form is the plain one;
                                     prefixes come first ("lock-add md", "rep-stosb") */
    char data; /* the letter of its memory's data: q, x, y, z, f of x87; of the first vector register if any */
    unsigned loads, stores;                /* accesses: 1, or the elements of a gather or scatter; 0: none */
    struct demand_registers reads, writes; /* data; not the registers of an address */
    uint8_t mask;                          /* of `reads`, the one that chooses elements; 0: none */
    struct demand_address address;         /* of `loads` and `stores`, if not that of the stack; a constant has none */
    bool addressed;                        /* `address` is the memory's, and known */
    bool based;                            /* its base is a register, which is all but the displacement */
    bool independent;                      /* of what it reads: a register minus itself */
    bool zeroes;                           /* and the result is zero, so that renaming gives it */
    bool moves;                            /* copies a whole register to another one, which renaming can do */
    bool exchanges;                        /* the two registers of a stack that it writes, which renaming can do */
    uint8_t pushes, pops;                  /* registers of the stack */
    bool computes_address;                 /* `address` is its result's, not a memory access */
    bool steps;                            /* adds the constant `step` to the register that it writes */
    int64_t step;
    bool sets_flags;        /* its flags a branch behind it may use in one operation */
    bool branches_on_flags; /* such a branch */
};

/* The code of an instruction at `address`. False: no known instruction. */
bool demand_find(const void *code, size_t code_bytes, uint64_t address, struct instruction_demand *out);

/* Whether a called function keeps a register's value, by the platform's convention. */
bool demand_kept_by_calls(unsigned number);
