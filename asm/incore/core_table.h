/* SPDX-License-Identifier: BSD-3-Clause
 * What a core needs for each form of an instruction: latency, operations, and the ports that can do them. The tables
 * are text (asm/incore/x86/cores/NAME.core): a head kept by hand, and rows that are generated from LLVM's and OSACA's
 * figures. */
#pragma once

#include "demand.h"

enum { CORE_USES_MOST = 8, CORE_PORT_NAME = 8, CORE_WIDTHS = 4, CORE_NO_ROW = 1 << 30 };

struct core_use {   /* of one group of ports */
    uint64_t ports; /* bits of core_table's letters; any one of them does it */
    double cycles;  /* busy cycles, or operations of one cycle each */
};
struct core_form {
    double latency_cycles;
    double chained_cycles; /* latency behind an instruction of the same row; usually the same */
    double mask_cycles;    /* from its mask on; 0: as from its data */
    unsigned operations;   /* renamed, with its load */
    unsigned loads;        /* of elements, instead of one; 0: as its memory access */
    unsigned row, use_count;
    struct core_use uses[CORE_USES_MOST];
    const struct core_value *busy; /* where ports are unknown: its throughput keeps its own pipes busy; NULL: none */
};
struct core_ports { /* of one load or store */
    unsigned use_count;
    struct core_use uses[CORE_USES_MOST];
};
struct core_table {
    const char *name;         /* "golden-cove" */
    char measured_on[48];     /* the processor that this project compared it with; "": only with documents */
    const char *letters;      /* a port each */
    uint64_t dividers;        /* ports that are units without a pipeline */
    unsigned fetch_bytes;     /* of code that one cycle's instructions come from; 0: unknown */
    double mispredict_cycles; /* of a branch that went the other way; 0: unknown */
    double taken_cycles;      /* of a taken branch, at least; 0: not measured */
    unsigned window;          /* operations in flight, of the reorder buffer */
    bool splits_indexed;   /* an operation with an indexed load counts twice at renaming, if it has three registers */
    bool stores_apart;     /* a load, an operation and a store on one place count twice at renaming */
    bool moves_renamed[2]; /* general registers, vectors: copies cost no latency */
    unsigned constants_renamed; /* likewise sums of a general register and a constant below this one; 0: none */
    double load_cycles[CORE_WIDTHS], forward_cycles[CORE_WIDTHS]; /* latency from L1, and from a store in flight */
    double unrenamed_cycles; /* of the latter, for general registers, at places that are not one register and a constant
                                and that renaming therefore does not know; 0: as others */
    double updated_cycles;   /* likewise, where a register is added to memory */
    double forward_x87_cycles;                               /* of the latter, for x87; 0: as 128 bits */
    struct core_ports load[CORE_WIDTHS], store[CORE_WIDTHS]; /* by width: general, 128, 256, 512 bits */
    double load_indexed_cycles; /* of a general register from a scaled index or three parts; 0: as load_cycles */
    struct core_words *words;   /* the rows; NULL: nothing is typed, and all that is known was measured */
    const struct core_measured *measured; /* in place of the rows (core_overlay.h); NULL: none */
    bool alone;                           /* no neighbour on the core slowed these */
    const struct core_value *load_busy[CORE_WIDTHS], *store_busy[CORE_WIDTHS]; /* as of core_form */
};

/* The tables as text, up to one without a name. */
struct core_text {
    const char *name, *text;
};
extern const struct core_text core_texts[];

/* Read once; NULL: no such table. */
const struct core_table *core_table_named(const char *name);

/* Whether its ports are known. */
bool core_is_typed(const struct core_table *table);

/* False: the core does not know the instruction. */
bool core_table_find(const struct core_table *table, const struct instruction_demand *demand, struct core_form *out);

/* Whether renaming does it, so that it needs no port and no time. */
bool core_renames(const struct core_table *table, const struct instruction_demand *demand);

/* Index of a demand's data width in arrays by width. */
unsigned core_width(const struct instruction_demand *demand);

/* The ports of a set as people call them: "0, 1, 5", "FP0, FP1". Returns `out`. */
char *core_ports_text(const struct core_table *table, uint64_t ports, char *out, size_t size);

/* Forms whose time another form tells, where only measured forms are known: those of
 * x86-64 alone, whose loops are decoded. */

/* The nth form in whose place another may stand, from 0 on, which is itself: changes `form`. False: no more. */
bool similar_form(unsigned nth, char form[DEMAND_FORM_BYTES]);

/* Memory → the first register's letter, else a general register. */
void similar_without_memory(char *letters);

/* Whether a form stands for it and others: sums of x87, atomic instructions. */
bool similar_has_family(const char *form);

/* Whether it needs nothing but its load or store. */
bool similar_only_accesses(const struct instruction_demand *demand);

/* Whether it needs a unit that is no pipeline. */
bool similar_divides(const char *form);

/* Forms that are one load or store of each width, and nothing else. */
extern const char *const similar_loads[CORE_WIDTHS], *const similar_stores[CORE_WIDTHS];
