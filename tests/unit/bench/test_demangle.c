/* SPDX-License-Identifier: BSD-3-Clause
 * Names of functions of C++, Fortran, Go and Rust. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <string.h>

#include "bench/names/symbols.h"

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
    assert_string_equal(demangle("_ZN2ru4axpy17h0123456789abcdefE", text, sizeof text), "ru::axpy");
    assert_string_equal(demangle("_ZN2ru4axpy17h0123456789abcdefE.llvm.42", text, sizeof text), "ru::axpy");
    assert_string_equal(demangle("_ZN17h0123456789abcdefE", text, sizeof text), "h0123456789abcdef");
    assert_string_equal(demangle("_ZN2ru4axpy16h123456789abcdefE", text, sizeof text), "ru::axpy::h123456789abcdef");
    assert_string_equal(demangle("_ZN2ru4axpy17h0123456789abcdeXE", text, sizeof text), "ru::axpy::h0123456789abcdeX");
    assert_string_equal(demangle("_ZN2ru4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE", text, sizeof text),
                        "ru::main::{{closure}}");
    assert_string_equal(
        demangle("_ZN44_$LT$ru..S$u20$as$u20$core..clone..Clone$GT$5clone17h0123456789abcdefE", text, sizeof text),
        "<ru::S as core::clone::Clone>::clone");
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
                {"run(int) [clone .isra.0]", "run"},
                {"run()::{lambda(int)#1}", "run()::{lambda(int)#1}"},
                {"main.(*S).Norm", "main.(*S).Norm"},
                {"main.(*S).Norm.func1", "main.(*S).Norm.func1"},
                {"main.Map[go.shape.func(int) bool]", "main.Map[go.shape.func(int) bool]"},
                {"<fn(i32) -> i32 as Call>::call", "<fn(i32) -> i32 as Call>::call"},
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
