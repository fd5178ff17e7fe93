/* SPDX-License-Identifier: BSD-3-Clause
 * Visits of a step → its number and interval; samples of a result → its grade. */
#include "estimate.h"
#include "doubt.h"
#include "number_thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "probe/text.h"

/* Two-sided 90 % points of Student's t by degrees of freedom. */
static const double STUDENT_90[] = {INFINITY, 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895,
                                    1.860,    1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753};
_Static_assert(sizeof STUDENT_90 / sizeof *STUDENT_90 >= ESTIMATE_MAX_VISITS, "a row for each number of visits");

double estimate_merit(const struct sample *sample, bool paced) {
    double merit = paced && sample->per_cycle > 0 ? sample->per_cycle : sample->value;
    return sample->kind != SAMPLE_LATENCY ? merit : merit > 0 ? 1 / merit : 0;
}

bool estimate_above_documented(const struct sample *sample) {
    return sample->documented_per_cycle > 0 &&
           sample->per_cycle > number_thresholds.above_documented.value * sample->documented_per_cycle;
}

bool estimate_may_exceed(const struct sample *blank, const struct sample *best) {
    const bool known = blank->documented_per_cycle > 0 && best->per_cycle > 0;
    return !known || blank->documented_per_cycle > best->per_cycle;
}

double estimate_uncertainty(const struct sample *sample) {
    if (sample->value <= 0 || sample->low <= 0 || sample->high <= 0)
        return INFINITY;
    return fmax(sample->high / sample->value - 1, 1 - sample->low / sample->value);
}

/* May be too high. */
static bool is_suspect(const struct sample *sample) {
    return doubts_has(sample->doubts, DOUBT_CLOCK_UNCERTAIN) || doubts_has(sample->doubts, DOUBT_ABOVE_DOCUMENTED);
}

bool estimate_replaces(const struct sample *newer, const struct sample *older) {
    const double own = estimate_uncertainty(newer), before = estimate_uncertainty(older);
    const bool apart = isfinite(own) && isfinite(before) && (newer->low > older->high || newer->high < older->low);
    if (doubts_has(older->doubts, DOUBT_CLOCK_UNCERTAIN))
        return true;
    if (!apart)
        return own <= before;
    if (is_suspect(newer) != is_suspect(older))
        return is_suspect(older);
    return estimate_merit(newer, false) > estimate_merit(older, false);
}

/* A visit with its merit, and the relative extent of its own interval below and above. */
struct ranked_visit {
    const struct sample *visit;
    double merit, down, up;
};

static struct ranked_visit estimate_rank(const struct sample *visit, bool paced) {
    struct ranked_visit ranked = {.visit = visit, .merit = estimate_merit(visit, paced)};
    bool known = visit->value > 0 && visit->low > 0 && visit->high > 0, latency = visit->kind == SAMPLE_LATENCY;
    if (known) {
        ranked.down = latency ? 1 - visit->value / visit->high : 1 - visit->low / visit->value;
        ranked.up = latency ? visit->value / visit->low - 1 : visit->high / visit->value - 1;
    }
    return ranked;
}

static int compare_ranked(const void *a, const void *b) {
    double x = ((const struct ranked_visit *)a)->merit, y = ((const struct ranked_visit *)b)->merit;
    return (x < y) - (x > y);
}

/* False after a jump of the tick counter. */
static bool estimate_is_number(const struct sample *visit) {
    return !sample_is_blank(visit) && isfinite(visit->value) && isfinite(visit->low) && isfinite(visit->high) &&
           isfinite(visit->per_cycle) && isfinite(visit->clock_hz);
}

bool estimate_counts_less(const struct sample *visit, bool paced) {
    return estimate_above_documented(visit) || doubts_has(visit->doubts, DOUBT_CORES_APART) ||
           (!paced && doubts_has(visit->doubts, DOUBT_SIBLING_BUSY));
}

/* Rank of comparable visits: a lower rank counts only if no visit has a higher one. */
static unsigned standing(const struct sample *visit, bool paced) {
    if (!estimate_is_number(visit))
        return 0;
    if (paced && visit->per_cycle <= 0) /* clock unknown: a rate per second among rates per cycle */
        return 1;
    return estimate_counts_less(visit, paced) ? 2 : 3;
}

bool estimate_is_lower(const struct sample *a, const struct sample *b, bool paced) {
    const unsigned ranks[2] = {standing(a, paced), standing(b, paced)};
    return ranks[0] != ranks[1] ? ranks[0] < ranks[1] : estimate_merit(a, paced) < estimate_merit(b, paced);
}

/* Visits of the highest rank, the best first; none if no visit has a number. */
static size_t rank_all(const struct sample *visits, size_t count, bool paced, struct ranked_visit *out) {
    unsigned highest = 1;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        highest = standing(&visits[i], paced) > highest ? standing(&visits[i], paced) : highest;
    for (size_t i = 0; i < count; i++)
        if (standing(&visits[i], paced) == highest)
            out[kept++] = estimate_rank(&visits[i], paced);
    qsort(out, kept, sizeof *out, compare_ranked);
    return kept;
}

/* The highest group of agreeing visits, which begins at ranked[*first]. Returns its size; 1: no two visits agree. */
static size_t estimate_find_group(const struct ranked_visit *ranked, size_t count, double agree, size_t *first) {
    for (size_t i = 0; i + 1 < count; i++) {
        size_t members = 1;
        while (i + members < count && ranked[i + members].merit >= ranked[i].merit * (1 - agree))
            members++;
        if (members > 1) {
            *first = i;
            return members;
        }
    }
    *first = 0;
    return 1;
}

/* A number and its relative extent. */
struct reach {
    double merit, down, up;
};

static double hypotenuse(double a, double b) {
    return sqrt(a * a + b * b);
}

/* Two visits may agree by chance: their deviation is at least the usual one. */
static struct reach reach_of_group(const struct ranked_visit *group, size_t members, double usual) {
    double sum = 0, squares = 0, down = 0, up = 0;
    for (size_t i = 0; i < members; i++) {
        sum += group[i].merit;
        down += group[i].down / (double)members;
        up += group[i].up / (double)members;
    }
    const double mean = sum / (double)members;
    for (size_t i = 0; i < members; i++)
        squares += (group[i].merit - mean) * (group[i].merit - mean);
    const double deviation = sqrt(squares / (double)(members - 1));
    const double between = mean > 0 ? STUDENT_90[members - 1] * deviation / sqrt((double)members) / mean : 0;
    const double sure = fmax(between, SAMPLE_NORMAL_90 * usual / sqrt((double)members));
    return (struct reach){mean, hypotenuse(down, sure), hypotenuse(up, sure)};
}

/* The number when no other visit agrees with the best. */
static struct reach reach_of_best(const struct ranked_visit *ranked, size_t count, double alone) {
    const struct ranked_visit *best = &ranked[0];
    const double apart = count > 1 && best->merit > 0 ? 1 - ranked[1].merit / best->merit : 0, far = fmax(apart, alone);
    return (struct reach){best->merit, hypotenuse(best->down, far), hypotenuse(best->up, far)};
}

static double estimate_median_clock(const struct ranked_visit *group, size_t members) {
    double clocks[ESTIMATE_MAX_VISITS];
    size_t known = 0;
    for (size_t i = 0; i < members; i++)
        if (group[i].visit->clock_hz > 0)
            clocks[known++] = group[i].visit->clock_hz;
    return sample_statistics(clocks, known).median;
}

/* Temporary doubts stay only if all visits have them: among agreeing visits, one undisturbed visit removes them. */
static struct doubts estimate_doubts_of(const struct ranked_visit *group, size_t members) {
    const struct doubts passing = doubts_of_kind(DOUBTS_PASSING);
    struct doubts any = {0}, all = doubts_all();
    for (size_t i = 0; i < members; i++) {
        doubts_join(&any, group[i].visit->doubts);
        all = doubts_common(all, group[i].visit->doubts);
    }
    return doubts_union(doubts_without(any, passing), doubts_common(all, passing));
}

/* How far above the group's number the true value may be if no visit had the core to itself: at most the documented
 * limit. */
static double hidden_by_sibling(const struct ranked_visit *group, size_t members) {
    const struct sample *visit = group[0].visit;
    const double most = 1 / (1 - number_thresholds.sibling_takes.value) - 1;
    if (!doubts_has(estimate_doubts_of(group, members), DOUBT_SIBLING_BUSY))
        return 0;
    return visit->documented_per_cycle > 0 && visit->per_cycle > 0
               ? fmin(most, fmax(0, visit->documented_per_cycle / visit->per_cycle - 1))
               : most;
}

/* Copies the group's visit nearest to `reach`, and moves it there. */
static void estimate_describe(const struct ranked_visit *group, size_t members, const struct reach *reach, bool paced,
                              struct sample *out) {
    const struct ranked_visit *nearest = &group[0];
    for (size_t i = 1; i < members; i++)
        if (fabs(group[i].merit - reach->merit) < fabs(nearest->merit - reach->merit))
            nearest = &group[i];
    *out = *nearest->visit;
    const bool latency = out->kind == SAMPLE_LATENCY, by_cycle = paced && out->per_cycle > 0;
    const double moved = nearest->merit > 0 ? reach->merit / nearest->merit : 1, factor = latency ? 1 / moved : moved;
    const double own_hz = out->clock_hz, hz = estimate_median_clock(group, members);
    out->per_cycle *= factor;
    out->value *= factor;
    if (by_cycle && own_hz > 0 && hz > 0) {
        out->value *= latency ? own_hz / hz : hz / own_hz;
        out->clock_hz = hz;
        for (size_t i = 0; i < members; i++) {
            out->clock_min_hz = fmin(out->clock_min_hz, group[i].visit->clock_min_hz);
            out->clock_max_hz = fmax(out->clock_max_hz, group[i].visit->clock_max_hz);
        }
    }
    const double down = fmin(reach->down, 1);
    out->low = latency ? out->value / (1 + reach->up) : out->value * (1 - down);
    out->high = latency ? out->value / (1 - fmin(down, 0.99)) : out->value * (1 + reach->up);
    out->doubts = estimate_doubts_of(group, members);
}

void estimate_combine(struct sample *out, const struct sample *visits, size_t count, bool paced,
                      struct estimate_habit habit) {
    assert(count > 0 && count <= ESTIMATE_MAX_VISITS);
    struct ranked_visit ranked[ESTIMATE_MAX_VISITS];
    const size_t kept = rank_all(visits, count, paced, ranked);
    if (kept == 0) {
        *out = visits[0];
        sample_blank(out);
        return;
    }
    const double agree = paced ? fmin(number_thresholds.paced_agree_most.value,
                                      fmax(number_thresholds.paced_agree.value, 2 * habit.deviation))
                               : number_thresholds.unpaced_agree.value;
    const double alone = habit.alone > 0 ? habit.alone
                         : paced         ? number_thresholds.paced_alone.value
                                         : number_thresholds.unpaced_alone.value;
    size_t first, members = estimate_find_group(ranked, kept, agree, &first);
    for (size_t i = 0; i < kept && !paced; i++) {
        ranked[i].down = hypotenuse(ranked[i].down, number_thresholds.unpaced_within.value);
        ranked[i].up = hypotenuse(ranked[i].up, number_thresholds.unpaced_within.value);
    }
    struct reach reach =
        members > 1 ? reach_of_group(ranked + first, members, habit.deviation) : reach_of_best(ranked, kept, alone);
    if (first > 0 && (!paced || (double)members < number_thresholds.refuted.value * (double)first))
        reach.up = fmax(reach.up, ranked[0].merit / reach.merit * (1 + alone / 2) - 1);
    const double hidden = paced ? hidden_by_sibling(ranked + first, members) : 0;
    reach.up = fmax(reach.up, hidden);
    estimate_describe(ranked + first, members, &reach, paced, out);
    if (paced && hidden < number_thresholds.paced_bound.value) /* at its documented limit a sibling took nothing */
        doubts_remove(&out->doubts, DOUBT_SIBLING_BUSY);
}

/* The grade of a result. */

/* Files store five digits: rounding must not change the grade. */
static const double ROUNDING = 1e-4;

static unsigned vector_bytes(const struct sample *sample) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(sample->kernel, "."), sample->kernel);
    const struct isa *isa = isa_find(name);
    return isa ? isa->vector_bytes : 0;
}

/* The vector length of the widest instruction set with a peak of its own; 0: none. */
static unsigned widest_peak(const struct sample *samples, size_t count, const struct sample *like) {
    unsigned widest = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned own = vector_bytes(&samples[i]);
        if (own > widest && arithmetic_is_peak(samples[i].kernel) &&
            kernel_type(samples[i].kernel) == kernel_type(like->kernel) && sample_same_place(&samples[i], like))
            widest = own;
    }
    return widest;
}

bool estimate_is_peak(const struct sample *samples, size_t count, size_t at) {
    const struct sample *own = &samples[at];
    if (!arithmetic_is_peak(own->kernel))
        return false;
    const unsigned widest = widest_peak(samples, count, own);
    for (size_t i = 0; i < count; i++)
        if (samples[i].kind == SAMPLE_COMPUTE && samples[i].value > own->value && vector_bytes(&samples[i]) > widest &&
            kernel_type(samples[i].kernel) == kernel_type(own->kernel) && sample_same_place(&samples[i], own))
            return false;
    return true;
}

/* The best sample so far of one type, level or latency at one place. */
struct headline {
    size_t best;
    enum element_type type; /* TYPE_NONE: not a ceiling */
    bool peak;              /* of operations that vendors call the peak */
};

static bool estimate_competes(const struct sample *sample, enum element_type type) {
    return !sample->small_pages && (sample->kind != SAMPLE_COMPUTE || type != TYPE_NONE);
}

static bool estimate_is_better(const struct sample *sample, const struct sample *than) {
    if (sample_is_blank(sample) || sample_is_blank(than))
        return sample_is_blank(than) ? !sample_is_blank(sample) && !estimate_may_exceed(than, sample)
                                     : estimate_may_exceed(sample, than);
    return sample->kind == SAMPLE_LATENCY ? sample->value < than->value : sample->value > than->value;
}

static bool estimate_same_contest(const struct headline *headline, const struct sample *best, const struct sample *own,
                                  enum element_type type) {
    return best->kind == own->kind && headline->type == type && strcmp(best->level, own->level) == 0 &&
           sample_same_place(best, own);
}

/* Beside a known peak another ceiling counts only if it is above it, as FMA + ADD is on some cores. */
static bool estimate_counts(const struct sample *samples, const struct headline *headlines, size_t count, size_t at) {
    const struct sample *own = &samples[headlines[at].best];
    for (size_t i = 0; i < count && !headlines[at].peak; i++) {
        const struct sample *peak = &samples[headlines[i].best];
        if (headlines[i].peak && estimate_same_contest(&headlines[i], peak, own, headlines[at].type))
            return !sample_is_blank(own) && own->value > peak->value * number_thresholds.same_height.value;
    }
    return true;
}

void trust_headline(const struct sample *samples, size_t count, bool *is_headline) {
    struct headline *headlines = need_calloc(count + 1, sizeof *headlines);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *own = &samples[i];
        const enum element_type type = own->kind == SAMPLE_COMPUTE ? kernel_type(own->kernel) : TYPE_NONE;
        const bool peak = estimate_is_peak(samples, count, i);
        is_headline[i] = false;
        if (!estimate_competes(own, type))
            continue;
        size_t at = 0;
        while (at < known && (headlines[at].peak != peak ||
                              !estimate_same_contest(&headlines[at], &samples[headlines[at].best], own, type)))
            at++;
        if (at == known)
            headlines[known++] = (struct headline){i, type, peak};
        else if (estimate_is_better(own, &samples[headlines[at].best]))
            headlines[at].best = i;
    }
    for (size_t at = 0; at < known; at++)
        is_headline[headlines[at].best] = estimate_counts(samples, headlines, known, at);
    free(headlines);
}

static bool estimate_is_beyond(const struct sample *sample, double bound) {
    return !(estimate_uncertainty(sample) <= bound + ROUNDING);
}

static char grade_of(const struct trust *trust) {
    if (trust->clock_uncertain || 2 * trust->beyond_5 > trust->headline)
        return 'D';
    return trust->beyond_5 ? 'C' : trust->beyond_1 ? 'B' : 'A';
}

/* "L3 latency ±85 %", "DRAM of 2 threads ±13 %", "f64 peak ±7 %" */
static void estimate_name_roof(const struct sample *sample, char *out, size_t size) {
    char threads[32] = "";
    const enum element_type type = sample->kind == SAMPLE_COMPUTE ? kernel_type(sample->kernel) : TYPE_NONE;
    const double uncertainty = estimate_uncertainty(sample);
    if (sample->threads > 1)
        snprintf(threads, sizeof threads, " of %u threads", sample->threads);
    text_append(out, size, "%s%s%s", type != TYPE_NONE ? element_table[type].name : sample->level,
                sample->kind == SAMPLE_COMPUTE   ? " peak"
                : sample->kind == SAMPLE_LATENCY ? " latency"
                                                 : "",
                threads);
    if (isfinite(uncertainty))
        text_append(out, size, " ±%.0f %%", 100 * uncertainty);
}

/* Names the most uncertain headline roofs, at most WORST. */
static void name_worst(struct trust *trust, const struct sample *samples, size_t count, bool *is_headline) {
    enum { WORST = 3 };
    for (unsigned named = 0; named < trust->beyond_5; named++) {
        size_t at = count;
        for (size_t i = 0; i < count; i++)
            if (is_headline[i] && estimate_is_beyond(&samples[i], number_thresholds.unpaced_bound.value) &&
                (at == count || !(estimate_uncertainty(&samples[i]) <= estimate_uncertainty(&samples[at]) + ROUNDING)))
                at = i;
        if (named == WORST) {
            text_append(trust->worst, sizeof trust->worst, ", …");
            return;
        }
        text_append(trust->worst, sizeof trust->worst, "%s", named ? ", " : "");
        estimate_name_roof(&samples[at], trust->worst, sizeof trust->worst);
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
        trust.beyond_1 += is_headline[i] && estimate_is_beyond(&samples[i], number_thresholds.paced_bound.value);
        trust.beyond_5 += is_headline[i] && estimate_is_beyond(&samples[i], number_thresholds.unpaced_bound.value);
    }
    if (known && trust.headline)
        trust.grade = grade_of(&trust);
    const double bound = trust.beyond_5 ? number_thresholds.unpaced_bound.value : number_thresholds.paced_bound.value;
    for (size_t i = 0; i < count; i++)
        if (is_headline[i] && estimate_is_beyond(&samples[i], bound))
            doubts_join(&trust.doubts, samples[i].doubts);
    if (known)
        name_worst(&trust, samples, count, is_headline);
    free(is_headline);
    return trust;
}

/* Causes of uncertainty; the first that the data show is reported. */
static const struct {
    enum doubt_id doubt;
    const char *text;
} REASONS[] = {
    {DOUBT_CORE_SHARED, "others use these cores; "},
    {DOUBT_SIBLING_BUSY, "others use the cores' second hardware threads; "},
    {DOUBT_CORES_APART, "the host moves these CPUs between caches; "},
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
static void estimate_write_all(unsigned count, char *out, size_t size) {
    if (count > 2)
        snprintf(out, size, "all %u headline roofs are", count);
    else
        snprintf(out, size, "%s", count == 2 ? "both headline roofs are" : "the only headline roof is");
}

static void write_known(const struct trust *trust, char *out, size_t size) {
    const unsigned count = trust->headline, beyond_1 = trust->beyond_1, beyond_5 = trust->beyond_5;
    char all[64];
    estimate_write_all(count, all, sizeof all);
    if (count == 0)
        snprintf(out, size, "nothing is measured yet");
    else if (trust->clock_uncertain)
        snprintf(out, size, "the core clock is uncertain, and so is each roof per cycle");
    else if (beyond_5)
        snprintf(out, size, "%s%u of %u headline roof%s %s uncertain by more than 5 %%: %s", reason_of(trust), beyond_5,
                 count, count == 1 ? "" : "s", beyond_5 == 1 ? "is" : "are", trust->worst);
    else if (beyond_1 && beyond_1 < count)
        snprintf(out, size, "%s known to 5 %%, %u of them to 1 %%", all, count - beyond_1);
    else
        snprintf(out, size, "%s known to %d %%", all, beyond_1 ? 5 : 1);
}

char *trust_text(const struct trust *trust, const char *resume, char *out, size_t size) {
    char known[160 + sizeof trust->worst];
    const bool again = trust->grade > 'B' && trust->headline, rest = trust->partial;
    if (size)
        out[0] = '\0';
    if (!trust->grade)
        return out;
    write_known(trust, known, sizeof known);
    snprintf(out, size, "%c%s: %s", trust->grade, rest ? " so far" : "", known);
    if (resume && (again || rest))
        text_append(out, size, ". `%s` measures %s%s%s", resume, again ? "those again" : "",
                    again && rest ? ", and " : "", rest ? "the rest" : "");
    return out;
}
