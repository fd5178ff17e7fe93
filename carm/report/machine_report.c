/* SPDX-License-Identifier: BSD-3-Clause
 * A machine in words: everything, and one screen. */
#include "machine_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "bench/kernels/run.h"
#include "carm/report/shortfall_report.h"
#include "carm/text/table.h"
#include "probe/arch.h"
#include "probe/memory_kind.h"
#include "probe/machine.h"
#include "probe/midr.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { LIST_BYTES = 512 };

/* Whether the machine has these features, or a recorded one by the documents of its core, if it is known. */
static bool has_or_should(const struct machine *machine, const struct uarch *uarch, cpu_features needs) {
    return machine->isa_known ? machine_has(machine, needs) : uarch && !(needs & ~uarch_features(uarch));
}

static void isa_list(const struct machine *machine, const struct uarch *uarch, char *out, size_t size) {
    out[0] = '\0';
    for (size_t i = 0; i < isa_count; i++)
        if (has_or_should(machine, uarch, isa_table[i].needs))
            text_append(out, size, "%s%s", *out ? ", " : "", isa_table[i].name);
}

/* "4 cores"; "a part of a core" if a core has several instances. */
static const char *sharers(unsigned core_count, char out[UNITS_BYTES]) {
    if (core_count == 0)
        return "a part of a core";
    snprintf(out, UNITS_BYTES, "%u core%s", core_count, core_count == 1 ? "" : "s");
    return out;
}

enum { LABEL_BYTES = CACHE_NAME_BYTES + sizeof((struct core_kind *)NULL)->name };

/* "L2", "L2 E". Returns `out`. */
static char *cache_label(const struct core_kind *kind, const struct cache *cache, char out[LABEL_BYTES]) {
    char name[CACHE_NAME_BYTES];
    snprintf(out, LABEL_BYTES, "%s%s%s", machine_cache_name(cache, name), *kind->name ? " " : "", kind->name);
    return out;
}

/* Of the longest label. */
static int labels_width(const struct machine *machine) {
    size_t width = sizeof "L1 E2" - (machine->kind_count == 1);
    char label[LABEL_BYTES];
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++) {
            const size_t own = strlen(cache_label(&machine->kinds[k], &machine->kinds[k].caches[i], label));
            width = own > width ? own : width;
        }
    return (int)width;
}

static void print_shape(const struct core_kind *kind, const struct cache *cache, const struct cache_shape *shape,
                        int width, FILE *out) {
    char size[UNITS_BYTES], ways[UNITS_BYTES] = "", line[UNITS_BYTES] = "", cores[UNITS_BYTES], label[LABEL_BYTES];
    if (shape->associativity < 0)
        snprintf(ways, sizeof ways, ", fully associative");
    else if (shape->associativity > 0)
        snprintf(ways, sizeof ways, shape->associativity == 1 ? ", direct-mapped" : ", %d ways", shape->associativity);
    if (cache->line_bytes)
        snprintf(line, sizeof line, ", lines of %u B", cache->line_bytes);
    fprintf(out, "  %-*s %8s%s%s, %u instance%s for %s\n", width, cache_label(kind, cache, label),
            units_binary(size, sizeof size, (double)shape->size_bytes), ways, line, shape->instance_count,
            shape->instance_count == 1 ? "" : "s, each", sharers(shape->sharing_core_count, cores));
}

static unsigned cores_without(const struct machine *machine, unsigned kind, unsigned cache) {
    unsigned count = 0;
    for (unsigned c = 0; c < machine->core_count; c++)
        count += machine->cores[c].kind == kind && machine->cores[c].cache_instance[0][cache] == MACHINE_NO_INSTANCE;
    return count;
}

/* The document of a cache that the system does not report; NULL: there is no such cache. */
static const struct uarch_between *documented_between(const struct machine *machine) {
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++)
            if (machine->kinds[k].caches[i].between)
                return uarch_between(uarch_find(&machine->cpu, machine->kinds[k].name).uarch);
    return NULL;
}

static void machine_report_print_caches(const struct machine *machine, FILE *out) {
    const int width = labels_width(machine);
    char name[CACHE_NAME_BYTES];
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++) {
            const struct cache *cache = &machine->kinds[k].caches[i];
            const struct cache_shape all = {cache->size_bytes, cache->associativity, cache->sharing_core_count,
                                            cache->instance_count};
            for (unsigned s = 0; s < cache->shape_count || s == 0; s++)
                print_shape(&machine->kinds[k], cache, cache->shape_count ? &cache->shapes[s] : &all, width, out);
            const unsigned without = cores_without(machine, k, i);
            if (without > 0)
                fprintf(out, "          %u core%s no %s\n", without, without == 1 ? " has" : "s have",
                        machine_cache_name(cache, name));
        }
    const struct uarch_between *between = documented_between(machine);
    if (strcmp(machine->cache_source, "none") != 0)
        fprintf(out, "  (sizes from %s%s%s)\n", machine->cache_source, between ? "; L1.5: " : "",
                between ? between->source : "");
    else
        fprintf(out, "  %s\n",
                machine->recorded ? "none in the recording"
                                  : "neither hwloc nor " ARCH_CACHES " report any:\n  " MACHINE_CACHES_REMEDY);
}

/* The limit of the `index`-th kernel, if it is the first of its name; zero: undocumented, or not on this core. */
static struct uarch_limit limit_of(const struct machine *machine, const struct uarch *uarch, size_t index) {
    const struct kernel *kernel = kernel_table[index];
    const bool first = index == 0 || strcmp(kernel_table[index - 1]->name, kernel->name) != 0,
               listed = kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_MEMORY;
    return first && listed && has_or_should(machine, uarch, kernel->needs)
               ? bench_documented(uarch, kernel, kernel->kind == KERNEL_MEMORY)
               : (struct uarch_limit){0};
}

/* The highest documented limit of a core of the first kind, per cycle: flop of this element type (for integers,
 * operations of dot products), or for TYPE_NONE bytes from L1. 0: undocumented, or the core lacks this instruction set.
 */
static double highest_limit(const struct machine *machine, const struct uarch *uarch, const struct isa *isa,
                            enum element_type type) {
    double most = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        const struct arithmetic *arithmetic = arithmetic_find(kernel->op);
        const bool plain = element_table[kernel->type].integer && !(arithmetic && arithmetic->sort == DOT);
        if (kernel->isa == isa && !plain && (kernel->kind == KERNEL_MEMORY ? type == TYPE_NONE : kernel->type == type))
            most = fmax(most, limit_of(machine, uarch, i).per_cycle);
    }
    return most;
}

/* One line per documented ceiling: what a core of the first kind can do per cycle. */
static void print_limits(const struct machine *machine, const struct uarch *uarch, FILE *out) {
    const char *kind = machine->kinds[0].name;
    struct table table = table_begin("llrl");
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        const struct uarch_limit limit = limit_of(machine, uarch, i);
        if (limit.per_cycle <= 0)
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
        fprintf(out, "documented limits of a %s%score\n", kind, *kind ? " " : "");
    table_print(&table, out);
}

/* Limits of a core that no kernel of this program runs on: those of the tables. */
static void print_table_limits(const struct core_kind *kind, const struct uarch *uarch, FILE *out) {
    char number[UNITS_BYTES], sources[1024];
    struct limits_row limit;
    struct table table = table_begin("lrl");
    for (size_t i = 0; limits_row_at(uarch, i, &limit); i++) {
        if (limit.per_cycle <= 0)
            continue;
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "  %s", limit.name);
        table_set(row, 1, "%s", units_number_digits(number, sizeof number, limit.per_cycle, 4));
        table_set(row, 2, "%s/cycle", limits_unit_names[limit.unit]);
    }
    fprintf(out, "documented limits of a %s%score", kind->name, *kind->name ? " " : "");
    if (table.rows)
        fprintf(out, ", vectors of %u bits", 8 * uarch_vector_bytes(uarch));
    fputc('\n', out);
    table_print(&table, out);
    for (unsigned links = 0; links < 2; links++)
        if (uarch_unknown(uarch, links) && (links || uarch_has_ports(uarch)))
            wrap_format(out, "    ", "  not known: %s", uarch_unknown(uarch, links));
    wrap_format(out, "    ", "  sources: %s", uarch_sources(uarch, sources, sizeof sources));
}

static void print_foreign_limits(const struct machine *machine, FILE *out) {
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct uarch *uarch = uarch_find(&machine->cpu, machine->kinds[k].name).uarch;
        if (uarch)
            print_table_limits(&machine->kinds[k], uarch, out);
    }
}

static void print_clock(const struct clock *clock, FILE *out) {
    char rest[UNITS_BYTES], tick[UNITS_BYTES];
    wrap_format(out, "            ",
                "clock       %s at rest (adds %.3f, vector adds %.3f, " ARCH_LAST_CHAIN " %.3f GHz); tick %s from %s",
                units_si_digits(rest, sizeof rest, clock->rest_hz, "Hz", 4), clock->chain_hz[0] / 1e9,
                clock->chain_hz[1] / 1e9, clock->chain_hz[2] / 1e9,
                units_si_digits(tick, sizeof tick, clock->tick_hz, "Hz", 5), clock_tick_source(clock));
    if (clock->doubt[0])
        wrap_format(out, "            ", "          ▲ %s", clock->doubt);
}

static void print_identity(const struct machine *machine, FILE *out) {
    const struct cpu_identity *cpu = &machine->cpu;
    fprintf(out, "%s (%s)\n", cpu->brand[0] ? cpu->brand : "CPU unknown", machine->topology_source);
    fprintf(out, "host        %s\n", machine->host[0] ? machine->host : "not known");
    if (midr_is_arm(cpu))
        wrap_format(out, "            ", "identity    %s part 0x%03x variant %u revision %u%s%s", cpu->vendor,
                    cpu->model, cpu->stepping / 16, cpu->stepping % 16,
                    cpu->hypervisor[0] ? ", in a virtual machine of " : "", cpu->hypervisor);
    else if (!cpu->vendor[0])
        fprintf(out, "identity    %s\n", machine_is_foreign(machine) ? machine->architecture : "not known");
    else
        wrap_format(out, "            ", "identity    %s family %u model %u stepping %u%s%s", cpu->vendor, cpu->family,
                    cpu->model, cpu->stepping, cpu->hypervisor[0] ? ", in a virtual machine of " : "", cpu->hypervisor);
}

static void print_core(const struct machine *machine, const struct uarch_match *match, FILE *out) {
    char text[LIST_BYTES];
    wrap_format(out, "            ", "core        %s",
                match->uarch ? uarch_name(match->uarch) : "microarchitecture not known: no documented limits");
    if (match->doubt[0])
        wrap_format(out, "            ", "          ▲ %s", match->doubt);
    isa_list(machine, match->uarch, text, sizeof text);
    wrap_format(out, "            ", "ISAs        %s%s", *text ? text : "not known",
                machine->isa_known ? ""
                : *text            ? ", by the core's documents (a recorded topology has none)"
                                   : " (a recorded topology has none)");
    if (machine_is_foreign(machine))
        fprintf(out, "kernels     exist here for %s only\n", ARCH_NAME);
    if (*machine_left_out(machine, text, sizeof text))
        wrap_format(out, "            ", "          ▲ %s", text);
    if (machine->isa_known)
        wrap_format(out, "            ", "features    %s", machine_features(machine->cpu.features, text, sizeof text));
}

static const char *machine_report_plural(unsigned count) {
    return count == 1 ? "" : "s";
}

static void print_cores(const struct machine *machine, FILE *out) {
    fprintf(out, "cores       %u package%s, %u core%s, %u PU%s; usable%s: %u core%s, %u PU%s\n", machine->package_count,
            machine_report_plural(machine->package_count), machine->machine_core_count,
            machine_report_plural(machine->machine_core_count), machine->pu_count,
            machine_report_plural(machine->pu_count), machine->recorded ? "" : " here", machine->core_count,
            machine_report_plural(machine->core_count), machine->allowed_pu_count,
            machine_report_plural(machine->allowed_pu_count));
    for (unsigned i = 0; machine->kind_count > 1 && i < machine->kind_count; i++)
        fprintf(out, "  %s: %u core%s\n", machine->kinds[i].name, machine->kinds[i].core_count,
                machine_report_plural(machine->kinds[i].core_count));
}

static void print_node(const struct machine *machine, const struct memory_node *node, FILE *out) {
    char size[UNITS_BYTES];
    fprintf(out, "  node %u: ", node->os_index);
    if (node->memory_bytes == 0)
        fprintf(out, "%s", machine->memory_total_bytes ? "no memory" : "size not known");
    else
        fprintf(out, "%s", units_binary(size, sizeof size, (double)node->memory_bytes));
    /* Memory of unknown kind is called DRAM, which may be wrong behind a cache. */
    if (node->memory_bytes > 0 && (!node->memory_side_cache_bytes || !memory_kind_of(node->kind)->ordinary))
        fprintf(out, " of %s", node->kind);
    if (node->memory_side_cache_bytes)
        fprintf(out, " behind a memory-side cache of %s",
                units_binary(size, sizeof size, (double)node->memory_side_cache_bytes));
    fprintf(out, ", %u usable core%s\n", node->core_count, machine_report_plural(node->core_count));
}

static void machine_report_print_memory(const struct machine *machine, FILE *out) {
    char total[UNITS_BYTES] = "size not known", available[UNITS_BYTES] = "unknown amount", page[UNITS_BYTES],
         pages[UNITS_BYTES + 16] = "";
    if (machine->memory_total_bytes > 0)
        units_binary(total, sizeof total, (double)machine->memory_total_bytes);
    if (machine->memory_available_bytes > 0)
        units_binary(available, sizeof available, (double)machine->memory_available_bytes);
    if (machine->page_bytes) /* not the usual ones */
        snprintf(pages, sizeof pages, ", pages of %s", units_binary(page, sizeof page, (double)machine->page_bytes));
    if (machine->recorded)
        fprintf(out, "memory      %s%s\n", total, pages);
    else
        fprintf(out, "memory      %s, %s available%s\n", total, available, pages);
    for (unsigned i = 0; i < machine->node_count; i++)
        print_node(machine, &machine->nodes[i], out);
}

/* Cores, caches and memory only. */
static void machine_report_print_parts(const struct machine *machine, FILE *out) {
    print_cores(machine, out);
    fprintf(out, "caches\n");
    machine_report_print_caches(machine, out);
    machine_report_print_memory(machine, out);
}

void machine_report(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                    FILE *out) {
    print_identity(machine, out);
    print_core(machine, match, out);
    machine_report_print_parts(machine, out);
    if (clock)
        print_clock(clock, out);
    if (machine_is_foreign(machine))
        print_foreign_limits(machine, out);
    else if (match->uarch)
        print_limits(machine, match->uarch, out);
}

/* One screen. */

enum { PLACES = 10, ISAS = 4 };

/* "AMD EPYC · Zen 3 · 2 cores", and the source of the topology. */
static void machine_report_print_head(const struct machine *machine, const struct uarch_match *match,
                                      const struct screen *screen) {
    char line[256];
    snprintf(line, sizeof line, "%s", machine->cpu.brand[0] ? machine->cpu.brand : "CPU unknown");
    if (match->uarch && !midr_is_arm(&machine->cpu)) /* whose names are those of the cores */
        text_append(line, sizeof line, " · %s", uarch_name(match->uarch));
    text_append(line, sizeof line, " · %u core%s", machine->machine_core_count,
                machine->machine_core_count == 1 ? "" : "s");
    screen_heading(screen, line, machine->topology_source, true);
}

/* The highest limit of a core with any instruction set, or for lack of kernels with the tables' vectors. */
static double most_of(const struct machine *machine, const struct uarch *uarch, enum element_type type) {
    double most = 0;
    struct limits_row limit;
    for (size_t i = 0; machine_is_foreign(machine) && limits_row_at(uarch, i, &limit); i++)
        if (limit.unit == (type == TYPE_NONE ? LIMITS_BYTES : LIMITS_FLOP) && limit.level < 2)
            most = fmax(most, limit.per_cycle);
    for (size_t i = 0; i < isa_count; i++)
        most = fmax(most, highest_limit(machine, uarch, &isa_table[i], type));
    return most;
}

/* "A P core does 20 flop of f64 and 96 B from L1 per cycle at most: 64.8 Gflop/s and 311 GB/s at …" */
static void print_most(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                       const struct screen *screen) {
    const double flop = match->uarch ? most_of(machine, match->uarch, TYPE_F64) : 0,
                 bytes = match->uarch ? most_of(machine, match->uarch, TYPE_NONE) : 0;
    char line[320], number[4][UNITS_BYTES];
    const char *kind = machine->kind_count ? machine->kinds[0].name : "";
    int length = 0;
    if (flop <= 0 || bytes <= 0)
        snprintf(line, sizeof line, "No verified source documents the limits of this core");
    else
        length = snprintf(line, sizeof line, "A %s%score does %s flop of f64 and %s B from L1 per cycle at most", kind,
                          *kind ? " " : "", units_number(number[0], UNITS_BYTES, flop),
                          units_number(number[1], UNITS_BYTES, bytes));
    if (length && clock)
        text_append(line, sizeof line, ": %s and %s at %.2f GHz, its clock at rest",
                    units_si(number[2], UNITS_BYTES, flop * clock->rest_hz, "flop/s"),
                    units_si(number[3], UNITS_BYTES, bytes * clock->rest_hz, "B/s"), clock->rest_hz / 1e9);
    screen_say(screen, line, "   ");
}

static void set_limit(char (*row)[TABLE_CELL_BYTES], size_t column, double per_cycle, const char *unit) {
    char number[UNITS_BYTES];
    if (per_cycle > 0)
        table_set(row, column, "%s %s", units_number_digits(number, sizeof number, per_cycle, 4), unit);
}

/* The widest instruction sets, the widest first. */
static void print_isas(const struct machine *machine, const struct uarch *uarch, const struct screen *screen) {
    static const enum element_type TYPES[] = {TYPE_F64, TYPE_F32, TYPE_F16, TYPE_BF16, TYPE_I8};
    enum { COUNT = sizeof TYPES / sizeof TYPES[0] };
    struct table table = screen_table(screen, "lrrrrrr", "0125430");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    size_t rows = 0;
    table_set(row, 0, "per cycle");
    for (size_t t = 0; t < COUNT; t++)
        table_set(row, 1 + t, "%s", element_table[TYPES[t]].name);
    table_set(row, 1 + COUNT, "L1");
    for (size_t i = isa_count; i-- > 0;) {
        double limits[COUNT + 1], most = 0;
        for (size_t t = 0; t <= COUNT; t++) {
            limits[t] = highest_limit(machine, uarch, &isa_table[i], t < COUNT ? TYPES[t] : TYPE_NONE);
            most = fmax(most, limits[t]);
        }
        if (most <= 0 || rows++ >= ISAS)
            continue;
        row = table_row(&table);
        table_set(row, 0, "%s", isa_table[i].label);
        for (size_t t = 0; t <= COUNT; t++)
            set_limit(row, 1 + t, limits[t], t == COUNT ? "B" : element_table[TYPES[t]].integer ? "op" : "flop");
    }
    table_print_section(&table, screen->out);
}

/* The same of a machine without kernels here: a row for each kind of cores. */
static void print_kinds(const struct machine *machine, const struct screen *screen) {
    enum { SHOWN = 11 };
    struct table table = screen_table(screen, "lrrrrrrrrrrr", "012981354967");
    struct limits_row limit;
    table.quiet = true;
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct uarch *uarch = uarch_find(&machine->cpu, machine->kinds[k].name).uarch;
        if (!uarch || !uarch_has_ports(uarch))
            continue;
        char(*head)[TABLE_CELL_BYTES] = table.rows ? NULL : table_row(&table);
        for (size_t i = 0; head && i < SHOWN && limits_row_at(uarch, i, &limit); i++)
            table_set(head, 1 + i, "%s", limit.name);
        if (head)
            table_set(head, 0, "per cycle");
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", *machine->kinds[k].name ? machine->kinds[k].name : uarch_name(uarch));
        for (size_t i = 0; i < SHOWN && limits_row_at(uarch, i, &limit); i++)
            set_limit(row, 1 + i, limit.per_cycle, limits_unit_names[limit.unit]);
    }
    table_print_section(&table, screen->out);
}

/* Wraps the line only if it is wider than the screen. */
static void print_line(const char *line, size_t length, const struct screen *screen) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (table_width(text) > screen_columns(screen))
        wrap_print(text, screen_columns(screen), "            ", screen->out);
    else
        fprintf(screen->out, "%s\n", text);
}

/* The first lines about cores, caches and memory; --all has the rest. */
static void machine_report_print_places(const struct machine *machine, const struct screen *screen) {
    char *text = NULL;
    size_t length, lines = 0;
    FILE *out = need_made(open_memstream(&text, &length));
    machine_report_print_parts(machine, out);
    fclose(out);
    fputc('\n', screen->out);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    const size_t shown = lines > PLACES + 1 ? PLACES : lines; /* "1 more line" would be as high as that line */
    const char *line = text;
    for (size_t i = 0; i < shown; i++) {
        const size_t width = strcspn(line, "\n");
        print_line(line, width, screen);
        line += width + 1;
    }
    if (lines > shown)
        fprintf(screen->out, "  … and %zu more lines\n", lines - shown);
    free(text);
}

void machine_answer_print(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                          const struct screen *screen) {
    char left_out[LIST_BYTES];
    machine_report_print_head(machine, match, screen);
    print_most(machine, match, clock, screen);
    if (machine_is_foreign(machine))
        print_kinds(machine, screen);
    else if (match->uarch)
        print_isas(machine, match->uarch, screen);
    machine_report_print_places(machine, screen);
    if (match->doubt[0])
        screen_note(screen, "▲", "%s", match->doubt);
    if (*machine_left_out(machine, left_out, sizeof left_out))
        screen_note(screen, "▲", "%s", left_out);
    if (clock && clock->doubt[0])
        screen_note(screen, "▲", "%s", clock->doubt);
    if (machine_unproven(machine))
        screen_note(screen, "▲", "%s", machine_unproven(machine));
    if (machine_is_foreign(machine))
        screen_note(screen, "Lacks",
                    "a topology has no clock, no memory rate, and no feature or vector length that is switched off; "
                    "kernels exist here for %s only",
                    ARCH_NAME);
    screen_note(screen, "Rows", "identity, features, clocks, and the limit of each kernel: --all");
}
