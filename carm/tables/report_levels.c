/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic between levels (see report_levels.h). */
#include "report_levels.h"

#include <string.h>

#include "carm/store/fields.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "carm/text/wrap.h"
#include "render/page/units.h"

static const double WIDE = 0.01; /* of the bytes: an interval that is told */

static void set_bytes(char (*row)[TABLE_CELL_BYTES], size_t column, double bytes) {
    char text[UNITS_BYTES];
    if (bytes > 0)
        table_set(row, column, "%s", units_si(text, sizeof text, bytes, "B"));
}

static void set_share(char (*row)[TABLE_CELL_BYTES], size_t column, double share) {
    if (share > 0 && share < 0.001)
        table_set(row, column, "<0.1 %%");
    else if (share > 0)
        table_set(row, column, "%.*f %%", share < 0.0095 ? 1 : 0, 100 * share);
}

/* "68.8 GB ±3 %"; without the interval where nothing was sampled, or hardly anything is uncertain. */
static void set_sum(char (*row)[TABLE_CELL_BYTES], size_t column, const struct link_time *link) {
    char text[UNITS_BYTES], off[24] = "";
    const double half = (link->high_bytes - link->low_bytes) / 2;
    if (link->bytes > 0 && half > WIDE * link->bytes)
        snprintf(off, sizeof off, " ±%.0f %%", 100 * half / link->bytes);
    table_set(row, column, "%s%s", units_si(text, sizeof text, link->bytes, "B"), off);
}

enum { LINK_COLUMNS = 12 };
static const char *const LINK_NAMES[LINK_COLUMNS] = {"links",      "",        "bytes",       "loaded",
                                                     "for stores", "written", "victims",     "past caches",
                                                     "flop/B",     "alone",   "of its time", "roof"};

static void add_link(struct table *table, const struct app_point *point, const struct link_times *times, unsigned i) {
    const struct link_time *link = &times->link[i];
    const struct point_link *moved = &point->levels.link[i];
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    if (i == 0)
        table_set(row, 0, "%s", point->name);
    table_set(row, 1, "%s", link->name);
    set_sum(row, 2, link);
    set_bytes(row, 3, moved->load_bytes);
    set_bytes(row, 4, moved->allocate_bytes);
    set_bytes(row, 5, moved->write_back_bytes);
    set_bytes(row, 6, moved->victim_bytes);
    set_bytes(row, 7, moved->nontemporal_bytes);
    if (link->flop_per_byte > 0)
        table_set(row, 8, "%s", units_number(text, sizeof text, link->flop_per_byte));
    if (link->roof) {
        table_set(row, 9, "%s", units_seconds(text, sizeof text, link->seconds));
        set_share(row, 10, link->share);
        table_set(row, 11, "%s, %s", link->roof->sample->kernel,
                  units_si(text, sizeof text, link->allowed_bytes_per_s, "B/s"));
    }
}

static void add_ceiling(struct table *table, const struct link_times *times) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(row, 1, "ceiling");
    table_set(row, 9, "%s", units_seconds(text, sizeof text, times->ceiling_seconds));
    set_share(row, 10, times->ceiling_share);
    table_set(row, 11, "%s, %s", times->ceiling->sample->kernel,
              units_si(text, sizeof text, times->ceiling->sample->value, "flop/s"));
}

static void print_links(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out) {
    struct table table = table_begin("llrrrrrrrrrl");
    table.brief = true;
    table.order = "000534670012";
    table_head(&table, LINK_NAMES, LINK_COLUMNS);
    for (size_t p = 0; p < count; p++) {
        const struct link_times *times = &verdicts[p].times;
        for (unsigned i = 0; i < times->count; i++)
            add_link(&table, &points[p], times, i);
        if (times->count > 0 && times->ceiling)
            add_ceiling(&table, times);
    }
    table_print_section(&table, out);
}

static void print_footprints(const struct app_point *points, size_t count, FILE *out) {
    static const char *const NAMES[] = {"touched",           "lines",          "pages of 4 KiB",
                                        "of each line used", "TLB misses, L1", "L2"};
    struct table table = table_begin("lrrrrr");
    table_head(&table, NAMES, table.columns);
    for (size_t p = 0; p < count; p++) {
        const struct point_levels *levels = &points[p].levels;
        if (levels->links == 0)
            continue;
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES];
        table_set(row, 0, "%s", points[p].name);
        if (levels->footprint_bytes > 0)
            table_set(row, 1, "%s", units_binary(text, sizeof text, levels->footprint_bytes));
        if (levels->pages > 0)
            table_set(row, 2, "%s", units_si(text, sizeof text, levels->pages, ""));
        if (levels->utilisation > 0)
            table_set(row, 3, "%.0f %%", 100 * levels->utilisation);
        for (size_t i = 0; i < HIERARCHY_TLBS; i++)
            table_set(row, 4 + i, "%s", units_si(text, sizeof text, levels->tlb_misses[i], ""));
    }
    table_print_section(&table, out);
}

/* Which caches these are, once for all points that share them. */
static void print_caches(const struct app_point *points, size_t count, FILE *out) {
    const char *last = "";
    for (size_t p = 0; p < count; p++) {
        const struct point_levels *levels = &points[p].levels;
        char line[sizeof levels->caches + 96];
        if (levels->links == 0 || strcmp(levels->caches, last) == 0)
            continue;
        if (levels->one_of > 1)
            snprintf(line, sizeof line, "Simulated: %s; one class of lines of %u.", levels->caches, levels->one_of);
        else
            snprintf(line, sizeof line, "Simulated: %s; all lines.", levels->caches);
        fputc('\n', out);
        wrap_fitted(line, "  ", out);
        last = levels->caches;
    }
}

void report_levels_print(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out) {
    print_links(points, verdicts, count, out);
    print_footprints(points, count, out);
    print_caches(points, count, out);
}

static json_t *link_json(const struct link_time *link, const struct point_link *moved) {
    return json_pack("{s:s,s:o,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:f,s:o,s:o,s:o,s:o,s:o}", "link", link->name, "level",
                     fields_text(link->level), "bytes", link->bytes, "load_bytes", moved->load_bytes, "allocate_bytes",
                     moved->allocate_bytes, "write_back_bytes", moved->write_back_bytes, "victim_bytes",
                     moved->victim_bytes, "nontemporal_bytes", moved->nontemporal_bytes, "low_bytes", link->low_bytes,
                     "high_bytes", link->high_bytes, "flop_per_byte", positive_or_null(link->flop_per_byte), "roof",
                     link->roof ? json_string(link->roof->sample->kernel) : json_null(), "bytes_per_s",
                     link->roof ? json_real(link->allowed_bytes_per_s) : json_null(), "seconds_alone",
                     link->roof ? json_real(link->seconds) : json_null(), "share",
                     link->roof ? json_real(link->share) : json_null());
}

static json_t *touched_json(const struct point_levels *levels) {
    json_t *misses = json_array();
    for (size_t i = 0; i < HIERARCHY_TLBS; i++)
        json_array_append_new(misses, json_real(levels->tlb_misses[i]));
    return json_pack("{s:o,s:i,s:o,s:o,s:o,s:o}", "caches", fields_text(levels->caches), "one_of", (int)levels->one_of,
                     "footprint_bytes", positive_or_null(levels->footprint_bytes), "pages",
                     positive_or_null(levels->pages), "utilisation", positive_or_null(levels->utilisation),
                     "tlb_misses", misses);
}

void report_levels_json(json_t *object, const struct link_times *times, const struct app_point *point) {
    json_t *links = times->count > 0 ? json_array() : json_null();
    for (unsigned i = 0; i < times->count; i++)
        json_array_append_new(links, link_json(&times->link[i], &point->levels.link[i]));
    json_object_set_new(object, "links", links);
    json_object_set_new(object, "ceiling_seconds_alone",
                        times->count > 0 && times->ceiling ? json_real(times->ceiling_seconds) : json_null());
    json_object_set_new(object, "simulated", times->count > 0 ? touched_json(&point->levels) : json_null());
}
