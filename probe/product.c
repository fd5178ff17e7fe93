/* SPDX-License-Identifier: BSD-3-Clause
 * Finds CPU models by their names (see product.h). The rows are in a product_table.c for each architecture. */
#include "product.h"

#include <ctype.h>
#include <string.h>

/* The model's name behind the series, and its length; NULL: another series. */
static const char *model_of(const char *brand, const char *series, size_t *length) {
    const size_t skipped = strlen(series);
    if (strncmp(brand, series, skipped) != 0 || brand[skipped] != ' ')
        return NULL;
    const char *model = brand + skipped + 1;
    *length = strcspn(model, " ");
    return model;
}

/* Whether a word of the pattern is the name: '?' is any digit, and a '*' at the end any letters or '+'. */
static bool is_like(const char *pattern, size_t pattern_length, const char *name, size_t length) {
    const bool open = pattern_length > 0 && pattern[pattern_length - 1] == '*';
    const size_t fixed = pattern_length - open;
    if (length < fixed || (!open && length != fixed))
        return false;
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)name[i];
        if (i >= fixed ? !isalpha(c) && c != '+' : pattern[i] == '?' ? !isdigit(c) : pattern[i] != name[i])
            return false;
    }
    return true;
}

static bool is_listed(const char *models, const char *name, size_t length) {
    while (*models) {
        const size_t word = strcspn(models, " ");
        if (is_like(models, word, name, length))
            return true;
        models += word + strspn(models + word, " ");
    }
    return false;
}

static bool is_of(const char *brand, const char *series, const char *models) {
    size_t length;
    const char *name = model_of(brand, series, &length);
    return name && is_listed(models, name, length);
}

const struct product *product_at(size_t index) {
    static const struct product_list *const LISTS[] = {&product_x86, &product_aarch64};
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; index -= LISTS[i++]->count)
        if (index < LISTS[i]->count)
            return &LISTS[i]->rows[index];
    return NULL;
}

const struct product *product_find(const char *brand) {
    for (size_t i = 0; product_at(i); i++)
        if (is_of(brand, product_at(i)->series, product_at(i)->models))
            return product_at(i);
    return NULL;
}

unsigned product_wide_fma_units(const char *brand) {
    for (size_t i = 0; i < product_units_count; i++)
        if (is_of(brand, product_units_table[i].series, product_units_table[i].models))
            return product_units_table[i].wide_fma_units;
    return 0;
}
