/* SPDX-License-Identifier: BSD-3-Clause
 * The applications in a result file (see results.h): its list "points". */
#ifndef CARM_RESULTS_POINTS_H
#define CARM_RESULTS_POINTS_H

#include <jansson.h>

#include "results.h"

json_t *results_points_write(const struct result *result);

/* From the file's root; a file without the list has no points. Error: the path inside the file, and what was expected.
 */
bool results_points_read(const json_t *root, struct result *out, struct error *err);

#endif
