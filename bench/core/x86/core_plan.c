/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of measured instructions → units of machine code. */
#include "bench/core/core_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assemble_line.h"
#include "asm/instruction.h"
#include "core_rows.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

enum {
    TEXT_BYTES = 640,
    NAME_BYTES = 16,
    OPERAND_BYTES = 48,
    VECTOR_TARGETS = 12,
    MASK_TARGETS = 5,
    CONSTANT = 64,
    STRIDE_BYTES = 64,
    TABLE_AT = 4096
};

/* Numbers of the general registers that core_code_write() gives the values of core_data.general, in this order. */
static const unsigned GENERALS[CORE_GENERAL] = {8, 9, 10, 11, 12, 13, 14, 3, 5, 0};
/* Different ones, since a register and itself may make a known result. */
static const unsigned GENERAL_CONSTANT = 6, MASK_CONSTANTS[] = {7, 7, 6}, VECTOR_CONSTANTS[] = {13, 13, 14, 12};

static void general_name(unsigned number, char letter, char out[NAME_BYTES]) {
    static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    if (number >= 8)
        snprintf(out, NAME_BYTES, "r%u%s", number,
                 letter == 'q'   ? ""
                 : letter == 'd' ? "d"
                 : letter == 'w' ? "w"
                                 : "b");
    else if (letter == 'b')
        snprintf(out, NAME_BYTES, number < 4 ? "%.1sl" : "%.2sl", old[number]);
    else
        snprintf(out, NAME_BYTES, "%s%s", letter == 'q' ? "r" : letter == 'd' ? "e" : "", old[number]);
}

static bool is_vector(char letter) {
    return letter >= 'x' && letter <= 'z';
}

/* Addresses are made of general registers. */
static char kind_of(char letter) {
    return is_vector(letter) ? 'x' : letter == 'k' ? 'k' : 'q';
}

static unsigned targets_of(char letter) {
    return is_vector(letter) ? VECTOR_TARGETS : letter == 'k' ? MASK_TARGETS : CORE_GENERAL;
}

static unsigned memory_bytes(const char *letters) {
    static const char of[] = "bwdqxyz";
    const char *first = strpbrk(letters, of);
    return first ? 1u << (strchr(of, *first) - of) : 8;
}

/* One instruction of a row: with these letters, into target `to`; the operand `through` is target `from`. */
struct instance_of_row {
    const struct core_row *row;
    const char *mnemonic, *letters;
    int mnemonic_bytes;
    unsigned to;
    bool chains;
};

/* Side by side: stores to one line leave a core together, and words at the same place of several lines may be in one
 * bank of L1. */
static unsigned stride_bytes(const struct instance_of_row *of) {
    return is_vector(of->letters[0]) ? STRIDE_BYTES : memory_bytes(of->letters);
}

/* `slot`: a target's number, or CONSTANT + the operand's. */
static void operand_text(const struct instance_of_row *of, unsigned i, unsigned slot, char out[OPERAND_BYTES]) {
    const char letter = of->letters[i];
    const bool constant = slot >= CONSTANT;
    char name[NAME_BYTES];
    general_name(slot < CORE_GENERAL ? GENERALS[slot] : GENERAL_CONSTANT, strchr("aAsS", letter) ? 'q' : letter, name);
    if (letter == 'i')
        snprintf(out, OPERAND_BYTES, "%d", of->row->immediate);
    else if (letter == 'c')
        snprintf(out, OPERAND_BYTES, "cl");
    else if (letter == 'm')
        snprintf(out, OPERAND_BYTES, "%u[rdi+%u]", memory_bytes(of->letters), TABLE_AT + stride_bytes(of) * of->to);
    else if (strchr("aAsS", letter))
        snprintf(out, OPERAND_BYTES, "8[%s+rsi%s%s]", name, strchr("sS", letter) ? "*4" : "",
                 strchr("AS", letter) ? "+8" : "");
    else if (letter == 'k')
        snprintf(out, OPERAND_BYTES, "k%u", constant ? MASK_CONSTANTS[slot - CONSTANT] : slot + 1);
    else if (is_vector(letter))
        snprintf(out, OPERAND_BYTES, "%cmm%u", letter, constant ? VECTOR_CONSTANTS[slot - CONSTANT] : slot);
    else
        snprintf(out, OPERAND_BYTES, "%s", name);
}

static void instruction_of(const struct instance_of_row *of, char *out, size_t size) {
    snprintf(out, size, "%.*s", of->mnemonic_bytes, of->mnemonic);
    for (unsigned i = 0; of->letters[i]; i++) {
        char operand[OPERAND_BYTES];
        const bool links = of->chains && (int)i == of->row->through;
        operand_text(of, i, i == 0 || links ? of->to : CONSTANT + i, operand);
        text_append(out, size, "%s%s%s", i ? ", " : " ", operand,
                    i == 0 && of->mnemonic[of->mnemonic_bytes] == '{' ? ", k1" : "");
    }
}

static void add_less(struct core_item *item, const char *form) {
    for (unsigned i = 0; i < CORE_LESS_MOST; i++)
        if (item->less[i][0] == '\0') {
            snprintf(item->less[i], sizeof item->less[i], "%s", form);
            return;
        }
}

/* The way from the kind of register that a chain's instruction writes back to the kind that it reads. */
static void close_chain(const struct instance_of_row *of, struct core_item *item, char *out, size_t size) {
    const bool vex = of->mnemonic[0] == 'v' || of->mnemonic[0] == 'k', by_flags = of->row->through == BY_FLAGS;
    const char reads = kind_of(of->letters[by_flags ? 0 : of->row->through]),
               writes = by_flags ? 'q' : kind_of(of->letters[0]);
    out[0] = '\0';
    item->crosses = writes != reads;
    if (by_flags) {
        text_append(out, size, "; cmovz r8, rsi");
        add_less(item, "cmovz qq");
    }
    if (writes != 'q' && writes != reads) {
        const char *form = writes == 'k' ? "kmovq qk" : vex ? "vmovq qx" : "movq qx";
        text_append(out, size, "; %.*s r8, %s", (int)strcspn(form, " "), form, writes == 'k' ? "k1" : "xmm0");
        add_less(item, form);
    }
    if (reads != 'q' && writes != reads) {
        const char *form = reads == 'k' ? "kmovq kq" : vex ? "vmovq xq" : "movq xq";
        text_append(out, size, "; %.*s %s, r8", (int)strcspn(form, " "), form, reads == 'k' ? "k1" : "xmm0");
        add_less(item, form);
    }
}

static void keep_number(const struct instance_of_row *of, struct core_item *item, char *out, size_t size) {
    const bool vex = of->mnemonic[0] == 'v';
    const char letter = of->letters[0];
    char form[DEMAND_FORM_BYTES];
    snprintf(form, sizeof form, vex ? "vorps %c%c%c" : "orps %c%c", letter, letter, letter);
    if (vex)
        snprintf(out, size, "; vorps %cmm0, %cmm0, %cmm15", letter, letter, letter);
    else
        snprintf(out, size, "; orps xmm0, xmm15");
    add_less(item, form);
}

static unsigned count_of(const char *text) {
    unsigned count = 1;
    for (; *text; text++)
        count += *text == ';';
    return count;
}

static bool share(const struct demand_registers *a, const struct demand_registers *b) {
    for (unsigned i = 0; i < a->count; i++)
        if (memchr(b->of, a->of[i], b->count))
            return true;
    return false;
}

/* Whether no instruction of the unit reads what another one writes, such as the carry. */
static bool is_independent(const struct core_item *item) {
    enum { MOST = 16 };
    struct instruction_demand of[MOST];
    const unsigned count = item->count < MOST ? item->count : MOST;
    size_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!demand_find(item->unit + at, item->unit_bytes - at, 0, &of[i]))
            return false;
        at += of[i].length_bytes;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < count; k++)
            if (i != k && share(&of[i].reads, &of[k].writes))
                return false;
    return true;
}

static bool add_item(struct core_plan *plan, struct core_item *item, const char *text, struct error *err) {
    item->unit_bytes = assemble_lines(text, item->unit, sizeof item->unit);
    if (item->unit_bytes == 0)
        return error_set(err, "\"%s\", to be measured as %s, cannot be assembled", text, item->form);
    item->instructions = item->instructions ? item->instructions : count_of(text);
    if ((plan->count & (plan->count + 1)) == 0) /* doubles */
        plan->items = need_realloc(plan->items, 2 * (plan->count + 1) * sizeof *plan->items);
    plan->items[plan->count++] = *item;
    return true;
}

static bool add_chain(struct core_plan *plan, struct instance_of_row of, struct core_item item, struct error *err) {
    char text[TEXT_BYTES];
    of.chains = item.chains = true;
    item.count = 1;
    instruction_of(&of, text, sizeof text);
    const size_t used = strlen(text);
    if (of.row->keeps)
        keep_number(&of, &item, text + used, sizeof text - used);
    else
        close_chain(&of, &item, text + used, sizeof text - used);
    return add_item(plan, &item, text, err);
}

static bool add_independent(struct core_plan *plan, struct instance_of_row of, struct core_item item,
                            struct error *err) {
    char text[TEXT_BYTES] = "";
    item.count = of.letters[0] == 'm' ? 8 : targets_of(of.letters[0]);
    item.targets = of.row->through == 0 ? item.count : 0;
    for (of.to = 0; of.to < item.count; of.to++) {
        if (of.to > 0)
            text_append(text, sizeof text, "; ");
        instruction_of(&of, text + strlen(text), sizeof text - strlen(text));
    }
    return add_item(plan, &item, text, err) &&
           (is_independent(&plan->items[plan->count - 1]) || plan->count-- > 0); /* dropped: no throughput is known */
}

static bool add_form(struct core_plan *plan, const struct instance_of_row *of, struct error *err) {
    struct core_item item = {.operands = of->row->with, .scale = 1};
    snprintf(item.form, sizeof item.form, "%.*s %s", of->mnemonic_bytes, of->mnemonic, of->letters);
    return (of->row->through == NO_CHAIN || add_chain(plan, *of, item, err)) && add_independent(plan, *of, item, err);
}

static bool add_row(struct core_plan *plan, const struct core_row *row, struct error *err) {
    char letters[8];
    for (const char *mnemonic = row->mnemonics; *mnemonic; mnemonic += strspn(mnemonic, " ")) {
        const size_t bytes = strcspn(mnemonic, " {");
        for (const char *list = row->operands; *list; list += strspn(list, " ")) {
            const size_t letter_bytes = strcspn(list, " ");
            snprintf(letters, sizeof letters, "%.*s", (int)letter_bytes, list);
            const struct instance_of_row of = {row, mnemonic, letters, (int)bytes, 0, false};
            if (!add_form(plan, &of, err))
                return false;
            list += letter_bytes;
        }
        mnemonic += strcspn(mnemonic, " ");
    }
    return true;
}

static bool add_unit(struct core_plan *plan, const struct core_unit *unit, struct error *err) {
    struct core_item item = {.chains = unit->chains,
                             .helps = unit->helps,
                             .crosses = unit->crosses,
                             .renames = unit->renames,
                             .operands = unit->with,
                             .count = unit->count ? unit->count : 1,
                             .instructions = unit->instructions,
                             .targets = unit->targets,
                             .scale = unit->scale > 0 ? unit->scale : 1};
    snprintf(item.form, sizeof item.form, "%s", unit->form);
    if (unit->less)
        add_less(&item, unit->less);
    return add_item(plan, &item, unit->text, err);
}

bool core_plan_assembles(struct error *err) {
    return instruction_readable(err);
}

/* First what a budget that is too small should not leave out. */
bool core_plan_make(struct core_plan *out, struct error *err) {
    *out = (struct core_plan){0};
    if (!core_plan_assembles(err))
        return false;
    for (const struct core_unit *unit = core_units; unit->form; unit++)
        if (!add_unit(out, unit, err))
            return false;
    for (const struct core_row *row = core_rows; row->mnemonics; row++)
        if (!add_row(out, row, err))
            return false;
    return true;
}

void core_plan_keep(struct core_plan *plan, cpu_features features) {
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (assemble_runs_here(plan->items[i].unit, plan->items[i].unit_bytes, features))
            plan->items[kept++] = plan->items[i];
    plan->count = kept;
}
