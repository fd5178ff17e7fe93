/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as text for people, as JSON and CSV for programs, and as strips of dots. */
#ifndef CARM_FLEET_REPORT_H
#define CARM_FLEET_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/fleet/fleet.h"

/* Outliers, then what is usual in each group: its classes, or with `all_roofs` every roof. */
void fleet_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 bool all_roofs, FILE *out);

/* Files that are no results, each with the reason: the first few. */
void fleet_print_refusals(const struct fleet *fleet, FILE *out);

/* Schema "carmine.fleet/1". */
json_t *fleet_json(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report);

/* A row per node. */
void fleet_csv(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
               FILE *out);

#endif
