/* SPDX-License-Identifier: BSD-3-Clause
 * What the counter keeps per thread, at the base of its gs segment, which the program must not use itself. The code in
 * the cache addresses it as gs:offset. */
#ifndef BENCH_COUNT_CONTEXT_H
#define BENCH_COUNT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CONTEXT_LOOKUPS = 1 << 16,  /* places of the table for indirect branches: the low 16 bits of the target */
    CONTEXT_COUNTERS = 1 << 20, /* blocks, and instructions with counters of their own */
    CONTEXT_STACK_BYTES = 1 << 17,
    CONTEXT_STATE_BYTES = 1 << 14, /* of the CPU's vector state; AMX needs 11 KiB */
    CONTEXT_SIGNALS = 64,
    CONTEXT_REGIONS = 256,     /* with [0], the whole program */
    CONTEXT_THREADS = 1 << 16, /* of a process, but for those that were folded */
};

struct registers {
    uint64_t rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, flags, rsp;
};

/* What sequences of the cache and the dispatcher leave for each other. A signal's handler runs in the middle of them,
 * so all of it is put aside while it does. */
struct passing {
    uint64_t target;                             /* address in the program to go to, when `exit` is 0 */
    uint64_t exit;                               /* which exit of the cache was taken */
    uint64_t resume;                             /* address in the cache to go on at */
    uint64_t after;                              /* the same, once the signal mask is set */
    uint64_t mask;                               /* signal mask to set */
    uint64_t masked;                             /* 1: `mask` has to be set on the way back into the cache */
    uint64_t lookup_rax, lookup_rcx, lookup_rdx; /* the program's, during an indirect branch */
    uint64_t scratch, scratch2;                  /* of it during the sequences that count */
    uint64_t relative;                           /* of it where an address of the program is too far away */
    struct registers registers;                  /* all of it, in the dispatcher */
    uint64_t unmask[7];                          /* rax rdi rsi rdx r10 rcx r11, while the mask is set */
};

struct interruption { /* a signal whose handler has not returned yet */
    uint64_t frame;   /* where its frame lies on the stack */
    uint64_t cache_rip, program_rip;
    uint32_t part;   /* counter of the part of a block that the count has to be put right by; 0: none */
    uint32_t repeat; /* counter of a repeated instruction that was stopped on its way; 0: none */
    uint32_t ahead;  /* counter for the copies of a loop that were counted and not reached yet; 0: none */
    uint64_t part_count, repeat_count, ahead_count; /* what was added to them, modulo 2^64 */
    struct passing passing;
};

struct lookup {
    uint64_t target, code;
};

struct context {
    struct context *self;
    uint64_t stack, dispatch; /* the dispatcher's stack (its end) and address */
    uint64_t signal_stack;    /* the end of the stack on which signals are received */
    struct passing passing;
    uint8_t tiles[64]; /* how AMX tiles are configured, as sttilecfg writes it */

    struct context *next, *creator; /* all threads of the process; the first is its own creator */
    uint32_t tid, index;
    uint32_t position;                /* in the report */
    bool busy;                        /* in the dispatcher */
    bool ended;                       /* its last system call was reached */
    struct region_frame *frames;      /* open regions, the innermost first */
    uint32_t covers[CONTEXT_REGIONS]; /* how many open frames of each region cover it */
    uint32_t pending_region;          /* named by the hook, for the next begin mark */
    uint32_t last_region;             /* of the last end mark; 0: none was open */
    unsigned interruption_count;
    struct interruption interruptions[CONTEXT_SIGNALS];
    uint64_t action[4]; /* what is given to the kernel's sigaction */
    uint8_t state[CONTEXT_STATE_BYTES] __attribute__((aligned(64)));
    struct lookup lookups[CONTEXT_LOOKUPS];
    uint64_t counters[CONTEXT_COUNTERS];
    uint8_t dispatcher_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
    uint8_t receiving_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
};
#define CONTEXT_OFFSET(member) ((uint32_t)offsetof(struct context, member))
#define PASSING_OFFSET(member) CONTEXT_OFFSET(passing.member)

#endif
