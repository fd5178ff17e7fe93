/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of marks in a roofline of links (see chart_link_rows.h). */
#include "chart_link_rows.h"

#include <math.h>
#include <string.h>

#include "carm/model/describe.h"
#include "render/page/units.h"

static const double BEYOND = 16;     /* times the rightmost ridge: what lies further right is an arrow's end */
static const double MATTERS = 0.005; /* of its time: a link whose own roof widens the band */
static const double MARGIN = 1.6, RADIUS = 4.6, AROUND = 3; /* points: of a mark, and more of one around another */
static const double SAME_PLACE = 0.06;                      /* of the logarithm of intensity: a mark's width, about */

struct link_row *link_rows_add(struct link_rows *rows) {
    if (rows->row_count < LINK_ROWS_MAX)
        return &rows->rows[rows->row_count++];
    rows->left_out++;
    return NULL;
}

/* Caches in their order, and behind the last one memory. */
static unsigned level_of(const struct link_rows *rows, unsigned link) {
    const unsigned count = rows->levels.count > 0 ? rows->levels.count : 1;
    return link + 1 == rows->links || link >= count ? count - 1 : link;
}

static struct plot_color link_color(const struct link_rows *rows, unsigned link) {
    return chart_level_color(&rows->levels, level_of(rows, link));
}

/* Work per byte of the link; 0: nothing passes over it. */
static double intensity(const struct link_row *row, unsigned i) {
    return row->times.link[i].bytes > 0 ? row->work / row->times.link[i].bytes : 0;
}

/* What the best pattern of its level moves, where no application tells. */
static void find_pattern(struct link_rows *rows, unsigned i) {
    struct link_band *band = &rows->bands[i];
    struct model_level level;
    const unsigned index = level_of(rows, i);
    if (index >= rows->levels.count || !model_level(rows->model, &rows->view, rows->levels.level[index].name, &level))
        return;
    snprintf(band->name, sizeof band->name, "%s%s", i == 0 ? "core ⇄ " : "", level.roof->sample->level);
    band->low = band->high = level.roof->sample->value;
}

static void find_band(struct link_rows *rows, unsigned i) {
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

static void widen(struct plot_axis *axis, double value) {
    axis->min = fmin(axis->min, value / MARGIN);
    axis->max = fmax(axis->max, value * MARGIN);
}

static void find_axes(struct link_rows *rows, const struct link_rows_text *text) {
    const double peak = rows->ceilings[0].value;
    double ridge = 0;
    rows->x =
        (struct plot_axis){.title = text->x_title, .scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = INFINITY};
    rows->y =
        (struct plot_axis){.title = text->y_title, .scale = PLOT_LOG10, .min = INFINITY, .divisor = text->divisor};
    for (unsigned i = 0; i < rows->links; i++)
        if (rows->bands[i].low > 0)
            ridge = fmax(ridge, peak / rows->bands[i].low);
    for (size_t r = 0; r < rows->row_count; r++) {
        const struct link_row *row = &rows->rows[r];
        widen(&rows->y, row->per_s);
        for (unsigned i = 0; i < row->times.count; i++)
            if (intensity(row, i) > 0 && intensity(row, i) < ridge * BEYOND)
                widen(&rows->x, intensity(row, i));
    }
    widen(&rows->x, ridge);
    for (size_t i = 0; i < rows->ceiling_count; i++)
        widen(&rows->y, rows->ceilings[i].value);
}

static void add_line(struct link_rows *rows, struct plot_line line) {
    rows->lines[rows->line_count++] = line;
}

/* From the left edge up to the first ceiling, and on along it. */
static void add_band(struct link_rows *rows, unsigned i) {
    struct link_band *band = &rows->bands[i];
    char low[UNITS_BYTES], high[UNITS_BYTES];
    if (!(band->high > 0))
        return;
    const double peak = rows->ceilings[0].value, left = rows->x.min, ridge = peak / band->high,
                 low_ridge = peak / band->low;
    units_si(high, sizeof high, band->high, "B/s");
    units_si(low, sizeof low, band->low, "B/s");
    if (strcmp(low, high) == 0)
        snprintf(band->label, sizeof band->label, "%s  %s", band->name, high);
    else
        snprintf(band->label, sizeof band->label, "%s  %s to %s", band->name, low, high);
    band->x[0] = left, band->x[1] = fmax(left, ridge), band->x[2] = fmax(left, low_ridge);
    for (size_t k = 0; k < 3; k++) {
        band->y[k] = fmin(peak, band->high * band->x[k]);
        band->y_low[k] = fmin(peak, band->low * band->x[k]);
    }
    add_line(rows, (struct plot_line){.count = 2,
                                      .x = band->x,
                                      .y = band->y,
                                      .color = band->color,
                                      .label = band->label,
                                      .priority = 100 - (int)i});
    struct plot_color faint = band->color;
    faint.a = 0.12;
    rows->plot_bands[rows->band_count++] =
        (struct plot_band){.count = 3, .x = band->x, .y_low = band->y_low, .y_high = band->y, .color = faint};
}

/* From the first roof that reaches it. */
static void add_ceiling(struct link_rows *rows, struct link_ceiling *ceiling, int priority) {
    double first = rows->x.max;
    for (unsigned i = 0; i < rows->links; i++)
        if (rows->bands[i].high > 0)
            first = fmin(first, ceiling->value / rows->bands[i].high);
    ceiling->x[0] = fmax(first, rows->x.min), ceiling->x[1] = rows->x.max;
    ceiling->y[0] = ceiling->y[1] = ceiling->value;
    add_line(rows, (struct plot_line){.count = 2,
                                      .x = ceiling->x,
                                      .y = ceiling->y,
                                      .color = {0.35, 0.35, 0.35, 1},
                                      .dash = ceiling->dash,
                                      .label = ceiling->label,
                                      .priority = priority});
}

/* The mark that its name stands beside: the binding link's, else the core's. */
static unsigned main_link(const struct link_row *row) {
    return row->longest > 0 ? (unsigned)row->longest : 0;
}

/* Parts of the only program that is drawn go without its name. */
static const char *label_of(const struct link_rows *rows, const struct app_point *point) {
    const size_t own = strlen(point->program);
    for (size_t r = 0; r < rows->row_count; r++)
        if (strcmp(rows->rows[r].point->program, point->program) != 0)
            return point->name;
    return strncmp(point->name, point->program, own) == 0 && point->name[own] == '/' ? point->name + own + 1
                                                                                     : point->name;
}

/* How many marks of the row lie on this one, so that it has to be seen around them: later ones, and the filled one. */
static unsigned marks_upon(const struct link_row *row, unsigned i) {
    unsigned upon = 0;
    for (unsigned k = 0; k < row->times.count && (int)i != row->longest; k++)
        upon += (k > i || (int)k == row->longest) && k != i && intensity(row, k) > 0 &&
                fabs(log(intensity(row, k) / intensity(row, i))) < SAME_PLACE;
    return upon;
}

static bool is_drawn(const struct link_rows *rows, size_t r, unsigned i) {
    const struct link_row *row = &rows->rows[r];
    return i < row->times.count && intensity(row, i) > 0 && intensity(row, i) <= rows->x.max;
}

/* The first one of a link stands in the legend. */
static void add_mark(struct link_rows *rows, size_t r, unsigned i) {
    const struct link_row *row = &rows->rows[r];
    const bool is_main = i == main_link(row), binds = (int)i == row->longest;
    rows->points[rows->point_count++] =
        (struct plot_point){.x = intensity(row, i),
                            .y = row->per_s,
                            .radius = binds ? RADIUS + 0.8 : RADIUS + AROUND * marks_upon(row, i),
                            .shape = (enum plot_shape)(i % PLOT_SHAPES),
                            .hollow = !binds,
                            .color = link_color(rows, i),
                            .label = is_main ? label_of(rows, row->point) : NULL,
                            .sublabel = is_main ? row->sublabel : NULL,
                            .priority = (int)(100 * fmin(1, row->point->time_share)),
                            .legend = rows->told[i] ? NULL : rows->bands[i].name,
                            .detail = row->detail,
                            .source = row->point};
    rows->told[i] = true;
}

/* Link by link, as the legend tells them, as far as the axes reach; then the filled ones, so that they are seen. A link
 * that is only drawn filled has its place among the others all the same. */
static void add_marks(struct link_rows *rows) {
    bool hollow[POINT_LINKS_MAX] = {false};
    for (size_t r = 0; r < rows->row_count; r++)
        for (unsigned i = 0; i < rows->links; i++)
            hollow[i] |= is_drawn(rows, r, i) && (int)i != rows->rows[r].longest;
    for (unsigned i = 0; i < rows->links; i++)
        for (size_t r = 0; r < rows->row_count; r++)
            if (is_drawn(rows, r, i) && ((int)i != rows->rows[r].longest || !hollow[i]))
                add_mark(rows, r, i);
    for (size_t r = 0; r < rows->row_count; r++) {
        const int longest = rows->rows[r].longest;
        if (longest >= 0 && hollow[longest] && is_drawn(rows, r, (unsigned)longest))
            add_mark(rows, r, (unsigned)longest);
    }
}

/* Through its marks, to the right edge where some lie beyond it; and up to the roof of what binds, or where that lies
 * beyond what may be the highest ceiling that is known, to the upper edge. */
static void add_row(struct link_rows *rows, size_t r) {
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
    add_line(rows,
             (struct plot_line){
                 .count = 2, .x = rows->row_x[r], .y = rows->row_y[r], .color = thin, .width = 0.8, .arrow = beyond});
    if (!(row->ratio > 0) || row->ratio >= 1 || !(at > 0) || at > rows->x.max)
        return;
    rows->stem_x[r][0] = rows->stem_x[r][1] = at;
    const bool above = y / row->ratio > rows->y.max;
    rows->stem_y[r][0] = y, rows->stem_y[r][1] = above ? rows->y.max : y / row->ratio;
    const struct plot_color color = row->longest >= 0 ? link_color(rows, main_link(row)) : thin;
    add_line(rows, (struct plot_line){.count = 2,
                                      .x = rows->stem_x[r],
                                      .y = rows->stem_y[r],
                                      .color = color,
                                      .dash = PLOT_DASHED,
                                      .width = 1,
                                      .arrow = above});
}

static void make(struct link_rows *rows, const struct link_rows_text *text) {
    rows->levels = model_levels(rows->model, &rows->view);
    for (size_t r = 0; r < rows->row_count; r++)
        if (rows->rows[r].times.count > rows->links)
            rows->links = rows->rows[r].times.count;
    if (rows->links == 1 && rows->levels.count <= POINT_LINKS_MAX) /* no caches were simulated */
        rows->links = rows->levels.count;
    for (unsigned i = 0; i < rows->links; i++)
        find_band(rows, i);
    find_axes(rows, text);
    for (unsigned i = 0; i < rows->links; i++)
        add_band(rows, i);
    for (size_t i = 0; i < rows->ceiling_count; i++)
        add_ceiling(rows, &rows->ceilings[i], 200 - (int)i);
    for (size_t r = 0; r < rows->row_count; r++)
        add_row(rows, r);
    add_marks(rows);
    describe_conditions(rows->model->result, rows->subtitle, sizeof rows->subtitle);
    snprintf(rows->note, sizeof rows->note, "%zu more applications are not drawn; --point chooses", rows->left_out);
}

bool link_rows_write(struct link_rows *rows, const struct link_rows_text *text, const struct chart_options *options,
                     const char *path, struct error *err) {
    const char *notes[1] = {rows->note};
    make(rows, text);
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
