/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as small rings of a roofline (see chart_validation.h). */
#include "chart_validation.h"

#include <math.h>
#include <string.h>

#include "../asm/kernel.h"
#include "chart.h"

static const double MARGIN = 1.3; /* no ring on the frame */

static bool same(const char *wanted, const char *is) {
    return !wanted || strcmp(wanted, is) == 0;
}

/* The ISA and type are in the name: "avx512.f64.1fma16ld". */
static bool in_view(const struct validation_point *point, const struct model_view *view) {
    char isa[48];
    snprintf(isa, sizeof isa, "%s", point->kernel);
    char *type = strchr(isa, '.'), *op = type ? strchr(type + 1, '.') : NULL;
    if (!op)
        return false;
    *type++ = *op = '\0';
    return (view->threads == 0 || view->threads == point->threads) && same(view->core_kind, point->core_kind) &&
           same(view->isa, isa) && same(view->type, type);
}

size_t chart_validation(const struct model *model, const struct model_view *view, struct plot_axis *x,
                        struct plot_axis *y, struct plot_point *rings) {
    const struct result *result = model->result;
    const struct levels *levels = &result->levels[0];
    size_t count = 0;
    for (size_t i = 0; i < result->validation_count && count < CHART_MAX_RINGS; i++) {
        const struct validation_point *point = &result->validation[i];
        int level = levels_find(levels, point->level);
        if (level < 0 || point->flop_per_byte <= 0 || point->flop_per_s <= 0 || !in_view(point, view))
            continue;
        rings[count] = (struct plot_point){.x = point->flop_per_byte,
                                           .y = point->flop_per_s,
                                           .hollow = true,
                                           .color = chart_level_color(levels, (unsigned)level),
                                           .legend = count == 0 ? "mixed kernels (validation)" : NULL,
                                           .detail = point->kernel};
        count++;
        x->min = fmin(x->min, point->flop_per_byte / MARGIN);
        x->max = fmax(x->max, point->flop_per_byte * MARGIN);
        y->min = fmin(y->min, point->flop_per_s / MARGIN);
        y->max = fmax(y->max, point->flop_per_s * MARGIN);
    }
    return count;
}
