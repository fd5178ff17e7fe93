/* SPDX-License-Identifier: BSD-3-Clause
 * A plot as a figure of LaTeX, drawn by PGFPlots in the document's own fonts, with its data as a table of values beside
 * it. The axes, ticks and names of lines are those of the other formats; LaTeX sets the text. */
#include "drawing.h"
#include "output_file.h"
#include "render/layout/ticks.h"
#include "render/layout/marker.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"
#include "tex_text.h"

#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HEAD[] = "series,x,y,name\n"; /* of the table */
static const double TYPE = 12;                  /* of labels, in points of the layout */
static const char *const DASHES[] = {
    [PLOT_SOLID] = "solid", [PLOT_DASHED] = "dashed", [PLOT_DOTTED] = "dotted", [PLOT_DASH_DOTTED] = "dashdotted"};

/* The figure and the table on their way, and what both have in common. */
struct figure {
    const struct plot *plot;
    struct page *page; /* where it is laid out */
    double scale;      /* points of the document for one of the layout */
    FILE *tex, *csv;
    const char *csv_name; /* beside the figure */
    size_t series;        /* of the table: how many there are */
    bool out_of_memory;
};

static double divisor_of(const struct plot_axis *axis) {
    return axis->divisor > 0 ? axis->divisor : 1;
}

/* A place in the units of the axes' titles. */
static double shown_x(const struct figure *f, double x) {
    return x / divisor_of(&f->plot->x);
}

static double shown_y(const struct figure *f, double y) {
    return y / divisor_of(&f->plot->y);
}

static bool can_be_shown(const struct figure *f, double x, double y) {
    return isfinite(axis_position(&f->plot->x, x)) && isfinite(axis_position(&f->plot->y, y));
}

/* Text of the plot's, made safe. */
static void put_text(struct figure *f, const char *text) {
    char *safe = safe_text_copy(text ? text : "");
    f->out_of_memory |= !safe;
    tex_text(f->tex, safe ? safe : "");
    free(safe);
}

static void put_color(FILE *out, struct plot_color c) {
    fprintf(out, "{rgb,1:red,%.3f;green,%.3f;blue,%.3f}", c.r, c.g, c.b);
}

static void put_row(struct figure *f, double x, double y, const char *name) {
    if (!can_be_shown(f, x, y))
        return;
    fprintf(f->csv, "%zu,%.9g,%.9g,", f->series, shown_x(f, x), shown_y(f, y));
    tex_cell(f->csv, name ? name : "");
    fputc('\n', f->csv);
}

/* "table … ;" of the series that was begun last. */
static void put_table(struct figure *f, const char *then) {
    fprintf(f->tex,
            " table [col sep=comma, x=x, y=y, restrict expr to domain={\\thisrow{series}}{%zu:%zu}] "
            "{\\carminedata}%s",
            f->series, f->series, then);
}

static void put_bands(struct figure *f) {
    for (size_t i = 0; i < f->plot->band_count; i++) {
        const struct plot_band *band = &f->plot->bands[i];
        f->series++;
        for (size_t k = 0; k < band->count; k++)
            put_row(f, band->x[k], band->y_high[k], band->legend);
        for (size_t k = band->count; k-- > 0;)
            put_row(f, band->x[k], band->y_low[k], band->legend);
        fputs("\\addplot [draw=none, fill=", f->tex);
        put_color(f->tex, band->color);
        fprintf(f->tex, ", fill opacity=%.3g]", band->color.a);
        put_table(f, " -- cycle;\n");
    }
}

static void put_marks(struct figure *f) {
    for (size_t i = 0; i < f->plot->mark_count; i++) {
        const struct plot_mark *mark = &f->plot->marks[i];
        const struct plot_axis *across = mark->vertical ? &f->plot->y : &f->plot->x;
        const bool whole = mark->from == 0 && mark->to == 0;
        const double from = whole ? across->min : fmax(mark->from, across->min),
                     to = whole ? across->max : fmin(mark->to, across->max);
        fputs("\\draw [densely dotted, draw=", f->tex);
        put_color(f->tex, mark->color);
        fprintf(f->tex, "] (axis cs:%.9g,%.9g) -- (axis cs:%.9g,%.9g)", shown_x(f, mark->vertical ? mark->at : from),
                shown_y(f, mark->vertical ? from : mark->at), shown_x(f, mark->vertical ? mark->at : to),
                shown_y(f, mark->vertical ? to : mark->at));
        fputs(";\n", f->tex);
    }
}

static void put_lines(struct figure *f) {
    for (size_t i = 0; i < f->plot->line_count; i++) {
        const struct plot_line *line = &f->plot->lines[i];
        f->series++;
        for (size_t k = 0; k < line->count; k++)
            put_row(f, line->x[k], line->y[k], line->label);
        fputs("\\addplot [color=", f->tex);
        put_color(f->tex, line->color);
        fprintf(f->tex, ", line width=%.2fpt, %s%s]", f->scale * (line->width > 0 ? line->width : 1.2),
                DASHES[line->dash], line->markers ? ", mark=o, mark size=1pt, mark options={solid}" : "");
        put_table(f, ";\n");
    }
}

static void put_whisker(struct figure *f, const struct plot_point *p, bool upright) {
    const double low = upright ? p->y_min : p->x_min, high = upright ? p->y_max : p->x_max;
    if (!(low < high) || !can_be_shown(f, upright ? p->x : low, upright ? low : p->y))
        return;
    fputs("\\draw [draw=", f->tex);
    put_color(f->tex, p->color);
    fprintf(f->tex, "] (axis cs:%.9g,%.9g) -- (axis cs:%.9g,%.9g);\n", shown_x(f, upright ? p->x : low),
            shown_y(f, upright ? low : p->y), shown_x(f, upright ? p->x : high), shown_y(f, upright ? high : p->y));
}

static void put_points(struct figure *f) {
    static const char *const FILLED[] = {"*", "square*", "diamond*", "triangle*", "pentagon*", "star"},
                             *const HOLLOW[] = {"o", "square", "diamond", "triangle", "pentagon", "star"};
    for (size_t i = 0; i < f->plot->point_count; i++) {
        const struct plot_point *p = &f->plot->points[i];
        if (!can_be_shown(f, p->x, p->y))
            continue;
        f->series++;
        put_row(f, p->x, p->y, p->label ? p->label : p->legend);
        put_whisker(f, p, true);
        put_whisker(f, p, false);
        fputs("\\addplot [only marks, color=", f->tex);
        put_color(f->tex, p->color);
        fprintf(f->tex, ", mark=%s, mark size=%.2fpt]", (p->hollow ? HOLLOW : FILLED)[p->shape],
                f->scale * marker_radius(p->radius, p->hollow));
        put_table(f, ";\n");
    }
}

/* Where the page's place lies in the plot area: from 0 to 1, upwards. */
static void put_place(struct figure *f, struct vec at) {
    const struct frame *plot = &f->page->plot;
    fprintf(f->tex, "(rel axis cs:%.4f,%.4f)", (at.x - plot->left) / (plot->right - plot->left),
            (plot->bottom - at.y) / (plot->bottom - plot->top));
}

static void put_label(struct figure *f, const struct primitive *p) {
    static const char *const ANCHORS[] = {
        [PAGE_LEFT] = "base west", [PAGE_MIDDLE] = "base", [PAGE_RIGHT] = "base east"};
    const double degrees = 90 / acos(0);
    fprintf(f->tex, "\\node [anchor=%s, inner sep=%s, rotate=%.2f, text=", ANCHORS[p->anchor],
            p->style.halo ? "0.5pt, fill=white, fill opacity=0.8, text opacity=1" : "0pt", -p->angle * degrees);
    put_color(f->tex, p->style.color);
    fprintf(f->tex, "%s] at ", p->style.bold ? ", font=\\carminefont\\bfseries" : "");
    put_place(f, p->at);
    fputs(" {", f->tex);
    put_text(f, p->text);
    fputs("};\n", f->tex);
}

/* Leaders, swatches, and markers beside names. */
static void put_shape(struct figure *f, const struct primitive *p) {
    fputs("\\path [", f->tex);
    if (p->stroke.a > 0 && p->width > 0) {
        fputs("draw=", f->tex);
        put_color(f->tex, p->stroke);
        fprintf(f->tex, ", line width=%.2fpt, %s, ", f->scale * p->width, DASHES[p->dash]);
    }
    if (p->fill.a > 0) {
        fputs("fill=", f->tex);
        put_color(f->tex, p->fill);
        fprintf(f->tex, ", fill opacity=%.3g", p->fill.a);
    }
    fputs("] ", f->tex);
    if (p->kind == PAGE_CIRCLE) {
        put_place(f, p->at);
        fprintf(f->tex, " circle [radius=%.2fpt]", f->scale * p->radius);
    }
    for (size_t i = 0; p->kind != PAGE_CIRCLE && i < p->count; i++) {
        fputs(i ? " -- " : "", f->tex);
        put_place(f, f->page->vertices[p->first + i]);
    }
    fputs(p->kind == PAGE_AREA ? " -- cycle;\n" : ";\n", f->tex);
}

/* Labels and the legend stand where the layout has found places for them. */
static void put_labels(struct figure *f) {
    for (size_t i = 0; i < f->page->count; i++) {
        const struct primitive *p = &f->page->primitives[i];
        if (p->part != PAGE_LABELS && p->part != PAGE_LEGEND)
            continue;
        if (p->kind == PAGE_TEXT)
            put_label(f, p);
        else
            put_shape(f, p);
    }
}

static void put_axis(struct figure *f, const struct plot_axis *axis, char name, double length) {
    const struct text_style style = {.size = TYPE};
    struct ticks ticks;
    ticks_make(&ticks, axis, length, name == 'y', f->page, &style);
    if (axis->scale != PLOT_LINEAR)
        fprintf(f->tex, "  %cmode=log, log basis %c=10,\n", name, name);
    fprintf(f->tex, "  %cmin=%.9g, %cmax=%.9g, %clabel={", name, axis->min / divisor_of(axis), name,
            axis->max / divisor_of(axis), name);
    put_text(f, axis->title);
    fprintf(f->tex, "},\n  %ctick={", name);
    for (size_t i = 0; i < ticks.count; i++)
        fprintf(f->tex, "%s%.9g", i ? "," : "", ticks.ticks[i].value / divisor_of(axis));
    fprintf(f->tex, "}, %cticklabels={", name);
    for (size_t i = 0; i < ticks.count; i++) {
        fputs(i ? ",{" : "{", f->tex);
        put_text(f, ticks.ticks[i].label);
        fputs("}", f->tex);
    }
    fputs("},\n", f->tex);
}

static void put_caption(struct figure *f) {
    const struct plot *plot = f->plot;
    const char *parts[] = {plot->title, plot->subtitle, plot->caption, plot->footer};
    fputs("\\caption{", f->tex);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i] && *parts[i]) {
            put_text(f, parts[i]);
            fputs(parts[i][strlen(parts[i]) - 1] == '.' ? " " : ". ", f->tex);
        }
    for (size_t i = 0; i < plot->note_count; i++) {
        fputs(i ? "; " : "Doubts: ", f->tex);
        put_text(f, plot->notes[i]);
    }
    fputs(plot->note_count ? ".}\n" : "}\n", f->tex);
}

static void put_figure(struct figure *f) {
    const struct frame *plot = &f->page->plot;
    const double width = plot->right - plot->left, height = plot->bottom - plot->top, type = f->scale * TYPE;
    fprintf(
        f->tex,
        "%% For a document with \\usepackage{pgfplots} and \\pgfplotsset{compat=1.16}. The data are in the table "
        "beside it:\n\\begin{figure}\n\\centering\n\\def\\carminedata{%s}%% with its folder, where that is another\n"
        "\\def\\carminefont{\\fontsize{%.1f}{%.1f}\\selectfont}\n\\begin{tikzpicture}[font=\\carminefont]\n"
        "\\begin{axis}[\n  scale only axis, width=%.1fpt, height=%.1fpt, clip mode=individual, axis lines=left,\n"
        "  axis line style={-}, xlabel style={yshift=3pt}, grid=major, major grid style={very thin, black!12},\n",
        f->csv_name, type, 1.2 * type, f->scale * width, f->scale * height);
    put_axis(f, &f->plot->x, 'x', width);
    put_axis(f, &f->plot->y, 'y', height);
    fputs("]\n", f->tex);
    put_bands(f);
    put_marks(f);
    put_lines(f);
    put_points(f);
    put_labels(f);
    fputs("\\end{axis}\n\\end{tikzpicture}\n", f->tex);
    put_caption(f);
    fputs("\\end{figure}\n", f->tex);
}

/* The table's path: that of the figure with another ending; to be freed. */
static char *csv_path(const char *path) {
    char *csv = strdup(path);
    if (csv)
        strcpy(csv + strlen(csv) - strlen(".tex"), ".csv");
    return csv;
}

/* Whether something else has that name: a table that somebody keeps. */
static bool is_anothers(const char *path) {
    char begin[sizeof HEAD] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool ours = fgets(begin, sizeof begin, file) == NULL || strcmp(begin, HEAD) == 0;
    fclose(file);
    return !ours;
}

/* Writes the table to a file of its own. */
static bool put_csv(struct drawing *drawing, const char *path, const char *text) {
    struct output_file file;
    if (is_anothers(path)) {
        drawing->trouble = "its table would replace another file, the .csv of that name; choose another name";
        return false;
    }
    const int reason = output_file_open(&file, path);
    if (reason) {
        drawing->write_error = reason > 0 ? reason : EPERM;
        return false;
    }
    const int failed = output_file_put(file.descriptor, text, strlen(text));
    const int closing = output_file_close(&file, failed == 0, false);
    drawing->write_error = failed ? failed : closing > 0 ? closing : closing ? EPERM : 0;
    return !failed && !closing;
}

/* The page without what the caption says, and without a second scale, which PGFPlots' axis does not have. */
static bool lay_out(struct drawing *drawing, cairo_t *cr, struct page *page) {
    struct plot bare = *drawing->plot;
    struct drawing of = *drawing;
    bare.title = bare.subtitle = bare.footer = bare.right_title = NULL;
    bare.note_count = 0;
    of.plot = &bare;
    const bool done = drawing_lay_out(&of, cr, page);
    drawing->metrics = of.metrics;
    page->metrics = &drawing->metrics;
    return done && cairo_status(cr) == CAIRO_STATUS_SUCCESS;
}

/* Both texts, to be freed. False: memory ran out. */
static bool print_both(struct drawing *drawing, struct page *page, const char *csv_name, char **tex, char **csv) {
    size_t length, csv_length;
    struct figure f = {.plot = drawing->plot, .page = page, .scale = drawing->style->scale, .csv_name = csv_name};
    f.tex = text_stream(tex, &length);
    f.csv = text_stream(csv, &csv_length);
    if (f.tex && f.csv) {
        fputs(HEAD, f.csv);
        put_figure(&f);
    }
    const bool whole = f.tex && text_stream_close(f.tex), csv_whole = f.csv && text_stream_close(f.csv);
    return whole && csv_whole && !f.out_of_memory && !page->out_of_memory;
}

bool draw_tex(struct drawing *drawing) {
    if (drawing->plot->heat || drawing->plot->panel_count > 0) {
        drawing->trouble = drawing->plot->heat
                               ? "PGFPlots has no such map of cells; name a .pdf or .eps"
                               : "charts below each other are no figure of PGFPlots; name a .pdf or .eps";
        return false;
    }
    char *tex = NULL, *csv = NULL, *path = csv_path(drawing->path);
    struct page page;
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cr = cairo_create(surface);
    bool done = lay_out(drawing, cr, &page) && path && print_both(drawing, &page, basename(path), &tex, &csv);
    drawing->out_of_memory = !done;
    page_free(&page);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    done = done && put_csv(drawing, path, csv) && drawing_put(drawing, tex, strlen(tex));
    free(tex);
    free(csv);
    free(path);
    return done;
}
