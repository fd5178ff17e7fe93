/* SPDX-License-Identifier: BSD-3-Clause
 * The screen of a walk: the roofline as `carmine plot FILE` draws it, with one point or roof highlighted, and
 * below it text about the chosen one. */
#include "walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/doubt.h"
#include "carm/chart/chart.h"
#include "carm/store/results.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/draw/term_canvas.h"
#include "render/page/units.h"

/* Clicks: in the chart a click chooses, below the chart it is a key. */

/* The beginnings of the keys' texts at the bottom of the screen, also after a line break within a text. */
static const struct {
    const char *words;
    int key;
} WORDS[] = {
    {"arrows", WALK_NEXT},  {"choose", WALK_NEXT},  {"Enter", WALK_TELL},  {"i ISA", WALK_ISA},   {"ISA:", WALK_ISA},
    {"t th", WALK_PLACE},   {"thr", WALK_PLACE},    {"c per", WALK_CYCLE}, {"per ", WALK_CYCLE},  {"cycle", WALK_CYCLE},
    {"second", WALK_CYCLE}, {"q quit", WALK_LEAVE}, {"quit", WALK_LEAVE},  {"? keys", WALK_HELP}, {"keys", WALK_HELP},
};

/* The key of a text such as "3 L3 (hidden)": a level. */
static int walk_key_of(const char *words) {
    if (words[0] >= '1' && words[0] <= '9' && words[1] == ' ')
        return WALK_LEVEL + words[0] - '1';
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strncmp(words, WORDS[i].words, strlen(WORDS[i].words)) == 0)
            return WORDS[i].key;
    return WALK_OTHER;
}

/* A line that was broken before a separator begins with it. */
static const char *skip_separator(const char *line, const char *separator) {
    const char *sign = separator + strspn(separator, " ");
    const size_t bytes = strlen(sign);
    line += strspn(line, " ");
    return strncmp(line, sign, bytes) == 0 ? line + bytes : line;
}

/* The key at this column of a line of keys. */
static int key_at(const char *line, size_t column, const char *separator) {
    for (;;) {
        const char *end = strstr(line, separator);
        const size_t columns = end ? table_width_of(line, (size_t)(end - line)) : table_width(line),
                     gap = table_width(separator);
        if (column < columns)
            return walk_key_of(skip_separator(line, separator));
        if (!end || column < columns + gap)
            return WALK_OTHER;
        column -= columns + gap;
        line = end + strlen(separator);
    }
}

/* The keys are the last lines of the screen. Their first line begins with the first key. */
int walk_click(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines, struct walk_place place) {
    char *screen = walk_screen(walk, terminal, lines), *separator = term_clean(terminal, " · "), *rest = screen;
    bool told = false;
    int key = WALK_OTHER;
    for (size_t row = 0; separator && rest && row <= place.row; row++) {
        const char *line = strsep(&rest, "\n");
        told |= strncmp(line, WORDS[0].words, strlen(WORDS[0].words)) == 0;
        if (row == place.row && told)
            key = key_at(line, place.column, separator);
    }
    if (!told)
        walk_choose_at(walk, terminal, lines, place);
    free(screen);
    free(separator);
    return key;
}

enum { MAX_ISAS = 32, MAX_PLACES = 64, MAX_LEVELS = 9, MAX_PARTS = 2048, TOLD_BYTES = 2048 };
enum { LEAST_CHART_LINES = 10, AROUND_CHART_LINES = 9 }; /* title, axes, labels without room */

/* Finds the instruction sets with f64 ceilings. */
static size_t find_isas(const struct model *model, const char *out[MAX_ISAS]) {
    size_t count = 0;
    for (size_t i = 0; i < model->count && count < MAX_ISAS; i++) {
        const struct roof *roof = &model->roofs[i];
        bool known = roof->sample->kind != SAMPLE_COMPUTE || !*roof->isa || element_find(roof->type) != TYPE_F64;
        for (size_t k = 0; k < count && !known; k++)
            known = strcmp(out[k], roof->isa) == 0;
        if (!known)
            out[count++] = roof->isa;
    }
    return count;
}

bool walk_key(struct roof_walk *walk, int key) {
    const char *isas[MAX_ISAS];
    struct model_view places[MAX_PLACES];
    switch (key) {
    case WALK_LEAVE:
        return false;
    case WALK_CLOSE:
        if (!walk->told && !walk->helped)
            return false;
        if (walk->helped)
            walk->helped = false;
        else
            walk->told = false;
        break;
    case WALK_HELP:
        walk->helped = !walk->helped;
        break;
    case WALK_NEXT:
        walk->chosen = walk->chosen + 1 < walk->count ? walk->chosen + 1 : 0;
        break;
    case WALK_BEFORE:
        walk->chosen = walk->chosen > 0 ? walk->chosen - 1 : walk->count > 0 ? walk->count - 1 : 0;
        break;
    case WALK_TELL:
        walk->told = !walk->told;
        break;
    case WALK_ISA:
        walk->isa = (walk->isa + 1) % (find_isas(walk->model, isas) + 1);
        break;
    case WALK_PLACE:
        walk->place = (walk->place + 1) % (model_places(walk->model, places, MAX_PLACES) + 1);
        break;
    case WALK_CYCLE:
        walk->per_cycle = !walk->per_cycle;
        break;
    default:
        if (key >= WALK_LEVEL && key < WALK_LEVEL + MAX_LEVELS)
            walk->hidden ^= 1u << (key - WALK_LEVEL);
    }
    return true;
}

/* A picture on its way to the screen. */
struct walk_picture {
    size_t rows_left_out; /* the last rows of the chart's text, which repeat the title */
    struct roof_walk *walk;
    const struct plot_terminal *terminal;
    const struct walk_place *at; /* chooses the item at this place and draws nothing; NULL: draws */
    size_t lines;                /* lines of the screen */
    size_t level_count;          /* levels of the chart, shown or hidden */
    char levels[MAX_LEVELS][16]; /* their names */
    char title[256];             /* of the chosen item; "": nothing is chosen */
    char told[TOLD_BYTES];       /* text about it */
    char *chart;                 /* NULL: no chart */
    struct plot_error failure;   /* why there is no chart */
    struct plot_line line[MAX_PARTS];
    struct plot_point point[MAX_PARTS];
    size_t line_items[MAX_PARTS], point_items[MAX_PARTS]; /* numbers from 1, as `chosen` + 1; 0: cannot be chosen */
    struct plot_band band[MAX_PARTS];
    struct plot_mark mark[MAX_PARTS];
};

static void walk_find_levels(const struct plot *plot, struct walk_picture *out) {
    for (size_t i = 0; i < plot->line_count; i++) {
        bool known = !plot->lines[i].group || out->level_count == MAX_LEVELS;
        for (size_t k = 0; k < out->level_count && !known; k++)
            known = strcmp(out->levels[k], plot->lines[i].group) == 0;
        if (!known)
            snprintf(out->levels[out->level_count++], sizeof out->levels[0], "%s", plot->lines[i].group);
    }
}

static bool walk_is_shown(const struct walk_picture *picture, const char *group) {
    for (size_t i = 0; group && i < picture->level_count; i++)
        if (strcmp(picture->levels[i], group) == 0)
            return !(picture->walk->hidden >> i & 1);
    return true;
}

/* Highlights the chosen item by a star or a strong line. All others are faint, and their points have no labels. */
static void bring_out_point(struct plot_point *point, struct walk_picture *picture) {
    char rate[32], intensity[32];
    point->shape = PLOT_STAR;
    if (picture->walk->per_cycle)
        snprintf(rate, sizeof rate, "%.3g flop/cycle", point->y);
    else
        units_si(rate, sizeof rate, point->y, "flop/s");
    units_number(intensity, sizeof intensity, point->x);
    snprintf(picture->title, sizeof picture->title, "%s · %s at %s flop/B · %s", point->label, rate, intensity,
             point->sublabel ? point->sublabel : "");
    snprintf(picture->told, sizeof picture->told, "%s", point->detail ? point->detail : "");
    picture->rows_left_out = 1;
}

static void tell_roof(const struct sample *sample, struct walk_picture *out) {
    char low[32], high[32];
    const char *unit = model_unit(sample->kind);
    snprintf(out->told, sizeof out->told, "%s%s%s by %u thread%s at %.2f GHz", sample->kernel,
             *sample->variant ? ":" : "", sample->variant, sample->threads, sample->threads == 1 ? "" : "s",
             sample->clock_hz / 1e9);
    if (sample->high > 0)
        text_append(out->told, sizeof out->told, "; 90 %% interval %s to %s",
                    units_si(low, sizeof low, sample->low, unit), units_si(high, sizeof high, sample->high, unit));
    if (sample->documented_per_cycle > 0 && sample->per_cycle > 0)
        text_append(out->told, sizeof out->told, "; %.0f %% of the documented limit",
                    100 * sample->per_cycle / sample->documented_per_cycle);
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (doubts_has(sample->doubts, i))
            text_append(out->told, sizeof out->told, "\n▲ %s: %s; %s", doubt_table[i].name, doubt_table[i].cause,
                        doubt_table[i].remedy);
}

static void bring_out_line(struct plot_line *line, struct walk_picture *picture) {
    line->width = 2.4;
    line->priority = 100;
    snprintf(picture->title, sizeof picture->title, "%s · %s", line->label, line->sublabel ? line->sublabel : "");
    tell_roof(line->source, picture);
}

/* Points without a name are mixed kernels of a validation. */
static size_t choose_points(const struct plot *plot, struct walk_picture *out, size_t *items) {
    size_t count = 0;
    for (size_t i = 0; i < plot->point_count && count < MAX_PARTS; i++) {
        if (!walk_is_shown(out, plot->points[i].group))
            continue;
        struct plot_point *point = &out->point[count];
        *point = plot->points[i];
        point->legend = NULL;
        out->point_items[count++] = point->label && point->source ? ++*items : 0;
        if (out->point_items[count - 1] == out->walk->chosen + 1)
            bring_out_point(point, out);
        else
            point->label = NULL;
    }
    return count;
}

/* Lines that join points are not roofs. */
static bool walk_is_roof(const struct plot_line *line, const struct result *result) {
    const struct sample *source = line->source;
    return line->label && source >= result->samples && source < result->samples + result->sample_count;
}

/* Levels from the slowest upwards, then ceilings from the highest downwards: the reverse order of the chart. */
static size_t choose_lines(const struct plot *plot, struct walk_picture *out, size_t *items) {
    size_t count = 0;
    for (size_t i = plot->line_count; i-- > 0 && count < MAX_PARTS;) {
        if (!walk_is_shown(out, plot->lines[i].group))
            continue;
        struct plot_line *line = &out->line[count];
        *line = plot->lines[i];
        line->width = 1.2;
        out->line_items[count++] = walk_is_roof(line, out->walk->model->result) ? ++*items : 0;
        if (out->line_items[count - 1] == out->walk->chosen + 1)
            bring_out_line(line, out);
    }
    return count;
}

/* Number of lines of a text. */
static size_t walk_count_lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* The text wrapped for the terminal; to be freed. */
static char *wrapped(const struct plot_terminal *terminal, const char *text, const char *indent) {
    const size_t indented = strlen(indent) + 1,
                 columns = terminal->columns > indented ? terminal->columns - indented : 1;
    char *copy = need_strdup(text), *out = NULL, *rest = copy;
    size_t length;
    FILE *stream = need_made(open_memstream(&out, &length));
    for (char *part; (part = strsep(&rest, "\n"));) {
        char *clean = term_clean(terminal, part);
        wrap_print(clean ? clean : "", columns, indent, stream);
        free(clean);
    }
    fclose(stream);
    free(copy);
    return out;
}

static const char HELP[] =
    "\nArrow keys, Tab: the next or previous point or roof\nEnter, blank: its numbers and warnings\n"
    "1 to 9: show or hide a level\ni: the next instruction set\nt: the next number of threads, or part of "
    "the machine\nc: rates per cycle or per second\nEsc: close this, then the numbers, then quit\nq: quit";

/* The chosen item, the text about it, what the keys do, and the keys. */
static char *foot(const struct walk_picture *picture) {
    const struct roof_walk *walk = picture->walk;
    const char *isas[MAX_ISAS];
    char keys[512], text[TOLD_BYTES + 2048];
    find_isas(walk->model, isas);
    snprintf(keys, sizeof keys, "arrows choose · Enter %s", walk->told ? "less" : "more");
    for (size_t i = 0; i < picture->level_count; i++)
        text_append(keys, sizeof keys, " · %zu %s%s", i + 1, picture->levels[i],
                    walk->hidden >> i & 1 ? " (hidden)" : "");
    text_append(keys, sizeof keys, " · i ISA: %s · t threads · c per %s · ? keys · q quit",
                walk->isa ? isas[walk->isa - 1] : "all", walk->per_cycle ? "second" : "cycle");
    snprintf(text, sizeof text, "%s%s%s%s%s\n%s", *picture->title ? "→ " : "nothing to choose", picture->title,
             walk->told ? "\n" : "", walk->told ? picture->told : "", walk->helped ? HELP : "", keys);
    return wrapped(picture->terminal, text, "  ");
}

/* Points are small and lie on lines. They come first if they are at most this much farther away, in columns. */
static void choose_nearest(const struct plot *plot, const struct plot_terminal *terminal, struct walk_picture *out) {
    const double POINTS_FIRST = 3;
    double *lines = need_calloc(plot->line_count + 1, sizeof *lines),
           *points = need_calloc(plot->point_count + 1, sizeof *points), least = INFINITY;
    if (plot_text_distances(plot, terminal, (struct plot_character){out->at->column, out->at->row}, lines, points)) {
        for (size_t i = 0; i < plot->line_count; i++)
            if (out->line_items[i] && lines[i] < least)
                least = lines[i], out->walk->chosen = out->line_items[i] - 1;
        for (size_t i = 0; i < plot->point_count; i++)
            if (out->point_items[i] && points[i] - POINTS_FIRST < least)
                least = points[i] - POINTS_FIRST, out->walk->chosen = out->point_items[i] - 1;
    }
    free(lines);
    free(points);
}

/* Turns the chart's data into text, as high as the rest of the screen allows. */
static void walk_take(const struct plot *plot, void *taker) {
    struct walk_picture *picture = taker;
    struct plot shown = *plot;
    size_t items = 0;
    walk_find_levels(plot, picture);
    shown.point_count = choose_points(plot, picture, &items);
    shown.line_count = choose_lines(plot, picture, &items);
    shown.band_count = shown.mark_count = shown.note_count = 0;
    for (size_t i = 0; i < plot->band_count && shown.band_count < MAX_PARTS; i++)
        if (walk_is_shown(picture, plot->bands[i].group) && !plot->bands[i].legend)
            picture->band[shown.band_count++] = plot->bands[i];
    for (size_t i = 0; i < plot->mark_count && shown.mark_count < MAX_PARTS; i++)
        if (walk_is_shown(picture, plot->marks[i].group))
            picture->mark[shown.mark_count++] = plot->marks[i];
    shown.lines = picture->line;
    shown.points = picture->point;
    shown.bands = picture->band;
    shown.marks = picture->mark;
    shown.subtitle = NULL;
    picture->walk->count = items;
    char *below = foot(picture);
    const size_t around = AROUND_CHART_LINES + walk_count_lines(below);
    struct plot_terminal terminal = *picture->terminal;
    terminal.rows = picture->lines > around + LEAST_CHART_LINES ? picture->lines - around : LEAST_CHART_LINES;
    if (picture->at)
        choose_nearest(&shown, &terminal, picture);
    else
        plot_text(&shown, &terminal, &picture->chart, &picture->failure);
    free(below);
}

/* Prints the first `most` lines of the text. */
static void walk_print_lines(const char *text, size_t most, FILE *out) {
    for (size_t line = 0; *text && line < most; line++) {
        const size_t length = strcspn(text, "\n");
        fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Makes the chart that the walk has chosen, by take(). */
static bool walk_make(struct walk_picture *picture, struct error *err) {
    const char *isas[MAX_ISAS];
    struct model_view places[MAX_PLACES];
    struct roof_walk *walk = picture->walk;
    find_isas(walk->model, isas);
    model_places(walk->model, places, MAX_PLACES);
    walk->count = 0;
    const struct chart_options options = {.isa = walk->isa ? isas[walk->isa - 1] : NULL,
                                          .place = walk->place ? &places[walk->place - 1] : NULL,
                                          .per_cycle = walk->per_cycle,
                                          .page = true,
                                          .take = walk_take,
                                          .taker = picture};
    return chart_roofline(walk->model, &options, NULL, err);
}

void walk_choose_at(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines,
                    struct walk_place place) {
    struct walk_picture *picture = need_calloc(1, sizeof *picture);
    struct error err;
    picture->walk = walk;
    picture->terminal = terminal;
    picture->lines = lines;
    picture->at = &place;
    walk_make(picture, &err);
    free(picture);
}

char *walk_screen(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines) {
    struct walk_picture *picture = need_calloc(1, sizeof *picture);
    struct error err = {""};
    char *out = NULL;
    size_t length;
    picture->walk = walk;
    picture->terminal = terminal;
    picture->lines = lines;
    const bool drawn = walk_make(picture, &err);
    if (drawn && walk->chosen >= walk->count && walk->count > 0) { /* the chosen item is hidden now */
        free(picture->chart);
        free(picture);
        walk->chosen = walk->count - 1;
        return walk_screen(walk, terminal, lines);
    }
    char *below = foot(picture);
    const size_t left = lines > walk_count_lines(below) ? lines - walk_count_lines(below) : 0;
    FILE *stream = need_made(open_memstream(&out, &length));
    char *trouble = wrapped(terminal, drawn ? picture->failure.text : err.text, "");
    const char *chart = picture->chart ? picture->chart : trouble;
    const size_t rows = walk_count_lines(chart) - (picture->chart ? picture->rows_left_out : 0);
    walk_print_lines(chart, rows < left ? rows : left, stream);
    walk_print_lines(below, lines, stream);
    fclose(stream);
    free(trouble);
    free(below);
    free(picture->chart);
    free(picture);
    return out;
}
