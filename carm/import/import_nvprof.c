/* SPDX-License-Identifier: BSD-3-Clause
 * nvprof's CSV of a GPU's kernels: metrics (--csv --metrics flop_count_dp,…,dram_read_transactions,…), and in a second
 * file their times (--csv --print-gpu-summary). A DRAM transaction moves 32 bytes. Each metric is the average of a
 * kernel's invocations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "import.h"
#include "probe/need.h"

static const double TRANSACTION_BYTES = 32;

/* Both headings, in nvprof's order; more columns (context, stream) may be between them. */
static const char *const METRIC_COLUMNS[] = {"Device", "Kernel", "Invocations", "Metric Name", "Metric Description",
                                             "Min",    "Max",    "Avg",         NULL};
static const char *const TIME_COLUMNS[] = {"Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Name", NULL};

enum { F64, F32, F16, TYPES };
struct nvprof_metric_name {
    const char *name;
    unsigned type; /* of flop; TYPES: bytes */
    bool writes;
};
static const struct nvprof_metric_name METRICS[] = {
    {"flop_count_dp", F64, false},
    {"flop_count_sp", F32, false},
    {"flop_count_hp", F16, false},
    {"dram_read_transactions", TYPES, false},
    {"dram_write_transactions", TYPES, true},
};
static const char *const TYPE_NAMES[TYPES] = {"f64", "f32", "f16"};

static const struct {
    const char *unit;
    double seconds;
} TIME_UNITS[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

struct nvprof {
    const struct import_request *request;
    struct import *out;
    double most_flop[IMPORT_MAX_POINTS]; /* of one type, by point */
};

static bool check_heading(const struct import_text *file, const struct csv_row *heading, const char *const *columns,
                          struct error *err) {
    for (size_t i = 0; i < heading->count; i++) {
        size_t c = 0;
        while (columns[c] && strcmp(columns[c], heading->cells[i]) != 0)
            c++;
        if (!columns[c])
            return csv_fail(file, heading, NULL, i + 1, err,
                            "unknown column '%.60s'; known: Device, Kernel, "
                            "Invocations, Metric Name, Metric Description, Min, Max, "
                            "Avg, and of a summary Type, Time(%%), Time, Calls, Name",
                            heading->cells[i]);
    }
    for (size_t c = 0; columns[c]; c++)
        if (!csv_find(heading, columns[c]))
            return csv_fail(file, heading, NULL, heading->count, err, "there is no column '%s'; is the line complete?",
                            columns[c]);
    return true;
}

/* "Tesla V100-SXM2-16GB (0)" → without the number. */
static void keep_device(struct import *out, const char *device) {
    int length = (int)strlen(device);
    const char *number = strrchr(device, '(');
    if (number && number > device + 1)
        length = (int)(number - device) - 1;
    snprintf(out->machine, sizeof out->machine, "%.*s", length, device);
}

static bool read_metric(struct nvprof *nvprof, const struct import_text *file, const struct csv_row *heading,
                        const struct csv_row *row, struct error *err) {
    double average, invocations;
    if (!csv_number(file, row, heading, csv_find(heading, "Invocations"), &invocations, err))
        return false;
    const char *name = row->cells[csv_find(heading, "Metric Name") - 1];
    const struct nvprof_metric_name *metric = METRICS, *end = METRICS + sizeof METRICS / sizeof METRICS[0];
    while (metric < end && strcmp(metric->name, name) != 0)
        metric++;
    if (metric == end)
        return true; /* another metric, such as occupancy */
    if (!csv_number(file, row, heading, csv_find(heading, "Avg"), &average, err))
        return false;
    keep_device(nvprof->out, row->cells[csv_find(heading, "Device") - 1]);
    struct app_point *point = import_kernel(nvprof->out, nvprof->request, row->cells[csv_find(heading, "Kernel") - 1]);
    if (!point)
        return csv_fail(file, row, heading, csv_find(heading, "Kernel"), err, "more than %d kernels",
                        IMPORT_MAX_POINTS);
    double all = average * invocations;
    point->calls = import_count(invocations);
    if (metric->type == TYPES) {
        import_add(metric->writes ? &point->dram_write_bytes : &point->dram_read_bytes, all * TRANSACTION_BYTES);
        return true;
    }
    double *most = &nvprof->most_flop[point - nvprof->out->points];
    if (point->flop.n == 0 || all > *most) {
        snprintf(point->flop_type, sizeof point->flop_type, "%s", TYPE_NAMES[metric->type]);
        *most = all;
    }
    import_add(&point->flop, all);
    return true;
}

/* Copies between host and device are also activities; only kernels have a point. */
static bool read_time(struct nvprof *nvprof, const struct import_text *file, const struct csv_row *heading,
                      const struct csv_row *row, double unit_s, struct error *err) {
    double time;
    const char *type = row->cells[csv_find(heading, "Type") - 1], *name = row->cells[csv_find(heading, "Name") - 1];
    if (strcmp(type, "GPU activities") != 0 || strncmp(name, "[CUDA mem", 9) == 0)
        return true;
    if (!csv_number(file, row, heading, csv_find(heading, "Time"), &time, err))
        return false;
    struct app_point *point = import_kernel(nvprof->out, nvprof->request, name);
    if (!point)
        return csv_fail(file, row, heading, csv_find(heading, "Name"), err, "more than %d kernels", IMPORT_MAX_POINTS);
    import_add(&point->seconds, time * unit_s);
    return true;
}

/* A row of units follows the heading of times: ",%,ms,,us,us,us,". */
static bool read_unit(struct import_text *file, const struct csv_row *heading, double *unit_s, struct error *err) {
    struct csv_row row;
    size_t cell = csv_find(heading, "Time");
    if (!csv_read(file, ',', &row, err))
        return false;
    for (size_t i = 0; cell <= row.count && i < sizeof TIME_UNITS / sizeof TIME_UNITS[0]; i++)
        if (strcmp(row.cells[cell - 1], TIME_UNITS[i].unit) == 0) {
            *unit_s = TIME_UNITS[i].seconds;
            return true;
        }
    return row.count == 0 ? import_file_fail(file, err, "ends behind its heading; is the file complete?")
                          : csv_fail(file, &row, heading, cell, err, "must be a unit: s, ms, us or ns");
}

static bool begins_heading(const char *line) {
    return strncmp(line, "\"Device\",", 9) == 0 || strncmp(line, "\"Type\",", 7) == 0;
}

static bool read_table(struct nvprof *nvprof, struct import_text *file, struct error *err) {
    struct csv_row heading, row;
    double unit_s = 1;
    size_t rows = 0;
    if (!csv_read(file, ',', &heading, err))
        return false;
    bool times = csv_find(&heading, "Type") == 1;
    if (!check_heading(file, &heading, times ? TIME_COLUMNS : METRIC_COLUMNS, err) ||
        (times && !read_unit(file, &heading, &unit_s, err)))
        return false;
    for (;; rows++) {
        const char *line = import_text_line(file);
        if (line)
            import_text_back(file);
        if (!line || strncmp(line, "==", 2) == 0 || begins_heading(line))
            break;
        if (!csv_read(file, ',', &row, err))
            return false;
        if (row.count == 0)
            break;
        if (row.count != heading.count)
            return csv_fail(file, &row, NULL, row.count, err,
                            "a row of %zu cells below a heading of %zu; is the file "
                            "complete?",
                            row.count, heading.count);
        if (!(times ? read_time(nvprof, file, &heading, &row, unit_s, err)
                    : read_metric(nvprof, file, &heading, &row, err)))
            return false;
    }
    return rows > 0 || import_file_fail(file, err, "has a heading and no rows; is the file complete?");
}

static const char NSYS[] = "this is a report of Nsight Systems, which has times alone: make counts with nvprof --csv "
                           "--metrics …, or with ncu for the format nsight",
                  TRACE[] = "this is a trace of launches: use --print-gpu-summary, or --metrics, without "
                            "--print-gpu-trace",
                  TEXT[] = "this is nvprof's text: add --csv";

static const struct unread_form FORMS[] = {
    {"^\"Start\",", TRACE},
    {"\"Correlation_ID\"", TRACE},
    {"^\"Time(%)\",",
     "this is a summary without the column 'Type', of nvprof before CUDA 9, which does not tell kernels "
     "from calls: give the kernel's time by --seconds"},
    {"\"Event Name\"", "these are counts of events (--events): use --metrics flop_count_dp,dram_read_transactions,"
                       "dram_write_transactions"},
    {"Total Time (ns)", NSYS},
    {"GPU activities:", TEXT},
    {"^Invocations  ", TEXT},
    {NULL, NULL},
};

static bool read_file(struct nvprof *nvprof, struct import_text *file, struct error *err) {
    bool found = false;
    if (import_unread_form(file, FORMS, err))
        return false;
    for (char *line; (line = import_text_line(file));)
        if (begins_heading(line)) {
            found = true;
            import_text_back(file);
            if (!read_table(nvprof, file, err))
                return false;
        }
    return found || import_file_fail(file, err,
                                     "is not a CSV of nvprof: it has no line '\"Device\",\"Kernel\",…' or "
                                     "'\"Type\",\"Time(%%)\",…'; make it with nvprof --csv");
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    struct nvprof *nvprof = need_calloc(1, sizeof *nvprof);
    bool done = true;
    *nvprof = (struct nvprof){.request = request, .out = out};
    for (size_t i = 0; done && i < count; i++)
        done = read_file(nvprof, &files[i], err);
    free(nvprof);
    for (size_t i = 0; done && i < out->point_count; i++) {
        const struct app_point *point = &out->points[i];
        if (point->flop.n == 0 || point->dram_read_bytes.n == 0 || point->dram_write_bytes.n == 0)
            return import_file_fail(&files[0], err,
                                    "kernel %.60s has no %s; nvprof --metrics flop_count_dp,dram_read_transactions,"
                                    "dram_write_transactions counts them",
                                    point->name,
                                    point->flop.n == 0              ? "flop_count"
                                    : point->dram_read_bytes.n == 0 ? "dram_read_transactions"
                                                                    : "dram_write_transactions");
    }
    return done;
}

const struct import_format import_nvprof = {
    .name = "nvprof",
    .summary = "nvprof's CSV of metrics, and of times: a GPU's kernels by DRAM bytes",
    .gpu = true,
    .read = read,
};
