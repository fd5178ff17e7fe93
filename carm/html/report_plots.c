/* SPDX-License-Identifier: BSD-3-Clause
 * The report's charts: the same plots as in pictures, one for each choice that changes them. A chart consists of
 * layers, each with the choices at which it is shown. Parts that depend on few choices are layers of their own, so
 * that they are written once. */
#include "plot_json.h"
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/chart/chart_points.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/memory_kind.h"
#include "probe/need.h"

/* The controls of the report's page. A control of kind "one" has one value, "some" at least one, "shown" any number.
 * A control that hides works on groups of lines within plots; the others choose whole layers. A table's row with a
 * control's name as a key is listed if its value is chosen. */

static json_t *control_json(const char *name, const char *title, const char *kind, json_t *options, json_t *first) {
    return json_pack("{s:s,s:s,s:s,s:o,s:o}", "name", name, "title", title, "kind", kind, "options", options, "first",
                     first);
}

static bool report_plots_has_name(const struct report_names *names, const char *name) {
    bool found = false;
    for (size_t i = 0; i < names->count && name; i++)
        found |= strcmp(names->list[i], name) == 0;
    return found;
}

/* Options whose names are their texts; before them the option "", with the text `any`, if there is a choice. */
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

/* Levels with the colours of the first result that has them. */
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
    const char *isa = report_plots_has_name(&parts->isas, first->isa) ? first->isa : "";
    const char *type = report_plots_has_name(&parts->types, parts->first_type) ? parts->first_type
                       : parts->types.count                                    ? parts->types.list[0]
                                                                               : "";
    json_t *isas = options_json(&parts->isas, "all", isa_label), *levels = levels_json(parts), *shown = json_array(),
           *list = json_array();
    /* Of several machines only memory: more lines could not be followed. */
    bool few = false;
    for (size_t i = 0; i < parts->levels.count && parts->count > 1; i++)
        few |= memory_kind_of(parts->levels.list[i])->ordinary;
    for (size_t i = 0; i < parts->levels.count; i++)
        if (!few || memory_kind_of(parts->levels.list[i])->ordinary)
            json_array_append_new(shown, json_string(parts->levels.list[i]));
    if (parts->count > 1) {
        json_t *place = control_json("places", "Threads", "one", options_json(&parts->choices, NULL, NULL),
                                     json_pack("[s]", parts->first_choice));
        json_object_set_new(place, "titled", json_true());
        json_array_append_new(list, place);
    }
    json_t *level = control_json("level", "Level", "shown", levels, shown);
    json_object_set_new(level, "hides", json_true());
    json_array_append_new(list, control_json("isa", "Instruction set", "one", isas, json_pack("[s]", isa)));
    json_array_append_new(
        list, control_json("type", "Type", "some", options_json(&parts->types, NULL, NULL), json_pack("[s]", type)));
    json_array_append_new(list, level);
    json_array_append_new(list, control_json("more", "Points", "shown", extras_json(parts),
                                             first->dram ? json_pack("[s]", "dram") : json_array()));
    return list;
}

/* The parts of a roofline that become layers. */
enum part {
    PART_BASE,     /* axes, notes, small print, points and the lines that join them */
    PART_MIXED,    /* mixed kernels */
    PART_OUTLINES, /* points at their DRAM bytes */
    PART_CEILINGS, /* and the height at which roofs end */
    PART_RIDGES,   /* marks */
    PART_LEVELS,   /* roofs and bands, up to the highest ceiling of any type; and the start of ceilings */
    PARTS
};

/* The choices at which a layer is shown; NULL: any. */
struct choices {
    const char *type, *isa, *more;
};

/* The owner of lines and points, for find_origin(). */
struct seeker {
    const struct model *model;
    const struct chart_options *options;
};

struct layers {
    struct report_parts *parts;
    struct plot_pool pool;
    struct seeker seeker;
    json_t *rows;        /* layers of the present chart */
    json_t *series;      /* the series of the present layers: a number, or a list of numbers */
    unsigned wanted;     /* bits of enum part; 0: the whole plot */
    unsigned made;       /* the parts that were not empty */
    struct choices when; /* choices of the next plot */
    double lid;          /* lid of the last plot */
};

static struct plot_origin find_origin(const void *source, const void *context) {
    const struct seeker *seeker = context;
    const struct model *model = seeker->model;
    const struct result *result = model->result;
    const struct sample *sample = source;
    for (size_t i = 0; i < model->count; i++)
        if (model->roofs[i].sample == sample)
            return (struct plot_origin){"roofs", i};
    for (size_t i = 0, row = 0; i < result->point_count; i++) {
        if (source == &result->points[i])
            return (struct plot_origin){"points", row};
        row += points_chosen(&result->points[i], seeker->options);
    }
    for (size_t i = 0; i < result->validation_count; i++)
        if (source == &result->validation[i])
            return (struct plot_origin){"validation", i};
    for (size_t i = 0; i < result->curve_count; i++)
        if (source == &result->curves[i])
            return (struct plot_origin){"curves", i};
    return (struct plot_origin){0};
}

/* A level's line has a group; a ceiling has its label at the end; other lines join points. */
static bool line_is_of(const struct plot_line *line, enum part part) {
    const bool level = line->group, ceiling = !level && line->label_place == PLOT_LABEL_END, other = !level && !ceiling;
    return part == PART_LEVELS     ? level
           : part == PART_CEILINGS ? ceiling
           : part == PART_OUTLINES ? other && line->dash == PLOT_DOTTED
           : part == PART_BASE     ? other && line->dash != PLOT_DOTTED
                                   : false;
}

static bool point_is_of(const struct plot_point *point, enum part part) {
    return part == PART_BASE       ? !point->hollow || point->ghost
           : part == PART_MIXED    ? point->hollow && point->group
           : part == PART_OUTLINES ? point->hollow && !point->group && !point->ghost
                                   : false;
}

static void add_layer(struct layers *layers, const struct plot *plot, const char *more) {
    json_array_append_new(layers->rows, json_pack("[O,s?,s?,s?,i]", layers->series, layers->when.type, layers->when.isa,
                                                  more, (int)plot_pool_add(&layers->pool, plot)));
}

/* Adds the plot with only the things of this part. */
static void report_plots_add_part(struct layers *layers, const struct plot *plot, enum part part) {
    struct plot_line *lines = need_calloc(plot->line_count + 1, sizeof *lines);
    struct plot_band *bands = need_calloc(plot->band_count + 1, sizeof *bands);
    struct plot_point *points = need_calloc(plot->point_count + 1, sizeof *points);
    struct plot out = {.x = plot->x, .y = plot->y, .lines = lines, .bands = bands, .points = points};
    for (size_t i = 0; i < plot->line_count; i++)
        if (line_is_of(&plot->lines[i], part))
            lines[out.line_count++] = plot->lines[i];
    for (size_t i = 0; i < plot->band_count; i++)
        if (part == (plot->bands[i].group ? PART_LEVELS : PART_CEILINGS))
            bands[out.band_count++] = plot->bands[i];
    for (size_t i = 0; i < plot->point_count; i++)
        if (point_is_of(&plot->points[i], part))
            points[out.point_count++] = plot->points[i];
    if (part == PART_RIDGES)
        out.marks = plot->marks, out.mark_count = plot->mark_count;
    if (part == PART_CEILINGS)
        out.lid = plot->lid;
    if (part == PART_BASE)
        out.notes = plot->notes, out.note_count = plot->note_count, out.footer = plot->footer,
        out.reading = plot->reading;
    if (part == PART_LEVELS)
        out.edge = plot->edge;
    if (part != PART_BASE && part != PART_OUTLINES)
        out.x.title = out.y.title = ""; /* other layers have the titles */
    if (part == PART_LEVELS || part == PART_RIDGES)
        out.x.title = out.y.title = NULL;
    if (part == PART_BASE || out.line_count + out.band_count + out.mark_count + out.point_count) {
        add_layer(layers, &out, part == PART_MIXED ? "mixed" : part == PART_OUTLINES ? "dram" : NULL);
        layers->made |= 1U << part;
    }
    free(lines);
    free(bands);
    free(points);
}

static void report_plots_take(const struct plot *plot, void *taker) {
    struct layers *layers = taker;
    layers->lid = plot->lid;
    if (!layers->wanted)
        add_layer(layers, plot, NULL);
    for (int part = 0; part < PARTS; part++)
        if (layers->wanted & 1U << part)
            report_plots_add_part(layers, plot, (enum part)part);
}

/* Adds the ceilings of each type. Returns the type with the highest ceiling; NULL: none. */
static const char *report_plots_add_ceilings(struct layers *layers, const struct model *model,
                                             struct chart_options *options) {
    const struct report_names *types = &layers->parts->types;
    const char *highest = NULL;
    double lid = 0;
    struct error ignored;
    for (size_t t = 0; t < types->count; t++) {
        struct model_view view = *options->place;
        view.isa = options->isa;
        view.type = options->type = layers->when.type = types->list[t];
        layers->wanted = 1U << PART_CEILINGS;
        if (!model_peak(model, &view) || !chart_roofline(model, options, NULL, &ignored))
            continue;
        if (layers->lid > lid)
            highest = options->type, lid = layers->lid;
        layers->wanted = 1U << PART_RIDGES;
        chart_roofline(model, options, NULL, &ignored);
    }
    layers->when.type = NULL;
    return highest;
}

/* Adds the ceilings by type and the roofs, of one instruction set or of all (NULL). The page cuts a roof at the
 * ceiling that is shown. */
static void report_plots_add_roofs(struct layers *layers, const struct model *model, struct chart_options *options,
                                   const char *isa) {
    struct error ignored;
    options->isa = isa;
    layers->when.isa = isa ? isa : "";
    options->type = report_plots_add_ceilings(layers, model, options);
    layers->wanted = 1U << PART_LEVELS;
    if (options->type)
        chart_roofline(model, options, NULL, &ignored);
}

static void report_plots_add_place(struct layers *layers, const struct model *model, struct chart_options options) {
    static const unsigned OF_POINTS[] = {1U << PART_BASE | 1U << PART_MIXED, 1U << PART_OUTLINES};
    const struct choices when = layers->when;
    struct error ignored;
    for (int outlines = 0; outlines < 2; outlines++)
        for (size_t t = 0; t < layers->parts->types.count; t++) {
            options.type = layers->when.type = layers->parts->types.list[t];
            options.dram = outlines;
            layers->wanted = OF_POINTS[outlines];
            if (!outlines || model->result->point_count)
                chart_roofline(model, &options, NULL, &ignored);
        }
    layers->when = when;
    options.dram = false;
    options.no_points = true;
    report_plots_add_roofs(layers, model, &options, NULL);
    for (size_t i = 0; i < layers->parts->isas.count; i++)
        report_plots_add_roofs(layers, model, &options, layers->parts->isas.list[i]);
}

/* The columns of a chart's layers: between series and plot are the names of controls. */
static json_t *chart_json(const char *name, const char *tip, json_t *rows) {
    return json_pack("{s:s,s:s,s:[s,s,s,s,s],s:o}", "name", name, "list", tip, "columns", "series", "type", "isa",
                     "more", "plot", "rows", rows);
}

/* Text for the guide from a chosen application to its own roof: keys of its record, and words around them. */
static json_t *guide_json(void) {
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s}", "ratio", "ratio", "whole", "seconds", "of", "ratio_of", "label",
                     "{ratio} of {of} · {there}, not {whole}", "below",
                     "{ratio} of its {of} roof; at that roof it would take {there} instead of {whole}", "above",
                     "{ratio} of its {of} roof, so it is above that roof: {whole}");
}

/* The first choices apply to the whole page, so they choose among layers and not here. */
static struct chart_options options_of(struct layers *layers) {
    const struct chart_options *first = layers->parts->options;
    layers->when = (struct choices){0};
    return (struct chart_options){.points = first->points,
                                  .page = true,
                                  .op = first->op,
                                  .all_ceilings = first->all_ceilings,
                                  .joined = first->joined,
                                  .unjoined = first->unjoined,
                                  .no_points = first->no_points,
                                  .take = report_plots_take,
                                  .taker = layers};
}

static json_t *roofline_json(struct layers *layers) {
    int series = 0;
    layers->rows = json_array();
    for (size_t r = 0; r < layers->parts->count; r++) {
        const struct report_result *result = &layers->parts->results[r];
        layers->seeker.model = result->source->model;
        for (size_t p = 0; p < (result->place_count ? result->place_count : 1); p++, series++) {
            layers->series = json_integer(series);
            struct chart_options options = options_of(layers);
            options.place = &result->places[p];
            report_plots_add_place(layers, result->source->model, options);
            json_decref(layers->series);
        }
    }
    json_t *chart = chart_json("roofline", "roofs", layers->rows);
    json_object_set_new(chart, "guide", guide_json());
    return chart;
}

/* One plot per result, whichever of its places is shown. */
static json_t *report_plots_curves_json(struct layers *layers, const char *name,
                                        bool (*draw)(const struct model *model, const struct chart_options *options,
                                                     const char *path, struct error *err)) {
    struct error ignored;
    int series = 0;
    layers->rows = json_array();
    layers->wanted = 0;
    for (size_t r = 0; r < layers->parts->count; r++) {
        const struct report_result *result = &layers->parts->results[r];
        layers->seeker.model = result->source->model;
        layers->series = json_array();
        for (size_t p = 0; p < (result->place_count ? result->place_count : 1); p++)
            json_array_append_new(layers->series, json_integer(series++));
        struct chart_options options = options_of(layers);
        draw(result->source->model, &options, NULL, &ignored);
        json_decref(layers->series);
    }
    return chart_json(name, name, layers->rows);
}

bool report_plots_json(struct report_parts *parts, json_t *report) {
    struct layers layers = {.parts = parts};
    if (!plot_pool_begin(&layers.pool, find_origin))
        return false;
    layers.seeker.options = parts->options;
    layers.pool.context = &layers.seeker;
    json_t *charts = json_array();
    json_array_append_new(charts, roofline_json(&layers));
    parts->has_outlines = layers.made & 1U << PART_OUTLINES;
    json_array_append_new(charts, report_plots_curves_json(&layers, "bandwidth", chart_sweep));
    json_array_append_new(charts, report_plots_curves_json(&layers, "latency", chart_latency));
    json_object_set_new(report, "charts", charts);
    json_object_set_new(report, "plots", plot_pool_end(&layers.pool));
    return true;
}
