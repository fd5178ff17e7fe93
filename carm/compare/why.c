/* SPDX-License-Identifier: BSD-3-Clause
 * The ratio of two roofs as a product (see why.h). */
#include "why.h"
#include "compare_thresholds.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "bench/kernels/number_thresholds.h"
#include "probe/need.h"

const char *const why_factor_names[WHY_FACTORS] = {"clock", "per_cycle", "level", "per_core",
                                                   "cores", "unsplit",   "idle",  "load"};

static bool why_is_latency(const struct why *why) {
    return why->key.kind == SAMPLE_LATENCY;
}

/* A latency under load, not the idle one. */
static bool is_loaded(const struct roof *roof) {
    const char *kernel = roof->sample->kernel, *share = strrchr(kernel, '.');
    return roof->figure && strncmp(kernel, "loaded.", 7) == 0 && strcmp(share, ".0") != 0;
}

/* The idle latency beside a loaded one: "loaded.load.0" of "loaded.load.80"; NULL: another figure. */
static const struct roof *idle_of(const struct why_roof *of) {
    const char *kernel = of->roof->sample->kernel, *share = strrchr(kernel, '.');
    for (size_t i = 0; i < of->model->figure_count && is_loaded(of->roof); i++) {
        const struct sample *other = of->model->figures[i].sample;
        const size_t length = (size_t)(share - kernel);
        if (strncmp(other->kernel, kernel, length) == 0 && strcmp(other->kernel + length, ".0") == 0 &&
            strcmp(other->level, of->roof->sample->level) == 0 && sample_same_place(other, of->roof->sample))
            return &of->model->figures[i];
    }
    return NULL;
}

/* The same roof for one core; NULL: not measured. */
static const struct roof *alone_of(const struct why_roof *of) {
    struct roof_key key = roof_key_make(of->model, of->roof);
    key.cores = 1;
    if (is_loaded(of->roof))
        return idle_of(of);
    if (roof_cores(of->roof) == 1)
        return of->roof;
    for (size_t i = 0; i < of->model->count; i++) {
        const struct roof *roof = &of->model->roofs[i];
        const struct roof_key own = roof_key_make(of->model, roof);
        if (roof_key_same(&own, &key) && roof->cell == of->roof->cell)
            return roof;
    }
    return NULL;
}

/* Computed from the value, not read from the file, so that the factors multiply exactly. */
static double per_cycle_of(const struct roof *roof) {
    const struct sample *sample = roof->sample;
    if (!(sample->clock_hz > 0) || !(sample->per_cycle > 0))
        return NAN;
    if (sample->kind == SAMPLE_LATENCY)
        return sample->value * sample->clock_hz;
    return roof_cores(roof) ? sample->value / roof_cores(roof) / sample->clock_hz : NAN;
}

static uint64_t level_bytes_of(const struct why_roof *of) {
    const struct sample *sample = of->roof->sample;
    const struct model_view view = {.core_kind = sample->core_kind[0] ? sample->core_kind : NULL};
    const struct levels levels = model_levels(of->model, &view);
    const int at = levels_find(&levels, sample->level);
    return at < 0 ? 0 : levels.level[at].effective_bytes;
}

static double why_clock_of(const struct roof *roof) {
    return roof->sample->clock_hz > 0 ? roof->sample->clock_hz : NAN;
}

static struct why_end why_end_of(struct why_roof of) {
    const struct roof *alone = alone_of(&of);
    struct why_end end = {.roof = of.roof,
                          .value = of.roof->sample->value,
                          .clock_hz = why_clock_of(of.roof),
                          .alone_clock_hz = alone ? why_clock_of(alone) : NAN,
                          .per_cycle = per_cycle_of(of.roof),
                          .alone = alone ? alone->sample->value : NAN,
                          .alone_per_cycle = alone ? per_cycle_of(alone) : NAN,
                          .kept = NAN,
                          .cores = roof_cores(of.roof),
                          .level_bytes = level_bytes_of(&of)};
    return end;
}

/* A cache of another size, or another kind of memory. Levels paced by the core's clock count as part of the core. */
static bool is_other_level(const struct why *why) {
    const struct why_end *from = &why->from, *to = &why->to;
    if (strcmp(from->roof->sample->level, to->roof->sample->level) != 0)
        return true;
    if (why->paced || !from->level_bytes || !to->level_bytes)
        return false;
    const double ratio = (double)to->level_bytes / (double)from->level_bytes;
    return ratio > number_thresholds.levels_agree.value || ratio < 1 / number_thresholds.levels_agree.value;
}

/* If the clock paces the work, its loss under load belongs to the clock, and the rest to the cores. Other levels share
 * their rate per second. */
static void find_kept(struct why *why) {
    struct why_end *const ends[] = {&why->from, &why->to};
    const double known = ends[0]->per_cycle + ends[0]->alone_per_cycle + ends[1]->per_cycle + ends[1]->alone_per_cycle;
    const bool by_cycle = why->paced && !isnan(known);
    for (size_t i = 0; i < 2; i++)
        ends[i]->kept =
            by_cycle ? ends[i]->per_cycle / ends[i]->alone_per_cycle : ends[i]->value / ends[i]->cores / ends[i]->alone;
    why->kept_ratio = ends[1]->kept / ends[0]->kept;
    why->alone_clock = !why->paced && !isnan(known);
}

/* A single core's ratio (measured alone if both were): clock and per cycle, or both in one. */
static void split_core(struct why *why, double core_ratio) {
    const struct why_end *from = &why->from, *to = &why->to;
    const bool clocks = !isnan(from->per_cycle) && !isnan(to->per_cycle);
    const double clock = why->alone_clock ? to->alone_clock_hz / from->alone_clock_hz : to->clock_hz / from->clock_hz;
    if (!clocks) {
        why->factors[why->other_level ? WHY_LEVEL : WHY_PER_CORE] = core_ratio;
        return;
    }
    why->factors[WHY_CLOCK] = why_is_latency(why) ? 1 / clock : clock;
    why->factors[why->other_level ? WHY_LEVEL : WHY_PER_CYCLE] = core_ratio / why->factors[WHY_CLOCK];
}

static void why_split(struct why *why) {
    const struct why_end *from = &why->from, *to = &why->to;
    if (is_loaded(from->roof) && from->alone > 0 && to->alone > 0) {
        why->factors[WHY_IDLE] = to->alone / from->alone;
        why->factors[WHY_LOAD] = why->ratio / why->factors[WHY_IDLE];
        return;
    }
    if (why_is_latency(why)) { /* each core waits only for its own accesses */
        split_core(why, why->ratio);
        return;
    }
    if (!from->cores || !to->cores) {
        why->factors[WHY_UNSPLIT] = why->ratio;
        return;
    }
    why->count_ratio = (double)to->cores / from->cores;
    double cores = why->count_ratio;
    if (from->cores > 1 || to->cores > 1) {
        find_kept(why);
        cores *= isnan(why->kept_ratio) ? 1 : why->kept_ratio;
        why->factors[WHY_CORES] = cores;
    }
    split_core(why, why->ratio / cores);
}

struct why why_make(const struct roof_key *key, struct why_roof from, struct why_roof to) {
    struct why why = {.key = *key,
                      .from = why_end_of(from),
                      .to = why_end_of(to),
                      .count_ratio = NAN,
                      .kept_ratio = NAN,
                      .paced = levels_is_paced(from.roof->sample->level) && levels_is_paced(to.roof->sample->level),
                      .other_kernel = strcmp(from.roof->sample->kernel, to.roof->sample->kernel) != 0,
                      .alike = compare_alike(from.roof, to.roof, PER_MACHINE)};
    for (int f = 0; f < WHY_FACTORS; f++)
        why.factors[f] = NAN;
    why.ratio = why.to.value / why.from.value;
    why.other_level = is_other_level(&why);
    why_split(&why);
    return why;
}

double why_share(const struct why *why, enum why_factor factor) {
    const double whole = log(why->ratio);
    return fabs(whole) > 1e-12 ? log(why->factors[factor]) / whole : NAN;
}

/* The ratios to report. */

enum { NAME_BYTES = 128 };

/* The side that is compared with the base. */
static size_t other_side(const struct comparison *c) {
    return c->base == 0 ? 1 : 0;
}

static struct why why_of(const struct comparison *c, const struct compare_row *from, const struct compare_row *to) {
    const size_t side = other_side(c);
    return why_make(&from->key, (struct why_roof){c->sides[c->base].model, from->roofs[c->base]},
                    (struct why_roof){c->sides[side].model, to->roofs[side]});
}

static bool both_have(const struct compare_row *row) {
    return row->roofs[0] && row->roofs[1];
}

static bool why_is_of(const struct compare_row *row, unsigned cores) {
    return row->key.kind == SAMPLE_LATENCY ? row->key.cores <= 1 : row->key.cores == cores;
}

unsigned why_cores(const struct comparison *c, unsigned wanted) {
    const unsigned tries[] = {wanted, ROOF_ALL_CORES, 1};
    for (size_t t = 0; t < sizeof tries / sizeof tries[0]; t++) {
        for (size_t i = 0; i < c->headline_count && tries[t]; i++)
            if (c->headlines[i].key.kind != SAMPLE_LATENCY && c->headlines[i].key.cores == tries[t] &&
                both_have(&c->headlines[i]))
                return tries[t];
        if (wanted)
            return 0;
    }
    for (size_t i = 0; i < c->headline_count; i++)
        if (c->headlines[i].key.kind != SAMPLE_LATENCY && both_have(&c->headlines[i]))
            return c->headlines[i].key.cores;
    return 0;
}

static bool why_is_headline(const struct roof_key *key) {
    return key->kernel[0] == '\0';
}

static const char *kernel_or_type(const struct roof_key *key) {
    return why_is_headline(key) ? key->type : key->kernel;
}

static bool why_is_memory(const struct compare_row *row) {
    return row->key.kind != SAMPLE_COMPUTE && levels_is_memory(row->key.level) && why_is_headline(&row->key);
}

/* The other side's memory of a kind that the base lacks: the same quantity, itself without a partner. */
static const struct compare_row *other_memory(const struct comparison *c, const struct compare_row *row) {
    const size_t side = other_side(c);
    for (size_t i = 0; i < c->headline_count && why_is_memory(row); i++) {
        const struct compare_row *other = &c->headlines[i];
        if (why_is_memory(other) && other->key.kind == row->key.kind && other->key.cores == row->key.cores &&
            other->roofs[side] && !other->roofs[c->base])
            return other;
    }
    return NULL;
}

/* The row with the other side's value; NULL: none. */
static const struct compare_row *partner(const struct comparison *c, const struct compare_row *row) {
    return !row->roofs[c->base] ? NULL : row->roofs[other_side(c)] ? row : other_memory(c, row);
}

struct why_list why_headlines(const struct comparison *c, unsigned cores, const char *type) {
    struct why_list out = {.list = need_calloc(c->headline_count + 1, sizeof *out.list)};
    for (int latency = 0; latency < 2; latency++)
        for (size_t i = 0; i < c->headline_count; i++) {
            const struct compare_row *row = &c->headlines[i], *other = partner(c, row);
            const bool other_type = row->key.kind == SAMPLE_COMPUTE && strcmp(row->key.type, type) != 0;
            if (other && !other_type && why_is_of(row, cores) && (row->key.kind == SAMPLE_LATENCY) == latency)
                out.list[out.count++] = why_of(c, row, other);
        }
    return out;
}

static const char *name_with(const struct roof_key *key, const char *level, char *out, size_t size) {
    const char *what = kernel_or_type(key);
    char pages[ROOF_KEY_PAGES_BYTES];
    snprintf(out, size, "%s%s%s%s%s", level, *level && *what ? " " : "", what,
             !why_is_headline(key)         ? ""
             : key->kind == SAMPLE_COMPUTE ? " peak"
             : key->kind == SAMPLE_LATENCY ? " latency"
                                           : "",
             roof_key_pages(key, pages));
    return out;
}

const char *why_name(const struct why *why, char *out, size_t size) {
    const char *from = why->from.roof->sample->level, *to = why->to.roof->sample->level;
    char levels[32];
    snprintf(levels, sizeof levels, "%s%s%s", from, strcmp(from, to) == 0 ? "" : " → ",
             strcmp(from, to) == 0 ? "" : to);
    return name_with(&why->key, levels, out, size);
}

/* Whether it has this name for people; a pair of memories has either's. */
static bool is_called(const struct why *why, const char *name) {
    const char *const levels[] = {why->from.roof->sample->level, why->to.roof->sample->level};
    char own[NAME_BYTES], longer[NAME_BYTES + 16];
    bool called = strcasecmp(name, why_name(why, own, sizeof own)) == 0 ||
                  (why->key.kind == SAMPLE_COMPUTE && strcasecmp(name, kernel_or_type(&why->key)) == 0);
    for (size_t i = 0; i < 2 && !called; i++) {
        name_with(&why->key, levels[i], own, sizeof own);
        snprintf(longer, sizeof longer, "%s bandwidth", own);
        called = strcasecmp(name, own) == 0 || (why_is_headline(&why->key) && strcasecmp(name, longer) == 0);
    }
    return called;
}

static bool find_in(const struct comparison *c, const struct compare_row *rows, size_t count, unsigned cores,
                    const char *name, struct why *out) {
    for (size_t i = 0; i < count; i++) {
        const struct compare_row *other = partner(c, &rows[i]);
        if (!other || rows[i].key.cores != cores)
            continue;
        *out = why_of(c, &rows[i], other);
        if (is_called(out, name))
            return true;
    }
    return false;
}

bool why_find(const struct comparison *c, unsigned cores, const char *name, struct why *out) {
    const unsigned tries[] = {cores, 1};
    for (size_t t = 0; t < 2; t++)
        if (find_in(c, c->headlines, c->headline_count, tries[t], name, out) ||
            find_in(c, c->rows, c->row_count, tries[t], name, out))
            return true;
    return false;
}

/* The effect of clock and cores. */

/* The factor of these causes in a ratio; NaN: unknown. The number of cores does not explain a latency, because each
 * core waits for its own accesses. */
static double why_factor_of(const struct why *why, enum compare_per per, unsigned causes) {
    double factor = 1;
    if (causes & COMPARE_CLOCK && per != PER_CYCLE)
        factor *= why->factors[WHY_CLOCK];
    if (causes & COMPARE_CORES && per == PER_MACHINE && why->key.kind != SAMPLE_LATENCY)
        factor *= why->count_ratio;
    return factor;
}

static struct why why_of_pair(const struct comparison *c, const struct compare_row *row, size_t side) {
    const struct why_roof from = {c->sides[c->base].model, row->roofs[c->base]},
                          to = {c->sides[side].model, row->roofs[side]};
    return why_make(&row->key, from, to);
}

/* Whether they differ without this factor. False if it or the ratio is unknown. */
static bool why_differs(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                        double factor) {
    const double ratio = compare_ratio(c, row, side, per) / factor;
    const struct compare_interval interval = compare_ratio_interval(c, row, side, per);
    const bool open = interval.low / factor <= 1 && interval.high / factor >= 1;
    return fabs(ratio - 1) > compare_thresholds.tolerances[check_class_of(&row->key)].value && !open;
}

bool compare_differs(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                     unsigned without) {
    if (without == 0 || isnan(compare_ratio(c, row, side, per)))
        return why_differs(c, row, side, per, 1);
    const struct why why = why_of_pair(c, row, side);
    return why_differs(c, row, side, per, why_factor_of(&why, per, without));
}

/* Whether a differing row differs because of these causes. */
static bool is_explained(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                         const struct why *why, unsigned causes) {
    const double factor = why_factor_of(why, per, causes);
    return !isnan(factor) && !why_differs(c, row, side, per, factor);
}

bool compare_differs_by(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per,
                        unsigned causes) {
    if (!why_differs(c, row, side, per, 1))
        return false;
    const struct why why = why_of_pair(c, row, side);
    return is_explained(c, row, side, per, &why, causes);
}

struct compare_why compare_why(const struct comparison *c, size_t side, enum compare_per per) {
    struct compare_why sum = {.both = 0};
    for (size_t i = 0; i < c->row_count; i++) {
        const struct compare_row *row = &c->rows[i];
        sum.both += isnan(compare_ratio(c, row, side, per)) ? 0 : 1;
        if (!why_differs(c, row, side, per, 1))
            continue;
        sum.differing++;
        const struct why why = why_of_pair(c, row, side);
        for (unsigned causes = 1; causes < COMPARE_CAUSES; causes++)
            sum.explained[causes] += is_explained(c, row, side, per, &why, causes);
    }
    return sum;
}
