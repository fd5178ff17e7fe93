/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic between levels in a roofline: each application is a row of marks at its performance, one for each link at its
 * flop per byte of that link. The link that binds it is filled, and joined to its own roof. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/marks/chart_points.h"
#include "carm/marks/chart_values.h"
#include "carm/model/describe.h"
#include "carm/model/verdict_words.h"
#include "chart.h"
#include "probe/need.h"
#include "render/page/units.h"

enum { MAX_ROWS = 12, LABEL_BYTES = 128, MAX_MARKS = MAX_ROWS * POINT_LINKS_MAX, MAX_LINES = 2 * MAX_ROWS + 8 };
static const double BEYOND = 16;     /* times the rightmost ridge: what lies further right is an arrow's end */
static const double MATTERS = 0.005; /* of its time: a link whose own roof widens the band */
static const double MARGIN = 1.6, RADIUS = 4.6, AROUND = 3; /* points: of a mark, and more of one around another */
static const double SAME_PLACE = 0.06;                      /* of the logarithm of intensity: a mark's width, about */

/* One application, and what is known of its links. */
struct level_row {
    const struct app_point *point;
    struct verdict verdict;
};

/* What a link was measured to move of such traffic as the applications have. */
struct level_band {
    char name[24], label[LABEL_BYTES];
    double low, high; /* bytes/s; 0: not known */
    struct plot_color color;
    double x[3], y[3], y_low[3];
};

/* What the picture borrows. */
struct level_chart {
    const struct model *model;
    struct model_view view;
    struct levels levels;
    double peak; /* flop/s */
    size_t row_count, left_out;
    struct level_row rows[MAX_ROWS];
    unsigned links;
    bool told[POINT_LINKS_MAX]; /* in the legend */
    struct level_band bands[POINT_LINKS_MAX];
    struct plot_axis x, y;
    size_t line_count, point_count, band_count;
    struct plot_line lines[MAX_LINES];
    struct plot_band plot_bands[POINT_LINKS_MAX];
    struct plot_point points[MAX_MARKS];
    double row_x[MAX_ROWS][2], row_y[MAX_ROWS][2], stem_x[MAX_ROWS][2], stem_y[MAX_ROWS][2], peak_x[2], peak_y[2];
    char sublabels[MAX_ROWS][LABEL_BYTES], details[MAX_ROWS][POINTS_DETAIL_BYTES], peak_label[LABEL_BYTES];
    char title[256], subtitle[512], note[128];
};

/* Those of the view's threads that have flop and links. */
static void find_rows(struct level_chart *chart, const struct chart_options *options) {
    const struct result *result = chart->model->result;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct applicable_roofs applicable;
        if (point->levels.links == 0 || !points_chosen(point, options) ||
            !applicable_make(chart->model, point, &applicable) || applicable.view.threads != chart->view.threads)
            continue;
        const struct verdict verdict = verdict_find(chart->model, point);
        if (verdict.basis != VERDICT_BY_LINKS)
            continue;
        if (chart->row_count == MAX_ROWS) {
            chart->left_out++;
            continue;
        }
        chart->rows[chart->row_count++] = (struct level_row){point, verdict};
        if (verdict.times.count > chart->links)
            chart->links = verdict.times.count;
    }
}

static struct plot_color link_color(const struct level_chart *chart, unsigned link) {
    const unsigned count = chart->levels.count > 0 ? chart->levels.count : 1;
    const unsigned index = link + 1 == chart->links || link >= count ? count - 1 : link;
    return chart_level_color(&chart->levels, index);
}

static void find_bands(struct level_chart *chart) {
    for (unsigned i = 0; i < chart->links; i++) {
        struct level_band *band = &chart->bands[i];
        band->color = link_color(chart, i);
        for (size_t r = 0; r < chart->row_count; r++) {
            const struct link_times *times = &chart->rows[r].verdict.times;
            const struct link_time *link = &times->link[i];
            if (i >= times->count || !link->roof || (link->share < MATTERS && band->high > 0))
                continue;
            if (link->share >= MATTERS || !*band->name)
                snprintf(band->name, sizeof band->name, "%s", link->name);
            band->low = band->low > 0 ? fmin(band->low, link->allowed_bytes_per_s) : link->allowed_bytes_per_s;
            band->high = fmax(band->high, link->allowed_bytes_per_s);
        }
    }
}

static void widen(struct plot_axis *axis, double value) {
    axis->min = fmin(axis->min, value / MARGIN);
    axis->max = fmax(axis->max, value * MARGIN);
}

static void find_axes(struct level_chart *chart) {
    double ridge = 0;
    chart->x = (struct plot_axis){.title = "Intensity  [flop per byte that passes over the link]",
                                  .scale = PLOT_LOG2,
                                  .unit = PLOT_UNIT_FRACTION,
                                  .min = INFINITY};
    chart->y = (struct plot_axis){
        .title = "Performance  [Gflop/s]", .scale = PLOT_LOG10, .min = INFINITY, .max = 0, .divisor = 1e9};
    for (unsigned i = 0; i < chart->links; i++)
        if (chart->bands[i].low > 0)
            ridge = fmax(ridge, chart->peak / chart->bands[i].low);
    for (size_t r = 0; r < chart->row_count; r++) {
        const struct link_times *times = &chart->rows[r].verdict.times;
        widen(&chart->y, app_flop_per_s(chart->rows[r].point));
        for (unsigned i = 0; i < times->count; i++)
            if (times->link[i].flop_per_byte > 0 && times->link[i].flop_per_byte < ridge * BEYOND)
                widen(&chart->x, times->link[i].flop_per_byte);
    }
    widen(&chart->x, ridge);
    widen(&chart->y, chart->peak);
}

static void add_line(struct level_chart *chart, struct plot_line line) {
    chart->lines[chart->line_count++] = line;
}

/* From the left edge up to the peak, and on along it. */
static void add_band(struct level_chart *chart, unsigned i) {
    struct level_band *band = &chart->bands[i];
    char low[UNITS_BYTES], high[UNITS_BYTES];
    if (!(band->high > 0))
        return;
    const double left = chart->x.min, ridge = chart->peak / band->high, low_ridge = chart->peak / band->low;
    units_si(high, sizeof high, band->high, "B/s");
    units_si(low, sizeof low, band->low, "B/s");
    if (strcmp(low, high) == 0)
        snprintf(band->label, sizeof band->label, "%s  %s", band->name, high);
    else
        snprintf(band->label, sizeof band->label, "%s  %s to %s", band->name, low, high);
    band->x[0] = left, band->x[1] = fmax(left, ridge), band->x[2] = fmax(left, low_ridge);
    for (size_t k = 0; k < 3; k++) {
        band->y[k] = fmin(chart->peak, band->high * band->x[k]);
        band->y_low[k] = fmin(chart->peak, band->low * band->x[k]);
    }
    add_line(chart, (struct plot_line){.count = 2,
                                       .x = band->x,
                                       .y = band->y,
                                       .color = band->color,
                                       .label = band->label,
                                       .priority = 100 - (int)i});
    struct plot_color faint = band->color;
    faint.a = 0.12;
    chart->plot_bands[chart->band_count++] =
        (struct plot_band){.count = 3, .x = band->x, .y_low = band->y_low, .y_high = band->y, .color = faint};
}

static void add_peak(struct level_chart *chart, const struct roof *peak) {
    char name[64], rate[UNITS_BYTES];
    double first = chart->x.max;
    for (unsigned i = 0; i < chart->links; i++)
        if (chart->bands[i].high > 0)
            first = fmin(first, chart->peak / chart->bands[i].high);
    chart_label(peak, name, sizeof name);
    snprintf(chart->peak_label, sizeof chart->peak_label, "%s  %s", name,
             units_si(rate, sizeof rate, chart->peak, "flop/s"));
    chart->peak_x[0] = fmax(first, chart->x.min), chart->peak_x[1] = chart->x.max;
    chart->peak_y[0] = chart->peak_y[1] = chart->peak;
    add_line(chart, (struct plot_line){.count = 2,
                                       .x = chart->peak_x,
                                       .y = chart->peak_y,
                                       .color = {0.35, 0.35, 0.35, 1},
                                       .label = chart->peak_label,
                                       .priority = 200});
}

/* The mark that its name stands beside: the binding link's, else the core's. */
static unsigned main_link(const struct level_row *row) {
    const int longest = row->verdict.times.longest;
    return longest > 0 ? (unsigned)longest : 0;
}

static void describe_row(struct level_chart *chart, size_t r) {
    const struct level_row *row = &chart->rows[r];
    const struct verdict *verdict = &row->verdict;
    char words[VERDICT_WORDS_BYTES];
    const int longest = verdict->times.longest;
    snprintf(chart->sublabels[r], LABEL_BYTES, "%s%s %.0f %%", verdict->why == VERDICT_WAITS ? "waits; " : "",
             longest >= 0 ? verdict->times.link[longest].level : "compute", 100 * verdict->ratio);
    snprintf(chart->details[r], POINTS_DETAIL_BYTES, "%s: %s.", row->point->name,
             verdict_words(verdict, row->point, words));
}

/* Parts of the only program that is drawn go without its name. */
static const char *label_of(const struct level_chart *chart, const struct app_point *point) {
    const size_t own = strlen(point->program);
    for (size_t r = 0; r < chart->row_count; r++)
        if (strcmp(chart->rows[r].point->program, point->program) != 0)
            return point->name;
    return strncmp(point->name, point->program, own) == 0 && point->name[own] == '/' ? point->name + own + 1
                                                                                     : point->name;
}

/* How many marks of the row lie on this one, so that it has to be seen around them: later ones, and the filled one. */
static unsigned marks_upon(const struct link_times *times, unsigned i) {
    unsigned upon = 0;
    for (unsigned k = 0; k < times->count && (int)i != times->longest; k++)
        upon += (k > i || (int)k == times->longest) && k != i && times->link[k].flop_per_byte > 0 &&
                fabs(log(times->link[k].flop_per_byte / times->link[i].flop_per_byte)) < SAME_PLACE;
    return upon;
}

static bool is_drawn(const struct level_chart *chart, size_t r, unsigned i) {
    const struct link_time *link = &chart->rows[r].verdict.times.link[i];
    return link->flop_per_byte > 0 && link->flop_per_byte <= chart->x.max;
}

/* The first one of a link stands in the legend. */
static void add_mark(struct level_chart *chart, size_t r, unsigned i) {
    const struct level_row *row = &chart->rows[r];
    const struct link_times *times = &row->verdict.times;
    const bool is_main = i == main_link(row), binds = (int)i == times->longest;
    chart->points[chart->point_count++] =
        (struct plot_point){.x = times->link[i].flop_per_byte,
                            .y = app_flop_per_s(row->point),
                            .radius = binds ? RADIUS + 0.8 : RADIUS + AROUND * marks_upon(times, i),
                            .shape = (enum plot_shape)(i % PLOT_SHAPES),
                            .hollow = !binds,
                            .color = link_color(chart, i),
                            .label = is_main ? label_of(chart, row->point) : NULL,
                            .sublabel = is_main ? chart->sublabels[r] : NULL,
                            .priority = (int)(100 * fmin(1, row->point->time_share)),
                            .legend = chart->told[i] ? NULL : chart->bands[i].name,
                            .detail = chart->details[r],
                            .source = row->point};
    chart->told[i] = true;
}

/* Link by link, as the legend tells them, as far as the axes reach; then the filled ones, so that they are seen. A link
 * that is only drawn filled has its place among the others all the same. */
static void add_marks(struct level_chart *chart) {
    bool hollow[POINT_LINKS_MAX] = {false};
    for (size_t r = 0; r < chart->row_count; r++)
        for (unsigned i = 0; i < chart->links; i++)
            hollow[i] |= is_drawn(chart, r, i) && (int)i != chart->rows[r].verdict.times.longest;
    for (unsigned i = 0; i < chart->links; i++)
        for (size_t r = 0; r < chart->row_count; r++)
            if (is_drawn(chart, r, i) && ((int)i != chart->rows[r].verdict.times.longest || !hollow[i]))
                add_mark(chart, r, i);
    for (size_t r = 0; r < chart->row_count; r++) {
        const int longest = chart->rows[r].verdict.times.longest;
        if (longest >= 0 && hollow[longest] && is_drawn(chart, r, (unsigned)longest))
            add_mark(chart, r, (unsigned)longest);
    }
}

/* Through its marks, to the right edge where some lie beyond it; and up to the roof of what binds. */
static void add_row(struct level_chart *chart, size_t r) {
    const struct level_row *row = &chart->rows[r];
    const struct link_times *times = &row->verdict.times;
    const double y = app_flop_per_s(row->point), at = times->link[main_link(row)].flop_per_byte;
    const struct plot_color thin = {0.5, 0.5, 0.5, 0.7};
    double first = INFINITY, last = 0;
    for (unsigned i = 0; i < times->count; i++)
        if (times->link[i].flop_per_byte > 0) {
            first = fmin(first, times->link[i].flop_per_byte);
            last = fmax(last, times->link[i].flop_per_byte);
        }
    const bool beyond = last > chart->x.max;
    chart->row_x[r][0] = first, chart->row_x[r][1] = beyond ? chart->x.max : last;
    chart->row_y[r][0] = chart->row_y[r][1] = y;
    add_line(chart,
             (struct plot_line){
                 .count = 2, .x = chart->row_x[r], .y = chart->row_y[r], .color = thin, .width = 0.8, .arrow = beyond});
    describe_row(chart, r);
    if (!(row->verdict.ratio > 0) || row->verdict.ratio >= 1 || !(at > 0) || at > chart->x.max)
        return;
    chart->stem_x[r][0] = chart->stem_x[r][1] = at;
    chart->stem_y[r][0] = y, chart->stem_y[r][1] = y / row->verdict.ratio;
    const struct plot_color color = times->longest >= 0 ? link_color(chart, main_link(row)) : thin;
    add_line(
        chart,
        (struct plot_line){
            .count = 2, .x = chart->stem_x[r], .y = chart->stem_y[r], .color = color, .dash = PLOT_DASHED, .width = 1});
}

static bool write_chart(struct level_chart *chart, const struct chart_options *options, const char *path,
                        struct error *err) {
    char name[160];
    const char *notes[1] = {chart->note};
    snprintf(chart->title, sizeof chart->title, "%s · %u thread%s · %s · traffic between levels",
             describe_cpu(chart->model->result, name, sizeof name), chart->view.threads,
             chart->view.threads == 1 ? "" : "s", chart->view.type);
    describe_conditions(chart->model->result, chart->subtitle, sizeof chart->subtitle);
    snprintf(chart->note, sizeof chart->note, "%zu more applications are not drawn; --point chooses", chart->left_out);
    const struct plot plot = {
        .title = chart->title,
        .subtitle = chart->subtitle,
        .note_count = chart->left_out > 0,
        .notes = notes,
        .x = chart->x,
        .y = chart->y,
        .band_count = chart->band_count,
        .bands = chart->plot_bands,
        .line_count = chart->line_count,
        .lines = chart->lines,
        .point_count = chart->point_count,
        .points = chart->points,
        .footer = "Each application is a row of marks at its performance, one per link at its flop per byte of that "
                  "link. Filled: the link that needs the longest; a dashed line leads to its own roof. Bands: what a "
                  "link was measured to move of such traffic as the applications have. Bytes are simulated.",
    };
    return chart_write(&plot, options, path, err);
}

bool chart_levels(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct level_chart *chart = need_calloc(1, sizeof *chart);
    chart->model = model;
    bool done = chart_view(model, options, &chart->view, err);
    if (done) {
        chart->levels = model_levels(model, &chart->view);
        find_rows(chart, options);
        done = chart->row_count > 0 ||
               error_set(err,
                         "the result holds no application of %u thread%s whose traffic between levels is known: "
                         "`carmine app --levels -o FILE` simulates it",
                         chart->view.threads, chart->view.threads == 1 ? "" : "s");
    }
    if (done) {
        const struct roof *peak = model_peak(model, &chart->view);
        chart->peak = peak->sample->value;
        find_bands(chart);
        find_axes(chart);
        for (unsigned i = 0; i < chart->links; i++)
            add_band(chart, i);
        add_peak(chart, peak);
        for (size_t r = 0; r < chart->row_count; r++)
            add_row(chart, r);
        add_marks(chart);
        done = write_chart(chart, options, path, err);
    }
    free(chart);
    return done;
}
