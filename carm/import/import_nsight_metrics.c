/* SPDX-License-Identifier: BSD-3-Clause
 * Names and units of Nsight Compute's metrics (see import_nsight_metrics.h). NVIDIA's sections weigh an f16 instruction
 * as a pair. */
#include "import_nsight_metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import_text.h"

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

void nsight_begin(struct nsight_launch *launch, const char *id, const char *kernel) {
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

/* "Kbyte", "ns", "cycle" → how many base units; 0: unknown. Prefixes are decimal. */
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

const char *nsight_set(struct nsight_launch *launch, const char *metric, const char *unit, const char *value) {
    double factor, number;
    bool is_time;
    double *at = find_value(launch, metric, &factor, &is_time);
    const char *trouble = at ? import_grouped_number(value, &number) : NULL;
    if (!at || trouble)
        return trouble;
    double of_unit = unit_factor(unit, is_time);
    if (!(of_unit > 0))
        return "has a unit that is not known";
    *at = number * factor * of_unit;
    return NULL;
}

static double known(double value) {
    return isnan(value) ? 0 : value;
}

double nsight_flop(const struct nsight_launch *launch, unsigned type) {
    double counts = 0, rates = 0;
    bool counted = false, rated = false;
    for (unsigned o = 0; o < NSIGHT_OPERATIONS; o++) {
        counts += known(launch->flop[type][o]);
        rates += known(launch->flop_per_cycle[type][o]);
        counted |= !isnan(launch->flop[type][o]);
        rated |= !isnan(launch->flop_per_cycle[type][o]);
    }
    return counted ? counts
           : rated ? rates * launch->scalars[NSIGHT_OPERATION_HZ] * launch->scalars[NSIGHT_SECONDS]
                   : (double)NAN;
}

void nsight_traffic(const struct nsight_launch *launch, double *read, double *written) {
    const double *s = launch->scalars;
    *read = s[NSIGHT_READ_BYTES];
    *written = s[NSIGHT_WRITTEN_BYTES];
    if (!isnan(*read) && !isnan(*written))
        return;
    *read = !isnan(s[NSIGHT_BYTES]) ? s[NSIGHT_BYTES] : s[NSIGHT_BYTES_PER_S] * s[NSIGHT_SECONDS];
    *written = (double)NAN;
}
