/* SPDX-License-Identifier: BSD-3-Clause
 * A measured core: the columns of a form, and the words for the values of a table's head. */
#include "core_report.h"

#include <string.h>

#include "asm/incore/core_overlay.h"
#include "carm/text/columns.h"
#include "carm/text/wrap.h"

enum core_tables { CORE_TABLE, HEAD_TABLE };

/* In the order of the answer, which leaves out those without words. */
static const struct {
    const char *form, *words;
} HEAD[] = {
    {"mispredict", "mispredicted branch"},
    {"taken branch", "taken branch"},
    {"nop", "renaming of an instruction"},
    {"load q", "load from L1"},
    {"load indexed", "load from L1 at an index"},
    {"load double", "load of a double"},
    {"load x", NULL},
    {"load y", "load of 256 bits"},
    {"load z", "load of 512 bits"},
    {"forward q", "store and load of one place"},
    {"forward indexed", "store and load at an index"},
    {"forward double", "store and load of a double"},
    {"forward x", NULL},
    {"forward y", "store and load of 256 bits"},
    {"forward z", "store and load of 512 bits"},
    {"move q", "copy of a general register"},
    {"move x", "copy of a vector register"},
    {"zero q", NULL},
    {"zero x", NULL},
    {"add constant", "sum with a small constant"},
};
enum { HEADS = sizeof HEAD / sizeof *HEAD };

struct core_keys { /* of a quantity: value, low and high; places of the first */
    const char *title, *keys[CORE_ENDS];
    unsigned char csv;
};

static void quantity_columns(struct column_walk *to, const double cycles[CORE_ENDS], const struct core_keys *keys,
                             bool shared) {
    const bool known = cycles[CORE_MEASURED] > 0;
    char text[32], range[48];
    snprintf(text, sizeof text, "%s%.2f", shared ? "~" : "", cycles[CORE_MEASURED]);
    snprintf(range, sizeof range, "%.2f – %.2f", cycles[CORE_LOW], cycles[CORE_HIGH]);
    for (unsigned end = 0; end < CORE_ENDS; end++)
        column(to,
               end ? cell_number(known, cycles[end]) : cell_read(cell_number(known, cycles[end]), known ? text : ""),
               .title = end ? NULL : keys->title, .key = keys->keys[end], .right = true,
               .text = {end ? 0 : STAYS, end ? 0 : STAYS}, .csv = (unsigned char)(keys->csv + end),
               .json = (unsigned char)(keys->csv + end), .csv_digits = 4, .optional = true);
    column(to, cell_text(known ? range : ""), .title = "interval", .right = true, .text = {2, 3});
}

static struct core_typed typed_of(const struct loop_core *typed, const struct core_value *value) {
    return typed->table ? core_overlay_typed(typed->table, typed->issue_width, value) : (struct core_typed){0};
}

/* A table's figure beside the measured one, marked where they differ. */
static void typed_column(struct column_walk *to, double typed, bool differs, const char *key, unsigned char csv) {
    char text[32];
    snprintf(text, sizeof text, "%s%.2f", differs ? "≠ " : "", typed);
    column(to, cell_read(cell_positive(typed), typed > 0 ? text : ""), .title = "table", .key = key, .right = true,
           .text = {STAYS, 2}, .csv = csv, .json = csv, .csv_digits = 4, .optional = true);
}

static void value_columns(struct column_walk *to, const struct core_value *value, const struct loop_core *core,
                          const char *words) {
    const struct core_typed typed = typed_of(core, value);
    static const struct core_keys latency = {"latency", {"latency_cycles", "latency_low", "latency_high"}, 2},
                                  throughput = {
                                      "throughput", {"throughput_cycles", "throughput_low", "throughput_high"}, 5};
    column(to, cell_text(value->form), .title = "form", .key = "form", .text = {STAYS}, .csv = 1, .json = 1);
    column(to, cell_text(words), .title = "cycles of a", .text = {0, STAYS});
    quantity_columns(to, value->latency_cycles, &latency, value->crosses);
    typed_column(to, value->latency_cycles[CORE_MEASURED] > 0 ? typed.latency_cycles : 0,
                 core_latency_differs(value, &typed), "table_latency_cycles", 11);
    quantity_columns(to, value->throughput_cycles, &throughput, false);
    typed_column(to, value->throughput_cycles[CORE_MEASURED] > 0 ? typed.throughput_cycles : 0,
                 core_throughput_differs(value, &typed), "table_throughput_cycles", 12);
    column(to, cell_positive(value->clock_hz), .title = "clock", .key = "clock_hz", .format = COLUMN_CLOCK,
           .text = {4, 4}, .csv = 8, .json = 8);
    column(to, cell_bool(value->crosses, true), .key = "crosses", .csv = 9, .json = 9, .optional = true);
    column(to, cell_bool(value->disturbed, true), .key = "disturbed", .csv = 10, .json = 10, .optional = true);
    column(to, cell_text(value->disturbed ? "▲ disturbed" : ""), .title = "", .text = {STAYS, STAYS});
}

static size_t count_of(const struct core_measured *measured, bool (*is)(const struct core_value *value)) {
    size_t count = 0;
    for (size_t i = 0; i < measured->count; i++)
        count += is(&measured->values[i]);
    return count;
}

static bool is_disturbed(const struct core_value *value) {
    return value->disturbed;
}

static bool is_form(const struct core_value *value) {
    for (size_t i = 0; i < HEADS; i++)
        if (strcmp(HEAD[i].form, value->form) == 0)
            return false;
    return true;
}

static bool differs(const struct core_value *value, const struct loop_core *core) {
    const struct core_typed typed = typed_of(core, value);
    return core_latency_differs(value, &typed) || core_throughput_differs(value, &typed);
}

static void print_agreement(const struct core_measured *measured, const struct loop_core *core, FILE *out) {
    size_t compared[2] = {0}, differing[2] = {0};
    for (size_t i = 0; i < measured->count; i++) {
        const struct core_value *value = &measured->values[i];
        const struct core_typed typed = typed_of(core, value);
        compared[0] += value->latency_cycles[CORE_MEASURED] > 0 && typed.latency_cycles > 0;
        compared[1] += value->throughput_cycles[CORE_MEASURED] > 0 && typed.throughput_cycles > 0;
        differing[0] += core_latency_differs(value, &typed);
        differing[1] += core_throughput_differs(value, &typed);
    }
    if (core->table)
        wrap_format(
            out, "  ",
            "≠ %zu of %zu latencies and %zu of %zu throughputs differ from the table of %s by more than 15 %% (if "
            "they are worse, 25 %%); `--differing` lists them.",
            differing[0], compared[0], differing[1], compared[1], core->table->name);
}

static void print_notes(const struct core_measured *measured, FILE *out) {
    const size_t disturbed = count_of(measured, is_disturbed);
    wrap_format(out, "  ",
                "~ Between kinds of registers only there and back can be timed; each way has a share of it, and a "
                "loop's sum is right.");
    if (disturbed > 0)
        wrap_format(out, "  ",
                    "▲ %zu of %zu disturbed: the clock changed beside them, or others used the core. Such values are "
                    "rather too high. Remedy: run again when other programs are quiet.",
                    disturbed, measured->count);
}

void core_answer_print(const struct core_measured *measured, const struct loop_core *typed,
                       const struct screen *screen) {
    const struct core_value *mispredict = core_measured_find(measured, "mispredict");
    char text[160];
    size_t used = (size_t)snprintf(text, sizeof text, "%zu forms of instructions timed", count_of(measured, is_form));
    if (mispredict)
        snprintf(text + used, sizeof text - used, "; a mispredicted branch costs %.1f cycles",
                 mispredict->latency_cycles[CORE_MEASURED]);
    screen_say(screen, text, "");
    struct column_walk to = columns_table(HEAD_TABLE);
    for (size_t i = 0; i < HEADS; i++) {
        const struct core_value *value = core_measured_find(measured, HEAD[i].form);
        if (!value || !HEAD[i].words)
            continue;
        columns_row(&to);
        value_columns(&to, value, typed, HEAD[i].words);
    }
    screen_fit(screen, &to.table);
    columns_print(&to, screen->out);
    print_agreement(measured, typed, screen->out);
    print_notes(measured, screen->out);
}

void core_print(const struct core_measured *measured, const struct loop_core *typed, bool only_differing, FILE *out) {
    struct column_walk to = columns_table(CORE_TABLE);
    size_t printed = 0;
    for (size_t i = 0; i < measured->count; i++) {
        if (only_differing && !differs(&measured->values[i], typed))
            continue;
        columns_row(&to);
        value_columns(&to, &measured->values[i], typed, "");
        printed++;
    }
    if (printed > 0)
        columns_print(&to, out);
    print_agreement(measured, typed, out);
    print_notes(measured, out);
}

json_t *core_json(const struct core_measured *measured, const struct loop_core *typed) {
    json_t *values = json_array();
    for (size_t i = 0; i < measured->count; i++) {
        struct column_walk to = columns_json();
        value_columns(&to, &measured->values[i], typed, "");
        json_array_append_new(values, columns_end_json(&to));
    }
    return json_pack("{s:s,s:o}", "schema", "carmine.core/1", "core", values);
}

void core_csv(const struct core_measured *measured, const struct loop_core *typed, FILE *out) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < measured->count; i++) {
        value_columns(&to, &measured->values[i], typed, "");
        columns_end_csv(&to, out);
    }
}
