/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of instructions (see core_classes.h), by the forms of each architecture: all results are read everywhere. */
#include "core_classes.h"

/* Scalar, of 128, 256 and 512 bits. `y` and `z`: the operands of the latter on x86-64, which does 128 as it does 256;
 * `arm` with `d` of one element, `v` of 128 bits. */
#define WIDTHS(name, op, one, many, y, z, arm, d, v)                                                                   \
    {name, "scalar", CORE_FLOATS, true, {"v" op one " xxx", op one " xx", arm " " d}},                                 \
        {name, "128 bits", CORE_FLOATS, true, {arm " " v}},                                                            \
        {name, "256 bits", CORE_FLOATS, true, {"v" op many " " y, arm " z256." d}}, {                                  \
        name, "512 bits", CORE_FLOATS, true, {                                                                         \
            "v" op many " " z, arm " z512." d                                                                          \
        }                                                                                                              \
    }

/* f32 has rows where other units or other numbers of steps do it. */
const struct core_class core_classes[] = {
    WIDTHS("f64 addition", "add", "sd", "pd", "yyy", "zzz", "fadd", "d", "2d"),
    WIDTHS("f64 multiplication", "mul", "sd", "pd", "yyy", "zzz", "fmul", "d", "2d"),
    {"f64 FMA", "scalar", CORE_FLOATS, true, {"vfmadd231sd xxx", "fmadd d"}},
    {"f64 FMA", "128 bits", CORE_FLOATS, true, {"fmla 2d"}},
    {"f64 FMA", "256 bits", CORE_FLOATS, true, {"vfmadd231pd yyy", "fmla z256.d"}},
    {"f64 FMA", "512 bits", CORE_FLOATS, true, {"vfmadd231pd zzz", "fmla z512.d"}},
    WIDTHS("f64 division", "div", "sd", "pd", "yyy", "zzz", "fdiv", "d", "2d"),
    {"f64 division", "round numbers", CORE_FLOATS, false, {"vdivsd xxx: round", "fdiv d: round"}},
    WIDTHS("f64 square root", "sqrt", "sd", "pd", "yy", "zz", "fsqrt", "d", "2d"),
    {"f64 square root", "round numbers", CORE_FLOATS, false, {"vsqrtsd xxx: round", "fsqrt d: round"}},
    WIDTHS("f32 division", "div", "ss", "ps", "yyy", "zzz", "fdiv", "s", "4s"),
    WIDTHS("f32 square root", "sqrt", "ss", "ps", "yy", "zz", "fsqrt", "s", "4s"),
    {"integer addition", "", CORE_WHOLE_NUMBERS, false, {"add qq", "add x"}},
    {"integer multiplication", "", CORE_WHOLE_NUMBERS, true, {"imul qq", "mul x"}},
    {"integer division", "32 bits", CORE_WHOLE_NUMBERS, true, {"div d", "udiv w"}},
    {"integer division", "64 bits", CORE_WHOLE_NUMBERS, true, {"div q", "udiv x"}},
    {"integer division", "64 bits, short", CORE_WHOLE_NUMBERS, false, {"div q: short", "udiv x: short"}},
    {"integer division", "64 bits, long", CORE_WHOLE_NUMBERS, false, {"div q: long", "udiv x: long"}},
    {"shift by a register", "", CORE_WHOLE_NUMBERS, false, {"shlx qqq", "shl qc", "lsl x"}},
    {"bit count", "", CORE_WHOLE_NUMBERS, false, {"popcnt qq"}},
    {"i32 addition", "128 bits", CORE_WHOLE_NUMBERS, false, {"add 4s"}},
    {"i32 addition", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpaddd yyy", "add z256.s"}},
    {"i32 addition", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpaddd zzz", "add z512.s"}},
    {"i32 multiplication", "128 bits", CORE_WHOLE_NUMBERS, false, {"mul 4s"}},
    {"i32 multiplication", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpmulld yyy", "mul z256.s/m"}},
    {"i32 multiplication", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpmulld zzz", "mul z512.s/m"}},
    {"byte shuffle", "128 bits", CORE_WHOLE_NUMBERS, false, {"tbl 16b"}},
    {"byte shuffle", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpshufb yyy", "tbl z256.b"}},
    {"byte shuffle", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpshufb zzz", "tbl z512.b"}},
    {"permutation across lanes", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpermd yyy", "tbl z256.s"}},
    {"permutation across lanes", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpermd zzz", "tbl z512.s"}},
    {"load from L1", "", CORE_ACCESSES, true, {"load q", "mov qm", "ldr x"}},
    {"load from L1", "at an index", CORE_ACCESSES, true, {"load indexed"}},
    {"load from L1", "a double", CORE_ACCESSES, true, {"load double"}},
    {"load from L1", "128 bits", CORE_ACCESSES, true, {"load x", "vmovups xm", "movups xm", "ldr q"}},
    {"load from L1", "256 bits", CORE_ACCESSES, true, {"load y", "vmovups ym", "ld1d z256"}},
    {"load from L1", "512 bits", CORE_ACCESSES, true, {"load z", "vmovups zm", "ld1d z512"}},
    {"store", "64 bits", CORE_ACCESSES, true, {"mov mq", "str x"}},
    {"store", "128 bits", CORE_ACCESSES, true, {"vmovups mx", "movups mx", "str q"}},
    {"store", "256 bits", CORE_ACCESSES, true, {"vmovups my", "st1d z256"}},
    {"store", "512 bits", CORE_ACCESSES, true, {"vmovups mz", "st1d z512"}},
    {"store and load of one place", "", CORE_ACCESSES, true, {"forward q"}},
    {"store and load of one place", "at an index", CORE_ACCESSES, true, {"forward indexed"}},
    {"store and load of one place", "a double", CORE_ACCESSES, true, {"forward double"}},
    {"store and load of one place", "128 bits", CORE_ACCESSES, true, {"forward x"}},
    {"store and load of one place", "256 bits", CORE_ACCESSES, true, {"forward y"}},
    {"store and load of one place", "512 bits", CORE_ACCESSES, true, {"forward z"}},
    {"gather from L1", "4 of 64 bits", CORE_ACCESSES, false, {"vgatherqpd ymy", "ld1d z256.gather"}},
    {"gather from L1", "8 of 32 bits", CORE_ACCESSES, false, {"vgatherdps ymy", "ld1w z256.gather"}},
    {"locked addition in L1", "", CORE_ACCESSES, false, {"lock-add mq", "ldaddal x"}},
    {"string store", "64 bytes", CORE_ACCESSES, false, {"rep-stosb: 64 bytes"}},
    {"string store", "4096 bytes", CORE_ACCESSES, false, {"rep-stosb: 4096 bytes"}},
    {"string copy", "64 bytes", CORE_ACCESSES, false, {"rep-movsb: 64 bytes"}},
    {"string copy", "4096 bytes", CORE_ACCESSES, false, {"rep-movsb: 4096 bytes"}},
    {"mispredicted branch", "", CORE_FLOW, true, {"mispredict"}},
    {"taken branch", "", CORE_FLOW, true, {"taken branch"}},
    {"renaming of an instruction", "", CORE_FLOW, true, {"nop"}},
    {"copy", "general register", CORE_FLOW, false, {"move q"}},
    {"copy", "vector register", CORE_FLOW, false, {"move x"}},
    {"zeroed register", "general", CORE_FLOW, false, {"zero q"}},
    {"zeroed register", "vector", CORE_FLOW, false, {"zero x"}},
    {"sum with a small constant", "", CORE_FLOW, false, {"add constant"}},
    {0},
};
