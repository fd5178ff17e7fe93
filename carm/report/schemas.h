/* SPDX-License-Identifier: BSD-3-Clause
 * The JSON Schemas of the result file and of the answers, made by the code that writes them (carm/store/shape.h) from a
 * result with one of each, one_of_each.json. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* "carmine.result/1" and so on; NULL at the end. */
const char *schema_name(size_t index);

/* The schema of one of them, released by the caller. NULL: no such name. */
json_t *schema_make(const char *name);
