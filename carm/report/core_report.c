/* SPDX-License-Identifier: BSD-3-Clause
 * A measured core: the columns of a form, and the words for the values of a table's head. */
#include "core_report.h"

#include <string.h>

#include "carm/text/columns.h"
#include "carm/text/wrap.h"

enum core_tables { CORE_TABLE, HEAD_TABLE };

/* In the order of the answer. */
static const struct {
    const char *form, *words;
} HEAD[] = {
    {"mispredict", "mispredicted branch"},
    {"taken branch", "taken branch"},
    {"nop", "renaming of an instruction"},
    {"load q", "load from L1"},
    {"load indexed", "load from L1 at an index"},
    {"load double", "load of a double"},
    {"load x", "load of 128 bits"},
    {"load y", "load of 256 bits"},
    {"load z", "load of 512 bits"},
    {"forward q", "store and load of one place"},
    {"forward indexed", "store and load at an index"},
    {"forward double", "store and load of a double"},
    {"forward x", "store and load of 128 bits"},
    {"forward y", "store and load of 256 bits"},
    {"forward z", "store and load of 512 bits"},
    {"move q", "copy of a general register"},
    {"move x", "copy of a vector register"},
    {"zero q", "zeroed general register"},
    {"zero x", "zeroed vector register"},
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

static void value_columns(struct column_walk *to, const struct core_value *value, const char *words) {
    static const struct core_keys latency = {"latency", {"latency_cycles", "latency_low", "latency_high"}, 2},
                                  throughput = {
                                      "throughput", {"throughput_cycles", "throughput_low", "throughput_high"}, 5};
    column(to, cell_text(value->form), .title = "form", .key = "form", .text = {STAYS}, .csv = 1, .json = 1);
    column(to, cell_text(words), .title = "cycles of a", .text = {0, STAYS});
    quantity_columns(to, value->latency_cycles, &latency, value->crosses);
    quantity_columns(to, value->throughput_cycles, &throughput, false);
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

void core_answer_print(const struct core_measured *measured, const struct screen *screen) {
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
        if (!value)
            continue;
        columns_row(&to);
        value_columns(&to, value, HEAD[i].words);
    }
    screen_fit(screen, &to.table);
    columns_print(&to, screen->out);
    print_notes(measured, screen->out);
}

void core_print(const struct core_measured *measured, FILE *out) {
    struct column_walk to = columns_table(CORE_TABLE);
    for (size_t i = 0; i < measured->count; i++) {
        columns_row(&to);
        value_columns(&to, &measured->values[i], "");
    }
    columns_print(&to, out);
    print_notes(measured, out);
}

json_t *core_json(const struct core_measured *measured) {
    json_t *values = json_array();
    for (size_t i = 0; i < measured->count; i++) {
        struct column_walk to = columns_json();
        value_columns(&to, &measured->values[i], "");
        json_array_append_new(values, columns_end_json(&to));
    }
    return json_pack("{s:s,s:o}", "schema", "carmine.core/1", "core", values);
}

void core_csv(const struct core_measured *measured, FILE *out) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < measured->count; i++) {
        value_columns(&to, &measured->values[i], "");
        columns_end_csv(&to, out);
    }
}
