/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions that have the same pipes (see pipes.h), of each architecture. Those of x86-64 are without the v of VEX,
 * and their vectors of 512 bits are in no class: some cores have other pipes for them. So have some for SVE. */
#include "pipes.h"

#include <string.h>

#define SVE_CLASSES(z)                                                                                                 \
    {"fadd " z ".d", z ".d " z ".s", "fadd fsub fmul fmla fmls"},                                                      \
        {"add " z ".d", z ".d " z ".s " z ".b", "add sub and orr eor bic"}, {                                          \
        "zip1 " z ".d", z ".d " z ".s " z ".b", "zip1 uzp1 trn1 tbl rev"                                               \
    }

/* clang-format off */
const struct pipe_class pipe_classes[] = {
    {"cmp qq", "qq dd qi di q d", "add sub and or xor cmp test inc dec neg not"},
    {"shl qi", "qi di", "shl shr sar"},
    {"imul qqi", "qq dd qqi ddi", "imul"},
    {"lea qa", "qa da", "lea"},
    {"cmovz qq", "qq dd", "cmovz"},
    {"popcnt qq", "qq dd", "popcnt lzcnt tzcnt"},
    {"mov qm", "qm dm", "mov"},
    {"mov mq", "mq md", "mov"},
    {"vaddpd xxx", "xx xxx yyy", "addsd subsd addpd subpd addss subss addps subps"},
    {"vmulpd xxx", "xx xxx yyy", "mulsd mulpd mulss mulps"},
    {"vfmadd231pd xxx", "xxx yyy",
     "fmadd132pd fmadd213pd fmadd231pd fmadd132ps fmadd213ps fmadd231ps fmadd132sd fmadd213sd fmadd231sd fmadd132ss "
     "fmadd213ss fmadd231ss fnmadd231pd fnmadd231ps fnmadd231sd fmsub231pd"},
    {"vminpd xxx", "xx xxx yyy", "minsd maxsd minpd maxpd minss maxss minps maxps"},
    {"vdivpd xxx", "xx xxx yyy", "divsd divpd divss divps"},
    {"vsqrtpd xx", "xx xxx yy", "sqrtsd sqrtpd sqrtss sqrtps"},
    {"vpshufd xxi", "xx xxx yyy xxi yyi", "pshufd punpcklbw punpckldq punpcklqdq"},
    {"vshufps xxxi", "xx xxx yyy xxi xxxi yyyi", "shufps shufpd unpcklps unpcklpd"},
    {"vpaddd xxx", "xx xxx yyy", "paddb paddw paddd paddq psubb psubw psubd psubq"},
    {"vpand xxx", "xx xxx yyy", "pand por pxor pandn andps andpd orps orpd xorps xorpd"},
    {"vpcmpeqd xxx", "xx xxx yyy", "pcmpeqb pcmpeqd pcmpgtd"},
    {"vpslld xxi", "xi xxi yyi", "psllw pslld psllq psrld psrlq psrad"},
    {"vpmuludq xxx", "xx xxx yyy", "pmullw pmulhw pmuludq pmaddwd"},
    {"vcvtdq2ps xx", "xx yy", "cvtdq2ps cvtps2dq cvttps2dq"},
    {"vmovd xd", "xd xq", "movd movq"},
    {"vmovd dx", "dx qx", "movd movq"},
    {"kandw kkk", "kkk", "kandw korw kxorq kxnorb"},
    {"add x", "x w xi wi", "add sub and orr eor bic neg mvn adds subs ands cmp tst"},
    {"lsl xi", "xi wi", "lsl lsr asr"},
    {"mul x", "x w", "mul madd msub"},
    {"csel x", "x w", "csel csinc csneg"},
    {"clz x", "x w", "clz rbit rev"},
    {"ldr x", "x w", "ldr ldrb ldrh"},
    {"str x", "x w", "str strb"},
    {"ldr q", "q d s", "ldr"},
    {"str q", "q d s", "str"},
    {"fadd 2d", "d s 2d 4s 2s", "fadd fsub fabd"},
    {"fmul 2d", "d s 2d 4s", "fmul fnmul"},
    {"fmla 2d", "d s 2d 4s 2s", "fmla fmls fmadd fmsub fnmadd fnmsub"},
    {"fmax 2d", "d s 2d 4s", "fmax fmin fmaxnm fminnm"},
    {"fdiv 2d", "d s 2d 4s", "fdiv"},
    {"zip1 4s", "16b 4s 2d", "zip1 uzp1 trn1 zip2 uzp2 trn2"},
    {"tbl 16b", "16b", "tbl ext"},
    {"add 4s", "16b 8h 4s 2d", "add sub"},
    {"and 16b", "16b", "and orr eor bic orn"},
    {"cmeq 4s", "16b 4s 2d", "cmeq cmgt cmhi"},
    {"shl 4si", "16bi 4si 2di", "shl sshr ushr"},
    {"mul 4s", "16b 8h 4s", "mul mla mls"},
    {"scvtf 4s", "d s 2d 4s", "scvtf ucvtf fcvtzs"},
    SVE_CLASSES("z128"), SVE_CLASSES("z256"), SVE_CLASSES("z512"), SVE_CLASSES("z1024"), SVE_CLASSES("z2048"),
};
/* clang-format on */
const size_t pipe_class_count = sizeof pipe_classes / sizeof *pipe_classes;

static bool has_word(const char *words, const char *word, size_t bytes) {
    for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == bytes && strncmp(words, word, bytes) == 0)
            return true;
    return false;
}

const struct pipe_class *pipe_class_of(const char *form) {
    const char *mnemonic = form + (*form == 'v'), *letters = form + strcspn(form, " ");
    for (size_t i = 0; i < pipe_class_count && *letters; i++)
        if (has_word(pipe_classes[i].operands, letters + 1, strlen(letters + 1)) &&
            has_word(pipe_classes[i].mnemonics, mnemonic, (size_t)(letters - mnemonic)))
            return &pipe_classes[i];
    return NULL;
}
