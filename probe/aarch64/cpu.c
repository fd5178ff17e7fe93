/* SPDX-License-Identifier: BSD-3-Clause
 * The identity and features of this CPU, as Linux reports them to a process (see probe/cpu.h). midr.c has the names. */
#include "probe/cpu.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include "probe/midr.h"

/* Bits of AT_HWCAP and AT_HWCAP2 (Linux, Documentation/arch/arm64/elf_hwcaps.rst): headers may be older. */
static const struct {
    unsigned long auxiliary;
    unsigned bit;
    cpu_features feature;
} hwcaps[] = {
    {AT_HWCAP, 1, CPU_ASIMD},        {AT_HWCAP, 10, CPU_ASIMD_HP},    {AT_HWCAP, 20, CPU_ASIMD_DP},
    {AT_HWCAP2, 1, CPU_SVE2},        {AT_HWCAP2, 9, CPU_SVE_I8MM},    {AT_HWCAP2, 12, CPU_SVE_BF16},
    {AT_HWCAP2, 13, CPU_I8MM},       {AT_HWCAP2, 14, CPU_BF16},       {AT_HWCAP2, 23, CPU_SME},
    {AT_HWCAP2, 24, CPU_SME_I16I64}, {AT_HWCAP2, 25, CPU_SME_F64F64}, {AT_HWCAP2, 26, CPU_SME_I8I32},
    {AT_HWCAP2, 27, CPU_SME_F16F32}, {AT_HWCAP2, 28, CPU_SME_B16F32}, {AT_HWCAP2, 29, CPU_SME_F32F32},
};
enum { HWCAP_BIT_CPUID = 11, HWCAP_BIT_SVE = 22, HWCAP2_BIT_SME = 23 };
enum { LENGTH_MASK = 0xffff }; /* of what prctl() answers: bytes */

static bool has_hwcap(unsigned long auxiliary, unsigned bit) {
    return getauxval(auxiliary) >> bit & 1;
}

/* A core that has a length has each smaller power of two: one that is none is set down, for this thread and those that
 * it starts from now on (Linux, Documentation/arch/arm64/sve.rst, which has the numbers). */
static cpu_features vector_length(void) {
    enum { SET_LENGTH = 50, GET_LENGTH = 51 };
    static const cpu_features LENGTHS[] = {CPU_SVE128, CPU_SVE256, CPU_SVE512, CPU_SVE1024, CPU_SVE2048};
    int bytes = has_hwcap(AT_HWCAP, HWCAP_BIT_SVE) ? prctl(GET_LENGTH) : -1;
    if (bytes < 0)
        return 0;
    bytes &= LENGTH_MASK;
    unsigned i = 0;
    while (i + 1 < sizeof LENGTHS / sizeof *LENGTHS && 16 << (i + 1) <= bytes)
        i++;
    if (bytes == 16 << i)
        return LENGTHS[i];
    const int set = prctl(SET_LENGTH, 16 << i);
    return set >= 0 && (set & LENGTH_MASK) == 16 << i ? LENGTHS[i] : 0;
}

/* SME's streaming vectors have a length apart from SVE's. It is always a power of two (sme.rst beside it). */
static cpu_features streaming_length(void) {
    enum { GET_LENGTH = 64, LEAST_BYTES = 16 };
    const int bytes = has_hwcap(AT_HWCAP2, HWCAP2_BIT_SME) ? prctl(GET_LENGTH) : -1;
    const cpu_features length = bytes < 0 ? 0 : CPU_SME128 * (cpu_features)((bytes & LENGTH_MASK) / LEAST_BYTES);
    return length <= CPU_SME2048 ? length : 0;
}

static cpu_features zeroes_lines(void) {
    enum { PROHIBITED_AND_SIZE = 0x1f, SIZE_OF_64_BYTES = 4 };
    uint64_t dczid;
    __asm__("mrs %0, dczid_el0" : "=r"(dczid));
    return (dczid & PROHIBITED_AND_SIZE) == SIZE_OF_64_BYTES ? CPU_DC_ZVA : 0;
}

/* The kernel executes the read of the register for the process. */
static bool own_midr(uint32_t *out) {
    if (midr_read("", 0, out))
        return true;
    if (!has_hwcap(AT_HWCAP, HWCAP_BIT_CPUID))
        return false;
    uint64_t midr;
    __asm__("mrs %0, midr_el1" : "=r"(midr));
    *out = (uint32_t)midr;
    return true;
}

void cpu_identify(struct cpu_identity *out) {
    uint32_t midr;
    char platform[MIDR_PLATFORM_BYTES];
    memset(out, 0, sizeof *out);
    midr_platform("", platform);
    if (own_midr(&midr))
        midr_identify(&midr, 1, platform, out);
    out->features = vector_length() | streaming_length() | zeroes_lines();
    for (size_t i = 0; i < sizeof hwcaps / sizeof *hwcaps; i++)
        if (has_hwcap(hwcaps[i].auxiliary, hwcaps[i].bit))
            out->features |= hwcaps[i].feature;
    midr_hypervisor("", out->hypervisor);
    if (*out->hypervisor)
        out->features |= CPU_HYPERVISOR;
}

bool cpu_is_architecture(const char *name) {
    return strcmp(name, "aarch64") == 0 || strcmp(name, "arm64") == 0;
}

const char *cpu_tiles_refusal(void) {
    return "AArch64 has no AMX";
}

/* The registers of caches cannot be read, and hwloc reads all that the system reports. */
unsigned cpu_caches(struct cpu_cache *out, unsigned max) {
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    return midr_caches(&cpu, out, max);
}
