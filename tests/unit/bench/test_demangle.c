/* SPDX-License-Identifier: BSD-3-Clause
 * Names of C++ functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <string.h>

#include "bench/profile/symbols.h"

static void names_are_as_in_the_source(void **state) {
    (void)state;
    char text[64], cut[8];
    assert_string_equal(demangle("main", text, sizeof text), "main");
    assert_string_equal(demangle("_Znonsense", text, sizeof text), "_Znonsense");
    assert_string_equal(demangle("__grid_MOD_saxpy", text, sizeof text), "grid::saxpy");
    assert_string_equal(demangle("__grid_MOD_", text, sizeof text), "__grid_MOD_");
    assert_string_equal(demangle("__MOD_saxpy", text, sizeof text), "__MOD_saxpy");
    assert_string_equal(demangle("grid_MOD_saxpy", text, sizeof text), "grid_MOD_saxpy");
    if (!dlopen("libstdc++.so.6", RTLD_LAZY))
        skip();
    assert_string_equal(demangle("_ZNK5solve3runEiPd", text, sizeof text), "solve::run(int, double*) const");
    assert_string_equal(demangle("_ZNK5solve3runEiPd", cut, sizeof cut), "solve::");
}

static void labels_leave_out_what_a_function_takes(void **state) {
    (void)state;
    static const struct {
        const char *name, *label;
    } ROWS[] = {{"main", "main"},
                {"solve::run(int, double*) const", "solve::run"},
                {"sum(double (*)(int), int)", "sum"},
                {"add::operator()(int)", "add::operator()"},
                {"(anonymous namespace)::count()", "(anonymous namespace)::count"},
                {"ns::(anonymous namespace)::table", "ns::(anonymous namespace)::table"},
                {"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"},
                {")", ")"},
                {"", ""}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        assert_int_equal(demangle_short(ROWS[i].name), strlen(ROWS[i].label));
        assert_memory_equal(ROWS[i].name, ROWS[i].label, strlen(ROWS[i].label));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_as_in_the_source),
                                       cmocka_unit_test(labels_leave_out_what_a_function_takes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
