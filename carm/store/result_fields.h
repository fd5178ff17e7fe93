/* SPDX-License-Identifier: BSD-3-Clause
 * What a result file holds, told once: a row for each field. results.c writes and reads by these rows, results_scan.c
 * by those of them that are `scanned`, and docs/result-file.md is printed from them (carmine show --fields). A new
 * field is a member of its struct and a row here, with `missing` saying what it means where a file of before lacks it.
 */
#ifndef CARM_RESULT_FIELDS_H
#define CARM_RESULT_FIELDS_H

#include "fields.h"

extern const char *const result_schema[]; /* "carmine.result/1", alone */

extern const struct field result_fields[]; /* of struct result: the file's root, with the tables of all its parts */

#endif
