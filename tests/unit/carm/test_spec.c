/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' specifications: the resulting peaks, the examples in specs/, and wrong files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/report/shortfall_report.h"
#include "probe/uarch.h"
#include "carm/store/spec.h"
#include "tests/support/fixtures.h"

static struct spec example(const char *name) {
    struct spec spec;
    struct error err;
    char path[128];
    snprintf(path, sizeof path, "specs/%s.json", name);
    if (!spec_read(path, &spec, &err))
        fail_msg("%s", err.text);
    return spec;
}

/* 2 cores × 2 FMA × 4 lanes × 2 flop: 54.4 Gflop/s at 1.7 GHz, 86.4 at 2.7. */
static void haswell_laptop(void **state) {
    (void)state;
    const struct spec spec = example("core-i5-4210u");
    const struct spec_peaks peaks = spec_peaks(&spec);
    assert_near(peaks.flop_per_cycle, 16);
    assert_false(peaks.flop_per_cycle_stated);
    assert_near(peaks.flop_per_s[SPEC_BASE], 54.4e9);
    assert_near(peaks.flop_per_s[SPEC_TURBO], 86.4e9);
    assert_near(peaks.flop_per_s[SPEC_ALL_CORE_TURBO], 0);
    assert_near(peaks.memory_bytes_per_s, 0);
}

/* Table III of "Applying the Roofline Model": π of 8, 4 and 8 flop per cycle and core. */
static void the_papers_machines(void **state) {
    (void)state;
    const struct {
        const char *name;
        double flop_per_cycle, peak;
        bool stated;
    } machines[] = {{"xeon-e5-2660", 8, 8 * 8 * 2.2e9, false},
                    {"xeon-x5680", 4, 6 * 4 * 3.3e9, true},
                    {"core-i7-3930k", 8, 6 * 8 * 3.2e9, false}};
    for (size_t i = 0; i < 3; i++) {
        const struct spec spec = example(machines[i].name);
        const struct spec_peaks peaks = spec_peaks(&spec);
        assert_near(peaks.flop_per_cycle, machines[i].flop_per_cycle);
        assert_int_equal(peaks.flop_per_cycle_stated, machines[i].stated);
        assert_near(peaks.flop_per_s[SPEC_BASE], machines[i].peak);
    }
    const struct spec phi = example("xeon-phi-7250");
    assert_near(spec_peaks(&phi).flop_per_s[SPEC_BASE], 68 * 32 * 1.4e9);
    assert_near(spec_peaks(&phi).memory_bytes_per_s, 115.2e9);
    const struct spec quad = example("core-i7-3930k");
    assert_near(spec_peaks(&quad).memory_bytes_per_s, 51.2e9);
}

static void granite_rapids(void **state) {
    (void)state;
    const struct spec spec = example("xeon-6980p");
    const struct spec_peaks peaks = spec_peaks(&spec);
    assert_near(peaks.flop_per_s[SPEC_BASE], 128 * 32 * 2.0e9);
    assert_near(peaks.flop_per_s[SPEC_ALL_CORE_TURBO], 128 * 32 * 3.2e9);
    assert_near(peaks.memory_bytes_per_s, 614.4e9);
}

static void stated_figures_go_first(void **state) {
    (void)state;
    const struct spec spec = {.uarch = "Haswell",
                              .cores = 1,
                              .base_clock_hz = 1e9,
                              .flop_per_cycle_per_core = 3,
                              .memory_channels = 2,
                              .memory_transfers_per_s = 1e9,
                              .memory_bytes_per_s = 7e9};
    assert_near(spec_peaks(&spec).flop_per_s[SPEC_BASE], 3e9);
    assert_near(spec_peaks(&spec).memory_bytes_per_s, 7e9);
    const struct spec narrow = {.cores = 1, .memory_channels = 2, .memory_transfers_per_s = 1e9, .memory_bus_bytes = 4};
    assert_near(spec_peaks(&narrow).memory_bytes_per_s, 8e9);
    assert_near(spec_peaks(&narrow).flop_per_cycle, 0);
}

static void refused(const char *text, const char *message) {
    struct spec spec;
    struct error err = {""};
    fixture_write(fixture_path("spec.json"), text, strlen(text));
    if (spec_read(fixture_path("spec.json"), &spec, &err))
        fail_msg("read: %s", text);
    assert_contains(err.text, "spec.json: ");
    assert_contains(err.text, message);
}

#define GOOD "\"schema\": \"carmine.spec/1\", \"name\": \"n\", \"cores\": 2, \"source\": \"s\""

static void wrong_files(void **state) {
    (void)state;
    struct spec spec;
    struct error err;
    fixture_write(fixture_path("spec.json"), "{" GOOD "}", strlen("{" GOOD "}"));
    assert_true(spec_read(fixture_path("spec.json"), &spec, &err));
    assert_int_equal(spec.cores, 2);
    refused("", "line ");
    refused("[]", "schema: must be \"carmine.spec/1\"");
    refused("{\"schema\": \"carmine.result/1\"}", "not carmine.result/1");
    refused("{\"schema\": \"carmine.spec/1\"}", "name: must be there");
    refused("{" GOOD ", \"memory_chanels\": 2}", "memory_chanels: unknown field");
    refused("{" GOOD ", \"base_clock_hz\": 2.7}", "base clock: must be in Hz");
    refused("{" GOOD ", \"turbo_clock_hz\": 1e99}", "turbo clock: must be in Hz");
    refused("{" GOOD ", \"base_clock_hz\": 2e9, \"turbo_clock_hz\": 1e9}", "turbo_clock_hz: must not be below");
    refused("{" GOOD ", \"memory_transfers_per_s\": 6400}", "memory_transfers_per_s: must be transfers per second");
    refused("{" GOOD ", \"threads\": 1}", "threads: must not be fewer");
    refused("{" GOOD ", \"peak_flop_per_s\": -1}", "peak_flop_per_s: must be");
    refused("{" GOOD ", \"peak_flop_per_s\": \"fast\"}", "peak_flop_per_s: must be");
    refused("{\"schema\": \"carmine.spec/1\", \"name\": \"n\", \"cores\": 0, \"source\": \"s\"}", "cores: must be");
    refused("{" GOOD ", \"cores\": 3}", "line ");
    refused("{" GOOD ", \"peak_flop_per_s\": 1e30}", "peak_flop_per_s: must be 0, or from 0.001 to 1e+21 flop/s");
    refused("{" GOOD ", \"memory_bytes_per_s\": 5e-324}", "memory_bytes_per_s: must be 0, or from");
    refused("{" GOOD ", \"memory_channels\": 999999999}", "memory_channels: must be at most 1000000");
}

static void brands(void **state) {
    (void)state;
    assert_near(spec_brand_clock("Intel(R) Xeon(R) CPU E5-2660 0 @ 2.20GHz"), 2.2e9);
    assert_near(spec_brand_clock("Intel(R) Celeron(R) CPU @ 800MHz"), 8e8);
    assert_near(spec_brand_clock("AMD EPYC 7452 32-Core Processor"), 0);
    assert_near(spec_brand_clock("Somebody @ home"), 0);
    assert_near(spec_brand_clock("@"), 0);
    assert_near(spec_brand_clock(""), 0);
}

/* The document equals the code's table. `carmine spec --limits >docs/documented-limits.md` rewrites it. */
static void the_document_is_the_table(void **state) {
    (void)state;
    char *text = NULL;
    size_t length = 0, document_length;
    FILE *memory = open_memstream(&text, &length);
    limits_markdown_print(memory);
    fclose(memory);
    char *document = fixture_read("docs/documented-limits.md", &document_length);
    if (strcmp(document, text) != 0)
        fail_msg("docs/documented-limits.md is not the table; write it again: carmine spec --limits >…");
    /* Each figure that is not known has a reason, and each reason a figure. */
    assert_null(strstr(text, "| ? |"));
    for (size_t i = 0; uarch_at(i); i++)
        for (int links = 0; links < 2; links++) {
            const char *reason = uarch_unknown(uarch_at(i), links);
            if (reason && !strstr(text, reason))
                fail_msg("%s: \"%s\" is of no figure", uarch_name(uarch_at(i)), reason);
        }
    free(document);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(haswell_laptop),
        cmocka_unit_test(the_papers_machines),
        cmocka_unit_test(granite_rapids),
        cmocka_unit_test(stated_figures_go_first),
        cmocka_unit_test(wrong_files),
        cmocka_unit_test(brands),
        cmocka_unit_test(the_document_is_the_table),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
