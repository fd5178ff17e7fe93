/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a machine (see machine_answer.h). */
#include "machine_answer.h"
#include "machine_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/text/wrap.h"
#include "probe/arch.h"
#include "probe/need.h"
#include "render/page/units.h"

enum { PLACES = 10, ISAS = 4 };

/* "AMD EPYC · Zen 3 · 2 cores", and where that is known from. */
static void print_head(const struct machine *machine, const struct uarch_match *match, const struct screen *screen) {
    char line[256];
    int length = snprintf(line, sizeof line, "%s", machine->cpu.brand[0] ? machine->cpu.brand : "CPU unknown");
    if (match->uarch)
        length += snprintf(line + length, sizeof line - (size_t)length, " · %s", uarch_name(match->uarch));
    snprintf(line + length, sizeof line - (size_t)length, " · %u core%s", machine->machine_core_count,
             machine->machine_core_count == 1 ? "" : "s");
    screen_heading(screen, line, machine->topology_source, true);
}

/* What a core reaches at most with any instruction set. */
static double most_of(const struct machine *machine, const struct uarch *uarch, enum element_type type) {
    double most = 0;
    for (size_t i = 0; i < isa_count; i++)
        most = fmax(most, machine_report_limit(machine, uarch, &isa_table[i], type));
    return most;
}

/* "A P core does 20 flop of f64 and 96 B from L1 per cycle at most: 64.8 Gflop/s and 311 GB/s at …" */
static void print_limits(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                         const struct screen *screen) {
    const double flop = match->uarch ? most_of(machine, match->uarch, TYPE_F64) : 0,
                 bytes = match->uarch ? most_of(machine, match->uarch, TYPE_NONE) : 0;
    char line[320], number[4][UNITS_BYTES];
    const char *kind = machine->kind_count ? machine->kinds[0].name : "";
    int length = 0;
    if (machine_is_foreign(machine))
        snprintf(line, sizeof line, "Documented limits, and kernels, are of %s alone", ARCH_NAME);
    else if (flop <= 0 || bytes <= 0)
        snprintf(line, sizeof line, "What a core of it can do is not documented, or not in a source that was verified");
    else
        length = snprintf(line, sizeof line, "A %s%score does %s flop of f64 and %s B from L1 per cycle at most", kind,
                          *kind ? " " : "", units_number(number[0], UNITS_BYTES, flop),
                          units_number(number[1], UNITS_BYTES, bytes));
    if (length && clock)
        snprintf(line + length, sizeof line - (size_t)length, ": %s and %s at the %.2f GHz of its rest",
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
            limits[t] = machine_report_limit(machine, uarch, &isa_table[i], t < COUNT ? TYPES[t] : TYPE_NONE);
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

/* As it is, unless it is wider than the screen. */
static void print_line(const char *line, size_t length, const struct screen *screen) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (table_width(text) > screen_columns(screen))
        wrap_print(text, screen_columns(screen), "            ", screen->out);
    else
        fprintf(screen->out, "%s\n", text);
}

/* The first lines about cores, caches and memory; of machines of many parts the rest is behind --all. */
static void print_places(const struct machine *machine, const struct screen *screen) {
    char *text = NULL;
    size_t length, lines = 0;
    FILE *out = need_made(open_memstream(&text, &length));
    machine_report_places(machine, out);
    fclose(out);
    fputc('\n', screen->out);
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        if (lines++ < PLACES)
            print_line(line, (size_t)(end - line), screen);
    if (lines > PLACES)
        fprintf(screen->out, "  … and %zu more lines\n", lines - PLACES);
    free(text);
}

void machine_answer_print(const struct machine *machine, const struct uarch_match *match, const struct clock *clock,
                          const struct screen *screen) {
    print_head(machine, match, screen);
    print_limits(machine, match, clock, screen);
    if (match->uarch && !machine_is_foreign(machine))
        print_isas(machine, match->uarch, screen);
    print_places(machine, screen);
    if (match->doubt[0] && !machine_is_foreign(machine))
        screen_note(screen, "▲", "%s", match->doubt);
    if (machine->tiles_refused[0])
        screen_note(screen, "▲", "AMX is left out: the operating system refuses its tiles (%s)",
                    machine->tiles_refused);
    if (clock && clock->doubt[0])
        screen_note(screen, "▲", "%s", clock->doubt);
    screen_note(screen, "Rows", "identity, features, clocks, and the limit of each kernel: --all");
}
