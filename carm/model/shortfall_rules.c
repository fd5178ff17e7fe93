/* SPDX-License-Identifier: BSD-3-Clause
 * The rules for roofs below their documented limit, each with its test, the most specific first. A rule that cannot
 * decide from the data does not apply: "not explained" is better than a wrong reason. */
#include "shortfall.h"

#include <stdio.h>
#include <string.h>

#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/levels.h"
#include "probe/machine.h"
#include "probe/product.h"
#include "probe/text.h"

/* A roof's own numbers behind the reason of its shortfall. */

static void shortfall_say_wide(const struct shortfall *about, char *out, size_t size) {
    const double lighter = about->evidence.lighter_clock_hz;
    snprintf(out, size, "%.2f GHz, %.0f %% of the %.2f GHz of narrower arithmetic", about->roof->sample->clock_hz / 1e9,
             100 * about->roof->sample->clock_hz / lighter, lighter / 1e9);
}

static void shortfall_say_nominal(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, nominal %.2f GHz", about->roof->sample->clock_hz / 1e9,
             about->nominal_clock_hz / 1e9);
}

static void shortfall_say_turbo(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, highest turbo %.2f GHz", about->roof->sample->clock_hz / 1e9,
             about->evidence.turbo_clock_hz / 1e9);
}

static void shortfall_say_elsewhere(const struct shortfall *about, char *out, size_t size) {
    const struct level *level = about->evidence.level;
    snprintf(out, size, "%s detected as %.3g MiB, found to end near %.3g MiB", level->name,
             (double)level->detected_bytes / (1 << 20), (double)level->effective_bytes / (1 << 20));
}

static void shortfall_say_shared(const struct shortfall *about, char *out, size_t size) {
    const double alone = about->evidence.fewer_each, each = about->roof->sample->value / about->roof->sample->threads;
    if (about->evidence.fewer_get_more)
        snprintf(out, size, "%.3g GB/s for each of %u threads, %.3g GB/s for fewer", each / 1e9,
                 about->roof->sample->threads, alone / 1e9);
    else
        snprintf(out, size, "cores outside this measurement use %s too", about->roof->sample->level);
}

static void shortfall_say_too_few(const struct shortfall *about, char *out, size_t size) {
    const double more = about->evidence.more;
    snprintf(out, size, "%u thread%s", about->roof->sample->threads, about->roof->sample->threads == 1 ? "" : "s");
    if (more > 0)
        text_append(out, size, "; more of them reach %.3g GB/s", more / 1e9);
    else
        text_append(out, size, " on a package of %u cores", about->evidence.package_cores);
}

static void shortfall_say_sustained(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.1f B/cycle; stated as sustained: %g (%s)", about->roof->sample->per_cycle,
             about->evidence.sustained_bytes_per_cycle, about->evidence.sustained_source);
}

static void shortfall_say_doubt(const struct shortfall *about, char *out, size_t size) {
    doubt_names(about->evidence.lowering_doubts, out, size);
}

static void shortfall_say_seen(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%s", about->evidence.seen_before);
}

static void shortfall_say_guests(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "repetitions differ by %.1f %%", 100 * about->roof->sample->spread);
}

static const struct shortfall_thresholds *const THRESHOLD = &shortfall_thresholds;

static bool wide_is_slower(const struct shortfall *about) {
    const double clock = about->roof->sample->clock_hz;
    return about->roof->sample->kind == SAMPLE_COMPUTE && about->evidence.vector_bytes >= SHORTFALL_WIDE_BYTES &&
           clock > 0 && clock < about->evidence.lighter_clock_hz * (1 - THRESHOLD->clock_wanders.value);
}

static bool has_clocks(const struct shortfall *about) {
    return about->documented_nominal > 0 && !about->evidence.memory && about->roof->sample->clock_hz > 0;
}
static bool under_nominal(const struct shortfall *about) {
    return has_clocks(about) &&
           about->roof->sample->clock_hz < about->nominal_clock_hz * (1 - THRESHOLD->tolerance.value);
}
static bool over_nominal(const struct shortfall *about) {
    return has_clocks(about) &&
           about->roof->sample->clock_hz > about->nominal_clock_hz * (1 + THRESHOLD->tolerance.value);
}

static bool over_turbo(const struct shortfall *about) {
    return about->evidence.turbo_clock_hz > 0 &&
           about->roof->sample->clock_hz > about->evidence.turbo_clock_hz * (1 + THRESHOLD->tolerance.value);
}

const struct shortfall_rule shortfall_clock_rules[] = {
    {"above turbo",
     "faster than the vendor's highest clock: the file describes another model, or the clock reading is wrong",
     over_turbo, shortfall_say_turbo, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"AVX-512 clock",
     "512-bit arithmetic ran at a lower clock than narrower arithmetic: the core's licence or power limit, unless the "
     "clock moved in between",
     wide_is_slower, shortfall_say_wide, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"under nominal clock",
     "it ran slower than the vendor's base clock: a governor, a power or temperature limit; see `carmine doctor`",
     under_nominal, shortfall_say_nominal, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"turbo", "it ran faster than the vendor's base clock", over_nominal, shortfall_say_nominal, SHORTFALL_EXPLAINED,
     SHORTFALL_REACHED},
};
const size_t shortfall_clock_rule_count = sizeof shortfall_clock_rules / sizeof shortfall_clock_rules[0];

static bool undocumented(const struct shortfall *about) {
    return about->documented <= 0;
}

static bool memory_unstated(const struct shortfall *about) {
    return undocumented(about) && about->evidence.memory && about->roof->sample->kind == SAMPLE_BANDWIDTH;
}

static bool above(const struct shortfall *about) {
    return about->ratio > 1 + THRESHOLD->tolerance.value;
}

/* Only a missing unit halves a ceiling this exactly. Models that the vendor lists with two have no such excuse. */
static bool half_of_wide(const struct shortfall *about) {
    return product_wide_fma_units(about->machine->cpu.brand) != 2 && about->roof->sample->kind == SAMPLE_COMPUTE &&
           about->evidence.vector_bytes == SHORTFALL_WIDE_BYTES &&
           shortfall_is_between(about->ratio, &THRESHOLD->half_from, &THRESHOLD->half_to);
}

static bool elsewhere(const struct shortfall *about) {
    const struct level *level = about->evidence.level;
    return shortfall_is_below(about) && level && level->disagrees;
}

static bool shared(const struct shortfall *about) {
    if (!shortfall_is_below(about) || about->evidence.cache_level == 0)
        return false;
    if (doubts_has(about->roof->sample->doubts, DOUBT_SHARED_CACHE))
        return true;
    const struct machine *machine = about->machine;
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned c = 0; c < machine->kinds[k].cache_count; c++)
            if (machine->kinds[k].caches[c].level == about->evidence.cache_level &&
                machine->kinds[k].caches[c].sharing_core_count > 1)
                return about->evidence.fewer_get_more;
    return false;
}

/* The memory of a package needs all its cores: fewer cannot keep enough lines in flight. */
static bool too_few_cores(const struct shortfall *about) {
    if (!shortfall_is_below(about) || !about->evidence.memory) /* below a stated limit, so the specification exists */
        return false;
    const unsigned packages = about->roof->sample->package ? 1 : about->machine->package_count;
    if (sample_cores(about->roof->sample) >= about->evidence.package_cores * (packages ? packages : 1))
        return false;
    const double more = about->evidence.more;
    return more <= 0 || more > THRESHOLD->clearly_more.value * about->roof->sample->value;
}

/* Random lines, or stores that also fetch their lines, leave channels idle or move more than they count. */
static bool other_pattern(const struct shortfall *about) {
    return shortfall_is_below(about) && about->evidence.memory && about->evidence.other_gets_more;
}

static bool memory_overhead(const struct shortfall *about) {
    return shortfall_is_below(about) && about->evidence.memory && about->ratio >= THRESHOLD->memory_from.value;
}

/* Vendors state sustained figures for loads. */
static bool sustained(const struct shortfall *about) {
    const double stated = about->evidence.sustained_bytes_per_cycle;
    return shortfall_is_below(about) && pattern_only_loads(pattern_of_kernel(about->roof->op)) && stated > 0 &&
           about->roof->sample->per_cycle > THRESHOLD->sustained.value * stated;
}

static bool doubted(const struct shortfall *about) {
    return shortfall_is_below(about) && doubts_any(about->evidence.lowering_doubts);
}

/* Cores without a stated sustained figure, whose relatives have one (29 to 52 of 64 bytes). */
static bool link_peak(const struct shortfall *about) {
    return shortfall_is_below(about) && about->evidence.cache_level == 2 &&
           pattern_only_loads(pattern_of_kernel(about->roof->op)) &&
           strcmp(about->machine->cpu.vendor, "GenuineIntel") == 0 &&
           shortfall_is_between(about->ratio, &THRESHOLD->link_from, &THRESHOLD->link_to) &&
           about->evidence.sustained_bytes_per_cycle <= 0;
}

static bool seen_before(const struct shortfall *about) {
    return about->evidence.seen_before != NULL;
}

/* Other guests come and go: their share shows as spread, not as a steady gap. */
static bool other_guests(const struct shortfall *about) {
    return shortfall_is_below(about) && about->machine->cpu.hypervisor[0] &&
           about->roof->sample->spread > (1 - about->ratio) * THRESHOLD->guests.value;
}

const struct shortfall_rule shortfall_cause_rules[] = {
    {"memory not stated", "the memory's peak depends on its channels and modules: --spec FILE states them",
     memory_unstated, NULL, SHORTFALL_UNDOCUMENTED, SHORTFALL_UNCLEAR},
    {"no documented limit", "no verified source documents this limit for this core", undocumented, NULL,
     SHORTFALL_UNDOCUMENTED, SHORTFALL_UNCLEAR},
    {"above documented", "the clock reading or the documented limit is wrong; check `carmine machine`", above, NULL,
     SHORTFALL_UNEXPLAINED, SHORTFALL_UNCLEAR},
    {"one FMA unit", "half of the 512-bit limit: this model has one 512-bit unit, related models have two",
     half_of_wide, NULL, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"level elsewhere", "the level is not where it was detected: a shared or partitioned cache, or a virtual machine",
     elsewhere, shortfall_say_elsewhere, SHORTFALL_EXPLAINED, SHORTFALL_UNCLEAR},
    {"shared cache", "cores share this level and its bandwidth", shared, shortfall_say_shared, SHORTFALL_EXPLAINED,
     SHORTFALL_UNCLEAR},
    {"too few cores", "so few cores cannot keep enough cache lines in flight for all memory channels", too_few_cores,
     shortfall_say_too_few, SHORTFALL_EXPLAINED, SHORTFALL_UNCLEAR},
    {"other pattern", "another access pattern reaches more of this memory", other_pattern, NULL, SHORTFALL_EXPLAINED,
     SHORTFALL_UNCLEAR},
    {"memory overhead",
     "refresh, row changes and turns between reads and writes take time that the peak of the channels does not count",
     memory_overhead, NULL, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"sustained as stated",
     "the limit is the link's peak; the vendor states a lower sustained figure, and it is reached", sustained,
     shortfall_say_sustained, SHORTFALL_EXPLAINED, SHORTFALL_REACHED},
    {"doubt", "the measurement has warnings; `carmine show FILE --all` prints the cause and remedy of each", doubted,
     shortfall_say_doubt, SHORTFALL_EXPLAINED, SHORTFALL_UNCLEAR},
    {"link peak",
     "the limit is the link's peak, which loads do not sustain: L1 cannot receive a cache line and serve loads in one "
     "cycle. Intel states 29 (Skylake) and 52 (Skylake-SP) of 64 B/cycle; for this core no figure was found",
     link_peak, NULL, SHORTFALL_EXPLAINED, SHORTFALL_UNCLEAR},
    {"known, not explained", "other machines with this core show the same; no document says why", seen_before,
     shortfall_say_seen, SHORTFALL_UNEXPLAINED, SHORTFALL_BELOW},
    {"virtual machine", "other guests share the hardware, so its performance varies", other_guests,
     shortfall_say_guests, SHORTFALL_EXPLAINED, SHORTFALL_UNCLEAR},
    {"not explained", "no rule explains this gap: check the machine, the measurement and the documented limit",
     shortfall_is_below, NULL, SHORTFALL_UNEXPLAINED, SHORTFALL_BELOW},
};
const size_t shortfall_cause_rule_count = sizeof shortfall_cause_rules / sizeof shortfall_cause_rules[0];
