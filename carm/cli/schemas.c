/* SPDX-License-Identifier: BSD-3-Clause
 * The table of schemas (see commands.h). */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_points.h"
#include "carm/compare/check.h"
#include "carm/compare/compare.h"
#include "carm/compare/why.h"
#include "carm/fleet/fleet.h"
#include "carm/report/check_report.h"
#include "carm/report/compare_report.h"
#include "carm/report/fleet_report.h"
#include "carm/report/machine_report.h"
#include "carm/report/memory_report.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/shortfall_report.h"
#include "carm/report/validate_report.h"
#include "carm/report/why_report.h"
#include "carm/search/search.h"
#include "carm/session/counters.h"
#include "carm/soak/soak.h"
#include "carm/soak/soak_views.h"
#include "carm/store/result_fields.h"
#include "carm/store/results.h"
#include "carm/store/shape.h"
#include "carm/store/spec.h"
#include "probe/error.h"
#include "probe/need.h"

/* The path begins at the repository's root, where make runs. */
__asm__(".pushsection .rodata\none_of_each:\n.incbin \"carm/cli/one_of_each.json\"\n.byte 0\n.popsection\n");
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

/* The result against itself. */
static json_t *why_answer(const struct model *model) {
    const struct compare_side sides[] = {{.model = model, .path = ""}, {.model = model, .path = ""}};
    struct comparison comparison = compare_make(sides, 2, 0);
    struct why_list list = why_headlines(&comparison, 1, "f64");
    json_t *answer = why_json(&comparison, &list);
    free(list.list);
    compare_free(&comparison);
    return answer;
}

/* Likewise, written by a form of `check`. */
static json_t *checked(const struct model *model,
                       json_t *(*write)(const struct check *check, const struct check_setting *setting)) {
    const struct check_limits limits = {0};
    struct baseline baseline = {0};
    baseline_add(&baseline, model);
    baseline_finish(&baseline);
    struct check check = check_make(model, &baseline, &limits);
    json_t *answer =
        write(&check,
              &(struct check_setting){.path = "", .baseline_path = "", .result = model->result, .baseline = &baseline});
    check_free(&check);
    baseline_free(&baseline);
    return answer;
}

static json_t *check_answer(const struct model *model) {
    return checked(model, check_json);
}

static json_t *reframe_answer(const struct model *model) {
    return checked(model, reframe_json);
}

static json_t *gaps_answer(const struct model *model) {
    struct spec spec = {.name = "", .cores = 1, .base_clock_hz = 1};
    struct shortfall gap = {.roof = &model->roofs[0], .machine = &model->result->machine};
    struct shortfalls gaps = {1, &gap};
    struct specification specification = {.count = 1, .figures = {{.unit = ""}}};
    return shortfall_report_json(&(struct spec_answer){model, &gaps, &specification, &spec});
}

static json_t *curves_answer(const struct model *model) {
    return curves_json(model->result);
}

static json_t *validation_answer(const struct model *model) {
    return validation_json(model->result->validation, model->result->validation_count);
}

static json_t *workload_validation_answer(const struct model *model) {
    (void)model;
    return workload_validation_json(&(struct workload_validation){.name = ""}, 1);
}

static json_t *counters_answer(const struct model *model) {
    (void)model;
    struct counters *counters = need_calloc(1, sizeof *counters);
    counters->core_count = 1;
    counters->cores[0].calibration_count = 1;
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        counters->cores[0].set.metrics[m].term_count = 1;
    json_t *answer = counters_json(counters);
    free(counters);
    return answer;
}

/* Of one cell, with all that a map may have. */
static json_t *surface_answer(const struct model *model) {
    struct unroll_map *map = need_calloc(1, sizeof *map);
    map->search.rows = map->search.columns = 1;
    map->reference.per_cycle = map->winner.per_cycle = 1;
    json_t *answer = unroll_map_json(&(struct unroll_map_view){
        .result = model->result, .map = map, .name = "", .level = "L1", .documented_per_cycle = 1});
    free(map);
    return answer;
}

static json_t *surfaces_answer(const struct model *model) {
    json_t *surface = surface_answer(model);
    return json_pack("{s:s,s:[o]}", "schema", "carmine.surfaces/1", "surfaces", surface);
}

static json_t *prefetch_answer(const struct model *model) {
    struct distances *distances = need_calloc(1, sizeof *distances);
    json_t *answer = distances_json(
        &(struct distances_view){.result = model->result, .distances = distances, .name = "", .level = ""});
    free(distances);
    return answer;
}

static json_t *soak_answer(const struct model *model) {
    const struct soak soak = {.result = *model->result};
    struct quantity quantity = {.unit = "", .changes = {.step_count = 1}};
    return soak_answer_json(&(struct findings){.soak = &soak, .count = 1, .quantities = &quantity});
}

static json_t *soak_file(const struct model *model) {
    (void)model;
    return soak_shape();
}

static json_t *spec_file(const struct model *model) {
    (void)model;
    return spec_shape();
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

/* Three files, then the answers, which have a next step. */
static const struct {
    const char *name;
    json_t *(*answer)(const struct model *model);
} SCHEMAS[] = {
    {"carmine.result/1", result_answer},
    {"carmine.spec/1", spec_file},
    {"carmine.soak/1", soak_file},
    {"carmine.roofs/1", report_json},
    {"carmine.flat/1", flat_json},
    {"carmine.compare/1", compare_answer},
    {"carmine.why/1", why_answer},
    {"carmine.check/2", check_answer},
    {"carmine.check.reframe/1", reframe_answer},
    {"carmine.fleet/1", fleet_answer},
    {"carmine.gaps/1", gaps_answer},
    {"carmine.memory/1", memory_answer},
    {"carmine.core/1", core_answer},
    {"carmine.curves/1", curves_answer},
    {"carmine.surface/1", surface_answer},
    {"carmine.surfaces/1", surfaces_answer},
    {"carmine.prefetch/1", prefetch_answer},
    {"carmine.validation/2", validation_answer},
    {"carmine.soak-findings/1", soak_answer},
    {"carmine.app/1", app_answer},
    {"carmine.workload/1", workload_described},
    {"carmine.workloads/1", workloads_described},
    {"carmine.workload-validation/1", workload_validation_answer},
    {"carmine.import/1", import_described},
    {"carmine.machine/1", machine_described},
    {"carmine.clock/1", clock_described},
    {"carmine.counters/1", counters_answer},
    {"carmine.doctor/1", doctor_described},
    {"carmine.kernels/1", kernels_described},
};
enum { FILES = 3, SCHEMA_COUNT = sizeof SCHEMAS / sizeof SCHEMAS[0] };

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
    json_t *answer = SCHEMAS[i].answer(&model);
    if (i >= FILES)
        next_add(answer, next_step_json(NEXT_NOTHING, "", NULL));
    json_t *schema = shape_schema(name, answer);
    shape_want(false);
    model_free(&model);
    results_free(&result);
    json_decref(root);
    return schema;
}
