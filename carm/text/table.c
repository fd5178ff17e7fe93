/* SPDX-License-Identifier: BSD-3-Clause
 * A text table (see table.h). */
#include "table.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct table table_begin(const char *alignment) {
    return (struct table){.columns = strlen(alignment), .alignment = alignment};
}

char (*table_row(struct table *table))[TABLE_CELL_BYTES] {
    if (table->rows == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 32;
        table->cells = need_realloc(table->cells, table->capacity * sizeof *table->cells);
    }
    memset(table->cells[table->rows], 0, sizeof table->cells[0]);
    return table->cells[table->rows++];
}

void table_set(char (*row)[TABLE_CELL_BYTES], size_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row[column], TABLE_CELL_BYTES, format, arguments);
    va_end(arguments);
    safe_text_clean(row[column]);
}

/* Characters, not bytes: UTF-8 continuation bytes take no place. */
static size_t width(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static bool says_something(const struct table *table, size_t column) {
    for (size_t r = 1; r < table->rows; r++)
        if (table->cells[r][column][0])
            return true;
    return !table->brief;
}

void table_print(struct table *table, FILE *out) {
    size_t widths[TABLE_MAX_COLUMNS] = {0};
    for (size_t r = 0; r < table->rows; r++)
        for (size_t c = 0; c < table->columns; c++) {
            size_t own = width(table->cells[r][c]);
            widths[c] = own > widths[c] ? own : widths[c];
        }
    for (size_t r = 0; r < table->rows; r++) {
        size_t pending = 0; /* blanks are written only before something, so that no line ends in them */
        for (size_t c = 0; c < table->columns; c++) {
            const char *cell = table->cells[r][c];
            if (!says_something(table, c))
                continue;
            size_t blanks = widths[c] - width(cell);
            if (table->alignment[c] == 'r') {
                pending += blanks;
                blanks = 0;
            }
            if (*cell) {
                fprintf(out, "%*s%s", (int)pending, "", cell);
                pending = 0;
            }
            pending += blanks + 2;
        }
        fputc('\n', out);
    }
    free(table->cells);
    *table = (struct table){0};
}

void table_print_section(struct table *table, FILE *out) {
    if (table->rows > 1)
        fputc('\n', out);
    else
        table->rows = 0;
    table_print(table, out);
}
