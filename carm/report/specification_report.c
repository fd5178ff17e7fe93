/* SPDX-License-Identifier: BSD-3-Clause */
#include "shortfall_report.h"

#include <string.h>

#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "render/page/units.h"

char *specification_line(const struct specification *specification, bool brief, char out[SPECIFICATION_LINE_BYTES]) {
    char names[SPEC_NAMES_BYTES];
    out[0] = '\0';
    for (int v = 0; v < SPEC_VERDICTS; v++)
        if (*specification_names(specification, (enum spec_verdict)v, brief, names))
            text_append(out, SPECIFICATION_LINE_BYTES, "%s%s: %s", *out ? "; " : "", spec_verdict_names[v], names);
    return out;
}

void specification_note(const struct specification *specification, const struct screen *screen) {
    static const char WHY[] = " (why: `carmine spec`)";
    enum { NAME = 8 };
    char line[SPECIFICATION_LINE_BYTES + sizeof WHY];
    const size_t room = screen_columns(screen) - NAME;
    bool brief = false;
    do
        strcat(specification_line(specification, brief, line), WHY);
    while (table_width(line) > room && (brief = !brief));
    if (table_width(line) > room)
        line[strlen(line) - strlen(WHY)] = '\0';
    screen_note(screen, "Spec", "%s", line);
}

static const char *full_name(const struct spec_figure *figure, char out[32]) {
    const char *kind = strcmp(figure->unit, "B/cycle") == 0 ? "loads" : figure->kind;
    snprintf(out, 32, "%s%s%s", figure->name, *kind ? " " : "", kind);
    return out;
}

static void set_share(char (*row)[TABLE_CELL_BYTES], size_t column, double share) {
    if (share > 0)
        table_set(row, column, "%.*f %%", share < 0.995 ? 1 : 0, 100 * share);
}

/* "32 flop/cycle", "307 GB/s" */
static void set_stated(char (*row)[TABLE_CELL_BYTES], size_t column, const struct spec_figure *figure) {
    char text[UNITS_BYTES];
    if (figure->stated <= 0)
        return;
    if (strstr(figure->unit, "/cycle"))
        table_set(row, column, "%s %s", units_number_digits(text, sizeof text, figure->stated, 4), figure->unit);
    else
        table_set(row, column, "%s", units_si(text, sizeof text, figure->stated, figure->unit));
}

/* The figures of one cause are one line: "L1, L2 loads 81.0 %, 79.3 %: …". */
static void print_reason(const struct specification *specification, size_t first, const struct screen *screen) {
    const struct spec_figure *own = &specification->figures[first];
    struct specification alike = {.count = 0};
    char names[SPEC_NAMES_BYTES];
    for (size_t i = 0; i < specification->count; i++) {
        const struct spec_figure *figure = &specification->figures[i];
        const bool same = figure->verdict == own->verdict && strcmp(figure->why, own->why) == 0;
        if (same && i < first)
            return; /* already told */
        if (same)
            alike.figures[alike.count++] = *figure;
    }
    specification_names(&alike, own->verdict, false, names);
    screen_note(screen, own->verdict == SPEC_BELOW ? "Below" : "Unclear", "%s: %s", names, own->why);
}

size_t specification_print(const struct specification *specification, const struct screen *screen) {
    struct table table = screen_table(screen, "lrrrl", "03210");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table), name[32];
    const bool several = specification->threads > 1;
    table_set(row, 1, "specified");
    table_set(row, 2, "1 core");
    if (several)
        table_set(row, 3, "%u cores", specification->threads);
    for (size_t i = 0; i < specification->count; i++) {
        const struct spec_figure *figure = &specification->figures[i];
        if (figure->stated <= 0) /* the reason below is all there is to tell */
            continue;
        row = table_row(&table);
        table_set(row, 0, "%s", full_name(figure, name));
        set_stated(row, 1, figure);
        set_share(row, 2, figure->one);
        if (several || figure->one <= 0)
            set_share(row, several ? 3 : 2, figure->all);
        table_set(row, 4, "%s", spec_verdict_names[figure->verdict]);
    }
    table_print_section(&table, screen->out);
    for (size_t i = 0; i < specification->count; i++)
        if (*specification->figures[i].why)
            print_reason(specification, i, screen);
    return specification->count;
}

json_t *specification_json(const struct specification *specification) {
    json_t *figures = json_array();
    char name[32];
    for (size_t i = 0; i < specification->count; i++) {
        const struct spec_figure *figure = &specification->figures[i];
        json_array_append_new(figures, json_pack("{s:s,s:s,s:o,s:s,s:o,s:o,s:o}", "name", full_name(figure, name),
                                                 "verdict", spec_verdict_names[figure->verdict], "specified",
                                                 positive_or_null(figure->stated), "unit", figure->unit,
                                                 "one_core_ratio", positive_or_null(figure->one), "all_cores_ratio",
                                                 positive_or_null(figure->all), "reason", text_or_null(figure->why)));
    }
    return json_pack("{s:s,s:i,s:o}", "verdict", spec_verdict_names[specification_verdict(specification)], "threads",
                     (int)specification->threads, "figures", figures);
}
