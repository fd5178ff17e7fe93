/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions of x86-64 whose time is measured. */
#pragma once

#include "bench/core/core_plan.h"

enum { NO_CHAIN = -1, BY_FLAGS = -2 };

/* Forms: each of the mnemonics with each of the operand lists, by the letters of asm/incore/demand.h. */
struct core_row {
    const char *operands;
    int through; /* the operand by which a chain goes on, 0 for the one that is read and written; NO_CHAIN; BY_FLAGS: it
                    writes flags alone, and a move that they decide changes its first operand */
    enum core_operands with;
    bool keeps; /* the result of a chain is or-ed with a number from 1 to 2, and so stays there */
    int immediate;
    const char *mnemonics; /* "{k}" behind one: masked by k1 */
};
extern const struct core_row core_rows[]; /* up to one without mnemonics */

/* Units written out. Behind a colon of the form, which of its cases: "div q: short". */
struct core_unit {
    const char *form;
    bool chains;
    const char *text;
    unsigned count, instructions; /* under test, 0: one; executed, 0: all */
    unsigned targets;             /* as of struct core_item */
    enum core_operands with;
    const char *less;
    double scale;                 /* 0: 1 */
    bool crosses, helps, renames; /* as of struct core_item */
};
extern const struct core_unit core_units[]; /* up to one without a form */
