/* SPDX-License-Identifier: BSD-3-Clause
 * The syntax of problem sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carm/options/workload_list.h"
#include "probe/error.h"

static void assert_sizes(const char *text, const char *wanted) {
    uint64_t sizes[SIZES_MAX];
    size_t count, length = 0;
    struct error err;
    char got[4096] = "";
    if (!sizes_parse(text, sizes, &count, &err))
        fail_msg("%s: %s", text, err.text);
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(got + length, sizeof got - length, i ? " %ju" : "%ju", (uintmax_t)sizes[i]);
    assert_string_equal(got, wanted);
}

static void numbers(void **state) {
    (void)state;
    assert_sizes("1", "1");
    assert_sizes("1000,200,3", "1000 200 3");
    assert_sizes("1K,1.5M,2G", "1000 1500000 2000000000");
    assert_sizes("1Ki,1.5Mi,2Gi", "1024 1572864 2147483648");
    assert_sizes("2^0,2^20,10^7", "1 1048576 10000000");
    assert_sizes("1e6", "1000000");
    assert_sizes("281474976710656", "281474976710656");
}

static void ranges(void **state) {
    (void)state;
    assert_sizes("100:1000:+300", "100 400 700 1000"); /* the end is included */
    assert_sizes("100:999:+300", "100 400 700");       /* and need not be met */
    assert_sizes("1000:10K:*2", "1000 2000 4000 8000");
    assert_sizes("2^5..2^8", "32 64 128 256");
    assert_sizes("100..500", "100 200 400");
    assert_sizes("10:40:*1.5", "10 15 22 33"); /* 22.5 and 33.75: whole sizes, without adding up the cut parts */
    assert_sizes("1:3:*1.1", "1 2 3");         /* each once */
    assert_sizes("7:7:+5", "7");
    assert_sizes("8..8", "8");
}

static void several_pieces(void **state) {
    (void)state;
    assert_sizes("5,10:30:+10,2^5..2^6", "5 10 20 30 32 64");
    assert_sizes("4..16,8,2", "4 8 16 2"); /* each once, in the order of the text */
}

static void what_is_no_size(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"", "'' is not a size"},
        {"1,,2", "'' is not a size"},
        {"1,", "'' is not a size"},
        {"0", "'0' is not a size: a whole number from 1"},
        {"-5", "'-5' is not a size"},
        {"1.5", "'1.5' is not a size"},
        {"1.5e-3K", "is not a size"},
        {"abc", "'abc' is not a size"},
        {"100x", "'100x' is not a size"},
        {"0x10", "'0x10' is not a size"},
        {"inf", "'inf' is not a size"},
        {"nan", "'nan' is not a size"},
        {" 5", "' 5' is not a size"},
        {"1KK", "'1KK' is not a size"},
        {"2^", "'2^' is not a size"},
        {"2^-1", "'2^-1' is not a size"},
        {"2^49", "'2^49' is not a size"},
        {"1e300", "'1e300' is not a size"},
        {"5,100:200", "'100:200' is not a range of sizes"},
        {"100:200:", "is not a range"},
        {"100:200:5", "is not a range"},
        {"100:200:+", "is not a range"},
        {"100:200:+5x", "is not a range"},
        {"100:200:-5", "is not a range"},
        {"100:0:+5", "is not a range"},
        {"100::+5", "is not a range"},
        {"100..", "is not a range"},
        {"100.. 200", "is not a range"},
        {"100..200..300", "is not a range"},
        {"100..200:+5", "is not a range"},
        {"200:100:+5", "'200:100:+5' ends before it begins"},
        {"200..100", "ends before it begins"},
        {"100:200:+0", "does not grow"},
        {"100:200:*1.001", "does not grow"},
        {"100:200:*1", "does not grow"},
        {"100:200:*0.5", "does not grow"},
        {"1:1G:+1", "more than 256 sizes"},
        {"1:200:+1,1000:1200:+1", "more than 256 sizes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t sizes[SIZES_MAX];
        size_t count;
        struct error err = {.text = ""};
        if (sizes_parse(rows[i].text, sizes, &count, &err))
            fail_msg("'%s' was taken", rows[i].text);
        if (!strstr(err.text, rows[i].says))
            fail_msg("'%s': \"%s\" does not say \"%s\"", rows[i].text, err.text, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(ranges),
        cmocka_unit_test(several_pieces),
        cmocka_unit_test(what_is_no_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
