/* SPDX-License-Identifier: BSD-3-Clause
 * Walking through a roofline: every screen fits its terminal, and shows the selection by keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/view/walk.h"
#include "render/draw/term_canvas.h"
#include "tests/support/fixtures.h"

enum { COLUMNS = 100, LINES = 40 };

/* The screen, which must fit; free it. */
static char *screen(struct roof_walk *walk, size_t columns, size_t lines) {
    const struct plot_terminal terminal = {.columns = columns, .unicode = true};
    char *text = walk_screen(walk, &terminal, lines);
    size_t count = 0;
    for (const char *line = text; *line; count++) {
        char copy[4096];
        const size_t length = strcspn(line, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)length, line);
        if (term_columns(copy) > columns)
            fail_msg("%zu columns: %s", columns, copy);
        line += length + (line[length] == '\n');
    }
    if (count > lines)
        fail_msg("%zu lines instead of %zu:\n%s", count, lines, text);
    return text;
}

static char *after(struct roof_walk *walk, const char *keys) {
    for (; *keys; keys++)
        switch (*keys) {
        case '>':
            walk_key(walk, WALK_NEXT);
            break;
        case '<':
            walk_key(walk, WALK_BEFORE);
            break;
        case '!':
            walk_key(walk, WALK_TELL);
            break;
        case '?':
            walk_key(walk, WALK_HELP);
            break;
        case 'i':
            walk_key(walk, WALK_ISA);
            break;
        case 't':
            walk_key(walk, WALK_PLACE);
            break;
        case 'c':
            walk_key(walk, WALK_CYCLE);
            break;
        default:
            walk_key(walk, WALK_LEVEL + *keys - '1');
        }
    return screen(walk, COLUMNS, LINES);
}

/* A run on four cores, with a point. */
static struct result measured(void) {
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    free(r.points);
    r.points = calloc(1, sizeof *r.points);
    r.points[0] = fixture_point("solve");
    snprintf(r.points[0].command, sizeof r.points[0].command, "./solver --big");
    r.point_count = 1;
    return r;
}

static void points_and_roofs_in_turn(void **state) {
    (void)state;
    struct result r = measured();
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    char *first = after(&walk, "");
    assert_contains(first, "→ solve · 1.6 Gflop/s at 0.0833 flop/B");
    assert_null(strstr(first, "solver --big"));
    fixture_says(after(&walk, "!"), "roof for ");        /* its verdict */
    fixture_says(after(&walk, ""), "./solver --big");    /* its command line */
    fixture_says(after(&walk, ">"), "→ DRAM ");          /* after the points the roofs, from memory upwards */
    fixture_says(after(&walk, ""), " by 4 threads at "); /* and their numbers */
    fixture_says(after(&walk, ">"), "→ L3 ");
    for (size_t i = walk.count - 2; i-- > 0;)
        free(after(&walk, ">"));
    char *again = after(&walk, "!");
    assert_string_equal(again, first);
    fixture_says(after(&walk, "<"), "→ "); /* the last one */
    assert_int_equal(walk.chosen, walk.count - 1);
    free(first);
    free(again);
    model_free(&model);
    results_free(&r);
}

static void what_keys_choose(void **state) {
    (void)state;
    struct result r = measured();
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    char *first = after(&walk, "");
    assert_contains(first, "[Gflop/s]");
    fixture_says(after(&walk, "c"), "[flop/cycle");
    fixture_says(after(&walk, "c"), "[Gflop/s]");
    char *hidden = after(&walk, "1");
    assert_contains(hidden, "1 L1 (hidden)");
    const size_t count = walk.count;
    free(hidden);
    char *shown = after(&walk, "1");
    assert_string_equal(shown, first);
    assert_int_equal(walk.count, count + 1);
    fixture_says(after(&walk, "i"), "ISA: ");
    assert_true(walk.isa > 0);
    for (size_t i = 0; i < 40 && walk.isa > 0; i++)
        free(after(&walk, "i"));
    fixture_says(after(&walk, "t"), "1 core");
    fixture_says(after(&walk, "t"), "4 cores");
    free(first);
    free(shown);
    model_free(&model);
    results_free(&r);
}

/* The last of the roofs is selected, and then there are fewer. */
/* Esc closes first what ? opened, then what Enter opened, and then leaves. */
static void escape_closes(void **state) {
    (void)state;
    struct result r = measured();
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    char *text = after(&walk, "!?");
    assert_contains(text, "./solver --big");
    assert_contains(text, "Esc: close this");
    free(text);
    assert_true(walk_key(&walk, WALK_CLOSE));
    text = after(&walk, "");
    assert_contains(text, "./solver --big");
    assert_null(strstr(text, "Esc: close this"));
    free(text);
    assert_true(walk_key(&walk, WALK_CLOSE));
    text = after(&walk, "");
    assert_null(strstr(text, "./solver --big"));
    free(text);
    assert_false(walk_key(&walk, WALK_CLOSE));
    assert_false(walk_key(&walk, WALK_LEAVE));
    model_free(&model);
    results_free(&r);
}

static void what_was_chosen_is_hidden(void **state) {
    (void)state;
    struct result r = measured();
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    free(after(&walk, ""));
    free(after(&walk, "<"));
    const size_t last = walk.chosen;
    free(after(&walk, "1"));
    assert_true(walk.chosen < last && walk.chosen == walk.count - 1);
    free(after(&walk, "234567899"));
    fixture_says(after(&walk, "!>"), "→ ");
    model_free(&model);
    results_free(&r);
}

/* The place of a text on the screen. */
static struct walk_place find(const char *text, const char *what) {
    struct walk_place place = {0, 0};
    const char *at = strstr(text, what), *line = text;
    assert_non_null(at);
    for (const char *c = text; c < at; c++)
        if (*c == '\n')
            line = c + 1, place.row++;
    char before[4096];
    snprintf(before, sizeof before, "%.*s", (int)(at - line), line);
    place.column = term_columns(before);
    return place;
}

/* As in the program; the screen does not change where the click is a key. */
static int click(struct roof_walk *walk, const char *text, const char *what) {
    const struct plot_terminal terminal = {.columns = COLUMNS, .unicode = true};
    return walk_click(walk, &terminal, LINES, find(text, what));
}

static void clicks_choose_what_is_near(void **state) {
    (void)state;
    struct result r = measured();
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    char *first = after(&walk, ""); /* a point is selected, and a star */
    free(after(&walk, ">>>"));
    assert_int_equal(click(&walk, first, "★"), WALK_OTHER);
    assert_int_equal(walk.chosen, 0);
    free(after(&walk, "<")); /* the last roof, on the top ceiling: with its label at its end */
    struct walk_place place = find(first, "★");
    place.column = COLUMNS - 3;
    walk_choose_at(&walk, &(struct plot_terminal){.columns = COLUMNS, .unicode = true}, LINES, place);
    assert_true(walk.chosen > 0); /* a roof */
    const size_t chosen = walk.chosen;
    assert_int_equal(click(&walk, first, "→ solve"), WALK_OTHER); /* below the chart nothing is near */
    assert_int_equal(walk.chosen, chosen);
    free(first);
    model_free(&model);
    results_free(&r);
}

static void clicks_are_keys_below_the_chart(void **state) {
    (void)state;
    static const struct {
        const char *words;
        int key;
    } KEYS[] = {
        {"arrows", WALK_NEXT},  {"choose", WALK_NEXT},    {"Enter", WALK_TELL},   {"1 L1", WALK_LEVEL},
        {"L2", WALK_LEVEL + 1}, {"DRAM", WALK_LEVEL + 3}, {"ISA: all", WALK_ISA}, {"threads", WALK_PLACE},
        {"cycle", WALK_CYCLE},  {"? keys", WALK_HELP},    {"quit", WALK_LEAVE},   {"· i ISA", WALK_OTHER},
    };
    struct result r = measured();
    struct model model = model_build(&r);
    for (int unicode = 0; unicode < 2; unicode++)
        for (size_t columns = 60; columns <= 120; columns += 30) {
            const struct plot_terminal terminal = {.columns = columns, .unicode = unicode};
            struct roof_walk walk = {.model = &model};
            char *text = walk_screen(&walk, &terminal, LINES), *foot = strstr(text, "arrows");
            assert_non_null(foot);
            for (size_t i = 0; i + !unicode < sizeof KEYS / sizeof KEYS[0]; i++) {
                struct walk_place place = find(foot, KEYS[i].words);
                place.row += find(text, "arrows").row;
                if (walk_click(&walk, &terminal, LINES, place) != KEYS[i].key)
                    fail_msg("%zu columns: '%s' is another key in\n%s", columns, KEYS[i].words, foot);
            }
            free(text);
        }
    model_free(&model);
    results_free(&r);
}

static void every_size_of_terminal(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{500, 200}, {120, 60}, {80, 24}, {60, 10}, {59, 24}, {20, 3}, {1, 1}, {80, 1}};
    struct result r = measured();
    struct model model = model_build(&r);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int told = 0; told < 2; told++) {
            struct roof_walk walk = {.model = &model, .told = told};
            char *text = screen(&walk, sizes[i][0] > 20 ? sizes[i][0] : 20, sizes[i][1]);
            assert_true(strlen(text) > 0);
            free(text);
            free(walk_screen(&walk, &(struct plot_terminal){.columns = sizes[i][0]}, sizes[i][1]));
            for (size_t row = 0; row < sizes[i][1]; row += 1 + sizes[i][1] / 8)
                walk_click(&walk, &(struct plot_terminal){.columns = sizes[i][0]}, sizes[i][1],
                           (struct walk_place){.column = sizes[i][0] / 2, .row = row});
        }
    model_free(&model);
    results_free(&r);
}

/* A result without a roofline names what is missing. */
static void nothing_to_draw(void **state) {
    (void)state;
    struct result r = measured();
    r.sample_count = 0;
    struct model model = model_build(&r);
    struct roof_walk walk = {.model = &model};
    char *text = after(&walk, "><!it1c");
    assert_contains(text, "carmine run");
    assert_contains(text, "nothing to choose");
    free(text);
    model_free(&model);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_roofs_in_turn),
        cmocka_unit_test(what_keys_choose),
        cmocka_unit_test(escape_closes),
        cmocka_unit_test(what_was_chosen_is_hidden),
        cmocka_unit_test(every_size_of_terminal),
        cmocka_unit_test(nothing_to_draw),
        cmocka_unit_test(clicks_choose_what_is_near),
        cmocka_unit_test(clicks_are_keys_below_the_chart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
