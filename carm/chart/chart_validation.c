/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as small rings of a roofline (see chart_validation.h). */
#include "chart_validation.h"

#include <math.h>
#include <string.h>

#include "asm/kernel.h"

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

size_t chart_validation(struct roofs *roofs, struct plot_point *rings) {
    const struct result *result = roofs->model->result;
    const struct levels *levels = &result->levels[0];
    struct plot_axis *x = &roofs->x, *y = &roofs->y;
    size_t count = 0;
    for (size_t i = 0; i < result->validation_count && count < CHART_MAX_RINGS; i++) {
        const struct validation_point *point = &result->validation[i];
        int level = levels_find(levels, point->level);
        if (level < 0 || point->flop_per_byte <= 0 || point->flop_per_s <= 0 || !in_view(point, &roofs->view))
            continue;
        double clock_hz = !roofs->per_cycle ? 1 : point->clock_hz > 0 ? point->clock_hz : roofs->peak->sample->clock_hz;
        double height = point->flop_per_s / clock_hz / (roofs->shared_by ? roofs->shared_by : 1);
        rings[count] = (struct plot_point){.x = point->flop_per_byte,
                                           .y = height,
                                           .hollow = true,
                                           .color = chart_level_color(levels, (unsigned)level),
                                           .legend = count == 0 ? "mixed kernels (validation)" : NULL,
                                           .detail = point->kernel,
                                           .group = point->level,
                                           .source = point};
        count++;
        x->min = fmin(x->min, point->flop_per_byte / MARGIN);
        x->max = fmax(x->max, point->flop_per_byte * MARGIN);
        y->min = fmin(y->min, height / MARGIN);
        y->max = fmax(y->max, height * MARGIN);
    }
    return count;
}
