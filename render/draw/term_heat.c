/* SPDX-License-Identifier: BSD-3-Clause
 * A heat map as text (see term_heat.h). */
#include "term_heat.h"
#include "term_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/layout/heat.h"

enum { CELL_BYTES = 48 };

static void print_name(const struct plot_terminal *terminal, const char *name, size_t width, bool right,
                       bool *out_of_memory, FILE *out) {
    char *text = term_clean(terminal, name ? name : "");
    *out_of_memory |= !text;
    size_t length = text ? term_columns(text) : 0;
    int blanks = (int)(width > length ? width - length : 0);
    fprintf(out, "%*s%s%*s", right ? blanks : 0, "", text ? text : "", right ? 0 : blanks, "");
    free(text);
}

static size_t widest(const struct plot_terminal *terminal, const char *const *names, size_t count,
                     bool *out_of_memory) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        char *text = term_clean(terminal, names[i] ? names[i] : "");
        *out_of_memory |= !text;
        size_t length = text ? term_columns(text) : 0;
        most = length > most ? length : most;
        free(text);
    }
    return most;
}

/* Dark and light letters by the ground's lightness; brackets around the one that is marked. */
static void print_value(const struct plot_heat *heat, const struct plot_terminal *terminal, size_t row, size_t column,
                        size_t width, FILE *out) {
    double value = heat->values[row * heat->columns + column], span = heat->high - heat->low;
    bool marked = heat->marked && row == heat->marked_row && column == heat->marked_column;
    char text[CELL_BYTES] = "";
    if (isnan(value))
        snprintf(text, sizeof text, "? ");
    else if (isfinite(value))
        snprintf(text, sizeof text, marked ? "[%.*f]" : "%.*f ", heat->decimals, value);
    bool ground = terminal->colors == PLOT_COLORS_256 && isfinite(value) && span > 0;
    if (ground) {
        double share = fmax(0, fmin(1, (value - heat->low) / span));
        const struct plot_color color = heat_color(share);
        int grey = 232 + (int)(23 * (0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b));
        fprintf(out, "\033[48;5;%d;38;5;%dm", grey, grey < 244 ? 255 : 16);
    }
    fprintf(out, "%*s", (int)width, text);
    if (ground)
        fputs("\033[0m", out);
}

bool term_heat_print(const struct plot *plot, const struct plot_terminal *terminal, FILE *out) {
    const struct plot_heat *heat = plot->heat;
    bool out_of_memory = false;
    size_t names = widest(terminal, heat->row_names, heat->rows, &out_of_memory),
           width = widest(terminal, heat->column_names, heat->columns, &out_of_memory) + 2;
    char text[CELL_BYTES];
    for (size_t i = 0; i < heat->rows * heat->columns; i++)
        if (isfinite(heat->values[i])) {
            size_t length = (size_t)snprintf(text, sizeof text, "%.*f", heat->decimals, heat->values[i]) + 3;
            width = length > width ? length : width;
        }
    if (plot->y.title)
        print_name(terminal, plot->y.title, 0, false, &out_of_memory, out);
    if (heat->title) {
        fputs(plot->y.title ? "   [" : "[", out);
        print_name(terminal, heat->title, 0, false, &out_of_memory, out);
        fputc(']', out);
    }
    fputc('\n', out);
    for (size_t row = heat->rows; row-- > 0;) { /* the first row is at the bottom */
        print_name(terminal, heat->row_names[row], names, true, &out_of_memory, out);
        fputs("  ", out);
        for (size_t column = 0; column < heat->columns; column++)
            print_value(heat, terminal, row, column, width, out);
        fputc('\n', out);
    }
    fprintf(out, "%*s", (int)names + 2, "");
    for (size_t column = 0; column < heat->columns; column++) {
        print_name(terminal, heat->column_names[column], width - 1, true, &out_of_memory, out);
        fputc(' ', out);
    }
    fputc('\n', out);
    if (plot->x.title) {
        fprintf(out, "%*s", (int)names + 2, "");
        print_name(terminal, plot->x.title, 0, false, &out_of_memory, out);
        fputc('\n', out);
    }
    return !out_of_memory;
}
