/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of measured instructions (see core_rows.h). Registers as in core_plan.c of this folder: r8 and xmm0 are
 * the chain's, rsi and xmm13 to xmm14 constants, rdi the data with its table at +4096. */
#include "core_rows.h"

#define XYZ3 "xxx yyy zzz"
#define XYZ2 "xx yy zz"

const struct core_row core_rows[] = {
    /* General registers. */
    {"qq dd", 0, CORE_INTEGERS, false, 0, "add sub xor and or imul adc sbb"},
    {"qi di", 0, CORE_INTEGERS, false, 0x12345, "add sub xor and or"},
    {"q d", 0, CORE_INTEGERS, false, 0, "inc dec neg not bswap"},
    {"qi di", 0, CORE_INTEGERS, false, 3, "shl shr sar rol ror"},
    {"qc dc", 0, CORE_INTEGERS, false, 0, "shl shr sar rol ror"},
    {"qqi ddi", 0, CORE_INTEGERS, false, 3, "shld shrd"},
    {"qqi ddi", 1, CORE_INTEGERS, false, 7, "imul rorx"},
    {"qqq ddd", 1, CORE_INTEGERS, false, 0, "andn bextr bzhi shlx shrx sarx pdep pext"},
    {"qq dd", 1, CORE_INTEGERS, false, 0, "popcnt lzcnt tzcnt blsr blsi blsmsk bsf bsr"},
    {"qq dd", 0, CORE_INTEGERS, false, 0, "cmovz cmovb cmovnbe cmovl adcx adox"},
    {"qq dd", 0, CORE_INTEGERS, false, 0, "crc32"},
    {"db dw qb qw", 1, CORE_INTEGERS, false, 0, "movzx movsx"},
    {"qd", 1, CORE_INTEGERS, false, 0, "movsxd"},
    {"qa da qs ds qA dA qS dS", 1, CORE_INTEGERS, false, 0, "lea"},
    {"b", NO_CHAIN, CORE_INTEGERS, false, 0, "setz setnbe setl"},
    {"qq dd", BY_FLAGS, CORE_INTEGERS, false, 0, "cmp test"},
    {"qi di", BY_FLAGS, CORE_INTEGERS, false, 3, "cmp test"},
    {"qi di", NO_CHAIN, CORE_INTEGERS, false, 3, "bt mov"},
    {"qm dm", NO_CHAIN, CORE_INTEGERS, false, 0, "mov"},
    {"mq md", NO_CHAIN, CORE_INTEGERS, false, 0, "mov"},
    {"db dw", NO_CHAIN, CORE_INTEGERS, false, 0, "movzx"},
    /* Scalar and packed arithmetic, without and with VEX and EVEX. */
    {"xx", 0, CORE_DOUBLES, false, 0, "addsd subsd mulsd minsd maxsd addpd subpd mulpd minpd maxpd haddpd addsubpd"},
    {"xx", 0, CORE_SINGLES, false, 0, "addss subss mulss minss maxss addps subps mulps minps maxps haddps addsubps"},
    {"xx", 0, CORE_DOUBLES, true, 0, "divsd divpd"},
    {"xx", 0, CORE_SINGLES, true, 0, "divss divps"},
    {"xx", 1, CORE_DOUBLES, true, 0, "sqrtsd sqrtpd"},
    {"xx", 1, CORE_SINGLES, true, 0, "sqrtss sqrtps"},
    {"xxx", 1, CORE_DOUBLES, false, 0, "vaddsd vsubsd vmulsd vminsd vmaxsd"},
    {"xxx", 1, CORE_SINGLES, false, 0, "vaddss vsubss vmulss vminss vmaxss"},
    {"xxx", 1, CORE_DOUBLES, true, 0, "vdivsd"},
    {"xxx", 1, CORE_SINGLES, true, 0, "vdivss"},
    {"xxx", 2, CORE_DOUBLES, true, 0, "vsqrtsd"},
    {"xxx", 2, CORE_SINGLES, true, 0, "vsqrtss"},
    {XYZ3, 1, CORE_DOUBLES, false, 0, "vaddpd vsubpd vmulpd vminpd vmaxpd"},
    {XYZ3, 1, CORE_SINGLES, false, 0, "vaddps vsubps vmulps vminps vmaxps"},
    {XYZ3, 1, CORE_DOUBLES, true, 0, "vdivpd"},
    {XYZ3, 1, CORE_SINGLES, true, 0, "vdivps"},
    {XYZ2, 1, CORE_DOUBLES, true, 0, "vsqrtpd"},
    {XYZ2, 1, CORE_SINGLES, true, 0, "vsqrtps"},
    {"xxx yyy", 1, CORE_DOUBLES, false, 0, "vhaddpd vaddsubpd"},
    {"xxx yyy", 1, CORE_SINGLES, false, 0, "vhaddps vaddsubps"},
    {XYZ3, 0, CORE_DOUBLES, false, 0, "vfmadd132pd vfmadd213pd vfmadd231pd vfnmadd231pd vfmsub231pd"},
    {XYZ3, 0, CORE_SINGLES, false, 0, "vfmadd132ps vfmadd213ps vfmadd231ps vfnmadd231ps"},
    {"xxx", 0, CORE_DOUBLES, false, 0, "vfmadd132sd vfmadd213sd vfmadd231sd vfnmadd231sd"},
    {"xxx", 0, CORE_SINGLES, false, 0, "vfmadd132ss vfmadd213ss vfmadd231ss"},
    {"xx", BY_FLAGS, CORE_DOUBLES, false, 0, "ucomisd comisd"},
    {"xx", BY_FLAGS, CORE_SINGLES, false, 0, "ucomiss comiss"},
    {"xx", BY_FLAGS, CORE_DOUBLES, false, 0, "vucomisd vcomisd"},
    {"xxi", 0, CORE_DOUBLES, false, 1, "cmpsd cmppd"},
    {"xxxi", 1, CORE_DOUBLES, false, 1, "vcmpsd"},
    {"xxxi yyyi", 1, CORE_DOUBLES, false, 1, "vcmppd"},
    {"xxi", 1, CORE_ZEROS, false, 8, "roundsd roundpd roundss roundps"},
    {"xxi yyi", 1, CORE_ZEROS, false, 8, "vroundpd vroundps"},
    {"xx", 1, CORE_ZEROS, false, 0, "rcpps rsqrtps rcpss rsqrtss"},
    {"xx yy", 1, CORE_ZEROS, false, 0, "vrcpps vrsqrtps"},
    {"xxi", 0, CORE_ZEROS, false, 0xff, "dpps"},
    /* Logic, integers and shuffles of vectors. */
    {"xx", 0, CORE_INTEGERS, false, 0,
     "andps andpd orps orpd xorps xorpd pand por pxor pandn paddb paddw paddd paddq psubb psubw psubd psubq pmullw "
     "pmulhw pmulhuw pmuludq pmulld pmaddwd pmaddubsw psadbw pavgb pmaxub pminsw pmaxsd pminud pcmpeqb pcmpeqd pcmpgtd "
     "pcmpeqq pcmpgtq packssdw packuswb pshufb punpcklbw punpckldq punpcklqdq unpcklps unpcklpd phaddd phaddw "
     "psignd aesenc aesdec aesenclast sha256msg1 sha256msg2"},
    {"xi", 0, CORE_INTEGERS, false, 3, "psllw pslld psllq psrld psrlq psrad pslldq psrldq"},
    {"xx", 0, CORE_INTEGERS, false, 0, "pslld psrlq"},
    {"xxi", 0, CORE_INTEGERS, false, 1, "shufps shufpd palignr pblendw blendps mpsadbw pclmulqdq"},
    {"xx", 1, CORE_INTEGERS, false, 0, "pabsb pabsd pmovzxbw pmovzxwd pmovsxbw pmovsxdq movddup movshdup aesimc"},
    {"xxi", 1, CORE_INTEGERS, false, 0x1b, "pshufd pshuflw pshufhw"},
    {"xx", BY_FLAGS, CORE_INTEGERS, false, 0, "ptest"},
    {"xx yy", BY_FLAGS, CORE_INTEGERS, false, 0, "vptest"},
    {XYZ3, 1, CORE_INTEGERS, false, 0,
     "vandps vorps vxorps vandpd vpaddb vpaddw vpaddd vpaddq vpsubb vpsubd vpmullw vpmulhw vpmuludq vpmulld vpmaddwd "
     "vpmaddubsw vpsadbw vpavgb vpmaxub vpminsw vpmaxsd vpackssdw vpshufb vpunpcklbw vpunpckldq vpunpcklqdq vunpcklps "
     "vunpcklpd vpermilps vpermilpd vpsllvd vpsllvq vpsrlvd vpsravd"},
    {"xxx yyy", 1, CORE_INTEGERS, false, 0, "vpand vpor vpxor vpandn vpcmpeqb vpcmpeqd vpcmpgtd vpcmpgtq vphaddd"},
    {"xxi yyi zzi", 1, CORE_INTEGERS, false, 3,
     "vpslld vpsllq vpsrld vpsrlq vpsrad vpslldq vpshufd vpshuflw vpermilps vpermilpd"},
    {"xxxi yyyi zzzi", 1, CORE_INTEGERS, false, 1, "vshufps vshufpd vpalignr"},
    {"xxxi yyyi", 1, CORE_INTEGERS, false, 1, "vpblendd vblendps vblendpd vpblendw"},
    {"xxxx yyyy", 1, CORE_INTEGERS, false, 0, "vblendvps vblendvpd vpblendvb"},
    {XYZ2, 1, CORE_INTEGERS, false, 0, "vpabsb vpabsd vmovddup vmovshdup"},
    {"xx yx zy", 1, CORE_INTEGERS, false, 0, "vpmovzxbw vpmovzxwd vpmovzxdq vpmovsxbw vpmovsxdq"},
    {"xx yx zx", 1, CORE_INTEGERS, false, 0,
     "vpmovzxbd vpmovzxbq vbroadcastss vpbroadcastb vpbroadcastw vpbroadcastd vpbroadcastq"},
    {"yx zx", 1, CORE_INTEGERS, false, 0, "vbroadcastsd"},
    {"yyi zzi", 1, CORE_INTEGERS, false, 0x1b, "vpermq vpermpd"},
    {"yyy zzz", 2, CORE_INTEGERS, false, 0, "vpermd vpermps"},
    {"yyyi", 1, CORE_INTEGERS, false, 1, "vperm2f128 vperm2i128"},
    {"yyxi", 1, CORE_INTEGERS, false, 1, "vinsertf128 vinserti128"},
    {"xyi", 1, CORE_INTEGERS, false, 1, "vextractf128 vextracti128"},
    /* AVX-512. */
    {"xxxi yyyi zzzi", 0, CORE_INTEGERS, false, 0x96, "vpternlogd vpternlogq"},
    {XYZ3, 1, CORE_INTEGERS, false, 0,
     "vpandd vpord vpxord vpandq vpmullq vpmaxsq vprolvd vprorvq vpsllvw vpsrlvw vpermw vpermb vpmultishiftqb"},
    {"yyy zzz", 2, CORE_INTEGERS, false, 0, "vpermq vpermpd"},
    {XYZ3, 0, CORE_INTEGERS, false, 0,
     "vpermt2d vpermi2d vpermt2pd vpermt2w vpdpbusd vpdpwssd vpmadd52luq vpmadd52huq vdpbf16ps"},
    {XYZ2, 1, CORE_INTEGERS, false, 0,
     "vpabsq vpopcntb vpopcntw vpopcntd vpopcntq vplzcntd vplzcntq vpconflictd vpconflictq"},
    {"xxi yyi zzi", 1, CORE_INTEGERS, false, 3, "vprold vprorq vpsraq"},
    {"xxxi yyyi zzzi", 1, CORE_INTEGERS, false, 1, "valignd valignq vpshldd"},
    {"yyyi zzzi", 1, CORE_INTEGERS, false, 1, "vshuff64x2 vshufi32x4"},
    {"zzyi", 1, CORE_INTEGERS, false, 1, "vinsertf64x4 vinserti64x4"},
    {"yzi", 1, CORE_INTEGERS, false, 1, "vextractf64x4 vextracti64x4"},
    {XYZ3, 1, CORE_ZEROS, false, 0, "vscalefpd vscalefps"},
    {XYZ2, 1, CORE_ZEROS, false, 0, "vgetexppd vgetexpps vrcp14pd vrcp14ps vrsqrt14pd vrsqrt14ps"},
    {"xxi yyi zzi", 1, CORE_ZEROS, false, 8, "vrndscalepd vrndscaleps vgetmantpd"},
    {"xx xy yz", 1, CORE_INTEGERS, false, 0, "vpmovdw vpmovqd vpmovwb"},
    {"xx xy xz", 1, CORE_INTEGERS, false, 0, "vpmovdb vpmovqw"},
    /* Masks. */
    {"kkk", 1, CORE_INTEGERS, false, 0, "kandw kandd korw kxorq kxnorb kaddw kaddd kunpckbw"},
    {"kki", 1, CORE_INTEGERS, false, 3, "kshiftlw kshiftrd"},
    {"kk", 1, CORE_INTEGERS, false, 0, "knotw knotq kmovw kmovq"},
    {"kk", BY_FLAGS, CORE_INTEGERS, false, 0, "kortestw kortestb ktestd"},
    {"kd dk", 1, CORE_INTEGERS, false, 0, "kmovw kmovd"},
    {"kxx kyy kzz", 1, CORE_INTEGERS, false, 0, "vpcmpeqd vpcmpgtd vpcmpeqb vptestmd"},
    {"kxxi kyyi kzzi", 1, CORE_INTEGERS, false, 1, "vpcmpd vpcmpud"},
    {"kxxi kyyi kzzi", 1, CORE_ZEROS, false, 1, "vcmppd vcmpps"},
    {XYZ3, 1, CORE_INTEGERS, false, 0, "vpblendmb{k} vpblendmd{k} vblendmps{k} vblendmpd{k}"},
    {"kx ky kz", 1, CORE_INTEGERS, false, 0, "vpmovd2m vpmovb2m"},
    {"xk yk zk", 1, CORE_INTEGERS, false, 0, "vpmovm2d vpmovm2b"},
    /* Conversions, and ways between general registers and vectors. */
    {"xx", 1, CORE_ZEROS, false, 0,
     "cvtdq2pd cvtdq2ps cvtpd2dq cvtpd2ps cvtps2dq cvtps2pd cvttpd2dq cvttps2dq cvtsd2ss cvtss2sd"},
    {XYZ2, 1, CORE_ZEROS, false, 0, "vcvtdq2ps vcvtps2dq vcvttps2dq vcvtqq2pd vcvttpd2qq vcvtudq2ps"},
    {"xx yx zy", 1, CORE_ZEROS, false, 0, "vcvtdq2pd vcvtps2pd vcvtph2ps"},
    {"xx xy yz", 1, CORE_ZEROS, false, 0, "vcvtpd2ps vcvtpd2dq vcvttpd2dq vcvtneps2bf16"},
    {"xxi xyi yzi", 1, CORE_ZEROS, false, 0, "vcvtps2ph"},
    {"xxx", 2, CORE_ZEROS, false, 0, "vcvtsd2ss vcvtss2sd"},
    {"xq xd", 1, CORE_INTEGERS, false, 0, "cvtsi2sd cvtsi2ss"},
    {"xxq xxd", 2, CORE_INTEGERS, false, 0, "vcvtsi2sd vcvtsi2ss"},
    {"qx dx", 1, CORE_ZEROS, false, 0, "cvttsd2si cvttss2si cvtsd2si"},
    {"qx dx", 1, CORE_ZEROS, false, 0, "vcvttsd2si vcvttss2si"},
    {"xd", 1, CORE_INTEGERS, false, 0, "movd vmovd"},
    {"dx", 1, CORE_INTEGERS, false, 0, "movd vmovd pmovmskb vpmovmskb movmskpd movmskps"},
    {"dy", 1, CORE_INTEGERS, false, 0, "vpmovmskb vmovmskpd"},
    {"qxi", 1, CORE_INTEGERS, false, 1, "pextrq vpextrq"},
    {"dxi", 1, CORE_INTEGERS, false, 1, "pextrd vpextrd pextrw"},
    {"xqi", 1, CORE_INTEGERS, false, 1, "pinsrq"},
    {"xdi", 1, CORE_INTEGERS, false, 1, "pinsrd pinsrw"},
    {"xxqi", 2, CORE_INTEGERS, false, 1, "vpinsrq"},
    {"xxdi", 2, CORE_INTEGERS, false, 1, "vpinsrd"},
    {"xd yd zd", 1, CORE_INTEGERS, false, 0, "vpbroadcastd"},
    {"xq yq zq", 1, CORE_INTEGERS, false, 0, "vpbroadcastq"},
    /* Loads and stores of vectors. */
    {"xm", NO_CHAIN, CORE_INTEGERS, false, 0, "movups movaps"},
    {"mx", NO_CHAIN, CORE_INTEGERS, false, 0, "movups movaps"},
    {"xm ym zm", NO_CHAIN, CORE_INTEGERS, false, 0, "vmovups vmovapd"},
    {"mx my mz", NO_CHAIN, CORE_INTEGERS, false, 0, "vmovups vmovapd"},
    {0},
};

/* Ways between the kinds of registers can be timed there and back only. Each way gets half of it: a loop's chain goes
 * there as often as back, so any other division would give it the same sum. Without VEX the way out of vectors is the
 * same; on a CPU without AVX it gets half of its own. */

/* A division or root of round numbers: less than a step for each bit may do. */
#define ROUND(op, v, letters, chain, independent)                                                                      \
    {.form = "v" op " " letters ": round",                                                                             \
     .chains = true,                                                                                                   \
     .text = "v" op " " chain "; vorps " v "mm0, " v "mm0, " v "mm15",                                                 \
     .with = CORE_ROUND,                                                                                               \
     .less = "vorps " v v v},                                                                                          \
    {                                                                                                                  \
        .form = "v" op " " letters ": round", .text = "v" op " " independent, .count = 2, .with = CORE_ROUND           \
    }

#define REPEATED(of, size, string)                                                                                     \
    { .form = of ": " size, .text = "mov r8, rdi; " string "; mov rdi, r8" }

/* On the stack's top; then four of them on a copy of a constant, which is dropped: several copies are under way. */
#define X87(op)                                                                                                        \
    {.form = op " ff", .chains = true, .text = op " st0, st1", .with = CORE_X87}, {                                    \
        .form = op " ff",                                                                                              \
        .text = "fld st1; " op " st0, st2; " op " st0, st3; " op " st0, st4; " op " st0, st5; fstp st0", .count = 4,   \
        .with = CORE_X87                                                                                               \
    }

/* Of all elements; then the mask, which a gather clears, is set again. */
#define VEX_GATHER(op, v, i, bytes, to, at, mask)                                                                      \
    op " " v to ", " bytes "[rdi+" i at "*8+4096], " v mask "; vpcmpeqd " v mask ", " v mask ", " v mask
#define EVEX_GATHER(op, v, i, bytes, to, at, mask)                                                                     \
    op " " v to ", k" mask ", " bytes "[rdi+" i at "*8+4096]; kxnorw k" mask ", k7, k7"
/* v, i: what holds elements and indices. An index finds itself. */
#define GATHER(ONE, forms, op, v, i, bytes, operands)                                                                  \
    {.form = forms,                                                                                                    \
     .chains = true,                                                                                                   \
     .text = ONE(op, v, i, bytes, "1", "0", "5") "; " ONE(op, v, i, bytes, "0", "1", "5"),                             \
     .count = 2,                                                                                                       \
     .with = operands},                                                                                                \
    {                                                                                                                  \
        .form = forms,                                                                                                 \
        .text = ONE(op, v, i, bytes, "8", "13", "2") "; " ONE(op, v, i, bytes, "9", "13", "3") "; " ONE(               \
            op, v, i, bytes, "10", "13", "4") "; " ONE(op, v, i, bytes, "11", "13", "5"),                              \
        .count = 4, .with = operands                                                                                   \
    }

/* The way from the mask to the result; back by its signs, which are a mask. */
#define MASKED(op, z, letters)                                                                                         \
    {                                                                                                                  \
        .form = op " " letters ": mask", .chains = true,                                                               \
        .text = op " " z "mm0, k1, " z "mm13, " z "mm14; vpmovd2m k1, " z "mm0", .with = CORE_DOUBLES,                 \
        .less = "vpmovd2m k" z, .crosses = true                                                                        \
    }
#define MASKED_WIDTHS(op) MASKED(op, "x", "xxx"), MASKED(op, "y", "yyy"), MASKED(op, "z", "zzz")

/* clang-format off */
const struct core_unit core_units[] = {
    {.form = "vmovq xq", .chains = true, .text = "vmovq xmm0, r8; vmovq r8, xmm0", .scale = 0.5, .crosses = true},
    {.form = "vmovq xq", .text = "vmovq xmm0, r8; vmovq xmm1, r9; vmovq xmm2, r10", .count = 3},
    {.form = "vmovq qx", .chains = true, .text = "vmovq xmm0, r8; vmovq r8, xmm0", .scale = 0.5, .crosses = true},
    {.form = "vmovq qx", .text = "vmovq r8, xmm0; vmovq r9, xmm1; vmovq r10, xmm2", .count = 3},
    {.form = "movq qx", .chains = true, .text = "movq r8, xmm0; vmovq xmm0, r8", .less = "vmovq xq", .crosses = true},
    {.form = "movq qx", .chains = true, .text = "movq xmm0, r8; movq r8, xmm0", .scale = 0.5, .crosses = true},
    {.form = "movq xq", .chains = true, .text = "movq xmm0, r8; movq r8, xmm0", .less = "movq qx", .crosses = true},
    {.form = "movq xq", .text = "movq xmm0, r8; movq xmm1, r9; movq xmm2, r10", .count = 3},
    {.form = "movq qx", .text = "movq r8, xmm0; movq r9, xmm1; movq r10, xmm2", .count = 3},
    {.form = "kmovq kq", .chains = true, .text = "kmovq k1, r8; kmovq r8, k1", .scale = 0.5, .crosses = true},
    {.form = "kmovq kq", .text = "kmovq k1, r8; kmovq k2, r9; kmovq k3, r10", .count = 3},
    {.form = "kmovq qk", .chains = true, .text = "kmovq k1, r8; kmovq r8, k1", .scale = 0.5, .crosses = true},
    {.form = "kmovq qk", .text = "kmovq r8, k1; kmovq r9, k2; kmovq r10, k3", .count = 3},
    /* Dividends of 40 bits, by 3; renaming does the rest of a unit. */
    {.form = "div q", .text = "xor edx, edx; mov rax, rbx; div rsi"},
    {.form = "div d", .text = "xor edx, edx; mov eax, ebx; div esi"},
    {.form = "idiv q", .text = "xor edx, edx; mov rax, rbx; idiv rsi"},
    {.form = "idiv d", .text = "xor edx, edx; mov eax, ebx; idiv esi"},
    {.form = "div q: short", .text = "xor edx, edx; mov rax, rbx; div rsi", .with = CORE_SMALL},
    {.form = "div d: short", .text = "xor edx, edx; mov eax, ebx; div esi", .with = CORE_SMALL},
    {.form = "div q: long", .text = "xor edx, edx; mov rax, rbx; div rsi", .with = CORE_LARGE},
    {.form = "div q", .chains = true, .text = "xor edx, edx; div rsi; or rax, rbx", .less = "or qq"},
    {.form = "div d", .chains = true, .text = "xor edx, edx; div esi; or eax, ebx", .less = "or dd"},
    {.form = "idiv q", .chains = true, .text = "xor edx, edx; idiv rsi; or rax, rbx", .less = "or qq"},
    {.form = "idiv d", .chains = true, .text = "xor edx, edx; idiv esi; or eax, ebx", .less = "or dd"},
    {.form = "div q: short", .chains = true, .text = "xor edx, edx; div rsi; or rax, rbx", .with = CORE_SMALL,
     .less = "or qq"},
    {.form = "div d: short", .chains = true, .text = "xor edx, edx; div esi; or eax, ebx", .with = CORE_SMALL,
     .less = "or dd"},
    {.form = "div q: long", .chains = true, .text = "xor edx, edx; div rsi; or rax, rbx", .with = CORE_LARGE,
     .less = "or qq"},
    ROUND("divsd", "x", "xxx", "xmm0, xmm0, xmm13", "xmm0, xmm13, xmm14; vdivsd xmm1, xmm13, xmm14"),
    ROUND("divpd", "y", "yyy", "ymm0, ymm0, ymm13", "ymm0, ymm13, ymm14; vdivpd ymm1, ymm13, ymm14"),
    ROUND("sqrtsd", "x", "xxx", "xmm0, xmm13, xmm0", "xmm0, xmm13, xmm14; vsqrtsd xmm1, xmm13, xmm14"),
    ROUND("sqrtpd", "y", "yy", "ymm0, ymm0", "ymm0, ymm13; vsqrtpd ymm1, ymm14"),
    /* Flags into a register and back. */
    {.form = "setz b", .chains = true, .text = "setz r8b; test r8, rsi", .less = "test qq"},
    {.form = "setnbe b", .chains = true, .text = "setnbe r8b; test r8, rsi", .less = "test qq"},
    {.form = "setl b", .chains = true, .text = "setl r8b; test r8, rsi", .less = "test qq"},
    {.form = "bt qi", .chains = true, .text = "bt r8, 3; cmovb r8, rsi", .less = "cmovb qq"},
    {.form = "bt di", .chains = true, .text = "bt r8d, 3; cmovb r8, rsi", .less = "cmovb qq"},
    {.form = "mulx qqq", .chains = true, .text = "mulx r8, r9, r8"},
    {.form = "mulx qqq", .text = "mulx r8, r9, rsi; mulx r10, r11, rsi; mulx r12, r13, rsi", .count = 3},
    {.form = "mul q", .chains = true, .text = "mul rsi"},
    /* Each waits for the one before it. */
    {.form = "lock-add mq", .chains = true, .text = "lock add 8[rdi+4160], rsi"},
    {.form = "lock-xadd mq", .chains = true, .text = "lock xadd 8[rdi+4160], r8"},
    {.form = "lock-cmpxchg mq", .chains = true, .text = "lock cmpxchg 8[rdi+4160], r8"},
    {.form = "lock-xchg mq", .chains = true, .text = "xchg 8[rdi+4160], r8"},
    REPEATED("rep-stosb", "64 bytes", "lea rdi, 8[rdi+4096]; mov ecx, 64; rep stosb"),
    REPEATED("rep-stosb", "4096 bytes", "lea rdi, 8[rdi+4096]; mov ecx, 4096; rep stosb"),
    REPEATED("rep-movsb", "64 bytes", "lea rsi, 8[rdi+4096]; lea rdi, 8[rdi+8192]; mov ecx, 64; rep movsb"),
    REPEATED("rep-movsb", "4096 bytes", "lea rsi, 8[rdi+4096]; lea rdi, 8[rdi+8192]; mov ecx, 4096; rep movsb"),
    X87("fadd"),
    X87("fmul"),
    {.form = "fdiv ff", .chains = true, .text = "fdiv st0, st1", .with = CORE_X87},
    {.form = "fdiv ff",
     .text = "fdiv st1, st0; fdiv st2, st0; fdiv st3, st0; fdiv st4, st0; fdiv st5, st0; fdiv st6, st0", .count = 6,
     .targets = 6, .with = CORE_X87},
    {.form = "fsqrt", .chains = true, .text = "fsqrt; fmul st0, st1", .with = CORE_X87, .less = "fmul ff"},
    {.form = "fsqrt", .text = "fld st1; fsqrt; fstp st0", .with = CORE_X87},
    {.form = "fxch f", .chains = true, .text = "fxch st1; fadd st0, st1", .with = CORE_X87, .less = "fadd ff",
     .renames = true},
    {.form = "fxch f", .text = "fxch st1; fxch st2; fxch st3; fxch st4", .count = 4, .with = CORE_X87},
    {.form = "forward x87", .chains = true, .text = "fstp 8[rdi+4160]; fld 8[rdi+4160]", .with = CORE_X87},
    GATHER(VEX_GATHER, "vgatherdps xmx", "vgatherdps", "xmm", "xmm", "4", CORE_INDICES_4),
    GATHER(VEX_GATHER, "vgatherdps ymy", "vgatherdps", "ymm", "ymm", "4", CORE_INDICES_4),
    GATHER(EVEX_GATHER, "vgatherdps zm", "vgatherdps", "zmm", "zmm", "4", CORE_INDICES_4),
    GATHER(VEX_GATHER, "vgatherdpd xmx", "vgatherdpd", "xmm", "xmm", "8", CORE_INDICES_4),
    GATHER(VEX_GATHER, "vgatherdpd ymy", "vgatherdpd", "ymm", "xmm", "8", CORE_INDICES_4),
    GATHER(EVEX_GATHER, "vgatherdpd zm", "vgatherdpd", "zmm", "ymm", "8", CORE_INDICES_4),
    GATHER(VEX_GATHER, "vgatherqpd xmx", "vgatherqpd", "xmm", "xmm", "8", CORE_INDICES_8),
    GATHER(VEX_GATHER, "vgatherqpd ymy", "vgatherqpd", "ymm", "ymm", "8", CORE_INDICES_8),
    GATHER(EVEX_GATHER, "vgatherqpd zm", "vgatherqpd", "zmm", "zmm", "8", CORE_INDICES_8),
    GATHER(VEX_GATHER, "vpgatherdd ymy", "vpgatherdd", "ymm", "ymm", "4", CORE_INDICES_4),
    GATHER(EVEX_GATHER, "vpgatherdd zm", "vpgatherdd", "zmm", "zmm", "4", CORE_INDICES_4),
    GATHER(VEX_GATHER, "vpgatherqq ymy", "vpgatherqq", "ymm", "ymm", "8", CORE_INDICES_8),
    GATHER(EVEX_GATHER, "vpgatherqq zm", "vpgatherqq", "zmm", "zmm", "8", CORE_INDICES_8),
    {.form = "vpcompressd zz", .text = "vpcompressd zmm0, k1, zmm13; vpcompressd zmm1, k1, zmm13", .count = 2},
    {.form = "vexpandpd zz", .text = "vexpandpd zmm0, k1, zmm13; vexpandpd zmm1, k1, zmm13", .count = 2},
    MASKED_WIDTHS("vpblendmd"),
    MASKED_WIDTHS("vaddpd"),
    MASKED_WIDTHS("vmulpd"),
    MASKED_WIDTHS("vfmadd231pd"),
    MASKED_WIDTHS("vpaddd"),
    MASKED_WIDTHS("vpandd"),
    /* The head: loads and stores in flight, renaming, branches. Renaming does not know places at an index that moves.
     */
    {.form = "load q", .chains = true, .text = "mov r8, 8[r8]", .with = CORE_CHASE},
    {.form = "load indexed", .chains = true, .text = "mov r8, 8[r9+r8*8]", .with = CORE_INDEX},
    {.form = "load x", .chains = true, .text = "movups xmm0, 16[r8]; movq r8, xmm0", .with = CORE_CHASE,
     .less = "movq qx", .crosses = true},
    {.form = "load double", .chains = true, .text = "movsd xmm0, 8[r8]; movq r8, xmm0", .with = CORE_CHASE,
     .less = "movq qx", .crosses = true},
    {.form = "load y", .chains = true, .text = "vmovups ymm0, 32[r8]; vmovq r8, xmm0", .with = CORE_CHASE,
     .less = "vmovq qx", .crosses = true},
    {.form = "load z", .chains = true, .text = "vmovups zmm0, 64[r8]; vmovq r8, xmm0", .with = CORE_CHASE,
     .less = "vmovq qx", .crosses = true},
    {.form = "forward q", .chains = true, .text = "mov 8[rdi+4160], r8; mov r8, 8[rdi+4160]; imul r8, r10",
     .less = "imul qq", .renames = true},
    {.form = "forward indexed", .chains = true,
     .text = "mov 8[rdi+rcx*8+4160], r8; mov r8, 8[rdi+rcx*8+4160]; imul r8, r10; xor ecx, 1", .less = "imul qq",
     .renames = true},
    {.form = "forward add", .chains = true, .text = "add 8[rdi+4160], r10", .less = "add qq", .renames = true},
    {.form = "forward x", .chains = true, .text = "movups 16[rdi+4160], xmm0; movups xmm0, 16[rdi+4160]"},
    {.form = "forward double", .chains = true, .text = "movsd 8[rdi+4160], xmm0; movsd xmm0, 8[rdi+4160]"},
    {.form = "forward y", .chains = true, .text = "vmovups 32[rdi+4160], ymm0; vmovups ymm0, 32[rdi+4160]"},
    {.form = "forward z", .chains = true, .text = "vmovups 64[rdi+4160], zmm0; vmovups zmm0, 64[rdi+4160]"},
    {.form = "move q", .chains = true, .text = "mov r9, r8; mov r8, r9", .count = 2},
    {.form = "move x", .chains = true, .text = "movaps xmm1, xmm0; movaps xmm0, xmm1", .count = 2},
    {.form = "move y", .chains = true, .text = "vmovaps ymm1, ymm0; vmovaps ymm0, ymm1", .count = 2},
    {.form = "zero q", .text = "xor r8d, r8d; xor r9d, r9d; xor r10d, r10d; xor r11d, r11d", .count = 4},
    {.form = "zero x", .text = "pxor xmm0, xmm0; pxor xmm1, xmm1; pxor xmm2, xmm2; pxor xmm3, xmm3", .count = 4},
    {.form = "add constant", .chains = true, .text = "add r8, 5"},
    {.form = "nop", .text = "nop; nop; nop; nop", .count = 4},
    {.form = "taken branch", .text = "jmp 14; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop",
     .instructions = 1},
    {.form = "predicted branch", .chains = true, .text = "imul r8, r10; add r8, r11; test r8, r12; jz 1; nop",
     .with = CORE_PREDICTED, .helps = true},
    {.form = "mispredict", .chains = true, .text = "imul r8, r10; add r8, r11; test r8, r12; jz 1; nop",
     .with = CORE_RANDOM, .less = "predicted branch", .scale = 2}, /* every other branch */
    {0},
};
/* clang-format on */
