/* SPDX-License-Identifier: BSD-3-Clause
 * Which picture suits so many machines (see chart_several.h). */
#include "chart_several.h"

enum { MAX_OVER_EACH_OTHER = 3 }; /* each brings a ceiling and a line per level */

bool several_are_ratios(const struct comparison *c) {
    return c->side_count > MAX_OVER_EACH_OTHER;
}

bool chart_several(const struct comparison *c, const struct picture_view *view, const struct chart_options *options,
                   const char *path, struct error *err) {
    return (several_are_ratios(c) ? chart_ratios : chart_overlay)(c, view, options, path, err);
}
