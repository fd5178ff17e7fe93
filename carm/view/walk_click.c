/* SPDX-License-Identifier: BSD-3-Clause
 * What a click on a walk's screen does (see walk.h): below the chart it is a key, and in it a choice. */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include "carm/text/table.h"
#include "render/draw/term_canvas.h"

/* What the keys at the foot of the screen begin with, and how they go on behind the end of a line. */
static const struct {
    const char *words;
    int key;
} WORDS[] = {
    {"arrows", WALK_NEXT},  {"choose", WALK_NEXT},  {"Enter", WALK_TELL},  {"i ISA", WALK_ISA},  {"ISA:", WALK_ISA},
    {"t th", WALK_PLACE},   {"thr", WALK_PLACE},    {"c per", WALK_CYCLE}, {"per ", WALK_CYCLE}, {"cycle", WALK_CYCLE},
    {"second", WALK_CYCLE}, {"q quit", WALK_LEAVE}, {"quit", WALK_LEAVE},
};

/* "3 L3 (hidden)": a level's. */
static int key_of(const char *words) {
    if (words[0] >= '1' && words[0] <= '9' && words[1] == ' ')
        return WALK_LEVEL + words[0] - '1';
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strncmp(words, WORDS[i].words, strlen(WORDS[i].words)) == 0)
            return WORDS[i].key;
    return WALK_OTHER;
}

/* A line that is broken before a separator goes on with it. */
static const char *skip_separator(const char *line, const char *separator) {
    const char *sign = separator + strspn(separator, " ");
    const size_t bytes = strlen(sign);
    line += strspn(line, " ");
    return strncmp(line, sign, bytes) == 0 ? line + bytes : line;
}

/* The key that stands there among those of a line. */
static int key_at(const char *line, size_t column, const char *separator) {
    for (;;) {
        const char *end = strstr(line, separator);
        const size_t columns = end ? table_width_of(line, (size_t)(end - line)) : table_width(line),
                     gap = table_width(separator);
        if (column < columns)
            return key_of(skip_separator(line, separator));
        if (!end || column < columns + gap)
            return WALK_OTHER;
        column -= columns + gap;
        line = end + strlen(separator);
    }
}

/* The keys are the last lines of the screen, from the one on that begins with the first of them. */
int walk_click(struct roof_walk *walk, const struct plot_terminal *terminal, size_t lines, struct walk_place place) {
    char *screen = walk_screen(walk, terminal, lines), *separator = term_clean(terminal, " · "), *rest = screen;
    bool told = false;
    int key = WALK_OTHER;
    for (size_t row = 0; separator && rest && row <= place.row; row++) {
        const char *line = strsep(&rest, "\n");
        told |= strncmp(line, WORDS[0].words, strlen(WORDS[0].words)) == 0;
        if (row == place.row && told)
            key = key_at(line, place.column, separator);
    }
    if (!told)
        walk_choose_at(walk, terminal, lines, place);
    free(screen);
    free(separator);
    return key;
}
