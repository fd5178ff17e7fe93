/* SPDX-License-Identifier: BSD-3-Clause
 * Nsight Compute's CSV of a GPU's kernels: a row per launch (ncu --csv --page raw) or a row per metric (ncu --csv); and
 * where its roofline metrics are there, the GPU's own roofs: what its units do at most in a cycle, times their clocks.
 * Launches of one kernel are summed up. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import_points.h"
#include "import_nsight_metrics.h"
#include "probe/need.h"

static const char *const TYPE_NAMES[NSIGHT_TYPES] = {"f64", "f32", "f16"};

/* Columns that are no metrics. */
static const char *const COLUMNS[] = {"ID",
                                      "Process ID",
                                      "Process Name",
                                      "Host Name",
                                      "Kernel Name",
                                      "Kernel Time",
                                      "Context",
                                      "Stream",
                                      "Block Size",
                                      "Grid Size",
                                      "Device",
                                      "CC",
                                      "Section Name",
                                      "Metric Name",
                                      "Metric Unit",
                                      "Metric Value",
                                      "Rule Name",
                                      "Rule Type",
                                      "Rule Description",
                                      "Estimated Speedup Type",
                                      "Estimated Speedup",
                                      NULL};

struct nsight {
    const struct import_request *request;
    const struct import_text *file;
    struct import *out;
    struct nsight_launch launch;
    size_t launches;
    double peak_flop_per_s[NSIGHT_TYPES], peak_bytes_per_s;
};

static bool set_metric(struct nsight *nsight, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                       const char *name, const char *unit, struct error *err) {
    const char *value = row->cells[cell - 1], *trouble = nsight_set(&nsight->launch, name, unit, value);
    return !trouble || csv_fail(nsight->file, row, heading, cell, err, "%.80s '%.40s%s%.20s' %s", name, value,
                                *unit ? " " : "", unit, trouble);
}

/* The product, 0 where one of the two is not told. */
static double peak(double per_cycle, double hz) {
    return isnan(per_cycle * hz) ? 0 : per_cycle * hz;
}

static bool finish_launch(struct nsight *nsight, struct error *err) {
    const struct nsight_launch *launch = &nsight->launch;
    double most = -1;
    if (nsight->launches == 0)
        return true;
    struct app_point *point = import_kernel(nsight->out, nsight->request, launch->kernel);
    if (!point)
        return import_file_fail(nsight->file, err, "more than %d kernels", IMPORT_MAX_POINTS);
    point->calls++;
    if (!isnan(launch->scalars[NSIGHT_SECONDS]))
        import_add(&point->seconds, launch->scalars[NSIGHT_SECONDS]);
    for (unsigned type = 0; type < NSIGHT_TYPES; type++) {
        double flop = nsight_flop(launch, type), *highest = &nsight->peak_flop_per_s[type];
        *highest = fmax(*highest, peak(launch->peak_flop_per_cycle[type], launch->scalars[NSIGHT_CORE_HZ]));
        if (isnan(flop))
            continue;
        import_add(&point->flop, flop);
        if (flop > most)
            snprintf(point->flop_type, sizeof point->flop_type, "%s", TYPE_NAMES[type]);
        most = fmax(most, flop);
    }
    if (most < 0)
        return import_file_fail(nsight->file, err,
                                "launch %s of %.60s tells no flop; collect "
                                "smsp__sass_thread_inst_executed_op_{dadd,dmul,dfma}_pred_on.sum (f…, h… likewise), or "
                                "the section SpeedOfLight_RooflineChart",
                                launch->id, point->name);
    double read, written;
    nsight_traffic(launch, &read, &written);
    if (isnan(read))
        return import_file_fail(nsight->file, err,
                                "launch %s of %.60s tells no DRAM bytes; collect dram__bytes_read.sum and "
                                "dram__bytes_write.sum",
                                launch->id, point->name);
    import_add(&point->dram_read_bytes, read);
    if (!isnan(written))
        import_add(&point->dram_write_bytes, written);
    nsight->peak_bytes_per_s =
        fmax(nsight->peak_bytes_per_s, peak(launch->scalars[NSIGHT_PEAK_BYTES], launch->scalars[NSIGHT_MEMORY_HZ]));
    return true;
}

static bool check_heading(const struct nsight *nsight, const struct csv_row *heading, struct error *err) {
    for (size_t i = 0; i < heading->count; i++) {
        const char *name = heading->cells[i];
        size_t c = 0;
        while (COLUMNS[c] && strcmp(COLUMNS[c], name) != 0)
            c++;
        if (!COLUMNS[c] && !strstr(name, "__") && !strchr(name, ':')) /* a metric, or an NVTX range */
            return csv_fail(
                nsight->file, heading, NULL, i + 1, err,
                "unknown column '%.60s'; known are ID, Kernel Name, Device, Metric Name, Metric Unit, Metric "
                "Value … and metrics (unit__name)",
                name);
    }
    return csv_find(heading, "Kernel Name") ||
           csv_fail(nsight->file, heading, NULL, heading->count, err, "there is no column 'Kernel Name'");
}

static bool read_row(struct nsight *nsight, const struct csv_row *heading, const struct csv_row *units,
                     const struct csv_row *row, struct error *err) {
    size_t name = csv_find(heading, "Metric Name"), unit = csv_find(heading, "Metric Unit"),
           value = csv_find(heading, "Metric Value"), kernel = csv_find(heading, "Kernel Name");
    if (row->count != heading->count)
        return csv_fail(nsight->file, row, NULL, row->count, err,
                        "a row of %zu cells below a heading of %zu; is the file "
                        "complete?",
                        row->count, heading->count);
    if (nsight->launches == 0 || !name || strcmp(nsight->launch.id, row->cells[0]) != 0) {
        if (!finish_launch(nsight, err))
            return false;
        nsight_begin(&nsight->launch, row->cells[0], row->cells[kernel - 1]);
        nsight->launches++;
    }
    if (name && value)
        return set_metric(nsight, row, heading, value, row->cells[name - 1], unit ? row->cells[unit - 1] : "", err);
    for (size_t i = 0; i < heading->count; i++)
        if (!set_metric(nsight, row, heading, i + 1, heading->cells[i], i < units->count ? units->cells[i] : "", err))
            return false;
    return true;
}

static bool read_table(struct nsight *nsight, struct import_text *file, struct error *err) {
    struct csv_row *heading = need_malloc(3 * sizeof *heading), *units = heading + 1, *row = heading + 2;
    bool done = csv_read(file, ',', heading, err) && check_heading(nsight, heading, err);
    size_t rows = 0;
    if (done)
        units->count = 0;
    while (done) {
        const char *line = import_text_line(file);
        if (line)
            import_text_back(file);
        if (!line || strncmp(line, "==", 2) == 0)
            break;
        done = csv_read(file, ',', row, err);
        if (!done || row->count == 0)
            break;
        if (rows++ == 0 && !row->cells[0][0]) /* of the raw page: a row of units */
            *units = *row;
        else
            done = read_row(nsight, heading, units, row, err);
    }
    free(heading);
    return done &&
           (nsight->launches > 0 || import_file_fail(file, err, "has a heading and no rows; is the file complete?"));
}

static bool read_file(struct nsight *nsight, struct import_text *file, struct error *err) {
    const char *line;
    nsight->file = file;
    nsight->launches = 0;
    while ((line = import_text_line(file)) && strncmp(line, "\"ID\",", 5) != 0)
        ;
    if (!line)
        return import_file_fail(file, err,
                                "is no CSV of Nsight Compute: it has no line '\"ID\",…'; make it with ncu --csv");
    import_text_back(file);
    return read_table(nsight, file, err) && finish_launch(nsight, err);
}

static bool add_roofs(const struct nsight *nsight, struct error *err) {
    for (unsigned type = 0; type < NSIGHT_TYPES; type++) {
        struct sample roof = {.kind = SAMPLE_COMPUTE, .value = nsight->peak_flop_per_s[type]};
        snprintf(roof.kernel, sizeof roof.kernel, "nsight.%s.peak", TYPE_NAMES[type]);
        if (roof.value > 0 && !import_roof(nsight->out, &roof, nsight->file, err))
            return false;
    }
    const struct sample memory = {
        .kernel = "nsight.traffic", .kind = SAMPLE_BANDWIDTH, .level = "DRAM", .value = nsight->peak_bytes_per_s};
    return !(memory.value > 0) || import_roof(nsight->out, &memory, nsight->file, err);
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    struct nsight *nsight = need_calloc(1, sizeof *nsight);
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        nsight->request = request;
        nsight->out = out;
        done = read_file(nsight, &files[i], err);
    }
    done = done && add_roofs(nsight, err);
    free(nsight);
    return done;
}

const struct import_format import_nsight = {
    .name = "nsight",
    .summary = "Nsight Compute's CSV (ncu --csv): a GPU's kernels by DRAM bytes, and its roofs",
    .gpu = true,
    .read = read,
};
