/* SPDX-License-Identifier: BSD-3-Clause
 * What a result file holds, told once: a row for each field. results.c writes and reads by these rows, results.c
 * by those of them that are `scanned`, and the tables of docs/result-file.md are printed from them. A new field is a
 * member of its struct and a row here, with `missing` saying what it means where an older file lacks it; then the
 * document is written again:
 *
 *   build/carmine show --fields >build/fields.md
 *   sed -i -e '/^<!-- fields/r build/fields.md' -e '/^<!-- fields/,/^<!-- end/{/^<!--/!d}' docs/result-file.md */
#ifndef CARM_RESULT_FIELDS_H
#define CARM_RESULT_FIELDS_H

#include "fields.h"

enum { RESULT_MOST_BYTES = 16 << 20 }; /* of a file */

extern const char *const result_schema[]; /* "carmine.result/1", alone */

extern const struct field result_fields[]; /* of struct result: the file's root, with the tables of all its parts */

/* Of struct sample, struct app_point and struct annotation: an entry of its lists. */
extern const struct field *const result_sample_fields, *const result_point_fields, *const result_count_fields,
                                                                                       *const result_annotation_fields;

#endif
