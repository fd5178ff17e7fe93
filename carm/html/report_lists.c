/* SPDX-License-Identifier: BSD-3-Clause
 * Columns of the report's lists, for tables and hovering. */
#include "report_parts.h"

#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/validate_report.h"
#include "carm/text/columns.h"

static void roof_columns(struct column_walk *to) {
    report_roof_columns(to, &(struct roof){.sample = &(struct sample){.kind = SAMPLE_COMPUTE}}, true);
}

static void points_columns(struct column_walk *to) {
    static const struct verdict NONE;
    report_point_columns(to, NULL, &(struct app_point){.name = ""}, &NONE);
}

static void validation_columns(struct column_walk *to) {
    report_validation_columns(to, &(struct validation_point){.level = ""});
}

static void bandwidth_columns(struct column_walk *to) {
    column(to, cell_text(""), .title = "per thread", .key = "working_set_bytes", .format = COLUMN_BINARY,
           .unit = "per thread", .page = IN_TITLE);
    column(to, cell_text(""), .title = "bandwidth", .key = "value", .format = COLUMN_SI, .unit = "B/s", .page = LEADS);
    column(to, cell_text(""), .title = "per cycle", .key = "per_cycle", .format = COLUMN_NUMBER, .unit = "B/cycle",
           .page = LEADS);
    column(to, cell_text(""), .title = "clock", .key = "clock_hz", .format = COLUMN_SI, .unit = "Hz", .page = ON_PAGE);
    column(to, cell_text(""), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .page = ON_PAGE);
}

static void latency_columns(struct column_walk *to) {
    column(to, cell_text(""), .title = "per thread", .key = "working_set_bytes", .format = COLUMN_BINARY,
           .unit = "per thread", .page = IN_TITLE);
    column(to, cell_text(""), .title = "latency", .key = "value", .format = COLUMN_SI, .unit = "s", .page = LEADS);
    column(to, cell_text(""), .title = "per cycle", .key = "per_cycle", .format = COLUMN_NUMBER, .unit = "cycles",
           .page = LEADS);
    column(to, cell_text(""), .title = "clock", .key = "clock_hz", .format = COLUMN_SI, .unit = "Hz", .page = ON_PAGE);
    column(to, cell_text(""), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS, .page = ON_PAGE);
}

json_t *report_lists_json(void) {
    static const struct {
        const char *name;
        void (*columns)(struct column_walk *to);
    } LISTS[] = {{"roofs", roof_columns},
                 {"points", points_columns},
                 {"validation", validation_columns},
                 {"bandwidth", bandwidth_columns},
                 {"latency", latency_columns}};
    json_t *lists = json_object();
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        struct column_walk to = columns_page();
        LISTS[i].columns(&to);
        json_object_set_new(lists, LISTS[i].name, to.list);
    }
    return lists;
}
