/* SPDX-License-Identifier: BSD-3-Clause
 * The lines and pages that groups touch (see seen.h). */
#include "seen.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"

struct seen seen;

void seen_prepare(const struct sampling *of_all) {
    seen.sampling = *of_all;
    const uint64_t classes = seen.sampling.classes;
    for (unsigned span = 0; span < SEEN_SPANS; span++)
        for (unsigned i = 0; i <= span; i++)
            seen.any[span] |= classes >> i | (i ? classes << (64 - i) : 0);
}

static void enlarge(struct footprint *footprint) {
    const size_t bytes = footprint->slot_count * sizeof *footprint->slots;
    struct footprint larger;
    footprint_init(&larger, fail_or_map(4 * bytes), 4 * bytes);
    footprint_add_all(&larger, footprint);
    SYSTEM_CALL(SYS_munmap, footprint->slots, bytes);
    *footprint = larger;
}

void seen_make(struct levels_touched *touched, bool by_code) {
    enum { FEW_BYTES = 1 << 16 };
    footprint_init(&touched->of_groups, fail_or_map(FEW_BYTES), FEW_BYTES);
    touched->owner_mask = by_code ? UINT32_MAX : 0;
}

void seen_unmap(const struct levels_touched *touched) {
    const struct footprint *footprint = &touched->of_groups;
    SYSTEM_CALL(SYS_munmap, footprint->slots, footprint->slot_count * sizeof *footprint->slots);
}

/* Merges all groups into one. */
static void put_together(struct levels_touched *touched) {
    const struct levels_touched apart = *touched;
    seen_make(touched, false);
    seen_add_all(touched, &apart);
    seen_unmap(&apart);
}

void seen_add_bits(struct levels_touched *touched, uint32_t owner, uint64_t neighbours, uint64_t bits) {
    enum { SLOTS_MOST = 1 << 20 }; /* 16 MiB, half full */
    if (footprint_is_tight(&touched->of_groups)) {
        if (touched->owner_mask != 0 && touched->of_groups.slot_count >= SLOTS_MOST)
            put_together(touched);
        else
            enlarge(&touched->of_groups);
    }
    footprint_add_bits(&touched->of_groups, footprint_of_owner(neighbours, owner & touched->owner_mask), bits);
}

void seen_add_all(struct levels_touched *to, const struct levels_touched *more) {
    if (more->owner_mask == 0 && to->owner_mask != 0)
        put_together(to);
    for (size_t i = 0; i < more->of_groups.slot_count; i++) {
        const struct footprint_slot *slot = &more->of_groups.slots[i];
        if (slot->group != 0)
            seen_add_bits(to, footprint_owner(slot->group - 1), footprint_group(slot->group - 1), slot->bits);
    }
}

/* Counts classes in all parts at first, then in one of every ONE_OF, chosen at random. */
void seen_begin_part(struct levels_core *core) {
    enum { PART_BYTES = 8192, ALL_PARTS = 2048, ONE_OF = 8 };
    const uint64_t part = core->parts++;
    if (part % ONE_OF == 0) {
        core->random = core->random * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
        core->chosen_part = part + (core->random >> 33) % ONE_OF;
    }
    core->part_left = PART_BYTES;
    if (seen_is_exact())
        core->thread.sampling.weight = 0;
    else
        core->thread.sampling.weight = part < ALL_PARTS ? 1 : part == core->chosen_part ? ONE_OF : 0;
}

static inline uint64_t with_group(const struct levels_set *set, uint32_t owner, uint64_t page) {
    return footprint_of_owner(page, owner & set->pages.owner_mask) + 1;
}

/* A page that the set did not note lately. */
__attribute__((noinline)) static void see_other_page(struct levels_core *core, uint32_t owner, uint64_t page) {
    translation_access(&core->thread.translation, page, &core->thread.counts[owner]);
    seen_add(&core->set->pages, owner, page);
    core->set->recent_pages[page % LEVELS_RECENT_PAGES] = with_group(core->set, owner, page);
}

static inline void see_page(struct levels_core *core, uint32_t owner, uint64_t page) {
    if (core->set->recent_pages[page % LEVELS_RECENT_PAGES] == with_group(core->set, owner, page))
        translation_access(&core->thread.translation, page, &core->thread.counts[owner]);
    else
        see_other_page(core, owner, page);
}

void seen_pages(struct levels_core *core, uint32_t owner, const struct levels_look *look, uint64_t first_byte,
                uint64_t last_byte) {
    const uint64_t low = look->from / HIERARCHY_PAGE_BYTES,
                   high = (look->from + (look->width > 0 ? record_reach(owner)->span : 0)) / HIERARCHY_PAGE_BYTES;
    for (uint64_t page = first_byte / HIERARCHY_PAGE_BYTES; page <= last_byte / HIERARCHY_PAGE_BYTES; page++)
        if (page < low || page > high)
            see_page(core, owner, page);
}

static void use(struct levels_core *core, struct levels_look *look) {
    if ((look->from | look->width) == 0)
        core->used_looks[core->used_look_count++] = look;
}

void seen_keep(struct levels_core *core, struct levels_look *look, uint64_t begin, uint32_t bytes) {
    use(core, look);
    look->width =
        stream_same_pages(begin / HIERARCHY_PAGE_BYTES, (begin + bytes) / HIERARCHY_PAGE_BYTES, bytes, &look->from);
    look->hits = seen.any[(bytes + HIERARCHY_LINE_BYTES - 1) / HIERARCHY_LINE_BYTES % SEEN_SPANS];
}

/* Such a look begins with its page. */
static bool is_within_page(const struct levels_look *look) {
    return look->width > 0 && look->from % HIERARCHY_PAGE_BYTES == 0;
}

__attribute__((noinline)) static void move_among_pages(struct levels_core *core, uint32_t owner,
                                                       struct levels_look *look, uint64_t begin, uint32_t bytes) {
    seen_pages(core, owner, look, begin, begin + bytes);
    seen_keep(core, look, begin, bytes);
}

/* Mostly, it has moved from within a page to within another one. */
void seen_move(struct levels_core *core, uint32_t owner, struct levels_look *look, uint64_t begin, uint32_t bytes) {
    const uint64_t from = begin % HIERARCHY_PAGE_BYTES;
    if (!is_within_page(look) || from + bytes >= HIERARCHY_PAGE_BYTES) {
        move_among_pages(core, owner, look, begin, bytes);
        return;
    }
    look->from = begin - from;
    see_page(core, owner, begin / HIERARCHY_PAGE_BYTES);
}

void seen_keep_byte(struct levels_core *core, struct levels_look *look, uint64_t address) {
    use(core, look);
    look->from = address | 1; /* nonzero: it is in use */
}

void seen_forget(struct levels_core *core) {
    enum { NOTES = FOOTPRINT_OWNERS }; /* of a set, by owner */
    core->notes += NOTES;
    if (core->notes == 0) { /* they begin again */
        hierarchy_forget_notes(&core->thread);
        core->notes = NOTES;
    }
    while (core->used_look_count > 0)
        *core->used_looks[--core->used_look_count] = (struct levels_look){0};
}

void seen_lines(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high) {
    enum { FEW = 2 };
    struct levels_span *last = &core->spans[owner];
    uint64_t first = low, end = high;
    if (last->low == low && last->high == high)
        return;
    if (first > last->low && first <= last->high && end > last->high)
        first = last->high + 1;
    else if (first < last->low && end >= last->low && end <= last->high)
        end = last->low - 1;
    if (end - first < FEW)
        for (uint64_t line = first; line <= end; line++)
            sampling_see(&core->thread.sampling, line);
    else
        sampling_see_range(&core->thread.sampling, first, end - first + 1);
    *last = (struct levels_span){low, high};
}
