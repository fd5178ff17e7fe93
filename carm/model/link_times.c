/* SPDX-License-Identifier: BSD-3-Clause
 * The time of each link alone (see link_times.h). */
#include "link_times.h"

#include <stdio.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "model_thresholds.h"

static double quotient(double a, double b) {
    return b > 0 ? a / b : 0;
}

/* The level on the outer side of a link: the caches in order, then memory. */
static void name_level(const struct levels *levels, unsigned link, unsigned links, char *out, size_t size) {
    const bool memory = link + 1 == links;
    const unsigned at = memory ? levels->count - 1 : link;
    if (memory ? levels->count > 0 : at + 1 < levels->count)
        snprintf(out, size, "%s", levels->level[at].name);
    else if (memory)
        snprintf(out, size, "memory");
    else
        snprintf(out, size, "L%u", link % 9 + 1);
}

static void name_links(struct link_times *times, const struct levels *levels) {
    char inner[sizeof times->link[0].level] = "core", outer[sizeof inner];
    for (unsigned i = 0; i < times->count; i++) {
        struct link_time *link = &times->link[i];
        name_level(levels, i, times->count, outer, sizeof outer);
        snprintf(link->name, sizeof link->name, "%s ⇄ %s", inner, outer);
        memcpy(link->level, outer, sizeof outer);
        memcpy(inner, outer, sizeof inner);
    }
}

/* The bytes that the core requests. Its loads may be wider than its arithmetic. */
static const struct roof *core_roof(const struct applicable_roofs *applicable, const struct link_time *link,
                                    double seconds) {
    const struct roof *own = applicable_pattern(applicable, link->level, false);
    const bool above = own && quotient(link->bytes, seconds) > own->sample->value * verdict_thresholds.near.value;
    return above ? applicable_pattern(applicable, link->level, true) : own;
}

static void find_core(struct link_time *link, const struct applicable_roofs *applicable, double seconds) {
    link->roof = core_roof(applicable, link, seconds);
    link->allowed_bytes_per_s = link->roof ? link->roof->sample->value : 0;
    link->seconds = quotient(link->bytes, link->allowed_bytes_per_s);
}

static void find_outer(struct link_time *link, const struct applicable_roofs *applicable,
                       const struct point_link *moved) {
    const double written = moved->write_back_bytes + moved->nontemporal_bytes,
                 timed = link->bytes - moved->victim_bytes;
    link->roof = applicable_traffic(applicable, link->level, quotient(written, timed));
    if (!link->roof)
        return;
    const double bytes_per_s = applicable_traffic_bytes_per_s(link->roof);
    link->seconds = timed / bytes_per_s;
    link->allowed_bytes_per_s = timed > 0 ? link->bytes / link->seconds : bytes_per_s;
}

static void find_ceiling(struct link_times *times, const struct applicable_roofs *applicable,
                         const struct app_point *point) {
    if (!(point->flop.median > 0))
        return;
    times->ceiling = applicable_ceiling(applicable, app_flop_per_s(point));
    times->ceiling_seconds = point->flop.median / times->ceiling->sample->value;
    times->ceiling_share = quotient(times->ceiling_seconds, point->seconds.median);
}

const struct roof *link_times_roof(const struct link_times *times, int which) {
    return which >= 0 ? times->link[which].roof : which == LINK_TIMES_CEILING ? times->ceiling : NULL;
}

double link_times_seconds(const struct link_times *times, int which) {
    return which >= 0 ? times->link[which].seconds : which == LINK_TIMES_CEILING ? times->ceiling_seconds : 0;
}

double link_times_share(const struct link_times *times, int which) {
    return which >= 0 ? times->link[which].share : which == LINK_TIMES_CEILING ? times->ceiling_share : 0;
}

/* The innermost of equal ones. */
static void find_longest(struct link_times *times) {
    for (int which = LINK_TIMES_CEILING; which < (int)times->count; which++) {
        const double seconds = link_times_seconds(times, which);
        if (seconds > link_times_seconds(times, times->longest)) {
            times->second = times->longest;
            times->longest = which;
        } else if (seconds > link_times_seconds(times, times->second)) {
            times->second = which;
        }
    }
}

struct link_times link_times_find(const struct model *model, const struct app_point *point) {
    struct link_times times = {.longest = LINK_TIMES_NONE, .second = LINK_TIMES_NONE};
    struct applicable_roofs applicable;
    if (point->levels.links == 0)
        return times;
    times.count = point->levels.links;
    const bool fits = applicable_make(model, point, &applicable);
    const struct levels levels = model_levels(model, &applicable.view);
    name_links(&times, &levels);
    for (unsigned i = 0; i < times.count; i++) {
        const struct point_link *moved = &point->levels.link[i];
        struct link_time *link = &times.link[i];
        link->bytes = point_link_bytes(moved), link->low_bytes = moved->low_bytes, link->high_bytes = moved->high_bytes;
        link->flop_per_byte = quotient(point->flop.median, link->bytes);
        if (fits && i == 0)
            find_core(link, &applicable, point->seconds.median);
        else if (fits)
            find_outer(link, &applicable, moved);
        link->share = quotient(link->seconds, point->seconds.median);
    }
    if (fits)
        find_ceiling(&times, &applicable, point);
    find_longest(&times);
    return times;
}
