/* SPDX-License-Identifier: BSD-3-Clause
 * Nsight Compute's CSV of a GPU's kernels: a row per launch (ncu --csv --page raw) or a row per metric (ncu --csv).
 * With its roofline metrics also the GPU's own roofs: the highest rates of its units per cycle times their clocks.
 * Launches of one kernel are summed up. */
#include "import.h"
#include "import_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "probe/need.h"

/* ncu prints numbers by its user's locale: 1,234.5 or 1.234,5, or with a blank or an apostrophe between thousands. One
 * number may fit both ("117.344"), so all numbers of a file together show which mark is the decimal one. */

enum { LOCALE_NUMBER_BYTES = 48 };

/* A number of the file that proves each reading, or that either reading makes whole; "": none. If blanks or apostrophes
 * are between thousands, points and commas are not. */
struct import_locale {
    bool blank_groups;
    char decimal_point[LOCALE_NUMBER_BYTES], decimal_comma[LOCALE_NUMBER_BYTES], either[LOCALE_NUMBER_BYTES];
};

/* Marks between thousands: U+202F, U+00A0, also as Latin-1, U+2009, U+2019, an apostrophe and a blank. */
static const char *const BLANKS[] = {"\u202F", "\u00A0", "\xA0", "\u2009", "\u2019", "'", " "};

static size_t blank_length(const char *at) {
    for (size_t i = 0; i < sizeof BLANKS / sizeof BLANKS[0]; i++)
        if (strncmp(at, BLANKS[i], strlen(BLANKS[i])) == 0)
            return strlen(BLANKS[i]);
    return 0;
}

/* "1 234 567,5" → "1234567,5": takes such marks out if each is between a digit and three digits. Returns how many;
 * `out` is "" for text that is too long. */
static size_t join_groups(const char *number, char out[LOCALE_NUMBER_BYTES]) {
    size_t length = 0, marks = 0;
    *out = '\0';
    for (const char *at = number; *at; at++) {
        const size_t blank = at > number && at[-1] >= '0' && at[-1] <= '9' ? blank_length(at) : 0;
        const bool group = blank > 0 && strspn(at + blank, "0123456789") == 3;
        if (length + 1 >= LOCALE_NUMBER_BYTES) {
            *out = '\0';
            return 0;
        }
        at += group ? blank : 0;
        marks += group;
        out[length++] = *at;
        out[length] = '\0';
    }
    return marks;
}

/* "117.344" and "2.000", but neither "0.125" nor "65.77": its only mark may be between thousands. */
static bool import_nsight_is_group(const char *number) {
    const size_t before = strcspn(number, ".,");
    return before >= 1 && before <= 3 && *number != '0' && strlen(number + before) == 4;
}

/* Takes a number of the file as evidence; other text is none. `whole`: it counts something, so its only mark with
 * three digits behind it is between thousands. */
static void import_locale_see(struct import_locale *locale, const char *text, bool whole) {
    char number[LOCALE_NUMBER_BYTES];
    const size_t marks = join_groups(text, number);
    size_t points = 0, commas = 0, length = strlen(number);
    const char *last = number;
    if (length == 0 || strspn(number, "0123456789.,") != length)
        return;
    locale->blank_groups |= marks > 0;
    for (const char *c = number; *c; c++) {
        points += *c == '.';
        commas += *c == ',';
        last = *c == '.' || *c == ',' ? c : last;
    }
    if (points + commas == 0)
        return;
    char *proves = points > 0 && commas > 0          ? (*last == '.' ? locale->decimal_point : locale->decimal_comma)
                   : points + commas > 1             ? (points > 1 ? locale->decimal_comma : locale->decimal_point)
                   : !import_nsight_is_group(number) ? (points ? locale->decimal_point : locale->decimal_comma)
                   : !whole                          ? NULL
                   : commas                          ? locale->decimal_point
                   : strcmp(last, ".000") == 0       ? locale->either
                                                     : locale->decimal_comma;
    if (proves && !*proves)
        memcpy(proves, number, length + 1);
}

/* Error: its numbers prove both readings, or a count has two readings. `tool` is the command of the remedy. */
static bool import_locale_check(const struct import_locale *locale, const struct import_text *file, const char *tool,
                                struct error *err) {
    const bool comma = *locale->decimal_comma, point = *locale->decimal_point;
    if (comma && point)
        return import_file_fail(file, err,
                                "its numbers are of two locales: '%s' has a decimal comma or points between "
                                "thousands, '%s' has not; make it with LC_ALL=C %s",
                                locale->decimal_comma, locale->decimal_point, tool);
    if (*locale->either && !comma && !point && !locale->blank_groups)
        return import_file_fail(file, err, "'%s' may be %.*s or a thousand times as much; make it with LC_ALL=C %s",
                                locale->either, (int)strcspn(locale->either, "."), locale->either, tool);
    return true;
}

/* Reads such a number, with marks between thousands. Returns NULL, or the fault: "is not a number". */
static const char *import_locale_number(const struct import_locale *locale, const char *text, double *out) {
    char plain[LOCALE_NUMBER_BYTES];
    join_groups(text, plain);
    if (!*plain || (!locale->blank_groups && !*locale->decimal_comma))
        return import_grouped_number(text, out);
    for (char *c = plain; *c; c++)
        *c = *c == ',' ? '.' : *c == '.' && !locale->blank_groups ? ',' : *c;
    if (!locale->blank_groups)
        return import_grouped_number(plain, out);
    return strchr(plain, '.') != strrchr(plain, '.')
               ? "has marks of several locales; LC_ALL=C before the tool avoids them"
               : import_number(plain, out);
}

/* Metrics of Nsight Compute that make a point, for one launch of a kernel: by name, with their units. NVIDIA's
 * sections count an f16 instruction as a pair. */

enum { NSIGHT_F64, NSIGHT_F32, NSIGHT_F16, NSIGHT_TYPES };

enum { NSIGHT_ADD, NSIGHT_MUL, NSIGHT_FMA, NSIGHT_OPERATIONS };

enum nsight_scalar {
    NSIGHT_SECONDS,
    NSIGHT_READ_BYTES,
    NSIGHT_WRITTEN_BYTES,
    NSIGHT_BYTES,
    NSIGHT_BYTES_PER_S,
    NSIGHT_OPERATION_HZ,
    NSIGHT_CORE_HZ,
    NSIGHT_MEMORY_HZ,
    NSIGHT_PEAK_BYTES,
    NSIGHT_SCALARS
};

/* In base units; NaN: missing; infinite: not available on this GPU. */
struct nsight_launch {
    char id[32], kernel[512];
    double flop[NSIGHT_TYPES][NSIGHT_OPERATIONS], flop_per_cycle[NSIGHT_TYPES][NSIGHT_OPERATIONS];
    double peak_flop_per_cycle[NSIGHT_TYPES];
    double scalars[NSIGHT_SCALARS];
};

static const char TYPE_LETTERS[NSIGHT_TYPES] = {'d', 'f', 'h'};
static const char *const OPERATION_NAMES[NSIGHT_OPERATIONS] = {"add", "mul", "fma"};

static const struct scalar_name {
    const char *name;
    enum nsight_scalar scalar;
    double factor;
} SCALAR_NAMES[] = {
    {"gpu__time_duration.sum", NSIGHT_SECONDS, 1},
    {"dram__bytes_read.sum", NSIGHT_READ_BYTES, 1},
    {"dram__bytes_op_read.sum", NSIGHT_READ_BYTES, 1},
    {"dram__sectors_read.sum", NSIGHT_READ_BYTES, 32},
    {"dram__bytes_write.sum", NSIGHT_WRITTEN_BYTES, 1},
    {"dram__bytes_op_write.sum", NSIGHT_WRITTEN_BYTES, 1},
    {"dram__sectors_write.sum", NSIGHT_WRITTEN_BYTES, 32},
    {"dram__bytes.sum", NSIGHT_BYTES, 1},
    {"dram__bytes.sum.per_second", NSIGHT_BYTES_PER_S, 1},
    {"smsp__cycles_elapsed.avg.per_second", NSIGHT_OPERATION_HZ, 1},
    {"sm__cycles_elapsed.avg.per_second", NSIGHT_CORE_HZ, 1},
    {"dram__cycles_elapsed.avg.per_second", NSIGHT_MEMORY_HZ, 1},
    {"dram__bytes.sum.peak_sustained", NSIGHT_PEAK_BYTES, 1},
};

static void nsight_begin(struct nsight_launch *launch, const char *id, const char *kernel) {
    double *const lists[] = {launch->flop[0], launch->flop_per_cycle[0], launch->peak_flop_per_cycle, launch->scalars};
    const size_t lengths[] = {NSIGHT_TYPES * NSIGHT_OPERATIONS, NSIGHT_TYPES * NSIGHT_OPERATIONS, NSIGHT_TYPES,
                              NSIGHT_SCALARS};
    snprintf(launch->id, sizeof launch->id, "%s", id);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", kernel);
    for (size_t l = 0; l < 4; l++)
        for (size_t i = 0; i < lengths[l]; i++)
            lists[l][i] = (double)NAN;
}

static bool is_word(const char *word, size_t length) {
    static const char *const WORDS[] = {"byte", "B", "inst", "cycle", "sector", "hz", "Hz", "second", "s"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strlen(WORDS[i]) == length && strncmp(word, WORDS[i], length) == 0)
            return true;
    return false;
}

/* "Kbyte", "ns", "cycle" → number of base units; 0: unknown. Prefixes are decimal. */
static double word_factor(const char *word, size_t length) {
    static const struct {
        char letter;
        double factor;
    } PREFIXES[] = {{'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    if (is_word(word, length))
        return 1;
    for (size_t p = 0; length > 1 && p < sizeof PREFIXES / sizeof PREFIXES[0]; p++)
        if (*word == PREFIXES[p].letter && is_word(word + 1, length - 1))
            return PREFIXES[p].factor;
    return 0;
}

/* "Gbyte/s", "cycle/nsecond"; without a unit in ncu's base unit: ns for times. */
static double unit_factor(const char *unit, bool is_time) {
    size_t length = strcspn(unit, "/");
    if (!*unit)
        return is_time ? 1e-9 : 1;
    double above = word_factor(unit, length);
    double below = unit[length] ? word_factor(unit + length + 1, strlen(unit + length + 1)) : 1;
    return below > 0 ? above / below : 0;
}

/* "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum": the place and the weight of its value. NULL: no such
 * operation. `derived__` metrics include the weight; those of "sm" are peaks. */
static double *find_operation(struct nsight_launch *launch, const char *name, double *weight) {
    static const char INSTRUCTION[] = "sass_thread_inst_executed_op_";
    bool derived = strncmp(name, "derived__", 9) == 0;
    name += derived ? 9 : 0;
    bool peak = derived && strncmp(name, "sm__", 4) == 0;
    const char *core = strstr(name, "__");
    if (!core || strncmp(name, "sm", 2) != 0 || strncmp(core + 2, INSTRUCTION, sizeof INSTRUCTION - 1) != 0)
        return NULL;
    const char *at = core + 1 + sizeof INSTRUCTION;
    unsigned type = 0, operation = 0;
    while (type < NSIGHT_TYPES && *at != TYPE_LETTERS[type])
        type++;
    while (operation < NSIGHT_OPERATIONS && strncmp(at + 1, OPERATION_NAMES[operation], 3) != 0)
        operation++;
    if (type == NSIGHT_TYPES || operation == NSIGHT_OPERATIONS || strncmp(at + 4, "_pred_on", 8) != 0)
        return NULL;
    const char *rest = at + 12;
    *weight = derived ? 1 : (operation == NSIGHT_FMA ? 2 : 1) * (type == NSIGHT_F16 ? 2 : 1);
    if (derived)
        return rest[0] != '_' || rest[1] != 'x' ? NULL
               : !peak                          ? &launch->flop_per_cycle[type][operation]
               : operation == NSIGHT_FMA        ? &launch->peak_flop_per_cycle[type]
                                                : NULL;
    return strcmp(rest, ".sum") == 0                     ? &launch->flop[type][operation]
           : strcmp(rest, ".sum.per_cycle_elapsed") == 0 ? &launch->flop_per_cycle[type][operation]
           : strcmp(rest, ".sum.peak_sustained") == 0 && operation == NSIGHT_FMA ? &launch->peak_flop_per_cycle[type]
                                                                                 : NULL;
}

static double *find_value(struct nsight_launch *launch, const char *name, double *factor, bool *is_time) {
    *is_time = false;
    for (size_t i = 0; i < sizeof SCALAR_NAMES / sizeof SCALAR_NAMES[0]; i++)
        if (strcmp(SCALAR_NAMES[i].name, name) == 0) {
            *factor = SCALAR_NAMES[i].factor;
            *is_time = SCALAR_NAMES[i].scalar == NSIGHT_SECONDS;
            return &launch->scalars[SCALAR_NAMES[i].scalar];
        }
    return find_operation(launch, name, factor);
}

/* ncu prints these, also behind "(!) ", for a metric that the GPU lacks or that could not be collected. */
static bool is_unavailable(const char *value) {
    value += strncmp(value, "(!) ", 4) == 0 ? 4 : 0;
    return !*value || strcasecmp(value, "n/a") == 0 || strcasecmp(value, "nan") == 0 || strcasecmp(value, "inf") == 0;
}

/* Counts of launches and their ns are whole numbers; a unit with a prefix ("Kbyte") makes them fractions. */
static bool import_nsight_is_whole(const char *metric, const char *unit) {
    static const char *const UNITS[] = {"", "inst", "byte", "B", "sector", "cycle", "ns", "nsecond"};
    const char *end = strrchr(metric, '.');
    bool whole = false;
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++)
        whole |= strcmp(unit, UNITS[i]) == 0;
    return whole && end && strcmp(end, ".sum") == 0;
}

/* Stores the value of a known metric and ignores others. Returns NULL, or the fault of the value: "is not a number". */
static const char *nsight_set(struct nsight_launch *launch, const struct import_locale *locale, const char *metric,
                              const char *unit, const char *value) {
    double factor, number;
    bool is_time;
    double *at = find_value(launch, metric, &factor, &is_time);
    if (at && is_unavailable(value)) {
        *at = HUGE_VAL;
        return NULL;
    }
    const char *trouble = at ? import_locale_number(locale, value, &number) : NULL;
    if (trouble && strchr(value, '('))
        return "lists instances; leave out --print-metric-instances";
    if (!at || trouble)
        return trouble;
    double of_unit = unit_factor(unit, is_time);
    if (!(of_unit > 0))
        return "has an unknown unit";
    *at = number * factor * of_unit;
    return NULL;
}

static double import_nsight_known(double value) {
    return isnan(value) ? 0 : value;
}

/* Missing if a factor is, else not available if a factor is. */
static double product(double a, double b) {
    return isnan(a) || isnan(b) ? (double)NAN : isinf(a) || isinf(b) ? HUGE_VAL : a * b;
}

/* Flop of one type, from counts, else from rates; NaN: missing, infinite: not available. */
static double nsight_flop(const struct nsight_launch *launch, unsigned type) {
    double counts = 0, rates = 0;
    bool counted = false, rated = false;
    for (unsigned o = 0; o < NSIGHT_OPERATIONS; o++) {
        counts += import_nsight_known(launch->flop[type][o]);
        rates += import_nsight_known(launch->flop_per_cycle[type][o]);
        counted |= !isnan(launch->flop[type][o]);
        rated |= !isnan(launch->flop_per_cycle[type][o]);
    }
    return counted ? counts
           : rated ? product(product(rates, launch->scalars[NSIGHT_OPERATION_HZ]), launch->scalars[NSIGHT_SECONDS])
                   : (double)NAN;
}

/* Bytes between caches and DRAM. If reads and writes are not separate, `*read` has all and `*written` is NaN. `*read`
 * is NaN: missing, infinite: not available. */
static void nsight_traffic(const struct nsight_launch *launch, double *read, double *written) {
    const double *s = launch->scalars;
    const bool apart = !isnan(s[NSIGHT_READ_BYTES]) && !isnan(s[NSIGHT_WRITTEN_BYTES]);
    const double all = !isnan(s[NSIGHT_BYTES]) ? s[NSIGHT_BYTES] : product(s[NSIGHT_BYTES_PER_S], s[NSIGHT_SECONDS]);
    *read = all;
    *written = (double)NAN;
    if (apart && isfinite(s[NSIGHT_READ_BYTES] + s[NSIGHT_WRITTEN_BYTES])) {
        *read = s[NSIGHT_READ_BYTES];
        *written = s[NSIGHT_WRITTEN_BYTES];
    } else if (isnan(all) && (isinf(s[NSIGHT_READ_BYTES]) || isinf(s[NSIGHT_WRITTEN_BYTES])))
        *read = HUGE_VAL;
}

static const char *const TYPE_NAMES[NSIGHT_TYPES] = {"f64", "f32", "f16"};

/* Columns that are not metrics. */
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

/* Quantities of a point that a launch of its kernel lacks, so that their sum is not the kernel's. */
enum { LACKS_SECONDS = 1, LACKS_FLOP = 2, LACKS_TRAFFIC = 4 };

struct nsight {
    const struct import_request *request;
    const struct import_text *file;
    struct import *out;
    struct import_locale locale; /* of the file */
    bool looks;                  /* only at the numbers, for the locale */
    unsigned char lacks[IMPORT_MAX_POINTS];
    struct nsight_launch launch;
    size_t launches;
    double peak_flop_per_s[NSIGHT_TYPES], peak_bytes_per_s;
};

static bool set_metric(struct nsight *nsight, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                       const char *name, const char *unit, struct error *err) {
    const char *value = row->cells[cell - 1];
    if (nsight->looks) {
        if (strstr(name, "__"))
            import_locale_see(&nsight->locale, value, import_nsight_is_whole(name, unit));
        return true;
    }
    const char *trouble = nsight_set(&nsight->launch, &nsight->locale, name, unit, value);
    return !trouble || csv_fail(nsight->file, row, heading, cell, err, "%.80s '%.40s%s%.20s' %s", name, value,
                                *unit ? " " : "", unit, trouble);
}

/* The product; 0: a factor is not known. */
static double peak(double per_cycle, double hz) {
    return isfinite(per_cycle * hz) ? per_cycle * hz : 0;
}

static bool import_nsight_add_flop(struct nsight *nsight, struct app_point *point, unsigned char *lacks,
                                   struct error *err) {
    const struct nsight_launch *launch = &nsight->launch;
    double most = -1;
    for (unsigned type = 0; type < NSIGHT_TYPES; type++) {
        double flop = nsight_flop(launch, type), *highest = &nsight->peak_flop_per_s[type];
        *highest = fmax(*highest, peak(launch->peak_flop_per_cycle[type], launch->scalars[NSIGHT_CORE_HZ]));
        if (isnan(flop))
            continue;
        if (isinf(flop)) {
            *lacks |= LACKS_FLOP;
            flop = 0;
        }
        import_add(&point->flop, flop);
        if (flop > most)
            snprintf(point->flop_type, sizeof point->flop_type, "%s", TYPE_NAMES[type]);
        most = fmax(most, flop);
    }
    return most >= 0 ||
           import_file_fail(nsight->file, err,
                            "launch %s of %.60s has no flop; collect "
                            "smsp__sass_thread_inst_executed_op_{dadd,dmul,dfma}_pred_on.sum (f…, h… likewise), or "
                            "the section SpeedOfLight_RooflineChart with --page raw",
                            launch->id, point->name);
}

static bool finish_launch(struct nsight *nsight, struct error *err) {
    const struct nsight_launch *launch = &nsight->launch;
    if (nsight->launches == 0 || nsight->looks)
        return true;
    struct app_point *point = import_kernel(nsight->out, nsight->request, launch->kernel);
    if (!point)
        return import_file_fail(nsight->file, err, "more than %d kernels", IMPORT_MAX_POINTS);
    point->calls++;
    unsigned char *lacks = &nsight->lacks[point - nsight->out->points];
    if (isfinite(launch->scalars[NSIGHT_SECONDS]))
        import_add(&point->seconds, launch->scalars[NSIGHT_SECONDS]);
    else
        *lacks |= LACKS_SECONDS;
    if (!import_nsight_add_flop(nsight, point, lacks, err))
        return false;
    double read, written;
    nsight_traffic(launch, &read, &written);
    if (isnan(read))
        return import_file_fail(nsight->file, err,
                                "launch %s of %.60s has no DRAM bytes; collect dram__bytes_read.sum and "
                                "dram__bytes_write.sum",
                                launch->id, point->name);
    if (isfinite(read))
        import_add(&point->dram_read_bytes, read);
    else
        *lacks |= LACKS_TRAFFIC;
    if (!isnan(written))
        import_add(&point->dram_write_bytes, written);
    nsight->peak_bytes_per_s =
        fmax(nsight->peak_bytes_per_s, peak(launch->scalars[NSIGHT_PEAK_BYTES], launch->scalars[NSIGHT_MEMORY_HZ]));
    return true;
}

static bool import_nsight_check_heading(const struct nsight *nsight, const struct csv_row *heading, struct error *err) {
    for (size_t i = 0; i < heading->count; i++) {
        const char *name = heading->cells[i];
        size_t c = 0;
        while (COLUMNS[c] && strcmp(COLUMNS[c], name) != 0)
            c++;
        if (!COLUMNS[c] && !strstr(name, "__") && !strchr(name, ':')) /* a metric, or an NVTX range */
            return csv_fail(nsight->file, heading, NULL, i + 1, err,
                            "unknown column '%.60s'; known: ID, Kernel Name, Device, Metric Name, Metric Unit, Metric "
                            "Value … and metrics (unit__name)",
                            name);
    }
    return csv_find(heading, "Kernel Name") ||
           csv_fail(nsight->file, heading, NULL, heading->count, err, "there is no column 'Kernel Name'");
}

static bool import_nsight_read_row(struct nsight *nsight, const struct csv_row *heading, const struct csv_row *units,
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

static bool import_nsight_read_table(struct nsight *nsight, struct import_text *file, struct error *err) {
    struct csv_row *heading = need_malloc(3 * sizeof *heading), *units = heading + 1, *row = heading + 2;
    bool done = csv_read(file, ',', heading, err) && import_nsight_check_heading(nsight, heading, err);
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
            done = import_nsight_read_row(nsight, heading, units, row, err);
    }
    free(heading);
    return done &&
           (nsight->launches > 0 || import_file_fail(file, err, "has a heading and no rows; is the file complete?"));
}

static const char TEXT[] = "this is ncu's text: make it with ncu --csv --page raw";

static const struct unread_form FORMS[] = {
    {"ERR_NVGPUCTRPERM", "ncu was not allowed to count, so there are no numbers: let it by the driver's option "
                         "NVreg_RestrictProfilingToAdminUsers=0, or run it as root"},
    {"No kernels were profiled",
     "ncu profiled no kernel: choose some by --kernel-name, and follow child processes with "
     "--target-processes all"},
    {"GPU activities", "this is a file of nvprof: use carmine import nvprof"},
    {"\"flop_count_", "this is a file of nvprof: use carmine import nvprof"},
    {"\"Invocations\"", "this is a summary of launches: leave out --print-summary"},
    {"Total Time (ns)", "this is a report of Nsight Systems, which has times alone: make counts with ncu --csv"},
    {"\"Source\",", "this is the source page: use --page raw"},
    {"^Section: ", TEXT},
    {"Metric Name  ", TEXT},
    {NULL, NULL},
};

/* The heading of a table: "ID","Process ID",…, without quotation marks if another program stored it. */
static bool import_nsight_begins_heading(const char *line) {
    return strncmp(line, "\"ID\",", 5) == 0 || strncmp(line, "ID,", 3) == 0;
}

/* Reads the table twice: its numbers show their locale, before any of them is stored. */
static bool import_nsight_read_file(struct nsight *nsight, struct import_text *file, struct error *err) {
    const char *line;
    nsight->file = file;
    memset(&nsight->locale, 0, sizeof nsight->locale);
    while ((line = import_text_line(file)) && !import_nsight_begins_heading(line))
        ;
    if (!line)
        return !import_unread_form(file, FORMS, err) &&
               import_file_fail(file, err,
                                "is not a CSV of Nsight Compute: it has no line '\"ID\",…'; make it with ncu --csv, "
                                "or from a report with ncu --import FILE --csv --page raw");
    import_text_back(file);
    struct import_text looked_at = import_text_copy(file);
    nsight->looks = true;
    nsight->launches = 0;
    bool done =
        import_nsight_read_table(nsight, &looked_at, err) && import_locale_check(&nsight->locale, file, "ncu", err);
    import_text_free(&looked_at);
    nsight->looks = false;
    nsight->launches = 0;
    done = done && import_nsight_read_table(nsight, file, err) && finish_launch(nsight, err);
    if (done && *nsight->locale.decimal_comma)
        import_note(nsight->out, "its numbers have a decimal comma, as '%s' proves", nsight->locale.decimal_comma);
    return done;
}

/* A quantity of a kernel is not known if one of its launches lacks it. */
static void forget_lacking(struct nsight *nsight) {
    size_t count = 0;
    for (size_t i = 0; i < nsight->out->point_count; i++) {
        struct app_point *point = &nsight->out->points[i];
        const struct statistics none = {0};
        if (nsight->lacks[i] & LACKS_SECONDS)
            point->seconds = none;
        if (nsight->lacks[i] & LACKS_FLOP) {
            point->flop = none;
            point->flop_type[0] = '\0';
        }
        if (nsight->lacks[i] & LACKS_TRAFFIC)
            point->dram_read_bytes = point->dram_write_bytes = none;
        count += (nsight->lacks[i] & (LACKS_FLOP | LACKS_TRAFFIC)) != 0;
    }
    if (count > 0)
        import_note(nsight->out, "flop or DRAM bytes of %zu kernel%s are not known: ncu says n/a", count,
                    count == 1 ? "" : "s");
}

static bool import_nsight_add_roofs(const struct nsight *nsight, struct error *err) {
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

static bool import_nsight_read(const struct import_request *request, struct import_text *files, size_t count,
                               struct import *out, struct error *err) {
    struct nsight *nsight = need_calloc(1, sizeof *nsight);
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        nsight->request = request;
        nsight->out = out;
        done = import_nsight_read_file(nsight, &files[i], err);
    }
    if (done)
        forget_lacking(nsight);
    done = done && import_nsight_add_roofs(nsight, err);
    free(nsight);
    return done;
}

const struct import_format import_nsight = {
    .name = "nsight",
    .summary = "Nsight Compute's CSV (ncu --csv): a GPU's kernels by DRAM bytes, and its roofs",
    .gpu = true,
    .read = import_nsight_read,
};
