/* SPDX-License-Identifier: BSD-3-Clause
 * A program over time: flop/s, bytes/s and threads with a CPU, in its intervals, before bands of its phases in the
 * colour of what binds them. */
#include "chart.h"
#include "chart_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "bench/programs/course.h"
#include "carm/model/model.h"
#include "carm/model/verdict_words.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { PANELS = 3, MOST_BOUNDS = 12, MARKED = 100, LABELLED = 12, TEXT_BYTES = 64 };
static const double LEAST_LABELLED = 0.02; /* of the time, if there are more than LABELLED phases */

/* Storage of the picture. */
struct phases_strip {
    const struct model *model;
    const struct app_course *course;
    struct plot panels[PANELS];
    struct plot_line lines[PANELS];
    double *x, *y[PANELS]; /* two vertices of each interval */
    struct plot_band *bands[PANELS];
    double (*band_x)[2], (*band_high)[PANELS][2];
    struct plot_mark marks[2][MARKED]; /* of the highest panel, with labels, and of the others */
    char labels[LABELLED][TEXT_BYTES], bounds[MOST_BOUNDS][TEXT_BYTES], title[256], subtitle[512];
    size_t bound_count, label_count;
};

static const double NOTHING[2];

/* The course of the chosen program; the last one that was measured. */
static const struct app_course *find_course(const struct model *model, const struct chart_options *options) {
    const struct result *result = model->result;
    for (size_t i = result->course_count; i-- > 0;)
        for (size_t k = 0; k < result->point_count; k++)
            if (strcmp(result->points[k].program, result->courses[i].program) == 0 &&
                points_chosen(&result->points[k], options) && result->courses[i].interval_count > 0)
                return &result->courses[i];
    return NULL;
}

/* What binds a phase; "": unknown. */
struct phase_bound {
    char text[TEXT_BYTES];
    bool waits; /* then it is what for */
};

static struct phase_bound bound_of(const struct model *model, const char *point) {
    struct phase_bound out = {.text = ""};
    for (size_t i = 0; i < model->result->point_count; i++)
        if (strcmp(model->result->points[i].name, point) == 0) {
            const struct verdict verdict = verdict_find(model, &model->result->points[i]);
            snprintf(out.text, TEXT_BYTES, "%s", verdict_work_cell(&verdict));
            out.waits = verdict.waits.for_cpu;
        }
    if (strcmp(out.text, "unknown") == 0)
        out.text[0] = '\0';
    return out;
}

static struct plot_color color_of(const struct model *model, const char *bound) {
    const struct levels levels = model_levels(model, &(struct model_view){0});
    struct plot_color color = PALETTE_GREY;
    for (unsigned i = 0; i < levels.count; i++)
        if (strcmp(levels.level[i].name, bound) == 0)
            color = chart_level_color(&levels, i);
    if (strcmp(bound, "compute") == 0)
        color = PALETTE_PURPLE;
    if (strcmp(bound, "kernel") == 0)
        color = PALETTE_BROWN;
    color.a = 0.25;
    return color;
}

/* The row in the legend for the first band of its kind; NULL for the others. */
static const char *legend_of(struct phases_strip *strip, const struct phase_bound *bound) {
    char text[TEXT_BYTES + 16];
    snprintf(text, sizeof text, bound->waits ? "waiting" : "bound by %s", bound->text);
    for (size_t i = 0; i < strip->bound_count; i++)
        if (strncmp(strip->bounds[i], text, TEXT_BYTES - 1) == 0)
            return NULL;
    if (strip->bound_count == MOST_BOUNDS)
        return NULL;
    snprintf(strip->bounds[strip->bound_count], TEXT_BYTES, "%.*s", TEXT_BYTES - 1, text);
    return strip->bounds[strip->bound_count++];
}

static void add_curves(struct phases_strip *strip) {
    const struct app_course *course = strip->course;
    for (size_t i = 0; i < course->interval_count; i++) {
        const struct app_course_interval *interval = &course->intervals[i];
        const double from_s = (double)i * course->every_s, to_s = fmin(course->seconds, from_s + course->every_s),
                     length_s = fmax(1e-9, to_s - from_s),
                     values[PANELS] = {interval->flop / length_s,
                                       (interval->load_bytes + interval->store_bytes) / length_s,
                                       interval->cpu_s / length_s};
        strip->x[2 * i] = from_s;
        strip->x[2 * i + 1] = to_s;
        for (unsigned k = 0; k < PANELS; k++) {
            strip->y[k][2 * i] = strip->y[k][2 * i + 1] = values[k];
            strip->panels[k].y.max = fmax(strip->panels[k].y.max, 1.15 * values[k]);
        }
    }
}

/* The phase's name, if there is room for it, with what it waits for; NULL otherwise. */
static const char *label_of(struct phases_strip *strip, const struct app_course_phase *phase,
                            const struct phase_bound *bound) {
    const struct app_course *course = strip->course;
    const bool short_one = phase->to_s - phase->from_s < LEAST_LABELLED * course->seconds;
    if (strip->label_count == LABELLED || (short_one && course->phase_count > LABELLED))
        return NULL;
    const char *slash = strrchr(phase->point, '/');
    char *label = strip->labels[strip->label_count++];
    const bool named = bound->waits && strcmp(bound->text, "waiting") != 0;
    snprintf(label, TEXT_BYTES, "%.40s%s%.16s", slash ? slash + 1 : phase->point, named ? ": " : "",
             named ? bound->text : "");
    return label;
}

static void add_phases(struct phases_strip *strip) {
    const struct app_course *course = strip->course;
    for (size_t i = 0; i < course->phase_count; i++) {
        const struct app_course_phase *phase = &course->phases[i];
        const struct phase_bound bound = bound_of(strip->model, phase->point);
        strip->band_x[i][0] = phase->from_s;
        strip->band_x[i][1] = phase->to_s;
        for (unsigned k = 0; k < PANELS && *bound.text; k++) {
            strip->band_high[i][k][0] = strip->band_high[i][k][1] = strip->panels[k].y.max;
            strip->bands[k][strip->panels[k].band_count++] =
                (struct plot_band){.count = 2,
                                   .x = strip->band_x[i],
                                   .y_low = NOTHING,
                                   .y_high = strip->band_high[i][k],
                                   .color = color_of(strip->model, bound.text),
                                   .legend = k + 1 == PANELS ? legend_of(strip, &bound) : NULL};
        }
        if (course->phase_count > MARKED)
            continue;
        strip->marks[1][i] =
            (struct plot_mark){.vertical = true, .at = phase->from_s, .color = PALETTE_GREY, .dash = PLOT_DOTTED};
        strip->marks[0][i] = strip->marks[1][i];
        strip->marks[0][i].label = label_of(strip, phase, &bound);
    }
}

static void make_panels(struct phases_strip *strip) {
    static const struct {
        const char *title;
        double divisor, least;
    } ROWS[PANELS] = {{"Gflop/s", 1e9, 1e3}, {"GB/s, loaded and stored", 1e9, 1e3}, {"threads with a CPU", 1, 1}};
    const size_t count = strip->course->interval_count;
    strip->x = need_calloc(2 * count * (PANELS + 1), sizeof *strip->x);
    strip->band_x = need_calloc(strip->course->phase_count + 1, sizeof *strip->band_x);
    strip->band_high = need_calloc(strip->course->phase_count + 1, sizeof *strip->band_high);
    for (unsigned k = 0; k < PANELS; k++) {
        strip->y[k] = strip->x + 2 * count * (k + 1);
        strip->bands[k] = need_calloc(strip->course->phase_count + 1, sizeof *strip->bands[k]);
        strip->lines[k] = (struct plot_line){
            .count = 2 * count, .x = strip->x, .y = strip->y[k], .color = PALETTE_BLUE, .width = 1.4};
        strip->panels[k] = (struct plot){.subtitle = ROWS[k].title,
                                         .x = {.max = strip->course->seconds},
                                         .y = {.divisor = ROWS[k].divisor, .max = ROWS[k].least},
                                         .lines = &strip->lines[k],
                                         .line_count = 1,
                                         .bands = strip->bands[k],
                                         .marks = strip->marks[k > 0]};
    }
    add_curves(strip);
    add_phases(strip);
    for (unsigned k = 0; k < PANELS; k++)
        strip->panels[k].mark_count = strip->course->phase_count <= MARKED ? strip->course->phase_count : 0;
}

static bool draw(struct phases_strip *strip, const struct chart_options *options, const char *path, struct error *err) {
    char every[UNITS_BYTES], error[UNITS_BYTES];
    snprintf(strip->title, sizeof strip->title, "%s over time", strip->course->program);
    snprintf(strip->subtitle, sizeof strip->subtitle, "mean of each %s · borders of phases within about %s",
             units_seconds(every, sizeof every, strip->course->every_s),
             units_seconds(error, sizeof error, strip->course->border_s));
    const struct plot plot = {.title = strip->title,
                              .subtitle = strip->subtitle,
                              .panel_count = PANELS,
                              .panels = strip->panels,
                              .footer = "Work is counted exactly in one run. Its times are those of another, joined by "
                                        "samples of the code in both."};
    return chart_write_panels(&plot, "Time  [s]", options, path, err);
}

bool chart_phases(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    const struct app_course *course = find_course(model, options);
    if (!course)
        return error_set(err, "the result holds no program over time: `carmine app --every 100ms -o FILE` measures it");
    if (!limits_take_no_y(&options->limits, err))
        return false;
    struct phases_strip *strip = need_calloc(1, sizeof *strip);
    strip->model = model;
    strip->course = course;
    make_panels(strip);
    const bool done = draw(strip, options, path, err);
    for (unsigned k = 0; k < PANELS; k++)
        free(strip->bands[k]);
    free(strip->band_x);
    free(strip->band_high);
    free(strip->x);
    free(strip);
    return done;
}
