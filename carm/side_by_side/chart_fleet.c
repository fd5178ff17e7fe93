/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips: how far each node is from its group's medians, class by class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/units.h"
#include "chart_strips.h"
#include "chart_fleet.h"
#include "probe/need.h"

enum { MAX_ROWS = 20, NAME_BYTES = 96, MAX_HIDDEN = 4 };

struct fleet_row {
    const struct fleet_group *group;
    size_t number, class; /* of the group */
};

struct fleet_picture {
    size_t count;
    struct fleet_row rows[MAX_ROWS];
    struct strip strips[MAX_ROWS];
    char names[MAX_ROWS][NAME_BYTES], title[256], subtitle[256];
    struct strip_dot *dots[MAX_ROWS];
};

static void add_row(struct fleet_picture *p, const struct fleet_group *group, size_t number, size_t class) {
    for (size_t i = 0; i < p->count; i++)
        if (p->rows[i].number == number && p->rows[i].class == class)
            return;
    if (class != FLEET_NONE && p->count < MAX_ROWS)
        p->rows[p->count++] = (struct fleet_row){group, number, class};
}

/* Whether an outlier stands apart on one of the rows. */
static bool is_shown(const struct fleet_picture *p, size_t number, const struct fleet_outlier *outlier) {
    for (size_t i = 0; i < p->count; i++) {
        const struct fleet_class *class = &p->rows[i].group->classes[p->rows[i].class];
        for (size_t m = 0; m < p->rows[i].group->count && p->rows[i].number == number; m++)
            if (p->rows[i].group->members[m] == outlier->node &&
                fabs(class->deviations[m] - class->center) >= class->tolerance)
                return true;
    }
    return false;
}

/* What stands for each level, and the classes that alone give an outlier away. */
static void choose_rows(const struct fleet_groups *groups, const struct fleet_report *report, struct fleet_picture *p) {
    static const char *const LEVELS[] = {"L1", "L2", "L3", "DRAM", "HBM"};
    for (size_t g = 0; g < groups->count; g++) {
        const struct fleet_group *group = &groups->groups[g];
        if (!group->judged)
            continue;
        add_row(p, group, g, fleet_headline(group, SAMPLE_COMPUTE, ""));
        for (size_t l = 0; l < sizeof LEVELS / sizeof LEVELS[0]; l++)
            add_row(p, group, g, fleet_headline(group, SAMPLE_BANDWIDTH, LEVELS[l]));
        add_row(p, group, g, fleet_headline(group, SAMPLE_LATENCY, "DRAM"));
        for (size_t i = 0; i < report->count; i++)
            if (report->outliers[i].group == g && !is_shown(p, g, &report->outliers[i]))
                add_row(p, group, g, report->outliers[i].class);
    }
}

enum { TYPE_BYTES = 40 };

/* "Granite Rapids ", where types differ in their memory alone "Granite Rapids 256 GiB ", where there is one type "". */
static void name_type(const struct fleet_picture *p, const struct fleet_row *row, char out[TYPE_BYTES]) {
    const char *name = row->group->name;
    char memory[16];
    const int length = (int)strcspn(name, "·"); /* ends in a blank */
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
    const struct roof_key *key = &row->group->classes[row->class].key;
    char place[96], what[32] = "bandwidth", type[TYPE_BYTES];
    if (key->kind == SAMPLE_COMPUTE)
        snprintf(what, sizeof what, "%.*s %s", (int)strcspn(key->kernel, "."), key->kernel,
                 strstr(key->kernel, ".fma") ? "FMA" : "arithmetic");
    else if (key->kind == SAMPLE_LATENCY || key->kernel[0])
        snprintf(what, sizeof what, "%s", key->kind == SAMPLE_LATENCY ? "latency" : "random lines");
    roof_key_place(key, place, sizeof place);
    name_type(p, row, type);
    snprintf(out, NAME_BYTES, "%s%.8s%s%.20s%s, %.12s", type, key->level, key->level[0] ? " " : "", what,
             key->small_pages ? " (4 KiB)" : "", place);
}

/* An outlier is named on the rows where it is flagged: where it is farther off than the row's tolerance. */
static void fill_strip(const struct fleet *fleet, const struct fleet_report *report, struct fleet_picture *p,
                       size_t i) {
    const struct fleet_row *row = &p->rows[i];
    const struct fleet_class *class = &row->group->classes[row->class];
    struct strip_dot *dots = p->dots[i] = need_calloc(row->group->count + 1, sizeof *dots);
    for (size_t m = 0; m < row->group->count; m++) {
        dots[m].value = class->deviations[m];
        if (!(fabs(dots[m].value - class->center) >= class->tolerance))
            continue;
        for (size_t k = 0; k < report->count; k++)
            if (report->outliers[k].node == row->group->members[m])
                dots[m].label = fleet->nodes[row->group->members[m]].machine.host;
    }
    p->strips[i] = (struct strip){.name = p->names[i], .count = row->group->count, .dots = dots};
}

/* The machine type, and the outliers that no speed gives away. */
static void write_subtitle(const struct fleet *fleet, const struct fleet_report *report, size_t drawn_groups,
                           struct fleet_picture *p) {
    size_t hidden = 0, length;
    snprintf(p->subtitle, sizeof p->subtitle, "%.90s%s", p->rows[0].group->name,
             drawn_groups > 1 ? ", and other types below" : "");
    for (size_t i = 0; i < report->count; i++) {
        const struct fleet_outlier *outlier = &report->outliers[i];
        if (is_shown(p, outlier->group, outlier))
            continue;
        length = strlen(p->subtitle);
        if (hidden++ < MAX_HIDDEN)
            snprintf(p->subtitle + length, sizeof p->subtitle - length, "%s%.24s", hidden == 1 ? "; on no row: " : ", ",
                     fleet->nodes[outlier->node].machine.host);
    }
    length = strlen(p->subtitle);
    if (hidden > MAX_HIDDEN)
        snprintf(p->subtitle + length, sizeof p->subtitle - length, " and %zu more", hidden - MAX_HIDDEN);
}

bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err) {
    struct fleet_picture *p = need_calloc(1, sizeof *p);
    struct plot plot;
    void *store = NULL;
    size_t drawn_groups = 0, nodes = 0;
    for (size_t g = 0; g < groups->count; g++)
        nodes += groups->groups[g].count;
    bool done;
    choose_rows(groups, report, p);
    for (size_t i = 0; i < p->count; i++) {
        const bool begins = i == 0 || p->rows[i].number != p->rows[i - 1].number;
        drawn_groups += begins;
        name_row(p, &p->rows[i], p->names[i]);
        fill_strip(fleet, report, p, i);
    }
    if (p->count == 0) {
        done = error_set(err, "no machine type has %d nodes or more: nothing is usual, and nothing to draw",
                         FLEET_GROUP_LEAST);
    } else {
        snprintf(p->title, sizeof p->title, "%zu nodes, %zu outlier%s", nodes, report->count,
                 report->count == 1 ? "" : "s");
        write_subtitle(fleet, report, drawn_groups, p);
        const struct strips_text text = {.title = p->title,
                                         .subtitle = p->subtitle,
                                         .axis = "Deviation from the median of the machine type  [%]",
                                         .shown_per_value = 100,
                                         .difference = true,
                                         .footer = "A dot per node: the median deviation of all roofs of such code or "
                                                   "level; of many nodes an even choice by rank, and all outliers. Of "
                                                   "latency more is worse."};
        done = strips_plot(p->strips, p->count, &text, &plot, &store) && chart_write(&plot, options, path, err);
    }
    for (size_t i = 0; i < p->count; i++)
        free(p->dots[i]);
    free(store);
    free(p);
    return done;
}
