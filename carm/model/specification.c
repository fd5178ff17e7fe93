/* SPDX-License-Identifier: BSD-3-Clause
 * A vendor's figures beside the measured ones (see shortfall.h). Limits per cycle are judged by the rules of
 * shortfalls; memory and clocks have rules of their own here. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asm/element.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "carm/store/results.h"
#include "carm/text/next_step.h"
#include "memory_peak.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/memory_kind.h"
#include "probe/text.h"
#include "shortfall.h"

const char *const spec_verdict_names[SPEC_VERDICTS] = {"as specified", "below", "cannot tell"};

static const char ASK_ROOT[] =
    "not readable without root: `sudo dmidecode -t memory | carmine spec FILE --memory -`, or "
    "--spec FILE",
                  ASK_SPEC[] = "a guest cannot see the host's modules; --spec FILE states them",
                  NO_CLOCK[] = "neither the CPU nor its name states it; --spec FILE does";

struct judging {
    const struct model *model;
    const struct shortfalls *shortfalls;
    const struct spec *spec;
    struct model_view one, all; /* whole machine: the fewest cores, and all */
    bool has_one;               /* the fewest are one */
    struct specification *out;
};

static struct spec_figure *specification_add(const struct judging *judging, const char *name, const char *kind,
                                             const char *unit) {
    struct spec_figure *figure = &judging->out->figures[judging->out->count++];
    *figure = (struct spec_figure){.verdict = SPEC_UNKNOWN, .unit = unit};
    snprintf(figure->name, sizeof figure->name, "%s", name);
    snprintf(figure->kind, sizeof figure->kind, "%s", kind);
    return figure;
}

/* Limits per cycle. */

/* What a vendor counts: FMA or dot products of a type (additions beside multiplications without FMA), loads of a level.
 */
struct stated_roof {
    const char *type, *level, *op;
};

static bool specification_is_wanted(const struct roof *roof, const struct stated_roof *wanted) {
    const struct sample *sample = roof->sample;
    return strcmp(roof->op, wanted->op) == 0 && !sample->small_pages && !roof->stated_limit &&
           strcmp(roof->type, wanted->type) == 0 && strcmp(sample->level, wanted->level) == 0;
}

/* The roof with the highest documented limit; NULL: none was measured. */
static const struct shortfall *highest(const struct judging *judging, const struct model_view *view,
                                       const struct stated_roof *wanted) {
    const struct shortfall *best = NULL;
    for (size_t i = 0; i < judging->shortfalls->count; i++) {
        const struct shortfall *own = &judging->shortfalls->shortfalls[i];
        const double limit = own->roof->sample->documented_per_cycle,
                     most = best ? best->roof->sample->documented_per_cycle : -1;
        if (specification_is_wanted(own->roof, wanted) && model_in_view(own->roof, view) &&
            (limit > most || (limit == most && own->ratio > best->ratio)))
            best = own;
    }
    return best;
}

/* A roof without a number that has a higher limit; NULL: none. */
static const struct roof *blank_above(const struct judging *judging, const struct stated_roof *wanted, double limit) {
    for (size_t i = 0; i < judging->model->blank_count; i++) {
        const struct roof *blank = &judging->model->blanks[i];
        if (specification_is_wanted(blank, wanted) && model_in_view(blank, &judging->all) &&
            blank->sample->documented_per_cycle > limit)
            return blank;
    }
    return NULL;
}

/* Below only if the whole interval is. */
static enum spec_verdict verdict_of(const struct shortfall *shortfall) {
    static const enum spec_verdict VERDICTS[] = {
        [SHORTFALL_BELOW] = SPEC_BELOW, [SHORTFALL_REACHED] = SPEC_REACHED, [SHORTFALL_UNCLEAR] = SPEC_UNKNOWN};
    if (!shortfall->cause)
        return SPEC_REACHED;
    const double enough = (1 - shortfall_thresholds.tolerance.value) * shortfall->documented;
    const enum spec_verdict verdict = VERDICTS[shortfall->cause->specified];
    return verdict == SPEC_BELOW && shortfall->roof->sample->high >= enough ? SPEC_UNKNOWN : verdict;
}

/* The first clause of the reason's meaning, and its numbers. */
static void say_cause(const struct shortfall *shortfall, char *out, size_t size) {
    const char *meaning = shortfall->cause->meaning;
    char detail[128] = "";
    if (verdict_of(shortfall) == SPEC_UNKNOWN && shortfall->cause->specified == SHORTFALL_BELOW) {
        snprintf(out, size, "the value's interval includes the limit");
        return;
    }
    if (shortfall->cause->detail)
        shortfall->cause->detail(shortfall, detail, sizeof detail);
    snprintf(out, size, "%.*s%s%s%s", (int)strcspn(meaning, ";:"), meaning, *detail ? " (" : "", detail,
             *detail ? ")" : "");
}

/* The worse of two cores' counts decides: below, then unknown. What was not measured has no figure. */
static void judge_limit(const struct judging *judging, const char *name, const char *kind, const char *unit,
                        const struct stated_roof *wanted) {
    const struct shortfall *of[2] = {judging->has_one ? highest(judging, &judging->one, wanted) : NULL,
                                     highest(judging, &judging->all, wanted)};
    static const int SEVERITY[SPEC_VERDICTS] = {[SPEC_REACHED] = 0, [SPEC_UNKNOWN] = 1, [SPEC_BELOW] = 2};
    const struct shortfall *worst = of[1];
    if (of[0] && (!worst || SEVERITY[verdict_of(of[0])] > SEVERITY[verdict_of(worst)]))
        worst = of[0];
    const struct roof *blank =
        blank_above(judging, wanted, worst ? fmax(worst->roof->sample->documented_per_cycle, 0) : 0);
    if (!worst && !blank)
        return;
    struct spec_figure *figure = specification_add(judging, name, kind, unit);
    if (blank) {
        figure->stated = blank->sample->documented_per_cycle;
        snprintf(figure->why, sizeof figure->why, "%s is blank; `%s FILE` measures it again", blank->sample->kernel,
                 next_steps[NEXT_RESUME].command);
        return;
    }
    figure->stated = worst->roof->sample->documented_per_cycle;
    figure->one = of[0] ? of[0]->ratio : 0;
    figure->all = of[1] ? of[1]->ratio : 0;
    figure->verdict = verdict_of(worst);
    if (figure->verdict != SPEC_REACHED)
        say_cause(worst, figure->why, sizeof figure->why);
}

static bool is_documented(const struct judging *judging, const struct stated_roof *wanted) {
    const struct shortfall *best = highest(judging, &judging->all, wanted);
    return (best && best->documented > 0) || blank_above(judging, wanted, 0);
}

/* FMA where it is documented; else what older cores and narrow types have in its place. */
static void judge_type(const struct judging *judging, const char *type, bool wide) {
    const struct stated_roof fma = {type, "", "fma"}, other = {type, "", wide ? "addmul" : "dot"};
    const char *unit = element_table[element_find(type)].integer ? "op/cycle" : "flop/cycle";
    if (is_documented(judging, &other) && !is_documented(judging, &fma))
        judge_limit(judging, type, wide ? "ADD + MUL" : "dot", unit, &other);
    else if (wide || is_documented(judging, &fma)) /* of narrow types, only those with a known limit */
        judge_limit(judging, type, "FMA", unit, &fma);
}

static void judge_limits(const struct judging *judging) {
    static const char *const WIDE[] = {"f64", "f32"}, *const NARROW[] = {"f16", "bf16", "i8"},
                             *const LEVELS[] = {"L1", "L2"};
    for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++)
        judge_type(judging, WIDE[i], true);
    for (size_t i = 0; i < sizeof NARROW / sizeof NARROW[0]; i++)
        judge_type(judging, NARROW[i], false);
    for (size_t i = 0; i < sizeof LEVELS / sizeof LEVELS[0]; i++)
        judge_limit(judging, LEVELS[i], "", "B/cycle", &(struct stated_roof){"", LEVELS[i], "load"});
}

/* Memory. */

/* What the modules there lack of what the CPU can use; "": nothing. */
static void specification_say_lacking(const struct memory_peak *peak, char *out, size_t size) {
    const double close = 1 - shortfall_thresholds.tolerance.value;
    out[0] = '\0';
    if (peak->fitted.bytes_per_s <= 0 || peak->stated.bytes_per_s <= 0)
        return;
    if (peak->fitted.channels < peak->stated.channels)
        snprintf(out, size, "%u of %u channels are empty", peak->stated.channels - peak->fitted.channels,
                 peak->stated.channels);
    if (peak->fitted.transfers_per_s < close * peak->stated.transfers_per_s)
        text_append(out, size, "%sthe modules run at %.0f of %.0f MT/s", *out ? ", and " : "",
                    peak->fitted.transfers_per_s / 1e6, peak->stated.transfers_per_s / 1e6);
}

/* Cores of a guest, or of a run on some of them, cannot keep all channels busy. */
static bool has_all_cores(const struct judging *judging, const struct sample *sample) {
    const struct machine *machine = &judging->model->result->machine;
    const unsigned packages = machine->package_count ? machine->package_count : 1,
                   stated = judging->spec ? packages * judging->spec->cores : 0;
    return memory_peak_uses_all_cores(judging->model->result, sample) &&
           (stated ? sample_cores(sample) >= stated : !cpu_is_guest(&machine->cpu));
}

static const struct shortfall *shortfall_of(const struct judging *judging, const struct roof *roof) {
    size_t i = 0;
    while (judging->shortfalls->shortfalls[i].roof != roof)
        i++;
    return &judging->shortfalls->shortfalls[i];
}

static void say_unknown_modules(const struct memory_figure *stated, char *out, size_t size) {
    snprintf(out, size,
             "fewer or slower modules than %u × %s? `sudo dmidecode -t memory | carmine spec FILE --memory -` tells",
             stated->channels, stated->memory);
}

/* All cores were measured; the modules are not known to lack anything. */
static void judge_reached(const struct judging *judging, struct spec_figure *figure, const struct roof *roof,
                          const struct memory_peak *peak) {
    const double enough = shortfall_thresholds.memory_from.value;
    const struct shortfall_evidence *evidence = &shortfall_of(judging, roof)->evidence;
    if (figure->all >= enough) {
        figure->verdict = SPEC_REACHED;
    } else if (roof->sample->high >= enough * figure->stated) {
        snprintf(figure->why, sizeof figure->why, "the value's interval includes %.0f %%", 100 * enough);
    } else if (doubts_any(evidence->lowering_doubts)) {
        char names[128];
        snprintf(figure->why, sizeof figure->why, "the measurement has warnings (%s)",
                 doubt_names(evidence->lowering_doubts, names, sizeof names));
    } else {
        figure->verdict = SPEC_BELOW;
        if (peak->fitted.bytes_per_s <= 0 && peak->stated.memory && memory_kind_of(peak->level)->ordinary)
            say_unknown_modules(&peak->stated, figure->why, sizeof figure->why);
        else
            snprintf(figure->why, sizeof figure->why, "no rule explains this gap");
    }
}

static void specification_judge_memory(const struct judging *judging) {
    const struct result *result = judging->model->result;
    const struct memory_peak peak = memory_peak_find(result, judging->spec);
    const struct memory_figure *target = peak.stated.bytes_per_s > 0 ? &peak.stated : &peak.fitted;
    struct model_level band;
    if (!model_level(judging->model, &judging->all, peak.level, &band))
        return;
    struct spec_figure *figure = specification_add(judging, "memory", "", "B/s");
    snprintf(figure->why, sizeof figure->why, "%s", cpu_is_guest(&result->machine.cpu) ? ASK_SPEC : ASK_ROOT);
    if (target->bytes_per_s <= 0)
        return;
    figure->stated = target->bytes_per_s;
    figure->all = band.roof->sample->value / target->bytes_per_s;
    specification_say_lacking(&peak, figure->why, sizeof figure->why);
    const unsigned cores = sample_cores(band.roof->sample);
    if (peak.fitted.bytes_per_s > 0 &&
        band.roof->sample->value > (1 + shortfall_thresholds.tolerance.value) * peak.fitted.bytes_per_s)
        snprintf(figure->why, sizeof figure->why, "more than its modules transfer: are these other modules?");
    else if (*figure->why)
        figure->verdict = SPEC_BELOW;
    else if (figure->all > 1 + shortfall_thresholds.tolerance.value)
        snprintf(figure->why, sizeof figure->why, "more than stated: faster modules, such as MRDIMMs?");
    else if (has_all_cores(judging, band.roof->sample))
        judge_reached(judging, figure, band.roof, &peak);
    else
        snprintf(figure->why, sizeof figure->why, "%u core%s cannot keep all channels busy", cores,
                 cores == 1 ? "" : "s");
}

/* Clocks. */

/* The highest clock of arithmetic up to 256 bits, for which vendors state clocks, at this place; 0: unknown. */
static double highest_clock(const struct model *model, const struct model_view *view) {
    double most = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct isa *isa = isa_find(model->roofs[i].isa);
        const struct sample *sample = model->roofs[i].sample;
        if (sample->kind == SAMPLE_COMPUTE && isa && isa->vector_bytes < SHORTFALL_WIDE_BYTES &&
            model_in_view(&model->roofs[i], view))
            most = fmax(most, sample->clock_hz);
    }
    return most;
}

/* NULL: none is stated, which the figure then says. */
static struct spec_figure *add_clock(const struct judging *judging, const char *name, const char *kind,
                                     double stated_hz, double one_hz) {
    struct spec_figure *figure = specification_add(judging, name, kind, "Hz");
    if (stated_hz <= 0) {
        snprintf(figure->why, sizeof figure->why, "%s", NO_CLOCK);
        return NULL;
    }
    figure->stated = stated_hz;
    figure->one = one_hz / stated_hz;
    return figure;
}

static void judge_base(const struct judging *judging, double base_hz, double one_hz, double all_hz) {
    struct spec_figure *figure = add_clock(judging, "base", "clock", base_hz, one_hz);
    if (!figure)
        return;
    figure->all = all_hz / base_hz;
    const bool reached = all_hz >= (1 - shortfall_thresholds.tolerance.value) * base_hz;
    figure->verdict = reached ? SPEC_REACHED : SPEC_BELOW;
    snprintf(figure->why, sizeof figure->why, "%s",
             reached ? "" : "a governor, a power or temperature limit; see `carmine doctor`");
}

/* Vendors state it of the best core, so that another one may be slower; but some core must exceed the base clock. */
static void judge_boost(const struct judging *judging, double boost_hz, double base_hz, double one_hz) {
    const double tolerance = shortfall_thresholds.tolerance.value;
    struct spec_figure *figure = add_clock(judging, "boost", "clock", boost_hz, one_hz);
    if (!figure)
        return;
    figure->verdict = one_hz >= (1 - tolerance) * boost_hz                                       ? SPEC_REACHED
                      : base_hz > 0 && boost_hz > base_hz && one_hz <= (1 + tolerance) * base_hz ? SPEC_BELOW
                                                                                                 : SPEC_UNKNOWN;
    snprintf(figure->why, sizeof figure->why, "%s",
             figure->verdict == SPEC_REACHED ? ""
             : figure->verdict == SPEC_BELOW ? "one core is no faster than the base clock: is boost switched off?"
                                             : "vendors state it of the best core alone");
}

static void judge_clocks(const struct judging *judging) {
    const double base_hz = spec_base_clock(judging->spec, &judging->model->result->machine.cpu),
                 boost_hz = spec_boost_clock(judging->spec, &judging->model->result->machine.cpu),
                 one_hz = judging->has_one ? highest_clock(judging->model, &judging->one) : 0,
                 all_hz = highest_clock(judging->model, &judging->all);
    if (all_hz <= 0)
        return;
    if (base_hz <= 0 && boost_hz <= 0) {
        add_clock(judging, "clock", "", 0, 0);
        return;
    }
    judge_base(judging, base_hz, one_hz, all_hz);
    if (one_hz > 0)
        judge_boost(judging, boost_hz, base_hz, one_hz);
}

/* Cores of another kind have other limits. */
static bool is_other_kind(const struct model_view *view, const struct model_view *first) {
    return view->core_kind && first->core_kind && strcmp(view->core_kind, first->core_kind) != 0;
}

/* The whole machine's places with the fewest and the most cores, of the first kind. */
static void specification_find_places(struct judging *judging) {
    enum { MOST_PLACES = 64 };
    struct model_view places[MOST_PLACES];
    const size_t count = model_places(judging->model, places, MOST_PLACES);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (places[i].package || places[i].node || places[i].memory_node || places[i].smt ||
            (any && is_other_kind(&places[i], &judging->one)))
            continue;
        judging->one = any ? judging->one : places[i];
        judging->all = places[i];
        any = true;
    }
    judging->has_one = judging->one.threads == 1;
}

struct specification specification_judge(const struct model *model, const struct shortfalls *shortfalls,
                                         const struct spec *spec) {
    struct specification out = {.count = 0};
    struct judging judging = {.model = model, .shortfalls = shortfalls, .spec = spec, .out = &out};
    specification_find_places(&judging);
    out.threads = judging.all.threads;
    judge_limits(&judging);
    specification_judge_memory(&judging);
    judge_clocks(&judging);
    return out;
}

enum spec_verdict specification_verdict(const struct specification *specification) {
    size_t counts[SPEC_VERDICTS] = {0};
    for (size_t i = 0; i < specification->count; i++)
        counts[specification->figures[i].verdict]++;
    return counts[SPEC_BELOW] ? SPEC_BELOW : counts[SPEC_REACHED] ? SPEC_REACHED : SPEC_UNKNOWN;
}

/* f16, bf16, i8 */
static bool is_narrow(const struct spec_figure *figure) {
    return element_table[element_find(figure->name)].bytes < element_table[TYPE_F32].bytes;
}

char *specification_names(const struct specification *specification, enum spec_verdict verdict, bool brief,
                          char out[SPEC_NAMES_BYTES]) {
    const struct spec_figure *last = NULL;
    out[0] = '\0';
    for (size_t i = 0; i <= specification->count; i++) {
        const struct spec_figure *figure = i < specification->count ? &specification->figures[i] : NULL;
        if (figure && (figure->verdict != verdict || (brief && verdict == SPEC_REACHED && is_narrow(figure))))
            continue;
        if (last && *last->kind && (!figure || strcmp(figure->kind, last->kind) != 0))
            text_append(out, SPEC_NAMES_BYTES, " %s", last->kind);
        if (figure)
            text_append(out, SPEC_NAMES_BYTES, "%s%s", last ? ", " : "", figure->name);
        last = figure ? figure : last;
    }
    return out;
}
