/* SPDX-License-Identifier: BSD-3-Clause
 * A kernel that dies of a signal costs only its own measurement, however many threads wait for it; any other death ends
 * the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/kernels/timing.h"
#include "tests/support/bench_here.h"

/* After this many calls, one call dies, in one thread; later calls do not. */
static atomic_int calls_left;

#define DEADLY(name, code)                                                                                             \
    static void *name(const struct kernel_call *call) {                                                                \
        if (atomic_fetch_sub(&calls_left, 1) == 0)                                                                     \
            __asm__ volatile(code : : : "rax", "rcx", "rdx", "cc", "memory");                                          \
        return call->buffer;                                                                                           \
    }

DEADLY(invalid, "ud2")
DEADLY(no_address, "mov 8, %%rax")
/* A non-canonical address in the stack's segment: #SS (Intel SDM 3A, 6.15), which Linux turns into a SIGBUS. */
DEADLY(no_bus, "push %%rbp\n\tmov $1, %%ebp\n\tshl $62, %%rbp\n\tmov (%%rbp), %%rax\n\tpop %%rbp")
DEADLY(by_zero, "xor %%ecx, %%ecx\n\txor %%edx, %%edx\n\tdiv %%ecx")

static const struct deadly {
    kernel_entry *entry;
    int died_of;
    const char *name;
} DEADLY_KERNELS[] = {{invalid, SIGILL, "SIGILL"},
                      {no_address, SIGSEGV, "SIGSEGV"},
                      {no_bus, SIGBUS, "SIGBUS"},
                      {by_zero, SIGFPE, "SIGFPE"}};
enum { DEADLY_COUNT = sizeof DEADLY_KERNELS / sizeof DEADLY_KERNELS[0], REPETITIONS = 16 };

static struct kernel kernel_of(kernel_entry *entry) {
    return (struct kernel){.name = "scalar.f64.deadly",
                           .variant = "1",
                           .op = "deadly",
                           .isa = &isa_table[0],
                           .kind = KERNEL_COMPUTE,
                           .cost = {.flop = 1, .instructions = 1},
                           .entry = entry};
}

static struct timing timed(kernel_entry *entry, unsigned threads, int calls, const atomic_int *stop) {
    const struct kernel kernel = kernel_of(entry);
    void *buffers[2] = {NULL};
    struct team team;
    struct timing timing;
    struct error err;
    assert_true(team_choose(&team, &here, TEAM_ANY_KIND, threads, &err));
    const struct timing_request request = {.clock = &bench.clock,
                                           .team = &team,
                                           .kernel = &kernel,
                                           .call = {.blocks = 1, .passes = 1},
                                           .buffers = buffers,
                                           .segments = 1,
                                           .repetitions = REPETITIONS,
                                           .stop = stop};
    atomic_store(&calls_left, calls);
    assert_true(timing_run(&request, &timing, &err));
    assert_true(!timing.died_of || timing.died_on_cpu == team.pus[0] || timing.died_on_cpu == team.pus[threads - 1]);
    team_free(&team);
    return timing;
}

/* In the first repetition or a later one; then the same threads continue with another kernel. */
static void dies_and_goes_on(unsigned threads) {
    for (size_t i = 0; i < DEADLY_COUNT; i++)
        for (int calls = 0; calls < 8; calls++) {
            struct timing timing = timed(DEADLY_KERNELS[i].entry, threads, calls, NULL);
            assert_string_equal(fault_name(timing.died_of), DEADLY_KERNELS[i].name);
            assert_int_equal(timing.died_of, DEADLY_KERNELS[i].died_of);
            assert_int_equal(timing.count, (unsigned)calls / threads); /* what was complete before */
            timing_free(&timing);
            timing = timed(DEADLY_KERNELS[i].entry, threads, -1, NULL);
            assert_int_equal(timing.died_of, 0);
            assert_int_equal(timing.count, REPETITIONS);
            timing_free(&timing);
        }
}

static void one_thread_dies(void **state) {
    (void)state;
    dies_and_goes_on(1);
}

static void one_of_two_dies(void **state) {
    (void)state;
    if (here.core_count < 2)
        skip();
    dies_and_goes_on(2);
}

/* The campaign treats it as code that cannot run there, the bench reports it once, and the next trial is normal. */
static void costs_its_own_row(void **state) {
    (void)state;
    struct plan_step step = step_of("scalar.f64.deadly", SAMPLE_COMPUTE, PLAN_REGISTERS, 0);
    struct sample sample;
    struct error err;
    for (size_t i = 0; i < DEADLY_COUNT; i++)
        for (int calls = 0; calls < 100; calls += 50) { /* during the search for the length of a call, or after it */
            const struct kernel kernel = kernel_of(DEADLY_KERNELS[i].entry);
            const struct campaign_trial trial = {
                .step = &step, .code = {.kernel = &kernel}, .repetitions = 200, .repetition_s = 1e-9};
            atomic_store(&calls_left, calls);
            assert_true(bench_measure(&bench, &trial, &sample, &err));
            assert_true(sample.value == 0);
        }
    assert_true(bench_has_died(&bench, "scalar.f64.deadly"));
    assert_false(bench_has_died(&bench, "scalar.f64.add"));
    assert_int_equal(bench.death_count, DEADLY_COUNT);
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        assert_string_equal(bench.deaths[i].kernel, "scalar.f64.deadly");
        assert_string_equal(bench.deaths[i].variant, "1");
        assert_string_equal(bench.deaths[i].signal, DEADLY_KERNELS[i].name);
        assert_int_equal(bench.deaths[i].cpu, here.cores[0].pus[0]);
    }
    const struct campaign_trial whole = {.step = &step,
                                         .code = {.kernel = *kernel_find("scalar.f64.add", NULL)},
                                         .repetitions = 32,
                                         .repetition_s = 50e-6};
    assert_true(bench_measure(&bench, &whole, &sample, &err));
    assert_true(sample.value > 0);
}

/* How a process ends that does this; it must not return from it. */
static void *sends_one(const struct kernel_call *call) {
    kill(getpid(), SIGSEGV); /* from a process, not from an instruction; and this thread is the only one */
    return call->buffer;
}
static void in_a_kernel_but_sent(void) {
    timed(sends_one, 1, 0, NULL);
}
static void while_measuring(void) { /* between two calls */
    timed(no_address, 1, -1, (const atomic_int *)8);
}
static void after_measuring(void) {
    timed(no_address, 1, 0, NULL);
    __asm__ volatile("mov 8, %%rax" : : : "rax", "memory");
}

/* Forked before there are threads. A sanitizer reports the signal and ends with a status instead. */
static void what_else_dies_dies(void **state) {
    (void)state;
    void (*const ends[])(void) = {in_a_kernel_but_sent, while_measuring, after_measuring};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const pid_t child = fork();
        if (child == 0) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            for (int number = 1; number < 32; number++)
                signal(number, SIG_DFL); /* cmocka has handlers */
            close(STDERR_FILENO);
            ends[i]();
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) != SIGSEGV)
            fail_msg("case %zu ended with status %x", i, (unsigned)status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_else_dies_dies),
        cmocka_unit_test(one_thread_dies),
        cmocka_unit_test(one_of_two_dies),
        cmocka_unit_test(costs_its_own_row),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
