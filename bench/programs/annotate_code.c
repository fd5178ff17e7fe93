/* SPDX-License-Identifier: BSD-3-Clause
 * Places of a profile → an annotation (see annotate_code.h). */
#include "annotate_code.h"
#include "part_label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static double share_of(double part, double whole) {
    return whole > 0 ? fmin(1, part / whole) : 0;
}

static bool is_of(const struct annotated_code *code, const struct profile_place *place) {
    if (code->function != NULL) {
        const struct part_source *own = &code->from->parts->lines[place->line].source;
        return own->function == code->function->function && own->object == code->function->object;
    }
    uint32_t loop = place->loop;
    while (loop != PART_NONE && loop != code->loop)
        loop = code->from->parts->loops[loop].parent;
    return loop == code->loop;
}

/* An instruction on its way. */
struct chosen_place {
    uint64_t hits, executions;
    size_t place;
};

static int most_first(const void *a, const void *b) {
    const struct chosen_place *x = a, *y = b;
    if (x->hits != y->hits)
        return x->hits < y->hits ? 1 : -1;
    if (x->executions != y->executions)
        return x->executions < y->executions ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b) {
    const struct chosen_place *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Those that matter most where there are too many, by address; allocated. */
static struct chosen_place *choose(const struct annotated_code *code, struct annotation *out) {
    struct chosen_place *chosen = need_calloc(code->from->parts->place_count + 1, sizeof *chosen);
    size_t count = 0;
    uint64_t hits = 0;
    for (size_t i = 0; i < code->from->parts->place_count; i++)
        if (is_of(code, &code->from->parts->places[i])) {
            chosen[count++] = (struct chosen_place){code->from->hits[i], code->from->parts->places[i].executions, i};
            hits += code->from->hits[i];
        }
    if (count > ANNOTATION_INSTRUCTIONS) {
        qsort(chosen, count, sizeof *chosen, most_first);
        out->left_out = (unsigned)count - ANNOTATION_INSTRUCTIONS;
        count = ANNOTATION_INSTRUCTIONS;
        qsort(chosen, count, sizeof *chosen, by_place);
    }
    out->instruction_count = count;
    out->samples = code->from->all_hits;
    out->time_share = share_of((double)hits, code->from->all_hits);
    return chosen;
}

/* But for its text. */
static struct annotated_line line_of(const struct part_source *source) {
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

/* The lines that have code, each once, and those few between two of them that have none. */
static void find_lines(const struct annotated_code *code, const struct chosen_place *chosen, struct annotation *out) {
    enum { GAP_MOST = 2 };
    struct annotated_line *found = need_calloc(out->instruction_count + 1, sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < out->instruction_count; i++) {
        const struct part_source *source =
            &code->from->parts->lines[code->from->parts->places[chosen[i].place].line].source;
        if (source->line > 0)
            found[count++] = line_of(source);
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

/* As the files are now: a note tells where one is newer than the program. */
static void read_texts(const struct annotated_code *code, const struct chosen_place *chosen, struct source_texts *texts,
                       struct annotation *out) {
    for (size_t i = 0; i < out->line_count; i++) {
        struct annotated_line *line = &out->lines[i];
        source_texts_line(texts, line->file, line->line, line->text, sizeof line->text);
        const char *built = code->from->parts->places[chosen[0].place].path;
        out->source_newer |= line->text[0] != '\0' && source_texts_newer(line->file, built);
    }
}

static struct annotated_instruction instruction_of(const struct annotated_code *code, size_t index,
                                                   const struct annotation *out) {
    const struct profile_place *place = &code->from->parts->places[index];
    const struct part_source *source = &code->from->parts->lines[place->line].source;
    const struct annotated_line own = line_of(source);
    struct annotated_instruction to = {.offset = place->start - place->function_start,
                                       .code_bytes = place->code_bytes,
                                       .executions = place->executions,
                                       .flop = place->flop,
                                       .load_bytes = place->load_bytes,
                                       .store_bytes = place->store_bytes,
                                       .data_bits = 8U * place->data_bytes,
                                       .time_share = share_of(code->from->hits[index], code->from->all_hits)};
    instruction_text(place->code, place->code_bytes, to.offset, to.text, sizeof to.text);
    const struct annotated_line *line =
        source->line > 0 ? bsearch(&own, out->lines, out->line_count, sizeof own, by_line) : NULL;
    to.line = line != NULL ? 1 + (unsigned)(line - out->lines) : 0;
    return to;
}

void annotate_code(const struct annotated_code *code, struct source_texts *texts, struct annotation *out) {
    struct chosen_place *chosen = choose(code, out);
    find_lines(code, chosen, out);
    read_texts(code, chosen, texts, out);
    out->instructions = need_calloc(out->instruction_count + 1, sizeof *out->instructions);
    for (size_t i = 0; i < out->instruction_count; i++)
        out->instructions[i] = instruction_of(code, chosen[i].place, out);
    free(chosen);
}
