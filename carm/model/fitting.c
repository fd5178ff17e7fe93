/* SPDX-License-Identifier: BSD-3-Clause
 * What code a program is of, and which roofs are of such code (see fitting.h). */
#include "fitting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WIDTH_COUNTS = 0.8; /* of the widest code's bandwidth: above it narrower code is hardly slower */
static const double TOUCHES = 2.02;     /* of each byte, reading and writing it: what streams has no more */
static const double FILLS = 0.6;        /* of a level, at most, to be in it */
static const double EXCEEDS = 2;        /* the level inside, at least, not to be in that */
static const double FEW = 0.05;         /* flop, to be of no account */
enum { MOST_PLACES = 64 };

/* What a pattern asks for, and what then passes between caches and memory: a line that is stored to without having been
 * loaded is read first (write-allocate). */
static const struct pattern {
    const char *op, *mix;
    unsigned loads, stores;
    unsigned reads, writes;
} PATTERNS[] = {
    {"load", "loads", 1, 0, 1, 0},
    {"store", "stores", 0, 1, 1, 1},
    {"ntstore", "stores", 0, 1, 0, 1},
    {"1ld1st", "1 load : 1 store", 1, 1, 2, 1},
    {"2ld1st", "2 loads : 1 store", 2, 1, 3, 1},
    {"3ld1st", "3 loads : 1 store", 3, 1, 4, 1},
    {"update", "1 load : 1 store", 1, 1, 1, 1},
    {"axpy", "2 loads : 1 store", 2, 1, 2, 1},
    /* STREAM's, and what a memory moves by another tool or a data sheet, whoever asks for it */
    {"copy", "1 load : 1 store", 1, 1, 2, 1},
    {"scale", "1 load : 1 store", 1, 1, 2, 1},
    {"add", "2 loads : 1 store", 2, 1, 3, 1},
    {"triad", "2 loads : 1 store", 2, 1, 3, 1},
    {"traffic", "all traffic", 0, 0, 1, 1},
};

static const struct pattern *pattern_of(const struct roof *roof) {
    for (size_t i = 0; roof->sample->kind == SAMPLE_BANDWIDTH && i < sizeof PATTERNS / sizeof PATTERNS[0]; i++)
        if (strcmp(PATTERNS[i].op, roof->op) == 0)
            return &PATTERNS[i];
    return NULL;
}

/* Of a pattern of what the core asks for. */
static bool is_asked(const struct roof *roof) {
    const struct pattern *pattern = pattern_of(roof);
    return pattern && pattern->loads + pattern->stores > 0;
}

const char *fitting_mix(const struct roof *roof) {
    return pattern_of(roof)->mix;
}

/* The type that most of its flop are of, and the ISAs of the width that most of those have. */
static const char *code_of(const struct app_point *point, const char *isas[2]) {
    static const char *const OF_WIDTH[COUNT_WIDTHS][2] = {{"scalar"}, {"sse"}, {"avx2", "avx"}, {"avx512"}, {"amx"}};
    static const char *const OF_X87[2] = {"x87"};
    static const char *const TYPES[COUNT_TYPES] = {"f64", "f32", "f16", "bf16", [COUNT_X87] = "f64", [COUNT_I8] = "i8"};
    const char *type_name = point->flop_type[0] ? point->flop_type : "f64"; /* counters tell no more */
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
        if (type == COUNT_I8 || all <= most)
            continue;
        most = all;
        type_name = TYPES[type];
        const char *const *own = type == COUNT_X87 ? OF_X87 : OF_WIDTH[main_width];
        isas[0] = own[0], isas[1] = own[1];
    }
    return type_name;
}

/* Of two places that would do: the fewest threads that are enough, then whole cores, then the highest ceiling. */
static bool is_better(const struct model *model, const struct model_view *a, const struct model_view *b,
                      unsigned threads) {
    if (a->threads != b->threads)
        return (b->threads >= threads) == (a->threads < b->threads);
    if (a->smt != b->smt)
        return b->smt;
    return model_peak(model, a)->sample->value > model_peak(model, b)->sample->value;
}

/* By theory where that knows it, else as it was seen. */
static double traffic_of(const struct fitting *fitting, const struct app_point *point) {
    double compulsory_bytes = point->compulsory_read_bytes + point->compulsory_write_bytes;
    if (fitting->streams && compulsory_bytes > 0)
        return compulsory_bytes / app_core_bytes(point);
    return point->dram_source == SOURCE_UNKNOWN ? (double)NAN : app_bandwidth_bound(point);
}

bool fitting_make(const struct model *model, const struct app_point *point, struct fitting *out) {
    struct model_view places[MOST_PLACES];
    size_t count = model_places(model, places, MOST_PLACES);
    unsigned threads = point->threads ? point->threads : 1;
    bool found = false;
    bool stated = (point->bytes_source == SOURCE_STATED || point->bytes_source == SOURCE_IMPORTED) &&
                  point->store_bytes.median == 0;
    *out = (struct fitting){.model = model};
    out->view.type = code_of(point, out->isas);
    const char *type = out->view.type;
    out->store_share = stated ? (double)NAN : point->store_bytes.median / app_core_bytes(point);
    const uint64_t flop = point->has_count ? count_flop(&point->count) : 0;
    out->fused_share = flop > 0 ? (double)point->count.fused_flop / (double)flop : (double)NAN;
    out->streams = point->working_set_bytes > 0 && app_core_bytes(point) <= TOUCHES * (double)point->working_set_bytes;
    out->traffic = traffic_of(out, point);
    if (point->threads == 0 && model->result->machine.core_count > 0) /* of one or of all, that makes a difference */
        count = 0;
    for (size_t i = 0; i < count; i++) {
        struct model_view *place = &places[i];
        place->type = type;
        bool covers = place->threads >= threads || place->threads >= model->result->machine.core_count;
        if (!covers || place->package || place->node || place->memory_node || !model_peak(model, place) ||
            (found && !is_better(model, place, &out->view, threads)))
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

const struct roof *fitting_peak(const struct fitting *fitting) {
    return model_peak(fitting->model, &fitting->view);
}

static bool is_own(const struct fitting *fitting, const struct roof *roof) {
    for (size_t i = 0; i < 2 && fitting->isas[i]; i++)
        if (strcmp(fitting->isas[i], roof->isa) == 0)
            return true;
    return false;
}

/* Some cores have more ports for a mix of operations than for each of them. */
static bool is_of_own_operations(const struct fitting *fitting, const struct roof *roof) {
    bool all = fitting->fused_share >= 1 - FEW, none = fitting->fused_share <= FEW;
    return all ? strcmp(roof->op, "fma") == 0 : !(none && strncmp(roof->op, "fma", 3) == 0);
}

static const struct roof *own_peak(const struct fitting *fitting, bool own_operations) {
    const struct roof *best = NULL;
    for (size_t i = 0; i < fitting->model->count; i++) {
        const struct roof *roof = &fitting->model->roofs[i];
        if (roof->sample->kind == SAMPLE_COMPUTE && model_in_view(roof, &fitting->view) && is_own(fitting, roof) &&
            (!own_operations || is_of_own_operations(fitting, roof)) &&
            (!best || roof->sample->value > best->sample->value))
            best = roof;
    }
    return best;
}

const struct roof *fitting_own_peak(const struct fitting *fitting) {
    const struct roof *best = own_peak(fitting, true);
    return best ? best : own_peak(fitting, false);
}

/* Whether the program, which streams, is as fast as its traffic to and from this level. */
static bool waits_for_traffic(const struct fitting *fitting, const struct roof *roof) {
    return fitting->streams && !isnan(fitting->traffic) && strcmp(roof->sample->level, fitting->core) != 0;
}

/* How far the pattern is from the program by the share of stores. Among those as near, the traffic decides; behind the
 * level next to the core, where what streams waits for its traffic, that counts nearly as much. */
static double distance(const struct fitting *fitting, const struct roof *roof) {
    const struct pattern *pattern = pattern_of(roof);
    double asked = pattern->loads + pattern->stores, share = pattern->stores / asked;
    double traffic = (pattern->reads + pattern->writes) / asked;
    if (isnan(fitting->store_share))
        return 0;
    bool decides = !isnan(fitting->traffic) && (fitting->streams || strcmp(roof->sample->level, fitting->memory) == 0);
    const double weight = waits_for_traffic(fitting, roof) ? 0.75 : 1e-3;
    return fabs(share - fitting->store_share) + (decides ? weight * fabs(traffic - fitting->traffic) : 0);
}

/* Which patterns come into question. */
struct choice {
    const char *level;
    double farthest;           /* distance */
    const char *op, *other_op; /* this one, not that one; NULL: any */
    const char *isa;           /* NULL: any */
    bool own;                  /* only of the program's width */
};

static const struct roof *best_pattern(const struct fitting *fitting, const struct choice *choice) {
    const struct roof *best = NULL;
    for (size_t i = 0; i < fitting->model->count; i++) {
        const struct roof *roof = &fitting->model->roofs[i];
        if (is_asked(roof) && model_in_view(roof, &fitting->view) && strcmp(roof->sample->level, choice->level) == 0 &&
            distance(fitting, roof) <= choice->farthest && (!choice->op || strcmp(roof->op, choice->op) == 0) &&
            (!choice->other_op || strcmp(roof->op, choice->other_op) != 0) &&
            (!choice->isa || strcmp(roof->isa, choice->isa) == 0) && (!choice->own || is_own(fitting, roof)) &&
            (!best || roof->sample->value > best->sample->value))
            best = roof;
    }
    return best;
}

static double nearest_distance(const struct fitting *fitting, const char *level) {
    double nearest = INFINITY;
    for (size_t i = 0; i < fitting->model->count; i++) {
        const struct roof *roof = &fitting->model->roofs[i];
        if (is_asked(roof) && model_in_view(roof, &fitting->view) && strcmp(roof->sample->level, level) == 0)
            nearest = fmin(nearest, distance(fitting, roof));
    }
    return nearest + 1e-9; /* 1/3 is 1/3 however it was computed */
}

const struct roof *fitting_pattern(const struct fitting *fitting, const char *level, bool any_width) {
    struct choice choice = {.level = level, .farthest = nearest_distance(fitting, level), .own = true};
    const struct roof *own = any_width ? NULL : best_pattern(fitting, &choice);
    choice.own = false;
    if (own) {
        choice.op = own->op;
        const struct roof *widest = best_pattern(fitting, &choice);
        choice.op = NULL;
        choice.own = own->sample->value < WIDTH_COUNTS * widest->sample->value;
    }
    return best_pattern(fitting, &choice);
}

/* Bytes of the point's data that one instance of the level has to hold. */
static double share_of_level(const struct fitting *fitting, const struct app_point *point, unsigned level) {
    const struct core_kind *kind = &fitting->model->result->machine.kinds[0];
    unsigned threads = point->threads ? point->threads : 1,
             sharing = level < kind->cache_count ? kind->caches[level].sharing_core_count : threads;
    sharing = sharing > 0 ? sharing : 1;
    return (double)point->working_set_bytes * (sharing < threads ? sharing : threads) / threads;
}

const struct roof *fitting_home(const struct fitting *fitting, const struct app_point *point) {
    const struct levels levels = model_levels(fitting->model, &fitting->view);
    if (!fitting->streams || point->data == STATE_UNKNOWN || levels.count == 0)
        return NULL;
    unsigned home = 0, memory = levels.count - 1;
    while (home < memory && share_of_level(fitting, point, home) > FILLS * (double)levels.level[home].effective_bytes)
        home++;
    bool clear = home == 0 ||
                 share_of_level(fitting, point, home - 1) >= EXCEEDS * (double)levels.level[home - 1].effective_bytes;
    if (point->data == STATE_COLD)
        home = memory, clear = true;
    return clear ? fitting_pattern(fitting, levels.level[home].name, false) : NULL;
}

const struct roof *fitting_other_pattern(const struct fitting *fitting, const struct roof *pattern) {
    return best_pattern(fitting, &(struct choice){.level = pattern->sample->level,
                                                  .farthest = distance(fitting, pattern) + 1e-9,
                                                  .other_op = pattern->op,
                                                  .isa = pattern->isa});
}

struct fitting_share fitting_share(const struct roof *roof) {
    const struct pattern *pattern = pattern_of(roof);
    if (!pattern)
        return (struct fitting_share){0};
    double asked = is_asked(roof) ? pattern->loads + pattern->stores : pattern->reads + pattern->writes;
    return (struct fitting_share){pattern->loads / asked, pattern->stores / asked, pattern->reads / asked,
                                  pattern->writes / asked};
}

double fitting_traffic_bytes_per_s(const struct roof *roof) {
    const struct fitting_share share = fitting_share(roof);
    return roof->sample->value * (share.read + share.written);
}

double fitting_bytes_per_s(const struct fitting *fitting, const struct roof *roof) {
    return waits_for_traffic(fitting, roof) ? fitting_traffic_bytes_per_s(roof) / fitting->traffic
                                            : roof->sample->value;
}

const struct roof *fitting_traffic(const struct fitting *fitting, const char *level, double write_share) {
    const struct roof *best = NULL;
    double nearest = INFINITY;
    for (size_t i = 0; i < fitting->model->count; i++) {
        const struct roof *roof = &fitting->model->roofs[i];
        const struct pattern *pattern = pattern_of(roof);
        if (!pattern || !model_in_view(roof, &fitting->view) || strcmp(roof->sample->level, level) != 0)
            continue;
        double off = fabs((double)pattern->writes / (pattern->reads + pattern->writes) - write_share);
        bool as_near = off < nearest + 1e-9;
        if (off < nearest - 1e-9 ||
            (as_near && fitting_traffic_bytes_per_s(roof) > fitting_traffic_bytes_per_s(best))) {
            best = roof;
            nearest = off;
        }
    }
    return best;
}
