/* SPDX-License-Identifier: BSD-3-Clause
 * Documented limits against figures that vendors and measurements agree on, and the identity of CPUs with an unreliable
 * model number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "probe/uarch.h"
#include "probe/uarch_table.h"

enum {
    AVX2_BITS = CPU_X87 | CPU_SSE2 | CPU_AVX | CPU_AVX2 | CPU_FMA3 | CPU_CLFLUSHOPT,
    AVX512_BITS = AVX2_BITS | CPU_AVX512 | CPU_AVX512_VNNI,
    SAPPHIRE_BITS =
        AVX512_BITS | CPU_AVX512_FP16 | CPU_AVX512_BF16 | CPU_AMX_TILE | CPU_AMX_BF16 | CPU_AMX_INT8 | CPU_AVX_VNNI,
};

static struct cpu_identity identity(const char *vendor, unsigned family, unsigned model, cpu_features features) {
    struct cpu_identity cpu = {.family = family, .model = model, .features = features};
    strcpy(cpu.vendor, vendor);
    return cpu;
}

static const struct uarch *named(const char *name) {
    for (size_t i = 0; uarch_at(i); i++)
        if (strcmp(uarch_at(i)->name, name) == 0)
            return uarch_at(i);
    fail_msg("no row \"%s\"", name);
    return NULL;
}

/* In double precision and per cycle, as in METHOD and vendor documents. */
static double flop_per_cycle(const char *name, struct uarch_mix mix) {
    const unsigned lanes = mix.vector_bytes / 8;
    const unsigned flop = lanes * (mix.add + mix.mul + 2 * mix.fma);
    return flop * uarch_limit(named(name), &mix, 0).per_cycle;
}

static double bytes_per_cycle(const char *name, struct uarch_mix mix, unsigned level) {
    return mix.vector_bytes * (mix.load + mix.store) * uarch_limit(named(name), &mix, level).per_cycle;
}

#define FLOP(expected, name, ...)                                                                                      \
    assert_float_equal(flop_per_cycle(name, (struct uarch_mix){__VA_ARGS__}), expected, 0.01)
#define BYTES(expected, name, level, ...)                                                                              \
    assert_float_equal(bytes_per_cycle(name, (struct uarch_mix){__VA_ARGS__}, level), expected, 0.01)

static const char golden_cove[] = "Sapphire Rapids (Golden Cove)";

static void golden_cove_computes(void **state) {
    (void)state;
    FLOP(32, golden_cove, .vector_bytes = 64, .fma = 1);
    FLOP(16, golden_cove, .vector_bytes = 64, .add = 1);
    FLOP(16, golden_cove, .vector_bytes = 64, .mul = 1);
    FLOP(16, golden_cove, .vector_bytes = 32, .fma = 1);
    FLOP(20, golden_cove, .vector_bytes = 32, .fma = 2, .add = 1);
    FLOP(12, golden_cove, .vector_bytes = 32, .add = 1, .mul = 1);
    FLOP(12, golden_cove, .vector_bytes = 32, .add = 2, .mul = 1);
    FLOP(8, golden_cove, .vector_bytes = 32, .add = 1);
    FLOP(8, golden_cove, .vector_bytes = 16, .fma = 1);
    FLOP(4, golden_cove, .vector_bytes = 8, .fma = 1);
    FLOP(1, golden_cove, .vector_bytes = 8, .x87 = true, .add = 1);
    FLOP(2, golden_cove, .vector_bytes = 8, .x87 = true, .add = 1, .mul = 1);
    /* Counts of a whole unrolled iteration, as in kernels. */
    FLOP(20, golden_cove, .vector_bytes = 32, .fma = 24, .add = 12);
}

/* Operations per cycle of narrow types, and cycles per instruction where the sources give these. */
static void narrow_types_divisions_and_tiles(void **state) {
    (void)state;
    static const char ice_lake[] = "Ice Lake-SP (Sunny Cove)";
    static const struct {
        const char *name;
        struct uarch_mix mix;
        double cycles;
    } rows[] = {
        {golden_cove, {.vector_bytes = 64, .element_bytes = 2, .fma = 1}, 0.5},
        {golden_cove, {.vector_bytes = 64, .element_bytes = 2, .dot = 1}, 2},
        {golden_cove, {.vector_bytes = 32, .element_bytes = 2, .dot = 1}, 2},
        {golden_cove, {.vector_bytes = 64, .element_bytes = 1, .dot = 1}, 0.5},
        {golden_cove, {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 0.5},
        {golden_cove, {.vector_bytes = 1024, .element_bytes = 1, .dot = 1}, 16},
        {golden_cove, {.vector_bytes = 1024, .element_bytes = 2, .dot = 20}, 320},
        {golden_cove, {.vector_bytes = 8, .element_bytes = 8, .div = 1}, 4},
        {golden_cove, {.vector_bytes = 32, .element_bytes = 8, .div = 1}, 8},
        {golden_cove, {.vector_bytes = 64, .element_bytes = 8, .div = 1}, 16},
        {golden_cove, {.vector_bytes = 16, .element_bytes = 4, .div = 1}, 3},
        {golden_cove, {.vector_bytes = 64, .element_bytes = 4, .div = 1}, 10},
        {ice_lake, {.vector_bytes = 64, .element_bytes = 1, .dot = 1}, 0.5},
        {"Ice Lake (Sunny Cove)", {.vector_bytes = 64, .element_bytes = 1, .dot = 1}, 1}, /* one wide unit */
        {"Zen 4", {.vector_bytes = 64, .element_bytes = 2, .dot = 1}, 1},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 0.5},
        {"Zen 5", {.vector_bytes = 64, .element_bytes = 2, .dot = 1}, 0.5},
        {"Zen 5", {.vector_bytes = 64, .element_bytes = 1, .dot = 1}, 0.5},
        {"Arrow Lake P (Lion Cove)", {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 0.5},
        {"Alder Lake E (Gracemont)", {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 2},
        {"Sierra Forest (Crestmont)", {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 1},
        {"Lunar Lake E (Skymont)", {.vector_bytes = 32, .element_bytes = 1, .dot = 1}, 0.5},
        {ice_lake, {.vector_bytes = 32, .element_bytes = 8, .sqrt = 1}, 12},
        {ice_lake, {.vector_bytes = 64, .element_bytes = 4, .sqrt = 1}, 12},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_float_equal((float)(1 / uarch_limit(named(rows[i].name), &rows[i].mix, 0).per_cycle),
                           (float)rows[i].cycles, 1e-4);
}

/* Instructions per cycle, in vectors and in general registers. */
static void integers(void **state) {
    (void)state;
    static const struct {
        const char *name;
        struct uarch_mix mix;
        double per_cycle; /* 0: no source, or sources disagree */
    } rows[] = {
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 1, .add = 1}, 4},
        {"Zen 4", {.vector_bytes = 64, .element_bytes = 1, .add = 1}, 2},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 4, .mul = 1}, 2},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 4, .shift = 1}, 2},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 4, .equal = 1}, 4},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 8, .equal = 1}, 2},
        {"Zen 4", {.vector_bytes = 16, .element_bytes = 2, .greater = 1}, 4},
        {"Zen 4", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 2},
        {"Zen 4", {.vector_bytes = 64, .element_bytes = 4, .shift = 1}, 1},
        {"Zen 4", {.vector_bytes = 64, .element_bytes = 1, .greater = 1}, 1},
        {"Zen 4", {.vector_bytes = 4, .element_bytes = 4, .add = 1}, 4},
        {"Zen 4", {.vector_bytes = 8, .element_bytes = 8, .compare = 1}, 4},
        {"Zen 4", {.vector_bytes = 2, .element_bytes = 2, .mul = 1}, 1},
        {"Zen 4", {.vector_bytes = 1, .element_bytes = 1, .shift = 1}, 2},
        {"Zen 4", {.vector_bytes = 1, .load = 1}, 3}, /* two for vectors */
        {"Zen 4", {.vector_bytes = 8, .store = 1}, 2},
        {"Zen 3", {.vector_bytes = 32, .element_bytes = 8, .equal = 1}, 2},
        {"Zen 3", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 4},
        {"Zen 3", {.vector_bytes = 8, .store = 1}, 2},
        {"Zen 2", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 3},
        {"Zen 2", {.vector_bytes = 32, .element_bytes = 8, .equal = 1}, 2},
        {"Zen 2", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 1},
        {"Zen", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 1.5},
        {"Zen", {.vector_bytes = 16, .element_bytes = 4, .mul = 1}, 0.5},
        {"Zen 5", {.vector_bytes = 64, .element_bytes = 4, .add = 1}, 4},
        {"Zen 5", {.vector_bytes = 64, .element_bytes = 4, .equal = 1}, 2}, /* into masks */
        {"Zen 5", {.vector_bytes = 8, .element_bytes = 8, .add = 1}, 6},
        {"Zen 5", {.vector_bytes = 8, .load = 1}, 4},
        {"Zen 5", {.vector_bytes = 8, .store = 1}, 2},
        {"Zen 5 (Strix Point)", {.vector_bytes = 64, .element_bytes = 4, .add = 1}, 2},
        {"Zen 5 (Strix Point)", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 2},
        {"Sandy Bridge", {.vector_bytes = 16, .element_bytes = 4, .add = 1}, 2},
        {"Sandy Bridge", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 0}, /* has none */
        {"Haswell", {.vector_bytes = 32, .element_bytes = 4, .mul = 1}, 0.5},
        {"Haswell", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 1},
        {"Haswell", {.vector_bytes = 4, .element_bytes = 4, .add = 1}, 4},
        {"Skylake", {.vector_bytes = 32, .element_bytes = 2, .add = 1}, 3},
        {"Skylake", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 1},
        {"Skylake-SP", {.vector_bytes = 64, .element_bytes = 2, .add = 1}, 2},
        {"Skylake-SP", {.vector_bytes = 64, .element_bytes = 8, .mul = 1}, 2. / 3},
        {"Skylake-SP", {.vector_bytes = 64, .element_bytes = 4, .shift = 1}, 1},
        {golden_cove, {.vector_bytes = 64, .element_bytes = 4, .equal = 1}, 1},
        {golden_cove,
         {.vector_bytes = 64, .element_bytes = 4, .mul = 1},
         0}, /* sources of its 512-bit products disagree */
        {golden_cove, {.vector_bytes = 32, .element_bytes = 1, .mul = 1}, 0}, /* no such instruction */
        {golden_cove, {.vector_bytes = 4, .element_bytes = 4, .add = 1}, 5},
        {golden_cove, {.vector_bytes = 8, .load = 1}, 3},
        {"Alder Lake P (Golden Cove)", {.vector_bytes = 32, .element_bytes = 4, .greater = 1}, 2},
        {"Alder Lake P (Golden Cove)", {.vector_bytes = 32, .element_bytes = 8, .greater = 1}, 1},
        {"Ice Lake (Sunny Cove)", {.vector_bytes = 64, .element_bytes = 8, .mul = 1}, 1. / 3},
        {"Arrow Lake P (Lion Cove)", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 4},
        {"Arrow Lake P (Lion Cove)", {.vector_bytes = 32, .element_bytes = 4, .mul = 1}, 1},
        {"Alder Lake E (Gracemont)", {.vector_bytes = 32, .element_bytes = 4, .add = 1}, 1.5},
        {"Alder Lake E (Gracemont)", {.vector_bytes = 32, .element_bytes = 4, .mul = 1}, 0.25},
        {"Sierra Forest (Crestmont)", {.vector_bytes = 32, .element_bytes = 2, .mul = 1}, 1},
        {"Arrow Lake E (Skymont)", {.vector_bytes = 8, .element_bytes = 8, .add = 1}, 8},
        {"Arrow Lake E (Skymont)", {.vector_bytes = 8, .element_bytes = 8, .mul = 1}, 0}, /* sources disagree */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct uarch_mix mix = rows[i].mix;
        mix.integer = true;
        const double is = uarch_limit(named(rows[i].name), &mix, mix.load + mix.store > 0).per_cycle;
        if (is < rows[i].per_cycle * 0.999 || is > rows[i].per_cycle * 1.001)
            fail_msg("row %zu, %s: %g per cycle", i, rows[i].name, is);
    }
}

static void golden_cove_moves(void **state) {
    (void)state;
    BYTES(128, golden_cove, 1, .vector_bytes = 64, .load = 1);
    BYTES(64, golden_cove, 1, .vector_bytes = 64, .store = 1);
    BYTES(128, golden_cove, 1, .vector_bytes = 64, .load = 1, .store = 1);
    BYTES(192, golden_cove, 1, .vector_bytes = 64, .load = 2, .store = 1);
    BYTES(192, golden_cove, 1, .vector_bytes = 64, .load = 2, .store = 1, .fma = 1);
    BYTES(96, golden_cove, 1, .vector_bytes = 32, .load = 1);
    BYTES(64, golden_cove, 1, .vector_bytes = 32, .store = 1);
    BYTES(48, golden_cove, 1, .vector_bytes = 16, .load = 1);
    BYTES(64, golden_cove, 2, .vector_bytes = 64, .load = 1);
    BYTES(64, golden_cove, 2, .vector_bytes = 32, .load = 1);
    BYTES(24, golden_cove, 2, .vector_bytes = 8, .load = 1); /* the ports, not the link */
}

static void other_cores(void **state) {
    (void)state;
    FLOP(8, "Sandy Bridge", .vector_bytes = 32, .add = 1, .mul = 1);
    FLOP(4, "Sandy Bridge", .vector_bytes = 32, .add = 1);
    BYTES(32, "Sandy Bridge", 1, .vector_bytes = 32, .load = 1);
    BYTES(16, "Sandy Bridge", 1, .vector_bytes = 32, .store = 1);
    BYTES(48, "Sandy Bridge", 1, .vector_bytes = 32, .load = 2, .store = 1);
    BYTES(32, "Ivy Bridge", 1, .vector_bytes = 16, .load = 2, .store = 1); /* three addresses for two units */
    BYTES(32, "Ivy Bridge", 3, .vector_bytes = 32, .load = 1);
    FLOP(16, "Haswell", .vector_bytes = 32, .fma = 1);
    FLOP(4, "Haswell", .vector_bytes = 32, .add = 1);
    BYTES(96, "Haswell", 1, .vector_bytes = 32, .load = 2, .store = 1);
    BYTES(32, "Broadwell", 3, .vector_bytes = 32, .load = 1);
    FLOP(16, "Skylake", .vector_bytes = 32, .fma = 1);
    FLOP(40. / 3, "Skylake", .vector_bytes = 32, .fma = 2, .add = 1); /* one pair of ports for both */
    FLOP(32, "Skylake-SP", .vector_bytes = 64, .fma = 1);
    BYTES(192, "Skylake-SP", 1, .vector_bytes = 64, .load = 2, .store = 1);
    BYTES(16, "Cascade Lake", 3, .vector_bytes = 64, .load = 1);
    FLOP(32, "Ice Lake-SP (Sunny Cove)", .vector_bytes = 64, .fma = 1);
    BYTES(64, "Ice Lake-SP (Sunny Cove)", 1, .vector_bytes = 64, .store = 1);
    FLOP(8, "Zen", .vector_bytes = 32, .fma = 1);
    FLOP(8, "Zen", .vector_bytes = 32, .add = 1, .mul = 1);
    BYTES(32, "Zen", 1, .vector_bytes = 32, .load = 1);
    BYTES(16, "Zen", 1, .vector_bytes = 16, .store = 1);
    FLOP(16, "Zen 2", .vector_bytes = 32, .fma = 1);
    FLOP(16, "Zen 2", .vector_bytes = 32, .add = 1, .mul = 1);
    BYTES(96, "Zen 2", 1, .vector_bytes = 32, .load = 2, .store = 1);
    BYTES(24, "Zen 2", 3, .vector_bytes = 32, .load = 1);
    FLOP(24, "Zen 3", .vector_bytes = 32, .fma = 1, .add = 1);
    FLOP(24, "Zen 4", .vector_bytes = 64, .fma = 1, .add = 1);
    BYTES(64, "Zen 4", 1, .vector_bytes = 64, .load = 1);
    BYTES(32, "Zen 4", 1, .vector_bytes = 64, .store = 1);
    FLOP(48, "Zen 5", .vector_bytes = 64, .fma = 1, .add = 1);
    FLOP(20, "Zen 2", .vector_bytes = 32, .fma = 8, .add = 4);
    FLOP(16, "Ice Lake (Sunny Cove)", .vector_bytes = 64, .fma = 1);
    FLOP(32, "Cooper Lake", .vector_bytes = 64, .fma = 1);
    FLOP(16, "Zen 5 (Strix Point)", .vector_bytes = 64, .fma = 1);
    FLOP(32, "Zen 5 (Strix Halo)", .vector_bytes = 64, .fma = 1);
    FLOP(24, "Lunar Lake P (Lion Cove)", .vector_bytes = 32, .fma = 1, .add = 1);
    FLOP(8, "Alder Lake-N (Gracemont)", .vector_bytes = 32, .fma = 1);
    FLOP(16, "Lunar Lake E (Skymont)", .vector_bytes = 32, .fma = 1);
    BYTES(48, "Lunar Lake E (Skymont)", 1, .vector_bytes = 32, .load = 1);
    BYTES(32, "Lunar Lake E (Skymont)", 1, .vector_bytes = 32, .store = 1);
    BYTES(32, "Meteor Lake E (Crestmont)", 1, .vector_bytes = 16, .load = 1);
    BYTES(64, "Zen 5 (Strix Point)", 1, .vector_bytes = 64, .load = 1);
    BYTES(128, "Zen 5", 1, .vector_bytes = 64, .load = 1);
    BYTES(64, "Zen 5", 1, .vector_bytes = 64, .store = 1);
}

/* A stored line crosses the link in and out; an update touches one line, a copy two. */
static void stores_at_l2(void **state) {
    (void)state;
    BYTES(32, golden_cove, 2, .vector_bytes = 64, .store = 1, .touched_bytes = 64);
    BYTES(48, golden_cove, 2, .vector_bytes = 64, .load = 2, .store = 1, .touched_bytes = 192);
    BYTES(64, golden_cove, 2, .vector_bytes = 64, .load = 1, .store = 1, .touched_bytes = 64);
    BYTES(64, golden_cove, 2, .vector_bytes = 64, .load = 2, .store = 1, .touched_bytes = 128);
    BYTES(64, golden_cove, 2, .vector_bytes = 64, .load = 1, .touched_bytes = 64);
    BYTES(32, "Zen 2", 2, .vector_bytes = 32, .store = 1, .touched_bytes = 32); /* both ways at once */
    BYTES(32, "Zen 2", 2, .vector_bytes = 32, .load = 1, .store = 1, .touched_bytes = 64);
    BYTES(32, "Zen 3", 2, .vector_bytes = 32, .load = 1);
    BYTES(64, "Zen 4", 2, .vector_bytes = 32, .load = 1, .store = 1, .touched_bytes = 32);
    BYTES(64, "Zen 5", 2, .vector_bytes = 64, .load = 1);
    BYTES(32, "Zen 5", 3, .vector_bytes = 64, .load = 1);
    BYTES(64, "Alder Lake P (Golden Cove)", 2, .vector_bytes = 32, .load = 1);
    BYTES(16, golden_cove, 3, .vector_bytes = 64, .load = 1);
}

/* Instructions or groups of them per cycle, as Arm's guides, Fujitsu's manual and the named measurements state them. */
static void cores_of_aarch64(void **state) {
    (void)state;
    static const char v1[] = "Neoverse V1", v2[] = "Neoverse V2", n2[] = "Neoverse N2", n1[] = "Neoverse N1",
                      m1[] = "M1 P (Firestorm)", ampere[] = "AmpereOne (Ampere1)";
    static const struct {
        const char *name;
        struct uarch_mix mix;
        unsigned level;
        double per_cycle; /* 0: no source, or sources disagree */
    } rows[] = {
        {v1, {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 4}, /* NEON */
        {v1, {.vector_bytes = 32, .element_bytes = 8, .fma = 1, .sve = true}, 0, 2},
        {v1, {.vector_bytes = 16, .element_bytes = 8, .fma = 1, .sve = true}, 0, 2}, /* shortened by the system */
        {v1, {.vector_bytes = 16, .load = 1, .sve = true}, 1, 2},
        {v1, {.vector_bytes = 64, .element_bytes = 8, .fma = 1}, 0, 0},
        {v1, {.vector_bytes = 16, .load = 1}, 1, 3},
        {v1, {.vector_bytes = 32, .load = 1}, 1, 2},
        {v1, {.vector_bytes = 32, .load = 2, .store = 1}, 1, 2. / 3},
        {v1, {.vector_bytes = 32, .element_bytes = 2, .dot = 1}, 0, 2},
        {v1, {.vector_bytes = 32, .element_bytes = 2, .dot = 1, .half = true}, 0, 0},
        {v1, {.vector_bytes = 16, .element_bytes = 1, .dot = 1, .matrix = true}, 0, 4},
        {v1, {.vector_bytes = 16, .element_bytes = 4, .equal = 1, .integer = true}, 0, 4},
        {v1, {.vector_bytes = 32, .element_bytes = 4, .equal = 1, .integer = true, .sve = true}, 0, 1},
        {v1, {.vector_bytes = 32, .element_bytes = 8, .mul = 1, .integer = true}, 0, 0.5},
        {v1, {.vector_bytes = 8, .element_bytes = 8, .add = 1, .integer = true}, 0, 4},
        {v1, {.vector_bytes = 8, .element_bytes = 8, .compare = 1, .integer = true}, 0, 3},
        {v2, {.vector_bytes = 16, .element_bytes = 4, .mul = 1, .integer = true}, 0, 2},
        {v2, {.vector_bytes = 16, .element_bytes = 4, .shift = 1, .integer = true}, 0, 2},
        {v2, {.vector_bytes = 16, .store = 1}, 1, 2},
        {n2, {.vector_bytes = 8, .element_bytes = 8, .add = 1, .integer = true}, 0, 3}, /* measured; the guide has 4 */
        {n2, {.vector_bytes = 16, .element_bytes = 2, .dot = 1, .matrix = true}, 0, 2},
        {n1, {.vector_bytes = 8, .element_bytes = 8, .mul = 1, .integer = true}, 0, 1. / 3},
        {n1, {.vector_bytes = 4, .element_bytes = 4, .mul = 1, .integer = true}, 0, 1},
        {n1, {.vector_bytes = 16, .store = 1}, 1, 1},
        {n1, {.vector_bytes = 16, .load = 1}, 2, 2},
        {n1, {.vector_bytes = 16, .store = 1, .touched_bytes = 16}, 2, 1},
        {n1, {.vector_bytes = 16, .element_bytes = 2, .dot = 1}, 0, 0},
        {"Neoverse V3", {.vector_bytes = 8, .element_bytes = 8, .compare = 1, .integer = true}, 0, 4},
        {"Neoverse V3", {.vector_bytes = 16, .element_bytes = 4, .shift = 1, .integer = true}, 0, 4},
        {"Neoverse V3", {.vector_bytes = 16, .element_bytes = 4, .shift = 1, .integer = true, .sve = true}, 0, 2},
        {"Neoverse V3AE", {.vector_bytes = 16, .element_bytes = 4, .shift = 1, .integer = true, .sve = true}, 0, 1},
        {"Neoverse V3AE", {.vector_bytes = 16, .element_bytes = 8, .fma = 1, .store = 1}, 1, 1},
        {"Cortex-X4", {.vector_bytes = 16, .load = 2, .store = 2}, 1, 1},
        {"Cortex-X925", {.vector_bytes = 16, .element_bytes = 8, .fma = 6}, 0, 1},
        {"Cortex-X925", {.vector_bytes = 16, .element_bytes = 8, .fma = 5, .store = 1}, 1, 1}, /* which takes a unit */
        {"Cortex-X925", {.vector_bytes = 16, .load = 1}, 1, 4},
        {"Cortex-X925", {.vector_bytes = 16, .element_bytes = 8, .div = 1}, 0, 0},
        {"C1-Ultra", {.vector_bytes = 16, .element_bytes = 4, .mul = 1, .integer = true, .sve = true}, 0, 4},
        {"C1-Ultra", {.vector_bytes = 8, .element_bytes = 8, .mul = 1, .integer = true}, 0, 4},
        {"C1-Ultra", {.vector_bytes = 16, .element_bytes = 4, .div = 1}, 0, 0.25},
        {"C1-Premium", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 2},
        {"C1-Premium", {.vector_bytes = 16, .load = 1}, 1, 4},
        {"C1-Nano", {.vector_bytes = 8, .element_bytes = 8, .mul = 1, .integer = true}, 0, 0.5},
        {"C1-Nano", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 0},
        {"Cortex-X2", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 4},
        {"Cortex-X2", {.vector_bytes = 16, .load = 2, .store = 1}, 1, 1},
        {"Cortex-X1", {.vector_bytes = 16, .load = 1}, 2, 3}, /* the ports, not the link */
        {"Cortex-A77", {.vector_bytes = 16, .load = 1}, 2, 2},
        {"Cortex-A78", {.vector_bytes = 16, .load = 1}, 1, 3},
        {"Cortex-A78", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 2},
        {"Cortex-A78", {.vector_bytes = 16, .store = 1}, 1, 0},
        {"Cortex-A77", {.vector_bytes = 16, .store = 1}, 1, 0},
        {"Cortex-A57", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 1},
        {"Cortex-A57", {.vector_bytes = 8, .element_bytes = 8, .fma = 1}, 0, 2},
        {"Cortex-A72", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 1},
        {"Cortex-A72", {.vector_bytes = 8, .element_bytes = 8, .fma = 1}, 0, 0}, /* two sources, two rates */
        {"Cortex-A72", {.vector_bytes = 8, .element_bytes = 8, .add = 1}, 0, 2},
        {"Cortex-A72", {.vector_bytes = 16, .store = 1}, 1, 0.5},
        {n2, {.vector_bytes = 16, .load = 2, .store = 1, .touched_bytes = 48}, 2, 1},
        {v2, {.vector_bytes = 16, .store = 1, .touched_bytes = 16}, 2, 2},
        {"Oryon", {.vector_bytes = 16, .load = 1}, 1, 4},
        {"Oryon", {.vector_bytes = 16, .load = 2, .store = 2}, 1, 1},
        {"Oryon", {.vector_bytes = 16, .store = 1}, 1, 2},
        {"Oryon", {.vector_bytes = 16, .element_bytes = 1, .dot = 1, .matrix = true}, 0, 2},
        {"Oryon", {.vector_bytes = 8, .element_bytes = 8, .add = 1, .integer = true}, 0, 6},
        {"M2 P (Avalanche)", {.vector_bytes = 16, .load = 3, .store = 1}, 1, 1},
        {"M2 P (Avalanche)", {.vector_bytes = 16, .element_bytes = 8, .sqrt = 1}, 0, 0.5},
        {"M2 E (Blizzard)", {.vector_bytes = 8, .element_bytes = 8, .add = 1, .integer = true}, 0, 4},
        {"M2 E (Blizzard)", {.vector_bytes = 16, .load = 1, .store = 1}, 1, 1},
        {"M4 P", {.vector_bytes = 8, .element_bytes = 8, .mul = 1, .integer = true}, 0, 3},
        {"M4 E", {.vector_bytes = 16, .element_bytes = 8, .add = 1}, 0, 3},
        {"M4 E", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 2},
        {"Neoverse V3", {.vector_bytes = 16, .element_bytes = 8, .div = 1}, 0, 0.5},
        {"A64FX", {.vector_bytes = 64, .load = 1}, 1, 2},
        {"A64FX", {.vector_bytes = 64, .store = 1}, 1, 1},
        {"A64FX", {.vector_bytes = 64, .load = 2, .store = 1}, 1, 0.5},
        {"A64FX", {.vector_bytes = 64, .load = 1}, 2, 1},
        {"A64FX", {.vector_bytes = 64, .store = 1, .touched_bytes = 64}, 2, 0.5}, /* 32 bytes per cycle back */
        {"A64FX", {.vector_bytes = 64, .element_bytes = 8, .div = 1}, 0, 1. / 154},
        {"A64FX", {.vector_bytes = 32, .element_bytes = 4, .sqrt = 1}, 0, 1. / 52},
        {"A64FX", {.vector_bytes = 8, .element_bytes = 8, .div = 1}, 0, 1. / 43},
        {"A64FX", {.vector_bytes = 64, .element_bytes = 1, .dot = 1}, 0, 2},
        {m1, {.vector_bytes = 16, .element_bytes = 2, .half = true, .fma = 1}, 0, 4},
        {m1, {.vector_bytes = 16, .load = 2, .store = 1}, 1, 4. / 3}, /* one unit stores or loads */
        {m1, {.vector_bytes = 16, .element_bytes = 8, .sqrt = 1}, 0, 0.5},
        {ampere, {.vector_bytes = 16, .element_bytes = 8, .fma = 2, .load = 2, .store = 1}, 1, 0.8}, /* width of 4 */
        {"Kunpeng 920 (TaiShan v110)", {.vector_bytes = 8, .element_bytes = 8, .fma = 1}, 0, 2},
        {"Kunpeng 920 (TaiShan v110)", {.vector_bytes = 16, .element_bytes = 8, .fma = 1}, 0, 0},
        {"ThunderX2 (Vulcan)", {.vector_bytes = 16, .load = 1}, 3, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double is = uarch_limit(named(rows[i].name), &rows[i].mix, rows[i].level).per_cycle;
        if (is < rows[i].per_cycle * 0.999 || is > rows[i].per_cycle * 1.001)
            fail_msg("row %zu, %s: %g per cycle", i, rows[i].name, is);
    }
}

static void names_and_peaks(void **state) {
    (void)state;
    assert_ptr_equal(uarch_named("Sapphire Rapids"), named(golden_cove));
    assert_ptr_equal(uarch_named("sapphire rapids (golden cove)"), named(golden_cove));
    assert_ptr_equal(uarch_named("Zen 4"), named("Zen 4"));
    assert_null(uarch_named("Sapphire"));
    assert_null(uarch_named("Westmere"));
    assert_null(uarch_named(""));
    const struct {
        const char *name;
        double flop_per_cycle;
    } peaks[] = {{"Sandy Bridge", 8},
                 {"Haswell", 16},
                 {"Skylake-SP", 32},
                 {"Ice Lake (Sunny Cove)", 16},
                 {"Sapphire Rapids", 32},
                 {"Alder Lake P", 16},
                 {"Zen", 8},
                 {"Zen 3", 16},
                 {"Zen 4", 16},
                 {"Zen 5", 32},
                 {"Alder Lake E", 8},
                 {"Lunar Lake P", 16},
                 {"Zen 6", 0},
                 {"Neoverse N1", 8},
                 {"Neoverse N2", 8},
                 {"Neoverse V1", 16},
                 {"Neoverse V2", 16},
                 {"A64FX", 32},
                 {"AmpereOne", 8},
                 {"M1 P", 16},
                 {"Vera", 24},
                 {"Oryon", 16},
                 {"M4 P", 16},
                 {"Cortex-X4", 16},
                 {"Cortex-X925", 24},
                 {"C1-Premium", 8},
                 {"Cortex-A78", 8},
                 {"Cortex-A720", 0}};
    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        assert_non_null(uarch_named(peaks[i].name));
        assert_float_equal(uarch_peak_flop_per_cycle(uarch_named(peaks[i].name)), peaks[i].flop_per_cycle, 0.001);
    }
    assert_float_equal(uarch_peak_flop_per_cycle(NULL), 0, 0);
    const char *source;
    assert_float_equal(uarch_sustained_bytes_per_cycle(named("Skylake-SP"), 2, &source), 52, 0);
    assert_non_null(source);
    assert_float_equal(uarch_sustained_bytes_per_cycle(named("Skylake"), 1, &source), 0, 0);
    assert_null(source);
    assert_float_equal(uarch_sustained_bytes_per_cycle(named("Skylake-SP"), 0, &source), 0, 0);
    assert_float_equal(uarch_sustained_bytes_per_cycle(named("Skylake-SP"), 4, &source), 0, 0);
    assert_float_equal(uarch_sustained_bytes_per_cycle(NULL, 2, &source), 0, 0);
}

static void assert_unknown(const struct uarch *uarch, struct uarch_mix mix, unsigned level) {
    const struct uarch_limit limit = uarch_limit(uarch, &mix, level);
    assert_float_equal(limit.per_cycle, 0, 0);
    assert_null(limit.source);
}
#define UNKNOWN(uarch, level, ...) assert_unknown(uarch, (struct uarch_mix){__VA_ARGS__}, level)

static void unknown_stays_unknown(void **state) {
    (void)state;
    UNKNOWN(NULL, 0, .vector_bytes = 64, .fma = 1);
    UNKNOWN(named("Wildcat Lake"), 0, .vector_bytes = 32, .fma = 1);
    UNKNOWN(named("Sandy Bridge"), 0, .vector_bytes = 32, .fma = 1);  /* has none */
    UNKNOWN(named("Haswell"), 0, .vector_bytes = 64, .fma = 1);       /* nor that width */
    UNKNOWN(named("Zen"), 0, .vector_bytes = 32, .fma = 9, .add = 1); /* sources disagree */
    UNKNOWN(named("Zen 2"), 0, .vector_bytes = 32, .fma = 1, .add = 1);
    UNKNOWN(named("Zen 3"), 0, .vector_bytes = 8, .x87 = true, .add = 1);
    UNKNOWN(named(golden_cove), 0, .vector_bytes = 64, .div = 1); /* no element type given */
    UNKNOWN(named(golden_cove), 0, .vector_bytes = 64, .element_bytes = 2, .div = 1);
    UNKNOWN(named(golden_cove), 0, .vector_bytes = 64, .element_bytes = 8, .sqrt = 1);
    UNKNOWN(named(golden_cove), 0, .vector_bytes = 8, .element_bytes = 8, .x87 = true, .div = 1);
    UNKNOWN(named("Ice Lake-SP (Sunny Cove)"), 0, .vector_bytes = 1024, .element_bytes = 1, .dot = 1);
    UNKNOWN(named("Ice Lake-SP (Sunny Cove)"), 0, .vector_bytes = 64, .element_bytes = 2, .dot = 1);
    UNKNOWN(named("Haswell"), 0, .vector_bytes = 32, .element_bytes = 8, .div = 1);
    UNKNOWN(named(golden_cove), 2, .vector_bytes = 64, .store = 1);
    UNKNOWN(named(golden_cove), 2, .vector_bytes = 64, .load = 2, .store = 1);
    UNKNOWN(named(golden_cove), 3, .vector_bytes = 64, .store = 1, .touched_bytes = 64);
    UNKNOWN(named("Emerald Rapids (Raptor Cove)"), 3, .vector_bytes = 64, .load = 1);
    UNKNOWN(named("Skylake"), 2, .vector_bytes = 32, .store = 1, .touched_bytes = 32); /* the sharing of the link */
    UNKNOWN(named("Arrow Lake P (Lion Cove)"), 2, .vector_bytes = 32, .load = 1);
    UNKNOWN(named("Arrow Lake E (Skymont)"), 2, .vector_bytes = 16, .load = 1);
    UNKNOWN(named("Haswell"), 4, .vector_bytes = 32, .load = 1);
    UNKNOWN(named("Zen 4"), 3, .vector_bytes = 32, .store = 1, .touched_bytes = 32);
    UNKNOWN(named(golden_cove), 1, .vector_bytes = 64); /* nothing requested */
}

static void every_row_has_a_source(void **state) {
    (void)state;
    for (size_t i = 0; uarch_at(i); i++) {
        char sources[1024];
        assert_in_range(strlen(uarch_sources(uarch_at(i), sources, sizeof sources)), 1, 639); /* a result's field */
        assert_non_null(uarch_at(i)->source);
        assert_true(!uarch_at(i)->core || uarch_at(i)->core->source);
        for (int level = 0; level < 3; level++)
            assert_true(!uarch_at(i)->sustained_bytes_per_cycle[level] || uarch_at(i)->sustained_source);
        assert_true(uarch_at(i)->l2_duplex == DUPLEX_UNKNOWN || uarch_at(i)->l2_bytes_per_cycle);
        const struct uarch_mix load = {.vector_bytes = 16, .load = 1};
        const struct uarch_limit limit = uarch_limit(uarch_at(i), &load, 1);
        assert_true((limit.per_cycle > 0) == (limit.source != NULL));
        /* A row identified by features must not match another row. */
        for (size_t j = 0; uarch_at(j) && uarch_at(i)->told_by_features; j++)
            if (j != i && uarch_at(j)->told_by_features)
                assert_true(strcmp(uarch_at(i)->vendor, uarch_at(j)->vendor) != 0 ||
                            uarch_at(i)->has & uarch_at(j)->lacks || uarch_at(j)->has & uarch_at(i)->lacks);
    }
}

/* LP-E cores have a row of their own, or are those of the E cores. */
static void low_power_cores(void **state) {
    (void)state;
    const struct cpu_identity arrow = {.vendor = "GenuineIntel", .family = 6, .model = 197},
                              lunar = {.vendor = "GenuineIntel", .family = 6, .model = 189};
    assert_string_equal(uarch_name(uarch_find(&arrow, "LP-E").uarch), "Arrow Lake LP-E (Crestmont)");
    assert_string_equal(uarch_name(uarch_find(&arrow, "E").uarch), "Arrow Lake E (Skymont)");
    assert_string_equal(uarch_name(uarch_find(&lunar, "LP-E").uarch), "Lunar Lake E (Skymont)");
    assert_int_equal(uarch_between(uarch_find(&lunar, "P").uarch)->bytes, 192 << 10);
    assert_null(uarch_between(uarch_find(&lunar, "E").uarch));
    assert_null(uarch_between(NULL));
}

/* Rows of one model number must differ in stepping, kind or units. */
static void no_model_is_claimed_twice(void **state) {
    (void)state;
    for (size_t i = 0; uarch_at(i); i++)
        for (size_t j = 0; j < i; j++) {
            const struct uarch *a = uarch_at(i), *b = uarch_at(j);
            if (strcmp(a->vendor, b->vendor) != 0 || a->family != b->family || a->kind != b->kind ||
                a->wide_fma_units != b->wide_fma_units ||
                (a->last_stepping > 0 && b->last_stepping > 0 &&
                 (a->first_stepping > b->last_stepping || b->first_stepping > a->last_stepping)))
                continue;
            for (unsigned m = 0; m < MAX_MODEL_RANGES && (m == 0 || a->models[m].last); m++)
                for (unsigned n = 0; n < MAX_MODEL_RANGES && (n == 0 || b->models[n].last); n++)
                    if (a->models[m].first <= b->models[n].last && b->models[n].first <= a->models[m].last)
                        fail_msg("\"%s\" and \"%s\" claim the same model", a->name, b->name);
        }
}

static void assert_found(struct cpu_identity cpu, const char *kind, const char *name, const char *doubt) {
    const struct uarch_match match = uarch_find(&cpu, kind);
    assert_string_equal(uarch_name(match.uarch), name);
    if (doubt ? !strstr(match.doubt, doubt) : match.doubt[0] != '\0')
        fail_msg("%s: the doubt is \"%s\", not \"%s\"", name, match.doubt, doubt ? doubt : "");
}

static void identities(void **state) {
    (void)state;
    assert_found(identity("GenuineIntel", 6, 143, SAPPHIRE_BITS), "", golden_cove, NULL);
    assert_found(identity("GenuineIntel", 6, 207, SAPPHIRE_BITS), "", "Emerald Rapids (Raptor Cove)", NULL);
    assert_found(identity("GenuineIntel", 6, 167, AVX512_BITS), "", "Rocket Lake (Cypress Cove)", NULL);
    assert_found(identity("GenuineIntel", 6, 0xc6, AVX2_BITS | CPU_AVX_VNNI | CPU_HYBRID), "P",
                 "Arrow Lake P (Lion Cove)", NULL);
    assert_found(identity("GenuineIntel", 6, 0xbd, AVX2_BITS | CPU_AVX_VNNI | CPU_HYBRID), "E",
                 "Lunar Lake E (Skymont)", NULL);
    assert_found(identity("GenuineIntel", 6, 0xaa, AVX2_BITS | CPU_AVX_VNNI | CPU_HYBRID), "P",
                 "Meteor Lake P (Redwood Cove)", NULL);
    assert_found(identity("AuthenticAMD", 25, 0x01, AVX2_BITS), "", "Zen 3", NULL);
    assert_found(identity("AuthenticAMD", 25, 0x11, AVX512_BITS | CPU_AVX512_BF16), "", "Zen 4", NULL);
    assert_found(identity("AuthenticAMD", 23, 0x31, AVX2_BITS), "", "Zen 2", NULL);

    struct cpu_identity skylake = identity("GenuineIntel", 6, 85, AVX512_BITS & ~CPU_AVX512_VNNI);
    skylake.stepping = 4;
    assert_found(skylake, "", "Skylake-SP", "one or two 512-bit FMA units: 16 or 32");
    strcpy(skylake.brand, "Intel(R) Xeon(R) Platinum 8175M CPU @ 2.50GHz");
    assert_found(skylake, "", "Skylake-SP", NULL);
    skylake.stepping = 7;
    skylake.features |= CPU_AVX512_VNNI;
    assert_found(skylake, "", "Cascade Lake", NULL);
}

/* Models with one unit and with two share all of CPUID but the name. */
static void one_or_two_wide_units(void **state) {
    (void)state;
    static const struct {
        const char *brand;
        unsigned stepping;
        const char *name;
        double fma, half_fma, integer_add; /* 512-bit f64 FMA, 256-bit FMA, 512-bit additions of i32: per cycle */
    } rows[] = {
        {"Intel(R) Xeon(R) Silver 4108 CPU @ 1.80GHz", 4, "Skylake-SP, one FMA unit", 1, 2, 2},
        {"Intel(R) Xeon(R) Bronze 3106 CPU @ 1.70GHz", 4, "Skylake-SP, one FMA unit", 1, 2, 2},
        {"Intel(R) Xeon(R) Gold 5119T CPU @ 1.90GHz", 4, "Skylake-SP, one FMA unit", 1, 2, 2},
        {"Intel(R) Xeon(R) Gold 5122 CPU @ 3.60GHz", 4, "Skylake-SP", 2, 2, 2},
        {"Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", 4, "Skylake-SP", 2, 2, 2},
        {"Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz", 7, "Cascade Lake, one FMA unit", 1, 2, 2},
        {"Intel(R) Xeon(R) Gold 5222 CPU @ 3.80GHz", 7, "Cascade Lake", 2, 2, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cpu_identity cpu = identity("GenuineIntel", 6, 85, 0);
        const struct uarch_mix wide = {.vector_bytes = 64, .element_bytes = 8, .fma = 1},
                               half = {.vector_bytes = 32, .element_bytes = 8, .fma = 1},
                               add = {.vector_bytes = 64, .element_bytes = 4, .add = 1, .integer = true};
        snprintf(cpu.brand, sizeof cpu.brand, "%s", rows[i].brand);
        cpu.stepping = rows[i].stepping;
        assert_found(cpu, "", rows[i].name, NULL);
        const struct uarch *uarch = named(rows[i].name);
        assert_float_equal(uarch_limit(uarch, &wide, 0).per_cycle, rows[i].fma, 1e-6);
        assert_float_equal(uarch_limit(uarch, &half, 0).per_cycle, rows[i].half_fma, 1e-6);
        assert_float_equal(uarch_limit(uarch, &add, 0).per_cycle, rows[i].integer_add, 1e-6);
    }
    assert_true(uarch_named("Skylake-SP") == named("Skylake-SP"));
}

static void masked_identities(void **state) {
    (void)state;
    const uint32_t granite = SAPPHIRE_BITS | CPU_AVX10 | CPU_PREFETCHI | CPU_HYPERVISOR;
    assert_found(identity("GenuineIntel", 6, 167, granite), "", "Granite Rapids (Redwood Cove)",
                 "CPUID says model 167 (Rocket Lake), but avx512_fp16, avx512_bf16, amx_tile, … are present: the "
                 "hypervisor masks the "
                 "CPU; like Granite Rapids by its features");
    assert_found(identity("GenuineIntel", 6, 85, SAPPHIRE_BITS | CPU_HYPERVISOR), "", golden_cove, "masks the CPU");
    assert_found(identity("GenuineIntel", 6, 143, granite), "", "Granite Rapids (Redwood Cove)", "masks the CPU");
    /* Too new for its number, but its features are those of many. */
    assert_found(identity("GenuineIntel", 6, 60, AVX512_BITS), "", "not known", "not fit exactly one documented CPU");
    /* A hypervisor may hide features; that does not make it another CPU. */
    assert_found(identity("GenuineIntel", 6, 143, AVX512_BITS | CPU_HYPERVISOR), "", golden_cove, "hides avx512_fp16");
    assert_found(identity("GenuineIntel", 6, 999, AVX2_BITS), "", "not known", "model 999");
    assert_found(identity("AuthenticAMD", 6, 143, AVX2_BITS), "", "not known", "AuthenticAMD family 6");
    /* The system limits the length of vectors. */
    assert_found(identity("Fujitsu", 8, 1, CPU_ASIMD | CPU_ASIMD_HP | CPU_SVE256), "", "A64FX",
                 "MIDR says A64FX, but hides sve512: switched off by the firmware or kernel");
    assert_found(identity("Arm", 8, 0xd0c, CPU_ASIMD | CPU_ASIMD_HP | CPU_ASIMD_DP | CPU_SVE256), "", "not known",
                 "MIDR says model 3340 (Neoverse N1), but sve256 are present");
}

/* The family and model numbers that Linux knows (intel-family.h, the Zen generations of amd.c, the vendors of hygon.c,
 * zhaoxin.c and centaur.c, the parts of AArch64's cputype.h), and how our row of them begins. NULL: there is no row,
 * and no other one may match. */
static const struct known_models {
    const char *vendor;
    unsigned family, first, last;
    const char *product;
} KNOWN_MODELS[] = {
    {"GenuineIntel", 5, 0x00, 0x09, NULL},
    {"GenuineIntel", 6, 0x01, 0x0d, NULL}, /* Pentium Pro to M */
    {"GenuineIntel", 6, 0x0e, 0x0f, NULL}, /* Yonah, Merom */
    {"GenuineIntel", 6, 0x16, 0x17, NULL}, /* Merom, Penryn */
    {"GenuineIntel", 6, 0x1a, 0x1a, NULL}, /* Nehalem */
    {"GenuineIntel", 6, 0x1c, 0x1f, NULL}, /* Bonnell, Dunnington, Nehalem */
    {"GenuineIntel", 6, 0x25, 0x27, NULL}, /* Westmere, Bonnell, Saltwell */
    {"GenuineIntel", 6, 0x2a, 0x2a, "Sandy Bridge"},
    {"GenuineIntel", 6, 0x2c, 0x2c, NULL}, /* Westmere */
    {"GenuineIntel", 6, 0x2d, 0x2d, "Sandy Bridge"},
    {"GenuineIntel", 6, 0x2e, 0x2f, NULL}, /* Nehalem, Westmere */
    {"GenuineIntel", 6, 0x35, 0x37, NULL}, /* Saltwell, Silvermont */
    {"GenuineIntel", 6, 0x3a, 0x3a, "Ivy Bridge"},
    {"GenuineIntel", 6, 0x3c, 0x3c, "Haswell"},
    {"GenuineIntel", 6, 0x3d, 0x3d, "Broadwell"},
    {"GenuineIntel", 6, 0x3e, 0x3e, "Ivy Bridge"},
    {"GenuineIntel", 6, 0x3f, 0x3f, "Haswell"},
    {"GenuineIntel", 6, 0x45, 0x46, "Haswell"},
    {"GenuineIntel", 6, 0x47, 0x47, "Broadwell"},
    {"GenuineIntel", 6, 0x4a, 0x4a, NULL}, /* Silvermont */
    {"GenuineIntel", 6, 0x4c, 0x4d, NULL}, /* Airmont, Silvermont */
    {"GenuineIntel", 6, 0x4e, 0x4e, "Skylake"},
    {"GenuineIntel", 6, 0x4f, 0x4f, "Broadwell"},
    {"GenuineIntel", 6, 0x55, 0x55, "Skylake-SP"},
    {"GenuineIntel", 6, 0x56, 0x56, "Broadwell"},
    {"GenuineIntel", 6, 0x57, 0x57, NULL}, /* Knights Landing */
    {"GenuineIntel", 6, 0x5a, 0x5a, NULL}, /* Airmont */
    {"GenuineIntel", 6, 0x5c, 0x5c, NULL}, /* Goldmont */
    {"GenuineIntel", 6, 0x5e, 0x5e, "Skylake"},
    {"GenuineIntel", 6, 0x5f, 0x5f, NULL}, /* Goldmont */
    {"GenuineIntel", 6, 0x66, 0x66, NULL}, /* Cannon Lake */
    {"GenuineIntel", 6, 0x6a, 0x6a, "Ice Lake-SP"},
    {"GenuineIntel", 6, 0x6c, 0x6c, "Ice Lake-SP"},
    {"GenuineIntel", 6, 0x75, 0x75, NULL}, /* Airmont */
    {"GenuineIntel", 6, 0x7a, 0x7a, NULL}, /* Goldmont Plus */
    {"GenuineIntel", 6, 0x7d, 0x7e, "Ice Lake ("},
    {"GenuineIntel", 6, 0x85, 0x86, NULL}, /* Knights Mill, Tremont */
    {"GenuineIntel", 6, 0x8a, 0x8a, NULL}, /* Lakefield */
    {"GenuineIntel", 6, 0x8c, 0x8d, "Tiger Lake"},
    {"GenuineIntel", 6, 0x8e, 0x8e, "Kaby Lake"},
    {"GenuineIntel", 6, 0x8f, 0x8f, "Sapphire Rapids"},
    {"GenuineIntel", 6, 0x96, 0x96, NULL}, /* Tremont */
    {"GenuineIntel", 6, 0x97, 0x97, "Alder Lake P"},
    {"GenuineIntel", 6, 0x9a, 0x9a, "Alder Lake P"},
    {"GenuineIntel", 6, 0x9c, 0x9d, NULL}, /* Tremont, Ice Lake NNPI */
    {"GenuineIntel", 6, 0x9e, 0x9e, "Kaby Lake"},
    {"GenuineIntel", 6, 0xa5, 0xa6, "Comet Lake"},
    {"GenuineIntel", 6, 0xa7, 0xa7, "Rocket Lake"},
    {"GenuineIntel", 6, 0xaa, 0xaa, "Meteor Lake P"},
    {"GenuineIntel", 6, 0xac, 0xac, "Meteor Lake P"},
    {"GenuineIntel", 6, 0xad, 0xae, "Granite Rapids"},
    {"GenuineIntel", 6, 0xaf, 0xaf, "Sierra Forest"},
    {"GenuineIntel", 6, 0xb5, 0xb5, "Arrow Lake-U"},
    {"GenuineIntel", 6, 0xb6, 0xb6, "Grand Ridge"},
    {"GenuineIntel", 6, 0xb7, 0xb7, "Raptor Lake P"},
    {"GenuineIntel", 6, 0xba, 0xba, "Raptor Lake P"},
    {"GenuineIntel", 6, 0xbd, 0xbd, "Lunar Lake P"},
    {"GenuineIntel", 6, 0xbe, 0xbe, "Alder Lake-N"},
    {"GenuineIntel", 6, 0xbf, 0xbf, "Raptor Lake P"},
    {"GenuineIntel", 6, 0xc5, 0xc6, "Arrow Lake P"},
    {"GenuineIntel", 6, 0xcc, 0xcc, "Panther Lake P"},
    {"GenuineIntel", 6, 0xcf, 0xcf, "Emerald Rapids"},
    {"GenuineIntel", 6, 0xd5, 0xd5, "Wildcat Lake"},
    {"GenuineIntel", 6, 0xd7, 0xd7, "Bartlett Lake"},
    {"GenuineIntel", 6, 0xdd, 0xdd, "Clearwater Forest"},
    {"GenuineIntel", 6, 0xe5, 0xe5, "Panther Lake P"},
    {"GenuineIntel", 15, 0x00, 0x06, NULL},
    {"GenuineIntel", 18, 0x01, 0x01, "Nova Lake P"},
    {"GenuineIntel", 18, 0x02, 0x02, NULL},
    {"GenuineIntel", 18, 0x03, 0x03, "Nova Lake P"},
    {"GenuineIntel", 19, 0x01, 0x01, "Diamond Rapids"},
    {"AuthenticAMD", 0x15, 0x00, 0x7f, NULL}, /* Bulldozer to Excavator */
    {"AuthenticAMD", 0x16, 0x00, 0x3f, NULL}, /* Jaguar, Puma */
    {"AuthenticAMD", 0x17, 0x00, 0x2f, "Zen"},
    {"AuthenticAMD", 0x17, 0x30, 0x4f, "Zen 2"},
    {"AuthenticAMD", 0x17, 0x50, 0x5f, "Zen"},
    {"AuthenticAMD", 0x17, 0x60, 0x7f, "Zen 2"},
    {"AuthenticAMD", 0x17, 0x90, 0x91, "Zen 2"},
    {"AuthenticAMD", 0x17, 0xa0, 0xaf, "Zen 2"},
    {"AuthenticAMD", 0x19, 0x00, 0x0f, "Zen 3"},
    {"AuthenticAMD", 0x19, 0x10, 0x1f, "Zen 4"},
    {"AuthenticAMD", 0x19, 0x20, 0x5f, "Zen 3"},
    {"AuthenticAMD", 0x19, 0x60, 0xaf, "Zen 4"},
    {"AuthenticAMD", 0x1a, 0x00, 0x1f, "Zen 5"},
    {"AuthenticAMD", 0x1a, 0x20, 0x2f, "Zen 5 (Strix Point)"},
    {"AuthenticAMD", 0x1a, 0x40, 0x4f, "Zen 5"},
    {"AuthenticAMD", 0x1a, 0x50, 0x5f, "Zen 6"},
    {"AuthenticAMD", 0x1a, 0x60, 0x6f, "Zen 5 (mobile)"},
    {"AuthenticAMD", 0x1a, 0x70, 0x77, "Zen 5 (Strix Halo)"},
    {"AuthenticAMD", 0x1a, 0x78, 0x7f, "Zen 5 (mobile)"},
    {"AuthenticAMD", 0x1a, 0x80, 0xaf, "Zen 6"},
    {"AuthenticAMD", 0x1a, 0xc0, 0xef, "Zen 6"},
    {"HygonGenuine", 0x18, 0x00, 0x1f, "Hygon Dhyana"},
    {"CentaurHauls", 6, 0x00, 0x3f, NULL},
    {"CentaurHauls", 7, 0x00, 0x3a, NULL},
    {"CentaurHauls", 7, 0x3b, 0x3b, "Zhaoxin ZX-E (LuJiaZui)"},
    {"CentaurHauls", 7, 0x3c, 0x5b, NULL},
    {"  Shanghai  ", 6, 0x00, 0x3f, NULL},
    {"  Shanghai  ", 7, 0x00, 0x3a, NULL},
    {"  Shanghai  ", 7, 0x3b, 0x3b, "Zhaoxin LuJiaZui"},
    {"  Shanghai  ", 7, 0x3c, 0x5a, NULL},
    {"  Shanghai  ", 7, 0x5b, 0x5b, "Zhaoxin YongFeng"},
    {"  Shanghai  ", 7, 0x5c, 0x6a, NULL},
    {"  Shanghai  ", 7, 0x6b, 0x6b, "Zhaoxin Century Avenue"},
    {"Arm", 8, 0xd00, 0xd02, NULL},
    {"Arm", 8, 0xd03, 0xd03, "Cortex-A53"},
    {"Arm", 8, 0xd04, 0xd04, NULL}, /* Cortex-A35 */
    {"Arm", 8, 0xd05, 0xd05, "Cortex-A55"},
    {"Arm", 8, 0xd07, 0xd07, "Cortex-A57"},
    {"Arm", 8, 0xd08, 0xd08, "Cortex-A72"},
    {"Arm", 8, 0xd09, 0xd09, "Cortex-A73"},
    {"Arm", 8, 0xd0a, 0xd0a, "Cortex-A75"},
    {"Arm", 8, 0xd0b, 0xd0b, "Cortex-A76"},
    {"Arm", 8, 0xd0c, 0xd0c, "Neoverse N1"},
    {"Arm", 8, 0xd0d, 0xd0d, "Cortex-A77"},
    {"Arm", 8, 0xd0e, 0xd0e, "Cortex-A76"}, /* A76AE */
    {"Arm", 8, 0xd0f, 0xd0f, NULL},         /* a model in software */
    {"Arm", 8, 0xd40, 0xd40, "Neoverse V1"},
    {"Arm", 8, 0xd41, 0xd42, "Cortex-A78"},
    {"Arm", 8, 0xd44, 0xd44, "Cortex-X1"},
    {"Arm", 8, 0xd46, 0xd46, "Cortex-A510"},
    {"Arm", 8, 0xd47, 0xd47, "Cortex-A710"},
    {"Arm", 8, 0xd48, 0xd48, "Cortex-X2"},
    {"Arm", 8, 0xd49, 0xd49, "Neoverse N2"},
    {"Arm", 8, 0xd4b, 0xd4b, "Cortex-A78"}, /* A78C */
    {"Arm", 8, 0xd4c, 0xd4c, "Cortex-X1"},  /* X1C */
    {"Arm", 8, 0xd4d, 0xd4d, "Cortex-A715"},
    {"Arm", 8, 0xd4e, 0xd4e, "Cortex-X3"},
    {"Arm", 8, 0xd4f, 0xd4f, "Neoverse V2"},
    {"Arm", 8, 0xd80, 0xd80, "Cortex-A520"},
    {"Arm", 8, 0xd81, 0xd81, "Cortex-A720"},
    {"Arm", 8, 0xd82, 0xd82, "Cortex-X4"},
    {"Arm", 8, 0xd83, 0xd83, "Neoverse V3AE"},
    {"Arm", 8, 0xd84, 0xd84, "Neoverse V3"},
    {"Arm", 8, 0xd85, 0xd85, "Cortex-X925"},
    {"Arm", 8, 0xd87, 0xd87, "Cortex-A725"},
    {"Arm", 8, 0xd8a, 0xd8a, "C1-Nano"},
    {"Arm", 8, 0xd8b, 0xd8b, "C1-Pro"},
    {"Arm", 8, 0xd8c, 0xd8c, "C1-Ultra"},
    {"Arm", 8, 0xd8e, 0xd8e, "Neoverse N3"},
    {"Arm", 8, 0xd8f, 0xd8f, NULL}, /* Cortex-A320 */
    {"Arm", 8, 0xd90, 0xd90, "C1-Premium"},
    {"Cavium", 8, 0x0a0, 0x0a3, NULL}, /* ThunderX */
    {"Cavium", 8, 0x0af, 0x0af, "ThunderX2"},
    {"Cavium", 8, 0x0b8, 0x0b8, NULL}, /* ThunderX3 */
    {"Fujitsu", 8, 0x001, 0x001, "A64FX"},
    {"Fujitsu", 8, 0x003, 0x003, "MONAKA"},
    {"HiSilicon", 8, 0xd01, 0xd01, "Kunpeng 920"},
    {"HiSilicon", 8, 0xd02, 0xd06, NULL},
    {"NVIDIA", 8, 0x003, 0x004, NULL}, /* Denver, Carmel */
    {"NVIDIA", 8, 0x010, 0x010, "Vera"},
    {"Apple", 8, 0x020, 0x020, "M1 E"}, /* A14 */
    {"Apple", 8, 0x021, 0x021, "M1 P"},
    {"Apple", 8, 0x022, 0x022, "M1 E"},
    {"Apple", 8, 0x023, 0x023, "M1 P"},
    {"Apple", 8, 0x024, 0x024, "M1 E"},
    {"Apple", 8, 0x025, 0x025, "M1 P"},
    {"Apple", 8, 0x026, 0x027, NULL},
    {"Apple", 8, 0x028, 0x028, "M1 E"},
    {"Apple", 8, 0x029, 0x029, "M1 P"},
    {"Apple", 8, 0x032, 0x032, "M2 E"},
    {"Apple", 8, 0x033, 0x033, "M2 P"},
    {"Apple", 8, 0x039, 0x039, "M2 P"},
    {"Apple", 8, 0x042, 0x042, "M3 E"},
    {"Apple", 8, 0x049, 0x049, "M3 P"},
    {"Apple", 8, 0x052, 0x052, "M4 E"},
    {"Apple", 8, 0x055, 0x055, "M4 P"},
    {"Apple", 8, 0x059, 0x059, "M4 P"},
    {"Broadcom", 8, 0x516, 0x516, "Vulcan"},
    {"Ampere", 8, 0xac3, 0xac4, "AmpereOne (Ampere1)"},
    {"Ampere", 8, 0xac5, 0xac5, "AmpereOne MX"},
    {"Microsoft", 8, 0xd49, 0xd49, "Cobalt 100"},
    {"Qualcomm", 8, 0x001, 0x001, "Oryon"},
    {"Qualcomm", 8, 0x002, 0xfff, NULL},
};

static void models_that_linux_knows(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN_MODELS / sizeof *KNOWN_MODELS; i++)
        for (unsigned model = KNOWN_MODELS[i].first; model <= KNOWN_MODELS[i].last; model++) {
            const struct known_models *known = &KNOWN_MODELS[i];
            const struct cpu_identity cpu = identity(known->vendor, known->family, model, 0);
            const struct uarch *found = uarch_find(&cpu, "").uarch;
            if (known->product ? strncmp(uarch_name(found), known->product, strlen(known->product)) != 0 : !!found)
                fail_msg("%s family %u model %u is taken for \"%s\"", known->vendor, known->family, model,
                         uarch_name(found));
        }
}

/* For any features of a CPU: successors have those of their predecessors, and hypervisors hide some. */
static void no_identity_of_another_family(void **state) {
    (void)state;
    static const char *const vendors[] = {"GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls",
                                          "  Shanghai  "};
    for (size_t v = 0; v < sizeof vendors / sizeof *vendors; v++)
        for (unsigned family = 4; family < 32; family++)
            for (unsigned model = 0; model < 256; model++)
                for (size_t i = 0; uarch_at(i); i++) {
                    const struct cpu_identity cpu =
                        identity(vendors[v], family, model, uarch_at(i)->has | CPU_HYPERVISOR);
                    const struct uarch *found = uarch_find(&cpu, "").uarch;
                    if (found && (strcmp(found->vendor, vendors[v]) != 0 || found->family != family))
                        fail_msg("%s family %u model %u with the features of \"%s\" is taken for \"%s\"", vendors[v],
                                 family, model, uarch_at(i)->name, found->name);
                }
    const uint32_t diamond = SAPPHIRE_BITS | CPU_PREFETCHI | CPU_AVX10 | CPU_AMX_FP16;
    assert_found(identity("GenuineIntel", 19, 2, diamond), "", "not known",
                 "no documented limits for GenuineIntel family 19 model 2; its features do not fit exactly one "
                 "documented CPU");
    assert_found(identity("AuthenticAMD", 26, 0xf0, AVX512_BITS | CPU_AVX512_BF16), "", "not known", "family 26");
    assert_found(identity("GenuineIntel", 19, 1, diamond), "", "Diamond Rapids (Panther Cove)", NULL);
    assert_found(identity("AuthenticAMD", 26, 0x50, AVX512_BITS | CPU_AVX512_BF16), "", "Zen 6", "hides avx_vnni");
    UNKNOWN(named("Diamond Rapids (Panther Cove)"), 0, .vector_bytes = 64, .fma = 1);
    UNKNOWN(named("Zen 6"), 0, .vector_bytes = 64, .fma = 1);
}

static void hybrids_and_recordings(void **state) {
    (void)state;
    const uint32_t alder = AVX2_BITS | CPU_AVX_VNNI;
    assert_found(identity("GenuineIntel", 6, 151, alder | CPU_HYBRID), "P", "Alder Lake P (Golden Cove)", NULL);
    assert_found(identity("GenuineIntel", 6, 151, alder | CPU_HYBRID), "E", "Alder Lake E (Gracemont)", NULL);
    assert_found(identity("GenuineIntel", 6, 151, alder | CPU_HYBRID), "", "not known", "P or E");
    assert_found(identity("GenuineIntel", 6, 151, alder), "", "Alder Lake P (Golden Cove)", NULL);
    /* A recording has no features, so the number is trusted. */
    assert_found(identity("GenuineIntel", 6, 167, 0), "", "Rocket Lake (Cypress Cove)", NULL);
    assert_found(identity("", 0, 0, 0), "", "not known", "vendor, family and model are not known");
}

/* Certain features of a product, if a recording has none: none that only its successors have. */
static void features_of_products(void **state) {
    (void)state;
    static const struct {
        const char *name;
        cpu_features has, has_not;
    } rows[] = {
        {"Sandy Bridge", CPU_X87 | CPU_SSE2 | CPU_AVX, CPU_AVX2 | CPU_FMA3 | CPU_AVX512 | CPU_AMX_TILE},
        {"Haswell", CPU_AVX | CPU_AVX2 | CPU_FMA3, CPU_AVX512 | CPU_AVX_VNNI | CPU_AMX_TILE},
        {"Raptor Lake P (Raptor Cove)", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI, CPU_AVX512 | CPU_AMX_TILE},
        {"Alder Lake P (Golden Cove)", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI, CPU_AVX512 | CPU_AMX_TILE},
        {"Skylake-SP", CPU_AVX512 | CPU_AVX2 | CPU_FMA3, CPU_AVX512_VNNI | CPU_AVX512_FP16 | CPU_AMX_TILE},
        {golden_cove, CPU_AVX512_VNNI | CPU_AVX512_BF16 | CPU_AVX512_FP16 | CPU_AMX_BF16, CPU_AMX_FP16 | CPU_AVX10},
        {"Zen 4", CPU_AVX512 | CPU_AVX512_VNNI | CPU_AVX512_BF16, CPU_AVX512_FP16 | CPU_AVX_VNNI | CPU_AMX_TILE},
        {"Zen 5", CPU_AVX512_VNNI | CPU_AVX512_BF16 | CPU_AVX_VNNI, CPU_AVX512_FP16 | CPU_AMX_TILE},
        {"Neoverse N1", CPU_ASIMD | CPU_ASIMD_HP | CPU_ASIMD_DP, CPU_SSE2 | CPU_X87 | CPU_BF16 | CPU_SVE128},
        {"Neoverse V1", CPU_ASIMD | CPU_SVE256 | CPU_SVE_BF16 | CPU_I8MM, CPU_SVE2 | CPU_SVE128 | CPU_SME},
        {"A64FX", CPU_ASIMD | CPU_SVE512 | CPU_ASIMD_HP, CPU_ASIMD_DP | CPU_BF16 | CPU_SVE2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const cpu_features features = uarch_features(named(rows[i].name));
        assert_int_equal(features & rows[i].has, rows[i].has);
        assert_int_equal(features & rows[i].has_not, 0);
    }
    for (size_t i = 0; uarch_at(i); i++)
        assert_int_equal(uarch_features(uarch_at(i)) & uarch_at(i)->lacks, 0);
}

/* Many products have one core, some of them one model number. */
static void products_of_one_core(void **state) {
    (void)state;
    static const struct {
        unsigned model, stepping;
        const char *name;
    } rows[] = {
        {94, 3, "Skylake"},
        {142, 9, "Kaby Lake (Skylake)"},
        {158, 9, "Kaby Lake (Skylake)"},
        {142, 10, "Kaby Lake R to Comet Lake-U (Skylake)"},
        {158, 13, "Coffee Lake (Skylake)"},
        {165, 5, "Comet Lake (Skylake)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cpu_identity cpu = identity("GenuineIntel", 6, rows[i].model, 0);
        cpu.stepping = rows[i].stepping;
        assert_found(cpu, "", rows[i].name, NULL);
    }
    assert_true(uarch_named("Skylake") == named("Skylake"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_cove_computes),
        cmocka_unit_test(features_of_products),
        cmocka_unit_test(products_of_one_core),
        cmocka_unit_test(narrow_types_divisions_and_tiles),
        cmocka_unit_test(integers),
        cmocka_unit_test(cores_of_aarch64),
        cmocka_unit_test(golden_cove_moves),
        cmocka_unit_test(other_cores),
        cmocka_unit_test(stores_at_l2),
        cmocka_unit_test(names_and_peaks),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(every_row_has_a_source),
        cmocka_unit_test(no_model_is_claimed_twice),
        cmocka_unit_test(low_power_cores),
        cmocka_unit_test(identities),
        cmocka_unit_test(one_or_two_wide_units),
        cmocka_unit_test(masked_identities),
        cmocka_unit_test(models_that_linux_knows),
        cmocka_unit_test(no_identity_of_another_family),
        cmocka_unit_test(hybrids_and_recordings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
