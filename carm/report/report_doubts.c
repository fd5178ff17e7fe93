/* SPDX-License-Identifier: BSD-3-Clause
 * Doubts and trust as text and as JSON (see report_doubts.h). */
#include "report_doubts.h"

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/text/wrap.h"

void report_doubts_print(struct doubts doubts, FILE *out) {
    char line[1024];
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        if (doubts_has(doubts, i)) {
            snprintf(line, sizeof line, "\n▲ %s: %s.\n  Remedy: %s.", doubt_table[i].name, doubt_table[i].cause,
                     doubt_table[i].remedy);
            wrap_fitted(line, "  ", out);
        }
}

char *report_trust_text(const struct result *result, char *out, size_t size) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    return trust_text(&trust, "FILE", out, size);
}
