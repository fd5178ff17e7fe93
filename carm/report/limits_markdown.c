/* SPDX-License-Identifier: BSD-3-Clause
 * Documented limits as Markdown. The figures are from the same function that measurements use. */
#include "shortfall_report.h"

#include <string.h>

#include "probe/text.h"
#include "probe/uarch.h"

/* A column: the limit of a mix in a level per cycle, in flop (f64) or bytes. */
struct limits_column {
    const char *heading;
    struct uarch_mix mix; /* without its width */
    unsigned level;
    unsigned touched; /* the mix's working set in vectors */
};
static const struct limits_column COLUMNS[] = {
    {"FMA", {.fma = 1}, 0, 0},
    {"add + mul", {.add = 1, .mul = 1}, 0, 0},
    {"2 FMA + add", {.fma = 2, .add = 1}, 0, 0},
    {"FMA + add", {.fma = 1, .add = 1}, 0, 0},
    {"L1 load", {.load = 1}, 1, 1},
    {"L1 store", {.store = 1}, 1, 1},
    {"L1 2LD1ST", {.load = 2, .store = 1}, 1, 3},
    {"L2 load", {.load = 1}, 2, 1},
    {"L2 store", {.store = 1}, 2, 1},
    {"L2 2LD1ST", {.load = 2, .store = 1}, 2, 3},
    {"L3 load", {.load = 1}, 3, 1},
};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

/* Integers: elements per cycle. */
struct integers_column {
    const char *heading;
    struct uarch_mix mix; /* of vectors without their width */
};
static const struct integers_column VECTORS[] = {
    {"i8 add", {.element_bytes = 1, .add = 1}},        {"i32 add", {.element_bytes = 4, .add = 1}},
    {"i16 mul", {.element_bytes = 2, .mul = 1}},       {"i32 mul", {.element_bytes = 4, .mul = 1}},
    {"i64 mul", {.element_bytes = 8, .mul = 1}},       {"i32 shift", {.element_bytes = 4, .shift = 1}},
    {"i32 cmpeq", {.element_bytes = 4, .equal = 1}},   {"i64 cmpeq", {.element_bytes = 8, .equal = 1}},
    {"i32 cmpgt", {.element_bytes = 4, .greater = 1}}, {"i64 cmpgt", {.element_bytes = 8, .greater = 1}},
};
static const struct integers_column GENERAL[] = {
    {"add, cmp", {.vector_bytes = 8, .element_bytes = 8, .add = 1}},
    {"mul", {.vector_bytes = 8, .element_bytes = 8, .mul = 1}},
    {"shift", {.vector_bytes = 8, .element_bytes = 8, .shift = 1}},
    {"load", {.vector_bytes = 8, .load = 1}},
    {"store", {.vector_bytes = 8, .store = 1}},
};
enum { VECTORS_COUNT = sizeof VECTORS / sizeof VECTORS[0], GENERAL_COUNT = sizeof GENERAL / sizeof GENERAL[0] };

static double per_cycle(const struct uarch *uarch, const struct limits_column *column) {
    struct uarch_mix mix = column->mix;
    mix.vector_bytes = uarch_vector_bytes(uarch);
    mix.element_bytes = column->level == 0 ? 8 : 0;
    mix.touched_bytes = column->touched * mix.vector_bytes;
    const unsigned lanes = mix.vector_bytes / 8;
    const unsigned work =
        column->level == 0 ? lanes * (mix.add + mix.mul + 2 * mix.fma) : mix.vector_bytes * (mix.load + mix.store);
    return work * uarch_limit(uarch, &mix, column->level).per_cycle;
}

static void print_value(double value, FILE *out) {
    if (value > 0)
        fprintf(out, " %.4g |", value);
    else
        fprintf(out, " – |");
}

static void print_row(const struct uarch *uarch, FILE *out) {
    fprintf(out, "| %s | %u |", uarch_name(uarch), 8 * uarch_vector_bytes(uarch));
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        print_value(per_cycle(uarch, &COLUMNS[c]), out);
    bool any = false;
    fputc(' ', out);
    for (unsigned level = 1; level <= 3; level++) {
        const char *source;
        const double value = uarch_sustained_bytes_per_cycle(uarch, level, &source);
        if (value > 0) {
            fprintf(out, "%sL%u %g", any ? ", " : "", level, value);
            any = true;
        }
    }
    fprintf(out, "%s |\n", any ? "" : "–");
}

/* Integer vectors are 128 bits wide without AVX2. */
static unsigned integer_vector_bytes(const struct uarch *uarch) {
    return uarch_features(uarch) & CPU_AVX2 ? uarch_vector_bytes(uarch) : 16;
}

static void print_integers(FILE *out) {
    fputs(
        "\n## Integers\n\n"
        "Operations per cycle and core: one per element of vectors, or per instruction on general registers (`add, "
        "cmp` "
        "to `store`).\nProducts keep the low half. Only AVX-512 has 64-bit ones of vectors; no CPU has 8-bit ones, or "
        "8-bit shifts of vectors.\n\n"
        "| microarchitecture | bits |",
        out);
    for (size_t c = 0; c < VECTORS_COUNT; c++)
        fprintf(out, " %s |", VECTORS[c].heading);
    for (size_t c = 0; c < GENERAL_COUNT; c++)
        fprintf(out, " %s |", GENERAL[c].heading);
    fputs("\n|---|---|", out);
    for (size_t c = 0; c < VECTORS_COUNT + GENERAL_COUNT; c++)
        fputs("---|", out);
    fputc('\n', out);
    for (size_t i = 0; uarch_at(i); i++) {
        const unsigned bytes = integer_vector_bytes(uarch_at(i));
        fprintf(out, "| %s | %u |", uarch_name(uarch_at(i)), 8 * bytes);
        for (size_t c = 0; c < VECTORS_COUNT; c++) {
            struct uarch_mix mix = VECTORS[c].mix;
            mix.vector_bytes = bytes, mix.integer = true;
            const bool missing = mix.mul && mix.element_bytes == 8 && bytes < 64;
            const unsigned elements = bytes / mix.element_bytes;
            print_value(missing ? 0 : elements * uarch_limit(uarch_at(i), &mix, 0).per_cycle, out);
        }
        for (size_t c = 0; c < GENERAL_COUNT; c++) {
            struct uarch_mix mix = GENERAL[c].mix;
            mix.integer = true;
            print_value(uarch_limit(uarch_at(i), &mix, mix.load + mix.store > 0).per_cycle, out);
        }
        fputc('\n', out);
    }
}

/* The sources of a core's ports, links and sustained figures. Returns `out`. */
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

/* A row for each list of sources, with the cores that share it. */
static void print_sources(FILE *out) {
    char own[768], other[768];
    for (size_t i = 0; uarch_at(i); i++) {
        size_t first = 0;
        sources_of(uarch_at(i), own, sizeof own);
        while (strcmp(sources_of(uarch_at(first), other, sizeof other), own) != 0)
            first++;
        if (first < i)
            continue;
        fprintf(out, "| %s", uarch_name(uarch_at(i)));
        for (size_t k = i + 1; uarch_at(k); k++)
            if (strcmp(sources_of(uarch_at(k), other, sizeof other), own) == 0)
                fprintf(out, ", %s", uarch_name(uarch_at(k)));
        fprintf(out, " | %s |\n", own);
    }
}

void limits_markdown_print(FILE *out) {
    fputs(
        "# Documented limits\n\n"
        "The limits of a core per cycle, with the product's widest vectors: f64 flop (an FMA is two), and bytes that "
        "the core\nrequests. \"–\": no source was found, or sources disagree. Limits of other widths, mixes and types "
        "follow from the same\nports (`probe/x86/uarch_table.c`). `carmine spec --limits` prints this page.\n\n",
        out);
    fputs("| microarchitecture | bits |", out);
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        fprintf(out, " %s |", COLUMNS[c].heading);
    fputs(" sustained, as the vendor states it |\n|---|---|", out);
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        fputs("---|", out);
    fputs("---|\n", out);
    for (size_t i = 0; uarch_at(i); i++)
        print_row(uarch_at(i), out);
    fputs("\nL2 stores: a stored cache line is fetched and written back, so it crosses the link twice. The two "
          "directions "
          "share the link's\nwidth on Intel, and not on Zen (kerncraft).\n",
          out);
    print_integers(out);
    fputs("\n## Sources\n\n| microarchitecture | sources |\n|---|---|\n", out);
    print_sources(out);
    fputs("\n## Unreached limits without a documented reason\n\n"
          "These were measured on Raptor Cove and Redwood Cove with any unroll. `carmine spec` calls them \"known, not "
          "explained\".\n\n"
          "- L1, two 256-bit loads and a store, axpy: 128 of 144 bytes per cycle. The same mix of 128-bit vectors "
          "reaches its "
          "limit of 72.\n"
          "- L1, two 512-bit loads and a store: 181 of 192. A working set of 6 KiB reaches 192, 8 KiB and more do not. "
          "axpy: 181.\n"
          "- L2, stores: about four cycles per stored cache line; a link of 64 bytes per cycle needs two "
          "(64 bytes in, 64 out).\n"
          "- L2, loads: 48 of 64. Intel states 29 for Skylake and 52 for Skylake-SP as sustained, and nothing for "
          "later cores.\n  `carmine spec` calls it \"link peak\".\n",
          out);
}
