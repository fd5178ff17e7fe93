/* SPDX-License-Identifier: BSD-3-Clause
 * Steps after answers (see next_answers.h). */
#include "next_answers.h"
#include "check_report.h"
#include "report_app.h"
#include "shortfall_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/compare/check.h"
#include "carm/compare/compare.h"
#include "carm/fleet/fleet.h"
#include "carm/model/advice.h"
#include "carm/model/verdict_words.h"
#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/text/or_null.h"
#include "carm/text/shell_word.h"
#include "probe/text.h"

enum { REST_BYTES = 8192 };

json_t *next_step_json(enum next_id id, const char *rest, const char *reason) {
    const struct next_step *step = &next_steps[id];
    char line[REST_BYTES] = "";
    if (step->command)
        text_append(line, sizeof line, "%s%s%s", step->command, *rest ? " " : "", rest);
    return json_pack("{s:o,s:o}", "command", text_or_null(line), "reason", fields_text(reason ? reason : step->reason));
}

json_t *next_add(json_t *answer, json_t *next) {
    json_object_set_new(answer, "next", next);
    return answer;
}

static json_t *of_file(enum next_id id, const char *path, const char *reason) {
    char *word = shell_word(path ? path : "FILE");
    json_t *next = next_step_json(id, word, reason);
    free(word);
    return next;
}

/* Whether one of the points is a loop. */
static bool has_loops(const struct next_program *p) {
    for (size_t i = 0; i < p->count; i++)
        if (p->points[i].part == APP_LOOP)
            return true;
    return false;
}

/* The same command again, with one option more. */
static json_t *again(const struct next_program *p, enum next_id id) {
    char rest[REST_BYTES] = "", *word = shell_word(p->path ? p->path : "");
    if (id != NEXT_LOOPS && has_loops(p))
        text_append(rest, sizeof rest, "--by loop ");
    if (id != NEXT_LEVELS && p->points[0].levels.links > 0)
        text_append(rest, sizeof rest, "--levels ");
    if (p->path)
        text_append(rest, sizeof rest, "-o %s ", word);
    text_append(rest, sizeof rest, "-- %s", p->program);
    free(word);
    return next_step_json(id, rest, NULL);
}

/* A warning that makes its numbers no answer; DOUBT_COUNT: none. */
static enum doubt_id spoiling_doubt(struct doubts doubts) {
    static const enum doubt_id SPOIL[] = {DOUBT_RUNS_DIFFER, DOUBT_KILLED, DOUBT_OTHER_OUTPUT, DOUBT_OPEN_REGION};
    for (size_t i = 0; i < sizeof SPOIL / sizeof *SPOIL; i++)
        if (doubts_has(doubts, SPOIL[i]))
            return SPOIL[i];
    return DOUBT_COUNT;
}

/* No command helps: a remedy in the program itself, else the verdict. */
static json_t *of_words(const struct next_program *p, const struct app_point *subject, const struct verdict *verdict) {
    struct advice advice[ADVICE_MAX];
    char words[VERDICT_WORDS_BYTES];
    const size_t count = advice_find(p->model, subject, verdict, advice);
    return next_step_json(NEXT_NOTHING, "", count > 0 ? advice[0].text : verdict_words(verdict, subject, words));
}

/* As on the screen; but where other programs had the CPU, the loop with most of the time: a loop is timed without that.
 */
static const struct app_point *subject_of(const struct next_program *p) {
    const struct app_point *subject = report_app_subject_of(p->model, p->points, p->count), *loop = NULL;
    const struct verdict verdict = verdict_find(p->model, subject);
    if (!verdict_is_delayed(&verdict))
        return subject;
    for (size_t i = 0; i < p->count; i++)
        if (p->points[i].part == APP_LOOP && (!loop || p->points[i].time_share > loop->time_share))
            loop = &p->points[i];
    return loop ? loop : subject;
}

json_t *next_of_program(const struct next_program *p) {
    if (p->exit_status != 0)
        return next_step_json(NEXT_NOTHING, "", "the program failed: its exit status is not 0");
    const struct app_point *subject = subject_of(p);
    const struct verdict verdict = verdict_find(p->model, subject);
    struct doubts doubts = verdict.doubts;
    for (size_t i = 0; i < p->count; i++)
        doubts_join(&doubts, p->points[i].doubts);
    const enum doubt_id spoiling = spoiling_doubt(doubts);
    if (spoiling < DOUBT_COUNT)
        return next_step_json(NEXT_NOTHING, "", doubt_table[spoiling].remedy);
    if (p->model->count == 0)
        return p->path ? of_file(NEXT_RESUME, p->path, next_steps[NEXT_RUN].reason)
                       : next_step_json(NEXT_RUN, "", NULL);
    const enum next_id id = verdict_next(&verdict, subject, has_loops(p));
    switch (id) {
    case NEXT_NOTHING:
        return of_words(p, subject, &verdict);
    case NEXT_LEVELS:
    case NEXT_LOOPS:
        return again(p, id);
    default:
        return of_file(id, p->path, NULL);
    }
}

/* Of the last program in the file: its point, and those of its parts behind it. */
static json_t *of_last_program(const struct model *model, const char *path) {
    const struct result *result = model->result;
    size_t first = result->point_count - 1;
    while (first > 0 && strcmp(result->points[first - 1].program, result->points[first].program) == 0)
        first--;
    const struct app_point *point = &result->points[first];
    const bool whole = *point->command && strlen(point->command) < sizeof point->command - 1;
    return next_of_program(
        &(struct next_program){model, point, result->point_count - first, path, whole ? point->command : "PROGRAM", 0});
}

json_t *next_of_result(const struct model *model, const char *path) {
    const struct result *result = model->result;
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    char text[512];
    if (trust.partial || trust.grade > 'B')
        return of_file(NEXT_RESUME, path, trust_text(&trust, NULL, text, sizeof text));
    if (result->point_count > 0)
        return of_last_program(model, path);
    return next_step_json(NEXT_APP, "-o FILE -- PROGRAM", NULL);
}

json_t *next_of_comparison(const struct comparison *c) {
    for (size_t side = 0; side < c->side_count; side++)
        for (size_t i = 0; i < c->headline_count; i++)
            if (c->headlines[i].blanks[side])
                return of_file(NEXT_RESUME, c->sides[side].path, NULL);
    if (c->side_count != 2)
        return next_step_json(NEXT_NOTHING, "", NULL);
    char rest[REST_BYTES], *a = shell_word(c->sides[0].path), *b = shell_word(c->sides[1].path);
    snprintf(rest, sizeof rest, "%s %s", a, b);
    free(a);
    free(b);
    return next_step_json(NEXT_WHY, rest, NULL);
}

json_t *next_of_check(const struct check *check, const struct check_setting *setting) {
    char rest[REST_BYTES], *file = shell_word(setting->path), *baseline = shell_word(setting->baseline_path);
    snprintf(rest, sizeof rest, "%s %s", baseline, file);
    const enum check_outcome outcome = check_outcome(check, setting);
    json_t *next = outcome == CHECK_UNKNOWN ? next_step_json(NEXT_RESUME, file, NULL)
                   : outcome == CHECK_FAILED && setting->baseline->result_count == 1
                       ? next_step_json(NEXT_WHY, rest, NULL)
                       : next_step_json(NEXT_NOTHING, "", NULL);
    free(file);
    free(baseline);
    return next;
}

json_t *next_of_fleet(const struct fleet_report *report) {
    return next_step_json(NEXT_NOTHING, "", report->count > 0 ? report->outliers[0].text : NULL);
}

json_t *next_of_specification(const struct spec_answer *answer, const char *path) {
    const struct specification *specification = answer->specification;
    const enum spec_verdict verdict = specification ? specification_verdict(specification) : SPEC_REACHED;
    for (size_t i = 0; specification && i < specification->count; i++)
        if (specification->figures[i].verdict == verdict && verdict != SPEC_REACHED)
            return verdict == SPEC_BELOW ? next_step_json(NEXT_DOCTOR, "", specification->figures[i].why)
                                         : of_file(NEXT_RESUME, path, specification->figures[i].why);
    return next_step_json(NEXT_NOTHING, "", NULL);
}
