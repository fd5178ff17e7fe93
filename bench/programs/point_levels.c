/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of simulated caches → bytes of a point (see point_levels.h). */
#include "point_levels.h"
#include "levels_estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double point_link_bytes(const struct point_link *link) {
    return link->load_bytes + link->allocate_bytes + link->write_back_bytes + link->victim_bytes +
           link->nontemporal_bytes;
}

/* One count of each group of the sampling: of a word of struct hierarchy_counts. */
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

/* All lines that pass outside of a level, by group. */
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
    size_t length = 0;
    for (unsigned i = 0; i < caches->level_count && length < size; i++) {
        const struct hierarchy_level *level = &caches->levels[i];
        const double kib = (double)level->set_count * level->ways * HIERARCHY_LINE_BYTES / 1024;
        const bool mib = kib >= 1024;
        length += (size_t)snprintf(out + length, size - length, "%sL%u %.5g %s %u ways%s", i ? ", " : "", level->level,
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
