/* SPDX-License-Identifier: BSD-3-Clause
 * Periods: the power of sines fitted at each frequency (N. R. Lomb, Astrophysics and Space Science 39, 1976), against
 * what noise would have. Noise that wanders has more power at low frequencies, so a power counts by the median of those
 * around it. */
#include <math.h>
#include <stdlib.h>

#include "bench/sample/sample.h"
#include "probe/need.h"
#include "series_parts.h"

enum {
    FINENESS = 2,     /* frequencies between those that are independent */
    LEAST_CYCLES = 4, /* in the whole time: what comes less often is no period yet */
    BESIDE = FINENESS + 1,
    AROUND = 6, /* at least so many are looked at */
    FINER = 8
};
static const double CLIPPED = 4;      /* standard deviations: a single value counts for no more */
static const double BY_CHANCE = 1e-4; /* how likely noise has such a power at some frequency */
static const double SAME = 0.02;      /* of a multiple of a frequency */
static const double PI = 3.14159265358979323846;

struct sine {
    double frequency_hz, cosine, sine, power;
};

static double amplitude(const struct sine *sine) {
    return hypot(sine->cosine, sine->sine);
}

/* Values about 0, single ones not far off. */
struct waves {
    size_t count;
    const double *at_s;
    double *values, variance, span_s;
};

static struct waves waves_make(const struct track *track) {
    struct waves out = {track->count, track->at_s, need_calloc(track->count + 1, sizeof(double)), 0,
                        track->at_s[track->count - 1] - track->at_s[0]};
    const double median = track_median(track->values, track->count);
    for (size_t i = 0; i < out.count; i++)
        out.values[i] = fabs(track->values[i] - median);
    const double most = CLIPPED * 1.4826 * track_median(out.values, out.count);
    double sum = 0, squares = 0;
    for (size_t i = 0; i < out.count; i++) {
        out.values[i] = fmin(fmax(track->values[i] - median, -most), most);
        sum += out.values[i];
    }
    for (size_t i = 0; i < out.count; i++) {
        out.values[i] -= sum / (double)out.count;
        squares += out.values[i] * out.values[i];
    }
    out.variance = squares / (double)out.count;
    return out;
}

/* Sums over all values at one frequency → the sine that fits them best. */
struct wave_sums {
    double cosine, sine, cosines, sines, both;
};

static void sums_add(struct wave_sums *sums, double value, double cosine, double sine) {
    sums->cosine += value * cosine;
    sums->sine += value * sine;
    sums->cosines += cosine * cosine;
    sums->sines += sine * sine;
    sums->both += cosine * sine;
}

static struct sine fit(const struct waves *waves, const struct wave_sums *sums, double frequency_hz) {
    const double n = (double)waves->count, determinant = sums->cosines * sums->sines - sums->both * sums->both;
    if (determinant < 1e-4 * n * n) /* sampled where it is always the same */
        return (struct sine){.frequency_hz = frequency_hz};
    struct sine out = {.frequency_hz = frequency_hz,
                       .cosine = (sums->cosine * sums->sines - sums->sine * sums->both) / determinant,
                       .sine = (sums->sine * sums->cosines - sums->cosine * sums->both) / determinant};
    out.power = (out.cosine * sums->cosine + out.sine * sums->sine) / (2 * waves->variance);
    return out;
}

static struct sine sine_at(const struct waves *waves, double frequency_hz) {
    struct wave_sums sums = {0};
    for (size_t i = 0; i < waves->count; i++) {
        const double angle = 2 * PI * frequency_hz * (waves->at_s[i] - waves->at_s[0]);
        sums_add(&sums, waves->values[i], cos(angle), sin(angle));
    }
    return fit(waves, &sums, frequency_hz);
}

/* The powers at 1, 2, … times the least frequency, as angles that are turned further by the same each time. */
static double *powers_of(const struct waves *waves, size_t frequencies) {
    enum { COSINE, SINE, COSINE_BY, SINE_BY, PARTS };
    double *powers = need_calloc(frequencies + 1, sizeof *powers),
           (*angles)[PARTS] = need_calloc(waves->count + 1, sizeof *angles);
    for (size_t i = 0; i < waves->count; i++) {
        const double by = 2 * PI * (waves->at_s[i] - waves->at_s[0]) / (FINENESS * waves->span_s);
        angles[i][COSINE] = 1;
        angles[i][COSINE_BY] = cos(by);
        angles[i][SINE_BY] = sin(by);
    }
    for (size_t f = 1; f <= frequencies; f++) {
        struct wave_sums sums = {0};
        for (size_t i = 0; i < waves->count; i++) {
            double *angle = angles[i];
            const double cosine = angle[COSINE] * angle[COSINE_BY] - angle[SINE] * angle[SINE_BY];
            angle[SINE] = angle[SINE] * angle[COSINE_BY] + angle[COSINE] * angle[SINE_BY];
            angle[COSINE] = cosine;
            sums_add(&sums, waves->values[i], cosine, angle[SINE]);
        }
        powers[f] = fit(waves, &sums, 0).power;
    }
    free(angles);
    return powers;
}

/* What is usual around a frequency, below it or above it, whichever is more: medians of the powers down to half of it
 * and up to twice, without those next to it that it has a share in. */
static double usual_around(const double *powers, size_t last, size_t at) {
    const size_t below = at - BESIDE, above = at + BESIDE;
    const size_t from = at / 2 + AROUND < below ? at / 2 : below > AROUND ? below - AROUND : 1;
    const size_t to = 2 * at < last ? 2 * at : last;
    const double before = track_median(powers + from, below - from + 1);
    return to < above + AROUND ? before : fmax(before, track_median(powers + above, to - above + 1));
}

/* The strongest that noise does not have; of a power of 0 there is none. */
static struct sine strongest(const struct waves *waves) {
    const size_t first = FINENESS * LEAST_CYCLES, last = waves->count * FINENESS / 2 - 1;
    struct sine best = {0};
    if (!(waves->span_s > 0) || !(waves->variance > 0) || last < first + AROUND)
        return best;
    double *powers = powers_of(waves, last), least = log((double)(last - first + 1) / BY_CHANCE), most = least;
    size_t at = 0;
    for (size_t f = first; f <= last; f++) {
        if (powers[f] <= most) /* no matter what is usual */
            continue;
        const double power = powers[f] * fmin(1, log(2) / fmax(usual_around(powers, last, f), 1e-9));
        if (power > most) /* noise has a median of ln 2 */
            most = power, at = f;
    }
    free(powers);
    if (at == 0)
        return best;
    for (int i = -FINER; i <= FINER; i++) {
        const double frequency = ((double)at + (double)i / FINER) / (FINENESS * waves->span_s);
        const struct sine sine = sine_at(waves, frequency);
        if (sine.power > best.power)
            best = sine;
    }
    return best;
}

static bool is_multiple(const struct series_changes *changes, double frequency_hz) {
    for (size_t i = 0; i < changes->period_count; i++) {
        const double ratio = frequency_hz * changes->periods[i].period_s;
        if (ratio > 0.5 && fabs(ratio - round(ratio)) < SAME * ratio)
            return true;
    }
    return false;
}

void series_periods_take(struct track *track, double least, struct series_changes *out) {
    for (size_t n = 0; n < 2 * SERIES_MAX_PERIODS; n++) {
        struct waves waves = waves_make(track);
        const struct sine sine = strongest(&waves);
        free(waves.values);
        if (!(sine.power > 0) || 2 * amplitude(&sine) < least)
            return;
        for (size_t i = 0; i < track->count; i++) {
            const double angle = 2 * PI * sine.frequency_hz * (track->at_s[i] - track->at_s[0]);
            track->values[i] -= sine.cosine * cos(angle) + sine.sine * sin(angle);
        }
        if (out->period_count < SERIES_MAX_PERIODS && !is_multiple(out, sine.frequency_hz))
            out->periods[out->period_count++] = (struct series_period){1 / sine.frequency_hz, amplitude(&sine)};
    }
}
