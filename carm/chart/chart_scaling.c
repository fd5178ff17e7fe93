/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth of each level and the highest ceiling against the number of threads, beside ideal scaling from the
 * fewest threads. Thread counts are those of `--threads`; without it, those of node and package. */
#include "chart.h"
#include "chart_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/levels.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "render/page/units.h"

static const double CLOCK_DIFFERS = 0.01;
enum { MAX_CURVES = 24, MAX_COUNTS = 64, LABEL_BYTES = 96 };

/* One kernel at one level on one kind of core, from few threads to many. */
struct curve_of {
    size_t count;
    const struct roof *roofs[MAX_COUNTS]; /* by rising threads */
    double x[MAX_COUNTS], y[MAX_COUNTS], ideal_y[MAX_COUNTS];
    char label[LABEL_BYTES], sublabel[LABEL_BYTES];
};

struct scaling {
    const struct model *model;
    const struct chart_options *options;
    size_t count;
    struct curve_of curves[MAX_CURVES];
    struct plot_line lines[2 * MAX_CURVES];
};

static bool is_drawn(const struct scaling *s, const struct roof *roof) {
    const struct chart_options *options = s->options;
    const bool compute = roof->sample->kind == SAMPLE_COMPUTE;
    if (roof->sample->memory_node || (options->per_cycle && !(roof->sample->per_cycle > 0)) ||
        roof->sample->kind == SAMPLE_LATENCY || model_is_random(roof) ||
        (options->isa && strcmp(options->isa, roof->isa) != 0))
        return false;
    return compute ? strcmp(roof->type, options->type ? options->type : element_table[TYPE_F64].name) == 0
                   : !options->op || strcmp(options->op, roof->op) == 0;
}

static bool same_curve(const struct roof *a, const struct roof *b) {
    return strcmp(a->sample->kernel, b->sample->kernel) == 0 && strcmp(a->sample->level, b->sample->level) == 0 &&
           strcmp(a->sample->core_kind, b->sample->core_kind) == 0 && !a->sample->cores == !b->sample->cores;
}

/* Finds all roofs on the curve of `seed`. Roofs of a part of the machine count if their number of threads was not
 * measured otherwise. */
static void gather(const struct scaling *s, const struct roof *seed, struct curve_of *out) {
    out->count = 0;
    for (int parts = 0; parts < 2; parts++)
        for (size_t i = 0; i < s->model->count; i++) {
            const struct roof *roof = &s->model->roofs[i];
            const bool part = roof->sample->package || roof->sample->node;
            if (!is_drawn(s, roof) || !same_curve(seed, roof) || part != (parts == 1) || out->count == MAX_COUNTS)
                continue;
            size_t at = out->count;
            bool known = false;
            for (size_t j = 0; j < out->count; j++)
                known |= out->roofs[j]->sample->threads == roof->sample->threads;
            if (known)
                continue;
            for (; at > 0 && out->roofs[at - 1]->sample->threads > roof->sample->threads; at--)
                out->roofs[at] = out->roofs[at - 1];
            out->roofs[at] = roof;
            out->count++;
        }
}

/* Curves of the same level on the same cores compete: the curve with the most counts wins, of those the peak as vendors
 * count, or the one that ends highest. */
static bool same_contest(const struct roof *a, const struct roof *b) {
    return strcmp(a->sample->level, b->sample->level) == 0 && strcmp(a->sample->core_kind, b->sample->core_kind) == 0 &&
           !a->sample->cores == !b->sample->cores;
}

static bool beats(const struct curve_of *a, const struct curve_of *b) {
    return a->count > b->count ||
           (a->count == b->count && model_goes_before(a->roofs[a->count - 1], b->roofs[b->count - 1]));
}

static void find_curves(struct scaling *s) {
    struct curve_of *own = need_malloc(sizeof *own);
    for (size_t i = 0; i < s->model->count; i++) {
        if (!is_drawn(s, &s->model->roofs[i]))
            continue;
        gather(s, &s->model->roofs[i], own);
        if (own->count < 2)
            continue;
        size_t slot = 0;
        while (slot < s->count && !same_contest(s->curves[slot].roofs[0], own->roofs[0]))
            slot++;
        if (slot == MAX_CURVES || (slot < s->count && !beats(own, &s->curves[slot])))
            continue;
        s->curves[slot] = *own;
        s->count += slot == s->count;
    }
    free(own);
}

static void describe(struct curve_of *curve, bool per_cycle) {
    const struct roof *first = curve->roofs[0], *last = curve->roofs[curve->count - 1];
    char name[48], rate[48];
    bool doubtful = false;
    for (size_t i = 0; i < curve->count; i++) {
        const struct sample *sample = curve->roofs[i]->sample;
        curve->x[i] = sample->threads;
        curve->y[i] = chart_rate(sample, per_cycle);
        curve->ideal_y[i] = curve->y[0] * sample->threads / first->sample->threads;
        doubtful |= doubts_any(sample->doubts);
    }
    const char *kind = first->sample->core_kind, *level = first->sample->level;
    const double gain = curve->y[curve->count - 1] / curve->y[0];
    chart_label(last, name, sizeof name);
    snprintf(curve->label, LABEL_BYTES, "%s%s%s%s%s%s", level, *level ? " " : "", name, *kind ? ", " : "", kind,
             first->sample->cores ? ", SMT" : "");
    if (per_cycle)
        snprintf(rate, sizeof rate, "%.1f %s", curve->y[curve->count - 1], model_roof_unit_per_cycle(last));
    else
        units_si(rate, sizeof rate, last->sample->value, model_roof_unit(last));
    snprintf(curve->sublabel, LABEL_BYTES, "%s · %.*f × %s%s", rate, gain < 9.95 ? 2 : 1, gain,
             first->sample->threads == 1 ? "one thread" : "the fewest threads", doubtful ? " ▲" : "");
}

/* Dashes distinguish kinds of cores, colours distinguish levels. */
static enum plot_dash dash_of(const struct machine *machine, const char *core_kind) {
    for (unsigned k = 1; k < machine->kind_count; k++)
        if (strcmp(machine->kinds[k].name, core_kind) == 0)
            return k == 1 ? PLOT_DASHED : PLOT_DOTTED;
    return PLOT_SOLID;
}

static void add_lines(struct scaling *s, struct plot_axis *x, struct plot_axis *y) {
    const struct levels *levels = &s->model->result->levels[0];
    for (size_t i = 0; i < s->count; i++) {
        struct curve_of *curve = &s->curves[i];
        const struct roof *last = curve->roofs[curve->count - 1];
        const int level = levels_find(levels, last->sample->level);
        describe(curve, s->options->per_cycle);
        s->lines[i] = (struct plot_line){.count = curve->count,
                                         .x = curve->x,
                                         .y = curve->ideal_y,
                                         .color = PALETTE_GREY,
                                         .width = 0.8,
                                         .dash = PLOT_DASHED,
                                         .label = i == 0 ? "ideal scaling from the fewest threads" : NULL,
                                         .label_place = PLOT_LABEL_LEGEND};
        s->lines[s->count + i] =
            (struct plot_line){.count = curve->count,
                               .x = curve->x,
                               .y = curve->y,
                               .color = last->sample->kind == SAMPLE_COMPUTE ? PALETTE_BLACK
                                        : level < 0                          ? PALETTE_PURPLE
                                                    : chart_level_color(levels, (unsigned)level),
                               .width = 2.2,
                               .dash = dash_of(&s->model->result->machine, last->sample->core_kind),
                               .markers = true,
                               .label = curve->label,
                               .sublabel = curve->sublabel,
                               .label_place = PLOT_LABEL_END,
                               .priority = 20 - (int)i};
        x->min = fmin(x->min, curve->x[0]), x->max = fmax(x->max, curve->x[curve->count - 1]);
        for (size_t k = 0; k < curve->count; k++) {
            y->min = fmin(y->min, fmin(curve->y[k], curve->ideal_y[k]));
            y->max = fmax(y->max, fmax(curve->y[k], curve->ideal_y[k]));
        }
    }
    for (size_t i = 0; i < s->count; i++) /* a kind of core may have fewer threads */
        if (s->curves[i].x[s->curves[i].count - 1] < x->max)
            s->lines[s->count + i].label_place = PLOT_LABEL_LEGEND;
    x->min /= 1.06; /* curves end at the right edge, beside their labels */
    y->min /= 1.4, y->max *= 1.4;
}

static size_t drawn_samples(const struct scaling *s, const struct sample **out) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->curves[i].count; k++)
            out[count++] = s->curves[i].roofs[k]->sample;
    return count;
}

/* More than doubling means that the clock rose in between (or another curve fell short because it fell). The note
 * names the clocks. */
static bool note_clocks(const struct scaling *s, char out[CHART_NOTE_BYTES]) {
    size_t hits = 0;
    out[0] = '\0';
    for (size_t i = 0; i < s->count; i++) {
        const struct curve_of *curve = &s->curves[i];
        const struct sample *first = curve->roofs[0]->sample, *last = curve->roofs[curve->count - 1]->sample;
        if (!levels_is_paced(first->level) || first->clock_hz <= 0 || last->clock_hz <= 0 ||
            fabs(last->clock_hz / first->clock_hz - 1) < CLOCK_DIFFERS || hits++ >= 3)
            continue;
        text_append(out, CHART_NOTE_BYTES, "%s%s %.2f GHz with %u, %.2f with %u",
                    *out ? "; " : "the core clock was not the same: ", curve->label, first->clock_hz / 1e9,
                    first->threads, last->clock_hz / 1e9, last->threads);
    }
    return hits > 0;
}

/* Levels and ceilings share the axis, each with its own unit. */
static struct plot_axis rate_axis(const struct chart_options *options, char *title, size_t size) {
    const bool integer = options->type && element_table[element_find(options->type)].integer;
    snprintf(title, size, "Bandwidth of levels  [%s], ceiling  [%s%s%s]", options->per_cycle ? "B/cycle" : "GB/s",
             options->per_cycle ? "" : "G", integer ? "op" : "flop", options->per_cycle ? "/cycle" : "/s");
    return (struct plot_axis){
        .title = title, .scale = PLOT_LOG10, .min = INFINITY, .divisor = options->per_cycle ? 1 : 1e9};
}

bool chart_scaling(const struct model *model, const struct chart_options *options, const char *path,
                   struct error *err) {
    struct scaling *s = need_calloc(1, sizeof *s);
    s->model = model;
    s->options = options;
    find_curves(s);
    if (s->count == 0) {
        free(s);
        return error_set(err, "the result holds no kernel with two thread counts for these options; `carmine run "
                              "--threads 1,..,all -o FILE` measures some");
    }
    char y_title[96];
    struct plot_axis x = {.title = "Threads", .scale = PLOT_LOG2, .unit = PLOT_UNIT_COUNT, .min = INFINITY},
                     y = rate_axis(options, y_title, sizeof y_title);
    add_lines(s, &x, &y);
    const struct sample *drawn[MAX_CURVES * MAX_COUNTS];
    char caption[320], note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const size_t drawn_count = drawn_samples(s, drawn);
    chart_caption(drawn, drawn_count, caption, sizeof caption);
    size_t note_count = chart_notes(model->result, drawn, drawn_count, note_text, notes);
    char clocks[CHART_NOTE_BYTES];
    if (note_count < CHART_MAX_NOTES && !options->per_cycle && note_clocks(s, clocks))
        notes[note_count++] = clocks;
    struct plot plot = {.note_count = note_count,
                        .notes = notes,
                        .x = x,
                        .y = y,
                        .line_count = 2 * s->count,
                        .lines = s->lines,
                        .caption = caption,
                        .footer = "Each level: the fastest access pattern with all threads, private buffers, "
                                  "one thread per core unless SMT is said. Log scales: parallel to a dashed line is "
                                  "ideal."};
    bool done = chart_write_titled(&plot, model->result, "scaling with threads", options, path, err);
    free(s);
    return done;
}
