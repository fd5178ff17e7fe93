/* SPDX-License-Identifier: BSD-3-Clause
 * What charts share: output, labels, colours, notes, and the values that they draw. */
#include "chart_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "carm/compare/compare.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/describe.h"
#include "carm/model/verdict.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "probe/order.h"
#include "probe/text.h"
#include "render/draw/font.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

/* The plot with the options' style, title and notes. */
static struct plot styled(const struct plot *plot, const struct chart_options *options) {
    struct plot out = *plot;
    out.style = options->style;
    out.title = options->title ? options->title : plot->title;
    out.untitled = options->style && options->style->captioned && !options->title;
    out.note_count = options->no_notes ? 0 : plot->note_count;
    return out;
}

static const char DETAILS[] = "Details:", CAPTION_END[] = "(Caption by carmine plot)";

static void print_paragraph(const char *name, const char *text, FILE *out) {
    if (text && *text)
        fprintf(out, "\n%s%s\n", name, text);
}

/* A row of the legend as a sentence: "Pale band: down to the weakest pattern." */
static void print_sentence(const char *legend, FILE *out) {
    if (legend && *legend)
        fprintf(out, "\n%c%s.\n", toupper((unsigned char)*legend), legend + 1);
}

/* "Roofs: L1  2LD1ST, 652 GB/s · 193 B/cycle; …" */
static void chart_parts_print_lines(const struct plot *plot, FILE *out) {
    const char *before = "\nLines: ";
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (!line->label || !line->sublabel) /* a dash pattern's name is in the legend */
            continue;
        fprintf(out, "%s%s, %s", before, line->label, line->sublabel);
        before = "; ";
    }
    fputs(*before == ';' ? "\n" : "", out);
}

/* "Ridge points: L1 0.18; L2 0.34 flop/B". Their lines would cross the names of points. */
static void print_ridges(const struct plot *plot, FILE *out) {
    const char *before = "\nRidge points: ";
    for (size_t i = 0; i < plot->mark_count; i++) {
        const struct plot_mark *mark = &plot->marks[i];
        if (!mark->remark)
            continue;
        fprintf(out, "%s%s %s", before, mark->group, mark->label);
        before = "; ";
    }
    fputs(*before == ';' ? " flop/B\n" : "", out);
}

/* "Points: 1 dgemm, L3 71 %; triad, …", with the numbers that replace labels without room. */
static void chart_parts_print_points(const struct plot *plot, FILE *out) {
    const char *before = "\nPoints: ";
    size_t number = 0;
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        if (!point->label || point->optional)
            continue;
        fputs(before, out);
        if (plot->numbered[i])
            fprintf(out, "%zu ", ++number);
        fprintf(out, "%s%s%s", point->label, point->sublabel ? ", " : "", point->sublabel ? point->sublabel : "");
        before = "; ";
    }
    fputs(*before == ';' ? "\n" : "", out);
}

static bool has_sign(const char *text) {
    return text && strstr(text, "▲");
}

/* What the sign of doubtful values means, if a name has one. */
static const char *sign_explained(const struct plot *plot) {
    bool found = false;
    for (size_t i = 0; i < plot->line_count; i++)
        found |= has_sign(plot->lines[i].label) || has_sign(plot->lines[i].sublabel);
    for (size_t i = 0; i < plot->point_count; i++)
        found |= has_sign(plot->points[i].label) || has_sign(plot->points[i].sublabel);
    return found && plot->note_count > 0 ? "▲ marks what a warning is about." : NULL;
}

/* All numbers of the lines, and the method. */
static void print_details(const struct plot *plot, FILE *out) {
    char *text = NULL;
    size_t length;
    FILE *details = need_made(open_memstream(&text, &length));
    chart_parts_print_lines(plot, details);
    print_ridges(plot, details);
    print_paragraph("", plot->caption, details);
    print_paragraph("", plot->footer, details);
    fclose(details);
    if (length > 0)
        fprintf(out, "\n%s\n%s", DETAILS, text);
    free(text);
}

/* All that a figure needs, then the details for the text around it. */
static void print_caption(const struct plot *plot, FILE *out) {
    fprintf(out, "%s%s%s\n", plot->title ? plot->title : "", plot->title && plot->subtitle ? ". " : "",
            plot->subtitle ? plot->subtitle : "");
    chart_parts_print_points(plot, out);
    for (size_t i = 0; i < plot->band_count; i++)
        print_sentence(plot->bands[i].remark ? plot->bands[i].legend : NULL, out);
    print_paragraph("", sign_explained(plot), out);
    for (size_t i = 0; i < plot->note_count; i++)
        print_paragraph("Warning: ", plot->notes[i], out);
    print_details(plot, out);
    fprintf(out, "\n%s\n", CAPTION_END);
}

static const char *const CAPTIONS[] = {".caption.txt", ".caption.tex"};
enum { CAPTION_COUNT = sizeof CAPTIONS / sizeof *CAPTIONS };

/* "x.caption.txt" of "x.pdf". To be freed. */
static char *caption_path(const char *path, const char *ending) {
    char *beside = need_calloc(strlen(path) + strlen(ending) + 1, 1);
    strcpy(beside, path);
    strcpy(strrchr(beside, '.'), ending);
    return beside;
}

/* Error: the file is no caption of ours, which end in a line that says so. */
static bool may_write(const char *beside, struct error *err) {
    enum { MOST_BYTES = 1 << 20 };
    struct stat status;
    struct error why;
    char *text;
    size_t length;
    if (lstat(beside, &status) != 0)
        return true;
    bool ours = S_ISREG(status.st_mode) && file_read(beside, MOST_BYTES, &text, &length, &why);
    if (ours) {
        ours = length == 0 || strstr(text, CAPTION_END);
        free(text);
    }
    return ours || error_set(err,
                             "%s would be overwritten, and is no caption by carmine: move it away, or name another "
                             "picture",
                             beside);
}

static bool may_write_captions(const char *path, struct error *err) {
    bool may = true;
    for (size_t i = 0; i < CAPTION_COUNT && may; i++) {
        char *beside = caption_path(path, CAPTIONS[i]);
        may = may_write(beside, err);
        free(beside);
    }
    return may;
}

/* The caption for LaTeX, which reads no further than the details: a column has no room for them, so the table with the
 * label in \carminetable is named, if the document has one. The last line is a comment. Cuts `text` into lines. */
static void print_latex_caption(char *text, FILE *out) {
    bool referred = false;
    for (char *line; (line = strsep(&text, "\n")) && (text || *line);) {
        const bool ends = strcmp(line, CAPTION_END) == 0, has_details = strcmp(line, DETAILS) == 0;
        if ((ends || has_details) && !referred)
            referred = fputs("\\ifdefined\\carminetable Values: Table~\\ref{\\carminetable}.\\fi\n", out) >= 0;
        if (ends)
            fprintf(out, "%% %s", line);
        else if (has_details)
            fputs("\\endinput % Details. Without this line they are part of the caption.", out);
        else
            latex_print(line, out);
        fputc('\n', out);
    }
}

static bool chart_parts_write_beside(const char *path, const char *ending, const char *text, size_t length,
                                     struct error *err) {
    char *beside = caption_path(path, ending);
    const bool done = file_write(beside, text, length, false, err);
    free(beside);
    return done;
}

/* Writes all texts that the picture leaves out, as text and for LaTeX. */
static bool write_captions(const struct plot *plot, const char *path, struct error *err) {
    char *text = NULL, *latex = NULL;
    size_t length, latex_length;
    FILE *out = need_made(open_memstream(&text, &length));
    print_caption(plot, out);
    fclose(out);
    bool done = chart_parts_write_beside(path, CAPTIONS[0], text, length, err);
    out = need_made(open_memstream(&latex, &latex_length));
    print_latex_caption(text, out);
    fclose(out);
    done = done && chart_parts_write_beside(path, CAPTIONS[1], latex, latex_length, err);
    free(text), free(latex);
    return done;
}

/* Says, once, what replaces the font. A replacement is wider or lacks signs, which changes labels. */
static void report_font(const struct plot_style *style) {
    static bool reported;
    const char *family = style && style->font ? style->font : STYLE_FONT;
    char found[128];
    if (reported)
        return;
    reported = true;
    if (!font_found(family, found, sizeof found))
        notice_print("there is no font here: text is drawn in strokes, and some of its signs are empty boxes; install "
                     "one (fonts-dejavu-core)");
    else if (*found && strncasecmp(found, family, strlen(found)) != 0) /* "DejaVu Sans" has "DejaVu Sans Condensed" */
        notice_print("the font '%s' is missing here: text is drawn in %s%s", family, found,
                     strcmp(family, STYLE_FONT) == 0 ? ", and labels may be shorter; install it (fonts-dejavu-core)"
                                                     : "");
}

bool chart_draw(const struct plot *plot, const char *path, double width, double height, struct error *err) {
    struct plot_error plot_err;
    if (!plot_write(plot, path, width, height, &plot_err)) {
        if (plot_err.out_of_memory)
            need_end();
        return error_set(err, "%s", plot_err.text);
    }
    report_font(plot->style);
    return true;
}

/* Draws into the output of the options. */
static bool draw_elsewhere(const struct plot *plot, const struct chart_options *options, struct error *err) {
    struct plot_error plot_err;
    const bool done = options->terminal ? plot_text(plot, options->terminal, options->text, &plot_err)
                                        : plot_svg(plot, options->width, options->height, options->svg, &plot_err);
    if (!done && plot_err.out_of_memory)
        need_end();
    return done || error_set(err, "%s", plot_err.text);
}

/* The caption has all notes, and the title that the picture lacks. */
static bool draw_captioned(const struct plot *plot, const struct plot *made, const struct chart_options *options,
                           const char *path, struct error *err) {
    struct plot drawn = *plot, explained = *made;
    explained.title = options->title && *options->title ? options->title : made->title;
    explained.numbered = drawn.numbered = need_calloc(plot->point_count + 1, sizeof *drawn.numbered);
    const bool done = may_write_captions(path, err) && chart_draw(&drawn, path, options->width, options->height, err) &&
                      write_captions(&explained, path, err);
    free(drawn.numbered);
    return done;
}

static bool chart_parts_write_limited(const struct plot *made, const struct chart_options *options, const char *path,
                                      struct error *err) {
    const struct plot plot = styled(made, options);
    if (options->take) {
        options->take(&plot, options->taker);
        return true;
    }
    if (options->terminal || options->svg)
        return draw_elsewhere(&plot, options, err);
    return plot.style && plot.style->captioned ? draw_captioned(&plot, made, options, path, err)
                                               : chart_draw(&plot, path, options->width, options->height, err);
}

/* A slide has no subtitle and no small print, a paper no title. */
double chart_rows_page(const struct plot *plot, const struct plot_style *style) {
    const double around = style->captioned ? 80 : style->sparse ? 140 : 195;
    return (plot->rows_height + around) * style->scale;
}

double chart_text_width(const char *text) {
    const double letter = 7.2;
    return letter * (double)table_width(text);
}

/* A figure may be as high as it needs; a slide keeps its proportions as long as texts beside bars have room. */
double chart_height(const struct plot *plot, const struct plot_style *style, double width) {
    const double usual = (width > 0 ? width : style->width) * style->height / style->width, most_crowded = 16.0 / 9,
                 of_panels = 1.4; /* charts below each other */
    const bool has_texts = plot->band_count > 0 && plot->bands[0].label,
               is_crowded = style->sparse && !style->captioned && !has_texts;
    const double needed = plot->rows_height > 0                       ? chart_rows_page(plot, style)
                          : plot->panel_count > 0 && style->captioned ? of_panels * usual
                                                                      : 0;
    return needed > usual * (is_crowded ? most_crowded : 1) ? needed : 0;
}

bool chart_write(const struct plot *made, const struct chart_options *options, const char *path, struct error *err) {
    struct limited limited;
    struct chart_options sized = *options;
    if (!(sized.height > 0))
        sized.height = chart_height(made, options->style ? options->style : &plot_styles[0], options->width);
    const bool done = limits_apply(&options->limits, made, &limited, err) &&
                      chart_parts_write_limited(&limited.plot, &sized, path, err);
    limits_free(&limited);
    return done;
}

/* `*options->text` has all of them. */
static bool panels_in_terminal(const struct plot *whole, const char *x_title, const struct chart_options *options,
                               struct error *err) {
    size_t length;
    FILE *out = need_made(text_stream(options->text, &length));
    bool done = true;
    for (size_t i = 0; i < whole->panel_count && done; i++) {
        struct chart_options one = *options;
        struct plot plot = whole->panels[i];
        char *text = NULL;
        one.text = &text;
        one.limits.y = (struct limits_side){.text = NULL}; /* each chart has an axis of its own */
        if (i > 0 || !whole->title)
            plot.title = plot.subtitle, plot.subtitle = NULL;
        else
            plot.title = whole->title;
        plot.x.title = x_title;
        done = chart_write(&plot, &one, NULL, err);
        if (done)
            fprintf(out, "%s%s", i ? "\n" : "", text);
        free(text);
    }
    if (!text_stream_close(out))
        need_end();
    return done;
}

bool chart_write_panels(const struct plot *whole, const char *x_title, const struct chart_options *options,
                        const char *path, struct error *err) {
    static const char *const UNNAMED[] = {""};
    const size_t count = whole->panel_count;
    if (options->terminal)
        return panels_in_terminal(whole, x_title, options, err);
    struct plot plot = *whole, *panels = need_calloc(count, sizeof *panels);
    for (size_t i = 0; i < count; i++) {
        panels[i] = whole->panels[i];
        if (i + 1 < count) /* only the lowest panel has the axis */
            panels[i].x.names = UNNAMED, panels[i].x.name_count = 1;
        else
            panels[i].x.title = x_title;
        if (options->style && options->style->sparse) /* it has no subtitles */
            panels[i].title = panels[i].subtitle, panels[i].subtitle = NULL;
    }
    plot.panels = panels;
    const bool done = chart_write(&plot, options, path, err);
    free(panels);
    return done;
}

/* The number of a level's look: caches have their own number's, so that an L2 looks alike on all machines; the fourth
 * is of L4 or L1.5, or of the first memory other than the cores' own. */
static unsigned level_look(const struct levels *levels, unsigned index) {
    enum { FOURTH = 3 };
    const char *name = levels->level[index].name;
    const unsigned cache = levels_cache(name);
    if (cache > 0 || !*name)
        return levels_is_between(name) ? FOURTH : cache > 0 ? cache - 1 : index;
    unsigned look = FOURTH;
    for (unsigned i = 0; i < index; i++)
        look += levels_is_memory(levels->level[i].name) || level_look(levels, i) == FOURTH;
    return look;
}

struct plot_color chart_level_color(const struct levels *levels, unsigned index) {
    const struct plot_color colors[] = {PALETTE_BLUE, PALETTE_GREEN, PALETTE_ORANGE, PALETTE_PURPLE};
    const unsigned look = level_look(levels, index);
    return index + 1 == levels->count || look >= sizeof colors / sizeof *colors ? PALETTE_VERMILLION : colors[look];
}

enum plot_dash chart_level_dash(const struct levels *levels, unsigned index) {
    static const enum plot_dash DASHES[] = {PLOT_SOLID,       PLOT_SOLID,  PLOT_SOLID,
                                            PLOT_DASH_DOTTED, PLOT_DASHED, PLOT_DOTTED};
    enum { MOST = sizeof DASHES / sizeof *DASHES };
    const unsigned look = level_look(levels, index);
    return index + 1 == levels->count ? PLOT_SOLID : DASHES[look < MOST ? look : MOST - 1];
}

void chart_label(const struct roof *roof, char *out, size_t size) {
    const struct isa *isa = isa_find(roof->isa);
    char op[DESCRIBE_OPERATION_BYTES];
    if (doubts_has(roof->sample->doubts, DOUBT_IMPORTED)) { /* a roof of another tool has that tool's name and label */
        snprintf(out, size, "%s %s", roof->isa, roof->op);
        return;
    }
    bool compute = roof->sample->kind == SAMPLE_COMPUTE;
    snprintf(out, size, "%s%s%s", compute && isa ? isa->label : "", compute && isa ? " " : "",
             describe_operation(roof->op, op));
}

enum { LONG_TITLE = 56 }; /* bytes: no processor's brand in such a title of a slide */

char *chart_title(const struct chart_options *options, const struct result *result, const char *what, char *out,
                  size_t size) {
    const bool slide = options->style && options->style->sparse && !options->style->captioned;
    char name[160];
    snprintf(out, size, "%s · %s", describe_cpu(result, name, sizeof name), what);
    if (slide && strlen(out) > LONG_TITLE)
        snprintf(out, size, "%s · %s", compare_machine(result, name, sizeof name), what);
    return out;
}

bool chart_write_titled(const struct plot *plot, const struct result *result, const char *what,
                        const struct chart_options *options, const char *path, struct error *err) {
    char title[256], subtitle[512];
    struct plot titled = *plot;
    titled.title = chart_title(options, result, what, title, sizeof title);
    describe_conditions(result, subtitle, sizeof subtitle);
    titled.subtitle = subtitle;
    return chart_write(&titled, options, path, err);
}

size_t chart_cache_marks(const struct levels *levels, struct plot_mark *marks, char (*labels)[CHART_MARK_BYTES]) {
    size_t count = 0;
    for (unsigned i = 0; i + 1 < levels->count && count + 2 <= CHART_MAX_MARKS; i++) {
        const struct level *level = &levels->level[i];
        struct plot_mark mark = {.vertical = true, .color = chart_level_color(levels, i)};
        char size[32];
        snprintf(labels[count], CHART_MARK_BYTES, "%s %s%s", level->name,
                 units_binary(size, sizeof size, (double)level->detected_bytes), level->disagrees ? " (detected)" : "");
        mark.at = (double)level->detected_bytes, mark.dash = PLOT_DASHED, mark.label = labels[count];
        marks[count++] = mark;
        if (!level->disagrees)
            continue;
        snprintf(labels[count], CHART_MARK_BYTES, "%s ends near %s", level->name,
                 units_binary(size, sizeof size, (double)level->effective_bytes));
        mark.at = (double)level->effective_bytes, mark.dash = PLOT_DOTTED, mark.label = labels[count];
        marks[count++] = mark;
    }
    return count;
}

/* The lowest, middle and highest of the known values (above 0). */
struct extremes {
    double low, middle, high;
};

static struct extremes extremes_of(const struct sample *const *samples, size_t count,
                                   double (*value)(const struct sample *sample)) {
    double *values = need_calloc(count + 1, sizeof *values);
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (value(samples[i]) > 0)
            values[known++] = value(samples[i]);
    qsort(values, known, sizeof *values, order_doubles);
    const struct extremes found = {values[0], values[known / 2], known ? values[known - 1] : 0};
    free(values);
    return found;
}

static double chart_parts_clock_of(const struct sample *sample) {
    return sample->clock_hz;
}

static double repetitions_of(const struct sample *sample) {
    return sample->rate.kept;
}

static double chart_parts_spread_of(const struct sample *sample) {
    return sample->spread;
}

void chart_caption(const struct sample *const *samples, size_t count, char *out, size_t size) {
    const struct extremes clock = extremes_of(samples, count, chart_parts_clock_of),
                          kept = extremes_of(samples, count, repetitions_of),
                          spread = extremes_of(samples, count, chart_parts_spread_of);
    *out = '\0';
    if (clock.high > 0)
        snprintf(out, size, "Core clock while measuring %.2f to %.2f GHz. ", clock.low / 1e9, clock.high / 1e9);
    if (kept.high > 0)
        text_append(out, size,
                    "Each value has %.0f to %.0f repetitions; their quartiles are %.2g %% (median) to %.2g "
                    "%% (at most) apart.",
                    kept.low, kept.high, 100 * spread.middle, 100 * spread.high);
}

/* Whether a sample before it has the same name and doubt: with other threads, or a documented limit. */
static bool is_told(const struct sample *const *samples, size_t i, enum doubt_id doubt) {
    bool told = false;
    for (size_t k = 0; k < i && !told; k++)
        told = doubts_has(samples[k]->doubts, doubt) && strcmp(samples[k]->kernel, samples[i]->kernel) == 0 &&
               strcmp(samples[k]->level, samples[i]->level) == 0;
    return told;
}

size_t chart_notes(const struct result *result, const struct sample *const *samples, size_t count,
                   char (*store)[CHART_NOTE_BYTES], const char **notes) {
    size_t found = 0;
    char levels[CHART_MAX_NOTES][160];
    size_t level_notes = describe_level_notes(result, levels, CHART_MAX_NOTES / 2);
    for (size_t i = 0; i < level_notes; i++)
        snprintf(store[found++], CHART_NOTE_BYTES, "%.159s", levels[i]);
    if (result->uarch_doubt[0])
        snprintf(store[found++], CHART_NOTE_BYTES, "%s", result->uarch_doubt);
    if (result->environment.partial[0])
        snprintf(store[found++], CHART_NOTE_BYTES, "partial (%s): the rest is not measured yet",
                 result->environment.partial);
    else if (result->environment.interrupted)
        snprintf(store[found++], CHART_NOTE_BYTES, "the run was interrupted: some roofs are missing");
    for (unsigned d = 0; d < DOUBT_COUNT && found < CHART_MAX_NOTES; d++) {
        size_t hits = 0;
        char names[200] = "";
        for (size_t i = 0; i < count; i++) {
            if (!doubts_has(samples[i]->doubts, d) || d == DOUBT_SIZE_DISAGREES || is_told(samples, i, d))
                continue; /* a level's size has its own note */
            if (hits++ < 4)
                text_append(names, sizeof names, "%s%s%s%s", hits > 1 ? ", " : "", samples[i]->level,
                            samples[i]->level[0] ? " " : "", samples[i]->kernel);
        }
        if (hits)
            snprintf(store[found++], CHART_NOTE_BYTES, "%s: %s%s", doubt_table[d].name, names, hits > 4 ? ", …" : "");
    }
    for (size_t i = 0; i < found; i++)
        notes[i] = store[i];
    return found;
}

bool chart_is_dram(enum chart_bytes bytes) {
    return bytes >= BYTES_DRAM;
}

static struct statistics chart_parts_sum(struct statistics a, struct statistics b) {
    return (struct statistics){.n = a.n > b.n ? a.n : b.n,
                               .min = a.min + b.min,
                               .q1 = a.q1 + b.q1,
                               .median = a.median + b.median,
                               .q3 = a.q3 + b.q3,
                               .max = a.max + b.max};
}

struct statistics chart_quotient(struct statistics a, struct statistics b) {
    if (a.n == 0 || b.n == 0 || !(b.min > 0))
        return (struct statistics){0};
    return (struct statistics){.n = a.n > b.n ? a.n : b.n,
                               .min = a.min / b.max,
                               .q1 = a.q1 / b.q3,
                               .median = a.median / b.median,
                               .q3 = a.q3 / b.q1,
                               .max = a.max / b.min};
}

struct statistics chart_scaled(struct statistics s, double factor) {
    s.min *= factor, s.q1 *= factor, s.median *= factor, s.q3 *= factor, s.max *= factor;
    return s;
}

struct app_point chart_point(const struct app_point *point, const struct chart_options *options) {
    struct app_point out = *point;
    if (options->pseudo_flop && point->pseudo_flop > 0)
        out.flop = app_once(point->pseudo_flop);
    return out;
}

struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes) {
    const struct statistics *load = &point->load_bytes, *store = &point->store_bytes;
    bool dram = chart_is_dram(bytes),
         as_one =
             (point->bytes_source == SOURCE_STATED || point->bytes_source == SOURCE_IMPORTED) && store->median == 0;
    if ((dram ? point->dram_source : point->bytes_source) == SOURCE_UNKNOWN)
        return (struct statistics){0};
    switch (bytes) {
    case BYTES_CORE:
        return chart_parts_sum(*load, *store);
    case BYTES_LOADED: /* bytes stated as one number may include stores */
        return as_one ? (struct statistics){0} : *load;
    case BYTES_STORED:
        return as_one ? (struct statistics){0} : *store;
    case BYTES_DRAM:
        return chart_parts_sum(point->dram_read_bytes, point->dram_write_bytes);
    case BYTES_DRAM_READ:
        return point->dram_read_bytes;
    case BYTES_DRAM_WRITTEN:
        return point->dram_write_bytes;
    }
    return (struct statistics){0};
}

const char *chart_dram_source(const char *so_far, const struct app_point *point) {
    const char *source = app_source_names[point->dram_source];
    if (point->dram_source == SOURCE_UNKNOWN)
        return so_far;
    return !so_far || strcmp(so_far, source) == 0 ? source : "of several sources";
}

double chart_roof_share(const struct roof *roof, enum chart_bytes bytes) {
    struct pattern_share share = pattern_share(roof);
    if (bytes != BYTES_DRAM && share.load + share.store == 0) /* traffic stated as one number has no kind */
        return 0;
    switch (bytes) {
    case BYTES_CORE:
        return share.load + share.store;
    case BYTES_LOADED:
        return share.load;
    case BYTES_STORED:
        return share.store;
    case BYTES_DRAM:
        return share.read + share.written;
    case BYTES_DRAM_READ:
        return share.read;
    case BYTES_DRAM_WRITTEN:
        return share.written;
    }
    return 0;
}

unsigned chart_cores(const struct sample *sample) {
    return sample->cores ? sample->cores : sample->threads;
}

double chart_rate(const struct sample *sample, bool per_cycle) {
    return !per_cycle                       ? sample->value
           : sample->kind == SAMPLE_LATENCY ? sample->per_cycle
                                            : sample->per_cycle * chart_cores(sample);
}

bool chart_cycle_axis(const struct sample *const *samples, size_t count, const char *unit, struct cycle_axis *out) {
    const double one_clock = 1.01;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, samples[i]->clock_hz);
        high = fmax(high, samples[i]->clock_hz);
        if (chart_cores(samples[i]) != chart_cores(samples[0]))
            return false;
    }
    if (!(low > 0) || !(high > 0) || high > one_clock * low || chart_cores(samples[0]) == 0)
        return false;
    const double clock_hz = (low + high) / 2;
    out->per_rate = 1 / (clock_hz * chart_cores(samples[0]));
    snprintf(out->title, sizeof out->title, "%s%s at %.2f GHz", unit,
             chart_cores(samples[0]) == 1 ? "/cycle" : " per cycle and core", clock_hz / 1e9);
    return true;
}

double chart_clock_hz(const struct model *model, const struct app_point *point) {
    struct applicable_roofs applicable;
    const struct verdict verdict = verdict_find(model, point);
    if (point->clock_hz > 0)
        return point->clock_hz;
    if (verdict.known)
        return (verdict.bandwidth ? verdict.bandwidth : verdict.ceiling)->sample->clock_hz;
    return applicable_make(model, point, &applicable) ? applicable_peak(&applicable)->sample->clock_hz : 0;
}

void chart_widen(struct plot_axis *axis, double value, double margin) {
    axis->min = fmin(axis->min, value / margin);
    axis->max = fmax(axis->max, value * margin);
}
