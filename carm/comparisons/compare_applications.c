/* SPDX-License-Identifier: BSD-3-Clause
 * Applications that several sides measured, as text (see compare_report.h). */
#include "compare_report.h"

#include <math.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "carm/text/table.h"
#include "carm/model/verdict_words.h"

static void add_application(struct table *table, const struct comparison *c, const struct compare_application *row,
                            size_t side, bool first) {
    const struct app_point *point = row->points[side], *base = row->points[row->first];
    char(*cells)[TABLE_CELL_BYTES] = table_row(table), text[TABLE_CELL_BYTES];
    const struct verdict verdict = verdict_find(c->sides[side].model, point);
    const struct {
        double value, base;
    } quantities[] = {{point->seconds.median, base->seconds.median},
                      {app_flop_per_s(point), app_flop_per_s(base)},
                      {app_flop_per_byte(point), app_flop_per_byte(base)}};
    table_set(cells, 0, "%s", first ? row->name : "");
    table_set(cells, 1, "%s", c->side_count <= COMPARE_COLUMNS ? compare_letter(side, text) : c->sides[side].label);
    table_set(cells, 2, "%u", point->threads);
    for (size_t q = 0; q < 3; q++) {
        const double value = quantities[q].value, other = quantities[q].base;
        if (!(value > 0))
            continue;
        table_set(cells, 3 + 2 * q, "%s",
                  q == 0   ? units_seconds(text, sizeof text, value)
                  : q == 1 ? units_si(text, sizeof text, value, "flop/s")
                           : units_number(text, sizeof text, value));
        if (side != row->first && other > 0 && fabs(value / other - 1) < COMPARE_SAME)
            table_set(cells, 4 + 2 * q, "same");
        else if (side != row->first && other > 0)
            table_set(cells, 4 + 2 * q, "%+.1f %%", 100 * (value / other - 1));
    }
    if (verdict.known) {
        table_set(cells, 9, "%s", verdict_bound_cell(&verdict));
        table_set(cells, 10, "%s", verdict_reached_cell(&verdict, text, sizeof text));
        table_set(cells, 11, "%s", verdict_gain_cell(&verdict, point, text, sizeof text));
    }
    doubt_names(verdict.doubts, cells[12], TABLE_CELL_BYTES);
}

void compare_print_applications(const struct comparison *c, FILE *out) {
    const char *const names[] = {"",       "", "threads",  "time",  "",          "flop/s", "",
                                 "flop/B", "", "bound by", "ratio", "next roof", "doubts"};
    if (c->application_count) {
        fprintf(out, "\n── applications ──\n\n");
        struct table table = table_begin("llrrrrrrrlrll");
        table.order = "0062005401378";
        table_head(&table, names, sizeof names / sizeof names[0]);
        for (size_t i = 0; i < c->application_count; i++) {
            bool first = true;
            for (size_t turn = 0; turn < c->side_count; turn++) {
                const size_t side = compare_turn(c, turn);
                if (!c->applications[i].points[side])
                    continue;
                add_application(&table, c, &c->applications[i], side, first);
                first = false;
            }
        }
        table_print(&table, out);
    }
    if (c->lone_points)
        fprintf(out, "\n%zu application%s measured on one side alone: `carmine show FILE` prints %s\n", c->lone_points,
                c->lone_points == 1 ? " was" : "s were", c->lone_points == 1 ? "it" : "them");
}
