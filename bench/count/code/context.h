/* SPDX-License-Identifier: BSD-3-Clause
 * What the counter keeps for each thread. It lies at the base of the thread's gs segment, which the program must not
 * use itself; the code in the cache addresses it as gs:offset. */
#ifndef BENCH_COUNT_CONTEXT_H
#define BENCH_COUNT_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/marks/collector.h"

enum {
    CONTEXT_LOOKUPS = 1 << 16,           /* entries of the table for indirect branches */
    CONTEXT_COUNTERS = 1 << 20,          /* counters of a thread: of blocks, and of instructions that need their own */
    CONTEXT_STACK_BYTES = 1 << 17,       /* each of the two stacks of a thread */
    CONTEXT_STATE_BYTES = 1 << 14,       /* room for the CPU's vector state, of which AMX needs 11 KiB */
    CONTEXT_SIGNALS = 64,                /* handlers that may run at once, one interrupting the other */
    CONTEXT_REGIONS = COLLECTOR_REGIONS, /* regions of a process; number 0 is the whole program */
    CONTEXT_THREADS = 1 << 16,           /* threads of a process whose counts are kept apart (region_fold()) */
};

/* The program's registers, in the order in which the dispatcher saves them. */
struct registers {
    uint64_t rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, flags, rsp;
};

/* What sequences of the cache and the dispatcher leave for each other. Nothing of it outlasts a signal's handler. */
struct passing {
    uint64_t target; /* the address in the program to go to, where `exit` is 0 */
    uint64_t exit;   /* the number of the exit by which the cache was left; 0: an indirect branch */
    uint64_t resume; /* the address in the cache to go on at */
    uint64_t after;  /* the address in the cache to go on at once the signal mask is set */
    uint64_t mask;   /* the signal mask to set */
    uint64_t masked; /* 1: `mask` has to be set on the way back into the cache; 0: it stays as it is */
    uint64_t lookup_rcx, lookup_r10, lookup_r11; /* the program's registers during an indirect branch */
    uint64_t scratch, scratch2;                  /* registers of the program that a counting sequence uses itself */
    uint64_t relative;          /* a register of the program that holds an address too far away for its instruction */
    struct registers registers; /* all registers of the program while the dispatcher runs */
    uint64_t unmask[7];         /* the program's rax, rdi, rsi, rdx, r10, rcx and r11 while the mask is set */
    uint64_t restoring_rax;     /* the program's rax where `restoring` says so */
    uint64_t held;              /* the program's register that holds a record's end meanwhile (record.h) */
    uint64_t restoring;         /* 1: the program's rax and rcx are in restoring_rax and lookup_rcx (restartable.h) */
};

struct block;

/* Where a signal interrupted. */
struct origin {
    uint64_t rip;              /* in the program */
    uint64_t resume;           /* in the cache, with the program's registers as they are there; 0: go by `rip` */
    const struct block *block; /* whose middle that is; NULL: of none, so that no count is concerned */
    uint32_t copy, executed;   /* how many instructions of this copy of the block are over */
    bool counted;              /* by the block's counter */
    bool keeps;                /* at `resume`, passing.scratch is to hold what the register of this number does */
    uint8_t kept;
    uint32_t repeat;       /* the counter that has rcx in advance for an instruction with a rep prefix; 0: none */
    uint64_t repeat_count; /* that rcx */
};

struct interruption { /* a signal whose handler has not returned yet */
    uint64_t frame;   /* the address of its frame on the stack */
    struct origin place;
    bool left; /* the counts are as if the program never went on there */
};

/* An entry of the table for indirect branches: an address in the program, negated, and that of its copy in the cache.
 * 0: there is none, which the program's address 0 must not find. An address has two places: the code looks at the first
 * one, and only then at the second one, where an entry is kept whose first place a newer one takes. */
struct lookup {
    uint64_t negated, code;
};
static inline uint32_t lookup_first(uint64_t address) {
    return (uint32_t)(address % CONTEXT_LOOKUPS);
}
static inline uint32_t lookup_second(uint64_t address) { /* as emit_indirect_again() has it */
    return (uint32_t)((address >> 8) + 8 * (uint64_t)(uint8_t)address) % CONTEXT_LOOKUPS;
}

/* One thread under control. */
struct context {
    struct context *self;     /* its own address, so that code can find it through gs */
    uint64_t stack, dispatch; /* the end of the stack on which the dispatcher runs, and the dispatcher's address */
    uint64_t signal_stack;    /* the end of the stack on which the counter receives signals */
    struct passing passing;
    uint64_t records_end;          /* the end of the records in the thread's buffer (record.h) */
    uint8_t tiles[64];             /* how the AMX tiles are configured, as sttilecfg writes it */
    uint64_t again, again_returns; /* where indirect branches, and returns, look at a target's second place (stubs.h) */

    uint64_t rseq;       /* the address of the area that the thread has registered for restartable sequences */
    uint8_t no_rseq[32]; /* what `rseq` leads to as long as it has none */
    struct context *next, *creator;    /* the next of all threads; who created it: the first thread, itself */
    uint32_t tid, index;               /* its number in the kernel, and the one that region_new_thread() gave it */
    uint32_t position;                 /* the thread's place in the report */
    struct context *inside;            /* that counts while the thread is in a call of MPI; NULL: it never was */
    struct context *outside;           /* of such a one, the thread's own; NULL: this is a thread's own */
    bool before_main;                  /* of such a one: it counts what libraries do before main, where MPI is loaded */
    bool in_mpi;                       /* it counts what is MPI's: it is such a one, or a thread that MPI created */
    uint32_t mpi_depth;                /* calls of MPI within calls of MPI */
    uint64_t mpi_stack;                /* of `inside`: the program's stack pointer at the outermost of these calls */
    const struct call_filter *filters; /* of system calls, the last one that was set; NULL: none (filter.h) */
    bool strict;                       /* it may read, write, and end */
    bool busy;                         /* it is in the dispatcher, not in the cache */
    bool blocks_faults;                /* SIGSEGV is in the program's signal mask, and not in the kernel's (mask.h) */
    bool ended;                        /* it has reached its last system call */
    struct levels_core *core;          /* the caches that are simulated for it, and its buffer; NULL: none */
    struct levels_set *levels;         /* what they counted (levels.h) */
    struct region_frame *frames;       /* its open regions, the innermost first; NULL: none */
    uint32_t covers[CONTEXT_REGIONS];  /* by region: how many open frames, of its own or of its creators, cover it */
    uint32_t pending_region;           /* the region that a hook has named for the next begin mark */
    uint32_t last_region;              /* the region that the last end mark closed; 0: none was open */
    unsigned interruption_count;       /* signals whose handlers have not returned */
    struct interruption interruptions[CONTEXT_SIGNALS]; /* the innermost last */
    uint64_t action[4];                                 /* the struct that is handed to the kernel's rt_sigaction */
    uint8_t state[CONTEXT_STATE_BYTES] __attribute__((aligned(64))); /* the program's vector state in the dispatcher */
    struct lookup lookups[CONTEXT_LOOKUPS];
    uint64_t counters[CONTEXT_COUNTERS]; /* how often each was reached, by the numbers that cache.h gives them */
    uint8_t dispatcher_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
    uint8_t receiving_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
};

/* The distance of a member of the context, and of a member of its `passing`, from the base of gs, in bytes. */
#define CONTEXT_OFFSET(member) ((uint32_t)offsetof(struct context, member))
#define PASSING_OFFSET(member) CONTEXT_OFFSET(passing.member)

#endif
