/* SPDX-License-Identifier: BSD-3-Clause
 * A roof's own numbers behind the reason of its shortfall, in words (see shortfall_words.h). */
#include "shortfall_words.h"

#include <stdio.h>

#include "bench/kernels/doubt.h"

void shortfall_say_wide(const struct shortfall *about, char *out, size_t size) {
    const double lighter = about->evidence.lighter_clock_hz;
    snprintf(out, size, "%.2f GHz, %.0f %% of the %.2f GHz of narrower arithmetic", about->roof->sample->clock_hz / 1e9,
             100 * about->roof->sample->clock_hz / lighter, lighter / 1e9);
}

void shortfall_say_nominal(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, nominal %.2f GHz", about->roof->sample->clock_hz / 1e9,
             about->nominal_clock_hz / 1e9);
}

void shortfall_say_turbo(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.2f GHz, highest turbo %.2f GHz", about->roof->sample->clock_hz / 1e9,
             about->evidence.turbo_clock_hz / 1e9);
}

void shortfall_say_elsewhere(const struct shortfall *about, char *out, size_t size) {
    const struct level *level = about->evidence.level;
    snprintf(out, size, "%s detected as %.3g MiB, found to end near %.3g MiB", level->name,
             (double)level->detected_bytes / (1 << 20), (double)level->effective_bytes / (1 << 20));
}

void shortfall_say_shared(const struct shortfall *about, char *out, size_t size) {
    const double alone = about->evidence.fewer_each, each = about->roof->sample->value / about->roof->sample->threads;
    if (about->evidence.fewer_get_more)
        snprintf(out, size, "%.3g GB/s for each of %u threads, %.3g GB/s for fewer", each / 1e9,
                 about->roof->sample->threads, alone / 1e9);
    else
        snprintf(out, size, "cores outside this measurement use %s too", about->roof->sample->level);
}

void shortfall_say_too_few(const struct shortfall *about, char *out, size_t size) {
    const double more = about->evidence.more;
    const int n =
        snprintf(out, size, "%u thread%s", about->roof->sample->threads, about->roof->sample->threads == 1 ? "" : "s");
    if (more > 0)
        snprintf(out + n, size - (size_t)n, "; more of them reach %.3g GB/s", more / 1e9);
    else
        snprintf(out + n, size - (size_t)n, " on a package of %u cores", about->evidence.package_cores);
}

void shortfall_say_sustained(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%.1f B/cycle; sustained as stated: %g (%s)", about->roof->sample->per_cycle,
             about->evidence.sustained_bytes_per_cycle, about->evidence.sustained_source);
}

void shortfall_say_doubt(const struct shortfall *about, char *out, size_t size) {
    doubt_names(about->evidence.lowering_doubts, out, size);
}

void shortfall_say_seen(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "%s", about->evidence.seen_before);
}

void shortfall_say_guests(const struct shortfall *about, char *out, size_t size) {
    snprintf(out, size, "repetitions differ by %.1f %%", 100 * about->roof->sample->spread);
}
