/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include "compare_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"

const char *const check_class_names[] = {"compute", "l1", "l2", "l3", "dram", "latency", NULL};
const char *const check_verdict_names[] = {"fail", "missing", "doubtful", "better", "pass"};

struct doubts check_doubts(struct doubts own, struct doubts other) {
    const struct doubts alike = doubts_common(doubts_common(own, other), doubts_of_kind(DOUBTS_CONDITION));
    return doubts_without(doubts_union(own, other), alike);
}

enum check_class check_class_of(const struct roof_key *key) {
    const unsigned cache = levels_cache(key->level);
    return key->kind == SAMPLE_COMPUTE   ? CHECK_COMPUTE
           : key->kind == SAMPLE_LATENCY ? CHECK_LATENCY
           : cache == 0                  ? CHECK_DRAM
           : cache == 1                  ? CHECK_L1
           : cache == 2                  ? CHECK_L2
                                         : CHECK_L3;
}

static enum check_class class_named(const char *name) {
    int class = 0;
    while (check_class_names[class] && strcasecmp(check_class_names[class], name) != 0)
        class ++;
    return (enum check_class) class;
}

bool check_read_limits(const char *text, struct check_limits *limits, struct error *err) {
    *limits = (struct check_limits){0};
    for (int class = 0; class < CHECK_CLASSES; class ++)
        limits->classes[class] = compare_thresholds.tolerances[class].value;
    while (text) {
        struct check_named_limit limit;
        double percent;
        int length = 0;
        if (sscanf(text, "%63[^=,]=%lf%n", limit.roof, &percent, &length) != 2 || text[length] != '%' ||
            (text[length + 1] && text[length + 1] != ',') || !(percent >= 0 && percent < 100))
            return error_set(err, "--tolerance takes percentages such as compute=3%%,l3=10%%, not '%s'", text);
        limit.tolerance = percent / 100;
        const enum check_class class = class_named(limit.roof);
        if (class < CHECK_CLASSES)
            limits->classes[class] = limit.tolerance;
        else if (limits->named_count < CHECK_NAMED_LIMITS)
            limits->named[limits->named_count++] = limit;
        else
            return error_set(err, "--tolerance names more than %d roofs", CHECK_NAMED_LIMITS);
        text = text[length + 1] ? text + length + 2 : NULL;
    }
    return true;
}

/* "avx512.random" in all levels, or "L3 avx512.random" with its kind of pages; in all places. */
static bool check_is_named(const struct roof_key *key, const char *name) {
    char text[224];
    roof_key_text(key, text, sizeof text);
    const size_t length = strcspn(text, ",");
    return strcmp(key->kernel, name) == 0 || (strlen(name) == length && strncmp(text, name, length) == 0);
}

static const struct check_named_limit *named_limit(const struct check_limits *limits, const struct roof_key *key) {
    for (size_t i = limits->named_count; i-- > 0;)
        if (check_is_named(key, limits->named[i].roof))
            return &limits->named[i];
    return NULL;
}

double check_tolerance(const struct check_limits *limits, const struct roof_key *key) {
    const struct check_named_limit *named = named_limit(limits, key);
    return named ? named->tolerance : limits->classes[check_class_of(key)];
}

double check_tolerance_alone(const struct check_limits *limits, const struct roof_key *key) {
    return check_tolerance(limits, key) * (named_limit(limits, key) ? 1 : compare_thresholds.alone.value);
}

bool check_limits_are_used(const struct check_limits *limits, const struct baseline *baseline, struct error *err) {
    for (size_t i = 0; i < limits->named_count; i++) {
        size_t at = 0;
        while (at < baseline->keys.count && !check_is_named(&baseline->keys.keys[at], limits->named[i].roof))
            at++;
        if (at == baseline->keys.count)
            return error_set(err,
                             "--tolerance: '%s' is neither a roof of the baseline, such as \"L3 avx2.load\", nor one "
                             "of compute, l1, l2, l3, dram, latency",
                             limits->named[i].roof);
    }
    return true;
}

/* The interval; the value itself if that is unknown, or lies outside of it: the verdict then agrees with the printed
 * deviation. */
static struct compare_interval check_interval_of(const struct roof *roof, enum compare_per per) {
    const struct compare_interval interval = compare_interval(roof, per);
    const double value = compare_value(roof, per);
    return interval.low <= value && value <= interval.high ? interval : (struct compare_interval){value, value};
}

static void check_add_value(struct baseline_roof *roof, double value, struct compare_interval interval,
                            const struct sample *sample) {
    if (roof->count == roof->capacity) {
        roof->capacity = 2 * roof->capacity + 1;
        roof->values = need_realloc(roof->values, roof->capacity * sizeof *roof->values);
        roof->lows = need_realloc(roof->lows, roof->capacity * sizeof *roof->lows);
        roof->highs = need_realloc(roof->highs, roof->capacity * sizeof *roof->highs);
        roof->clocks_hz = need_realloc(roof->clocks_hz, roof->capacity * sizeof *roof->clocks_hz);
    }
    roof->values[roof->count] = value;
    roof->lows[roof->count] = interval.low;
    roof->clocks_hz[roof->count] = sample->clock_hz;
    roof->highs[roof->count++] = interval.high;
    for (unsigned id = 0; id < DOUBT_COUNT; id++)
        roof->doubt_counts[id] += doubts_has(sample->doubts, id);
}

static void free_values(struct baseline_roof *roof) {
    free(roof->values);
    free(roof->lows);
    free(roof->highs);
    free(roof->clocks_hz);
}

static bool is_quick(const struct result *result) {
    return strstr(result->environment.command_line, " --quick") != NULL;
}

void baseline_add(struct baseline *baseline, const struct model *model) {
    baseline->result_count++;
    baseline->quick_count += is_quick(model->result);
    for (size_t i = 0; i < model_compared_count(model); i++) {
        const struct roof *roof = model_compared(model, i);
        const double value = compare_value(roof, baseline->per);
        if (roof->cell || isnan(value))
            continue;
        const struct roof_key key = roof_key_make(model, roof);
        const size_t capacity = baseline->keys.capacity, at = roof_keys_put(&baseline->keys, &key);
        if (baseline->keys.capacity > capacity) {
            baseline->roofs = need_realloc(baseline->roofs, baseline->keys.capacity * sizeof *baseline->roofs);
            memset(baseline->roofs + capacity, 0, (baseline->keys.capacity - capacity) * sizeof *baseline->roofs);
        }
        check_add_value(&baseline->roofs[at], value, check_interval_of(roof, baseline->per), roof->sample);
    }
}

void baseline_finish(struct baseline *baseline) {
    struct baseline kept = {.per = baseline->per, .result_count = baseline->result_count};
    kept.roofs = need_calloc(baseline->keys.count + 1, sizeof *kept.roofs);
    for (size_t i = 0; i < baseline->keys.count; i++) {
        struct baseline_roof *roof = &baseline->roofs[i];
        if (2 * roof->count <= baseline->result_count) {
            free_values(roof);
            continue;
        }
        roof->median = sample_statistics(roof->values, roof->count).median;
        roof->low = sample_statistics(roof->lows, roof->count).median;
        roof->high = sample_statistics(roof->highs, roof->count).median;
        roof->clock_hz = sample_statistics(roof->clocks_hz, roof->count).median;
        for (unsigned id = 0; id < DOUBT_COUNT; id++)
            doubts_add_if(&roof->doubts, 2 * roof->doubt_counts[id] > roof->count, id);
        kept.roofs[roof_keys_put(&kept.keys, &baseline->keys.keys[i])] = *roof;
    }
    roof_keys_free(&baseline->keys);
    free(baseline->roofs);
    *baseline = kept;
}

void baseline_free(struct baseline *baseline) {
    for (size_t i = 0; i < baseline->keys.count; i++)
        free_values(&baseline->roofs[i]);
    roof_keys_free(&baseline->keys);
    free(baseline->roofs);
    *baseline = (struct baseline){0};
}

/* What a roof gained: less latency is more. */
static double gain_of(const struct check_row *row, double own, double baseline) {
    return row->key.kind == SAMPLE_LATENCY ? 1 - own / baseline : own / baseline - 1;
}

/* Slower or faster only if that holds for all values of both intervals. */
static enum check_verdict check_judge(struct check_row *row) {
    const bool latency = row->key.kind == SAMPLE_LATENCY;
    const double gain = gain_of(row, row->value, row->baseline),
                 best =
                     latency ? gain_of(row, row->low, row->baseline_high) : gain_of(row, row->high, row->baseline_low),
                 worst =
                     latency ? gain_of(row, row->high, row->baseline_low) : gain_of(row, row->low, row->baseline_high),
                 most = row->tolerance + 1e-9; /* exactly the tolerance passes, however it is rounded */
    if (!row->roof)
        return CHECK_MISSING;
    if (doubts_any(row->doubts) || isnan(row->ratio)) /* not a number: its clock is unknown */
        return CHECK_DOUBTFUL;
    if (best < -most)
        return CHECK_FAIL;
    if (worst > most)
        return CHECK_BETTER;
    row->uncertain = fabs(gain) > most;
    return CHECK_PASS;
}

/* Rows of one verdict keep the order of their keys' numbers. */
static void sort_rows(struct check *check) {
    struct check_row *sorted = need_calloc(check->count + 1, sizeof *sorted);
    size_t count = 0;
    for (int verdict = 0; verdict < CHECK_VERDICTS; verdict++)
        for (size_t i = 0; i < check->count; i++)
            if (check->rows[i].verdict == (enum check_verdict)verdict)
                sorted[count++] = check->rows[i];
    free(check->rows);
    check->rows = sorted;
}

static bool same_kind(const struct roof_key *a, const struct roof_key *b) {
    return a->kind == b->kind && a->figure == b->figure && strcmp(a->level, b->level) == 0 &&
           (a->kind != SAMPLE_COMPUTE || roof_key_type(a) == roof_key_type(b));
}

static bool same_headline(const struct roof_key *a, const struct roof_key *b) {
    return a->cores == b->cores && same_kind(a, b);
}

static bool check_competes(const struct roof_key *key) {
    return !key->package && !key->node && !key->memory_node && !key->smt && !key->small_pages && !key->figure &&
           (key->cores == 1 || key->cores == ROOF_ALL_CORES) && !pattern_is_random(pattern_of_kernel(key->kernel));
}

size_t check_headlines(const struct check *check, const struct check_row *rows[CHECK_MAX_HEADLINES]) {
    size_t count = 0;
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        size_t at = 0;
        while (at < count && !same_headline(&rows[at]->key, &row->key))
            at++;
        if (!check_competes(&row->key) || at == CHECK_MAX_HEADLINES)
            continue;
        const bool first = at == count, less = row->key.kind == SAMPLE_LATENCY;
        if (first || (less ? row->baseline < rows[at]->baseline : row->baseline > rows[at]->baseline))
            rows[at] = row;
        count += first;
    }
    return count;
}

/* No other roof of its kind fails, on any number of cores. Without others none is alone. */
static bool fails_alone(const struct check *check, const struct check_row *row) {
    size_t others = 0, failing = 0;
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *other = &check->rows[i];
        const bool alike = other != row && same_kind(&other->key, &row->key);
        others += alike && (other->verdict == CHECK_FAIL || other->verdict == CHECK_PASS);
        failing += alike && other->verdict == CHECK_FAIL;
    }
    return others > 0 && failing == 0;
}

/* A roof that is no headline and fails alone has its own tolerance. */
static void tolerate_single_roofs(struct check *check, const struct check_limits *limits) {
    const struct check_row *headlines[CHECK_MAX_HEADLINES];
    const size_t headline_count = check_headlines(check, headlines);
    bool *alone = need_calloc(check->count + 1, sizeof *alone);
    for (size_t i = 0; i < check->count; i++)
        alone[i] = check->rows[i].verdict == CHECK_FAIL && fails_alone(check, &check->rows[i]);
    for (size_t i = 0; i < headline_count; i++)
        alone[headlines[i] - check->rows] = false;
    for (size_t i = 0; i < check->count; i++)
        if (alone[i]) {
            check->rows[i].tolerance = check_tolerance_alone(limits, &check->rows[i].key);
            check->rows[i].verdict = check_judge(&check->rows[i]);
        }
    free(alone);
}

static bool check_same_isa(const struct roof_key *a, const struct roof_key *b) {
    const size_t length = strcspn(a->kernel, ".");
    return strcspn(b->kernel, ".") == length && strncmp(a->kernel, b->kernel, length) == 0;
}

/* Whether a quick run omits this missing roof: it is a latency or no headline, or there is another one of its kind (for
 * ceilings, of the same instruction set). */
static bool is_unplanned(const struct check *check, const struct check_row *row,
                         const struct check_row *const *headlines, size_t headline_count) {
    bool headline = false, other = false;
    for (size_t i = 0; i < headline_count; i++)
        headline |= headlines[i] == row;
    for (size_t i = 0; i < check->count; i++)
        other |= check->rows[i].roof && same_headline(&check->rows[i].key, &row->key) &&
                 (row->key.kind != SAMPLE_COMPUTE || check_same_isa(&check->rows[i].key, &row->key));
    return !row->roof && (!headline || other || row->key.kind == SAMPLE_LATENCY);
}

/* Removes these rows; returns how many. */
static size_t drop_rows(struct check *check, const bool *drop) {
    const size_t all = check->count;
    check->count = 0;
    for (size_t i = 0; i < all; i++)
        if (!drop[i])
            check->rows[check->count++] = check->rows[i];
    return all - check->count;
}

/* If the result has none at all: `carmine memory` was not run. */
static void drop_figures(struct check *check, const struct model *model) {
    bool *drop = need_calloc(check->count + 1, sizeof *drop);
    for (size_t i = 0; i < check->count; i++)
        drop[i] = check->rows[i].key.figure && model->figure_count == 0;
    check->unmeasured = drop_rows(check, drop);
    free(drop);
}

/* If the result is from a quick run and the baseline from full ones. */
static void drop_unplanned(struct check *check, const struct result *result, const struct baseline *baseline) {
    if (!is_quick(result) || 2 * baseline->quick_count >= baseline->result_count)
        return;
    const struct check_row *headlines[CHECK_MAX_HEADLINES];
    const size_t headline_count = check_headlines(check, headlines);
    bool *drop = need_calloc(check->count + 1, sizeof *drop);
    for (size_t i = 0; i < check->count; i++)
        drop[i] = is_unplanned(check, &check->rows[i], headlines, headline_count);
    check->unplanned = drop_rows(check, drop);
    free(drop);
}

/* The baseline's row, not yet compared. */
static struct check_row row_begin(const struct baseline *baseline, size_t at, const struct check_limits *limits) {
    const struct roof_key *key = &baseline->keys.keys[at];
    return (struct check_row){.key = *key,
                              .class = check_class_of(key),
                              .value = NAN,
                              .low = NAN,
                              .high = NAN,
                              .baseline = baseline->roofs[at].median,
                              .baseline_low = baseline->roofs[at].low,
                              .baseline_high = baseline->roofs[at].high,
                              .ratio = NAN,
                              .clock_ratio = NAN,
                              .tolerance = check_tolerance(limits, key)};
}

/* Adds the result's roof to its row. */
static void row_compare(struct check_row *row, const struct roof *roof, const struct baseline_roof *baseline,
                        enum compare_per per) {
    const struct compare_interval interval = check_interval_of(roof, per);
    row->roof = roof;
    row->value = compare_value(roof, per);
    row->low = interval.low;
    row->high = interval.high;
    row->ratio = row->value / row->baseline;
    if (roof->sample->clock_hz > 0 && baseline->clock_hz > 0)
        row->clock_ratio = roof->sample->clock_hz / baseline->clock_hz;
    row->doubts = check_doubts(roof->sample->doubts, baseline->doubts);
}

struct check check_make(const struct model *model, const struct baseline *baseline, const struct check_limits *limits) {
    struct check check = {.count = baseline->keys.count};
    check.rows = need_calloc(check.count + 1, sizeof *check.rows);
    memcpy(check.tolerances, limits->classes, sizeof check.tolerances);
    for (size_t i = 0; i < check.count; i++)
        check.rows[i] = row_begin(baseline, i, limits);
    for (size_t i = 0; i < model_compared_count(model); i++) {
        const struct roof *roof = model_compared(model, i);
        if (roof->cell || !(roof->sample->value > 0) || (roof->figure && isnan(compare_value(roof, baseline->per))))
            continue;
        const struct roof_key key = roof_key_make(model, roof);
        const size_t at = roof_keys_find(&baseline->keys, &key);
        if (at == ROOF_KEYS_NONE)
            check.more++;
        else
            row_compare(&check.rows[at], roof, &baseline->roofs[at], baseline->per);
    }
    drop_figures(&check, model);
    drop_unplanned(&check, model->result, baseline);
    for (size_t i = 0; i < check.count; i++)
        check.rows[i].verdict = check_judge(&check.rows[i]);
    tolerate_single_roofs(&check, limits);
    for (size_t i = 0; i < check.count; i++) {
        const struct check_row *row = &check.rows[i];
        check.counts[row->verdict]++;
        check.uncertain += row->uncertain;
    }
    sort_rows(&check);
    return check;
}

void check_free(struct check *check) {
    free(check->rows);
    *check = (struct check){0};
}

struct check_bounds check_bounds(const struct check_row *row) {
    return row->key.kind == SAMPLE_LATENCY ? (struct check_bounds){NAN, row->baseline * (1 + row->tolerance)}
                                           : (struct check_bounds){row->baseline * (1 - row->tolerance), NAN};
}

bool check_can_tell(const struct check *check) {
    const struct check_row *rows[CHECK_MAX_HEADLINES];
    const size_t count = check_headlines(check, rows);
    bool judged = false;
    for (size_t i = 0; i < count; i++)
        judged |= rows[i]->verdict != CHECK_DOUBTFUL && rows[i]->verdict != CHECK_MISSING;
    return count ? judged : check->counts[CHECK_DOUBTFUL] < check->count;
}

size_t check_doubtful_headlines(const struct check *check) {
    const struct check_row *rows[CHECK_MAX_HEADLINES];
    const size_t count = check_headlines(check, rows);
    size_t doubtful = 0;
    for (size_t i = 0; i < count; i++)
        doubtful += rows[i]->verdict == CHECK_DOUBTFUL;
    return doubtful;
}

static const struct check_row *check_row_of(const struct check *check, const struct roof_key *key) {
    for (size_t i = 0; i < check->count; i++)
        if (roof_key_same(&check->rows[i].key, key))
            return &check->rows[i];
    return NULL;
}

struct check_clock check_clock_find(const struct check *check, const struct check *per_cycle) {
    struct check_clock found = {.ratio = NAN};
    double *clocks = need_calloc(check->count + 1, sizeof *clocks);
    size_t known = 0;
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->rows[i];
        if (row->verdict != CHECK_FAIL)
            continue;
        const struct check_row *cycle = check_row_of(per_cycle, &row->key);
        found.failed++;
        found.still += !cycle || isnan(cycle->ratio) || cycle->verdict == CHECK_FAIL;
        if (!isnan(row->clock_ratio))
            clocks[known++] = row->clock_ratio;
    }
    if (known)
        found.ratio = sample_statistics(clocks, known).median;
    free(clocks);
    return found;
}
