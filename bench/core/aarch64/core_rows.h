/* SPDX-License-Identifier: BSD-3-Clause
 * What is measured of AArch64 beside each form of asm/aarch64/forms.h by itself. */
#pragma once

#include "bench/core/core_plan.h"

/* Units written out. Behind a colon of the form, which of its cases: "udiv x: short". */
struct core_unit {
    const char *form; /* of SVE without the length */
    bool chains;
    const char *text;
    unsigned count, instructions; /* under test, 0: one; executed, 0: all */
    enum core_operands with;
    const char *less;
    double scale;       /* 0: 1 */
    cpu_features needs; /* CPU_SVE: once for each length; one length: only there, and the form does not name it */
    bool crosses, helps, renames; /* as of struct core_item */
};
extern const struct core_unit core_units[]; /* up to one without a form */

/* Operands of a form's mnemonic, where those by its element are wrong. */
struct core_exception {
    const char *mnemonics;
    enum core_operands with;
    bool keeps; /* the result of a chain is or-ed with a number from 1 to 2, and so stays there */
};
extern const struct core_exception core_exceptions[]; /* up to one without mnemonics; the first counts */
