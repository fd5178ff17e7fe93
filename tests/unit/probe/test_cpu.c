/* SPDX-License-Identifier: BSD-3-Clause
 * The CPU's identity and features against the kernel's data about the same CPU, and the tables of ISAs and feature
 * names. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/cpu.h"
#include "render/page/safe_text.h"
#include "probe/isa.h"
#include "probe/midr.h"
#include "probe/osfile.h"

static const char CPUINFO[] = "/proc/cpuinfo";

static int kernel_has(const char *flags, const char *name) {
    char spaced[64];
    snprintf(spaced, sizeof spaced, " %s ", name);
    return strstr(flags, spaced) != NULL;
}

/* The kernel's list of features, between blanks; false: it is that of another architecture, as under an emulator. */
static bool kernel_features(const char *key, char *out, size_t out_bytes) {
    const bool found = osfile_line("", CPUINFO, key, out + 1, out_bytes - 2);
    out[0] = ' ';
    strcat(out, " ");
    return found;
}

static void assert_features(const struct cpu_identity *cpu, const char *flags, const char *const *names) {
    for (size_t i = 0; names[i]; i++) {
        const cpu_features bit = cpu_feature_find(names[i]);
        assert_true(bit != 0);
        if (((cpu->features & bit) != 0) != kernel_has(flags, names[i]))
            fail_msg("%s: the CPU says %d, the kernel %d", names[i], (cpu->features & bit) != 0,
                     kernel_has(flags, names[i]));
    }
}

static int kernel_number(const char *key) {
    int64_t value = -1;
    assert_true(osfile_field("", CPUINFO, key, &value));
    return (int)value;
}

static void agrees_on_x86(const struct cpu_identity *cpu) {
    /* Not all: kernels are late to name avx10, prefetchi and amx_fp16. */
    static const char *const NAMES[] = {
        "sse2",     "avx",      "avx2",       "fma",         "avx512_fp16", "avx512_bf16", "avx512_vnni",
        "amx_tile", "amx_bf16", "amx_int8",   "cldemote",    "clzero",      "rdtscp",      "hypervisor",
        "fpu",      "avx_vnni", "clflushopt", "nonstop_tsc", "sse4_1",      "sse4_2",      NULL};
    char text[4096];
    assert_int_equal(cpu->family, kernel_number("cpu family"));
    assert_int_equal(cpu->model, kernel_number("model"));
    assert_int_equal(cpu->stepping, kernel_number("stepping"));
    assert_true(osfile_line("", CPUINFO, "vendor_id", text, sizeof text));
    assert_string_equal(cpu->vendor, text);
    /* A hypervisor may change the name after the kernel has started ("AMD EPYC", then "Oxide Virtual Turin-like
     * Processor" on one guest). */
    assert_true(osfile_line("", CPUINFO, "model name", text, sizeof text));
    if (!(cpu->features & CPU_HYPERVISOR))
        assert_string_equal(cpu->brand, text);
    assert_true(kernel_features("flags", text, sizeof text));
    assert_features(cpu, text, NAMES);
    const int avx512 = kernel_has(text, "avx512f") && kernel_has(text, "avx512vl") && kernel_has(text, "avx512dq") &&
                       kernel_has(text, "avx512bw");
    assert_int_equal((cpu->features & CPU_AVX512) != 0, avx512);
}

static void agrees_on_arm(const struct cpu_identity *cpu) {
    static const char *const NAMES[] = {"asimd",     "asimdhp",  "asimddp",   "bf16",      "i8mm",      "sve2",
                                        "svebf16",   "svei8mm",  "sme",       "smef64f64", "smef32f32", "smef16f32",
                                        "smeb16f32", "smei8i32", "smei16i64", NULL};
    char text[4096];
    assert_int_equal(cpu->family, MIDR_FAMILY);
    assert_true(cpu->features & CPU_ASIMD);
    assert_true(__builtin_popcountll(cpu->features & CPU_SVE) <= 1);
    assert_true(cpu->features & CPU_SVE || !(cpu->features & CPU_SVE2));
    const cpu_features streaming = cpu->features & (CPU_SME128 | CPU_SME256 | CPU_SME512 | CPU_SME1024 | CPU_SME2048);
    assert_int_equal(__builtin_popcountll(streaming), (cpu->features & CPU_SME) != 0);
    if (!kernel_features("Features", text, sizeof text))
        return;
    assert_features(cpu, text, NAMES);
    assert_int_equal((cpu->features & CPU_SVE) != 0, kernel_has(text, "sve"));
}

static void agrees_with_the_kernel(void **state) {
    (void)state;
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    assert_true(*cpu.brand != '\0' && safe_text_is(cpu.brand));
    if (cpu_is_architecture("aarch64"))
        agrees_on_arm(&cpu);
    else
        agrees_on_x86(&cpu);
    assert_int_equal(cpu.unsaved & cpu.features, 0);
    assert_int_equal(strlen(cpu.hypervisor) > 0, (cpu.features & CPU_HYPERVISOR) != 0);
}

static void caches_agree_with_the_kernel(void **state) {
    (void)state;
    struct cpu_cache caches[4];
    const unsigned count = cpu_caches(caches, 4);
    if (cpu_is_architecture("aarch64")) /* documented ones, by the name of the product */
        return;
    assert_true(cpu_caches(caches, 1) <= 1);
    cpu_caches(caches, 4);
    unsigned compared = 0;
    for (unsigned index = 0; index < 8; index++) {
        char path[96], type[32], size[32];
        int64_t level;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/type", index);
        if (!osfile_text("", path, type, sizeof type) || strcmp(type, "Instruction") == 0)
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/level", index);
        assert_true(osfile_number("", path, &level));
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/size", index);
        assert_true(osfile_text("", path, size, sizeof size));
        assert_true(compared < count);
        assert_int_equal(caches[compared].level, level);
        assert_int_equal(caches[compared].size_bytes >> 10, atoll(size));
        assert_int_equal(caches[compared].line_bytes, 64);
        assert_true(caches[compared].sharing_pu_count >= 1);
        compared++;
    }
    if (compared > 0)
        assert_int_equal(compared, count);
}

static void isa_rows(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned vector_bytes;
        cpu_features needs;
    } rows[] = {
        {"x87", 8, CPU_X87},
        {"scalar", 8, 0},
        {"sse", 16, CPU_SSE2},
        {"avx", 32, CPU_AVX},
        {"avx2", 32, CPU_AVX2 | CPU_FMA3},
        {"avx512", 64, CPU_AVX512},
        {"neon", 16, CPU_ASIMD},
        {"sve128", 16, CPU_SVE128},
        {"sve256", 32, CPU_SVE256},
        {"sve512", 64, CPU_SVE512},
        {"sve1024", 128, CPU_SVE1024},
        {"sve2048", 256, CPU_SVE2048},
        {"amx", 1024, CPU_AMX_TILE},
        {"sme128", 16, CPU_SME128},
        {"sme256", 32, CPU_SME256},
        {"sme512", 64, CPU_SME512},
        {"sme1024", 128, CPU_SME1024},
        {"sme2048", 256, CPU_SME2048},
    };
    assert_int_equal(isa_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < isa_count; i++) {
        const struct isa *isa = isa_find(rows[i].name);
        assert_ptr_equal(isa, &isa_table[i]);
        assert_int_equal(isa->vector_bytes, rows[i].vector_bytes);
        assert_int_equal(isa->needs, rows[i].needs);
        const bool first = i == 0 || strcmp(isa->name, "neon") == 0 || strcmp(isa->name, "sme128") == 0;
        assert_true(first || isa_table[i - 1].vector_bytes <= isa->vector_bytes);
    }
    assert_string_equal(isa_table[isa_vector_count - 1].name, "sve2048");
    assert_null(isa_find("mmx"));
}

/* A user may name a family of rows; a name of one row is of no other, as "avx" is not of avx2. */
static void isa_families_name_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_count; i++)
        for (size_t k = 0; k < isa_count; k++)
            assert_int_equal(isa_named(&isa_table[i], isa_table[k].name), i == k);
    for (size_t i = 0; i < isa_count; i++) {
        assert_int_equal(isa_named(&isa_table[i], "sve"), (isa_table[i].needs & CPU_SVE) != 0);
        assert_int_equal(isa_named(&isa_table[i], "sme"), isa_table[i].needs >= CPU_SME128);
    }
}

static void features_have_names(void **state) {
    (void)state;
    unsigned named = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = cpu_feature_name(UINT64_C(1) << bit);
        if (name) {
            assert_int_equal(cpu_feature_find(name), UINT64_C(1) << bit);
            named++;
        }
    }
    assert_int_equal(named, 56); /* as many as in enum cpu_feature */
    assert_null(cpu_feature_name(UINT64_C(1) << 63));
    assert_int_equal(cpu_feature_find("no such feature"), 0);
}

/* Granted, or refused for any reason but an address: the requests beside this one take one. */
static void tiles_are_requested(void **state) {
    (void)state;
    const char *refusal = cpu_tiles_refusal();
    assert_true(!refusal || strcmp(refusal, strerror(EFAULT)) != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_kernel),
        cmocka_unit_test(caches_agree_with_the_kernel),
        cmocka_unit_test(isa_rows),
        cmocka_unit_test(isa_families_name_rows),
        cmocka_unit_test(features_have_names),
        cmocka_unit_test(tiles_are_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
