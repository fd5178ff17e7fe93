/* SPDX-License-Identifier: BSD-3-Clause
 * Identities of Arm cores: each row of the tables, and what systems report in sysfs, /proc/cpuinfo and the firmware. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "probe/machine.h"
#include "probe/midr.h"
#include "probe/midr_table.h"
#include "probe/uarch_table.h"
#include "tests/support/tree.h"

static const char *vendor_of(unsigned implementer) {
    const struct midr_vendor *row = midr_vendor_table;
    while (row->name && row->implementer != implementer)
        row++;
    return row->name;
}

/* One row per number, in order; a vendor for each; a name and a product that fit where they go. */
static void rows(void **state) {
    (void)state;
    const struct core_kind kind;
    const struct cpu_identity cpu;
    for (const struct midr_vendor *row = midr_vendor_table; row->name; row++)
        assert_true(strlen(row->name) < sizeof cpu.vendor);
    for (const struct midr_part *row = midr_part_table; row->name; row++) {
        assert_non_null(vendor_of(row->implementer));
        assert_true(strlen(row->name) + strlen("-2") < sizeof kind.name);
        assert_true(!row->product ||
                    strlen(row->product) + strlen(" ( + )") + 2 * strlen(row->name) < sizeof cpu.brand);
        const unsigned next = row[1].name ? row[1].implementer << 12 | row[1].part : ~0u;
        if ((row->implementer << 12 | row->part) >= next)
            fail_msg("%s: the next row has a lower number", row->name);
    }
    for (const struct midr_product *row = midr_product_table; row->name; row++) {
        char implementer[8], part[8];
        snprintf(implementer, sizeof implementer, "0x%x", row->implementer);
        snprintf(part, sizeof part, "0x%x", row->part);
        const uint32_t midr = midr_of_texts(implementer, "", part, "");
        struct cpu_identity found = {.vendor = ""};
        midr_identify(&midr, 1, row->platform, &found);
        assert_memory_equal(found.brand, row->name, strlen(row->name));
    }
    for (const struct midr_caches *row = midr_caches_table; row->brand; row++)
        for (unsigned i = 1; i < 3 && row->levels[i].kib; i++)
            assert_true(row->levels[i].kib > row->levels[i - 1].kib);
}

/* Each core with documented limits has a vendor and a part here, by which it is found. */
static void documented_cores(void **state) {
    (void)state;
    unsigned found = 0;
    for (size_t i = 0; i < uarch_aarch64.count; i++)
        for (unsigned r = 0; r < MAX_MODEL_RANGES && uarch_aarch64.rows[i].models[r].last; r++)
            for (unsigned part = uarch_aarch64.rows[i].models[r].first; part <= uarch_aarch64.rows[i].models[r].last;
                 part++) {
                const struct midr_part *row = midr_part_table;
                while (row->name &&
                       (row->part != part || strcmp(vendor_of(row->implementer), uarch_aarch64.rows[i].vendor) != 0))
                    row++;
                if (!row->name)
                    fail_msg("%s: part 0x%x of %s has no name", uarch_aarch64.rows[i].name, part,
                             uarch_aarch64.rows[i].vendor);
                found++;
            }
    assert_true(found > 20);
}

static void identities(void **state) {
    (void)state;
    static const struct {
        uint32_t midrs[2];
        const char *platform, *vendor, *brand;
        unsigned model, stepping;
    } ROWS[] = {
        {{0x411fd401}, "Amazon EC2 c7g.16xlarge", "Arm", "AWS Graviton3 (Neoverse V1)", 0xd40, 17},
        {{0x411fd401}, "", "Arm", "Arm Neoverse V1", 0xd40, 17},
        {{0x410fd4f0}, "jep106:036b:0241", "Arm", "NVIDIA Grace (Neoverse V2)", 0xd4f, 0},
        {{0x410fd4f1}, "Amazon EC2 p6e-gb200.36xlarge", "Arm", "NVIDIA Grace (Neoverse V2)", 0xd4f, 1},
        {{0x410fd4f1}, "Amazon EC2 m8g.large", "Arm", "AWS Graviton4 (Neoverse V2)", 0xd4f, 1},
        {{0x461f0010}, "", "Fujitsu", "Fujitsu A64FX", 1, 16},
        {{0x413fd0c1}, "Google Compute Engine", "Arm", "Ampere Altra (Neoverse N1)", 0xd0c, 49},
        {{0x413fd0c1}, "Microsoft Corporation Virtual Machine", "Arm", "Ampere Altra (Neoverse N1)", 0xd0c, 49},
        {{0x413fd0c1}, "QEMU KVM Virtual Machine OracleCloud.com", "Arm", "Ampere Altra (Neoverse N1)", 0xd0c, 49},
        {{0x413fd0c1}, "Hetzner vServer", "Arm", "Ampere Altra (Neoverse N1)", 0xd0c, 49},
        {{0x413fd0c1}, "Amazon EC2 c6g.large", "Arm", "AWS Graviton2 (Neoverse N1)", 0xd0c, 49},
        {{0x410fd083}, "Amazon EC2 a1.large", "Arm", "AWS Graviton (Cortex-A72)", 0xd08, 3},
        {{0x410fd841}, "Amazon EC2 m9g.large", "Arm", "AWS Graviton5 (Neoverse V3)", 0xd84, 1},
        {{0x410fd4f1}, "Google Compute Engine", "Arm", "Google Axion (Neoverse V2)", 0xd4f, 1},
        {{0x410fd490}, "Alibaba Cloud ECS", "Arm", "Alibaba Yitian 710 (Neoverse N2)", 0xd49, 0},
        {{0x410fd4f0}, "NVIDIA Grace", "Arm", "NVIDIA Grace (Neoverse V2)", 0xd4f, 0},
        {{0x6d0fd490}, "", "Microsoft", "Azure Cobalt 100 (Neoverse N2)", 0xd49, 0},
        {{0xc00fac40}, "", "Ampere", "AmpereOne (Ampere1A)", 0xac4, 0},
        {{0x611f0231, 0x611f0221}, "", "Apple", "Apple M1 (Firestorm + Icestorm)", 0x23, 17},
        {{0x410fd851, 0x410fd871}, "NVIDIA NVIDIA_DGX_Spark", "Arm", "Arm Cortex-X925 + Cortex-A725", 0xd85, 1},
        {{0x410fd891, 0x410fd811}, "", "Arm", "Arm Cortex-A720AE + Cortex-A720", 0xd89, 1},
        {{0x410fd811, 0x411fd812}, "", "Arm", "Arm Cortex-A720", 0xd81, 1},
        {{0x410fd999}, "", "Arm", "Arm part 0xd99", 0xd99, 9},
        {{0x7a0f1230}, "", "0x7a", "0x7a part 0x123", 0x123, 0},
        {{0x000f0510}, "", "QEMU", "QEMU max", 0x51, 0},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct cpu_identity cpu = {.vendor = ""};
        midr_identify(ROWS[i].midrs, ROWS[i].midrs[1] ? 2 : 1, ROWS[i].platform, &cpu);
        assert_string_equal(cpu.brand, ROWS[i].brand);
        assert_string_equal(cpu.vendor, ROWS[i].vendor);
        assert_int_equal(cpu.family, 8);
        assert_int_equal(cpu.model, ROWS[i].model);
        assert_int_equal(cpu.stepping, ROWS[i].stepping);
        assert_true(midr_is_arm(&cpu));
    }
    assert_false(midr_is_arm(&(struct cpu_identity){.vendor = "GenuineIntel", .family = 8}));
    assert_false(midr_is_arm(&(struct cpu_identity){.vendor = "Arm", .family = 6}));
}

static void texts(void **state) {
    (void)state;
    char out[4][8];
    midr_texts(0x413fd0c1, out);
    assert_string_equal(out[0], "0x41");
    assert_string_equal(out[1], "0x3");
    assert_string_equal(out[2], "0xd0c");
    assert_string_equal(out[3], "1");
    assert_int_equal(midr_of_texts(out[0], out[1], out[2], out[3]), 0x413fd0c1);
    assert_int_equal(midr_of_texts("0x1ff", "", "garbage", "-1"), 0xff0f000f);
}

/* Older kernels have only /proc/cpuinfo; where sysfs has the register, it counts. */
static void of_each_cpu(void **state) {
    (void)state;
    static const struct file FILES[] = {
        {"/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 48.00\nCPU implementer\t: 0x61\nCPU architecture: 8\n"
                          "CPU variant\t: 0x1\nCPU part\t: 0x022\nCPU revision\t: 1\n\n"
                          "processor\t: 1\nCPU implementer\t: 0x61\nCPU variant\t: 0x1\nCPU part\t: 0x023\n"
                          "CPU revision\t: 1\n\nprocessor\t: 11\nCPU implementer\t: 0x46\n"},
        {"/sys/devices/system/cpu/cpu2/regs/identification/midr_el1", "0x00000000410fd851\n"},
    };
    char root[32];
    uint32_t midr;
    tree_make(root, FILES, sizeof FILES / sizeof FILES[0]);
    assert_true(midr_read(root, 0, &midr));
    assert_int_equal(midr, 0x611f0221);
    assert_true(midr_read(root, 1, &midr));
    assert_int_equal(midr, 0x611f0231);
    assert_true(midr_read(root, 2, &midr));
    assert_int_equal(midr, 0x410fd851);
    assert_false(midr_read(root, 3, &midr));
    assert_false(midr_read(root, 11, &midr)); /* cut off */
    assert_false(midr_read("/nonexistent", 0, &midr));
    tree_remove(root);
}

static void kinds_of_cores(void **state) {
    (void)state;
    static const struct {
        uint32_t midr;
        const char *kind;
        unsigned model;
    } ROWS[] = {
        {0x611f0221, "Firestorm", 0x23},
        {0x611f0221, "Icestorm", 0x22},
        {0x611f0241, "Firestorm", 0x25},
        {0x611f0221, "Firestorm2", 0x23},
        {0x410fd851, "", 0xd85},
        {0x410fd851, "Cortex-A725", 0xd87},
        {0x410fd851, "Cortex-A725-2", 0xd87},
        {0x410fd851, "Cortex-A76", 0xd0b},
        {0x410fd851, "Cortex-A76AE", 0xd0e},
        {0x410fd851, "Cortex-A7252", MIDR_NO_PART},
        {0x410fd851, "kind2", MIDR_NO_PART},
        {0x410fd851, "0xd99", 0xd99},
        {0x410fd851, "Firestorm", MIDR_NO_PART},
        {0x410fd851, "P", 0xd85},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct cpu_identity cpu = {.vendor = ""};
        midr_identify(&ROWS[i].midr, 1, "", &cpu);
        const unsigned model = midr_of_kind(&cpu, ROWS[i].kind).model;
        if (model != ROWS[i].model)
            fail_msg("%s of 0x%08x: part 0x%x, not 0x%x", ROWS[i].kind, ROWS[i].midr, model, ROWS[i].model);
    }
    const struct cpu_identity intel = {.vendor = "GenuineIntel", .family = 6, .model = 151};
    assert_int_equal(midr_of_kind(&intel, "E").model, 151);
    char text[MIDR_MODEL_BYTES];
    assert_string_equal(midr_model(&intel, text), "GenuineIntel family 6 model 151");
    struct cpu_identity arm = {.vendor = "Arm", .family = 8, .model = 0xd4f};
    assert_string_equal(midr_model(&arm, text), "Arm part 0xd4f");
    arm = midr_of_kind(&arm, "kind1");
    assert_string_equal(midr_model(&arm, text), "these cores of Arm, whose part is not known");
    uint32_t midr;
    assert_true(midr_of_product("Apple M2 Pro", 0, &midr));
    assert_string_equal(midr_part_name(midr), "Avalanche");
    assert_true(midr_of_product("Apple M2 Pro", 1, &midr));
    assert_string_equal(midr_part_name(midr), "Blizzard");
    assert_false(midr_of_product("Apple M2 Pro", 2, &midr));
    assert_false(midr_of_product("Azure Cobalt 100", 0, &midr)); /* one part */
    assert_false(midr_of_product("", 0, &midr));
}

static void firmware(void **state) {
    (void)state;
    static const struct {
        struct file files[3];
        const char *platform, *hypervisor;
    } ROWS[] = {
        {{{"/sys/class/dmi/id/sys_vendor", "Amazon EC2\n"}, {"/sys/class/dmi/id/product_name", "c7g.large\n"}},
         "Amazon EC2 c7g.large",
         "Amazon EC2"},
        {{{"/sys/class/dmi/id/sys_vendor", "Amazon EC2\n"}, {"/sys/class/dmi/id/product_name", "c7g.metal\n"}},
         "Amazon EC2 c7g.metal",
         ""},
        {{{"/sys/class/dmi/id/sys_vendor", "Amazon EC2\n"}, {"/sys/class/dmi/id/product_name", "m8g.metal-48xl\n"}},
         "Amazon EC2 m8g.metal-48xl",
         ""},
        {{{"/sys/class/dmi/id/sys_vendor", "QEMU\n"}, {"/sys/class/dmi/id/product_name", "KVM Virtual Machine\n"}},
         "QEMU KVM Virtual Machine",
         "KVM"},
        {{{"/sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n"},
          {"/sys/class/dmi/id/product_name", "Virtual Machine\n"}},
         "Microsoft Corporation Virtual Machine",
         "Hyper-V"},
        {{{"/proc/device-tree/hypervisor/compatible", "linux,kvm"}}, "", "KVM"},
        {{{"/sys/hypervisor/type", "xen\n"}}, "", "Xen"},
        {{{"/sys/class/dmi/id/sys_vendor", "NVIDIA\n"}, {"/sys/devices/soc0/soc_id", "jep106:036b:0241\n"}},
         "NVIDIA jep106:036b:0241",
         ""},
        {{{"/sys/class/dmi/id/sys_vendor", "QEMU\n"}, {"/sys/class/dmi/id/chassis_asset_tag", "OracleCloud.com\n"}},
         "QEMU OracleCloud.com",
         "QEMU"},
        {{{"/sys/class/dmi/id/sys_vendor", "Hetzner\n"}, {"/sys/class/dmi/id/product_name", "vServer\n"}},
         "Hetzner vServer",
         "KVM"},
        {{{"/sys/other", ""}}, "", ""},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char root[32], platform[MIDR_PLATFORM_BYTES], hypervisor[MIDR_HYPERVISOR_BYTES];
        tree_make(root, ROWS[i].files, 3);
        midr_platform(root, platform);
        midr_hypervisor(root, hypervisor);
        assert_string_equal(platform, ROWS[i].platform);
        assert_string_equal(hypervisor, ROWS[i].hypervisor);
        tree_remove(root);
    }
}

static void documented_caches(void **state) {
    (void)state;
    enum { LEVELS = 3 };
    static const struct {
        const char *brand;
        unsigned line_bytes, kib[LEVELS], ways[LEVELS], sharing[LEVELS];
    } ROWS[] = {
        {"Fujitsu A64FX", 256, {64, 8192}, {4, 16}, {1, 12}},
        {"AWS Graviton2 (Neoverse N1)", 64, {64, 1024, 32768}, {4, 8, 0}, {1, 1, MIDR_ALL_CORES}},
        {"AWS Graviton3 (Neoverse V1)", 64, {64, 1024, 32768}, {4, 8, 0}, {1, 1, MIDR_ALL_CORES}},
        {"AWS Graviton4 (Neoverse V2)", 64, {64, 2048, 36864}, {4, 8, 0}, {1, 1, MIDR_ALL_CORES}},
        {"Ampere Altra (Neoverse N1)", 64, {64, 1024, 32768}, {4, 8, 0}, {1, 1, MIDR_ALL_CORES}},
        {"Arm Neoverse V1", 0, {0}, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct cpu_cache caches[LEVELS + 1];
        struct cpu_identity cpu = {.vendor = ""};
        strcpy(cpu.brand, ROWS[i].brand);
        const unsigned count = midr_caches(&cpu, caches, LEVELS + 1);
        assert_true(count == LEVELS || ROWS[i].kib[count] == 0);
        for (unsigned level = 0; level < count; level++) {
            assert_int_equal(caches[level].level, level + 1);
            assert_int_equal(caches[level].line_bytes, ROWS[i].line_bytes);
            assert_int_equal(caches[level].size_bytes, (uint64_t)ROWS[i].kib[level] << 10);
            assert_int_equal(caches[level].associativity, ROWS[i].ways[level]);
            assert_int_equal(caches[level].sharing_pu_count, ROWS[i].sharing[level]);
        }
        assert_int_equal(midr_caches(&cpu, caches, 1), count > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),     cmocka_unit_test(documented_cores),  cmocka_unit_test(identities),
        cmocka_unit_test(texts),    cmocka_unit_test(of_each_cpu),       cmocka_unit_test(kinds_of_cores),
        cmocka_unit_test(firmware), cmocka_unit_test(documented_caches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
