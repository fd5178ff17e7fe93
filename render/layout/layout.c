/* SPDX-License-Identifier: BSD-3-Clause
 * The order of layout. Labels without room move to the legend, which takes height from the plot area. So the layout
 * is repeated until no label moves; moved labels stay moved, so this ends. */
#include "layout.h"
#include "axes_and_notes.h"
#include "labels.h"
#include "place.h"
#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/palette.h"

/* Panels are charts below each other on one page. Each is laid out as its own page, and its primitives are moved to
 * its place. */

static const double OVERLAP = 1.3; /* of panels, in margins of the page */

/* Moves the content of one page to another, further down; the first page is empty then. */
static void layout_append(struct page *page, struct page *panel, double down) {
    const size_t first = page->vertex_count;
    for (size_t i = 0; i < panel->vertex_count; i++) {
        void *vertices = page->vertices;
        if (!array_grow(&vertices, &page->vertex_capacity, page->vertex_count, sizeof *page->vertices)) {
            page->out_of_memory = true;
            return;
        }
        page->vertices = vertices;
        page->vertices[page->vertex_count++] = (struct vec){panel->vertices[i].x, panel->vertices[i].y + down};
    }
    for (size_t i = 0; i < panel->count; i++) {
        void *primitives = page->primitives;
        if (!array_grow(&primitives, &page->capacity, page->count, sizeof *page->primitives)) {
            page->out_of_memory = true;
            return;
        }
        page->primitives = primitives;
        struct primitive *moved = &page->primitives[page->count++];
        *moved = panel->primitives[i];
        panel->primitives[i].text = NULL;
        moved->first += first;
        moved->at.y += down;
        moved->box.center.y += down;
    }
}

/* A panel with the plot's style and its least left margin. */
static struct plot panel_of(const struct plot *plot, size_t i, double left) {
    struct plot panel = plot->panels[i];
    panel.style = plot->style;
    panel.least_left = left;
    return panel;
}

/* Lays out the plot's panels on the empty page: charts of one height, of which the last may have the axis of all, below
 * title and notes, with charts that begin at the same x. `chart` lays out one panel as its own page. */
static void panels_layout(struct page *page, const struct plot *plot,
                          void (*chart)(struct page *page, const struct plot *plot, double width, double height,
                                        const struct metrics *metrics)) {
    const struct plot_style *style = plot_style_of(plot);
    struct theme theme;
    theme_make(&theme, style, page->width, page->height);
    const double top = header_draw(page, plot, &theme, theme.margin),
                 bottom = footer_draw(page, plot, &theme, theme.margin);
    /* The upper margin of a panel overlaps the lower one of the panel above. */
    const double overlap = OVERLAP * theme.margin, count = (double)plot->panel_count;
    double height = fmax(1, bottom - top + (count - 1) * overlap) / count, left = 0;
    struct theme of_panel;
    theme_make(&of_panel, style, page->width, height);
    const struct plot *last = &plot->panels[plot->panel_count - 1];
    const double axis = axis_bottom_room(last, &of_panel) - axis_bottom_room(&plot->panels[0], &of_panel);
    height -= axis / count;
    style_color_page(page, style);
    for (int pass = 0; pass < 2; pass++) /* the first pass finds where the charts begin */
        for (size_t i = 0; i < plot->panel_count && !page->out_of_memory; i++) {
            const struct plot panel = panel_of(plot, i, left);
            struct page own;
            chart(&own, &panel, page->width, height + (&plot->panels[i] == last ? axis : 0), page->metrics);
            page->out_of_memory |= own.out_of_memory;
            page->plot = own.plot;
            left = fmax(left, own.plot.left);
            if (pass == 1)
                layout_append(page, &own, top + (double)i * (height - overlap));
            page_free(&own);
        }
}

/* The legend below the chart: rows of a swatch and a text that flow from left to right like words, for labels in the
 * legend and labels without room. */

struct legend_entry {
    enum { LEGEND_LINE, LEGEND_BAND, LEGEND_POINT } kind;
    size_t number; /* number beside the point; 0: none */
    const char *text, *subtext;
    struct plot_color color;
    double width; /* of a line, in points */
    enum plot_dash dash;
    bool markers;          /* of a line: rings at its places */
    bool joint;            /* of a line and of points: their marker is on the line */
    enum plot_shape shape; /* of a point */
    bool hollow;
};

struct legend {
    size_t count, capacity;
    struct legend_entry *entries;
    size_t shown;       /* entries with room */
    size_t points_more; /* points beyond all entries, without a number */
};

static bool layout_same(const struct legend_entry *a, const struct legend_entry *b) {
    return a->kind == b->kind && strcmp(a->text, b->text) == 0 && a->color.r == b->color.r &&
           a->color.g == b->color.g && a->color.b == b->color.b && a->dash == b->dash && a->hollow == b->hollow &&
           a->shape == b->shape && a->number == b->number;
}

/* Rows of a line, of a mark, of a point with its number, and of a kind of points. */
static struct legend_entry legend_of_line(const struct plot_line *line, const struct theme *theme, bool brief) {
    return (struct legend_entry){.kind = LEGEND_LINE,
                                 .text = brief && line->short_label ? line->short_label : line->label,
                                 .subtext =
                                     theme->sparse && line->short_sublabel ? line->short_sublabel : line->sublabel,
                                 .color = line->color,
                                 .width = line->width > 0 ? line->width : 1.2,
                                 .dash = line->dash,
                                 .markers = line->markers};
}

/* Lines and points with one name and colour have one row. */
static bool is_joint(const struct legend_entry *line, const struct plot_point *point) {
    return point->legend && strcmp(point->legend, line->text) == 0 && point->color.r == line->color.r &&
           point->color.g == line->color.g && point->color.b == line->color.b;
}

static void legend_join_points(struct legend_entry *line, const struct plot *plot) {
    for (size_t i = 0; i < plot->point_count && !line->joint; i++)
        if (is_joint(line, &plot->points[i]))
            line->joint = true, line->shape = plot->points[i].shape, line->hollow = plot->points[i].hollow;
}

static bool legend_has_joint(const struct legend *legend, const struct plot_point *point) {
    for (size_t i = 0; i < legend->count; i++)
        if (legend->entries[i].joint && is_joint(&legend->entries[i], point))
            return true;
    return false;
}

/* Whether a row explains the dashes of this line, which lacks its number: its colour is explained elsewhere. */
static bool legend_has_dashes(const struct legend *legend, const struct legend_entry *line) {
    for (size_t i = 0; i < legend->count && !line->subtext; i++)
        if (legend->entries[i].kind == LEGEND_LINE && !legend->entries[i].subtext &&
            legend->entries[i].dash == line->dash && strcmp(legend->entries[i].text, line->text) == 0)
            return true;
    return false;
}

static struct legend_entry legend_of_mark(const struct plot_mark *mark) {
    return (struct legend_entry){.kind = LEGEND_LINE,
                                 .text = mark->label,
                                 .color = mark->color,
                                 .width = mark->width > 0 ? mark->width : 0.9,
                                 .dash = mark->dash};
}

static struct legend_entry legend_of_point(const struct plot_point *point, size_t number, bool brief) {
    return (struct legend_entry){.kind = LEGEND_POINT,
                                 .number = number,
                                 .text = number ? point->label : point->legend,
                                 .subtext = number && !brief ? point->sublabel : NULL,
                                 .color = point->color,
                                 .shape = point->shape,
                                 .hollow = point->hollow};
}

static struct legend_entry legend_of_kind(const struct plot_point *point, bool labels) {
    struct legend_entry entry = legend_of_point(point, 0, true);
    entry.text = labels && point->legend_of_labels ? point->legend_of_labels : point->legend;
    return entry;
}

/* Adds a row unless an equal one is there; false: no memory. */
static bool legend_add(struct legend *legend, const struct legend_entry *entry) {
    for (size_t i = 0; i < legend->count; i++)
        if (layout_same(&legend->entries[i], entry))
            return true;
    void *items = legend->entries;
    if (!array_grow(&items, &legend->capacity, legend->count, sizeof *entry))
        return false;
    legend->entries = items;
    legend->entries[legend->count++] = *entry;
    return true;
}

static bool lists_points(const struct legend *legend) {
    for (size_t i = 0; i < legend->count; i++)
        if (legend->entries[i].number)
            return true;
    return false;
}

static void legend_free(struct legend *legend) {
    free(legend->entries);
    *legend = (struct legend){0};
}

static void swatch(struct page *page, const struct legend_entry *entry, double left, double middle, double width) {
    struct vec center = {left + width / 2, middle}, line[2] = {{left, middle}, {left + width, middle}};
    struct vec block[4] = {
        {left, middle - 5}, {left + width, middle - 5}, {left + width, middle + 5}, {left, middle + 5}};
    struct plot_color visible = entry->color;
    switch (entry->kind) {
    case LEGEND_LINE:
        page_line(page, line, 2, entry->color, entry->width, entry->dash);
        if (entry->markers)
            page_circle(page, center, 2.4, PALETTE_WHITE, entry->color, 1.2);
        if (entry->joint)
            marker_draw(page, entry->shape, center, marker_radius(0, entry->hollow), entry->hollow, entry->color);
        break;
    case LEGEND_BAND:
        visible.a = fmax(visible.a, 0.15); /* a small patch needs more colour than a large one */
        page_area(page, block, 4, visible, false);
        break;
    case LEGEND_POINT:
        marker_draw(page, entry->shape, center, marker_radius(0, entry->hollow), entry->hollow, entry->color);
        break;
    }
}

/* "3: label  sublabel", in one string; to be freed. */
static char *layout_joined(const struct legend_entry *entry, const char *subtext) {
    size_t room = strlen(entry->text) + (subtext ? strlen(subtext) : 0) + 32;
    char *text = malloc(room), number[24] = "";
    if (entry->number)
        snprintf(number, sizeof number, "%zu: ", entry->number);
    if (text)
        snprintf(text, room, "%s%s%s%s", number, entry->text, subtext ? "  " : "", subtext ? subtext : "");
    return text;
}

/* The text of a row of this width, to be freed. The sublabel, often a number, is there as a whole or not at all. */
static char *row_text(struct page *page, const struct theme *theme, const struct legend_entry *entry, double width) {
    char *text = layout_joined(entry, entry->subtext);
    if (text && entry->subtext && page_text_width(page, text, &theme->legend) > width) {
        free(text);
        text = layout_joined(entry, NULL);
    }
    char *fitted = text ? page_text_fit(page, text, &theme->legend, width) : NULL;
    free(text);
    return fitted;
}

/* The room of a row's swatch and behind the row: less of numbered points, which may be many. */
static double patch_width(const struct legend_entry *entry, const struct theme *theme) {
    return (entry->number ? 11 : 20) * theme->scale;
}

static double behind_width(const struct legend_entry *entry, const struct theme *theme) {
    return (entry->number ? 14 : 22) * theme->scale;
}

/* "… and 3 more"; of a captioned page nothing. */
static void write_more(const struct theme *theme, size_t count, bool points, char out[48]) {
    snprintf(out, 48, "… and %zu more%s", count, points ? count == 1 ? " point" : " points" : "");
    if (theme->captioned || count == 0)
        *out = '\0';
}

static void write_row(struct page *page, const struct theme *theme, const char *text, double x, double y) {
    page_text(page, text, &theme->legend, PAGE_LEFT, (struct vec){x, y + PAGE_ASCENT * theme->legend.size}, 0);
}

/* Lays out from the top of `area`, and draws unless only measuring; returns the height. Rows beyond its bottom
 * become a last "… and 3 more", or are in the caption. */
static double legend_layout(struct legend *legend, struct page *page, const struct theme *theme,
                            const struct frame *area, bool draw) {
    const double gap = 6 * theme->scale, row = 1.5 * theme->legend.size, left = area->left, right = area->right;
    char more[48];
    double x = left, y = area->top;
    write_more(theme, legend->points_more, true, more);
    for (legend->shown = 0; legend->shown < legend->count; legend->shown++) {
        const struct legend_entry *entry = &legend->entries[legend->shown];
        const double patch = patch_width(entry, theme), between = behind_width(entry, theme);
        char *text = row_text(page, theme, entry, right - left - patch - gap);
        if (!text) {
            page->out_of_memory = true;
            break;
        }
        const double width = patch + gap + page_text_width(page, text, &theme->legend);
        const size_t rest = legend->count - legend->shown + legend->points_more;
        write_more(theme, rest, entry->number > 0, more);
        const double reserve = rest > 1 ? between + page_text_width(page, more, &theme->legend) : 0;
        if (x > left && x + width > right && y + 2 * row <= area->bottom) {
            x = left;
            y += row;
        }
        const bool has_room = y + 2 * row <= area->bottom || x + width + reserve <= right;
        if (draw && has_room) {
            swatch(page, entry, x, y + (PAGE_ASCENT + PAGE_DESCENT) / 2 * theme->legend.size, patch);
            write_row(page, theme, text, x + patch + gap, y);
        }
        free(text);
        if (!has_room)
            break;
        x += width + between;
        write_more(theme, rest - 1, true, more);
    }
    if (*more && x + page_text_width(page, more, &theme->legend) > right)
        x = left, y += row;
    if (draw && *more)
        write_row(page, theme, more, x, y);
    return legend->shown || *more ? y + row - area->top : 0;
}

struct layout {
    const struct plot *plot; /* `shown` */
    struct plot shown;       /* the plot as drawn: without a right axis if that has no room */
    struct page *page;
    struct theme theme;
    struct axes axes;
    struct label_place place;
    struct end_labels end_labels;
    struct legend legend;
    bool *line_dropped, *mark_dropped, *point_dropped; /* labels without room */
    size_t *numbers;                                   /* of points without labels, from 1; 0: none */
    size_t most_numbers;                               /* rows of points for which the legend has room */
    enum legend_form { LEGEND_WHOLE, LEGEND_BRIEF, LEGEND_SMALL, LEGEND_CUT } legend_form;
    size_t *crowd;                       /* crowd of each point; 0: it stands free */
    double tick_width, right_tick_width; /* room kept for tick labels; only grows */
    double overhang;                     /* room kept for the last label of the x axis */
    size_t ghost_labels;                 /* number of labels beside ghosts in this attempt */
    enum line_words words;               /* of labels along lines: all have the same form, but */
    bool *longer;                        /* these lines have LINE_SHORT */
    bool without_ghost_labels;           /* no ghost has its label */
};

/* Writes the number of a bar at its end, unless it would cover that of a narrow bar beside it. It comes first and all
 * other labels make way. */
static void label_bar(struct layout *layout, const struct plot_band *bar) {
    const double gap = 4;
    struct page *page = layout->page;
    struct label label = {.text = bar->label, .style = layout->theme.point};
    double width, height;
    label_size(page, &label, &width, &height);
    const struct vec end = trace_point(layout->plot, &page->plot, bar->x[bar->count - 1],
                                       (bar->y_low[bar->count - 1] + bar->y_high[bar->count - 1]) / 2);
    const double most = page->width - layout->theme.margin / 2 - width; /* rather over the bar than off the page */
    const bool leftwards = bar->x[bar->count - 1] < bar->x[0];
    const double left =
        leftwards ? fmax(end.x - gap - width, page->plot.left + gap) : fmin(fmin(end.x, page->plot.right) + gap, most);
    const struct box box = {.center = {left + width / 2, end.y}, .half_width = width / 2, .half_height = height / 2};
    if (isfinite(end.x + end.y) && !place_covers_text(&layout->place, &box))
        label_write(&layout->place, &label, &box, PAGE_LEFT);
}

/* Writes the label of line i in its place; false: no room. */
static bool layout_label_line(struct layout *layout, size_t i) {
    const struct plot_line *line = &layout->plot->lines[i];
    struct trace trace;
    bool placed = true;
    if (!trace_make(&trace, layout->plot, &layout->page->plot, line->count, line->x, line->y)) {
        layout->page->out_of_memory = true;
    } else if (trace.count) {
        struct vec end = trace.stops[trace.count - 1].at;
        struct label label = line_label(line, &layout->theme, layout->longer[i] ? LINE_SHORT : layout->words);
        label.leader = line->color;
        if (line->label_place == PLOT_LABEL_ALONG)
            placed = place_along(&layout->place, &label, &trace, line->width);
        else
            placed = place_around(&layout->place, &label, end, 2);
    }
    trace_free(&trace);
    return placed;
}

static bool layout_label_mark(struct layout *layout, size_t i) {
    const struct plot_mark *mark = &layout->plot->marks[i];
    struct label label = {.text = mark->label, .style = layout->theme.mark};
    label.style.color = text_color(mark->color);
    struct vec ends[2];
    return !mark_ends(layout->page, layout->plot, mark, ends) ||
           place_beside_mark(&layout->place, &label, ends[0], ends[1]);
}

/* Writes a point's label; false: no room. */
static bool layout_label_point(struct layout *layout, size_t i) {
    const struct plot_point *point = &layout->plot->points[i];
    struct vec at = trace_point(layout->plot, &layout->page->plot, point->x, point->y);
    if (!frame_contains(&layout->page->plot, at))
        return true;
    struct label label = {.text = point->label,
                          .subtext = point->sublabel,
                          .style = point->ghost ? layout->theme.point_sub : layout->theme.point,
                          .substyle = layout->theme.point_sub,
                          .stacked = true,
                          .near = point->near,
                          .calm = point->ghost,
                          .leader = text_color(point->color)};
    bool placed = place_around(&layout->place, &label, at, point_reach(point));
    if (!placed && label.subtext) {
        label.subtext = NULL;
        placed = place_around(&layout->place, &label, at, point_reach(point));
    }
    layout->ghost_labels += placed && point->ghost;
    return placed;
}

static bool label_crowds(struct layout *layout) {
    size_t crowds = callout_crowds(layout->plot, layout->page, layout->point_dropped, layout->crowd);
    bool dropped = false;
    for (size_t number = 1; number <= crowds; number++)
        dropped |=
            callout_write(&layout->place, layout->plot, &layout->theme, layout->crowd, number, layout->point_dropped);
    return dropped;
}

static bool label_lines(struct layout *layout, struct label_rank *order) {
    const struct plot *plot = layout->plot;
    bool dropped = false;
    label_order_of_lines(plot, order);
    for (size_t k = 0; k < plot->line_count; k++) {
        size_t i = order[k].index;
        if (plot->lines[i].label && plot->lines[i].label_place != PLOT_LABEL_LEGEND && !layout->line_dropped[i] &&
            !end_labels_holds(&layout->end_labels, i))
            dropped |= layout->line_dropped[i] = !layout_label_line(layout, i);
    }
    return dropped;
}

/* Numbers first: without them their rows of the legend are meaningless. */
static bool label_points(struct layout *layout, struct label_rank *order) {
    const struct plot *plot = layout->plot;
    bool again = false;
    label_order_of_points(plot, order);
    numbers_write(layout->numbers, &layout->place, plot, &layout->theme, order);
    for (size_t k = 0; k < plot->point_count; k++) {
        const size_t i = order[k].index;
        if (!plot->points[i].label || layout->crowd[i] || (plot->points[i].ghost && layout->without_ghost_labels) ||
            layout->point_dropped[i] || layout_label_point(layout, i) || plot->points[i].optional)
            continue;
        again = layout->point_dropped[i] = true;
    }
    return again;
}

static bool label_marks(struct layout *layout) {
    const struct plot *plot = layout->plot;
    bool dropped = false;
    for (size_t i = 0; i < plot->mark_count; i++)
        if (plot->marks[i].label && !layout->mark_dropped[i])
            dropped |= layout->mark_dropped[i] = !layout_label_mark(layout, i);
    return dropped;
}

static bool has_clear_lines(const struct plot *plot) {
    for (size_t i = 0; i < plot->line_count; i++)
        if (plot->lines[i].clear)
            return true;
    return false;
}

/* Writes all labels, the most important first within each kind. Crowds of points are first: their columns need the
 * most room, while labels along lines can move. If points have clear lines around them, which leave them less room,
 * points come before lines. Returns whether another label was dropped. */
static bool layout_write_labels(struct layout *layout, struct label_rank *order) {
    const struct plot *plot = layout->plot;
    bool dropped = end_labels_write(&layout->end_labels, &layout->place, plot, &layout->theme, layout->line_dropped);
    for (size_t i = 0; i < plot->band_count; i++)
        if (plot->bands[i].label)
            label_bar(layout, &plot->bands[i]);
    dropped |= label_crowds(layout);
    for (int turn = 0; turn < 3; turn++)
        dropped |= turn == 1                              ? label_marks(layout)
                   : (turn == 0) == has_clear_lines(plot) ? label_points(layout, order)
                                                          : label_lines(layout, order);
    return dropped;
}

/* Whether the points are so many that some have numbers from the start. */
static bool has_numbered(const struct plot *plot) {
    for (size_t i = 0; i < plot->point_count; i++)
        if (plot->points[i].numbered)
            return true;
    return false;
}

static void add_to_legend(struct layout *layout, struct legend_entry entry) {
    if (!legend_add(&layout->legend, &entry))
        layout->page->out_of_memory = true;
}

/* Kinds of points, up to the one that shares its row with this line, if any. */
static void collect_kinds(struct layout *layout, const struct legend_entry *line) {
    const struct plot *plot = layout->plot;
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        if (line && is_joint(line, point))
            return;
        if (point->legend && !legend_has_joint(&layout->legend, point))
            add_to_legend(layout, legend_of_kind(point, !layout->without_ghost_labels));
    }
}

/* Lines with their place in the legend, which explain others, then those that found no room in the chart. */
static void collect_lines(struct layout *layout, bool placed) {
    const struct plot *plot = layout->plot;
    const struct theme *theme = &layout->theme;
    for (size_t i = 0; i < plot->line_count; i++) {
        struct legend_entry entry =
            legend_of_line(&plot->lines[i], theme, theme->captioned || layout->legend_form >= LEGEND_BRIEF);
        if (theme->captioned && layout->legend_form >= LEGEND_SMALL && (placed || !plot->lines[i].source))
            entry.subtext = NULL;
        if (plot->lines[i].label)
            legend_join_points(&entry, plot);
        if (plot->lines[i].label && (plot->lines[i].label_place == PLOT_LABEL_LEGEND) == placed &&
            (placed || (layout->line_dropped[i] && !legend_has_dashes(&layout->legend, &entry)))) {
            if (entry.joint)
                collect_kinds(layout, &entry);
            add_to_legend(layout, entry);
        }
    }
}

static void collect_legend(struct layout *layout) {
    const struct plot *plot = layout->plot;
    collect_lines(layout, true);
    collect_lines(layout, false);
    for (size_t i = 0; i < plot->band_count; i++)
        if (plot->bands[i].legend && !(layout->theme.captioned && plot->bands[i].remark))
            add_to_legend(layout, (struct legend_entry){.kind = LEGEND_BAND,
                                                        .text = plot->bands[i].legend,
                                                        .color = plot->bands[i].color});
    for (size_t i = 0; i < plot->mark_count; i++)
        if (layout->mark_dropped[i] && !(layout->theme.sparse && plot->marks[i].remark) &&
            !(layout->theme.captioned && layout->legend_form >= LEGEND_BRIEF))
            add_to_legend(layout, legend_of_mark(&plot->marks[i]));
    collect_kinds(layout, NULL);
    for (size_t i = 0; i < plot->point_count; i++)
        if (layout->numbers[i] && !layout->theme.captioned)
            add_to_legend(layout, legend_of_point(&plot->points[i], layout->numbers[i],
                                                  layout->theme.sparse || layout->legend_form || has_numbered(plot)));
}

/* Least share of the page's width for the plot beside a right axis. */
static const double LEAST_BESIDE_RIGHT = 0.5;

/* Drops the right axis if it has no room. Returns whether it did. */
static bool drop_right(struct layout *layout) {
    const struct frame *frame = &layout->page->plot;
    if (!layout->plot->right_title || frame->right - frame->left >= LEAST_BESIDE_RIGHT * layout->page->width)
        return false;
    layout->shown.right_title = NULL;
    return true;
}

/* Chooses ticks for the plot's place on the page. False: too little room for their labels or for a right axis. */
static bool fit_axes(struct layout *layout) {
    if (drop_right(layout) || axes_wrap_titles(layout->page, layout->plot, &layout->theme))
        return false;
    axes_make(&layout->axes, layout->page, layout->plot, &layout->theme);
    const double left = layout->axes.y.widest, right = layout->axes.right.widest;
    const bool wider = left > layout->tick_width || right > layout->right_tick_width;
    layout->tick_width = fmax(layout->tick_width, left);
    layout->right_tick_width = fmax(layout->right_tick_width, right);
    const double over = axes_right_end(&layout->axes, layout->page, &layout->theme) - layout->page->width;
    layout->overhang += fmax(0, over);
    return !wider && over < 0.01;
}

/* If no ghost has its label, the legend does not mention them. */
static bool drop_ghost_labels(struct layout *layout) {
    if (layout->without_ghost_labels || layout->ghost_labels > 0)
        return false;
    for (size_t i = 0; i < layout->plot->point_count; i++)
        layout->without_ghost_labels |= layout->plot->points[i].legend_of_labels != NULL;
    return layout->without_ghost_labels;
}

/* Least share of the page's height for the chart. */
static const double LEAST_HEIGHT = 0.3, LEAST_CAPTIONED_HEIGHT = 0.555, LEAST_BESIDE_LEGEND = 0.48;
enum { MOST_BESIDE_LEGEND = 25 };

/* Largest share of the page's height for the legend, and for one that lists points by their numbers. */
static const double LEGEND_SHARE = 0.25, LEGEND_SHARE_OF_MANY = 0.45;
static const double legend_gap = 6, below_chart = 8;
static const double SMALL_LEGEND = 0.8; /* of the type's size */

/* Numbers the points whose names are in the legend or in a caption: the most important ones if that has no room for
 * all. */
static void number_points(struct layout *layout, struct label_rank *order) {
    const struct plot *plot = layout->plot;
    size_t count = 0, last = 0;
    label_order_of_points(plot, order);
    for (size_t k = 0; k < plot->point_count; k++) {
        const size_t i = order[k].index;
        const bool asks = layout->point_dropped[i] && !plot->points[i].optional;
        count += asks;
        layout->numbers[i] = asks && count <= layout->most_numbers;
    }
    for (size_t i = 0; i < plot->point_count; i++)
        if (layout->numbers[i])
            layout->numbers[i] = ++last;
    layout->legend.points_more = count - last;
}

/* Rows without room have fewer words, then smaller ones, and at last points have no numbers, which nothing would
 * explain. If a caption has all of that, marks have no rows, then lines other than roofs no numbers, and at
 * last the legend takes more of the height. Returns whether the legend has changed. */
static bool shorten_legend(struct layout *layout) {
    const struct legend *legend = &layout->legend;
    const bool captioned = layout->theme.captioned;
    if (legend->shown == legend->count || (captioned && layout->legend_form == LEGEND_CUT))
        return false;
    if (layout->legend_form < LEGEND_CUT) {
        layout->legend_form++;
        layout->theme.legend.size *= layout->legend_form == LEGEND_SMALL && !captioned ? SMALL_LEGEND : 1;
        return true;
    }
    size_t numbers = 0, shown = 0;
    for (size_t i = 0; i < legend->count; i++) {
        numbers += legend->entries[i].number > 0;
        shown += legend->entries[i].number > 0 && i < legend->shown;
    }
    layout->most_numbers = shown;
    return shown < numbers;
}

static size_t named_points(const struct plot *plot) {
    size_t count = 0;
    for (size_t i = 0; i < plot->point_count; i++)
        count += plot->points[i].label || plot->points[i].ghost;
    return count;
}

/* The most height that the legend takes of the height between header and footer. */
static double legend_room_of(const struct layout *layout, double height) {
    const struct theme *theme = &layout->theme;
    const bool is_last = theme->captioned && layout->legend_form == LEGEND_CUT &&
                         named_points(layout->plot) <= MOST_BESIDE_LEGEND; /* more need the height for their numbers */
    const double least = is_last            ? LEAST_BESIDE_LEGEND
                         : theme->captioned ? LEAST_CAPTIONED_HEIGHT
                                            : LEAST_HEIGHT,
                 share = is_last || lists_points(&layout->legend) ? LEGEND_SHARE_OF_MANY : LEGEND_SHARE,
                 page = layout->page->height,
                 spare = height - axis_bottom_room(layout->plot, theme) - legend_gap - below_chart - least * page;
    return fmax(1.6 * theme->legend.size, fmin(spare, share * page));
}

/* Lays out once; returns whether another attempt is needed. */
static bool attempt(struct layout *layout, struct label_rank *order) {
    const struct plot *plot = layout->plot;
    const struct theme *theme = &layout->theme;
    struct page *page = layout->page;

    if (!end_labels_collect(&layout->end_labels, plot, page, theme, layout->line_dropped)) {
        page->out_of_memory = true;
        return false;
    }
    number_points(layout, order);
    collect_legend(layout);
    double left = fmax(axis_left_room(plot, theme, layout->tick_width), plot->least_left);
    double column = end_labels_width(&layout->end_labels, theme);
    double spine_gap = plot->right_title && column > 0 ? 12 * theme->scale : 0;
    double right_room = spine_gap + axis_right_room(plot, theme, layout->right_tick_width);
    const double beside = text_left(page, theme, left), header = header_draw(page, plot, theme, beside);
    double top = header + (header > theme->margin && !(theme->low && theme->sparse) ? 14 : 7) * theme->scale;
    double bottom = footer_draw(page, plot, theme, beside);
    const double legend_room = legend_room_of(layout, bottom - top);
    struct frame area = {theme->captioned ? theme->margin : beside, 0, page->width - theme->margin, legend_room};
    double legend_height = legend_layout(&layout->legend, page, theme, &area, false);
    if (shorten_legend(layout))
        return true;
    if (legend_height > 0)
        bottom -= legend_height + legend_gap * theme->scale;
    area.top = bottom;
    area.bottom = bottom + legend_room;
    page->part = PAGE_LEGEND;
    legend_layout(&layout->legend, page, theme, &area, true);
    page->plot = (struct frame){left, top, page->width - theme->margin - column - right_room - layout->overhang,
                                bottom - below_chart * theme->scale - axis_bottom_room(plot, theme)};

    if (!fit_axes(layout))
        return true;

    page->part = PAGE_AXES;
    axes_draw_grid(page, &layout->axes);
    axes_draw(page, &layout->axes, plot, theme, page->plot.right + column + spine_gap);
    page->part = PAGE_DATA;
    series_draw(&layout->place, plot);
    page->part = PAGE_LABELS;
    layout->place.beside = column;
    layout->ghost_labels = 0;
    return layout_write_labels(layout, order) || drop_ghost_labels(layout);
}

/* Whether other words may make room for a label in the legend. */
static bool is_shortened(const struct plot_line *line, enum line_words words) {
    return (words == LINE_WHOLE && line->short_sublabel) || (words < LINE_BRIEF && line->short_label);
}

/* Lays out with these words along lines. Returns the number of labels in the legend that have shorter words. */
static size_t layout_with(struct layout *layout, const struct plot *plot, enum line_words words,
                          struct label_rank *order) {
    struct page *page = layout->page;
    const double width = page->width, height = page->height;
    const struct metrics *metrics = page->metrics;
    size_t dropped = 0;
    bool again = true;
    layout->shown = *plot;
    layout->words = words;
    layout->tick_width = layout->right_tick_width = layout->overhang = 0;
    layout->without_ghost_labels = false;
    layout->most_numbers = (size_t)-1;
    layout->legend_form = LEGEND_WHOLE;
    theme_make(&layout->theme, plot_style_of(plot), width, height);
    memset(layout->line_dropped, 0, plot->line_count + plot->mark_count + plot->point_count);
    for (size_t i = 0; i < plot->point_count; i++)
        layout->point_dropped[i] = plot->points[i].numbered;
    while (again && !page->out_of_memory) {
        page_free(page);
        page_init(page, width, height, metrics);
        place_init(&layout->place, page);
        again = attempt(layout, order);
        place_free(&layout->place);
        end_labels_free(&layout->end_labels);
        legend_free(&layout->legend);
    }
    for (size_t i = 0; i < plot->line_count; i++)
        dropped += layout->line_dropped[i] && is_shortened(&plot->lines[i], LINE_WHOLE);
    return dropped;
}

static size_t dropped_of(const struct layout *layout) {
    const size_t count = layout->plot->line_count + layout->plot->mark_count + layout->plot->point_count;
    size_t dropped = 0;
    for (size_t i = 0; i < count; i++)
        dropped += layout->line_dropped[i];
    return dropped;
}

/* On a slide, which has room for few words, single lines have longer ones if no label is dropped for them. */
static void lengthen(struct layout *layout, const struct plot *plot, struct label_rank *order) {
    const struct theme *theme = &layout->theme;
    const size_t dropped = dropped_of(layout);
    bool last = true; /* whether the page has the choice so far */
    for (size_t i = 0; i < plot->line_count && theme->sparse && !theme->captioned; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (line->label_place != PLOT_LABEL_ALONG || !line->short_label || layout->line_dropped[i])
            continue;
        layout->longer[i] = true;
        layout_with(layout, plot, LINE_BRIEF, order);
        last = layout->longer[i] = dropped_of(layout) <= dropped;
    }
    if (!last)
        layout_with(layout, plot, LINE_BRIEF, order);
}

/* Takes the longest words along lines with which the most labels have room. */
static void layout_chart(struct page *page, const struct plot *plot, double width, double height,
                         const struct metrics *metrics) {
    size_t most = plot->line_count + plot->mark_count + plot->point_count + 1, least = (size_t)-1;
    struct layout layout = {.plot = &layout.shown, .page = page};
    struct label_rank *order = calloc(most, sizeof *order);
    layout.line_dropped = calloc(most, sizeof *layout.line_dropped);
    layout.crowd = calloc(most, sizeof *layout.crowd);
    layout.longer = calloc(most, sizeof *layout.longer);
    layout.numbers = calloc(most, sizeof *layout.numbers);
    layout.mark_dropped = layout.line_dropped + plot->line_count;
    layout.point_dropped = layout.mark_dropped + plot->mark_count;
    theme_make(&layout.theme, plot_style_of(plot), width, height); /* for the choice of words */
    page_init(page, width, height, metrics);
    page->out_of_memory = !order || !layout.line_dropped || !layout.crowd || !layout.longer || !layout.numbers;
    enum line_words best = LINE_BRIEF, words = layout.theme.sparse ? LINE_SHORT : LINE_WHOLE;
    for (; words < LINE_FORMS && least > 0 && !page->out_of_memory; words++) {
        const size_t dropped = layout_with(&layout, plot, words, order);
        if (dropped < least)
            least = dropped, best = words;
    }
    if (best + 1 != words && !page->out_of_memory)
        layout_with(&layout, plot, best, order);
    if (best == LINE_BRIEF && !page->out_of_memory)
        lengthen(&layout, plot, order);
    for (size_t i = 0; i < plot->point_count && plot->numbered && !page->out_of_memory; i++)
        plot->numbered[i] = layout.numbers[i] > 0;
    page_interrupt_lines(page);
    style_color_page(page, plot_style_of(plot));
    free(order);
    free(layout.line_dropped);
    free(layout.crowd);
    free(layout.longer);
    free(layout.numbers);
}

void layout_plot(struct page *page, const struct plot *plot, double width, double height,
                 const struct metrics *metrics) {
    if (!plot->heat && plot->panel_count == 0) {
        layout_chart(page, plot, width, height, metrics);
        return;
    }
    page_init(page, width, height, metrics);
    if (plot->heat) {
        heat_layout(page, plot);
        style_color_page(page, plot_style_of(plot));
    } else {
        panels_layout(page, plot, layout_chart);
    }
}
