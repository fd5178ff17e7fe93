/* SPDX-License-Identifier: BSD-3-Clause
 * Selects the loops to annotate, and annotates their code (see annotate.h). */
#include "annotate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop_time.h"

#include "bench/names/lines.h"
#include "bench/names/symbols.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

/* The instructions of one loop or function, with their lines.
 *
 * Places of a profile → an annotation. */

struct annotated_code {
    const struct annotate_from *from;
    uint32_t loop;                      /* includes inner loops; PART_NONE: `function` instead */
    const struct part_source *function; /* its code, with all inlined functions */
};

static double annotate_share_of(double part, double whole) {
    return whole > 0 ? fmin(1, part / whole) : 0;
}

static bool annotate_is_of(const struct annotated_code *code, const struct profile_place *place) {
    if (code->function != NULL) {
        const struct part_source *own = &code->from->parts->lines[place->line].source;
        return own->function == code->function->function && own->object == code->function->object;
    }
    uint32_t loop = place->loop;
    while (loop != PART_NONE && loop != code->loop)
        loop = code->from->parts->loops[loop].parent;
    return loop == code->loop;
}

/* A place or loop that is being sorted. */
struct ranked_part {
    uint64_t hits, executions; /* of a loop: the instructions executed of its own code */
    uint32_t index;
};

static int annotate_most_first(const void *a, const void *b) {
    const struct ranked_part *x = a, *y = b;
    if (x->hits != y->hits)
        return x->hits < y->hits ? 1 : -1;
    if (x->executions != y->executions)
        return x->executions < y->executions ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static int annotate_by_place(const void *a, const void *b) {
    const struct ranked_part *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* The places in order of address; if there are too many, those that matter most. Allocated. */
static struct ranked_part *annotate_choose(const struct annotated_code *code, struct annotation *out) {
    struct ranked_part *chosen = need_calloc(code->from->parts->place_count + 1, sizeof *chosen);
    size_t count = 0;
    uint64_t hits = 0;
    for (size_t i = 0; i < code->from->parts->place_count; i++)
        if (annotate_is_of(code, &code->from->parts->places[i])) {
            chosen[count++] =
                (struct ranked_part){code->from->hits[i], code->from->parts->places[i].executions, (uint32_t)i};
            hits += code->from->hits[i];
        }
    if (count > ANNOTATION_INSTRUCTIONS) {
        qsort(chosen, count, sizeof *chosen, annotate_most_first);
        out->left_out = (unsigned)count - ANNOTATION_INSTRUCTIONS;
        count = ANNOTATION_INSTRUCTIONS;
        qsort(chosen, count, sizeof *chosen, annotate_by_place);
    }
    out->instruction_count = count;
    out->samples = code->from->all_hits;
    out->time_share = annotate_share_of((double)hits, code->from->all_hits);
    return chosen;
}

/* Without its text. */
static struct annotated_line annotate_line_of(const struct part_source *source) {
    struct annotated_line line = {.line = source->line};
    snprintf(line.file, sizeof line.file, "%.191s", source->file);
    if (*source->inlined) {
        const int length = part_function(line.inlined, source->inlined, source->object);
        line.inlined[length] = '\0';
    }
    return line;
}

static int by_line(const void *a, const void *b) {
    const struct annotated_line *x = a, *y = b;
    int order = strcmp(x->inlined, y->inlined);
    order = order != 0 ? order : strcmp(x->file, y->file);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static bool is_one_file(const struct annotated_line *a, const struct annotated_line *b) {
    return strcmp(a->file, b->file) == 0 && strcmp(a->inlined, b->inlined) == 0;
}

/* The lines with code, each once, and gaps of up to GAP_MOST lines between them. */
static void find_lines(const struct annotated_code *code, const struct ranked_part *chosen, struct annotation *out) {
    enum { GAP_MOST = 2 };
    struct annotated_line *found = need_calloc(out->instruction_count + 1, sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < out->instruction_count; i++) {
        const struct part_source *source =
            &code->from->parts->lines[code->from->parts->places[chosen[i].index].line].source;
        if (source->line > 0)
            found[count++] = annotate_line_of(source);
    }
    qsort(found, count, sizeof *found, by_line);
    out->lines = need_calloc(ANNOTATION_LINES + 1, sizeof *out->lines);
    for (size_t i = 0; i < count; i++) {
        struct annotated_line *last = out->line_count > 0 ? &out->lines[out->line_count - 1] : NULL;
        const bool follows = last != NULL && is_one_file(last, &found[i]);
        if (follows && last->line == found[i].line)
            continue;
        for (unsigned line = follows ? last->line + 1 : found[i].line;
             found[i].line - line <= GAP_MOST && line < found[i].line; line++) {
            out->lines[out->line_count] = found[i];
            out->lines[out->line_count++].line = line;
        }
        out->lines[out->line_count++] = found[i];
    }
    free(found);
}

/* From the current files; source_newer is set if one is newer than the program. */
static void read_texts(const struct annotated_code *code, const struct ranked_part *chosen, struct source_texts *texts,
                       struct annotation *out) {
    for (size_t i = 0; i < out->line_count; i++) {
        struct annotated_line *line = &out->lines[i];
        source_texts_line(texts, line->file, line->line, line->text, sizeof line->text);
        const char *built = code->from->parts->places[chosen[0].index].path;
        out->source_newer |= line->text[0] != '\0' && source_texts_newer(line->file, built);
    }
}

static struct annotated_instruction annotate_instruction_of(const struct annotated_code *code, size_t index,
                                                            const struct annotation *out) {
    const struct profile_place *place = &code->from->parts->places[index];
    const struct part_source *source = &code->from->parts->lines[place->line].source;
    const struct annotated_line own = annotate_line_of(source);
    struct annotated_instruction to = {.offset = place->start - place->function_start,
                                       .code_bytes = place->code_bytes,
                                       .executions = place->executions,
                                       .flop = place->flop,
                                       .load_bytes = place->load_bytes,
                                       .store_bytes = place->store_bytes,
                                       .data_bits = 8U * place->data_bytes,
                                       .time_share = annotate_share_of(code->from->hits[index], code->from->all_hits)};
    instruction_text(place->code, place->code_bytes, to.offset, to.text, sizeof to.text);
    const struct annotated_line *line =
        source->line > 0 ? bsearch(&own, out->lines, out->line_count, sizeof own, by_line) : NULL;
    to.line = line != NULL ? 1 + (unsigned)(line - out->lines) : 0;
    return to;
}

/* Adds the core's time for each instruction of a loop. */
static void add_loop_time(const struct annotated_code *code, uint32_t loop, const struct ranked_part *chosen,
                          struct annotation *out) {
    struct loop_detail detail;
    if (!loop_detail_find(code->from->parts, loop, code->from->core, &detail))
        return;
    for (size_t i = 0, k = 0; i < detail.count; i++) {
        const size_t place = (size_t)(detail.places[i] - code->from->parts->places);
        while (k < out->instruction_count && chosen[k].index < place)
            k++;
        if (k == out->instruction_count || chosen[k].index != place)
            continue;
        out->instructions[k].chain_cycles = detail.in_core.of[i].chain_cycles;
        out->instructions[k].ports_cycles = detail.in_core.of[i].ports_cycles;
    }
    loop_detail_free(&detail);
}

static void add_loop_times(const struct annotated_code *code, const struct ranked_part *chosen,
                           struct annotation *out) {
    bool *done = need_calloc(code->from->parts->loop_count + 1, sizeof *done);
    for (size_t i = 0; i < out->instruction_count; i++) {
        const uint32_t loop = code->from->parts->places[chosen[i].index].loop;
        if (loop == PART_NONE || done[loop])
            continue;
        done[loop] = true;
        add_loop_time(code, loop, chosen, out);
    }
    free(done);
}

/* Fills instructions and lines, and the values derived from them. */
static void annotate_code(const struct annotated_code *code, struct source_texts *texts, struct annotation *out) {
    struct ranked_part *chosen = annotate_choose(code, out);
    find_lines(code, chosen, out);
    read_texts(code, chosen, texts, out);
    out->instructions = need_calloc(out->instruction_count + 1, sizeof *out->instructions);
    for (size_t i = 0; i < out->instruction_count; i++)
        out->instructions[i] = annotate_instruction_of(code, chosen[i].index, out);
    add_loop_times(code, chosen, out);
    free(chosen);
}

enum { FEW_SAMPLES = 100 };

/* One for each loop, the hottest first; allocated. */
static struct ranked_part *find_hottest(const struct annotate_from *from) {
    const struct profile_parts *parts = from->parts;
    struct ranked_part *hot = need_calloc(parts->loop_count + 1, sizeof *hot);
    for (uint32_t i = 0; i < parts->loop_count; i++)
        hot[i] = (struct ranked_part){.executions = parts->loops[i].own.instructions, .index = i};
    for (size_t i = 0; from->all_hits >= FEW_SAMPLES && i < parts->place_count; i++)
        if (parts->places[i].loop != PART_NONE)
            hot[parts->places[i].loop].hits += from->hits[i];
    qsort(hot, parts->loop_count, sizeof *hot, annotate_most_first);
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

/* The hottest loop with that name; PART_NONE. */
static uint32_t loop_called(const struct annotate_from *from, const struct ranked_part *hot, const char *wanted) {
    char name[NAME_BYTES], label[PART_LABEL_BYTES];
    for (size_t i = 0; i < from->parts->loop_count; i++) {
        const struct part_source *source = &from->parts->loops[hot[i].index].source;
        name_loop(from, hot[i].index, name);
        if (annotation_is_called(name, wanted) || strcmp(part_loop_label(source, label), wanted) == 0)
            return hot[i].index;
    }
    return PART_NONE;
}

/* Compilers append a suffix to variants of a function: "solve.constprop.0". */
static bool is_function(const struct part_source *source, const char *name) {
    char function[PART_FUNCTION_BYTES];
    const size_t length = strlen(name), end = (size_t)part_function(function, source->function, source->object);
    const bool begins = strncmp(source->function, name, length) == 0;
    return (begins && (source->function[length] == '\0' || source->function[length] == '.')) ||
           strcmp(function, name) == 0 || (length == end && strncmp(function, name, end) == 0);
}

/* The first line of the function; NULL: none. */
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

/* The annotations so far. */
struct annotating {
    const struct annotate_from *from;
    struct source_texts texts;
    struct annotation *out;
    size_t count;
};

static void annotate_add_loop(struct annotating *making, uint32_t loop) {
    const struct profile_loop *from = &making->from->parts->loops[loop];
    struct annotation *out = &making->out[making->count++];
    const struct annotated_code code = {making->from, loop, NULL};
    *out = (struct annotation){.is_loop = true, .iterations = from->iterations};
    name_loop(making->from, loop, out->name);
    part_owner(out->function, &from->source);
    snprintf(out->object, sizeof out->object, "%.127s", from->source.object);
    annotate_code(&code, &making->texts, out);
}

static void annotate_add_function(struct annotating *making, const struct part_source *source) {
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

/* Adds other loops with at least a hundredth of the hottest one's samples and instructions. */
static void add_hottest(struct annotating *making, const struct ranked_part *hot, uint32_t but) {
    for (size_t i = 0; i < making->from->parts->loop_count && making->count < ANNOTATIONS_MOST; i++)
        if (hot[i].index != but && 100 * hot[i].hits >= hot[0].hits && 100 * hot[i].executions >= hot[0].executions)
            annotate_add_loop(making, hot[i].index);
    for (size_t i = 0; i < making->count; i++)
        snprintf(making->out[i].program, sizeof making->out[i].program, "%s", making->from->program);
}

/* Edit distance (Levenshtein). */
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

/* The names nearest to the requested one, the nearest first. */
struct near_names {
    size_t count;
    struct near_name {
        unsigned edits;
        char name[PART_FUNCTION_BYTES];
    } of[3];
};
enum { NEAR_MOST = sizeof((struct near_names *)0)->of / sizeof((struct near_names *)0)->of[0] };

/* A name is near if one contains the other, or if they differ in at most a third of the letters. */
static void annotate_consider(struct near_names *near, const char *wanted, const char *name) {
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

/* "; did you mean solve, solve:17?"; or how to find names. */
static const char *say_near(const struct annotate_from *from, const char *wanted, char *out, size_t size) {
    const struct profile_parts *parts = from->parts;
    struct near_names near = {0};
    char name[PART_FUNCTION_BYTES], label[PART_LABEL_BYTES];
    for (size_t i = 0; i < parts->line_count; i++) {
        name[part_function(name, parts->lines[i].source.function, parts->lines[i].source.object)] = '\0';
        annotate_consider(&near, wanted, name);
    }
    for (size_t i = 0; i < parts->loop_count; i++)
        annotate_consider(&near, wanted, part_loop_label(&parts->loops[i].source, label));
    snprintf(out, size, "%s", near.count ? "" : "; --annotate alone shows the hottest loop, --by loop lists others");
    for (size_t i = 0; i < near.count; i++)
        text_append(out, size, "%s%s%s", i ? ", " : "; did you mean ", near.of[i].name, i + 1 == near.count ? "?" : "");
    return out;
}

static bool annotate_refuse(const struct annotate_from *from, const char *wanted, struct error *err) {
    char near[3 * PART_FUNCTION_BYTES + 32];
    if (*wanted)
        return error_set(err, "--annotate=%s: no executed loop or function has this name%s", wanted,
                         say_near(from, wanted, near, sizeof near));
    return error_set(err, "--annotate: the program executed no loop; --annotate=FUNCTION shows a function's code");
}

bool annotate(const struct annotate_from *from, const char *wanted, struct annotation **out, size_t *count,
              struct error *err) {
    struct ranked_part *hot = find_hottest(from);
    struct annotating making = {.from = from, .out = need_calloc(ANNOTATIONS_MOST, sizeof *making.out)};
    const uint32_t named = *wanted ? loop_called(from, hot, wanted) : PART_NONE;
    const struct part_source *function = *wanted && named == PART_NONE ? function_called(from, wanted) : NULL;
    if (named != PART_NONE)
        annotate_add_loop(&making, named);
    else if (function != NULL)
        annotate_add_function(&making, function);
    const bool found = making.count > 0 || (!*wanted && from->parts->loop_count > 0);
    add_hottest(&making, hot, named);
    *out = making.out;
    *count = making.count;
    source_texts_free(&making.texts);
    free(hot);
    return found || annotate_refuse(from, wanted, err);
}

/* Labels of parts. */

int part_function(char out[PART_FUNCTION_BYTES], const char *name, const char *object) {
    char own[512];
    demangle(*name ? name : object, own, sizeof own);
    snprintf(out, PART_FUNCTION_BYTES, "%.127s", own);
    const size_t length = demangle_short(own);
    return (int)(length < PART_FUNCTION_BYTES ? length : PART_FUNCTION_BYTES - 1);
}

int part_owner(char out[PART_FUNCTION_BYTES], const struct part_source *source) {
    return part_function(out, *source->inlined ? source->inlined : source->function, source->object);
}

const char *part_cut(char *out, size_t most, const char *text) {
    static const char MARK[] = "…";
    size_t length = strlen(text);
    if (length > most) {
        length = most - strlen(MARK);
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) /* not within a UTF-8 character */
            length--;
    }
    const bool cut = text[length] != '\0';
    for (size_t i = 0; i < length; i++)
        out[i] = text[i];
    strcpy(out + length, cut ? MARK : "");
    return out;
}

const char *part_loop_label(const struct part_source *source, char out[PART_LABEL_BYTES]) {
    char function[PART_FUNCTION_BYTES];
    function[part_owner(function, source)] = '\0';
    if (source->line > 0)
        snprintf(out, PART_LABEL_BYTES, "%s:%u", part_cut(function, 48, function), source->line);
    else
        snprintf(out, PART_LABEL_BYTES, "%s loop %#" PRIx64, part_cut(function, 36, function), source->offset);
    return out;
}
