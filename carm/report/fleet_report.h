/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as text, JSON and CSV, and on one screen: the outliers, and what is usual for each machine type. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/fleet/fleet.h"

void fleet_answer_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                        const struct screen *screen);

/* Prints the outliers, then what is usual in each group: its classes, or with `all_roofs` every roof. */
void fleet_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 bool all_roofs, FILE *out);

/* Prints the first few files that are no results, each with the reason. */
void fleet_print_refusals(const struct fleet *fleet, FILE *out);

/* The fleet as JSON of the schema "carmine.fleet/1"; the caller releases it. */
json_t *fleet_json(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report);

/* Writes "60 nodes of 2 machine types, 12 outliers" to `out`, and returns its length. */
void fleet_write_sum(const struct fleet_groups *groups, const struct fleet_report *report, char *out, size_t size);

/* The tables of a page: outliers, machine types and nodes, [{"name", "file", "columns": as of columns_page(), "rows":
 * [{…}, …]}, …]. */
json_t *fleet_tables_json(const struct fleet *fleet, const struct fleet_groups *groups,
                          const struct fleet_report *report);

/* Prints the fleet as CSV, a row for each node. */
void fleet_csv(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
               FILE *out);
