/* SPDX-License-Identifier: BSD-3-Clause
 * Finds phases (see phases.h): the borders with the least sum of squared distances of all bins to their phase's mean,
 * plus a price for each border (optimal partitioning: Jackson et al., "An algorithm for optimal partitioning of data on
 * an interval", IEEE Signal Processing Letters 12, 2005). */
#include "phases.h"

#include <math.h>
#include <stdlib.h>

#include "probe/need.h"
#include "probe/order.h"

/* A bin as numbers of about 0 to 1: how many threads are active, flop and bytes per CPU time, and shares of the classes
 * of instructions, of the code and of the causes of waits, which together count as much as one of these. */
enum {
    ACTIVE,
    FLOP,
    BYTES,
    MIX,
    PLACES = MIX + CLASS_COUNT,
    WAITS = PLACES + PHASE_PLACES,
    FEATURES = WAITS + WAIT_KINDS
};
struct bin {
    double of[FEATURES];
};

static const double LEAST_S = 0.02, LEAST_SHARE = 0.01; /* a border must explain as much time at full contrast */
static const double NOISE = 8;                          /* and so many times what bins differ from their neighbours */
static const double ALIKE = 0.1;                        /* squared distance of phases of one kind */

static void find_features(const struct phase_bin *bins, size_t count, double bin_s, struct bin *out) {
    double active = 0, flop = 0, bytes = 0, instructions = 0;
    for (size_t i = 0; i < count; i++) {
        active = fmax(active, bins[i].active_s);
        if (bins[i].cpu_s < 0.25 * bin_s)
            continue;
        flop = fmax(flop, bins[i].flop / bins[i].cpu_s);
        bytes = fmax(bytes, bins[i].bytes / bins[i].cpu_s);
        instructions = fmax(instructions, bins[i].instructions / bins[i].cpu_s);
    }
    flop = fmax(flop, 0.01 * instructions); /* hardly any flop tell nothing */
    bytes = fmax(bytes, 0.01 * instructions);
    for (size_t i = 0; i < count; i++) {
        const struct phase_bin *bin = &bins[i];
        double *of = out[i].of, places_s = 0;
        for (unsigned k = 0; k < PHASE_PLACES; k++)
            places_s += bin->places_s[k];
        /* While it hardly runs, its rates are chance. */
        const double runs = fmin(1, bin->active_s / (0.25 * bin_s)), per_s = bin->cpu_s > 0 ? runs / bin->cpu_s : 0;
        of[ACTIVE] = active > 0 ? bin->active_s / fmax(active, bin_s) : 0;
        of[FLOP] = flop > 0 ? fmin(1.5, bin->flop * per_s / flop) : 0;
        of[BYTES] = bytes > 0 ? fmin(1.5, bin->bytes * per_s / bytes) : 0;
        for (unsigned k = 0; k < CLASS_COUNT; k++)
            of[MIX + k] = bin->instructions > 0 ? runs * M_SQRT1_2 * bin->mix[k] / bin->instructions : 0;
        for (unsigned k = 0; k < PHASE_PLACES; k++)
            of[PLACES + k] = places_s > 0 ? runs * M_SQRT1_2 * bin->places_s[k] / places_s : 0;
        /* While a thread runs, others may wait for it, or have nothing to do: that is no change. */
        const double waits = fmax(0, 1 - bin->active_s / bin_s);
        for (unsigned k = WAIT_LOCKS; k < WAIT_KINDS; k++)
            of[WAITS + k] = waits * M_SQRT1_2 * fmin(1, bin->waits_s[k] / bin_s);
    }
}

/* The usual squared distance of a bin to the mean of its phase: half of that of neighbours, which few borders change.
 */
static double noise_of(const struct bin *bins, size_t count) {
    double *squares = need_calloc(count + 1, sizeof *squares), noise = 0;
    for (size_t i = 0; i + 1 < count; i++)
        for (unsigned k = 0; k < FEATURES; k++)
            squares[i] += (bins[i].of[k] - bins[i + 1].of[k]) * (bins[i].of[k] - bins[i + 1].of[k]) / 2;
    if (count > 1) {
        qsort(squares, count - 1, sizeof *squares, order_doubles);
        noise = squares[(count - 1) / 2];
    }
    free(squares);
    return noise;
}

/* Sums over the bins before each, of the features and of their squares. */
struct sums {
    struct bin of;
    double squares;
};

static double cost(const struct sums *sums, size_t first, size_t end) {
    double squares = sums[end].squares - sums[first].squares;
    for (unsigned k = 0; k < FEATURES; k++) {
        const double sum = sums[end].of.of[k] - sums[first].of.of[k];
        squares -= sum * sum / (double)(end - first);
    }
    return squares;
}

/* The number of phases at this price for each border; `first` gets the first bin of the phase that ends before each. */
static size_t part(const struct sums *sums, size_t count, double price, size_t *first) {
    double *best = need_calloc(count + 1, sizeof *best);
    size_t phases = 0;
    best[0] = -price;
    for (size_t end = 1; end <= count; end++) {
        best[end] = INFINITY;
        for (size_t from = end; from-- > 0;) {
            const double own = cost(sums, from, end), all = best[from] + own + price;
            if (all < best[end]) {
                best[end] = all;
                first[end] = from;
            }
            if (own >= best[end]) /* longer ones cost even more */
                break;
        }
    }
    free(best);
    for (size_t end = count; end > 0; end = first[end])
        phases++;
    return phases;
}

static double distance(const struct sums *sums, const struct phase *a, const struct phase *b) {
    double squares = 0;
    for (unsigned k = 0; k < FEATURES; k++) {
        const double x = (sums[a->end].of.of[k] - sums[a->first].of.of[k]) / (double)(a->end - a->first),
                     y = (sums[b->end].of.of[k] - sums[b->first].of.of[k]) / (double)(b->end - b->first);
        squares += (x - y) * (x - y);
    }
    return squares;
}

static void find_kinds(const struct sums *sums, struct phase *phases, size_t count) {
    unsigned kinds = 0;
    for (size_t i = 0; i < count; i++) {
        size_t like = i;
        double least = ALIKE;
        for (size_t k = 0; k < i; k++)
            if (distance(sums, &phases[k], &phases[i]) < least) {
                least = distance(sums, &phases[k], &phases[i]);
                like = k;
            }
        phases[i].kind = like < i ? phases[like].kind : kinds++;
    }
}

size_t phases_find(const struct phase_bin *bins, size_t count, double bin_s, struct phase *out, size_t most) {
    struct bin *features = need_calloc(count + 1, sizeof *features);
    struct sums *sums = need_calloc(count + 1, sizeof *sums);
    size_t *first = need_calloc(count + 1, sizeof *first), found;
    find_features(bins, count, bin_s, features);
    for (size_t i = 0; i < count; i++) {
        sums[i + 1] = sums[i];
        for (unsigned k = 0; k < FEATURES; k++) {
            sums[i + 1].of.of[k] += features[i].of[k];
            sums[i + 1].squares += features[i].of[k] * features[i].of[k];
        }
    }
    double price = fmax(LEAST_S / bin_s, LEAST_SHARE * (double)count) + NOISE * noise_of(features, count);
    while ((found = part(sums, count, price, first)) > most)
        price *= 1.5;
    for (size_t end = count, i = found; end > 0; end = first[end])
        out[--i] = (struct phase){first[end], end, 0};
    find_kinds(sums, out, found);
    free(features);
    free(sums);
    free(first);
    return found;
}
