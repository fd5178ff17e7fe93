/* SPDX-License-Identifier: BSD-3-Clause
 * Results compared side by side, as named on a command line. Include cmocka.h before it. */
#pragma once

#include "carm/report/compare_report.h"
#include "fixtures.h"

enum { MAX_SIDES = 12 };

/* Results, as named on a command line. */
struct bench {
    size_t count;
    struct result results[MAX_SIDES];
    struct model models[MAX_SIDES];
    struct compare_side sides[MAX_SIDES];
    char paths[MAX_SIDES][32];
};

static inline void bench_add(struct bench *bench, struct result result) {
    const size_t i = bench->count++;
    bench->results[i] = result;
    bench->models[i] = model_build(&bench->results[i]);
    snprintf(bench->paths[i], sizeof bench->paths[0], "results/file%zu.json", i);
    bench->sides[i] = (struct compare_side){.model = &bench->models[i], .path = bench->paths[i]};
}

static inline void bench_free(struct bench *bench) {
    for (size_t i = 0; i < bench->count; i++) {
        model_free(&bench->models[i]);
        results_free(&bench->results[i]);
    }
    bench->count = 0;
}

static inline struct result machine(unsigned cores, cpu_features features) {
    return fixture_result(fixture_machine(cores, features), &(struct plan_options){.both_pages = true});
}

static inline struct roof_key key_of(enum sample_kind kind, const char *kernel, const char *level, unsigned cores) {
    struct roof_key key;
    memset(&key, 0, sizeof key);
    key.kind = kind;
    key.cores = cores;
    strcpy(key.kernel, kernel);
    strcpy(key.level, level);
    return key;
}

static inline const struct compare_row *find(const struct compare_row *rows, size_t count, const struct roof_key *key) {
    for (size_t i = 0; i < count; i++)
        if (roof_key_same(&rows[i].key, key))
            return &rows[i];
    return NULL;
}

static inline const struct compare_row *row_of(const struct comparison *c, enum sample_kind kind, const char *kernel,
                                               const char *level, unsigned cores) {
    const struct roof_key key = key_of(kind, kernel, level, cores);
    const struct compare_row *row = find(c->rows, c->row_count, &key);
    if (!row)
        fail_msg("no row %s %s of %u cores", level, kernel, cores);
    return row;
}

static inline char *printed(const struct comparison *c, enum compare_per per) {
    size_t length;
    FILE *out = fopen(fixture_path("compare.txt"), "w");
    assert_non_null(out);
    compare_print(c, per, out);
    fclose(out);
    return fixture_read(fixture_path("compare.txt"), &length);
}
