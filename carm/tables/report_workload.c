/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of workloads (see report_workload.h). */
#include "report_workload.h"

#include <math.h>
#include <string.h>

#include "render/page/units.h"
#include "report_app.h"
#include "report_doubts.h"

double report_workload_flop_ratio(const struct app_point *point) {
    if (point->flop_source == SOURCE_UNKNOWN || (point->analytic_flop == 0 && point->flop.median > 0))
        return NAN;
    return point->analytic_flop > 0 ? point->flop.median / point->analytic_flop : 1;
}

double report_workload_bytes_ratio(const struct app_point *point) {
    double analytic_bytes = point->analytic_load_bytes + point->analytic_store_bytes;
    return point->bytes_source == SOURCE_UNKNOWN || !(analytic_bytes > 0) ? (double)NAN
                                                                          : app_core_bytes(point) / analytic_bytes;
}

/* Nothing is compulsory of data that may be in the caches already. */
static double dram_ratio(const struct app_point *point, double measured, double compulsory) {
    bool known = point->dram_source != SOURCE_UNKNOWN && point->data == STATE_COLD && compulsory > 0;
    return known ? measured / compulsory : (double)NAN;
}

double report_workload_read_ratio(const struct app_point *point) {
    return dram_ratio(point, point->dram_read_bytes.median, point->compulsory_read_bytes);
}

double report_workload_write_ratio(const struct app_point *point) {
    return dram_ratio(point, point->dram_write_bytes.median, point->compulsory_write_bytes);
}

double report_workload_dram_ratio(const struct app_point *point) {
    return dram_ratio(point, app_dram_bytes(point), point->compulsory_read_bytes + point->compulsory_write_bytes);
}

void report_workload_print(const struct model *model, const struct app_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_table(WORKLOAD);
    to.table.brief = true;
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++) {
        report_points_row(&to, model, &points[i]);
        doubts_join(&doubts, verdict_find(model, &points[i]).doubts);
    }
    columns_print(&to, out);
    report_doubts_print(doubts, out);
}

void report_workload_notes_print(const struct workload_request *request, const struct workload_outcome *outcomes,
                                 size_t count, FILE *out) {
    const struct workload_outcome *first = &outcomes[0];
    unsigned fewest_runs = first->runs, most_runs = first->runs, fewest = first->repeat;
    for (size_t i = 1; i < count; i++) {
        fewest_runs = outcomes[i].runs < fewest_runs ? outcomes[i].runs : fewest_runs;
        most_runs = outcomes[i].runs > most_runs ? outcomes[i].runs : most_runs;
        fewest = outcomes[i].repeat < fewest ? outcomes[i].repeat : fewest;
    }
    char least[40] = "";
    if (request->least_of > 1)
        snprintf(least, sizeof least, ", each the fastest of %u", request->least_of);
    if (request->own)
        fprintf(out, "\n%s by %s", request->own->file, request->own->compiler);
    else
        fprintf(out, "\n%s code%s%s", first->isa, *first->library ? ", " : "", first->library);
    fprintf(out, "; %u repetition%s%s, each of %u", first->wanted, first->wanted == 1 ? "" : "s", least, fewest_runs);
    fprintf(out, most_runs > fewest_runs ? " to %u runs\n" : most_runs > 1 ? " runs\n" : " run\n", most_runs);
    if (fewest < first->wanted)
        fprintf(out, "▲ down to %u repetition%s, since %u would take longer than %.0f s; --repeat %u does them\n",
                fewest, fewest == 1 ? "" : "s", first->wanted, request->budget_s, first->wanted);
    if (first->levels.hierarchy.level_count > 0)
        fprintf(out, "▲ simulated: %s%s%s\n", first->point.levels.caches, first->levels.note[0] ? "; " : "",
                first->levels.note);
}
