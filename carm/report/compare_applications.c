/* SPDX-License-Identifier: BSD-3-Clause
 * Applications that several sides measured, as text (see compare_report.h). */
#include "compare_report.h"

#include <math.h>

#include "carm/model/verdict_words.h"

static double positive(double value) {
    return value > 0 ? value : NAN;
}

/* How far it is from the base's, in words of the text table: nothing of the base itself. */
static struct cell change_cell(double ratio, bool is_base, char out[32]) {
    snprintf(out, 32, fabs(ratio - 1) < COMPARE_SAME ? "same" : "%+.1f %%", 100 * (ratio - 1));
    return cell_read(cell_number(true, ratio), is_base || isnan(ratio) ? "" : out);
}

void compare_application_columns(struct column_walk *to, const struct comparison *c,
                                 const struct compare_application *row, size_t side, bool first) {
    const struct app_point *point = row->points[side], *base = row->points[row->first];
    const struct verdict v = verdict_find(c->sides[side].model, point);
    char text[TABLE_CELL_BYTES], letter[2];
    const struct {
        const char *title, *key, *ratio_key, *unit;
        double value, base;
        enum column_format format;
        unsigned char rank, ratio_rank;
    } quantities[] = {
        {"time", "seconds", "seconds_ratio", "s", point->seconds.median, base->seconds.median, COLUMN_SI, 2, STAYS},
        {"flop/s", "flop_per_s", "flop_per_s_ratio", "flop/s", app_flop_per_s(point), app_flop_per_s(base), COLUMN_SI,
         STAYS, 5},
        {"flop/B", "flop_per_byte", "flop_per_byte_ratio", NULL, app_flop_per_byte(point), app_flop_per_byte(base),
         COLUMN_NUMBER, 4, STAYS}};
    column(to, cell_text(first ? row->name : ""), .title = "", .text = {STAYS});
    column(to, cell_text(c->side_count <= COMPARE_COLUMNS ? compare_letter(side, letter) : c->sides[side].label),
           .title = "", .text = {STAYS});
    column(to, cell_amount(true, point->threads), .title = "threads", .key = "threads", .format = COLUMN_WHOLE,
           .json = 1, .text = {6});
    for (size_t q = 0; q < sizeof quantities / sizeof quantities[0]; q++) {
        const double value = positive(quantities[q].value), ratio = value / positive(quantities[q].base);
        column(to, cell_number(true, value), .title = quantities[q].title, .key = quantities[q].key,
               .format = quantities[q].format, .unit = quantities[q].unit, .json = 1, .text = {quantities[q].rank});
        column(to, change_cell(ratio, side == row->first, text), .title = "", .key = quantities[q].ratio_key,
               .format = COLUMN_PERCENT, .json = 1, .text = {quantities[q].ratio_rank});
    }
    column(to, cell_text(verdict_bound_by(&v)), .key = "bound_by", .json = 1);
    column(to, cell_text(v.known ? verdict_bound_cell(&v) : ""), .title = "bound by", .text = {1});
    column(to, cell_read(cell_number(v.known, v.ratio), v.known ? verdict_reached_cell(&v, text, sizeof text) : ""),
           .title = "ratio", .key = "ratio", .format = COLUMN_PERCENT, .json = 1, .text = {3});
    column(to, cell_text(v.known ? verdict_gain_cell(&v, point, text, sizeof text) : ""), .title = "next roof",
           .text = {7});
    column(to, cell_text(v.next ? v.next->sample->kernel : ""), .key = "next_roof", .json = 1);
    column(to, cell_number(v.next != NULL, v.next_flop_per_s), .key = "next_flop_per_s", .json = 1);
    column(to, cell_doubts(v.doubts), .title = "doubts", .key = "doubts", .format = COLUMN_DOUBTS, .json = 1,
           .text = {8});
}

void compare_print_applications(const struct comparison *c, FILE *out) {
    if (c->application_count) {
        fprintf(out, "\n── applications ──\n\n");
        struct column_walk to = columns_table(0);
        for (size_t i = 0; i < c->application_count; i++) {
            bool first = true;
            for (size_t turn = 0; turn < c->side_count; turn++) {
                const size_t side = compare_turn(c, turn);
                if (!c->applications[i].points[side])
                    continue;
                columns_row(&to);
                compare_application_columns(&to, c, &c->applications[i], side, first);
                first = false;
            }
        }
        columns_print(&to, out);
    }
    if (c->lone_points)
        fprintf(out, "\n%zu application%s measured on one side alone: `carmine show FILE` prints %s\n", c->lone_points,
                c->lone_points == 1 ? " was" : "s were", c->lone_points == 1 ? "it" : "them");
}
