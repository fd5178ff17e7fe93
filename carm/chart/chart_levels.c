/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic between levels in a roofline: each application is a row of marks at its performance, one for each link at its
 * flop per byte of that link. The link that binds it is filled, and joined to its own roof. */
#include "chart.h"
#include "chart_link_rows.h"

#include <stdlib.h>

#include "carm/model/describe.h"
#include "carm/model/verdict_words.h"
#include "probe/need.h"
#include "render/page/units.h"

static const struct link_rows_text TEXT = {
    .x_title = "Intensity  [flop per byte that passes over the link]",
    .y_title = "Performance  [Gflop/s]",
    .divisor = 1e9,
    .footer = "Each application is a row of marks at its performance, one per link at its flop per byte of that "
              "link. Filled: the link that needs the longest; a dashed line leads to its own roof. Bands: what a "
              "link was measured to move of such traffic as the applications have. Bytes are simulated.",
};

static void describe_row(struct link_row *row, const struct verdict *verdict) {
    char words[VERDICT_WORDS_BYTES];
    snprintf(row->sublabel, sizeof row->sublabel, "%s%s %.0f %%", verdict->why == VERDICT_WAITS ? "waits; " : "",
             row->longest >= 0 ? row->times.link[row->longest].level : "compute", 100 * verdict->ratio);
    snprintf(row->detail, sizeof row->detail, "%s: %s.", row->point->name, verdict_words(verdict, row->point, words));
}

/* Those of the view's threads that have flop and links. */
static void find_rows(struct link_rows *rows, const struct chart_options *options) {
    const struct result *result = rows->model->result;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct applicable_roofs applicable;
        if (point->levels.links == 0 || !points_chosen(point, options) ||
            !applicable_make(rows->model, point, &applicable) || applicable.view.threads != rows->view.threads)
            continue;
        const struct verdict verdict = verdict_find(rows->model, point);
        struct link_row *row = verdict.basis == VERDICT_BY_LINKS ? link_rows_add(rows) : NULL;
        if (!row)
            continue;
        row->point = point;
        row->times = verdict.times;
        row->work = point->flop.median, row->per_s = app_flop_per_s(point);
        row->longest = verdict.times.longest, row->ratio = verdict.ratio;
        describe_row(row, &verdict);
    }
}

static void write_texts(struct link_rows *rows) {
    const struct roof *peak = model_peak(rows->model, &rows->view);
    struct link_ceiling *ceiling = &rows->ceilings[rows->ceiling_count++];
    char name[160], rate[UNITS_BYTES];
    ceiling->value = peak->sample->value;
    chart_label(peak, name, sizeof name);
    snprintf(ceiling->label, sizeof ceiling->label, "%.80s  %s", name,
             units_si(rate, sizeof rate, ceiling->value, "flop/s"));
    snprintf(rows->title, sizeof rows->title, "%s · %u thread%s · %s · traffic between levels",
             describe_cpu(rows->model->result, name, sizeof name), rows->view.threads,
             rows->view.threads == 1 ? "" : "s", rows->view.type);
}

bool chart_levels(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct link_rows *rows = need_calloc(1, sizeof *rows);
    rows->model = model;
    bool done = chart_view(model, options, &rows->view, err);
    if (done) {
        find_rows(rows, options);
        done = rows->row_count > 0 ||
               error_set(err,
                         "the result holds no application of %u thread%s whose traffic between levels is known: "
                         "`carmine app --levels -o FILE` simulates it",
                         rows->view.threads, rows->view.threads == 1 ? "" : "s");
    }
    if (done) {
        write_texts(rows);
        done = link_rows_write(rows, &TEXT, options, path, err);
    }
    free(rows);
    return done;
}
