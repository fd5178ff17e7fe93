/* SPDX-License-Identifier: BSD-3-Clause
 * An annotation on a terminal. Lines show sums over their instructions; instructions show the effect of one execution.
 */
#include "result_answer.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "probe/text.h"
#include "render/page/units.h"

/* Cuts the text to so many columns, with "…" at the end. */
static void cut(char *text, size_t columns) {
    if (table_width(text) <= columns || columns == 0)
        return;
    size_t bytes = strlen(text);
    while (bytes > 0 && (table_width_of(text, bytes) >= columns || ((unsigned char)text[bytes] & 0xc0) == 0x80))
        bytes--;
    memcpy(text + bytes, "…", sizeof "…"); /* no longer than the cut characters: columns are characters */
}

static void set_share(char (*row)[TABLE_CELL_BYTES], size_t column, double share) {
    if (share > 0)
        table_set(row, column, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

static void set_amount(char (*row)[TABLE_CELL_BYTES], size_t column, double amount, const char *unit) {
    char text[UNITS_BYTES];
    if (amount > 0)
        table_set(row, column, "%s", units_si(text, sizeof text, amount, unit));
}

/* The common indentation of the file's lines from this one on. */
static size_t indentation(const struct annotation *annotation, size_t first) {
    const struct annotated_line *lines = annotation->lines;
    size_t least = SIZE_MAX;
    for (size_t i = first; i < annotation->line_count && strcmp(lines[i].inlined, lines[first].inlined) == 0; i++) {
        const size_t own = strspn(lines[i].text, " ");
        if (lines[i].text[0] && own < least)
            least = own;
    }
    return least == SIZE_MAX ? 0 : least;
}

static struct table narrow_table(const struct screen *screen, const char *alignment, const char *order) {
    struct table table = screen_table(screen, alignment, order);
    table.gap = 1;
    return table;
}

/* "square, inlined, of vector.h", above the first line from another file than the function's. */
static void add_heading(struct table *table, const struct annotated_line *line, size_t columns) {
    char text[ANNOTATED_LABEL_BYTES];
    annotated_line_heading(line, text);
    cut(text, columns);
    table_set(table_row(table), 7, "%s", text);
}

static void print_source(const struct annotation *annotation, const struct screen *screen) {
    static const char *const NAMES[] = {"time", "", "runs", "flop", "loaded", "stored", "line", "source"};
    enum { NUMBERS = 42 }; /* columns before the source, including gaps */
    const size_t room = screen_columns(screen) - NUMBERS;
    struct table table = narrow_table(screen, "rlrrrrrl", "01000000");
    size_t indent = 0;
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < annotation->line_count; i++) {
        const struct annotated_line *line = &annotation->lines[i], *before = i > 0 ? line - 1 : NULL;
        const bool other = !before || strcmp(before->inlined, line->inlined) != 0;
        if (other)
            indent = indentation(annotation, i);
        if (other || strcmp(before->file, line->file) != 0)
            add_heading(&table, line, room);
        else if (before->line + 1 < line->line)
            table_set(table_row(&table), 7, "…");
        const struct annotated_sums sums = annotation_sums(annotation, i);
        char(*row)[TABLE_CELL_BYTES] = table_row(&table), bar[SCREEN_BAR_BYTES];
        set_share(row, 0, sums.time_share);
        table_set(row, 1, "%s", screen_bar(sums.time_share, 8, bar));
        set_amount(row, 2, (double)sums.executions, "");
        set_amount(row, 3, (double)sums.flop, "");
        set_amount(row, 4, (double)sums.load_bytes, "B");
        set_amount(row, 5, (double)sums.store_bytes, "B");
        table_set(row, 6, "%u", line->line);
        table_set(row, 7, "%s", line->text + (strlen(line->text) > indent ? indent : strlen(line->text)));
        cut(row[7], room);
    }
    table_print_section(&table, screen->out);
}

static void set_once(char (*row)[TABLE_CELL_BYTES], size_t column, uint64_t amount, uint64_t executions) {
    char text[UNITS_BYTES];
    if (amount > 0 && executions > 0)
        table_set(row, column, "%s", units_number_digits(text, sizeof text, (double)amount / (double)executions, 3));
}

static void set_cycles(char (*row)[TABLE_CELL_BYTES], size_t column, double cycles) {
    char text[UNITS_BYTES];
    if (cycles > 0)
        table_set(row, column, "%s", units_number_digits(text, sizeof text, cycles, 2));
}

enum {
    BAR_CELLS = 8,
    COLUMN_BAR = 1,
    COLUMN_CHAIN = 6,
    COLUMN_PORTS,
    COLUMN_BITS,
    COLUMN_LINE,
    COLUMN_OFFSET,
    COLUMN_CODE,
    COLUMN_SOURCE
};

static void add_instruction(struct table *table, const struct annotation *annotation, size_t index) {
    const struct annotated_instruction *one = &annotation->instructions[index], *before = index ? one - 1 : NULL;
    const struct annotated_line *line =
        one->line > 0 && one->line <= annotation->line_count ? &annotation->lines[one->line - 1] : NULL;
    char label[ANNOTATED_LABEL_BYTES], bar[SCREEN_BAR_BYTES];
    if (before && before->offset + before->code_bytes != one->offset)
        table_set(table_row(table), COLUMN_CODE, "…");
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    set_share(row, 0, one->time_share);
    table_set(row, COLUMN_BAR, "%s", screen_bar(one->time_share, BAR_CELLS, bar));
    set_amount(row, 2, (double)one->executions, "");
    set_once(row, 3, one->flop, one->executions);
    set_once(row, 4, one->load_bytes, one->executions);
    set_once(row, 5, one->store_bytes, one->executions);
    set_cycles(row, COLUMN_CHAIN, one->chain_cycles);
    set_cycles(row, COLUMN_PORTS, one->ports_cycles);
    if (one->data_bits)
        table_set(row, COLUMN_BITS, "%u", one->data_bits);
    if (line)
        annotated_line_label(line, label);
    if (line)
        table_set(row, COLUMN_LINE, "%s", label);
    table_set(row, COLUMN_OFFSET, "%#" PRIx64, one->offset);
    table_set(row, COLUMN_CODE, "%s", one->text);
    if (line && (!before || before->line != one->line))
        table_set(row, COLUMN_SOURCE, "%s", line->text + strspn(line->text, " "));
}

/* Places of a column and of the gap after it; 0 if it is empty. */
static size_t places(const struct table *table, size_t column) {
    const size_t width = table_column_width(table, column);
    return width > 0 ? width + table->gap : 0;
}

static void cut_column(struct table *table, size_t column, size_t room) {
    for (size_t r = 1; r < table->rows; r++)
        cut(table->cells[r][column], room);
}

/* Code, and the source where there is room for both, are cut to what numbers leave. */
static void fit_code(struct table *table, size_t columns) {
    enum { CODE_LEAST = 20, CODE_MOST = 56, SOURCE_LEAST = 24 };
    const size_t more = places(table, COLUMN_BAR) + places(table, COLUMN_BITS);
    size_t numbers = 0;
    for (size_t c = 0; c < COLUMN_CODE; c++)
        numbers += places(table, c);
    const bool wide = columns > numbers + CODE_MOST + SOURCE_LEAST;
    const size_t used = wide ? numbers : numbers - more, left = columns > used ? columns - used : 0;
    cut_column(table, COLUMN_CODE, wide ? CODE_MOST : left > CODE_LEAST ? left : CODE_LEAST);
    for (size_t r = 1; !wide && r < table->rows; r++)
        table->cells[r][COLUMN_SOURCE][0] = '\0';
    if (wide)
        cut_column(table, COLUMN_SOURCE, left - places(table, COLUMN_CODE));
}

static void print_code(const struct annotation *annotation, const struct screen *screen) {
    static const char *const NAMES[] = {"time",  "",     "runs", "flop", "load",        "store", "chain",
                                        "ports", "bits", "line", "at",   "instruction", "source"};
    struct table table =
        narrow_table(screen, "rlrrrrrrrrrll", annotation->line_count ? "0300000240103" : "0300000240003");
    table_head(&table, NAMES, table.columns);
    for (size_t i = 0; i < annotation->instruction_count; i++)
        add_instruction(&table, annotation, i);
    fit_code(&table, screen_columns(screen));
    table_print_section(&table, screen->out);
}

/* "solve:17, main:30". */
static void print_others(const struct annotation *shown, const struct annotation *annotations, size_t count,
                         const struct screen *screen) {
    char names[2 * ANNOTATIONS_MOST * sizeof shown->name] = "";
    for (size_t i = 0; i < count && strlen(names) + sizeof shown->name < sizeof names; i++) {
        const char *slash =
            strcmp(annotations[i].program, shown->program) == 0 ? strchr(annotations[i].name, '/') : NULL;
        if (&annotations[i] != shown)
            text_append(names, sizeof names, "%s%s", *names ? ", " : "", slash ? slash + 1 : annotations[i].name);
    }
    if (*names)
        screen_note(screen, "Others", "%s; --annotate=NAME shows one", names);
}

static void print_notes(const struct annotation *annotation, const struct screen *screen) {
    screen_note(
        screen, "Units",
        "runs, flop, loaded, stored: per run of the program; for an instruction, flop, load and store (B) per "
        "execution, bits: width of its data; chain, ports: cycles per iteration of its loop that the instruction "
        "adds to the longest chain, and to the busiest ports' time");
    if (annotation->line_count == 0)
        screen_note(screen, "Source", "%s has no debug information; compile with -g to see lines", annotation->object);
    else if (!annotation_has_text(annotation))
        screen_note(screen, "Source", "%s was not found", annotation->lines[0].file);
    if (annotation->source_newer)
        screen_note(screen, "Source", "written after the program was built: lines may not match");
    if (annotation->left_out > 0)
        screen_note(screen, "Rows", "%u more instructions ran, and took no more time than these", annotation->left_out);
    if (annotation->samples == 0)
        screen_note(screen, "Time", "no sample was taken: the program ran too briefly");
}

void annotation_answer_print(const struct annotation *shown, const struct annotation *annotations, size_t count,
                             const struct screen *screen) {
    char line[512], number[UNITS_BYTES];
    snprintf(line, sizeof line, "%s", shown->name);
    if (shown->time_share > 0)
        text_append(line, sizeof line, ": %.0f %% of the time", 100 * shown->time_share);
    if (shown->is_loop)
        text_append(line, sizeof line, "%s %s iterations", shown->time_share > 0 ? "," : ":",
                    units_si(number, sizeof number, (double)shown->iterations, ""));
    screen_say(screen, line, "   ");
    if (annotation_has_text(shown))
        print_source(shown, screen);
    print_code(shown, screen);
    fputc('\n', screen->out);
    print_notes(shown, screen);
    print_others(shown, annotations, count, screen);
}

const struct annotation *annotation_find(const struct annotation *annotations, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!*name || annotation_is_called(annotations[i].name, name))
            return &annotations[i];
    for (size_t i = 0; i < count; i++)
        if (strcmp(annotations[i].function, name) == 0)
            return &annotations[i];
    return NULL;
}
