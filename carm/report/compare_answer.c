/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a comparison (see compare_answer.h). */
#include "compare_answer.h"
#include "compare_rows.h"
#include "compare_sentences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/units.h"

enum {
    ROWS = 14,        /* of the table and the list of machines together */
    APPLICATIONS = 3, /* that are named */
};

/* How far the sides are off the base at most; -1: not known. */
static double distance_of(const struct comparison *c, const struct compare_row *row, enum compare_per per) {
    double distance = -1;
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, per);
        if (i != c->base && !isnan(ratio))
            distance = fmax(distance, fabs(log(ratio)));
    }
    return distance;
}

/* How telling each headline is, of the most cores, and of what one core alone tells, latencies: what is farther off
 * tells more, and most what the first lines name. */
static void find_merits(const struct comparison *c, enum compare_per per, double *merits) {
    const struct compare_row *peak = sentence_row(c, c->base, SAMPLE_COMPUTE, per),
                             *memory = sentence_row(c, c->base, SAMPLE_BANDWIDTH, per);
    unsigned most = 0;
    for (size_t i = 0; i < c->headline_count; i++)
        most = sentence_rank(c->headlines[i].key.cores) > most ? sentence_rank(c->headlines[i].key.cores) : most;
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct compare_row *row = &c->headlines[i];
        const bool listed = sentence_rank(row->key.cores) == most || row->key.kind == SAMPLE_LATENCY;
        merits[i] = !listed ? -INFINITY : row == peak || row == memory ? INFINITY : distance_of(c, row, per);
    }
}

/* Of one kind the chosen headlines, in their usual order. */
static void add_rows(struct compare_rows *rows, const struct comparison *c, const bool *chosen, bool latencies) {
    char name[64];
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct compare_row *row = &c->headlines[i];
        const struct roof *own = row->roofs[c->base] ? row->roofs[c->base] : compare_any(c, row);
        if (chosen[i] && (row->key.kind == SAMPLE_LATENCY) == latencies)
            compare_rows_add(rows, row, compare_headline_name(row, name, sizeof name), own->sample->kernel);
    }
}

/* As many as there is room for. */
static void print_rows(const struct comparison *c, enum compare_per per, size_t room, const struct screen *screen) {
    static const char *const HEADINGS[] = {"roof", "roof (per core)", "roof (per cycle and core)"};
    double *merits = need_calloc(c->headline_count + 1, sizeof *merits);
    bool *chosen = need_calloc(c->headline_count + 1, sizeof *chosen);
    struct compare_rows rows = compare_rows_begin(c, per, HEADINGS[per], false);
    screen_fit(screen, &rows.to.table);
    find_merits(c, per, merits);
    screen_choose(merits, c->headline_count, room, chosen);
    add_rows(&rows, c, chosen, false);
    add_rows(&rows, c, chosen, true);
    columns_print_section(&rows.to, screen->out);
    free(merits);
    free(chosen);
}

/* "solve: B 0.500 × the time", of the first few */
static void print_applications(const struct comparison *c, const struct screen *screen) {
    struct sentence s = {.length = 0};
    size_t named = 0;
    for (size_t i = 0; i < c->application_count && named < APPLICATIONS; i++) {
        const struct compare_application *row = &c->applications[i];
        const double base = row->points[row->first]->seconds.median;
        for (size_t side = 0; side < c->side_count && named < APPLICATIONS; side++) {
            char letter[2], number[UNITS_BYTES];
            if (side == row->first || !row->points[side] || !(base > 0) || !(row->points[side]->seconds.median > 0))
                continue;
            sentence_say(&s, "%s%.40s: %.40s %s × the time", named++ ? "; " : "", row->name,
                         sentence_name(c, side, letter),
                         units_digits(number, sizeof number, row->points[side]->seconds.median / base, 3));
        }
    }
    if (named)
        screen_note(screen, "Apps", "%s", s.text);
}

/* "B lacks 118 of A's, has 58 that A lacks"; of many how many. */
static void print_missing(const struct comparison *c, const struct screen *screen) {
    struct sentence s = {.length = 0};
    size_t lacking = 0, having = 0, missing, more;
    char own[2], base[2];
    for (size_t i = 0; i < c->side_count; i++) {
        compare_count(c, i, &missing, &more);
        lacking += missing > 0;
        having += more > 0;
        if ((!missing && !more) || c->side_count > SENTENCES_MOST + 1)
            continue;
        sentence_say(&s, "%s%s ", s.length ? "; " : "", sentence_name(c, i, own));
        if (missing)
            sentence_say(&s, "lacks %zu of %s's", missing, sentence_name(c, c->base, base));
        if (more)
            sentence_say(&s, "%shas %zu that %s lacks", missing ? ", " : "", more, sentence_name(c, c->base, base));
    }
    if (s.length)
        screen_note(screen, "Roofs", "%s", s.text);
    else if (lacking || having)
        screen_note(screen, "Roofs", "%zu of %zu lack some that the base has, %zu have more", lacking,
                    c->side_count - 1, having);
}

bool compare_answer_print(const struct comparison *c, enum compare_per per, const struct screen *screen) {
    const bool few = c->side_count <= COMPARE_COLUMNS;
    size_t doubtful = 0;
    if (c->headline_count == 0)
        return false;
    sentences_print(c, per, screen);
    print_applications(c, screen);
    if (few)
        sentences_print_sides(c, screen);
    print_rows(c, per, ROWS - (few ? c->side_count : 0), screen);
    fputc('\n', screen->out);
    print_missing(c, screen);
    for (size_t i = 0; i < c->headline_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            doubtful += c->headlines[i].roofs[side] && doubts_any(c->headlines[i].roofs[side]->sample->doubts);
    if (doubtful)
        screen_note(screen, "Doubts", "%zu of these values (why: --all)", doubtful);
    screen_note(screen, "Rows", "all %zu, and the best of each: --all", c->row_count);
    return true;
}
