/* SPDX-License-Identifier: BSD-3-Clause
 * Parses the words of a request (see request.h). */
#include "request.h"
#include "probe/error.h"

#include <stdlib.h>
#include <string.h>

enum request_key {
    THREADS,
    REPEAT,
    BUDGET,
    RUNS,
    CYCLES,
    DATA,
    CODE,
    TLB,
    COLD_BY,
    WRITE_BACK,
    LAST_LEVEL,
    BLOCK,
    COUNTED,
    SIMULATED,
    KEY_COUNT
};
static const struct {
    const char *name;
    const char *const *words; /* the value is the index of one; NULL: it is a number */
    double most, otherwise;   /* maximum number, default */
    bool fraction;            /* the number need not be whole */
} KEYS[KEY_COUNT] = {
#define WORDS(...)                                                                                                     \
    (const char *const[]) {                                                                                            \
        __VA_ARGS__, NULL                                                                                              \
    }
    [THREADS] = {"threads", NULL, 65536, 1, false},
    [REPEAT] = {"repeat", NULL, 1e9, 20, false},
    [BUDGET] = {"budget", NULL, 1e9, 0, true},
    [RUNS] = {"runs", NULL, 1e9, 0, false},
    [CYCLES] = {"cycles", NULL, 1e15, 1e8, true},
    [DATA] = {"data", WORDS("warm", "cold"), 0, 1, false},
    [CODE] = {"code", WORDS("warm", "cold"), 0, 0, false},
    [TLB] = {"tlb", WORDS("warm", "cold"), 0, 0, false},
    [COLD_BY] = {"cold-by", WORDS("any", "copies", "flush"), 0, COLD_BY_ANY, false},
    [WRITE_BACK] = {"write-back", WORDS("even", "counted", "left-out"), 0, WRITE_BACK_EVEN, false},
    [LAST_LEVEL] = {"last-level", NULL, 0x1p40, 0, false},
    [BLOCK] = {"block", NULL, 1e9, 0, false},
    [COUNTED] = {"counted", NULL, 1, 0, false},
    [SIMULATED] = {"simulated", NULL, 1, 0, false},
};

static bool read_number(const char *text, double most, bool fraction, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out > 0 && *out <= most && (fraction || *out == (double)(uint64_t)*out);
}

static bool read_sizes(char *rest, struct process_request *out) {
    static const double MAX = 1e15;
    double size;
    for (char *word; (word = strsep(&rest, ",")); out->sizes[out->size_count++] = (uint64_t)size)
        if (out->size_count == REQUEST_MAX_SIZES || !read_number(word, MAX, false, &size))
            return false;
    return true;
}

/* A key of KEYS; `length` of its name. */
static bool read_key(const char *word, size_t length, double values[KEY_COUNT]) {
    const char *text = word + length + 1;
    for (size_t k = 0; k < KEY_COUNT; k++) {
        if (strlen(KEYS[k].name) != length || strncmp(KEYS[k].name, word, length) != 0)
            continue;
        for (size_t i = 0; KEYS[k].words && KEYS[k].words[i]; i++)
            if (strcmp(KEYS[k].words[i], text) == 0) {
                values[k] = (double)i;
                return true;
            }
        return !KEYS[k].words && read_number(text, KEYS[k].most, KEYS[k].fraction, &values[k]);
    }
    return false;
}

static bool read_word(char *word, struct process_request *out, double values[KEY_COUNT]) {
    const size_t length = strcspn(word, "=");
    char *value = word + length + 1;
    if (!word[length])
        return false;
    if (strncmp(word, "size=", length + 1) == 0)
        return read_sizes(value, out);
    const char **text = strncmp(word, "type=", length + 1) == 0   ? &out->type
                        : strncmp(word, "isa=", length + 1) == 0  ? &out->isa
                        : strncmp(word, "file=", length + 1) == 0 ? &out->file
                                                                  : NULL;
    if (!text)
        return read_key(word, length, values);
    *text = value;
    return true;
}

static bool is_repeated(char *const *argv, int at) {
    const size_t length = strcspn(argv[at], "=") + 1;
    for (int i = 2; i < at; i++)
        if (strncmp(argv[i], argv[at], length) == 0)
            return true;
    return false;
}

static void take_values(const double values[KEY_COUNT], struct process_request *out) {
    out->threads = (unsigned)values[THREADS];
    out->repetitions = (unsigned)values[REPEAT];
    out->budget_s = values[BUDGET];
    out->runs = (uint64_t)values[RUNS];
    out->cycles = values[CYCLES];
    out->caches = (struct caches_wish){.data_cold = values[DATA] > 0,
                                       .code_cold = values[CODE] > 0,
                                       .tlb_cold = values[TLB] > 0,
                                       .by = (enum cold_by)values[COLD_BY],
                                       .write_back = (enum write_back)values[WRITE_BACK]};
    if (out->caches.write_back != WRITE_BACK_EVEN && out->caches.data_cold)
        out->caches.by = COLD_BY_FLUSH; /* copies would leave dirty lines of earlier runs */
    out->last_level_bytes = (uint64_t)values[LAST_LEVEL];
    out->block = (uint64_t)values[BLOCK];
    out->counted = values[COUNTED] > 0;
    out->simulated = values[SIMULATED] > 0;
}

bool request_read(int argc, char **argv, struct process_request *out, struct error *err) {
    double values[KEY_COUNT];
    *out = (struct process_request){.workload = argc > 1 ? argv[1] : "", .type = "f64"};
    out->list = argc == 2 && strcmp(argv[1], "list") == 0;
    for (size_t k = 0; k < KEY_COUNT; k++)
        values[k] = KEYS[k].otherwise;
    for (int i = 2; i < argc; i++) {
        if (is_repeated(argv, i))
            return error_set(err, "'%s' repeats a key", argv[i]);
        if (!read_word(argv[i], out, values))
            return error_set(err, "'%s' is not a valid word of a request", argv[i]);
    }
    take_values(values, out);
    return out->list || out->size_count > 0 ||
           error_set(err, "this program is for `carmine workload`, which passes a workload and size=N,…");
}
