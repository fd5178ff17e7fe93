/* SPDX-License-Identifier: BSD-3-Clause
 * VTune's counts of the memory controllers: the CSV of `-report hw-events -group-by=package -column=UNC_M_CAS_COUNT
 * -format=csv`, and the list that parse-vtune2018.sh sums up from it. DRAM bytes, 64 a command. Several files are
 * nodes of one run. */
#include <stdio.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "import.h"

static const double LINE_BYTES = 64;
static const char COUNT_OF[] = "Uncore Event Count:";
#define MAKE_IT                                                                                                        \
    "make it with -report hw-events -group-by=package -column=UNC_M_CAS_COUNT -format=csv -csv-delimiter=comma"

static const struct unread_form FORMS[] = {
    {"Function Call Sites and Loops",
     "this is a report of Intel Advisor, not of VTune: copy its loops' flop, bytes and "
     "time into a table for the format csv"},
    {"Collection and Platform Info", "this is VTune's summary: " MAKE_IT},
    {"^Elapsed Time:", "this is VTune's summary: " MAKE_IT},
    {"Metric Value", "this is VTune's summary as CSV: " MAKE_IT},
    {"CPU Time", "this is VTune's report of hotspots: " MAKE_IT},
    {"Hardware Event Count:", "this is VTune's report of the cores' events, without those of the memory controllers: "
                              "collect UNC_M_CAS_COUNT.RD and .WR, and " MAKE_IT},
    {NULL, NULL},
};

static const char KNOWN[] =
    "known with -group-by=package: Package, Hardware Event …, and Uncore Event Count:UNC_M_CAS_COUNT.RD[UNITn] and .WR";

struct memory_commands {
    double read_commands, write_commands;
};

/* "UNC_M_CAS_COUNT.RD[UNIT3]", "UNC_M_CAS_COUNT_SCH0.WR": the sum for its commands; NULL: another event. */
static double *sum_of(struct memory_commands *traffic, const char *event) {
    const char *dot = strchr(event, '.');
    if (strncmp(event, "UNC_M_CAS_COUNT", 15) != 0 || !dot || (dot[3] && dot[3] != '['))
        return NULL;
    return strncmp(dot, ".RD", 3) == 0   ? &traffic->read_commands
           : strncmp(dot, ".WR", 3) == 0 ? &traffic->write_commands
                                         : NULL;
}

static bool check_total(const struct import_text *file, const char *name, double said,
                        const struct memory_commands *sums, struct error *err) {
    double commands = strstr(name, "read")      ? sums->read_commands
                      : strstr(name, "written") ? sums->write_commands
                                                : sums->read_commands + sums->write_commands;
    return said == commands * LINE_BYTES ||
           import_text_fail(file, NULL, err, "it says %s = %.0f, but its counts make %.0f", name, said,
                            commands * LINE_BYTES);
}

/* "UNC_M_CAS_COUNT.RD[UNIT2] = 127252047" and "--->Total Bytes read = 32524205056" */
static bool read_sums(struct memory_commands *traffic, struct import_text *file, struct error *err) {
    struct memory_commands sums = {0, 0};
    bool total = false;
    for (char *line; (line = import_text_line(file));) {
        char *equals = strstr(line, " = ");
        double number;
        if (!equals)
            continue;
        const char *value = equals + 3, *trouble = import_number(value, &number);
        if (trouble)
            return import_text_fail(file, value, err, "'%.40s' %s", value, trouble);
        *equals = '\0';
        const char *name = line + strspn(line, " \t");
        if (strncmp(name, "--->", 4) == 0) {
            total = true;
            if (!check_total(file, name, number, &sums, err))
                return false;
            continue;
        }
        double *commands = sum_of(&sums, name);
        if (!commands)
            return import_text_fail(file, name, err, "unknown event '%.60s'; known: UNC_M_CAS_COUNT.RD and .WR", name);
        *commands += number;
    }
    traffic->read_commands += sums.read_commands;
    traffic->write_commands += sums.write_commands;
    return total || import_file_fail(file, err, "lacks its totals; is the file complete?");
}

/* The heading follows messages. */
static char *find_heading(struct import_text *file) {
    char *line;
    while ((line = import_text_line(file)) && !strstr(line, COUNT_OF))
        ;
    return line;
}

static bool read_rows(struct memory_commands *traffic, struct import_text *file, struct error *err) {
    struct csv_row heading, row;
    double *sums[CSV_MAX_CELLS] = {NULL}, number;
    char *line = find_heading(file), separator = csv_separator(line);
    unsigned rows = 0, read = 0, written = 0;
    if (!strchr(line, separator))
        return import_text_fail(file, NULL, err, "this is VTune's text: " MAKE_IT);
    import_text_back(file);
    if (!csv_read(file, separator, &heading, err))
        return false;
    for (size_t i = 0; i < heading.count; i++) {
        const char *name = heading.cells[i];
        if (strncmp(name, COUNT_OF, sizeof COUNT_OF - 1) == 0)
            sums[i] = sum_of(traffic, name + sizeof COUNT_OF - 1);
        else if (strcasecmp(name, "Package") == 0 || strncmp(name, "Hardware Event", 14) == 0)
            continue;
        if (!sums[i])
            return csv_fail(file, &heading, NULL, i + 1, err, "unknown column '%.80s'; %s", name, KNOWN);
        read += sums[i] == &traffic->read_commands;
        written += sums[i] == &traffic->write_commands;
    }
    if (!read || !written)
        return csv_fail(file, &heading, NULL, heading.count, err, "there is no column UNC_M_CAS_COUNT.%s; %s",
                        read ? "WR" : "RD", KNOWN);
    for (; csv_read(file, separator, &row, err) && row.count > 0; rows++)
        for (size_t i = 0; i < heading.count; i++) {
            if (sums[i] && !csv_number(file, &row, &heading, i + 1, &number, err))
                return false;
            if (sums[i])
                *sums[i] += number;
        }
    if (row.count > 0)
        return false;
    return rows > 0 || import_file_fail(file, err, "has a heading and no rows; is the file complete?");
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    struct memory_commands traffic = {0, 0};
    for (size_t i = 0; i < count; i++) {
        bool rows = strstr(files[i].text, COUNT_OF), sums = strstr(files[i].text, "UNC_M_CAS_COUNT");
        if (!rows && !sums)
            return !import_unread_form(&files[i], FORMS, err) &&
                   import_file_fail(&files[i], err, "has no column '%s…' and no list of UNC_M_CAS_COUNT; " MAKE_IT,
                                    COUNT_OF);
        if (!(rows ? read_rows : read_sums)(&traffic, &files[i], err))
            return false;
    }
    struct app_point *point = import_region(out, request, "");
    import_add(&point->dram_read_bytes, traffic.read_commands * LINE_BYTES);
    import_add(&point->dram_write_bytes, traffic.write_commands * LINE_BYTES);
    snprintf(point->origin, sizeof point->origin, "vtune, %zu file%s of CAS commands × 64 B", count,
             count == 1 ? "" : "s");
    return true;
}

const struct import_format import_vtune = {
    .name = "vtune",
    .summary = "VTune's uncore counts (UNC_M_CAS_COUNT) as CSV: DRAM bytes",
    .read = read,
};
