/* SPDX-License-Identifier: BSD-3-Clause
 * A result as JSON and CSV (see report.h). */
#include <math.h>

#include "bench/sample/doubt.h"
#include "bench/measure/trust.h"
#include "carm/text/or_null.h"
#include "report.h"
#include "report_app.h"
#include "report_doubts.h"
#include "validate_report.h"
#include "carm/text/csv.h"

static json_t *roof_json(const struct roof *roof) {
    static const char *const KINDS[] = {"compute", "bandwidth", "latency"};
    const struct sample *sample = roof->sample;
    json_t *object = json_pack("{s:s,s:s,s:o,s:i,s:s,s:f,s:s,s:o,s:f,s:o,s:o,s:f,s:o}", "name", sample->kernel, "kind",
                               KINDS[sample->kind], "level", text_or_null(sample->level), "threads",
                               (int)sample->threads, "cpus", sample->cpus, "value", sample->value, "unit",
                               model_roof_unit_name(roof), "per_cycle", positive_or_null(sample->per_cycle), "clock_hz",
                               sample->clock_hz, "documented_per_cycle", positive_or_null(sample->documented_per_cycle),
                               "documented_ratio", positive_or_null(roof->documented_ratio), "spread", sample->spread,
                               "doubts", report_doubts_json(sample->doubts));
    json_object_set_new(object, "low", sample->high > 0 ? json_real(sample->low) : json_null());
    json_object_set_new(object, "high", positive_or_null(sample->high));
    json_object_set_new(object, "variant", json_string(sample->variant));
    if (sample->working_set_bytes) {
        json_object_set_new(object, "working_set_bytes", json_integer((json_int_t)sample->working_set_bytes));
        json_object_set_new(object, "page_bytes", json_integer((json_int_t)sample->page_bytes));
    }
    if (sample->core_kind[0])
        json_object_set_new(object, "core_kind", json_string(sample->core_kind));
    if (sample->cores)
        json_object_set_new(object, "cores", json_integer(sample->cores));
    const struct {
        const char *key;
        unsigned place; /* 1 + number */
    } places[] = {{"package", sample->package}, {"node", sample->node}, {"memory_node", sample->memory_node}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (places[i].place)
            json_object_set_new(object, places[i].key, json_integer((json_int_t)places[i].place - 1));
    return object;
}

/* null where there is no grade. */
static json_t *trust_json(const struct result *result) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, result->environment.interrupted);
    const char grade[2] = {trust.grade};
    char text[400];
    if (!trust.grade)
        return json_null();
    return json_pack("{s:s,s:i,s:i,s:i,s:b,s:b,s:o,s:s}", "grade", grade, "headline_roofs", (int)trust.headline,
                     "beyond_1_percent", (int)trust.beyond_1, "beyond_5_percent", (int)trust.beyond_5, "partial",
                     (int)trust.partial, "clock_uncertain", (int)trust.clock_uncertain, "doubts",
                     report_doubts_json(trust.doubts), "text", report_trust_text(result, text, sizeof text));
}

json_t *report_json(const struct model *model) {
    const struct result *result = model->result;
    json_t *roofs = json_array();
    for (size_t i = 0; i < model->count; i++)
        json_array_append_new(roofs, roof_json(&model->roofs[i]));
    json_t *machine =
        json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:s}", "host", result->machine.host, "cpu", result->machine.cpu.brand,
                  "vendor", result->machine.cpu.vendor, "uarch", result->uarch, "packages",
                  (int)result->machine.package_count, "cores", (int)result->machine.machine_core_count, "usable_cores",
                  (int)result->machine.core_count, "hypervisor", result->machine.cpu.hypervisor);
    json_object_set_new(machine, "documented_sources", json_string(result->documented_sources));
    json_object_set_new(machine, "started_utc", json_string(result->environment.started_utc));
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.roofs/1", "machine", machine, "trust",
                            trust_json(result), "roofs", roofs, "points",
                            report_points_json(model, result->points, result->point_count), "validation",
                            validation_points_json(result->validation, result->validation_count));
    if (result->annotation_count > 0)
        json_object_set_new(all, "annotations", annotations_json(result->annotations, result->annotation_count));
    return all;
}

/* "" where nothing is said. */
static const char *count_text(unsigned count, char out[16]) {
    snprintf(out, 16, "%u", count);
    return count ? out : "";
}

static const char *end_text(const struct sample *sample, double end, char out[16]) {
    snprintf(out, 16, "%.7g", end);
    return sample->high > 0 ? out : "";
}

static const char *place_text(unsigned place, char out[16]) {
    snprintf(out, 16, "%u", place - 1);
    return place ? out : "";
}

void report_csv(const struct model *model, FILE *out) {
    char doubts[512], texts[6][16];
    fprintf(
        out,
        "name,kind,level,threads,core_kind,value,unit,per_cycle,clock_hz,documented_per_cycle,spread,working_set_bytes,"
        "page_bytes,variant,doubts,cores,package,node,memory_node,low,high\n");
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *s = model->roofs[i].sample;
        csv_put_text(s->kernel, out);
        csv_put_next(results_kind_names[s->kind], out);
        csv_put_next(s->level, out);
        fprintf(out, ",%u", s->threads);
        csv_put_next(s->core_kind, out);
        fprintf(out, ",%.7g", s->value);
        csv_put_next(model_roof_unit_name(&model->roofs[i]), out);
        fprintf(out, ",%.7g,%.7g,%.7g,%.5g,%llu,%llu", s->per_cycle, s->clock_hz, s->documented_per_cycle, s->spread,
                (unsigned long long)s->working_set_bytes, (unsigned long long)s->page_bytes);
        csv_put_next(s->variant, out);
        csv_put_next(doubt_names(s->doubts, doubts, sizeof doubts), out);
        fprintf(out, ",%s,%s,%s,%s,%s,%s\n", count_text(s->cores, texts[0]), place_text(s->package, texts[1]),
                place_text(s->node, texts[2]), place_text(s->memory_node, texts[3]), end_text(s, s->low, texts[4]),
                end_text(s, s->high, texts[5]));
    }
}
