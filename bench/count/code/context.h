/* SPDX-License-Identifier: BSD-3-Clause
 * The counter's data for each thread, at the base of the thread's gs segment, which the program must not use itself.
 * Code in the cache addresses it as gs:offset. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/marks/collector.h"

enum {
    CONTEXT_LOOKUPS = 1 << 16,     /* entries of the table for indirect branches */
    CONTEXT_COUNTERS = 1 << 20,    /* counters of a thread: for blocks, and for instructions that need their own */
    CONTEXT_STACK_BYTES = 1 << 17, /* each of the two stacks of a thread */
    CONTEXT_STATE_BYTES = 1 << 14, /* room for the CPU's vector state; AMX needs 11 KiB of it */
    CONTEXT_SIGNALS = 64,          /* nested handlers that may run at once */
    CONTEXT_REGIONS = COLLECTOR_REGIONS, /* regions of a process; number 0 is the whole program */
    CONTEXT_THREADS = 1 << 16,           /* threads of a process with separate counts (region_fold()) */
};

enum { PASSING_ALTERNATE = 2 };

/* The program's registers, in the order in which the dispatcher saves them. */
struct registers {
    uint64_t rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15, flags, rsp;
};

/* Data that code in the cache and the dispatcher pass to each other. None of it survives a signal handler. */
struct passing {
    uint64_t target; /* address in the program to continue at if `exit` is 0 */
    uint64_t exit;   /* number of the exit by which the cache was left; 0: an indirect branch */
    uint64_t resume; /* address in the cache to continue at */
    uint64_t after;  /* address in the cache to continue at once the signal mask is set */
    uint64_t mask;   /* the signal mask to set */
    uint64_t masked; /* not 0: set `mask` on the way back into the cache; PASSING_ALTERNATE: but no signal has come */
    uint64_t lookup_rcx, lookup_r10, lookup_r11; /* the program's registers during an indirect branch */
    uint64_t scratch, scratch2;                  /* the program's registers that a counting sequence uses itself */
    uint64_t relative;          /* the program's register that holds an address out of its instruction's reach */
    struct registers registers; /* all registers of the program while the dispatcher runs */
    uint64_t unmask[7];         /* the program's rax, rdi, rsi, rdx, r10, rcx and r11 while the mask is set */
    uint64_t restoring_rax;     /* the program's rax, if `restoring` says so */
    uint64_t held;              /* the program's register that holds the end of a record meanwhile (record.h) */
    uint64_t restoring;         /* 1: the program's rax and rcx are in restoring_rax and lookup_rcx (restartable.h) */
    uint64_t alternate;         /* 1: a handler runs on the program's alternate signal stack, between these addresses */
    uint64_t alternate_low, alternate_bytes;
    uint64_t alternate_mask,
        blocked; /* the kernel's signal mask when the dispatcher was entered; 1: it blocks all now */
};

struct block;

/* Where a signal interrupted. */
struct origin {
    uint64_t rip;    /* in the program */
    uint64_t resume; /* in the cache, with the program's registers as the code there needs them; 0: continue at `rip` */
    const struct block *block; /* the interrupted block; NULL: none, and no count needs correction */
    uint32_t copy, executed;   /* number of completed instructions of this copy of the block */
    bool counted;              /* by the block's counter */
    bool keeps;                /* at `resume`, passing.scratch must hold the value of register `kept` */
    uint8_t kept;
    uint32_t repeat;       /* the counter to which rcx was added before an instruction with a rep prefix; 0: none */
    uint64_t repeat_count; /* that value of rcx */
};

struct interruption { /* a signal whose handler has not returned */
    uint64_t frame;   /* address of its frame on the stack */
    struct origin place;
    bool left; /* the counts assume that the program does not continue there */
};

/* An entry of the table for indirect branches: a negated address in the program, and the address of its copy in the
 * cache. 0: empty; the program's address 0 must not match it. An address has two places. The code checks the first
 * place, then the second, which holds entries that a newer one displaced from the first. */
struct lookup {
    uint64_t negated, code;
};
static inline uint32_t lookup_first(uint64_t address) {
    return (uint32_t)(address % CONTEXT_LOOKUPS);
}
static inline uint32_t lookup_second(uint64_t address) { /* same as emit_indirect_again() */
    return (uint32_t)((address >> 8) + 8 * (uint64_t)(uint8_t)address) % CONTEXT_LOOKUPS;
}

/* One thread under control. */
struct context {
    struct context *self;     /* its own address, so that code can load it through gs */
    uint64_t stack, dispatch; /* end of the dispatcher's stack, and the dispatcher's address */
    uint64_t signal_stack;    /* end of the stack on which the counter receives signals */
    struct passing passing;
    uint64_t records_end;          /* end of the records in the thread's buffer (record.h) */
    uint8_t tiles[64];             /* configuration of the AMX tiles, as sttilecfg writes it */
    uint64_t again, again_returns; /* code for indirect branches, and for returns, to check a second place (stubs.h) */

    uint64_t rseq;                     /* the area that the thread has registered for restartable sequences */
    uint8_t no_rseq[32];               /* target of `rseq` while none is registered */
    struct context *next, *creator;    /* the next thread; the thread that created it (the first thread: itself) */
    uint32_t tid, index;               /* its kernel number, and its number from region_new_thread() */
    uint32_t position;                 /* its place in the report */
    struct context *inside;            /* the context that counts during the thread's calls of MPI; NULL: none yet */
    struct context *outside;           /* in an `inside`: the thread's own context; else NULL */
    bool before_main;                  /* in an `inside`: it counts what libraries do before main, if MPI is loaded */
    bool in_mpi;                       /* its counts belong to MPI: an `inside`, or a thread that MPI created */
    uint32_t mpi_depth;                /* nesting depth of MPI calls */
    uint64_t mpi_stack;                /* in an `inside`: the program's stack pointer at the outermost of these calls */
    const struct call_filter *filters; /* the last filter of system calls that was set; NULL: none (filter.h) */
    bool strict;                       /* strict mode: it may only read, write, and end */
    bool busy;                         /* it runs in the dispatcher, not in the cache */
    bool blocks_faults;                /* SIGSEGV is in the program's signal mask, but not in the kernel's (mask.h) */
    bool ended;                        /* it has reached its last system call */
    struct levels_core *core;          /* its simulated caches and its buffer; NULL: none */
    struct levels_set *levels;         /* their counts (levels.h) */
    struct slices *slices;             /* over time (slices.h); NULL: none */
    struct region_frame *frames;       /* its open regions, innermost first; NULL: none */
    uint32_t covers[CONTEXT_REGIONS];  /* by region: number of open frames, its own or its creators', that cover it */
    uint32_t pending_region;           /* region that a hook has named for the next begin mark */
    uint32_t last_region;              /* the region that the last end mark closed; 0: none was open */
    unsigned interruption_count;       /* number of signals whose handlers have not returned */
    struct interruption interruptions[CONTEXT_SIGNALS];              /* innermost last */
    uint64_t action[4];                                              /* the struct for the kernel's rt_sigaction */
    uint8_t state[CONTEXT_STATE_BYTES] __attribute__((aligned(64))); /* the program's vector state in the dispatcher */
    struct lookup lookups[CONTEXT_LOOKUPS];
    uint64_t counters[CONTEXT_COUNTERS]; /* how often each was reached, by counter number (cache.h) */
    uint8_t dispatcher_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
    uint8_t receiving_stack[CONTEXT_STACK_BYTES] __attribute__((aligned(64)));
};

/* The offset, in bytes from the base of gs, of a member of the context, and of a member of its `passing`. */
#define CONTEXT_OFFSET(member) ((uint32_t)offsetof(struct context, member))
#define PASSING_OFFSET(member) CONTEXT_OFFSET(passing.member)
