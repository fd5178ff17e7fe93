/* SPDX-License-Identifier: BSD-3-Clause
 * The step after each answer that judges something ("next" in JSON, rows of carm/text/next_step.h). The caller releases
 * it. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "carm/text/next_step.h"

struct app_point;
struct check;
struct check_setting;
struct comparison;
struct fleet_report;
struct model;
struct spec_answer;

/* {"command": the row's with `rest`, words ready for a shell, behind it, or null, "reason"}. `reason` NULL: the row's.
 */
json_t *next_step_json(enum next_id id, const char *rest, const char *reason);

/* The answer with its next step, which it owns from now on. */
json_t *next_add(json_t *answer, json_t *next);

/* After a program, whose point is the first; the others are its parts. `path`: the result that has or will have them;
 * NULL: none. `program`: its command line, ready for a shell. */
struct next_program {
    const struct model *model;
    const struct app_point *points;
    size_t count;
    const char *path, *program;
    int exit_status;
};
json_t *next_of_program(const struct next_program *program);

/* After a result: its roofs, then its programs. */
json_t *next_of_result(const struct model *model, const char *path);

json_t *next_of_comparison(const struct comparison *comparison);
json_t *next_of_check(const struct check *check, const struct check_setting *setting);
json_t *next_of_fleet(const struct fleet_report *report);
json_t *next_of_specification(const struct spec_answer *answer, const char *path);
