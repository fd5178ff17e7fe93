/* SPDX-License-Identifier: BSD-3-Clause
 * A topology, of this machine or a recorded one, completed with data that hwloc lacks: the CPU's identity and
 * features, the memory that the system offers, and caches if hwloc sees none. */
#include "machine.h"
#include "arch.h"
#include "cgroup.h"
#include "error.h"
#include "isa.h"
#include "memory_kind.h"
#include "midr.h"
#include "need.h"
#include "osfile.h"
#include "product.h"
#include "text.h"
#include "topology.h"
#include "uarch.h"

#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The PUs that this process may run on: hwloc knows the cgroup's cpuset; taskset and batch systems set the affinity. */
static bool allowed_read(hwloc_topology_t topology, bool recorded, hwloc_bitmap_t allowed, struct error *err) {
    hwloc_bitmap_and(allowed, hwloc_topology_get_allowed_cpuset(topology),
                     hwloc_topology_get_topology_cpuset(topology));
    if (!recorded) {
        hwloc_bitmap_t affinity = need_made(hwloc_bitmap_alloc());
        if (!affinity)
            return error_set(err, "no memory left for a set of CPUs");
        if (hwloc_get_cpubind(topology, affinity, HWLOC_CPUBIND_THREAD) == 0 && !hwloc_bitmap_iszero(affinity)) {
            char cpuset_text[128], affinity_text[128];
            hwloc_bitmap_list_snprintf(cpuset_text, sizeof cpuset_text, allowed);
            hwloc_bitmap_list_snprintf(affinity_text, sizeof affinity_text, affinity);
            hwloc_bitmap_and(allowed, allowed, affinity);
            if (hwloc_bitmap_iszero(allowed))
                error_set(err, "no CPU is allowed: the cpuset allows %s, the affinity %s; start with `taskset -c %s`",
                          cpuset_text, affinity_text, cpuset_text);
        }
        hwloc_bitmap_free(affinity);
    } else if (hwloc_bitmap_iszero(allowed)) {
        error_set(err, "the recorded topology allows no CPU; record it anew with `lstopo --disallowed --of xml FILE`");
    }
    return !hwloc_bitmap_iszero(allowed);
}

/* hwloc before 3.0 writes the first CPU's part alone, and on macOS none: the product's name, which tells both parts. */
static bool parts_of_product(const char *product, struct machine *out, uint32_t *midrs) {
    if (out->kind_count > 2)
        return false;
    for (unsigned k = 0; k < out->kind_count; k++)
        if (!midr_of_product(product, k, &midrs[k]))
            return false;
    for (unsigned k = 0; k < out->kind_count && out->kind_count > 1; k++)
        snprintf(out->kinds[k].name, sizeof out->kinds[k].name, "%s", midr_part_name(midrs[k]));
    return true;
}

/* The identity of Arm's cores, of which each kind has its own. False: not of Arm, or nothing says which. */
static bool identity_of_arm(hwloc_topology_t topology, const char *platform, struct machine *out) {
    uint32_t midrs[MACHINE_MAX_KINDS];
    bool known = true;
    for (unsigned k = 0; k < out->kind_count; k++) {
        unsigned core = 0;
        while (core + 1 < out->core_count && out->cores[core].kind != k)
            core++;
        known &= topology_midr(topology, out->cores[core].pus[0], &midrs[k]);
    }
    const char *product = known ? midr_product(midrs[0]) : topology_identity(topology, "CPUModel");
    if (product && (!known || (out->kind_count == 2 && midrs[0] == midrs[1])))
        known |= parts_of_product(product, out, midrs);
    if (known)
        midr_identify(midrs, out->kind_count, platform, &out->cpu);
    return known;
}

static void identity_of_cpuid(hwloc_topology_t topology, struct machine *out) {
    cpu_name_copy(out->cpu.vendor, sizeof out->cpu.vendor, topology_identity(topology, "CPUVendor"));
    cpu_name_copy(out->cpu.brand, sizeof out->cpu.brand, topology_identity(topology, "CPUModel"));
    if (!*out->architecture && strstr(out->cpu.brand, "Itanium")) /* Intel, but not x86; old recordings lack the name */
        snprintf(out->architecture, sizeof out->architecture, "ia64");
    out->cpu.family = (unsigned)strtoul(topology_identity(topology, "CPUFamilyNumber"), NULL, 10);
    out->cpu.model = (unsigned)strtoul(topology_identity(topology, "CPUModelNumber"), NULL, 10);
    out->cpu.stepping = (unsigned)strtoul(topology_identity(topology, "CPUStepping"), NULL, 10);
}

/* A recording names the CPU, but not its features. */
static void identity_of_recording(hwloc_topology_t topology, struct machine *out) {
    static const char *const PLATFORM[] = {"DMISysVendor", "DMIProductName", "DMIChassisAssetTag", "SoC0ID"};
    char platform[MIDR_PLATFORM_BYTES] = "";
    for (size_t i = 0; i < sizeof PLATFORM / sizeof *PLATFORM; i++)
        text_append(platform, sizeof platform, "%s ", topology_identity(topology, PLATFORM[i]));
    const bool is_arm = identity_of_arm(topology, platform, out);
    if (!is_arm)
        identity_of_cpuid(topology, out);
    if (!*out->architecture && *out->cpu.vendor) /* only x86 has a vendor beside Arm */
        snprintf(out->architecture, sizeof out->architecture, "%s", is_arm ? "aarch64" : "x86_64");
}

/* Names kinds without a type, of a CPU with P and E cores: the E cores of a module share an L2, P cores have one each
 * (Intel, Optimization Reference Manual, on its hybrid processors). E cores without the last cache of others are
 * low-power ones. */
static void hybrid_complete(struct machine *machine) {
    const struct uarch *p = uarch_find(&machine->cpu, "P").uarch, *e = uarch_find(&machine->cpu, "E").uarch;
    const struct cache *l2[MACHINE_MAX_KINDS] = {NULL};
    unsigned named[2] = {0, 0}, e_caches = 0;
    if (!p || !e || p == e || machine->kind_count < 2)
        return;
    for (unsigned k = 0; k < machine->kind_count; k++) {
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++)
            if (machine->kinds[k].caches[i].level == 2)
                l2[k] = &machine->kinds[k].caches[i];
        if (!l2[k] || strncmp(machine->kinds[k].name, "kind", 4) != 0)
            return;
    }
    for (unsigned k = 0; k < machine->kind_count; k++) {
        struct core_kind *kind = &machine->kinds[k];
        const bool shared = l2[k]->sharing_core_count > 1;
        if (shared && kind->cache_count < e_caches) {
            snprintf(kind->name, sizeof kind->name, "LP-E");
            continue;
        }
        const unsigned rank = ++named[shared];
        snprintf(kind->name, sizeof kind->name, rank > 1 ? "%c%u" : "%c", shared ? 'E' : 'P', rank);
        e_caches = shared ? kind->cache_count : e_caches;
    }
}

/* Some virtual machines give the kernel no data on caches, but CPUID or documents have them. Assumes that all cores are
 * alike. */
static void caches_from_cpu(struct machine *machine) {
    struct cpu_cache found[MACHINE_MAX_CACHES];
    const unsigned count = cpu_caches(found, MACHINE_MAX_CACHES);
    const unsigned pus_per_core = machine->pu_count / machine->machine_core_count;
    for (unsigned i = 0; i < count; i++) {
        /* CPUID rounds up to a power of two. */
        unsigned sharing = found[i].sharing_pu_count / (pus_per_core ? pus_per_core : 1);
        if (sharing > machine->machine_core_count / machine->package_count)
            sharing = machine->machine_core_count / machine->package_count;
        if (sharing == 0)
            sharing = 1;
        for (unsigned k = 0; k < machine->kind_count; k++) {
            machine->kinds[k].cache_count = count;
            machine->kinds[k].caches[i] = (struct cache){
                .level = found[i].level,
                .size_bytes = found[i].size_bytes,
                .line_bytes = found[i].line_bytes,
                .associativity = (int)found[i].associativity,
                .sharing_core_count = sharing,
                .instance_count = (machine->machine_core_count + sharing - 1) / sharing,
            };
        }
        for (unsigned c = 0; c < machine->core_count; c++)
            for (unsigned pu = 0; pu < MACHINE_MAX_PUS; pu++)
                machine->cores[c].cache_instance[pu][i] = c / sharing;
    }
}

static void caches_complete(struct machine *out) {
    bool seen = false;
    for (unsigned k = 0; k < out->kind_count; k++)
        seen |= out->kinds[k].cache_count > 0;
    if (!seen && !out->recorded) {
        caches_from_cpu(out);
        snprintf(out->cache_source, sizeof out->cache_source, "%s",
                 out->kinds[0].cache_count ? ARCH_CACHES_KEY : "none");
    } else {
        snprintf(out->cache_source, sizeof out->cache_source, "%s", seen ? "hwloc" : "none");
    }
}

/* Inserts a kind's documented cache between L1 and L2, if the levels leave room for it. */
static void between_insert(struct machine *machine, unsigned k, const struct uarch_between *documented) {
    struct core_kind *kind = &machine->kinds[k];
    struct cache *caches = kind->caches;
    if (kind->cache_count < 2 || kind->cache_count == MACHINE_MAX_CACHES || caches[0].level != 1 ||
        caches[0].size_bytes >= documented->bytes || caches[1].size_bytes <= documented->bytes)
        return;
    memmove(&caches[2], &caches[1], (kind->cache_count++ - 1) * sizeof *caches);
    caches[1] = caches[0];
    caches[1].between = true;
    caches[1].shape_count = 0;
    caches[1].size_bytes = documented->bytes;
    caches[1].associativity = (int)documented->ways;
    for (unsigned c = 0; c < machine->core_count; c++)
        for (unsigned pu = 0; pu < MACHINE_MAX_PUS && machine->cores[c].kind == k; pu++) {
            unsigned *instances = machine->cores[c].cache_instance[pu];
            memmove(&instances[1], &instances[0], (MACHINE_MAX_CACHES - 1) * sizeof *instances);
        }
}

/* CPUID and so the system do not report every cache. */
static void between_complete(struct machine *machine) {
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct uarch_between *documented = uarch_between(uarch_find(&machine->cpu, machine->kinds[k].name).uarch);
        if (documented)
            between_insert(machine, k, documented);
    }
}

/* CPPC, and the highest of the driver that knows of boost (Linux, amd-pstate.rst); of Arm's cores CPPC's alone, whose
 * performance is in proportion to the clock (cppc_sysfs.rst). */
void machine_complete_clocks(const char *root, struct cpu_identity *cpu) {
    static const char BASE[] = "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq",
                      MOST[] = "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
                      DRIVER[] = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver";
    static const char NOMINAL[] = "/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_perf",
                      HIGHEST[] = "/sys/devices/system/cpu/cpu0/acpi_cppc/highest_perf";
    const bool arm = midr_is_arm(cpu) && !(cpu->features & CPU_HYBRID);
    int64_t mhz, khz, nominal, highest;
    char driver[32];
    if (cpu->base_clock_hz > 0 || !(arm || strcmp(cpu->vendor, "AuthenticAMD") == 0))
        return;
    if (osfile_number(root, BASE, &mhz) && mhz > 0)
        cpu->base_clock_hz = 1e6 * (double)mhz;
    if (osfile_text(root, DRIVER, driver, sizeof driver) && strncmp(driver, "amd-pstate", 10) == 0 &&
        osfile_number(root, MOST, &khz) && khz > 0)
        cpu->boost_clock_hz = 1e3 * (double)khz;
    if (arm && osfile_number(root, NOMINAL, &nominal) && osfile_number(root, HIGHEST, &highest) && nominal > 0 &&
        highest >= nominal)
        cpu->boost_clock_hz = cpu->base_clock_hz * (double)highest / (double)nominal;
}

enum { USUAL_PAGE_BYTES = 4096 };

/* hwloc lists the sizes of a node's pages, the smallest first; 0: not that it knows. */
static uint64_t recorded_page_bytes(hwloc_topology_t topology) {
    const hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0);
    const uint64_t page = node && node->attr->numanode.page_types_len ? node->attr->numanode.page_types[0].size : 0;
    return page >= USUAL_PAGE_BYTES && page <= 16 * USUAL_PAGE_BYTES ? page : 0;
}

static void memory_read(hwloc_topology_t topology, struct machine *out) {
    out->memory_total_bytes = hwloc_get_root_obj(topology)->total_memory;
    const uint64_t page_bytes = out->recorded ? recorded_page_bytes(topology) : (uint64_t)sysconf(_SC_PAGESIZE);
    out->page_bytes = page_bytes == USUAL_PAGE_BYTES ? 0 : page_bytes;
    if (out->recorded)
        return;
    int64_t kib;
    uint64_t limit_bytes, room_bytes;
    if (osfile_field("", "/proc/meminfo", "MemTotal:", &kib) && kib > 0)
        out->memory_total_bytes = (uint64_t)kib << 10;
    if (osfile_field("", "/proc/meminfo", "MemAvailable:", &kib) && kib > 0)
        out->memory_available_bytes = (uint64_t)kib << 10;
    if (cgroup_memory_room("", &limit_bytes, &room_bytes) && room_bytes < out->memory_available_bytes)
        out->memory_available_bytes = room_bytes;
    if (!cpu_is_guest(&out->cpu))
        memory_modules_read("", &out->memory_modules);
}

/* hwloc names no kind of memory if a machine has one only. */
static void memory_kind_complete(struct machine *out) {
    const struct product *product = product_find(out->cpu.brand);
    for (unsigned i = 0; product && i < out->node_count; i++)
        if (memory_kind_of(out->nodes[i].kind)->ordinary)
            snprintf(out->nodes[i].kind, sizeof out->nodes[i].kind, "%s",
                     memory_kind_of_modules(product->memory)->name);
}

bool machine_load(struct machine *out, const char *topology_path, struct error *err) {
    memset(out, 0, sizeof *out);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0)
        return error_set(err, "hwloc cannot start: %s", strerror(errno));
    hwloc_bitmap_t allowed = need_made(hwloc_bitmap_alloc());
    bool ok = allowed || error_set(err, "no memory left for a set of CPUs");
    ok = ok && topology_open(topology, topology_path, out, err) &&
         allowed_read(topology, out->recorded, allowed, err) && topology_read(topology, allowed, out, err);
    if (ok) {
        if (out->recorded) {
            identity_of_recording(topology, out);
        } else {
            cpu_identify(&out->cpu);
            char platform[MIDR_PLATFORM_BYTES];
            midr_platform("", platform);
            if (identity_of_arm(topology, platform, out) && *out->kinds[0].name)
                out->cpu.features |= CPU_HYBRID;
            machine_complete_clocks("", &out->cpu);
            const char *refusal = out->cpu.features & CPU_AMX_TILE ? cpu_tiles_refusal() : NULL;
            snprintf(out->tiles_refused, sizeof out->tiles_refused, "%s", refusal ? refusal : "");
            out->isa_known = true;
            gethostname(out->host, sizeof out->host - 1);
        }
        caches_complete(out);
        hybrid_complete(out);
        between_complete(out);
        memory_kind_complete(out);
        memory_read(topology, out);
    }
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(topology);
    return ok;
}

void machine_free(struct machine *machine) {
    free(machine->cores);
    free(machine->nodes);
    machine->cores = NULL;
    machine->nodes = NULL;
    machine->core_count = machine->node_count = 0;
}

unsigned machine_line_bytes(const struct machine *machine) {
    enum { USUAL = 64, MOST = 256 }; /* MOST: A64FX */
    unsigned longest = USUAL;
    for (unsigned k = 0; k < machine->kind_count; k++)
        for (unsigned i = 0; i < machine->kinds[k].cache_count; i++) {
            const unsigned line = machine->kinds[k].caches[i].line_bytes;
            longest = line > longest && line <= MOST && (line & (line - 1)) == 0 ? line : longest;
        }
    return longest;
}

uint64_t machine_page_bytes(const struct machine *machine) {
    return machine->page_bytes ? machine->page_bytes : USUAL_PAGE_BYTES;
}

uint64_t machine_huge_page_of(uint64_t page_bytes) {
    return page_bytes * page_bytes / sizeof(uint64_t); /* entries of a page table have 8 bytes */
}

uint64_t machine_huge_page_bytes(const struct machine *machine) {
    return machine_huge_page_of(machine_page_bytes(machine));
}

bool machine_is_foreign(const struct machine *machine) {
    return *machine->architecture && !cpu_is_architecture(machine->architecture);
}

const char *machine_unproven(const struct machine *machine) {
    return machine->cpu.features & CPU_AARCH64
               ? "AArch64, never seen on metal by its authors (docs/aarch64.md: `make metal`)"
               : NULL;
}

bool machine_has(const struct machine *machine, cpu_features needs) {
    return (machine->cpu.features & needs) == needs && !(needs & CPU_AMX_TILE && machine->tiles_refused[0]);
}

const char *machine_features(cpu_features features, char *out, size_t size) {
    *out = '\0';
    for (unsigned bit = 0; bit < 64; bit++) {
        const char *name = features >> bit & 1 ? cpu_feature_name(UINT64_C(1) << bit) : NULL;
        if (name)
            text_append(out, size, "%s%s", *out ? ", " : "", name);
    }
    return out;
}

const char *machine_left_out(const struct machine *machine, char *out, size_t size) {
    static const char BEGIN[] = "Left out: ";
    const cpu_features unsaved = machine->cpu.unsaved, unmeasured = machine->cpu.features & CPU_UNMEASURED;
    char names[160];
    *out = '\0';
    if (machine->tiles_refused[0])
        text_append(out, size, "%sAMX (the operating system refuses its tiles: %s)", BEGIN, machine->tiles_refused);
    if (unsaved)
        text_append(out, size, "%s%s (the operating system does not save the registers)", *out ? "; " : BEGIN,
                    machine_features(unsaved, names, sizeof names));
    if (unmeasured)
        text_append(out, size, "%s%s (no kernels)", *out ? "; " : BEGIN,
                    machine_features(unmeasured, names, sizeof names));
    return out;
}

char *machine_cache_name(const struct cache *cache, char out[CACHE_NAME_BYTES]) {
    snprintf(out, CACHE_NAME_BYTES, "L%u%s", cache->level % 10, cache->between ? ".5" : "");
    return out;
}

unsigned machine_cache_index(const struct core_kind *kind, const char *name) {
    char own[CACHE_NAME_BYTES];
    for (unsigned i = 0; i < kind->cache_count; i++)
        if (strcmp(machine_cache_name(&kind->caches[i], own), name) == 0)
            return i;
    return MACHINE_NO_INSTANCE;
}

uint64_t machine_largest_cache(const struct cache *cache) {
    uint64_t largest = cache->size_bytes;
    for (unsigned i = 0; i < cache->shape_count; i++)
        largest = cache->shapes[i].size_bytes > largest ? cache->shapes[i].size_bytes : largest;
    return largest;
}
