/* SPDX-License-Identifier: BSD-3-Clause
 * Documented limits as Markdown. The figures are from the same function that measurements use. */
#include "shortfall_report.h"

#include <string.h>

#include "probe/text.h"
#include "probe/uarch.h"

const char *const limits_unit_names[] = {[LIMITS_FLOP] = "flop",
                                         [LIMITS_BYTES] = "B",
                                         [LIMITS_ELEMENTS] = "op",
                                         [LIMITS_INSTRUCTIONS] = "instructions",
                                         [LIMITS_PRODUCTS] = "op"};

/* A column: the limit of a mix per cycle. */
struct limits_column {
    const char *heading;
    struct uarch_mix mix; /* of the product's widest vectors, unless its width is given */
    unsigned level;
    unsigned touched;   /* the mix's working set in vectors */
    cpu_features needs; /* features, of which one is needed for the instructions; 0: every product has them */
};
__extension__ enum { FUSED = CPU_FMA3 | CPU_ASIMD };
static const struct limits_column FLOATS[] = {
    {"FMA", {.element_bytes = 8, .fma = 1}, 0, 0, FUSED},
    {"add + mul", {.element_bytes = 8, .add = 1, .mul = 1}, 0, 0, 0},
    {"2 FMA + add", {.element_bytes = 8, .fma = 2, .add = 1}, 0, 0, FUSED},
    {"FMA + add", {.element_bytes = 8, .fma = 1, .add = 1}, 0, 0, FUSED},
};
static const struct limits_column MOVES[] = {
    {"L1 load", {.load = 1}, 1, 1, 0},
    {"L1 store", {.store = 1}, 1, 1, 0},
    {"L1 2LD1ST", {.load = 2, .store = 1}, 1, 3, 0},
    {"L2 load", {.load = 1}, 2, 1, 0},
    {"L2 store", {.store = 1}, 2, 1, 0},
    {"L2 2LD1ST", {.load = 2, .store = 1}, 2, 3, 0},
    {"L3 load", {.load = 1}, 3, 1, 0},
};
#define OF_VECTORS(bytes, operation) {.integer = true, .element_bytes = bytes, .operation = 1}, 0, 0
#define OF_GENERAL(operation, level)                                                                                   \
    {.integer = true, .vector_bytes = 8, .element_bytes = 8, .operation = 1}, level, 0, 0
static const struct limits_column INTEGERS[] = {
    {"i8 add", OF_VECTORS(1, add), 0},
    {"i32 add", OF_VECTORS(4, add), 0},
    {"i16 mul", OF_VECTORS(2, mul), 0},
    {"i32 mul", OF_VECTORS(4, mul), 0},
    {"i64 mul", OF_VECTORS(8, mul), CPU_AVX512 | CPU_SVE},
    {"i32 shift", OF_VECTORS(4, shift), 0},
    {"i32 cmpeq", OF_VECTORS(4, equal), 0},
    {"i64 cmpeq", OF_VECTORS(8, equal), 0},
    {"i32 cmpgt", OF_VECTORS(4, greater), 0},
    {"i64 cmpgt", OF_VECTORS(8, greater), 0},
};
static const struct limits_column GENERAL[] = {
    {"add", OF_GENERAL(add, 0)},     {"cmp", OF_GENERAL(compare, 0)}, {"mul", OF_GENERAL(mul, 0)},
    {"shift", OF_GENERAL(shift, 0)}, {"load", OF_GENERAL(load, 1)},   {"store", OF_GENERAL(store, 1)},
};
static const struct limits_column DOTS[] = {
    {"bf16 dot", {.element_bytes = 2, .dot = 1}, 0, 0, CPU_AVX512_BF16 | CPU_BF16},
    {"i8 dot", {.element_bytes = 1, .dot = 1}, 0, 0, CPU_AVX512_VNNI | CPU_AVX_VNNI | CPU_ASIMD_DP | CPU_SVE},
    {"bf16 matrix", {.element_bytes = 2, .dot = 1, .matrix = true}, 0, 0, CPU_BF16},
    {"i8 matrix", {.element_bytes = 1, .dot = 1, .matrix = true}, 0, 0, CPU_I8MM},
    {"AMX bf16", {.vector_bytes = 1024, .element_bytes = 2, .dot = 1}, 0, 0, CPU_AMX_BF16},
    {"AMX i8", {.vector_bytes = 1024, .element_bytes = 1, .dot = 1}, 0, 0, CPU_AMX_INT8},
};

/* The columns of a table, with their unit. */
static const struct limits_group {
    const struct limits_column *columns;
    size_t count;
    enum limits_unit unit;
} GROUPS[] = {
#define GROUP(columns, unit)                                                                                           \
    { columns, sizeof(columns) / sizeof *(columns), unit }
    GROUP(FLOATS, LIMITS_FLOP),          GROUP(MOVES, LIMITS_BYTES),   GROUP(INTEGERS, LIMITS_ELEMENTS),
    GROUP(GENERAL, LIMITS_INSTRUCTIONS), GROUP(DOTS, LIMITS_PRODUCTS),
};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };

/* On x86 integer vectors are 128 bits wide without AVX2. */
static unsigned width_of(const struct uarch *uarch, enum limits_unit unit) {
    const bool narrow = unit == LIMITS_ELEMENTS && !(uarch_features(uarch) & (CPU_AVX2 | CPU_ASIMD));
    return narrow ? 16 : uarch_vector_bytes(uarch);
}

static double work_of(const struct uarch_mix *mix, enum limits_unit unit) {
    const unsigned bytes = mix->vector_bytes;
    if (unit == LIMITS_FLOP)
        return bytes / 8. * (mix->add + mix->mul + 2 * mix->fma);
    if (unit == LIMITS_BYTES)
        return (double)bytes * (mix->load + mix->store);
    if (unit == LIMITS_ELEMENTS)
        return (double)bytes / mix->element_bytes;
    /* Each 32 bits of the result: a product and a sum of each element of 32 bits, twice as many of a small matrix, or
     * those of a row of 64 bytes. */
    if (unit == LIMITS_PRODUCTS)
        return bytes / 4. * (mix->matrix ? 4 : 2) * (bytes > 64 ? 64 : 4) / mix->element_bytes;
    return 1;
}

static bool has_column(const struct uarch *uarch, const struct limits_column *column) {
    return column->needs == 0 || uarch_features(uarch) & column->needs;
}

static double per_cycle(const struct uarch *uarch, const struct limits_group *group,
                        const struct limits_column *column) {
    struct uarch_mix mix = column->mix;
    if (!has_column(uarch, column))
        return 0;
    if (mix.vector_bytes == 0) {
        mix.vector_bytes = width_of(uarch, group->unit);
        mix.sve = (uarch_features(uarch) & CPU_SVE) != 0;
    }
    mix.touched_bytes = column->touched * mix.vector_bytes;
    return work_of(&mix, group->unit) * uarch_limit(uarch, &mix, column->level).per_cycle;
}

bool limits_row_at(const struct uarch *uarch, size_t index, struct limits_row *out) {
    size_t g = 0;
    while (g < GROUP_COUNT && index >= GROUPS[g].count)
        index -= GROUPS[g++].count;
    if (g == GROUP_COUNT)
        return false;
    const struct limits_column *column = &GROUPS[g].columns[index];
    *out = (struct limits_row){column->heading, GROUPS[g].unit, column->level, per_cycle(uarch, &GROUPS[g], column)};
    return true;
}

/* A blank: there are no such instructions. */
static void print_cells(const struct uarch *uarch, const struct limits_group *group, FILE *out) {
    for (size_t c = 0; c < group->count; c++) {
        const double value = per_cycle(uarch, group, &group->columns[c]);
        if (value > 0)
            fprintf(out, " %.4g |", value);
        else
            fputs(has_column(uarch, &group->columns[c]) ? " – |" : " |", out);
    }
}

static void print_sustained(const struct uarch *uarch, FILE *out) {
    bool any = false;
    fputc(' ', out);
    for (unsigned level = 1; level <= 3; level++) {
        const char *source;
        const double value = uarch_sustained_bytes_per_cycle(uarch, level, &source);
        if (value > 0)
            fprintf(out, "%sL%u %g", any ? ", " : "", level, value);
        any = any || value > 0;
    }
    fprintf(out, "%s|", any ? " " : "");
}

/* A table of the groups from `first` on; rows without a single cell are left out. */
static void print_table(size_t first, size_t last, bool sustained, FILE *out) {
    size_t columns = 0;
    fputs("| microarchitecture | bits |", out);
    for (size_t g = first; g <= last; columns += GROUPS[g++].count)
        for (size_t c = 0; c < GROUPS[g].count; c++)
            fprintf(out, " %s |", GROUPS[g].columns[c].heading);
    fprintf(out, "%s\n|---|---|", sustained ? " sustained, as the vendor states it |" : "");
    for (size_t c = 0; c < columns + sustained; c++)
        fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; uarch_at(i); i++) {
        bool any = false;
        for (size_t c = 0; c < GROUPS[first].count; c++)
            any = any || has_column(uarch_at(i), &GROUPS[first].columns[c]);
        if (!any)
            continue;
        fprintf(out, "| %s | %u |", uarch_name(uarch_at(i)), 8 * width_of(uarch_at(i), GROUPS[first].unit));
        for (size_t g = first; g <= last; g++)
            print_cells(uarch_at(i), &GROUPS[g], out);
        if (sustained)
            print_sustained(uarch_at(i), out);
        fputc('\n', out);
    }
}

enum { CELL_BYTES = 1024 };

/* What a list says of a microarchitecture. "": nothing. Returns `out`. */
typedef char *limits_cell(const struct uarch *uarch, char *out, size_t size);

/* The sources of a core's ports, links and sustained figures. */
static char *sources_of(const struct uarch *uarch, char *out, size_t size) {
    uarch_sources(uarch, out, size);
    for (unsigned level = 1; level <= 3; level++) {
        const char *source;
        if (uarch_sustained_bytes_per_cycle(uarch, level, &source) > 0) {
            text_append(out, size, "; sustained figures: %s", source);
            break;
        }
    }
    return out;
}

/* "L2 store, L3 load | why": the columns with a dash, of links or of the core. */
static char *unknown_of(const struct uarch *uarch, bool links, char *out, size_t size) {
    const char *why = uarch_unknown(uarch, links);
    *out = '\0';
    for (size_t g = 0; g < GROUP_COUNT; g++)
        for (size_t c = 0; c < GROUPS[g].count; c++) {
            const struct limits_column *column = &GROUPS[g].columns[c];
            if ((column->level > 1) == links && has_column(uarch, column) && per_cycle(uarch, &GROUPS[g], column) <= 0)
                text_append(out, size, "%s%s", *out ? ", " : "", column->heading);
        }
    if (*out && !uarch_has_ports(uarch))
        snprintf(out, size, "%s", links ? "" : "all");
    if (*out)
        text_append(out, size, " | %s", why ? why : "?");
    return out;
}

static char *unknown_ports(const struct uarch *uarch, char *out, size_t size) {
    return unknown_of(uarch, false, out, size);
}

static char *unknown_links(const struct uarch *uarch, char *out, size_t size) {
    return unknown_of(uarch, true, out, size);
}

/* A row for each different cell, with the cores that share it. */
static void print_distinct(limits_cell *cell_of, FILE *out) {
    char own[CELL_BYTES], other[CELL_BYTES];
    for (size_t i = 0; uarch_at(i); i++) {
        size_t first = 0;
        cell_of(uarch_at(i), own, sizeof own);
        while (strcmp(cell_of(uarch_at(first), other, sizeof other), own) != 0)
            first++;
        if (first < i || !*own)
            continue;
        fprintf(out, "| %s", uarch_name(uarch_at(i)));
        for (size_t k = i + 1; uarch_at(k); k++)
            if (strcmp(cell_of(uarch_at(k), other, sizeof other), own) == 0)
                fprintf(out, ", %s", uarch_name(uarch_at(k)));
        fprintf(out, " | %s |\n", own);
    }
}

static const char INTRODUCTION[] =
    "# Documented limits\n\n"
    "The limits of a core per cycle, with the product's widest vectors: f64 flop (an FMA is two), and bytes that the "
    "core\n"
    "requests. \"–\": [not known](#not-known). A blank: the product has no such instructions. Limits of other widths, "
    "mixes "
    "and types\nfollow from the same ports (`uarch_table.c` in `probe/x86` and `probe/aarch64`). `carmine spec "
    "--limits` prints this page.\n\n";
static const char STORES[] =
    "\nL2 stores: a stored cache line is fetched and written back, so it crosses the link twice. The two directions "
    "share the link's\nwidth on Intel and ThunderX2 (kerncraft) and Neoverse V2 (Arm), and not on Zen (kerncraft), "
    "Cortex-A76, -A77 and -X1\nand Neoverse N2 (Arm), Oryon (Qualcomm) and A64FX, which writes back 32 bytes per cycle "
    "(Fujitsu).\n";
static const char OF_INTEGERS[] =
    "\n## Integers\n\n"
    "Operations per cycle and core: one per element of vectors, or per instruction on general registers (`add` to "
    "`store`).\nProducts keep the low half. Only AVX-512 and SVE have 64-bit ones of vectors, only NEON and SVE "
    "8-bit ones, and 8-bit shifts.\nCompares of SVE write predicates.\n\n";
static const char OF_DOTS[] =
    "\n## Dot products\n\n"
    "Operations per cycle and core of VDPBF16PS and VPDPBUSD, and of tiles; of BFDOT and SDOT, and of BFMMLA and "
    "SMMLA\n(matrix): each product and each sum is one.\n\n";
static const char NOT_KNOWN[] =
    "\n## Not known\n\n"
    "A figure is left out if no source has it, or if sources disagree and no measurement decides.\n\n"
    "| microarchitecture | – | why |\n|---|---|---|\n";
static const char UNREACHED[] =
    "\n## Unreached limits without a documented reason\n\n"
    "`carmine spec` calls them \"known, not explained\". On Raptor Cove and Redwood Cove, with any unroll:\n\n"
    "- L1, two 256-bit loads and a store, axpy: 128 of 144 bytes per cycle. The same mix of 128-bit vectors reaches "
    "its "
    "limit of 72.\n"
    "- L1, two 512-bit loads and a store: 181 of 192. A working set of 6 KiB reaches 192, 8 KiB and more do not. "
    "axpy: 181.\n"
    "- L2, stores: about four cycles per stored cache line; a link of 64 bytes per cycle needs two "
    "(64 bytes in, 64 out).\n"
    "- L2, loads: 48 of 64. Intel states 29 for Skylake, 52 for Skylake-SP and 48 for Ice Lake as sustained, and "
    "nothing for "
    "later cores.\n  `carmine spec` calls it \"link peak\".\n\n"
    "On Zen 3 and Zen 4:\n\n"
    "- L3, loads of one core: 23 and 27 of 32 bytes per cycle. chipsandcheese measured 24 and 27, and supposes that "
    "the queue "
    "between L2 and L3 is too\n  short for L3's latency.\n\n"
    "On Neoverse N1: L2, loads: chipsandcheese measured 19 of 32 bytes per cycle.\n";

void limits_markdown_print(FILE *out) {
    fputs(INTRODUCTION, out);
    print_table(0, 1, true, out);
    fputs(STORES, out);
    fputs(OF_INTEGERS, out);
    print_table(2, 3, false, out);
    fputs(OF_DOTS, out);
    print_table(4, 4, false, out);
    fputs(NOT_KNOWN, out);
    print_distinct(unknown_ports, out);
    print_distinct(unknown_links, out);
    fputs("\n## Sources\n\n| microarchitecture | sources |\n|---|---|\n", out);
    print_distinct(sources_of, out);
    fputs(UNREACHED, out);
}
