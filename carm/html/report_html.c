/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML report: title, a picture for readers without JavaScript, and the data. */
#include "report_html.h"
#include "html.h"
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carm/chart/chart_compare.h"
#include "carm/model/describe.h"
#include "carm/report/report.h"
#include "carm/store/file_io.h"
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
            "`carmine fleet DIR --html FILE`",
            count, REPORT_MOST);
    return count <= REPORT_WHOLE || !(options->isa || options->op || options->node || options->package) ||
           error_set(err,
                     "--isa, --roof, --node and --package need all roofs of each result, and a report of more than %d "
                     "results has the best ones: name fewer files",
                     REPORT_WHOLE);
}

/* The caller frees the page's text. */
static char *page_text(const struct comparison *comparison, const struct chart_options *options, size_t *length) {
    const struct result *first = comparison->sides[0].model->result;
    const size_t count = comparison->side_count;
    char title[160], *text = NULL, *svg = NULL;
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
    FILE *out = need_made(text_stream(&text, length));
    const bool printed =
        html_print(&(struct html_page){.title = title, .picture = picture ? picture : "", .data = data_text}, out);
    if (!text_stream_close(out) || !printed)
        need_end();
    json_decref(data);
    report_parts_free(&parts);
    free(picture);
    free(data_text);
    return text;
}

bool report_html_write(const struct model *models, char *const *files, size_t count,
                       const struct chart_options *options, const char *path, struct error *err) {
    struct compare_side *sides = need_calloc(count, sizeof *sides);
    struct report_brief brief = {0};
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        sides[i] = (struct compare_side){.model = &models[i], .path = files[i]};
    compare_label(sides, count);
    struct comparison whole = compare_make(sides, count, 0);
    if (count > REPORT_WHOLE)
        report_brief_make(&whole, options, &brief);
    struct comparison few = compare_make(brief.sides, brief.count, 0);
    char *text = page_text(brief.count ? &few : &whole, options, &length);
    const bool done = file_write(path, text, length, false, err);
    compare_free(&few);
    compare_free(&whole);
    report_brief_free(&brief);
    free(text);
    free(sides);
    return done;
}
