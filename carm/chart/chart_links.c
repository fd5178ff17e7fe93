/* SPDX-License-Identifier: BSD-3-Clause
 * Rooflines of links. Each application is a row of marks at its rate, one mark per link between the core, caches and
 * memory, at the work per byte of that link. The binding link is filled and joined to its own roof. Work is flop in
 * the chart of levels, counted instructions in the instruction roofline. */
#include "chart.h"
#include "chart_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "bench/kernels/levels.h"
#include "carm/model/describe.h"
#include "carm/model/link_times.h"
#include "carm/model/verdict_words.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/uarch.h"
#include "render/page/units.h"

enum {
    LINK_ROWS_MAX = 12,
    LINK_ROWS_CEILINGS = 2,
    LINK_ROWS_LABEL_BYTES = 128,
    LINK_ROWS_MAX_MARKS = LINK_ROWS_MAX * POINT_LINKS_MAX,
    LINK_ROWS_MAX_LINES = 2 * LINK_ROWS_MAX + POINT_LINKS_MAX + LINK_ROWS_CEILINGS,
};

/* One application and the traffic on its links. The chart fills it. */
struct link_row {
    const struct app_point *point;
    struct link_times times; /* if no caches were simulated: one link, the bytes requested by the core */
    double work, per_s;      /* of one run; per second */
    int longest;             /* what binds the application: a link, LINK_TIMES_CEILING or LINK_TIMES_NONE */
    double ratio;            /* of its rate to the allowed rate; 0: unknown */
    char sublabel[LINK_ROWS_LABEL_BYTES], detail[POINTS_DETAIL_BYTES];
};

/* The bandwidth of a link, measured with the applications' mix of traffic; without applications, that of its level's
 * best pattern. */
struct link_band {
    char name[24], rates[2 * UNITS_BYTES + 8];
    double low, high; /* bytes/s; 0: unknown */
    struct plot_color color;
    double x[3], y[3], y_low[3];
};

/* A horizontal line. */
struct link_ceiling {
    double value; /* work per second */
    enum plot_dash dash;
    char label[LINK_ROWS_LABEL_BYTES];
    double x[2], y[2];
};

struct link_rows_text {
    const char *x_title, *y_title;
    const char *footer;
    double divisor; /* of the y axis */
};

/* The chart sets the members above the line; link_rows_write() makes the rest. */
struct link_rows {
    const struct model *model;
    struct model_view view;
    size_t row_count, left_out, ceiling_count; /* left_out: rows without room */
    struct link_row rows[LINK_ROWS_MAX];
    struct link_ceiling ceilings[LINK_ROWS_CEILINGS]; /* roofs end at the first ceiling */
    struct cycle_axis right;                          /* without a title: no axis */
    char title[256];
    /* ---- */
    struct levels levels;
    unsigned links;
    bool told[POINT_LINKS_MAX]; /* already in the legend */
    struct link_band bands[POINT_LINKS_MAX];
    struct plot_axis x, y;
    size_t line_count, point_count, band_count;
    struct plot_line lines[LINK_ROWS_MAX_LINES];
    struct plot_band plot_bands[POINT_LINKS_MAX];
    struct plot_point points[LINK_ROWS_MAX_MARKS];
    double row_x[LINK_ROWS_MAX][2], row_y[LINK_ROWS_MAX][2], stem_x[LINK_ROWS_MAX][2], stem_y[LINK_ROWS_MAX][2];
    char subtitle[512], note[128];
};

static const double SLOPE = 4;       /* the picture has at least this much of each roof's slope */
static const double BEYOND = 16;     /* times the rightmost ridge: marks further right become an arrow's end */
static const double MATTERS = 0.005; /* of the row's time: a link with a larger share widens the band by its own roof */
static const double MARGIN = 1.6, RADIUS = 4.6,
                    AROUND = 3;        /* points: radius of a mark; how much larger a mark around another is */
static const double SAME_PLACE = 0.06; /* in the logarithm of intensity: about a mark's width */

/* Adds an empty row at the end. Without room it counts the row as left out and returns NULL. */
static struct link_row *link_rows_add(struct link_rows *rows) {
    if (rows->row_count < LINK_ROWS_MAX)
        return &rows->rows[rows->row_count++];
    rows->left_out++;
    return NULL;
}

/* The level of a link: caches in their order, the last link is memory. */
static unsigned chart_links_level_of(const struct link_rows *rows, unsigned link) {
    const unsigned count = rows->levels.count > 0 ? rows->levels.count : 1;
    return link + 1 == rows->links || link >= count ? count - 1 : link;
}

static struct plot_color link_color(const struct link_rows *rows, unsigned link) {
    return chart_level_color(&rows->levels, chart_links_level_of(rows, link));
}

/* Work per byte of the link; 0: no traffic. */
static double intensity(const struct link_row *row, unsigned i) {
    return row->times.link[i].bytes > 0 ? row->work / row->times.link[i].bytes : 0;
}

/* Uses the best pattern of the level, if no application has a bandwidth of the link. */
static void find_pattern(struct link_rows *rows, unsigned i) {
    struct link_band *band = &rows->bands[i];
    struct model_level level;
    const unsigned index = chart_links_level_of(rows, i);
    if (index >= rows->levels.count || !model_level(rows->model, &rows->view, rows->levels.level[index].name, &level))
        return;
    snprintf(band->name, sizeof band->name, "%s%s", i == 0 ? "core ⇄ " : "", level.roof->sample->level);
    band->low = band->high = level.roof->sample->value;
}

static void chart_links_find_band(struct link_rows *rows, unsigned i) {
    struct link_band *band = &rows->bands[i];
    band->color = link_color(rows, i);
    for (size_t r = 0; r < rows->row_count; r++) {
        const struct link_times *times = &rows->rows[r].times;
        const struct link_time *link = &times->link[i];
        if (i >= times->count || !link->roof || (link->share < MATTERS && band->high > 0))
            continue;
        if (link->share >= MATTERS || !*band->name)
            snprintf(band->name, sizeof band->name, "%s", link->name);
        band->low = band->low > 0 ? fmin(band->low, link->allowed_bytes_per_s) : link->allowed_bytes_per_s;
        band->high = fmax(band->high, link->allowed_bytes_per_s);
    }
    if (!(band->high > 0))
        find_pattern(rows, i);
}

static void find_axes(struct link_rows *rows, const struct link_rows_text *text) {
    const double peak = rows->ceilings[0].value;
    double ridge = 0;
    rows->x =
        (struct plot_axis){.title = text->x_title, .scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = INFINITY};
    rows->y =
        (struct plot_axis){.title = text->y_title, .scale = PLOT_LOG10, .min = INFINITY, .divisor = text->divisor};
    for (unsigned i = 0; i < rows->links; i++)
        if (rows->bands[i].low > 0) {
            ridge = fmax(ridge, peak / rows->bands[i].low);
            chart_widen(&rows->x, peak / rows->bands[i].high, SLOPE);
        }
    for (size_t r = 0; r < rows->row_count; r++) {
        const struct link_row *row = &rows->rows[r];
        chart_widen(&rows->y, row->per_s, MARGIN);
        for (unsigned i = 0; i < row->times.count; i++)
            if (intensity(row, i) > 0 && intensity(row, i) < ridge * BEYOND)
                chart_widen(&rows->x, intensity(row, i), MARGIN);
    }
    chart_widen(&rows->x, ridge, MARGIN);
    for (size_t i = 0; i < rows->ceiling_count; i++)
        chart_widen(&rows->y, rows->ceilings[i].value, MARGIN);
    rows->y.min = fmin(rows->y.min, peak / pow(SLOPE, 2));
}

static void chart_links_add_line(struct link_rows *rows, struct plot_line line) {
    rows->lines[rows->line_count++] = line;
}

/* Adds the link's roof, from the left edge to the first ceiling and along it. */
static void add_band(struct link_rows *rows, unsigned i) {
    struct link_band *band = &rows->bands[i];
    char low[UNITS_BYTES], high[UNITS_BYTES];
    if (!(band->high > 0))
        return;
    const double peak = rows->ceilings[0].value, left = rows->x.min, ridge = peak / band->high,
                 low_ridge = peak / band->low;
    units_si(high, sizeof high, band->high, "B/s");
    units_si(low, sizeof low, band->low, "B/s");
    snprintf(band->rates, sizeof band->rates, "%s%s%s", low, strcmp(low, high) == 0 ? "" : " to ",
             strcmp(low, high) == 0 ? "" : high);
    band->x[0] = left, band->x[1] = fmax(left, ridge), band->x[2] = fmax(left, low_ridge);
    for (size_t k = 0; k < 3; k++) {
        band->y[k] = fmin(peak, band->high * band->x[k]);
        band->y_low[k] = fmin(peak, band->low * band->x[k]);
    }
    chart_links_add_line(rows, (struct plot_line){.count = 2,
                                                  .x = band->x,
                                                  .y = band->y,
                                                  .color = band->color,
                                                  .label = band->name,
                                                  .sublabel = band->rates,
                                                  .priority = 100 - (int)i});
    struct plot_color faint = band->color;
    faint.a = 0.12;
    rows->plot_bands[rows->band_count++] =
        (struct plot_band){.count = 3, .x = band->x, .y_low = band->y_low, .y_high = band->y, .color = faint};
}

/* Draws a ceiling from the first roof that reaches it. */
static void draw_ceiling(struct link_rows *rows, struct link_ceiling *ceiling, int priority) {
    double first = rows->x.max;
    for (unsigned i = 0; i < rows->links; i++)
        if (rows->bands[i].high > 0)
            first = fmin(first, ceiling->value / rows->bands[i].high);
    ceiling->x[0] = fmax(first, rows->x.min), ceiling->x[1] = rows->x.max;
    ceiling->y[0] = ceiling->y[1] = ceiling->value;
    chart_links_add_line(rows, (struct plot_line){.count = 2,
                                                  .x = ceiling->x,
                                                  .y = ceiling->y,
                                                  .color = {0.35, 0.35, 0.35, 1},
                                                  .dash = ceiling->dash,
                                                  .label = ceiling->label,
                                                  .priority = priority});
}

/* The link whose mark has the label: the binding link, else the core's. */
static unsigned main_link(const struct link_row *row) {
    return row->longest > 0 ? (unsigned)row->longest : 0;
}

/* The name of a part lacks its program's name if only one program is drawn. */
static const char *chart_links_label_of(const struct link_rows *rows, const struct app_point *point) {
    const size_t own = strlen(point->program);
    for (size_t r = 0; r < rows->row_count; r++)
        if (strcmp(rows->rows[r].point->program, point->program) != 0)
            return point->name;
    return strncmp(point->name, point->program, own) == 0 && point->name[own] == '/' ? point->name + own + 1
                                                                                     : point->name;
}

/* How many marks of the row cover this one, so that it must be larger to be seen: later marks and the filled one. */
static unsigned marks_upon(const struct link_row *row, unsigned i) {
    unsigned upon = 0;
    for (unsigned k = 0; k < row->times.count && (int)i != row->longest; k++)
        upon += (k > i || (int)k == row->longest) && k != i && intensity(row, k) > 0 &&
                fabs(log(intensity(row, k) / intensity(row, i))) < SAME_PLACE;
    return upon;
}

static bool chart_links_is_drawn(const struct link_rows *rows, size_t r, unsigned i) {
    const struct link_row *row = &rows->rows[r];
    return i < row->times.count && intensity(row, i) > 0 && intensity(row, i) <= rows->x.max;
}

/* The first mark of a link has the link's row in the legend. */
static void chart_links_add_mark(struct link_rows *rows, size_t r, unsigned i) {
    const struct link_row *row = &rows->rows[r];
    const bool is_main = i == main_link(row), binds = (int)i == row->longest;
    rows->points[rows->point_count++] =
        (struct plot_point){.x = intensity(row, i),
                            .y = row->per_s,
                            .radius = binds ? RADIUS + 0.8 : RADIUS + AROUND * marks_upon(row, i),
                            .shape = (enum plot_shape)(i % PLOT_SHAPES),
                            .hollow = !binds,
                            .color = link_color(rows, i),
                            .label = is_main ? chart_links_label_of(rows, row->point) : NULL,
                            .sublabel = is_main ? row->sublabel : NULL,
                            .priority = (int)(100 * fmin(1, row->point->time_share)),
                            .legend = rows->told[i] ? NULL : rows->bands[i].name,
                            .detail = row->detail,
                            .source = row->point};
    rows->told[i] = true;
}

/* Adds the marks within the axes link by link, in the order of the legend, then the filled marks on top. A link that
 * has filled marks only is still in its place in the legend. */
static void add_marks(struct link_rows *rows) {
    bool hollow[POINT_LINKS_MAX] = {false};
    for (size_t r = 0; r < rows->row_count; r++)
        for (unsigned i = 0; i < rows->links; i++)
            hollow[i] |= chart_links_is_drawn(rows, r, i) && (int)i != rows->rows[r].longest;
    for (unsigned i = 0; i < rows->links; i++)
        for (size_t r = 0; r < rows->row_count; r++)
            if (chart_links_is_drawn(rows, r, i) && ((int)i != rows->rows[r].longest || !hollow[i]))
                chart_links_add_mark(rows, r, i);
    for (size_t r = 0; r < rows->row_count; r++) {
        const int longest = rows->rows[r].longest;
        if (longest >= 0 && hollow[longest] && chart_links_is_drawn(rows, r, (unsigned)longest))
            chart_links_add_mark(rows, r, (unsigned)longest);
    }
}

/* Adds the line through the row's marks, up to the right edge if marks are beyond it; and a stem to the roof of the
 * binding link, or to the upper edge if that roof is beyond it. */
static void chart_links_add_row(struct link_rows *rows, size_t r) {
    const struct link_row *row = &rows->rows[r];
    const double y = row->per_s, at = intensity(row, main_link(row));
    const struct plot_color thin = {0.5, 0.5, 0.5, 0.7};
    double first = INFINITY, last = 0;
    for (unsigned i = 0; i < row->times.count; i++)
        if (intensity(row, i) > 0) {
            first = fmin(first, intensity(row, i));
            last = fmax(last, intensity(row, i));
        }
    const bool beyond = last > rows->x.max;
    rows->row_x[r][0] = first, rows->row_x[r][1] = beyond ? rows->x.max : last;
    rows->row_y[r][0] = rows->row_y[r][1] = y;
    chart_links_add_line(
        rows, (struct plot_line){
                  .count = 2, .x = rows->row_x[r], .y = rows->row_y[r], .color = thin, .width = 0.8, .arrow = beyond});
    if (!(row->ratio > 0) || row->ratio >= 1 || !(at > 0) || at > rows->x.max)
        return;
    rows->stem_x[r][0] = rows->stem_x[r][1] = at;
    const bool above = y / row->ratio > rows->y.max;
    rows->stem_y[r][0] = y, rows->stem_y[r][1] = above ? rows->y.max : y / row->ratio;
    const struct plot_color color = row->longest >= 0 ? link_color(rows, main_link(row)) : thin;
    chart_links_add_line(rows, (struct plot_line){.count = 2,
                                                  .x = rows->stem_x[r],
                                                  .y = rows->stem_y[r],
                                                  .color = color,
                                                  .dash = PLOT_DASHED,
                                                  .width = 1,
                                                  .arrow = above});
}

/* Bands, ceilings and rows: between the axes' own ends, or as far as the limits are. */
static bool draw_all(struct link_rows *rows, const struct limits *limits, struct error *err) {
    const struct plot_axis x = rows->x, y = rows->y;
    if (!limits_widen(limits, &rows->x, &rows->y, err))
        return false;
    for (unsigned i = 0; i < rows->links; i++)
        add_band(rows, i);
    for (size_t i = 0; i < rows->ceiling_count; i++)
        draw_ceiling(rows, &rows->ceilings[i], 200 - (int)i);
    for (size_t r = 0; r < rows->row_count; r++)
        chart_links_add_row(rows, r);
    rows->x = x, rows->y = y;
    return true;
}

static bool chart_links_make(struct link_rows *rows, const struct link_rows_text *text, const struct limits *limits,
                             struct error *err) {
    rows->levels = model_levels(rows->model, &rows->view);
    for (size_t r = 0; r < rows->row_count; r++)
        if (rows->rows[r].times.count > rows->links)
            rows->links = rows->rows[r].times.count;
    if (rows->links == 1 && rows->levels.count <= POINT_LINKS_MAX) /* no caches were simulated */
        rows->links = rows->levels.count;
    for (unsigned i = 0; i < rows->links; i++)
        chart_links_find_band(rows, i);
    find_axes(rows, text);
    if (!draw_all(rows, limits, err))
        return false;
    add_marks(rows);
    describe_conditions(rows->model->result, rows->subtitle, sizeof rows->subtitle);
    snprintf(rows->note, sizeof rows->note, "%zu more applications are not drawn; --point chooses which",
             rows->left_out);
    return true;
}

/* Draws the rows. The chart has set at least one row and one ceiling. Error: as of chart_write(). */
static bool link_rows_write(struct link_rows *rows, const struct link_rows_text *text,
                            const struct chart_options *options, const char *path, struct error *err) {
    const char *notes[1] = {rows->note};
    if (!chart_links_make(rows, text, &options->limits, err))
        return false;
    const struct plot plot = {
        .title = rows->title,
        .subtitle = rows->subtitle,
        .note_count = rows->left_out > 0,
        .notes = notes,
        .x = rows->x,
        .y = rows->y,
        .right_title = *rows->right.title ? rows->right.title : NULL,
        .right_per_y = rows->right.per_rate,
        .band_count = rows->band_count,
        .bands = rows->plot_bands,
        .line_count = rows->line_count,
        .lines = rows->lines,
        .point_count = rows->point_count,
        .points = rows->points,
        .footer = text->footer,
    };
    return chart_write(&plot, options, path, err);
}

/* The instruction roofline: counted instructions per second over instructions per byte (N. Ding, S. Williams, "An
 * Instruction Roofline Model for GPUs", PMBS 2019; here for CPUs, by the bytes of each link). It shows programs of
 * integers, pointers and branches, which have no flop.
 *
 * No kernel executes as many instructions as the core can, so there is no measured ceiling. The chart draws the most
 * instructions per second that a kernel of the result executed, and as a dashed line the documented number of
 * instructions that the core renames per cycle. */

static const struct link_rows_text INSTRUCTIONS_TEXT = {
    .x_title = "Intensity  [instructions per byte over the link]",
    .y_title = "Performance  [Ginstructions/s]",
    .divisor = 1e9,
    .footer =
        "Each application is a row of marks at its counted instructions per second (without those that "
        "wait for other threads): one per link at its instructions per byte of that link, or if no caches were "
        "simulated, per byte that the core loads or stores. Filled: the link that needs the longest. A dashed line "
        "leads to its own roof, an arrow to one above the picture.",
};

/* The highest rate of instructions that a kernel executed. */
struct instruction_peak {
    const struct sample *sample; /* NULL: unknown */
    double per_s;                /* of all threads */
};

/* Only for the very code that was measured: another variant has another loop. 0: this program does not have that
 * code. */
static double instructions_per_s(const struct sample *sample) {
    const struct kernel *kernel = kernel_find_variant(sample->kernel, sample->variant);
    if (!kernel || kernel->kind == KERNEL_RANDOM || kernel->kind == KERNEL_CHASE)
        return 0;
    const uint32_t bytes = kernel->cost.load_bytes + kernel->cost.store_bytes,
                   work = sample->kind == SAMPLE_COMPUTE ? kernel->cost.flop : bytes;
    return work > 0 ? sample->value * kernel->cost.instructions / work : 0;
}

/* Looks at kernels of all types and instruction sets. */
static struct instruction_peak chart_links_find_peak(const struct model *model, const struct model_view *view) {
    struct model_view any = *view;
    struct instruction_peak peak = {0};
    any.type = any.isa = any.op = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *sample = model->roofs[i].sample;
        const double per_s = model_in_view(&model->roofs[i], &any) ? instructions_per_s(sample) : 0;
        if (per_s > peak.per_s)
            peak = (struct instruction_peak){sample, per_s};
    }
    return peak;
}

static void chart_links_add_ceiling(struct link_rows *rows, double value, enum plot_dash dash, const char *what) {
    struct link_ceiling *ceiling = &rows->ceilings[rows->ceiling_count++];
    char rate[UNITS_BYTES];
    ceiling->value = value;
    ceiling->dash = dash;
    snprintf(ceiling->label, sizeof ceiling->label, "%s  %s", what, units_si(rate, sizeof rate, value, "instr/s"));
}

/* The documented ceiling is first if it is known: roofs end there. */
static void chart_links_find_ceilings(struct link_rows *rows, const struct instruction_peak *peak) {
    const struct result *result = rows->model->result;
    const struct sample *sample = peak->sample;
    const unsigned width = *result->uarch_doubt ? 0 : uarch_issue_width(uarch_named(result->uarch));
    const double documented = sample ? width * sample->clock_hz * sample_cores(sample) : 0;
    char text[96];
    if (documented > peak->per_s) {
        snprintf(text, sizeof text, "%u per cycle, documented", width);
        chart_links_add_ceiling(rows, documented, PLOT_DASHED, text);
    }
    if (sample) {
        snprintf(text, sizeof text, "most by a kernel: %s%s%s", sample->kernel, *sample->level ? " in " : "",
                 sample->level);
        chart_links_add_ceiling(rows, peak->per_s, PLOT_SOLID, text);
        chart_cycle_axis(&sample, 1, "instructions", &rows->right);
    }
}

/* Without simulated caches, only the bytes requested by the core are known, not the level that serves them. */
static struct link_times asked(const struct app_point *point) {
    struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE, .second = LINK_TIMES_NONE};
    snprintf(times.link[0].name, sizeof times.link[0].name, "core");
    times.link[0].bytes = app_core_bytes(point);
    return times;
}

/* Finds the link that needs the longest, or the documented ceiling. The ceiling of flop does not limit instructions. */
static void find_binding(struct link_row *row, const struct link_ceiling *documented) {
    row->longest = LINK_TIMES_NONE;
    for (unsigned i = 0; i < row->times.count; i++)
        if (row->times.link[i].share > row->ratio)
            row->longest = (int)i, row->ratio = row->times.link[i].share;
    if (documented && row->longest != LINK_TIMES_NONE && row->per_s / documented->value > row->ratio)
        row->longest = LINK_TIMES_CEILING, row->ratio = row->per_s / documented->value;
}

static void describe_instructions(struct link_row *row) {
    const struct app_point *point = row->point;
    const double per_cycle = point->clock_hz > 0 ? row->per_s / point->clock_hz / fmax(1, point->threads) : 0;
    char rate[UNITS_BYTES], pace[48] = "", bound[64] = "", words[LINK_ROWS_LABEL_BYTES];
    if (per_cycle > 0)
        snprintf(pace, sizeof pace, "%.2f per cycle", per_cycle);
    if (row->longest != LINK_TIMES_NONE)
        snprintf(bound, sizeof bound, "%s %.0f %%",
                 row->longest >= 0 ? row->times.link[row->longest].level : "instructions", 100 * row->ratio);
    snprintf(words, sizeof words, "%s%s%s", pace, *pace && *bound ? "; " : "", bound);
    snprintf(row->sublabel, sizeof row->sublabel, "%s", words);
    snprintf(row->detail, sizeof row->detail, "%s: %s%s%s, %.3g instructions per byte loaded or stored.", point->name,
             units_si(rate, sizeof rate, row->per_s, "instr/s"), *words ? "; " : "", words,
             row->work / app_core_bytes(point));
}

static bool has_instructions(const struct app_point *point) {
    return point->has_count && point->count.instructions > 0 && point->seconds.median > 0 && app_core_bytes(point) > 0;
}

/* Adds rows for the applications with the view's number of threads. */
static void find_instruction_rows(struct link_rows *rows, const struct chart_options *options, bool documented) {
    const struct result *result = rows->model->result;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct applicable_roofs applicable;
        if (!has_instructions(point) || !points_chosen(point, options) ||
            !applicable_make(rows->model, point, &applicable) || applicable.view.threads != rows->view.threads)
            continue;
        struct link_row *row = link_rows_add(rows);
        if (!row)
            continue;
        row->point = point;
        row->times = point->levels.links > 0 ? link_times_find(rows->model, point) : asked(point);
        row->work = (double)point->count.instructions, row->per_s = row->work / point->seconds.median;
        find_binding(row, documented ? &rows->ceilings[0] : NULL);
        describe_instructions(row);
    }
}

static bool find_all(struct link_rows *rows, const struct chart_options *options, struct error *err) {
    struct chart_options of_points = *options;
    struct model_view view;
    char what[96];
    if (!options->threads && points_view(rows->model, options, has_instructions, &view))
        of_points.threads = view.threads;
    if (!chart_view(rows->model, &of_points, &rows->view, err))
        return false;
    const struct instruction_peak peak = chart_links_find_peak(rows->model, &rows->view);
    chart_links_find_ceilings(rows, &peak);
    if (!peak.sample)
        return error_set(err, "the instructions of the result's kernels are unknown: they were measured by "
                              "another version of carmine or another tool; `carmine run -o FILE` measures anew");
    find_instruction_rows(rows, options, rows->ceiling_count > 1);
    snprintf(what, sizeof what, "%u thread%s · instructions", rows->view.threads, rows->view.threads == 1 ? "" : "s");
    chart_title(options, rows->model->result, what, rows->title, sizeof rows->title);
    return rows->row_count > 0 ||
           error_set(err,
                     "the result holds no application of %u thread%s with counted instructions: `carmine app -o "
                     "FILE` counts them",
                     rows->view.threads, rows->view.threads == 1 ? "" : "s");
}

bool chart_instructions(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err) {
    struct link_rows *rows = need_calloc(1, sizeof *rows);
    rows->model = model;
    const bool done = find_all(rows, options, err) && link_rows_write(rows, &INSTRUCTIONS_TEXT, options, path, err);
    free(rows);
    return done;
}

static const struct link_rows_text LEVELS_TEXT = {
    .x_title = "Intensity  [flop per byte over the link]",
    .y_title = "Performance  [Gflop/s]",
    .divisor = 1e9,
    .footer = "Each application is a row of marks at its performance, one per link at its flop per byte of that "
              "link. Filled: the link that needs the longest. A dashed line leads to its own roof. Bands: the "
              "measured bandwidth of a link with the applications' mix of traffic. Bytes are simulated.",
};

static void describe_levels(struct link_row *row, const struct verdict *verdict) {
    char words[VERDICT_WORDS_BYTES];
    snprintf(row->sublabel, sizeof row->sublabel, "%s%s %.0f %%", verdict->why == VERDICT_WAITS ? "waits; " : "",
             row->longest >= 0 ? row->times.link[row->longest].level : "compute", 100 * verdict->ratio);
    snprintf(row->detail, sizeof row->detail, "%s: %s.", row->point->name, verdict_words(verdict, row->point, words));
}

/* Adds rows for the applications with the view's number of threads that have flop and links. */
static void find_level_rows(struct link_rows *rows, const struct chart_options *options) {
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
        describe_levels(row, &verdict);
    }
}

static void chart_links_write_texts(struct link_rows *rows, const struct chart_options *options) {
    const struct roof *peak = model_peak(rows->model, &rows->view);
    struct link_ceiling *ceiling = &rows->ceilings[rows->ceiling_count++];
    char text[160], rate[UNITS_BYTES];
    ceiling->value = peak->sample->value;
    chart_label(peak, text, sizeof text);
    snprintf(ceiling->label, sizeof ceiling->label, "%.80s  %s", text,
             units_si(rate, sizeof rate, ceiling->value, "flop/s"));
    snprintf(text, sizeof text, "%u thread%s · %s · traffic between levels", rows->view.threads,
             rows->view.threads == 1 ? "" : "s", rows->view.type);
    chart_title(options, rows->model->result, text, rows->title, sizeof rows->title);
}

bool chart_levels(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct link_rows *rows = need_calloc(1, sizeof *rows);
    rows->model = model;
    bool done = chart_view(model, options, &rows->view, err);
    if (done) {
        find_level_rows(rows, options);
        done = rows->row_count > 0 ||
               error_set(err,
                         "the result holds no application of %u thread%s with known traffic between levels: "
                         "`carmine app --levels -o FILE` simulates it",
                         rows->view.threads, rows->view.threads == 1 ? "" : "s");
    }
    if (done) {
        chart_links_write_texts(rows, options);
        done = link_rows_write(rows, &LEVELS_TEXT, options, path, err);
    }
    free(rows);
    return done;
}
