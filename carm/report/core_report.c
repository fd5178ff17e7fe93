/* SPDX-License-Identifier: BSD-3-Clause
 * A measured core: the columns of a form, and which values the first screen has. */
#include "machine_report.h"
#include "report_thresholds.h"

#include <stdlib.h>
#include <string.h>

#include "asm/incore/core_overlay.h"
#include "asm/incore/pipes.h"
#include "bench/core/core_classes.h"
#include "bench/programs/loop_time.h"
#include "carm/store/results.h"
#include "carm/text/columns.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"

enum core_tables { CORE_TABLE, HEAD_TABLE };

/* Values of a table's head, in the order of the answer. */
static const struct {
    const char *form;
    bool is_shown;
} HEAD[] = {
    {"mispredict", true},   {"taken branch", true},    {"nop", true},
    {"load q", true},       {"load indexed", true},    {"load double", true},
    {"load x", false},      {"load y", true},          {"load z", true},
    {"forward q", true},    {"forward indexed", true}, {"forward double", true},
    {"forward x", false},   {"forward y", true},       {"forward z", true},
    {"forward x87", false}, {"forward add", false},    {"move q", true},
    {"move x", true},       {"zero q", false},         {"zero x", false},
    {"add constant", true},
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

static void value_columns(struct column_walk *to, const struct core_value *value, const struct loop_core *core) {
    char class[TABLE_CELL_BYTES];
    const struct core_typed typed = typed_of(core, value);
    static const struct core_keys latency = {"latency", {"latency_cycles", "latency_low", "latency_high"}, 2},
                                  throughput = {
                                      "throughput", {"throughput_cycles", "throughput_low", "throughput_high"}, 5};
    column(to, cell_text(value->form), .title = "form", .key = "form", .text = {STAYS}, .csv = 1, .json = 1);
    column(to, cell_text(core_class_text(core_class_of(value->form), class, sizeof class)), .title = "cycles of a",
           .text = {0, STAYS});
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
    column(to, cell_bool(core_latency_differs(value, &typed), true), .key = "latency_differs", .csv = 13, .json = 13,
           .optional = true);
    column(to, cell_bool(core_throughput_differs(value, &typed), true), .key = "throughput_differs", .csv = 14,
           .json = 14, .optional = true);
    column(to, cell_text(value->disturbed ? "▲ disturbed" : ""), .title = "", .text = {STAYS, STAYS});
}

static bool is_form(const struct core_value *value) {
    for (size_t i = 0; i < HEADS; i++)
        if (strcmp(HEAD[i].form, value->form) == 0)
            return false;
    return true;
}

static size_t count_forms(const struct core_measured *measured) {
    size_t count = 0;
    for (size_t i = 0; i < measured->count; i++)
        count += is_form(&measured->values[i]);
    return count;
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
            "they are worse, 25 %%); `--all=differing` lists them.",
            differing[0], compared[0], differing[1], compared[1], core->table->name);
}

static void print_notes(const struct core_measured *measured, FILE *out) {
    const size_t disturbed = core_measured_disturbed(measured);
    wrap_format(out, "  ",
                "~ Between kinds of registers only there and back can be timed; each way has a share of it, and a "
                "loop's sum is right.");
    if (!core_measured_believed(measured))
        wrap_format(out, "  ",
                    "▲ %zu of %zu disturbed, so none can be believed. Remedy: run again when other programs are quiet, "
                    "or with more time (--budget 60).",
                    disturbed, measured->count);
    else if (disturbed > 0)
        wrap_format(out, "  ",
                    "▲ %zu of %zu disturbed: the clock changed beside them, or others used the core. Such values are "
                    "rather too high. Remedy: run again when other programs are quiet.",
                    disturbed, measured->count);
    if (core_classes_only(measured))
        wrap_format(out, "  ", "The best-known forms, by `carmine run`: `carmine core -o FILE` times all.");
}

void core_answer_print(const struct result *result, const struct screen *screen) {
    const struct core_measured *measured = &result->core;
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    const struct core_value *mispredict = core_measured_find(measured, "mispredict");
    char text[160];
    snprintf(text, sizeof text, "%zu forms of instructions timed", count_forms(measured));
    if (mispredict)
        text_append(text, sizeof text, "; a mispredicted branch costs %.1f cycles",
                    mispredict->latency_cycles[CORE_MEASURED]);
    screen_say(screen, text, "");
    struct column_walk to = columns_table(HEAD_TABLE);
    for (size_t i = 0; i < HEADS; i++) {
        const struct core_value *value = core_measured_find(measured, HEAD[i].form);
        if (!value || !HEAD[i].is_shown)
            continue;
        columns_row(&to);
        value_columns(&to, value, &typed);
    }
    screen_fit(screen, &to.table);
    columns_print(&to, screen->out);
    print_agreement(measured, &typed, screen->out);
    print_notes(measured, screen->out);
    loop_core_free(&typed);
}

static bool is_paired(const struct core_measured *measured, const char *form) {
    for (size_t i = 0; i < measured->pair_count; i++)
        if (strcmp(measured->pairs[i].form, form) == 0 || strcmp(measured->pairs[i].other, form) == 0)
            return true;
    return false;
}

/* Those whose pairs are known: of one architecture. Returns how many. */
static size_t paired_classes(const struct core_measured *measured, const struct pipe_class *out[]) {
    size_t count = 0;
    for (size_t i = 0; i < pipe_class_count; i++)
        if (is_paired(measured, pipe_classes[i].form))
            out[count++] = &pipe_classes[i];
    return count;
}

/* A triangle of the classes, a letter each: columns are the rows above. */
static void print_pairs(const struct core_measured *measured, FILE *out) {
    const struct pipe_class **classes = need_calloc(pipe_class_count, sizeof *classes);
    const size_t count = paired_classes(measured, classes);
    if (count > 0)
        fprintf(out, "\npipes that two instructions share, in tenths (X: all, ·: none, ?: unknown)\n%s",
                table_form() == TABLE_MARKDOWN ? "\n```\n" : "");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %c %-16s", (int)('a' + i), classes[i]->form);
        for (size_t k = 0; k < i; k++) {
            const struct core_pair *pair = core_measured_pair(measured, classes[k]->form, classes[i]->form);
            const bool none = pair && pair->share < report_thresholds.pipes_none.value;
            if (!pair || none || pair->share >= report_thresholds.pipes_all.value)
                fprintf(out, " %s", !pair ? "?" : none ? "·" : "X");
            else
                fprintf(out, " %.0f", 10 * pair->share);
        }
        fputs("\n", out);
    }
    if (count > 0)
        fprintf(out, "%20s", "");
    for (size_t i = 0; i + 1 < count; i++)
        fprintf(out, " %c", (int)('a' + i));
    if (count > 0)
        fputs(table_form() == TABLE_MARKDOWN ? "\n```\n\n" : "\n\n", out);
    free(classes);
}

void core_print(const struct result *result, bool only_differing, FILE *out) {
    const struct core_measured *measured = &result->core;
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    struct column_walk to = columns_table(CORE_TABLE);
    size_t printed = 0;
    for (size_t i = 0; i < measured->count; i++) {
        if (only_differing && !differs(&measured->values[i], &typed))
            continue;
        columns_row(&to);
        value_columns(&to, &measured->values[i], &typed);
        printed++;
    }
    if (printed > 0)
        columns_print(&to, out);
    if (!only_differing)
        print_pairs(measured, out);
    print_agreement(measured, &typed, out);
    print_notes(measured, out);
    loop_core_free(&typed);
}

static json_t *pairs_json(const struct core_measured *measured) {
    json_t *pairs = json_array();
    for (size_t i = 0; i < measured->pair_count; i++)
        json_array_append_new(pairs, json_pack("{s:s,s:s,s:f}", "form", measured->pairs[i].form, "other",
                                               measured->pairs[i].other, "share", measured->pairs[i].share));
    return pairs;
}

json_t *core_json(const struct result *result) {
    const struct core_measured *measured = &result->core;
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    json_t *values = json_array();
    for (size_t i = 0; i < measured->count; i++) {
        struct column_walk to = columns_json();
        value_columns(&to, &measured->values[i], &typed);
        json_array_append_new(values, columns_end_json(&to));
    }
    loop_core_free(&typed);
    return json_pack("{s:s,s:o,s:o}", "schema", "carmine.core/1", "core", values, "pairs", pairs_json(measured));
}

void core_csv(const struct result *result, FILE *out) {
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < result->core.count; i++) {
        value_columns(&to, &result->core.values[i], &typed);
        columns_end_csv(&to, out);
    }
    loop_core_free(&typed);
}
