/* SPDX-License-Identifier: BSD-3-Clause
 * The type and width of a program's code, and the roofs that fit it. */
#include "applicable_roofs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/instruction.h"
#include "bench/kernels/levels.h"
#include "bench/profile/profile.h"
#include "bench/programs/app_point.h"
#include "carm/store/results.h"
#include "model_thresholds.h"
#include "probe/isa.h"
#include "probe/machine.h"

static const struct verdict_thresholds *const THRESHOLD = &verdict_thresholds;
static const double ROUNDING = 1e-9; /* 1/3 equals 1/3 however it was computed */
enum { MAX_PLACES = 64 };

/* STREAM's patterns, and the memory traffic that other tools and data sheets state. No kernels exist for these. */
static const struct pattern FOREIGN[] = {
    {.op = "copy", .loads = 1, .stores = 1},
    {.op = "scale", .loads = 1, .stores = 1},
    {.op = "add", .loads = 2, .stores = 1},
    {.op = "triad", .loads = 2, .stores = 1},
    {.op = "traffic"},
};

/* Lines of one group of a pattern: loaded and stored by the core, read and written between caches and memory. */
struct pattern_lines {
    unsigned loads, stores, reads, writes;
};

/* NULL for loads and stores of single elements and for random lines: only streams of whole registers fit programs. */
static const struct pattern *applicable_roofs_pattern_of(const struct roof *roof) {
    if (roof->sample->kind != SAMPLE_BANDWIDTH || model_is_elementwise(roof) || roof->stated_limit)
        return NULL;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof FOREIGN[0]; i++)
        if (strcmp(FOREIGN[i].op, roof->op) == 0)
            return &FOREIGN[i];
    const struct pattern *pattern = pattern_find(roof->op);
    return pattern && !pattern->scattered ? pattern : NULL;
}

/* Whether it is a pattern of bytes that the core requests. */
static bool is_asked(const struct roof *roof) {
    const struct pattern *pattern = applicable_roofs_pattern_of(roof);
    return pattern && pattern->loads + pattern->stores > 0;
}

static struct pattern_lines applicable_roofs_lines_of(const struct roof *roof) {
    const struct pattern *pattern = applicable_roofs_pattern_of(roof);
    if (!is_asked(roof)) /* all traffic counts as half read, half written */
        return (struct pattern_lines){.reads = 1, .writes = 1};
    return (struct pattern_lines){pattern->loads, pattern->stores, pattern_reads(pattern), pattern->stores};
}

const char *applicable_mix(const struct roof *roof, char out[PATTERN_RATIO_BYTES]) {
    return is_asked(roof) ? pattern_ratio(applicable_roofs_pattern_of(roof), out) : "all traffic";
}

/* The type of most of its flop, and the ISAs of the width of most of those. */
static const char *applicable_roofs_code_of(const struct app_point *point, const char *isas[2]) {
    static const char *const OF_WIDTH[COUNT_WIDTHS][2] = {{"scalar"}, {"sse"}, {"avx2", "avx"}, {"avx512"}, {"amx"}};
    static const char *const OF_X87[2] = {"x87"};
    static const char *const TYPES[COUNT_TYPES] = {"f64", "f32", "f16", "bf16", [COUNT_X87] = "f64"};
    const char *type_name = point->flop_type[0] ? point->flop_type : "f64"; /* counters report no type */
    uint64_t most = 0;
    isas[0] = isas[1] = NULL;
    for (unsigned type = 0; point->has_count && type < COUNT_TYPES; type++) {
        const uint64_t *flop = point->count.flop[type];
        uint64_t all = 0;
        unsigned main_width = 0;
        for (unsigned width = 0; width < COUNT_WIDTHS; width++) {
            all += flop[width];
            main_width = flop[width] > flop[main_width] ? width : main_width;
        }
        if (count_is_integer(type) || all <= most)
            continue;
        most = all;
        type_name = TYPES[type];
        const char *const *own = type == COUNT_X87 ? OF_X87 : OF_WIDTH[main_width];
        isas[0] = own[0], isas[1] = own[1];
    }
    return type_name;
}

/* Hardly any flop, few instructions on vectors, and no more bytes per access than a general register has. */
static bool is_scalar(const struct app_point *point) {
    enum { REGISTER_BYTES = 8 };
    static const enum effect_class VECTORS[] = {CLASS_FLOP_128,  CLASS_FLOP_256, CLASS_FLOP_512,
                                                CLASS_FLOP_TILE, CLASS_SHUFFLE,  CLASS_GATHER};
    const struct count *count = &point->count;
    const double all = (double)count->instructions;
    uint64_t vectors = 0;
    for (size_t i = 0; i < sizeof VECTORS / sizeof VECTORS[0]; i++)
        vectors += count->mix[VECTORS[i]];
    return point->has_count && all > 0 && (double)count_flop(count) < THRESHOLD->scarce.value * all &&
           (double)vectors <= THRESHOLD->few.value * all &&
           count->load_bytes <= REGISTER_BYTES * count->load_instructions &&
           count->store_bytes <= REGISTER_BYTES * count->store_instructions;
}

/* Whether these roofs were measured on as many CPUs that share cores as the point's threads use. */
static bool is_shared_alike(const struct model_view *place, const struct app_point *point) {
    const unsigned at_a_time = app_point_at_a_time(point);
    return point->cores > 0 && at_a_time > point->cores && place->smt && place->threads == at_a_time;
}

/* Whether the place has enough cores. For threads that share cores, roofs of other numbers of CPUs do not fit. */
static bool applicable_roofs_is_enough(const struct model *model, const struct model_view *place,
                                       const struct app_point *point) {
    const unsigned cores = app_point_cores(point);
    if (point->cores > 0 && place->smt)
        return is_shared_alike(place, point);
    return place->threads >= cores || place->threads >= model->result->machine.core_count;
}

/* Whether place a is better: the fewest sufficient threads, then whole cores, then the highest ceiling. */
static bool applicable_roofs_is_better(const struct model *model, const struct model_view *a,
                                       const struct model_view *b, const struct app_point *point) {
    const unsigned threads = app_point_cores(point);
    if (is_shared_alike(a, point) != is_shared_alike(b, point))
        return is_shared_alike(a, point);
    if (a->threads != b->threads)
        return (b->threads >= threads) == (a->threads < b->threads);
    if (a->smt != b->smt)
        return b->smt;
    return model_peak(model, a)->sample->value > model_peak(model, b)->sample->value;
}

/* From theory where that exists, else as measured. */
static double traffic_of(const struct applicable_roofs *applicable, const struct app_point *point) {
    double compulsory_bytes = point->compulsory_read_bytes + point->compulsory_write_bytes;
    if (applicable->streams && compulsory_bytes > 0)
        return compulsory_bytes / app_core_bytes(point);
    return point->dram_source == SOURCE_UNKNOWN ? (double)NAN : app_bandwidth_bound(point);
}

/* Whether the highest ceiling is measured, and none that is blank may be above it. */
static bool has_known_peak(const struct model *model, const struct model_view *place) {
    const struct roof *peak = model_peak(model, place);
    return peak && !model_blank_above(model, place, "", peak);
}

bool applicable_make(const struct model *model, const struct app_point *point, struct applicable_roofs *out) {
    struct model_view places[MAX_PLACES];
    size_t count = model_places(model, places, MAX_PLACES);
    bool found = false;
    bool stated = (point->bytes_source == SOURCE_STATED || point->bytes_source == SOURCE_IMPORTED) &&
                  point->store_bytes.median == 0;
    *out = (struct applicable_roofs){.model = model};
    out->view.type = applicable_roofs_code_of(point, out->isas);
    out->scalar = is_scalar(point);
    if (out->scalar)
        out->isas[0] = "scalar", out->isas[1] = NULL;
    const char *type = out->view.type;
    out->store_share = stated ? (double)NAN : point->store_bytes.median / app_core_bytes(point);
    const uint64_t flop = point->has_count ? count_flop(&point->count) : 0;
    out->fused_share = flop > 0 ? (double)point->count.fused_flop / (double)flop : (double)NAN;
    out->streams = point->working_set_bytes > 0 &&
                   app_core_bytes(point) <= THRESHOLD->streams.value * (double)point->working_set_bytes;
    out->traffic = traffic_of(out, point);
    if (point->threads == 0 && model->result->machine.core_count > 0) /* one thread or all: the difference matters */
        count = 0;
    for (size_t i = 0; i < count; i++) {
        struct model_view *place = &places[i];
        place->type = type;
        if (!applicable_roofs_is_enough(model, place, point) || place->package || place->node || place->memory_node ||
            !has_known_peak(model, place) || (found && !applicable_roofs_is_better(model, place, &out->view, point)))
            continue;
        out->view = *place;
        found = true;
    }
    const struct levels levels = model_levels(model, &out->view);
    if (levels.count) {
        snprintf(out->core, sizeof out->core, "%s", levels.level[0].name);
        snprintf(out->memory, sizeof out->memory, "%s", levels.level[levels.count - 1].name);
    }
    return found;
}

static bool applicable_roofs_is_own(const struct applicable_roofs *applicable, const struct roof *roof) {
    for (size_t i = 0; i < 2 && applicable->isas[i]; i++)
        if (strcmp(applicable->isas[i], roof->isa) == 0)
            return true;
    return false;
}

/* Some cores have ports for additions beside FMA. The ceiling of both is that of code which keeps all of them busy:
 * code of some FMA, or of a share that nobody knows, is judged by FMA. */
static bool is_of_own_operations(const struct applicable_roofs *applicable, const struct roof *roof) {
    const struct arithmetic *arithmetic = arithmetic_find(roof->op);
    const bool fused = arithmetic && arithmetic->sort == FUSED,
               all = applicable->fused_share >= 1 - THRESHOLD->few.value,
               none = applicable->fused_share <= THRESHOLD->few.value;
    return all ? fused && arithmetic->peak : !fused || (!none && arithmetic->peak);
}

/* The ceilings to choose from. */
struct peak_choice {
    bool own_width, own_operations;
    unsigned above_bytes; /* only of vectors wider than this */
};

static unsigned applicable_roofs_width_bytes(const struct roof *roof) {
    const struct isa *isa = isa_find(roof->isa);
    return isa ? isa->vector_bytes : 0;
}

static const struct roof *best_peak(const struct applicable_roofs *applicable, struct peak_choice choice) {
    const struct roof *best = NULL;
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        if (roof->sample->kind == SAMPLE_COMPUTE && !roof->stated_limit && model_in_view(roof, &applicable->view) &&
            (!choice.own_width || applicable_roofs_is_own(applicable, roof)) &&
            (!choice.own_operations || is_of_own_operations(applicable, roof)) &&
            (!choice.above_bytes || applicable_roofs_width_bytes(roof) > choice.above_bytes) &&
            (!best || roof->sample->value > best->sample->value))
            best = roof;
    }
    return best;
}

const struct roof *applicable_peak(const struct applicable_roofs *applicable) {
    const bool fused = applicable->fused_share >= 1 - THRESHOLD->few.value;
    const struct roof *best = fused ? best_peak(applicable, (struct peak_choice){.own_operations = true}) : NULL;
    return best ? best : model_highest(applicable->model, &applicable->view);
}

const struct roof *applicable_own_peak(const struct applicable_roofs *applicable) {
    static const struct peak_choice CHOICES[] = {
        {.own_width = true, .own_operations = true}, {.own_width = true}, {.own_operations = true}};
    const struct roof *best = NULL;
    for (size_t i = 0; i < sizeof CHOICES / sizeof *CHOICES && !best; i++)
        best = best_peak(applicable, CHOICES[i]);
    return best;
}

const struct roof *applicable_ceiling(const struct applicable_roofs *applicable, double flop_per_s) {
    const struct roof *const choices[] = {applicable_own_peak(applicable),
                                          best_peak(applicable, (struct peak_choice){.own_width = true})};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i] && flop_per_s <= choices[i]->sample->value * THRESHOLD->near.value)
            return choices[i];
    return applicable_peak(applicable);
}

const struct roof *applicable_wider_peak(const struct applicable_roofs *applicable, const struct roof *narrow) {
    return best_peak(applicable,
                     (struct peak_choice){.own_operations = true, .above_bytes = applicable_roofs_width_bytes(narrow)});
}

bool applicable_is_wider(const struct roof *roof, const struct roof *narrow) {
    return applicable_roofs_width_bytes(roof) > applicable_roofs_width_bytes(narrow);
}

const struct roof *applicable_fused_peak(const struct applicable_roofs *applicable) {
    struct applicable_roofs fused = *applicable;
    fused.fused_share = 1;
    return best_peak(&fused, (struct peak_choice){.own_width = true, .own_operations = true});
}

/* Whether a streaming program is as fast as its traffic to and from this level. */
static bool waits_for_traffic(const struct applicable_roofs *applicable, const struct roof *roof) {
    return applicable->streams && !isnan(applicable->traffic) && strcmp(roof->sample->level, applicable->core) != 0;
}

/* The distance between pattern and program in the share of stores. Traffic decides between equals; beyond the level
 * next to the core, where streaming programs wait for their traffic, it counts nearly as much. */
static double applicable_roofs_distance(const struct applicable_roofs *applicable, const struct roof *roof) {
    const struct pattern_lines lines = applicable_roofs_lines_of(roof);
    double asked = lines.loads + lines.stores, share = lines.stores / asked;
    double traffic = (lines.reads + lines.writes) / asked;
    if (isnan(applicable->store_share))
        return 0;
    bool decides =
        !isnan(applicable->traffic) && (applicable->streams || strcmp(roof->sample->level, applicable->memory) == 0);
    const double weight =
        waits_for_traffic(applicable, roof) ? THRESHOLD->traffic_weight.value : THRESHOLD->traffic_tie.value;
    return fabs(share - applicable->store_share) + (decides ? weight * fabs(traffic - applicable->traffic) : 0);
}

/* The patterns to choose from. */
struct pattern_choice {
    const char *level;
    double farthest;           /* distance */
    const char *op, *other_op; /* only this one, not this one; NULL: any */
    const char *isa;           /* NULL: any */
    bool own;                  /* only of the program's vector width */
};

static const struct roof *best_pattern(const struct applicable_roofs *applicable, const struct pattern_choice *choice) {
    const struct roof *best = NULL;
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        if (is_asked(roof) && model_in_view(roof, &applicable->view) &&
            strcmp(roof->sample->level, choice->level) == 0 &&
            applicable_roofs_distance(applicable, roof) <= choice->farthest &&
            (!choice->op || strcmp(roof->op, choice->op) == 0) &&
            (!choice->other_op || strcmp(roof->op, choice->other_op) != 0) &&
            (!choice->isa || strcmp(roof->isa, choice->isa) == 0) &&
            (!choice->own || applicable_roofs_is_own(applicable, roof)) &&
            (!best || roof->sample->value > best->sample->value))
            best = roof;
    }
    return best;
}

static double nearest_distance(const struct applicable_roofs *applicable, const char *level, bool own) {
    double nearest = INFINITY;
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        if (is_asked(roof) && model_in_view(roof, &applicable->view) && strcmp(roof->sample->level, level) == 0 &&
            (!own || applicable_roofs_is_own(applicable, roof)))
            nearest = fmin(nearest, applicable_roofs_distance(applicable, roof));
    }
    return nearest + ROUNDING;
}

const struct roof *applicable_pattern(const struct applicable_roofs *applicable, const char *level, bool any_width) {
    const bool scalar = applicable->scalar && !any_width;
    struct pattern_choice choice = {
        .level = level, .farthest = nearest_distance(applicable, level, scalar), .own = true};
    const struct roof *own = any_width ? NULL : best_pattern(applicable, &choice);
    if (scalar && own)
        return own;
    choice.farthest = nearest_distance(applicable, level, false);
    choice.own = false;
    if (own) {
        choice.op = own->op;
        const struct roof *widest = best_pattern(applicable, &choice);
        choice.op = NULL;
        choice.own = own->sample->value < THRESHOLD->narrow.value * widest->sample->value;
    }
    return best_pattern(applicable, &choice);
}

/* Bytes of the point's data that one instance of the level must hold. */
static double share_of_level(const struct applicable_roofs *applicable, const struct app_point *point, unsigned level) {
    const struct core_kind *kind = &applicable->model->result->machine.kinds[0];
    unsigned threads = point->threads ? app_point_cores(point) : 1,
             sharing = level < kind->cache_count ? kind->caches[level].sharing_core_count : threads;
    sharing = sharing > 0 ? sharing : 1;
    return (double)point->working_set_bytes * (sharing < threads ? sharing : threads) / threads;
}

const struct roof *applicable_home(const struct applicable_roofs *applicable, const struct app_point *point) {
    const struct levels levels = model_levels(applicable->model, &applicable->view);
    if (!applicable->streams || point->data == STATE_UNKNOWN || levels.count == 0)
        return NULL;
    unsigned home = 0, memory = levels.count - 1;
    while (home < memory && share_of_level(applicable, point, home) >
                                THRESHOLD->fills.value * (double)levels.level[home].effective_bytes)
        home++;
    bool clear = home == 0 || share_of_level(applicable, point, home - 1) >=
                                  THRESHOLD->exceeds.value * (double)levels.level[home - 1].effective_bytes;
    if (point->data == STATE_COLD)
        home = memory, clear = true;
    return clear ? applicable_pattern(applicable, levels.level[home].name, false) : NULL;
}

const struct roof *applicable_other_pattern(const struct applicable_roofs *applicable, const struct roof *pattern) {
    return best_pattern(applicable,
                        &(struct pattern_choice){.level = pattern->sample->level,
                                                 .farthest = applicable_roofs_distance(applicable, pattern) + ROUNDING,
                                                 .other_op = pattern->op,
                                                 .isa = pattern->isa});
}

struct pattern_share pattern_share(const struct roof *roof) {
    if (!applicable_roofs_pattern_of(roof))
        return (struct pattern_share){0};
    const struct pattern_lines lines = applicable_roofs_lines_of(roof);
    double asked = is_asked(roof) ? lines.loads + lines.stores : lines.reads + lines.writes;
    return (struct pattern_share){lines.loads / asked, lines.stores / asked, lines.reads / asked, lines.writes / asked};
}

double applicable_traffic_bytes_per_s(const struct roof *roof) {
    const struct pattern_share share = pattern_share(roof);
    return roof->sample->value * (share.read + share.written);
}

double applicable_bytes_per_s(const struct applicable_roofs *applicable, const struct roof *roof) {
    return waits_for_traffic(applicable, roof) ? applicable_traffic_bytes_per_s(roof) / applicable->traffic
                                               : roof->sample->value;
}

const struct roof *applicable_traffic(const struct applicable_roofs *applicable, const char *level,
                                      double write_share) {
    const struct roof *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < applicable->model->count; i++) {
        const struct roof *roof = &applicable->model->roofs[i];
        if (!applicable_roofs_pattern_of(roof) || !model_in_view(roof, &applicable->view) ||
            strcmp(roof->sample->level, level) != 0)
            continue;
        const struct pattern_lines lines = applicable_roofs_lines_of(roof);
        double off = fabs((double)lines.writes / (lines.reads + lines.writes) - write_share);
        bool as_near = off < nearest + ROUNDING;
        if (off < nearest - ROUNDING ||
            (as_near && applicable_traffic_bytes_per_s(roof) > applicable_traffic_bytes_per_s(best))) {
            best = roof;
            nearest = off;
        }
    }
    return best;
}
