/* SPDX-License-Identifier: BSD-3-Clause
 * The line on a terminal (see progress_line.h). */
#include "progress_line.h"

#include <stdio.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/trust.h"
#include "carm/text/status_line.h"

static const double EVERY_S = 0.2;

static const char *const DOING[] = {
    [CAMPAIGN_FIRST] = "", [CAMPAIGN_SEARCH] = "searching code: ", [CAMPAIGN_AGAIN] = "again: "};

static void tell_doing(const struct result *result, const struct campaign *campaign, enum campaign_doing doing,
                       size_t step, char *out, size_t size) {
    if (doing == CAMPAIGN_WAIT) {
        struct doubts doubts = NO_DOUBTS;
        for (size_t i = 0; i < result->sample_count; i++)
            doubts_join(&doubts, result->samples[i].doubts);
        snprintf(out, size, "%s: measured again later",
                 doubts_any(doubts_common(doubts, DOUBTS(DOUBT_CORE_SHARED, DOUBT_OTHERS_ACTIVE)))
                     ? "others use these cores"
                     : "visits differ");
        return;
    }
    const struct plan_step *next = campaign->steps[step].plan;
    struct sample place = {0};
    plan_describe(next, &result->machine, result->levels, &place);
    snprintf(out, size, "%s%s%s%s, %u thread%s", DOING[doing], next->kernel, place.level[0] ? " in " : "", place.level,
             next->threads, next->threads > 1 ? "s" : "");
}

/* The grade, and apart, since a narrow terminal has no room for it, what it is of. */
struct grade_text {
    char grade[16], reason[64];
};

static struct grade_text tell_grade(const struct result *result) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, true);
    struct grade_text out = {"", ""};
    if (trust.grade) {
        snprintf(out.grade, sizeof out.grade, " · %c so far", trust.grade);
        snprintf(out.reason, sizeof out.reason, " · %u of %u headline roofs beyond 5 %%", trust.beyond_5,
                 trust.headline);
    }
    return out;
}

void progress_line_show(struct progress_line *line, const struct result *result, const struct campaign *campaign,
                        enum campaign_doing doing, size_t step, double elapsed_s) {
    if (doing == CAMPAIGN_DONE) {
        status_line_clear();
        return;
    }
    if (!status_line_is_seen() || elapsed_s < line->shown_s + EVERY_S)
        return;
    line->shown_s = elapsed_s;
    const struct campaign_state state = campaign_state(campaign);
    char what[160];
    const struct grade_text grade = line->graded ? tell_grade(result) : (struct grade_text){"", ""};
    tell_doing(result, campaign, doing, step, what, sizeof what);
    if (state.visited < state.wanted)
        status_line_show("%.0f s · first pass: %zu of %zu · %s", elapsed_s, state.visited, state.wanted, what);
    else
        status_line_show("%.0f of %.0f s · %zu of %zu settled%s · %s%s", elapsed_s, elapsed_s + state.left_s,
                         state.settled, state.wanted, grade.grade, what, grade.reason);
}
