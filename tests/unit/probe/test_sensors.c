/* SPDX-License-Identifier: BSD-3-Clause
 * Sensors and the firmware's clocks of made-up machines: with all data, with little data or nonsense, with none. */
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
#include "probe/sensors.h"
#include "tests/support/tree.h"

static struct sensors read_tree(const struct file *files, size_t count) {
    char root[32];
    tree_make(root, files, count);
    const struct sensors out = sensors_read(root);
    tree_remove(root);
    return out;
}

static void all_of_a_server(void **state) {
    (void)state;
    static const struct file FILES[] = {
        {"/sys/class/hwmon/hwmon0/name", "nvme\n"},
        {"/sys/class/hwmon/hwmon0/temp1_input", "91000\n"}, /* a disk's */
        {"/sys/class/hwmon/hwmon1/name", "coretemp\n"},
        {"/sys/class/hwmon/hwmon1/temp1_input", "61000\n"},
        {"/sys/class/hwmon/hwmon1/temp1_max", "95000\n"},
        {"/sys/class/hwmon/hwmon1/temp12_input", "64500\n"},
        {"/sys/class/hwmon/hwmon1/temp3_input", "-128000\n"}, /* none */
        {"/sys/class/hwmon/hwmon2/name", "coretemp\n"},
        {"/sys/class/hwmon/hwmon2/temp1_input", "58000\n"},
        {"/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n"},
        {"/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "10\n"},
        {"/sys/devices/system/cpu/cpu11/thermal_throttle/core_throttle_count", "4\n"},
        {"/sys/devices/system/cpu/cpufreq/boost", "1\n"},
        {"/sys/devices/system/edac/mc/mc0/ce_count", "7\n"},
        {"/sys/devices/system/edac/mc/mc0/ue_count", "0\n"},
        {"/sys/devices/system/edac/mc/mc1/ce_count", "5\n"},
        {"/sys/devices/system/edac/mc/mc1/ue_count", "2\n"},
        {"/sys/devices/system/edac/mc/power/ce_count", "99\n"},
    };
    const struct sensors sensors = read_tree(FILES, sizeof FILES / sizeof FILES[0]);
    assert_true(sensors.has_temperature && sensors.has_throttling && sensors.has_memory_errors);
    assert_true(sensors.temperature_c == 64.5);
    assert_int_equal(sensors.temperatures, 3);
    assert_string_equal(sensors.driver, "coretemp");
    assert_int_equal(sensors.throttled, 17);
    assert_int_equal(sensors.counters, 2);
    assert_int_equal(sensors.corrected, 12);
    assert_int_equal(sensors.uncorrected, 2);
    assert_int_equal(sensors.controllers, 2);
}

static void little_and_nonsense(void **state) {
    (void)state;
    static const struct file FILES[] = {
        {"/sys/class/hwmon/hwmon0/name", "k10temp\n"},
        {"/sys/class/hwmon/hwmon0/temp1_input", "hot\n"},
        {"/sys/class/hwmon/hwmonx/name", "k10temp\n"},
        {"/sys/class/hwmon/hwmonx/temp1_input", "50000\n"},
        {"/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "-3\n"},
        {"/sys/devices/system/edac/mc/mc0/ue_count", "1\n"},
    };
    static const struct file OF_AMPERE[] = {{"/sys/class/hwmon/hwmon0/name", "apm_xgene\n"},
                                            {"/sys/class/hwmon/hwmon0/temp1_input", "52000\n"},
                                            {"/sys/class/hwmon/hwmon0/power1_input", "28080000\n"}};
    const struct sensors sensors = read_tree(FILES, sizeof FILES / sizeof FILES[0]);
    assert_true(read_tree(OF_AMPERE, sizeof OF_AMPERE / sizeof OF_AMPERE[0]).temperature_c == 52);
    assert_false(sensors.has_temperature || sensors.has_throttling);
    assert_string_equal(sensors.driver, "");
    assert_true(sensors.has_memory_errors && sensors.uncorrected == 1 && sensors.corrected == 0);
}

static void nothing(void **state) {
    (void)state;
    const struct sensors sensors = sensors_read("/nowhere");
    assert_false(sensors.has_temperature || sensors.has_throttling || sensors.has_memory_errors);
    sensors_read(""); /* this machine, with any sensors */
}

/* The base and the boost of the firmware: only of AMD, whose CPUID lacks them, with the boost of a driver that knows
 * it, and of Arm. */
static void clocks_of_the_firmware(void **state) {
    (void)state;
    static const struct {
        struct cpu_identity cpu;
        const char *driver, *most_khz;
        double base_hz, boost_hz;
    } CASES[] = {
        {{.vendor = "AuthenticAMD"}, "amd-pstate-epp\n", "5000000\n", 3.2e9, 5e9},
        {{.vendor = "AuthenticAMD"}, "amd-pstate\n", "0\n", 3.2e9, 0},
        {{.vendor = "AuthenticAMD"}, "acpi-cpufreq\n", "3200000\n", 3.2e9, 0},
        {{.vendor = "AuthenticAMD", .base_clock_hz = 2e9}, "amd-pstate\n", "5000000\n", 2e9, 0},
        {{.vendor = "GenuineIntel"}, "intel_pstate\n", "5000000\n", 0, 0},
        {{.vendor = "Arm", .family = 8}, "cppc_cpufreq\n", "3200000\n", 3.2e9, 3.4e9},
        {{.vendor = "Arm", .family = 8, .features = CPU_HYBRID}, "cppc_cpufreq\n", "3200000\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct file files[] = {
            {"/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq", "3200\n"},
            {"/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_perf", "320\n"},
            {"/sys/devices/system/cpu/cpu0/acpi_cppc/highest_perf", "340\n"},
            {"/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", CASES[i].most_khz},
            {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", CASES[i].driver},
        };
        struct cpu_identity cpu = CASES[i].cpu;
        char root[32];
        tree_make(root, files, sizeof files / sizeof files[0]);
        machine_complete_clocks(root, &cpu);
        tree_remove(root);
        assert_true(cpu.base_clock_hz == CASES[i].base_hz && cpu.boost_clock_hz == CASES[i].boost_hz);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_server),
        cmocka_unit_test(little_and_nonsense),
        cmocka_unit_test(nothing),
        cmocka_unit_test(clocks_of_the_firmware),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
