/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of every mnemonic that has any, indexed by mnemonic. */
#include "effect_table.h"

#define ROW(name, ...) [ZYDIS_MNEMONIC_##name] = {__VA_ARGS__}

/* Vector and scalar forms of one operation, in the existing encodings. */
#define PACKED(name, sort, flop) ROW(name##PD, sort, TYPE_F64, 8, 0, flop), ROW(name##PS, sort, TYPE_F32, 4, 0, flop)
#define SCALAR(name, sort, flop) ROW(name##SD, sort, TYPE_F64, 8, 1, flop), ROW(name##SS, sort, TYPE_F32, 4, 1, flop)
#define HALF(name, sort, flop)   ROW(name##PH, sort, TYPE_F16, 2, 0, flop), ROW(name##SH, sort, TYPE_F16, 2, 1, flop)
#define FORMS(name, sort, flop)  PACKED(name, sort, flop), SCALAR(name, sort, flop)
#define EVERY(name, sort, flop)  FORMS(name, sort, flop), FORMS(V##name, sort, flop), HALF(V##name, sort, flop)

#define FMA_ORDER(name) FORMS(name, SORT_FMA, 2), HALF(name, SORT_FMA, 2)
#define FMA(name)                                                                                                      \
    FMA_ORDER(name##132), FMA_ORDER(name##213), FMA_ORDER(name##231), FORMS(name, SORT_OTHER, 2) /* the last: FMA4 */
#define ALTERNATING_ORDER(name) PACKED(name, SORT_OTHER, 2), ROW(name##PH, SORT_OTHER, TYPE_F16, 2, 0, 2)
#define ALTERNATING(name)                                                                                              \
    ALTERNATING_ORDER(name##132), ALTERNATING_ORDER(name##213), ALTERNATING_ORDER(name##231),                          \
        PACKED(name, SORT_OTHER, 2)

/* Complex numbers of two lanes: a product has 4 multiplications and 2 additions; accumulation adds 2 additions. */
#define COMPLEX(name, flop)                                                                                            \
    ROW(name##CPH, SORT_OTHER, TYPE_F16, 2, 0, flop), ROW(name##CSH, SORT_OTHER, TYPE_F16, 2, 2, flop)

#define DOT(name, sort, type, lane_bytes) ROW(name, sort, type, lane_bytes, 0, 2)
#define X87(name, sort)                   ROW(name, sort, TYPE_F64, 8, 1, 1)
#define NOW3D(name)                       ROW(name, SORT_OTHER, TYPE_F32, 4, 2, 1)

/* The sorts are the kernels' operations; all others are SORT_OTHER. */
const struct operation_effect operation_table[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    EVERY(ADD, SORT_ADD, 1),
    EVERY(SUB, SORT_ADD, 1),
    EVERY(MUL, SORT_MUL, 1),
    EVERY(DIV, SORT_DIV, 1),
    EVERY(SQRT, SORT_SQRT, 1),
    EVERY(MIN, SORT_OTHER, 1),
    EVERY(MAX, SORT_OTHER, 1),
    PACKED(HADD, SORT_OTHER, 1),
    PACKED(VHADD, SORT_OTHER, 1),
    PACKED(HSUB, SORT_OTHER, 1),
    PACKED(VHSUB, SORT_OTHER, 1),
    PACKED(ADDSUB, SORT_OTHER, 1),
    PACKED(VADDSUB, SORT_OTHER, 1),
    PACKED(DP, SORT_OTHER, 2),
    PACKED(VDP, SORT_OTHER, 2),
    FORMS(VRANGE, SORT_OTHER, 1), /* the smaller or the greater of two, optionally by magnitude */
    FORMS(VSCALEF, SORT_OTHER, 1),
    HALF(VSCALEF, SORT_OTHER, 1),

    ROW(RCPPS, SORT_OTHER, TYPE_F32, 4, 0, 1),
    ROW(RCPSS, SORT_OTHER, TYPE_F32, 4, 1, 1),
    ROW(VRCPPS, SORT_OTHER, TYPE_F32, 4, 0, 1),
    ROW(VRCPSS, SORT_OTHER, TYPE_F32, 4, 1, 1),
    ROW(RSQRTPS, SORT_OTHER, TYPE_F32, 4, 0, 1),
    ROW(RSQRTSS, SORT_OTHER, TYPE_F32, 4, 1, 1),
    ROW(VRSQRTPS, SORT_OTHER, TYPE_F32, 4, 0, 1),
    ROW(VRSQRTSS, SORT_OTHER, TYPE_F32, 4, 1, 1),
    FORMS(VRCP14, SORT_OTHER, 1),
    FORMS(VRSQRT14, SORT_OTHER, 1),
    FORMS(VRCP28, SORT_OTHER, 1),
    FORMS(VRSQRT28, SORT_OTHER, 1),
    PACKED(VEXP2, SORT_OTHER, 1),
    HALF(VRCP, SORT_OTHER, 1),
    HALF(VRSQRT, SORT_OTHER, 1),

    FMA(VFMADD),
    FMA(VFMSUB),
    FMA(VFNMADD),
    FMA(VFNMSUB),
    ALTERNATING(VFMADDSUB),
    ALTERNATING(VFMSUBADD),
    ROW(V4FMADDPS, SORT_OTHER, TYPE_F32, 4, 0, 8), /* four steps each */
    ROW(V4FMADDSS, SORT_OTHER, TYPE_F32, 4, 1, 8),
    ROW(V4FNMADDPS, SORT_OTHER, TYPE_F32, 4, 0, 8),
    ROW(V4FNMADDSS, SORT_OTHER, TYPE_F32, 4, 1, 8),
    COMPLEX(VFMADD, 4),
    COMPLEX(VFCMADD, 4),
    COMPLEX(VFMUL, 3),
    COMPLEX(VFCMUL, 3),

    DOT(VDPBF16PS, SORT_DOT, TYPE_BF16, 2),
    DOT(VPDPBUSD, SORT_DOT, TYPE_I8, 1),
    DOT(VPDPBUSDS, SORT_OTHER, TYPE_I8, 1),
    DOT(VPDPWSSD, SORT_DOT, TYPE_I16, 2),
    DOT(VPDPWSSDS, SORT_OTHER, TYPE_I16, 2),
    ROW(VP4DPWSSD, SORT_OTHER, TYPE_I16, 2, 0, 8),
    ROW(VP4DPWSSDS, SORT_OTHER, TYPE_I16, 2, 0, 8),
    DOT(TDPBF16PS, SORT_DOT, TYPE_BF16, 2),
    DOT(TDPBUSD, SORT_DOT, TYPE_I8, 1),
    DOT(TDPBSSD, SORT_OTHER, TYPE_I8, 1),
    DOT(TDPBSUD, SORT_OTHER, TYPE_I8, 1),
    DOT(TDPBUUD, SORT_OTHER, TYPE_I8, 1),

    X87(FADD, SORT_ADD),
    X87(FADDP, SORT_ADD),
    X87(FIADD, SORT_OTHER),
    X87(FSUB, SORT_ADD),
    X87(FSUBP, SORT_ADD),
    X87(FSUBR, SORT_ADD),
    X87(FSUBRP, SORT_ADD),
    X87(FISUB, SORT_OTHER),
    X87(FISUBR, SORT_OTHER),
    X87(FMUL, SORT_MUL),
    X87(FMULP, SORT_MUL),
    X87(FIMUL, SORT_OTHER),
    X87(FDIV, SORT_DIV),
    X87(FDIVP, SORT_DIV),
    X87(FDIVR, SORT_DIV),
    X87(FDIVRP, SORT_DIV),
    X87(FIDIV, SORT_OTHER),
    X87(FIDIVR, SORT_OTHER),
    X87(FSQRT, SORT_SQRT),
    X87(FSCALE, SORT_OTHER),
    X87(FPREM, SORT_OTHER),
    X87(FPREM1, SORT_OTHER),
    X87(F2XM1, SORT_OTHER),
    X87(FYL2X, SORT_OTHER),
    X87(FYL2XP1, SORT_OTHER),
    X87(FSIN, SORT_OTHER),
    X87(FCOS, SORT_OTHER),
    X87(FSINCOS, SORT_OTHER),
    X87(FPTAN, SORT_OTHER),
    X87(FPATAN, SORT_OTHER),

    NOW3D(PFADD),
    NOW3D(PFSUB),
    NOW3D(PFSUBR),
    NOW3D(PFMUL),
    NOW3D(PFACC),
    NOW3D(PFNACC),
    NOW3D(PFPNACC),
    NOW3D(PFMIN),
    NOW3D(PFMAX),
    NOW3D(PFRCP),
    NOW3D(PFSQRT),
};
