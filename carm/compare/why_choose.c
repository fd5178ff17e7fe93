/* SPDX-License-Identifier: BSD-3-Clause
 * Which ratios are told (see why_choose.h). */
#include "why_choose.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { NAME_BYTES = 128 };

/* Against the base goes the other of the two sides. */
static size_t other_side(const struct comparison *c) {
    return c->base == 0 ? 1 : 0;
}

static struct why why_of(const struct comparison *c, const struct compare_row *from, const struct compare_row *to) {
    const size_t side = other_side(c);
    return why_make(&from->key, (struct why_roof){c->sides[c->base].model, from->roofs[c->base]},
                    (struct why_roof){c->sides[side].model, to->roofs[side]});
}

static bool both_have(const struct compare_row *row) {
    return row->roofs[0] && row->roofs[1];
}

static bool is_of(const struct compare_row *row, unsigned cores) {
    return row->key.kind == SAMPLE_LATENCY ? row->key.cores <= 1 : row->key.cores == cores;
}

unsigned why_cores(const struct comparison *c, unsigned wanted) {
    const unsigned tries[] = {wanted, ROOF_ALL_CORES, 1};
    for (size_t t = 0; t < sizeof tries / sizeof tries[0]; t++) {
        for (size_t i = 0; i < c->headline_count && tries[t]; i++)
            if (c->headlines[i].key.kind != SAMPLE_LATENCY && c->headlines[i].key.cores == tries[t] &&
                both_have(&c->headlines[i]))
                return tries[t];
        if (wanted)
            return 0;
    }
    for (size_t i = 0; i < c->headline_count; i++)
        if (c->headlines[i].key.kind != SAMPLE_LATENCY && both_have(&c->headlines[i]))
            return c->headlines[i].key.cores;
    return 0;
}

static bool is_headline(const struct roof_key *key) {
    return key->kind == SAMPLE_COMPUTE ? !strchr(key->kernel, '.') : key->kernel[0] == '\0';
}

static bool is_memory(const struct compare_row *row) {
    return row->key.kind != SAMPLE_COMPUTE && row->key.level[0] != 'L' && is_headline(&row->key);
}

/* The other side's memory for one that it does not have: of the same quantity, and without a partner itself. */
static const struct compare_row *other_memory(const struct comparison *c, const struct compare_row *row) {
    const size_t side = other_side(c);
    for (size_t i = 0; i < c->headline_count && is_memory(row); i++) {
        const struct compare_row *other = &c->headlines[i];
        if (is_memory(other) && other->key.kind == row->key.kind && other->key.cores == row->key.cores &&
            other->roofs[side] && !other->roofs[c->base])
            return other;
    }
    return NULL;
}

/* The row that gives the other side's value; NULL: it has none. */
static const struct compare_row *partner(const struct comparison *c, const struct compare_row *row) {
    return !row->roofs[c->base] ? NULL : row->roofs[other_side(c)] ? row : other_memory(c, row);
}

struct why_list why_headlines(const struct comparison *c, unsigned cores, const char *type) {
    struct why_list out = {.list = need_calloc(c->headline_count + 1, sizeof *out.list)};
    for (int latency = 0; latency < 2; latency++)
        for (size_t i = 0; i < c->headline_count; i++) {
            const struct compare_row *row = &c->headlines[i], *other = partner(c, row);
            const bool other_type = row->key.kind == SAMPLE_COMPUTE && strcmp(row->key.kernel, type) != 0;
            if (other && !other_type && is_of(row, cores) && (row->key.kind == SAMPLE_LATENCY) == latency)
                out.list[out.count++] = why_of(c, row, other);
        }
    return out;
}

static const char *name_with(const struct roof_key *key, const char *level, char *out, size_t size) {
    snprintf(out, size, "%s%s%s%s%s", level, *level && *key->kernel ? " " : "", key->kernel,
             !is_headline(key)             ? ""
             : key->kind == SAMPLE_COMPUTE ? " peak"
             : key->kind == SAMPLE_LATENCY ? " latency"
                                           : "",
             key->small_pages ? " (4 KiB pages)" : "");
    return out;
}

const char *why_name(const struct why *why, char *out, size_t size) {
    const char *from = why->from.roof->sample->level, *to = why->to.roof->sample->level;
    char levels[32];
    snprintf(levels, sizeof levels, "%s%s%s", from, strcmp(from, to) == 0 ? "" : " → ",
             strcmp(from, to) == 0 ? "" : to);
    return name_with(&why->key, levels, out, size);
}

/* Whether people call it so; a pair of memories by either. */
static bool is_called(const struct why *why, const char *name) {
    const char *const levels[] = {why->from.roof->sample->level, why->to.roof->sample->level};
    char own[NAME_BYTES], longer[NAME_BYTES + 16];
    bool called = strcasecmp(name, why_name(why, own, sizeof own)) == 0 ||
                  (why->key.kind == SAMPLE_COMPUTE && strcasecmp(name, why->key.kernel) == 0);
    for (size_t i = 0; i < 2 && !called; i++) {
        name_with(&why->key, levels[i], own, sizeof own);
        snprintf(longer, sizeof longer, "%s bandwidth", own);
        called = strcasecmp(name, own) == 0 || (is_headline(&why->key) && strcasecmp(name, longer) == 0);
    }
    return called;
}

static bool find_in(const struct comparison *c, const struct compare_row *rows, size_t count, unsigned cores,
                    const char *name, struct why *out) {
    for (size_t i = 0; i < count; i++) {
        const struct compare_row *other = partner(c, &rows[i]);
        if (!other || rows[i].key.cores != cores)
            continue;
        *out = why_of(c, &rows[i], other);
        if (is_called(out, name))
            return true;
    }
    return false;
}

bool why_find(const struct comparison *c, unsigned cores, const char *name, struct why *out) {
    const unsigned tries[] = {cores, 1};
    for (size_t t = 0; t < 2; t++)
        if (find_in(c, c->headlines, c->headline_count, tries[t], name, out) ||
            find_in(c, c->rows, c->row_count, tries[t], name, out))
            return true;
    return false;
}
