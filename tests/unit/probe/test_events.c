/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of events: which core has which, every name resolved by the installed libpfm4, and files of formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/events/event_tables.h"
#include "probe/isa.h"
#include "probe/events/uncore.h"
#include "tests/support/fixtures.h"

/* libpfm4 reads its environment once per process, so each core is checked in its own process. */
static int in_child(int (*work)(const char *pmu), const char *pmu) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(work(pmu));
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void find(const char *pmu, struct event_set *out) {
    const struct cpu_identity nobody = {.vendor = "nobody"};
    events_find(&nobody, pmu, out);
}

/* Cores known to libpfm4 4.13, and to later versions; on each architecture to its own libpfm4 alone. */
static const char *const known[] = {
    "arm_n1",
    "arm_n2",
    "arm_v1",
    "arm_v2",
    "arm_a64fx",
    "arm_kunpeng",
    "arm_thunderx2",
    "snb",
    "snb_ep",
    "ivb",
    "ivb_ep",
    "hsw",
    "hsw_ep",
    "bdw",
    "bdw_ep",
    "skl",
    "skx",
    "clx",
    "icl",
    "icx",
    "spr",
    "amd64_fam17h_zen1",
    "amd64_fam17h_zen2",
    "amd64_fam19h_zen3",
    "amd64_fam19h_zen4",
    NULL,
};

enum { ALL_RESOLVE, NOT_KNOWN_HERE, ONE_DOES_NOT };

static int resolve_all(const char *pmu) {
    struct event_set set;
    struct event_tables tables;
    find(pmu, &set);
    if (!getenv("LIBPFM_FORCE_PMU"))
        setenv("LIBPFM_FORCE_PMU", pmu, 1);
    event_tables_choose(&set, true, &tables);
    if (*tables.name == '\0')
        return NOT_KNOWN_HERE;
    for (unsigned m = 0; m < METRIC_COUNT; m++)
        for (unsigned t = 0; t < set.metrics[m].term_count; t++) {
            struct event_check check;
            event_check(set.metrics[m].terms[t].event, "", false, &check);
            if (check.state == EVENT_OF_KERNEL || (check.state == EVENT_RESOLVES && check.code != 0))
                continue;
            fprintf(stderr, "%s: %s: %s\n", pmu, set.metrics[m].terms[t].event, check.reason);
            return ONE_DOES_NOT;
        }
    return ALL_RESOLVE;
}

static int resolve_by_stand_in(const char *pmu) {
    struct event_set set;
    find(pmu, &set);
    if (*set.stand_in == '\0')
        return ALL_RESOLVE;
    setenv("LIBPFM_FORCE_PMU", set.stand_in, 1);
    return resolve_all(pmu);
}

static bool is_of_arm(const char *pmu) {
    return strncmp(pmu, "arm_", 4) == 0 || strncmp(pmu, "apple_", 6) == 0;
}

/* Whether the core is of the architecture that libpfm4 has the tables of. */
static bool has_tables(const char *pmu) {
    static bool arm, asked;
    arm = asked ? arm : in_child(resolve_all, "arm_n1") == ALL_RESOLVE;
    asked = true;
    return is_of_arm(pmu) == arm;
}

static void test_every_event_of_every_known_core_resolves(void **state) {
    (void)state;
    for (size_t i = 0; events_pmu_at(i); i++) {
        const char *pmu = events_pmu_at(i);
        if (!has_tables(pmu))
            continue;
        const int found = in_child(resolve_all, pmu);
        if (found == ONE_DOES_NOT)
            fail_msg("an event of %s does not resolve", pmu);
        /* libpfm4 4.14 knows Alder Lake, whose cores have no stand-in; Apple's have the kernel's own events */
        if (found == NOT_KNOWN_HERE && strncmp(pmu, "adl_", 4) != 0 && strncmp(pmu, "apple_", 6) != 0 &&
            in_child(resolve_by_stand_in, pmu) != ALL_RESOLVE)
            fail_msg("no event of %s can be checked", pmu);
    }
    for (size_t i = 0; known[i]; i++) {
        bool has_row = false;
        for (size_t r = 0; events_pmu_at(r); r++)
            has_row |= strcmp(events_pmu_at(r), known[i]) == 0;
        assert_true(has_row);
        if (has_tables(known[i]) && in_child(resolve_all, known[i]) != ALL_RESOLVE)
            fail_msg("%s is not known", known[i]);
    }
}

static void test_stand_ins_have_the_same_events(void **state) {
    (void)state;
    unsigned stand_ins = 0;
    for (size_t i = 0; events_pmu_at(i); i++) {
        struct event_set set;
        find(events_pmu_at(i), &set);
        if (!has_tables(events_pmu_at(i)))
            continue;
        stand_ins += *set.stand_in != '\0';
        assert_int_equal(in_child(resolve_by_stand_in, events_pmu_at(i)), ALL_RESOLVE);
    }
    assert_true(stand_ins >= 3); /* Emerald and Granite Rapids, Zen 5; AmpereOne, Neoverse N3, V3, … */
}

/* Event and unit mask by Linux's amdzen5 floating-point.json and load-store.json, and likwid's perfmon_zen5_events.txt.
 */
static int has_codes_of_zen5(const char *pmu) {
    static const struct {
        enum metric metric;
        unsigned code[4];
    } CODES[] = {{METRIC_ANY_FLOP, {0x0f03}},
                 {METRIC_LOADS, {0x0529}},
                 {METRIC_STORES, {0x0629}},
                 {METRIC_WIDTH_BYTES, {0x0408, 0x0808, 0x1008, 0x2008}},
                 {METRIC_TLB_MISSES, {0x3045, 0xc045}}};
    struct event_set set;
    find(pmu, &set);
    setenv("LIBPFM_FORCE_PMU", set.stand_in, 1);
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++)
        for (unsigned t = 0; t < 4 && (CODES[i].code[t] || t < set.metrics[CODES[i].metric].term_count); t++) {
            struct event_check check;
            event_check(set.metrics[CODES[i].metric].terms[t].event, "", false, &check);
            if ((check.code & 0xffff) != CODES[i].code[t])
                return 1 + (int)i;
        }
    return 0;
}

static void test_zen5_has_its_own_codes(void **state) {
    (void)state;
    if (!has_tables("amd64_fam19h_zen4"))
        skip();
    assert_int_equal(in_child(has_codes_of_zen5, "amd64_fam1ah_zen5"), 0);
}

static int not_there(const char *pmu) {
    struct event_check umask, event;
    setenv("LIBPFM_FORCE_PMU", pmu, 1);
    event_check("MEM_INST_RETIRED:ALL_GOLD", "", false, &umask);
    event_check("GOLD_RETIRED", "", false, &event);
    return umask.state == EVENT_NOT_KNOWN && event.state == EVENT_NOT_KNOWN && *umask.reason && *event.reason ? 0 : 1;
}

static void test_an_unknown_name_is_told(void **state) {
    (void)state;
    assert_int_equal(in_child(not_there, "spr"), 0);
}

static void test_every_row_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; events_pmu_at(i); i++) {
        struct event_set set;
        find(events_pmu_at(i), &set);
        assert_string_equal(set.pmu, events_pmu_at(i));
        assert_true(*set.core && (!is_of_arm(set.pmu) || uarch_named(set.core)));
        assert_true(*set.source && strlen(set.source) < sizeof set.source - 1);
        assert_true(set.metrics[METRIC_CYCLES].term_count == 1 && set.metrics[METRIC_INSTRUCTIONS].term_count == 1);
        for (unsigned m = METRIC_LOADS; m <= METRIC_STORES; m++)
            assert_true(set.metrics[m].term_count > 0 || *set.doubt[m]);
        bool flop = false, says_why = true;
        for (unsigned m = METRIC_F64_FLOP; m <= METRIC_F32_FLOP; m++) {
            flop |= set.metrics[m].term_count > 0;
            says_why &= set.metrics[m].term_count > 0 || *set.doubt[m];
        }
        assert_true(flop || says_why);
        for (unsigned m = METRIC_DRAM_READ_BYTES; m <= METRIC_DRAM_WRITE_BYTES; m++) {
            assert_true(*set.doubt[m]);
            for (unsigned t = 0; t < set.metrics[m].term_count; t++)
                assert_true(uncore_is(set.metrics[m].terms[t].event) && set.metrics[m].terms[t].factor == 64);
        }
    }
}

static void test_factors_are_lanes(void **state) {
    (void)state;
    struct event_set set;
    find("spr", &set);
    const struct event_formula *f64 = &set.metrics[METRIC_F64_FLOP], *f32 = &set.metrics[METRIC_F32_FLOP];
    assert_int_equal(f64->term_count, 4);
    assert_string_equal(f64->terms[3].event, "FP_ARITH_INST_RETIRED:512B_PACKED_DOUBLE");
    for (unsigned t = 0; t < 4; t++)
        assert_true(f64->terms[t].factor == 1 << t && f32->terms[t].factor == (t ? 2 << t : 1));
    find("skl", &set);
    assert_int_equal(set.metrics[METRIC_F64_FLOP].term_count, 3);
    find("hsw", &set);
    assert_int_equal(set.metrics[METRIC_F64_FLOP].term_count, 0);
    assert_contains(set.doubt[METRIC_F64_FLOP], "no event");
    find("amd64_fam17h_zen2", &set);
    assert_int_equal(set.metrics[METRIC_F64_FLOP].term_count, 0);
    assert_int_equal(set.metrics[METRIC_ANY_FLOP].term_count, 1);
    assert_contains(set.doubt[METRIC_LOADS], "dispatched");
}

/* Arm's manual: FP_SCALE_OPS_SPEC × VL ÷ 128 + FP_FIXED_OPS_SPEC. */
static void test_vectors_in_use_scale_the_events_of_sve(void **state) {
    (void)state;
    static const struct {
        const char *pmu;
        cpu_features features;
        enum metric flop;
        double scale;
    } CASES[] = {
        {"arm_v1", CPU_ASIMD | CPU_SVE256, METRIC_ANY_FLOP, 2},
        {"arm_v1", CPU_ASIMD | CPU_SVE128, METRIC_ANY_FLOP, 1}, /* cut by the kernel or a hypervisor */
        {"arm_v2", CPU_ASIMD | CPU_SVE128 | CPU_SVE2, METRIC_ANY_FLOP, 1},
        {"arm_v1", 0, METRIC_ANY_FLOP, 2}, /* the product's own vectors, if no machine says otherwise */
        {"arm_a64fx", CPU_ASIMD | CPU_SVE512, METRIC_F64_FLOP, 4},
        {"arm_a64fx", CPU_ASIMD | CPU_SVE512, METRIC_F32_FLOP, 4},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct event_set set;
        double flop;
        events_find(&(struct cpu_identity){.features = CASES[i].features}, CASES[i].pmu, &set);
        const struct event_formula *formula = &set.metrics[CASES[i].flop], *width = &set.metrics[METRIC_WIDTH_BYTES];
        char names[2][96];
        for (unsigned t = 0; t < 2; t++)
            memcpy(names[t], formula->terms[t].event, sizeof names[t]);
        assert_true(strstr(names[0], "SCALE_OPS_SPEC") && strstr(names[1], "FIXED_OPS_SPEC"));
        assert_true(events_evaluate(formula, 2, (const char(*)[96])names, (const double[]){100, 7}, &flop));
        assert_near(flop, 100 * CASES[i].scale + 7);
        assert_near(width->terms[2].factor, 16 * CASES[i].scale);
    }
}

static void test_a_core_without_flop_says_so(void **state) {
    (void)state;
    static const char *const WITHOUT[] = {"hsw",           "arm_n1",      "arm_ac72",      "arm_ac76",
                                          "arm_ampereone", "arm_kunpeng", "arm_thunderx2", "apple_m1"};
    static const char *const WITH[] = {
        "skl",    "amd64_fam17h_zen2", "arm_v1", "arm_n2", "arm_ac710", "arm_x2", "arm_v2", "arm_n3",
        "arm_v3", "arm_a64fx"};
    struct event_set set;
    for (size_t i = 0; i < sizeof WITHOUT / sizeof *WITHOUT; i++) {
        find(WITHOUT[i], &set);
        for (unsigned m = METRIC_F64_FLOP; m <= METRIC_ANY_FLOP; m++)
            assert_int_equal(set.metrics[m].term_count, 0);
        assert_contains(events_without_flop(&set), "no event for floating-point operations");
    }
    for (size_t i = 0; i < sizeof WITH / sizeof *WITH; i++) {
        find(WITH[i], &set);
        if (events_without_flop(&set))
            fail_msg("%s: %s", WITH[i], events_without_flop(&set));
    }
    find("arm_n1", &set);
    assert_true(set.metrics[METRIC_LOADS].term_count == 1 && set.metrics[METRIC_WIDTH_BYTES].term_count == 2);
}

enum { GRANITE = CPU_AVX512 | CPU_AVX512_FP16 | CPU_AMX_TILE | CPU_AMX_BF16 | CPU_AMX_INT8 | CPU_PREFETCHI };

static void test_cores_are_found_by_identity(void **state) {
    (void)state;
    static const struct {
        struct cpu_identity cpu;
        const char *kind, *pmu, *read;
    } cases[] = {
        {{.vendor = "GenuineIntel", .family = 6, .model = 42}, "", "snb", "uncore_imc/data_reads/"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 45}, "", "snb_ep", "uncore_imc/event=0x04,umask=0x03/"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 60}, "", "hsw", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 63}, "", "hsw_ep", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 86}, "", "bdw_ep", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 85, .stepping = 4}, "", "skx", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 85, .stepping = 7}, "", "clx", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 167}, "", "icl", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 106}, "", "icx", "uncore_imc/event=0x04,umask=0x0f/"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 143}, "", "spr", "uncore_imc/event=0x05,umask=0xcf/"},
        {{.vendor = "GenuineIntel", .family = 6, .model = 207}, "", "emr", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 173}, "", "gnr", NULL},
        /* A Granite Rapids under a hypervisor that calls it a Rocket Lake. */
        {{.vendor = "GenuineIntel", .family = 6, .model = 167, .features = GRANITE | CPU_HYPERVISOR}, "", "gnr", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 151}, "P", "adl_glc", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 183}, "E", "adl_grt", NULL},
        {{.vendor = "AuthenticAMD", .family = 23, .model = 1}, "", "amd64_fam17h_zen1", NULL},
        {{.vendor = "AuthenticAMD", .family = 23, .model = 0x31}, "", "amd64_fam17h_zen2", NULL},
        {{.vendor = "AuthenticAMD", .family = 25, .model = 1}, "", "amd64_fam19h_zen3", NULL},
        {{.vendor = "AuthenticAMD", .family = 25, .model = 0x11},
         "",
         "amd64_fam19h_zen4",
         "amd_umc/event=0x0a,rdwrmask=0x1/"},
        {{.vendor = "AuthenticAMD", .family = 26, .model = 2}, "", "amd64_fam1ah_zen5", NULL},
        {{.vendor = "GenuineIntel", .family = 6, .model = 15}, "", "", NULL},
        {{.vendor = "Arm", .family = 8, .model = 0xd0c}, "", "arm_n1", NULL},
        {{.vendor = "Arm", .family = 8, .model = 0xd40}, "", "arm_v1", NULL},
        {{.vendor = "Arm", .family = 8, .model = 0xd4f}, "", "arm_v2", NULL},
        {{.vendor = "Microsoft", .family = 8, .model = 0xd49}, "", "arm_n2", NULL},
        {{.vendor = "Fujitsu", .family = 8, .model = 1}, "", "arm_a64fx", NULL},
        {{.vendor = "Ampere", .family = 8, .model = 0xac3}, "", "arm_ampereone", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_set set;
        events_find_kind(&cases[i].cpu, cases[i].kind, &set);
        if (strcmp(set.pmu, cases[i].pmu) != 0)
            fail_msg("model %u is taken for %s, not %s", cases[i].cpu.model, set.pmu, cases[i].pmu);
        if (cases[i].read)
            assert_string_equal(set.metrics[METRIC_DRAM_READ_BYTES].terms[0].event, cases[i].read);
    }
}

static void test_cores_of_a_hybrid_have_events_of_their_own(void **state) {
    (void)state;
    const struct cpu_identity cpu = {
        .vendor = "GenuineIntel", .family = 6, .model = 151, .features = FIXTURE_AVX2 | CPU_AVX_VNNI | CPU_HYBRID};
    struct event_set p, e, first;
    events_find_kind(&cpu, "P", &p);
    events_find_kind(&cpu, "E", &e);
    events_find(&cpu, NULL, &first);
    assert_string_equal(p.metrics[METRIC_LOADS].terms[0].event, "adl_glc::MEM_INST_RETIRED:ALL_LOADS");
    assert_string_equal(e.metrics[METRIC_LOADS].terms[0].event, "adl_grt::MEM_UOPS_RETIRED:ALL_LOADS");
    assert_int_equal(e.metrics[METRIC_F64_FLOP].term_count, 0);
    assert_string_equal(first.pmu, "adl_glc");
}

static void test_presets_are_the_fallback(void **state) {
    (void)state;
    const struct cpu_identity cpu = {.vendor = "GenuineIntel", .family = 6, .model = 15};
    struct event_set set;
    events_find(&cpu, NULL, &set);
    assert_string_equal(set.core, "");
    assert_string_equal(set.metrics[METRIC_F64_FLOP].terms[0].event, "PAPI_DP_OPS");
    assert_contains(set.doubt[METRIC_F64_FLOP], "PAPI");
    events_find(&cpu, "spr", &set);
    assert_string_equal(set.pmu, "spr");
    events_find(&cpu, "nonsense", &set);
    assert_string_equal(set.pmu, "");
}

/* No test machine is both of these. */
static const char *const *two_cores(void) {
    static const char *const OF_X86[] = {"amd64_fam17h_zen1", "snb"}, *const OF_ARM[] = {"arm_n1", "arm_a64fx"};
    return has_tables("snb") ? OF_X86 : OF_ARM;
}

static int choose_foreign(const char *pmu) {
    struct event_set set;
    struct event_tables tables;
    unsetenv("LIBPFM_FORCE_PMU");
    find(pmu, &set);
    event_tables_choose(&set, false, &tables);
    if (strcmp(tables.name, pmu) != 0 || tables.forced || getenv("LIBPFM_FORCE_PMU") || !*tables.note)
        return 1;
    event_tables_choose(&set, true, &tables);
    const char *forced = getenv("LIBPFM_FORCE_PMU");
    return forced && strcmp(forced, pmu) == 0 && strcmp(tables.name, pmu) == 0 && tables.forced && *tables.note ? 0 : 2;
}

/* Even when not forced to a core, libpfm4 resolves the event names of any core, and the kernel's. */
static int resolve_foreign(const char *pmu) {
    struct event_set set;
    struct event_tables tables;
    struct event_check loads, faults;
    unsetenv("LIBPFM_FORCE_PMU");
    find(pmu, &set);
    event_tables_of_all_cores();
    event_tables_choose(&set, false, &tables);
    event_check(set.metrics[METRIC_LOADS].terms[0].event, tables.name, false, &loads);
    event_check("perf::PAGE-FAULTS", tables.name, false, &faults);
    return loads.state == EVENT_RESOLVES && faults.state == EVENT_RESOLVES ? 0 : 1;
}

static void test_names_of_any_core_resolve_beside_the_kernels(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(in_child(resolve_foreign, two_cores()[i]), 0);
}

static void test_tables_are_forced_where_libpfm4_would_take_others(void **state) {
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(in_child(choose_foreign, two_cores()[i]), 0);
}

static int user_forces_nonsense(const char *pmu) {
    struct event_set set;
    struct event_tables tables;
    find("spr", &set);
    setenv("LIBPFM_FORCE_PMU", pmu, 1);
    event_tables_choose(&set, true, &tables);
    return *tables.name == '\0' && strstr(tables.note, pmu) ? 0 : 1;
}

static void test_a_variable_that_the_user_set_stays(void **state) {
    (void)state;
    assert_int_equal(in_child(user_forces_nonsense, "nonsense"), 0);
}

static const char *write_file(const char *text) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/carmine-events-%d", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void test_a_file_replaces_formulas(void **state) {
    (void)state;
    struct event_set set;
    struct error err;
    find("hsw", &set);
    const char *path = write_file("# ours\n\n  f64_flop = AVX_INSTS:CALC * 4 + perf::CYCLES*0.5 +b # half\n"
                                  "dram_read_bytes=uncore_imc/event=0x04,umask=0x03/ * 64");
    assert_true(events_load(path, &set, &err));
    const struct event_formula *f64 = &set.metrics[METRIC_F64_FLOP];
    assert_int_equal(f64->term_count, 3);
    assert_string_equal(f64->terms[0].event, "AVX_INSTS:CALC");
    assert_string_equal(f64->terms[1].event, "perf::CYCLES");
    assert_string_equal(f64->terms[2].event, "b");
    assert_true(f64->terms[0].factor == 4 && f64->terms[1].factor == 0.5 && f64->terms[2].factor == 1);
    assert_string_equal(set.doubt[METRIC_F64_FLOP], "");
    assert_string_equal(set.metrics[METRIC_DRAM_READ_BYTES].terms[0].event, "uncore_imc/event=0x04,umask=0x03/");
    assert_string_equal(set.metrics[METRIC_LOADS].terms[0].event, "MEM_UOPS_RETIRED:ALL_LOADS");
    remove(path);
}

static void test_a_file_may_scale_by_the_vectors(void **state) {
    (void)state;
    struct event_set set;
    struct error err;
    events_find(&(struct cpu_identity){.features = CPU_ASIMD | CPU_SVE512}, "arm_a64fx", &set);
    const char *path = write_file("f64_flop = FP_DP_SCALE_OPS_SPEC * 0.5 * sve + b*2\n");
    assert_true(events_load(path, &set, &err));
    assert_true(set.metrics[METRIC_F64_FLOP].terms[0].factor == 2 && set.metrics[METRIC_F64_FLOP].terms[1].factor == 2);
    remove(path);
}

static void test_a_bad_file_is_refused_with_its_line(void **state) {
    (void)state;
    static char long_name[200], seventeen[200] = "loads = a", long_line[6000];
    memset(long_name, 'x', sizeof long_name - 1);
    memcpy(long_name, "loads = ", 8);
    for (unsigned i = 0; i < 16; i++)
        strcat(seventeen, " + a");
    memset(long_line, ' ', sizeof long_line - 1);
    const struct {
        const char *text, *where, *says;
    } cases[] = {
        {"loads = a\nflops = b\n", "line 2", "flops is not a metric; the metrics are f64_flop"},
        {"loads a\n", "line 1", "is expected"},
        {"loads =\n", "line 1", "missing at the end"},
        {"loads = a +\n", "line 1", "missing at the end"},
        {"loads = + a\n", "line 1", "missing before + a"},
        {"loads = a b\n", "line 1", "+ is missing before b"},
        {"loads = a * x\n", "line 1", "after a *"},
        {"loads = a * 0\n", "line 1", "not 0"},
        {"loads = a * nan\n", "line 1", "not 0"},
        {"loads = a * 2 3\n", "line 1", "+ is missing before 3"},
        {"loads = a * 16 * x\n", "line 1", "or sve"},
        {"loads = a * sve\n", "line 1", "a * sve: this core's SVE vectors have no known length"},
        {"loads = a\nloads = b\n", "line 2", "second time"},
        {long_name, "line 1", "longer than 95"},
        {seventeen, "line 1", "more than 16"},
        {long_line, "line 1", "longer than"},
        {"# nothing\n", "", "holds no formula"},
        {"", "", "holds no formula"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct event_set set;
        struct error err;
        find("spr", &set);
        const char *path = write_file(cases[i].text);
        assert_false(events_load(path, &set, &err));
        assert_contains(err.text, path);
        assert_contains(err.text, cases[i].where);
        assert_contains(err.text, cases[i].says);
        remove(path);
    }
    struct event_set set;
    struct error err;
    assert_false(events_load("/nonexistent/events", &set, &err));
    assert_contains(err.text, "/nonexistent/events cannot be read");
    assert_false(events_load("/tmp", &set, &err));
    assert_contains(err.text, "/tmp cannot be read");
}

static void test_formulas_are_evaluated(void **state) {
    (void)state;
    static const char names[3][96] = {"c", "a", "b"};
    const double values[3] = {7, 10, 100};
    struct event_formula formula = {.term_count = 2, .terms = {{"a", 2}, {"b", 0.5}}};
    double value = -1;
    assert_true(events_evaluate(&formula, 3, names, values, &value));
    assert_near(value, 70);
    assert_false(events_evaluate(&formula, 2, names, values, &value));
    formula.term_count = 0;
    assert_false(events_evaluate(&formula, 3, names, values, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_event_of_every_known_core_resolves),
        cmocka_unit_test(test_stand_ins_have_the_same_events),
        cmocka_unit_test(test_zen5_has_its_own_codes),
        cmocka_unit_test(test_an_unknown_name_is_told),
        cmocka_unit_test(test_every_row_is_whole),
        cmocka_unit_test(test_factors_are_lanes),
        cmocka_unit_test(test_vectors_in_use_scale_the_events_of_sve),
        cmocka_unit_test(test_a_core_without_flop_says_so),
        cmocka_unit_test(test_cores_are_found_by_identity),
        cmocka_unit_test(test_cores_of_a_hybrid_have_events_of_their_own),
        cmocka_unit_test(test_presets_are_the_fallback),
        cmocka_unit_test(test_names_of_any_core_resolve_beside_the_kernels),
        cmocka_unit_test(test_tables_are_forced_where_libpfm4_would_take_others),
        cmocka_unit_test(test_a_variable_that_the_user_set_stays),
        cmocka_unit_test(test_a_file_replaces_formulas),
        cmocka_unit_test(test_a_file_may_scale_by_the_vectors),
        cmocka_unit_test(test_a_bad_file_is_refused_with_its_line),
        cmocka_unit_test(test_formulas_are_evaluated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
