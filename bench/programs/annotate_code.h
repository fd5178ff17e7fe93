/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions of one loop or function, with their lines. */
#ifndef BENCH_PROGRAMS_ANNOTATE_CODE_H
#define BENCH_PROGRAMS_ANNOTATE_CODE_H

#include "annotate.h"

#include "bench/profile/source_text.h"

struct annotated_code {
    const struct annotate_from *from;
    uint32_t loop;                      /* with those within it; PART_NONE: of */
    const struct part_source *function; /* this one's code, whatever was inlined included */
};

/* Fills instructions and lines, and what follows from them. */
void annotate_code(const struct annotated_code *code, struct source_texts *texts, struct annotation *out);

#endif
