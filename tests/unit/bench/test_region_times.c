/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a region in several processes: the longest of concurrent processes, the sum of consecutive ones. The
 * reports are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/programs/regions.h"
#include "tests/support/fixtures.h"

struct process {
    int number, image;
    unsigned start_ms, end_ms, work_ms; /* work: in region "work"; 0: not entered */
};

static void write_report(const struct process *process) {
    char name[64], text[512];
    snprintf(name, sizeof name, "regions.%d.%d", process->number, process->image);
    int length =
        snprintf(text, sizeof text,
                 "carmine regions 1\t%d\t/bin/prog\nspan\t%u000000\t%u000000\nregion\t\t1\t1\t%u000000\t0\t0\n",
                 process->number, process->start_ms, process->end_ms, process->end_ms - process->start_ms);
    if (process->work_ms)
        length += snprintf(text + length, sizeof text - (size_t)length, "region\twork\t1\t1\t%u000000\t0\t0\n",
                           process->work_ms);
    length += snprintf(text + length, sizeof text - (size_t)length, "end\t%d\n", process->work_ms ? 4 : 3);
    fixture_write(fixture_path(name), text, (size_t)length);
}

static void longest_or_sum(void **state) {
    (void)state;
    static const struct {
        struct process processes[4];
        unsigned program_ms, work_ms;
    } rows[] = {
        {{{10, 0, 1000, 1100, 70}}, 100, 70},
        /* a shell's loop */
        {{{10, 0, 1000, 1400, 0}, {11, 0, 1010, 1100, 70}, {12, 0, 1110, 1200, 60}, {13, 0, 1210, 1300, 50}}, 400, 180},
        {{{10, 0, 1010, 1100, 70}, {11, 0, 1000, 1400, 0}, {12, 0, 1110, 1200, 60}, {13, 0, 1210, 1300, 50}}, 400, 180},
        /* concurrent */
        {{{10, 0, 1000, 1200, 0}, {11, 0, 1010, 1100, 70}, {12, 0, 1090, 1190, 90}, {13, 0, 1150, 1180, 20}}, 200, 90},
        /* two at a time, twice; ordered by number, not by start */
        {{{10, 0, 2000, 2100, 70}, {11, 0, 1000, 1100, 40}, {12, 0, 2050, 2150, 80}, {13, 0, 1010, 1090, 50}},
         200,
         130},
        /* images of one process are consecutive and span it together */
        {{{10, 0, 1000, 1100, 30}, {10, 1, 1100, 1200, 40}, {11, 0, 1150, 1190, 10}}, 200, 70},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct regions_report report;
        struct error err;
        fixture_folder_count(true);
        for (size_t p = 0; p < 4 && rows[i].processes[p].number; p++)
            write_report(&rows[i].processes[p]);
        if (!regions_read(fixture_folder, &report, &err))
            fail_msg("%s", err.text);
        assert_int_equal(report.region_count, 2);
        assert_string_equal(report.regions[1].name, "work");
        assert_near(report.regions[0].seconds, 1e-3 * rows[i].program_ms);
        assert_near(report.regions[1].seconds, 1e-3 * rows[i].work_ms);
        regions_free(&report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(longest_or_sum)};
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
