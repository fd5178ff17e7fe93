/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches: the request to the counter, its counts added up, and their traffic in bytes (see profile.h,
 * profile_traffic.h). */
#include "profile_traffic.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/need.h"
#include "probe/text.h"
#include "probe/error.h"

static struct profile_traffic *need(struct profile_traffic **traffic) {
    if (*traffic == NULL)
        *traffic = need_calloc(1, sizeof **traffic);
    return *traffic;
}

void profile_traffic_add(struct profile_traffic **to, const struct profile_traffic *more) {
    if (more == NULL)
        return;
    uint64_t *sums = (uint64_t *)need(to);
    const uint64_t *words = (const uint64_t *)more;
    for (size_t i = 0; i < sizeof *more / sizeof *words; i++)
        sums[i] += words[i];
}

void profile_traffic_add_value(struct profile_traffic **to, const struct dump_traffic_value *value) {
    uint64_t *words = (uint64_t *)&need(to)->of_group[value->group];
    words[value->word] += value->value;
}

static int by_instruction(const void *a, const void *b) {
    const struct dump_traffic_value *x = a, *y = b;
    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

struct dump_traffic_value *profile_traffic_list(const struct dump *dump, uint32_t region, size_t *count) {
    size_t most = 0;
    for (size_t i = 0; i < dump->traffic_count; i++)
        most += dump->traffic[i].region == region ? dump->traffic[i].value_count : 0;
    struct dump_traffic_value *list = need_calloc(most + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < dump->traffic_count; i++) {
        const struct dump_record *record = &dump->traffic[i];
        if (record->region != region || dump_thread(dump, record->thread).in_mpi)
            continue;
        for (size_t v = 0; v < record->value_count; v++)
            list[(*count)++] = dump_traffic_value(record, v);
    }
    qsort(list, *count, sizeof *list, by_instruction);
    return list;
}

/* Cache lines and pages by part. */

enum { SLOTS_FIRST = 1024, SLOTS_TIMES = 4 };

static void enlarge(struct footprint *footprint) {
    const size_t slots = footprint->slots ? SLOTS_TIMES * footprint->slot_count : SLOTS_FIRST;
    struct footprint larger;
    footprint_init(&larger, need_calloc(slots, sizeof *larger.slots), slots * sizeof *larger.slots);
    footprint_add_all(&larger, footprint);
    free(footprint->slots);
    *footprint = larger;
}

void touched_add(struct touched_sets *sets, size_t part, const struct dump_touch *touch) {
    struct footprint *footprint = &sets->of_kind[touch->kind];
    if (part >= FOOTPRINT_OWNERS)
        return;
    if (footprint->slots == NULL || footprint_is_tight(footprint))
        enlarge(footprint);
    footprint_add_bits(footprint, footprint_of_owner(touch->group, (uint32_t)part), touch->bits);
}

void touched_end(struct touched_sets *sets, void *parts, struct touched *(*of_part)(void *parts, size_t part)) {
    for (unsigned kind = 0; kind < DUMP_TOUCH_KINDS; kind++) {
        const struct footprint *footprint = &sets->of_kind[kind];
        for (size_t i = 0; i < footprint->slot_count; i++) {
            const struct footprint_slot *slot = &footprint->slots[i];
            if (slot->group == 0)
                continue;
            struct touched *to = of_part(parts, footprint_owner(slot->group - 1));
            *(kind == DUMP_TOUCH_LINES ? &to->lines : &to->pages) += (uint64_t)__builtin_popcountll(slot->bits);
        }
        free(footprint->slots);
    }
}

static int by_touched_instruction(const void *a, const void *b) {
    const struct dump_touch *x = a, *y = b;
    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

struct dump_touch *touched_list(const struct dump *dump) {
    struct dump_touch *list = need_calloc(dump->touch_count + 1, sizeof *list);
    for (size_t i = 0; i < dump->touch_count; i++)
        list[i] = dump_touch(dump, i);
    qsort(list, dump->touch_count, sizeof *list, by_touched_instruction);
    return list;
}

/* Counts of simulated caches → bytes of a point. */

double point_link_bytes(const struct point_link *link) {
    return link->load_bytes + link->allocate_bytes + link->write_back_bytes + link->victim_bytes +
           link->nontemporal_bytes;
}

/* One word of struct hierarchy_counts, by group of the sampling. */
static void words_of(const struct profile_traffic *traffic, size_t offset_bytes, uint64_t out[SAMPLING_GROUPS_MAX]) {
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++)
        memcpy(&out[group], (const char *)&traffic->of_group[group] + offset_bytes, sizeof *out);
}

static double sum_of(const struct profile_traffic *traffic, size_t offset_bytes) {
    uint64_t words[SAMPLING_GROUPS_MAX];
    double sum = 0;
    words_of(traffic, offset_bytes, words);
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++)
        sum += (double)words[group];
    return sum;
}
#define SUM(member) sum_of(traffic, offsetof(struct hierarchy_counts, member))

/* All cache lines that pass the link outside of a level, by group. */
static void lines_outside(const struct profile_traffic *traffic, unsigned level, bool last,
                          uint64_t out[SAMPLING_GROUPS_MAX]) {
    for (unsigned group = 0; group < SAMPLING_GROUPS_MAX; group++) {
        const struct hierarchy_counts *counts = &traffic->of_group[group];
        const struct hierarchy_link *link = &counts->outside[level];
        out[group] = link->loads + link->allocates + link->write_backs + link->victims;
        out[group] += last ? counts->nontemporal_lines : 0;
    }
}

static struct point_link link_outside(const struct profile_traffic *traffic, const struct sampling *sampling,
                                      const uint64_t *changes, unsigned level, bool last) {
    const double scale = (double)HIERARCHY_LINE_BYTES * (SAMPLING_CLASSES >> sampling->class_bits);
    uint64_t lines[SAMPLING_GROUPS_MAX];
    lines_outside(traffic, level, last, lines);
    const double fetched = SUM(outside[level].loads) + SUM(outside[level].allocates),
                 put_out = SUM(outside[level].write_backs) + SUM(outside[level].victims),
                 lines_each = fetched > 0 ? 1 + fmin(1, put_out / fetched) : 2;
    const struct levels_estimate all = levels_estimate(sampling, lines, changes, lines_each);
    return (struct point_link){.level = level + 1,
                               .load_bytes = scale * SUM(outside[level].loads),
                               .allocate_bytes = scale * SUM(outside[level].allocates),
                               .write_back_bytes = scale * SUM(outside[level].write_backs),
                               .victim_bytes = scale * SUM(outside[level].victims),
                               .nontemporal_bytes = last ? scale * SUM(nontemporal_lines) : 0,
                               .low_bytes = HIERARCHY_LINE_BYTES * all.low,
                               .high_bytes = HIERARCHY_LINE_BYTES * all.high};
}

/* "L1 32 KiB 8 ways, L2 1 MiB 16 ways (inclusive)" */
static void name_caches(const struct hierarchy_geometry *caches, char *out, size_t size) {
    static const char *const contents[] = {
        [CONTENT_FREE] = "", [CONTENT_INCLUSIVE] = " (inclusive)", [CONTENT_VICTIM] = " (victims)"};
    *out = '\0';
    for (unsigned i = 0; i < caches->level_count; i++) {
        const struct hierarchy_level *level = &caches->levels[i];
        const double kib = (double)level->set_count * level->ways * HIERARCHY_LINE_BYTES / 1024;
        const bool mib = kib >= 1024;
        const bool between = i > 0 && level[-1].level == level->level;
        text_append(out, size, "%sL%u%s %.5g %s %u ways%s", i ? ", " : "", level->level, between ? ".5" : "",
                    mib ? kib / 1024 : kib, mib ? "MiB" : "KiB", level->ways, contents[level->content]);
    }
}

double levels_kept_bytes(const struct hierarchy_geometry *caches) {
    double bytes = 0;
    for (unsigned i = caches->level_count; i-- > 0;) {
        const struct hierarchy_level *level = &caches->levels[i];
        bytes += (double)level->set_count * level->ways * HIERARCHY_LINE_BYTES;
        if (level->content != CONTENT_VICTIM)
            break;
    }
    return bytes;
}

void point_levels_make(const struct levels_origin *origin, const struct profile_traffic *traffic, double load_bytes,
                       double store_bytes, struct point_levels *out) {
    struct sampling sampling;
    sampling_init(&sampling, origin->one_of, origin->seed);
    const unsigned one_of = SAMPLING_CLASSES >> sampling.class_bits, levels = origin->caches->level_count;
    const double left_lines = SUM(left_lines), past = fmin(store_bytes, one_of * SUM(nontemporal_bytes));
    *out = (struct point_levels){.links = levels + 1, .one_of = one_of};
    out->link[0] = (struct point_link){.load_bytes = load_bytes,
                                       .write_back_bytes = store_bytes - past,
                                       .nontemporal_bytes = past,
                                       .low_bytes = load_bytes + store_bytes,
                                       .high_bytes = load_bytes + store_bytes};
    for (unsigned level = 0; level < levels; level++)
        out->link[level + 1] = link_outside(traffic, &sampling, origin->changes, level, level + 1 == levels);
    out->utilisation = left_lines > 0 ? SUM(left_used_bytes) / (HIERARCHY_LINE_BYTES * left_lines) : 0;
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++) {
        out->tlb_misses[i] = SUM(tlb_misses[i]);
        out->tlb_entries[i] = origin->caches->tlbs[i].set_count * origin->caches->tlbs[i].ways;
    }
    name_caches(origin->caches, out->caches, sizeof out->caches);
}

void point_levels_scale(struct point_levels *levels, double scale) {
    for (unsigned i = 1; i < levels->links; i++) {
        struct point_link *link = &levels->link[i];
        double *const amounts[] = {&link->load_bytes,   &link->allocate_bytes,    &link->write_back_bytes,
                                   &link->victim_bytes, &link->nontemporal_bytes, &link->low_bytes,
                                   &link->high_bytes};
        for (size_t a = 0; a < sizeof amounts / sizeof *amounts; a++)
            *amounts[a] *= scale;
    }
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++)
        levels->tlb_misses[i] *= scale;
}

/* Estimates from sampled cache lines. */

/* Student's t, 97.5 %. There are 4 or 16 groups. */
static double quantile(unsigned groups) {
    return groups <= 4 ? 3.182 : 2.131;
}

/* `above`: accesses in unsampled classes beyond the fullest sampled class. `below`: excess of the extrapolated accesses
 * over the real ones. */
static void crowding(const struct sampling *sampling, const uint64_t *changes, double scale, double *above,
                     double *below) {
    uint64_t fullest = 0, all = 0, sampled = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++) {
        const bool has = sampling_has(sampling, class);
        all += changes[class];
        sampled += has ? changes[class] : 0;
        fullest = has && changes[class] > fullest ? changes[class] : fullest;
    }
    *above = 0;
    for (unsigned class = 0; class < SAMPLING_CLASSES; class ++)
        if (changes[class] > fullest)
            *above += (double)(changes[class] - fullest);
    *below = fmax(0, (double)sampled * scale - (double)all);
}

struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each) {
    const double scale = SAMPLING_CLASSES >> sampling->class_bits, count = sampling->group_count;
    double sum = 0, squares = 0, above = 0, below = 0;
    for (unsigned group = 0; group < sampling->group_count; group++)
        sum += (double)of_group[group];
    if (scale <= 1)
        return (struct levels_estimate){sum, sum, sum, false};
    for (unsigned group = 0; group < sampling->group_count; group++)
        squares += pow((double)of_group[group] - sum / count, 2);
    const double variance = fmax(1, squares / (count - 1));
    const double half = quantile(sampling->group_count) * scale * sqrt((1 - 1 / scale) * variance * count);
    if (changes)
        crowding(sampling, changes, scale, &above, &below);
    return (struct levels_estimate){.value = sum * scale,
                                    .low = fmax(sum, sum * scale - half - lines_each * below),
                                    .high = sum * scale + half + lines_each * above,
                                    .crowded = lines_each * (above + below) > 2 * half};
}

/* The request to the counter. */

bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, const struct levels_how *how,
                          struct error *err) {
    char path[640];
    snprintf(path, sizeof path, "%s/" DUMP_LEVELS_REQUEST, folder);
    struct dump_levels_request request = {.one_of = how->one_of,
                                          .how = (how->in_step ? DUMP_IN_STEP : 0) |
                                                 (how->write_back ? DUMP_WRITE_BACK : 0) |
                                                 (how->by_code ? DUMP_BY_CODE : 0),
                                          .seed = how->seed};
    request.geometry = *caches;
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    const bool done = file >= 0 && write(file, &request, sizeof request) == sizeof request;
    if (file >= 0)
        close(file);
    return done || error_set(err, "%s can't be written: %s", path, strerror(errno));
}
