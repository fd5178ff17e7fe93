/* SPDX-License-Identifier: BSD-3-Clause
 * The printed answers, without colours, for a terminal of 80 columns. Include cmocka.h before it. */
#pragma once

#include "carm/report/screen.h"

#include <stdlib.h>
#include <string.h>

enum { ANSWER_LINES = 24, ANSWER_COLUMNS = 80 };

struct screen_text {
    struct screen screen;
    char **text;
    size_t *length;
};

static inline struct screen_text screen_text_begin(void) {
    static const struct plot_terminal terminal = {.columns = ANSWER_COLUMNS, .unicode = true};
    struct screen_text begun = {.text = calloc(1, sizeof(char *)), .length = calloc(1, sizeof(size_t))};
    begun.screen = (struct screen){&terminal, open_memstream(begun.text, begun.length)};
    assert_non_null(begun.screen.out);
    return begun;
}

/* Free the result. */
static inline char *screen_text_end(struct screen_text *begun) {
    fclose(begun->screen.out);
    char *text = *begun->text;
    free(begun->text);
    free(begun->length);
    return text;
}

static inline void is_one_screen(const char *text) {
    size_t lines = 0;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        char own[512];
        snprintf(own, sizeof own, "%.*s", (int)(end - line), line);
        if (table_width(own) > ANSWER_COLUMNS)
            fail_msg("%zu columns: %s", table_width(own), own);
        lines++;
    }
    if (lines > ANSWER_LINES)
        fail_msg("%zu lines:\n%s", lines, text);
}

/* The answer begins with this text and fits one screen; frees it. */
static inline void answer_is(char *text, const char *begins) {
    if (strncmp(text, begins, strlen(begins)) != 0)
        fail_msg("not \"%s\" but\n%s", begins, text);
    is_one_screen(text);
    free(text);
}
