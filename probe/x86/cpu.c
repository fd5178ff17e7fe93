/* SPDX-License-Identifier: BSD-3-Clause
 * CPUID and XGETBV. Leaf and bit numbers are from Intel's Software Developer's Manual vol. 2A (CPUID) and AMD's
 * manual vol. 3 appendix E. A feature counts only if the operating system saves its registers (XCR0). uarch.c finds
 * the microarchitecture. */
#include "probe/cpu.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct cpuid_registers {
    uint32_t eax, ebx, ecx, edx;
};
enum register_name { EAX, EBX, ECX, EDX };

static struct cpuid_registers cpuid(uint32_t leaf, uint32_t subleaf) {
    struct cpuid_registers r = {0, 0, 0, 0};
    __cpuid_count(leaf, subleaf, r.eax, r.ebx, r.ecx, r.edx);
    return r;
}

/* Beyond the highest leaf, Intel CPUs answer with the highest leaf's data, so query the highest leaf first. */
static struct cpuid_registers cpuid_checked(uint32_t leaf, uint32_t subleaf) {
    struct cpuid_registers none = {0, 0, 0, 0};
    if (cpuid(leaf & 0xffff0000u, 0).eax < leaf)
        return none;
    /* Sub-leaf 0 of leaf 7 gives the number of further sub-leaves. */
    if (leaf == 7 && subleaf > 0 && cpuid(7, 0).eax < subleaf)
        return none;
    return cpuid(leaf, subleaf);
}

static uint32_t register_of(struct cpuid_registers r, enum register_name name) {
    return name == EAX ? r.eax : name == EBX ? r.ebx : name == ECX ? r.ecx : r.edx;
}

/* Registers that the operating system must save and restore for a feature to be usable: bits of XCR0. */
enum {
    XCR0_NONE = 0,
    XCR0_AVX = 0x6,                /* SSE and the upper halves of ymm */
    XCR0_AVX512 = XCR0_AVX | 0xe0, /* mask registers, upper halves of zmm0-15, zmm16-31 */
    XCR0_AMX = 0x60000,            /* tile configuration and tile data */
};

/* A feature is present only if all rows with its bit hold, so a feature made of several CPUID bits has several rows. */
static const struct {
    cpu_features feature;
    uint32_t leaf, subleaf;
    enum register_name reg;
    unsigned bit;
    uint32_t xcr0;
} feature_bits[] = {
    {CPU_X87, 1, 0, EDX, 0, XCR0_NONE},
    {CPU_SSE2, 1, 0, EDX, 26, XCR0_NONE},
    {CPU_FMA3, 1, 0, ECX, 12, XCR0_AVX},
    {CPU_SSE4_1, 1, 0, ECX, 19, XCR0_NONE},
    {CPU_SSE4_2, 1, 0, ECX, 20, XCR0_NONE},
    {CPU_AVX, 1, 0, ECX, 28, XCR0_AVX},
    {CPU_HYPERVISOR, 1, 0, ECX, 31, XCR0_NONE},
    {CPU_AVX2, 7, 0, EBX, 5, XCR0_AVX},
    {CPU_AVX512, 7, 0, EBX, 16, XCR0_AVX512}, /* F */
    {CPU_AVX512, 7, 0, EBX, 17, XCR0_AVX512}, /* DQ */
    {CPU_AVX512, 7, 0, EBX, 30, XCR0_AVX512}, /* BW */
    {CPU_AVX512, 7, 0, EBX, 31, XCR0_AVX512}, /* VL */
    {CPU_CLFLUSHOPT, 7, 0, EBX, 23, XCR0_NONE},
    {CPU_AVX512_VNNI, 7, 0, ECX, 11, XCR0_AVX512},
    {CPU_CLDEMOTE, 7, 0, ECX, 25, XCR0_NONE},
    {CPU_HYBRID, 7, 0, EDX, 15, XCR0_NONE},
    {CPU_AMX_BF16, 7, 0, EDX, 22, XCR0_AMX},
    {CPU_AVX512_FP16, 7, 0, EDX, 23, XCR0_AVX512},
    {CPU_AMX_TILE, 7, 0, EDX, 24, XCR0_AMX},
    {CPU_AMX_INT8, 7, 0, EDX, 25, XCR0_AMX},
    {CPU_AVX_VNNI, 7, 1, EAX, 4, XCR0_AVX},
    {CPU_AVX512_BF16, 7, 1, EAX, 5, XCR0_AVX512},
    {CPU_AMX_FP16, 7, 1, EAX, 21, XCR0_AMX},
    {CPU_AVX_VNNI_INT8, 7, 1, EDX, 4, XCR0_AVX},
    {CPU_AVX_NE_CONVERT, 7, 1, EDX, 5, XCR0_AVX},
    {CPU_AMX_COMPLEX, 7, 1, EDX, 8, XCR0_AMX},
    {CPU_AVX_VNNI_INT16, 7, 1, EDX, 10, XCR0_AVX},
    {CPU_PREFETCHI, 7, 1, EDX, 14, XCR0_NONE},
    {CPU_AVX10, 7, 1, EDX, 19, XCR0_AVX512},
    {CPU_AVX10_2, 7, 1, EDX, 19, XCR0_AVX512}, /* and its version */
    {CPU_RDTSCP, 0x80000001u, 0, EDX, 27, XCR0_NONE},
    {CPU_INVARIANT_TSC, 0x80000007u, 0, EDX, 8, XCR0_NONE},
    {CPU_CLZERO, 0x80000008u, 0, EBX, 0, XCR0_NONE},
};

static uint64_t xcr0_read(void) {
    enum { OSXSAVE = 27 };
    if (!(cpuid_checked(1, 0).ecx >> OSXSAVE & 1))
        return 0; /* XGETBV would raise an exception */
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static bool has_avx10(unsigned version) {
    return (cpuid_checked(0x24, 0).ebx & 0xff) >= version;
}

static void features_read(struct cpu_identity *out) {
    const uint64_t xcr0 = xcr0_read();
    cpu_features present = 0, unsaved = 0, absent = has_avx10(2) ? 0 : CPU_AVX10_2;
    for (size_t i = 0; i < sizeof feature_bits / sizeof *feature_bits; i++) {
        const struct cpuid_registers r = cpuid_checked(feature_bits[i].leaf, feature_bits[i].subleaf);
        const bool has = register_of(r, feature_bits[i].reg) >> feature_bits[i].bit & 1;
        const bool saved = (xcr0 & feature_bits[i].xcr0) == feature_bits[i].xcr0;
        if (!has)
            absent |= feature_bits[i].feature;
        else if (saved)
            present |= feature_bits[i].feature;
        else
            unsaved |= feature_bits[i].feature;
    }
    out->features = present & ~(unsaved | absent);
    out->unsaved = unsaved & ~absent;
}

/* Family and model are split over five fields; the extended ones count only for some base families. */
static void signature_read(struct cpu_identity *out) {
    const uint32_t signature = cpuid_checked(1, 0).eax;
    const unsigned base_family = signature >> 8 & 0xf;
    out->stepping = signature & 0xf;
    out->family = base_family;
    out->model = signature >> 4 & 0xf;
    if (base_family == 0xf)
        out->family += signature >> 20 & 0xff;
    if (base_family == 0xf || base_family == 6)
        out->model += (signature >> 16 & 0xf) << 4;
}

static void brand_read(char *out, size_t out_bytes) {
    char raw[49] = "";
    if (cpuid(0x80000000u, 0).eax < 0x80000004u)
        return;
    for (uint32_t i = 0; i < 3; i++) {
        const struct cpuid_registers r = cpuid(0x80000002u + i, 0);
        memcpy(raw + 16 * i, &r, sizeof r);
    }
    cpu_name_copy(out, out_bytes, raw);
}

/* Leaf 0x16, of Intel's CPUs: base and highest clock in MHz. A hybrid one answers for the core that asks. */
static void clocks_read(struct cpu_identity *out) {
    const struct cpuid_registers r = cpuid_checked(0x16, 0);
    if (strcmp(out->vendor, "GenuineIntel") == 0 && !(out->features & CPU_HYBRID)) {
        out->base_clock_hz = 1e6 * (r.eax & 0xffff);
        out->boost_clock_hz = 1e6 * (r.ebx & 0xffff);
    }
}

void cpu_identify(struct cpu_identity *out) {
    memset(out, 0, sizeof *out);
    const struct cpuid_registers vendor = cpuid(0, 0);
    memcpy(out->vendor, &vendor.ebx, 4);
    memcpy(out->vendor + 4, &vendor.edx, 4);
    memcpy(out->vendor + 8, &vendor.ecx, 4);
    signature_read(out);
    brand_read(out->brand, sizeof out->brand);
    features_read(out);
    clocks_read(out);
    if (out->features & CPU_HYPERVISOR) {
        /* Not through cpuid_checked: hypervisors' leaves start at their own base. */
        const struct cpuid_registers r = cpuid(0x40000000u, 0);
        memcpy(out->hypervisor, &r.ebx, 12);
    }
}

bool cpu_is_architecture(const char *name) {
    static const char *const NAMES[] = {"x86_64", "amd64", "x86", "i386", "i486", "i586", "i686"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(name, NAMES[i]) == 0)
            return true;
    return false;
}

const char *cpu_tiles_refusal(void) {
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 }; /* asm/prctl.h of Linux 5.16; the bit number in XCR0 */
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0 ? NULL : strerror(errno);
}

unsigned cpu_caches(struct cpu_cache *out, unsigned max) {
    /* AMD's leaf has the layout of Intel's and exists only with the topology extensions (0x80000001 ECX bit 22). */
    enum { TOPOLOGY_EXTENSIONS = 22, DATA = 1, UNIFIED = 3 };
    const bool amd_leaf = cpuid_checked(0x80000001u, 0).ecx >> TOPOLOGY_EXTENSIONS & 1;
    const uint32_t leaf = amd_leaf ? 0x8000001du : 4;

    unsigned count = 0;
    for (uint32_t subleaf = 0; count < max && subleaf < 16; subleaf++) {
        const struct cpuid_registers r = cpuid_checked(leaf, subleaf);
        const unsigned type = r.eax & 0x1f;
        if (type == 0)
            break;
        if (type != DATA && type != UNIFIED)
            continue;
        const unsigned line_bytes = (r.ebx & 0xfff) + 1;
        const unsigned partitions = (r.ebx >> 12 & 0x3ff) + 1;
        const unsigned ways = (r.ebx >> 22) + 1;
        out[count++] = (struct cpu_cache){
            .level = r.eax >> 5 & 7,
            .line_bytes = line_bytes,
            .associativity = ways,
            .sharing_pu_count = (r.eax >> 14 & 0xfff) + 1,
            .size_bytes = (uint64_t)ways * partitions * line_bytes * ((uint64_t)r.ecx + 1),
        };
    }
    return count;
}
