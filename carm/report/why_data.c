/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ, as JSON (see why_report.h). */
#include "report_doubts.h"
#include "why_report.h"
#include "why_words.h"

#include <math.h>
#include <string.h>

#include "carm/store/fields.h"
#include "carm/store/results.h"
#include "carm/text/or_null.h"

static json_t *end_json(const struct why_end *end) {
    const struct sample *sample = end->roof->sample;
    return json_pack("{s:s,s:o,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", sample->kernel, "level",
                     text_or_null(sample->level), "value", end->value, "clock_hz", number_or_null(end->clock_hz),
                     "per_cycle", number_or_null(end->per_cycle), "alone_value", number_or_null(end->alone),
                     "alone_clock_hz", number_or_null(end->alone_clock_hz), "alone_per_cycle",
                     number_or_null(end->alone_per_cycle), "kept", number_or_null(end->kept), "cores",
                     end->cores ? json_integer(end->cores) : json_null(), "level_bytes",
                     end->level_bytes ? json_integer((json_int_t)end->level_bytes) : json_null(), "doubts",
                     doubts_json(sample->doubts));
}

static json_t *factors_json(const struct why *why) {
    json_t *list = json_array();
    char words[WHY_WORDS_BYTES];
    for (int f = 0; f < WHY_FACTORS; f++)
        if (!isnan(why->factors[f]))
            json_array_append_new(
                list, json_pack("{s:s,s:f,s:f,s:o,s:o}", "name", why_factor_names[f], "ratio", why->factors[f], "log2",
                                log2(why->factors[f]), "share", number_or_null(why_share(why, (enum why_factor)f)),
                                "words", fields_text(why_factor_words(why, (enum why_factor)f, words, sizeof words))));
    return list;
}

static json_t *ratio_json(const struct why *why) {
    char name[128], place[192], product[WHY_WORDS_BYTES], meaning[WHY_WORDS_BYTES];
    return json_pack("{s:o,s:s,s:s,s:s,s:f,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "roof",
                     fields_text(why_name(why, name, sizeof name)), "kind", results_kind_names[why->key.kind], "place",
                     roof_key_place(&why->key, place, sizeof place), "unit", roof_key_unit_name(&why->key), "ratio",
                     why->ratio, "alike", (int)why->alike, "paced_by_clock", (int)why->paced, "factors",
                     factors_json(why), "cores_ratio", number_or_null(why->count_ratio), "kept_ratio",
                     number_or_null(why->kept_ratio), "a", end_json(&why->from), "b", end_json(&why->to), "product",
                     fields_text(why_product(why, product, sizeof product)), "meaning",
                     fields_text(why_meaning(why, meaning, sizeof meaning)));
}

json_t *why_json(const struct comparison *c, const struct why_list *list) {
    json_t *sides = json_array(), *ratios = json_array();
    for (size_t turn = 0; turn < 2; turn++) {
        const struct compare_side *side = &c->sides[compare_turn(c, turn)];
        json_array_append_new(sides, json_pack("{s:o,s:o,s:o}", "label", fields_text(side->label), "file",
                                               fields_text(side->path), "host",
                                               fields_text(side->model->result->machine.host)));
    }
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(ratios, ratio_json(&list->list[i]));
    return json_pack("{s:s,s:o,s:o}", "schema", "carmine.why/1", "machines", sides, "ratios", ratios);
}
