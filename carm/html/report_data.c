/* SPDX-License-Identifier: BSD-3-Clause
 * Results → the report's data (see report_data.h). */
#include "report_data.h"

#include <math.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "probe/isa.h"
#include "carm/marks/chart_points.h"
#include "carm/store/fields.h"
#include "carm/model/applicable_roofs.h"
#include "carm/tables/report.h"
#include "carm/model/verdict.h"
#include "carm/model/describe.h"
#include "carm/marks/chart_parts.h"

enum { MOST_PLACES = 64 };

/* Objects → a table of all keys that any of them has; releases the list. */
static json_t *as_table(json_t *list) {
    json_t *places = json_object(), *columns = json_array(), *rows = json_array();
    size_t at;
    const char *key;
    json_t *object, *value;
    json_array_foreach(list, at, object) {
        json_object_foreach(object, key, value) {
            if (!json_object_get(places, key)) {
                json_object_set_new(places, key, json_true());
                json_array_append_new(columns, json_string(key));
            }
        }
    }
    json_array_foreach(list, at, object) {
        json_t *row = json_array();
        json_object_foreach(places, key, value) {
            json_t *cell = json_object_get(object, key);
            json_array_append(row, cell ? cell : json_null());
        }
        json_array_append_new(rows, row);
    }
    json_decref(places);
    json_decref(list);
    return json_pack("{s:o,s:o}", "columns", columns, "rows", rows);
}

/* Takes a list out of an object, as a table. */
static json_t *take_table(json_t *object, const char *key) {
    json_t *list = json_incref(json_object_get(object, key));
    json_object_del(object, key);
    return as_table(list ? list : json_array());
}

static bool is_same_place(const struct model_view *a, const struct model_view *b) {
    return a->threads == b->threads && a->smt == b->smt && a->package == b->package && a->node == b->node &&
           a->memory_node == b->memory_node &&
           (!a->core_kind || !b->core_kind || strcmp(a->core_kind, b->core_kind) == 0);
}

/* "64 cores", "16 E cores · node 1" */
static void write_place(const struct model_view *place, char *out, size_t size) {
    struct sample where = {.threads = place->threads,
                           .cores = place->smt,
                           .package = place->package,
                           .node = place->node,
                           .memory_node = place->memory_node};
    char text[128];
    model_place_text(&where, text, sizeof text);
    if (place->threads == 0) /* of a GPU, or not told by another tool */
        snprintf(out, size, "all roofs");
    else
        snprintf(out, size, "%u %s%s%s%s%s%s", place->threads, place->core_kind, *place->core_kind ? " " : "",
                 place->smt ? "thread" : "core", place->threads == 1 ? "" : "s", *text ? " · " : "", text);
}

/* Each place with its roofs, and whether it is what the roofline shows. Memory of another kind belongs to the place of
 * its cores. */
static json_t *places_json(const struct model *model, const struct model_view *places, size_t count,
                           const struct chart_options *options) {
    json_t *list = json_array();
    struct model_view shown;
    struct error ignored;
    bool any = chart_view(model, options, &shown, &ignored);
    for (size_t p = 0; p < count; p++) {
        char label[160];
        json_t *roofs = json_array();
        for (size_t i = 0; i < model->count; i++)
            if (model_in_view(&model->roofs[i], &places[p]))
                json_array_append_new(roofs, json_integer((json_int_t)i));
        write_place(&places[p], label, sizeof label);
        json_array_append_new(list, json_pack("{s:s,s:i,s:b,s:o}", "label", label, "threads", (int)places[p].threads,
                                              "shown", any && is_same_place(&places[p], &shown), "roofs", roofs));
    }
    return list;
}

static json_t *number(double value) {
    return isfinite(value) && value > 0 ? json_real(value) : json_null();
}

/* From the least over the quartiles to the most; null where it has no spread. */
static json_t *spread_json(double min, double q1, double q3, double max) {
    return min > 0 && min < max && isfinite(max) ? json_pack("[f,f,f,f]", min, q1, q3, max) : json_null();
}

/* Whether the options name it, or all. */
static bool is_chosen(const struct app_point *point, const struct chart_options *options) {
    bool chosen = !options->points;
    for (size_t i = 0; !chosen && options->points[i]; i++)
        chosen = strcmp(options->points[i], point->name) == 0 || strcmp(options->points[i], point->program) == 0;
    return chosen && !options->no_points;
}

/* What a picture of the point needs beyond what is said of it: the place whose roofs judge it, its error box, and what
 * it reaches in a cycle of a core: at its own clock, or where that is not known, at that of its ceiling. */
static void add_picture(json_t *object, const struct model *model, const struct app_point *point,
                        const struct model_view *places, size_t count) {
    struct applicable_roofs applicable;
    struct verdict verdict = verdict_find(model, point);
    double clock_hz = point->clock_hz > 0 ? point->clock_hz : verdict.known ? verdict.ceiling->sample->clock_hz : 0;
    unsigned cores = point->threads ? point->threads : 1;
    bool fits = applicable_make(model, point, &applicable);
    for (size_t p = 0; p < count && fits; p++)
        if (is_same_place(&places[p], &applicable.view))
            json_object_set_new(object, "place", json_integer((json_int_t)p));
    json_object_set_new(object, "type", json_string(applicable.view.type));
    json_object_set_new(object, "per_cycle", number(app_flop_per_s(point) / clock_hz / cores));
    struct plot_point spread = {0};
    points_spread(&spread, point, false);
    json_object_set_new(object, "x_spread", spread_json(spread.x_min, spread.x_q1, spread.x_q3, spread.x_max));
    json_object_set_new(object, "y_spread", spread_json(spread.y_min, spread.y_q1, spread.y_q3, spread.y_max));
}

static json_t *points_json(json_t *said, const struct model *model, const struct model_view *places, size_t count,
                           const struct chart_options *options) {
    json_t *list = json_array();
    for (size_t i = 0; i < model->result->point_count; i++) {
        json_t *object = json_array_get(json_object_get(said, "points"), i);
        if (!is_chosen(&model->result->points[i], options))
            continue;
        add_picture(object, model, &model->result->points[i], places, count);
        json_array_append(list, object);
    }
    return as_table(list);
}

static json_t *notes_json(const struct result *result) {
    char store[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    size_t count = chart_notes(result, NULL, 0, store, notes);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_text(notes[i]));
    if (result->environment.clock_doubt[0])
        json_array_append_new(list, fields_text(result->environment.clock_doubt));
    return list;
}

static void add_curves(json_t *machine) {
    size_t at;
    json_t *curve;
    json_array_foreach(json_object_get(machine, "curves"), at, curve)
        json_object_set_new(curve, "points", take_table(curve, "points"));
}

static void add_to_roof(json_t *object, const struct roof *roof) {
    char label[64];
    chart_label(roof, label, sizeof label);
    json_object_set_new(object, "label", json_string(label));
    if (roof->sample->small_pages)
        json_object_set_new(object, "small_pages", json_true());
}

static json_t *machine_json(const struct report_source *source, const struct chart_options *options) {
    const struct model *model = source->model;
    const struct result *result = model->result;
    const char *slash = strrchr(source->path, '/');
    struct model_view places[MOST_PLACES];
    size_t all = model_places(model, places, MOST_PLACES), count = 0;
    char name[160], conditions[512];
    for (size_t i = 0; i < all; i++)
        if (!places[i].memory_node)
            places[count++] = places[i];

    json_t *machine = results_json(result), *said = report_json(model);
    static const char *const REPLACED[] = {"schema", "samples", "points", "validation"};
    for (size_t i = 0; i < sizeof REPLACED / sizeof REPLACED[0]; i++)
        json_object_del(machine, REPLACED[i]);
    for (size_t i = 0; i < model->count; i++)
        add_to_roof(json_array_get(json_object_get(said, "roofs"), i), &model->roofs[i]);
    json_object_set_new(machine, "label", fields_text(source->label));
    json_object_set_new(machine, "file", fields_text(slash ? slash + 1 : source->path));
    json_object_set_new(machine, "name", fields_text(describe_cpu(result, name, sizeof name)));
    describe_conditions(result, conditions, sizeof conditions);
    json_object_set_new(machine, "conditions", fields_text(conditions));
    json_object_set_new(machine, "notes", notes_json(result));
    json_object_set(machine, "trust", json_object_get(said, "trust"));
    json_object_set_new(machine, "places", places_json(model, places, count, options));
    json_object_set_new(machine, "points", points_json(said, model, places, count, options));
    json_object_set_new(machine, "roofs", take_table(said, "roofs"));
    json_object_set_new(machine, "validation", take_table(said, "validation"));
    add_curves(machine);
    json_decref(said);
    return machine;
}

static json_t *doubts_json(void) {
    json_t *object = json_object();
    for (size_t i = 0; i < doubt_count; i++)
        json_object_set_new(object, doubt_table[i].name,
                            json_pack("{s:s,s:s}", "cause", doubt_table[i].cause, "remedy", doubt_table[i].remedy));
    return object;
}

/* The instruction sets as people write them, from the narrowest to the widest. */
static json_t *isas_json(void) {
    json_t *list = json_array();
    for (size_t i = 0; i < isa_count; i++)
        json_array_append_new(list, json_pack("[s,s]", isa_table[i].name, isa_table[i].label));
    return list;
}

json_t *report_data_json(const struct report_source *sources, size_t count, const struct chart_options *options) {
    json_t *machines = json_array();
    struct model_view view = {.type = "f64"};
    struct error ignored;
    if (options->type)
        view.type = options->type;
    else if (!chart_view(sources[0].model, options, &view, &ignored))
        view.type = "f64";
    for (size_t i = 0; i < count; i++)
        json_array_append_new(machines, machine_json(&sources[i], options));
    return json_pack("{s:s,s:s,s:{s:s,s:s?,s:s?,s:b},s:o,s:o,s:o}", "schema", "carmine.report/1", "version",
                     CARMINE_VERSION, "view", "type", view.type, "isa", options->isa, "pattern", options->op, "dram",
                     (int)options->dram, "machines", machines, "doubts", doubts_json(), "isas", isas_json());
}
