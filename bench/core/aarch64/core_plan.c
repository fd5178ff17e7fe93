/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of measured instructions → units of machine code. */
#include "bench/core/core_plan.h"

#include <stdio.h>
#include <string.h>

#include "asm/aarch64/forms.h"
#include "asm/assemble_line.h"
#include "core_rows.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

enum {
    TEXT_BYTES = 64,
    VECTOR_TARGETS = 20,
    MASK_TARGETS = 5,
    MEMORY_PLACES = 7, /* the most that SVE's offsets reach */
    STORES = 6,
    ELEMENT_BYTES = 8
};

/* Registers of core_code_write(): v8 to v15 belong to its caller. Constants differ, since a register and itself may
 * make a known result. */
enum { GENERAL_FIRST = 2, VECTOR_KEPT = 8, MASK_FIRST = 1, TABLE = 15, SECOND_GENERAL = 16, SECOND_VECTOR = 30 };

/* A form, for a length of vectors if it is one of SVE. */
struct measured_form {
    const struct arm_form *form;
    cpu_features length; /* 0: none */
    char through;        /* the place by which a chain goes on; 'F': it writes the flags, f: it reads them, too;
                            0: it has none */
    const struct core_exception *exception;
};

/* What registers a place holds: x general ones, v vectors, p masks, F the flags. */
static char registers_of(char kind) {
    return kind == 'x' || kind == 'w' ? 'x' : kind == 'p' || kind == 'F' ? kind : 'v';
}

static unsigned target(char file, unsigned number) {
    return file == 'x'            ? GENERAL_FIRST + number
           : file == 'p'          ? MASK_FIRST + number
           : number < VECTOR_KEPT ? number
                                  : number + VECTOR_KEPT;
}

static unsigned targets_of(char file) {
    return file == 'x' ? CORE_GENERAL : file == 'p' ? MASK_TARGETS : VECTOR_TARGETS;
}

/* `changes`: the result goes on to be an operand, with a number near to 1 as the other one. */
static unsigned constant(const struct form_field *field, bool changes) {
    static const unsigned GENERALS[] = {12, 13, 14}, VECTORS[] = {28, 29, 30}, MASKS[] = {6, 7, 5};
    const unsigned which = field->letter == 'M' || changes ? 1 : field->letter == 'A' ? 2 : 0;
    const char file = registers_of(field->kind);
    return file == 'x' ? GENERALS[which] : file == 'v' ? VECTORS[which] : MASKS[which];
}

static bool has_role(const struct arm_form *form, char role) {
    return strchr(form->shape->roles, role) != NULL;
}

/* A place's kind; 0: the text has none of this letter. */
static char kind_at(const struct arm_form *form, char letter) {
    struct form_field field;
    for (const char *at = form->text; forms_next_field(&at, &field);)
        if (field.letter == letter)
            return field.kind;
    return 0;
}

/* Whether it also reads its destination: the text names it twice, or a merging mask keeps its other elements. */
static bool reads_result(const struct arm_form *form) {
    struct form_field field;
    unsigned found = 0;
    for (const char *at = form->text; forms_next_field(&at, &field);)
        found += field.letter == 'D';
    return found > 1 || has_role(form, 'R') || strstr(form->text, "/m");
}

/* "fsqrt z0.d, p0/m, z1.d" computes from its source alone. */
static bool is_unary(const struct arm_form *form) {
    return strstr(form->text, "/m") && !has_role(form, 'R') && !strstr(form->text, "/m, zD");
}

/* The chain continues through the addend, else the first operand of the result's kind, else the first one. */
static char find_through(const struct arm_form *form) {
    static const char SOURCES[] = "ANMS";
    const char result = kind_at(form, 'D');
    char first = 0;
    if (has_role(form, 'L')) /* a gather's index finds itself */
        return strstr(form->text, ", zM.d, lsl") ? 'M' : 0;
    if (has_role(form, 'S') || has_role(form, 'A') || has_role(form, 'M')) /* of itself: renaming may do it */
        return 0;
    if (!result)
        return has_role(form, 'f') ? 'f' : has_role(form, 'F') && kind_at(form, 'N') != 'p' ? 'F' : 0;
    if (reads_result(form) && !is_unary(form))
        return 'D';
    for (const char *source = SOURCES; *source; source++) {
        const char kind = kind_at(form, *source);
        if (kind && registers_of(kind) == registers_of(result))
            return *source;
        first = first ? first : kind ? *source : 0;
    }
    return first;
}

static bool names_mnemonic(const char *words, const char *word, size_t bytes) {
    for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
        if (strcspn(words, " ") == bytes && strncmp(words, word, bytes) == 0)
            return true;
    return false;
}

static const struct core_exception *find_exception(const struct arm_form *form) {
    for (const struct core_exception *row = core_exceptions; row->mnemonics; row++)
        if (names_mnemonic(row->mnemonics, form->name, strcspn(form->name, " ")))
            return row;
    return NULL;
}

/* Of its element: "fadd z.d/m" d, "fmla 4s[]" s. */
static enum core_operands operands_of(const struct measured_form *of) {
    const char *type = of->form->name + strcspn(of->form->name, " "), *dot = strrchr(type, '.'),
               *element = dot ? dot + 1 : type + strspn(type, " 0123456789");
    if (strstr(of->form->text, ", zM.d, lsl"))
        return CORE_INDICES_8;
    if (strstr(of->form->text, ", zM.s, uxtw"))
        return CORE_INDICES_4;
    if (of->exception && of->exception->with != CORE_DOUBLES)
        return of->exception->with;
    return of->form->name[0] != 'f' ? CORE_INTEGERS
           : *element == 's'        ? CORE_SINGLES
           : *element == 'h'        ? CORE_HALVES
                                    : CORE_DOUBLES;
}

/* "fadd z.d" → "fadd z256.d", "cntp x.p" → "cntp x.p256", "faddv d" → "faddv d.z256". */
static void name_with_length(const char *name, cpu_features length, char *out, size_t size) {
    const char *type = name + strcspn(name, " "), *at = type;
    unsigned bits = 128;
    for (cpu_features bit = CPU_SVE128; bit != length; bit <<= 1)
        bits *= 2;
    for (; *at; at++)
        if ((*at == 'z' || *at == 'p') && (at[-1] == ' ' || at[-1] == '.'))
            break;
    if (*at)
        snprintf(out, size, "%.*s%u%s", (int)(at + 1 - name), name, bits, at + 1);
    else
        snprintf(out, size, "%s.z%u", name, bits);
}

static void name_form(const char *name, cpu_features length, char out[DEMAND_FORM_BYTES]) {
    if (length)
        name_with_length(name, length, out, DEMAND_FORM_BYTES);
    else
        snprintf(out, DEMAND_FORM_BYTES, "%s", name);
}

/* A form is of the length that the other one of its unit names. */
static bool is_of_sve(const char *name) {
    const struct arm_form *form = forms_named(name);
    return form && form->shape->needs & CPU_SVE;
}

static void add_less(struct core_item *item, const char *name, cpu_features length) {
    for (unsigned i = 0; i < CORE_LESS_MOST; i++)
        if (item->less[i][0] == '\0') {
            name_form(name, is_of_sve(name) ? length : 0, item->less[i]);
            return;
        }
}

static bool put_text(struct core_item *item, const char *text, struct error *err) {
    const size_t bytes = assemble_lines(text, item->unit + item->unit_bytes, sizeof item->unit - item->unit_bytes);
    item->unit_bytes += bytes;
    return bytes > 0 || error_set(err, "\"%s\", to be measured as %s, cannot be assembled", text, item->form);
}

/* One instruction, into target `to`; in a chain also from it. */
static void put_form(struct core_item *item, const struct measured_form *of, unsigned to) {
    unsigned values[FORM_LETTERS] = {0};
    struct form_field field;
    const bool accesses = has_role(of->form, 'L') || has_role(of->form, 'S');
    const unsigned step = kind_at(of->form, 'E') ? 2 : 1; /* it also writes the register behind */
    for (const char *at = of->form->text; forms_next_field(&at, &field);) {
        const char file = registers_of(field.kind);
        unsigned *value = &values[field.letter - 'A'];
        if (field.kind == '#')
            *value = 1 + to % MEMORY_PLACES;
        else if (field.letter == 'N' && accesses)
            *value = TABLE;
        else if (field.letter == 'T')
            *value = file == 'x' ? SECOND_GENERAL : SECOND_VECTOR;
        else if (field.letter == 'D' && !has_role(of->form, 'S'))
            *value = target(file, step * to);
        else if (item->chains && (field.letter == of->through || (of->through == 'F' && field.letter == 'N')))
            *value = target(file, to);
        else if (field.letter != 'G' && field.letter != 'H') /* these are p0 */
            *value = constant(&field, of->through == 'D' && file == 'v' && !has_role(of->form, 'R'));
    }
    const uint32_t word = forms_encode(of->form, values);
    memcpy(item->unit + item->unit_bytes, &word, sizeof word);
    item->unit_bytes += sizeof word;
}

/* Instructions that move the result in target 0 to another kind of register. */
static const struct {
    char from, to;
    const char *form, *text;
} CLOSINGS[] = {{'v', 'x', "fmov x.d", "fmov x2, d0"},        {'x', 'v', "fmov d.x", "fmov d0, x2"},
                {'p', 'x', "cntp x.p", "cntp x2, p0, p1.d"},  {'x', 'p', "whilelo p.d", "whilelo p1.d, x13, x2"},
                {'p', 'v', "mov z.p", "mov z0.d, p1/z, #1"},  {'v', 'p', "cmpne p.di", "cmpne p1.d, p0/z, z0.d, #0"},
                {'F', 'x', "csel x", "csel x2, x2, x12, eq"}, {'F', 'v', "fcsel d", "fcsel d0, d28, d29, eq"}};

/* Moves the result back to the kind of register that the chain continues through. */
static bool close_chain(struct core_item *item, const struct measured_form *of, struct error *err) {
    const char from = of->through == 'F' ? 'F' : registers_of(kind_at(of->form, 'D')),
               to = registers_of(kind_at(of->form, of->through == 'F' ? 'N' : of->through));
    item->crosses = from != to && from != 'F';
    for (size_t i = 0; i < sizeof CLOSINGS / sizeof *CLOSINGS; i++)
        if (CLOSINGS[i].from == from && CLOSINGS[i].to == to) {
            add_less(item, CLOSINGS[i].form, of->length);
            return put_text(item, CLOSINGS[i].text, err);
        }
    return true;
}

static bool keep_number(struct core_item *item, const struct measured_form *of, struct error *err) {
    const char kind = kind_at(of->form, 'D');
    const char *name = kind == 'x'   ? "orr x"
                       : kind == 'w' ? "orr w"
                       : kind == 'z' ? "orr z.d"
                                     : "orr 16b",
               *text = kind == 'x'   ? "orr x2, x2, x12"
                       : kind == 'w' ? "orr w2, w2, w12"
                       : kind == 'z' ? "orr z0.d, z0.d, z31.d"
                                     : "orr v0.16b, v0.16b, v31.16b";
    add_less(item, name, of->length);
    return put_text(item, text, err);
}

static void add_item(struct core_plan *plan, struct core_item *item) {
    if (item->instructions == 0)
        item->instructions = (unsigned)(item->unit_bytes / sizeof(uint32_t));
    if ((plan->count & (plan->count + 1)) == 0) /* doubles */
        plan->items = need_realloc(plan->items, 2 * (plan->count + 1) * sizeof *plan->items);
    plan->items[plan->count++] = *item;
}

static bool has_chain(const struct core_plan *plan, const char *form) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].chains && strcmp(plan->items[i].form, form) == 0)
            return true;
    return false;
}

static struct core_item item_of(const struct measured_form *of) {
    struct core_item item = {.operands = operands_of(of), .count = 1, .scale = 1, .needs = of->length};
    name_form(of->form->name, of->length, item.form);
    return item;
}

/* None if the table of units has one. */
static bool add_chain(struct core_plan *plan, const struct measured_form *of, struct error *err) {
    struct core_item item = item_of(of);
    item.chains = true;
    if (!of->through || has_chain(plan, item.form))
        return true;
    put_form(&item, of, 0);
    const bool keeps = of->exception && of->exception->keeps;
    if (of->through != 'f' && !(keeps ? keep_number(&item, of, err) : close_chain(&item, of, err)))
        return false;
    add_item(plan, &item);
    return true;
}

/* Some forms depend on themselves even with separate registers: they read the flags that they write, or update one
 * place in memory. These have no throughput. */
static void add_independent(struct core_plan *plan, const struct measured_form *of) {
    struct core_item item = item_of(of);
    const char kind = kind_at(of->form, 'D');
    if ((has_role(of->form, 'F') && has_role(of->form, 'f')) || has_role(of->form, 'A'))
        return;
    item.count = has_role(of->form, 'S') ? STORES : targets_of(registers_of(kind ? kind : 'x'));
    item.count /= kind_at(of->form, 'E') ? 2 : 1;
    item.targets = reads_result(of->form) ? item.count : 0;
    for (unsigned to = 0; to < item.count; to++)
        put_form(&item, of, to);
    add_item(plan, &item);
}

static bool add_measured_form(struct core_plan *plan, const struct arm_form *form, cpu_features length,
                              struct error *err) {
    const struct measured_form of = {form, length, find_through(form), find_exception(form)};
    if (!add_chain(plan, &of, err))
        return false;
    add_independent(plan, &of);
    return true;
}

static bool add_written_unit(struct core_plan *plan, const struct core_unit *unit, cpu_features length,
                             struct error *err) {
    const bool of_each_length = unit->needs == CPU_SVE;
    struct core_item item = {.chains = unit->chains,
                             .helps = unit->helps,
                             .crosses = unit->crosses,
                             .renames = unit->renames,
                             .operands = unit->with,
                             .needs = of_each_length ? length : unit->needs,
                             .count = unit->count ? unit->count : 1,
                             .instructions = unit->instructions,
                             .scale = unit->scale > 0 ? unit->scale : 1};
    name_form(unit->form, of_each_length ? length : 0, item.form);
    if (unit->less)
        add_less(&item, unit->less, length);
    if (!put_text(&item, unit->text, err))
        return false;
    add_item(plan, &item);
    return true;
}

/* Once per SVE length, or once if the length does not matter. */
#define EACH_LENGTH(length, is_of_sve)                                                                                 \
    for (cpu_features length = (is_of_sve) ? CPU_SVE128 : 0; length <= ((is_of_sve) ? CPU_SVE2048 : 0);                \
         length = length ? length << 1 : 1)

bool core_plan_assembles(struct error *err) {
    (void)err;
    return true;
}

/* The most important items come first, because a small budget omits the last ones. */
bool core_plan_make(struct core_plan *out, struct error *err) {
    size_t count;
    const struct arm_form *all = forms_all(&count);
    *out = (struct core_plan){0};
    for (const struct core_unit *unit = core_units; unit->form; unit++)
        EACH_LENGTH(length, unit->needs == CPU_SVE)
    if (!add_written_unit(out, unit, length, err))
        return false;
    for (size_t i = 0; i < count; i++)
        EACH_LENGTH(length, all[i].shape->needs & CPU_SVE)
    if (!has_role(&all[i], 'U') && !add_measured_form(out, &all[i], length, err))
        return false;
    return true;
}

void core_plan_keep(struct core_plan *plan, cpu_features features) {
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct core_item *item = &plan->items[i];
        if (!(item->needs & ~features) && assemble_runs_here(item->unit, item->unit_bytes, features))
            plan->items[kept++] = *item;
    }
    plan->count = kept;
}
