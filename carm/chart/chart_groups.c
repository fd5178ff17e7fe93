/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of points: their numbers, their look, the end of names that they share, and sizes as text. */
#include "chart_groups.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

/* The name of the point's group: its series, or its program if it has no series. Borrowed from the point. */
static const char *name_of_group(const struct app_point *point) {
    return *point->series ? point->series : point->program;
}

/* The length of a name without its end " 2 threads". */
static size_t length_without_threads(const char *name) {
    size_t end = strlen(name);
    const size_t all = end, plural = end > 0 && name[end - 1] == 's', word = strlen(" thread");
    if (end < word + plural + 2 || strncmp(name + end - word - plural, " thread", word) != 0)
        return all;
    end -= word + plural;
    const size_t digits = end;
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        end--;
    return end > 1 && end < digits && name[end - 1] == ' ' ? end - 1 : all;
}

static bool is_same_group(const struct app_point *a, const struct app_point *b) {
    return !*a->series == !*b->series && strcmp(name_of_group(a), name_of_group(b)) == 0;
}

static bool is_same_workload(const struct app_point *a, const struct app_point *b) {
    const char *p = name_of_group(a), *q = name_of_group(b);
    const size_t length = length_without_threads(p);
    return !*a->series == !*b->series && length == length_without_threads(q) && strncmp(p, q, length) == 0;
}

static void number(const struct app_point *points, size_t count,
                   bool (*is_same)(const struct app_point *a, const struct app_point *b), size_t *out) {
    const struct app_point **first = need_calloc(count + 1, sizeof *first); /* of each group */
    size_t groups = 0;
    for (size_t i = 0; i < count; i++) {
        out[i] = 0;
        while (out[i] < groups && !is_same(first[out[i]], &points[i]))
            out[i]++;
        if (out[i] == groups)
            first[groups++] = &points[i];
    }
    free(first);
}

void groups_number(const struct app_point *points, size_t count, size_t *out) {
    number(points, count, is_same_group, out);
}

void groups_number_workloads(const struct app_point *points, size_t count, size_t *out) {
    number(points, count, is_same_workload, out);
}

enum { COLORS = 5, LOOKS = COLORS * PLOT_SHAPES };

static struct plot_color color_of(size_t number) {
    const struct plot_color colors[COLORS] = {PALETTE_MAGENTA, PALETTE_NAVY, PALETTE_VIOLET, PALETTE_BROWN,
                                              PALETTE_AZURE};
    return colors[number % COLORS];
}

void group_look(size_t number, struct plot_color *color, enum plot_shape *shape) {
    *color = color_of(number);
    *shape = (enum plot_shape)(number % PLOT_SHAPES);
}

struct looks_taken {
    bool look[LOOKS], color[COLORS], shape[PLOT_SHAPES];
};

static void take_look(struct looks_taken *taken, size_t look) {
    taken->look[look % LOOKS] = taken->color[look % COLORS] = taken->shape[look % PLOT_SHAPES] = true;
}

/* The look of a group whose own colour is taken: another colour and shape, else another colour, else its own colour. */
static size_t other_look(const struct looks_taken *taken, size_t number) {
    for (unsigned shapes = 0; shapes < 2; shapes++)
        for (size_t look = 0; look < LOOKS; look++)
            if (!taken->color[look % COLORS] && (shapes > 0 || !taken->shape[look % PLOT_SHAPES]))
                return look;
    for (size_t i = 0; i < LOOKS; i++)
        if (!taken->look[(number + i) % LOOKS])
            return (number + i) % LOOKS;
    return number;
}

/* The least number that is at least `from`; SIZE_MAX: none. */
static size_t next_number(const size_t *numbers, size_t count, size_t from) {
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        next = numbers[i] >= from && numbers[i] < next ? numbers[i] : next;
    return next;
}

void groups_tell_apart(const size_t *numbers, size_t count, size_t *looks) {
    struct looks_taken taken = {0};
    for (size_t i = 0; i < count; i++)
        looks[i] = SIZE_MAX;
    for (unsigned others = 0; others < 2; others++) /* groups that keep their colour come first */
        for (size_t n = next_number(numbers, count, 0); n != SIZE_MAX; n = next_number(numbers, count, n + 1)) {
            size_t look = SIZE_MAX;
            for (size_t i = 0; i < count; i++)
                look = numbers[i] == n ? looks[i] : look;
            if (look != SIZE_MAX || (!others && taken.color[n % COLORS]))
                continue;
            look = others ? other_look(&taken, n) : n;
            take_look(&taken, look);
            for (size_t i = 0; i < count; i++)
                looks[i] = numbers[i] == n ? look : looks[i];
        }
}

void group_look_by_threads(size_t workload, unsigned behind, struct plot_color *color, enum plot_shape *shape) {
    static const enum plot_shape SHAPES[][CHART_MAX_FEWER + 1] = {{PLOT_CIRCLE, PLOT_TRIANGLE, PLOT_DIAMOND},
                                                                  {PLOT_SQUARE, PLOT_STAR, PLOT_PENTAGON}};
    *color = color_of(workload);
    *shape = SHAPES[workload / COLORS % 2][behind];
}

static size_t common_end(const char *a, const char *b, size_t most) {
    size_t a_length = strlen(a), b_length = strlen(b), end = 0;
    while (end < most && end < a_length && end < b_length && a[a_length - 1 - end] == b[b_length - 1 - end])
        end++;
    return end;
}

/* Whether the rest of the name has whole words, at least one, and does not end in a number: "2" of "2 threads". */
static bool stays_readable(const char *name, size_t end) {
    size_t stays = strlen(name) - end, word = stays;
    while (word > 0 && name[word - 1] != ' ')
        word--;
    return stays > 0 && name[stays] == ' ' && !isdigit((unsigned char)name[word]);
}

size_t groups_shared_end(const char *const *names, size_t count) {
    size_t end = count ? strlen(names[0]) : 0;
    for (size_t i = 1; i < count; i++)
        end = common_end(names[0], names[i], end);
    for (; end > 0; end--) {
        bool readable = true;
        for (size_t i = 0; i < count && readable; i++)
            readable = stays_readable(names[i], end);
        if (readable)
            break;
    }
    return end;
}

bool sizes_are_powers(const double *sizes, size_t count) {
    const double large = 128;
    bool powers = true, any_large = false;
    for (size_t i = 0; i < count; i++) {
        int exponent;
        powers &= frexp(sizes[i], &exponent) == 0.5;
        any_large |= sizes[i] >= large;
    }
    return powers && any_large;
}

char *size_text(char *out, size_t n, uint64_t size, bool power) {
    const uint64_t plain_below = 10000;
    if (power)
        return units_power(out, n, (double)size);
    return size < plain_below ? units_number_digits(out, n, (double)size, 6) : units_si(out, n, (double)size, "");
}
