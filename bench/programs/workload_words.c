/* SPDX-License-Identifier: BSD-3-Clause
 * The arguments of carmine-workload (see workload_words.h). */
#include "workload_words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void workload_words_add(struct workload_words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->text[words->count++], WORKLOAD_WORD_BYTES, format, arguments);
    va_end(arguments);
}

void workload_words_list(const struct workload_request *request, struct workload_words *out) {
    size_t listed = 0;
    out->argv[listed++] = (char *)request->program;
    out->argv[listed++] = (char *)request->name;
    for (size_t i = 0; i < out->count; i++)
        out->argv[listed++] = out->text[i];
    if (request->own) {
        snprintf(out->file, sizeof out->file, "file=%s", request->own->library);
        out->argv[listed++] = out->file;
    }
    out->argv[listed] = NULL;
}

void workload_words_make(const struct workload_request *request, unsigned repetitions, struct workload_words *out) {
    out->count = 0;
    workload_words_add(out, "size=%" PRIu64, request->size);
    workload_words_add(out, "type=%s", request->type);
    workload_words_add(out, "threads=%u", request->threads);
    workload_words_add(out, "data=%s", app_state_names[request->data]);
    workload_words_add(out, "code=%s", app_state_names[request->code]);
    if (request->tlb == STATE_COLD)
        workload_words_add(out, "tlb=%s", app_state_names[request->tlb]);
    workload_words_add(out, "repeat=%u", repetitions ? repetitions : 1);
    if (!repetitions) { /* for one run one copy: making more would be counted, too, or simulated */
        workload_words_add(out, "runs=1");
        workload_words_add(out, "counted=1");
        workload_words_add(out, "cold-by=flush");
    } else if (request->cycles > 0)
        workload_words_add(out, "cycles=%.0f", request->cycles);
    if (repetitions && request->budget_s > 0)
        workload_words_add(out, "budget=%g", request->budget_s);
    if (request->isa)
        workload_words_add(out, "isa=%s", request->isa);
    if (request->block)
        workload_words_add(out, "block=%u", request->block);
    workload_words_list(request, out);
}

void workload_words_join(const struct workload_words *words, char *out, size_t size) {
    size_t length = (size_t)snprintf(out, size, "carmine-workload");
    for (size_t i = 1; words->argv[i] && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, " %s", words->argv[i]);
}
