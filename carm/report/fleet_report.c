/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as text, JSON and CSV, and on one screen. */
#include "fleet_report.h"
#include "report.h"
#include "report_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "carm/fleet/fleet_thresholds.h"
#include "carm/model/memory_peak.h"
#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/text/columns.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"
#include "render/page/units.h"

enum { MAX_REFUSALS = 5, MAX_SMALL = 10, MAX_ALIKE = 10 };

/* The classes that represent a node, from compute to memory latency. */
static const struct fleet_headline {
    const char *name, *csv_key; /* NULL: not in CSV */
    enum sample_kind kind;
    const char *level; /* NULL: the machine's memory */
} HEADLINES[] = {
    {"compute", "compute_deviation", SAMPLE_COMPUTE, ""},   {"L1", "l1_deviation", SAMPLE_BANDWIDTH, "L1"},
    {"L2", "l2_deviation", SAMPLE_BANDWIDTH, "L2"},         {"L3", "l3_deviation", SAMPLE_BANDWIDTH, "L3"},
    {"DRAM", "dram_deviation", SAMPLE_BANDWIDTH, "DRAM"},   {"HBM", NULL, SAMPLE_BANDWIDTH, "HBM"},
    {"latency", "latency_deviation", SAMPLE_LATENCY, NULL},
};
enum { HEADLINE_COUNT = sizeof HEADLINES / sizeof HEADLINES[0] };

/* A value of this roof with its unit; "" for NaN. Returns `out`. */
static const char *fleet_report_value_text(const struct roof_key *key, double value, char out[UNITS_BYTES]) {
    return isnan(value) ? "" : units_column(out, UNITS_BYTES, value, roof_key_unit(key));
}

static json_t *key_json(const struct roof_key *key) {
    char place[192];
    return json_pack("{s:s,s:s,s:o,s:s,s:b,s:s}", "name", key->kernel, "kind", results_kind_names[key->kind], "level",
                     text_or_null(key->level), "place", roof_key_place(key, place, sizeof place), "small_pages",
                     key->small_pages > 0, "unit", roof_key_unit_name(key));
}

/* A roof's value in a node; NULL: none. */
static const struct fleet_value *fleet_report_value_of(const struct fleet_node *node, size_t key) {
    for (size_t i = 0; i < node->count; i++)
        if (node->values[i].key == key)
            return &node->values[i];
    return NULL;
}

/* The group's lowest or highest value of a roof, and its node. */
static void fleet_report_end_columns(struct column_walk *to, const struct fleet *fleet, const struct fleet_group *group,
                                     size_t k, bool highest) {
    const struct fleet_node *end = NULL;
    double most = NAN;
    char text[UNITS_BYTES];
    for (size_t m = 0; m < group->count; m++) {
        const struct fleet_node *node = &fleet->nodes[group->members[m]];
        const struct fleet_value *value = fleet_report_value_of(node, k);
        if (value && (!end || (highest ? (double)value->value > most : (double)value->value < most)))
            end = node, most = (double)value->value;
    }
    column(to, cell_text(fleet_report_value_text(&fleet->keys.keys[k], most, text)),
           .title = highest ? "highest" : "lowest", .right = true, .text = {2});
    column(to, cell_text(end ? end->machine.host : ""), .title = "", .text = {highest ? 5 : 4});
}

/* The usual values of a roof in a group. */
static void fleet_report_roof_columns(struct column_walk *to, const struct fleet *fleet,
                                      const struct fleet_group *group, size_t k) {
    const struct fleet_roof *roof = &group->roofs[k];
    const struct roof_key *key = &fleet->keys.keys[k];
    char text[224], value[UNITS_BYTES];
    column(to, cell_text(roof_key_text(key, text, sizeof text)), .title = "roof", .text = {STAYS});
    column(to, cell_amount(true, (double)roof->holders), .title = "nodes", .key = "nodes", .format = COLUMN_WHOLE,
           .json = 1, .text = {3});
    column(to, cell_read(cell_number(true, roof->median), fleet_report_value_text(key, roof->median, value)),
           .title = "median", .key = "median", .format = COLUMN_SI, .json = 1, .text = {STAYS});
    snprintf(text, sizeof text, "%.2f %%", 100 * roof->mad / roof->median);
    column(to, cell_read(cell_number(true, roof->mad), text), .title = "MAD", .key = "mad", .format = COLUMN_PERCENT,
           .json = 1, .text = {1});
    for (int highest = 0; highest < 2 && to->form == COLUMNS_TABLE; highest++)
        fleet_report_end_columns(to, fleet, group, k, highest);
}

/* How well a ceiling represents its class: f64 before other types, then the peak as vendors count. */
static int fleet_report_rank_of(const struct fleet *fleet, size_t key) {
    const struct roof_key *of = &fleet->keys.keys[key];
    return 2 * (roof_key_type(of) == TYPE_F64) + arithmetic_is_peak(of->kernel);
}

/* The best of the ceilings that represent a class; of bandwidths the one with the highest median. */
static size_t best_of_class(const struct fleet *fleet, const struct fleet_group *group, size_t class) {
    size_t best = fleet->keys.count;
    for (size_t k = 0; k < fleet->keys.count; k++) {
        const int ahead =
            best == fleet->keys.count ? 1 : fleet_report_rank_of(fleet, k) - fleet_report_rank_of(fleet, best);
        if (group->roofs[k].class == class &&
            (ahead > 0 || (ahead == 0 && group->roofs[k].median > group->roofs[best].median)))
            best = k;
    }
    return best;
}

/* The roof of a group that represents the kind and level (fleet_headline); FLEET_NONE: there is none. */
static size_t roof_of_level(const struct fleet *fleet, const struct fleet_group *group, enum sample_kind kind,
                            const char *level) {
    const size_t class = fleet_headline(group, kind, level);
    return class == FLEET_NONE ? FLEET_NONE : best_of_class(fleet, group, class);
}

static size_t headline_roof(const struct fleet *fleet, const struct fleet_group *group, size_t headline) {
    return roof_of_level(fleet, group, HEADLINES[headline].kind, HEADLINES[headline].level);
}

/* The type's usual memory bandwidth by all cores / documented; 0: either is unknown. */
static double memory_of_documented(const struct fleet *fleet, const struct fleet_group *group) {
    const size_t key = roof_of_level(fleet, group, SAMPLE_BANDWIDTH, memory_peak_level(group->typical.cpu));
    return key != FLEET_NONE && group->typical.dram_bytes_per_s > 0 && fleet->keys.keys[key].cores == ROOF_ALL_CORES
               ? group->roofs[key].median / group->typical.dram_bytes_per_s
               : 0;
}

static const char *fleet_report_plural(size_t count) {
    return count == 1 ? "" : "s";
}

void fleet_write_sum(const struct fleet_groups *groups, const struct fleet_report *report, char *out, size_t size) {
    size_t nodes = 0;
    for (size_t g = 0; g < groups->count; g++)
        nodes += groups->groups[g].count;
    snprintf(out, size, "%zu node%s of %zu machine type%s, %zu outlier%s", nodes, fleet_report_plural(nodes),
             groups->count, fleet_report_plural(groups->count), report->count, fleet_report_plural(report->count));
}

/* Results of hosts that have a newer one. */
static size_t count_older(const struct fleet *fleet) {
    size_t older = 0;
    for (size_t i = 0; i < fleet->count; i++)
        older += fleet->nodes[i].older;
    return older;
}

/* "2 older results are left out, of hosts with a newer one: a.json, b.json, …", with at most `most` names; "" without
 * any. Free it. */
static char *older_text(const struct fleet *fleet, size_t most) {
    char *text = NULL;
    size_t bytes = 0, named = 0;
    const size_t older = count_older(fleet);
    FILE *out = need_made(open_memstream(&text, &bytes));
    if (older)
        fprintf(out, "%zu older result%s left out, of hosts with a newer one", older, older == 1 ? " is" : "s are");
    for (size_t i = 0; i < fleet->count && named < most; i++)
        if (fleet->nodes[i].older)
            fprintf(out, "%s%s", named++ ? ", " : ": ", fleet->nodes[i].path);
    if (older > named)
        fprintf(out, ", …");
    fclose(out);
    safe_text_clean(text);
    return text;
}

static void fleet_report_print_group(const struct fleet *fleet, const struct fleet_group *group, bool all_roofs,
                                     FILE *out) {
    fprintf(out, "\n── %s: %zu nodes, %zu outlier%s ──\n\n", group->name, group->count, group->outlier_count,
            group->outlier_count == 1 ? "" : "s");
    struct column_walk to = columns_table(0);
    const size_t count = all_roofs ? fleet->keys.count : HEADLINE_COUNT;
    for (size_t i = 0; i < count; i++) {
        const size_t k = all_roofs ? i : headline_roof(fleet, group, i);
        if (k == FLEET_NONE || !group->roofs[k].holders)
            continue;
        columns_row(&to);
        fleet_report_roof_columns(&to, fleet, group, k);
    }
    columns_print(&to, out);
}

/* The columns of an outlier; in text, of the first of several alike. NULL: the node is none. */
static void outlier_columns(struct column_walk *to, const struct fleet *fleet, const struct fleet_outlier *outlier) {
    const struct cell none = cell_number(false, 0);
    const struct fleet_outlier no_outlier = {.key = FLEET_NONE,
                                             .value = NAN,
                                             .median = NAN,
                                             .deviation = NAN,
                                             .z = NAN},
                               *o = outlier ? outlier : &no_outlier;
    const struct roof_key *key = o->key == FLEET_NONE ? NULL : &fleet->keys.keys[o->key];
    const char *host = outlier ? fleet->nodes[o->node].machine.host : "";
    char text[TABLE_CELL_BYTES], value[UNITS_BYTES];
    snprintf(text, sizeof text, o->alike_count > 1 ? "%s and %zu alike" : "%s", host, o->alike_count - 1);
    column(to, cell_text(text), .title = "host", .text = {STAYS});
    snprintf(text, sizeof text, *o->detail ? "%s (%s)" : "%s%s", o->diagnosis, o->detail);
    column(to, cell_text(text), .title = "diagnosis", .text = {STAYS});
    column(to, outlier ? cell_text(o->diagnosis) : none, .key = "diagnosis", .csv = 1, .json = 1);
    column(to, outlier ? cell_text(key ? roof_key_text(key, text, sizeof text) : "") : none, .title = "farthest roof",
           .key = "roof", .csv = 1, .text = {2});
    column(to, cell_json(to->form == COLUMNS_JSON ? shape_nullable(key ? key_json(key) : json_null()) : NULL),
           .key = "roof", .json = 1);
    column(to, cell_read(cell_number(true, o->value), key ? fleet_report_value_text(key, o->value, value) : ""),
           .title = "here", .key = "value", .format = COLUMN_SI, .csv = 1, .csv_digits = 6, .json = 1, .text = {3});
    column(to, cell_read(cell_number(true, o->median), key ? fleet_report_value_text(key, o->median, value) : ""),
           .title = "usual", .key = "median", .format = COLUMN_SI, .csv = 1, .csv_digits = 6, .json = 1, .text = {4});
    column(to, cell_read(cell_number(true, o->deviation), key ? NULL : ""), .title = "deviation", .key = "deviation",
           .format = COLUMN_CHANGE, .csv = 1, .csv_digits = 6, .json = 1, .text = {1});
    snprintf(text, sizeof text, "%+.0f", o->z);
    column(to, cell_read(cell_number(true, o->z), key ? text : ""), .title = "sigmas", .key = "z",
           .format = COLUMN_FIXED, .csv = 1, .csv_digits = 6, .json = 1, .text = {5});
    column(to, outlier ? cell_doubts(o->doubts) : none, .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS,
           .csv = 1, .json = 1, .text = {6});
    column(to, outlier ? cell_text(o->text) : none, .key = "text", .csv = 1, .json = 1, .raw_json = true);
}

/* "99 nodes alike (node0002, node0005, … and 89 more): another CPU, or other settings? node0002" */
static void print_alike(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                        size_t first, FILE *out) {
    const struct fleet_outlier *outlier = &report->outliers[first];
    const struct fleet_group *group = &groups->groups[outlier->group];
    const bool many = (double)outlier->alike_count >= fleet_thresholds.group_nodes.value &&
                      (double)outlier->alike_count > report_thresholds.many_alike.value * (double)group->count;
    size_t named = 0;
    fprintf(out, "%zu nodes alike", outlier->alike_count);
    for (size_t i = first; i < report->count; i++)
        if (report->outliers[i].first_alike == first && named++ < MAX_ALIKE)
            fprintf(out, "%s%s", named == 1 ? " (" : ", ", fleet->nodes[report->outliers[i].node].machine.host);
    if (named > MAX_ALIKE)
        fprintf(out, " and %zu more", named - MAX_ALIKE);
    fprintf(out, ")%s ", many ? ": another CPU, or other settings?" : ", such as");
}

static void print_outliers(const struct fleet *fleet, const struct fleet_groups *groups,
                           const struct fleet_report *report, FILE *out) {
    struct doubts doubts = NO_DOUBTS;
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < report->count; i++)
        if (report->outliers[i].first_alike == i) {
            columns_row(&to);
            outlier_columns(&to, fleet, &report->outliers[i]);
            doubts_join(&doubts, report->outliers[i].doubts);
        }
    columns_print(&to, out);
    fputc('\n', out);
    for (size_t i = 0; i < report->count; i++) {
        const struct fleet_outlier *outlier = &report->outliers[i];
        const struct fleet_node *node = &fleet->nodes[outlier->node];
        char *text;
        size_t length;
        if (!outlier->alike_count)
            continue;
        FILE *line = need_made(open_memstream(&text, &length));
        if (outlier->alike_count > 1)
            print_alike(fleet, groups, report, i, line);
        fprintf(line, "%s (%s, %s): %s.", node->machine.host, groups->groups[outlier->group].name, node->path,
                outlier->text);
        fclose(line);
        safe_text_clean(text);
        wrap_fitted(text, "  ", out);
        free(text);
    }
    if (report->count)
        wrap_fitted(
            "The table has the farthest roof of a node; the sentences have the median over its roofs of a kind.", "",
            out);
    report_doubts_print(doubts, out);
}

/* Rows for the unusual values. */
static void add_setting(struct table *table, const struct fleet *fleet, const struct fleet_group *group,
                        const struct fleet_setting *setting) {
    struct fleet_setting_value *values;
    const size_t count = fleet_setting_values(fleet, group, setting, &values);
    for (size_t i = 1; i < count; i++) {
        char(*row)[TABLE_CELL_BYTES] = table_row(table);
        table_set(row, 0, "%s", setting->name);
        table_set(row, 1, "%s", group->name);
        table_set(row, 2, "%s", values[0].text);
        table_set(row, 3, "%zu", values[0].count);
        table_set(row, 4, "%s", values[i].text);
        table_set(row, 5, "%zu", values[i].count);
        table_set(row, 6, "%s", fleet->nodes[values[i].first_node].machine.host);
    }
    free(values);
}

/* A table of settings that differ between nodes of one type; nothing if they agree. `width` in columns; 0: any. */
static void print_settings(const struct fleet *fleet, const struct fleet_groups *groups, size_t width, FILE *out) {
    static const char *const NAMES[] = {
        "setting that differs", "machine type", "usual", "nodes", "other", "nodes", "such as"};
    struct table table = table_begin("lllrlrl");
    table.order = "0301020";
    table.width = width;
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t g = 0; g < groups->count; g++)
        for (const struct fleet_setting *setting = fleet_settings; setting->name && groups->groups[g].judged; setting++)
            add_setting(&table, fleet, &groups->groups[g], setting);
    table_print_section(&table, out);
}

void fleet_print_refusals(const struct fleet *fleet, FILE *out) {
    for (size_t i = 0; i < fleet->refusal_count && i < MAX_REFUSALS; i++)
        fprintf(out, "▲ left out: %s\n", fleet->refusals[i].why);
    if (fleet->refusal_count > MAX_REFUSALS)
        fprintf(out, "▲ … and %zu more file%s without roofs\n", fleet->refusal_count - MAX_REFUSALS,
                fleet->refusal_count == MAX_REFUSALS + 1 ? "" : "s");
}

/* Superseded results, types with too few nodes, and files that are not results. */
static void fleet_report_print_notes(const struct fleet *fleet, const struct fleet_groups *groups, FILE *out) {
    char *older = older_text(fleet, fleet->count);
    size_t small = 0;
    if (*older)
        wrap_format(out, "  ", "\n▲ %s", older);
    free(older);
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        if (!group->judged && small++ < MAX_SMALL)
            fprintf(out, "%s▲ %s: %zu node%s, too few to judge: %s%s\n", small == 1 ? "\n" : "", group->name,
                    group->count, group->count == 1 ? "" : "s", fleet->nodes[group->members[0]].machine.host,
                    group->count > 1 ? ", …" : "");
    }
    if (small > MAX_SMALL)
        fprintf(out, "▲ … and %zu more types of so few nodes\n", small - MAX_SMALL);
    if (fleet->refusal_count)
        fputc('\n', out);
    fleet_print_refusals(fleet, out);
}

void fleet_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 bool all_roofs, FILE *out) {
    char sum[128];
    fleet_write_sum(groups, report, sum, sizeof sum);
    fprintf(out, "%s\n", sum);
    if (report->count) {
        fputc('\n', out);
        print_outliers(fleet, groups, report, out);
    }
    print_settings(fleet, groups, 0, out);
    for (size_t g = 0; g < groups->count; g++)
        if (groups->groups[g].judged)
            fleet_report_print_group(fleet, &groups->groups[g], all_roofs, out);
    fleet_report_print_notes(fleet, groups, out);
}

/* JSON and CSV. */

static json_t *outlier_json(const struct fleet *fleet, const struct fleet_groups *groups,
                            const struct fleet_outlier *outlier) {
    const struct fleet_node *node = &fleet->nodes[outlier->node];
    struct column_walk to = columns_json();
    column(&to, cell_text(node->machine.host), .key = "host", .json = 1, .raw_json = true);
    column(&to, cell_text(node->path), .key = "file", .json = 1, .raw_json = true);
    column(&to, cell_text(groups->groups[outlier->group].name), .key = "group", .json = 1, .raw_json = true);
    outlier_columns(&to, fleet, outlier);
    return columns_end_json(&to);
}

/* Settings that differ between the group's nodes: {"governor": {"performance": 294, "powersave": 6}} */
static json_t *settings_json(const struct fleet *fleet, const struct fleet_group *group) {
    json_t *settings = json_object();
    for (const struct fleet_setting *setting = fleet_settings; setting->name; setting++) {
        struct fleet_setting_value *values;
        const size_t count = fleet_setting_values(fleet, group, setting, &values);
        json_t *object = json_object();
        for (size_t i = 0; i < count; i++)
            json_object_set_new(object, shape_key(values[i].text), json_integer((json_int_t)values[i].count));
        if (count > 1 || shape_wanted())
            json_object_set(settings, shape_key(setting->name), object);
        json_decref(object);
        free(values);
    }
    return settings;
}

static json_t *group_json(const struct fleet *fleet, const struct fleet_group *group) {
    json_t *roofs = json_array(), *hosts = json_array();
    for (size_t m = 0; m < group->count; m++)
        json_array_append_new(hosts, fields_text(fleet->nodes[group->members[m]].machine.host));
    for (size_t k = 0; k < fleet->keys.count; k++) {
        struct column_walk to = columns_json();
        if (!group->roofs[k].holders)
            continue;
        json_t *object = key_json(&fleet->keys.keys[k]);
        fleet_report_roof_columns(&to, fleet, group, k);
        json_object_update_new(object, columns_end_json(&to));
        json_array_append_new(roofs, object);
    }
    return json_pack("{s:o,s:o,s:s,s:i,s:I,s:o,s:I,s:I,s:b,s:o,s:o,s:o}", "name", fields_text(group->name), "cpu",
                     fields_text(group->typical.cpu), "uarch", group->typical.uarch, "cores", (int)group->typical.cores,
                     "memory_bytes", (json_int_t)group->typical.memory_bytes, "dram_documented_ratio",
                     positive_or_null(memory_of_documented(fleet, group)), "nodes", (json_int_t)group->count,
                     "outliers", (json_int_t)group->outlier_count, "judged", (int)group->judged, "hosts", hosts,
                     "settings_that_differ", settings_json(fleet, group), "roofs", roofs);
}

json_t *fleet_json(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report) {
    json_t *outliers = json_array(), *list = json_array(), *refusals = json_array(), *left_out = json_array();
    const json_int_t older = (json_int_t)count_older(fleet);
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(outliers, outlier_json(fleet, groups, &report->outliers[i]));
    for (size_t g = 0; g < groups->count; g++)
        json_array_append_new(list, group_json(fleet, &groups->groups[g]));
    for (size_t i = 0; i < fleet->refusal_count; i++)
        json_array_append_new(refusals, json_pack("{s:o,s:o}", "file", fields_text(fleet->refusals[i].path), "why",
                                                  fields_text(fleet->refusals[i].why)));
    for (size_t i = 0; i < fleet->count; i++)
        if (fleet->nodes[i].older)
            json_array_append_new(left_out, fields_text(fleet->nodes[i].path));
    return json_pack("{s:s,s:I,s:I,s:o,s:o,s:o,s:o}", "schema", "carmine.fleet/1", "nodes",
                     (json_int_t)fleet->count - older, "older_results", older, "older", left_out, "outliers", outliers,
                     "groups", list, "refused", refusals);
}

static const struct fleet_outlier *outlier_of(const struct fleet_report *report, size_t node) {
    for (size_t i = 0; i < report->count; i++)
        if (report->outliers[i].node == node)
            return &report->outliers[i];
    return NULL;
}

/* A node in CSV, the member of a group; `group` is NULL for the heading. */
static void node_columns(struct column_walk *to, const struct fleet *fleet, const struct fleet_group *group,
                         size_t member, const struct fleet_outlier *outlier) {
    static const struct fleet_node NO_NODE;
    const struct fleet_node *node = group ? &fleet->nodes[group->members[member]] : &NO_NODE;
    char text[FLEET_SETTING_BYTES];
    column(to, cell_text(node->machine.host), .key = "host", .csv = 1);
    column(to, cell_text(node->path ? node->path : ""), .key = "file", .csv = 1);
    column(to, cell_text(group ? group->name : ""), .key = "group", .csv = 1);
    for (size_t i = 0; i < HEADLINE_COUNT; i++) {
        const size_t class = group ? fleet_headline(group, HEADLINES[i].kind, HEADLINES[i].level) : FLEET_NONE;
        if (!HEADLINES[i].csv_key)
            continue;
        column(to, cell_number(true, class == FLEET_NONE ? NAN : group->classes[class].deviations[member]),
               .key = HEADLINES[i].csv_key, .csv = 1, .csv_digits = 6);
    }
    column(to, cell_amount(true, (double)node->machine.memory_bytes), .key = "memory_bytes", .csv = 1);
    outlier_columns(to, fleet, outlier);
    for (const struct fleet_setting *setting = fleet_settings; setting->name; setting++) {
        setting->write(&node->machine, text);
        column(to, cell_text(text), .key = setting->key, .csv = 1);
    }
}

void fleet_csv(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
               FILE *out) {
    struct column_walk to = columns_csv(true);
    node_columns(&to, fleet, NULL, 0, NULL);
    columns_end_csv(&to, out);
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        for (size_t m = 0; m < group->count; m++) {
            to = columns_csv(false);
            node_columns(&to, fleet, group, m, outlier_of(report, group->members[m]));
            columns_end_csv(&to, out);
        }
    }
}

/* Tables of a page. Without a row these functions describe the columns. */

static void fleet_report_page_text(struct column_walk *to, const char *title, const char *text) {
    column(to, cell_text(text), .title = title, .key = title, .json = 1, .optional = true, .page = ON_PAGE);
}

static void outlier_on_page(struct column_walk *to, const struct fleet *fleet, const struct fleet_groups *groups,
                            const struct fleet_outlier *o) {
    const struct roof_key *key = o && o->key != FLEET_NONE ? &fleet->keys.keys[o->key] : NULL;
    char text[TABLE_CELL_BYTES], value[UNITS_BYTES];
    fleet_report_page_text(to, "host", o ? fleet->nodes[o->node].machine.host : "");
    fleet_report_page_text(to, "diagnosis", o ? o->diagnosis : "");
    fleet_report_page_text(to, "roof", key ? roof_key_text(key, text, sizeof text) : "");
    fleet_report_page_text(to, "here", key ? fleet_report_value_text(key, o->value, value) : "");
    fleet_report_page_text(to, "usual", key ? fleet_report_value_text(key, o->median, value) : "");
    column(to, cell_number(key, key ? o->deviation : 0), .title = "deviation", .key = "deviation",
           .format = COLUMN_CHANGE, .json = 1, .page = ON_PAGE);
    fleet_report_page_text(to, "what may be wrong", o ? o->text : "");
    fleet_report_page_text(to, "machine type", o ? groups->groups[o->group].name : "");
    column(to, o ? cell_doubts(o->doubts) : cell_text(""), .title = "warnings", .key = "doubts",
           .format = COLUMN_DOUBTS, .json = 1, .page = ON_PAGE);
}

static void type_on_page(struct column_walk *to, const struct fleet *fleet, const struct fleet_group *group) {
    char text[UNITS_BYTES];
    fleet_report_page_text(to, "machine type", group ? group->name : "");
    column(to, cell_amount(group, group ? (double)group->count : 0), .title = "nodes", .key = "nodes",
           .format = COLUMN_WHOLE, .json = 1, .page = ON_PAGE);
    column(to, cell_amount(group, group ? (double)group->outlier_count : 0), .title = "outliers", .key = "outliers",
           .format = COLUMN_WHOLE, .json = 1, .page = ON_PAGE);
    for (size_t h = 0; h < HEADLINE_COUNT; h++) {
        const size_t key = group && group->judged ? headline_roof(fleet, group, h) : FLEET_NONE;
        fleet_report_page_text(
            to, HEADLINES[h].name,
            key == FLEET_NONE ? "" : fleet_report_value_text(&fleet->keys.keys[key], group->roofs[key].median, text));
    }
}

static void node_on_page(struct column_walk *to, const struct fleet *fleet, const struct fleet_group *group,
                         size_t member, const struct fleet_outlier *outlier) {
    const struct fleet_node *node = group ? &fleet->nodes[group->members[member]] : NULL;
    fleet_report_page_text(to, "host", node ? node->machine.host : "");
    fleet_report_page_text(to, "diagnosis", outlier ? outlier->diagnosis : "");
    for (size_t h = 0; h < HEADLINE_COUNT; h++) {
        const size_t class = group ? fleet_headline(group, HEADLINES[h].kind, HEADLINES[h].level) : FLEET_NONE;
        column(to, cell_number(true, class == FLEET_NONE ? NAN : group->classes[class].deviations[member]),
               .title = HEADLINES[h].name, .key = HEADLINES[h].name, .format = COLUMN_CHANGE, .digits = 1, .json = 1,
               .page = ON_PAGE);
    }
    fleet_report_page_text(to, "machine type", group ? group->name : "");
    fleet_report_page_text(to, "file", node ? node->path : "");
}

json_t *fleet_tables_json(const struct fleet *fleet, const struct fleet_groups *groups,
                          const struct fleet_report *report) {
    json_t *outliers = json_array(), *types = json_array(), *nodes = json_array();
    const struct fleet_outlier **of_node = need_calloc(fleet->count, sizeof *of_node);
    struct column_walk to, heads[] = {columns_page(), columns_page(), columns_page()};
    outlier_on_page(&heads[0], fleet, groups, NULL);
    type_on_page(&heads[1], fleet, NULL);
    node_on_page(&heads[2], fleet, NULL, 0, NULL);
    for (size_t i = 0; i < report->count; i++) {
        of_node[report->outliers[i].node] = &report->outliers[i];
        to = columns_json();
        outlier_on_page(&to, fleet, groups, &report->outliers[i]);
        json_array_append_new(outliers, columns_end_json(&to));
    }
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        to = columns_json();
        type_on_page(&to, fleet, group);
        json_array_append_new(types, columns_end_json(&to));
        for (size_t m = 0; m < group->count; m++) {
            to = columns_json();
            node_on_page(&to, fleet, group, m, of_node[group->members[m]]);
            json_array_append_new(nodes, columns_end_json(&to));
        }
    }
    free(of_node);
    return json_pack("[{s:s,s:s,s:o,s:o},{s:s,s:s,s:o,s:o},{s:s,s:s,s:o,s:o}]", "name", "outliers", "file", "outliers",
                     "columns", heads[0].list, "rows", outliers, "name", "types", "file", "machine types", "columns",
                     heads[1].list, "rows", types, "name", "nodes", "file", "nodes", "columns", heads[2].list, "rows",
                     nodes);
}

/* One screen. */

enum { OUTLIERS = 7, TYPES = 3, DIAGNOSES = 5 };

static size_t count_diagnosis(const struct fleet_report *report, const char *diagnosis) {
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += strcmp(report->outliers[i].diagnosis, diagnosis) == 0;
    return count;
}

/* Whether no outlier before this one has its diagnosis. */
static bool is_first(const struct fleet_report *report, size_t outlier) {
    for (size_t i = 0; i < outlier; i++)
        if (strcmp(report->outliers[i].diagnosis, report->outliers[outlier].diagnosis) == 0)
            return false;
    return true;
}

/* "60 nodes of 2 machine types, 12 outliers: 3 × lost DIMM or channel, 2 × throttled socket, …" */
static void fleet_report_print_sum(const struct fleet_groups *groups, const struct fleet_report *report,
                                   const struct screen *screen) {
    char line[640];
    size_t said = 0;
    fleet_write_sum(groups, report, line, sizeof line);
    for (size_t i = 0; i < report->count; i++) {
        const char *diagnosis = report->outliers[i].diagnosis;
        if (is_first(report, i) && said++ < DIAGNOSES)
            text_append(line, sizeof line, "%s%zu × %s", said == 1 ? ": " : ", ", count_diagnosis(report, diagnosis),
                        diagnosis);
    }
    if (said > DIAGNOSES)
        text_append(line, sizeof line, ", …");
    screen_say(screen, line, "   ");
}

/* Findings without a roof, such as a lost DIMM or a host of another name, are first; then the largest deviations. */
static double gravity_of(const struct fleet_outlier *outlier) {
    return outlier->key == FLEET_NONE ? INFINITY : fabs(outlier->z);
}

static void print_gravest(const struct fleet *fleet, const struct fleet_report *report, const struct screen *screen) {
    struct column_walk to = columns_table(0);
    double *gravities = need_calloc(report->count + 1, sizeof *gravities);
    bool *chosen = need_calloc(report->count + 1, sizeof *chosen);
    size_t all = 0;
    screen_fit(screen, &to.table);
    for (size_t i = 0; i < report->count; i++) {
        const bool first = report->outliers[i].first_alike == i;
        gravities[i] = first ? gravity_of(&report->outliers[i]) : -INFINITY;
        all += first;
    }
    const size_t listed = screen_choose(gravities, report->count, OUTLIERS, chosen);
    for (size_t i = 0; i < report->count; i++)
        if (chosen[i]) {
            columns_row(&to);
            outlier_columns(&to, fleet, &report->outliers[i]);
        }
    columns_print_section(&to, screen->out);
    if (all > listed)
        fprintf(screen->out, "… and %zu more\n", all - listed);
    free(gravities);
    free(chosen);
}

static void add_type(struct table *table, const struct fleet *fleet, const struct fleet_group *group) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(row, 0, "%s", group->name);
    table_set(row, 1, "%zu", group->count);
    table_set(row, 2, "%zu", group->outlier_count);
    for (size_t h = 0; h < HEADLINE_COUNT; h++) {
        const size_t key = headline_roof(fleet, group, h);
        if (key != FLEET_NONE)
            table_set(row, 3 + h, "%s",
                      fleet_report_value_text(&fleet->keys.keys[key], group->roofs[key].median, text));
    }
}

/* "Memory  85 % of documented: EPYC 7763 · 128 cores · 512 GiB; 61 %: …" */
static void fleet_report_print_documented(const struct fleet *fleet, const struct fleet_groups *groups,
                                          const struct screen *screen) {
    struct sentence said = {""};
    for (size_t g = 0, named = 0; g < groups->count && named < TYPES; g++) {
        const double ratio = groups->groups[g].judged ? memory_of_documented(fleet, &groups->groups[g]) : 0;
        if (ratio > 0)
            text_say(said.text, "%s%.0f %%%s: %.60s", *said.text ? "; " : "", 100 * ratio,
                     *said.text ? "" : " of documented", groups->groups[g].name);
        named += ratio > 0;
    }
    if (*said.text)
        screen_note(screen, "Memory", "%s", said.text);
}

/* The usual values of each type with enough nodes. */
static void print_types(const struct fleet *fleet, const struct fleet_groups *groups, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrrr", "0011654238");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    size_t judged = 0;
    table_set(row, 0, "usual");
    table_set(row, 1, "nodes");
    table_set(row, 2, "outliers");
    for (size_t h = 0; h < HEADLINE_COUNT; h++)
        table_set(row, 3 + h, "%s", HEADLINES[h].name);
    for (size_t g = 0; g < groups->count; g++)
        if (groups->groups[g].judged && judged++ < TYPES)
            add_type(&table, fleet, &groups->groups[g]);
    table_print_section(&table, screen->out);
    if (judged > TYPES)
        fprintf(screen->out, "… and %zu more types\n", judged - TYPES);
}

static void print_screen_notes(const struct fleet *fleet, const struct fleet_groups *groups,
                               const struct screen *screen) {
    enum { NAMED = 3 };
    char *older = older_text(fleet, NAMED);
    size_t small = 0;
    for (size_t g = 0; g < groups->count; g++)
        small += groups->groups[g].judged ? 0 : groups->groups[g].count;
    fputc('\n', screen->out);
    if (*older)
        screen_note(screen, "Older", "%s", older);
    free(older);
    fleet_report_print_documented(fleet, groups, screen);
    if (small)
        screen_note(screen, "Few", "%zu node%s too few like %s to judge", small, small == 1 ? " has" : "s have",
                    small == 1 ? "it" : "them");
    if (fleet->refusal_count)
        screen_note(screen, "Files", "%zu %s, such as %.100s", fleet->refusal_count,
                    fleet->refusal_count == 1 ? "has no roofs" : "have no roofs", fleet->refusals[0].path);
    screen_note(screen, "Rows", "every outlier and what may be wrong: --all; every roof: --all=roofs");
}

void fleet_answer_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                        const struct screen *screen) {
    fleet_report_print_sum(groups, report, screen);
    print_gravest(fleet, report, screen);
    print_settings(fleet, groups, screen_columns(screen), screen->out);
    print_types(fleet, groups, screen);
    print_screen_notes(fleet, groups, screen);
}
