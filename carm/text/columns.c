/* SPDX-License-Identifier: BSD-3-Clause
 * Writes columns in their forms. */
#include "columns.h"
#include "csv.h"
#include "or_null.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/store/fields.h"
#include "carm/store/shape.h"
#include "render/page/units.h"

struct cell cell_text(const char *text) {
    return (struct cell){.kind = CELL_TEXT, .known = *text, .text = text};
}

struct cell cell_number(bool known, double number) {
    return (struct cell){.kind = CELL_NUMBER, .known = known && isfinite(number), .number = number};
}

struct cell cell_positive(double number) {
    return cell_number(number > 0, number);
}

struct cell cell_amount(bool known, double amount) {
    return (struct cell){.kind = CELL_AMOUNT, .known = known, .number = amount};
}

struct cell cell_read(struct cell number, const char *text) {
    number.text = text;
    return number;
}

struct cell cell_place(unsigned place) {
    return cell_amount(place > 0, place > 0 ? place - 1 : 0);
}

struct cell cell_bool(bool known, bool value) {
    return (struct cell){.kind = CELL_BOOL, .known = known, .number = value};
}

struct cell cell_doubts(struct doubts doubts) {
    return (struct cell){.kind = CELL_DOUBTS, .known = doubts_any(doubts), .doubts = doubts};
}

struct cell cell_json(json_t *value) {
    return (struct cell){.kind = CELL_JSON, .known = true, .json = value};
}

/* The number as in text tables. */
static void columns_write_number(const struct column *column, double number, char out[UNITS_BYTES]) {
    switch (column->format) {
    case COLUMN_NUMBER:
        units_number(out, UNITS_BYTES, number);
        break;
    case COLUMN_LIMIT:
        units_number_digits(out, UNITS_BYTES, number, 4);
        break;
    case COLUMN_PER_CYCLE:
        units_fixed(out, UNITS_BYTES, number, number < 100 ? 2 : 1);
        break;
    case COLUMN_SI:
        if (strcmp(column->unit, "s") == 0)
            units_seconds(out, UNITS_BYTES, number);
        else
            units_si(out, UNITS_BYTES, number, column->unit);
        break;
    case COLUMN_ALIGNED:
        units_column(out, UNITS_BYTES, number, column->unit);
        break;
    case COLUMN_DIGITS:
        units_digits(out, UNITS_BYTES, number, 3);
        break;
    case COLUMN_FIXED:
        units_fixed(out, UNITS_BYTES, number, column->digits);
        break;
    case COLUMN_CLOCK:
        snprintf(out, UNITS_BYTES, "%.2f GHz", number / 1e9);
        break;
    case COLUMN_BINARY:
        units_binary(out, UNITS_BYTES, number);
        break;
    case COLUMN_PERCENT:
        units_percent(out, UNITS_BYTES, number, column->digits);
        break;
    case COLUMN_CHANGE:
        units_change(out, UNITS_BYTES, number, column->digits);
        break;
    default:
        snprintf(out, UNITS_BYTES, "%.0f", number);
    }
}

static void put_in_table(struct column_walk *to, const struct cell *cell, const struct column *column) {
    struct table *table = &to->table;
    const size_t at = to->count++;
    char text[TABLE_CELL_BYTES] = "";
    assert(at < TABLE_MAX_COLUMNS);
    if (table->rows == 2) {
        const bool is_text = column->format == COLUMN_TEXT || column->format == COLUMN_DOUBTS;
        const unsigned rank = column->text[to->which];
        to->alignment[at] = is_text && !column->right ? 'l' : 'r';
        to->order[at] = (char)(rank == STAYS ? '0' : '0' + (int)rank);
        table->columns = to->count;
        table_set(table->cells[0], at, "%s", column->heading ? column->heading : column->title);
    }
    if (cell->kind == CELL_DOUBTS)
        doubt_names(cell->doubts, text, sizeof text);
    else if (cell->known && !cell->text)
        columns_write_number(column, cell->number, text);
    table_set(table->cells[table->rows - 1], at, "%s", cell->text ? cell->text : text);
}

/* What the cell may be, by its kind. */
static json_t *columns_shape_of(const struct cell *cell, bool raw) {
    static const char *const TYPES[] = {
        [CELL_TEXT] = "string", [CELL_NUMBER] = "number", [CELL_AMOUNT] = "number", [CELL_BOOL] = "boolean"};
    const char *type = TYPES[cell->kind];
    const bool always = raw || (cell->known && cell->kind != CELL_NUMBER); /* a known number may be infinite */
    return always ? shape_any(json_pack("{s:s}", "type", type)) : shape_unknown(type);
}

static json_t *columns_value_of(const struct cell *cell, bool raw) {
    if (shape_wanted() && cell->kind <= CELL_BOOL)
        return columns_shape_of(cell, raw);
    if (!cell->known && !raw && cell->kind != CELL_DOUBTS)
        return json_null();
    switch (cell->kind) {
    case CELL_TEXT:
        return fields_text(cell->text);
    case CELL_AMOUNT:
        if (cell->number == floor(cell->number) && cell->number < 0x1p53)
            return json_integer((json_int_t)cell->number);
        return json_real(cell->number);
    case CELL_BOOL:
        return json_boolean(cell->number > 0);
    case CELL_JSON:
        return json_incref(cell->json);
    case CELL_DOUBTS:
        return doubts_json(cell->doubts);
    default:
        return isfinite(cell->number) ? json_real(cell->number) : json_null();
    }
}

/* Sorted by place; equal places stay in order. */
static void columns_keep(struct column_walk *to, const struct columns_value *value) {
    size_t at = to->count++;
    assert(at < COLUMNS_MOST);
    for (; at > 0 && to->values[at - 1].place > value->place; at--)
        to->values[at] = to->values[at - 1];
    to->values[at] = *value;
}

static void keep_for_csv(struct column_walk *to, const struct cell *cell, const struct column *column) {
    char doubts[512];
    struct columns_value value = {
        .place = column->csv, .key = column->key, .digits = column->csv_digits ? column->csv_digits : CSV_DIGITS};
    if (to->form == COLUMNS_CSV && cell->kind == CELL_DOUBTS)
        value.value = json_string(doubt_names(cell->doubts, doubts, sizeof doubts));
    else if (to->form == COLUMNS_CSV)
        value.value = columns_value_of(cell, cell->kind == CELL_TEXT || column->raw_csv);
    columns_keep(to, &value);
}

/* The column's description for the page's script. */
static json_t *column_json(const struct column *column) {
    static const char *const FORMATS[] = {
        [COLUMN_NUMBER] = "number", [COLUMN_LIMIT] = "number",    [COLUMN_PER_CYCLE] = "number",
        [COLUMN_WHOLE] = "number",  [COLUMN_DIGITS] = "number",   [COLUMN_FIXED] = "number",
        [COLUMN_ALIGNED] = "si",    [COLUMN_SI] = "si",           [COLUMN_CLOCK] = "si",
        [COLUMN_BINARY] = "binary", [COLUMN_PERCENT] = "percent", [COLUMN_CHANGE] = "percent",
        [COLUMN_DOUBTS] = "list"};
    static const char *const WHERE[] = {
        [ON_PAGE] = NULL, [IN_TABLE] = "table", [IN_TIP] = "tip", [IN_TITLE] = "title", [LEADS] = "lead"};
    static const char *const UNITS[][3] = {{"flop_per_s", "flop/s", "flop/cycle"},
                                           {"op_per_s", "op/s", "op/cycle"},
                                           {"bytes_per_s", "B/s", "B/cycle"},
                                           {"s", "s", "cycles"}};
    const bool of_row = column->rate || column->rate_per_cycle;
    const struct {
        const char *key, *value;
    } texts[] = {{"title", column->title},
                 {"key", column->key},
                 {"format", FORMATS[column->format]},
                 {"unit", of_row ? NULL : column->unit},
                 {"where", WHERE[column->page]}};
    json_t *object = json_object(), *units = json_object();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].value)
            json_object_set_new(object, texts[i].key, json_string(texts[i].value));
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        json_object_set_new(units, UNITS[i][0], json_string(UNITS[i][1 + column->rate_per_cycle]));
    if (of_row)
        json_object_set(object, "units", units);
    json_decref(units);
    if (column->digits)
        json_object_set_new(object, "digits", json_integer(column->digits));
    return object;
}

static json_t *tip_json(const struct column *column) {
    struct column in_tip = *column;
    in_tip.title = column->tip->title, in_tip.unit = column->tip->unit;
    in_tip.rate_per_cycle = column->tip->rate_per_cycle, in_tip.page = IN_TIP;
    return column_json(&in_tip);
}

void column_put(struct column_walk *to, struct cell cell, const struct column *column) {
    switch (to->form) {
    case COLUMNS_TABLE:
        if (column->text[to->which])
            put_in_table(to, &cell, column);
        break;
    case COLUMNS_CSV:
    case COLUMNS_HEADING:
        if (column->csv)
            keep_for_csv(to, &cell, column);
        break;
    case COLUMNS_JSON:
        if (column->json && (cell.known || !column->optional || shape_wanted()))
            columns_keep(to, &(struct columns_value){.place = column->json,
                                                     .key = column->key,
                                                     .value = columns_value_of(&cell, column->raw_json),
                                                     .optional = column->optional});
        break;
    case COLUMNS_PAGE:
        if (column->page)
            json_array_append_new(to->list, column_json(column));
        if (column->tip)
            json_array_append_new(to->list, tip_json(column));
    }
    json_decref(cell.json);
}

struct column_walk columns_table(unsigned which) {
    struct column_walk to = {.form = COLUMNS_TABLE, .which = which, .table = table_begin("")};
    return to;
}

void columns_row(struct column_walk *to) {
    if (to->table.rows == 0)
        table_row(&to->table);
    table_row(&to->table);
    to->count = 0;
}

static void columns_finish(struct column_walk *to) {
    to->table.alignment = to->alignment;
    to->table.order = to->order;
}

bool columns_lack(struct column_walk *to, size_t column) {
    columns_finish(to);
    return table_lacks(&to->table, column);
}

void columns_print(struct column_walk *to, FILE *out) {
    columns_finish(to);
    table_print(&to->table, out);
}

void columns_print_section(struct column_walk *to, FILE *out) {
    if (to->table.rows)
        fputc('\n', out);
    columns_print(to, out);
}

struct column_walk columns_csv(bool heading) {
    return (struct column_walk){.form = heading ? COLUMNS_HEADING : COLUMNS_CSV};
}

struct column_walk columns_csv_rows(void) {
    return (struct column_walk){.form = COLUMNS_CSV, .needs_keys = true};
}

static void print_keys(const struct column_walk *to, FILE *out) {
    for (size_t i = 0; i < to->count; i++)
        fprintf(out, "%s%s", i ? "," : "", to->values[i].key);
    fputc('\n', out);
}

void columns_end_csv(struct column_walk *to, FILE *out) {
    if (to->form == COLUMNS_HEADING || to->needs_keys)
        print_keys(to, out);
    to->needs_keys = false;
    for (size_t i = 0; i < to->count && to->form == COLUMNS_CSV; i++) {
        const struct columns_value *value = &to->values[i];
        if (i > 0)
            fputc(',', out);
        csv_put_value(value->value, value->digits, out);
        json_decref(value->value);
    }
    if (to->form == COLUMNS_CSV)
        fputc('\n', out);
    to->count = 0;
}

struct column_walk columns_json(void) {
    return (struct column_walk){.form = COLUMNS_JSON};
}

json_t *columns_end_json(struct column_walk *to) {
    json_t *object = json_object();
    for (size_t i = 0; i < to->count; i++)
        if (to->values[i].optional)
            shape_set_optional(object, to->values[i].key, to->values[i].value);
        else
            json_object_set_new(object, to->values[i].key, to->values[i].value);
    to->count = 0;
    return object;
}

struct column_walk columns_page(void) {
    return (struct column_walk){.form = COLUMNS_PAGE, .list = json_array()};
}
