/* SPDX-License-Identifier: BSD-3-Clause
 * The common parts of all results: places, types, instruction sets, levels. */
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "carm/chart/picture.h"
#include "carm/model/applicable_roofs.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/need.h"

static bool has_name(const struct report_names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0)
            return true;
    return false;
}

static void add_name(struct report_names *names, const char *name) {
    if (*name && names->count < REPORT_NAMES && !has_name(names, name))
        names->list[names->count++] = name;
}

bool report_is_place(const struct model_view *a, const struct model_view *b) {
    return a->threads == b->threads && a->smt == b->smt && a->package == b->package && a->node == b->node &&
           a->memory_node == b->memory_node &&
           (!a->core_kind || !b->core_kind || strcmp(a->core_kind, b->core_kind) == 0);
}

static const struct roof *any_roof(const struct model *model, struct model_view place) {
    place.isa = place.type = NULL;
    for (size_t i = 0; i < model->count; i++)
        if (model_in_view(&model->roofs[i], &place))
            return &model->roofs[i];
    return NULL;
}

static struct roof_key key_of(const struct model *model, const struct model_view *place) {
    const struct roof *roof = any_roof(model, *place);
    return roof ? roof_key_make(model, roof) : (struct roof_key){0};
}

/* Whether a machine's one core is all of its cores. */
static bool is_whole(const struct report_result *result, size_t place) {
    return result->source->model->result->machine.core_count == 1 && strcmp(result->choices[place], "one core") == 0;
}

json_t *report_choices_json(const struct report_result *result, size_t place) {
    const char *own = result->choices[place];
    return is_whole(result, place) ? json_pack("[s,s]", own, "all cores") : json_pack("[s]", own);
}

static void find_places(struct report_result *result, const struct chart_options *options) {
    struct model_view all[REPORT_PLACES], shown;
    struct error ignored;
    size_t count = model_places(result->source->model, all, REPORT_PLACES);
    for (size_t i = 0; i < count; i++) {
        if (all[i].memory_node)
            continue;
        const struct roof_key key = key_of(result->source->model, &all[i]);
        roof_key_place(&key, result->choices[result->place_count], REPORT_CHOICE_BYTES);
        result->places[result->place_count++] = all[i];
    }
    result->shown = result->place_count ? result->place_count - 1 : 0;
    if (!chart_view(result->source->model, options, &shown, &ignored))
        return;
    for (size_t p = result->place_count; p-- > 0;)
        if (report_is_place(&result->places[p], &shown))
            result->shown = p;
}

/* Caches by number, then memories; the ordinary memory last. */
static int by_level(const void *a, const void *b) {
    const char *p = *(const char *const *)a, *q = *(const char *const *)b;
    return levels_is_memory(p) && levels_is_memory(q) ? levels_compare(q, p) : levels_compare(p, q);
}

static void find_roofs(struct report_parts *parts, const struct model *model, struct report_names *own_isas,
                       struct report_names *own_types) {
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        add_name(own_types, roof->type);
        add_name(own_isas, roof->isa);
        if (roof->sample->kind == SAMPLE_BANDWIDTH)
            add_name(&parts->levels, roof->sample->level);
    }
    for (size_t i = 0; i < model->result->point_count; i++) {
        struct applicable_roofs applicable;
        applicable_make(model, &model->result->points[i], &applicable);
        add_name(own_types, applicable.view.type);
    }
    parts->has_mixed |= model->result->validation_count > 0;
}

/* In the order of the tables of types and instruction sets; those of other tools follow. */
static void sort_names(struct report_parts *parts, const struct report_names *isas, const struct report_names *types) {
    for (int type = 0; type < TYPE_COUNT; type++)
        if (has_name(types, element_table[type].name))
            add_name(&parts->types, element_table[type].name);
    for (size_t i = 0; i < isa_count; i++)
        if (has_name(isas, isa_table[i].name))
            add_name(&parts->isas, isa_table[i].name);
    for (size_t i = 0; i < isas->count; i++)
        add_name(&parts->isas, isas->list[i]);
    for (size_t i = 0; i < types->count; i++)
        add_name(&parts->types, types->list[i]);
    qsort(parts->levels.list, parts->levels.count, sizeof parts->levels.list[0], by_level);
}

static void find_choices(struct report_parts *parts) {
    enum { SHOWN_AT_FIRST = 6 }; /* the page is not readable with more */
    bool *first = need_calloc(parts->count, sizeof *first);
    compare_most_different(parts->comparison, SHOWN_AT_FIRST, first);
    for (size_t r = 0; r < parts->count; r++) {
        struct report_result *result = &parts->results[r];
        result->first = first[r];
        for (size_t p = 0; p < result->place_count; p++)
            add_name(&parts->choices, result->choices[p]);
    }
    free(first);
}

/* The first result with places; with --threads N the first with such a place, if there is one. */
static const struct report_result *first_asked(const struct report_parts *parts) {
    const unsigned threads = parts->options->threads;
    const struct report_result *any = NULL;
    for (size_t r = 0; r < parts->count; r++) {
        const struct report_result *one = &parts->results[r];
        if (one->place_count == 0)
            continue;
        if (threads == 0 || threads == ROOF_ALL_CORES || one->places[one->shown].threads == threads)
            return one;
        any = any ? any : one;
    }
    return any;
}

/* All machines show the same place at first: that of --threads or of the newest applications if all agree, else that of
 * pictures of several machines. */
static void choose_place(struct report_parts *parts) {
    const struct report_result *first = first_asked(parts);
    const unsigned threads = parts->options->threads, all = threads == ROOF_ALL_CORES ? threads : 0;
    const struct picture_view view = {.type = parts->options->type, .cores = all};
    const unsigned usual = picture_cores(parts->comparison, &view);
    char text[REPORT_CHOICE_BYTES];
    bool agree = true;
    if (!first)
        return;
    snprintf(parts->first_choice, sizeof parts->first_choice, "%s", first->choices[first->shown]);
    parts->first_cores = key_of(first->source->model, &first->places[first->shown]).cores;
    for (const struct report_result *one = parts->results; one < parts->results + parts->count; one++)
        agree &= one->place_count == 0 || strcmp(one->choices[one->shown], parts->first_choice) == 0 ||
                 (is_whole(one, one->shown) && strcmp(parts->first_choice, "all cores") == 0);
    roof_key_place(&(struct roof_key){.cores = usual}, text, sizeof text);
    if (agree || threads != all || !has_name(&parts->choices, text))
        return;
    memcpy(parts->first_choice, text, sizeof text);
    parts->first_cores = usual;
}

void report_parts_find(const struct comparison *c, const struct chart_options *options, struct report_parts *out) {
    struct report_names isas = {0}, types = {0};
    struct model_view view = {0};
    struct error ignored;
    *out = (struct report_parts){.options = options,
                                 .comparison = c,
                                 .count = c->side_count,
                                 .results = need_calloc(c->side_count, sizeof *out->results)};
    for (size_t i = 0; i < out->count; i++) {
        out->results[i].source = &c->sides[i];
        find_places(&out->results[i], options);
        find_roofs(out, c->sides[i].model, &isas, &types);
    }
    find_choices(out);
    choose_place(out);
    const bool known = !options->type && chart_view(c->sides[0].model, options, &view, &ignored);
    snprintf(out->first_type, sizeof out->first_type, "%s", options->type ? options->type : known ? view.type : "f64");
    if (out->count > REPORT_WHOLE) {
        types = (struct report_names){.count = 1, .list = {out->first_type}};
        isas.count = 0;
    }
    sort_names(out, &isas, &types);
}

void report_parts_free(struct report_parts *parts) {
    free(parts->results);
    parts->results = NULL;
}

json_t *report_table(json_t *objects) {
    json_t *places = json_object(), *columns = json_array(), *rows = json_array();
    size_t at;
    const char *key;
    json_t *object, *value;
    json_array_foreach(objects, at, object) {
        json_object_foreach(object, key, value) {
            if (!json_object_get(places, key)) {
                json_object_set_new(places, key, json_true());
                json_array_append_new(columns, json_string(key));
            }
        }
    }
    json_array_foreach(objects, at, object) {
        json_t *row = json_array();
        json_object_foreach(places, key, value) {
            json_t *cell = json_object_get(object, key);
            json_array_append(row, cell ? cell : json_null());
        }
        json_array_append_new(rows, row);
    }
    json_decref(places);
    json_decref(objects);
    return json_pack("{s:o,s:o}", "columns", columns, "rows", rows);
}
