/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a result file, a row each. results.c writes and reads files by these rows; its fast reader uses only
 * `scanned` rows. The tables of docs/result-file.md are printed from them. A new field needs a member of its struct and
 * a row here, with the meaning of a missing key in `missing`. Then update the document:
 *
 *   build/carmine show --fields >build/fields.md
 *   sed -i -e '/^<!-- fields/r build/fields.md' -e '/^<!-- fields/,/^<!-- end/{/^<!--/!d}' docs/result-file.md */
#pragma once

#include "bench/kernels/sample.h"
#include "fields.h"

enum { RESULT_MOST_BYTES = 16 << 20 }; /* of a file */

extern const char *const result_schema[]; /* "carmine.result/1" */

extern const struct field result_fields[]; /* struct result: the root of the file and all its parts */

/* Tables of entries: struct sample, app_point and annotation. */
extern const struct field *const result_sample_fields, *const result_point_fields, *const result_count_fields,
                                                                                       *const result_annotation_fields,
                                                                                           *const result_course_fields;

/* Whether a sample's numbers are plausible and agree, as in a file that is read. */
bool result_sample_holds(const struct sample *sample, struct error *err);
