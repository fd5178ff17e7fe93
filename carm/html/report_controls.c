/* SPDX-License-Identifier: BSD-3-Clause
 * What can be chosen on the report's page. A control of the kind "one" has one value, of "some" at least one,
 * of "shown" any number; one that hides is of groups of lines inside of plots, the others choose whole layers. A row of
 * a table that has a control's name as a key is listed where its value is chosen. */
#include "plot_json.h"
#include "report_parts.h"

#include <string.h>

#include "probe/isa.h"

static json_t *control_json(const char *name, const char *title, const char *kind, json_t *options, json_t *first) {
    return json_pack("{s:s,s:s,s:s,s:o,s:o}", "name", name, "title", title, "kind", kind, "options", options, "first",
                     first);
}

static bool has_name(const struct report_names *names, const char *name) {
    bool found = false;
    for (size_t i = 0; i < names->count && name; i++)
        found |= strcmp(names->list[i], name) == 0;
    return found;
}

/* Names that are their own texts; before them "" with a text of its own, where there is a choice at all. */
static json_t *options_json(const struct report_names *names, const char *any, const char *(*label)(const char *)) {
    json_t *list = json_array();
    if (any && names->count != 1)
        json_array_append_new(list, json_pack("[s,s]", "", any));
    for (size_t i = 0; i < names->count; i++)
        json_array_append_new(list, json_pack("[s,s]", names->list[i], label ? label(names->list[i]) : names->list[i]));
    return list;
}

static const char *isa_label(const char *name) {
    const struct isa *isa = isa_find(name);
    return isa ? isa->label : name;
}

/* In the colours of the first result that has the level. */
static json_t *levels_json(const struct report_parts *parts) {
    json_t *list = json_array();
    for (size_t i = 0; i < parts->levels.count; i++) {
        char store[8];
        const char *color = NULL, *name = parts->levels.list[i];
        for (size_t r = 0; r < parts->count && !color; r++) {
            const struct report_result *result = &parts->results[r];
            if (result->place_count == 0)
                continue;
            const struct levels levels = model_levels(result->source->model, &result->places[result->shown]);
            const int at = levels_find(&levels, name);
            color = at < 0 ? NULL : plot_color_name(chart_level_color(&levels, (unsigned)at), store);
        }
        json_array_append_new(list, json_pack("[s,s,s?]", name, name, color));
    }
    return list;
}

static json_t *extras_json(const struct report_parts *parts) {
    json_t *list = json_array();
    if (parts->has_mixed)
        json_array_append_new(list, json_pack("[s,s]", "mixed", "mixed kernels"));
    if (parts->has_outlines)
        json_array_append_new(list, json_pack("[s,s]", "dram", "at flop per DRAM byte"));
    return list;
}

json_t *report_controls_json(const struct report_parts *parts) {
    const struct chart_options *first = parts->options;
    const char *isa = has_name(&parts->isas, first->isa) ? first->isa : "";
    const char *type = has_name(&parts->types, parts->first_type) ? parts->first_type
                       : parts->types.count                       ? parts->types.list[0]
                                                                  : "";
    json_t *isas = options_json(&parts->isas, "all", isa_label), *levels = levels_json(parts), *all = json_array(),
           *list = json_array();
    for (size_t i = 0; i < parts->levels.count; i++)
        json_array_append_new(all, json_string(parts->levels.list[i]));
    json_t *level = control_json("level", "Level", "shown", levels, all);
    json_object_set_new(level, "hides", json_true());
    json_array_append_new(list, control_json("isa", "Instruction set", "one", isas, json_pack("[s]", isa)));
    json_array_append_new(
        list, control_json("type", "Type", "some", options_json(&parts->types, NULL, NULL), json_pack("[s]", type)));
    json_array_append_new(list, level);
    json_array_append_new(list, control_json("more", "Points", "shown", extras_json(parts),
                                             first->dram ? json_pack("[s]", "dram") : json_array()));
    return list;
}
