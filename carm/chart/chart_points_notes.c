/* SPDX-License-Identifier: BSD-3-Clause
 * Notes, each one line about several points (see chart_points_entry.h). A series has one name in them. */
#include "chart_points_entry.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bench/kernels/doubt.h"

enum { MAX_NAMES = 5 };

/* What a note, or a part of one, is about: points with a remark, or points that are not drawn for the reason of one. */
struct note_subject {
    enum doubt_id doubt; /* DOUBT_COUNT: its traffic is not known */
    const struct entry *absent;
};

static bool is_about(const struct note_subject *subject, const struct entry *entry) {
    const struct entry *absent = subject->absent;
    return !absent && subject->doubt == DOUBT_COUNT ? entry->traffic_unknown
           : !absent
               ? doubts_has(entry->doubts, subject->doubt)
               : entry->fate == absent->fate && (entry->fate != OTHER_TYPE || strcmp(entry->type, absent->type) == 0) &&
                     (entry->fate != OTHER_THREADS || entry->threads == absent->threads);
}

__attribute__((format(printf, 2, 3))) static void append(char text[CHART_NOTE_BYTES], const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, CHART_NOTE_BYTES - length, format, arguments);
    va_end(arguments);
}

static bool same_series(const struct entry *a, const struct entry *b) {
    return *a->point.series && a->group == b->group;
}

/* "dgemm cold (3 of 12 sizes)": how many of a series' points are meant. */
static void append_name(char *text, const struct entry *entries, size_t count, const struct note_subject *subject,
                        const struct entry *entry) {
    size_t meant = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        all += same_series(&entries[i], entry);
        meant += same_series(&entries[i], entry) && is_about(subject, &entries[i]);
    }
    append(text, "%.50s", meant > 1 ? entry->point.series : entry->point.name);
    if (meant > 1 && meant < all)
        append(text, " (%zu of %zu sizes)", meant, all);
}

/* "a, b, c, … 4 more" */
static void append_names(char *text, const struct entry *entries, size_t count, const struct note_subject *subject) {
    size_t names = 0;
    for (size_t i = 0; i < count; i++) {
        bool told = !is_about(subject, &entries[i]);
        for (size_t k = 0; k < i && !told; k++)
            told = is_about(subject, &entries[k]) && same_series(&entries[k], &entries[i]);
        if (told || names++ >= MAX_NAMES)
            continue;
        append(text, "%s", names > 1 ? ", " : "");
        append_name(text, entries, count, subject, &entries[i]);
    }
    if (names > MAX_NAMES)
        append(text, ", … %zu more", names - MAX_NAMES);
}

static void add_note(struct notes *out, const struct entry *entries, size_t count, const char *what,
                     enum doubt_id doubt) {
    const struct note_subject subject = {.doubt = doubt};
    size_t hits = 0, drawn = 0;
    for (size_t i = 0; i < count; i++) {
        hits += is_about(&subject, &entries[i]);
        drawn += entries[i].fate == DRAWN;
    }
    if (hits == 0 || out->count == POINTS_MAX_NOTES)
        return;
    char *text = out->text[out->count];
    append(text, "%s: ", what);
    if (hits > 1 && hits == drawn)
        append(text, "all points");
    else
        append_names(text, entries, count, &subject);
    out->list[out->count++] = text;
}

static void append_reason(char *text, const struct entry *entry) {
    static const char *const REASONS[FATES] = {[NO_WORK] = "no flop, bytes or time",
                                               [ONLY_TRAFFIC] = "--chart dram",
                                               [OTHER_THREADS] = "no roofs of its threads",
                                               [OF_A_PART] = "roofs of a part of the machine",
                                               [NO_TRAFFIC] = "DRAM traffic not known",
                                               [NO_SUCH_BYTES] = "no such bytes",
                                               [FAR_OFF] = "far beyond this picture",
                                               [AS_WITHIN] = "as the loop within it",
                                               [TOO_MANY] = "too many",
                                               [NO_MISSES] = "no misses",
                                               [NOT_KNOWN] = "not known"};
    if (entry->fate == OTHER_TYPE)
        append(text, " (--type %s)", entry->type);
    else if (entry->fate == OTHER_THREADS && entry->threads)
        append(text, " (--threads %u)", entry->threads);
    else
        append(text, " (%s)", REASONS[entry->fate]);
}

/* "not drawn: copy (no flop), sgemm, sgemv (--type f32)": one reason behind all the names that it follows. */
static void note_absent(struct notes *out, const struct entry *entries, size_t count) {
    char *text = out->text[out->count];
    for (size_t i = 0; i < count; i++) {
        const struct note_subject subject = {.absent = &entries[i]};
        bool told = entries[i].fate == DRAWN;
        for (size_t k = 0; k < i && !told; k++)
            told = is_about(&subject, &entries[k]);
        if (told)
            continue;
        append(text, "%s", *text ? ", " : "not drawn: ");
        append_names(text, entries, count, &subject);
        append_reason(text, &entries[i]);
    }
    if (*text)
        out->list[out->count++] = text;
}

void points_write_notes(struct notes *out, const struct entry *entries, size_t count) {
    note_absent(out, entries, count);
    add_note(out, entries, count, doubt_table[DOUBT_ABOVE_ROOF].name, DOUBT_ABOVE_ROOF);
    add_note(out, entries, count, "DRAM traffic not known", DOUBT_COUNT);
    for (unsigned d = 0; d < DOUBT_COUNT; d++)
        if (d != DOUBT_ABOVE_ROOF)
            add_note(out, entries, count, doubt_table[d].name, d);
}
