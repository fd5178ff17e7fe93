/* SPDX-License-Identifier: BSD-3-Clause
 * What a roofline says in words: its title, its small print, its caption. */
#ifndef CARM_CHART_ROOFLINE_TEXTS_H
#define CARM_CHART_ROOFLINE_TEXTS_H

#include "chart_points.h"

/* "AMD EPYC · Zen 4 · 2 cores · f64"; of roofs of several numbers of threads "1 and 2 cores". */
void roofline_title(const struct roofs *roofs, bool pseudo_flop, char *out, size_t size);

/* Small print: what the bytes are, what points show, and by which clocks. */
void roofline_footer(const struct roofs *roofs, const struct points *points, bool rings, char *out, size_t size);

/* "AVX2: update, axpy not measured"; "" where every level's best pattern was tried with the view's ISA. */
char *roofline_untried(const struct roofs *roofs, char *out, size_t size);

/* Which roofline it is, since the title says of what alone; and what is behind its roofs, the `count` samples drawn. */
void roofline_caption(const struct roofs *roofs, const struct sample *const *drawn, size_t count, char *out,
                      size_t size);

#endif
