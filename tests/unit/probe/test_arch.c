/* SPDX-License-Identifier: BSD-3-Clause
 * The architecture's single instructions: each is executed, and does what probe/arch.h says. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/arch.h"
#include "probe/cpu.h"

static void time_passes(void **state) {
    (void)state;
    const uint64_t start = arch_tick();
    uint64_t before = start;
    for (int i = 0; i < 100000; i++) {
        const uint64_t now = arch_tick();
        assert_true(now >= before);
        before = now;
        arch_pause();
        arch_noops(16);
    }
    assert_true(before > start);
}

static void lines_keep_their_data(void **state) {
    (void)state;
    static unsigned char data[4096];
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7);
    for (size_t i = 0; i < sizeof data; i += 64)
        arch_flush_line(&data[i], i % 128 ? cpu.features : 0);
    arch_fence();
    for (size_t i = 0; i < sizeof data; i++)
        assert_int_equal(data[i], (unsigned char)(i * 7));
}

static void exceptions_of_this_thread(void **state) {
    (void)state;
    volatile double one = 1, three = 3, zero = 0, huge = 1e300, result;
    arch_exceptions_clear();
    assert_false(arch_exceptions_harmful());
    result = one / three; /* inexact */
    assert_false(arch_exceptions_harmful());
    result = one / zero;
    assert_true(arch_exceptions_harmful());
    arch_exceptions_clear();
    assert_false(arch_exceptions_harmful());
    result = huge * huge;
    assert_true(arch_exceptions_harmful());
    arch_exceptions_clear();
    result = zero / zero;
    assert_true(arch_exceptions_harmful());
    arch_exceptions_clear();
    (void)result;
}

static volatile uint64_t interrupted_at;

static void remember(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    interrupted_at = arch_interrupted_at(context);
}

/* The signal comes from a call of libc's, so the place lies there or in the kernel's page for programs, not here. */
static void the_place_of_a_signal(void **state) {
    (void)state;
    const struct sigaction action = {.sa_sigaction = remember, .sa_flags = SA_SIGINFO};
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    const uint64_t place = interrupted_at, libc = (uint64_t)(uintptr_t)&raise;
    assert_true(place != 0 && place - libc + (1u << 24) < 1u << 25);
}

/* A mark changes nothing that a program sees. */
static void marks(void **state) {
    (void)state;
    volatile int kept = 5;
    ARCH_MARK(0x111);
    ARCH_MARK_TEXT(0x222, "text");
    assert_int_equal(kept, 5);
    assert_true(strlen(ARCH_NAME) > 0 && ARCH_ELF_MACHINE != EM_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_passes),
        cmocka_unit_test(lines_keep_their_data),
        cmocka_unit_test(exceptions_of_this_thread),
        cmocka_unit_test(the_place_of_a_signal),
        cmocka_unit_test(marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
