/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML report: title, a picture for readers without JavaScript, and the data. */
#include "report_html.h"
#include "html.h"
#include "report_data.h"

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
static char *draw_several(const struct comparison *comparison, const struct chart_options *options) {
    const struct picture_view view = {.type = options->type, .cores = report_cores(comparison, options)};
    struct error ignored;
    const bool done = chart_overlay(comparison, &view, options, NULL, &ignored) ||
                      chart_ratios(comparison, &view, options, NULL, &ignored);
    return done ? *options->svg : NULL;
}

bool report_html_write(const struct model *models, char *const *files, size_t count,
                       const struct chart_options *options, const char *path, struct error *err) {
    char title[160], *text = NULL, *svg = NULL;
    size_t length = 0;
    struct chart_options to_text = *options;
    struct compare_side *sides = need_calloc(count, sizeof *sides);
    for (size_t i = 0; i < count; i++)
        sides[i] = (struct compare_side){.model = &models[i], .path = files[i]};
    compare_label(sides, count);
    to_text.svg = &svg;
    if (count > 1)
        snprintf(title, sizeof title, "%zu machines", count);
    else
        describe_cpu(models[0].result, title, sizeof title);

    struct comparison comparison = compare_make(sides, count, 0);
    json_t *data = report_data_json(&comparison, options);
    char *data_text = need_made(json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6)));
    char *picture = count > 1 ? draw_several(&comparison, &to_text) : draw_one(&models[0], &to_text);
    FILE *out = need_made(text_stream(&text, &length));
    const bool printed =
        html_print(&(struct html_page){.title = title, .picture = picture ? picture : "", .data = data_text}, out);
    if (!text_stream_close(out) || !printed)
        need_end();
    const bool done = file_write(path, text, length, false, err);
    json_decref(data);
    compare_free(&comparison);
    free(text);
    free(picture);
    free(data_text);
    free(sides);
    return done;
}
