/* SPDX-License-Identifier: BSD-3-Clause
 * How findings are told: changes, times, durations, counters that rose (see findings.h). */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "findings.h"
#include "render/page/units.h"

uint64_t findings_throttled(const struct soak_round *round) {
    return round->throttled;
}

uint64_t findings_corrected(const struct soak_round *round) {
    return round->corrected;
}

uint64_t findings_uncorrected(const struct soak_round *round) {
    return round->uncorrected;
}

uint64_t findings_rise(const struct soak *soak, uint64_t (*counter)(const struct soak_round *), double from_s,
                       double to_s) {
    uint64_t rise = 0;
    for (size_t i = 1; i < soak->count; i++) {
        const uint64_t before = counter(&soak->rounds[i - 1]), now = counter(&soak->rounds[i]);
        if (soak->rounds[i].at_s >= from_s && soak->rounds[i].at_s <= to_s && now > before)
            rise += now - before;
    }
    return rise;
}

bool quantity_is_roof(const struct quantity *quantity) {
    return quantity->kind <= QUANTITY_LATENCY;
}

double quantity_share(const struct quantity *quantity, double change) {
    return quantity->kind > QUANTITY_CLOCK ? change
           : quantity->changes.median > 0  ? change / quantity->changes.median
                                           : 0;
}

double quantity_step(const struct quantity *quantity, const struct series_step *step) {
    const double change = step->to - step->from;
    return quantity->kind > QUANTITY_CLOCK || !(step->from > 0) ? change
                                                                : change / step->from * quantity->changes.median;
}

char *quantity_change(const struct quantity *quantity, double change, char *out, size_t size) {
    char digits[UNITS_BYTES];
    const bool share = quantity->kind <= QUANTITY_CLOCK;
    const double value = quantity_share(quantity, change) * (share ? 100 : 1);
    units_number_digits(digits, sizeof digits, fabs(value), 2);
    snprintf(out, size, "%s%s %s", value < 0 ? "−" : "+", digits, share ? "%" : quantity->unit);
    return out;
}

char *findings_time(const struct findings *findings, double at_s, char *out, size_t size) {
    static const double DAY_S = 86400;
    const double started_s = (double)findings->soak->started_s;
    const time_t at = (time_t)(started_s + at_s);
    const bool one_day = findings->rounds == 0 ||
                         floor(started_s / DAY_S) == floor((started_s + findings->at_s[findings->rounds - 1]) / DAY_S);
    struct tm utc;
    const char *format = !one_day ? "%d %b %H:%M" : findings->span_s < 600 ? "%H:%M:%S" : "%H:%M";
    if (!gmtime_r(&at, &utc) || strftime(out, size, format, &utc) == 0)
        snprintf(out, size, "%.0f s", at_s);
    return out;
}

char *findings_date(const struct findings *findings, char *out, size_t size) {
    const time_t at = (time_t)findings->soak->started_s;
    struct tm utc;
    if (!gmtime_r(&at, &utc) || strftime(out, size, "%Y-%m-%d %H:%M", &utc) == 0)
        snprintf(out, size, "the start");
    return out;
}

char *findings_duration(double seconds, char *out, size_t size) {
    static const struct {
        double most_s, unit_s;
        const char *name;
    } UNITS[] = {{120, 1, "s"}, {7200, 60, "min"}, {172800, 3600, "h"}, {INFINITY, 86400, "d"}};
    char digits[UNITS_BYTES];
    size_t i = 0;
    while (seconds >= UNITS[i].most_s)
        i++;
    snprintf(out, size, "%s %s", units_number_digits(digits, sizeof digits, seconds / UNITS[i].unit_s, 2),
             UNITS[i].name);
    return out;
}
