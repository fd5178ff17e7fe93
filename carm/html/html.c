/* SPDX-License-Identifier: BSD-3-Clause
 * The page's template, embedded from carm/html/, and the functions that fill it. */
#include "html.h"
#include "report_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carm/chart/chart_compare.h"
#include "carm/report/fleet_report.h"
#include "carm/store/file_io.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"

/* Paths begin at the repository's root, where make runs. */
#define FILE_TEXT(name) ".incbin \"carm/html/" name "\"\n"
#define EMBED(symbol, files)                                                                                           \
    __asm__(".pushsection .rodata\n.globl " #symbol "\n" #symbol ":\n" files ".byte 0\n.popsection\n");                \
    extern const char symbol[] __attribute__((visibility("hidden")))

EMBED(report_text, FILE_TEXT("head.html") FILE_TEXT("report.html"));
EMBED(fleet_text, FILE_TEXT("head.html") FILE_TEXT("fleet.html"));
EMBED(style_text, FILE_TEXT("report.css"));
EMBED(script_text, FILE_TEXT("format.js") FILE_TEXT("dom.js") FILE_TEXT("data.js") FILE_TEXT("axes.js")
                       FILE_TEXT("labels.js") FILE_TEXT("hover.js") FILE_TEXT("chart.js") FILE_TEXT("picture.js")
                           FILE_TEXT("flow.js") FILE_TEXT("view.js") FILE_TEXT("guide.js") FILE_TEXT("layers.js")
                               FILE_TEXT("tables.js") FILE_TEXT("beside.js") FILE_TEXT("code.js") FILE_TEXT("cards.js")
                                   FILE_TEXT("controls.js") FILE_TEXT("report.js") FILE_TEXT("start.js"));

static void print_title(const struct html_page *page, FILE *out) {
    for (const char *c = page->title; *c;) {
        const char *instead;
        const size_t bytes = safe_text_next(c, &instead);
        if (strchr("&<>\"'", *c))
            fprintf(out, "&#%d;", *c);
        else
            fprintf(out, "%.*s", instead ? 1 : (int)bytes, instead ? instead : c);
        c += bytes;
    }
}

static void print_picture(const struct html_page *page, FILE *out) {
    fputs(page->picture, out);
}

static void print_sections(const struct html_page *page, FILE *out) {
    fputs(page->sections ? page->sections : "", out);
}

static void print_style(const struct html_page *page, FILE *out) {
    (void)page;
    fputs(style_text, out);
}

static void print_script(const struct html_page *page, FILE *out) {
    (void)page;
    fputs(script_text, out);
}

/* Without "<", no text can end the script or begin a comment. U+2028 and U+2029 end lines in scripts, but not in
 * JSON. */
static void print_data(const struct html_page *page, FILE *out) {
    for (const char *c = page->data; *c; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else if (strncmp(c, "\u2028", 3) == 0 || strncmp(c, "\u2029", 3) == 0)
            fprintf(out, "\\u202%c", (c += 2)[0] == '\xa8' ? '8' : '9');
        else
            fputc(*c, out);
}

static const struct slot {
    const char *mark;
    void (*print)(const struct html_page *page, FILE *out);
} SLOTS[] = {
    {"{{title}}", print_title},     {"{{style}}", print_style}, {"{{script}}", print_script},
    {"{{picture}}", print_picture}, {"{{data}}", print_data},   {"{{sections}}", print_sections},
};

static void print_page(const struct html_page *page, FILE *out) {
    for (const char *c = page->of == HTML_FLEET ? fleet_text : report_text; *c; c++) {
        const struct slot *slot = SLOTS, *end = SLOTS + sizeof SLOTS / sizeof SLOTS[0];
        while (slot < end && strncmp(c, slot->mark, strlen(slot->mark)) != 0)
            slot++;
        if (slot == end) {
            fputc(*c, out);
            continue;
        }
        slot->print(page, out);
        c += strlen(slot->mark) - 1;
    }
}

bool html_write(const struct html_page *page, const char *path, struct error *err) {
    char *text;
    size_t length;
    FILE *out = need_made(text_stream(&text, &length));
    print_page(page, out);
    if (!text_stream_close(out))
        need_end();
    const bool done = file_write(path, text, length, false, err);
    free(text);
    return done;
}

/* A fleet as an HTML page: its picture and its tables. */

static char *data_text(const struct fleet *fleet, const struct fleet_groups *groups,
                       const struct fleet_report *report) {
    json_t *tables = fleet_tables_json(fleet, groups, report), *table;
    size_t at;
    json_array_foreach(tables, at, table)
        json_object_set_new(table, "rows", report_table(json_incref(json_object_get(table, "rows"))));
    json_t *data =
        json_pack("{s:s,s:s,s:o}", "schema", "carmine.fleet_page/1", "version", CARMINE_VERSION, "tables", tables);
    char *text = need_made(json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(4)));
    json_decref(data);
    return text;
}

bool fleet_html_write(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      const char *path, struct error *err) {
    char title[128], *svg = NULL, *data = data_text(fleet, groups, report);
    struct error ignored;
    fleet_write_sum(groups, report, title, sizeof title);
    const bool drawn = chart_fleet(fleet, groups, report, &(struct chart_options){.svg = &svg}, NULL, &ignored);
    const struct html_page page = {.of = HTML_FLEET, .title = title, .picture = drawn ? svg : "", .data = data};
    const bool done = html_write(&page, path, err);
    free(svg);
    free(data);
    return done;
}
