/* SPDX-License-Identifier: BSD-3-Clause
 * Measured instructions of AArch64: each has the word of its text (by LLVM's disassembler, on any machine), each unit
 * is what it claims, and on such a machine all run. */
#include <setjmp.h>
#include <stdarg.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/aarch64/forms.h"
#include "asm/assemble_line.h"
#include "asm/incore/core_overlay.h"
#include "asm/incore/core_table.h"
#include "bench/core/core_classes.h"
#include "bench/core/core_reduce.h"
#include "probe/uarch.h"
#include "tests/support/arm_texts.h"
#include "tests/support/chance.h"
#include "tests/support/core_units.h"

/* Whether the value is one of another place: equal registers may make an alias of another form. */
static bool is_taken(const unsigned values[FORM_LETTERS], char letter) {
    for (char other = 'A'; other <= 'Z'; other++)
        if (other != letter && values[other - 'A'] == values[letter - 'A'])
            return true;
    return false;
}

static void choose_values(const struct arm_form *form, unsigned values[FORM_LETTERS]) {
    struct form_field field;
    for (const char *at = form->text; forms_next_field(&at, &field);) {
        const unsigned most = field.kind == '#' ? 7 : field.kind == 'p' ? (1u << field.bits) - 1 : 29;
        do
            values[field.letter - 'A'] = 1 + (unsigned)(chance_next() >> 33) % most;
        while (is_taken(values, field.letter));
    }
}

/* What LLVM reads from each word is the text of its form; assembling the text gives the word; and the word is known as
 * of the form. */
static void words_are_what_their_texts_say(void **state) {
    (void)state;
    struct arm_decoder decoder = {0};
    const bool decodes = arm_decoder_open(&decoder);
    size_t count;
    const struct arm_form *all = forms_all(&count);
    assert_true(count > 700);
    for (size_t i = 0; i < count; i++)
        for (unsigned times = 0; times < 4; times++) {
            unsigned values[FORM_LETTERS] = {0};
            char text[FORM_TEXT_BYTES], decoded[FORM_TEXT_BYTES];
            uint8_t code[8];
            uint32_t assembled;
            choose_values(&all[i], values);
            const uint32_t word = forms_encode(&all[i], values);
            forms_write(&all[i], values, text, sizeof text);
            if (decodes && strcmp(arm_decoder_text(&decoder, word, decoded, sizeof decoded), text) != 0)
                fail_msg("%08x is %s, not %s", word, decoded, text);
            assert_int_equal(assemble_lines(text, code, sizeof code), sizeof word);
            memcpy(&assembled, code, sizeof assembled);
            if (assembled != word)
                fail_msg("%s is assembled as %08x, not %08x", text, assembled, word);
            if (forms_of_word(word) != &all[i])
                fail_msg("%s is taken for %s", text, forms_of_word(word) ? forms_of_word(word)->name : "nothing");
        }
    if (decodes)
        decoder.dispose(decoder.context);
    else {
        print_message(
            "no libLLVM is installed (`./deps.sh disassembler`): words are not compared with what it reads\n");
        skip();
    }
}

static void unknown_lines_are_refused(void **state) {
    static const char *const WRONG[] = {"fadd v0.2d, v1.2d", "fadd v0.2d, v1.2d, v32.2d",
                                        "ldr q0, [x1, #8]",  "fadd v0.3d, v1.3d, v2.3d",
                                        "frobnicate x0",     "add x0, x1, x2 "};
    (void)state;
    uint8_t code[8];
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        if (assemble_lines(WRONG[i], code, sizeof code) != 0)
            fail_msg("%s is assembled", WRONG[i]);
    assert_int_equal(assemble_lines("nop; nop; nop", code, sizeof code), 0); /* no room */
    assert_null(forms_of_word(0));
}

static bool plan_has(const struct core_plan *plan, const char *form) {
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->items[i].helps && strcmp(plan->items[i].form, form) == 0)
            return true;
    return false;
}

/* Each length of vectors has the forms of its length, and no others. */
static void lengths_are_kept_apart(void **state) {
    (void)state;
    size_t least = SIZE_MAX, most = 0;
    for (cpu_features length = CPU_SVE128; length <= CPU_SVE2048; length <<= 1) {
        struct core_plan plan = whole_plan();
        core_plan_keep(&plan, CPU_ASIMD | CPU_SVE2 | length);
        assert_true(plan_has(&plan, "fadd 2d"));
        assert_int_equal(plan_has(&plan, "fadd z256.d"), length == CPU_SVE256);
        assert_int_equal(plan_has(&plan, "load z"), length == CPU_SVE512);
        assert_int_equal(plan_has(&plan, "faddv d.z2048"), length == CPU_SVE2048);
        assert_false(plan_has(&plan, "bfmmla 4s") || plan_has(&plan, "fadd 8h") || plan_has(&plan, "smmla z256.s"));
        if (length != CPU_SVE256 && length != CPU_SVE512) {
            least = plan.count < least ? plan.count : least;
            most = plan.count > most ? plan.count : most;
        }
        core_plan_free(&plan);
    }
    assert_int_equal(least, most);
    struct core_plan plan = whole_plan();
    core_plan_keep(&plan, CPU_ASIMD);
    assert_true(plan.count > 500);
    for (size_t i = 0; i < plan.count; i++)
        assert_false(assemble_needs(plan.items[i].unit, plan.items[i].unit_bytes) & CPU_SVE);
    core_plan_free(&plan);
}

/* What is subtracted from a chain is measured for the same length; no form has two chains. */
static void chains_have_what_is_subtracted(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        for (unsigned l = 0; l < CORE_LESS_MOST && item->less[l][0]; l++) {
            bool found = false;
            for (size_t k = 0; k < plan.count; k++)
                found |= plan.items[k].chains && strcmp(plan.items[k].form, item->less[l]) == 0;
            if (!found)
                fail_msg("%s: %s has no chain", item->form, item->less[l]);
        }
        for (size_t k = 0; k < i && i < 2000; k++)
            if (plan.items[k].chains == item->chains && strcmp(plan.items[k].form, item->form) == 0)
                fail_msg("%s is there twice", item->form);
    }
    core_plan_free(&plan);
}

/* Each form of a class that is no form of x86-64 is one of the plan's. */
static void classes_are_measured(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    unsigned found = 0;
    for (const struct core_class *class = core_classes; class->name; class ++)
        for (size_t i = 0; i < sizeof class->forms / sizeof *class->forms && class->forms[i]; i++) {
            found += plan_has(&plan, class->forms[i]);
            assert_ptr_equal(core_class_of(class->forms[i]), class);
        }
    assert_true(found >= 60);
    core_plan_free(&plan);
}

/* Pairs mix the two forms, and neither needs the other. */
static void pairs_are_independent(void **state) {
    (void)state;
    struct core_plan plan = whole_plan(), pairs;
    struct core_measured measured = {.values = calloc(plan.count, sizeof *measured.values)};
    core_plan_keep(&plan, CPU_ASIMD | CPU_SVE256);
    for (size_t i = 0; i < plan.count; i++)
        if (!plan.items[i].chains && !core_measured_find(&measured, plan.items[i].form)) {
            struct core_value *value = &measured.values[measured.count++];
            memcpy(value->form, plan.items[i].form, sizeof value->form);
            value->throughput_cycles[CORE_MEASURED] = 0.5;
            value->latency_cycles[CORE_MEASURED] = 4;
        }
    core_pairs_plan(&plan, &measured, &pairs);
    assert_true(pairs.count > 200);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct core_item *pair = &pairs.items[i];
        const struct decoded_unit unit = decode(pair);
        unsigned of_first = 0;
        for (size_t k = 0; k < unit.count; k++) {
            of_first += is_same(unit.of[k].form, pair->form);
            for (size_t l = 0; l < unit.count; l++)
                for (unsigned r = 0; r < unit.of[l].reads.count; r++)
                    if (strcmp(unit.of[k].form, unit.of[l].form) != 0 && !unit.of[k].sets_flags &&
                        memchr(unit.of[k].writes.of, unit.of[l].reads.of[r], unit.of[k].writes.count))
                        fail_msg("%s and %s: one needs the other", pair->form, pair->less[0]);
        }
        assert_int_equal(of_first, pair->count);
        assert_int_equal(unit.count, pair->instructions);
    }
    core_measured_free(&measured);
    core_plan_free(&pairs);
    core_plan_free(&plan);
}

/* Each function ends where it says, returns, and touches no register that its caller keeps: x18 to x30, v8 to v15. */
static void code_keeps_the_registers_of_its_caller(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        uint8_t code[CORE_CODE_BYTES];
        unsigned units;
        const size_t bytes = core_code_write(&plan.items[i], code, &units);
        assert_in_range(bytes, 64, CORE_CODE_BYTES);
        assert_true(units > 0);
        for (size_t at = 0; at + 4 < bytes; at += 4) {
            struct instruction_demand demand;
            if (!demand_find(code + at, bytes - at, 0, &demand) && at + 8 != bytes)
                fail_msg("%s: word %zu is no known instruction", plan.items[i].form, at / 4);
            for (unsigned k = 0; k < demand.writes.count; k++) {
                const unsigned number = demand.writes.of[k]; /* as of demand.c: x0 is 1, v0 32 */
                if ((number >= 19 && number <= 31) || (number >= 40 && number <= 47))
                    fail_msg("%s: word %zu writes register %u", plan.items[i].form, at / 4, number);
            }
        }
        if (!demand_find(code + bytes - 4, 4, 0, &(struct instruction_demand){0}))
            fail_msg("%s does not return", plan.items[i].form);
    }
    core_plan_free(&plan);
}

/* Figures that were typed beside the generator: latency behind itself (0: left out), and cycles of independent ones. */
static const struct {
    const char *core, *form;
    double latency, throughput;
} TYPED[] = {
    {"neoverse-n1", "fadd 2d", 2, 0.5},  {"neoverse-n1", "fmul d", 3, 0.5},      {"neoverse-n1", "add x", 1, 1 / 3.},
    {"neoverse-n1", "fmla 2d", 0, 0.5},  {"neoverse-v1", "fadd 2d", 2, 0.25},    {"neoverse-v1", "fadd z256.d", 2, 0.5},
    {"neoverse-v1", "ldr q", 6, 1 / 3.}, {"neoverse-n2", "fmul z128.d", 3, 0.5}, {"neoverse-v2", "fmla 2d", 2, 0.25},
    {"neoverse-v2", "madd x", 1, 1},     {"neoverse-n3", "fadd 2d", 2, 0.5},     {"neoverse-n3", "fmul z128.d", 3, 0.5},
    {"neoverse-v3", "fadd 2d", 2, 0.25}, {"neoverse-v3", "add x", 1, 0.125},     {"neoverse-v3", "ldr q", 6, 1 / 3.},
};

static void tables_have_typed_figures(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof TYPED / sizeof *TYPED; i++) {
        const struct core_table *table = core_table_named(TYPED[i].core);
        struct core_value value = {0};
        assert_non_null(table);
        snprintf(value.form, sizeof value.form, "%s", TYPED[i].form);
        const struct core_typed typed = core_overlay_typed(table, 0, &value);
        if (typed.latency_cycles != TYPED[i].latency || fabs(typed.throughput_cycles - TYPED[i].throughput) > 0.01)
            fail_msg("%s, %s: %g and %g", TYPED[i].core, TYPED[i].form, typed.latency_cycles, typed.throughput_cycles);
    }
}

/* Each word of a table, "fadd/2d", is a form that the plan measures; most forms of a core without SVE are in its table.
 */
static void tables_know_measured_forms(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    unsigned tables = 0;
    for (const struct core_text *text = core_texts; text->name; text++) {
        if (!strstr(text->text, " fadd/2d "))
            continue; /* of x86-64 */
        size_t words = 0;
        tables++;
        for (const char *at = strstr(text->text, "---"); *at; at += strcspn(at, " \n"), at += strspn(at, " \n")) {
            char form[DEMAND_FORM_BYTES];
            const size_t bytes = strcspn(at, " \n");
            const char *slash = memchr(at, '/', bytes);
            if (!slash || (*at >= '0' && *at <= '9'))
                continue;
            snprintf(form, sizeof form, "%.*s", (int)bytes, at);
            form[slash - at] = ' ';
            if (!plan_has(&plan, form))
                fail_msg("%s: %s is not measured", text->name, form);
            words++;
        }
        assert_true(words > 350);
    }
    assert_int_equal(tables, 6);
    core_plan_free(&plan);
}

/* As many of an instruction begin in a cycle as ports are for it, and as the documented limit says; its latency is that
 * of Arm's software optimization guides. */
static void tables_agree_with_the_documents(void **state) {
    (void)state;
    static const struct {
        const char *form;
        unsigned latency_cycles;
        struct uarch_mix mix;
        const char *not_of; /* cores whose limit is lower than the ports of LLVM's model, which the tables have */
    } ROWS[] = {
        {"fadd 2d", 2, {.vector_bytes = 16, .element_bytes = 8, .add = 1}, ""},
        {"fmul 2d", 3, {.vector_bytes = 16, .element_bytes = 8, .mul = 1}, ""},
        {"fmla 2d", 4, {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, ""},
        {"fadd 4s", 2, {.vector_bytes = 16, .element_bytes = 4, .add = 1}, ""},
        {"add 4s", 2, {.vector_bytes = 16, .element_bytes = 4, .integer = true, .add = 1}, ""},
        {"cmeq 4s", 2, {.vector_bytes = 16, .element_bytes = 4, .integer = true, .equal = 1}, ""},
        {"add x", 1, {.vector_bytes = 8, .element_bytes = 8, .integer = true, .add = 1}, "neoverse-n2"},
    };
    unsigned cores = 0;
    for (size_t i = 0; uarch_at(i); i++) {
        const char *name = uarch_in_core(uarch_at(i));
        if (!name || strncmp(name, "neoverse-", strlen("neoverse-")) != 0)
            continue;
        cores++;
        const double *load_cycles = core_table_named(name)->load_cycles,
                     of_vectors = strcmp(name, "neoverse-n1") ? 6 : 5;
        assert_true(load_cycles[0] == 4 && load_cycles[1] == of_vectors);
        for (size_t row = 0; row < sizeof ROWS / sizeof *ROWS; row++) {
            struct instruction_demand demand = {.data = 'x'};
            struct core_form form;
            snprintf(demand.form, sizeof demand.form, "%s", ROWS[row].form);
            if (!core_table_find(core_table_named(name), &demand, &form))
                fail_msg("%s: no %s", name, ROWS[row].form);
            double least = 100;
            for (unsigned use = 0; use < form.use_count; use++)
                least = fmin(least, __builtin_popcountll(form.uses[use].ports) / form.uses[use].cycles);
            const double limit = uarch_limit(uarch_at(i), &ROWS[row].mix, 0).per_cycle;
            if (form.latency_cycles != ROWS[row].latency_cycles || (least != limit && !strstr(ROWS[row].not_of, name)))
                fail_msg("%s: %s takes %g cycles, %g begin in one, documented %g", name, ROWS[row].form,
                         form.latency_cycles, least, limit);
        }
    }
    assert_true(cores >= 4);
}

static void code_runs_on_this_machine(void **state) {
    if (!cpu_is_architecture("aarch64"))
        skip();
    operands_are_safe(state);
}

/* What a chain leaves behind `steps` instructions, in the place of the table's second vector of 16 bytes or of SVE's.
 */
static const struct {
    const char *text;
    enum core_operands with;
    cpu_features needs;
    enum { LEFT_INTEGER, LEFT_PRODUCTS, LEFT_DOUBLE } kind;
    double per_step; /* added by each; of bytes to each 32 bits */
} LEFT[] = {
    {"add x2, x2, x13; str x2, [x15, #16]", CORE_INTEGERS, 0, LEFT_INTEGER, 3},
    {"sub x2, x2, #5; str x2, [x15, #16]", CORE_INTEGERS, 0, LEFT_INTEGER, -5},
    {"madd x2, x13, x14, x2; str x2, [x15, #16]", CORE_INTEGERS, 0, LEFT_INTEGER, 9},
    {"cmp x14, #3; csinc x3, x2, x2, eq; mov x2, x3; str x2, [x15, #16]", CORE_INTEGERS, 0, LEFT_INTEGER, 0},
    {"fadd d0, d0, d29; str q0, [x15, #16]", CORE_DOUBLES, CPU_ASIMD, LEFT_DOUBLE, 1.0000000123456789},
    {"fadd v0.2d, v0.2d, v29.2d; str q0, [x15, #16]", CORE_DOUBLES, CPU_ASIMD, LEFT_DOUBLE, 1.0000000123456789},
    {"fsub v0.2d, v0.2d, v31.2d; str q0, [x15, #16]", CORE_DOUBLES, CPU_ASIMD, LEFT_DOUBLE, -1.3333129882817},
    {"sdot v0.4s, v28.16b, v29.16b; str q0, [x15, #16]", CORE_INTEGERS, CPU_ASIMD_DP, LEFT_PRODUCTS, 4 * 17 * 17},
    {"smmla v0.4s, v28.16b, v29.16b; str q0, [x15, #16]", CORE_INTEGERS, CPU_I8MM, LEFT_PRODUCTS, 8 * 17 * 17},
    {"ldp q1, q2, [x15, #32]; stp q2, q1, [x15, #64]; fadd d0, d0, d29; str q0, [x15, #16]", CORE_DOUBLES, CPU_ASIMD,
     LEFT_DOUBLE, 1.0000000123456789},
    {"fadd z0.d, z0.d, z29.d; st1d { z0.d }, p0, [x15, #1, mul vl]", CORE_DOUBLES, CPU_SVE, LEFT_DOUBLE,
     1.0000000123456789},
    {"sdot z0.s, z28.b, z29.b; str z0, [x15, #1, mul vl]", CORE_INTEGERS, CPU_SVE, LEFT_PRODUCTS, 4 * 17 * 17},
    {"smmla z0.s, z28.b, z29.b; str z0, [x15, #1, mul vl]", CORE_INTEGERS, CPU_SVE_I8MM, LEFT_PRODUCTS, 8 * 17 * 17},
};

static uint64_t expected(size_t which, unsigned steps) {
    double number = 1.5;
    uint64_t bits = 0xe8d4a51007 + (uint64_t)(int64_t)LEFT[which].per_step * steps;
    const uint32_t products = 0x11111111 + (uint32_t)LEFT[which].per_step * steps;
    for (unsigned i = 0; i < steps; i++)
        number += LEFT[which].per_step;
    if (LEFT[which].kind == LEFT_PRODUCTS)
        bits = (uint64_t)products << 32 | products;
    else if (LEFT[which].kind == LEFT_DOUBLE)
        memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* A vector's bytes: as the identity says; 16 without SVE. */
static size_t vector_bytes(cpu_features features) {
    size_t bytes = 16;
    for (cpu_features length = CPU_SVE128; length <= CPU_SVE2048 && !(features & length); length <<= 1)
        bytes *= 2;
    return features & CPU_SVE ? bytes : 16;
}

static void code_runs_and_leaves_what_it_should(void **state) {
    enum { ITERATIONS = 3 };
    (void)state;
    if (!cpu_is_architecture("aarch64"))
        skip();
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    uint8_t *code = mmap(NULL, CORE_CODE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct core_data *data = aligned_alloc(4096, sizeof *data);
    assert_true(code != MAP_FAILED && data != NULL);
    for (size_t i = 0; i < sizeof LEFT / sizeof *LEFT; i++) {
        const bool wide = strstr(LEFT[i].text, "z0") != NULL;
        struct core_item item = {.operands = LEFT[i].with};
        unsigned units;
        core_function *function;
        item.unit_bytes = assemble_lines(LEFT[i].text, item.unit, sizeof item.unit);
        item.instructions = (unsigned)(item.unit_bytes / 4);
        assert_true(item.unit_bytes > 0);
        if (LEFT[i].needs && !(cpu.features & LEFT[i].needs))
            continue;
        assert_int_equal(mprotect(code, CORE_CODE_BYTES, PROT_READ | PROT_WRITE), 0);
        core_code_write(&item, code, &units);
        if (mprotect(code, CORE_CODE_BYTES, PROT_READ | PROT_EXEC) != 0)
            skip();
        __builtin___clear_cache((char *)code, (char *)code + CORE_CODE_BYTES);
        memcpy(&function, &(void *){code}, sizeof function);
        core_data_set(data, LEFT[i].with, 1);
        function(data, ITERATIONS);
        const size_t bytes = wide ? vector_bytes(cpu.features) : 16;
        const bool whole = wide || strstr(LEFT[i].text, "v0."); /* else the first number alone */
        for (size_t at = 0; at < bytes / 8; at++)
            if ((whole || at == 0) && data->table[bytes / 8 + at] != expected(i, units * ITERATIONS))
                fail_msg("%s: %llx, not %llx", LEFT[i].text, (unsigned long long)data->table[bytes / 8 + at],
                         (unsigned long long)expected(i, units * ITERATIONS));
    }
    munmap(code, CORE_CODE_BYTES);
    free(data);
}

/* `test_core_aarch64 'code_runs*'`: these alone, since the others are the same on any machine. */
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_what_their_texts_say),
        cmocka_unit_test(unknown_lines_are_refused),
        cmocka_unit_test(units_hold_the_forms_that_they_claim),
        cmocka_unit_test(chains_depend),
        cmocka_unit_test(independent_instructions_are),
        cmocka_unit_test(lengths_are_kept_apart),
        cmocka_unit_test(chains_have_what_is_subtracted),
        cmocka_unit_test(classes_are_measured),
        cmocka_unit_test(pairs_are_independent),
        cmocka_unit_test(tables_have_typed_figures),
        cmocka_unit_test(tables_know_measured_forms),
        cmocka_unit_test(tables_agree_with_the_documents),
        cmocka_unit_test(code_keeps_the_registers_of_its_caller),
        cmocka_unit_test(code_runs_on_this_machine),
        cmocka_unit_test(code_runs_and_leaves_what_it_should),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
