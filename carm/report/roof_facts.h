/* SPDX-License-Identifier: BSD-3-Clause
 * What one screen says of its roofs beside their numbers: which operations the peak is of, in which pages data was. */
#ifndef CARM_REPORT_ROOF_FACTS_H
#define CARM_REPORT_ROOF_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "carm/model/model.h"

enum { ROOF_FACTS_BYTES = 256 };

/* "f64 is FMA + ADD, 48 flop/cycle (FMA, as vendors count: 256 Gflop/s)", of the view's threads together, per cycle of
 * a core; "" where there is no peak of known clock. */
char *roof_facts_peak(const struct model *model, const struct model_view *view, char *out, size_t size);

/* "2 MiB" or "4 KiB": the pages of a level's roofs, but for those of 4 KiB pages that were asked for beside others;
 * NULL where they are not known, or differ. */
const char *roof_facts_pages(const struct model *model, const char *level);

/* Whether any roof has a documented limit. */
bool roof_facts_documented(const struct model *model);

#endif
