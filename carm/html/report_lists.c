/* SPDX-License-Identifier: BSD-3-Clause
 * What tables and hovering say of the rows of the report's lists: columns as rows of a table. */
#include "report_parts.h"

/* Where a column is told: in tables and when its row is pointed at, or in one of them. What leads is the large line of
 * what is pointed at. */
static const char IN_TABLE[] = "table", IN_TIP[] = "tip", TITLE[] = "title", LEADS[] = "lead";

struct column {
    const char *title, *key;
    const char *format;   /* "number", "si", "binary", "percent" (with how many digits), "list"; NULL: a text */
    const char *unit;     /* of "si" */
    bool rate, per_cycle; /* the unit is that of the row, or that per cycle */
    int digits;
    const char *where; /* NULL: everywhere */
};

static const struct column ROOFS[] = {
    {.title = "kernel", .key = "name"},
    {.title = "level", .key = "level", .where = IN_TABLE},
    {.title = "machine", .key = "machine"},
    {.title = "place", .key = "place"},
    {.title = "CPUs", .key = "cpus", .where = IN_TIP},
    {.title = "measured", .key = "value", .format = "si", .rate = true, .where = IN_TABLE},
    {.title = "per cycle", .key = "per_cycle", .format = "number", .rate = true, .per_cycle = true, .where = IN_TABLE},
    {.title = "documented", .key = "documented_per_cycle", .format = "number", .where = IN_TABLE},
    {.title = "documented",
     .key = "documented_per_cycle",
     .format = "number",
     .rate = true,
     .per_cycle = true,
     .where = IN_TIP},
    {.title = "ratio", .key = "documented_ratio", .format = "percent", .digits = 1, .where = IN_TABLE},
    {.title = "reached", .key = "documented_ratio", .format = "percent", .digits = 1, .where = IN_TIP},
    {.title = "clock", .key = "clock_hz", .format = "si", .unit = "Hz"},
    {.title = "±", .key = "uncertainty", .format = "percent", .digits = 1},
    {.title = "spread", .key = "spread", .format = "percent", .digits = 1},
    {.title = "data", .key = "working_set_bytes", .format = "binary", .where = IN_TABLE},
    {.title = "data", .key = "working_set_bytes", .format = "binary", .unit = "per thread", .where = IN_TIP},
    {.title = "pages", .key = "page_bytes", .format = "binary", .where = IN_TIP},
    {.title = "variant", .key = "variant", .where = IN_TIP},
    {.title = "doubts", .key = "doubts", .format = "list"},
    {0},
};

static const struct column POINTS[] = {
    {.title = "application", .key = "name", .where = TITLE},
    {.title = "application", .key = "name", .where = IN_TABLE},
    {.title = "machine", .key = "machine"},
    {.title = "zone", .key = "zone", .where = IN_TIP},
    {.title = "bound by", .key = "bound", .where = IN_TIP},
    {.title = "next", .key = "allows", .where = IN_TIP},
    {.title = "intensity", .key = "of_core", .where = IN_TIP},
    {.title = "of DRAM", .key = "of_dram", .where = IN_TIP},
    {.title = "traffic", .key = "link0", .where = IN_TIP},
    {.title = "further", .key = "link1", .where = IN_TIP},
    {.title = "further", .key = "link2", .where = IN_TIP},
    {.title = "further", .key = "link3", .where = IN_TIP},
    {.title = "further", .key = "link4", .where = IN_TIP},
    {.title = "threads", .key = "threads", .format = "number"},
    {.title = "time", .key = "seconds", .format = "si", .unit = "s"},
    {.title = "runs", .key = "repetitions", .format = "number", .where = IN_TIP},
    {.title = "quartiles", .key = "quartiles", .where = IN_TIP},
    {.title = "share", .key = "time_share", .format = "percent", .where = IN_TIP},
    {.title = "flop", .key = "flop", .format = "si", .unit = "flop"},
    {.title = "flop/B", .key = "flop_per_byte", .format = "number", .where = IN_TABLE},
    {.title = "flop/DRAM B", .key = "flop_per_dram_byte", .format = "number", .where = IN_TABLE},
    {.title = "reached", .key = "flop_per_s", .format = "si", .unit = "flop/s", .where = IN_TABLE},
    {.title = "reached", .key = "flop_per_s", .format = "si", .unit = "flop/s", .where = LEADS},
    {.title = "per cycle", .key = "per_cycle", .format = "number", .unit = "flop/cycle", .where = LEADS},
    {.title = "bound by", .key = "bound_by", .where = IN_TABLE},
    {.title = "of it", .key = "ratio", .format = "percent", .where = IN_TABLE},
    {.title = "next roof", .key = "next_roof", .where = IN_TABLE},
    {.title = "from", .key = "origin", .where = IN_TIP},
    {.title = "compiled", .key = "compiler", .where = IN_TIP},
    {.title = "doubts", .key = "doubts", .format = "list"},
    {0},
};

static const struct column VALIDATION[] = {
    {.title = "level", .key = "level", .where = TITLE},
    {.title = "kernel", .key = "name", .where = TITLE},
    {.title = "reached", .key = "flop_per_s", .format = "si", .unit = "flop/s", .where = LEADS},
    {.title = "intensity", .key = "flop_per_byte", .format = "number", .unit = "flop/B"},
    {.title = "model", .key = "model_flop_per_s", .format = "si", .unit = "flop/s"},
    {.title = "off by", .key = "deviation", .format = "percent", .digits = 1},
    {.title = "doubts", .key = "doubts", .format = "list"},
    {0},
};

static const struct column BANDWIDTH[] = {
    {.title = "per thread", .key = "working_set_bytes", .format = "binary", .unit = "per thread", .where = TITLE},
    {.title = "bandwidth", .key = "value", .format = "si", .unit = "B/s", .where = LEADS},
    {.title = "per cycle", .key = "per_cycle", .format = "number", .unit = "B/cycle", .where = LEADS},
    {.title = "clock", .key = "clock_hz", .format = "si", .unit = "Hz"},
    {.title = "doubts", .key = "doubts", .format = "list"},
    {0},
};

static const struct column LATENCY[] = {
    {.title = "per thread", .key = "working_set_bytes", .format = "binary", .unit = "per thread", .where = TITLE},
    {.title = "latency", .key = "value", .format = "si", .unit = "s", .where = LEADS},
    {.title = "per cycle", .key = "per_cycle", .format = "number", .unit = "cycles", .where = LEADS},
    {.title = "clock", .key = "clock_hz", .format = "si", .unit = "Hz"},
    {.title = "doubts", .key = "doubts", .format = "list"},
    {0},
};

/* By the rows' own. */
static json_t *units_json(bool per_cycle) {
    static const char *const UNITS[][3] = {{"flop_per_s", "flop/s", "flop/cycle"},
                                           {"op_per_s", "op/s", "op/cycle"},
                                           {"bytes_per_s", "B/s", "B/cycle"},
                                           {"s", "s", "cycles"}};
    json_t *units = json_object();
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        json_object_set_new(units, UNITS[i][0], json_string(UNITS[i][1 + per_cycle]));
    return units;
}

static json_t *columns_json(const struct column *columns) {
    json_t *list = json_array();
    for (; columns->title; columns++) {
        const struct {
            const char *key, *value;
        } texts[] = {{"title", columns->title},
                     {"key", columns->key},
                     {"format", columns->format},
                     {"unit", columns->unit},
                     {"where", columns->where}};
        json_t *column = json_object();
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            if (texts[i].value)
                json_object_set_new(column, texts[i].key, json_string(texts[i].value));
        if (columns->rate)
            json_object_set_new(column, "units", units_json(columns->per_cycle));
        if (columns->digits)
            json_object_set_new(column, "digits", json_integer(columns->digits));
        json_array_append_new(list, column);
    }
    return list;
}

json_t *report_lists_json(void) {
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "roofs", columns_json(ROOFS), "points", columns_json(POINTS),
                     "validation", columns_json(VALIDATION), "bandwidth", columns_json(BANDWIDTH), "latency",
                     columns_json(LATENCY));
}
