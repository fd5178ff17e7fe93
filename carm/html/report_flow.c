/* SPDX-License-Identifier: BSD-3-Clause
 * What passed over each link between the core, caches and memory, as the page draws it: boxes in a row, and between
 * them arrows in both directions, as thick as their bytes. */
#include <stdio.h>

#include "carm/store/fields.h"
#include "render/page/units.h"
#include "report_parts.h"

enum { TEXT_BYTES = 160 };

/* "1.28 GB loads"; nothing of what did not pass. */
static void add_amount(json_t *texts, double bytes, const char *what) {
    char text[TEXT_BYTES], amount[UNITS_BYTES];
    if (!(bytes > 0))
        return;
    snprintf(text, sizeof text, "%s %s", units_si(amount, sizeof amount, bytes, "B"), what);
    json_array_append_new(texts, json_string(text));
}

static json_t *inwards_json(const struct point_link *moved) {
    json_t *texts = json_array();
    add_amount(texts, moved->load_bytes, "loads");
    add_amount(texts, moved->allocate_bytes, "write-allocate");
    return json_pack("{s:f,s:o}", "bytes", moved->load_bytes + moved->allocate_bytes, "texts", texts);
}

/* What the core stores is what goes outwards from it. */
static json_t *outwards_json(const struct point_link *moved, bool of_core) {
    json_t *texts = json_array();
    add_amount(texts, moved->write_back_bytes, of_core ? "stores" : "write-back");
    add_amount(texts, moved->victim_bytes, "victims");
    add_amount(texts, moved->nontemporal_bytes, "past the caches");
    return json_pack("{s:f,s:o}", "bytes", moved->write_back_bytes + moved->victim_bytes + moved->nontemporal_bytes,
                     "texts", texts);
}

static const char *share_text(double share, char out[TEXT_BYTES]) {
    if (share < 0.001)
        snprintf(out, TEXT_BYTES, "<0.1 %%");
    else
        snprintf(out, TEXT_BYTES, "%.*f %%", share < 0.0095 ? 1 : 0, 100 * share);
    return out;
}

static json_t *link_json(const struct link_times *times, const struct point_link *moved, unsigned i) {
    const struct link_time *link = &times->link[i];
    const bool longest = (int)i == times->longest;
    char text[TEXT_BYTES] = "", share[TEXT_BYTES];
    if (link->roof)
        snprintf(text, sizeof text, "%s%.16s of its time", longest ? "longest: " : "", share_text(link->share, share));
    return json_pack("{s:s,s:s,s:b,s:o,s:o}", "name", link->name, "share", text, "longest", (int)longest, "inwards",
                     inwards_json(moved), "outwards", outwards_json(moved, i == 0));
}

json_t *report_flow_json(const struct link_times *times, const struct app_point *point) {
    char title[2 * TEXT_BYTES], share[TEXT_BYTES], most[TEXT_BYTES] = "";
    json_t *levels, *links = json_array();
    if (times->count == 0) {
        json_decref(links);
        return NULL;
    }
    levels = json_pack("[s]", "core");
    for (unsigned i = 0; i < times->count; i++) {
        json_array_append_new(levels, fields_text(times->link[i].level));
        json_array_append_new(links, link_json(times, &point->levels.link[i], i));
    }
    if (times->longest == LINK_TIMES_CEILING)
        snprintf(most, sizeof most, "; its ceiling needs the longest, %.16s", share_text(times->ceiling_share, share));
    snprintf(title, sizeof title,
             "%.95s: what passed between core, caches and memory, simulated, and the share of its time that each link "
             "would need alone%.64s.",
             point->name, most);
    return json_pack("{s:o,s:o,s:o}", "title", fields_text(title), "levels", levels, "links", links);
}
