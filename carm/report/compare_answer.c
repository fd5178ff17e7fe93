/* SPDX-License-Identifier: BSD-3-Clause
 * One screen of a comparison: first lines, table and notes. */
#include "compare_report.h"
#include "report_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/element.h"
#include "bench/kernels/levels.h"
#include "bench/programs/app_point.h"
#include "carm/compare/why.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "carm/text/next_step.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

/* The first lines. */

enum { SENTENCES_MOST = 3 }; /* up to so many sides have a line each; more share one with ranges */

/* The letter of a side; its name if there are many. */
static const char *sentence_name(const struct comparison *c, size_t side, char letter[2]) {
    return c->side_count <= COMPARE_COLUMNS ? compare_letter(side, letter) : c->sides[side].label;
}

/* Ranks numbers of cores by significance: all cores first, then the larger number. */
static unsigned sentence_rank(unsigned cores) {
    return cores == 0 ? ROOF_ALL_CORES : cores;
}

static bool any_has(const struct comparison *c, const struct compare_row *row, size_t side, enum compare_per per) {
    for (size_t i = 0; i < c->side_count; i++)
        if (i != c->base && (side == c->base || side == i) && !isnan(compare_ratio(c, row, i, per)))
            return true;
    return false;
}

/* The roof that represents a side (for the base: any side) in a sentence: the peak of f64, else of the first type, or
 * the outermost bandwidth; for all cores if both have it. NULL: none. */
static const struct compare_row *sentence_row(const struct comparison *c, size_t side, enum sample_kind kind,
                                              enum compare_per per) {
    const struct compare_row *best = NULL;
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct compare_row *row = &c->headlines[i];
        if (row->key.kind != kind || !any_has(c, row, side, per))
            continue;
        const bool inner = best && kind == SAMPLE_COMPUTE && element_find(row->key.type) != TYPE_F64;
        if (!best || sentence_rank(row->key.cores) > sentence_rank(best->key.cores) ||
            (row->key.cores == best->key.cores && !inner))
            best = row;
    }
    return best;
}

static const char *quantity_of(const struct compare_row *row, char *out, size_t size) {
    snprintf(out, size, row->key.kind == SAMPLE_COMPUTE ? "%s peak" : "%s bandwidth",
             row->key.kind == SAMPLE_COMPUTE ? row->key.type : row->key.level);
    return out;
}

static const char *label_of_isa(const struct roof *roof) {
    const struct isa *isa = isa_find(roof->isa);
    return isa ? isa->label : "";
}

/* "0.592 × A's f64 peak (AVX2 against AVX-512)"; `first`: else "its". */
static void say_ratio(struct sentence *s, const struct comparison *c, const struct compare_row *row, size_t side,
                      enum compare_per per, bool first) {
    char letter[2], number[UNITS_BYTES], name[64];
    const char *own = label_of_isa(row->roofs[side]), *other = label_of_isa(row->roofs[c->base]);
    text_say(s->text, "%s × %s%s %s", units_digits(number, sizeof number, compare_ratio(c, row, side, per), 3),
             first ? sentence_name(c, c->base, letter) : "its", first ? "'s" : "", quantity_of(row, name, sizeof name));
    const char *op = row->roofs[side]->op, *base_op = row->roofs[c->base]->op;
    char text[DESCRIBE_OPERATION_BYTES], base_text[DESCRIBE_OPERATION_BYTES];
    const bool known = row->key.kind == SAMPLE_COMPUTE && arithmetic_find(op) && arithmetic_find(base_op);
    if (known && arithmetic_find(op)->peak != arithmetic_find(base_op)->peak)
        text_say(s->text, " (%s against %s)", describe_operation(op, text), describe_operation(base_op, base_text));
    else if (row->key.kind == SAMPLE_COMPUTE && *own && *other && strcmp(own, other) != 0)
        text_say(s->text, " (%s against %s)", own, other);
}

/* "the clock: 2.2 against 3.4 GHz", "the number of cores: 4 against 2"; figures only if they belong to these roofs. */
static void compare_answer_say_causes(struct sentence *s, const struct roof *own, const struct roof *base,
                                      unsigned causes, bool figures) {
    static const char *const NAMES[COMPARE_CAUSES] = {"", "the clock", "the number of cores", "cores and clock"};
    const double ghz = own->sample->clock_hz / 1e9, base_ghz = base->sample->clock_hz / 1e9;
    text_say(s->text, "%s", NAMES[causes]);
    if (figures && causes == COMPARE_CLOCK)
        text_say(s->text, ": %.3g against %.3g GHz", ghz, base_ghz);
    else if (figures && causes == COMPARE_CORES)
        text_say(s->text, ": %u against %u", roof_cores(own), roof_cores(base));
    else if (figures)
        text_say(s->text, ": %u at %.3g GHz against %u at %.3g GHz", roof_cores(own), ghz, roof_cores(base), base_ghz);
}

/* The smallest set of causes that explains the difference of these two rows, and of nearly all others; 0: none.
 * `memory` may be NULL. */
static unsigned causes_of(const struct comparison *c, const struct compare_why *why, const struct compare_row *peak,
                          const struct compare_row *memory, size_t side, enum compare_per per) {
    for (unsigned causes = 1; causes < COMPARE_CAUSES; causes++)
        if ((double)why->explained[causes] >= report_thresholds.explained.value * (double)why->differing &&
            compare_differs_by(c, peak, side, per, causes) &&
            (!memory || !compare_differs(c, memory, side, per, causes)))
            return causes;
    return 0;
}

static unsigned causes_of_peak(const struct comparison *c, const struct compare_row *peak, size_t side,
                               enum compare_per per) {
    for (unsigned causes = 1; causes < COMPARE_CAUSES; causes++)
        if (compare_differs_by(c, peak, side, per, causes))
            return causes;
    return 0;
}

/* The reason, as far as clock and cores explain it. `memory` may be NULL. */
static void say_why(struct sentence *s, const struct comparison *c, const struct compare_row *peak,
                    const struct compare_row *memory, size_t side, enum compare_per per) {
    const struct roof *own = peak->roofs[side], *base = peak->roofs[c->base];
    const struct compare_why why = compare_why(c, side, per);
    const unsigned all = causes_of(c, &why, peak, memory, side, per), some = causes_of_peak(c, peak, side, per);
    const double per_cycle = compare_ratio(c, peak, side, PER_CYCLE);
    char number[UNITS_BYTES], name[64];
    if (why.both > 0 && why.differing == 0) {
        text_say(s->text, "; none of %zu roofs differs by more than two runs do", why.both);
    } else if (all) {
        text_say(s->text, "; nearly all of the difference comes from ");
        compare_answer_say_causes(s, own, base, all, all == some);
    } else if (some) {
        text_say(s->text, "; the %s differs by ", quantity_of(peak, name, sizeof name));
        compare_answer_say_causes(s, own, base, some, true);
    } else if (compare_differs(c, peak, side, per, 0) &&
               fabs(own->sample->clock_hz / base->sample->clock_hz - 1) < report_thresholds.same_clock.value) {
        text_say(s->text, "; at the same clock, %.3g GHz", own->sample->clock_hz / 1e9);
    } else if (compare_differs(c, peak, side, per, 0) && !isnan(per_cycle)) {
        text_say(s->text, "; per cycle %s%s × the %s, at %.3g against %.3g GHz",
                 roof_cores(own) == roof_cores(base) ? "" : "and core ",
                 units_digits(number, sizeof number, per_cycle, 3), quantity_of(peak, name, sizeof name),
                 own->sample->clock_hz / 1e9, base->sample->clock_hz / 1e9);
    }
}

/* "B: 0.63 × A's f64 peak, 0.58 × its DRAM bandwidth; nearly all of the difference comes from the clock: …" */
static void answer_side(const struct comparison *c, size_t side, enum compare_per per, const struct screen *screen) {
    static const char *const UNITS[] = {"", "per core ", "per cycle "};
    const struct compare_row *peak = sentence_row(c, side, SAMPLE_COMPUTE, per),
                             *memory = sentence_row(c, side, SAMPLE_BANDWIDTH, per);
    const struct compare_row *first = peak ? peak : memory;
    struct sentence s = {""};
    char letter[2];
    text_say(s.text, "%s: ", sentence_name(c, side, letter));
    if (!first)
        text_say(s.text, "shares no ceiling and no bandwidth with %s", sentence_name(c, c->base, letter));
    else
        text_say(s.text, "%s%s", first->key.cores == 1 ? "one core: " : "", UNITS[per]);
    if (peak)
        say_ratio(&s, c, peak, side, per, true);
    if (peak && memory)
        text_say(s.text, ", ");
    if (memory)
        say_ratio(&s, c, memory, side, per, !peak);
    if (peak && per != PER_CYCLE)
        say_why(&s, c, peak, memory, side, per);
    screen_say(screen, s.text, "   ");
}

/* "f64 0.592 × (D) to 1.40 × (C)" */
static void say_range(struct sentence *s, const struct comparison *c, const struct compare_row *row,
                      enum compare_per per) {
    size_t low = c->base, high = c->base;
    char name[64], number[2][UNITS_BYTES], letter[2][2];
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, per);
        if (i == c->base || isnan(ratio))
            continue;
        low = low == c->base || ratio < compare_ratio(c, row, low, per) ? i : low;
        high = high == c->base || ratio > compare_ratio(c, row, high, per) ? i : high;
    }
    text_say(s->text, "%s %s × (%.60s) to %s × (%.60s)", quantity_of(row, name, sizeof name),
             units_digits(number[0], UNITS_BYTES, compare_ratio(c, row, low, per), 3), sentence_name(c, low, letter[0]),
             units_digits(number[1], UNITS_BYTES, compare_ratio(c, row, high, per), 3),
             sentence_name(c, high, letter[1]));
}

static void answer_many(const struct comparison *c, enum compare_per per, const struct screen *screen) {
    static const char *const UNITS[] = {"", ", per core", ", per cycle"};
    const struct compare_row *peak = sentence_row(c, c->base, SAMPLE_COMPUTE, per),
                             *memory = sentence_row(c, c->base, SAMPLE_BANDWIDTH, per);
    struct sentence s = {""};
    char letter[2];
    text_say(s.text, "%zu results against %.60s%s: ", c->side_count - 1, sentence_name(c, c->base, letter), UNITS[per]);
    if (peak)
        say_range(&s, c, peak, per);
    if (peak && memory)
        text_say(s.text, ", ");
    if (memory)
        say_range(&s, c, memory, per);
    if (!peak && !memory)
        text_say(s.text, "none shares a ceiling or bandwidth with it");
    screen_say(screen, s.text, "   ");
}

void sentences_print(const struct comparison *c, enum compare_per per, const struct screen *screen) {
    for (size_t side = 0; side < c->side_count && c->side_count <= SENTENCES_MOST + 1; side++)
        if (side != c->base)
            answer_side(c, side, per, screen);
    if (c->side_count > SENTENCES_MOST + 1)
        answer_many(c, per, screen);
}

/* If a file is compared with itself, the selected cores, else the machine's. */
static unsigned cores_of(const struct compare_side *side) {
    return side->cores && side->cores != ROOF_ALL_CORES ? side->cores : side->model->result->machine.core_count;
}

void sentences_print_sides(const struct comparison *c, const struct screen *screen) {
    struct table table = screen_table(screen, "llrll", "00213");
    table.headless = true;
    for (size_t i = 0; i < c->side_count; i++) {
        const struct result *result = c->sides[i].model->result;
        const unsigned cores = cores_of(&c->sides[i]);
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), text[UNITS_BYTES];
        table_set(row, 0, "%s", compare_letter(i, text));
        table_set(row, 1, "%.60s%s", c->sides[i].label, i == c->base ? ", the base" : "");
        if (cores && (c->sides[i].cores == ROOF_ALL_CORES || !strstr(c->sides[i].label, "core")))
            table_set(row, 2, "%u core%s", cores, cores == 1 ? "" : "s");
        if (result->environment.rest_clock_hz > 0)
            table_set(row, 3, "%s at rest",
                      units_si_digits(text, sizeof text, result->environment.rest_clock_hz, "Hz", 3));
        const char *path = c->sides[i].path, *slash = strrchr(path, '/');
        table_set(row, 4, "%s", table_form() == TABLE_LATEX && slash ? slash + 1 : path); /* a page has no room */
    }
    fputc('\n', screen->out);
    table_print(&table, screen->out);
}

/* The table and the notes. */

enum {
    ROWS = 14,        /* of the table and the list of machines together */
    APPLICATIONS = 3, /* named at most */
};

/* The largest distance of a side from the base; -1: unknown. */
static double compare_answer_distance_of(const struct comparison *c, const struct compare_row *row,
                                         enum compare_per per) {
    double distance = -1;
    for (size_t i = 0; i < c->side_count; i++) {
        const double ratio = compare_ratio(c, row, i, per);
        if (i != c->base && !isnan(ratio))
            distance = fmax(distance, fabs(log(ratio)));
    }
    return distance;
}

/* The merit of each headline of the most cores, and of each latency: the distance from the base; infinite for the roofs
 * in the first lines. */
static void find_merits(const struct comparison *c, enum compare_per per, double *merits) {
    const struct compare_row *peak = sentence_row(c, c->base, SAMPLE_COMPUTE, per),
                             *memory = sentence_row(c, c->base, SAMPLE_BANDWIDTH, per);
    unsigned most = 0;
    for (size_t i = 0; i < c->headline_count; i++)
        most = sentence_rank(c->headlines[i].key.cores) > most ? sentence_rank(c->headlines[i].key.cores) : most;
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct compare_row *row = &c->headlines[i];
        const bool listed = sentence_rank(row->key.cores) == most || row->key.kind == SAMPLE_LATENCY;
        merits[i] = !listed                        ? -INFINITY
                    : row == peak || row == memory ? INFINITY
                                                   : compare_answer_distance_of(c, row, per);
    }
}

/* The chosen headlines of one kind, in order. */
static void add_rows(struct compare_rows *rows, const struct comparison *c, const bool *chosen, bool latencies) {
    char name[64], roof[TABLE_CELL_BYTES];
    for (size_t i = 0; i < c->headline_count; i++) {
        const struct compare_row *row = &c->headlines[i];
        if (!chosen[i] || (row->key.kind == SAMPLE_LATENCY) != latencies)
            continue;
        compare_best_names(c, row, true, roof, sizeof roof);
        compare_rows_add(rows, row, compare_headline_name(row, name, sizeof name), roof);
    }
}

/* Whether two long names of a range find room only with small gaps. */
static bool needs_room(const struct comparison *c, const struct screen *screen) {
    enum { LONG_NAME = 22, WIDE = 90 };
    bool any = false;
    for (size_t i = 0; i < c->side_count; i++)
        any |= table_width(c->sides[i].label) > LONG_NAME;
    return any && c->side_count > COMPARE_COLUMNS && screen_columns(screen) < WIDE;
}

/* "C, D": the sides whose values find no room. */
static void compare_answer_say_lacking(struct compare_rows *rows, struct sentence *s) {
    const struct comparison *c = rows->of;
    char letter[2];
    for (size_t side = 0; side < c->side_count && c->side_count <= COMPARE_COLUMNS; side++)
        if (side != c->base && compare_rows_lack(rows, side))
            text_say(s->text, "%s%s", *s->text ? ", " : "", compare_letter(side, letter));
}

/* Prints as many rows as there is room for, and says in `lacking` which sides' values find none. */
static void compare_answer_print_rows(const struct comparison *c, enum compare_per per, size_t room,
                                      struct sentence *lacking, const struct screen *screen) {
    static const char *const HEADINGS[] = {"roof", "roof (per core)", "roof (per cycle and core)"};
    double *merits = need_calloc(c->headline_count + 1, sizeof *merits);
    bool *chosen = need_calloc(c->headline_count + 1, sizeof *chosen);
    struct compare_rows rows = compare_rows_begin(c, per, HEADINGS[per], false);
    screen_fit(screen, &rows.to.table);
    rows.to.table.gap = needs_room(c, screen) ? 1 : 0;
    find_merits(c, per, merits);
    screen_choose(merits, c->headline_count, room, chosen);
    add_rows(&rows, c, chosen, false);
    add_rows(&rows, c, chosen, true);
    compare_answer_say_lacking(&rows, lacking);
    columns_print_section(&rows.to, screen->out);
    free(merits);
    free(chosen);
}

/* "solve: B 0.500 × the time", of the first few */
static void compare_answer_print_applications(const struct comparison *c, const struct screen *screen) {
    struct sentence s = {""};
    size_t named = 0;
    for (size_t i = 0; i < c->application_count && named < APPLICATIONS; i++) {
        const struct compare_application *row = &c->applications[i];
        const double base = row->points[row->first]->seconds.median;
        for (size_t side = 0; side < c->side_count && named < APPLICATIONS; side++) {
            char letter[2], number[UNITS_BYTES];
            if (side == row->first || !row->points[side] || !(base > 0) || !(row->points[side]->seconds.median > 0))
                continue;
            text_say(s.text, "%s%.40s: %.40s %s × the time", named++ ? "; " : "", row->name,
                     sentence_name(c, side, letter),
                     units_digits(number, sizeof number, row->points[side]->seconds.median / base, 3));
        }
    }
    if (named)
        screen_note(screen, "Apps", "%s", s.text);
}

/* "B lacks 118 of A's, has 58 that A lacks"; for many sides their numbers. */
static void compare_answer_print_missing(const struct comparison *c, const struct screen *screen) {
    struct sentence s = {""};
    size_t lacking = 0, having = 0, missing, more;
    char own[2], base[2];
    for (size_t i = 0; i < c->side_count; i++) {
        compare_count(c, i, &missing, &more);
        lacking += missing > 0;
        having += more > 0;
        if ((!missing && !more) || c->side_count > SENTENCES_MOST + 1)
            continue;
        text_say(s.text, "%s%s ", *s.text ? "; " : "", sentence_name(c, i, own));
        if (missing)
            text_say(s.text, "lacks %zu of %s's", missing, sentence_name(c, c->base, base));
        if (more)
            text_say(s.text, "%shas %zu that %s lacks", missing ? ", " : "", more, sentence_name(c, c->base, base));
    }
    if (*s.text)
        screen_note(screen, "Roofs", "%s", s.text);
    else if (lacking || having)
        screen_note(screen, "Roofs", "%zu of %zu lack roofs of the base, %zu have more", lacking, c->side_count - 1,
                    having);
}

/* "B's f64 peak is not known: `carmine run --resume FILE` measures blank roofs again" */
static void print_unknown(const struct comparison *c, const struct screen *screen) {
    for (size_t side = 0; side < c->side_count && c->side_count <= COMPARE_COLUMNS; side++) {
        struct sentence s = {""};
        char letter[2], name[64];
        for (size_t i = 0; i < c->headline_count; i++)
            if (c->headlines[i].blanks[side] && (c->headlines[i].key.cores != 1 || cores_of(&c->sides[side]) == 1))
                text_say(s.text, "%s%s", *s.text ? ", " : "",
                         compare_headline_name(&c->headlines[i], name, sizeof name));
        char *resume = next_command(NEXT_RESUME, c->sides[side].path);
        if (*s.text)
            screen_note(screen, "Blank", "%s's %s: not known, as a blank roof may be the best; `%s`",
                        sentence_name(c, side, letter), s.text, resume);
        free(resume);
    }
}

/* "Spec    DRAM by all cores is 78 % of documented in A, 85 % in B", where that is known. */
static void say_documented(const struct comparison *c, struct sentence *s) {
    const char *level = "";
    for (size_t i = 0; i < c->headline_count; i++)
        for (size_t side = 0; side < c->side_count && c->side_count <= COMPARE_COLUMNS; side++) {
            const struct roof *roof = c->headlines[i].roofs[side];
            char letter[2];
            if (!roof || !levels_is_memory(roof->sample->level) || roof->documented_ratio <= 0)
                continue;
            const bool same = strcmp(level, roof->sample->level) == 0;
            level = roof->sample->level;
            text_say(s->text, "%s%s%s%.0f %%%s in %s", *s->text ? ", " : "", same ? "" : level,
                     same ? "" : " by all cores is ", 100 * roof->documented_ratio, same ? "" : " of documented",
                     sentence_name(c, side, letter));
        }
}

/* Of sides without roofs. False: they have no cores either, or applications, which need the tables. */
static bool print_cores_alone(const struct comparison *c, bool cores, const struct screen *screen) {
    if (!cores || c->application_count > 0)
        return false;
    compare_core_note(c, screen);
    if (c->side_count <= COMPARE_COLUMNS)
        sentences_print_sides(c, screen);
    return true;
}

bool compare_answer_print(const struct comparison *c, enum compare_per per, const struct screen *screen) {
    const bool few = c->side_count <= COMPARE_COLUMNS,
               cores = c->sides[c->base].model->result->core.count > 0 && !compare_is_one_result(c);
    size_t doubtful = 0;
    struct sentence documented = {""}, lacking = {""};
    say_documented(c, &documented);
    if (c->headline_count == 0)
        return print_cores_alone(c, cores, screen);
    sentences_print(c, per, screen);
    compare_answer_print_applications(c, screen);
    if (few)
        sentences_print_sides(c, screen);
    compare_answer_print_rows(
        c, per, ROWS - (few ? c->side_count : 0) - (cores ? CORE_NOTE_LINES : 0) - (*documented.text ? 1 : 0), &lacking,
        screen);
    fputc('\n', screen->out);
    screen_note(screen, "Words", "f64 peak: operations/s, 64 bits; L1-L3: caches; latency: less is better");
    if (*lacking.text)
        screen_note(screen, "Width", "no room for the values of %s: COLUMNS=120, or --csv", lacking.text);
    compare_core_note(c, screen);
    if (*documented.text)
        screen_note(screen, "Spec", "%s", documented.text);
    compare_answer_print_missing(c, screen);
    print_unknown(c, screen);
    for (size_t i = 0; i < c->headline_count; i++)
        for (size_t side = 0; side < c->side_count; side++)
            doubtful += c->headlines[i].roofs[side] && doubts_any(c->headlines[i].roofs[side]->sample->doubts);
    if (doubtful)
        screen_note(screen, "Rows", "all %zu, the best of each, and why %zu of these have warnings: --all",
                    c->row_count, doubtful);
    else
        screen_note(screen, "Rows", "all %zu, and the best of each: --all", c->row_count);
    return true;
}
