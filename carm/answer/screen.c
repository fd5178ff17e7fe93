/* SPDX-License-Identifier: BSD-3-Clause
 * Answers on a terminal (see screen.h). */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "carm/text/safe_output.h"

const char *screen_bar(double share, unsigned cells, bool unicode, char out[SCREEN_BAR_BYTES]) {
    static const char *const EIGHTHS[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const double filled = fmax(0, fmin(1, share)) * cells;
    unsigned eighths = (unsigned)lround(filled * 8);
    out[0] = '\0';
    if (!unicode)
        eighths = 8 * (unsigned)lround(filled);
    for (; eighths >= 8; eighths -= 8)
        strcat(out, unicode ? "█" : "#");
    return strcat(out, EIGHTHS[eighths]);
}

size_t screen_width(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80; /* UTF-8's continuation bytes take no place */
    return count;
}

/* In the terminal's own colours, which stdout lets through from here alone. */
static void print_styled(const char *style, const char *text, const struct plot_terminal *terminal) {
    if (terminal->colors != PLOT_COLORS_NONE)
        safe_output_own(style, stdout);
    fputs(text, stdout);
    if (terminal->colors != PLOT_COLORS_NONE)
        safe_output_own("\033[0m", stdout);
}

void screen_heading(const char *left, const char *right, bool good, const struct plot_terminal *terminal) {
    const size_t columns = terminal->columns ? terminal->columns : PLOT_TERMINAL_COLUMNS;
    const size_t used = screen_width(left) + screen_width(right);
    print_styled("\033[1m", left, terminal);
    if (*right && used + 2 <= columns)
        printf("%*s", (int)(columns - used), "");
    else if (*right)
        putchar('\n');
    if (*right)
        print_styled(good ? "\033[32m" : "\033[33m", right, terminal);
    putchar('\n');
}
