/* SPDX-License-Identifier: BSD-3-Clause
 * The simplest possible simulated caches, for comparison with bench/caches: each set is a list of lines, most recently
 * used first. One thread, no sampling. Include cmocka.h before it. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "bench/caches/hierarchy.h"

struct naive_line {
    uint64_t line, used;
    bool dirty, fetched;
    uint32_t dirty_owner, fetch_owner;
};
struct naive_level {
    struct hierarchy_level shape;
    struct naive_line *lines; /* set_count × ways */
    unsigned *held;           /* in each set */
};
struct naive {
    unsigned level_count;
    struct naive_level levels[HIERARCHY_LEVELS_MAX], tlbs[HIERARCHY_TLBS];
    struct combining combining[HIERARCHY_COMBINING];
    unsigned combining_next;
    struct hierarchy_counts *counts; /* by owner */
};

static inline struct naive_level naive_level_new(const struct hierarchy_level *shape) {
    return (struct naive_level){*shape, calloc(shape->set_count * shape->ways, sizeof(struct naive_line)),
                                calloc(shape->set_count, sizeof(unsigned))};
}

static inline struct naive naive_new(const struct hierarchy_geometry *geometry, uint32_t owners) {
    struct naive naive = {.level_count = geometry->level_count,
                          .counts = calloc(owners, sizeof(struct hierarchy_counts))};
    for (unsigned i = 0; i < geometry->level_count; i++)
        naive.levels[i] = naive_level_new(&geometry->levels[i]);
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        naive.tlbs[i] = naive_level_new(&(struct hierarchy_level){.set_count = geometry->tlbs[i].set_count + 1u,
                                                                  .ways = geometry->tlbs[i].ways + 1});
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        naive.tlbs[i].shape.set_count--, naive.tlbs[i].shape.ways--;
    return naive;
}

static inline void naive_free(struct naive *naive) {
    for (unsigned i = 0; i < HIERARCHY_LEVELS_MAX; i++)
        free(naive->levels[i].lines), free(naive->levels[i].held);
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        free(naive->tlbs[i].lines), free(naive->tlbs[i].held);
    free(naive->counts);
}

static inline struct naive_line *naive_find(struct naive_level *level, uint64_t line) {
    const uint64_t set = line % level->shape.set_count;
    for (unsigned i = 0; i < level->held[set]; i++)
        if (level->lines[set * level->shape.ways + i].line == line)
            return &level->lines[set * level->shape.ways + i];
    return NULL;
}

/* Removes a line from its list. */
static inline struct naive_line naive_take_out(struct naive_level *level, struct naive_line *at) {
    const struct naive_line line = *at;
    const uint64_t set = line.line % level->shape.set_count;
    const struct naive_line *end = &level->lines[set * level->shape.ways] + level->held[set]--;
    memmove(at, at + 1, (size_t)(end - at - 1) * sizeof *at);
    return line;
}

/* Puts a line first; true: the list was full, and its last line moves to `*gone`. */
static inline bool naive_put_first(struct naive_level *level, struct naive_line line, struct naive_line *gone) {
    const uint64_t set = line.line % level->shape.set_count;
    struct naive_line *list = &level->lines[set * level->shape.ways];
    const bool full = level->held[set] == level->shape.ways;
    if (full)
        *gone = naive_take_out(level, &list[level->shape.ways - 1]);
    memmove(list + 1, list, level->held[set]++ * sizeof *list);
    list[0] = line;
    return full;
}

static inline void naive_know(struct naive_line *line, const struct naive_line *more) {
    line->used |= more->used;
    if (more->dirty)
        line->dirty = true, line->dirty_owner = more->dirty_owner;
    if (more->fetched)
        line->fetched = true, line->fetch_owner = more->fetch_owner;
}

static inline void naive_gone(struct naive *naive, const struct naive_line *line) {
    if (!line->fetched)
        return;
    naive->counts[line->fetch_owner].left_lines++;
    naive->counts[line->fetch_owner].left_used_bytes += (uint64_t)__builtin_popcountll(line->used);
}

/* The first level from there on that holds the line takes over its state; otherwise it is lost. */
static inline void naive_tell(struct naive *naive, unsigned level, const struct naive_line *line) {
    for (; level < naive->level_count; level++) {
        struct naive_line *there = naive_find(&naive->levels[level], line->line);
        if (there) {
            naive_know(there, line);
            return;
        }
    }
    naive_gone(naive, line);
}

/* All levels inside of `level` drop the line; returns their state of it. */
static inline struct naive_line naive_forget(struct naive *naive, unsigned level, uint64_t line) {
    struct naive_line known = {.line = line};
    for (unsigned i = 0; i < level; i++) {
        struct naive_line *there = naive_find(&naive->levels[i], line);
        if (there) {
            struct naive_line own = naive_take_out(&naive->levels[i], there);
            naive_know(&own, &known);
            known = own;
        }
        if (known.dirty)
            naive->counts[known.dirty_owner].outside[i].write_backs++;
    }
    return known;
}

static inline void naive_insert(struct naive *naive, unsigned level, struct naive_line line, uint32_t cause);

static inline void naive_evict(struct naive *naive, unsigned level, struct naive_line line, uint32_t cause) {
    if (naive->levels[level].shape.content == CONTENT_INCLUSIVE) {
        const struct naive_line inner = naive_forget(naive, level, line.line);
        naive_know(&line, &inner);
    }
    const bool last = level + 1 == naive->level_count;
    const bool victim = !last && naive->levels[level + 1].shape.content == CONTENT_VICTIM;
    if (line.dirty)
        naive->counts[line.dirty_owner].outside[level].write_backs++;
    else if (victim)
        naive->counts[cause].outside[level].victims++;
    if (last) {
        naive_gone(naive, &line);
        return;
    }
    struct naive_line *there = naive_find(&naive->levels[level + 1], line.line);
    if (there)
        naive_know(there, &line);
    else if (line.dirty || victim)
        naive_insert(naive, level + 1, line, cause);
    else
        naive_tell(naive, level + 2, &line);
}

static inline void naive_insert(struct naive *naive, unsigned level, struct naive_line line, uint32_t cause) {
    struct naive_line gone;
    if (naive_put_first(&naive->levels[level], line, &gone))
        naive_evict(naive, level, gone, cause);
}

static inline void naive_fetch(struct naive *naive, uint64_t line, const struct memory_access *access) {
    struct naive_line arriving = {.line = line};
    unsigned level = 1;
    for (bool found = false; !found; level++) {
        struct hierarchy_link *link = &naive->counts[access->owner].outside[level - 1];
        *(access->kind == ACCESS_STORE ? &link->allocates : &link->loads) += 1;
        if (level == naive->level_count)
            break;
        struct naive_line *there = naive_find(&naive->levels[level], line);
        if (!there)
            continue;
        found = true;
        struct naive_line taken = naive_take_out(&naive->levels[level], there), none;
        if (naive->levels[level].shape.content == CONTENT_VICTIM)
            arriving = taken;
        else
            naive_put_first(&naive->levels[level], taken, &none);
        break;
    }
    if (level == naive->level_count) {
        arriving.fetched = true;
        arriving.fetch_owner = access->owner;
    }
    while (level-- > 0)
        if (level == 0 || naive->levels[level].shape.content != CONTENT_VICTIM) {
            naive_insert(naive, level, arriving, access->owner);
            arriving = (struct naive_line){.line = line};
        }
}

static inline void naive_combined(struct naive *naive, struct combining *buffer) {
    naive->counts[buffer->owner].nontemporal_partial += buffer->line != 0 && buffer->written != UINT64_MAX;
    *buffer = (struct combining){0};
}

static inline void naive_nontemporal(struct naive *naive, uint64_t line, uint64_t bytes, uint32_t owner) {
    struct combining *buffer = NULL;
    for (unsigned i = 0; i < HIERARCHY_COMBINING; i++)
        buffer = naive->combining[i].line == line + 1 ? &naive->combining[i] : buffer;
    if (!buffer) {
        buffer = &naive->combining[naive->combining_next++ % HIERARCHY_COMBINING];
        naive_combined(naive, buffer);
        *buffer = (struct combining){line + 1, 0, owner};
        const struct naive_line known = naive_forget(naive, naive->level_count, line);
        naive_gone(naive, &known);
        naive->counts[owner].nontemporal_lines++;
    }
    buffer->written |= bytes;
    if (buffer->written == UINT64_MAX)
        naive_combined(naive, buffer);
}

static inline void naive_translate(struct naive *naive, uint64_t page, uint32_t owner) {
    for (unsigned i = 0; i < HIERARCHY_TLBS && naive->tlbs[i].shape.set_count > 0; i++) {
        struct naive_line *there = naive_find(&naive->tlbs[i], page), entry = {.line = page}, gone;
        if (there)
            naive_take_out(&naive->tlbs[i], there);
        naive_put_first(&naive->tlbs[i], entry, &gone);
        if (there)
            return;
        naive->counts[owner].tlb_misses[i]++;
    }
}

static inline void naive_part(struct naive *naive, const struct memory_access *access, uint64_t line, unsigned from,
                              unsigned bytes) {
    struct hierarchy_counts *counts = &naive->counts[access->owner];
    uint64_t mask = 0;
    for (unsigned i = from; i < from + bytes; i++)
        mask |= 1ull << i;
    if (access->kind == ACCESS_USED) {
        naive_tell(naive, 0, &(struct naive_line){.line = line, .used = mask});
        return;
    }
    naive_translate(naive, line / 64, access->owner);
    if (access->kind == ACCESS_NONTEMPORAL) {
        counts->nontemporal_bytes += bytes;
        naive_nontemporal(naive, line, mask, access->owner);
        return;
    }
    if (!naive_find(&naive->levels[0], line))
        naive_fetch(naive, line, access);
    struct naive_line now = naive_take_out(&naive->levels[0], naive_find(&naive->levels[0], line)), none;
    now.used |= mask;
    if (access->kind != ACCESS_LOAD && !now.dirty)
        now.dirty = true, now.dirty_owner = access->owner;
    naive_put_first(&naive->levels[0], now, &none);
}

static inline void naive_access(struct naive *naive, const struct memory_access *access) {
    const unsigned from = access->address % 64, first = from + access->bytes > 64 ? 64 - from : access->bytes;
    naive_part(naive, access, access->address / 64, from, first);
    if (first < access->bytes)
        naive_part(naive, access, access->address / 64 + 1, 0, access->bytes - first);
}
