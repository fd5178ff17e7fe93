/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented, as text and as JSON. */
#ifndef CARM_REPORT_SHORTFALL_REPORT_H
#define CARM_REPORT_SHORTFALL_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/model/shortfall.h"

/* What the vendor states and what follows from it. */
void shortfall_report_spec(const struct spec *spec, FILE *out);

/* Writes "217 Gflop/s: avx512.f64.fma on 2 threads; of 2 of the cores: 85 % at base" to `out`;
 * "" where either is not known. */
const char *shortfall_report_peak(const struct model *model, const struct spec *spec, char *out, size_t size);

/* A table per thread count, then each reason that occurs with its meaning. `spec` may be NULL. */
void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out);

/* Schema "carmine.gaps/1". `model` or `spec` may be NULL. */
json_t *shortfall_report_json(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec);

#endif
