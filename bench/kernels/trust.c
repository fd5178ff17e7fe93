/* SPDX-License-Identifier: BSD-3-Clause
 * The trust grade (see trust.h). */
#include "trust.h"
#include "doubt.h"
#include "estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "probe/need.h"

/* Files keep five digits: the grade is the same before and after. */
static const double ROUNDING = 1e-4;

static enum element_type type_of(const struct sample *sample) {
    const struct kernel *const *kernel = kernel_find(sample->kernel, NULL);
    return kernel ? (*kernel)->type : TYPE_NONE;
}

/* The best so far of one type, level or latency, by some threads with their data in some place. */
struct headline {
    size_t best;
    enum element_type type; /* TYPE_NONE: no ceiling */
};

static bool competes(const struct sample *sample, enum element_type type) {
    return !sample->small_pages && sample->value > 0 && (sample->kind != SAMPLE_COMPUTE || type != TYPE_NONE);
}

static bool is_better(const struct sample *sample, const struct sample *than) {
    return sample->kind == SAMPLE_LATENCY ? sample->value < than->value : sample->value > than->value;
}

void trust_headline(const struct sample *samples, size_t count, bool *is_headline) {
    struct headline *headlines = need_calloc(count + 1, sizeof *headlines);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *own = &samples[i];
        const enum element_type type = own->kind == SAMPLE_COMPUTE ? type_of(own) : TYPE_NONE;
        is_headline[i] = false;
        if (!competes(own, type))
            continue;
        size_t at = 0;
        for (; at < known; at++) {
            const struct sample *best = &samples[headlines[at].best];
            if (best->kind == own->kind && headlines[at].type == type && strcmp(best->level, own->level) == 0 &&
                sample_same_place(best, own))
                break;
        }
        if (at == known)
            headlines[known++] = (struct headline){i, type};
        else if (is_better(own, &samples[headlines[at].best]))
            headlines[at].best = i;
    }
    for (size_t at = 0; at < known; at++)
        is_headline[headlines[at].best] = true;
    free(headlines);
}

static bool is_beyond(const struct sample *sample, double bound) {
    return !(estimate_uncertainty(sample) <= bound + ROUNDING);
}

static char grade_of(const struct trust *trust) {
    if (trust->clock_uncertain || 2 * trust->beyond_5 > trust->headline)
        return 'D';
    return trust->beyond_5 ? 'C' : trust->beyond_1 ? 'B' : 'A';
}

/* "L3 latency ±85 %", "DRAM of 2 threads ±13 %", "f64 peak ±7 %" */
static int name_roof(const struct sample *sample, char *out, size_t size) {
    char threads[32] = "";
    const enum element_type type = sample->kind == SAMPLE_COMPUTE ? type_of(sample) : TYPE_NONE;
    const double uncertainty = estimate_uncertainty(sample);
    if (sample->threads > 1)
        snprintf(threads, sizeof threads, " of %u threads", sample->threads);
    const int length = snprintf(out, size, "%s%s%s", type != TYPE_NONE ? element_table[type].name : sample->level,
                                sample->kind == SAMPLE_COMPUTE   ? " peak"
                                : sample->kind == SAMPLE_LATENCY ? " latency"
                                                                 : "",
                                threads);
    if (!isfinite(uncertainty) || length < 0 || (size_t)length >= size)
        return length;
    return length + snprintf(out + length, size - (size_t)length, " ±%.0f %%", 100 * uncertainty);
}

/* The most uncertain of them, up to WORST. */
static void name_worst(struct trust *trust, const struct sample *samples, size_t count, bool *is_headline) {
    enum { WORST = 3 };
    size_t used = 0;
    for (unsigned named = 0; named < trust->beyond_5 && used < sizeof trust->worst; named++) {
        size_t at = count;
        for (size_t i = 0; i < count; i++)
            if (is_headline[i] && is_beyond(&samples[i], ESTIMATE_UNPACED_BOUND) &&
                (at == count || !(estimate_uncertainty(&samples[i]) <= estimate_uncertainty(&samples[at]) + ROUNDING)))
                at = i;
        if (named == WORST) {
            snprintf(trust->worst + used, sizeof trust->worst - used, ", …");
            return;
        }
        used += (size_t)snprintf(trust->worst + used, sizeof trust->worst - used, "%s", named ? ", " : "");
        if (used < sizeof trust->worst)
            used += (size_t)name_roof(&samples[at], trust->worst + used, sizeof trust->worst - used);
        is_headline[at] = false;
    }
}

struct trust trust_grade(const struct sample *samples, size_t count, bool partial) {
    struct trust trust = {.partial = partial, .grade = count || !partial ? '\0' : 'D'};
    bool *is_headline = need_calloc(count + 1, sizeof *is_headline), known = false;
    trust_headline(samples, count, is_headline);
    for (size_t i = 0; i < count; i++) {
        known |= samples[i].high > 0;
        trust.clock_uncertain |= doubts_has(samples[i].doubts, DOUBT_CLOCK_UNCERTAIN);
        trust.headline += is_headline[i];
        trust.beyond_1 += is_headline[i] && is_beyond(&samples[i], ESTIMATE_PACED_BOUND);
        trust.beyond_5 += is_headline[i] && is_beyond(&samples[i], ESTIMATE_UNPACED_BOUND);
    }
    if (known && trust.headline)
        trust.grade = grade_of(&trust);
    const double bound = trust.beyond_5 ? ESTIMATE_UNPACED_BOUND : ESTIMATE_PACED_BOUND;
    for (size_t i = 0; i < count; i++)
        if (is_headline[i] && is_beyond(&samples[i], bound))
            doubts_join(&trust.doubts, samples[i].doubts);
    if (known)
        name_worst(&trust, samples, count, is_headline);
    free(is_headline);
    return trust;
}

/* Why roofs are uncertain: the first that the data say. */
static const struct {
    enum doubt_id doubt;
    const char *text;
} REASONS[] = {
    {DOUBT_CORE_SHARED, "others use these cores; "},
    {DOUBT_OTHERS_ACTIVE, "other programs are active; "},
    {DOUBT_COUNT, ""},
};

static const char *reason_of(const struct trust *trust) {
    size_t at = 0;
    while (REASONS[at].doubt != DOUBT_COUNT && !doubts_has(trust->doubts, REASONS[at].doubt))
        at++;
    return REASONS[at].text;
}

/* "all 26 headline roofs are" */
static void write_all(unsigned count, char *out, size_t size) {
    if (count > 2)
        snprintf(out, size, "all %u headline roofs are", count);
    else
        snprintf(out, size, "%s", count == 2 ? "both headline roofs are" : "the only headline roof is");
}

static void write_known(const struct trust *trust, char *out, size_t size) {
    const unsigned count = trust->headline, beyond_1 = trust->beyond_1, beyond_5 = trust->beyond_5;
    char all[64];
    write_all(count, all, sizeof all);
    if (count == 0)
        snprintf(out, size, "nothing is measured yet");
    else if (trust->clock_uncertain)
        snprintf(out, size, "the core clock is uncertain, and so is what each roof is per cycle");
    else if (beyond_5)
        snprintf(out, size, "%s%u of %u headline roof%s %s uncertain by more than 5 %%: %s", reason_of(trust), beyond_5,
                 count, count == 1 ? "" : "s", beyond_5 == 1 ? "is" : "are", trust->worst);
    else if (beyond_1 && beyond_1 < count)
        snprintf(out, size, "%s known to 5 %%, %u of them to 1 %%", all, count - beyond_1);
    else
        snprintf(out, size, "%s known to %d %%", all, beyond_1 ? 5 : 1);
}

char *trust_text(const struct trust *trust, const char *path, char *out, size_t size) {
    char known[160 + sizeof trust->worst];
    const bool again = trust->grade > 'B' && trust->headline, rest = trust->partial;
    if (size)
        out[0] = '\0';
    if (!trust->grade)
        return out;
    write_known(trust, known, sizeof known);
    const int length = snprintf(out, size, "%c%s: %s", trust->grade, rest ? " so far" : "", known);
    if (path && (again || rest) && length < (int)size)
        snprintf(out + length, size - (size_t)length, ". `carmine run --resume %s` measures %s%s%s", path,
                 again ? "those again" : "", again && rest ? ", and " : "", rest ? "the rest" : "");
    return out;
}
