/* SPDX-License-Identifier: BSD-3-Clause
 * Texts ↔ words of the instructions in forms_table.c. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/text.h"

static struct {
    size_t count;
    struct arm_form *of;
} forms;

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; /* all others of a text are small */

/* The fields of instructions, by the Arm Architecture Reference Manual. */
static const struct {
    char letter;
    uint8_t at, bits;
} FIELDS[] = {{'D', 0, 5},   {'N', 5, 5},  {'M', 16, 5}, {'A', 10, 5}, {'T', 10, 5},
              {'G', 10, 3},  {'H', 10, 4}, {'S', 5, 5},  {'E', 0, 0},  {'O', 0, 0},
              {'I', 10, 12}, {'J', 15, 7}, {'K', 16, 6}, {'L', 10, 3}, {'V', 16, 4}};

enum { SAME_AT = 16, PREDICATE_BITS = 4, WORD_BYTES = 12 }; /* where S is once more */

bool forms_next_field(const char **at, struct form_field *out) {
    const char *place = *at + strcspn(*at, LETTERS);
    if (*place == '\0')
        return false;
    char *end;
    *out = (struct form_field){.kind = place[-1], .letter = *place, .scale = 1};
    if (out->kind == '#')
        out->scale = (unsigned)strtoul(place + 1, &end, 10);
    *at = out->kind == '#' ? end : place + 1;
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        if (FIELDS[i].letter == *place)
            out->at = FIELDS[i].at, out->bits = FIELDS[i].bits;
    if (out->kind == 'p' && out->bits > PREDICATE_BITS)
        out->bits = PREDICATE_BITS;
    return true;
}

static uint32_t field_mask(const struct form_field *field) {
    const uint32_t mask = (1u << field->bits) - 1;
    return mask << field->at | (field->letter == 'S' ? mask << SAME_AT : 0);
}

/* With the element in place of each `$`. */
static void append(char *out, size_t size, const char *pattern, const char *element) {
    for (; *pattern; pattern++)
        if (*pattern == '$')
            text_append(out, size, "%s", element);
        else
            text_append(out, size, "%c", *pattern);
}

static void expand_form(const struct form_shape *shape, const char *mnemonic, const char *element, uint32_t word) {
    struct arm_form form = {.word = word, .fixed = UINT32_MAX, .shape = shape};
    snprintf(form.name, sizeof form.name, "%s%s", mnemonic, *shape->type ? " " : "");
    append(form.name, sizeof form.name, shape->type, element);
    snprintf(form.text, sizeof form.text, "%s%s", mnemonic, *shape->operands ? " " : "");
    append(form.text, sizeof form.text, shape->operands, element);
    struct form_field field;
    for (const char *at = form.text; forms_next_field(&at, &field);)
        form.fixed &= ~field_mask(&field);
    if ((forms.count & (forms.count + 1)) == 0) /* doubles */
        forms.of = need_realloc(forms.of, 2 * (forms.count + 1) * sizeof *forms.of);
    forms.of[forms.count++] = form;
}

/* Copies the first word of a list, and returns the rest. */
static const char *take_item(const char *list, char out[WORD_BYTES]) {
    const size_t bytes = strcspn(list, " ");
    snprintf(out, WORD_BYTES, "%.*s", (int)bytes, list);
    return list + bytes + strspn(list + bytes, " ");
}

static void add_shape(const struct form_shape *shape) {
    char mnemonic[WORD_BYTES], element[WORD_BYTES], word[WORD_BYTES];
    for (const char *words = shape->words; *words;) {
        words = take_item(words, mnemonic);
        const char *elements = shape->elements;
        do {
            elements = take_item(elements, element);
            words = take_item(words, word);
            expand_form(shape, mnemonic, element, (uint32_t)strtoul(word, NULL, 16));
        } while (*elements);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct arm_form *)a)->name, ((const struct arm_form *)b)->name);
}

const struct arm_form *forms_all(size_t *count) {
    if (forms.count == 0) {
        for (const struct form_shape *shape = form_shapes; shape->words; shape++)
            add_shape(shape);
        qsort(forms.of, forms.count, sizeof *forms.of, by_name);
    }
    *count = forms.count;
    return forms.of;
}

const struct arm_form *forms_named(const char *name) {
    struct arm_form key;
    size_t count;
    const struct arm_form *all = forms_all(&count);
    snprintf(key.name, sizeof key.name, "%s", name);
    return bsearch(&key, all, count, sizeof *all, by_name);
}

static bool is_of(const struct arm_form *form, uint32_t word) {
    struct form_field field;
    if ((word & form->fixed) != form->word)
        return false;
    for (const char *at = form->text; forms_next_field(&at, &field);)
        if (field.letter == 'S' && ((word >> field.at ^ word >> SAME_AT) & ((1u << field.bits) - 1)) != 0)
            return false;
    return true;
}

/* An alias fixes more bits than its form, and wins. */
const struct arm_form *forms_of_word(uint32_t word) {
    size_t count;
    const struct arm_form *all = forms_all(&count), *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (is_of(&all[i], word) && (!best || __builtin_popcount(all[i].fixed) > __builtin_popcount(best->fixed)))
            best = &all[i];
    return best;
}

uint32_t forms_encode(const struct arm_form *form, const unsigned values[FORM_LETTERS]) {
    uint32_t word = form->word;
    struct form_field field;
    for (const char *at = form->text; forms_next_field(&at, &field);) {
        const uint32_t value = values[field.letter - 'A'] & ((1u << field.bits) - 1);
        word |= value << field.at | (field.letter == 'S' ? value << SAME_AT : 0);
    }
    return word;
}

void forms_decode(const struct arm_form *form, uint32_t word, unsigned values[FORM_LETTERS]) {
    struct form_field field;
    for (const char *at = form->text; forms_next_field(&at, &field);)
        values[field.letter - 'A'] = word >> field.at & ((1u << field.bits) - 1);
}

/* What stands at a place of the text. */
static unsigned shown(const struct form_field *field, const unsigned values[FORM_LETTERS]) {
    if (field->letter == 'E' || field->letter == 'O')
        return (values[(field->letter == 'E' ? 'D' : 'N') - 'A'] + 1) % 32;
    return values[field->letter - 'A'] * field->scale;
}

char *forms_write(const struct arm_form *form, const unsigned values[FORM_LETTERS], char *out, size_t size) {
    struct form_field field;
    const char *at = form->text;
    *out = '\0';
    for (const char *from = at; forms_next_field(&at, &field); from = at)
        text_append(out, size, "%.*s%u", (int)strcspn(from, LETTERS), from, shown(&field, values));
    text_append(out, size, "%s", at);
    return out;
}

/* Whether the text is an instruction of the form, and its values. */
static bool read_as(const struct arm_form *form, const char *text, unsigned values[FORM_LETTERS]) {
    struct form_field field;
    const char *at = form->text, *from = at;
    for (; forms_next_field(&at, &field); from = at) {
        const size_t before = strcspn(from, LETTERS);
        if (strncmp(text, from, before) != 0 || text[before] < '0' || text[before] > '9')
            return false;
        char *end;
        const unsigned number = (unsigned)strtoul(text + before, &end, 10), steps = number / field.scale;
        text = end;
        if (field.bits > 0)
            values[field.letter - 'A'] = steps;
        if ((field.bits > 0 && steps >> field.bits) || number != shown(&field, values))
            return false;
    }
    return strcmp(text, from) == 0;
}

const struct arm_form *forms_of_text(const char *text, unsigned values[FORM_LETTERS]) {
    const size_t bytes = strcspn(text, " ");
    size_t low = 0, high;
    const struct arm_form *all = forms_all(&high);
    const size_t count = high;
    while (low < high) { /* the first one of this mnemonic */
        const size_t middle = (low + high) / 2;
        if (strncmp(all[middle].name, text, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && strncmp(all[low].name, text, bytes) == 0; low++)
        if (read_as(&all[low], text, values))
            return &all[low];
    return NULL;
}
