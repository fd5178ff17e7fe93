/* SPDX-License-Identifier: BSD-3-Clause
 * Measured instructions: each unit is what it claims (by decoding), its operands are safe, and slices become values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/aarch64/forms.h"
#include "asm/incore/pipes.h"
#include "bench/core/core_classes.h"
#include "bench/core/core_reduce.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "tests/support/chance.h"
#include "tests/support/core_units.h"

/* The stack of x87 is no part of a demand: chains are of st0, by the manuals' encodings. */
static void chains_of_x87_depend(void **state) {
    static const struct {
        const char *form;
        uint8_t code[2];
    } KNOWN[] = {
        {"fadd ff", {0xd8, 0xc1}}, {"fmul ff", {0xd8, 0xc9}}, {"fdiv ff", {0xd8, 0xf1}}, {"fsqrt", {0xd9, 0xfa}}};
    (void)state;
    struct core_plan plan = whole_plan();
    size_t found = 0;
    for (size_t i = 0; i < plan.count; i++)
        for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN && plan.items[i].chains; k++)
            if (strcmp(plan.items[i].form, KNOWN[k].form) == 0) {
                assert_memory_equal(plan.items[i].unit, KNOWN[k].code, 2);
                found++;
            }
    assert_int_equal(found, sizeof KNOWN / sizeof *KNOWN);
    core_plan_free(&plan);
}

/* What flags connect has a latency of its own: a loop's chain through them is not too short. */
static void flags_have_latencies(void **state) {
    static const char *const FORMS[] = {"cmp qq",      "test dd",  "cmp qi",    "setz b",      "setl b",
                                        "bt qi",       "adc qq",   "sbb dd",    "ucomisd xx",  "comiss xx",
                                        "vucomisd xx", "ptest xx", "vptest yy", "kortestw kk", "ktestd kk"};
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t k = 0; k < sizeof FORMS / sizeof *FORMS; k++) {
        bool found = false;
        for (size_t i = 0; i < plan.count; i++)
            found |= plan.items[i].chains && strcmp(plan.items[i].form, FORMS[k]) == 0;
        if (!found)
            fail_msg("%s: no chain", FORMS[k]);
    }
    core_plan_free(&plan);
}

static void units_leave_the_stack_as_it_was(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        const struct decoded_unit unit = decode(&plan.items[i]);
        int depth = 0;
        for (size_t k = 0; k < unit.count; k++) {
            depth += unit.of[k].pushes - unit.of[k].pops;
            if (depth > 1)
                fail_msg("%s: no more than one place is free", plan.items[i].form);
        }
        assert_int_equal(depth, 0);
    }
    core_plan_free(&plan);
}

/* A chain through a mask: the masked instruction's result makes the mask of the next one. */
static void masks_are_of_the_chain(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    unsigned found = 0;
    for (size_t i = 0; i < plan.count; i++)
        if (strstr(plan.items[i].form, ": mask")) {
            const struct decoded_unit unit = decode(&plan.items[i]);
            assert_int_equal(unit.count, 2);
            assert_true(unit.of[0].mask != 0 && unit.of[1].mask == 0);
            assert_int_equal(unit.of[1].writes.of[0], unit.of[0].mask);
            assert_int_equal(unit.of[1].reads.of[0], unit.of[0].writes.of[0]);
            found++;
        }
    assert_int_equal(found, 18);
    core_plan_free(&plan);
}

/* A register and itself may make a known result; and renaming knows few places. */
static void constants_differ_and_loops_of_places_are_short(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        uint8_t code[CORE_CODE_BYTES];
        unsigned units;
        core_code_write(item, code, &units);
        if (strstr(item->form, " kkk") && decode(item).of[0].reads.count != 2)
            fail_msg("%s: of one register and itself", item->form);
        if (strncmp(item->form, "forward q", 9) == 0)
            assert_in_range(units, 1, 8);
        else if (strcmp(item->form, "add qq") == 0 && item->chains)
            assert_in_range(units, 100, 200);
    }
    core_plan_free(&plan);
}

/* A CPU without AVX executes nothing of it. */
static void unknown_extensions_are_left_out(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    core_plan_keep(&plan, CPU_SSE2);
    assert_true(plan.count > 100);
    for (size_t i = 0; i < plan.count; i++)
        assert_true(plan.items[i].form[0] != 'v' && plan.items[i].form[0] != 'k');
    core_plan_free(&plan);
}

/* Slices of one item: `cycles` each, with a spread of 0.2 %. */
static struct core_slices slices_of(double cycles, unsigned count) {
    struct core_slices slices = {.count = count};
    for (unsigned i = 0; i < count; i++) {
        slices.cycles[i] = cycles * (1 + 0.002 * (i % 3 - 1.));
        slices.clock_hz[i] = 3e9;
        slices.steady[i] = true;
    }
    return slices;
}

static void assert_near(double seen, double expected, double tolerance) {
    if (!(seen >= expected - tolerance && seen <= expected + tolerance))
        fail_msg("%g instead of %g", seen, expected);
}

static struct core_value reduce_one(const struct core_slices *slices) {
    struct core_item item = {.form = "add qq", .chains = true, .count = 1, .scale = 1};
    struct core_measured measured;
    core_reduce(&(struct core_plan){1, &item}, slices, &measured);
    const struct core_value value = measured.count ? measured.values[0] : (struct core_value){0};
    core_measured_free(&measured);
    return value;
}

static void assert_ordered(const double cycles[CORE_ENDS]) {
    assert_true(cycles[CORE_LOW] <= cycles[CORE_MEASURED] && cycles[CORE_MEASURED] <= cycles[CORE_HIGH]);
}

static void disturbances_do_not_change_a_value(void **state) {
    (void)state;
    struct core_slices slices = slices_of(4, 24);
    struct core_value value = reduce_one(&slices);
    assert_near(value.latency_cycles[CORE_MEASURED], 4, 0.01);
    assert_ordered(value.latency_cycles);
    assert_false(value.disturbed);
    assert_near(value.clock_hz, 3e9, 1);
    for (unsigned i = 0; i < 4; i++) /* taken away meanwhile */
        slices.cycles[6 * i] = 1000;
    slices.cycles[1] = 0.5, slices.steady[1] = false; /* the clock changed */
    value = reduce_one(&slices);
    assert_near(value.latency_cycles[CORE_MEASURED], 4, 0.01);
    assert_near(value.latency_cycles[CORE_LOW], 4, 0.02);
    assert_false(value.disturbed);
    slices = slices_of(4, 24);
    for (unsigned i = 0; i < 16; i++) /* a neighbour, most of the time */
        slices.cycles[i + 8] = 7;
    assert_true(reduce_one(&slices).disturbed);
}

/* Enough slices without a neighbour make the value, however many others there are; a slice too few, and it is
 * disturbed. */
static void slices_beside_others_do_not_count(void **state) {
    (void)state;
    for (unsigned alone = CORE_SLICES_ALONE - 1; alone <= CORE_SLICES_ALONE; alone++) {
        struct core_slices slices = slices_of(4, CORE_SLICES_MOST);
        slices.alone_noops_per_cycle = 6;
        for (unsigned i = 0; i < CORE_SLICES_MOST; i++) {
            slices.noops_per_cycle[i] = i < alone ? 5.5 : 5.3;
            slices.cycles[i] *= i < alone ? 1 : 1.5;
        }
        const struct core_value value = reduce_one(&slices);
        assert_int_equal(value.disturbed, alone < CORE_SLICES_ALONE);
        assert_near(value.latency_cycles[CORE_MEASURED], value.disturbed ? 6 : 4, 0.02);
    }
}

static void few_steady_slices_are_disturbed(void **state) {
    (void)state;
    struct core_slices slices = slices_of(4, CORE_SLICES_LEAST - 1);
    assert_true(reduce_one(&slices).disturbed);
    slices = slices_of(4, 2 * CORE_SLICES_LEAST + 8);
    for (unsigned i = 0; i < CORE_SLICES_LEAST + 8; i++)
        slices.steady[i] = false;
    assert_true(core_slices_disturbed(&slices));
    slices.count = 0;
    assert_true(core_slices_disturbed(&slices));
    assert_int_equal(reduce_one(&slices).form[0], '\0');
}

/* The others of a chain are subtracted; no latency is below zero; what registers bound is no throughput. */
static void parts_of_a_chain_are_subtracted(void **state) {
    (void)state;
    struct core_item items[] = {
        {.form = "movq qx", .chains = true, .crosses = true, .count = 1, .scale = 0.5},
        {.form = "movmskpd dx", .chains = true, .crosses = true, .count = 1, .scale = 1, .less = {"movq qx"}},
        {.form = "too short", .chains = true, .count = 1, .scale = 1, .less = {"movq qx"}},
        {.form = "renamed", .chains = true, .renames = true, .count = 1, .scale = 1, .less = {"movq qx"}},
        {.form = "not known", .chains = true, .count = 1, .scale = 1, .less = {"missing"}},
        {.form = "crc32 qq", .chains = true, .count = 1, .scale = 1},
        {.form = "crc32 qq", .count = 10, .targets = 10, .scale = 1},
        {.form = "predicted", .chains = true, .helps = true, .count = 1, .scale = 1},
        {.form = "mispredict", .chains = true, .count = 1, .scale = 2, .less = {"predicted"}},
    };
    const double cycles[] = {8, 7, 3, 3, 5, 3, 3, 4, 14};
    struct core_slices slices[9];
    struct core_measured measured;
    for (unsigned i = 0; i < 9; i++)
        slices[i] = slices_of(cycles[i], 24);
    core_reduce(&(struct core_plan){9, items}, slices, &measured);
    assert_near(core_measured_find(&measured, "movq qx")->latency_cycles[CORE_MEASURED], 4, 0.02);
    const struct core_value *way = core_measured_find(&measured, "movmskpd dx");
    assert_near(way->latency_cycles[CORE_MEASURED], 3, 0.05);
    assert_true(way->crosses);
    assert_ordered(way->latency_cycles);
    assert_null(core_measured_find(&measured, "too short"));
    assert_near(core_measured_find(&measured, "renamed")->latency_cycles[CORE_MEASURED], 0.01, 1e-6);
    assert_null(core_measured_find(&measured, "not known"));
    const struct core_value *crc = core_measured_find(&measured, "crc32 qq");
    assert_near(crc->latency_cycles[CORE_MEASURED], 3, 0.01);
    assert_true(crc->throughput_cycles[CORE_MEASURED] == 0);
    assert_null(core_measured_find(&measured, "predicted"));
    assert_near(core_measured_find(&measured, "mispredict")->latency_cycles[CORE_MEASURED], 20, 0.1);
    core_measured_free(&measured);
}

/* The other architecture has its own forms (test_core_aarch64). */
static bool is_of_aarch64(const char *form) {
    size_t count;
    const struct arm_form *all = forms_all(&count);
    for (size_t i = 0; i < count; i++)
        if (is_same(all[i].name, form))
            return true;
    return false;
}

/* Each form of a class is one of a plan's, of no other class; variants of a name are beside each other. */
static void classes_are_measured(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    for (const struct core_class *class = core_classes; class->name; class ++) {
        for (size_t i = 0; i < sizeof class->forms / sizeof *class->forms && class->forms[i]; i++) {
            size_t found = 0;
            for (size_t k = 0; k < plan.count; k++)
                found += !plan.items[k].helps && strcmp(plan.items[k].form, class->forms[i]) == 0;
            if (found == 0 && !is_of_aarch64(class->forms[i]))
                fail_msg("%s is not measured", class->forms[i]);
            assert_ptr_equal(core_class_of(class->forms[i]), class);
        }
        for (const struct core_class *other = core_classes; other < class; other++)
            if (strcmp(other->name, class->name) == 0) {
                assert_string_equal(class[-1].name, class->name);
                assert_string_not_equal(other->variant, class->variant);
                assert_int_equal(other->subject, class->subject);
            }
    }
    assert_null(core_class_of("predicted branch"));
    core_plan_free(&plan);
}

static bool plan_has(const struct core_plan *plan, const char *form, bool chains) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].chains == chains && strcmp(plan->items[i].form, form) == 0)
            return true;
    return false;
}

/* The short plan is a small part, in which no chain lacks what is subtracted from it, and only classes are reported. */
static void the_short_plan_is_of_classes(void **state) {
    (void)state;
    struct core_plan plan = whole_plan(), whole = whole_plan();
    core_classes_keep(&plan);
    assert_in_range(plan.count, 50, whole.count / 5);
    for (size_t i = 0; i < plan.count; i++) {
        const struct core_item *item = &plan.items[i];
        assert_true(item->helps || core_class_of(item->form));
        for (unsigned l = 0; l < CORE_LESS_MOST && item->less[l][0]; l++)
            if (!plan_has(&plan, item->less[l], true))
                fail_msg("%s: %s is missing", item->form, item->less[l]);
    }
    for (size_t i = 0; i < whole.count; i++)
        if (core_class_of(whole.items[i].form) && !plan_has(&plan, whole.items[i].form, whole.items[i].chains))
            fail_msg("%s is missing", whole.items[i].form);
    struct core_value values[] = {{.form = "div q"}, {.form = "nop"}, {.form = "add dd"}};
    assert_true(core_classes_only(&(struct core_measured){.count = 2, .values = values}));
    assert_false(core_classes_only(&(struct core_measured){.count = 3, .values = values}));
    core_plan_free(&plan);
    core_plan_free(&whole);
}

/* A few undisturbed values among disturbed ones are luck. */
static void a_disturbed_core_is_not_believed(void **state) {
    (void)state;
    struct core_value values[20] = {{.form = "nop"}};
    const struct core_measured measured = {.count = 20, .values = values};
    assert_true(core_measured_believed(&measured));
    for (size_t i = 0; i < 17; i++)
        values[i].disturbed = true;
    assert_true(core_measured_believed(&measured));
    values[17].disturbed = values[18].disturbed = true;
    assert_int_equal(core_measured_disturbed(&measured), 19);
    assert_false(core_measured_believed(&measured));
}

/* What a typed core needs for so many executions of a form: the oracle of measured pairs. Returns the number of uses.
 */
static size_t typed_uses(const struct core_table *typed, const char *form, double count, struct core_use *out) {
    struct instruction_demand demand = {.data = 'q'};
    struct core_form found = {0};
    snprintf(demand.form, sizeof demand.form, "%s", form);
    const char *letters = strchr(form, ' ');
    const unsigned width = !letters               ? 0
                           : strchr(letters, 'z') ? 3
                           : strchr(letters, 'y') ? 2
                           : strchr(letters, 'x') ? 1
                                                  : 0;
    if (letters && strchr(letters, 'm')) {
        const struct core_ports *ports = letters[1] == 'm' ? &typed->store[width] : &typed->load[width];
        found.use_count = ports->use_count;
        memcpy(found.uses, ports->uses, sizeof found.uses);
    } else if (!letters || !core_table_find(typed, &demand, &found))
        return 0;
    for (unsigned i = 0; i < found.use_count; i++)
        out[i] = (struct core_use){found.uses[i].ports, count * found.uses[i].cycles};
    return found.use_count;
}

static double typed_cycles(const struct core_table *typed, const char *form) {
    struct core_use uses[CORE_USES_MOST];
    return ports_busiest(uses, typed_uses(typed, form, 1, uses)).cycles;
}

/* The values of a core that does exactly what its table says, and renames `width` instructions per cycle. */
static void measure_typed(const struct core_table *typed, double width, const struct core_plan *plan,
                          struct core_measured *out) {
    *out = (struct core_measured){.values = calloc(plan->count, sizeof *out->values)};
    assert_non_null(out->values);
    for (size_t i = 0; i < plan->count; i++) {
        const struct core_item *item = &plan->items[i];
        const double cycles = strcmp(item->form, "nop") == 0 ? 1 / width : typed_cycles(typed, item->form);
        if (item->chains || item->helps || !(cycles > 0) || core_measured_find(out, item->form))
            continue;
        struct core_value *value = &out->values[out->count++];
        memcpy(value->form, item->form, sizeof value->form);
        value->throughput_cycles[CORE_MEASURED] = cycles;
        value->latency_cycles[CORE_MEASURED] = 4;
    }
    struct core_plan pairs;
    core_pairs_plan(plan, out, &pairs);
    struct core_slices *slices = calloc(pairs.count + 1, sizeof *slices);
    assert_non_null(slices);
    for (size_t i = 0; i < pairs.count; i++) {
        struct core_use uses[2 * CORE_USES_MOST];
        const struct core_item *pair = &pairs.items[i];
        size_t count = typed_uses(typed, pair->form, pair->count, uses);
        count += typed_uses(typed, pair->less[0], pair->instructions - pair->count, uses + count);
        slices[i] = slices_of(fmax(ports_busiest(uses, count).cycles, pair->instructions / width), 24);
    }
    core_pairs_reduce(&pairs, slices, out);
    free(slices);
    core_plan_free(&pairs);
}

/* NaN: unknown. */
static double share_of(const struct core_measured *measured, const char *form, const char *other) {
    for (size_t i = 0; i < measured->pair_count; i++)
        if (strcmp(measured->pairs[i].form, form) == 0 && strcmp(measured->pairs[i].other, other) == 0)
            return measured->pairs[i].share;
    return NAN;
}

/* Zen 4 adds and multiplies on different pipes, Skylake on the same ones, and does logic on one more. */
static void pairs_show_what_shares_pipes(void **state) {
    (void)state;
    struct core_plan plan = whole_plan();
    struct core_measured zen4, skylake, narrow;
    measure_typed(core_table_named("zen4"), 12, &plan, &zen4);
    measure_typed(core_table_named("skylake"), 12, &plan, &skylake);
    measure_typed(core_table_named("zen4"), 3, &plan, &narrow);
    assert_near(share_of(&zen4, "vaddpd xxx", "vmulpd xxx"), 0, 0.01);
    assert_near(share_of(&zen4, "vmulpd xxx", "vfmadd231pd xxx"), 1, 0.02);
    assert_near(share_of(&skylake, "vaddpd xxx", "vmulpd xxx"), 1, 0.02);
    assert_in_range((long)(100 * share_of(&skylake, "vaddpd xxx", "vpand xxx")), 30, 80);
    assert_near(share_of(&narrow, "vmulpd xxx", "vfmadd231pd xxx"), 1, 0.02); /* longer than renaming takes */
    assert_true(isnan(share_of(&narrow, "vaddpd xxx", "vmulpd xxx")));        /* hidden by it */
    core_measured_free(&zen4);
    core_measured_free(&skylake);
    core_measured_free(&narrow);
    core_plan_free(&plan);
}

static size_t chance_below(size_t count) {
    return (size_t)(chance_next() >> 33) % count;
}

/* Random mixes of instructions: what pairs tell of their pipes is never more than the ports really need, and often
 * nearly as much. */
static void bounds_by_pairs_hold(void **state) {
    static const char *const CORES[] = {"haswell", "skylake", "skylake-server", "ice-lake", "golden-cove",
                                        "zen2",    "zen3",    "zen4",           "zen5"};
    (void)state;
    struct core_plan plan = whole_plan();
    for (size_t i = 0; i < sizeof CORES / sizeof *CORES; i++) {
        const struct core_table *typed = core_table_named(CORES[i]);
        struct core_measured measured;
        double sum = 0, sum_of_classes = 0; /* of the cycles of all ports; without the pairs */
        enum { MIXES = 2000, KINDS = 8 };
        measure_typed(typed, 12, &plan, &measured);
        for (unsigned mix = 0; mix < MIXES; mix++) {
            struct core_use ports[KINDS * CORE_USES_MOST];
            struct pipe_use pipes[KINDS];
            size_t count = 0, kinds = 0;
            for (unsigned k = 0; k < KINDS; k++) {
                const struct core_value *value = &measured.values[chance_below(measured.count)];
                if (mix % 2 && !pipe_class_of(value->form)) /* half of the mixes: of classes alone */
                    continue;
                const double times = 1 + (double)chance_below(4);
                pipes[kinds++] = (struct pipe_use){value, times * value->throughput_cycles[CORE_MEASURED]};
                if (strcmp(value->form, "nop") == 0 || strstr(value->form, "div") || strstr(value->form, "sqrt") ||
                    strcmp(value->form, "vcvttps2dq xx") == 0)
                    pipes[kinds - 1].cycles = 0; /* tables disagree on dividers, and give this the ports of 512 bits */
                count += typed_uses(typed, value->form, times, ports + count);
            }
            const double most = fmax(1e-9, ports_busiest(ports, count).cycles);
            const struct busiest_pipes busiest = pipes_busiest(&measured, pipes, kinds);
            char text[40];
            const struct core_measured no_pairs = {.count = measured.count, .values = measured.values};
            sum += busiest.cycles / most;
            sum_of_classes += pipes_busiest(&no_pairs, pipes, kinds).cycles / most;
            if (busiest.cycles > 1.03 * most)
                fail_msg("%s: %g cycles of ports %s, by its table %g", CORES[i], busiest.cycles,
                         pipes_text(&busiest, text, sizeof text), most);
        }
        assert_true(sum > 1.02 * sum_of_classes);
        core_measured_free(&measured);
    }
    core_plan_free(&plan);
}

/* Each once; "mul" is a part of "imul", and has its place all the same. */
static void pipes_have_all_names(void **state) {
    (void)state;
    static const struct core_value values[] = {
        {.form = "imul qqi"}, {.form = "mul q"}, {.form = "imul qq"}, {.form = "mov qm"}};
    struct busiest_pipes pipes = {.count = 4};
    char text[40];
    for (unsigned i = 0; i < pipes.count; i++)
        pipes.of[i] = &values[i];
    assert_string_equal(pipes_text(&pipes, text, sizeof text), "of imul, mul, loads");
    assert_string_equal(pipes_text(&pipes, text, 12), "of imul");
}

/* A pair's unit is the two forms as often as claimed, mixed, and no instruction of one needs one of the other, but for
 * flags. */
static void pairs_are_independent(void **state) {
    (void)state;
    struct core_plan plan = whole_plan(), pairs;
    struct core_measured measured;
    measure_typed(core_table_named("zen5"), 12, &plan, &measured);
    core_pairs_plan(&plan, &measured, &pairs);
    assert_true(pairs.count > 200);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct core_item *pair = &pairs.items[i];
        const struct decoded_unit unit = decode(pair);
        unsigned of_first = 0, of_second = 0;
        for (size_t k = 0; k < unit.count; k++) {
            of_first += strcmp(unit.of[k].form, pair->form) == 0;
            of_second += strcmp(unit.of[k].form, pair->less[0]) == 0;
            for (size_t l = 0; l < unit.count; l++)
                for (unsigned r = 0; r < unit.of[l].reads.count; r++)
                    if (strcmp(unit.of[k].form, unit.of[l].form) != 0 &&
                        memchr(unit.of[k].writes.of, unit.of[l].reads.of[r], unit.of[k].writes.count) &&
                        !(unit.of[k].sets_flags && strncmp(unit.of[l].form, "cmov", 4) == 0))
                        fail_msg("%s and %s: one needs the other", pair->form, pair->less[0]);
        }
        if (of_first != pair->count || of_first + of_second != unit.count || unit.count != pair->instructions)
            fail_msg("%s and %s: %u and %u of %zu", pair->form, pair->less[0], of_first, of_second, unit.count);
    }
    core_measured_free(&measured);
    core_plan_free(&pairs);
    core_plan_free(&plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_hold_the_forms_that_they_claim),
        cmocka_unit_test(chains_depend),
        cmocka_unit_test(chains_of_x87_depend),
        cmocka_unit_test(flags_have_latencies),
        cmocka_unit_test(units_leave_the_stack_as_it_was),
        cmocka_unit_test(independent_instructions_are),
        cmocka_unit_test(masks_are_of_the_chain),
        cmocka_unit_test(constants_differ_and_loops_of_places_are_short),
        cmocka_unit_test(operands_are_safe),
        cmocka_unit_test(unknown_extensions_are_left_out),
        cmocka_unit_test(disturbances_do_not_change_a_value),
        cmocka_unit_test(slices_beside_others_do_not_count),
        cmocka_unit_test(few_steady_slices_are_disturbed),
        cmocka_unit_test(parts_of_a_chain_are_subtracted),
        cmocka_unit_test(classes_are_measured),
        cmocka_unit_test(the_short_plan_is_of_classes),
        cmocka_unit_test(a_disturbed_core_is_not_believed),
        cmocka_unit_test(pairs_show_what_shares_pipes),
        cmocka_unit_test(bounds_by_pairs_hold),
        cmocka_unit_test(pairs_are_independent),
        cmocka_unit_test(pipes_have_all_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
