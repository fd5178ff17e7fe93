/* SPDX-License-Identifier: BSD-3-Clause
 * Rounds over all prefetches, then pairs of the best against none. */
#include "distances.h"
#include "estimate.h"
#include "visit.h"

#include <stdlib.h>

#include "asm/assemble.h"
#include "probe/need.h"
#include "probe/stop.h"

const unsigned distances_bytes[DISTANCES_COUNT] = {0, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096, 8192};

/* Merits of all visits: values[round][hint][distance], and without[round]. */
struct rounds {
    double without[DISTANCES_ROUNDS];
    double values[DISTANCES_ROUNDS][PREFETCH_HINTS][DISTANCES_COUNT];
};

bool distances_possible(const struct kernel *like, unsigned width, unsigned unroll, uint64_t bytes) {
    const struct recipe recipe = {like->isa, like->type, like->op, width, unroll, {PREFETCH_KEPT, 0}};
    const uint64_t block = assemble_block_bytes(&recipe);
    return width >= 1 && width <= assemble_width_max(like->isa, like->op) && unroll >= 1 && block > 0 &&
           assemble_fits(&recipe) && bytes / block * block >= bytes - bytes / 8;
}

static bool is_stopped(const struct distances_request *request) {
    return stop_requested(request->bench->stop);
}

static bool visit(const struct distances_request *request, const struct prefetch *prefetch, bool brief,
                  struct sample *out, struct error *err) {
    struct campaign_trial trial = visit_trial(request->step, &request->code, request->bytes, brief);
    trial.code.prefetch = *prefetch;
    *out = (struct sample){0};
    return request->bench->measure(request->bench->context, &trial, out, err);
}

static bool value_of(const struct distances_request *request, const struct prefetch *prefetch, double *out,
                     struct error *err) {
    struct sample sample;
    if (!visit(request, prefetch, true, &sample, err))
        return false;
    *out = estimate_merit(&sample, request->step->paced);
    return true;
}

/* One visit to each prefetch; every second round in reverse order. */
static bool go_round(const struct distances_request *request, struct rounds *rounds, unsigned round,
                     struct error *err) {
    const unsigned count = (PREFETCH_HINTS - 1) * DISTANCES_COUNT;
    if (!value_of(request, &(struct prefetch){0}, &rounds->without[round], err))
        return false;
    for (unsigned i = 0; i < count && rounds->without[round] > 0 && !is_stopped(request); i++) {
        const unsigned at = round % 2 == 0 ? i : count - 1 - i, hint = 1 + at / DISTANCES_COUNT;
        const struct prefetch prefetch = {hint, distances_bytes[at % DISTANCES_COUNT]};
        if (!value_of(request, &prefetch, &rounds->values[round][hint][at % DISTANCES_COUNT], err))
            return false;
    }
    return true;
}

static void read_rounds(const struct rounds *rounds, struct distances *out) {
    double sorted[DISTANCES_ROUNDS], gains[DISTANCES_ROUNDS], highest = 0;
    for (unsigned r = 0; r < out->rounds; r++)
        sorted[r] = rounds->without[r];
    out->without = sample_median(sorted, out->rounds);
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
            for (unsigned r = 0; r < out->rounds; r++) {
                sorted[r] = rounds->values[r][hint][d];
                gains[r] = sorted[r] / rounds->without[r];
            }
            out->values[hint][d] = sample_median(sorted, out->rounds);
            out->gains[hint][d] = sample_statistics(gains, out->rounds);
            if (out->gains[hint][d].median > highest) {
                highest = out->gains[hint][d].median;
                out->best = (struct prefetch){hint, distances_bytes[d]};
            }
        }
}

/* The best against none, in pairs of alternating order. */
static bool compare_pairs(const struct distances_request *request, struct distances *out, struct error *err) {
    double gains[DISTANCES_PAIRS];
    unsigned count = 0;
    for (unsigned i = 0; i < DISTANCES_PAIRS && !is_stopped(request); i++) {
        const struct prefetch none = {0}, *order[] = {i % 2 ? &none : &out->best, i % 2 ? &out->best : &none};
        double values[2];
        for (unsigned k = 0; k < 2; k++)
            if (!value_of(request, order[k], &values[k], err))
                return false;
        if (values[0] > 0 && values[1] > 0)
            gains[count++] = i % 2 ? values[1] / values[0] : values[0] / values[1];
    }
    out->pairs = sample_statistics(gains, count);
    return visit(request, &(struct prefetch){0}, false, &out->proper[0], err) &&
           visit(request, &out->best, false, &out->proper[1], err);
}

bool distances_helps(const struct distances *distances) {
    return distances->pairs.q1 > 1;
}

bool distances_search(const struct distances_request *request, struct distances *out, struct error *err) {
    const struct campaign_bench *bench = request->bench;
    const double began_s = bench->now_s(bench->context);
    struct rounds *rounds = need_calloc(1, sizeof *rounds);
    *out = (struct distances){0};
    bool done = true, runs = true;
    while (done && runs && out->rounds < DISTANCES_ROUNDS && !is_stopped(request) &&
           (out->rounds < DISTANCES_ROUNDS_LEAST || bench->now_s(bench->context) - began_s < request->budget_s)) {
        done = go_round(request, rounds, out->rounds, err);
        runs = rounds->without[out->rounds] > 0;
        out->rounds += done && runs && !is_stopped(request);
    }
    if (done && out->rounds > 0) {
        read_rounds(rounds, out);
        done = compare_pairs(request, out, err);
    }
    out->stopped = is_stopped(request);
    free(rounds);
    return done;
}
