/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels_geometry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/text.h"
#include "probe/error.h"
#include "probe/machine.h"
#include "probe/uarch.h"

/* Caches that the user requests, as text. */

static bool refuse(const char *text, struct error *err) {
    return error_set(
        err, "'%s' is not a cache: give its level, size and perhaps ways, such as L2=1M:16, L3=30M or L3=none", text);
}

/* "1.25Mi": bytes, at least 1 and below 1 TiB. */
static bool size_read(const char **at, uint64_t *out) {
    static const char UNITS[] = "KMG";
    char *end;
    const double number = strtod(*at, &end);
    double unit = 1;
    const char *found = *end ? strchr(UNITS, *end & ~0x20) : NULL;
    if (end == *at || end != *at + strspn(*at, "0123456789."))
        return false;
    if (found) {
        for (const char *each = UNITS; each <= found; each++)
            unit *= 1024;
        end += end[1] == 'i' ? 2 : 1;
    }
    end += *end == 'B';
    *at = end;
    *out = number >= 0 && number * unit < 1e12 ? (uint64_t)(number * unit + 0.5) : 0;
    return *out > 0;
}

static bool wish_read(const char *text, struct cache_wish *out, struct error *err) {
    const char *at = text + 3;
    *out = (struct cache_wish){0};
    if ((text[0] != 'L' && text[0] != 'l') || text[1] < '1' || text[1] > '0' + HIERARCHY_LEVELS_MAX || text[2] != '=')
        return refuse(text, err);
    out->level = (unsigned)(text[1] - '0');
    if (strcmp(at, "none") == 0 && out->level > 1)
        return true;
    if (!size_read(&at, &out->size_bytes))
        return refuse(text, err);
    if (*at == ':') {
        char *end;
        const unsigned long ways = at[1] >= '0' && at[1] <= '9' ? strtoul(at + 1, &end, 10) : 0;
        if (ways < 1)
            return refuse(text, err);
        if (ways > LRU_WAYS_MAX)
            return error_set(err, "'%s': a simulated cache has %d ways at most", text, LRU_WAYS_MAX);
        out->ways = (unsigned)ways;
        at = end;
    }
    return *at == '\0' || refuse(text, err);
}

bool cache_wishes_parse(const char *text, struct cache_wish out[HIERARCHY_LEVELS_MAX], unsigned *count,
                        struct error *err) {
    *count = 0;
    for (const char *at = text;; at++) {
        char one[64];
        const size_t length = strcspn(at, ",");
        if (length < 4 || length >= sizeof one)
            return refuse(text, err);
        memcpy(one, at, length);
        one[length] = '\0';
        struct cache_wish wish;
        if (!wish_read(one, &wish, err))
            return false;
        for (unsigned i = 0; i < *count; i++)
            if (out[i].level == wish.level)
                return error_set(err, "'%s' gives L%u twice", text, wish.level);
        out[(*count)++] = wish;
        at += length;
        if (*at == '\0')
            return true;
    }
}

enum { USUAL_WAYS = 16 }; /* also for a fully associative cache: more ways make little difference */

static void note_add(struct levels_geometry *out, const char *text) {
    text_append(out->note, sizeof out->note, "%s%s", *out->note ? "; " : "", text);
}

/* Rounds to whole sets of the nearest size. */
static bool level_set(struct hierarchy_level *level, uint64_t bytes, unsigned ways, struct levels_geometry *out,
                      struct error *err) {
    const uint64_t row_bytes = (uint64_t)ways * HIERARCHY_LINE_BYTES;
    const uint64_t sets = (bytes + row_bytes / 2) / row_bytes;
    if (bytes < row_bytes)
        return error_set(err, "L%u of %" PRIu64 " bytes is too small for %u lines of %d bytes: give it fewer ways",
                         level->level, bytes, ways, HIERARCHY_LINE_BYTES);
    level->set_count = sets;
    level->ways = ways;
    if (sets * row_bytes != bytes) {
        char text[80];
        snprintf(text, sizeof text, "L%u of %" PRIu64 " bytes rounded to %" PRIu64, level->level, bytes,
                 sets * row_bytes);
        note_add(out, text);
    }
    return true;
}

static const struct cache_wish *wish_of(const struct cache_wish *wishes, unsigned count, unsigned level) {
    for (unsigned i = 0; i < count; i++)
        if (wishes[i].level == level)
            return &wishes[i];
    return NULL;
}

static bool level_read(const struct cache *cache, const struct cache_wish *wish, uint64_t found_bytes,
                       struct levels_geometry *out, struct error *err) {
    struct hierarchy_level *level = &out->hierarchy.levels[out->hierarchy.level_count++];
    const uint64_t bytes = wish ? wish->size_bytes : found_bytes > 0 ? found_bytes : cache->size_bytes;
    const bool told = cache->associativity > 0 && cache->associativity <= LRU_WAYS_MAX;
    const unsigned ways = wish && wish->ways > 0 ? wish->ways : told ? (unsigned)cache->associativity : USUAL_WAYS;
    if (cache->line_bytes != 0 && cache->line_bytes != HIERARCHY_LINE_BYTES)
        return error_set(err, "cache lines of L%u have %u bytes; only caches with lines of %d are simulated",
                         cache->level, cache->line_bytes, HIERARCHY_LINE_BYTES);
    *level = (struct hierarchy_level){.level = cache->level, .sharing_cores = cache->sharing_core_count};
    level->sharing_cores += level->sharing_cores == 0;
    return level_set(level, bytes, ways, out, err);
}

/* A cache cannot be inclusive of a larger inner one. */
static void contents_set(const struct uarch_caches *documented, struct levels_geometry *out) {
    struct hierarchy_geometry *hierarchy = &out->hierarchy;
    for (unsigned i = 1; i < hierarchy->level_count; i++) {
        struct hierarchy_level *level = &hierarchy->levels[i];
        if (documented && (level->level == 2 || level->level == 3))
            level->content = level->level == 2 ? documented->l2 : documented->l3;
        const struct hierarchy_level *inner = &hierarchy->levels[i - 1];
        if (level->content == CONTENT_INCLUSIVE && level->set_count * level->ways < inner->set_count * inner->ways) {
            level->content = CONTENT_FREE;
            note_add(out, "a level smaller than the one inside is not inclusive");
        }
    }
    out->content_source = documented ? documented->content_source : NULL;
    if (!documented)
        note_add(out, "inclusion is not documented, so each level evicts independently");
}

/* For a victim cache: the total ways of the inner caches of all cores that share it. */
static void inside_set(struct hierarchy_geometry *hierarchy) {
    for (unsigned i = 1; i < hierarchy->level_count; i++) {
        struct hierarchy_level *level = &hierarchy->levels[i];
        const struct hierarchy_level *inner = &hierarchy->levels[i - 1];
        if (level->content != CONTENT_VICTIM || level->sharing_cores <= inner->sharing_cores)
            continue;
        const uint64_t inners = level->sharing_cores / inner->sharing_cores;
        const uint64_t ways = (inner->set_count * inner->ways * inners + level->set_count - 1) / level->set_count;
        level->inside_ways = ways < LRU_WAYS_MAX ? (unsigned)ways : LRU_WAYS_MAX;
    }
}

static void tlbs_set(const struct uarch_caches *documented, struct levels_geometry *out) {
    static const struct tlb_size USUAL[HIERARCHY_TLBS] = {{64, 4}, {1536, 12}};
    const bool told = documented && documented->tlb_source;
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++) {
        const struct tlb_size size = told ? documented->tlbs[i] : USUAL[i];
        const unsigned ways = size.ways < 0 ? size.entries : size.ways > 0 ? (unsigned)size.ways : USUAL_WAYS;
        out->hierarchy.tlbs[i].ways = ways;
        out->hierarchy.tlbs[i].set_count = (size.entries + ways / 2) / ways;
    }
    out->tlb_source = told ? documented->tlb_source : NULL;
    if (!told)
        note_add(out, "TLBs of 64 and 1536 entries are assumed");
}

static bool has_level(const struct core_kind *cores, unsigned level) {
    for (unsigned i = 0; i < cores->cache_count; i++)
        if (cores->caches[i].level == level)
            return true;
    return false;
}

bool levels_geometry(const struct machine *machine, unsigned kind, uint64_t llc_bytes, const struct cache_wish *wishes,
                     unsigned wish_count, struct levels_geometry *out, struct error *err) {
    *out = (struct levels_geometry){0};
    if (kind >= machine->kind_count || machine->kinds[kind].cache_count == 0)
        return error_set(err,
                         "the caches of this machine are unknown, so they cannot be simulated; " MACHINE_CACHES_REMEDY);
    const struct core_kind *cores = &machine->kinds[kind];
    const struct uarch_caches *documented = uarch_caches_of(uarch_find(&machine->cpu, cores->name).uarch);
    const unsigned most = cores->caches[cores->cache_count - 1].level;
    unsigned last = most;
    for (unsigned i = 0; i < wish_count; i++)
        if (wishes[i].size_bytes == 0 && wishes[i].level <= last)
            last = wishes[i].level - 1;
    for (unsigned i = 0; i < wish_count; i++)
        if (wishes[i].size_bytes > 0 && (wishes[i].level > last || !has_level(cores, wishes[i].level)))
            return last < most
                       ? error_set(err, "L%u is outside of L%u=none", wishes[i].level, last + 1)
                       : error_set(err, "this machine has no L%u; its last level is L%u", wishes[i].level, most);
    for (unsigned i = 0; i < cores->cache_count && cores->caches[i].level <= last; i++) {
        const struct cache *cache = &cores->caches[i];
        const struct cache_wish *wish = cache->between ? NULL : wish_of(wishes, wish_count, cache->level);
        if (!level_read(cache, wish, cache->level == most ? llc_bytes : 0, out, err))
            return false;
    }
    contents_set(documented, out);
    inside_set(&out->hierarchy);
    tlbs_set(documented, out);
    return true;
}
