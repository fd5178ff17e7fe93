/* SPDX-License-Identifier: BSD-3-Clause
 * The doctor on made-up systems: a healthy one, a sick one, one without any data; and on this one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "probe/arch.h"
#include "probe/doctor/doctor.h"
#include "probe/error.h"
#include "probe/events/perf.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "tests/support/tree.h"

static const struct file healthy[] = {
    {"/sys/bus/event_source/devices/cpu/type", "4\n"},
    {"/proc/sys/kernel/perf_event_paranoid", "-1\n"},
    {"/proc/sys/kernel/nmi_watchdog", "0\n"},
    {"/proc/sys/kernel/numa_balancing", "0\n"},
    {"/proc/cpuinfo", "processor\t: 0\nmicrocode\t: 0x2b000571\n"},
    {"/proc/loadavg", "0.02 0.10 0.09 1/84 3821\n"},
    {"/proc/stat", "cpu  1000 0 500 99999 0 0 0 0 0 0\ncpu0 1000 0 500 99999 0 0 0 0 0 0\n"},
    {"/proc/meminfo", "MemTotal: 1024 kB\nSwapTotal: 4096 kB\nSwapFree: 4096 kB\nHugePages_Free: 0\n"},
    {"/proc/self/cgroup", "0::/\n"},
    {"/dev/cpu/0/msr", ""},
    {"/sys/devices/system/cpu/offline", "\n"},
    {"/sys/devices/system/cpu/smt/active", "0\n"},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
    {"/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "performance\n"},
    {"/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"},
    {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
};

static const struct file sick[] = {
    {"/proc/sys/kernel/perf_event_paranoid", "4\n"},
    {"/proc/sys/kernel/nmi_watchdog", "1\n"},
    {"/proc/sys/kernel/numa_balancing", "1\n"},
    {"/proc/loadavg", "7.31 3.10 1.09 9/84 3821\n"},
    {"/proc/stat", "cpu  900 0 0 99999 0 0 0 100 0 0\n"},
    {"/proc/meminfo", "SwapTotal: 4194304 kB\nSwapFree: 2097152 kB\nHugePages_Free: 8\n"},
    {"/proc/self/cgroup", "0::/small\n"},
    {"/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"},
    {"/sys/fs/cgroup/small/cpu.max", "50000 100000\n"},
    {"/sys/fs/cgroup/small/memory.max", "1073741824\n"},
    {"/sys/devices/system/cpu/offline", "6-7\n"},
    {"/sys/devices/system/cpu/smt/active", "1\n"},
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
    {"/sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "powersave\n"},
    {"/sys/devices/system/cpu/cpufreq/boost", "1\n"},
    {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"},
    {"/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n"},
};

static struct core cores[] = {{.pus = {0}, .pu_count = 1}, {.pus = {5}, .pu_count = 1}};
static struct memory_node nodes[] = {{.memory_bytes = UINT64_C(4) << 30}, {.memory_bytes = UINT64_C(4) << 30}};

static struct machine two_cores(void) {
    struct machine machine = {
        .cpu = {.vendor = "GenuineIntel",
                .family = 6,
                .model = 60,
                .features = CPU_SSE2 | CPU_AVX2 | CPU_FMA3 | CPU_INVARIANT_TSC},
        .isa_known = true,
        .cache_source = "hwloc",
        .package_count = 1,
        .pu_count = 2,
        .allowed_pu_count = 2,
        .machine_core_count = 2,
        .kind_count = 1,
        .kinds = {{.core_count = 2, .cache_count = 1, .caches = {{.level = 1, .size_bytes = 32768}}}},
        .core_count = 2,
        .cores = cores,
        .node_count = 2,
        .nodes = nodes,
        .memory_total_bytes = UINT64_C(8) << 30,
        .memory_available_bytes = UINT64_C(7) << 30,
    };
    return machine;
}

static const struct finding *find(const struct finding *findings, unsigned count, const char *name) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(findings[i].name, name) == 0)
            return &findings[i];
    fail_msg("no finding \"%s\"", name);
    return NULL;
}

static void assert_finding(const struct finding *findings, unsigned count, const char *name, enum severity severity,
                           const char *what, const char *remedy) {
    const struct finding *finding = find(findings, count, name);
    if (finding->severity != severity || !strstr(finding->what, what) || !strstr(finding->remedy, remedy))
        fail_msg("%s: severity %d, \"%s\", \"%s\"; expected %d, \"%s\", \"%s\"", name, finding->severity, finding->what,
                 finding->remedy, severity, what, remedy);
}

/* No two findings have one name, none lacks a text or is cut off, no warning lacks a remedy. */
static void assert_well_formed(const struct finding *findings, unsigned count) {
    assert_true(count > 15 && count <= DOCTOR_MAX_FINDINGS);
    for (unsigned i = 0; i < count; i++) {
        assert_ptr_equal(find(findings, count, findings[i].name), &findings[i]);
        assert_true(findings[i].what[0] != '\0');
        assert_true(strlen(findings[i].what) + 1 < sizeof findings[i].what);
        assert_true(strlen(findings[i].remedy) + 1 < sizeof findings[i].remedy);
        assert_true(findings[i].severity != SEVERITY_WARNING || findings[i].remedy[0] != '\0');
    }
}

/* A file of CPU 0's registers; the register that switches prefetchers off holds these bits. */
static void write_register(const char *root, uint64_t bits) {
    char path[64];
    snprintf(path, sizeof path, "%s/dev/cpu/0/msr", root);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0x1a4, SEEK_SET), 0);
    assert_int_equal(fwrite(&bits, sizeof bits, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void a_healthy_system(void **state) {
    (void)state;
    char root[32];
    tree_make(root, healthy, sizeof healthy / sizeof *healthy);
    write_register(root, 0);
    const struct machine machine = two_cores();
    const struct papi_status papi = {.library = true, .counters = true, .version = "7.0.1"};
    const struct doctor_input input = {.root = root,
                                       .machine = &machine,
                                       .papi = &papi,
                                       .caches = {{.level = 1, .size_bytes = 32768}},
                                       .cache_count = 1,
                                       .step_s = 41.7e-9};
    struct finding findings[DOCTOR_MAX_FINDINGS];
    const unsigned count = doctor_examine(&input, findings);
    assert_well_formed(findings, count);
    for (unsigned i = 0; i < count; i++)
        if (findings[i].severity != SEVERITY_OK)
            fail_msg("%s: \"%s\"", findings[i].name, findings[i].what);
    assert_finding(findings, count, "identity", SEVERITY_OK, "Haswell", "");
    assert_finding(findings, count, "microcode", SEVERITY_OK, "0x2b000571", "");
    assert_finding(findings, count, "huge pages", SEVERITY_OK, "madvise", "");
    assert_finding(findings, count, "swap", SEVERITY_OK, "not in use", "");
    assert_finding(findings, count, "counters", SEVERITY_OK, "PAPI 7.0.1 counts", "");
    assert_finding(findings, count, "clock step", SEVERITY_OK, "42 ns", "");
    tree_remove(root);
}

static void a_sick_system(void **state) {
    (void)state;
    char root[32];
    tree_make(root, sick, sizeof sick / sizeof *sick);
    struct machine machine = two_cores();
    machine.cpu.features =
        (machine.cpu.features | CPU_HYPERVISOR | CPU_AVX512 | CPU_AMX_TILE) & ~(uint32_t)CPU_INVARIANT_TSC;
    strcpy(machine.cpu.hypervisor, "KVMKVMKVM");
    machine.pu_count = 8;
    machine.memory_total_bytes = UINT64_C(64) << 30;
    machine.memory_available_bytes = UINT64_C(60) << 30;
    const struct papi_status papi = {.library = true, .reason = "counting cycles fails: Event does not exist"};
    struct doctor_input input = {.root = root,
                                 .machine = &machine,
                                 .papi = &papi,
                                 .caches = {{.level = 1, .size_bytes = 49152}},
                                 .cache_count = 1,
                                 .step_s = 1e-6};
    struct finding f[DOCTOR_MAX_FINDINGS];
    unsigned n = doctor_examine(&input, f);
    assert_well_formed(f, n);
    assert_finding(f, n, "identity", SEVERITY_NOTE, "masks the CPU", "");
    assert_finding(f, n, "virtual machine", SEVERITY_NOTE, "KVMKVMKVM", "bare-metal");
    assert_finding(f, n, "microcode", SEVERITY_NOTE, "not known", "");
    assert_finding(f, n, "caches", SEVERITY_WARNING, "L1: 32 and 48 KiB", "sweep");
    assert_finding(f, n, "counters", SEVERITY_NOTE, "Event does not exist", "virtual PMU");
    assert_finding(f, n, "perf_event_paranoid", SEVERITY_WARNING, "only root",
                   "sudo sysctl kernel.perf_event_paranoid=0");
    assert_finding(f, n, "nmi watchdog", SEVERITY_NOTE, "one hardware counter", "nmi_watchdog=0");
    assert_finding(f, n, "cpuset", SEVERITY_NOTE, "2 of 8", "taskset");
    assert_finding(f, n, "cpu quota", SEVERITY_WARNING, "0.50 CPUs", "--cpus");
    assert_finding(f, n, "offline cpus", SEVERITY_NOTE, "6-7", "online");
    assert_finding(f, n, "smt", SEVERITY_NOTE, "on:", "smt/control");
    assert_finding(f, n, "governor", SEVERITY_WARNING, "powersave on 1 of 2 cores (first: CPU 5)", "cpupower");
    assert_finding(f, n, "turbo", SEVERITY_NOTE, "on:", "cpufreq/boost");
    assert_finding(f, n, "tsc", SEVERITY_WARNING, "may change its rate", "invtsc");
    assert_finding(f, n, "load", SEVERITY_WARNING, "7.31 over the last minute, 8 other tasks", "top");
    assert_finding(f, n, "steal time", SEVERITY_WARNING, "10.0 %", "quiet");
    assert_finding(f, n, "huge pages", SEVERITY_WARNING, "are off", "echo madvise");
    assert_finding(f, n, "memory", SEVERITY_NOTE, "hwloc sees 8.0 GiB, the system has 64.0", "");
    assert_finding(f, n, "memory limit", SEVERITY_NOTE, "allows 1.0 GiB", "MemoryMax");
    assert_finding(f, n, "swap", SEVERITY_WARNING, "2.0 of 4.0 GiB", "swapoff");
    assert_finding(f, n, "numa balancing", SEVERITY_NOTE, "moves the pages", "numa_balancing=0");

    assert_finding(f, n, "clock step", SEVERITY_WARNING, "1000 ns: what is timed lasts 500 of them", "clocksource");

    machine.cpu.features |= CPU_INVARIANT_TSC;
    machine.memory_available_bytes = UINT64_C(1) << 30;
    strcpy(machine.cache_source, ARCH_CACHES_KEY);
    n = doctor_examine(&input, f);
    assert_finding(f, n, "tsc", SEVERITY_WARNING, "keeps time by hpet", "dmesg");
    assert_finding(f, n, "memory", SEVERITY_WARNING, "1.0 of 64.0 GiB are free", "top");
    assert_finding(f, n, "caches", SEVERITY_WARNING, "from " ARCH_CACHES, "sweep");
    strcpy(machine.cache_source, "none");
    n = doctor_examine(&input, f);
    assert_finding(f, n, "caches", SEVERITY_WARNING, "nor " ARCH_CACHES, "HWLOC_SYNTHETIC");
    tree_remove(root);
}

static bool has_finding(const struct finding *findings, unsigned count, const char *name) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(findings[i].name, name) == 0)
            return true;
    return false;
}

/* A system of Arm: nothing is said of microcode, registers of Intel's and the TSC, which it has not. */
static void a_system_of_arm(void **state) {
    (void)state;
    static const struct file FILES[] = {
        {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter\n"},
        {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
        {"/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "536870912\n"},
    };
    static const char *const ABSENT[] = {"microcode", "prefetchers", "tsc"};
    char root[32];
    tree_make(root, FILES, sizeof FILES / sizeof FILES[0]);
    struct machine machine = two_cores();
    machine.cpu = (struct cpu_identity){.vendor = "Arm",
                                        .brand = "AWS Graviton3 (Neoverse V1)",
                                        .family = 8,
                                        .model = 0xd40,
                                        .features = CPU_ASIMD | CPU_ASIMD_HP | CPU_ASIMD_DP | CPU_BF16 | CPU_I8MM |
                                                    CPU_SVE256 | CPU_SVE_BF16 | CPU_SVE_I8MM | CPU_HYPERVISOR,
                                        .hypervisor = "Amazon EC2"};
    const struct doctor_input input = {.root = root, .machine = &machine};
    struct finding f[DOCTOR_MAX_FINDINGS];
    unsigned n = doctor_examine(&input, f);
    assert_well_formed(f, n);
    for (size_t i = 0; i < sizeof ABSENT / sizeof ABSENT[0]; i++)
        assert_false(has_finding(f, n, ABSENT[i]));
    assert_finding(f, n, "identity", SEVERITY_OK, "Neoverse V1", "");
    assert_finding(f, n, "virtual machine", SEVERITY_NOTE, "Amazon EC2", "bare-metal");
    assert_finding(f, n, "vector length", SEVERITY_OK, "SVE has 256 bits", "");
    assert_finding(f, n, "system counter", SEVERITY_OK, "keeps time by it", "");
    assert_finding(f, n, "huge pages", SEVERITY_OK, "madvise, of 512 MiB", "");
    machine.cpu.features ^= CPU_SVE256 | CPU_SVE128;
    n = doctor_examine(&input, f);
    assert_finding(f, n, "vector length", SEVERITY_WARNING, "128 bits here, Neoverse V1 has 256",
                   "echo 32 | sudo tee /proc/sys/abi/sve_default_vector_length");
    machine.cpu.features &= ~(cpu_features)CPU_SVE128;
    n = doctor_examine(&input, f);
    assert_finding(f, n, "vector length", SEVERITY_OK, "no SVE", "");
    machine.cpu.features |= CPU_SME512;
    n = doctor_examine(&input, f);
    assert_finding(f, n, "vector length", SEVERITY_OK, "no SVE; SME has 512 bits", "");
    tree_remove(root);
    const struct doctor_input silent = {.root = "/nonexistent", .machine = &machine};
    n = doctor_examine(&silent, f);
    assert_finding(f, n, "system counter", SEVERITY_NOTE, "not known", "");
    static const struct file OTHER[] = {
        {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "jiffies\n"}};
    tree_make(root, OTHER, 1);
    n = doctor_examine(&input, f);
    assert_finding(f, n, "system counter", SEVERITY_WARNING, "keeps time by jiffies", "dmesg");
    tree_remove(root);
    static const struct file EMULATED[] = {
        {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"}};
    tree_make(root, EMULATED, 1);
    n = doctor_examine(&input, f);
    assert_finding(f, n, "system counter", SEVERITY_WARNING, "in an emulator", "of this architecture");
    tree_remove(root);
    const struct machine other = two_cores();
    const struct doctor_input of_other = {.root = "/nonexistent", .machine = &other};
    n = doctor_examine(&of_other, f);
    assert_true(has_finding(f, n, "tsc") && !has_finding(f, n, "vector length"));
}

/* Each level of a setting, at the edges of its severities. */
static void each_level(void **state) {
    (void)state;
    static const struct {
        struct file file;
        const char *finding;
        enum severity severity;
        const char *what;
    } ROWS[] = {
        {{"/proc/sys/kernel/perf_event_paranoid", "-1\n"}, "perf_event_paranoid", SEVERITY_OK, "-1: everything"},
        {{"/proc/sys/kernel/perf_event_paranoid", "0\n"}, "perf_event_paranoid", SEVERITY_OK, "0: everything"},
        {{"/proc/sys/kernel/perf_event_paranoid", "1\n"}, "perf_event_paranoid", SEVERITY_NOTE, "1: programs may"},
        {{"/proc/sys/kernel/perf_event_paranoid", "2\n"}, "perf_event_paranoid", SEVERITY_NOTE, "2: programs may"},
        {{"/proc/sys/kernel/perf_event_paranoid", "3\n"}, "perf_event_paranoid", SEVERITY_WARNING, "3: only root"},
        {{"/proc/sys/kernel/nmi_watchdog", "0\n"}, "nmi watchdog", SEVERITY_OK, "off"},
        {{"/proc/sys/kernel/nmi_watchdog", "1\n"}, "nmi watchdog", SEVERITY_NOTE, "on: it uses"},
    };
    const struct machine machine = two_cores();
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        char root[32];
        struct finding f[DOCTOR_MAX_FINDINGS];
        tree_make(root, &ROWS[i].file, 1);
        const struct doctor_input input = {.root = root, .machine = &machine};
        assert_finding(f, doctor_examine(&input, f), ROWS[i].finding, ROWS[i].severity, ROWS[i].what,
                       ROWS[i].severity == SEVERITY_OK ? "" : "sudo sysctl");
        tree_remove(root);
    }
}

/* Nothing is readable: all findings are reported as unknown, none as bad, and nothing crashes. */
static void a_silent_system(void **state) {
    (void)state;
    const struct machine machine = two_cores();
    const struct doctor_input input = {.root = "/nonexistent", .machine = &machine};
    struct finding f[DOCTOR_MAX_FINDINGS];
    const unsigned n = doctor_examine(&input, f);
    assert_well_formed(f, n);
    static const char *const unknown[] = {
        "microcode", "perf_event_paranoid", "offline cpus", "smt",       "governor", "turbo",
        "load",      "steal time",          "swap",         "huge pages"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_finding(f, n, unknown[i], SEVERITY_NOTE, "not known", "");
}

static void prefetchers_and_reference_cycles(void **state) {
    (void)state;
    static const struct file registers[] = {{"/dev/cpu/0/msr", ""}};
    char root[32];
    struct machine machine = two_cores();
    struct finding f[DOCTOR_MAX_FINDINGS];
    tree_make(root, registers, 1);
    struct doctor_input input = {.root = root, .machine = &machine};
    unsigned n = doctor_examine(&input, f);
    assert_finding(f, n, "prefetchers", SEVERITY_NOTE, "not known", "modprobe msr");
    assert_finding(f, n, "reference cycles", SEVERITY_OK, "can be counted", "");
    write_register(root, 0x30);
    n = doctor_examine(&input, f);
    assert_finding(f, n, "prefetchers", SEVERITY_OK, "all on", "");
    write_register(root, 0x5);
    input.reference_cycles = ENOENT;
    n = doctor_examine(&input, f);
    assert_finding(f, n, "prefetchers", SEVERITY_WARNING, "off (of CPU 0): L2's, L1's of the next line", "wrmsr");
    assert_finding(f, n, "reference cycles", SEVERITY_NOTE, "cannot be counted", "");
    input.reference_cycles = DOCTOR_NOT_TRIED;
    strcpy(machine.cpu.vendor, "AuthenticAMD");
    n = doctor_examine(&input, f);
    assert_finding(f, n, "prefetchers", SEVERITY_NOTE, "only Intel's", "");
    assert_finding(f, n, "reference cycles", SEVERITY_NOTE, "not tried", "");
    tree_remove(root);
}

static void garbage_in_files(void **state) {
    (void)state;
    static const struct file garbage[] = {
        {"/proc/sys/kernel/perf_event_paranoid", "maybe\n"},
        {"/proc/loadavg", "high\n"},
        {"/proc/stat", "cpu  1 2\n"},
        {"/proc/meminfo", "SwapTotal:\n"},
        {"/proc/self/cgroup", "::::\n0\n\n"},
        {"/proc/self/mountinfo", "- - -\n\n - \n"},
        {"/sys/kernel/mm/transparent_hugepage/enabled", ""},
        {"/sys/devices/system/cpu/smt/active/x", "a folder"},
        {"/sys/devices/system/cpu/offline/x", "a folder"},
    };
    char root[32];
    tree_make(root, garbage, sizeof garbage / sizeof *garbage);
    const struct machine machine = two_cores();
    const struct doctor_input input = {.root = root, .machine = &machine};
    struct finding f[DOCTOR_MAX_FINDINGS];
    const unsigned n = doctor_examine(&input, f);
    assert_well_formed(f, n);
    static const char *const unknown[] = {"perf_event_paranoid", "load", "steal time", "swap", "smt", "offline cpus"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_finding(f, n, unknown[i], SEVERITY_NOTE, "not known", "");
    tree_remove(root);
}

static void this_system(void **state) {
    (void)state;
    struct machine machine;
    struct error err;
    struct papi_status papi;
    struct finding findings[DOCTOR_MAX_FINDINGS];
    assert_true(machine_load(&machine, NULL, &err));
    papi_probe(&papi);
    assert_true(papi.library);
    assert_true(papi.counters || papi.reason[0] != '\0');
    assert_well_formed(findings, doctor_examine_live(&machine, &papi, findings));
    machine_free(&machine);
}

static void test_every_kernels_name_of_the_cores_counters(void **state) {
    static const struct {
        struct file files[2];
        bool cores;
    } CASES[] = {
        {{{"/sys/bus/event_source/devices/cpu/type", "4\n"}}, true},
        {{{"/sys/bus/event_source/devices/cpu_core/cpus", "0-11\n"}}, true},
        {{{"/sys/bus/event_source/devices/armv8_pmuv3_0/cpus", "0-63\n"}}, true},
        {{{"/sys/bus/event_source/devices/apple_icestorm_pmu/cpus", "0-3\n"}}, true},
        {{{"/sys/bus/event_source/devices/arm_cmn_0/cpumask", "0\n"},
          {"/sys/bus/event_source/devices/software/type", "1\n"}},
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char root[32];
        tree_make(root, CASES[i].files, CASES[i].files[1].path ? 2 : 1);
        assert_int_equal(perf_has_pmu(root), CASES[i].cores);
        assert_int_equal(perf_lacks_pmu(root), !CASES[i].cores);
        tree_remove(root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_system),
        cmocka_unit_test(a_sick_system),
        cmocka_unit_test(a_system_of_arm),
        cmocka_unit_test(each_level),
        cmocka_unit_test(a_silent_system),
        cmocka_unit_test(prefetchers_and_reference_cycles),
        cmocka_unit_test(garbage_in_files),
        cmocka_unit_test(this_system),
        cmocka_unit_test(test_every_kernels_name_of_the_cores_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
