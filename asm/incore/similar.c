/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64 whose time was not measured, but that of one like them. */
#include "core_table.h"

#include <stdio.h>
#include <string.h>

const char *const similar_loads[CORE_WIDTHS] = {"mov qm", "movups xm", "vmovups ym", "vmovups zm"};
const char *const similar_stores[CORE_WIDTHS] = {"mov mq", "movups mx", "vmovups my", "vmovups mz"};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool begins_one_of(const char *text, const char *const *names) {
    for (; *names; names++)
        if (begins(text, *names))
            return true;
    return false;
}

/* Copies between memory and one register (a broadcast is a load), the stack's, those of x87, no-ops and prefetches. */
bool similar_only_accesses(const struct instruction_demand *demand) {
    static const char *const
        COPIES[] = {"mov", "vmov", "lddqu", "vlddqu", "vbroadcast", "vpbroadcast", "push", "pop", "fld", "fst", NULL},
        *const NOTHING[] = {"nop", "endbr", "prefetch", NULL}, *const ON_STACK[] = {"fld", "fst", NULL};
    const char *space = strchr(demand->form, ' '), *letters = space ? space + 1 : "";
    const unsigned accesses = demand->loads + demand->stores;
    if (begins_one_of(demand->form, NOTHING) || (accesses == 0 && begins_one_of(demand->form, ON_STACK)))
        return true;
    if (accesses != 1 || strlen(letters) > 2 || (demand->loads && demand->reads.count > 0))
        return false;
    return *letters != '\0' && begins_one_of(demand->form, COPIES);
}

bool similar_divides(const char *form) {
    return strstr(form, "div") || (strstr(form, "sqrt") && !strstr(form, "rsqrt"));
}

static void replace(char *letters, const char *these, char by) {
    for (char *c = letters; *c; c++)
        if (strchr(these, *c))
            *c = by;
}

void similar_without_memory(char *letters) {
    const char *first = strpbrk(letters, "xyzbwdqk");
    replace(letters, "m", first ? *first : 'q');
}

static bool has_word(const char *words, const char *word, size_t bytes) {
    for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == bytes && strncmp(words, word, bytes) == 0)
            return true;
    return false;
}

/* The form that stands for all of a mnemonic's; NULL: none. */
static const char *stands_for(const char *form) {
    static const struct {
        const char *form, *mnemonics;
    } FAMILIES[] = {{"fadd ff", "fadd faddp fiadd fsub fsubp fisub fsubr fsubrp fisubr"},
                    {"fmul ff", "fmul fmulp fimul"},
                    {"fdiv ff", "fdiv fdivp fidiv fdivr fdivrp fidivr"},
                    {"lock-add mq", "lock-add lock-sub lock-inc lock-dec lock-neg lock-not lock-and lock-or lock-xor"},
                    {"lock-xadd mq", "lock-xadd"},
                    {"lock-cmpxchg mq", "lock-cmpxchg"},
                    {"lock-xchg mq", "lock-xchg"}};
    for (size_t i = 0; i < sizeof FAMILIES / sizeof *FAMILIES; i++)
        if (has_word(FAMILIES[i].mnemonics, form, strcspn(form, " ")))
            return FAMILIES[i].form;
    return NULL;
}

bool similar_has_family(const char *form) {
    return stands_for(form) != NULL;
}

/* In this order, each on top of those before: its register in place of memory, another condition or another one of its
 * family, 32 bits in place of 8 and 16, an address of three parts in place of a scaled one of
 * three, a register in place of a constant. */
bool similar_form(unsigned nth, char form[DEMAND_FORM_BYTES]) {
    char *space = strchr(form, ' '), *letters = space ? space + 1 : form + strlen(form), rest[16];
    const char *condition = begins(form, "cmov")  ? "cmovz"
                            : begins(form, "set") ? "setz"
                                                  : NULL,
               *other = stands_for(form);
    if (nth == 1)
        similar_without_memory(letters);
    else if (nth == 2 && other)
        snprintf(form, DEMAND_FORM_BYTES, "%s", other);
    else if (nth == 2 && condition && space) {
        snprintf(rest, sizeof rest, "%.15s", space);
        snprintf(form, DEMAND_FORM_BYTES, "%s%s", condition, rest);
    } else if (nth == 3)
        replace(letters, "bw", 'd'), replace(letters, "S", 'A');
    else if (nth == 4 && *letters != 'i')
        replace(letters, "i", *letters);
    return nth <= 4;
}
