/* SPDX-License-Identifier: BSD-3-Clause
 * What an instruction of AArch64 asks of a core (see asm/incore/demand.h), for the forms of asm/aarch64/forms.h alone:
 * enough for the instructions that are measured, not for programs. */
#include "asm/incore/demand.h"

#include <stdio.h>
#include <string.h>

#include "asm/aarch64/forms.h"

/* Register numbers of a demand. A register of SVE is the vector register of the same number. LOCK is none: each atomic
 * instruction waits for the one before it. */
enum {
    GENERAL = 1,
    ZERO = 31,
    VECTOR = GENERAL + ZERO,
    MASK = DEMAND_STACK + DEMAND_STACK_DEPTH,
    FLAGS = MASK + 16,
    LOCK
};
_Static_assert((int)VECTOR + 32 <= (int)DEMAND_STACK && (int)LOCK < DEMAND_REGISTERS, "each has a number of its own");

static void add_register(struct demand_registers *to, unsigned number) {
    if (number > 0 && !memchr(to->of, (int)number, to->count) && to->count < DEMAND_REGISTERS_MOST)
        to->of[to->count++] = (uint8_t)number;
}

/* 0: the zero register. */
static unsigned register_number(char kind, unsigned value) {
    return kind == 'p'                  ? MASK + value
           : kind != 'x' && kind != 'w' ? VECTOR + value
           : value == ZERO              ? 0
                                        : GENERAL + value;
}

/* One place of the text, `times` of this letter before it; `in_address`: behind a bracket. */
static void set_register(const struct arm_form *form, const struct form_field *field, unsigned value, bool again,
                         bool in_address, struct instruction_demand *out) {
    const char *roles = form->shape->roles;
    const unsigned number = register_number(field->kind, value);
    const bool is_result = strchr("DET", field->letter) && !strchr(roles, 'S');
    if (in_address && field->kind != '#') {
        uint8_t *part = field->letter == 'N' ? &out->address.base : &out->address.index;
        *part = (uint8_t)number;
        out->addressed = true;
    } else if (is_result && !again)
        add_register(&out->writes, number);
    else if (field->kind != '#')
        add_register(&out->reads, number);
    if (field->letter == 'D' && strchr(roles, 'R'))
        add_register(&out->reads, number);
    if (field->letter == 'G' || field->letter == 'H')
        out->mask = (uint8_t)number;
}

static void set_registers(const struct arm_form *form, const unsigned values[FORM_LETTERS],
                          struct instruction_demand *out) {
    const char *bracket = strchr(form->text, '['), *at = form->text;
    const bool has_address = bracket && bracket[-1] == ' ' && strpbrk(form->shape->roles, "LS");
    char before[FORM_LETTERS + 1] = "";
    struct form_field field;
    for (size_t count = 0; forms_next_field(&at, &field) && count < FORM_LETTERS; count++) {
        const unsigned value = field.letter == 'E'   ? values['D' - 'A'] + 1
                               : field.letter == 'O' ? values['N' - 'A'] + 1
                                                     : values[field.letter - 'A'];
        set_register(form, &field, value % 32, strchr(before, field.letter) != NULL, has_address && at > bracket, out);
        before[count] = field.letter;
    }
    if (strstr(form->text, "/m") && strchr(before, 'D')) /* what is not selected stays */
        add_register(&out->reads, out->writes.of[0]);
    if (strchr(form->shape->roles, 'C')) { /* compares, and returns what was there */
        out->writes.count = 0;
        add_register(&out->writes, register_number('x', values['M' - 'A']));
        add_register(&out->reads, register_number('x', values['D' - 'A']));
    }
}

bool demand_find(const void *code, size_t code_bytes, uint64_t address, struct instruction_demand *out) {
    unsigned values[FORM_LETTERS] = {0};
    uint32_t word;
    (void)address;
    *out = (struct instruction_demand){.data = 'q', .length_bytes = sizeof word};
    if (code_bytes < sizeof word)
        return false;
    memcpy(&word, code, sizeof word);
    const struct arm_form *form = forms_of_word(word);
    if (!form)
        return false;
    const char *roles = form->shape->roles;
    forms_decode(form, word, values);
    snprintf(out->form, sizeof out->form, "%s", form->name);
    set_registers(form, values, out);
    out->loads = strpbrk(roles, "LA") != NULL;
    out->stores = strpbrk(roles, "SA") != NULL;
    if (strchr(roles, 'A')) { /* wherever it writes */
        add_register(&out->reads, LOCK);
        add_register(&out->writes, LOCK);
    }
    if (strchr(roles, 'f'))
        add_register(&out->reads, FLAGS);
    if (strchr(roles, 'F'))
        add_register(&out->writes, FLAGS);
    out->moves = strchr(roles, 'M') != NULL;
    out->sets_flags = strchr(roles, 'F') != NULL;
    if (out->writes.count > 0 && out->writes.of[0] >= VECTOR)
        out->data = 'x';
    return true;
}

/* A function must keep x19 to x29; of v8 to v15 only the lower half, so no vector is kept whole. */
bool demand_kept_by_calls(unsigned number) {
    return number == 0 || number == LOCK || (number >= GENERAL + 19 && number <= GENERAL + 29);
}
