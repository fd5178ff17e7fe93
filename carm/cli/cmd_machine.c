/* SPDX-License-Identifier: BSD-3-Clause
 * carmine machine: what was found. */
#include <jansson.h>
#include <string.h>

#include "asm/kernel.h"
#include "bench/run/run.h"
#include "probe/clock.h"
#include "probe/uarch.h"
#include "render/page/units.h"
#include "carm/options/measure_options.h"
#include "commands.h"
#include "carm/store/fields.h"
#include "carm/text/table.h"

static const struct cli_option OPTIONS[] = {
    CHOICE_TOPOLOGY,
    {"json", 0, NULL, "print it as JSON"},
    {0},
};

enum { LIST_BYTES = 512 };

static void isa_list(const struct machine *machine, char *out, size_t size) {
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < isa_count && length < size; i++)
        if (machine_has(machine, isa_table[i].needs))
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", isa_table[i].name);
}

static void feature_list(uint32_t features, char *out, size_t size) {
    size_t length = 0;
    out[0] = '\0';
    for (unsigned bit = 0; bit < 32 && length < size; bit++) {
        const char *name = features & 1u << bit ? cpu_feature_name(1u << bit) : NULL;
        if (name)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", name);
    }
}

/* "4 cores"; of an instance that a core has several of, "a part of a core". */
static const char *sharers(unsigned core_count, char out[UNITS_BYTES]) {
    if (core_count == 0)
        return "a part of a core";
    snprintf(out, UNITS_BYTES, "%u core%s", core_count, core_count == 1 ? "" : "s");
    return out;
}

static void print_shape(const struct core_kind *kind, const struct cache *cache, const struct cache_shape *shape) {
    char size[UNITS_BYTES], ways[UNITS_BYTES] = "", line[UNITS_BYTES] = "", cores[UNITS_BYTES];
    if (shape->associativity < 0)
        snprintf(ways, sizeof ways, ", fully associative");
    else if (shape->associativity > 0)
        snprintf(ways, sizeof ways, shape->associativity == 1 ? ", direct-mapped" : ", %d ways", shape->associativity);
    if (cache->line_bytes)
        snprintf(line, sizeof line, ", lines of %u B", cache->line_bytes);
    printf("  L%u%s%-3s %8s%s%s, %u instance%s for %s\n", cache->level, *kind->name ? " " : "", kind->name,
           units_binary(size, sizeof size, (double)shape->size_bytes), ways, line, shape->instance_count,
           shape->instance_count == 1 ? "" : "s, each", sharers(shape->sharing_core_count, cores));
}

static unsigned cores_without(const struct machine *machine, unsigned kind, unsigned cache) {
    unsigned count = 0;
    for (unsigned c = 0; c < machine->core_count; c++)
        count += machine->cores[c].kind == kind && machine->cores[c].cache_instance[0][cache] == MACHINE_NO_INSTANCE;
    return count;
}

static void print_caches(const struct machine *machine) {
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++) {
            const struct cache *cache = &machine->kinds[k].caches[i];
            const struct cache_shape all = {cache->size_bytes, cache->associativity, cache->sharing_core_count,
                                            cache->instance_count};
            for (unsigned s = 0; s < cache->shape_count || s == 0; s++)
                print_shape(&machine->kinds[k], cache, cache->shape_count ? &cache->shapes[s] : &all);
            const unsigned without = cores_without(machine, k, i);
            if (without > 0)
                printf("          %u core%s no L%u\n", without, without == 1 ? " has" : "s have", cache->level);
        }
    printf("  (sizes from %s)\n", machine->cache_source);
}

/* One line per documented ceiling: what a core of the first kind can do per cycle. */
static void print_limits(const struct machine *machine, const struct uarch *uarch) {
    struct table table = table_begin("llrl");
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        bool first = i == 0 || strcmp(kernel_table[i - 1]->name, kernel->name) != 0;
        bool listed = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MEMORY;
        struct uarch_limit limit =
            first && listed ? bench_documented(uarch, kernel, kernel->kind == KERNEL_MEMORY) : (struct uarch_limit){0};
        if (limit.per_cycle <= 0 || (machine->isa_known && !machine_has(machine, kernel->needs)))
            continue;
        char text[UNITS_BYTES];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "  %s", kernel->name);
        table_set(row, 1, "%s", kernel->kind == KERNEL_MEMORY ? "L1" : "");
        table_set(row, 2, "%s %s", units_number_digits(text, sizeof text, limit.per_cycle, 4),
                  kernel->kind == KERNEL_MEMORY         ? "B/cycle"
                  : element_table[kernel->type].integer ? "op/cycle"
                                                        : "flop/cycle");
        table_set(row, 3, "%s", limit.source);
    }
    if (table.rows)
        printf("documented limits of a core\n");
    table_print(&table, stdout);
}

static void print_clock(const struct clock *clock) {
    char rest[UNITS_BYTES], tick[UNITS_BYTES];
    printf("clock       %s at rest (adds %.3f, vector adds %.3f, multiplies %.3f GHz); tick %s from %s\n",
           units_si_digits(rest, sizeof rest, clock->rest_hz, "Hz", 4), clock->chain_hz[0] / 1e9,
           clock->chain_hz[1] / 1e9, clock->chain_hz[2] / 1e9,
           units_si_digits(tick, sizeof tick, clock->tick_hz, "Hz", 5),
           clock->uses_tsc ? "the TSC" : "CLOCK_MONOTONIC_RAW");
    if (clock->doubt[0])
        printf("          ▲ %s\n", clock->doubt);
}

static void print_node(const struct memory_node *node) {
    char size[UNITS_BYTES], kind[UNITS_BYTES];
    snprintf(kind, sizeof kind, " of %s", node->kind);
    if (node->memory_side_cache_bytes && strcmp(node->kind, "DRAM") == 0) /* as hwloc calls all that it does not know */
        kind[0] = '\0';
    printf("  node %u: %s%s", node->os_index, units_binary(size, sizeof size, (double)node->memory_bytes), kind);
    if (node->memory_side_cache_bytes)
        printf(" behind a memory-side cache of %s",
               units_binary(size, sizeof size, (double)node->memory_side_cache_bytes));
    printf(", %u usable core%s\n", node->core_count, node->core_count == 1 ? "" : "s");
}

static void print_text(const struct machine *machine, const struct uarch_match *match, const struct clock *clock) {
    char text[LIST_BYTES], size[2][UNITS_BYTES];
    printf("%s (%s)\n", machine->cpu.brand[0] ? machine->cpu.brand : "CPU unknown", machine->topology_source);
    printf("host        %s\n", machine->host);
    printf("identity    %s family %u model %u stepping %u%s%s\n", machine->cpu.vendor, machine->cpu.family,
           machine->cpu.model, machine->cpu.stepping, machine->cpu.hypervisor[0] ? ", in a virtual machine of " : "",
           machine->cpu.hypervisor);
    printf("core        %s\n",
           match->uarch ? uarch_name(match->uarch) : "microarchitecture not known: no documented limits");
    if (match->doubt[0])
        printf("          ▲ %s\n", match->doubt);
    isa_list(machine, text, sizeof text);
    printf("ISAs        %s\n", machine->isa_known ? text : "not known (a recorded topology does not tell)");
    if (machine->tiles_refused[0])
        printf("          ▲ AMX is left out: the operating system refuses its tiles (%s)\n", machine->tiles_refused);
    if (machine->isa_known) {
        feature_list(machine->cpu.features, text, sizeof text);
        printf("features    %s\n", text);
    }
    printf("cores       %u package%s, %u core%s, %u PU%s; usable here: %u core%s, %u PU%s\n", machine->package_count,
           machine->package_count == 1 ? "" : "s", machine->machine_core_count,
           machine->machine_core_count == 1 ? "" : "s", machine->pu_count, machine->pu_count == 1 ? "" : "s",
           machine->core_count, machine->core_count == 1 ? "" : "s", machine->allowed_pu_count,
           machine->allowed_pu_count == 1 ? "" : "s");
    for (unsigned i = 0; machine->kind_count > 1 && i < machine->kind_count; i++)
        printf("  kind %s: %u cores\n", machine->kinds[i].name, machine->kinds[i].core_count);
    printf("caches\n");
    print_caches(machine);
    printf("memory      %s, %s available\n", units_binary(size[0], UNITS_BYTES, (double)machine->memory_total_bytes),
           machine->memory_available_bytes ? units_binary(size[1], UNITS_BYTES, (double)machine->memory_available_bytes)
                                           : "not known how much");
    for (unsigned i = 0; i < machine->node_count; i++)
        print_node(&machine->nodes[i]);
    if (clock)
        print_clock(clock);
    if (match->uarch)
        print_limits(machine, match->uarch);
}

static json_t *cache_json(const struct cache *cache) {
    json_t *out =
        json_pack("{s:i,s:I,s:i,s:i,s:i,s:i}", "level", (int)cache->level, "size_bytes", (json_int_t)cache->size_bytes,
                  "line_bytes", (int)cache->line_bytes, "associativity", cache->associativity, "sharing_core_count",
                  (int)cache->sharing_core_count, "instance_count", (int)cache->instance_count);
    json_t *shapes = cache->shape_count ? json_array() : NULL;
    for (unsigned i = 0; i < cache->shape_count; i++)
        json_array_append_new(shapes,
                              json_pack("{s:I,s:i,s:i,s:i}", "size_bytes", (json_int_t)cache->shapes[i].size_bytes,
                                        "associativity", cache->shapes[i].associativity, "sharing_core_count",
                                        (int)cache->shapes[i].sharing_core_count, "instance_count",
                                        (int)cache->shapes[i].instance_count));
    if (shapes)
        json_object_set_new(out, "shapes", shapes);
    return out;
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
    json_t *out = json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:s,s:s?,s:s}", "schema", "carmine.machine/1", "host",
                            machine->host, "brand", machine->cpu.brand, "vendor", machine->cpu.vendor, "family",
                            (int)machine->cpu.family, "model", (int)machine->cpu.model, "stepping",
                            (int)machine->cpu.stepping, "hypervisor", machine->cpu.hypervisor, "uarch",
                            match->uarch ? uarch_name(match->uarch) : NULL, "uarch_doubt", match->doubt);
    json_object_set_new(out, "recorded", json_boolean(machine->recorded));
    json_object_set_new(out, "isas", machine->isa_known ? isas : json_null());
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
    json_object_set_new(out, "clock_at_rest_hz", clock ? json_real(clock->rest_hz) : json_null());
    json_object_set_new(out, "tick_hz", clock ? json_real(clock->tick_hz) : json_null());
    return out;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct machine machine;
    struct clock clock;
    if (!machine_load(&machine, cli_value(arguments, "topology"), err)) {
        machine_free(&machine);
        return CLI_ERROR;
    }
    struct uarch_match match = uarch_find(&machine.cpu, machine.kind_count ? machine.kinds[0].name : "");
    const bool timed = !machine.recorded;
    if (timed)
        clock_open(&clock);
    if (cli_given(arguments, "json")) {
        fields_print(json(&machine, &match, timed ? &clock : NULL));
    } else {
        print_text(&machine, &match, timed ? &clock : NULL);
    }
    machine_free(&machine);
    return CLI_DONE;
}

const struct command command_machine = {
    .name = "machine",
    .operands = "",
    .summary = "what was found: cores, caches, ISAs, clocks, documented limits",
    .description = "Prints what hwloc, CPUID and the clock tell of this machine, or of one recorded with `lstopo "
                   "FILE.xml`, and what "
                   "the vendor documents of its core.",
    .options = OPTIONS,
    .run = command,
};
