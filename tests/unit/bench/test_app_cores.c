/* SPDX-License-Identifier: BSD-3-Clause
 * Programs are kept on the P cores of a made-up hybrid CPU while its events are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/programs/app_runs.h"
#include "tests/support/fixtures.h"

/* An Alder Lake whose P core is the first CPU that is allowed here; its E core is none of these. */
static struct machine alder_lake(const cpu_set_t *allowed) {
    struct machine machine = fixture_hybrid(1, 1);
    unsigned cpu = 0;
    while (!CPU_ISSET(cpu, allowed))
        cpu++;
    machine.cpu = (struct cpu_identity){
        .vendor = "GenuineIntel", .family = 6, .model = 151, .features = FIXTURE_AVX2 | CPU_AVX_VNNI | CPU_HYBRID};
    machine.cores[0].pus[0] = cpu;
    machine.cores[1].pus[0] = CPU_SETSIZE - 1;
    return machine;
}

/* Kinds of Arm's cores have their parts' names. */
static struct machine big_little(const cpu_set_t *allowed) {
    struct machine machine = alder_lake(allowed);
    machine.cpu =
        (struct cpu_identity){.vendor = "Arm", .family = 8, .model = 0xd85, .features = CPU_ASIMD | CPU_HYBRID};
    strcpy(machine.kinds[0].name, "Cortex-X925");
    strcpy(machine.kinds[1].name, "Cortex-A725");
    return machine;
}

static void stay_on_fast_cores(struct machine (*made)(const cpu_set_t *allowed)) {
    cpu_set_t before, during, after;
    struct app_cores cores;
    struct error err;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct machine machine = made(&before);
    assert_true(app_cores_keep(&machine, &cores, &err));
    assert_true(cores.p_only);
    sched_getaffinity(0, sizeof during, &during);
    assert_true(CPU_COUNT(&during) == 1 && CPU_ISSET(machine.cores[0].pus[0], &during));
    app_cores_release(&cores);
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
    machine_free(&machine);
}

static void programs_stay_on_p_cores(void **state) {
    (void)state;
    stay_on_fast_cores(alder_lake);
    stay_on_fast_cores(big_little);
}

static void who_leaves_them_is_refused(void **state) {
    (void)state;
    cpu_set_t allowed;
    struct app_cores cores;
    struct error err;
    struct region_times region = {.events = {1000, 0}};
    struct regions_report report = {.region_count = 1, .regions = &region, .event_count = 2};
    sched_getaffinity(0, sizeof allowed, &allowed);
    struct machine machine = alder_lake(&allowed);
    assert_true(app_cores_keep(&machine, &cores, &err));
    app_cores_release(&cores);
    assert_string_equal(cores.strays, "adl_grt::INST_RETIRED:ANY_P");
    strcpy(report.events[0], "adl_glc::MEM_INST_RETIRED:ALL_LOADS");
    strcpy(report.events[1], cores.strays);
    assert_true(app_cores_kept(&cores, &report, &err));
    region.events[1] = 1;
    assert_false(app_cores_kept(&cores, &report, &err));
    assert_contains(err.text, "ran on E cores");
    machine_free(&machine);
}

static void where_there_is_no_choice(void **state) {
    (void)state;
    cpu_set_t allowed, after;
    struct app_cores cores;
    struct error err;
    sched_getaffinity(0, sizeof allowed, &allowed);
    struct machine machine = alder_lake(&allowed);
    machine.cores[0].kind = 1; /* two E cores */
    assert_false(app_cores_keep(&machine, &cores, &err));
    assert_contains(err.text, "only E cores are allowed");
    assert_contains(err.text, "--counters count");
    machine.cores[0].kind = machine.cores[1].kind = 0; /* two P cores */
    assert_true(app_cores_keep(&machine, &cores, &err));
    assert_false(cores.p_only);
    machine.cores[1].kind = 1;
    machine.cpu.features &= ~(uint32_t)CPU_HYBRID;
    assert_true(app_cores_keep(&machine, &cores, &err));
    assert_false(cores.p_only);
    app_cores_release(&cores);
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&allowed, &after));
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_stay_on_p_cores),
        cmocka_unit_test(who_leaves_them_is_refused),
        cmocka_unit_test(where_there_is_no_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
