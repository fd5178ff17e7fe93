/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64 whose time was not measured, but that of one like them. */
#include "asm/incore/similar.h"

#include <stdio.h>
#include <string.h>

const char *const similar_loads[CORE_WIDTHS] = {"mov qm", "movups xm", "vmovups ym", "vmovups zm"};
const char *const similar_stores[CORE_WIDTHS] = {"mov mq", "movups mx", "vmovups my", "vmovups mz"};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Copies between memory and one register (a broadcast is a load), the stack's, no-ops and prefetches. */
bool similar_only_accesses(const struct instruction_demand *demand) {
    static const char *const COPIES[] = {"mov", "vmov", "lddqu", "vlddqu", "vbroadcast", "vpbroadcast", "push", "pop"},
                             *const NOTHING[] = {"nop", "endbr", "prefetch"};
    const char *space = strchr(demand->form, ' '), *letters = space ? space + 1 : "";
    for (size_t i = 0; i < sizeof NOTHING / sizeof *NOTHING; i++)
        if (begins(demand->form, NOTHING[i]))
            return true;
    if (demand->loads + demand->stores != 1 || strlen(letters) > 2 || (demand->loads && demand->reads.count > 0))
        return false;
    for (size_t i = 0; i < sizeof COPIES / sizeof *COPIES; i++)
        if (begins(demand->form, COPIES[i]))
            return *letters != '\0';
    return false;
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

/* In this order, each on top of those before: its register in place of memory, another condition, 32 bits in place of
 * 8 and 16, a register in place of a constant. */
bool similar_form(unsigned nth, char form[DEMAND_FORM_BYTES]) {
    char *space = strchr(form, ' '), *letters = space ? space + 1 : form + strlen(form), rest[16];
    const char *condition = begins(form, "cmov") ? "cmovz" : begins(form, "set") ? "setz" : NULL;
    if (nth == 1)
        similar_without_memory(letters);
    else if (nth == 2 && condition && space) {
        snprintf(rest, sizeof rest, "%.15s", space);
        snprintf(form, DEMAND_FORM_BYTES, "%s%s", condition, rest);
    } else if (nth == 3)
        replace(letters, "bw", 'd');
    else if (nth == 4 && *letters != 'i')
        replace(letters, "i", *letters);
    return nth <= 4;
}
