/* SPDX-License-Identifier: BSD-3-Clause
 * Results of the Empirical Roofline Toolkit, roofline.json or the text of its summary ("908.43 GFLOPs EMP", in a run's
 * file `sum` also without EMP): ceilings and roofs. Its kernel loads and stores one array in place and counts both; its
 * G are 10^9. Its L1 on a GPU is the L2, as its authors say. All names are taken over, except a memory that --level
 * names: "ERT always labels the last level of memory as DRAM", even MCDRAM that it was bound to (its authors' page on
 * Cori). */
#include "import.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "probe/memory_kind.h"
#include "probe/error.h"

static const double GIGA = 1e9;

static const struct { const char *word, *type; } PRECISIONS[] = {{"FP64", "f64"}, {"FP32", "f32"}, {"FP16", "f16"}};

/* "FP64 GFLOPs" → f64. Older versions write "GFLOPs" alone: double precision, unless the user changed it. */
static const char *type_of(const char *name) {
    for (size_t i = 0; i < sizeof PRECISIONS / sizeof PRECISIONS[0]; i++)
        if (strncmp(name, PRECISIONS[i].word, 4) == 0)
            return PRECISIONS[i].type;
    return strncmp(name, "GFLOP", 5) == 0 ? "f64" : NULL;
}

static bool add_ceiling(struct import *out, const struct import_text *file, const char *name, double giga,
                        const struct import_request *request, struct error *err) {
    struct sample roof = {.kind = SAMPLE_COMPUTE, .threads = request->threads, .value = giga * GIGA};
    const char *type = type_of(name);
    if (!type)
        return import_text_fail(file, NULL, err, "unknown ceiling '%.40s'; known: FP64, FP32 and FP16 GFLOPs", name);
    snprintf(roof.kernel, sizeof roof.kernel, "ert.%s.peak", type);
    return import_roof(out, &roof, file, err);
}

/* ERT calls any memory DRAM, whichever it was bound to: --level has its name. */
static bool add_level(struct import *out, const struct import_text *file, const char *name, double giga,
                      const struct import_request *request, struct error *err) {
    const bool renamed = request->level && memory_kind_of(name)->ordinary;
    struct sample roof = {
        .kernel = "ert.update", .kind = SAMPLE_BANDWIDTH, .threads = request->threads, .value = giga * GIGA};
    if (!levels_is_name(name))
        return import_text_fail(file, NULL, err, "unknown level '%.40s'; known: L1 to L9, DRAM and HBM", name);
    snprintf(roof.level, sizeof roof.level, "%.7s", renamed ? request->level : name);
    return import_roof(out, &roof, file, err);
}

/* [["L1", 1234.5], …] */
static bool read_list(const json_t *list, const char *key, struct import *out, const struct import_text *file,
                      const struct import_request *request, struct error *err) {
    bool ceilings = strcmp(key, "gflops") == 0;
    if (json_array_size(list) == 0)
        return import_file_fail(file, err, "empirical.%s.data must be a list of names and numbers", key);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i), *value = json_array_get(entry, 1);
        const char *name = json_string_value(json_array_get(entry, 0));
        if (!name || !json_is_number(value))
            return import_file_fail(file, err, "empirical.%s.data[%zu] must be [name, number]", key, i);
        if (!(ceilings ? add_ceiling : add_level)(out, file, name, json_number_value(value), request, err))
            return false;
    }
    return true;
}

/* One version wraps the whole text into a string. */
static json_t *load(const struct import_text *file, struct error *err) {
    json_error_t where;
    json_t *root = json_loadb(file->text, file->length, JSON_DECODE_ANY, &where);
    if (json_is_string(root)) {
        json_t *inner = json_loadb(json_string_value(root), json_string_length(root), 0, &where);
        json_decref(root);
        root = inner;
    }
    if (!root)
        error_set(err, "%s: line %d, column %d: %s; is the file complete?", file->path, where.line, where.column,
                  where.text);
    return root;
}

static bool read_json(const struct import_request *request, struct import *out, const struct import_text *file,
                      struct error *err) {
    json_t *root = load(file, err);
    if (!root)
        return false;
    const json_t *empirical = json_object_get(root, "empirical");
    bool done = true;
    static const char *const KEYS[] = {"gflops", "gbytes"};
    for (size_t i = 0; done && i < 2; i++)
        done =
            read_list(json_object_get(json_object_get(empirical, KEYS[i]), "data"), KEYS[i], out, file, request, err);
    json_decref(root);
    return done;
}

#define RESULT "import roofline.json, or a run's file `sum`"

static const struct unread_form FORMS[] = {
    {"^%!PS", "this is a picture of ERT: " RESULT},
    {"^set label", "this is a script for gnuplot: " RESULT},
    {"^set term", "this is a script for gnuplot: " RESULT},
    {"^ERT_RESULTS", "this is ERT's configuration: " RESULT},
    {"^META_DATA",
     "these are single trials of ERT, which has not summed them up: " RESULT " (ert --post-only makes both)"},
    {NULL, NULL},
};

/* Cuts "   908.43 FP64 GFLOPs EMP" into the number and the name. False: another line. */
static bool split_result(char *line, char **value, char **name) {
    char *marked = strstr(line, " EMP");
    if (marked)
        *marked = '\0';
    *value = line + strspn(line, " \t");
    if (!marked && !isdigit((unsigned char)**value))
        return false;
    char *end = *value + strcspn(*value, " \t");
    *name = import_trim(end);
    *end = '\0';
    return marked || type_of(*name) || levels_is_name(*name);
}

/* "   908.43 GFLOPs EMP", "  5647.33 L1 EMP"; after the ceiling "OPENMP_THREADS 4" and "MPI_PROCS 2". */
static bool read_text(const struct import_request *request, struct import *out, struct import_text *file,
                      struct error *err) {
    unsigned openmp = 0, mpi = 0, number;
    size_t first = out->roof_count;
    for (char *line; (line = import_text_line(file));) {
        char *value, *name;
        if (sscanf(line, " OPENMP_THREADS %u", &number) == 1 && !openmp)
            openmp = number;
        if (sscanf(line, " MPI_PROCS %u", &number) == 1 && !mpi)
            mpi = number;
        if (!split_result(line, &value, &name))
            continue;
        double giga;
        const char *trouble = import_number(value, &giga);
        if (trouble)
            return import_text_fail(file, value, err, "'%.40s' %s", value, trouble);
        if (!(strstr(name, "GFLOP") ? add_ceiling : add_level)(out, file, name, giga, request, err))
            return false;
    }
    for (size_t i = first; i < out->roof_count && !request->threads; i++)
        out->roofs[i].threads = (openmp ? openmp : 1) * (mpi ? mpi : 1) * (openmp || mpi);
    return out->roof_count > first ||
           (!import_unread_form(file, FORMS, err) &&
            import_file_fail(file, err,
                             "is not a result of ERT: neither roofline.json nor lines such as '103.50 DRAM EMP'"));
}

static bool read(const struct import_request *request, struct import_text *files, size_t count, struct import *out,
                 struct error *err) {
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        char first = files[i].next[strspn(files[i].next, " \t\r\n")];
        done = first == '{' || first == '"' ? read_json(request, out, &files[i], err)
                                            : read_text(request, out, &files[i], err);
    }
    return done;
}

const struct import_format import_ert = {
    .name = "ert",
    .summary = "the Empirical Roofline Toolkit's roofline.json or summary: ceilings and roofs",
    .read = read,
};
