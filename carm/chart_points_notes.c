/* SPDX-License-Identifier: BSD-3-Clause
 * Notes, each one line about several points (see chart_points_notes.h). */
#include "chart_points_notes.h"

#include <stdio.h>
#include <string.h>

#include "../bench/doubt.h"

/* "what: a, b, c, d, …" of those that the remark is about. */
static void add_note(struct points *out, const struct entry *entries, size_t count, const char *what, uint32_t remark) {
    size_t hits = 0, length = 0;
    char names[240] = "", *text = out->note_text[out->note_count];
    for (size_t i = 0; i < count; i++)
        if ((entries[i].remarks & remark) && hits++ < 4 && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%.50s", hits > 1 ? ", " : "",
                                       entries[i].point->name);
    if (hits == 0 || out->note_count == POINTS_MOST_NOTES)
        return;
    bool all = hits > 1 && hits == out->count;
    snprintf(text, CHART_NOTE_BYTES, "%s: %s%s", what, all ? "all points" : names, hits > 4 && !all ? ", …" : "");
    out->notes[out->note_count++] = text;
}

static const char *reason(const struct entry *entry, char *out, size_t size) {
    static const char *const REASONS[FATES] = {
        [NO_WORK] = "no flop, bytes or time",           [ONLY_TRAFFIC] = "--chart dram",
        [OF_A_PART] = "roofs of a part of the machine", [NO_TRAFFIC] = "DRAM traffic not known",
        [FAR_OFF] = "far beyond this picture",          [TOO_MANY] = "too many"};
    if (entry->fate == OTHER_TYPE)
        snprintf(out, size, "--type %s", entry->type);
    else if (entry->fate == OTHER_THREADS && entry->threads)
        snprintf(out, size, "--threads %u", entry->threads);
    else
        snprintf(out, size, "%s", entry->fate == OTHER_THREADS ? "no roofs of its threads" : REASONS[entry->fate]);
    return out;
}

/* "not drawn: copy (no flop), sgemm, sgemv (--type f32)": one reason behind all the names that it follows. */
static void note_absent(struct points *out, const struct entry *entries, size_t count) {
    char *text = out->note_text[out->note_count], why[48] = "", last[48] = "";
    size_t hits = 0, length = 0; /* up to the last reason */
    for (size_t i = 0; i < count; i++) {
        if (entries[i].fate == DRAWN || hits++ >= 5)
            continue;
        if (strcmp(reason(&entries[i], why, sizeof why), last) != 0)
            length = strlen(text);
        strcpy(last, why);
        snprintf(text + length, CHART_NOTE_BYTES - length, "%s%.40s",
                 hits > 1 ? ", " : "not drawn: ", entries[i].point->name);
        length = strlen(text);
        snprintf(text + length, CHART_NOTE_BYTES - length, " (%s)", why);
    }
    length = strlen(text);
    if (hits > 5)
        snprintf(text + length, CHART_NOTE_BYTES - length, ", … %zu more", hits - 5);
    if (hits)
        out->notes[out->note_count++] = text;
}

void points_write_notes(struct points *out, const struct entry *entries, size_t count) {
    note_absent(out, entries, count);
    add_note(out, entries, count, "above every roof, so something is wrong", REMARK_ABOVE);
    add_note(out, entries, count, "DRAM traffic not known", REMARK_NO_TRAFFIC);
    for (size_t d = 0; d < doubt_count; d++)
        add_note(out, entries, count, doubt_table[d].name, doubt_table[d].bit);
}
