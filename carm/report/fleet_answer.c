/* SPDX-License-Identifier: BSD-3-Clause
 * The one screen of a fleet (see fleet_answer.h). */
#include "fleet_answer.h"
#include "fleet_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { OUTLIERS = 7, TYPES = 3, DIAGNOSES = 5 };

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static size_t count_diagnosis(const struct fleet_report *report, const char *diagnosis) {
    size_t count = 0;
    for (size_t i = 0; i < report->count; i++)
        count += strcmp(report->outliers[i].diagnosis, diagnosis) == 0;
    return count;
}

/* Whether no outlier before this one has its diagnosis. */
static bool is_first(const struct fleet_report *report, size_t outlier) {
    for (size_t i = 0; i < outlier; i++)
        if (strcmp(report->outliers[i].diagnosis, report->outliers[outlier].diagnosis) == 0)
            return false;
    return true;
}

/* "60 nodes of 2 machine types, 12 outliers: 3 × lost DIMM or channel, 2 × throttled socket, …" */
static void print_sum(const struct fleet_groups *groups, const struct fleet_report *report,
                      const struct screen *screen) {
    char line[640];
    size_t nodes = 0, said = 0;
    for (size_t g = 0; g < groups->count; g++)
        nodes += groups->groups[g].count;
    int length = snprintf(line, sizeof line, "%zu node%s of %zu machine type%s, %zu outlier%s", nodes, plural(nodes),
                          groups->count, plural(groups->count), report->count, plural(report->count));
    for (size_t i = 0; i < report->count; i++) {
        const char *diagnosis = report->outliers[i].diagnosis;
        if (is_first(report, i) && said++ < DIAGNOSES)
            length += snprintf(line + length, sizeof line - (size_t)length, "%s%zu × %s", said == 1 ? ": " : ", ",
                               count_diagnosis(report, diagnosis), diagnosis);
    }
    if (said > DIAGNOSES)
        snprintf(line + length, sizeof line - (size_t)length, ", …");
    screen_say(screen, line, "   ");
}

/* What no roof tells, such as a lost DIMM or a host of another name, comes first; else the farthest off. */
static double gravity_of(const struct fleet_outlier *outlier) {
    return outlier->key == FLEET_NONE ? INFINITY : fabs(outlier->z);
}

static void print_outliers(const struct fleet *fleet, const struct fleet_report *report, const struct screen *screen) {
    struct column_walk to = columns_table(0);
    double *gravities = need_calloc(report->count + 1, sizeof *gravities);
    bool *chosen = need_calloc(report->count + 1, sizeof *chosen);
    size_t all = 0;
    screen_fit(screen, &to.table);
    for (size_t i = 0; i < report->count; i++) {
        const bool first = report->outliers[i].first_alike == i;
        gravities[i] = first ? gravity_of(&report->outliers[i]) : -INFINITY;
        all += first;
    }
    const size_t listed = screen_choose(gravities, report->count, OUTLIERS, chosen);
    for (size_t i = 0; i < report->count; i++)
        if (chosen[i]) {
            columns_row(&to);
            fleet_outlier_columns(&to, fleet, &report->outliers[i]);
        }
    columns_print_section(&to, screen->out);
    if (all > listed)
        fprintf(screen->out, "… and %zu more\n", all - listed);
    free(gravities);
    free(chosen);
}

static void add_type(struct table *table, const struct fleet *fleet, const struct fleet_group *group) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table), text[UNITS_BYTES];
    table_set(row, 0, "%s", group->name);
    table_set(row, 1, "%zu", group->count);
    table_set(row, 2, "%zu", group->outlier_count);
    for (size_t h = 0; h < FLEET_HEADLINES; h++) {
        const size_t key = fleet_headline_roof(fleet, group, h);
        if (key != FLEET_NONE)
            table_set(row, 3 + h, "%s", fleet_value_text(&fleet->keys.keys[key], group->roofs[key].median, text));
    }
}

/* What is usual in each type that has enough nodes to tell. */
static void print_types(const struct fleet *fleet, const struct fleet_groups *groups, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrrrrrrr", "0011654278");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    size_t judged = 0;
    table_set(row, 0, "usual");
    table_set(row, 1, "nodes");
    table_set(row, 2, "outliers");
    for (size_t h = 0; h < FLEET_HEADLINES; h++)
        table_set(row, 3 + h, "%s", fleet_headline_names[h]);
    for (size_t g = 0; g < groups->count; g++)
        if (groups->groups[g].judged && judged++ < TYPES)
            add_type(&table, fleet, &groups->groups[g]);
    table_print_section(&table, screen->out);
    if (judged > TYPES)
        fprintf(screen->out, "… and %zu more types\n", judged - TYPES);
}

static void print_notes(const struct fleet *fleet, const struct fleet_groups *groups, const struct screen *screen) {
    size_t older = 0, small = 0;
    for (size_t i = 0; i < fleet->count; i++)
        older += fleet->nodes[i].older;
    for (size_t g = 0; g < groups->count; g++)
        small += groups->groups[g].judged ? 0 : groups->groups[g].count;
    fputc('\n', screen->out);
    if (older)
        screen_note(screen, "Older", "%zu older result%s left out, of hosts that have a newer one", older,
                    older == 1 ? " is" : "s are");
    if (small)
        screen_note(screen, "Few", "%zu node%s too few like %s to tell what is usual", small,
                    small == 1 ? " has" : "s have", small == 1 ? "it" : "them");
    if (fleet->refusal_count)
        screen_note(screen, "Files", "%zu %s, such as %.100s", fleet->refusal_count,
                    fleet->refusal_count == 1 ? "is no result" : "are no results", fleet->refusals[0].path);
    screen_note(screen, "Rows", "every outlier and what may be wrong: --all; every roof: --roofs");
}

void fleet_answer_print(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                        const struct screen *screen) {
    print_sum(groups, report, screen);
    print_outliers(fleet, report, screen);
    fleet_print_settings(fleet, groups, screen_columns(screen), screen->out);
    print_types(fleet, groups, screen);
    print_notes(fleet, groups, screen);
}
