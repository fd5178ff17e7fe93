/* SPDX-License-Identifier: BSD-3-Clause
 * The roofline: roofs, ceilings and applications over arithmetic intensity; and the original one, over the flop per
 * byte that passes between caches and memory. */
#include <string.h>

#include "chart_points.h"
#include "chart_validation.h"
#include "fitting.h"
#include "report.h"

enum { MOST_PLACES = 64 };

/* The place to draw: what the options name, else the most threads of the whole machine, without SMT where there is
 * both. False when the result has no such place. */
static bool choose_place(const struct model *model, const struct chart_options *options, unsigned threads,
                         struct model_view *out) {
    struct model_view places[MOST_PLACES];
    size_t count = model_places(model, places, MOST_PLACES);
    bool found = false;
    *out = (struct model_view){.threads = threads};
    for (size_t i = 0; i < count; i++) { /* by rising threads */
        const struct model_view *place = &places[i];
        bool parts = options->package || options->node;
        if (place->memory_node || (threads && place->threads != threads) ||
            (!parts && (place->package || place->node)) || (options->package && place->package != options->package) ||
            (options->node && place->node != options->node) ||
            (found && place->smt && !out->smt && place->threads == out->threads))
            continue;
        *out = *place;
        found = true;
    }
    out->core_kind = NULL; /* the peak decides */
    /* Only what was asked for: a node that is a package too has other memory under the node's name alone. */
    out->package = options->package;
    out->node = options->node;
    return found;
}

bool chart_view(const struct model *model, const struct chart_options *options, struct model_view *view,
                struct error *err) {
    bool parts = options->package || options->node;
    struct model_view of_points = {.threads = options->threads, .type = "f64"};
    if (!parts)
        points_view(model, options, &of_points);
    if (!choose_place(model, options, of_points.threads, view) && parts)
        return error_set(err,
                         "the result holds no roofs of that part of the machine; `carmine show FILE` lists what it "
                         "holds");
    view->isa = options->isa;
    view->type = options->type ? options->type : of_points.type;
    const struct roof *peak = model_peak(model, view);
    if (!peak)
        return error_set(err,
                         "the result holds no %s compute ceiling%s%s (of %u threads); `carmine show FILE` lists what "
                         "it holds",
                         view->type, options->isa ? " of " : "", options->isa ? options->isa : "", view->threads);
    view->core_kind = peak->sample->core_kind;
    return true;
}

static void write_title(const struct roofs *roofs, char *out, size_t size) {
    char name[160], place[128];
    const struct model_view *view = &roofs->view;
    struct sample where = *roofs->peak->sample;
    where.core_kind[0] = '\0'; /* said with the number */
    model_place_text(&where, place, sizeof place);
    const char *cpu = report_cpu_name(roofs->model->result, name, sizeof name);
    if (view->threads == 0) /* of a GPU, or not told by another tool */
        snprintf(out, size, "%s · %s", cpu, view->type);
    else
        snprintf(out, size, "%s · %u %s%s%s%s%s%s · %s", cpu, view->threads, view->core_kind,
                 *view->core_kind ? " " : "", view->smt ? "thread" : "core", view->threads == 1 ? "" : "s",
                 *place ? " · " : "", place, view->type);
}

static const char *footer_of(const struct roofs *roofs, bool points, bool rings) {
    if (roofs->traffic)
        return "Bytes are those that pass between caches and memory, write-allocate and write-back included. The "
               "memory's roof is the pattern that moves most; its band reaches down to the one that moves least. Boxes "
               "reach from quartile to quartile, whiskers to the extremes.";
    if (points)
        return "Points: medians, with boxes from quartile to quartile and whiskers to the extremes, and how much of "
               "the "
               "roof they reach that fits their own loads, stores and vector width. Bytes are those that the core asks "
               "for; write-allocate is not counted.";
    if (rings)
        return "Rings: kernels that load and compute, at their own clock; loads alone run at a higher one where heavy "
               "vector code lowers it. Bytes are those that the core asks for. Per cycle and core, at the clock under "
               "load.";
    return "A level's roof is its best access pattern, its band reaches down to the weakest. Bytes are those that the "
           "core asks for; write-allocate is not counted. Per cycle and core, at the clock under load.";
}

/* Appends a list to another, and returns the length of both. */
static size_t append(void *list, size_t count, const void *more, size_t more_count, size_t size) {
    memcpy((char *)list + count * size, more, more_count * size);
    return count + more_count;
}

static bool draw(const struct model *model, const struct chart_options *options, bool traffic, const char *path,
                 struct error *err) {
    struct roofs roofs = {.model = model, .traffic = traffic};
    struct model_view place;
    struct points points;
    struct plot_line lines[ROOFS_MOST_LINES + POINTS_MOST];
    struct plot_point markers[CHART_MAX_RINGS + 2 * POINTS_MOST];
    char title[256], subtitle[512], x_title[128], note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[POINTS_MOST_NOTES + CHART_MAX_NOTES];
    if (!chart_view(model, options, &roofs.view, err))
        return false;
    place = roofs.view;
    place.isa = NULL;
    const struct levels levels = model_levels(model, &place);
    roofs.all_levels = &levels;
    roofs_find(&roofs, options);
    if (traffic && roofs.level_count == 0)
        return error_set(err, "the result holds no bandwidth of a memory%s; `carmine run` measures it",
                         options->op ? " in that pattern" : "");
    if (options->op && roofs.level_count == 0)
        return error_set(err, "the result holds no roof of the pattern %s; `carmine show FILE` lists what it holds",
                         options->op);
    if (!points_find(&roofs, options, &points, err))
        return false;
    size_t ring_count = traffic ? 0 : chart_validation(model, &roofs.view, &roofs.x, &roofs.y, markers);
    roofs_draw(&roofs);
    size_t line_count = append(lines, 0, roofs.lines, roofs.line_count, sizeof lines[0]);
    line_count = append(lines, line_count, points.links, points.outline_count, sizeof lines[0]);
    size_t marker_count = append(markers, ring_count, points.outlines, points.outline_count, sizeof markers[0]);
    marker_count = append(markers, marker_count, points.points, points.count, sizeof markers[0]);
    size_t note_count = append(notes, 0, points.notes, points.note_count, sizeof notes[0]);
    note_count += chart_notes(model->result, roofs.drawn, roofs.line_count, note_text, notes + note_count);
    if (traffic && points.traffic_source) {
        snprintf(x_title, sizeof x_title, "Operational intensity  [flop per byte between caches and memory, %s]",
                 points.traffic_source);
        roofs.x.title = x_title;
    }
    if (points.outline_count) /* two kinds of bytes stand on one axis */
        roofs.x.title = "Intensity  [flop per byte: filled, requested by the core; outlined, from and to DRAM]";
    write_title(&roofs, title, sizeof title);
    report_conditions_line(model->result, subtitle, sizeof subtitle);
    struct plot plot = {
        .title = title,
        .subtitle = subtitle,
        .note_count = note_count,
        .notes = notes,
        .x = roofs.x,
        .y = roofs.y,
        .band_count = roofs.band_count,
        .bands = roofs.bands,
        .line_count = line_count,
        .lines = lines,
        .mark_count = roofs.level_count,
        .marks = roofs.marks,
        .point_count = marker_count,
        .points = markers,
        .footer = footer_of(&roofs, points.count > 0, ring_count > 0),
    };
    return chart_write(&plot, options, path, err);
}

/* Imported roofs may tell of nothing but what a memory moves. */
static bool is_of_traffic(const struct model *model) {
    bool traffic = false;
    for (size_t i = 0; i < model->count; i++) {
        const struct fitting_share share = fitting_share(&model->roofs[i]);
        if (share.load + share.store > 0)
            return false;
        traffic |= share.read > 0;
    }
    return traffic;
}

bool chart_roofline(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err) {
    return draw(model, options, is_of_traffic(model), path, err);
}

bool chart_dram(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return draw(model, options, true, path, err);
}
