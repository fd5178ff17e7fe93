/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of AArch64 assembly → machine code, by the table of forms (see asm/assemble_line.h). */
#include "asm/assemble_line.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "forms.h"

enum { WORD_BYTES = 4 };

static bool assemble_one(const char *text, uint32_t *word) {
    unsigned values[FORM_LETTERS] = {0};
    const struct arm_form *form = forms_of_text(text, values);
    if (form)
        *word = forms_encode(form, values);
    return form != NULL;
}

size_t assemble_lines(const char *text, uint8_t *out, size_t size) {
    size_t used = 0;
    for (text += strspn(text, " ;"); *text; text += strspn(text, " ;"), used += WORD_BYTES) {
        char line[FORM_TEXT_BYTES];
        uint32_t word;
        const size_t bytes = strcspn(text, ";");
        snprintf(line, sizeof line, "%.*s", (int)bytes, text);
        if (bytes >= sizeof line || used + WORD_BYTES > size || !assemble_one(line, &word))
            return 0;
        memcpy(out + used, &word, sizeof word);
        text += bytes;
    }
    return used;
}

/* By bits of the system's HWCAP. */
static cpu_features extensions_here(void) {
    static const struct {
        cpu_features extension;
        unsigned bit;
    } OF_SYSTEM[] = {{FORMS_AES, 3},  {FORMS_PMULL, 4},  {FORMS_SHA2, 6},  {FORMS_CRC32, 7}, {FORMS_ATOMICS, 8},
                     {FORMS_RDM, 12}, {FORMS_JSCVT, 13}, {FORMS_FCMA, 14}, {FORMS_SHA3, 17}, {FORMS_FHM, 23}};
    const unsigned long here = getauxval(AT_HWCAP);
    cpu_features extensions = 0;
    for (size_t i = 0; i < sizeof OF_SYSTEM / sizeof *OF_SYSTEM; i++)
        if (here >> OF_SYSTEM[i].bit & 1)
            extensions |= OF_SYSTEM[i].extension;
    return extensions;
}

static bool runs_here(uint32_t word, cpu_features features) {
    const struct arm_form *form = forms_of_word(word);
    if (!form)
        return false;
    const cpu_features needs = form->shape->needs;
    return (!(needs & CPU_SVE) || features & CPU_SVE) && !(needs & ~CPU_SVE & ~features);
}

bool assemble_runs_here(const uint8_t *code, size_t bytes, cpu_features features) {
    features |= extensions_here();
    for (size_t at = 0; at + WORD_BYTES <= bytes; at += WORD_BYTES) {
        uint32_t word;
        memcpy(&word, code + at, sizeof word);
        if (!runs_here(word, features))
            return false;
    }
    return true;
}

cpu_features assemble_needs(const uint8_t *code, size_t bytes) {
    cpu_features needs = 0;
    for (size_t at = 0; at + WORD_BYTES <= bytes; at += WORD_BYTES) {
        uint32_t word;
        memcpy(&word, code + at, sizeof word);
        const struct arm_form *form = forms_of_word(word);
        needs |= form ? form->shape->needs : 0;
    }
    return needs;
}
