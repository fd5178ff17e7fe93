/* SPDX-License-Identifier: BSD-3-Clause
 * Classes of instructions (see core_classes.h), by the forms of core_rows.c. */
#include "bench/core/core_classes.h"

/* Scalar, of 256 and of 512 bits; `y` and `z`: the operands of the latter. */
#define WIDTHS(name, op, one, many, y, z)                                                                              \
    {name, "scalar", CORE_FLOATS, true, {"v" op one " xxx", op one " xx"}},                                            \
        {name, "256 bits", CORE_FLOATS, true, {"v" op many " " y}}, {                                                  \
        name, "512 bits", CORE_FLOATS, true, {                                                                         \
            "v" op many " " z                                                                                          \
        }                                                                                                              \
    }

/* f32 has rows where other units or other numbers of steps do it. */
const struct core_class core_classes[] = {
    WIDTHS("f64 addition", "add", "sd", "pd", "yyy", "zzz"),
    WIDTHS("f64 multiplication", "mul", "sd", "pd", "yyy", "zzz"),
    {"f64 FMA", "scalar", CORE_FLOATS, true, {"vfmadd231sd xxx"}},
    {"f64 FMA", "256 bits", CORE_FLOATS, true, {"vfmadd231pd yyy"}},
    {"f64 FMA", "512 bits", CORE_FLOATS, true, {"vfmadd231pd zzz"}},
    WIDTHS("f64 division", "div", "sd", "pd", "yyy", "zzz"),
    {"f64 division", "round numbers", CORE_FLOATS, false, {"vdivsd xxx: round"}},
    WIDTHS("f64 square root", "sqrt", "sd", "pd", "yy", "zz"),
    {"f64 square root", "round numbers", CORE_FLOATS, false, {"vsqrtsd xxx: round"}},
    WIDTHS("f32 division", "div", "ss", "ps", "yyy", "zzz"),
    WIDTHS("f32 square root", "sqrt", "ss", "ps", "yy", "zz"),
    {"integer addition", "", CORE_WHOLE_NUMBERS, false, {"add qq"}},
    {"integer multiplication", "", CORE_WHOLE_NUMBERS, true, {"imul qq"}},
    {"integer division", "32 bits", CORE_WHOLE_NUMBERS, true, {"div d"}},
    {"integer division", "64 bits", CORE_WHOLE_NUMBERS, true, {"div q"}},
    {"integer division", "64 bits, short", CORE_WHOLE_NUMBERS, false, {"div q: short"}},
    {"integer division", "64 bits, long", CORE_WHOLE_NUMBERS, false, {"div q: long"}},
    {"shift by a register", "", CORE_WHOLE_NUMBERS, false, {"shlx qqq", "shl qc"}},
    {"bit count", "", CORE_WHOLE_NUMBERS, false, {"popcnt qq"}},
    {"i32 addition", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpaddd yyy"}},
    {"i32 addition", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpaddd zzz"}},
    {"i32 multiplication", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpmulld yyy"}},
    {"i32 multiplication", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpmulld zzz"}},
    {"byte shuffle", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpshufb yyy"}},
    {"byte shuffle", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpshufb zzz"}},
    {"permutation across lanes", "256 bits", CORE_WHOLE_NUMBERS, false, {"vpermd yyy"}},
    {"permutation across lanes", "512 bits", CORE_WHOLE_NUMBERS, false, {"vpermd zzz"}},
    {"load from L1", "", CORE_ACCESSES, true, {"load q", "mov qm"}},
    {"load from L1", "at an index", CORE_ACCESSES, true, {"load indexed"}},
    {"load from L1", "a double", CORE_ACCESSES, true, {"load double"}},
    {"load from L1", "128 bits", CORE_ACCESSES, true, {"load x", "vmovups xm", "movups xm"}},
    {"load from L1", "256 bits", CORE_ACCESSES, true, {"load y", "vmovups ym"}},
    {"load from L1", "512 bits", CORE_ACCESSES, true, {"load z", "vmovups zm"}},
    {"store", "64 bits", CORE_ACCESSES, true, {"mov mq"}},
    {"store", "128 bits", CORE_ACCESSES, true, {"vmovups mx", "movups mx"}},
    {"store", "256 bits", CORE_ACCESSES, true, {"vmovups my"}},
    {"store", "512 bits", CORE_ACCESSES, true, {"vmovups mz"}},
    {"store and load of one place", "", CORE_ACCESSES, true, {"forward q"}},
    {"store and load of one place", "at an index", CORE_ACCESSES, true, {"forward indexed"}},
    {"store and load of one place", "a double", CORE_ACCESSES, true, {"forward double"}},
    {"store and load of one place", "128 bits", CORE_ACCESSES, true, {"forward x"}},
    {"store and load of one place", "256 bits", CORE_ACCESSES, true, {"forward y"}},
    {"store and load of one place", "512 bits", CORE_ACCESSES, true, {"forward z"}},
    {"gather from L1", "4 of 64 bits", CORE_ACCESSES, false, {"vgatherqpd ymy"}},
    {"gather from L1", "8 of 32 bits", CORE_ACCESSES, false, {"vgatherdps ymy"}},
    {"locked addition in L1", "", CORE_ACCESSES, false, {"lock-add mq"}},
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
