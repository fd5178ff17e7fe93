/* SPDX-License-Identifier: BSD-3-Clause
 * Units of measured instructions, decoded: they hold the forms that they claim, chains depend, and independent
 * instructions do not. The same for each architecture. Included behind cmocka. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "asm/incore/demand.h"
#include "bench/core/core_plan.h"
#include "probe/arch.h"
#include "probe/cpu.h"
#include "probe/error.h"

enum { MOST_INSTRUCTIONS = 64, MEMORY = DEMAND_REGISTERS };

struct decoded_unit {
    size_t count;
    struct instruction_demand of[MOST_INSTRUCTIONS];
};

static struct core_plan whole_plan(void) {
    struct core_plan plan;
    struct error err;
    if (!core_plan_make(&plan, &err))
        fail_msg("%s", err.text);
    return plan;
}

static struct decoded_unit decode(const struct core_item *item) {
    struct decoded_unit unit = {0};
    for (size_t at = 0; at < item->unit_bytes; unit.count++) {
        if (unit.count == MOST_INSTRUCTIONS ||
            !demand_find(item->unit + at, item->unit_bytes - at, 0, &unit.of[unit.count]))
            fail_msg("%s: byte %zu is no known instruction", item->form, at);
        at += unit.of[unit.count].length_bytes;
    }
    return unit;
}

/* A value of a table's head is no form. */
static bool is_form(const char *form) {
    static const char *const HEADS[] = {"load ",        "forward ",         "move ",     "zero ", "add constant", "nop",
                                        "taken branch", "predicted branch", "mispredict"};
    for (size_t i = 0; i < sizeof HEADS / sizeof *HEADS; i++)
        if (strncmp(form, HEADS[i], strlen(HEADS[i])) == 0)
            return false;
    return true;
}

/* "div q: short" is one of "div q", "fadd z256.d" and "faddv d.z256" are of SVE with a length, which no instruction
 * says. */
static bool is_same(const char *decoded, const char *form) {
    char plain[DEMAND_FORM_BYTES] = "";
    size_t used = 0;
    for (const char *at = form; *at && *at != ':'; at++) {
        plain[used++] = *at;
        if ((*at == 'z' || *at == 'p') && at > form && (at[-1] == ' ' || at[-1] == '.'))
            at += strspn(at + 1, "0123456789");
    }
    plain[used] = '\0';
    const size_t bytes = strlen(decoded);
    return strcmp(decoded, plain) == 0 || (strncmp(decoded, plain, bytes) == 0 && strcmp(plain + bytes, ".z") == 0);
}

static bool has_form(const struct instruction_demand *demand, const char *form) {
    return is_same(demand->form, form);
}

/* What no other instruction of the unit can delay. */
static bool begins_anew(const struct decoded_unit *unit, size_t which) {
    const struct instruction_demand *demand = &unit->of[which];
    for (size_t k = 0; k < unit->count; k++)
        for (unsigned i = 0; i < demand->reads.count; i++)
            if (memchr(unit->of[k].writes.of, demand->reads.of[i], unit->of[k].writes.count))
                return demand->independent;
    return !demand->computes_address && demand->loads == 0;
}

/* The instruction under test is there as often as claimed, and what else a chain has is subtracted. */
static void units_hold_the_forms_that_they_claim(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    assert_true(plan.count > 1000);
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        const struct decoded_unit unit = decode(item);
        unsigned found = 0, less = 0, anew = 0;
        for (size_t k = 0; k < unit.count; k++) {
            found += has_form(&unit.of[k], item->form);
            bool is_less = false;
            for (unsigned l = 0; l < CORE_LESS_MOST; l++)
                is_less |= is_same(unit.of[k].form, item->less[l]);
            less += is_less;
            anew += !is_less && !has_form(&unit.of[k], item->form) && begins_anew(&unit, k);
        }
        if (is_form(item->form) && found != item->count)
            fail_msg("%s: %u of the %u claimed in a unit that begins with %s", item->form, found, item->count,
                     unit.of[0].form);
        if (is_form(item->form) && item->scale == 1 && item->chains && found + less + anew != unit.count)
            fail_msg("%s: a chain of %zu has an instruction that is not subtracted", item->form, unit.count);
    }
    core_plan_free(&plan);
}

/* What depends on what, by registers and by one place in memory. */
static bool holds(const bool *tainted, const struct demand_registers *registers) {
    for (unsigned i = 0; i < registers->count; i++)
        if (tainted[registers->of[i]])
            return true;
    return false;
}

static bool depends(const bool *tainted, const struct instruction_demand *demand) {
    const bool addresses = demand->loads > 0 || demand->computes_address;
    return holds(tainted, &demand->reads) || (demand->loads > 0 && tainted[MEMORY]) ||
           (addresses && (tainted[demand->address.base] || tainted[demand->address.index]));
}

static void spread(bool *tainted, const struct instruction_demand *demand) {
    const bool now = depends(tainted, demand) && !demand->independent;
    for (unsigned i = 0; i < demand->writes.count; i++)
        tainted[demand->writes.of[i]] = now;
    if (demand->stores > 0)
        tainted[MEMORY] = now;
}

/* Each unit's first instruction starts a dependence that reaches the next unit's. */
static void chains_depend(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        const struct decoded_unit unit = decode(item);
        if (!item->chains)
            continue;
        size_t first = 0; /* of a division: behind its zeroed half of the dividend */
        while (first + 1 < unit.count && unit.of[first].zeroes)
            first++;
        bool tainted[DEMAND_REGISTERS + 1] = {0};
        for (unsigned k = 0; k < unit.of[first].writes.count; k++)
            tainted[unit.of[first].writes.of[k]] = true;
        tainted[MEMORY] = unit.of[first].stores > 0;
        for (size_t k = first + 1; k < unit.count; k++)
            spread(tainted, &unit.of[k]);
        for (size_t k = 0; k < first; k++)
            spread(tainted, &unit.of[k]);
        if (!depends(tainted, &unit.of[first]) && unit.of[first].stores == 0)
            fail_msg("%s: the next unit does not need it", item->form);
        if (unit.of[first].independent)
            fail_msg("%s: %s does not need what it reads", item->form, unit.of[first].form);
    }
    core_plan_free(&plan);
}

/* Those on a copy of a constant need each other, but nothing of the unit before. */
static bool is_on_a_copy(const struct core_item *item, const struct decoded_unit *unit) {
    if (unit->of[0].pushes == 0 || unit->of[0].loads > 0)
        return false;
    for (size_t k = 0; k < unit->count; k++)
        for (unsigned i = 0; i < unit->of[k].writes.count; i++)
            if (unit->of[k].writes.of[i] != DEMAND_STACK)
                fail_msg("%s: instruction %zu changes a constant", item->form, k);
    return unit->of[0].reads.count == 1 && unit->of[0].reads.of[0] != DEMAND_STACK;
}

static void independent_instructions_are(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        const struct decoded_unit unit = decode(item);
        for (size_t k = 0; k < unit.count && !item->chains && item->count > 1; k++) {
            if ((is_form(item->form) && !has_form(&unit.of[k], item->form)) || is_on_a_copy(item, &unit) ||
                unit.of[k].exchanges)
                continue;
            bool tainted[DEMAND_REGISTERS + 1] = {0};
            for (unsigned l = 0; l < unit.of[k].writes.count; l++)
                tainted[unit.of[k].writes.of[l]] = true;
            for (size_t l = 0; l < unit.count; l++)
                if (l != k && !unit.of[l].independent && depends(tainted, &unit.of[l]))
                    fail_msg("%s: instruction %zu needs instruction %zu", item->form, l, k);
        }
    }
    core_plan_free(&plan);
}

/* The code of all items runs on this CPU; the operands of arithmetic stay normal numbers. */
static void operands_are_safe(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    core_plan_keep(&plan, cpu.features);
    assert_true(plan.count > 100);
    uint8_t *code = mmap(NULL, CORE_CODE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct core_data *data = aligned_alloc(4096, sizeof *data);
    assert_true(code != MAP_FAILED && data != NULL);
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        unsigned units;
        core_function *function;
        assert_int_equal(mprotect(code, CORE_CODE_BYTES, PROT_READ | PROT_WRITE), 0);
        assert_in_range(core_code_write(item, code, &units), 64, CORE_CODE_BYTES);
        if (mprotect(code, CORE_CODE_BYTES, PROT_READ | PROT_EXEC) != 0)
            skip();
        memcpy(&function, &(void *){code}, sizeof function);
        core_data_set(data, item->operands, 1);
        __builtin___clear_cache((char *)code, (char *)code + CORE_CODE_BYTES);
        arch_exceptions_clear();
        function(data, 50);
        const bool compares = strstr(item->form, "cmp") || strncmp(item->form, "fcm", 3) == 0 ||
                              strncmp(item->form, "facg", 4) == 0; /* their results are masks */
        if (item->operands >= CORE_DOUBLES && item->operands <= CORE_HALVES && !compares && arch_exceptions_harmful())
            fail_msg("%s: %s raises exceptions", item->form, item->chains ? "the chain" : "the row");
    }
    munmap(code, CORE_CODE_BYTES);
    free(data);
    core_plan_free(&plan);
}
