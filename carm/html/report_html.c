/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML report: title, a picture for readers without JavaScript, and the data. */
#include "html.h"
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carm/chart/chart_compare.h"
#include "carm/model/describe.h"
#include "carm/report/report.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/text_stream.h"

bool report_html_wanted(const char *path) {
    size_t length = strlen(path), ending = strlen(".html");
    return length > ending && strcasecmp(path + length - ending, ".html") == 0;
}

/* Draws the roofline, else a sweep of the result; NULL: nothing can be drawn. */
static char *draw_one(const struct model *model, const struct chart_options *options) {
    static bool (*const CHARTS[])(const struct model *, const struct chart_options *, const char *,
                                  struct error *) = {chart_roofline, chart_sweep, chart_latency};
    struct error ignored;
    for (size_t i = 0; i < sizeof CHARTS / sizeof CHARTS[0]; i++)
        if (CHARTS[i](model, options, NULL, &ignored))
            return *options->svg;
    return NULL;
}

/* Draws the rooflines over each other, or for many machines the ratios; NULL: nothing can be drawn. */
static char *draw_several(const struct comparison *comparison, unsigned cores, const struct chart_options *options) {
    const struct picture_view view = {.type = options->type, .cores = cores};
    struct error ignored;
    const bool done = chart_overlay(comparison, &view, options, NULL, &ignored) ||
                      chart_ratios(comparison, &view, options, NULL, &ignored);
    return done ? *options->svg : NULL;
}

bool report_html_takes(size_t count, const struct chart_options *options, struct error *err) {
    if (count > REPORT_MOST)
        return error_set(
            err,
            "a report of %zu results is too large for a browser: name at most %d, or make a page of all with "
            "`carmine fleet DIR --plot FILE.html`",
            count, REPORT_MOST);
    return count <= REPORT_WHOLE || !(options->isa || options->op || options->node || options->package) ||
           error_set(err,
                     "--isa, --roof and --place need all roofs of each result, and a report of more than %d "
                     "results has the best ones: name fewer files",
                     REPORT_WHOLE);
}

/* Copies of the sides of a comparison for a report of many: of each the headline roofs of one core and of all cores,
 * and points only if options.points names some. They share samples and points with the originals. */
struct brief {
    size_t count;
    struct result *results;
    struct model *models;
    struct compare_side *sides;
};

static bool is_headline(const struct comparison *c, size_t side, const struct roof *roof) {
    bool any = false;
    for (size_t i = 0; i < c->headline_count && !any; i++) {
        const struct compare_row *row = &c->headlines[i];
        any = row->roofs[side] == roof && (row->key.cores == 1 || row->key.cores == ROOF_ALL_CORES);
    }
    return any;
}

static void make_brief(const struct comparison *c, const struct chart_options *options, struct brief *out) {
    *out = (struct brief){.count = c->side_count,
                          .results = need_calloc(c->side_count, sizeof *out->results),
                          .models = need_calloc(c->side_count, sizeof *out->models),
                          .sides = need_calloc(c->side_count, sizeof *out->sides)};
    for (size_t i = 0; i < c->side_count; i++) {
        const struct model *model = c->sides[i].model;
        struct model *few = &out->models[i];
        out->results[i] = *model->result;
        out->results[i].curve_count = out->results[i].validation_count = out->results[i].annotation_count = 0;
        if (!options->points)
            out->results[i].point_count = 0;
        *few = *model;
        few->result = &out->results[i];
        few->roofs = need_calloc(model->count + 1, sizeof *few->roofs);
        few->count = 0;
        for (size_t r = 0; r < model->count; r++)
            if (is_headline(c, i, &model->roofs[r]))
                few->roofs[few->count++] = model->roofs[r];
        out->sides[i] = c->sides[i];
        out->sides[i].model = few;
    }
}

static void free_brief(struct brief *brief) {
    for (size_t i = 0; i < brief->count; i++)
        free(brief->models[i].roofs);
    free(brief->results);
    free(brief->models);
    free(brief->sides);
}

/* A picture among others: its clipping area has a name of its own. */
static void print_picture(const char *svg, size_t number, FILE *out) {
    static const char AREA[] = "plot-area";
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Picture\">", out);
    for (const char *found; (found = strstr(svg, AREA)); svg = found + strlen(AREA))
        fprintf(out, "%.*s%s-%zu", (int)(found - svg), svg, AREA, number);
    fprintf(out, "%s</div>\n", svg);
}

/* Sections with pictures of the first results that have data for them. They are no charts of the script, which draws
 * logarithmic axes only. */
struct picture_section {
    const char *id, *title;
    struct {
        bool (*draw)(const struct model *, const struct chart_options *, const char *, struct error *);
        const char *of;
    } charts[8];
};
static const struct picture_section SECTIONS[] = {{"phases", "Programs over time", {{chart_phases, NULL}}},
                                                  {"loops", "Why a loop is not faster", {{chart_loops, NULL}}},
                                                  {"memory",
                                                   "Memory under load",
                                                   {{chart_loaded, "dram"},
                                                    {chart_loaded, "l2"},
                                                    {chart_loaded, "l3"},
                                                    {chart_loaded, "l4"},
                                                    {chart_chases, NULL},
                                                    {chart_handover, NULL},
                                                    {chart_pages, NULL}}},
                                                  {"core", "The core's instructions", {{chart_core, NULL}}}};

static void print_section(const struct picture_section *section, const struct report_parts *parts,
                          struct chart_options options, size_t *pictures, FILE *out) {
    enum { MOST_RESULTS = 4 };
    const size_t before = *pictures;
    char *svg = NULL;
    struct error ignored;
    options.svg = &svg;
    for (size_t i = 0; i < parts->count && i < MOST_RESULTS; i++)
        for (size_t c = 0; section->charts[c].draw; c++) {
            options.of = section->charts[c].of;
            if (!section->charts[c].draw(parts->results[i].source->model, &options, NULL, &ignored))
                continue;
            if (*pictures == before)
                fprintf(out,
                        "<section id=\"%s\" aria-labelledby=\"%s-name\">\n<div class=\"bar\"><h2 "
                        "id=\"%s-name\">%s</h2></div>\n",
                        section->id, section->id, section->id, section->title);
            print_picture(svg, ++*pictures, out);
            free(svg);
        }
    if (*pictures > before)
        fputs("</section>\n\n", out);
}

/* "" without data. */
static char *picture_sections(const struct report_parts *parts, const struct chart_options *options) {
    char *text;
    size_t length, pictures = 0;
    FILE *out = need_made(text_stream(&text, &length));
    for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++)
        print_section(&SECTIONS[i], parts, *options, &pictures, out);
    if (!text_stream_close(out))
        need_end();
    return text;
}

static bool write_page(const struct comparison *comparison, const struct chart_options *options, const char *path,
                       struct error *err) {
    const struct result *first = comparison->sides[0].model->result;
    const size_t count = comparison->side_count;
    char title[160], *svg = NULL;
    struct chart_options to_text = *options;
    struct report_parts parts;
    to_text.svg = &svg;
    if (count > 1)
        snprintf(title, sizeof title, "%zu machines", count);
    else
        describe_cpu(first, title, sizeof title);
    report_parts_find(comparison, options, &parts);
    json_t *data = report_data_json(&parts);
    char *data_text = need_made(json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6)));
    char *picture = count > 1 ? draw_several(comparison, parts.first_cores, &to_text)
                              : draw_one(comparison->sides[0].model, &to_text);
    char *sections = picture_sections(&parts, options);
    const bool done = html_write(
        &(struct html_page){.title = title, .sections = sections, .picture = picture ? picture : "", .data = data_text},
        path, err);
    free(sections);
    json_decref(data);
    report_parts_free(&parts);
    free(picture);
    free(data_text);
    return done;
}

bool report_html_write(const struct model *models, char *const *files, size_t count,
                       const struct chart_options *options, const char *path, struct error *err) {
    struct compare_side *sides = need_calloc(count, sizeof *sides);
    struct brief brief = {0};
    for (size_t i = 0; i < count; i++)
        sides[i] = (struct compare_side){.model = &models[i], .path = files[i]};
    compare_label(sides, count);
    struct comparison whole = compare_make(sides, count, 0);
    if (count > REPORT_WHOLE)
        make_brief(&whole, options, &brief);
    struct comparison few = compare_make(brief.sides, brief.count, 0);
    const bool done = write_page(brief.count ? &few : &whole, options, path, err);
    compare_free(&few);
    compare_free(&whole);
    free_brief(&brief);
    free(sides);
    return done;
}
