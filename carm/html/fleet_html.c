/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as an HTML page: its picture and its tables. */
#include "fleet_html.h"
#include "html.h"
#include "report_parts.h"

#include <stdlib.h>

#include "carm/chart/chart_fleet.h"
#include "carm/report/fleet_report.h"
#include "probe/error.h"
#include "probe/need.h"

static char *data_text(const struct fleet *fleet, const struct fleet_groups *groups,
                       const struct fleet_report *report) {
    json_t *tables = fleet_tables_json(fleet, groups, report), *table;
    size_t at;
    json_array_foreach(tables, at, table)
        json_object_set_new(table, "rows", report_table(json_incref(json_object_get(table, "rows"))));
    json_t *data =
        json_pack("{s:s,s:s,s:o}", "schema", "carmine.fleet_page/1", "version", CARMINE_VERSION, "tables", tables);
    char *text = need_made(json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(4)));
    json_decref(data);
    return text;
}

bool fleet_html_write(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      const char *path, struct error *err) {
    char title[128], *svg = NULL, *data = data_text(fleet, groups, report);
    struct error ignored;
    fleet_write_sum(groups, report, title, sizeof title);
    const bool drawn = chart_fleet(fleet, groups, report, &(struct chart_options){.svg = &svg}, NULL, &ignored);
    const struct html_page page = {.of = HTML_FLEET, .title = title, .picture = drawn ? svg : "", .data = data};
    const bool done = html_write(&page, path, err);
    free(svg);
    free(data);
    return done;
}
