/* SPDX-License-Identifier: BSD-3-Clause
 * The column of line names. Rows move apart as little as possible: neighbours that touch form a block, at the mean
 * of the places that its rows want (pool adjacent violators; Barlow et al. 1972). */
#include "labels.h"

#include <math.h>
#include <stdlib.h>

static const double leader_length = 16, leader_gap = 3, column_gap = 8;
static const double ROW = 1.22;                                     /* of the type's size */
static const double widest_share = 0.36, widest_sparse_share = 0.4; /* of the page's width */

struct plot_color text_color(struct plot_color color) {
    color.a = 1;
    /* Relative luminance (WCAG 2.1) below 0.18 has a contrast above 4.5 to 1 on white. */
    while (0.2126 * pow(color.r, 2.2) + 0.7152 * pow(color.g, 2.2) + 0.0722 * pow(color.b, 2.2) > 0.18) {
        color.r *= 0.95;
        color.g *= 0.95;
        color.b *= 0.95;
    }
    return color;
}

struct label line_label(const struct plot_line *line, const struct theme *theme, enum line_words words) {
    struct label label = {
        .text = words == LINE_BRIEF && line->short_label ? line->short_label : line->label,
        .subtext = words != LINE_WHOLE && line->short_sublabel ? line->short_sublabel : line->sublabel,
        .style = line->width >= 2 ? theme->strong_line : theme->line,
        .substyle = theme->line_sub,
    };
    label.style.color = label.substyle.color = text_color(line->color);
    return label;
}

/* Whether the line leaves through the right side, and at which height. */
static bool exit_of(const struct plot *plot, const struct plot_line *line, double *exit, bool *out_of_memory) {
    const struct frame unit = {0, 0, 1, 1};
    struct trace trace;
    *out_of_memory = !trace_make(&trace, plot, &unit, line->count, line->x, line->y);
    bool found = !*out_of_memory && trace.count && trace.stops[trace.count - 1].at.x > 1 - 1e-6;
    if (found)
        *exit = 1 - trace.stops[trace.count - 1].at.y;
    trace_free(&trace);
    return found;
}

static int by_exit(const void *a, const void *b) {
    const struct end_label *p = a, *q = b;
    if (p->exit != q->exit)
        return p->exit > q->exit ? -1 : 1;
    return p->line < q->line ? -1 : p->line > q->line;
}

/* Measures the columns; true: all fits into `most`. */
static bool measure(struct end_labels *end_labels, const struct plot *plot, struct page *page,
                    const struct theme *theme, double most) {
    const enum line_words words = end_labels->words;
    end_labels->label_width = end_labels->sublabel_width = 0;
    for (size_t i = 0; i < end_labels->count; i++) {
        const struct plot_line *line = &plot->lines[end_labels->rows[i].line];
        struct label label = line_label(line, theme, words);
        end_labels->label_width = fmax(end_labels->label_width, page_text_width(page, label.text, &label.style));
        if (label.subtext)
            end_labels->sublabel_width =
                fmax(end_labels->sublabel_width, page_text_width(page, label.subtext, &label.substyle));
    }
    return end_labels_width(end_labels, theme) <= most;
}

/* Takes the first form that fits: a shorter number rather than a second row, of which only a few labels have whole
 * words. */
static void choose_form(struct end_labels *end_labels, const struct plot *plot, struct page *page,
                        const struct theme *theme, double most) {
    static const struct {
        enum line_words words;
        bool stacked;
    } FORMS[] = {{LINE_WHOLE, false}, {LINE_SHORT, false}, {LINE_WHOLE, true}, {LINE_SHORT, true}, {LINE_BRIEF, true}};
    const double few_share = 0.3; /* of the page's height */
    const bool few = (double)end_labels->count * 2 * ROW * theme->strong_line.size < few_share * page->height;
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        end_labels->words = FORMS[i].words, end_labels->stacked = FORMS[i].stacked;
        if ((few || i != 2) && measure(end_labels, plot, page, theme, most))
            return;
    }
}

bool end_labels_collect(struct end_labels *end_labels, const struct plot *plot, struct page *page,
                        const struct theme *theme, bool *dropped) {
    const double most = (theme->sparse ? widest_sparse_share : widest_share) * page->width;
    *end_labels = (struct end_labels){.rows = calloc(plot->line_count + 1, sizeof *end_labels->rows)};
    if (!end_labels->rows)
        return false;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        struct end_label row = {.line = i};
        bool out_of_memory = false;
        if (dropped[i] || !line->label || line->label_place != PLOT_LABEL_END ||
            !exit_of(plot, line, &row.exit, &out_of_memory)) {
            if (out_of_memory)
                return false;
            continue;
        }
        struct label label = line_label(line, theme, LINE_BRIEF);
        if (page_text_width(page, label.text, &label.style) + leader_length + leader_gap > most)
            dropped[i] = true;
        else
            end_labels->rows[end_labels->count++] = row;
    }
    qsort(end_labels->rows, end_labels->count, sizeof *end_labels->rows, by_exit);
    choose_form(end_labels, plot, page, theme, most);
    return true;
}

void end_labels_free(struct end_labels *end_labels) {
    free(end_labels->rows);
    *end_labels = (struct end_labels){0};
}

bool end_labels_holds(const struct end_labels *end_labels, size_t line) {
    for (size_t i = 0; i < end_labels->count; i++)
        if (end_labels->rows[i].line == line)
            return true;
    return false;
}

double end_labels_width(const struct end_labels *end_labels, const struct theme *theme) {
    if (end_labels->count == 0)
        return 0;
    const double sub = end_labels->sublabel_width > 0 ? column_gap * theme->scale + end_labels->sublabel_width : 0;
    return leader_length + leader_gap +
           (end_labels->stacked ? fmax(end_labels->label_width, end_labels->sublabel_width)
                                : end_labels->label_width + sub);
}

/* Drops the least important rows until this many remain. */
static bool thin(struct end_labels *end_labels, const struct plot *plot, size_t most, bool *dropped) {
    bool any = false;
    while (end_labels->count > most) {
        size_t least = 0;
        for (size_t i = 1; i < end_labels->count; i++) {
            const struct plot_line *a = &plot->lines[end_labels->rows[i].line],
                                   *b = &plot->lines[end_labels->rows[least].line];
            if (a->priority < b->priority ||
                (a->priority == b->priority && end_labels->rows[i].line > end_labels->rows[least].line))
                least = i;
        }
        dropped[end_labels->rows[least].line] = any = true;
        for (size_t i = least + 1; i < end_labels->count; i++)
            end_labels->rows[i - 1] = end_labels->rows[i];
        end_labels->count--;
    }
    return any;
}

struct label_block {
    size_t first, count;
    double middle;
};

/* Sets the rows' y: at least `height` apart, between top and bottom, as near their exits as possible. */
static bool spread(struct end_labels *end_labels, const struct frame *plot, double height, double top, double bottom) {
    struct label_block *blocks = calloc(end_labels->count + 1, sizeof *blocks);
    size_t count = 0;
    if (!blocks)
        return false;
    for (size_t i = 0; i < end_labels->count; i++) {
        end_labels->rows[i].y = plot->bottom - end_labels->rows[i].exit * (plot->bottom - plot->top);
        struct label_block block = {i, 1, end_labels->rows[i].y};
        for (;;) {
            double half = (double)block.count * height / 2;
            block.middle = fmin(fmax(block.middle, top + half), bottom - half);
            if (count == 0)
                break;
            const struct label_block *before = &blocks[count - 1];
            if (before->middle + (double)before->count * height / 2 <= block.middle - half)
                break;
            /* The mean of the places that all rows of both blocks want. */
            block = (struct label_block){before->first, before->count + block.count, 0};
            for (size_t k = block.first; k <= i; k++)
                block.middle +=
                    (plot->bottom - end_labels->rows[k].exit * (plot->bottom - plot->top)) / (double)block.count;
            count--;
        }
        blocks[count++] = block;
    }
    for (size_t b = 0; b < count; b++)
        for (size_t k = 0; k < blocks[b].count; k++)
            end_labels->rows[blocks[b].first + k].y =
                blocks[b].middle + ((double)k - ((double)blocks[b].count - 1) / 2) * height;
    free(blocks);
    return true;
}

bool end_labels_write(struct end_labels *end_labels, struct label_place *place, const struct plot *plot,
                      const struct theme *theme, bool *dropped) {
    struct page *page = place->page;
    const struct frame *frame = &page->plot;
    const double row = ROW * theme->strong_line.size, height = end_labels->stacked ? 2 * row : row;
    double top = frame->top - row / 2, bottom = frame->bottom + row / 2;
    bool any = thin(end_labels, plot, (size_t)((bottom - top) / height), dropped);
    if (!spread(end_labels, frame, height, top, bottom)) {
        page->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < end_labels->count; i++) {
        const struct plot_line *line = &plot->lines[end_labels->rows[i].line];
        struct label label = line_label(line, theme, end_labels->words);
        double y = end_labels->rows[i].y,
               exit = frame->bottom - end_labels->rows[i].exit * (frame->bottom - frame->top);
        double x = frame->right + leader_length + leader_gap;
        struct plot_color faint = line->color;
        faint.a *= 0.75;
        struct vec leader[4] = {
            {frame->right + 1, exit}, {frame->right + 4, exit}, {x - leader_gap - 3, y}, {x - leader_gap, y}};
        page_line(page, leader, 4, faint, 0.8, PLOT_SOLID);
        const bool stacked = end_labels->stacked && label.subtext;
        const struct box covered = box_of_frame((struct frame){frame->right, fmin(y - height / 2, exit),
                                                               frame->right + end_labels_width(end_labels, theme),
                                                               fmax(y + height / 2, exit)});
        place_forbid(place, &covered, true);
        double baseline = y + (PAGE_ASCENT - PAGE_DESCENT) / 2 * label.style.size - (stacked ? row / 2 : 0);
        page_text(page, label.text, &label.style, PAGE_LEFT, (struct vec){x, baseline}, 0);
        if (label.subtext)
            page_text(page, label.subtext, &label.substyle, PAGE_LEFT,
                      stacked ? (struct vec){x, baseline + row}
                              : (struct vec){x + end_labels->label_width + column_gap * theme->scale, baseline},
                      0);
    }
    return any;
}
