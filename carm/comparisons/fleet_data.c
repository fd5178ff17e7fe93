/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as JSON and CSV (see fleet_report.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/text/or_null.h"
#include "carm/store/fields.h"
#include "fleet_report.h"
#include "carm/tables/report.h"
#include "carm/store/results.h"
#include "carm/tables/report_doubts.h"

json_t *fleet_key_json(const struct roof_key *key) {
    char place[192];
    return json_pack("{s:s,s:s,s:o,s:s,s:b,s:s}", "name", key->kernel, "kind", results_kind_names[key->kind], "level",
                     text_or_null(key->level), "place", roof_key_place(key, place, sizeof place), "small_pages",
                     (int)key->small_pages, "unit", roof_key_unit_name(key));
}

static json_t *outlier_json(const struct fleet *fleet, const struct fleet_groups *groups,
                            const struct fleet_outlier *outlier) {
    const struct fleet_node *node = &fleet->nodes[outlier->node];
    struct column_walk to = columns_json();
    column(&to, cell_text(node->machine.host), .key = "host", .json = 1, .raw_json = true);
    column(&to, cell_text(node->path), .key = "file", .json = 1, .raw_json = true);
    column(&to, cell_text(groups->groups[outlier->group].name), .key = "group", .json = 1, .raw_json = true);
    fleet_outlier_columns(&to, fleet, outlier);
    return columns_end_json(&to);
}

/* Settings that the group's nodes differ in: {"governor": {"performance": 294, "powersave": 6}} */
static json_t *settings_json(const struct fleet *fleet, const struct fleet_group *group) {
    json_t *settings = json_object();
    for (const struct fleet_setting *setting = fleet_settings; setting->name; setting++) {
        struct fleet_setting_value *values;
        const size_t count = fleet_setting_values(fleet, group, setting, &values);
        json_t *object = json_object();
        for (size_t i = 0; i < count; i++)
            json_object_set_new(object, values[i].text, json_integer((json_int_t)values[i].count));
        if (count > 1)
            json_object_set(settings, setting->name, object);
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
        json_t *object = fleet_key_json(&fleet->keys.keys[k]);
        fleet_roof_columns(&to, fleet, group, k);
        json_object_update_new(object, columns_end_json(&to));
        json_array_append_new(roofs, object);
    }
    return json_pack("{s:o,s:o,s:s,s:i,s:I,s:I,s:I,s:b,s:o,s:o,s:o}", "name", fields_text(group->name), "cpu",
                     fields_text(group->typical.cpu), "uarch", group->typical.uarch, "cores", (int)group->typical.cores,
                     "memory_bytes", (json_int_t)group->typical.memory_bytes, "nodes", (json_int_t)group->count,
                     "outliers", (json_int_t)group->outlier_count, "judged", (int)group->judged, "hosts", hosts,
                     "settings_that_differ", settings_json(fleet, group), "roofs", roofs);
}

json_t *fleet_json(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report) {
    json_t *outliers = json_array(), *list = json_array(), *refusals = json_array();
    json_int_t older = 0;
    for (size_t i = 0; i < report->count; i++)
        json_array_append_new(outliers, outlier_json(fleet, groups, &report->outliers[i]));
    for (size_t g = 0; g < groups->count; g++)
        json_array_append_new(list, group_json(fleet, &groups->groups[g]));
    for (size_t i = 0; i < fleet->refusal_count; i++)
        json_array_append_new(refusals, json_pack("{s:o,s:o}", "file", fields_text(fleet->refusals[i].path), "why",
                                                  fields_text(fleet->refusals[i].why)));
    for (size_t i = 0; i < fleet->count; i++)
        older += fleet->nodes[i].older;
    return json_pack("{s:s,s:I,s:I,s:o,s:o,s:o}", "schema", "carmine.fleet/1", "nodes",
                     (json_int_t)fleet->count - older, "older_results", older, "outliers", outliers, "groups", list,
                     "refused", refusals);
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
    static const struct {
        const char *key;
        enum sample_kind kind;
        const char *level;
    } headlines[] = {{"compute_deviation", SAMPLE_COMPUTE, ""},    {"l1_deviation", SAMPLE_BANDWIDTH, "L1"},
                     {"l2_deviation", SAMPLE_BANDWIDTH, "L2"},     {"l3_deviation", SAMPLE_BANDWIDTH, "L3"},
                     {"dram_deviation", SAMPLE_BANDWIDTH, "DRAM"}, {"latency_deviation", SAMPLE_LATENCY, "DRAM"}};
    static const struct fleet_node NO_NODE;
    const struct fleet_node *node = group ? &fleet->nodes[group->members[member]] : &NO_NODE;
    char text[FLEET_SETTING_BYTES];
    column(to, cell_text(node->machine.host), .key = "host", .csv = 1);
    column(to, cell_text(node->path ? node->path : ""), .key = "file", .csv = 1);
    column(to, cell_text(group ? group->name : ""), .key = "group", .csv = 1);
    for (size_t i = 0; i < sizeof headlines / sizeof headlines[0]; i++) {
        const size_t class = group ? fleet_headline(group, headlines[i].kind, headlines[i].level) : FLEET_NONE;
        column(to, cell_number(true, class == FLEET_NONE ? NAN : group->classes[class].deviations[member]),
               .key = headlines[i].key, .csv = 1, .csv_digits = 6);
    }
    column(to, cell_amount(true, (double)node->machine.memory_bytes), .key = "memory_bytes", .csv = 1);
    fleet_outlier_columns(to, fleet, outlier);
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
