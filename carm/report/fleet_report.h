/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as text for people, as JSON and CSV for programs, and as strips of dots. */
#ifndef CARM_REPORT_FLEET_REPORT_H
#define CARM_REPORT_FLEET_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/fleet/fleet.h"
#include "carm/text/columns.h"
#include "render/page/units.h"

/* Prints the outliers, then what is usual in each group: its classes, or with `all_roofs` every roof. */
void fleet_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 bool all_roofs, FILE *out);

/* The columns of a node that stands apart, in text of the first of those that are alike; NULL: of one that does not. Of
 * what is usual of a roof, an index in fleet.keys, in a group. */
void fleet_outlier_columns(struct column_walk *to, const struct fleet *fleet, const struct fleet_outlier *outlier);
void fleet_roof_columns(struct column_walk *to, const struct fleet *fleet, const struct fleet_group *group, size_t k);
json_t *fleet_key_json(const struct roof_key *key);

/* A table of the settings that nodes of one type differ in; nothing where they agree. `width` in columns; 0: any. */
void fleet_print_settings(const struct fleet *fleet, const struct fleet_groups *groups, size_t width, FILE *out);

/* What stands for a node, from compute to memory latency: their names, and of a group the roof that stands for each, an
 * index in fleet.keys; FLEET_NONE: it has none. */
enum { FLEET_HEADLINES = 7 };
extern const char *const fleet_headline_names[FLEET_HEADLINES];
size_t fleet_headline_roof(const struct fleet *fleet, const struct fleet_group *group, size_t headline);

/* Writes a value of this roof with its unit to `out`, and returns it; "" for NaN. */
const char *fleet_value_text(const struct roof_key *key, double value, char out[UNITS_BYTES]);

/* Prints the first few files that are no results, each with the reason. */
void fleet_print_refusals(const struct fleet *fleet, FILE *out);

/* The fleet as JSON of the schema "carmine.fleet/1"; the caller releases it. */
json_t *fleet_json(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report);

/* Prints the fleet as CSV, a row for each node. */
void fleet_csv(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
               FILE *out);

#endif
