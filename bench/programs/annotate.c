/* SPDX-License-Identifier: BSD-3-Clause
 * Which loops are annotated (see annotate.h); what becomes of each is annotate_code.c's. */
#include "annotate.h"
#include "annotate_code.h"
#include "part_label.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { FEW_SAMPLES = 100 };

/* A loop, and what it is chosen by. */
struct hot_loop {
    uint64_t hits, instructions; /* in its own code */
    uint32_t loop;
};

static int hottest_first(const void *a, const void *b) {
    const struct hot_loop *x = a, *y = b;
    if (x->hits != y->hits)
        return x->hits < y->hits ? 1 : -1;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    return (x->loop > y->loop) - (x->loop < y->loop);
}

/* As many as the parts have loops; allocated. */
static struct hot_loop *find_hottest(const struct annotate_from *from) {
    const struct profile_parts *parts = from->parts;
    struct hot_loop *hot = need_calloc(parts->loop_count + 1, sizeof *hot);
    for (uint32_t i = 0; i < parts->loop_count; i++)
        hot[i] = (struct hot_loop){.instructions = parts->loops[i].own.instructions, .loop = i};
    for (size_t i = 0; from->all_hits >= FEW_SAMPLES && i < parts->place_count; i++)
        if (parts->places[i].loop != PART_NONE)
            hot[parts->places[i].loop].hits += from->hits[i];
    qsort(hot, parts->loop_count, sizeof *hot, hottest_first);
    return hot;
}

/* "program/solve:17". */
enum { NAME_BYTES = sizeof((struct annotation *)0)->name };
static void name_loop(const struct annotate_from *from, uint32_t loop, char out[NAME_BYTES]) {
    char label[PART_LABEL_BYTES];
    if (from->names[loop] != NULL)
        snprintf(out, NAME_BYTES, "%s", from->names[loop]);
    else
        snprintf(out, NAME_BYTES, "%.31s/%s", from->program, part_loop_label(&from->parts->loops[loop].source, label));
}

/* The hottest of that name; PART_NONE. */
static uint32_t loop_called(const struct annotate_from *from, const struct hot_loop *hot, const char *wanted) {
    char name[NAME_BYTES], label[PART_LABEL_BYTES];
    for (size_t i = 0; i < from->parts->loop_count; i++) {
        const struct part_source *source = &from->parts->loops[hot[i].loop].source;
        name_loop(from, hot[i].loop, name);
        if (annotation_is_called(name, wanted) || strcmp(part_loop_label(source, label), wanted) == 0)
            return hot[i].loop;
    }
    return PART_NONE;
}

/* Compilers put what they made of a function behind its name: "solve.constprop.0". */
static bool is_function(const struct part_source *source, const char *name) {
    char function[PART_FUNCTION_BYTES];
    const size_t length = strlen(name), end = (size_t)part_function(function, source->function, source->object);
    const bool begins = strncmp(source->function, name, length) == 0;
    return (begins && (source->function[length] == '\0' || source->function[length] == '.')) ||
           strcmp(function, name) == 0 || (length == end && strncmp(function, name, end) == 0);
}

/* The first line of the function; NULL. */
static const struct part_source *function_called(const struct annotate_from *from, const char *wanted) {
    const struct profile_parts *parts = from->parts;
    const size_t length = strlen(from->program);
    const bool whole = strncmp(wanted, from->program, length) == 0 && wanted[length] == '/';
    const char *own = whole ? wanted + length + 1 : wanted;
    for (size_t i = 0; i < parts->line_count; i++)
        if (is_function(&parts->lines[i].source, own))
            return &parts->lines[i].source;
    return NULL;
}

/* What is being annotated. */
struct annotating {
    const struct annotate_from *from;
    struct source_texts texts;
    struct annotation *out;
    size_t count;
};

static void add_loop(struct annotating *making, uint32_t loop) {
    const struct profile_loop *from = &making->from->parts->loops[loop];
    struct annotation *out = &making->out[making->count++];
    const struct annotated_code code = {making->from, loop, NULL};
    *out = (struct annotation){.is_loop = true, .iterations = from->iterations};
    name_loop(making->from, loop, out->name);
    part_owner(out->function, &from->source);
    snprintf(out->object, sizeof out->object, "%.127s", from->source.object);
    annotate_code(&code, &making->texts, out);
}

static void add_function(struct annotating *making, const struct part_source *source) {
    struct annotation *out = &making->out[making->count++];
    const struct annotated_code code = {making->from, PART_NONE, source};
    *out = (struct annotation){.is_loop = false};
    char own[PART_FUNCTION_BYTES];
    part_function(out->function, source->function, source->object);
    own[part_function(own, source->function, source->object)] = '\0';
    snprintf(out->name, sizeof out->name, "%.31s/%s", making->from->program, part_cut(own, 60, own));
    snprintf(out->object, sizeof out->object, "%.127s", source->object);
    annotate_code(&code, &making->texts, out);
}

/* What is not worth a look has less than a hundredth of what the hottest one has. */
static void add_hottest(struct annotating *making, const struct hot_loop *hot, uint32_t but) {
    for (size_t i = 0; i < making->from->parts->loop_count && making->count < ANNOTATIONS_MOST; i++)
        if (hot[i].loop != but && 100 * hot[i].hits >= hot[0].hits && 100 * hot[i].instructions >= hot[0].instructions)
            add_loop(making, hot[i].loop);
    for (size_t i = 0; i < making->count; i++)
        snprintf(making->out[i].program, sizeof making->out[i].program, "%s", making->from->program);
}

/* Letters to be changed, added or left out to make one of the other (Levenshtein). */
static unsigned edits_between(const char *a, const char *b) {
    unsigned row[PART_FUNCTION_BYTES + 1];
    const size_t length = strnlen(b, PART_FUNCTION_BYTES);
    for (unsigned j = 0; j <= length; j++)
        row[j] = j;
    for (unsigned i = 0; a[i]; i++) {
        unsigned corner = row[0];
        row[0] = i + 1;
        for (unsigned j = 0; j < length; j++) {
            const unsigned above = row[j + 1], change = corner + (a[i] != b[j]),
                           gap = (above < row[j] ? above : row[j]) + 1;
            corner = above;
            row[j + 1] = change < gap ? change : gap;
        }
    }
    return row[length];
}

/* Names that are nearest to what was asked for, the nearest first. */
struct near_names {
    size_t count;
    struct near_name {
        unsigned edits;
        char name[PART_FUNCTION_BYTES];
    } of[3];
};
enum { NEAR_MOST = sizeof((struct near_names *)0)->of / sizeof((struct near_names *)0)->of[0] };

/* A name is near that holds the other, or differs in a third of its letters. */
static void consider(struct near_names *near, const char *wanted, const char *name) {
    const unsigned edits = strcasestr(name, wanted) || strcasestr(wanted, name) ? 0 : edits_between(wanted, name);
    size_t at = near->count;
    if (3 * edits > strlen(wanted))
        return;
    for (size_t i = 0; i < near->count; i++)
        if (strcmp(near->of[i].name, name) == 0)
            return;
    while (at > 0 && near->of[at - 1].edits > edits)
        at--;
    if (at == NEAR_MOST)
        return;
    near->count += near->count < NEAR_MOST;
    memmove(&near->of[at + 1], &near->of[at], (near->count - at - 1) * sizeof near->of[0]);
    near->of[at].edits = edits;
    snprintf(near->of[at].name, sizeof near->of[at].name, "%s", name);
}

/* "; did you mean solve, solve:17?"; else how names are found. */
static const char *say_near(const struct annotate_from *from, const char *wanted, char *out, size_t size) {
    const struct profile_parts *parts = from->parts;
    struct near_names near = {0};
    char name[PART_FUNCTION_BYTES], label[PART_LABEL_BYTES];
    for (size_t i = 0; i < parts->line_count; i++) {
        name[part_function(name, parts->lines[i].source.function, parts->lines[i].source.object)] = '\0';
        consider(&near, wanted, name);
    }
    for (size_t i = 0; i < parts->loop_count; i++)
        consider(&near, wanted, part_loop_label(&parts->loops[i].source, label));
    size_t length = 0;
    snprintf(out, size, "; --annotate alone shows the hottest loop, --by loop names others");
    for (size_t i = 0; i < near.count && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s%s", i ? ", " : "; did you mean ", near.of[i].name,
                                   i + 1 == near.count ? "?" : "");
    return out;
}

static bool refuse(const struct annotate_from *from, const char *wanted, struct error *err) {
    char near[3 * PART_FUNCTION_BYTES + 32];
    if (*wanted)
        return error_set(err, "--annotate=%s: no loop and no function that ran is called so%s", wanted,
                         say_near(from, wanted, near, sizeof near));
    return error_set(err, "--annotate: nothing in the program went round; --annotate=FUNCTION shows a function's code");
}

bool annotate(const struct annotate_from *from, const char *wanted, struct annotation **out, size_t *count,
              struct error *err) {
    struct hot_loop *hot = find_hottest(from);
    struct annotating making = {.from = from, .out = need_calloc(ANNOTATIONS_MOST, sizeof *making.out)};
    const uint32_t named = *wanted ? loop_called(from, hot, wanted) : PART_NONE;
    const struct part_source *function = *wanted && named == PART_NONE ? function_called(from, wanted) : NULL;
    if (named != PART_NONE)
        add_loop(&making, named);
    else if (function != NULL)
        add_function(&making, function);
    const bool found = making.count > 0 || (!*wanted && from->parts->loop_count > 0);
    add_hottest(&making, hot, named);
    *out = making.out;
    *count = making.count;
    source_texts_free(&making.texts);
    free(hot);
    return found || refuse(from, wanted, err);
}
