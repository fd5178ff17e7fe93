/* SPDX-License-Identifier: BSD-3-Clause
 * What a roofline says in words (see chart_roofline_texts.h). */
#include "chart_roofline_texts.h"

#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "probe/isa.h"

enum { UNTRIED_BYTES = 128 };

/* "2 cores", "16 E cores", "8 threads"; of several numbers "1 and 2 cores". */
static void write_cores(const struct roofs *roofs, char *out, size_t size) {
    const struct model_view *view = &roofs->view;
    char fewer[48] = "";
    for (const struct roofs *r = roofs->fewer; r; r = r->fewer) {
        char more[sizeof fewer];
        snprintf(more, sizeof more, "%s", fewer);
        snprintf(fewer, sizeof fewer, "%u%s%.32s", r->view.threads, r == roofs->fewer ? " and " : ", ", more);
    }
    snprintf(out, size, "%s%u %s%s%s%s", fewer, view->threads, view->core_kind, *view->core_kind ? " " : "",
             view->smt ? "thread" : "core", view->threads == 1 ? "" : "s");
}

void roofline_title(const struct roofs *roofs, bool pseudo_flop, char *out, size_t size) {
    char name[160], place[128], cores[96];
    const struct model_view *view = &roofs->view;
    struct sample where = *roofs->peak->sample;
    where.core_kind[0] = '\0'; /* said with the number */
    model_place_text(&where, place, sizeof place);
    write_cores(roofs, cores, sizeof cores);
    const char *cpu = describe_cpu(roofs->model->result, name, sizeof name);
    if (view->threads == 0) /* of a GPU, or not told by another tool */
        snprintf(out, size, "%s · %s%s", cpu, view->type, pseudo_flop ? " · pseudo-flop" : "");
    else
        snprintf(out, size, "%s · %s%s%s · %s%s", cpu, cores, *place ? " · " : "", place, view->type,
                 pseudo_flop ? " · pseudo-flop" : "");
}

/* By which clocks rates are per cycle. */
static const char *clocks_of(const struct roofs *roofs, const struct points *points) {
    if (!roofs->per_cycle) /* of several there is room for one unit alone */
        return roofs->several ? "" : "Per cycle and core, at the clock under load.";
    return points->clocks_assumed ? "Per cycle of each roof's own clock; a point of unknown clock stands at that of "
                                    "the roof that binds it."
           : points->count        ? "Per cycle of each roof's and point's own clock."
                                  : "Per cycle of each roof's own clock.";
}

static const char *const BYTES_TOLD[] = {
    [BYTES_CORE] = "Bytes are those that the core asks for; write-allocate is not counted.",
    [BYTES_LOADED] = "Bytes are those that the core loads. A level's roof is the pattern that loads most, its band "
                     "reaches down to loads alone.",
    [BYTES_STORED] = "Bytes are those that the core stores. A level's roof is the pattern that stores most, its "
                     "band reaches down to stores alone.",
    [BYTES_DRAM] = "Bytes are those that pass between caches and memory, write-allocate and write-back included; "
                   "the roof is the pattern that moves most, its band reaches down to the one that moves least.",
    [BYTES_DRAM_READ] = "Bytes are those that are read from memory, for write-allocate too; the roof is the pattern "
                        "that reads most, its band reaches down to loads alone.",
    [BYTES_DRAM_WRITTEN] = "Bytes are those that are written to memory; the roof is the pattern that writes most, "
                           "its band reaches down to stores alone.",
};

char *roofline_untried(const struct roofs *roofs, char *out, size_t size) {
    const struct isa *isa = roofs->view.isa ? isa_find(roofs->view.isa) : NULL;
    if (isa && *roofs->untried)
        snprintf(out, size, "%s: %s not measured", isa->label, roofs->untried);
    else
        *out = '\0';
    return out;
}

void roofline_footer(const struct roofs *roofs, const struct points *points, bool rings, char *out, size_t size) {
    char points_text[320], untried[UNTRIED_BYTES], level_text[sizeof untried + 128];
    const char *of = roofs->bytes == BYTES_CORE   ? "that fits their own code"
                     : roofs->bytes == BYTES_DRAM ? "of their share of writes"
                                                  : "next above them";
    const bool imported = doubts_has(roofs->peak->sample->doubts, DOUBT_IMPORTED);
    const char *bytes = BYTES_TOLD[roofs->bytes], *first = "", *last = clocks_of(roofs, points);
    snprintf(
        points_text, sizeof points_text,
        "Points: medians, boxes from quartile to quartile, whiskers to the extremes. A dashed line leads to a piece "
        "of the roof %s; beside the name, how much of it they reach. ",
        of);
    if (*roofline_untried(roofs, untried, sizeof untried))
        snprintf(level_text, sizeof level_text,
                 "A level's roof is the best of the access patterns that were measured (%s). ", untried);
    else
        snprintf(level_text, sizeof level_text,
                 "A level's roof is its best access pattern, its band reaches down to the weakest. ");
    if (points->count)
        first = points_text;
    else if (rings)
        first = "Rings: kernels that load and compute, at their own clock; loads alone run at a higher one where heavy "
                "vector code lowers it. ";
    else if (roofs->level_count && strcmp(roofs->levels[0].roof->op, MODEL_MEDIAN) == 0)
        first = "A level's roof is the median over its sizes, its band reaches down to the weakest pattern. ";
    else if (roofs->bytes == BYTES_CORE)
        first = level_text;
    if (roofs->documented && !points->count)
        first =
            imported ? "Dashed: what is documented. " : "Dashed: what is documented, at the clock that was measured. ";
    if (imported) /* neither patterns nor clock are known of it */
        last = "", bytes = roofs->bytes == BYTES_DRAM ? "Bytes are those that pass between caches and memory." : bytes;
    snprintf(out, size, "%s%s %s", first, bytes, last);
}

void roofline_caption(const struct roofs *roofs, const struct sample *const *drawn, size_t count, char *out,
                      size_t size) {
    static const char *const SUBJECTS[] = {
        [BYTES_CORE] = "Cache-aware roofline",
        [BYTES_LOADED] = "Roofline by the bytes loaded",
        [BYTES_STORED] = "Roofline by the bytes stored",
        [BYTES_DRAM] = "Roofline by the bytes between caches and memory",
        [BYTES_DRAM_READ] = "Roofline by the bytes read from memory",
        [BYTES_DRAM_WRITTEN] = "Roofline by the bytes written to memory",
    };
    char untried[UNTRIED_BYTES];
    const bool some = *roofline_untried(roofs, untried, sizeof untried);
    const size_t length = (size_t)snprintf(out, size, "%s. %s%s", SUBJECTS[roofs->bytes], untried, some ? ". " : "");
    chart_caption(drawn, count, out + length, size - length);
}
