/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "carm/text/safe_output.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "render/page/safe_text.h"

enum { GAP = 2 }; /* blanks between the two ends of a heading */

const char *screen_bar(double share, unsigned cells, char out[SCREEN_BAR_BYTES]) {
    static const char *const EIGHTHS[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    unsigned eighths = (unsigned)lround(fmax(0, fmin(1, share)) * cells * 8);
    out[0] = '\0';
    for (; eighths >= 8; eighths -= 8)
        strcat(out, "█");
    return strcat(out, EIGHTHS[eighths]);
}

size_t screen_columns(const struct screen *screen) {
    return screen->terminal->columns ? screen->terminal->columns : PLOT_TERMINAL_COLUMNS;
}

/* Writes terminal escapes; stdout lets them through only from here. */
static void begin_style(const struct screen *screen, const char *style) {
    if (screen->terminal->colors != PLOT_COLORS_NONE)
        safe_output_own(style, screen->out);
}

static void end_style(const struct screen *screen) {
    begin_style(screen, "\033[0m");
}

void screen_heading(const struct screen *screen, const char *left, const char *right, bool good) {
    const size_t columns = screen_columns(screen), used = table_width(left) + table_width(right),
                 usual = columns < PLOT_TERMINAL_COLUMNS ? columns : PLOT_TERMINAL_COLUMNS,
                 end = used + GAP > usual ? used + GAP : usual;
    if (table_width(left) > columns) {
        screen_say(screen, left, "");
    } else {
        begin_style(screen, "\033[1m");
        fprintf(screen->out, "%s%*s", left, *right && end <= columns ? (int)(end - used) : 0, "");
        end_style(screen);
        if (*right && end > columns)
            fputc('\n', screen->out);
    }
    if (*right) {
        begin_style(screen, good ? "\033[32m" : "\033[33m");
        fputs(right, screen->out);
        end_style(screen);
    }
    if (*right || table_width(left) <= columns)
        fputc('\n', screen->out);
}

void screen_say(const struct screen *screen, const char *text, const char *indent) {
    begin_style(screen, "\033[1m");
    wrap_print(text, screen_columns(screen), indent, screen->out);
    end_style(screen);
}

void screen_note(const struct screen *screen, const char *name, const char *format, ...) {
    enum { NAME = 8 };
    char text[8400];
    va_list arguments;
    const size_t own = table_width(name);
    snprintf(text, sizeof text, "%s%*s", name, own < NAME ? (int)(NAME - own) : 1, "");
    va_start(arguments, format);
    text_append_list(text, sizeof text, format, arguments);
    va_end(arguments);
    safe_text_clean(text);
    wrap_print(text, screen_columns(screen), "        ", screen->out);
}

void screen_line(const struct screen *screen, const char *sign, const char *text) {
    static const char MORE[] = " …";
    const size_t sign_columns = table_width(sign) + 1, columns = screen_columns(screen), room = columns - sign_columns;
    size_t end = strlen(text);
    while (end > 0 && table_width_of(text, end) + (text[end] ? table_width(MORE) : 0) > room)
        do
            end--;
        while (end > 0 && text[end] != ' ');
    fprintf(screen->out, "%s %.*s%s\n", sign, (int)end, text, text[end] ? MORE : "");
}

size_t screen_choose(const double *merits, size_t count, size_t room, bool *chosen) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        for (size_t k = 0; k < count; k++)
            before += merits[k] > merits[i] || (merits[k] >= merits[i] && k < i);
        chosen[i] = !(merits[i] <= -INFINITY) && before < room;
        sum += chosen[i];
    }
    return sum;
}

void screen_fit(const struct screen *screen, struct table *table) {
    table->width = screen_columns(screen);
    table->brief = table->quiet = true;
}

struct table screen_table(const struct screen *screen, const char *alignment, const char *order) {
    struct table table = table_begin(alignment);
    table.order = order;
    screen_fit(screen, &table);
    return table;
}
