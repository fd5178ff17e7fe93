/* SPDX-License-Identifier: BSD-3-Clause
 * A result as JSON (see main.c). */
#include "report.h"
#include "report_app.h"
#include "report_doubts.h"
#include "validate_report.h"

#include "bench/kernels/estimate.h"
#include "carm/text/or_null.h"

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
                     doubts_json(trust.doubts), "text", report_trust_text(result, text, sizeof text));
}

json_t *report_json(const struct model *model) {
    const struct result *result = model->result;
    json_t *machine =
        json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:s}", "host", result->machine.host, "cpu", result->machine.cpu.brand,
                  "vendor", result->machine.cpu.vendor, "uarch", result->uarch, "packages",
                  (int)result->machine.package_count, "cores", (int)result->machine.machine_core_count, "usable_cores",
                  (int)result->machine.core_count, "hypervisor", result->machine.cpu.hypervisor);
    json_object_set_new(machine, "documented_sources", json_string(result->documented_sources));
    json_object_set_new(machine, "started_utc", json_string(result->environment.started_utc));
    json_t *all = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.roofs/1", "machine", machine, "trust",
                            trust_json(result), "roofs", report_roofs_json(model), "points",
                            report_points_json(model, result->points, result->point_count), "validation",
                            validation_points_json(result->validation, result->validation_count));
    if (result->annotation_count > 0)
        json_object_set_new(all, "annotations", annotations_json(result->annotations, result->annotation_count));
    return all;
}
