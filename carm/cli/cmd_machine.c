/* SPDX-License-Identifier: BSD-3-Clause
 * carmine machine: what is known of this machine. */
#include "commands.h"

#include <jansson.h>

#include "carm/options/view_options.h"
#include "carm/options/measure_options.h"
#include "carm/report/machine_report.h"
#include "carm/report/next_answers.h"
#include "carm/store/fields.h"
#include "carm/store/shape.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/text/pager.h"
#include "probe/clock.h"
#include "probe/uarch.h"

static const struct cli_option OPTIONS[] = {
    CHOICE_TOPOLOGY,
    {"all", 0, NULL, "print identity, features, clocks, and the documented limit of each kernel with its source"},
    {0},
};

static json_t *cache_json(const struct cache *cache) {
    char name[CACHE_NAME_BYTES];
    json_t *out = json_pack("{s:i,s:s,s:I,s:i,s:i,s:i,s:i}", "level", (int)cache->level, "name",
                            machine_cache_name(cache, name), "size_bytes", (json_int_t)cache->size_bytes, "line_bytes",
                            (int)cache->line_bytes, "associativity", cache->associativity, "sharing_core_count",
                            (int)cache->sharing_core_count, "instance_count", (int)cache->instance_count);
    json_t *shapes = cache->shape_count ? json_array() : NULL;
    for (unsigned i = 0; i < cache->shape_count; i++)
        json_array_append_new(shapes,
                              json_pack("{s:I,s:i,s:i,s:i}", "size_bytes", (json_int_t)cache->shapes[i].size_bytes,
                                        "associativity", cache->shapes[i].associativity, "sharing_core_count",
                                        (int)cache->shapes[i].sharing_core_count, "instance_count",
                                        (int)cache->shapes[i].instance_count));
    if (shapes)
        shape_set_optional(out, "shapes", shapes);
    return out;
}

/* "core_kind", "level", …: a row for each level of each kind of cores. */
static json_t *cache_rows(const struct machine *machine) {
    json_t *rows = json_array();
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++) {
            json_t *row = json_pack("{s:s}", "core_kind", machine->kinds[k].name),
                   *cache = cache_json(&machine->kinds[k].caches[i]);
            json_object_update(row, cache);
            json_decref(cache);
            json_array_append_new(rows, row);
        }
    return rows;
}

static json_t *json(const struct machine *machine, const struct uarch_match *match, const struct clock *clock) {
    json_t *isas = json_array(), *kinds = json_array(), *nodes = json_array();
    for (size_t i = 0; i < isa_count; i++)
        if (machine_has(machine, isa_table[i].needs))
            json_array_append_new(isas, json_string(isa_table[i].name));
    for (unsigned k = 0; k < machine->kind_count; k++) {
        json_t *caches = json_array();
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++)
            json_array_append_new(caches, cache_json(&machine->kinds[k].caches[i]));
        json_array_append_new(kinds, json_pack("{s:s,s:i,s:o}", "name", machine->kinds[k].name, "core_count",
                                               (int)machine->kinds[k].core_count, "caches", caches));
    }
    for (unsigned i = 0; i < machine->node_count; i++)
        json_array_append_new(
            nodes, json_pack("{s:i,s:I,s:I,s:s,s:i}", "os_index", (int)machine->nodes[i].os_index, "memory_bytes",
                             (json_int_t)machine->nodes[i].memory_bytes, "memory_side_cache_bytes",
                             (json_int_t)machine->nodes[i].memory_side_cache_bytes, "kind", machine->nodes[i].kind,
                             "core_count", (int)machine->nodes[i].core_count));
    json_t *out = json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:s,s:o,s:s}", "schema", "carmine.machine/1", "host",
                            machine->host, "brand", machine->cpu.brand, "vendor", machine->cpu.vendor, "family",
                            (int)machine->cpu.family, "model", (int)machine->cpu.model, "stepping",
                            (int)machine->cpu.stepping, "hypervisor", machine->cpu.hypervisor, "uarch",
                            text_or_null(match->uarch ? uarch_name(match->uarch) : ""), "uarch_doubt", match->doubt);
    json_object_set_new(out, "architecture", json_string(machine->architecture));
    json_object_set_new(out, "recorded", json_boolean(machine->recorded));
    json_object_set_new(out, "isas", machine->isa_known ? shape_nullable(isas) : json_null());
    if (!machine->isa_known)
        json_decref(isas);
    json_object_set_new(out, "package_count", json_integer(machine->package_count));
    json_object_set_new(out, "core_count", json_integer(machine->machine_core_count));
    json_object_set_new(out, "usable_core_count", json_integer(machine->core_count));
    json_object_set_new(out, "pu_count", json_integer(machine->pu_count));
    json_object_set_new(out, "usable_pu_count", json_integer(machine->allowed_pu_count));
    json_object_set_new(out, "cache_source", json_string(machine->cache_source));
    json_object_set_new(out, "kinds", kinds);
    json_object_set_new(out, "nodes", nodes);
    json_object_set_new(out, "memory_total_bytes", json_integer((json_int_t)machine->memory_total_bytes));
    json_object_set_new(out, "clock_at_rest_hz", positive_or_null(clock ? clock->rest_hz : 0));
    json_object_set_new(out, "tick_hz", positive_or_null(clock ? clock->tick_hz : 0));
    return out;
}

/* A cache of two shapes, a node, and an instruction set. */
json_t *machine_described(const struct model *model) {
    (void)model;
    struct memory_node node = {.kind = ""};
    struct machine machine = {.kind_count = 1, .nodes = &node, .node_count = 1, .isa_known = true, .cpu.features = ~0u};
    machine.kinds[0].cache_count = 1;
    machine.kinds[0].caches[0].shape_count = 1;
    return json(&machine, &(struct uarch_match){0}, NULL);
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine;
    struct clock clock;
    const struct plot_terminal terminal = terminal_find();
    if (!machine_load(&machine, cli_value(arguments, "topology"), err) ||
        (!machine.recorded && !clock_open(&clock, err))) {
        machine_free(&machine);
        return CLI_ERROR;
    }
    struct uarch_match match = uarch_find(&machine.cpu, machine.kind_count ? machine.kinds[0].name : "");
    const bool timed = !machine.recorded;
    if (cli_given(arguments, "json")) {
        fields_print(next_add(json(&machine, &match, timed ? &clock : NULL), next_step_json(NEXT_DOCTOR, "", NULL)));
    } else if (cli_given(arguments, "csv")) {
        csv_print_rows(cache_rows(&machine), stdout);
    } else if (cli_given(arguments, "all")) {
        pager_begin();
        machine_report(&machine, &match, timed ? &clock : NULL, stdout);
        pager_end();
    } else {
        machine_answer_print(&machine, &match, timed ? &clock : NULL, &(struct screen){&terminal, stdout});
    }
    machine_free(&machine);
    return CLI_DONE;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine machine", "this machine"},
    {"carmine machine --topology node.xml", "another machine, recorded there by `lstopo node.xml`"},
    {0},
};

const struct command command_machine = {
    .name = "machine",
    .operands = "",
    .summary = "this machine: cores, caches, ISAs, clocks, documented limits",
    .description = "Shows what hwloc, the CPU and the clock report about this machine, or about one recorded with "
                   "`lstopo FILE.xml`, and the limits that the vendor documents for its core. One screen; --all shows "
                   "every feature and limit.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "a row per cache", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
