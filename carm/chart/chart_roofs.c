/* SPDX-License-Identifier: BSD-3-Clause
 * The roofs of a roofline as lines, bands and marks; validation points as rings. */
#include "chart_roofs.h"

#include <math.h>
#include <string.h>

#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/kernels/estimate.h"
#include "bench/kernels/levels.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "probe/isa.h"
#include "probe/text.h"
#include "render/page/palette.h"
#include "render/page/units.h"
#include "asm/arithmetic.h"

/* These functions find the model's roofs that a roofline shows, and axes that hold them. */

/* Per cycle, only roofs with a known clock are drawn. */
static bool chart_roofs_is_known(const struct roofs *r, const struct roof *roof) {
    return !r->per_cycle || roof->sample->per_cycle > 0;
}

/* A band by loads or stores reaches down to the patterns of loads or stores alone. */
static bool is_plain(const struct roof *roof, enum chart_bytes bytes) {
    const struct pattern_share share = pattern_share(roof);
    bool reads = bytes == BYTES_LOADED || bytes == BYTES_DRAM_READ, both = bytes == BYTES_CORE || bytes == BYTES_DRAM;
    return both || (reads ? share.load : share.store) == 1;
}

/* Compares patterns. A pattern of loads or stores alone is the better name for a value that others reach, too. */
static double merit(const struct roofs *r, const struct roof *roof) {
    return roofs_slope(r, roof) * (is_plain(roof, r->bytes) ? number_thresholds.same_height.value : 1);
}

/* Finds a level's roof and floor by other bytes than those requested by the core, for which another pattern is the
 * best. */
static bool chart_roofs_find_band(const struct roofs *r, const struct model_view *view, const char *level,
                                  struct model_level *out) {
    *out = (struct model_level){0};
    for (int floors = 0; floors < 2; floors++)
        for (size_t i = 0; i < r->model->count; i++) {
            const struct roof *roof = &r->model->roofs[i];
            double slope = roofs_slope(r, roof);
            if (!(slope > 0) || roof->stated_limit || !model_in_view(roof, view) ||
                strcmp(roof->sample->level, level) != 0 || (view->op && strcmp(view->op, roof->op) != 0))
                continue;
            if (!floors && (!out->roof || merit(r, roof) > merit(r, out->roof)))
                out->roof = roof;
            if (floors && is_plain(roof, r->bytes) && strcmp(roof->isa, out->roof->isa) == 0 &&
                (!out->floor || slope < roofs_slope(r, out->floor)))
                out->floor = roof;
        }
    if (!out->floor)
        out->floor = out->roof;
    return out->roof != NULL;
}

static bool chart_roofs_is_memory(const struct levels *levels, unsigned index) {
    return index + 1 == levels->count || levels_is_memory(levels->level[index].name);
}

static bool chart_roofs_find_level(const struct roofs *r, const struct model_view *view, unsigned index,
                                   struct model_level *out) {
    const char *name = r->all_levels->level[index].name;
    if (r->bytes != BYTES_CORE)
        return (!chart_is_dram(r->bytes) || chart_roofs_is_memory(r->all_levels, index)) &&
               chart_roofs_find_band(r, view, name, out);
    return model_level(r->model, view, name, out) && chart_roofs_is_known(r, out->roof) &&
           chart_roofs_is_known(r, out->floor);
}

/* If a level's best pattern was measured with another ISA only, notes it: the roof of the view's ISA may be higher. */
static void note_untried(struct roofs *r, const struct model_view *view, unsigned index) {
    const struct isa *isa = view->isa ? isa_find(view->isa) : NULL;
    struct model_view any = *view;
    struct model_level best;
    any.isa = NULL;
    if (!isa || view->op || isa >= isa_table + isa_vector_count || !chart_roofs_find_level(r, &any, index, &best))
        return;
    const char *op = model_untried(r->model, view, best.roof);
    if (op && !strstr(r->untried, op))
        text_append(r->untried, sizeof r->untried, "%s%s", *r->untried ? ", " : "", op);
}

/* The fastest pattern of random lines. */
static bool find_random(const struct roofs *r, const struct model_view *view, unsigned index, struct model_level *out) {
    bool any = false;
    for (size_t i = 0; i < pattern_count; i++) {
        struct model_view own = *view;
        struct model_level found;
        own.op = pattern_table[i].op;
        if (!pattern_is_random(&pattern_table[i]) || !chart_roofs_find_level(r, &own, index, &found))
            continue;
        if (!any || found.roof->sample->value > out->roof->sample->value)
            *out = found;
        any = true;
    }
    return any;
}

static void chart_roofs_find_levels(struct roofs *r, const struct chart_options *options) {
    r->documented = options->documented;
    r->all_ceilings = options->all_ceilings;
    const struct levels *levels = r->all_levels;
    struct model_view view = r->view;
    view.op = options->op;
    view.type = NULL;
    for (unsigned i = 0; i < levels->count; i++) {
        if (chart_roofs_find_level(r, &view, i, &r->levels[r->level_count]))
            r->level_index[r->level_count++] = i;
        note_untried(r, &view, i);
    }
    /* In L1 and L2, generating random addresses is the limit, not the level. */
    for (unsigned i = 0; i < levels->count && options->random && r->bytes == BYTES_CORE; i++)
        if (!levels_is_paced(levels->level[i].name) && find_random(r, &view, i, &r->random[r->random_count]))
            r->random_index[r->random_count++] = i;
}

/* The order in which operations name a ceiling that several of them reach: that of their table. `arithmetic_count`: no
 * single operation. */
static size_t plain_rank(const struct roof *roof) {
    const struct arithmetic *arithmetic = arithmetic_find(roof->op);
    return arithmetic && arithmetic_is_single(arithmetic) ? (size_t)(arithmetic - arithmetic_table) : arithmetic_count;
}

/* Whether a ceiling has its own line: the highest of all, the peak of each ISA, and of the ISA that sets the peak the
 * highest and plain operations. Of these, four decide what a program can reach: the peak, the highest, additions
 * without a partner, code without vectors. */
static bool is_notable(const struct roofs *r, const struct roof *roof) {
    struct model_view own = r->view;
    own.isa = roof->isa;
    const struct arithmetic *arithmetic = arithmetic_find(roof->op);
    const struct isa *isa = isa_find(roof->isa);
    const bool peak = model_peak(r->model, &own) == roof, of_peak = strcmp(roof->isa, r->peak->isa) == 0,
               highest = roof == r->highest || (of_peak && model_highest(r->model, &own) == roof);
    if (r->all_ceilings)
        return peak || highest || (of_peak && plain_rank(roof) < arithmetic_count);
    return highest || (of_peak && (peak || (arithmetic && arithmetic->drawn))) ||
           (peak && isa && isa->operands == ISA_SINGLE);
}

static bool chart_roofs_is_candidate(const struct roofs *r, const struct roof *roof) {
    return roof->sample->kind == SAMPLE_COMPUTE && !roof->stated_limit && model_in_view(roof, &r->view) &&
           chart_roofs_is_known(r, roof) && is_notable(r, roof);
}

static bool is_as_high(const struct roofs *r, const struct roof *roof, const struct roof *highest) {
    const double rate = roofs_rate(r, roof->sample), most = roofs_rate(r, highest->sample);
    return rate <= most && rate * number_thresholds.same_height.value >= most;
}

/* The operation that names a ceiling: the peak, if that is as high. Most integer operations share their height with
 * others: those of the peak's ISA come first, and of these the plainest. */
static const struct roof *name_ceiling(const struct roofs *r, const struct roof *highest) {
    const struct roof *name = !model_is_integer(highest) && is_as_high(r, r->peak, highest) ? r->peak : highest;
    for (size_t i = 0; i < r->model->count && model_is_integer(highest); i++) {
        const struct roof *roof = &r->model->roofs[i];
        const bool as_high = is_as_high(r, roof, highest);
        const bool own = strcmp(roof->isa, r->peak->isa) == 0, known = strcmp(name->isa, r->peak->isa) == 0;
        if (chart_roofs_is_candidate(r, roof) && as_high && own && (!known || plain_rank(roof) < plain_rank(name)))
            name = roof;
    }
    return name;
}

/* Finds ceilings from the highest down, without those that another one already shows (AVX and AVX2 add at one
 * height). */
static void chart_roofs_find_ceilings(struct roofs *r) {
    double below = INFINITY;
    while (r->ceiling_count < ROOFS_MAX_CEILINGS) {
        const struct roof *next = NULL;
        for (size_t i = 0; i < r->model->count; i++) {
            const struct roof *roof = &r->model->roofs[i];
            double height = roofs_rate(r, roof->sample);
            if (chart_roofs_is_candidate(r, roof) && height * number_thresholds.same_height.value < below &&
                (!next || height > roofs_rate(r, next->sample)))
                next = roof;
        }
        if (!next)
            return;
        r->ceilings[r->ceiling_count++] = name_ceiling(r, next);
        below = roofs_rate(r, next->sample);
    }
}

/* 0: undocumented */
static double documented_peak(const struct roofs *r) {
    const double ratio = r->peak->documented_ratio;
    return ratio > 0 ? roofs_rate(r, r->peak->sample) / ratio : 0;
}

/* The height at which roofs end. */
static double lid_of(const struct roofs *r) {
    return fmax(roofs_rate(r, r->highest->sample), r->documented ? documented_peak(r) : 0);
}

static void chart_roofs_choose_axes(struct roofs *r) {
    double peak = roofs_rate(r, r->peak->sample), last_ridge = 1, lowest = peak;
    for (size_t i = 0; i < r->level_count; i++)
        last_ridge = fmax(last_ridge, peak / roofs_slope(r, r->levels[i].roof));
    double first_ridge = r->level_count ? peak / roofs_slope(r, r->levels[0].roof) : 1;
    double x_min = exp2(floor(log2(fmin(first_ridge, 0.25) / 16))), x_max = exp2(ceil(log2(last_ridge * 8)));
    if (r->level_count) /* the outermost roof leaves the chart through its left half */
        lowest = roofs_slope(r, r->levels[r->level_count - 1].roof) * x_min * 2;
    if (r->random_count)
        lowest = fmin(lowest, roofs_slope(r, r->random[r->random_count - 1].roof) * x_min * 8);
    lowest = fmin(lowest, roofs_rate(r, r->ceilings[r->ceiling_count - 1]->sample) / 1.5);
    r->x = (struct plot_axis){
        .title = r->x_title, .scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = x_min, .max = x_max};
    r->y = (struct plot_axis){.title = r->y_title,
                              .scale = PLOT_LOG10,
                              .min = lowest,
                              .max = lid_of(r) * 1.8,
                              .divisor = r->per_cycle ? 1 : 1e9};
}

void roofs_write_titles(struct roofs *r, const char *traffic_source) {
    static const char *const NAMES[][2] = {
        [BYTES_CORE] = {"Arithmetic", "loaded or stored"}, [BYTES_LOADED] = {"Read", "loaded by the core"},
        [BYTES_STORED] = {"Write", "stored by the core"},  [BYTES_DRAM] = {"Operational", "between caches and memory"},
        [BYTES_DRAM_READ] = {"Read", "read from memory"},  [BYTES_DRAM_WRITTEN] = {"Write", "written to memory"},
    };
    const char *const *name = NAMES[r->bytes], *unit = model_is_integer(r->peak) ? "op" : "flop";
    unsigned cores = chart_cores(r->peak->sample);
    snprintf(r->x_title, sizeof r->x_title, "%s intensity  [%s per byte %s%s%s]", name[0],
             model_is_integer(r->peak) ? "operations" : unit, name[1], traffic_source ? ", " : "",
             traffic_source ? traffic_source : "");
    snprintf(r->reading, sizeof r->reading, "{x} %s/B allows {y}%s%s", unit, r->per_cycle ? " " : "",
             r->per_cycle ? model_roof_unit_per_cycle(r->peak) : model_roof_unit(r->peak));
    if (!r->per_cycle)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [G%s/s]", unit);
    else if (r->shared_by)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s per cycle and core]", unit);
    else if (r->several)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle of all cores together]", unit);
    else if (cores == 1)
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle]", unit);
    else
        snprintf(r->y_title, sizeof r->y_title, "Performance  [%s/cycle of %u cores together]", unit, cores);
}

/* The highest of the drawn ceilings that vendors count; without any, the highest. */
static const struct roof *first_peak(const struct roofs *r) {
    for (size_t i = 0; i < r->ceiling_count; i++)
        if (r->ceilings[i]->peak)
            return r->ceilings[i];
    return r->highest;
}

void roofs_find(struct roofs *r, const struct chart_options *options) {
    r->peak = model_peak(r->model, &r->view);
    r->highest = model_highest(r->model, &r->view);
    chart_roofs_find_levels(r, options);
    chart_roofs_find_ceilings(r);
    r->highest = r->ceilings[0]; /* per cycle other ceilings may be the highest, and the peak */
    r->peak = first_peak(r);
    chart_roofs_choose_axes(r);
    roofs_write_titles(r, NULL);
}

static bool is_drawn_at(const struct roofs *first, const struct roofs *end, double height) {
    for (const struct roofs *r = first; r != end; r = r->fewer)
        for (size_t i = 0; i < r->ceiling_count; i++) {
            const double ratio = height / roofs_rate(r, r->ceilings[i]->sample);
            if (ratio < number_thresholds.same_height.value && ratio > 1 / number_thresholds.same_height.value)
                return true;
        }
    return false;
}

void roofs_join(struct roofs *first) {
    for (struct roofs *r = first->fewer; r; r = r->fewer) {
        size_t kept = 0;
        for (size_t i = 0; i < r->ceiling_count; i++)
            if (r->ceilings[i] == r->peak || !is_drawn_at(first, r, roofs_rate(r, r->ceilings[i]->sample)))
                r->ceilings[kept++] = r->ceilings[i];
        r->ceiling_count = kept;
        first->x.min = fmin(first->x.min, r->x.min), first->x.max = fmax(first->x.max, r->x.max);
        first->y.min = fmin(first->y.min, r->y.min), first->y.max = fmax(first->y.max, r->y.max);
    }
}

static const double SEEN_FROM = 0.02; /* a narrower interval hides behind its line */
static const char DOUBTFUL[] = " ▲";

double roofs_rate(const struct roofs *r, const struct sample *sample) {
    return chart_rate(sample, r->per_cycle) / (r->shared_by ? r->shared_by : 1);
}

double roofs_slope(const struct roofs *r, const struct roof *roof) {
    return roofs_rate(r, roof->sample) * (r->bytes == BYTES_CORE ? 1 : chart_roof_share(roof, r->bytes));
}

double roofs_edge(const struct roofs *r) {
    return r->level_count ? roofs_slope(r, r->levels[0].roof) : 0;
}

double roofs_width(const struct roofs *r, double usual) {
    static const double SHARES[] = {1, 0.5, 0.3};
    return usual * SHARES[r->behind];
}

const char *roofs_threads(const struct roofs *r, char out[ROOFS_THREADS_BYTES]) {
    snprintf(out, ROOFS_THREADS_BYTES, "%u thread%s", r->view.threads, r->view.threads == 1 ? "" : "s");
    return out;
}

/* Adds the number of threads to a label, except for the roofs of the most threads: ", 1 thread". */
static void tell_threads(const struct roofs *r, char label[ROOFS_LABEL_BYTES]) {
    char threads[ROOFS_THREADS_BYTES];
    if (r->behind)
        text_append(label, ROOFS_LABEL_BYTES, ", %s", roofs_threads(r, threads));
}

static const char *chart_roofs_doubt_sign(const struct roof *roof) {
    return doubts_any(roof->sample->doubts) ? DOUBTFUL : "";
}

static void set_ends(struct roofs *r, size_t slot, double x1, double y1, double x2, double y2) {
    r->line_x[slot][0] = x1, r->line_y[slot][0] = y1;
    r->line_x[slot][1] = x2, r->line_y[slot][1] = y2;
}

/* Adds a line with two vertices. */
static struct plot_line *next_line(struct roofs *r, const struct roof *roof) {
    size_t slot = r->line_count++;
    r->drawn[slot] = roof->sample;
    r->lines[slot] = (struct plot_line){.count = 2,
                                        .x = r->line_x[slot],
                                        .y = r->line_y[slot],
                                        .label = r->labels[slot],
                                        .sublabel = r->sublabels[slot],
                                        .short_sublabel = r->short_sublabels[slot],
                                        .source = roof->sample};
    return &r->lines[slot];
}

/* "193 B/cycle"; "181–245 B/cycle" of a vague roof. */
static void write_cycle_rate(const struct roof *roof, double per_cycle, char out[ROOFS_LABEL_BYTES]) {
    const struct sample *sample = roof->sample;
    const bool fine = per_cycle < (sample->kind == SAMPLE_COMPUTE ? 100 : 20), vague = describe_is_vague(sample);
    const double low = vague ? per_cycle * sample->low / sample->value : per_cycle,
                 high = vague ? per_cycle * sample->high / sample->value : per_cycle;
    out[0] = '\0';
    if (vague)
        text_append(out, ROOFS_LABEL_BYTES, "%.*f–", fine, low);
    text_append(out, ROOFS_LABEL_BYTES, "%.*f %s", fine, high, model_roof_unit_per_cycle(roof));
}

/* Writes "652 GB/s · 193 B/cycle": per core, or for all cores if the axes are per cycle; without the second part if
 * the clock is unknown. `shorter`, unless NULL, gets the part in the unit of the axes. */
static void write_rates(const struct roofs *r, const struct roof *roof, double share, const char *sign, char *out,
                        char *shorter) {
    double per_cycle = share * (r->per_cycle ? roofs_rate(r, roof->sample) : roof->sample->per_cycle);
    char rate[DESCRIBE_VALUE_BYTES], cycle_rate[ROOFS_LABEL_BYTES] = "";
    struct sample shown = *roof->sample; /* as on screens, for the bytes of the picture */
    shown.value *= share, shown.low *= share, shown.high *= share;
    describe_value(&shown, model_roof_unit(roof), rate, sizeof rate);
    if (per_cycle > 0 && (r->per_cycle || !describe_is_vague(roof->sample)))
        write_cycle_rate(roof, per_cycle, cycle_rate);
    const char *of_axes = r->per_cycle && *cycle_rate ? cycle_rate : rate;
    if (r->several) /* there is little room */
        snprintf(out, ROOFS_LABEL_BYTES, "%s%s", of_axes, sign);
    else
        snprintf(out, ROOFS_LABEL_BYTES, "%.60s%s%.60s%s", rate, *cycle_rate ? " · " : "", cycle_rate, sign);
    if (shorter)
        snprintf(shorter, ROOFS_LABEL_BYTES, "%s%s", of_axes, sign);
}

/* Adds a band; the caller fills its three vertices. */
static size_t next_band(struct roofs *r, struct plot_color color) {
    const size_t slot = r->band_count++;
    r->bands[slot] = (struct plot_band){
        .count = 3, .x = r->band_x[slot], .y_low = r->band_low[slot], .y_high = r->band_high[slot], .color = color};
    return slot;
}

/* Adds a shade around the line at this slot, up to `highest`: its interval, if that is wider than the line. The
 * first shade has a row in the legend. */
static void chart_roofs_add_interval(struct roofs *r, size_t line, double highest) {
    const struct sample *sample = r->drawn[line];
    const double *x = r->line_x[line], *y = r->line_y[line], uncertainty = estimate_uncertainty(sample);
    if (r->behind || !isfinite(uncertainty) || uncertainty < SEEN_FROM)
        return;
    const double low = fmax(sample->low / sample->value, 1e-3),
                 /* the axis may have no zero */ high = sample->high / sample->value;
    struct plot_color color = r->lines[line].color;
    color.a *= 0.25;
    const size_t slot = next_band(r, color);
    r->bands[slot].group = r->lines[line].group;
    const double at[3] = {x[0], fmax(x[0], x[1] / high), x[1]};
    for (int k = 0; k < 3; k++) {
        const double height = y[0] == y[1] ? y[0] : y[0] * at[k] / x[0];
        r->band_x[slot][k] = at[k];
        r->band_low[slot][k] = height * low;
        r->band_high[slot][k] = fmin(height * high, fmax(height, highest));
    }
    if (!r->has_interval)
        r->bands[slot].legend = "dark shade: 90 % interval", r->bands[slot].remark = true;
    r->has_interval = true;
}

static void chart_roofs_add_ceiling(struct roofs *r, size_t i) {
    const struct roof *roof = r->ceilings[i];
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double height = roofs_rate(r, roof->sample);
    double start = r->level_count ? height / roofs_edge(r) : r->x.min;
    set_ends(r, slot, fmax(start, r->x.min), height, r->x.max, height);
    chart_label(roof, r->labels[slot], ROOFS_LABEL_BYTES);
    tell_threads(r, r->labels[slot]);
    strncat(r->labels[slot], chart_roofs_doubt_sign(roof), ROOFS_LABEL_BYTES - strlen(r->labels[slot]) - 1);
    write_rates(r, roof, 1, "", r->sublabels[slot], r->short_sublabels[slot]);
    const bool peak = roof == r->peak;
    line->color = peak ? PALETTE_BLACK : PALETTE_GREY;
    line->width = roofs_width(r, peak ? ROOFS_BOLD : 1.1);
    line->label_place = PLOT_LABEL_END;
    line->priority = (peak ? 15 : 14 - (int)i) - 10 * (int)r->behind;
    chart_roofs_add_interval(r, slot, INFINITY);
}

/* Text of a page beside a level's label: the pattern at the bottom of its band. */
static const char *write_aside(struct roofs *r, size_t i) {
    const struct roof *floor = r->levels[i].floor;
    char pattern[48], rates[ROOFS_LABEL_BYTES];
    if (floor == r->levels[i].roof)
        return NULL;
    chart_label(floor, pattern, sizeof pattern);
    write_rates(r, floor, r->bytes == BYTES_CORE ? 1 : chart_roof_share(floor, r->bytes), chart_roofs_doubt_sign(floor),
                rates, NULL);
    snprintf(r->asides[i], sizeof r->asides[i], "weakest\t%s, %s", pattern, rates);
    return r->asides[i];
}

/* Marks the intensity where the level's roof meets the peak. */
static void add_ridge(struct roofs *r, size_t i, double ridge, struct plot_color color) {
    units_number_digits(r->ridges[i], sizeof r->ridges[i], ridge, 2);
    r->marks[i] = (struct plot_mark){.vertical = true,
                                     .at = ridge,
                                     .from = r->y.min,
                                     .to = roofs_rate(r, r->peak->sample),
                                     .color = color,
                                     .dash = PLOT_DOTTED,
                                     .label = r->ridges[i],
                                     .remark = true,
                                     .group = r->all_levels->level[r->level_index[i]].name};
}

/* Adds the level's band, from its roof down to its weakest pattern. */
static void add_floor(struct roofs *r, size_t i, double slope, double floor_slope, struct plot_color color) {
    const double lid = roofs_rate(r, r->highest->sample), x[3] = {r->x.min, lid / slope, lid / floor_slope};
    if (!(floor_slope < slope))
        return;
    const size_t band = next_band(r, palette_faint(color));
    if (!r->has_floor)
        r->bands[band].legend = "pale band: down to the weakest pattern", r->bands[band].remark = true;
    r->has_floor = true;
    r->bands[band].group = r->all_levels->level[r->level_index[i]].name;
    for (int k = 0; k < 3; k++) {
        r->band_x[band][k] = x[k];
        r->band_low[band][k] = fmin(lid, x[k] * floor_slope);
        r->band_high[band][k] = fmin(lid, x[k] * slope);
    }
}

static void chart_roofs_add_level(struct roofs *r, size_t i) {
    const struct model_level *level = &r->levels[i];
    const char *name = r->all_levels->level[r->level_index[i]].name;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, level->roof);
    struct plot_color color = chart_level_color(r->all_levels, r->level_index[i]);
    double slope = roofs_slope(r, level->roof), floor_slope = roofs_slope(r, level->floor),
           lid = roofs_rate(r, r->highest->sample);
    char pattern[48];
    set_ends(r, slot, r->x.min, r->x.min * slope, lid / slope, lid);
    chart_label(level->roof, pattern, sizeof pattern);
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, r->behind ? "%s" : "%s  %s", name, pattern);
    tell_threads(r, r->labels[slot]);
    write_rates(r, level->roof, r->bytes == BYTES_CORE ? 1 : chart_roof_share(level->roof, r->bytes),
                chart_roofs_doubt_sign(level->roof), r->sublabels[slot], r->short_sublabels[slot]);
    line->color = color;
    line->dash = chart_level_dash(r->all_levels, r->level_index[i]);
    line->width = roofs_width(r, ROOFS_BOLD);
    line->short_label = r->behind ? NULL : name;
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 20 - (int)i - 10 * (int)r->behind;
    line->group = name;
    line->aside = write_aside(r, i);
    if (!r->behind) {
        add_floor(r, i, slope, floor_slope, color);
        add_ridge(r, i, roofs_rate(r, r->peak->sample) / slope, color);
    }
    chart_roofs_add_interval(r, slot, lid);
}

/* Adds the bandwidth of a level if each access is to a random line. */
static void add_random(struct roofs *r, size_t i) {
    const struct roof *roof = r->random[i].roof;
    size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    double slope = roofs_slope(r, roof), lid = roofs_rate(r, r->highest->sample);
    char rate[32];
    set_ends(r, slot, r->x.min, r->x.min * slope, fmin(lid / slope, r->x.max), fmin(lid, r->x.max * slope));
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s random lines", r->all_levels->level[r->random_index[i]].name);
    tell_threads(r, r->labels[slot]);
    snprintf(r->sublabels[slot], ROOFS_LABEL_BYTES, "%s%s", units_si(rate, sizeof rate, roof->sample->value, "B/s"),
             chart_roofs_doubt_sign(roof));
    line->short_sublabel = line->sublabel;
    line->color = chart_level_color(r->all_levels, r->random_index[i]);
    line->width = roofs_width(r, 1.3);
    line->dash = PLOT_DASHED;
    line->label_place = PLOT_LABEL_ALONG;
    line->priority = 5 - (int)r->behind;
    line->group = r->all_levels->level[r->random_index[i]].name;
    chart_roofs_add_interval(r, slot, lid);
}

/* Adds the documented limit of a roof (without a name: of a ceiling), at the clock of its measurement. The limit of
 * a level ends at the highest ceiling, including the documented one. */
static void add_documented(struct roofs *r, const struct roof *roof, struct plot_color color, const char *name) {
    const double ratio = roof->documented_ratio;
    if (!(ratio > 0))
        return;
    const bool compute = roof->sample->kind == SAMPLE_COMPUTE;
    const size_t slot = r->line_count;
    struct plot_line *line = next_line(r, roof);
    const double slope = compute ? 0 : roofs_slope(r, roof) / ratio, height = roofs_rate(r, roof->sample) / ratio;
    const double ridge = compute ? 0 : fmin(lid_of(r) / slope, r->x.max);
    if (compute)
        set_ends(r, slot, fmax(r->x.min, r->level_count ? height / roofs_edge(r) : r->x.min), height, r->x.max, height);
    else
        set_ends(r, slot, r->x.min, r->x.min * slope, ridge, slope * ridge);
    snprintf(r->labels[slot], ROOFS_LABEL_BYTES, "%s%sdocumented", compute ? "" : name, compute ? "" : " ");
    tell_threads(r, r->labels[slot]);
    struct sample limit = *roof->sample; /* which is exact */
    limit.value = limit.low = limit.high = roof->sample->value / ratio;
    limit.per_cycle /= ratio;
    struct roof exact = *roof;
    exact.sample = &limit;
    write_rates(r, &exact, r->bytes == BYTES_CORE || compute ? 1 : chart_roof_share(roof, r->bytes), "",
                r->sublabels[slot], r->short_sublabels[slot]);
    line->color = color;
    line->width = roofs_width(r, 1.3);
    line->dash = PLOT_DASHED;
    line->label_place = compute ? PLOT_LABEL_END : PLOT_LABEL_ALONG;
    line->priority = 4 - (int)r->behind;
    line->group = name;
}

static void add_all_documented(struct roofs *r) {
    add_documented(r, r->peak, PALETTE_BLACK, NULL);
    for (size_t i = 0; i < r->level_count; i++)
        add_documented(r, r->levels[i].roof, chart_level_color(r->all_levels, r->level_index[i]),
                       r->all_levels->level[r->level_index[i]].name);
}

/* Draws ceilings first, so that roofs lie over them; the highest come last of the ceilings, since they are roofs, too.
 */
void roofs_draw(struct roofs *r) {
    for (size_t i = r->ceiling_count; i-- > 0;)
        chart_roofs_add_ceiling(r, i);
    for (size_t i = 0; i < r->level_count; i++)
        chart_roofs_add_level(r, i);
    for (size_t i = 0; i < r->random_count; i++)
        add_random(r, i);
    if (r->documented)
        add_all_documented(r);
}

static const double MARGIN = 1.3; /* keeps rings off the frame */

static bool chart_roofs_same(const char *wanted, const char *is) {
    return !wanted || strcmp(wanted, is) == 0;
}

/* The ISA and type are in the name: "avx512.f64.1fma16ld". */
static bool in_view(const struct validation_point *point, const struct model_view *view) {
    char isa[48];
    snprintf(isa, sizeof isa, "%s", point->kernel);
    char *type = strchr(isa, '.'), *op = type ? strchr(type + 1, '.') : NULL;
    if (!op)
        return false;
    *type++ = *op = '\0';
    return (view->threads == 0 || view->threads == point->threads) &&
           chart_roofs_same(view->core_kind, point->core_kind) && chart_roofs_same(view->isa, isa) &&
           chart_roofs_same(view->type, type);
}

size_t chart_validation(struct roofs *roofs, struct plot_point *rings) {
    const struct result *result = roofs->model->result;
    const struct levels *levels = &result->levels[0];
    struct plot_axis *x = &roofs->x, *y = &roofs->y;
    size_t count = 0;
    for (size_t i = 0; i < result->validation_count && count < CHART_MAX_RINGS; i++) {
        const struct validation_point *point = &result->validation[i];
        int level = levels_find(levels, point->level);
        if (level < 0 || point->flop_per_byte <= 0 || point->flop_per_s <= 0 || !in_view(point, &roofs->view))
            continue;
        double clock_hz = !roofs->per_cycle ? 1 : point->clock_hz > 0 ? point->clock_hz : roofs->peak->sample->clock_hz;
        double height = point->flop_per_s / clock_hz / (roofs->shared_by ? roofs->shared_by : 1);
        rings[count] = (struct plot_point){.x = point->flop_per_byte,
                                           .y = height,
                                           .hollow = true,
                                           .color = chart_level_color(levels, (unsigned)level),
                                           .legend = count == 0 ? "mixed kernels (validation)" : NULL,
                                           .detail = point->kernel,
                                           .group = point->level,
                                           .source = point};
        count++;
        x->min = fmin(x->min, point->flop_per_byte / MARGIN);
        x->max = fmax(x->max, point->flop_per_byte * MARGIN);
        y->min = fmin(y->min, height / MARGIN);
        y->max = fmax(y->max, height * MARGIN);
    }
    return count;
}
