/* SPDX-License-Identifier: BSD-3-Clause
 * carmine import: points and roofs from the files of other tools. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/import/import_result.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/csv.h"
#include "carm/text/notice.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/units.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "add the points to this result, created if missing (default: only print)"},
    {"name", 0, "NAME", "name of the point, or prefix of its parts' names (default: the first file's name)"},
    {"region", 0, "NAME", "import only this region, kernel or row"},
    {"machine", 0, "NAME", "machine of the files, if they do not name it"},
    {"threads", 0, "N", "number of threads, if the files do not state it"},
    {"seconds", 0, "S", "time of the points, if the files do not state it"},
    {"level", 0, "NAME",
     "level of the bandwidth: L1, L2, …, DRAM, HBM; for ert and --bandwidth the memory instead of DRAM"},
    {"peak", 0, "N", "state a ceiling: flop per second"},
    {"bandwidth", 0, "N", "state the bandwidth between caches and memory: bytes per second"},
    {0},
};

enum { NAME_BYTES = 64 };

/* "results/stream.likwid.csv" → "stream". */
static void name_of_file(const char *path, char out[NAME_BYTES]) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(out, NAME_BYTES, "%.*s", (int)strcspn(name, "."), name);
    if (!*out)
        snprintf(out, NAME_BYTES, "imported");
}

static bool read_request(const struct arguments *arguments, struct import_request *out, char name[NAME_BYTES],
                         struct error *err) {
    const char *threads = cli_value(arguments, "threads"), *seconds = cli_value(arguments, "seconds");
    double count = 0;
    name_of_file(arguments->operands[1], name);
    *out = (struct import_request){
        .name = name, .region = cli_value(arguments, "region"), .level = cli_value(arguments, "level")};
    if (cli_value(arguments, "name"))
        snprintf(name, NAME_BYTES, "%s", cli_value(arguments, "name"));
    if (!*name)
        return error_set(err, "--name must not be empty");
    if (threads && !cli_number(threads, "--threads", &count, err))
        return false;
    if (count > 1e6 || count != (unsigned)count)
        return error_set(err, "--threads takes a number of threads, not '%s'", threads);
    out->threads = (unsigned)count;
    if (out->level && !levels_is_name(out->level))
        return error_set(err, "--level takes L1 to L9, DRAM or HBM, not '%s'", out->level);
    return !seconds || cli_number(seconds, "--seconds", &out->seconds, err);
}

/* Threads of stated roofs: those of all points, or of all other roofs; 0 if those differ. */
static unsigned common_threads(const struct import *import, unsigned threads) {
    unsigned common = import->point_count  ? import->points[0].threads
                      : import->roof_count ? import->roofs[0].threads
                                           : threads;
    for (size_t i = 0; i < import->point_count; i++)
        common = import->points[i].threads == common ? common : 0;
    for (size_t i = 0; i < import->roof_count && import->point_count == 0; i++)
        common = import->roofs[i].threads == common ? common : 0;
    return common;
}

/* Roofs stated by the user, for example from a data sheet. */
static bool add_stated(const struct arguments *arguments, unsigned threads, struct import *import, struct error *err) {
    const char *level = cli_value(arguments, "level");
    const char *peak = cli_value(arguments, "peak"), *bandwidth = cli_value(arguments, "bandwidth");
    const struct import_text here = {.path = "the command line"};
    const char *type = import->point_count && import->points[0].flop_type[0] ? import->points[0].flop_type : "f64";
    struct sample ceiling = {.kind = SAMPLE_COMPUTE},
                  memory = {.kernel = "stated.traffic", .kind = SAMPLE_BANDWIDTH, .level = "DRAM"};
    if (level)
        snprintf(memory.level, sizeof memory.level, "%.7s", level);
    snprintf(ceiling.kernel, sizeof ceiling.kernel, "stated.%.7s.peak", type);
    ceiling.threads = memory.threads = common_threads(import, threads);
    return (!peak || (cli_number(peak, "--peak", &ceiling.value, err) && import_roof(import, &ceiling, &here, err))) &&
           (!bandwidth ||
            (cli_number(bandwidth, "--bandwidth", &memory.value, err) && import_roof(import, &memory, &here, err)));
}

/* Shows the imported points and their kind of intensity. The two kinds count different bytes and need different axes.
 */
static void tell(const struct import *import, bool gpu) {
    static const char *const CARRIED[] = {
        "none: their bytes are not known",
        "cache-aware (flop per byte that the core loads and stores)",
        "operational (flop per byte between caches and memory)",
        "both: flop per byte that the core loads and stores, and flop per byte between caches and memory",
    };
    unsigned carried = 0;
    for (size_t i = 0; i < import->point_count; i++)
        carried |= (import->points[i].bytes_source != SOURCE_UNKNOWN ? 1u : 0) |
                   (import->points[i].dram_source != SOURCE_UNKNOWN ? 2u : 0);
    if (import->point_count)
        notice_print("%s: %zu point%s; intensity: %s", import->format, import->point_count,
                     import->point_count == 1 ? "" : "s", CARRIED[carried]);
    if (import->roof_count)
        notice_print("%s: %zu roof%s", import->format, import->roof_count, import->roof_count == 1 ? "" : "s");
    for (size_t i = 0; i < import->point_count && !gpu; i++)
        if (import->points[i].threads == 0) {
            notice_print("%s: the number of threads is not known; state it with --threads N", import->format);
            break;
        }
    if (import->note[0])
        notice_print("%s: %s", import->format, import->note);
}

static void print_roofs(const struct import *import) {
    struct table table = table_begin("llrrl");
    char(*row)[TABLE_CELL_BYTES], text[32], doubts[TABLE_CELL_BYTES];
    static const char *const NAMES[] = {"", "roof", "threads", "value", "warnings"};
    table_head(&table, NAMES, sizeof NAMES / sizeof NAMES[0]);
    for (size_t i = 0; i < import->roof_count; i++) {
        const struct sample *roof = &import->roofs[i];
        row = table_row(&table);
        table_set(row, 0, "%s", roof->level);
        table_set(row, 1, "%s%s%s", roof->kernel, roof->variant[0] ? " " : "", roof->variant);
        if (roof->threads)
            table_set(row, 2, "%u", roof->threads);
        table_set(row, 3, "%s", units_si(text, sizeof text, roof->value, model_unit(roof->kind)));
        table_set(row, 4, "%s", doubt_names(roof->doubts, doubts, sizeof doubts));
    }
    if (table.rows == 1)
        table.rows = 0;
    table_print(&table, stdout);
    if (import->roof_count && import->point_count)
        putchar('\n');
}

static void print_roofs_csv(const struct import *import) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < import->roof_count; i++) {
        report_roof_columns(&to, &(struct roof){.sample = &import->roofs[i]}, false);
        columns_end_csv(&to, stdout);
    }
}

static json_t *points_json(const struct model *model, const struct app_point *points, size_t count) {
    return json_pack("{s:s,s:o}", "schema", "carmine.import/1", "points", report_points_json(model, points, count));
}

json_t *import_described(const struct model *model) {
    return points_json(model, model->result->points, 1);
}

static json_t *next_of_import(const struct model *model, const char *path) {
    return path ? next_of_result(model, path) : next_step_json(NEXT_NOTHING, "", NULL);
}

/* The points as they are in the result now, with data of other imports. */
static void print(const struct import_target *target, const struct import *import, const struct arguments *arguments) {
    const struct result *result = &target->result;
    struct model model = model_build(result);
    struct app_point *points = need_calloc(import->point_count + 1, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; points && i < import->point_count; i++)
        for (size_t k = 0; k < result->point_count; k++)
            if (strcmp(result->points[k].name, import->points[i].name) == 0)
                points[count++] = result->points[k];
    if (cli_given(arguments, "json")) {
        fields_print(
            next_add(points_json(&model, points, count), next_of_import(&model, cli_value(arguments, "output"))));
    } else if (cli_given(arguments, "csv") && count > 0) {
        csv_print_rows(report_points_json(&model, points, count), stdout);
    } else if (cli_given(arguments, "csv")) {
        print_roofs_csv(import);
    } else {
        print_roofs(import);
        report_points_print(&model, points, count, stdout);
    }
    free(points);
    model_free(&model);
}

static bool find_format(const struct arguments *arguments, const struct import_format **out, struct error *err) {
    const char *name;
    size_t count;
    const bool found = cli_set_names(cli_set_of("FORMAT"), arguments->operands[0], &name, 1, &count, err);
    *out = found ? import_find(name) : NULL;
    return found;
}

/* Adds the import to the file under its lock. */
static bool keep(struct import_target *target, const char *path, const struct import_format *format,
                 const struct import *import, const struct arguments *arguments, struct error *err) {
    int lock = -1;
    if (path && !file_lock(path, &lock, err))
        return false;
    const bool done =
        import_target_open(target, path, format, import, cli_value(arguments, "machine"), arguments->line, err) &&
        import_target_add(target, import, err) && (!path || results_write(&target->result, path, false, err));
    if (path)
        file_unlock(path, lock);
    return done;
}

static int command(const struct arguments *arguments, struct error *err) {
    const struct import_format *format;
    struct import_request request;
    struct import import = {.format = ""};
    struct import_target target = {.replaced = 0};
    char name[NAME_BYTES];
    const char *path = cli_value(arguments, "output");
    bool done = find_format(arguments, &format, err) && read_request(arguments, &request, name, err) &&
                view_options_output(arguments, err) && (!path || file_writable(path, err)) &&
                import_read(format, &request, arguments->operands + 1, arguments->operand_count - 1, &import, err) &&
                add_stated(arguments, request.threads, &import, err) &&
                keep(&target, path, format, &import, arguments, err);
    if (done) {
        tell(&import, format->gpu);
        if (target.other_machine)
            notice_print("warning: the roofs in %s are from another machine (%s)", path,
                         target.result.machine.cpu.brand);
        if (path && target.replaced)
            notice_print("added to %s, %zu of it to existing points", path, target.replaced);
        else
            notice_print(path ? "added to %s" : "nothing was written; -o FILE stores it", path);
        print(&target, &import, arguments);
    }
    import_target_free(&target);
    import_free(&import);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine import stream stream.txt --machine node7", "the output of STREAM on node7"},
    {"carmine import likwid-perfctr likwid.csv -o my.json", "as points of my.json"},
    {"carmine import csv points.csv --threads 1 -o my.json", "your own table"},
    {0},
};

const struct command command_import = {
    .name = "import",
    .operands = "FORMAT FILE…",
    .operands_min = 2,
    .operands_max = SIZE_MAX,
    .summary = "points and roofs from the files of other tools",
    .description =
        "Puts measurements of other tools on the roofline. Formats: likwid-perfctr (tables), likwid-bench, sde (Intel "
        "SDE's mix), vtune (uncore CSV), perf (perf stat -x,), ert, stream (and BabelStream), nvprof and nsight (CSV "
        "of a GPU's "
        "kernels), csv (a plain table: name, seconds, flop, load_bytes, store_bytes or core_bytes, dram_read_bytes, "
        "dram_write_bytes, threads).\nEach import reports its intensity: flop per byte that the core loads and stores "
        "(cache-aware), or per byte between caches and memory. With -o an import of the same --name completes a point, "
        "as sde and vtune do together. Points of a GPU need a result of their own. See docs/import.md.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "a row per point, else per roof", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
