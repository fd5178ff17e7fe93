/* SPDX-License-Identifier: BSD-3-Clause
 * CPUID and XGETBV against the kernel's data about the same CPU, and the tables of ISAs and feature names. */
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
#include "probe/osfile.h"

static const char CPUINFO[] = "/proc/cpuinfo";

static int kernel_number(const char *key) {
    int64_t value = -1;
    assert_true(osfile_field("", CPUINFO, key, &value));
    return (int)value;
}

static int kernel_has(const char *flags, const char *name) {
    char spaced[64];
    snprintf(spaced, sizeof spaced, " %s ", name);
    return strstr(flags, spaced) != NULL;
}

static void agrees_with_the_kernel(void **state) {
    (void)state;
    struct cpu_identity cpu;
    char text[4096];
    cpu_identify(&cpu);
    assert_int_equal(cpu.family, kernel_number("cpu family"));
    assert_int_equal(cpu.model, kernel_number("model"));
    assert_int_equal(cpu.stepping, kernel_number("stepping"));
    assert_true(osfile_line("", CPUINFO, "vendor_id", text, sizeof text));
    assert_string_equal(cpu.vendor, text);
    assert_true(*cpu.brand != '\0' && safe_text_is(cpu.brand));
    /* A hypervisor may change the name after the kernel has started ("AMD EPYC", then "Oxide Virtual Turin-like
     * Processor" on one guest). */
    assert_true(osfile_line("", CPUINFO, "model name", text, sizeof text));
    if (!(cpu.features & CPU_HYPERVISOR))
        assert_string_equal(cpu.brand, text);

    assert_true(osfile_line("", CPUINFO, "flags", text + 1, sizeof text - 2));
    text[0] = ' ';
    strcat(text, " ");
    /* Not all: kernels are late to name avx10, prefetchi and amx_fp16. */
    static const char *const names[] = {"sse2",        "avx",         "avx2",        "fma",        "avx512_fp16",
                                        "avx512_bf16", "avx512_vnni", "amx_tile",    "amx_bf16",   "amx_int8",
                                        "cldemote",    "clzero",      "rdtscp",      "hypervisor", "fpu",
                                        "avx_vnni",    "clflushopt",  "nonstop_tsc", "sse4_1",     "sse4_2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const cpu_features bit = cpu_feature_find(names[i]);
        assert_true(bit != 0);
        if (((cpu.features & bit) != 0) != kernel_has(text, names[i]))
            fail_msg("%s: CPUID says %d, the kernel %d", names[i], (cpu.features & bit) != 0,
                     kernel_has(text, names[i]));
    }
    const int avx512 = kernel_has(text, "avx512f") && kernel_has(text, "avx512vl") && kernel_has(text, "avx512dq") &&
                       kernel_has(text, "avx512bw");
    assert_int_equal((cpu.features & CPU_AVX512) != 0, avx512);
    assert_int_equal(cpu.unsaved & cpu.features, 0);
    assert_int_equal(strlen(cpu.hypervisor) > 0, (cpu.features & CPU_HYPERVISOR) != 0);
}

static void caches_agree_with_the_kernel(void **state) {
    (void)state;
    struct cpu_cache caches[4];
    const unsigned count = cpu_caches(caches, 4);
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
    };
    assert_int_equal(isa_count, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < isa_count; i++) {
        const struct isa *isa = isa_find(rows[i].name);
        assert_ptr_equal(isa, &isa_table[i]);
        assert_int_equal(isa->vector_bytes, rows[i].vector_bytes);
        assert_int_equal(isa->needs, rows[i].needs);
        const bool first = i == 0 || strcmp(isa->name, "neon") == 0; /* of an architecture */
        assert_true(first || isa_table[i - 1].vector_bytes <= isa->vector_bytes);
    }
    assert_string_equal(isa_table[isa_vector_count - 1].name, "sve2048");
    assert_null(isa_find("mmx"));
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
    assert_int_equal(named, 45); /* as many as in enum cpu_feature */
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
        cmocka_unit_test(features_have_names),
        cmocka_unit_test(tiles_are_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
