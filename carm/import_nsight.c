/* SPDX-License-Identifier: BSD-3-Clause
 * Nsight Compute's CSV of a GPU's kernels: a row per launch (ncu --csv --page raw) or a row per metric (ncu --csv).
 * Flop and DRAM bytes as counts, or as rates of its roofline section; and where that is there, the GPU's own roofs:
 * what its units do at most in a cycle, times their clocks. Launches of one kernel are summed up. NVIDIA's sections
 * weigh an f16 instruction as a pair. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"

enum { F64, F32, F16, TYPES };
static const char TYPE_LETTERS[TYPES] = {'d', 'f', 'h'};
static const char *const TYPE_NAMES[TYPES] = {"f64", "f32", "f16"};
enum { ADD, MUL, FMA, OPERATIONS };
static const char *const OPERATION_NAMES[OPERATIONS] = {"add", "mul", "fma"};

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

/* Other metrics, in base units. */
enum scalar {
    SECONDS,
    READ_BYTES,
    WRITTEN_BYTES,
    BYTES,
    BYTES_PER_S,
    OPERATION_HZ,
    CORE_HZ,
    MEMORY_HZ,
    PEAK_BYTES,
    SCALARS
};
static const struct scalar_name {
    const char *name;
    enum scalar scalar;
    double factor;
} SCALAR_NAMES[] = {
    {"gpu__time_duration.sum", SECONDS, 1},
    {"dram__bytes_read.sum", READ_BYTES, 1},
    {"dram__bytes_op_read.sum", READ_BYTES, 1},
    {"dram__sectors_read.sum", READ_BYTES, 32},
    {"dram__bytes_write.sum", WRITTEN_BYTES, 1},
    {"dram__bytes_op_write.sum", WRITTEN_BYTES, 1},
    {"dram__sectors_write.sum", WRITTEN_BYTES, 32},
    {"dram__bytes.sum", BYTES, 1},
    {"dram__bytes.sum.per_second", BYTES_PER_S, 1},
    {"smsp__cycles_elapsed.avg.per_second", OPERATION_HZ, 1},
    {"sm__cycles_elapsed.avg.per_second", CORE_HZ, 1},
    {"dram__cycles_elapsed.avg.per_second", MEMORY_HZ, 1},
    {"dram__bytes.sum.peak_sustained", PEAK_BYTES, 1},
};

/* NaN: not told. */
struct launch {
    char id[32], kernel[512];
    double flop[TYPES][OPERATIONS], flop_per_cycle[TYPES][OPERATIONS], peak_flop_per_cycle[TYPES];
    double scalars[SCALARS];
};

struct nsight {
    const struct import_request *request;
    const struct import_text *file;
    struct import *out;
    struct launch launch;
    size_t launches;
    double peak_flop_per_s[TYPES], peak_bytes_per_s;
};

static void begin_launch(struct launch *launch, const char *id, const char *kernel) {
    double *const lists[] = {launch->flop[0], launch->flop_per_cycle[0], launch->peak_flop_per_cycle, launch->scalars};
    const size_t lengths[] = {TYPES * OPERATIONS, TYPES * OPERATIONS, TYPES, SCALARS};
    snprintf(launch->id, sizeof launch->id, "%s", id);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", kernel);
    for (size_t l = 0; l < 4; l++)
        for (size_t i = 0; i < lengths[l]; i++)
            lists[l][i] = (double)NAN;
}

/* "Kbyte", "ns", "cycle" → how many base units; 0: unknown. Prefixes are decimal. */
static double word_factor(const char *word, size_t length) {
    static const char *const WORDS[] = {"byte", "B", "inst", "cycle", "sector", "hz", "Hz", "second", "s"};
    static const struct {
        char letter;
        double factor;
    } PREFIXES[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strlen(WORDS[i]) == length && strncmp(word, WORDS[i], length) == 0)
            return 1;
    for (size_t p = 0; length > 1 && p < sizeof PREFIXES / sizeof PREFIXES[0]; p++)
        if (*word == PREFIXES[p].letter)
            return PREFIXES[p].factor * word_factor(word + 1, length - 1);
    return 0;
}

/* "Gbyte/s", "cycle/nsecond"; without a unit ncu's base: a time is in ns. */
static double unit_factor(const char *unit, bool is_time) {
    size_t length = strcspn(unit, "/");
    if (!*unit)
        return is_time ? 1e-9 : 1;
    double above = word_factor(unit, length);
    double below = unit[length] ? word_factor(unit + length + 1, strlen(unit + length + 1)) : 1;
    return below > 0 ? above / below : 0;
}

/* "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum": where its value goes, and what it is multiplied with. NULL: no
 * operation of that kind. `derived__` metrics hold their weight; those of "sm" are peaks. */
static double *find_operation(struct launch *launch, const char *name, double *weight) {
    static const char INSTRUCTION[] = "sass_thread_inst_executed_op_";
    bool derived = strncmp(name, "derived__", 9) == 0;
    name += derived ? 9 : 0;
    bool peak = derived && strncmp(name, "sm__", 4) == 0;
    const char *core = strstr(name, "__");
    if (!core || strncmp(name, "sm", 2) != 0 || strncmp(core + 2, INSTRUCTION, sizeof INSTRUCTION - 1) != 0)
        return NULL;
    const char *at = core + 1 + sizeof INSTRUCTION;
    unsigned type = 0, operation = 0;
    while (type < TYPES && *at != TYPE_LETTERS[type])
        type++;
    while (operation < OPERATIONS && strncmp(at + 1, OPERATION_NAMES[operation], 3) != 0)
        operation++;
    if (type == TYPES || operation == OPERATIONS || strncmp(at + 4, "_pred_on", 8) != 0)
        return NULL;
    const char *rest = at + 12;
    *weight = derived ? 1 : (operation == FMA ? 2 : 1) * (type == F16 ? 2 : 1);
    if (derived)
        return rest[0] != '_' || rest[1] != 'x' ? NULL
               : !peak                          ? &launch->flop_per_cycle[type][operation]
               : operation == FMA               ? &launch->peak_flop_per_cycle[type]
                                                : NULL;
    return strcmp(rest, ".sum") == 0                                      ? &launch->flop[type][operation]
           : strcmp(rest, ".sum.per_cycle_elapsed") == 0                  ? &launch->flop_per_cycle[type][operation]
           : strcmp(rest, ".sum.peak_sustained") == 0 && operation == FMA ? &launch->peak_flop_per_cycle[type]
                                                                          : NULL;
}

static double *find_value(struct launch *launch, const char *name, double *factor, bool *is_time) {
    *is_time = false;
    for (size_t i = 0; i < sizeof SCALAR_NAMES / sizeof SCALAR_NAMES[0]; i++)
        if (strcmp(SCALAR_NAMES[i].name, name) == 0) {
            *factor = SCALAR_NAMES[i].factor;
            *is_time = SCALAR_NAMES[i].scalar == SECONDS;
            return &launch->scalars[SCALAR_NAMES[i].scalar];
        }
    return find_operation(launch, name, factor);
}

static bool set_metric(struct nsight *nsight, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                       const char *name, const char *unit, struct error *err) {
    double factor, value;
    bool is_time;
    double *at = find_value(&nsight->launch, name, &factor, &is_time);
    if (!at)
        return true;
    if (cell > row->count)
        return csv_fail(nsight->file, row, heading, cell, err, "the row ends before it; is the file complete?");
    const char *text = row->cells[cell - 1], *trouble = import_grouped_number(text, &value);
    if (trouble)
        return csv_fail(nsight->file, row, heading, cell, err, "%s '%.40s' %s", name, text, trouble);
    double of_unit = unit_factor(unit, is_time);
    if (!(of_unit > 0))
        return csv_fail(nsight->file, row, heading, cell, err, "%s has the unknown unit '%.20s'", name, unit);
    *at = value * factor * of_unit;
    return true;
}

static double known(double value) {
    return isnan(value) ? 0 : value;
}

/* Of one type; NaN: not told. Counts are better than rates. */
static double flop_of(const struct launch *launch, unsigned type) {
    double counts = 0, rates = 0;
    bool counted = false, rated = false;
    for (unsigned o = 0; o < OPERATIONS; o++) {
        counts += known(launch->flop[type][o]);
        rates += known(launch->flop_per_cycle[type][o]);
        counted |= !isnan(launch->flop[type][o]);
        rated |= !isnan(launch->flop_per_cycle[type][o]);
    }
    return counted ? counts : rated ? rates * launch->scalars[OPERATION_HZ] * launch->scalars[SECONDS] : (double)NAN;
}

static bool add_bytes(const struct launch *launch, struct app_point *point) {
    const double *s = launch->scalars;
    bool apart = !isnan(s[READ_BYTES]) && !isnan(s[WRITTEN_BYTES]);
    double all = !isnan(s[BYTES]) ? s[BYTES] : s[BYTES_PER_S] * s[SECONDS];
    import_add(&point->dram_read_bytes, apart ? s[READ_BYTES] : known(all));
    import_add(&point->dram_write_bytes, apart ? s[WRITTEN_BYTES] : 0);
    return apart || !isnan(all);
}

static bool finish_launch(struct nsight *nsight, struct error *err) {
    const struct launch *launch = &nsight->launch;
    double most = -1;
    if (nsight->launches == 0)
        return true;
    struct app_point *point = import_kernel(nsight->out, nsight->request, launch->kernel);
    if (!point)
        return import_file_fail(nsight->file, err, "more than %d kernels", IMPORT_MOST_POINTS);
    point->calls++;
    if (!isnan(launch->scalars[SECONDS]))
        import_add(&point->seconds, launch->scalars[SECONDS]);
    for (unsigned type = 0; type < TYPES; type++) {
        double flop = flop_of(launch, type);
        if (isnan(flop))
            continue;
        import_add(&point->flop, flop);
        if (flop > most)
            snprintf(point->flop_type, sizeof point->flop_type, "%s", TYPE_NAMES[type]);
        most = fmax(most, flop);
        nsight->peak_flop_per_s[type] =
            fmax(nsight->peak_flop_per_s[type], known(launch->peak_flop_per_cycle[type] * launch->scalars[CORE_HZ]));
    }
    if (most < 0)
        return import_file_fail(nsight->file, err,
                                "launch %s of %.60s tells no flop; collect "
                                "smsp__sass_thread_inst_executed_op_{dadd,dmul,dfma}_pred_on.sum (f…, h… likewise), or "
                                "the section SpeedOfLight_RooflineChart",
                                launch->id, point->name);
    if (!add_bytes(launch, point))
        return import_file_fail(nsight->file, err,
                                "launch %s of %.60s tells no DRAM bytes; collect dram__bytes_read.sum and "
                                "dram__bytes_write.sum",
                                launch->id, point->name);
    nsight->peak_bytes_per_s =
        fmax(nsight->peak_bytes_per_s, known(launch->scalars[PEAK_BYTES] * launch->scalars[MEMORY_HZ]));
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
        begin_launch(&nsight->launch, row->cells[0], row->cells[kernel - 1]);
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
    struct csv_row *heading = malloc(3 * sizeof *heading), *units = heading + 1, *row = heading + 2;
    bool done = heading ? csv_read(file, ',', heading, err) && check_heading(nsight, heading, err)
                        : error_set(err, "out of memory");
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
    for (unsigned type = 0; type < TYPES; type++) {
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
    struct nsight *nsight = calloc(1, sizeof *nsight);
    bool done = nsight || error_set(err, "out of memory");
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
