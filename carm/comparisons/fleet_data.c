/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as JSON and CSV (see fleet_report.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/store/fields.h"
#include "fleet_report.h"
#include "carm/tables/report.h"
#include "carm/store/results.h"
#include "carm/tables/report_doubts.h"

enum { DIGITS = 6 }; /* of numbers in CSV */

static json_t *key_json(const struct roof_key *key) {
    char place[192];
    return json_pack("{s:s,s:s,s:o,s:s,s:b,s:s}", "name", key->kernel, "kind", results_kind_names[key->kind], "level",
                     text_or_null(key->level), "place", roof_key_place(key, place, sizeof place), "small_pages",
                     (int)key->small_pages, "unit", roof_key_unit_name(key));
}

static json_t *outlier_json(const struct fleet *fleet, const struct fleet_groups *groups,
                            const struct fleet_outlier *outlier) {
    const struct fleet_node *node = &fleet->nodes[outlier->node];
    const bool roof = outlier->key != FLEET_NONE;
    return json_pack("{s:o,s:o,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "host", fields_text(node->machine.host), "file",
                     fields_text(node->path), "group", groups->groups[outlier->group].name, "diagnosis",
                     outlier->diagnosis, "roof", roof ? key_json(&fleet->keys.keys[outlier->key]) : json_null(),
                     "value", number_or_null(outlier->value), "median", number_or_null(outlier->median), "deviation",
                     number_or_null(outlier->deviation), "z", number_or_null(outlier->z), "doubts",
                     doubts_json(outlier->doubts), "text", fields_text(outlier->text));
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
        const struct fleet_roof *roof = &group->roofs[k];
        if (!roof->holders)
            continue;
        json_t *object = key_json(&fleet->keys.keys[k]);
        json_object_set_new(object, "nodes", json_integer((json_int_t)roof->holders));
        json_object_set_new(object, "median", number_or_null(roof->median));
        json_object_set_new(object, "mad", number_or_null(roof->mad));
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

/* How far the group's headlines lie from its median on this node, and its memory. */
static void put_headlines(const struct fleet_group *group, size_t member, FILE *out) {
    static const struct {
        enum sample_kind kind;
        const char *level;
    } columns[] = {{SAMPLE_COMPUTE, ""},     {SAMPLE_BANDWIDTH, "L1"},   {SAMPLE_BANDWIDTH, "L2"},
                   {SAMPLE_BANDWIDTH, "L3"}, {SAMPLE_BANDWIDTH, "DRAM"}, {SAMPLE_LATENCY, "DRAM"}};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
        const size_t class = fleet_headline(group, columns[c].kind, columns[c].level);
        csv_put_number(class == FLEET_NONE ? NAN : group->classes[class].deviations[member], DIGITS, out);
    }
}

static const struct fleet_outlier *outlier_of(const struct fleet_report *report, size_t node) {
    for (size_t i = 0; i < report->count; i++)
        if (report->outliers[i].node == node)
            return &report->outliers[i];
    return NULL;
}

static void put_outlier(const struct fleet *fleet, const struct fleet_outlier *outlier, FILE *out) {
    const bool roof = outlier->key != FLEET_NONE;
    char text[512];
    csv_put_next(outlier->diagnosis, out);
    csv_put_next(roof ? roof_key_text(&fleet->keys.keys[outlier->key], text, sizeof text) : "", out);
    csv_put_number(outlier->value, DIGITS, out);
    csv_put_number(outlier->median, DIGITS, out);
    csv_put_number(outlier->deviation, DIGITS, out);
    csv_put_number(outlier->z, DIGITS, out);
    csv_put_next(doubt_names(outlier->doubts, text, sizeof text), out);
    csv_put_next(outlier->text, out);
}

void fleet_csv(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
               FILE *out) {
    fputs("host,file,group,compute_deviation,l1_deviation,l2_deviation,l3_deviation,dram_deviation,latency_deviation,"
          "memory_bytes,diagnosis,roof,value,median,deviation,z,doubts,text,governor,huge_pages,microcode,"
          "hardware_threads,memory_nodes\n",
          out);
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        for (size_t m = 0; m < group->count; m++) {
            const struct fleet_node *node = &fleet->nodes[group->members[m]];
            const struct fleet_outlier *outlier = outlier_of(report, group->members[m]);
            csv_put_text(node->machine.host, out);
            csv_put_next(node->path, out);
            csv_put_next(group->name, out);
            put_headlines(group, m, out);
            fprintf(out, ",%llu", (unsigned long long)node->machine.memory_bytes);
            if (outlier)
                put_outlier(fleet, outlier, out);
            else
                fputs(",,,,,,,,", out);
            for (const struct fleet_setting *setting = fleet_settings; setting->name; setting++) {
                char text[FLEET_SETTING_BYTES];
                setting->write(&node->machine, text);
                csv_put_next(text, out);
            }
            fputc('\n', out);
        }
    }
}
