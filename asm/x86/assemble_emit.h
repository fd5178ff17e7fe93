/* SPDX-License-Identifier: BSD-3-Clause
 * The emitter of kernels that are assembled while the program runs: each instruction is encoded by Zydis and counted as
 * it is written. It knows encodings and the kernels' frame, and nothing of what kernels do. */
#ifndef ASM_ASSEMBLE_EMIT_H
#define ASM_ASSEMBLE_EMIT_H

#include "asm/assemble_pages.h"
#include "asm/kernel.h"
#include "probe/error.h"

struct emission {
    const struct isa *isa;
    enum element_type type;
    bool x87, vex, packed, fused;
    bool fenced;          /* stores went past the caches: they are waited for at the end */
    bool in_loop, failed; /* failed: an instruction was refused; emit_end says which */
    struct cost cost;
    unsigned step_bytes;
    struct pages pages;
    size_t used_bytes;             /* of the code */
    size_t outer, inner, skips[2]; /* offsets in the code: loop heads, branches to the end */
    unsigned accumulators;
    const char *parts;
    struct error why;
};

enum emitted_access { EMIT_LOAD, EMIT_STORE, EMIT_STORE_PAST_CACHES }; /* the last of whole vectors alone */

/* Registers that the constants of these operations take (not x87, which always takes one). */
unsigned emit_constants(const char *parts);

/* The kernel's frame, in this order; emit_end makes the pages executable. Error: no memory, or none that may execute;
 * an instruction that the encoder refuses. The
 * pages are the caller's to release in any case. */
bool emit_begin(struct emission *e, const struct isa *isa, enum element_type type, bool fused, struct error *err);
void emit_constants_load(struct emission *e, const char *parts, unsigned accumulators);
void emit_loop(struct emission *e);
void emit_operation(struct emission *e, char letter, unsigned accumulator);
void emit_access(struct emission *e, enum emitted_access access, unsigned offset_bytes, unsigned load_register);
void emit_prefetch(struct emission *e, enum prefetch_hint hint, unsigned offset_bytes);
void emit_loop_end(struct emission *e, unsigned step_bytes);
bool emit_end(struct emission *e, struct error *err);

#endif
