/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions and their cost according to the manual (SDM volume 2): X(assembly, members of struct effect…). Members
 * that are not named are zero. */
#pragma once

#define IS(name)           .class = CLASS_##name
#define LD(n)              .load_bytes = n
#define ST(n)              .store_bytes = n
#define PUSHES(n)          .stack_store_bytes = n
#define POPS(n)            .stack_load_bytes = n
#define SCALAR(t, n)       IS(FLOP_SCALAR), .type = TYPE_##t, .lanes = 1, .flop = n
#define VECTOR(b, t, l, n) IS(FLOP_##b), .type = TYPE_##t, .lanes = l, .flop = n, .flop_bytes = b / 8
#define X87(n)             SCALAR(F64, n), .x87 = true
#define TILES(t, l)                                                                                                    \
    IS(FLOP_TILE), .type = TYPE_##t, .lanes = l, .flop = 2 * l, .dynamic = DYNAMIC_TILE_PRODUCT,                       \
                   .mask = ZYDIS_REGISTER_TMM1, .mask2 = ZYDIS_REGISTER_TMM2, .elements_most = l, .element_flop = 2
#define MASKED(n, f, l, s)                                                                                             \
    .dynamic = DYNAMIC_MASK, .mask = ZYDIS_REGISTER_K1, .elements_most = n, .element_flop = f,                         \
    .element_load_bytes = l, .element_store_bytes = s
#define SIGNS(r, b, n, l, s)                                                                                           \
    .dynamic = DYNAMIC_VECTOR_MASK, .mask = ZYDIS_REGISTER_##r, .mask_element_bytes = b, .elements_most = n,           \
    .element_load_bytes = l, .element_store_bytes = s
#define REPEATED(l, s)                                                                                                 \
    IS(STRING), LD(l), ST(s), .dynamic = DYNAMIC_REPEAT, .element_load_bytes = l, .element_store_bytes = s
#define TILE_MOVE(l, s)                                                                                                \
    IS(MOVE), LD(1024 * l), ST(1024 * s), .dynamic = DYNAMIC_TILE, .mask = ZYDIS_REGISTER_TMM1, .elements_most = 1024, \
                                          .element_load_bytes = l, .element_store_bytes = s

#define EFFECT_ROWS(X)                                                                                                 \
    /* scalars and vectors of every width and type */                                                                  \
    X("addsd xmm1, xmm2", SCALAR(F64, 1))                                                                              \
    X("addsd xmm1, qword ptr [rax]", SCALAR(F64, 1), LD(8))                                                            \
    X("mulss xmm1, dword ptr [rax]", SCALAR(F32, 1), LD(4))                                                            \
    X("sqrtss xmm1, dword ptr [rax]", SCALAR(F32, 1), LD(4))                                                           \
    X("rcpss xmm1, dword ptr [rax]", SCALAR(F32, 1), LD(4))                                                            \
    X("minsd xmm1, qword ptr [rax]", SCALAR(F64, 1), LD(8))                                                            \
    X("addpd xmm1, xmmword ptr [rax]", VECTOR(128, F64, 2, 2), LD(16))                                                 \
    X("divps xmm1, xmm2", VECTOR(128, F32, 4, 4))                                                                      \
    X("rsqrtps xmm1, xmm2", VECTOR(128, F32, 4, 4))                                                                    \
    X("haddpd xmm1, xmm2", VECTOR(128, F64, 2, 2))                                                                     \
    X("vhsubps ymm1, ymm2, ymmword ptr [rax]", VECTOR(256, F32, 8, 8), LD(32))                                         \
    X("addsubps xmm1, xmm2", VECTOR(128, F32, 4, 4))                                                                   \
    X("dppd xmm1, xmm2, 0x31", VECTOR(128, F64, 2, 4))                                                                 \
    X("dppd xmm1, xmm2, 0xd1", VECTOR(128, F64, 2, 2))                                                                 \
    X("dpps xmm1, xmm2, 0x31", VECTOR(128, F32, 4, 4))                                                                 \
    X("vdpps ymm1, ymm2, ymm3, 0x7f", VECTOR(256, F32, 8, 12))                                                         \
    X("dpps xmm1, xmm2, 0x0f", IS(SHUFFLE), .type = TYPE_F32, .lanes = 4, .flop_bytes = 16)                            \
    X("dpps xmm1, xmmword ptr [rax], 0xff", VECTOR(128, F32, 4, 8), LD(16))                                            \
    X("vdpps ymm1, ymm2, ymm3, 0xff", VECTOR(256, F32, 8, 16))                                                         \
    X("vaddpd ymm1, ymm2, ymmword ptr [rax]", VECTOR(256, F64, 4, 4), LD(32))                                          \
    X("vmaxps ymm1, ymm2, ymm3", VECTOR(256, F32, 8, 8))                                                               \
    X("vsqrtpd zmm1, zmmword ptr [rax]", VECTOR(512, F64, 8, 8), LD(64))                                               \
    X("vsubsd xmm1, xmm2, qword ptr [rax]", SCALAR(F64, 1), LD(8))                                                     \
    X("vaddph zmm1, zmm2, zmmword ptr [rax]", VECTOR(512, F16, 32, 32), LD(64))                                        \
    X("vmulph xmm1, xmm2, xmm3", VECTOR(128, F16, 8, 8))                                                               \
    X("vdivsh xmm1, xmm2, word ptr [rax]", SCALAR(F16, 1), LD(2))                                                      \
    X("vrcpph ymm1, ymm2", VECTOR(256, F16, 16, 16))                                                                   \
    X("vrsqrtsh xmm1, xmm2, xmm3", SCALAR(F16, 1))                                                                     \
    X("vrcp14pd zmm1, zmm2", VECTOR(512, F64, 8, 8))                                                                   \
    X("vrsqrt14ss xmm1, xmm2, dword ptr [rax]", SCALAR(F32, 1), LD(4))                                                 \
    X("vrangepd zmm1, zmm2, zmm3, 1", VECTOR(512, F64, 8, 8))                                                          \
    X("vscalefph zmm1, zmm2, zmm3", VECTOR(512, F16, 32, 32))                                                          \
    X("vscalefsd xmm1, xmm2, xmm3", SCALAR(F64, 1))                                                                    \
    /* fused, alternating, complex */                                                                                  \
    X("vfmadd231pd zmm1, zmm2, zmmword ptr [rax]", VECTOR(512, F64, 8, 16), LD(64))                                    \
    X("vfnmsub132ps ymm1, ymm2, ymm3", VECTOR(256, F32, 8, 16))                                                        \
    X("vfmadd213ss xmm1, xmm2, dword ptr [rax]", SCALAR(F32, 2), LD(4))                                                \
    X("vfmsub231sd xmm1, xmm2, qword ptr [rax]", SCALAR(F64, 2), LD(8))                                                \
    X("vfmadd132sh xmm1, xmm2, word ptr [rax]", SCALAR(F16, 2), LD(2))                                                 \
    X("vfmaddsub213pd ymm1, ymm2, ymm3", VECTOR(256, F64, 4, 8))                                                       \
    X("vfmsubadd231ph zmm1, zmm2, zmm3", VECTOR(512, F16, 32, 64))                                                     \
    X("vfmaddpd xmm1, xmm2, xmmword ptr [rax], xmm3", VECTOR(128, F64, 2, 4), LD(16))                                  \
    X("vfmulcph zmm1, zmm2, zmm3", VECTOR(512, F16, 32, 96))                                                           \
    X("vfcmaddcph ymm1, ymm2, ymm3", VECTOR(256, F16, 16, 64))                                                         \
    X("vfmaddcph zmm1, zmm2, dword ptr [rax]{1to16}", VECTOR(512, F16, 32, 128), LD(4))                                \
    X("vfcmulcsh xmm1, xmm2, dword ptr [rax]", IS(FLOP_SCALAR), .type = TYPE_F16, .lanes = 2, .flop = 6, LD(4))        \
    /* broadcast operands, embedded rounding */                                                                        \
    X("vaddpd zmm1, zmm2, qword ptr [rax]{1to8}", VECTOR(512, F64, 8, 8), LD(8))                                       \
    X("vmulps xmm1, xmm2, dword ptr [rax]{1to4}", VECTOR(128, F32, 4, 4), LD(4))                                       \
    X("vaddpd zmm1, zmm2, zmm3, {rn-sae}", VECTOR(512, F64, 8, 8))                                                     \
    X("vmulss xmm1, xmm2, xmm3, {rz-sae}", SCALAR(F32, 1))                                                             \
    /* masks: of lanes, of one lane, with operands that the mask does not control */                                   \
    X("vaddpd zmm1{k1}, zmm2, zmmword ptr [rax]", VECTOR(512, F64, 8, 8), LD(64), MASKED(8, 1, 8, 0))                  \
    X("vfmadd231ps ymm1{k1}{z}, ymm2, ymm3", VECTOR(256, F32, 8, 16), MASKED(8, 2, 0, 0))                              \
    X("vmulph zmm1{k1}, zmm2, zmm3", VECTOR(512, F16, 32, 32), MASKED(32, 1, 0, 0))                                    \
    X("vaddpd zmm1{k1}, zmm2, qword ptr [rax]{1to8}", VECTOR(512, F64, 8, 8), LD(8), MASKED(8, 1, 0, 0))               \
    X("vaddsd xmm1{k1}, xmm2, qword ptr [rax]", SCALAR(F64, 1), LD(8), MASKED(1, 1, 8, 0))                             \
    X("vfmadd231ss xmm1{k1}, xmm2, dword ptr [rax]", SCALAR(F32, 2), LD(4), MASKED(1, 2, 4, 0))                        \
    X("vfmaddcph zmm1{k1}, zmm2, zmmword ptr [rax]", VECTOR(512, F16, 32, 128), LD(64), MASKED(16, 8, 4, 0))           \
    X("vdpbf16ps zmm1{k1}, zmm2, zmmword ptr [rax]", VECTOR(512, BF16, 32, 64), LD(64), MASKED(16, 4, 4, 0))           \
    X("vmovupd zmm1{k1}, zmmword ptr [rax]", IS(MOVE), LD(64), MASKED(8, 0, 8, 0))                                     \
    X("vmovdqu8 zmmword ptr [rax]{k1}, zmm3", IS(MOVE), ST(64), MASKED(64, 0, 0, 1))                                   \
    X("vmovaps ymm1{k1}, ymm2", IS(MOVE))                                                                              \
    X("vmovss xmm1{k1}{z}, dword ptr [rax]", IS(MOVE), LD(4), MASKED(1, 0, 4, 0))                                      \
    X("vmovsd qword ptr [rax]{k1}, xmm1", IS(MOVE), ST(8), MASKED(1, 0, 0, 8))                                         \
    X("vexpandpd zmm1{k1}{z}, zmmword ptr [rax]", IS(MOVE), LD(64), MASKED(8, 0, 8, 0))                                \
    X("vcompressps ymmword ptr [rax]{k1}, ymm1", IS(MOVE), ST(32), MASKED(8, 0, 0, 4))                                 \
    X("vcompressps zmm2{k1}, zmm1", IS(SHUFFLE))                                                                       \
    X("vbroadcastsd zmm1{k1}, qword ptr [rax]", IS(MOVE), LD(8))                                                       \
    X("vbroadcastf32x4 zmm1{k1}, xmmword ptr [rax]", IS(MOVE), LD(16))                                                 \
    X("vpermd zmm1{k1}, zmm2, zmmword ptr [rax]", IS(SHUFFLE), LD(64))                                                 \
    X("vpaddd zmm1{k1}, zmm2, zmmword ptr [rax]", IS(SHUFFLE), LD(64), MASKED(16, 0, 4, 0))                            \
    X("vpslld zmm1{k1}, zmm2, xmmword ptr [rax]", IS(SHUFFLE), LD(16))                                                 \
    X("vcvtne2ps2bf16 zmm1{k1}, zmm2, zmmword ptr [rax]", IS(CONVERT), LD(64))                                         \
    X("vcvtpd2ps xmm1{k1}, xmmword ptr [rax]", IS(CONVERT), LD(16), MASKED(2, 0, 8, 0))                                \
    X("vcvtps2pd zmm1{k1}, ymmword ptr [rax]", IS(CONVERT), LD(32), MASKED(8, 0, 4, 0))                                \
    X("vcvtps2ph ymmword ptr [rax]{k1}, zmm1, 0", IS(CONVERT), ST(32), MASKED(16, 0, 0, 2))                            \
    X("vpmovdb xmmword ptr [rax]{k1}, zmm1", IS(CONVERT), ST(16), MASKED(16, 0, 0, 1))                                 \
    X("vpmovqb word ptr [rax]{k1}, xmm1", IS(CONVERT), ST(2), MASKED(2, 0, 0, 1))                                      \
    X("vpmovzxbd zmm1{k1}, xmmword ptr [rax]", IS(CONVERT), LD(16), MASKED(16, 0, 1, 0))                               \
    X("vextractf32x4 xmmword ptr [rax]{k1}, zmm1, 2", IS(SHUFFLE), ST(16), MASKED(4, 0, 0, 4))                         \
    X("vcmppd k2{k1}, zmm1, zmmword ptr [rax], 1", IS(CONVERT), LD(64), MASKED(8, 0, 8, 0))                            \
    /* gathers and scatters, with either kind of mask; fewer indices than elements, and vice versa */                  \
    X("vgatherdpd zmm1{k1}, [rax+ymm2*8]", IS(GATHER), LD(64), MASKED(8, 0, 8, 0))                                     \
    X("vgatherqps ymm1{k1}, [rax+zmm2*4]", IS(GATHER), LD(32), MASKED(8, 0, 4, 0))                                     \
    X("vpgatherqd xmm1{k1}, [rax+xmm2*4]", IS(GATHER), LD(8), MASKED(2, 0, 4, 0))                                      \
    X("vscatterdps [rax+zmm2*4]{k1}, zmm1", IS(GATHER), ST(64), MASKED(16, 0, 0, 4))                                   \
    X("vpscatterqd [rax+zmm2*4]{k1}, ymm1", IS(GATHER), ST(32), MASKED(8, 0, 0, 4))                                    \
    X("vgatherdpd ymm1, [rax+xmm2*8], ymm3", IS(GATHER), LD(32), SIGNS(YMM3, 8, 4, 8, 0))                              \
    X("vgatherqps xmm1, [rax+ymm2*4], xmm3", IS(GATHER), LD(16), SIGNS(XMM3, 4, 4, 4, 0))                              \
    X("vgatherqps xmm1, [rax+xmm2*4], xmm3", IS(GATHER), LD(8), SIGNS(XMM3, 4, 2, 4, 0))                               \
    X("vpgatherdd ymm1, [rax+ymm2*4], ymm3", IS(GATHER), LD(32), SIGNS(YMM3, 4, 8, 4, 0))                              \
    X("vmaskmovpd ymm1, ymm2, ymmword ptr [rax]", IS(MOVE), LD(32), SIGNS(YMM2, 8, 4, 8, 0))                           \
    X("vmaskmovps xmmword ptr [rax], xmm2, xmm1", IS(MOVE), ST(16), SIGNS(XMM2, 4, 4, 0, 4))                           \
    X("vpmaskmovq ymmword ptr [rax], ymm2, ymm1", IS(MOVE), ST(32), SIGNS(YMM2, 8, 4, 0, 8))                           \
    X("maskmovdqu xmm1, xmm2", IS(MOVE), ST(16), SIGNS(XMM2, 1, 16, 0, 1))                                             \
    X("maskmovq mm1, mm2", IS(MOVE), ST(8), SIGNS(MM2, 1, 8, 0, 1))                                                    \
    /* dot products; other integer arithmetic counts nothing */                                                        \
    X("vdpbf16ps zmm1, zmm2, dword ptr [rax]{1to16}", VECTOR(512, BF16, 32, 64), LD(4))                                \
    X("vpdpbusd zmm1, zmm2, zmmword ptr [rax]", VECTOR(512, I8, 64, 128), LD(64))                                      \
    X("vpdpbusds xmm1, xmm2, xmm16", VECTOR(128, I8, 16, 32))                                                          \
    X("{vex} vpdpwssd ymm1, ymm2, ymm3", VECTOR(256, I16, 16, 32))                                                     \
    X("vpdpwssds zmm1{k1}, zmm2, zmm3", VECTOR(512, I16, 32, 64), MASKED(16, 4, 0, 0))                                 \
    X("vpmaddubsw ymm1, ymm2, ymmword ptr [rax]", IS(SHUFFLE), LD(32))                                                 \
    X("pmaddwd xmm1, xmm2", IS(SHUFFLE))                                                                               \
    X("vpmulld zmm1, zmm2, zmm3", IS(SHUFFLE))                                                                         \
    X("tdpbf16ps tmm1, tmm2, tmm3", TILES(BF16, 8192), .mask_element_bytes = 2)                                        \
    X("tdpbssd tmm1, tmm2, tmm3", TILES(I8, 16384), .mask_element_bytes = 1)                                           \
    X("tdpbuud tmm1, tmm2, tmm3", TILES(I8, 16384), .mask_element_bytes = 1)                                           \
    X("tileloadd tmm1, [rax+rbx]", TILE_MOVE(1, 0))                                                                    \
    X("tileloaddt1 tmm1, [rax+rbx]", TILE_MOVE(1, 0))                                                                  \
    X("tilestored [rax+rbx], tmm1", TILE_MOVE(0, 1))                                                                   \
    X("ldtilecfg [rax]", LD(64))                                                                                       \
    X("tilezero tmm1", IS(MOVE))                                                                                       \
    /* x87 */                                                                                                          \
    X("fadd st, st(1)", X87(1))                                                                                        \
    X("fmul qword ptr [rax]", X87(1), LD(8))                                                                           \
    X("fdivr dword ptr [rax]", X87(1), LD(4))                                                                          \
    X("fsubrp st(1), st", X87(1))                                                                                      \
    X("fiadd dword ptr [rax]", X87(1), LD(4))                                                                          \
    X("fidiv word ptr [rax]", X87(1), LD(2))                                                                           \
    X("fsqrt", X87(1))                                                                                                 \
    X("fyl2x", X87(1))                                                                                                 \
    X("fsincos", X87(1))                                                                                               \
    X("fprem", X87(1))                                                                                                 \
    X("fabs", IS(SHUFFLE), .x87 = true)                                                                                \
    X("fcomi st, st(1)", IS(CONVERT), .x87 = true)                                                                     \
    X("fld tbyte ptr [rax]", IS(MOVE), .x87 = true, LD(10))                                                            \
    X("fstp qword ptr [rax]", IS(MOVE), .x87 = true, ST(8))                                                            \
    X("fistp dword ptr [rax]", IS(CONVERT), .x87 = true, ST(4))                                                        \
    X("fild qword ptr [rax]", IS(CONVERT), .x87 = true, LD(8))                                                         \
    X("fnstcw word ptr [rax]", .x87 = true, ST(2))                                                                     \
    X("fnstenv [rax]", .x87 = true, ST(28))                                                                            \
    X("fnsave [rax]", .x87 = true, ST(108))                                                                            \
    /* compares, conversions, moves of elements */                                                                     \
    X("ucomisd xmm1, qword ptr [rax]", IS(CONVERT), LD(8))                                                             \
    X("cmppd xmm1, xmm2, 1", IS(CONVERT))                                                                              \
    X("roundsd xmm1, qword ptr [rax], 1", IS(CONVERT), LD(8))                                                          \
    X("vreduceps zmm1, zmm2, 1", IS(CONVERT))                                                                          \
    X("vgetexpsh xmm1, xmm2, xmm3", IS(CONVERT))                                                                       \
    X("cvtsi2sd xmm1, qword ptr [rax]", IS(CONVERT), LD(8))                                                            \
    X("vcvtps2pd zmm1, dword ptr [rax]{1to8}", IS(CONVERT), LD(4))                                                     \
    X("vcvtps2pd ymm1, xmmword ptr [rax]", IS(CONVERT), LD(16))                                                        \
    X("vcvtph2ps xmm1, qword ptr [rax]", IS(CONVERT), LD(8))                                                           \
    X("vpmovzxbd zmm1, xmmword ptr [rax]", IS(CONVERT), LD(16))                                                        \
    X("pmovsxbq xmm1, word ptr [rax]", IS(CONVERT), LD(2))                                                             \
    X("movsd xmm1, qword ptr [rax]", IS(MOVE), LD(8))                                                                  \
    X("movss dword ptr [rax], xmm1", IS(MOVE), ST(4))                                                                  \
    X("movlps xmm1, qword ptr [rax]", IS(MOVE), LD(8))                                                                 \
    X("movhpd qword ptr [rax], xmm1", IS(MOVE), ST(8))                                                                 \
    X("movq xmm1, qword ptr [rax]", IS(MOVE), LD(8))                                                                   \
    X("movd dword ptr [rax], xmm1", IS(MOVE), ST(4))                                                                   \
    X("movddup xmm1, qword ptr [rax]", IS(MOVE), LD(8))                                                                \
    X("vmovsh xmm1, word ptr [rax]", IS(MOVE), LD(2))                                                                  \
    X("movntpd [rax], xmm1", IS(MOVE), ST(16))                                                                         \
    X("vmovntdqa zmm1, [rax]", IS(MOVE), LD(64))                                                                       \
    X("lddqu xmm1, [rax]", IS(MOVE), LD(16))                                                                           \
    X("vbroadcastss ymm1, dword ptr [rax]", IS(MOVE), LD(4))                                                           \
    X("vpbroadcastb ymm1, xmm2", IS(SHUFFLE))                                                                          \
    X("vbroadcastf64x4 zmm1, ymmword ptr [rax]", IS(MOVE), LD(32))                                                     \
    X("pinsrb xmm1, byte ptr [rax], 3", IS(SHUFFLE), LD(1))                                                            \
    X("pextrw word ptr [rax], xmm1, 3", IS(SHUFFLE), ST(2))                                                            \
    X("insertps xmm1, dword ptr [rax], 3", IS(SHUFFLE), LD(4))                                                         \
    X("vextracti128 xmmword ptr [rax], ymm1, 1", IS(SHUFFLE), ST(16))                                                  \
    X("vxorps ymm1, ymm2, ymmword ptr [rax]", IS(SHUFFLE), LD(32))                                                     \
    X("pand xmm1, xmm2", IS(SHUFFLE))                                                                                  \
    X("kmovw k1, word ptr [rax]", IS(MOVE), LD(2))                                                                     \
    X("kandq k1, k2, k3", IS(SHUFFLE))                                                                                 \
    X("vzeroupper", IS(OTHER))                                                                                         \
    X("ldmxcsr dword ptr [rax]", LD(4))                                                                                \
    /* general registers */                                                                                            \
    X("mov rax, qword ptr [rbx]", IS(MOVE), LD(8))                                                                     \
    X("mov byte ptr [rbx], 1", IS(MOVE), ST(1))                                                                        \
    X("movzx eax, word ptr [rbx]", IS(MOVE), LD(2))                                                                    \
    X("add qword ptr [rax], 1", IS(INTEGER), LD(8), ST(8))                                                             \
    X("cmp dword ptr [rax], 1", IS(INTEGER), LD(4))                                                                    \
    X("test al, 1", IS(INTEGER))                                                                                       \
    X("lea rax, [rbx+rcx*8]", IS(INTEGER))                                                                             \
    X("cmovz rax, qword ptr [rbx]", IS(MOVE), LD(8))                                                                   \
    X("setz byte ptr [rax]", IS(INTEGER), ST(1))                                                                       \
    X("cqo", IS(INTEGER))                                                                                              \
    X("popcnt rax, qword ptr [rbx]", IS(INTEGER), LD(8))                                                               \
    X("mulx rax, rbx, qword ptr [rcx]", IS(INTEGER), LD(8))                                                            \
    X("bt qword ptr [rax], 3", IS(INTEGER), LD(8))                                                                     \
    X("bts dword ptr [rax], 3", IS(INTEGER), LD(4), ST(4))                                                             \
    X("lock xadd qword ptr [rax], rbx", IS(INTEGER), LD(8), ST(8))                                                     \
    X("lock cmpxchg dword ptr [rax], ebx", IS(INTEGER), LD(4), ST(4))                                                  \
    X("lock cmpxchg16b xmmword ptr [rax]", IS(INTEGER), LD(16), ST(16))                                                \
    X("xchg qword ptr [rax], rbx", IS(MOVE), LD(8), ST(8))                                                             \
    X("xlatb", IS(MOVE), LD(1))                                                                                        \
    X("movnti qword ptr [rax], rbx", IS(MOVE), ST(8))                                                                  \
    X("movdiri qword ptr [rax], rbx", IS(MOVE), ST(8))                                                                 \
    X("movdir64b rax, [rbx]", IS(MOVE), LD(64), ST(64))                                                                \
    X("enqcmd rax, [rbx]", LD(64))                                                                                     \
    /* the stack: implicit, besides the named operands */                                                              \
    X("push rax", IS(MOVE), PUSHES(8))                                                                                 \
    X("push ax", IS(MOVE), PUSHES(2))                                                                                  \
    X("push qword ptr [rax]", IS(MOVE), LD(8), PUSHES(8))                                                              \
    X("push qword ptr [rsp+8]", IS(MOVE), LD(8), PUSHES(8))                                                            \
    X("pop qword ptr [rax]", IS(MOVE), ST(8), POPS(8))                                                                 \
    X("pushfq", IS(MOVE), PUSHES(8))                                                                                   \
    X("mov qword ptr [rsp], rax", IS(MOVE), ST(8))                                                                     \
    X("leave", IS(MOVE), POPS(8))                                                                                      \
    X("enter 16, 0", IS(MOVE), PUSHES(8))                                                                              \
    X("call rax", IS(CALL), PUSHES(8))                                                                                 \
    X("call qword ptr [rax]", IS(CALL), LD(8), PUSHES(8))                                                              \
    X("ret", IS(CALL), POPS(8))                                                                                        \
    X("ret 16", IS(CALL), POPS(8))                                                                                     \
    X("jmp qword ptr [rax]", IS(BRANCH), LD(8))                                                                        \
    X("jnz 2f; 2:", IS(BRANCH))                                                                                        \
    X("loop 2f; 2:", IS(BRANCH))                                                                                       \
    /* strings: one step, or as many as rcx decreases */                                                               \
    X("movsb", IS(STRING), LD(1), ST(1))                                                                               \
    X("movsd", IS(STRING), LD(4), ST(4))                                                                               \
    X("cmpsd", IS(STRING), LD(8))                                                                                      \
    X("lodsq", IS(STRING), LD(8))                                                                                      \
    X("rep movsq", REPEATED(8, 8))                                                                                     \
    X("rep stosb", REPEATED(0, 1))                                                                                     \
    X("repne scasb", REPEATED(1, 0))                                                                                   \
    X("repe cmpsb", REPEATED(2, 0))                                                                                    \
    /* a memory operand without an access, and accesses of unknown size */                                             \
    X("nop dword ptr [rax]", IS(OTHER))                                                                                \
    X("endbr64", IS(OTHER))                                                                                            \
    X("prefetcht0 [rax]", IS(OTHER))                                                                                   \
    X("prefetchw [rax]", IS(OTHER))                                                                                    \
    X("clflush [rax]", IS(OTHER))                                                                                      \
    X("clflushopt [rax]", IS(OTHER))                                                                                   \
    X("clwb [rax]", IS(OTHER))                                                                                         \
    X("cldemote [rax]", IS(OTHER))                                                                                     \
    X("pause", IS(OTHER))                                                                                              \
    X("mfence", IS(OTHER))                                                                                             \
    X("syscall", IS(OTHER))                                                                                            \
    X("xsavec64 [rax]", .bytes_unknown = true)                                                                         \
    X("xrstor [rax]", .bytes_unknown = true)                                                                           \
    X("fxsave [rax]", .bytes_unknown = true)                                                                           \
    X("xgetbv", IS(OTHER))
