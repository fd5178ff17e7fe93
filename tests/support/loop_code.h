/* SPDX-License-Identifier: BSD-3-Clause
 * Loops by their machine code, and cores whose measured values are those of a typed table. Include cmocka.h before it.
 */
#pragma once

#include <stdio.h>
#include <string.h>

#include "asm/incore/core_overlay.h"
#include "asm/incore/core_table.h"
#include "asm/incore/in_core.h"
#include "asm/incore/pipes.h"
#include "asm/instruction.h"

enum { MOST_CODE = 128, MOST_INSTRUCTIONS = 40 };

struct loop_code {
    uint8_t bytes[MOST_CODE];
    struct loop_instruction instructions[MOST_INSTRUCTIONS];
    size_t count;
};

/* A loop at address 4096 + `at` whose instructions all run once per iteration. */
static inline void read_loop(const char *hex, uint64_t at, struct loop_code *out) {
    size_t bytes = 0;
    *out = (struct loop_code){0};
    for (unsigned byte; sscanf(hex + 2 * bytes, "%2x", &byte) == 1; bytes++)
        out->bytes[bytes] = (uint8_t)byte;
    for (size_t i = 0; i < bytes;) {
        struct decoded_instruction decoded;
        assert_true(instruction_decode(out->bytes + i, bytes - i, &decoded));
        out->instructions[out->count++] =
            (struct loop_instruction){4096 + at + i, out->bytes + i, decoded.length_bytes, 1};
        i += decoded.length_bytes;
    }
}

/* Values of one core, for the instructions of one loop. */
struct values_core {
    struct core_value values[MOST_INSTRUCTIONS + 32];
    struct core_measured measured;
};

static inline void add_value(struct values_core *core, const char *form, double latency, double throughput) {
    if (core_measured_find(&core->measured, form))
        return;
    struct core_value *value = &core->values[core->measured.count++];
    *value = (struct core_value){.latency_cycles = {latency, latency, latency},
                                 .throughput_cycles = {throughput, throughput, throughput}};
    snprintf(value->form, sizeof value->form, "%s", form);
}

static inline void add_head(struct values_core *core, const struct core_table *typed) {
    static const char *const LOADS[] = {"load q", "load x", "load y", "load z"}, *const FORWARDS[] = {
                                                                                     "forward q", "forward x",
                                                                                     "forward y", "forward z"};
    for (unsigned i = 0; i < CORE_WIDTHS; i++) {
        const struct core_ports *load = &typed->load[i], *store = &typed->store[i];
        add_value(core, LOADS[i], typed->load_cycles[i], 0);
        add_value(core, FORWARDS[i], typed->forward_cycles[i], 0);
        add_value(core, similar_loads[i], 0, ports_busiest(load->uses, load->use_count).cycles);
        add_value(core, similar_stores[i], 0, ports_busiest(store->uses, store->use_count).cycles);
    }
    add_value(core, "forward indexed", typed->unrenamed_cycles, 0);
    add_value(core, "move q", typed->moves_renamed[0] ? 0.2 : 1, 0);
    add_value(core, "move x", typed->moves_renamed[1] ? 0.2 : 1, 0);
    add_value(core, "add constant", typed->constants_renamed ? 0.2 : 1, 0);
    add_value(core, "nop", 0, 1. / 6);
}

/* The oracle of an account without a table: what the table says, as if it had been measured. */
static inline void values_of(const struct core_table *typed, const struct loop_code *loop, struct values_core *out) {
    *out = (struct values_core){.measured.values = out->values};
    add_head(out, typed);
    for (size_t i = 0; i < loop->count; i++) {
        struct instruction_demand demand;
        struct core_form form;
        assert_true(demand_find(loop->instructions[i].code, MOST_CODE, 0, &demand));
        similar_form(1, demand.form);
        if (core_table_find(typed, &demand, &form))
            add_value(out, demand.form, form.chained_cycles, ports_busiest(form.uses, form.use_count).cycles);
    }
}
