/* SPDX-License-Identifier: BSD-3-Clause
 * The table of columns' widths. */
#include "picture_options.h"

#include <strings.h>

#include "render/page/plot.h"

#define TEX_POINTS_PER_INCH 72.27

/* What \the\columnwidth and \the\textwidth are in these classes, in TeX's points. */
static const struct {
    const char *name;
    double tex_points;
} COLUMNS[] = {
    {"ieee", 252},              /* IEEEtran 1.8b, conference and journal */
    {"ieee-page", 516},         /* the same */
    {"acm", 241.14749},         /* acmart 1.88, sigconf: letter, outer margins of 54, 2 pc between columns */
    {"acm-page", 506.295},      /* the same */
    {"aps", 246},               /* revtex 4.2e, twocolumn */
    {"aps-page", 510},          /* the same */
    {"elsevier", 252},          /* elsarticle 3.3, 5p */
    {"elsevier-page", 522},     /* the same */
    {"lncs", 347.12354},        /* llncs 2.22 */
    {"article", 345},           /* article of 10 pt, on letter and A4 */
    {"twocolumn", 229.5},       /* article, twocolumn, on letter */
    {"twocolumn-page", 469},    /* the same */
    {"twocolumn-a4", 221},      /* article, twocolumn, on A4 */
    {"twocolumn-a4-page", 452}, /* the same */
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

const char *column_width_name(size_t index) {
    return index < COLUMN_COUNT ? COLUMNS[index].name : NULL;
}

bool column_width_find(const char *name, double *points) {
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (strcasecmp(COLUMNS[i].name, name) == 0)
            return *points = COLUMNS[i].tex_points / TEX_POINTS_PER_INCH * PLOT_POINTS_PER_INCH, true;
    return false;
}
