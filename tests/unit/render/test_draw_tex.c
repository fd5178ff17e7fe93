/* SPDX-License-Identifier: BSD-3-Clause
 * Figures of LaTeX: what others wrote is text in them and never a command, and all data are in the table beside. */
#include "render/draw/tex_text.h"
#include "render/page/style.h"
#include "tests/support/folder.h"
#include "tests/support/plot_demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* The whole file, terminated; to be freed. */
static char *read_text(const char *name) {
    enum { MOST = 1 << 20 };
    FILE *file = fopen(fixture_path(name), "r");
    char *text = calloc(1, MOST);
    assert_true(file && text);
    fread(text, 1, MOST - 1, file);
    fclose(file);
    return text;
}

static void draw(const struct plot *plot, const char *name) {
    struct plot_error err = {.text = ""};
    if (!plot_write(plot, fixture_path(name), 0, 0, &err))
        fail_msg("%s", err.text);
}

static void texts_are_no_commands(void **state) {
    static const struct {
        const char *text, *tex, *cell;
    } ROWS[] = {
        {"plain text", "plain text", "plain text"},
        {"\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}", " input /etc/passwd "},
        {"100 % & $1 #2 _3 ^4 ~5", "100 \\% \\& \\$1 \\#2 \\_3 \\textasciicircum{}4 \\textasciitilde{}5",
         "100 1 2 3 4 5"},
        {"a, b\nc", "a, b c", "a b c"},
        {"L1  2LD1ST · 3 × 2² ▲", "L1\\enspace{}2LD1ST \\textperiodcentered{} 3 $\\times$ 2$^2$ $\\triangle$",
         "L1 2LD1ST 3 2 "},
        {"Jülich 東", "Jülich ?", "J lich "},
    };
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(ROWS); i++) {
        char tex[256] = "", cell[256] = "";
        FILE *out = fmemopen(tex, sizeof tex, "w");
        tex_text(out, ROWS[i].text);
        fclose(out);
        out = fmemopen(cell, sizeof cell, "w");
        tex_cell(out, ROWS[i].text);
        fclose(out);
        assert_string_equal(tex, ROWS[i].tex);
        assert_string_equal(cell, ROWS[i].cell);
    }
}

static void a_figure_and_its_table(void **state) {
    const char *const notes[] = {"100 % sure"};
    struct plot plot = demo_roofline();
    size_t rows = 0, lines = 0;
    (void)state;
    plot.title = "A & B", plot.subtitle = "2 GHz", plot.caption = "Spread.", plot.footer = "How.";
    plot.notes = notes, plot.note_count = 1;
    draw(&plot, "figure.tex");
    char *tex = read_text("figure.tex"), *csv = read_text("figure.csv");
    assert_non_null(strstr(tex, "\\caption{A \\& B. 2 GHz. Spread. How. Doubts: 100 \\% sure.}"));
    assert_non_null(strstr(tex, "\\def\\carminedata{figure.csv}"));
    assert_non_null(strstr(tex, "xmode=log"));
    assert_non_null(strstr(tex, "] at (rel axis cs:"));
    assert_int_equal(strncmp(csv, "series,x,y,name\n", 16), 0);
    for (const char *at = csv; (at = strchr(at, '\n')); at++)
        lines++;
    for (size_t i = 0; i < plot.band_count; i++)
        rows += 2 * plot.bands[i].count;
    for (size_t i = 0; i < plot.line_count; i++)
        rows += plot.lines[i].count;
    assert_int_equal(lines, 1 + rows + plot.point_count);
    for (const char *at = tex; (at = strchr(at, '{')); at++) /* braces match, or LaTeX reads on */
        rows++;
    for (const char *at = tex; (at = strchr(at, '}')); at++)
        rows--;
    assert_int_equal(lines, 1 + rows + plot.point_count);
    free(tex);
    free(csv);
}

/* A table that somebody keeps under that name is not lost; that of the figure before is. */
static void nothing_of_others_is_replaced(void **state) {
    struct plot plot = demo_staircase();
    struct plot_error err = {.text = ""};
    (void)state;
    draw(&plot, "again.tex");
    draw(&plot, "again.tex");
    FILE *file = fopen(fixture_path("kept.csv"), "w");
    assert_non_null(file);
    fputs("host,flop\n", file);
    fclose(file);
    assert_false(plot_write(&plot, fixture_path("kept.tex"), 0, 0, &err));
    assert_non_null(strstr(err.text, "choose another name"));
    char *kept = read_text("kept.csv");
    assert_string_equal(kept, "host,flop\n");
    free(kept);
    assert_int_equal(access(fixture_path("kept.tex"), F_OK), -1);
}

static void maps_of_cells_are_refused(void **state) {
    const double values[] = {1, 2};
    const char *const names[] = {"a", "b"};
    const struct plot_heat heat = {
        .rows = 1, .columns = 2, .row_names = names, .column_names = names, .values = values, .low = 1, .high = 2};
    const struct plot plot = {.heat = &heat};
    struct plot_error err = {.text = ""};
    (void)state;
    assert_false(plot_write(&plot, fixture_path("heat.tex"), 0, 0, &err));
    assert_non_null(strstr(err.text, ".pdf"));
    assert_int_equal(access(fixture_path("heat.csv"), F_OK), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_no_commands),
        cmocka_unit_test(a_figure_and_its_table),
        cmocka_unit_test(nothing_of_others_is_replaced),
        cmocka_unit_test(maps_of_cells_are_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
