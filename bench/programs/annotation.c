/* SPDX-License-Identifier: BSD-3-Clause
 * Values derived from an annotation, and its release (see annotation.h). */
#include "annotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWNER_CHARACTERS = 10 };

struct annotated_sums annotation_sums(const struct annotation *annotation, size_t line) {
    struct annotated_sums sums = {0};
    for (size_t i = 0; i < annotation->instruction_count; i++) {
        const struct annotated_instruction *one = &annotation->instructions[i];
        if (one->line != line + 1)
            continue;
        sums.executions = one->executions > sums.executions ? one->executions : sums.executions;
        sums.flop += one->flop;
        sums.load_bytes += one->load_bytes;
        sums.store_bytes += one->store_bytes;
        sums.time_share += one->time_share;
    }
    return sums;
}

bool annotation_has_text(const struct annotation *annotation) {
    for (size_t i = 0; i < annotation->line_count; i++)
        if (annotation->lines[i].text[0])
            return true;
    return false;
}

static const char *name_of_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *annotated_line_label(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]) {
    if (*line->text == '\0' && !*line->inlined)
        snprintf(out, ANNOTATED_LABEL_BYTES, "%.40s:%u", name_of_file(line->file), line->line);
    else if (*line->inlined)
        snprintf(out, ANNOTATED_LABEL_BYTES, "%.*s:%u", OWNER_CHARACTERS, line->inlined, line->line);
    else
        snprintf(out, ANNOTATED_LABEL_BYTES, "%u", line->line);
    return out;
}

const char *annotated_line_heading(const struct annotated_line *line, char out[ANNOTATED_LABEL_BYTES]) {
    snprintf(out, ANNOTATED_LABEL_BYTES, "%.80s%s%.60s", line->inlined, *line->inlined ? ", inlined: " : "",
             name_of_file(line->file));
    return out;
}

bool annotation_is_called(const char *name, const char *wanted) {
    const char *slash = strchr(name, '/');
    return strcmp(name, wanted) == 0 || (slash != NULL && strcmp(slash + 1, wanted) == 0);
}

void annotation_free(struct annotation *annotation) {
    free(annotation->lines);
    free(annotation->instructions);
}

void annotations_free(struct annotation *annotations, size_t count) {
    for (size_t i = 0; i < count; i++)
        annotation_free(&annotations[i]);
    free(annotations);
}
