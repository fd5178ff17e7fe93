/* SPDX-License-Identifier: BSD-3-Clause
 * Prefetches in kernels that walk over memory: which instruction, and how far ahead of the access. */
#ifndef ASM_PREFETCH_H
#define ASM_PREFETCH_H

enum prefetch_hint {
    PREFETCH_NONE, /* no prefetch */
    PREFETCH_KEPT, /* into all levels: will be used again */
    PREFETCH_ONCE, /* as near to the core, to be used once: past levels where the core can */
    PREFETCH_HINTS,
};

/* Each line is prefetched once, just before the first access to the line that stands so much earlier in the same
 * stream: where several streams share a block, each goes on in its own part of the next block. */
struct prefetch {
    enum prefetch_hint hint;
    unsigned distance_bytes; /* whole lines; 0: the line that is accessed next */
};

/* The architecture's instruction, "prefetcht0", and what tells it from the others, "t0"; "" of PREFETCH_NONE. */
const char *prefetch_instruction(enum prefetch_hint hint);
const char *prefetch_suffix(enum prefetch_hint hint);

#endif
