/* SPDX-License-Identifier: BSD-3-Clause
 * Discovery on recorded machines, on this one, and on files that are not machines. Runs from the repository's root. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <hwloc.h>
#include <hwloc/memattrs.h>

#include "probe/cgroup.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/osfile.h"
#include "tests/support/fixtures.h"

#define KIB(n)         ((uint64_t)(n) << 10)
#define MIB(n)         ((uint64_t)(n) << 20)
#define GIB(n)         ((uint64_t)(n) << 30)
#define TOPOLOGY(name) "tests/topologies/" name ".xml"

static struct machine loaded(const char *path) {
    struct machine machine;
    struct error err = {""};
    if (!machine_load(&machine, path, &err))
        fail_msg("%s", err.text);
    assert_true(machine.recorded);
    assert_false(machine.isa_known);
    assert_int_equal(machine.cpu.features, 0);
    assert_false(machine_has(&machine, CPU_SSE2));
    assert_int_equal(machine.memory_available_bytes, 0);
    return machine;
}

static void assert_cache(const struct core_kind *kind, unsigned i, unsigned level, uint64_t size_bytes,
                         unsigned sharing, unsigned instances) {
    assert_true(i < kind->cache_count);
    assert_int_equal(kind->caches[i].level, level);
    assert_int_equal(kind->caches[i].size_bytes, size_bytes);
    assert_int_equal(kind->caches[i].sharing_core_count, sharing);
    assert_int_equal(kind->caches[i].instance_count, instances);
    assert_int_equal(kind->caches[i].line_bytes, 64);
}

static void two_packages(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("server"));
    assert_string_equal(m.host, "sapphire");
    assert_string_equal(m.cpu.vendor, "GenuineIntel");
    assert_string_equal(m.cpu.brand, "Intel(R) Xeon(R) Platinum 8470");
    assert_int_equal(m.cpu.family, 6);
    assert_int_equal(m.cpu.model, 143);
    assert_int_equal(m.cpu.stepping, 8);
    assert_string_equal(m.topology_source, TOPOLOGY("server"));
    assert_string_equal(m.cache_source, "hwloc");
    assert_int_equal(m.package_count, 2);
    assert_int_equal(m.pu_count, 16);
    assert_int_equal(m.allowed_pu_count, 16);
    assert_int_equal(m.machine_core_count, 8);
    assert_int_equal(m.core_count, 8);
    assert_int_equal(m.kind_count, 1);
    assert_string_equal(m.kinds[0].name, "");
    assert_int_equal(m.kinds[0].core_count, 8);
    assert_int_equal(m.kinds[0].cache_count, 3);
    assert_cache(&m.kinds[0], 0, 1, KIB(48), 1, 8);
    assert_cache(&m.kinds[0], 1, 2, MIB(2), 1, 8);
    assert_cache(&m.kinds[0], 2, 3, MIB(36), 4, 2);
    assert_int_equal(m.node_count, 2);
    assert_int_equal(m.memory_total_bytes, GIB(128));
    for (unsigned i = 0; i < m.core_count; i++) {
        assert_int_equal(m.cores[i].package, i / 4);
        assert_int_equal(m.cores[i].node, i / 4);
        assert_int_equal(m.cores[i].pu_count, 2);
        assert_int_equal(m.cores[i].pus[0], 2 * i);
        assert_int_equal(m.cores[i].pus[1], 2 * i + 1);
        assert_int_equal(m.cores[i].cache_instance[0][0], i);
        assert_int_equal(m.cores[i].cache_instance[0][2], i / 4);
        assert_int_equal(m.cores[i].cache_instance[0][3], MACHINE_NO_INSTANCE);
    }
    assert_string_equal(m.nodes[1].kind, "DRAM");
    assert_int_equal(m.nodes[1].core_count, 4);
    machine_free(&m);
}

/* The machine has no such level, as if the size were not known. */
static void sizes_that_no_cache_has(void) {
    static const char FOUND[] = "cache_size=\"49152\"";
    static const char *const SIZES[] = {"0", "63", "18446744073709551615"};
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        char path[] = "/tmp/carmine-topology-XXXXXX", line[1 << 12];
        FILE *from = fopen(TOPOLOGY("full_and_dense"), "r"), *to = fdopen(mkstemp(path), "w");
        assert_true(from && to);
        while (fgets(line, sizeof line, from)) {
            const char *at = strstr(line, FOUND);
            if (at)
                fprintf(to, "%.*scache_size=\"%s\"%s", (int)(at - line), line, SIZES[i], at + strlen(FOUND));
            else
                fputs(line, to);
        }
        fclose(from);
        fclose(to);
        struct machine m = loaded(path);
        unlink(path);
        assert_int_equal(m.kinds[0].cache_count, 2);
        assert_int_equal(m.kinds[0].caches[0].level, 2);
        machine_free(&m);
    }
}

static void caches_of_many_shapes(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("clusters"));
    assert_int_equal(m.package_count, 1);
    assert_cache(&m.kinds[0], 2, 3, MIB(32), 4, 2);
    assert_int_equal(m.cores[3].cache_instance[0][2], 0);
    assert_int_equal(m.cores[4].cache_instance[0][2], 1);
    machine_free(&m);

    m = loaded(TOPOLOGY("no_l3"));
    assert_int_equal(m.kinds[0].cache_count, 2);
    assert_cache(&m.kinds[0], 1, 2, MIB(2), 2, 2);
    assert_int_equal(m.cores[0].cache_instance[0][2], MACHINE_NO_INSTANCE);
    machine_free(&m);

    sizes_that_no_cache_has();

    /* CPUID's caches are this machine's, not the recorded machine's. */
    m = loaded(TOPOLOGY("no_caches"));
    assert_int_equal(m.kinds[0].cache_count, 0);
    assert_string_equal(m.cache_source, "none");
    machine_free(&m);
}

/* A cache of some of a core's PUs is below the core, a cache of several cores above it; a PU has both. */
static void caches_below_above_and_between(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("smt_guest"));
    assert_int_equal(m.kinds[0].cache_count, 3);
    assert_cache(&m.kinds[0], 0, 1, KIB(32), 0, 8);
    assert_cache(&m.kinds[0], 1, 2, MIB(4), 1, 4);
    assert_cache(&m.kinds[0], 2, 3, MIB(16), 2, 2);
    for (unsigned i = 0; i < m.core_count; i++)
        for (unsigned pu = 0; pu < 2; pu++) {
            assert_int_equal(m.cores[i].pus[pu], 2 * i + pu);
            assert_int_equal(m.cores[i].cache_instance[pu][0], 2 * i + pu);
            assert_int_equal(m.cores[i].cache_instance[pu][1], i);
            assert_int_equal(m.cores[i].cache_instance[pu][2], i / 2);
        }
    machine_free(&m);

    m = loaded(TOPOLOGY("half_cores"));
    assert_int_equal(m.kinds[0].cache_count, 3);
    assert_cache(&m.kinds[0], 0, 1, KIB(32), 0, 8);
    assert_cache(&m.kinds[0], 1, 2, KIB(512), 2, 2);
    assert_cache(&m.kinds[0], 2, 3, MIB(10), 2, 2);
    for (unsigned pu = 0; pu < 8; pu++)
        assert_int_equal(m.cores[3].cache_instance[pu][0], 6 + pu / 4);
    machine_free(&m);
}

/* Four full cores with a large L3 beside eight dense ones with a small one. */
static void instances_that_differ(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("full_and_dense"));
    const struct cache *l3 = &m.kinds[0].caches[2];
    assert_cache(&m.kinds[0], 2, 3, MIB(8), 8, 2);
    assert_int_equal(machine_largest_cache(l3), MIB(16));
    assert_int_equal(l3->shape_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(l3->shapes[i].size_bytes, i ? MIB(8) : MIB(16));
        assert_int_equal(l3->shapes[i].sharing_core_count, i ? 8 : 4);
        assert_int_equal(l3->shapes[i].instance_count, 1);
    }
    assert_int_equal(m.kinds[0].caches[0].shape_count, 0);
    assert_int_equal(machine_largest_cache(&m.kinds[0].caches[1]), MIB(1));
    machine_free(&m);
}

static void many_pus_without_cores(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("pus_512"));
    assert_int_equal(m.pu_count, 512);
    assert_int_equal(m.core_count, 512);
    assert_cache(&m.kinds[0], 0, 3, MIB(32), 32, 16);
    assert_int_equal(m.cores[511].pus[0], 511);
    assert_int_equal(m.cores[511].node, 1);
    assert_int_equal(m.nodes[1].core_count, 256);
    machine_free(&m);
}

static void memory_of_several_kinds(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("memory"));
    static const char *const kinds[] = {"DRAM", "HBM", "DRAM", "HBM", "DRAM"};
    static const unsigned cores[] = {4, 0, 4, 0, 0};
    assert_int_equal(m.node_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_string_equal(m.nodes[i].kind, kinds[i]);
        assert_int_equal(m.nodes[i].core_count, cores[i]);
    }
    assert_int_equal(m.nodes[4].memory_bytes, GIB(128));
    assert_int_equal(m.memory_total_bytes, GIB(288));
    assert_int_equal(m.cores[0].node, 0);
    assert_int_equal(m.cores[7].node, 2);
    machine_free(&m);
}

/* HBM without a name is told by the bandwidth that the firmware states. */
static void memory_told_by_its_bandwidth(void **state) {
    (void)state;
    char path[] = "/tmp/carmine-unnamed-XXXXXX";
    hwloc_topology_t topology;
    const int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0);
    assert_int_equal(hwloc_topology_init(&topology), 0);
    assert_int_equal(hwloc_topology_set_xml(topology, TOPOLOGY("max_flat")), 0);
    assert_int_equal(hwloc_topology_load(topology), 0);
    for (hwloc_obj_t node = NULL; (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));) {
        struct hwloc_location near = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = node->cpuset};
        const bool fast = node->subtype != NULL;
        free(node->subtype);
        node->subtype = NULL;
        hwloc_memattr_set_value(topology, HWLOC_MEMATTR_ID_BANDWIDTH, node, &near, 0, fast ? 300000 : 70000);
    }
    assert_int_equal(hwloc_topology_export_xml(topology, path, 0), 0);
    hwloc_topology_destroy(topology);
    struct machine m = loaded(path);
    assert_int_equal(m.node_count, 16);
    for (unsigned i = 0; i < 16; i++) {
        assert_string_equal(m.nodes[i].kind, i % 2 ? "HBM" : "DRAM");
        assert_int_equal(m.nodes[i].core_count, i % 2 ? 0 : 14);
    }
    machine_free(&m);
    unlink(path);
}

/* A cache before the memory is not a level of the CPU, however hwloc reports it. */
static void caches_before_the_memory(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("memory_mode"));
    assert_int_equal(m.node_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(m.nodes[i].memory_bytes, GIB(372));
        assert_int_equal(m.nodes[i].memory_side_cache_bytes, GIB(96));
    }
    assert_int_equal(m.kinds[0].cache_count, 2);
    machine_free(&m);
    m = loaded(TOPOLOGY("old_memory_mode"));
    assert_int_equal(m.kinds[0].cache_count, 2);
    assert_cache(&m.kinds[0], 1, 2, MIB(1), 2, 2);
    assert_int_equal(m.cores[0].cache_instance[0][2], MACHINE_NO_INSTANCE);
    assert_int_equal(m.nodes[0].memory_side_cache_bytes, GIB(2));
    machine_free(&m);
    m = loaded(TOPOLOGY("memory"));
    for (unsigned i = 0; i < m.node_count; i++)
        assert_int_equal(m.nodes[i].memory_side_cache_bytes, 0);
    machine_free(&m);
}

/* Recordings of Arm: the identity from its registers' fields and the firmware's words, lines of 64 to 256 bytes, and no
 * L3, or none that Linux sees. */
static void machines_of_arm(void **state) {
    (void)state;
    static const struct {
        const char *path, *vendor, *brand;
        unsigned model, cores, nodes, line_bytes, l1_kib, l2_kib, l2_sharing, l3_kib;
        const char *kinds[2]; /* the first has the caches above */
    } ROWS[] = {
        {TOPOLOGY("graviton3"), "Arm", "AWS Graviton3 (Neoverse V1)", 0xd40, 64, 1, 64, 64, 1024, 1, 32768, {""}},
        {TOPOLOGY("grace"), "Arm", "NVIDIA Grace (Neoverse V2)", 0xd4f, 72, 1, 64, 64, 1024, 1, 114 << 10, {""}},
        {TOPOLOGY("a64fx"), "Fujitsu", "Fujitsu A64FX", 0x001, 48, 4, 256, 64, 8192, 12, 0, {""}},
        {TOPOLOGY("altra"), "Arm", "Arm Neoverse N1", 0xd0c, 80, 1, 64, 64, 1024, 1, 0, {""}},
        {TOPOLOGY("apple_m1"),
         "Apple",
         "Apple M1 (Firestorm + Icestorm)",
         0x023,
         8,
         1,
         128,
         128,
         12 << 10,
         4,
         0,
         {"Firestorm", "Icestorm"}},
        {TOPOLOGY("gb10"),
         "Arm",
         "Arm Cortex-X925 + Cortex-A725",
         0xd85,
         4,
         1,
         64,
         64,
         2048,
         1,
         8192,
         {"Cortex-X925", "Cortex-A725"}},
        {TOPOLOGY("arm"), "Arm", "Arm part 0xd99", 0xd99, 2, 1, 64, 64, 1024, 1, 0, {""}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct machine m = loaded(ROWS[i].path);
        assert_string_equal(m.architecture, "aarch64");
        assert_true(machine_is_foreign(&m) != cpu_is_architecture("aarch64"));
        assert_string_equal(m.cpu.vendor, ROWS[i].vendor);
        assert_string_equal(m.cpu.brand, ROWS[i].brand);
        assert_int_equal(m.cpu.family, 8);
        assert_int_equal(m.cpu.model, ROWS[i].model);
        assert_int_equal(m.core_count, ROWS[i].cores);
        assert_int_equal(m.node_count, ROWS[i].nodes);
        assert_int_equal(m.kind_count, ROWS[i].kinds[1] ? 2 : 1);
        for (unsigned k = 0; k < m.kind_count; k++)
            assert_string_equal(m.kinds[k].name, ROWS[i].kinds[k]);
        const bool fujitsu = strcmp(m.cpu.vendor, "Fujitsu") == 0, apple = strcmp(m.cpu.vendor, "Apple") == 0;
        assert_int_equal(machine_page_bytes(&m), fujitsu ? KIB(64) : apple ? KIB(16) : KIB(4));
        for (unsigned n = 0; n < m.node_count; n++) /* A64FX has no other, which hwloc does not say */
            assert_string_equal(m.nodes[n].kind, fujitsu ? "HBM" : "DRAM");
        const struct core_kind *kind = &m.kinds[0];
        assert_int_equal(kind->cache_count, ROWS[i].l3_kib ? 3 : 2);
        for (unsigned c = 0; c < kind->cache_count; c++)
            assert_int_equal(kind->caches[c].line_bytes, ROWS[i].line_bytes);
        assert_int_equal(kind->caches[0].size_bytes, KIB(ROWS[i].l1_kib));
        assert_int_equal(kind->caches[1].size_bytes, KIB(ROWS[i].l2_kib));
        assert_int_equal(kind->caches[1].sharing_core_count, ROWS[i].l2_sharing);
        if (ROWS[i].l3_kib)
            assert_int_equal(kind->caches[2].size_bytes, KIB(ROWS[i].l3_kib));
        machine_free(&m);
    }
}

static void other_architectures(void **state) {
    (void)state;
    static const struct {
        const char *path, *architecture, *brand;
    } rows[] = {
        {TOPOLOGY("power"), "ppc64le", "POWER9, altivec supported"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m = loaded(rows[i].path);
        assert_string_equal(m.architecture, rows[i].architecture);
        assert_string_equal(m.cpu.brand, rows[i].brand);
        assert_string_equal(m.cpu.vendor, "");
        assert_true(machine_is_foreign(&m));
        machine_free(&m);
    }
    struct machine m = loaded(TOPOLOGY("server")); /* by its vendor */
    assert_string_equal(m.architecture, "x86_64");
    assert_true(machine_is_foreign(&m) != cpu_is_architecture("x86_64"));
    machine_free(&m);
    m = loaded(TOPOLOGY("no_memory")); /* unknown, so nothing speaks against it */
    assert_string_equal(m.architecture, "");
    assert_false(machine_is_foreign(&m));
    machine_free(&m);
    char name[12];
    cpu_name_copy(name, sizeof name, "  Shanghai  ");
    assert_string_equal(name, "Shanghai");
    cpu_name_copy(name, sizeof name, "Xeon(R)   CPU    E5345");
    assert_string_equal(name, "Xeon(R) CPU");
    cpu_name_copy(name, sizeof name, "   ");
    assert_string_equal(name, "");
}

/* Two sorts of P cores that differ only in their clock are one kind; E cores without an L3 and those with one are
 * two. */
/* Recordings from sysfs alone lack the types of kinds; the CPU's model and the shared L2 tell them. */
static void hybrid_without_types(void **state) {
    (void)state;
    char path[] = "/tmp/carmine-untyped-XXXXXX";
    static const char MODEL[] = "\"CPUModelNumber\" value=\"";
    /* The clocks of both P cores differ by more than favoured cores gain. */
    static const char *const NAMES[] = {"P", "P2", "E", "LP-E"};
    const int file = mkstemp(path);
    size_t length;
    char *text = fixture_read(TOPOLOGY("hybrid"), &length), *model = strstr(text, MODEL);
    assert_true(file >= 0 && close(file) == 0 && model);
    for (char *at = text; (at = strstr(at, "CoreType"));)
        memcpy(at, "OtherKey", 8);
    fixture_write(path, text, length);
    struct machine m = loaded(path);
    assert_int_equal(m.kind_count, 4);
    for (unsigned k = 0; k < 4; k++)
        assert_string_equal(m.kinds[k].name, NAMES[k]);
    machine_free(&m);
    memcpy(model + strlen(MODEL), "999", 3); /* a model that is not known to have E cores */
    fixture_write(path, text, length);
    m = loaded(path);
    assert_string_equal(m.kinds[0].name, "kind1");
    machine_free(&m);
    unlink(path);
    free(text);
}

static void hybrid(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("hybrid"));
    static const struct {
        const char *name;
        unsigned cores, caches;
    } kinds[] = {{"P", 2, 3}, {"E", 4, 3}, {"LP-E", 2, 2}};
    assert_int_equal(m.kind_count, 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_string_equal(m.kinds[k].name, kinds[k].name);
        assert_int_equal(m.kinds[k].core_count, kinds[k].cores);
        assert_int_equal(m.kinds[k].cache_count, kinds[k].caches);
    }
    assert_cache(&m.kinds[0], 1, 2, KIB(1280), 1, 2);
    assert_cache(&m.kinds[1], 1, 2, MIB(2), 4, 1);
    assert_cache(&m.kinds[1], 2, 3, MIB(12), 6, 1);
    assert_cache(&m.kinds[2], 1, 2, MIB(2), 2, 1);
    for (unsigned i = 0; i < m.core_count; i++)
        assert_int_equal(m.cores[i].kind, i < 2 ? 0 : i < 6 ? 1 : 2);
    assert_int_equal(m.cores[1].pu_count, 2);
    assert_int_equal(m.cores[7].cache_instance[0][2], MACHINE_NO_INSTANCE);
    machine_free(&m);
}

/* Lion Cove has a cache that CPUID does not report; its system has three kinds of cores, or two. */
static void a_cache_that_is_not_reported(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned cores, caches;
    } kinds[] = {{"P", 6, 4}, {"E", 8, 3}, {"LP-E", 2, 2}};
    struct machine m = loaded(TOPOLOGY("arrow_lake_h"));
    char name[CACHE_NAME_BYTES];
    assert_int_equal(m.kind_count, 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_string_equal(m.kinds[k].name, kinds[k].name);
        assert_int_equal(m.kinds[k].core_count, kinds[k].cores);
        assert_int_equal(m.kinds[k].cache_count, kinds[k].caches);
    }
    assert_cache(&m.kinds[0], 0, 1, KIB(48), 1, 6);
    assert_cache(&m.kinds[0], 1, 1, KIB(192), 1, 6);
    assert_cache(&m.kinds[0], 2, 2, MIB(3), 1, 6);
    assert_cache(&m.kinds[0], 3, 3, MIB(24), 14, 1);
    assert_cache(&m.kinds[1], 1, 2, MIB(4), 4, 2);
    assert_cache(&m.kinds[2], 1, 2, MIB(2), 2, 1);
    assert_string_equal(machine_cache_name(&m.kinds[0].caches[1], name), "L1.5");
    assert_int_equal(machine_cache_index(&m.kinds[0], "L2"), 2);
    assert_int_equal(machine_cache_index(&m.kinds[1], "L1.5"), MACHINE_NO_INSTANCE);
    /* In the order of CPUs: two P cores, eight E cores, four P cores, two LP-E cores. */
    for (unsigned c = 0; c < 16; c++)
        assert_int_equal(m.cores[c].kind, c < 2 || (c >= 10 && c < 14) ? 0 : c < 10 ? 1 : 2);
    assert_int_equal(m.cores[13].cache_instance[0][0], 13);
    assert_int_equal(m.cores[13].cache_instance[0][1], 13);
    assert_int_equal(m.cores[13].cache_instance[0][3], m.cores[5].cache_instance[0][2]);
    machine_free(&m);

    m = loaded(TOPOLOGY("lunar_lake"));
    assert_int_equal(m.kind_count, 2);
    assert_string_equal(m.kinds[1].name, "E");
    assert_cache(&m.kinds[0], 1, 1, KIB(192), 1, 4);
    assert_cache(&m.kinds[0], 2, 2, KIB(2560), 1, 4);
    machine_free(&m);
}

/* If the cores' kinds are unknown, a small difference in clock does not make another kind; another L2 or a much lower
 * clock does. */
static void kinds_without_names(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("dense"));
    assert_int_equal(m.kind_count, 3);
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(m.kinds[k].core_count, 4);
        assert_cache(&m.kinds[k], 0, 2, k == 1 ? KIB(512) : MIB(1), 1, 4);
        assert_cache(&m.kinds[k], 1, 3, MIB(16), 4, 1);
    }
    assert_string_equal(m.kinds[0].name, "kind1");
    assert_string_equal(m.kinds[2].name, "kind3");
    for (unsigned i = 0; i < m.core_count; i++)
        assert_int_equal(m.cores[i].kind, i / 4);
    machine_free(&m);
}

static void restricted(void **state) {
    (void)state;
    struct machine m = loaded(TOPOLOGY("cpuset"));
    assert_int_equal(m.pu_count, 8);
    assert_int_equal(m.allowed_pu_count, 3);
    assert_int_equal(m.machine_core_count, 4);
    assert_int_equal(m.core_count, 2);
    assert_int_equal(m.kinds[0].core_count, 2);
    assert_int_equal(m.cores[0].pus[0], 2);
    assert_int_equal(m.cores[0].pu_count, 2);
    assert_int_equal(m.cores[1].pus[0], 4);
    assert_int_equal(m.cores[1].pu_count, 1);
    assert_cache(&m.kinds[0], 2, 3, MIB(8), 4, 1); /* shared with cores outside our set */
    machine_free(&m);

    m = loaded(TOPOLOGY("offline"));
    assert_int_equal(m.pu_count, 4);
    assert_int_equal(m.core_count, 4);
    machine_free(&m);
}

static void assert_refused(const char *path, const char *because) {
    struct machine machine;
    struct error err = {""};
    assert_false(machine_load(&machine, path, &err));
    if (path)
        assert_non_null(strstr(err.text, path));
    if (!strstr(err.text, because))
        fail_msg("%s: \"%s\" does not say \"%s\"", path, err.text, because);
    machine_free(&machine); /* permitted after a failure */
}

static void what_is_no_topology(void **state) {
    (void)state;
    assert_refused(TOPOLOGY("not_a_topology"), "lstopo --of xml");
    assert_refused(TOPOLOGY("truncated"), "not a complete hwloc topology");
    assert_refused(TOPOLOGY("crashes_hwloc"), "not a complete hwloc topology");
    assert_refused(TOPOLOGY("made_by_hwloc_3"), "made by hwloc 3");
    assert_refused(TOPOLOGY("made_by_hwloc_3"), "--of v2xml");
    assert_refused(TOPOLOGY("absent"), "No such file");
    assert_refused("tests/topologies", "not a regular file");
    assert_refused("/dev/zero", "not a regular file");
}

static void file_write(const char *root, const char *path, const char *text) {
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool no_more_processes;

/* Replaces libc's. */
pid_t fork(void) {
    if (no_more_processes)
        errno = EAGAIN;
    return no_more_processes ? -1 : _Fork();
}

static void no_process_to_read_it(void **state) {
    (void)state;
    no_more_processes = true;
    assert_refused(TOPOLOGY("server"), "cannot start a process");
    assert_refused(TOPOLOGY("server"), strerror(EAGAIN));
    no_more_processes = false;
}

/* A system whose CPUs have these parts, capacities and clocks in kHz. */
struct recorded_cpu {
    const char *midr, *capacity, *most_khz;
};

static struct machine loaded_cpus(const struct recorded_cpu cpus[4]) {
    char root[] = "/tmp/carmine-root-XXXXXX", path[96], text[16], number[16], command[64];
    assert_non_null(mkdtemp(root));
    file_write(root, "/sys/devices/system/cpu/online", "0-3\n");
    file_write(root, "/proc/hwloc-nofile-info", "Architecture: aarch64\n");
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        snprintf(text, sizeof text, "%x\n", 1u << cpu);
        snprintf(number, sizeof number, "%u\n", cpu);
        const char *const files[][2] = {{"topology/core_siblings", "f\n"},
                                        {"topology/physical_package_id", "0\n"},
                                        {"topology/thread_siblings", text},
                                        {"topology/core_id", number},
                                        {"cpu_capacity", cpus[cpu].capacity},
                                        {"cpufreq/cpuinfo_max_freq", cpus[cpu].most_khz},
                                        {"regs/identification/midr_el1", cpus[cpu].midr}};
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/%s", cpu, files[i][0]);
            file_write(root, path, files[i][1]);
        }
    }
    setenv("HWLOC_FSROOT", root, 1);
    struct machine m = loaded(NULL);
    unsetenv("HWLOC_FSROOT");
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    return m;
}

/* Kinds are the parts, whatever the capacity of single CPUs, and clusters of one part whose clocks are far apart. */
static void parts_of_recorded_files(void **state) {
    (void)state;
    static const struct recorded_cpu TWO_PARTS[] = {{"0x410fd871", "718", "2808000"},
                                                    {"0x410fd871", "731", "2808000"},
                                                    {"0x410fd851", "997", "3800000"},
                                                    {"0x410fd851", "1024", "3900000"}},
                                     CLUSTERS[] = {{"0x410fd050", "240", "1800000"},
                                                   {"0x410fd050", "240", "1800000"},
                                                   {"0x410fd0b0", "850", "2360000"},
                                                   {"0x410fd0b0", "1024", "2860000"}};
    struct machine m = loaded_cpus(TWO_PARTS);
    assert_string_equal(m.cpu.brand, "Arm Cortex-X925 + Cortex-A725");
    assert_int_equal(m.kind_count, 2);
    assert_string_equal(m.kinds[0].name, "Cortex-X925");
    assert_string_equal(m.kinds[1].name, "Cortex-A725");
    assert_int_equal(m.kinds[1].core_count, 2);
    machine_free(&m);
    m = loaded_cpus(CLUSTERS);
    assert_string_equal(m.cpu.brand, "Arm Cortex-A76 + Cortex-A55");
    assert_int_equal(m.kind_count, 3);
    assert_string_equal(m.kinds[0].name, "Cortex-A76");
    assert_string_equal(m.kinds[1].name, "Cortex-A76-2");
    assert_string_equal(m.kinds[2].name, "Cortex-A55");
    machine_free(&m);
}

/* Four PUs with a Xeon's identity, in a folder, without other data; nothing comes from this machine. */
static void recorded_files_alone(void **state) {
    (void)state;
    char root[] = "/tmp/carmine-root-XXXXXX", path[64];
    assert_non_null(mkdtemp(root));
    setenv("HWLOC_FSROOT", root, 1);
    assert_refused(NULL, "HWLOC_FSROOT");
    for (unsigned cpu = 0; cpu < 4; cpu++) {
        static const char *const FILES[][2] = {{"core_siblings", "f\n"}, {"physical_package_id", "0\n"}};
        for (size_t i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", cpu, FILES[i][0]);
            file_write(root, path, FILES[i][1]);
        }
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings", cpu);
        file_write(root, path, cpu < 2 ? "3\n" : "c\n");
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/core_id", cpu);
        file_write(root, path, cpu < 2 ? "0\n" : "1\n");
    }
    file_write(root, "/sys/devices/system/cpu/online", "0-3\n");
    struct machine m = loaded(NULL);
    assert_string_equal(m.topology_source, root);
    assert_string_equal(m.host, "");
    assert_string_equal(m.architecture, "");
    assert_string_equal(m.cpu.vendor, "");
    assert_int_equal(m.kinds[0].cache_count, 0);
    assert_int_equal(m.machine_core_count, 2);
    assert_int_equal(m.pu_count, 4);
    machine_free(&m);
    file_write(root, "/proc/hwloc-nofile-info", "PageSize: 4096\n");
    m = loaded(NULL);
    assert_string_equal(m.host, "");
    assert_string_equal(m.architecture, "");
    machine_free(&m);
    file_write(root, "/proc/hwloc-nofile-info", "HostName: elsewhere\nArchitecture: s390x\n");
    m = loaded(NULL);
    assert_string_equal(m.host, "elsewhere");
    assert_string_equal(m.architecture, "s390x");
    machine_free(&m);
    unsetenv("HWLOC_FSROOT");
    setenv("HWLOC_CPUID_PATH", root, 1);
    assert_refused(NULL, "HWLOC_CPUID_PATH");
    unsetenv("HWLOC_CPUID_PATH");
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

static void hwloc_variables(void **state) {
    (void)state;
    setenv("HWLOC_XMLFILE", TOPOLOGY("hybrid"), 1);
    struct machine m = loaded(NULL);
    assert_int_equal(m.kind_count, 3);
    assert_string_equal(m.topology_source, TOPOLOGY("hybrid"));
    machine_free(&m);
    /* hwloc on its own would describe this machine instead. */
    setenv("HWLOC_XMLFILE", TOPOLOGY("not_a_topology"), 1);
    assert_refused(NULL, TOPOLOGY("not_a_topology"));
    unsetenv("HWLOC_XMLFILE");

    setenv("HWLOC_SYNTHETIC", "node:2 core:3 pu:2", 1);
    m = loaded(NULL);
    assert_int_equal(m.core_count, 6);
    assert_int_equal(m.node_count, 2);
    machine_free(&m);
    setenv("HWLOC_XMLFILE", TOPOLOGY("server"), 1); /* lowest priority for hwloc */
    m = loaded(NULL);
    assert_int_equal(m.core_count, 6);
    machine_free(&m);
    unsetenv("HWLOC_XMLFILE");
    setenv("HWLOC_SYNTHETIC", "no machine", 1);
    assert_refused(NULL, "HWLOC_SYNTHETIC");
    unsetenv("HWLOC_SYNTHETIC");
}

static void this_machine(void **state) {
    (void)state;
    struct machine m;
    struct error err;
    assert_true(machine_load(&m, NULL, &err));
    assert_false(m.recorded);
    assert_true(m.isa_known);
    assert_true(machine_has(&m, cpu_is_architecture("aarch64") ? CPU_ASIMD : CPU_SSE2 | CPU_X87));
    assert_string_equal(m.topology_source, "this machine");
    assert_false(machine_is_foreign(&m));
    assert_true(m.core_count >= 1 && m.core_count <= m.machine_core_count);
    assert_true(m.allowed_pu_count >= m.core_count && m.allowed_pu_count <= m.pu_count);
    assert_true(m.memory_available_bytes > 0 && m.memory_available_bytes <= m.memory_total_bytes);
    /* hwloc may see less memory than there is; the total is the system's. */
    const uint64_t system_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    assert_true(m.memory_total_bytes > system_bytes / 10 * 9 && m.memory_total_bytes < system_bytes / 10 * 11);
    assert_true(m.node_count >= 1);
    for (unsigned i = 0; i < m.core_count; i++) {
        assert_true(m.cores[i].kind < m.kind_count && m.cores[i].node < m.node_count);
        assert_true(m.cores[i].pu_count >= 1);
    }
    machine_free(&m);
}

/* One CPU of the affinity mask is left: one core, on any machine. */
static void affinity_counts(void **state) {
    (void)state;
    struct machine m;
    struct error err;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    unsigned last = 0;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before))
            last = cpu;
    CPU_ZERO(&one);
    CPU_SET(last, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_true(machine_load(&m, NULL, &err));
    assert_int_equal(m.core_count, 1);
    assert_int_equal(m.allowed_pu_count, 1);
    assert_int_equal(m.cores[0].pus[0], last);
    machine_free(&m);
    sched_setaffinity(0, sizeof before, &before);
}

static void fields_of_files(void **state) {
    (void)state;
    char root[] = "/tmp/carmine-files-XXXXXX", text[16];
    int64_t value = 0;
    assert_non_null(mkdtemp(root));
    file_write(root, "/f",
               "file_mapped 5\nfile 7\nmodel\t\t: 0x10\nempty:\nbig 99999999999999999999\nlong abcdefghijklmnopqrs\n");
    assert_true(osfile_field(root, "/f", "file", &value));
    assert_int_equal(value, 7); /* not file_mapped's */
    assert_true(osfile_field(root, "/f", "model", &value));
    assert_int_equal(value, 16);
    assert_false(osfile_field(root, "/f", "empty:", &value));
    assert_false(osfile_field(root, "/f", "big", &value));
    assert_false(osfile_field(root, "/f", "absent", &value));
    assert_true(osfile_line(root, "/f", "long", text, sizeof text));
    assert_string_equal(text, "abcdefghijklmno");
    assert_false(osfile_text(root, "", text, sizeof text)); /* a folder */
    assert_false(osfile_text(root, "/g", text, sizeof text));
    assert_string_equal(text, "");
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

/* A limit on a parent group counts; a container's path overlaps with its mount's root. */
static void control_groups(void **state) {
    (void)state;
    uint64_t limit_bytes, room_bytes;
    double cpus;
    char v2[] = "/tmp/carmine-v2-XXXXXX", v1[] = "/tmp/carmine-v1-XXXXXX";
    assert_non_null(mkdtemp(v2));
    assert_false(cgroup_memory_room(v2, &limit_bytes, &room_bytes));
    assert_false(cgroup_cpu_quota(v2, &cpus));
    file_write(v2, "/proc/self/cgroup", "0::/batch/job\n");
    file_write(v2, "/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    file_write(v2, "/sys/fs/cgroup/batch/job/memory.max", "max\n");
    file_write(v2, "/sys/fs/cgroup/batch/memory.max", "1073741824\n");
    file_write(v2, "/sys/fs/cgroup/batch/memory.current", "536870912\n");
    file_write(v2, "/sys/fs/cgroup/batch/memory.stat",
               "anon 1\nfile 2\ninactive_file 134217728\nactive_file 134217728\n");
    file_write(v2, "/sys/fs/cgroup/batch/job/cpu.max", "150000 100000\n");
    file_write(v2, "/sys/fs/cgroup/batch/cpu.max", "max 100000\n");
    assert_true(cgroup_memory_room(v2, &limit_bytes, &room_bytes));
    assert_int_equal(limit_bytes, MIB(1024));
    assert_int_equal(room_bytes, MIB(768)); /* file cache yields */
    assert_true(cgroup_cpu_quota(v2, &cpus));
    assert_float_equal(cpus, 1.5, 1e-9);

    assert_non_null(mkdtemp(v1));
    file_write(v1, "/proc/self/cgroup", "4:memory:/docker/abc/job\n2:cpu,cpuacct:/docker/abc\n0::/\n");
    file_write(v1, "/proc/self/mountinfo",
               "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
               "36 31 0:33 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
    file_write(v1, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    assert_false(cgroup_memory_room(v1, &limit_bytes, &room_bytes));
    file_write(v1, "/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2097152\n");
    file_write(v1, "/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1048576\n");
    file_write(v1, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    file_write(v1, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assert_true(cgroup_memory_room(v1, &limit_bytes, &room_bytes));
    assert_int_equal(room_bytes, MIB(1));
    assert_false(cgroup_cpu_quota(v1, &cpus));
    file_write(v1, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000\n");
    assert_true(cgroup_cpu_quota(v1, &cpus));
    assert_float_equal(cpus, 4, 1e-9);

    char command[128];
    snprintf(command, sizeof command, "rm -r %s %s", v1, v2);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_packages),
        cmocka_unit_test(caches_of_many_shapes),
        cmocka_unit_test(caches_below_above_and_between),
        cmocka_unit_test(instances_that_differ),
        cmocka_unit_test(many_pus_without_cores),
        cmocka_unit_test(memory_of_several_kinds),
        cmocka_unit_test(caches_before_the_memory),
        cmocka_unit_test(memory_told_by_its_bandwidth),
        cmocka_unit_test(machines_of_arm),
        cmocka_unit_test(other_architectures),
        cmocka_unit_test(hybrid),
        cmocka_unit_test(a_cache_that_is_not_reported),
        cmocka_unit_test(hybrid_without_types),
        cmocka_unit_test(kinds_without_names),
        cmocka_unit_test(restricted),
        cmocka_unit_test(what_is_no_topology),
        cmocka_unit_test(no_process_to_read_it),
        cmocka_unit_test(parts_of_recorded_files),
        cmocka_unit_test(recorded_files_alone),
        cmocka_unit_test(hwloc_variables),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(affinity_counts),
        cmocka_unit_test(fields_of_files),
        cmocka_unit_test(control_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
