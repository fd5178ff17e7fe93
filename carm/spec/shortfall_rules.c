/* SPDX-License-Identifier: BSD-3-Clause
 * Why a roof is not at its documented limit: the rules, each with its test on the data, the most specific first. A rule
 * that cannot tell from the data does not apply: an honest "not explained" is worth more than a wrong reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "probe/isa.h"
#include "shortfall.h"
#include "shortfall_thresholds.h"

enum { WIDE_BYTES = 64 };

static const struct shortfall_thresholds *const THRESHOLD = &shortfall_thresholds;

static bool is_between(double ratio, const struct threshold *from, const struct threshold *to) {
    return ratio > from->value && ratio < to->value;
}

static bool below(const struct shortfall_case *about) {
    return about->shortfall->documented > 0 && about->shortfall->ratio < 1 - THRESHOLD->tolerance.value;
}

/* The median clock of narrower arithmetic on as many threads; 0: none was measured. */
static double lighter_clock(const struct shortfall_case *about) {
    const struct model *model = about->model;
    double *clocks = calloc(model->count + 1, sizeof *clocks);
    size_t n = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *s = model->roofs[i].sample;
        if (s->kind == SAMPLE_COMPUTE && s->clock_hz > 0 && sample_same_place(s, about->sample)) {
            const struct isa *isa = isa_find(model->roofs[i].isa);
            if (isa && isa->vector_bytes < WIDE_BYTES)
                clocks[n++] = s->clock_hz;
        }
    }
    const double median = sample_statistics(clocks, n).median;
    free(clocks);
    return median;
}

static bool wide_is_slower(const struct shortfall_case *about) {
    const double clock = about->sample->clock_hz;
    return about->sample->kind == SAMPLE_COMPUTE && about->vector_bytes >= WIDE_BYTES && clock > 0 &&
           clock < lighter_clock(about) * (1 - THRESHOLD->clock_wanders.value);
}
static void wide_detail(const struct shortfall_case *about, char *out, size_t size) {
    const double lighter = lighter_clock(about);
    snprintf(out, size, "%.2f GHz, %.0f %% of the %.2f GHz of narrower arithmetic", about->sample->clock_hz / 1e9,
             100 * about->sample->clock_hz / lighter, lighter / 1e9);
}

static bool has_clocks(const struct shortfall_case *about) {
    return about->shortfall->documented_nominal > 0 && !about->memory && about->sample->clock_hz > 0;
}
static bool under_nominal(const struct shortfall_case *about) {
    return has_clocks(about) &&
           about->sample->clock_hz < about->shortfall->nominal_clock_hz * (1 - THRESHOLD->tolerance.value);
}
static bool over_nominal(const struct shortfall_case *about) {
    return has_clocks(about) &&
           about->sample->clock_hz > about->shortfall->nominal_clock_hz * (1 + THRESHOLD->tolerance.value);
}
static void nominal_detail(const struct shortfall_case *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, nominal %.2f GHz", about->sample->clock_hz / 1e9,
             about->shortfall->nominal_clock_hz / 1e9);
}

static double stated_turbo(const struct shortfall_case *about) {
    return about->spec && !about->sample->core_kind[0] ? about->spec->turbo_clock_hz : 0;
}
static bool over_turbo(const struct shortfall_case *about) {
    return stated_turbo(about) > 0 && about->sample->clock_hz > stated_turbo(about) * (1 + THRESHOLD->tolerance.value);
}
static void turbo_detail(const struct shortfall_case *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, highest turbo %.2f GHz", about->sample->clock_hz / 1e9, stated_turbo(about) / 1e9);
}

const struct shortfall_rule shortfall_clock_rules[] = {
    {"above turbo",
     "faster than the vendor's highest clock: another model than the file's, or the clock reading is wrong", over_turbo,
     turbo_detail},
    {"AVX-512 clock",
     "512-bit arithmetic ran at a lower clock than narrower arithmetic: the core's licence or power limit, unless the "
     "clock moved in between",
     wide_is_slower, wide_detail},
    {"under nominal clock",
     "it ran slower than the vendor's base clock: a governor, a power or temperature limit; see `carmine doctor`",
     under_nominal, nominal_detail},
    {"turbo", "it ran faster than the vendor's base clock", over_nominal, nominal_detail},
};
const size_t shortfall_clock_rule_count = sizeof shortfall_clock_rules / sizeof shortfall_clock_rules[0];

static bool undocumented(const struct shortfall_case *about) {
    return about->shortfall->documented <= 0;
}

static bool memory_unstated(const struct shortfall_case *about) {
    return undocumented(about) && about->memory && about->sample->kind == SAMPLE_BANDWIDTH;
}

static bool above(const struct shortfall_case *about) {
    return about->shortfall->ratio > 1 + THRESHOLD->tolerance.value;
}

/* Nothing but a missing unit halves a ceiling this exactly. */
static bool half_of_wide(const struct shortfall_case *about) {
    return about->sample->kind == SAMPLE_COMPUTE && about->vector_bytes == WIDE_BYTES &&
           is_between(about->shortfall->ratio, &THRESHOLD->half_from, &THRESHOLD->half_to);
}

static const struct level *level_of(const struct shortfall_case *about) {
    const struct result *result = about->model->result;
    for (unsigned k = 0; k < result->kind_count; k++)
        for (unsigned i = 0; i < result->levels[k].count; i++)
            if (about->sample->level[0] && strcmp(result->levels[k].level[i].name, about->sample->level) == 0 &&
                (!about->sample->core_kind[0] || strcmp(result->machine.kinds[k].name, about->sample->core_kind) == 0))
                return &result->levels[k].level[i];
    return NULL;
}
static bool elsewhere(const struct shortfall_case *about) {
    const struct level *level = level_of(about);
    return below(about) && level && level->disagrees;
}
static void elsewhere_detail(const struct shortfall_case *about, char *out, size_t size) {
    const struct level *level = level_of(about);
    snprintf(out, size, "%s detected as %.3g MiB, found to end near %.3g MiB", level->name,
             (double)level->detected_bytes / (1 << 20), (double)level->effective_bytes / (1 << 20));
}

/* The same kernel and level on fewer (`more` false) or more threads; the best value per thread, or the best value. */
static double elsewhere_best(const struct shortfall_case *about, bool more) {
    double best = 0;
    for (size_t i = 0; i < about->model->count; i++) {
        const struct sample *s = about->model->roofs[i].sample;
        if (!sample_same_part(s, about->sample) || strcmp(s->kernel, about->sample->kernel) != 0 ||
            strcmp(s->level, about->sample->level) != 0 || s->threads == about->sample->threads ||
            (s->threads > about->sample->threads) != more)
            continue;
        const double own = more ? s->value : s->value / s->threads;
        best = own > best ? own : best;
    }
    return best;
}
static bool shared(const struct shortfall_case *about) {
    if (!below(about) || about->cache_level == 0)
        return false;
    if (about->sample->doubts & DOUBT_SHARED_CACHE)
        return true;
    const struct machine *machine = &about->model->result->machine;
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned c = 0; c < machine->kinds[k].cache_count; c++)
            if (machine->kinds[k].caches[c].level == about->cache_level &&
                machine->kinds[k].caches[c].sharing_core_count > 1)
                return elsewhere_best(about, false) >
                       THRESHOLD->clearly_more.value * about->sample->value / about->sample->threads;
    return false;
}
static void shared_detail(const struct shortfall_case *about, char *out, size_t size) {
    const double alone = elsewhere_best(about, false), each = about->sample->value / about->sample->threads;
    if (about->sample->threads > 1 && alone > THRESHOLD->clearly_more.value * each)
        snprintf(out, size, "%.3g GB/s for each of %u threads, %.3g GB/s for fewer", each / 1e9, about->sample->threads,
                 alone / 1e9);
    else
        snprintf(out, size, "cores outside this measurement use %s too", about->sample->level);
}

/* Memory of a package is for all its cores: fewer cannot have enough lines in flight. */
static bool too_few_cores(const struct shortfall_case *about) {
    if (!below(about) || !about->memory) /* below what a specification states, so there is one */
        return false;
    const unsigned packages = about->sample->package ? 1 : about->model->result->machine.package_count;
    if (sample_cores(about->sample) >= about->spec->cores * (packages ? packages : 1))
        return false;
    const double more = elsewhere_best(about, true);
    return more <= 0 || more > THRESHOLD->clearly_more.value * about->sample->value;
}
static void too_few_detail(const struct shortfall_case *about, char *out, size_t size) {
    const double more = elsewhere_best(about, true);
    const int n = snprintf(out, size, "%u thread%s", about->sample->threads, about->sample->threads == 1 ? "" : "s");
    if (more > 0)
        snprintf(out + n, size - (size_t)n, "; more of them reach %.3g GB/s", more / 1e9);
    else
        snprintf(out + n, size - (size_t)n, " on a package of %u cores", about->spec->cores);
}

/* What a vendor calls sustained is of loads. */
static bool sustained(const struct shortfall_case *about) {
    const char *source;
    const double stated = uarch_sustained_bytes_per_cycle(about->uarch, about->cache_level, &source);
    return below(about) && strcmp(about->shortfall->roof->op, "load") == 0 && stated > 0 &&
           about->sample->per_cycle > THRESHOLD->sustained.value * stated;
}
static void sustained_detail(const struct shortfall_case *about, char *out, size_t size) {
    const char *source;
    const double stated = uarch_sustained_bytes_per_cycle(about->uarch, about->cache_level, &source);
    snprintf(out, size, "%.1f B/cycle; sustained as stated: %g (%s)", about->sample->per_cycle, stated, source);
}

/* All doubts about what was measured: not those about what it is compared with, and not those with a rule of their own.
 */
static const uint32_t NOT_LOWERING =
    DOUBT_ABOVE_DOCUMENTED | DOUBT_MASKED_CPU | DOUBT_SIZE_DISAGREES | DOUBT_SHARED_CACHE;
static bool doubted(const struct shortfall_case *about) {
    return below(about) && about->sample->doubts & ~NOT_LOWERING;
}
static void doubt_detail(const struct shortfall_case *about, char *out, size_t size) {
    doubt_names(about->sample->doubts & ~NOT_LOWERING, out, size);
}

/* Cores whose vendor states no sustained figure, beside relatives (29 to 52 of 64 bytes) of which it does. */
static bool link_peak(const struct shortfall_case *about) {
    const char *source;
    return below(about) && about->cache_level == 2 && strcmp(about->shortfall->roof->op, "load") == 0 &&
           strcmp(about->model->result->machine.cpu.vendor, "GenuineIntel") == 0 &&
           is_between(about->shortfall->ratio, &THRESHOLD->link_from, &THRESHOLD->link_to) &&
           uarch_sustained_bytes_per_cycle(about->uarch, 2, &source) <= 0;
}

/* Seen on every machine with this core that was measured (Raptor Cove, Redwood Cove: both execute as Golden Cove does),
 * and in no document. */
struct known_shortfall {
    const char *op; /* NULL: any with stores */
    unsigned cache_level, vector_bytes;
    const struct threshold *from, *to;
    const char *what;
};
static const struct known_shortfall KNOWN[] = {
    {"2ld1st", 1, 32, &shortfall_thresholds.l1_256_from, &shortfall_thresholds.l1_256_to,
     "128 of 144 B/cycle with 256-bit vectors; 128-bit ones reach their limit"},
    {"axpy", 1, 32, &shortfall_thresholds.l1_256_from, &shortfall_thresholds.l1_256_to,
     "128 of 144 B/cycle with 256-bit vectors; 128-bit ones reach their limit"},
    {"2ld1st", 1, 64, &shortfall_thresholds.l1_512_from, &shortfall_thresholds.l1_512_to,
     "181 of 192 B/cycle at any unroll, once the working set is over 6 KiB"},
    {"axpy", 1, 64, &shortfall_thresholds.l1_512_from, &shortfall_thresholds.l1_512_to,
     "181 of 192 B/cycle at any unroll"},
    {NULL, 2, 64, &shortfall_thresholds.l2_from, &shortfall_thresholds.l2_to,
     "a line that is stored to costs about four cycles, and the link two"},
    {NULL, 2, 32, &shortfall_thresholds.l2_from, &shortfall_thresholds.l2_to,
     "a line that is stored to costs about four cycles, and the link two"},
};
static bool is_golden_cove(const char *uarch) {
    return strstr(uarch, "Golden Cove") || strstr(uarch, "Raptor Cove") || strstr(uarch, "Redwood Cove");
}
static const struct known_shortfall *known_of(const struct shortfall_case *about) {
    const char *op = about->shortfall->roof->op;
    if (!below(about) || about->sample->kind != SAMPLE_BANDWIDTH || strcmp(op, "load") == 0 ||
        !is_golden_cove(about->model->result->uarch))
        return NULL;
    for (size_t i = 0; i < sizeof KNOWN / sizeof KNOWN[0]; i++) {
        const struct known_shortfall *known = &KNOWN[i];
        if ((!known->op || strcmp(op, known->op) == 0) && about->cache_level == known->cache_level &&
            about->vector_bytes == known->vector_bytes && is_between(about->shortfall->ratio, known->from, known->to))
            return known;
    }
    return NULL;
}
static bool seen_before(const struct shortfall_case *about) {
    return known_of(about) != NULL;
}
static void seen_detail(const struct shortfall_case *about, char *out, size_t size) {
    snprintf(out, size, "%s", known_of(about)->what);
}

/* Other guests come and go: their share shows as spread, and a steady gap is not theirs. */
static bool other_guests(const struct shortfall_case *about) {
    return below(about) && about->model->result->machine.cpu.hypervisor[0] &&
           about->sample->spread > (1 - about->shortfall->ratio) * THRESHOLD->guests.value;
}
static void guests_detail(const struct shortfall_case *about, char *out, size_t size) {
    snprintf(out, size, "repetitions differ by %.1f %%", 100 * about->sample->spread);
}

const struct shortfall_rule shortfall_cause_rules[] = {
    {"memory not stated", "the memory's peak depends on its channels and modules: --spec FILE states them",
     memory_unstated, NULL},
    {"no documented limit", "nobody documents this limit of this core, or not in a source that was verified",
     undocumented, NULL},
    {"above documented", "the clock reading or the documented limit is wrong; check `carmine machine`", above, NULL},
    {"one FMA unit", "half of the 512-bit limit: this model has one 512-bit unit, where others of its kind have two",
     half_of_wide, NULL},
    {"level elsewhere", "the level is not where it was detected: a shared or partitioned cache, or a virtual machine",
     elsewhere, elsewhere_detail},
    {"shared cache", "the level is shared, and its bandwidth with it", shared, shared_detail},
    {"too few cores", "so few cores cannot have enough lines in flight to fill the memory's channels", too_few_cores,
     too_few_detail},
    {"sustained as stated",
     "the limit is the link's peak; the vendor states a lower sustained figure, and it is reached", sustained,
     sustained_detail},
    {"doubt", "the measurement itself is in doubt; `carmine show` prints each doubt's cause and remedy", doubted,
     doubt_detail},
    {"link peak",
     "the limit is the link's peak, which loads do not sustain: L1 does not take a line and serve loads in one cycle. "
     "Intel states 29 (Skylake) and 52 (Skylake-SP) of 64 B/cycle; for this core no figure was found",
     link_peak, NULL},
    {"known, not explained", "other machines with this core show the same; no document says why", seen_before,
     seen_detail},
    {"virtual machine", "other guests share the hardware: what it gives changes from one moment to the next",
     other_guests, guests_detail},
    {"not explained",
     "no rule explains this gap: the machine, the measurement or the documented limit holds a surprise", below, NULL},
};
const size_t shortfall_cause_rule_count = sizeof shortfall_cause_rules / sizeof shortfall_cause_rules[0];
