/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in words (see machine_report.h). */
#include "machine_report.h"

#include <stdio.h>
#include <string.h>

#include "asm/kernel.h"
#include "bench/run/run.h"
#include "probe/arch.h"
#include "render/page/units.h"
#include "carm/text/table.h"

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
    if (strcmp(machine->cache_source, "none") != 0)
        printf("  (sizes from %s)\n", machine->cache_source);
    else
        printf("  %s\n", machine->recorded ? "the recording tells of none" : "neither hwloc nor CPUID tells of any");
}

/* One line per documented ceiling: what a core of the first kind can do per cycle. */
static void print_limits(const struct machine *machine, const struct uarch *uarch) {
    const uint32_t documented = uarch_features(uarch);
    const char *kind = machine->kinds[0].name;
    struct table table = table_begin("llrl");
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        bool first = i == 0 || strcmp(kernel_table[i - 1]->name, kernel->name) != 0;
        bool listed = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MEMORY;
        struct uarch_limit limit =
            first && listed ? bench_documented(uarch, kernel, kernel->kind == KERNEL_MEMORY) : (struct uarch_limit){0};
        const bool has = machine->isa_known ? machine_has(machine, kernel->needs) : !(kernel->needs & ~documented);
        if (limit.per_cycle <= 0 || !has)
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
        printf("documented limits of a %s%score\n", kind, *kind ? " " : "");
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

static void print_identity(const struct machine *machine) {
    const struct cpu_identity *cpu = &machine->cpu;
    printf("%s (%s)\n", cpu->brand[0] ? cpu->brand : "CPU unknown", machine->topology_source);
    printf("host        %s\n", machine->host[0] ? machine->host : "not told");
    if (machine_is_foreign(machine))
        printf("identity    %s\n", machine->architecture);
    else if (!cpu->vendor[0])
        printf("identity    not told\n");
    else
        printf("identity    %s family %u model %u stepping %u%s%s\n", cpu->vendor, cpu->family, cpu->model,
               cpu->stepping, cpu->hypervisor[0] ? ", in a virtual machine of " : "", cpu->hypervisor);
}

static void print_core(const struct machine *machine, const struct uarch_match *match) {
    char text[LIST_BYTES];
    if (machine_is_foreign(machine)) {
        printf("core        not known: documented limits, and kernels, are of %s alone\n", ARCH_NAME);
        return;
    }
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
}

static const char *plural(unsigned count) {
    return count == 1 ? "" : "s";
}

static void print_cores(const struct machine *machine) {
    printf("cores       %u package%s, %u core%s, %u PU%s; usable%s: %u core%s, %u PU%s\n", machine->package_count,
           plural(machine->package_count), machine->machine_core_count, plural(machine->machine_core_count),
           machine->pu_count, plural(machine->pu_count), machine->recorded ? "" : " here", machine->core_count,
           plural(machine->core_count), machine->allowed_pu_count, plural(machine->allowed_pu_count));
    for (unsigned i = 0; machine->kind_count > 1 && i < machine->kind_count; i++)
        printf("  %s: %u core%s\n", machine->kinds[i].name, machine->kinds[i].core_count,
               plural(machine->kinds[i].core_count));
}

static void print_node(const struct machine *machine, const struct memory_node *node) {
    char size[UNITS_BYTES];
    printf("  node %u: ", node->os_index);
    if (node->memory_bytes == 0)
        printf("%s", machine->memory_total_bytes ? "no memory" : "size not told");
    else
        printf("%s", units_binary(size, sizeof size, (double)node->memory_bytes));
    /* What nobody tells is called DRAM, which need not be true behind a cache. */
    if (node->memory_bytes > 0 && (!node->memory_side_cache_bytes || strcmp(node->kind, "DRAM") != 0))
        printf(" of %s", node->kind);
    if (node->memory_side_cache_bytes)
        printf(" behind a memory-side cache of %s",
               units_binary(size, sizeof size, (double)node->memory_side_cache_bytes));
    printf(", %u usable core%s\n", node->core_count, plural(node->core_count));
}

static void print_memory(const struct machine *machine) {
    char total[UNITS_BYTES] = "size not told", available[UNITS_BYTES] = "not known how much";
    if (machine->memory_total_bytes > 0)
        units_binary(total, sizeof total, (double)machine->memory_total_bytes);
    if (machine->memory_available_bytes > 0)
        units_binary(available, sizeof available, (double)machine->memory_available_bytes);
    if (machine->recorded)
        printf("memory      %s\n", total);
    else
        printf("memory      %s, %s available\n", total, available);
    for (unsigned i = 0; i < machine->node_count; i++)
        print_node(machine, &machine->nodes[i]);
}

void machine_report(const struct machine *machine, const struct uarch_match *match, const struct clock *clock) {
    print_identity(machine);
    print_core(machine, match);
    print_cores(machine);
    printf("caches\n");
    print_caches(machine);
    print_memory(machine);
    if (clock)
        print_clock(clock);
    if (match->uarch)
        print_limits(machine, match->uarch);
}
