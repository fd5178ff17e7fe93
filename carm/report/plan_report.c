/* SPDX-License-Identifier: BSD-3-Clause
 * A plan as a table (see plan_report.h). */
#include "plan_report.h"

#include <inttypes.h>

#include "carm/model/model.h"
#include "carm/text/table.h"
#include "render/page/units.h"

void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out) {
    struct table table = table_begin("rlllrlrr");
    const char *const names[] = {"threads", "", "kernel", "level", "working sets", "", "repetitions", "expected"};
    table_head(&table, names, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        struct sample place = {0};
        plan_describe(step, &result->machine, result->levels, &place);
        char text[3][32], where[128];
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%u", step->threads);
        table_set(row, 1, "%s", model_place_text(&place, where, sizeof where));
        table_set(row, 2, "%s%s", step->kernel, step->small_pages ? " (4 KiB pages)" : "");
        table_set(row, 3, "%s", place.level);
        if (step->size_count)
            table_set(row, 4, "%s%s%s", units_binary(text[0], 32, (double)step->size_bytes[0]),
                      step->size_count > 1 ? " … " : "",
                      step->size_count > 1 ? units_binary(text[1], 32, (double)step->size_bytes[step->size_count - 1])
                                           : "");
        table_set(row, 6, "%u", step->repetitions);
        table_set(row, 7, "%s", units_seconds(text[2], 32, step->expected_s));
    }
    table_print(&table, out);
    fprintf(out,
            "\n%zu roofs, each visited until it is settled (at most %.0f s in all), after a sweep that finds the "
            "levels; %" PRIu64 " MiB of buffers per memory node\n",
            plan->count, budget_s, plan_node_bytes(plan, &result->machine) >> 20);
    if (plan->note[0])
        fprintf(out, "%s\n", plan->note);
}
