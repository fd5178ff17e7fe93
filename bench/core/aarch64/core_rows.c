/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of measured instructions (see core_rows.h). Registers as in core_plan.c of this folder: x2 and v0 are the
 * chain's, x12 to x14 and v28 to v30 constants, v31 what is or-ed in, x15 the table. */
#include "core_rows.h"

#include "asm/aarch64/forms.h"

const struct core_exception core_exceptions[] = {
    {"fdiv fsqrt", CORE_DOUBLES, true},
    {"udiv sdiv", CORE_INTEGERS, true},
    {"fcvt fcvtl fcvtn fcvtn2 fcvtzs fcvtzu fcvtas fjcvtzs scvtf ucvtf bfcvt bfcvtn frinta frintm frinti frintn frintx "
     "fexpa",
     CORE_ZEROS, false},
    {"bfdot bfmmla bfmlalb fmlal fmlalb", CORE_SINGLES, false},
    {0},
};

/* Both ways between two kinds of registers: each has half of the time. */
#define WAYS(to, back, both, of)                                                                                       \
    {.form = to, .chains = true, .text = both, .scale = 0.5, .crosses = true, .needs = of}, {                          \
        .form = back, .chains = true, .text = both, .scale = 0.5, .crosses = true, .needs = of                         \
    }
/* Powers of 4, whose quotients and roots are exact. */
#define ROUND(op, form_of, one, many)                                                                                  \
    {.form = form_of ": round",                                                                                        \
     .chains = true,                                                                                                   \
     .text = op " " one "; orr v0.16b, v0.16b, v31.16b",                                                               \
     .with = CORE_ROUND,                                                                                               \
     .less = "orr 16b"},                                                                                               \
    {                                                                                                                  \
        .form = form_of ": round", .text = op " " many, .count = 2, .with = CORE_ROUND                                 \
    }
/* Dividends of another length. */
#define DIVIDED(op, x, name, operands)                                                                                 \
    {.form = op " " x ": " name,                                                                                       \
     .chains = true,                                                                                                   \
     .text = op " " x "2, " x "2, " x "13; orr " x "2, " x "2, " x "12",                                               \
     .with = operands,                                                                                                 \
     .less = "orr " x},                                                                                                \
    {                                                                                                                  \
        .form = op " " x ": " name, .count = 2,                                                                        \
        .text = op " " x "2, " x "12, " x "13; " op " " x "3, " x "12, " x "13", .with = operands                      \
    }
/* Vector loads: the first element loaded is the next address. */
#define CHASED(name, text_of, of)                                                                                      \
    {                                                                                                                  \
        .form = name, .chains = true, .text = text_of "; fmov x2, d0", .with = CORE_CHASE, .less = "fmov x.d",         \
        .needs = of, .crosses = true                                                                                   \
    }

/* clang-format off */
const struct core_unit core_units[] = {
    WAYS("fmov d.x", "fmov x.d", "fmov d0, x2; fmov x2, d0", 0),
    WAYS("whilelo p.d", "cntp x.p", "whilelo p1.d, x13, x2; cntp x2, p0, p1.d", CPU_SVE),
    WAYS("cmpne p.di", "mov z.p", "cmpne p1.d, p0/z, z0.d, #0; mov z0.d, p1/z, #1", CPU_SVE),
    DIVIDED("udiv", "x", "short", CORE_SMALL),
    DIVIDED("udiv", "x", "long", CORE_LARGE),
    DIVIDED("udiv", "w", "short", CORE_SMALL),
    ROUND("fdiv", "fdiv d", "d0, d0, d29", "d0, d31, d29; fdiv d1, d31, d29"),
    ROUND("fdiv", "fdiv 2d", "v0.2d, v0.2d, v29.2d", "v0.2d, v31.2d, v29.2d; fdiv v1.2d, v31.2d, v29.2d"),
    ROUND("fsqrt", "fsqrt d", "d0, d0", "d0, d29; fsqrt d1, d29"),
    ROUND("fsqrt", "fsqrt 2d", "v0.2d, v0.2d", "v0.2d, v29.2d; fsqrt v1.2d, v29.2d"),
    /* Each waits for the one before it. */
    {.form = "ldadd x", .chains = true, .text = "ldadd x12, x2, [x15]"},
    {.form = "ldaddal x", .chains = true, .text = "ldaddal x12, x2, [x15]"},
    {.form = "swp x", .chains = true, .text = "swp x2, x2, [x15]"},
    {.form = "cas x", .chains = true, .text = "cas x2, x12, [x15]"},
    /* The head: loads and stores in flight, renaming, branches. Renaming cannot follow a place whose index changes. */
    {.form = "load q", .chains = true, .text = "ldr x2, [x2, #0]", .with = CORE_CHASE},
    {.form = "load indexed", .chains = true, .text = "ldr x2, [x3, x2, lsl #3]", .with = CORE_INDEX},
    CHASED("load double", "ldr d0, [x2, #0]", 0),
    CHASED("load x", "ldr q0, [x2, #0]", 0),
    CHASED("load y", "ld1d { z0.d }, p0/z, [x2, #0, mul vl]", CPU_SVE256),
    CHASED("load z", "ld1d { z0.d }, p0/z, [x2, #0, mul vl]", CPU_SVE512),
    {.form = "forward q", .chains = true, .text = "str x2, [x15, #64]; ldr x2, [x15, #64]; mul x2, x2, x12",
     .less = "mul x", .renames = true},
    {.form = "forward indexed", .chains = true,
     .text = "str x2, [x15, x14, lsl #3]; ldr x2, [x15, x14, lsl #3]; mul x2, x2, x12; eor x14, x14, #0xff",
     .less = "mul x", .renames = true},
    {.form = "forward double", .chains = true, .text = "str d0, [x15, #64]; ldr d0, [x15, #64]"},
    {.form = "forward x", .chains = true, .text = "str q0, [x15, #64]; ldr q0, [x15, #64]"},
    {.form = "forward y", .chains = true, .needs = CPU_SVE256,
     .text = "st1d { z0.d }, p0, [x15, #1, mul vl]; ld1d { z0.d }, p0/z, [x15, #1, mul vl]"},
    {.form = "forward z", .chains = true, .needs = CPU_SVE512,
     .text = "st1d { z0.d }, p0, [x15, #1, mul vl]; ld1d { z0.d }, p0/z, [x15, #1, mul vl]"},
    {.form = "move q", .chains = true, .text = "mov x3, x2; mov x2, x3", .count = 2},
    {.form = "move x", .chains = true, .text = "mov v1.16b, v0.16b; mov v0.16b, v1.16b", .count = 2},
    {.form = "zero q", .text = "mov x2, #0; mov x3, #0; mov x4, #0; mov x5, #0", .count = 4},
    {.form = "zero x", .count = 4,
     .text = "movi v0.2d, #0000000000000000; movi v1.2d, #0000000000000000; movi v2.2d, #0000000000000000; "
             "movi v3.2d, #0000000000000000"},
    {.form = "add constant", .chains = true, .text = "add x2, x2, #5"},
    {.form = "nop", .text = "nop; nop; nop; nop", .count = 4},
    {.form = "taken branch", .text = "b #16; nop; nop; nop", .instructions = 1},
    {.form = "predicted branch", .chains = true, .text = "mul x2, x2, x4; add x2, x2, x5; tst x2, x6; b.eq #8; nop",
     .with = CORE_PREDICTED, .helps = true},
    {.form = "mispredict", .chains = true, .text = "mul x2, x2, x4; add x2, x2, x5; tst x2, x6; b.eq #8; nop",
     .with = CORE_RANDOM, .less = "predicted branch", .scale = 2}, /* every other branch */
    {0},
};
/* clang-format on */
