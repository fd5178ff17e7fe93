/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of AArch64 by form: a text with places for registers, and the word whose fields they fill. Enough to
 * assemble and to recognize what `carmine core` measures; programs have many more. decode.c has classes of words
 * of its own, with their costs: a kernel's proof does not rest on a table that writes code. */
#pragma once

#include "probe/isa.h"

/* Extensions that no kernel needs, beside those of enum cpu_feature. */
#define FORMS_AES     (UINT64_C(1) << 54)
#define FORMS_PMULL   (UINT64_C(1) << 55)
#define FORMS_SHA2    (UINT64_C(1) << 56)
#define FORMS_CRC32   (UINT64_C(1) << 57)
#define FORMS_ATOMICS (UINT64_C(1) << 58)
#define FORMS_RDM     (UINT64_C(1) << 59)
#define FORMS_JSCVT   (UINT64_C(1) << 60)
#define FORMS_FCMA    (UINT64_C(1) << 61)
#define FORMS_SHA3    (UINT64_C(1) << 62)
#define FORMS_FHM     (UINT64_C(1) << 63)

/* A row of the table: forms that differ only in mnemonic and element type. */
struct form_shape {
    const char *type, *elements; /* "z.$", "d s h": `$` is each element in turn; "": one form, without `$` */
    const char *operands;        /* "zD.$, pG/m, zN.$": a register's kind, then its place, as of form_field */
    const char *roles; /* R: reads its first register, too; L loads, S stores, A both; F writes the flags, f reads them;
                          C its second register is the one written; M copies a register; U is not measured */
    cpu_features needs; /* also bits of FORMS_ above */
    const char *words;  /* mnemonics, each with a word for each element; its fields are 0 */
};
extern const struct form_shape form_shapes[]; /* up to one without words */

enum { FORM_BYTES = 24, FORM_TEXT_BYTES = 64, FORM_LETTERS = 26 };

struct arm_form {
    char name[FORM_BYTES];      /* mnemonic and type: "fmla 2d", "add x", "fadd z.d/m" */
    char text[FORM_TEXT_BYTES]; /* "fmla vD.2d, vN.2d, vM.2d" */
    uint32_t word, fixed;       /* `fixed`: the bits outside of its fields */
    const struct form_shape *shape;
};

/* Where a place of a text is in the word. */
struct form_field {
    char kind;         /* x, w general; v, d, s, h, q, b, z vectors; p predicates; # an offset in steps */
    char letter;       /* D, N, M, A registers; T the second of a pair; G, H predicates; S one register in two fields;
                          E the one behind D, O behind N: no field; I, J, K, L, V offsets */
    unsigned at, bits; /* bits 0: none of its own */
    unsigned scale;    /* of a number in the text: "#I8" has steps of 8 */
};

/* By mnemonic. */
const struct arm_form *forms_all(size_t *count);

/* NULL: no such form. */
const struct arm_form *forms_named(const char *name);

/* The form of a line of assembly, and the values of its fields; NULL: no form matches. */
const struct arm_form *forms_of_text(const char *text, unsigned values[FORM_LETTERS]);

/* The form of an instruction; NULL: not one of these. */
const struct arm_form *forms_of_word(uint32_t word);

/* The next place in a text from `*at` on, which moves behind it. False: no more. */
bool forms_next_field(const char **at, struct form_field *out);

/* `values` are by letter, from A on. */
uint32_t forms_encode(const struct arm_form *form, const unsigned values[FORM_LETTERS]);
void forms_decode(const struct arm_form *form, uint32_t word, unsigned values[FORM_LETTERS]);

/* As disassemblers write it. Returns `out`. */
char *forms_write(const struct arm_form *form, const unsigned values[FORM_LETTERS], char *out, size_t size);
