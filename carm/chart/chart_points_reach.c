/* SPDX-License-Identifier: BSD-3-Clause
 * How much of its roof a point reaches, in words and in the picture: a stem from its marker to that roof, of which a
 * short piece is drawn there, and where there is room for it a ghost: its marker where the roof would allow it, with
 * the time that this would save. The roof is that of the point's own pattern, width and type, which need not be one of
 * the lines of the picture (see chart_points_entry.h). */
#include "chart_points_entry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/model/verdict_words.h"
#include "render/page/palette.h"
#include "render/page/units.h"

static const double PAGE_WIDTH = 760, PAGE_HEIGHT = 430; /* of the plot area, about, in points */
static const double TICK_BESIDE = 6;                     /* how far a tick reaches beside the marker, in points */
static const double GHOST_FROM = 7;      /* points of stem between a marker and its ghost, so that they are two */
static const char COMPUTE[] = "compute"; /* as verdict_bound_by() says it */

double points_page_distance(const struct roofs *roofs, struct vec a, struct vec b) {
    const double x = log(a.x / b.x) / log(roofs->x.max / roofs->x.min) * PAGE_WIDTH;
    const double y = log(a.y / b.y) / log(roofs->y.max / roofs->y.min) * PAGE_HEIGHT;
    return hypot(x, y);
}

/* Of the lowest of the drawn roofs that allow it, or of the ceiling of its width. */
static struct attained reach_of_drawn(const struct roofs *roofs, const struct entry *entry) {
    const double bytes_per_s = chart_point_bytes(&entry->point, roofs->bytes).median / entry->point.seconds.median;
    const double compute = app_flop_per_s(&entry->point) / entry->verdict.ceiling->sample->value;
    for (size_t i = roofs->level_count; i-- > 0;) {
        const struct roof *roof = roofs->levels[i].roof;
        const double memory = bytes_per_s / (roof->sample->value * chart_roof_share(roof, roofs->bytes));
        if (memory > 1 && i > 0)
            continue;
        return memory > compute ? (struct attained){roof->sample->level, memory, false}
                                : (struct attained){COMPUTE, compute, false};
    }
    return (struct attained){COMPUTE, compute, false};
}

/* Of what memory moves of such traffic. Where every link was simulated, the verdict is by links, and memory is the
 * last. */
static struct attained reach_of_memory(const struct verdict *verdict) {
    const struct link_time *last = verdict->times.count > 0 ? &verdict->times.link[verdict->times.count - 1] : NULL;
    if (last && last->roof)
        return (struct attained){last->roof->sample->level, last->share, false};
    return verdict->dram_pattern ? (struct attained){verdict->dram_pattern->sample->level, verdict->dram_ratio, false}
                                 : (struct attained){0};
}

struct attained points_reach(const struct roofs *roofs, const struct entry *entry) {
    const struct verdict *verdict = &entry->verdict;
    if (!verdict->known)
        return (struct attained){0};
    if (roofs->bytes == BYTES_CORE)
        return (struct attained){verdict->bandwidth ? verdict->bandwidth->sample->level : COMPUTE, verdict->ratio,
                                 verdict->nearest != NULL};
    if (roofs->bytes != BYTES_DRAM)
        return reach_of_drawn(roofs, entry);
    const struct attained memory = reach_of_memory(verdict),
                          compute = {COMPUTE, app_flop_per_s(&entry->point) / verdict->ceiling->sample->value, false};
    return memory.by && memory.ratio >= compute.ratio ? memory : compute;
}

void points_write_reach(const struct entry *entry, char *out, size_t size) {
    const unsigned threads = entry->point.threads;
    verdict_mark(&entry->verdict, entry->reach.by ? entry->reach.by : "", entry->reach.ratio, entry->reach.unsure, out,
                 size);
    const bool beside_others = entry->roofs && entry->roofs->several && !*entry->point.series,
               by_name = entry->point.cores > 0; /* more threads than cores: its name says so */
    if (threads && !by_name && (beside_others || entry->verdict.threads != threads)) {
        size_t length = strlen(out);
        snprintf(out + length, size - length, " · %u thread%s", threads, threads == 1 ? "" : "s");
    }
}

static bool is_compute(const struct attained *reach) {
    return strcmp(reach->by, COMPUTE) == 0;
}

static struct plot_color color_of(const struct roofs *roofs, const struct attained *reach) {
    for (unsigned i = 0; i < roofs->all_levels->count; i++)
        if (strcmp(roofs->all_levels->level[i].name, reach->by) == 0)
            return chart_level_color(roofs->all_levels, i);
    return PALETTE_BLACK;
}

/* "0.4 of 1.1 s": both in the unit of the whole. */
static void write_saving(double seconds, double ratio, char *out, size_t size) {
    char all[UNITS_BYTES], saved[UNITS_BYTES];
    units_seconds(all, sizeof all, seconds);
    units_number_digits(saved, sizeof saved, (1 - ratio) * strtod(all, NULL), 2);
    snprintf(out, size, "%s of %s", saved, all);
}

static void add_stem(struct points *out, const struct roofs *roofs, const struct plot_point *point,
                     const struct attained *reach) {
    const double roof_y = point->y / reach->ratio;
    const double beside = pow(roofs->x.max / roofs->x.min, (point->radius + TICK_BESIDE) / PAGE_WIDTH);
    const double rise = is_compute(reach) ? 1 : beside;
    struct plot_color pale = point->color;
    pale.a = 0.7;
    points_line(out, &(struct plot_line){.color = pale, .width = 0.9, .dash = PLOT_DASHED, .clear = true});
    points_corner(out, point->x, point->y);
    points_corner(out, point->x, roof_y);
    points_line(out, &(struct plot_line){.color = color_of(roofs, reach), .width = 2.4, .clear = true});
    points_corner(out, point->x / beside, roof_y / rise);
    points_corner(out, point->x * beside, roof_y * rise);
}

static void add_ghost(struct points *out, const struct entry *entry, const struct plot_point *point) {
    const size_t slot = out->ghost_count++;
    struct plot_point *ghost = &out->ghosts[slot];
    write_saving(entry->point.seconds.median, entry->reach.ratio, out->savings[slot], sizeof out->savings[0]);
    *ghost = (struct plot_point){.x = point->x,
                                 .y = point->y / entry->reach.ratio,
                                 .radius = fmax(2.6, 0.85 * point->radius),
                                 .shape = point->shape,
                                 .hollow = true,
                                 .ghost = true,
                                 .color = point->color,
                                 .label = out->savings[slot],
                                 .optional = true,
                                 .near = true,
                                 .priority = -1,
                                 .legend = slot ? NULL : "where its roof would allow it",
                                 .legend_of_labels =
                                     slot ? NULL : "where its roof would allow it, and the time that this saves"};
    ghost->color.a = 0.55;
}

/* What a roof would save is told where that is known to be the point's. Beside outlines at other bytes, ghosts would be
 * taken for more of them. */
void points_show_reach(struct points *out, const struct roofs *roofs, const struct entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct plot_point *point = &out->points[entries[i].slot];
        const double ratio = entries[i].reach.ratio;
        if (entries[i].fate != DRAWN || !point->sublabel || !(ratio > 0))
            continue;
        const struct vec at = {point->x, point->y}, roof = {point->x, point->y / ratio};
        add_stem(out, roofs, point, &entries[i].reach);
        if (ratio < 1 && !entries[i].reach.unsure && !*entries[i].point.series && out->outline_count == 0 &&
            points_page_distance(roofs, at, roof) > 2 * point->radius + GHOST_FROM)
            add_ghost(out, &entries[i], point);
    }
}
