/* SPDX-License-Identifier: BSD-3-Clause
 * Curves of a sweep: where each level ends, its rate, the staircase, and every size as text, CSV and JSON. */
#include "report.h"
#include "report_thresholds.h"

#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "bench/kernels/sample.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "carm/text/columns.h"
#include "carm/text/safe_output.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

static void point_columns(struct column_walk *to, const struct result *result, const struct curve *curve,
                          const struct curve_point *point) {
    const bool latency = curve->kind == SAMPLE_LATENCY;
    char size[UNITS_BYTES], name[sizeof curve->kernel + DESCRIBE_PAGES_BYTES], per_cycle[UNITS_BYTES],
        pages[DESCRIBE_PAGES_BYTES];
    const double own = point->per_cycle;
    snprintf(name, sizeof name, "%s%s", curve->kernel,
             describe_pages(curve->small_pages, machine_page_bytes(&result->machine), pages));
    snprintf(per_cycle, sizeof per_cycle, latency ? "%.1f cycles" : "%.1f B/cycle", own);
    units_binary(size, sizeof size, (double)point->working_set_bytes);
    column(to, cell_read(cell_amount(true, (double)point->working_set_bytes), size), .title = "working set",
           .key = "working_set_bytes", .format = COLUMN_BINARY, .text = {STAYS}, .csv = 4, .json = 1);
    column(to, cell_text(name), .title = "kernel", .text = {STAYS});
    column(to, cell_text(curve->kernel), .key = "name", .csv = 1);
    column(to, cell_amount(true, curve->threads), .title = "threads", .key = "threads", .text = {STAYS}, .csv = 2);
    column(to, cell_bool(true, curve->small_pages), .key = "small_pages", .csv = 3);
    column(to, cell_number(true, point->value), .title = "measured", .key = "value", .format = COLUMN_SI,
           .unit = latency ? "s" : "B/s", .text = {STAYS}, .csv = 5, .json = 2);
    column(to, cell_text(latency ? "s" : "bytes_per_s"), .key = "unit", .csv = 6);
    column(to, cell_read(cell_positive(own), per_cycle), .title = "per cycle", .key = "per_cycle", .text = {1},
           .format = COLUMN_PER_CYCLE, .csv = 7, .json = 3, .raw_json = true);
    column(to, cell_positive(point->clock_hz), .key = "clock_hz", .csv = 8, .json = 4, .raw_json = true);
}

void curves_print(const struct result *result, FILE *out) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < result->curve_count; i++)
        for (size_t p = 0; p < result->curves[i].count; p++) {
            columns_row(&to);
            point_columns(&to, result, &result->curves[i], &result->curves[i].points[p]);
        }
    columns_print(&to, out);
}

void curves_csv(const struct result *result, FILE *out) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < result->curve_count; i++)
        for (size_t p = 0; p < result->curves[i].count; p++) {
            point_columns(&to, result, &result->curves[i], &result->curves[i].points[p]);
            columns_end_csv(&to, out);
        }
}

json_t *curves_json(const struct result *result) {
    json_t *curves = json_array();
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct curve *curve = &result->curves[i];
        json_t *points = json_array();
        for (size_t p = 0; p < curve->count; p++) {
            struct column_walk to = columns_json();
            point_columns(&to, result, curve, &curve->points[p]);
            json_array_append_new(points, columns_end_json(&to));
        }
        json_array_append_new(curves, json_pack("{s:s,s:i,s:b,s:s,s:o}", "name", curve->kernel, "threads",
                                                (int)curve->threads, "small_pages", curve->small_pages, "unit",
                                                curve->kind == SAMPLE_LATENCY ? "s" : "bytes_per_s", "points", points));
    }
    return json_pack("{s:s,s:o}", "schema", "carmine.curves/1", "curves", curves);
}

/* The levels, judged by all curves: a curve of a few sizes less can still show where a level ends. */
static struct levels judged_levels(const struct result *result) {
    struct levels levels = result->levels[0];
    for (size_t i = 0; i < result->curve_count; i++)
        results_judge(&levels, &result->curves[i]);
    return levels;
}

/* "L1 ends at 48 KiB, L2 near 1.19 MiB (not 2 MiB), L3 is not seen to end (260 MiB)". */
static void print_ends(const struct levels *levels, const struct screen *screen) {
    char text[480] = "", found[UNITS_BYTES], detected[UNITS_BYTES];
    for (unsigned i = 0; i + 1 < levels->count; i++) {
        const struct level *level = &levels->level[i];
        units_binary(found, sizeof found, (double)level->effective_bytes);
        units_binary(detected, sizeof detected, (double)level->detected_bytes);
        text_append(text, sizeof text, "%s%s", i ? ", " : "", level->name);
        if (!level->judged)
            text_append(text, sizeof text, " shows no end (%s)", detected);
        else if (level->disagrees)
            text_append(text, sizeof text, " ends near %s (not %s)", found, detected);
        else
            text_append(text, sizeof text, " ends at %s", found);
    }
    if (*text)
        screen_say(screen, text, "   ");
}

/* The median of a curve's values between the ends of a level and the one before it; 0: no size lies there. All
 * threads may share the last cache: there only sizes count that fit it together. */
static double rate_in(const struct levels *levels, unsigned level, const struct curve *curve) {
    const double inside = report_thresholds.curve_inside.value, outside = report_thresholds.curve_outside.value;
    const bool memory = level + 1 == levels->count;
    const double low = level ? (double)levels->level[level - 1].effective_bytes * outside : 0;
    const unsigned sharing = level + 2 == levels->count ? curve->threads : 1;
    const double high = (double)levels->level[level].effective_bytes * inside / sharing;
    double *values = need_calloc(curve->count + 1, sizeof *values), median = 0;
    size_t count = 0;
    for (size_t p = 0; p < curve->count; p++) {
        const double bytes = (double)curve->points[p].working_set_bytes;
        if (bytes >= low && (memory || bytes <= high))
            values[count++] = curve->points[p].value;
    }
    if (count)
        median = sample_statistics(values, count).median;
    free(values);
    return median;
}

static void name_of(const struct result *result, const struct curve *curve, char *out, size_t size) {
    char pages[UNITS_BYTES + 2] = "", unit[UNITS_BYTES];
    if (curve->small_pages)
        snprintf(pages, sizeof pages, ", %s",
                 units_binary(unit, sizeof unit, (double)machine_page_bytes(&result->machine)));
    if (curve->threads == 1)
        snprintf(out, size, "%s%s", curve->kernel, pages);
    else
        snprintf(out, size, "%s ×%u%s", curve->kernel, curve->threads, pages);
}

/* A row for each curve, a column for each level. */
static void print_rates(const struct result *result, const struct levels *levels, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrrr", "0000000000");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES];
    for (unsigned l = 0; l < levels->count; l++)
        table_set(row, 1 + l, "%s", levels->level[l].name);
    for (size_t i = 0; i < result->curve_count; i++) {
        row = table_row(&table);
        name_of(result, &result->curves[i], row[0], TABLE_CELL_BYTES);
        for (unsigned l = 0; l < levels->count; l++) {
            const double rate = rate_in(levels, l, &result->curves[i]);
            if (rate > 0)
                table_set(row, 1 + l, "%s",
                          result->curves[i].kind == SAMPLE_LATENCY ? units_seconds(text, sizeof text, rate)
                                                                   : units_column(text, sizeof text, rate, "B/s"));
        }
    }
    table_print_section(&table, screen->out);
}

void curves_answer_print(const struct result *result, const char *staircase, const struct screen *screen) {
    const struct levels levels = judged_levels(result);
    print_ends(&levels, screen);
    print_rates(result, &levels, screen);
    fputc('\n', screen->out);
    safe_output_own(staircase, screen->out);
    screen_note(screen, "Rows", "every size: --all, --csv or --json");
}
