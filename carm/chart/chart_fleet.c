/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips: the deviation of each node from its group's medians, by class of roofs. */
#include "chart_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/fleet/fleet_thresholds.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/units.h"

enum { MAX_ROWS = 20, NAME_BYTES = 96, MAX_HIDDEN = 4, MAX_NAMED = 10, REST_BYTES = 96 };

static const double ROW_HEIGHT = 70; /* points on the page: room for names beside dots */
static const double ALONE = 0.02;    /* height of a name, as a share of the range of all values */

struct fleet_row {
    const struct fleet_group *group;
    size_t number, class; /* within the group */
};

struct fleet_picture {
    size_t count;
    struct fleet_row rows[MAX_ROWS];
    struct strip strips[MAX_ROWS];
    char names[MAX_ROWS][NAME_BYTES], rests[MAX_ROWS][REST_BYTES], title[256], subtitle[256];
    struct strip_dot *dots[MAX_ROWS]; /* of each row, one per member of its group */
    double low, high;                 /* the lowest and the highest value of all dots */
};

static void add_row(struct fleet_picture *p, const struct fleet_group *group, size_t number, size_t class) {
    for (size_t i = 0; i < p->count; i++)
        if (p->rows[i].number == number && p->rows[i].class == class)
            return;
    if (class != FLEET_NONE && p->count < MAX_ROWS)
        p->rows[p->count++] = (struct fleet_row){group, number, class};
}

/* Whether the row flags the outlier: farther off than the row's tolerance. */
static bool is_on(const struct fleet_row *row, const struct fleet_outlier *outlier) {
    const struct fleet_class *class = &row->group->classes[row->class];
    return row->number == outlier->group &&
           fabs(class->deviations[outlier->member] - class->center) >= class->tolerance;
}

/* Whether any row flags the outlier. */
static bool is_shown(const struct fleet_picture *p, const struct fleet_outlier *outlier) {
    bool shown = false;
    for (size_t i = 0; i < p->count; i++)
        shown |= is_on(&p->rows[i], outlier);
    return shown;
}

/* Chooses a headline for each level, and classes that alone flag an outlier. */
static void choose_rows(const struct fleet_groups *groups, const struct fleet_report *report, struct fleet_picture *p) {
    static const char *const LEVELS[] = {"L1", "L1.5", "L2", "L3", "L4", "DRAM", "HBM"};
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        if (!group->judged)
            continue;
        add_row(p, group, g, fleet_headline(group, SAMPLE_COMPUTE, ""));
        for (size_t l = 0; l < sizeof LEVELS / sizeof LEVELS[0]; l++)
            add_row(p, group, g, fleet_headline(group, SAMPLE_BANDWIDTH, LEVELS[l]));
        add_row(p, group, g, fleet_headline(group, SAMPLE_LATENCY, NULL));
        for (size_t i = 0; i < report->count; i++)
            if (report->outliers[i].group == g && !is_shown(p, &report->outliers[i]))
                add_row(p, group, g, report->outliers[i].class);
    }
}

enum { TYPE_BYTES = 40 };

/* Writes "Granite Rapids ", "Granite Rapids 256 GiB " if types differ in memory only, or "" if there is one type. */
static void name_type(const struct fleet_picture *p, const struct fleet_row *row, char out[TYPE_BYTES]) {
    const char *name = row->group->name;
    char memory[16];
    const int length = (int)strcspn(name, "·"); /* ends before a blank */
    bool several = false, alike = false;
    for (size_t i = 0; i < p->count; i++) {
        several |= p->rows[i].number != row->number;
        alike |= p->rows[i].number != row->number && strncmp(p->rows[i].group->name, name, (size_t)length) == 0;
    }
    units_binary(memory, sizeof memory, (double)fleet_memory_class(row->group->typical.memory_bytes));
    snprintf(out, TYPE_BYTES, "%.*s%s%s", several ? (length < 18 ? length : 18) : 0, name, alike ? memory : "",
             alike ? " " : "");
}

static void name_row(const struct fleet_picture *p, const struct fleet_row *row, char *out) {
    const struct fleet_class *class = &row->group->classes[row->class];
    const struct roof_key *key = &class->key;
    char place[96], what[32] = "bandwidth", type[TYPE_BYTES], pages[ROOF_KEY_PAGES_BYTES] = "";
    if (key->kind == SAMPLE_COMPUTE)
        snprintf(what, sizeof what, "%s %s", class->isa, class->fma ? "FMA" : "arithmetic");
    else if (key->figure)
        snprintf(what, sizeof what, "%.20s", key->kernel);
    else if (key->kind == SAMPLE_LATENCY || class->random)
        snprintf(what, sizeof what, "%s", class->random ? "random lines" : "latency");
    roof_key_place(key, place, sizeof place);
    name_type(p, row, type);
    if (key->small_pages)
        snprintf(pages, sizeof pages, " (%u KiB)", key->small_pages);
    snprintf(out, NAME_BYTES, "%s%.8s%s%.20s%s, %.12s", type, key->level, key->level[0] ? " " : "", what, pages, place);
}

/* Sets the values of a row's dots and marks its outliers. */
static void fill_strip(const struct fleet_report *report, struct fleet_picture *p, size_t i, struct strip_dot *dots) {
    const struct fleet_row *row = &p->rows[i];
    p->dots[i] = dots;
    for (size_t m = 0; m < row->group->count; m++) {
        dots[m].value = row->group->classes[row->class].deviations[m];
        p->low = fmin(p->low, dots[m].value);
        p->high = fmax(p->high, dots[m].value);
    }
    for (size_t k = 0; k < report->count; k++)
        if (is_on(row, &report->outliers[k]))
            dots[report->outliers[k].member].apart = true;
    p->strips[i] = (struct strip){.name = p->names[i], .count = row->group->count, .dots = dots};
}

/* An outlier of a row. */
struct apart {
    size_t member;
    double value, alone; /* distance to the nearest other outlier */
};

static int by_value(const void *a, const void *b) {
    const struct apart *p = a, *q = b;
    return p->value < q->value ? -1 : p->value > q->value;
}

static int most_alone_first(const void *a, const void *b) {
    const struct apart *p = a, *q = b;
    return p->alone > q->alone ? -1 : p->alone < q->alone ? 1 : p->member < q->member ? -1 : p->member > q->member;
}

/* Of too many outliers, names those that stand alone; a name in a crowd would seem to be another dot's. The first of
 * the others has a label with its name and the number of the rest. */
static void name_some(const struct fleet *fleet, struct fleet_picture *p, size_t i, struct apart *all, size_t count) {
    const struct fleet_row *row = &p->rows[i];
    size_t named = 0, first = FLEET_NONE;
    qsort(all, count, sizeof *all, by_value);
    for (size_t k = 0; k < count; k++)
        all[k].alone = fmin(k ? all[k].value - all[k - 1].value : INFINITY,
                            k + 1 < count ? all[k + 1].value - all[k].value : INFINITY);
    qsort(all, count, sizeof *all, most_alone_first);
    while (named < MAX_NAMED - 1 && all[named].alone >= ALONE * (p->high - p->low)) {
        const size_t member = all[named++].member;
        p->dots[i][member].label = fleet->nodes[row->group->members[member]].machine.host;
    }
    for (size_t k = named; k < count; k++)
        first = all[k].member < first ? all[k].member : first;
    snprintf(p->rests[i], REST_BYTES, "%.64s and %zu more", fleet->nodes[row->group->members[first]].machine.host,
             count - named - 1);
    p->dots[i][first].label = p->rests[i];
    p->dots[i][first].several = true;
}

/* Names the outliers of a row. */
static void name_dots(const struct fleet *fleet, struct fleet_picture *p, size_t i) {
    const struct fleet_row *row = &p->rows[i];
    struct apart *all = need_calloc(row->group->count + 1, sizeof *all);
    size_t count = 0;
    for (size_t m = 0; m < row->group->count; m++)
        if (p->dots[i][m].apart)
            all[count++] = (struct apart){.member = m, .value = p->dots[i][m].value};
    for (size_t k = 0; k < count && count <= MAX_NAMED; k++)
        p->dots[i][all[k].member].label = fleet->nodes[row->group->members[all[k].member]].machine.host;
    if (count > MAX_NAMED)
        name_some(fleet, p, i, all, count);
    free(all);
}

/* Writes the machine type, and the outliers that no row flags. */
static void write_subtitle(const struct fleet *fleet, const struct fleet_report *report, size_t drawn_groups,
                           struct fleet_picture *p) {
    size_t hidden = 0;
    snprintf(p->subtitle, sizeof p->subtitle, "%.90s%s", p->rows[0].group->name,
             drawn_groups > 1 ? ", and other types below" : "");
    for (size_t i = 0; i < report->count; i++) {
        const struct fleet_outlier *outlier = &report->outliers[i];
        if (is_shown(p, outlier))
            continue;
        if (hidden++ < MAX_HIDDEN)
            text_append(p->subtitle, sizeof p->subtitle, "%s%.24s", hidden == 1 ? "; on no row: " : ", ",
                        fleet->nodes[outlier->node].machine.host);
    }
    if (hidden > MAX_HIDDEN)
        text_append(p->subtitle, sizeof p->subtitle, " and %zu more", hidden - MAX_HIDDEN);
}

/* Fills the rows. All dots are one block. */
static struct strip_dot *fill(const struct fleet *fleet, const struct fleet_report *report, struct fleet_picture *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += p->rows[i].group->count;
    struct strip_dot *dots = need_calloc(count + 1, sizeof *dots), *next = dots;
    for (size_t i = 0; i < p->count; next += p->rows[i++].group->count) {
        name_row(p, &p->rows[i], p->names[i]);
        fill_strip(report, p, i, next);
    }
    for (size_t i = 0; i < p->count; i++)
        name_dots(fleet, p, i);
    return dots;
}

bool chart_fleet_make(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      struct picture *out, struct error *err) {
    struct fleet_picture *p = need_calloc(1, sizeof *p);
    size_t drawn_groups = 0, nodes = 0;
    choose_rows(groups, report, p);
    *out = (struct picture){.blocks = {p, fill(fleet, report, p)}};
    for (size_t g = 0; g < groups->count; g++)
        nodes += groups->groups[g].count;
    for (size_t i = 0; i < p->count; i++)
        drawn_groups += i == 0 || p->rows[i].number != p->rows[i - 1].number;
    if (p->count == 0) {
        picture_free(out);
        return error_set(err, "no machine type has %d nodes or more, so there is no median to compare with",
                         (int)fleet_thresholds.group_nodes.value);
    }
    snprintf(p->title, sizeof p->title, "%zu nodes, %zu outlier%s", nodes, report->count,
             report->count == 1 ? "" : "s");
    write_subtitle(fleet, report, drawn_groups, p);
    const struct strips_text text = {.title = p->title,
                                     .subtitle = p->subtitle,
                                     .axis = "Deviation from the median of the machine type  [%]",
                                     .shown_per_value = 100,
                                     .difference = true,
                                     .footer = "A dot per node: the median deviation of its roofs of this code or "
                                               "level. Of many nodes: an even choice by rank, and all outliers. "
                                               "Higher latency is worse."};
    const bool done = strips_plot(p->strips, p->count, &text, out);
    out->plot.rows_height = (double)p->count * ROW_HEIGHT;
    return done;
}

bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err) {
    struct picture picture;
    if (!chart_fleet_make(fleet, groups, report, &picture, err))
        return false;
    return picture_write(&picture, options, path, err);
}
