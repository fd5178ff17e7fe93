/* SPDX-License-Identifier: BSD-3-Clause
 * The JSON Schemas of the result file and of the answers, made by the code that writes them (carm/store/shape.h) from a
 * result with one of each, one_of_each.json. */
#pragma once

#include <jansson.h>
#include <stddef.h>

struct model;

/* What the commands write that nobody else does, described with the help of a result. */
json_t *machine_described(const struct model *model);
json_t *clock_described(const struct model *model);
json_t *doctor_described(const struct model *model);
json_t *kernels_described(const struct model *model);
json_t *import_described(const struct model *model);
json_t *workload_described(const struct model *model);
json_t *workloads_described(const struct model *model);

/* "carmine.result/1" and so on; NULL at the end. */
const char *schema_name(size_t index);

/* The schema of one of them, released by the caller. NULL: no such name. */
json_t *schema_make(const char *name);
