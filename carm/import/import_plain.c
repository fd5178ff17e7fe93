/* SPDX-License-Identifier: BSD-3-Clause
 * A plain CSV: a row per point, and a heading with the names of the columns. Base units. The core's bytes, DRAM's
 * bytes or both determine the intensities of the points; an empty cell is an unknown value. A line joins the points
 * of a series by size. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import.h"

#include "bench/programs/app_point.h"
#include "carm/text/suggestion.h"
#include "probe/text.h"

enum plain_column { NAME, SECONDS, FLOP, LOADS, STORES, CORE, DRAM_READS, DRAM_WRITES, THREADS, SIZE, SERIES, COLUMNS };
static const char *const COLUMN_NAMES[COLUMNS] = {
    "name",    "seconds", "flop",  "load_bytes", "store_bytes", "core_bytes", "dram_read_bytes", "dram_write_bytes",
    "threads", "size",    "series"};

static const double MOST_WHOLE = 1e9; /* as counts in a result */

static bool read_heading(const struct import_text *file, const struct csv_row *heading, size_t *cells,
                         struct error *err) {
    char known[256] = "";
    for (size_t c = 0; c < COLUMNS; c++)
        text_append(known, sizeof known, "%s%s", c ? ", " : "", COLUMN_NAMES[c]);
    for (size_t i = 0; i < heading->count; i++) {
        size_t c = 0;
        char *name = import_trim(heading->cells[i]);
        struct suggestion near = suggestion_for(name);
        for (; c < COLUMNS && strcmp(COLUMN_NAMES[c], name) != 0; c++)
            suggestion_consider(&near, COLUMN_NAMES[c]);
        if (c == COLUMNS)
            return csv_fail(file, heading, NULL, i + 1, err, "unknown column '%.40s'%s; known: %s", name,
                            suggestion_text(&near, ""), known);
        if (cells[c])
            return csv_fail(file, heading, NULL, i + 1, err, "a second column '%.40s'", name);
        cells[c] = i + 1;
    }
    if (!cells[NAME])
        return csv_fail(file, heading, NULL, 1, err, "there is no column 'name'; known: %s", known);
    if (cells[CORE] && (cells[LOADS] || cells[STORES]))
        return csv_fail(file, heading, NULL, cells[CORE], err,
                        "core_bytes is load_bytes and store_bytes together: give only one of the two");
    if (!cells[LOADS] != !cells[STORES] || !cells[DRAM_READS] != !cells[DRAM_WRITES])
        return csv_fail(file, heading, NULL, 1, err, "%s need both of their columns%s",
                        !cells[LOADS] != !cells[STORES] ? "load_bytes and store_bytes"
                                                        : "dram_read_bytes and dram_write_bytes",
                        !cells[LOADS] != !cells[STORES] ? "; if only their sum is known, name it core_bytes" : "");
    if (!cells[SERIES] != !cells[SIZE])
        return csv_fail(file, heading, NULL, 1, err,
                        "points are joined by two columns, series and size: one is missing");
    if (!cells[FLOP] || (!cells[CORE] && !cells[LOADS] && !cells[DRAM_READS]))
        return csv_fail(file, heading, NULL, heading->count, err, "there is no column of %s; known: %s",
                        cells[FLOP] ? "bytes" : "flop", known);
    return true;
}

/* Reads series and size; a point may have neither. */
static bool read_series(const struct import_text *file, const struct csv_row *row, const struct csv_row *heading,
                        const size_t *cells, unsigned size, struct app_point *point, struct error *err) {
    const char *series = import_trim(row->cells[cells[SERIES] - 1]);
    if (*series && size == 0)
        return csv_fail(file, row, heading, cells[SIZE], err, "a point of a series needs a size above 0");
    snprintf(point->series, sizeof point->series, "%s", series);
    point->size = *series ? size : 0;
    return true;
}

static bool read_row(const struct import_request *request, const struct import_text *file, const struct csv_row *row,
                     const struct csv_row *heading, const size_t *cells, struct import *out, struct error *err) {
    if (row->count != heading->count)
        return csv_fail(file, row, NULL, row->count, err, "a row of %zu cells below a heading of %zu", row->count,
                        heading->count);
    const char *name = import_trim(row->cells[cells[NAME] - 1]);
    size_t before = out->point_count;
    if (!*name)
        return csv_fail(file, row, heading, cells[NAME], err, "is empty");
    struct app_point *point = import_region(out, request, name);
    if (!point)
        return csv_fail(file, row, heading, cells[NAME], err, "more than %d points", IMPORT_MAX_POINTS);
    if (out->point_count == before)
        return csv_fail(file, row, heading, cells[NAME], err, "'%.60s' occurs twice", name);
    snprintf(point->name, sizeof point->name, "%.95s", name);
    double numbers[COLUMNS] = {0};
    struct statistics *const quantities[COLUMNS] = {[SECONDS] = &point->seconds,
                                                    [FLOP] = &point->flop,
                                                    [LOADS] = &point->load_bytes,
                                                    [STORES] = &point->store_bytes,
                                                    [CORE] = &point->load_bytes,
                                                    [DRAM_READS] = &point->dram_read_bytes,
                                                    [DRAM_WRITES] = &point->dram_write_bytes};
    for (size_t c = SECONDS; c < SERIES; c++) {
        if (!cells[c] || !*import_trim(row->cells[cells[c] - 1]))
            continue;
        if (!csv_number(file, row, heading, cells[c], &numbers[c], err))
            return false;
        if (c == SECONDS && !(numbers[c] > 0))
            return csv_fail(file, row, heading, cells[c], err, "must be above 0");
        if (quantities[c])
            import_add(quantities[c], numbers[c]);
    }
    for (size_t c = THREADS; c <= SIZE; c++)
        if (numbers[c] > MOST_WHOLE || numbers[c] != floor(numbers[c]))
            return csv_fail(file, row, heading, cells[c], err, "must be a whole number up to %g", MOST_WHOLE);
    point->threads = (unsigned)numbers[THREADS];
    return !cells[SERIES] || read_series(file, row, heading, cells, (unsigned)numbers[SIZE], point, err);
}

static bool read_file(const struct import_request *request, struct import_text *file, struct import *out,
                      struct error *err) {
    struct csv_row heading, row;
    size_t cells[COLUMNS] = {0};
    char separator = csv_separator(file->next);
    if (!csv_read(file, separator, &heading, err) || !read_heading(file, &heading, cells, err))
        return false;
    size_t before = out->point_count;
    do {
        if (!csv_read(file, separator, &row, err) ||
            (row.count > 0 && !read_row(request, file, &row, &heading, cells, out, err)))
            return false;
    } while (row.count > 0);
    return out->point_count > before || import_file_fail(file, err, "has a heading and no rows");
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = read_file(request, &files[i], out, err);
    return done;
}

const struct import_format import_csv = {
    .name = "csv",
    .summary = "a plain CSV: name, seconds, flop, bytes of the core or of DRAM, threads, series and size",
    .read = read,
};
