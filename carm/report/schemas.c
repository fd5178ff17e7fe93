/* SPDX-License-Identifier: BSD-3-Clause
 * The table of schemas (see schemas.h). */
#include "schemas.h"
#include "check_formats.h"
#include "compare_report.h"
#include "core_report.h"
#include "fleet_report.h"
#include "memory_report.h"
#include "report.h"
#include "report_app.h"

#include <string.h>

#include "bench/programs/app_points.h"
#include "carm/compare/check.h"
#include "carm/compare/compare.h"
#include "carm/fleet/fleet.h"
#include "carm/store/result_fields.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "probe/error.h"
#include "probe/need.h"

/* The path begins at the repository's root, where make runs. */
__asm__(".pushsection .rodata\none_of_each:\n.incbin \"carm/report/one_of_each.json\"\n.byte 0\n.popsection\n");
extern const char one_of_each[] __attribute__((visibility("hidden")));

static json_t *result_answer(const struct model *model) {
    return fields_write(result_fields, model->result);
}

static json_t *core_answer(const struct model *model) {
    return core_json(model->result);
}

static json_t *memory_answer(const struct model *model) {
    return memory_json(model->result, MEMORY_ALL_PARTS);
}

static json_t *compare_answer(const struct model *model) {
    const struct compare_side sides[] = {{.model = model, .path = ""}, {.model = model, .path = ""}};
    struct comparison comparison = compare_make(sides, 2, 0);
    json_t *answer = compare_json(&comparison);
    compare_free(&comparison);
    return answer;
}

/* Of the result against itself. */
static json_t *check_answer(const struct model *model) {
    const struct check_limits limits = {0};
    struct baseline baseline = {0};
    baseline_add(&baseline, model);
    baseline_finish(&baseline);
    struct check check = check_make(model, &baseline, &limits);
    json_t *answer = check_json(
        &check,
        &(struct check_setting){.path = "", .baseline_path = "", .result = model->result, .baseline = &baseline});
    check_free(&check);
    baseline_free(&baseline);
    return answer;
}

/* A node that stands out, one without a roof to show, a refused file, and an older one. */
static json_t *fleet_answer(const struct model *model) {
    struct fleet_value value = {.value = 1};
    struct fleet_node nodes[] = {{.path = "", .machine = fleet_machine_of(model->result), .count = 1, .values = &value},
                                 {.path = "", .older = true}};
    struct fleet_refusal refusal = {.path = ""};
    struct fleet fleet = {.count = 2, .nodes = nodes, .refusal_count = 1, .refusals = &refusal};
    const struct roof_key key = roof_key_make(model, &model->roofs[0]);
    roof_keys_put(&fleet.keys, &key);
    struct fleet_groups groups = fleet_group(&fleet);
    struct fleet_outlier outliers[] = {{.diagnosis = "slow"}, {.diagnosis = "slow", .key = FLEET_NONE}};
    json_t *answer = fleet_json(&fleet, &groups, &(struct fleet_report){.count = 2, .outliers = outliers});
    fleet_groups_free(&groups);
    roof_keys_free(&fleet.keys);
    return answer;
}

static json_t *app_answer(const struct model *model) {
    const struct result *result = model->result;
    const struct app_points points = {
        .program = result->points[0], .count = 1, .points = result->points, .course = result->courses};
    return report_app_json(&(struct report_app){.model = model,
                                                .points = &points,
                                                .notes = json_pack("[s]", ""),
                                                .mix = true,
                                                .annotations = result->annotations,
                                                .annotation_count = result->annotation_count});
}

static const struct {
    const char *name;
    json_t *(*answer)(const struct model *model);
} SCHEMAS[] = {
    {"carmine.result/1", result_answer},   {"carmine.roofs/1", report_json},  {"carmine.flat/1", flat_json},
    {"carmine.compare/1", compare_answer}, {"carmine.check/2", check_answer}, {"carmine.fleet/1", fleet_answer},
    {"carmine.memory/1", memory_answer},   {"carmine.core/1", core_answer},   {"carmine.app/1", app_answer}};
enum { SCHEMA_COUNT = sizeof SCHEMAS / sizeof SCHEMAS[0] };

const char *schema_name(size_t index) {
    return index < SCHEMA_COUNT ? SCHEMAS[index].name : NULL;
}

json_t *schema_make(const char *name) {
    size_t i = 0;
    while (i < SCHEMA_COUNT && strcmp(SCHEMAS[i].name, name) != 0)
        i++;
    if (i == SCHEMA_COUNT)
        return NULL;
    struct result result = {0};
    struct error err;
    json_t *root = need_made(json_loads(one_of_each, 0, NULL));
    if (!fields_read(result_fields, root, &result, "", &err))
        return NULL;
    struct model model = model_build(&result);
    shape_want(true);
    json_t *schema = shape_schema(name, SCHEMAS[i].answer(&model));
    shape_want(false);
    model_free(&model);
    results_free(&result);
    json_decref(root);
    return schema;
}
