/* SPDX-License-Identifier: BSD-3-Clause
 * The identity and features of this CPU (see probe/cpu.h), as Linux tells a process. */
#include "probe/cpu.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

/* Bits of AT_HWCAP and AT_HWCAP2 (Linux, Documentation/arm64/elf_hwcaps.rst). */
static const struct {
    unsigned long auxiliary;
    unsigned bit;
    cpu_features feature;
} hwcaps[] = {
    {AT_HWCAP, 1, CPU_ASIMD},  {AT_HWCAP, 10, CPU_ASIMD_HP}, {AT_HWCAP, 20, CPU_ASIMD_DP},
    {AT_HWCAP2, 1, CPU_SVE2},  {AT_HWCAP2, 9, CPU_SVE_I8MM}, {AT_HWCAP2, 12, CPU_SVE_BF16},
    {AT_HWCAP2, 13, CPU_I8MM}, {AT_HWCAP2, 14, CPU_BF16},    {AT_HWCAP2, 23, CPU_SME},
};
enum { HWCAP_BIT_SVE = 22, HWCAP_BIT_CPUID = 11, SVE_GET_LENGTH = 51, SVE_LENGTH_MASK = 0xffff };

/* Of the vector length in use; lengths that are no power of two have none. */
static cpu_features vector_length(void) {
    static const cpu_features LENGTHS[] = {CPU_SVE128, CPU_SVE256, CPU_SVE512, CPU_SVE1024, CPU_SVE2048};
    const int told = getauxval(AT_HWCAP) >> HWCAP_BIT_SVE & 1 ? prctl(SVE_GET_LENGTH) : -1;
    for (unsigned i = 0; told > 0 && i < sizeof LENGTHS / sizeof *LENGTHS; i++)
        if ((told & SVE_LENGTH_MASK) == 16 << i)
            return LENGTHS[i];
    return 0;
}

static cpu_features zeroes_lines(void) {
    enum { PROHIBITED = 0x10, WORDS_OF_64_BYTES = 4 };
    uint64_t dczid;
    __asm__("mrs %0, dczid_el0" : "=r"(dczid));
    return (dczid & 0x1f) == WORDS_OF_64_BYTES ? CPU_DC_ZVA : 0;
}

void cpu_identify(struct cpu_identity *out) {
    memset(out, 0, sizeof *out);
    out->family = 8;
    out->features = vector_length() | zeroes_lines();
    for (size_t i = 0; i < sizeof hwcaps / sizeof *hwcaps; i++)
        if (getauxval(hwcaps[i].auxiliary) >> hwcaps[i].bit & 1)
            out->features |= hwcaps[i].feature;
    if (getauxval(AT_HWCAP) >> HWCAP_BIT_CPUID & 1) {
        uint64_t midr;
        __asm__("mrs %0, midr_el1" : "=r"(midr));
        out->model = midr >> 4 & 0xfff;
        out->stepping = (unsigned)((midr >> 16 & 0xf0) | (midr & 0xf));
        snprintf(out->vendor, sizeof out->vendor, "%s", (midr >> 24 & 0xff) == 0x41 ? "Arm" : "unknown");
    }
}

bool cpu_is_architecture(const char *name) {
    return strcmp(name, "aarch64") == 0 || strcmp(name, "arm64") == 0;
}

const char *cpu_tiles_refusal(void) {
    return "it has no tiles of AMX";
}

unsigned cpu_caches(struct cpu_cache *out, unsigned max) {
    (void)out;
    (void)max;
    return 0;
}
