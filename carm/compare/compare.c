/* SPDX-License-Identifier: BSD-3-Clause */
#include "compare.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "bench/programs/app_point.h"
#include "carm/store/results.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"

const char *compare_machine(const struct result *result, char *out, size_t size) {
    const char *name = result->uarch[0] ? result->uarch : result->machine.cpu.brand;
    const char *end = strstr(name, " ("); /* "Granite Rapids (Redwood Cove)" is long */
    snprintf(out, size, "%.*s", end && result->uarch[0] ? (int)(end - name) : (int)strlen(name), name);
    return out;
}

const char *compare_file_name(const char *path, char *out, size_t size) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strrchr(name, '.');
    snprintf(out, size, "%.*s", end && end > name ? (int)(end - name) : (int)strlen(name), name);
    return out;
}

/* What distinguishes sides of one machine, the clearest first. BY_NAME: the file's name without a time stamp. */
enum way { BY_CORES, BY_COUNT, BY_HOST, BY_NAME, BY_FILE, BY_PATH };

enum { NAME_BYTES = 41, MORE_BYTES = 51, WHOLE_BYTES = 512 }; /* of a label: the machine, and what distinguishes it */

/* Shortens one of several texts, the longest of which has `longest` bytes. All begin with the same `common` bytes:
 * these are cut first, since they distinguish nothing, then what lies between its two ends. */
static void cut_common(const char *text, size_t common, size_t longest, char out[MORE_BYTES]) {
    enum { HEAD = 16, DOTS = sizeof "…" - 1, TAIL = MORE_BYTES - 1 - HEAD - DOTS };
    const size_t length = strlen(text);
    size_t from = common;
    while (from > 0 && isalnum((unsigned char)text[from - 1]))
        from--;
    const char *tail = text + (from > HEAD ? from : length > TAIL ? length - TAIL : HEAD);
    size_t tail_length = strlen(tail);
    const bool is_cut = tail_length > TAIL;
    for (tail_length = is_cut ? TAIL - DOTS : tail_length; is_cut && tail_length > TAIL / 2; tail_length--)
        if (!isalnum((unsigned char)tail[tail_length]))
            break;
    if (longest < MORE_BYTES || length < HEAD + TAIL / 2)
        snprintf(out, MORE_BYTES, "%.*s", MORE_BYTES - 1, text);
    else
        snprintf(out, MORE_BYTES, "%.*s…%.*s%s", HEAD, text, (int)tail_length, tail, is_cut ? "…" : "");
}

/* "vm-20261127T102622Z" → "vm" */
static void cut_time(char *name) {
    static const char STAMP[] = "-dddddddd"
                                "Tdddddd"
                                "Z";
    const size_t length = strlen(name), stamp = sizeof STAMP - 1;
    bool fits = length > stamp;
    for (size_t i = 0; i < stamp && fits; i++) {
        const char own = name[length - stamp + i];
        fits = STAMP[i] == 'd' ? own >= '0' && own <= '9' : own == STAMP[i];
    }
    if (fits)
        name[length - stamp] = '\0';
}

static void name_count(const struct machine *machine, char out[MORE_BYTES]) {
    snprintf(out, MORE_BYTES, "%u core%s", machine->core_count, machine->core_count == 1 ? "" : "s");
}

/* The whole text. */
static void write_whole(const struct compare_side *side, enum way way, char out[WHOLE_BYTES]) {
    char count[MORE_BYTES];
    if (way == BY_CORES) {
        roof_key_place(&(struct roof_key){.cores = side->cores}, out, WHOLE_BYTES);
    } else if (way == BY_COUNT) {
        name_count(&side->model->result->machine, count);
        snprintf(out, WHOLE_BYTES, "%s", count);
    } else if (way == BY_NAME || way == BY_FILE) {
        compare_file_name(side->path, out, WHOLE_BYTES);
        if (way == BY_NAME)
            cut_time(out);
    } else {
        snprintf(out, WHOLE_BYTES, "%s", way == BY_HOST ? side->model->result->machine.host : side->path);
    }
}

/* With how many equal bytes both begin, `most` at most. */
static size_t alike_bytes(const char *a, const char *b, size_t most) {
    size_t alike = 0;
    while (alike < most && a[alike] == b[alike])
        alike++;
    return alike;
}

/* Writes, for each side with this label, the text that distinguishes it: cut where all are alike. */
static void compare_tell_apart(const struct compare_side *sides, size_t count, const char *label, enum way way,
                               char (*out)[MORE_BYTES]) {
    char first[WHOLE_BYTES] = "", own[WHOLE_BYTES];
    size_t common = SIZE_MAX, longest = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(sides[i].label, label) == 0) {
            write_whole(&sides[i], way, own);
            if (common == SIZE_MAX)
                common = strlen(strcpy(first, own));
            common = alike_bytes(first, own, common);
            longest = strlen(own) > longest ? strlen(own) : longest;
        }
    for (size_t i = 0; i < count; i++)
        if (strcmp(sides[i].label, label) == 0) {
            write_whole(&sides[i], way, own);
            cut_common(own, common, longest, out[i]);
        }
}

/* Whether these texts distinguish all sides with this label. */
static bool all_differ(const struct compare_side *sides, size_t count, const char *label, char (*more)[MORE_BYTES]) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && strcmp(sides[i].label, label) == 0; k++)
            if (strcmp(sides[k].label, label) == 0 && strcmp(more[i], more[k]) == 0)
                return false;
    return true;
}

/* Behind names without one. */
static void compare_add_count(struct compare_side *side) {
    char count[MORE_BYTES];
    name_count(&side->model->result->machine, count);
    if (!strstr(side->label, "core"))
        text_append(side->label, sizeof side->label, *side->label ? " (%s)" : "%s", count);
}

/* Different files whose names were cut to the same text get their number among the sides. */
static void number_alike(struct compare_side *sides, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(sides[i].label, sides[k].label) == 0 && strcmp(sides[i].path, sides[k].path) != 0) {
                text_append(sides[i].label, sizeof sides[i].label, " (%zu)", i + 1);
                break;
            }
}

bool compare_cores(const struct compare_side *sides, size_t count, unsigned *least, unsigned *most) {
    *least = UINT_MAX, *most = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned own = sides[i].model->result->machine.core_count;
        *least = own < *least ? own : *least;
        *most = own > *most ? own : *most;
    }
    return *most > *least && *least > 0;
}

void compare_label(struct compare_side *sides, size_t count) {
    char(*more)[MORE_BYTES] = need_calloc(count + 1, sizeof *more);
    for (size_t i = 0; i < count; i++)
        compare_machine(sides[i].model->result, sides[i].label, sizeof sides[i].label);
    for (size_t i = 0; i < count; i++) {
        char label[sizeof sides[i].label];
        size_t alike = 0;
        snprintf(label, sizeof label, "%s", sides[i].label);
        for (size_t k = 0; k < count; k++)
            alike += strcmp(sides[k].label, label) == 0;
        if (alike < 2 || !*label)
            continue;
        enum way way = BY_CORES;
        compare_tell_apart(sides, count, label, way, more);
        while (way < BY_PATH && !all_differ(sides, count, label, more))
            compare_tell_apart(sides, count, label, ++way, more);
        /* The machine's name is redundant if all sides have the same. Numbers of cores come last. */
        const char *machine = alike == count ? "" : label;
        for (size_t k = 0; k < count; k++) {
            const char *own = way == BY_COUNT ? "" : more[k];
            if (strcmp(sides[k].label, label) == 0)
                snprintf(sides[k].label, sizeof sides[k].label, "%.*s%s%s", NAME_BYTES - 1, machine,
                         *machine && *own ? " " : "", own);
        }
    }
    free(more);
    unsigned least, most;
    const bool differ = compare_cores(sides, count, &least, &most);
    for (size_t i = 0; i < count; i++) {
        if (differ)
            compare_add_count(&sides[i]);
        safe_text_clean(sides[i].label);
    }
    number_alike(sides, count);
}

/* Whether a roof belongs to its side, and the key that matches it with others. */
static bool compare_key_of(const struct compare_side *side, const struct roof *roof, struct roof_key *out) {
    *out = roof_key_make(side->model, roof);
    if (roof->cell || (side->cores && (roof->figure || out->cores != side->cores)))
        return false;
    if (side->cores)
        out->cores = 0;
    return true;
}

static struct compare_row new_row(size_t side_count, const struct roof_key *key) {
    const struct roof **roofs = need_calloc(2 * side_count, sizeof *roofs);
    return (struct compare_row){.key = *key, .roofs = roofs, .blanks = roofs + side_count};
}

size_t compare_turn(const struct comparison *c, size_t turn) {
    return turn == 0 ? c->base : turn <= c->base ? turn - 1 : turn;
}

static void collect_rows(struct comparison *c) {
    struct roof_keys keys = {0};
    size_t capacity = 0;
    for (size_t turn = 0; turn < c->side_count; turn++) {
        const size_t side = compare_turn(c, turn);
        const struct model *model = c->sides[side].model;
        for (size_t i = 0; i < model_compared_count(model); i++) {
            const struct roof *roof = model_compared(model, i);
            struct roof_key key;
            if (!compare_key_of(&c->sides[side], roof, &key))
                continue;
            const size_t at = roof_keys_put(&keys, &key);
            if (at == c->row_count) {
                if (c->row_count == capacity)
                    c->rows = need_realloc(c->rows, (capacity = capacity ? 2 * capacity : 256) * sizeof *c->rows);
                c->rows[c->row_count++] = new_row(c->side_count, &key);
            }
            if (!c->rows[at].roofs[side])
                c->rows[at].roofs[side] = roof;
        }
    }
    roof_keys_free(&keys);
}

/* Whether a roof competes for a headline: whole machines, huge pages, one thread per core, no random lines. */
static bool compare_competes(const struct roof *roof, const struct roof_key *key) {
    return !key->package && !key->node && !key->smt && !key->small_pages && (!key->memory_node || roof->other_memory) &&
           !model_is_random(roof);
}

/* -1 if a sorts before b: by cores, then kind, then type or level. */
static int by_headline(const void *a, const void *b) {
    const struct roof_key *p = &((const struct compare_row *)a)->key, *q = &((const struct compare_row *)b)->key;
    if (p->cores != q->cores)
        return p->cores < q->cores ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->kind == SAMPLE_COMPUTE) {
        const int type = (int)element_find(p->type) - (int)element_find(q->type);
        return type;
    }
    return levels_compare(p->level, q->level);
}

/* Whether the roof competes for a headline, and the headline's key. */
static bool headline_of(const struct compare_side *side, const struct roof *roof, struct roof_key *key) {
    if (!compare_key_of(side, roof, key) || !compare_competes(roof, key))
        return false;
    key->kernel[0] = '\0';
    key->core_kind[0] = '\0'; /* the best cores compete too */
    key->memory_node = 0;
    if (key->kind == SAMPLE_COMPUTE)
        snprintf(key->type, sizeof key->type, "%s", roof->type);
    return true;
}

/* No headline of a side is known where one of its blank roofs may be the best. */
static void hide_unknown(struct comparison *c, const struct roof_keys *keys, size_t side) {
    const struct model *model = c->sides[side].model;
    for (size_t i = 0; i < model->blank_count; i++) {
        struct roof_key key;
        const size_t at =
            headline_of(&c->sides[side], &model->blanks[i], &key) ? roof_keys_find(keys, &key) : ROOF_KEYS_NONE;
        if (at == ROOF_KEYS_NONE)
            continue;
        const struct roof **best = &c->headlines[at].roofs[side];
        if (!model_may_hide(&model->blanks[i], *best))
            continue;
        *best = NULL;
        c->headlines[at].blanks[side] = &model->blanks[i];
    }
}

static void collect_headlines(struct comparison *c) {
    struct roof_keys keys = {0};
    for (size_t side = 0; side < c->side_count; side++) {
        const struct model *model = c->sides[side].model;
        for (size_t i = 0; i < model->count; i++) {
            const struct roof *roof = &model->roofs[i];
            struct roof_key key;
            if (!headline_of(&c->sides[side], roof, &key))
                continue;
            const size_t at = roof_keys_put(&keys, &key);
            if (at == c->headline_count) {
                c->headlines = need_realloc(c->headlines, (at + 1) * sizeof *c->headlines);
                c->headlines[c->headline_count++] = new_row(c->side_count, &key);
            }
            const struct roof **best = &c->headlines[at].roofs[side];
            if (!*best || model_goes_before(roof, *best))
                *best = roof;
        }
    }
    for (size_t side = 0; side < c->side_count; side++)
        hide_unknown(c, &keys, side);
    roof_keys_free(&keys);
    if (c->headline_count)
        qsort(c->headlines, c->headline_count, sizeof *c->headlines, by_headline);
}

/* For a machine with one core, one core is all cores. */
static void lend_single_cores(struct comparison *c, struct compare_row *rows, size_t count) {
    struct roof_keys keys = {0};
    for (size_t i = 0; i < count; i++)
        roof_keys_put(&keys, &rows[i].key);
    for (size_t i = 0; i < count; i++) {
        struct roof_key key = rows[i].key;
        if (key.cores != ROOF_ALL_CORES)
            continue;
        key.cores = 1;
        const size_t one = roof_keys_find(&keys, &key);
        for (size_t side = 0; side < c->side_count && one != ROOF_KEYS_NONE; side++)
            if (!rows[i].roofs[side] && c->sides[side].model->result->machine.core_count == 1)
                rows[i].roofs[side] = rows[one].roofs[side];
    }
    roof_keys_free(&keys);
}

static const struct app_point *compare_find_point(const struct compare_side *side, const char *name) {
    const struct result *result = side->model->result;
    for (size_t i = 0; i < result->point_count; i++)
        if (strcmp(result->points[i].name, name) == 0)
            return &result->points[i];
    return NULL;
}

bool compare_is_one_result(const struct comparison *c) {
    return c->side_count > 1 && c->sides[0].model == c->sides[1].model;
}

bool compare_is_one_machine(const struct comparison *c) {
    char first[96], other[96];
    bool same = true;
    for (size_t i = 1; i < c->side_count; i++)
        same &= strcmp(compare_machine(c->sides[0].model->result, first, sizeof first),
                       compare_machine(c->sides[i].model->result, other, sizeof other)) == 0;
    return same;
}

static void collect_applications(struct comparison *c) {
    const bool one_file = compare_is_one_result(c); /* its points are the same */
    for (size_t side = 0; side < c->side_count && !one_file; side++) {
        const struct result *result = c->sides[side].model->result;
        for (size_t i = 0; i < result->point_count; i++) {
            const char *name = result->points[i].name;
            size_t known = 0, holders = 1;
            for (size_t other = 0; other < side; other++)
                known += compare_find_point(&c->sides[other], name) != NULL;
            for (size_t other = side + 1; other < c->side_count && !known; other++)
                holders += compare_find_point(&c->sides[other], name) != NULL;
            c->lone_points += !known && holders == 1;
            if (known || holders == 1)
                continue;
            c->applications = need_realloc(c->applications, (c->application_count + 1) * sizeof *c->applications);
            struct compare_application *row = &c->applications[c->application_count++];
            *row =
                (struct compare_application){.name = name, .points = need_calloc(c->side_count, sizeof *row->points)};
            row->first = c->side_count;
            for (size_t turn = 0; turn < c->side_count; turn++) {
                const size_t other = compare_turn(c, turn);
                row->points[other] = compare_find_point(&c->sides[other], name);
                if (row->points[other] && row->first == c->side_count)
                    row->first = other;
            }
        }
    }
}

struct comparison compare_make(const struct compare_side *sides, size_t count, size_t base) {
    struct comparison c = {.side_count = count, .base = base, .sides = sides};
    collect_rows(&c);
    collect_headlines(&c);
    lend_single_cores(&c, c.rows, c.row_count);
    lend_single_cores(&c, c.headlines, c.headline_count);
    collect_applications(&c);
    return c;
}

void compare_free(struct comparison *c) {
    for (size_t i = 0; i < c->row_count; i++)
        free(c->rows[i].roofs);
    for (size_t i = 0; i < c->headline_count; i++)
        free(c->headlines[i].roofs);
    for (size_t i = 0; i < c->application_count; i++)
        free(c->applications[i].points);
    free(c->rows);
    free(c->headlines);
    free(c->applications);
    *c = (struct comparison){0};
}

double compare_value(const struct roof *roof, enum compare_per per) {
    if (!roof || !(roof->sample->value > 0) || (per == PER_CYCLE && !(roof->sample->per_cycle > 0)))
        return NAN;
    if (per == PER_CYCLE)
        return roof->sample->per_cycle;
    if (per == PER_MACHINE || roof->sample->kind == SAMPLE_LATENCY) /* each core waits as long */
        return roof->sample->value;
    return roof_cores(roof) ? roof->sample->value / roof_cores(roof) : NAN;
}

double compare_ratio(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per) {
    const double base = compare_value(row->roofs[c->base], per);
    return base > 0 ? compare_value(row->roofs[side], per) / base : NAN;
}

struct compare_interval compare_interval(const struct roof *roof, enum compare_per per) {
    const double value = compare_value(roof, per);
    if (isnan(value) || !(roof->sample->high > 0))
        return (struct compare_interval){NAN, NAN};
    const double scale = value / roof->sample->value;
    return (struct compare_interval){roof->sample->low * scale, roof->sample->high * scale};
}

struct compare_interval compare_ratio_interval(const struct comparison *c, const struct compare_row *row, size_t side,
                                               enum compare_per per) {
    const struct compare_interval own = compare_interval(row->roofs[side], per),
                                  base = compare_interval(row->roofs[c->base], per);
    return (struct compare_interval){own.low / base.high, own.high / base.low};
}

bool compare_alike(const struct roof *a, const struct roof *b, enum compare_per per) {
    const struct compare_interval p = compare_interval(a, per), q = compare_interval(b, per);
    return p.low <= q.high && q.low <= p.high; /* NaN compares as false */
}

/* The largest ratio of two sides, as a logarithm. */
static double distance_between(const struct comparison *c, size_t a, size_t b) {
    double most = 0;
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct roof *p = c->headlines[i].roofs[a], *q = c->headlines[i].roofs[b];
        if (p && q && !compare_alike(p, q, PER_MACHINE))
            most = fmax(most, fabs(log(compare_value(p, PER_MACHINE) / compare_value(q, PER_MACHINE))));
    }
    return most;
}

void compare_most_different(const struct comparison *c, size_t most, bool *out) {
    double *nearest = need_calloc(c->side_count, sizeof *nearest); /* the distance from the chosen sides */
    for (size_t i = 0; i < c->side_count; i++)
        out[i] = false, nearest[i] = INFINITY;
    for (size_t chosen = 0, next = c->base; chosen < most && chosen < c->side_count; chosen++) {
        const size_t last = next;
        out[last] = true;
        for (size_t i = 0; i < c->side_count; i++)
            nearest[i] = out[i] ? -1 : fmin(nearest[i], distance_between(c, i, last));
        for (size_t i = 0; i < c->side_count; i++)
            next = nearest[i] > nearest[next] ? i : next;
    }
    free(nearest);
}

const char *compare_unit_name(const struct roof *roof, enum compare_per per) {
    static const char *const FLOP[] = {"flop_per_s", "flop_per_s_per_core", "flop_per_cycle"},
                             *const OP[] = {"op_per_s", "op_per_s_per_core", "op_per_cycle"},
                             *const BYTES[] = {"bytes_per_s", "bytes_per_s_per_core", "bytes_per_cycle"},
                             *const LATENCY[] = {"s", "s", "cycles"};
    return model_is_integer(roof)                   ? OP[per]
           : roof->sample->kind == SAMPLE_COMPUTE   ? FLOP[per]
           : roof->sample->kind == SAMPLE_BANDWIDTH ? BYTES[per]
                                                    : LATENCY[per];
}

const struct roof *compare_any(const struct comparison *c, const struct compare_row *row) {
    for (size_t i = 0; i < c->side_count; i++)
        if (row->roofs[i])
            return row->roofs[i];
    return NULL;
}

void compare_count(const struct comparison *c, size_t side, size_t *missing, size_t *more) {
    *missing = *more = 0;
    for (size_t i = 0; i < c->row_count; i++) {
        const bool has = c->rows[i].roofs[side] != NULL, base = c->rows[i].roofs[c->base] != NULL;
        *missing += base && !has;
        *more += has && !base;
    }
}

const char *compare_letter(size_t side, char out[2]) {
    out[0] = (char)('A' + side % 26);
    out[1] = '\0';
    return out;
}
