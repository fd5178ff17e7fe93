/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"
#include "report_thresholds.h"

#include <string.h>

#include "carm/store/shape.h"
#include "carm/text/table.h"
#include "render/page/units.h"

/* "0.3 %", "71 %"; "" without a share. */
static const char *share_text(double share, char out[24]) {
    if (share > 0 && share < 0.001)
        snprintf(out, 24, "<0.1 %%");
    else
        snprintf(out, 24, "%.*f %%", share < 0.0095 ? 1 : 0, 100 * share);
    return share > 0 ? out : "";
}

const char *report_levels_bytes(const struct point_link *moved, double wide, char out[REPORT_LEVELS_BYTES]) {
    char text[UNITS_BYTES], off[24] = "";
    const double bytes = point_link_bytes(moved), half = (moved->high_bytes - moved->low_bytes) / 2;
    if (bytes > 0 && half > wide * bytes)
        snprintf(off, sizeof off, " ±%.0f %%", 100 * half / bytes);
    snprintf(out, REPORT_LEVELS_BYTES, "%s%s", units_si(text, sizeof text, bytes, "B"), off);
    return out;
}

static struct cell moved_cell(bool is_link, double bytes) {
    const struct cell cell = cell_number(is_link, bytes);
    return bytes > 0 ? cell : cell_read(cell, "");
}

/* A link; or the ceiling, with `moved` NULL. `name`: of its point, in the first row. */
static void link_columns(struct column_walk *to, const char *name, const struct link_time *link,
                         const struct point_link *moved) {
    static const struct point_link NOTHING;
    const struct point_link *m = moved ? moved : &NOTHING;
    const bool is_link = moved != NULL, roof = link->roof != NULL;
    char text[TABLE_CELL_BYTES], rate[UNITS_BYTES];
    column(to, cell_text(name), .title = "links", .text = {STAYS});
    column(to, cell_text(link->name), .title = "", .key = "link", .json = 1, .text = {STAYS});
    column(to, cell_text(link->level), .key = "level", .json = 1, .raw_json = true);
    column(to,
           cell_read(cell_number(is_link, link->bytes),
                     is_link ? report_levels_bytes(moved, report_thresholds.interval.value, text) : ""),
           .title = "bytes", .key = "bytes", .format = COLUMN_SI, .json = 1, .text = {STAYS});
    const struct {
        const char *title, *key;
        double bytes;
        unsigned char rank;
    } parts[] = {{"loaded", "load_bytes", m->load_bytes, 5},
                 {"for stores", "allocate_bytes", m->allocate_bytes, 3},
                 {"written", "write_back_bytes", m->write_back_bytes, 4},
                 {"victims", "victim_bytes", m->victim_bytes, 6},
                 {"past caches", "nontemporal_bytes", m->nontemporal_bytes, 7}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        column(to, moved_cell(is_link, parts[i].bytes), .title = parts[i].title, .key = parts[i].key,
               .format = COLUMN_SI, .unit = "B", .json = 1, .text = {parts[i].rank});
    column(to, cell_number(is_link, link->low_bytes), .key = "low_bytes", .json = 1);
    column(to, cell_number(is_link, link->high_bytes), .key = "high_bytes", .json = 1);
    column(to, cell_positive(link->flop_per_byte), .title = "flop/B", .key = "flop_per_byte", .format = COLUMN_NUMBER,
           .json = 1, .text = {STAYS});
    column(to, cell_text(roof ? link->roof->sample->kernel : ""), .key = "roof", .json = 1);
    column(to, cell_number(roof, link->allowed_bytes_per_s), .key = "bytes_per_s", .json = 1);
    column(to, cell_number(roof, link->seconds), .title = "alone", .key = "seconds_alone", .format = COLUMN_SI,
           .unit = "s", .json = 1, .text = {STAYS});
    column(to, cell_read(cell_number(roof, link->share), share_text(roof ? link->share : 0, text)),
           .title = "of its time", .key = "share", .format = COLUMN_PERCENT, .json = 1, .text = {1});
    if (roof)
        snprintf(text, sizeof text, "%s, %s", link->roof->sample->kernel,
                 units_si(rate, sizeof rate, link->allowed_bytes_per_s, is_link ? "B/s" : "flop/s"));
    column(to, cell_text(roof ? text : ""), .title = "roof", .text = {2});
}

static void print_links(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out) {
    struct column_walk to = columns_table(0);
    to.table.brief = true;
    for (size_t p = 0; p < count; p++) {
        const struct link_times *times = &verdicts[p].times;
        for (unsigned i = 0; i < times->count; i++) {
            columns_row(&to);
            link_columns(&to, i == 0 ? points[p].name : "", &times->link[i], &points[p].levels.link[i]);
        }
        if (times->count > 0 && times->ceiling) {
            const struct link_time ceiling = {.name = "ceiling",
                                              .roof = times->ceiling,
                                              .seconds = times->ceiling_seconds,
                                              .share = times->ceiling_share,
                                              .allowed_bytes_per_s = times->ceiling->sample->value};
            columns_row(&to);
            link_columns(&to, "", &ceiling, NULL);
        }
    }
    columns_print_section(&to, out);
}

/* The touched memory. */
static void touched_columns(struct column_walk *to, const struct app_point *point) {
    static const char *const MISSES[HIERARCHY_TLBS] = {"TLB misses, L1", "L2"};
    const struct point_levels *levels = &point->levels;
    json_t *misses = json_array();
    column(to, cell_text(point->name), .title = "touched", .text = {STAYS});
    column(to, cell_text(levels->caches), .key = "caches", .json = 1, .raw_json = true);
    column(to, cell_amount(true, levels->one_of), .key = "one_of", .json = 1);
    column(to, cell_positive(levels->footprint_bytes), .title = "lines", .key = "footprint_bytes",
           .format = COLUMN_BINARY, .json = 1, .text = {1});
    column(to, cell_positive(levels->pages), .title = "pages of 4 KiB", .key = "pages", .format = COLUMN_SI, .unit = "",
           .json = 1, .text = {1});
    column(to, cell_positive(levels->utilisation), .title = "of each line used", .key = "utilisation",
           .format = COLUMN_PERCENT, .json = 1, .text = {1});
    for (size_t i = 0; i < HIERARCHY_TLBS; i++) {
        json_array_append_new(misses, json_real(levels->tlb_misses[i]));
        column(to, cell_number(true, levels->tlb_misses[i]), .title = MISSES[i], .format = COLUMN_SI, .unit = "",
               .text = {1});
    }
    column(to, cell_json(misses), .key = "tlb_misses", .json = 1);
}

static void print_footprints(const struct app_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_table(0);
    for (size_t p = 0; p < count; p++)
        if (points[p].levels.links > 0) {
            columns_row(&to);
            touched_columns(&to, &points[p]);
        }
    columns_print_section(&to, out);
}

/* The simulated caches, once for all points that share them. */
static void print_caches(const struct app_point *points, size_t count, FILE *out) {
    const char *last = "";
    for (size_t p = 0; p < count; p++) {
        const struct point_levels *levels = &points[p].levels;
        char line[sizeof levels->caches + 96];
        if (levels->links == 0 || strcmp(levels->caches, last) == 0)
            continue;
        if (levels->one_of > 1)
            snprintf(line, sizeof line, "Simulated: %s; one of %u classes of cache lines.", levels->caches,
                     levels->one_of);
        else
            snprintf(line, sizeof line, "Simulated: %s; all cache lines.", levels->caches);
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

void report_levels_columns(struct column_walk *to, const struct link_times *times, const struct app_point *point,
                           unsigned char place) {
    const unsigned count = (unsigned)shape_count(times->count);
    struct column_walk own;
    json_t *links = count ? json_array() : json_null(), *touched = json_null();
    for (unsigned i = 0; i < count; i++) {
        own = columns_json();
        link_columns(&own, "", &times->link[i], &point->levels.link[i]);
        json_array_append_new(links, columns_end_json(&own));
    }
    if (count) {
        own = columns_json();
        touched_columns(&own, point);
        touched = columns_end_json(&own);
    }
    column(to, cell_json(shape_nullable(links)), .key = "links", .json = place);
    column(to, cell_number(count && times->ceiling, times->ceiling_seconds), .key = "ceiling_seconds_alone",
           .json = place);
    column(to, cell_json(shape_nullable(touched)), .key = "simulated", .json = place);
}
