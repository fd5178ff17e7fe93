/* SPDX-License-Identifier: BSD-3-Clause
 * Text tables. */
#include "table.h"
#include "safe_output.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static size_t usual_width; /* of standard output */
static enum table_form form;

void table_use(enum table_form now) {
    form = now;
}

enum table_form table_form(void) {
    return form;
}

void table_fit(size_t width) {
    usual_width = width;
}

size_t table_usual_width(void) {
    return usual_width;
}

struct table table_begin(const char *alignment) {
    return (struct table){.columns = strlen(alignment), .alignment = alignment, .width = usual_width};
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

void table_head(struct table *table, const char *const *names, size_t count) {
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    for (size_t i = 0; i < count; i++)
        table_set(row, i, "%s", names[i]);
}

/* Characters, not bytes: UTF-8 continuation bytes take no place. In ASCII the forms of signs. */
size_t table_width_of(const char *text, size_t bytes) {
    const bool all_plain = safe_output_plain();
    bool raised = false;
    size_t count = 0;
    for (size_t i = 0; i < bytes && text[i]; i++) {
        const char *plain = NULL;
        if (((unsigned char)text[i] & 0xc0) == 0x80)
            continue;
        if (all_plain)
            plain_text_next(text + i, &raised, &plain);
        count += plain ? strlen(plain) : 1;
    }
    return count;
}

size_t table_width(const char *text) {
    return table_width_of(text, strlen(text));
}

enum { GAP = 2 };                /* blanks between columns */
static const char MORE[] = " …"; /* after the heading: the mark of omitted columns */

/* The printed columns and their widths. */
struct table_layout {
    bool shown[TABLE_MAX_COLUMNS], left_out; /* some columns are omitted because there is no room */
    size_t widths[TABLE_MAX_COLUMNS];
};

static bool says_something(const struct table *table, size_t column) {
    for (size_t r = table->headless ? 0 : 1; r < table->rows; r++)
        if (table->cells[r][column][0])
            return true;
    return !table->brief;
}

size_t table_column_width(const struct table *table, size_t column) {
    size_t width = 0;
    for (size_t r = 0; r < table->rows && says_something(table, column); r++) {
        const size_t own = table_width(table->cells[r][column]);
        width = own > width ? own : width;
    }
    return width;
}

static size_t gap_of(const struct table *table) {
    return table->gap ? table->gap : GAP;
}

static size_t line_width(const struct table *table, const struct table_layout *columns) {
    size_t width = 0;
    for (size_t c = 0; c < table->columns; c++)
        if (columns->shown[c])
            width += columns->widths[c] + (width ? gap_of(table) : 0);
    return width + (columns->left_out ? table_width(MORE) : 0);
}

/* The shown column to omit first; table->columns: none may be omitted. */
static size_t first_to_go(const struct table *table, const struct table_layout *columns) {
    size_t first = table->columns;
    char highest = '0';
    for (size_t c = 0; c < table->columns; c++) {
        const char own = table->order ? table->order[c] : c ? '1' : '0';
        if (columns->shown[c] && own > '0' && own >= highest)
            first = c, highest = own;
    }
    return first;
}

/* The rest of a text behind so many characters. */
static char *behind(char *text, size_t count) {
    while (*text && table_width_of(text, 1) <= count)
        count -= table_width_of(text++, 1);
    return text;
}

void table_shorten(char *text, size_t most) {
    static const char MARK[] = "…";
    const size_t all = table_width(text), end = most / 3;
    if (all <= most)
        return;
    char *from = behind(text, most - end - table_width(MARK)), *rest = behind(text, all - end);
    while (*rest && rest < from + sizeof MARK - 1)
        rest = behind(rest, 1);
    memmove(from + sizeof MARK - 1, rest, strlen(rest) + 1);
    memcpy(from, MARK, sizeof MARK - 1);
}

/* The names in the first column of a screen's table, by as much as it is too wide. */
static void shorten_names(const struct table *table, struct table_layout *columns) {
    enum { LEAST = 16 };
    const size_t too_wide = line_width(table, columns) - table->width, own = columns->widths[0],
                 most = own > LEAST + too_wide ? own - too_wide : LEAST;
    for (size_t r = 0; r < table->rows; r++)
        table_shorten(table->cells[r][0], most);
    columns->widths[0] = most < own ? most : own;
}

static struct table_layout columns_find(const struct table *table) {
    struct table_layout columns = {.shown = {false}};
    for (size_t c = 0; c < table->columns; c++) {
        columns.shown[c] = says_something(table, c);
        columns.widths[c] = table_column_width(table, c);
    }
    while (table->width && form == TABLE_TEXT && line_width(table, &columns) > table->width) {
        const size_t column = first_to_go(table, &columns);
        if (column == table->columns && table->brief)
            shorten_names(table, &columns);
        if (column == table->columns)
            break;
        columns.shown[column] = false;
        columns.left_out = !table->quiet;
    }
    return columns;
}

bool table_lacks(const struct table *table, size_t column) {
    const struct table_layout columns = columns_find(table);
    return says_something(table, column) && !columns.shown[column];
}

static void print_markdown_row(const struct table *table, const struct table_layout *columns,
                               char (*row)[TABLE_CELL_BYTES], FILE *out) {
    fputc('|', out);
    for (size_t c = 0; c < table->columns; c++) {
        if (!columns->shown[c])
            continue;
        fputs(row ? " " : "", out);
        for (const char *text = row ? row[c] : ""; *text; text++)
            fprintf(out, strchr("|<*_`", *text) ? "\\%c" : "%c", *text);
        fputs(" |", out);
    }
    fputc('\n', out);
}

/* "| L2 | 151 GB/s |", below a heading, which Markdown needs: empty if there is none. An empty line ends the table. */
static void print_markdown(const struct table *table, const struct table_layout *columns, FILE *out) {
    fputc('\n', out);
    print_markdown_row(table, columns, table->headless ? NULL : table->cells[0], out);
    for (size_t c = 0; c < table->columns; c++)
        fputs(!columns->shown[c] ? "" : table->alignment[c] == 'r' ? "|--:" : "|---", out);
    fputs("|\n", out);
    for (size_t r = !table->headless; r < table->rows; r++)
        print_markdown_row(table, columns, table->cells[r], out);
    fputc('\n', out);
}

static void print_latex(const struct table *table, const struct table_layout *columns, FILE *out) {
    latex_line(out);
    fputs("\\begin{tabular}{", out);
    for (size_t c = 0; c < table->columns; c++)
        fprintf(out, "%.*s", columns->shown[c], &table->alignment[c]);
    fputs("}\n", out);
    for (size_t r = 0; r < table->rows; r++) {
        latex_line(out);
        if (r == 0 || (r == 1 && !table->headless)) {
            fputs(r == 0 ? "\\toprule\n" : "\\midrule\n", out);
            latex_line(out);
        }
        const char *before = "";
        for (size_t c = 0; c < table->columns; c++) {
            if (!columns->shown[c])
                continue;
            fputs(before, out);
            latex_print(table->cells[r][c], out);
            before = " & ";
        }
        fputs(" \\\\\n", out);
    }
    latex_line(out);
    fputs("\\bottomrule\n", out);
    latex_line(out);
    fputs("\\end{tabular}\n", out);
}

static void print_text(const struct table *table, const struct table_layout *columns, FILE *out) {
    for (size_t r = 0; r < table->rows; r++) {
        size_t pending = 0; /* blanks are written only before text: no line ends in blanks */
        for (size_t c = 0; c < table->columns; c++) {
            const char *cell = table->cells[r][c];
            if (!columns->shown[c])
                continue;
            size_t blanks = columns->widths[c] - table_width(cell);
            if (table->alignment[c] == 'r') {
                pending += blanks;
                blanks = 0;
            }
            if (*cell) {
                fprintf(out, "%*s%s", (int)pending, "", cell);
                pending = 0;
            }
            pending += blanks + gap_of(table);
        }
        fprintf(out, "%s\n", r == 0 && columns->left_out ? MORE : "");
    }
}

void table_print(struct table *table, FILE *out) {
    static void (*const PRINT[])(const struct table *, const struct table_layout *, FILE *) = {
        [TABLE_TEXT] = print_text, [TABLE_MARKDOWN] = print_markdown, [TABLE_LATEX] = print_latex};
    const struct table_layout columns = columns_find(table);
    if (table->rows > 0)
        PRINT[form](table, &columns, out);
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
