/* SPDX-License-Identifier: BSD-3-Clause
 * What threads do: lines of the kernel → kinds, a sampled process, and the kernel's share. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/programs/waits.h"
#include "tests/support/emulated.h"
#include "tests/support/fixtures.h"

static void lines_of_the_kernel(void **state) {
    (void)state;
    enum { WHOLE = -2 }; /* no call's number stands before the line */
    static const struct {
        int call;
        const char *line;
        enum wait_kind kind;
        int descriptor;
    } rows[] = {
        {WHOLE, "running\n", WAIT_RUNS, -1},
        {SYS_futex, "0x7f01 0x80 0x2 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_LOCKS, -1},
        {SYS_clock_nanosleep, "0x0 0x0 0x7ffc1a390040 0x7ffc1a390080 0x0 0x0 0x7ffc 0x7f06\n", WAIT_SLEEP, -1},
        {SYS_read, "0x3 0x7f5237cf2000 0x20000 0x22 0xffffffff 0x0 0x7ffd 0x7f52\n", WAIT_FILES, 3},
        {SYS_write, "0x11 0x7f52 0x20 0x22 0x0 0x0 0x7ffd 0x7f52\n", WAIT_FILES, 17},
        {SYS_recvfrom, "0x4 0x7f52 0x20 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_FILES, 4},
        {SYS_ppoll, "0x7ffd 0x1 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
        {SYS_ppoll, "0x7ffd 0x0 0x64 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_SLEEP, -1},   /* poll of nothing */
        {SYS_pselect6, "0x0 0x0 0x0 0x0 0x7ffd 0x0 0x7ffd 0x7f52\n", WAIT_SLEEP, -1}, /* select of nothing */
        {SYS_pselect6, "0x4 0x0 0x0 0x0 0x7ffd 0x0 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
        {SYS_epoll_pwait, "0x4 0x7f52 0x10 0x64 0x0 0x8 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
#ifdef SYS_open /* the oldest calls, which newer architectures lack */
        {SYS_open, "0x7ffd 0x1 0x0 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_FILES, -1},
        {SYS_poll, "0x7ffd 0x1 0xffffffff 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
        {SYS_poll, "0x7ffd 0x0 0x64 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_SLEEP, -1},
        {SYS_select, "0x0 0x0 0x0 0x0 0x7ffd 0x0 0x7ffd 0x7f52\n", WAIT_SLEEP, -1},
        {SYS_epoll_wait, "0x4 0x7f52 0x10 0x64 0x0 0x8 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
        {SYS_pause, "0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_EVENTS, -1},
        {SYS_vfork, "0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_CHILDREN, -1},
#endif
        {SYS_wait4, "0xffffffffffffffff 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_CHILDREN, -1},
        {WHOLE, "-1 0x7ffd3a40 0x7f5237e682ad\n", WAIT_PAGES, -1},
        {WHOLE, "-1 0x0 0x0\n", WAIT_KINDS, -1}, /* a zombie */
        {SYS_ptrace, "0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd 0x7f52\n", WAIT_OTHER, -1},
        {WHOLE, "?", WAIT_OTHER, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[128], number[16];
        int descriptor;
        snprintf(number, sizeof number, "%d ", rows[i].call);
        snprintf(line, sizeof line, "%s%s", rows[i].call == WHOLE ? "" : number, rows[i].line);
        const enum wait_kind kind = wait_kind_of_call(line, &descriptor);
        if (kind != rows[i].kind || descriptor != rows[i].descriptor)
            fail_msg("%s is %d of descriptor %d", line, kind, descriptor);
    }
    assert_int_equal(wait_kind_of_file(S_IFIFO), WAIT_PIPES);
    assert_int_equal(wait_kind_of_file(S_IFSOCK), WAIT_SOCKETS);
    assert_int_equal(wait_kind_of_file(S_IFCHR), WAIT_DEVICES);
    assert_int_equal(wait_kind_of_file(S_IFREG), WAIT_FILES);
    assert_int_equal(wait_kind_of_file(S_IFBLK), WAIT_FILES);
    assert_int_equal(wait_kind_of_file(0), WAIT_EVENTS); /* an eventfd has no type */
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        assert_non_null(wait_kind_names[kind]);
}

/* A real process, at made-up times: each sample counts for the time since the last one, and the time after the last
 * one is as before. */
static void samples_of_a_process(void **state) {
    (void)state;
    if (emulated()) /* the kernel names the host's system calls */
        skip();
    struct wait_course course = {.count = 0};
    struct wait_watch watch = {.course = &course};
    int ends[2], descriptor;
    char line[64] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        ssize_t nothing = read(ends[0], line, 1);
        _exit(nothing > 0);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/syscall", (int)pid);
    do { /* until it reads */
        FILE *file = fopen(path, "r");
        if (!file || !fgets(line, sizeof line, file))
            line[0] = '\0';
        if (file)
            fclose(file);
    } while (*line && wait_kind_of_call(line, &descriptor) != WAIT_FILES);
    const bool shown = *line;
    for (unsigned i = 1; i <= 4; i++) {
        const int ms = wait_watch_look(&watch, pid, 0.5 * i);
        assert_true(ms >= 1 && ms <= 1250);
    }
    kill(pid, SIGKILL);
    waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT);
    wait_watch_look(&watch, pid, 2.5); /* a zombie */
    waitpid(pid, NULL, 0);
    wait_watch_look(&watch, pid, 3);
    const struct waits waits = wait_watch_end(&watch, 6);
    assert_null(watch.threads);
    close(ends[0]);
    close(ends[1]);
    free(course.moments);
    if (!shown) /* this system shows nothing: nothing is reported */
        return;
    assert_int_equal(waits.samples, 6);
    assert_int_equal(course.count, 7); /* and what follows the last sample */
    assert_near(waits.interval_s, 0.5);
    assert_near((double)waits.ns[WAIT_PIPES], 4e9); /* 2 of 3 seconds */
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        assert_true(kind == WAIT_PIPES || waits.ns[kind] == 0);
}

/* As often as wanted, if the cost allows; from a moment on no run needs that. */
static void looks_come_as_often_as_wanted(void **state) {
    (void)state;
    static const struct {
        double often_s, seconds, cost_s;
        int ms; /* on average */
    } rows[] = {{0, 1, 1e-6, 20},      {0, 10, 1e-6, 50},    {0.01, 0.2, 1e-6, 4}, {0.01, 1, 1e-6, 10},
                {0.01, 10, 1e-6, 10},  {0.01, 10, 4e-4, 20}, {0, 10, 4e-4, 160},   {0.01, 200, 1e-6, 20},
                {0.01, 1e4, 1e-6, 50}, {0.5, 10, 1e-6, 50},  {0.001, 10, 1e-6, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct wait_watch watch = {.often_s = rows[i].often_s};
        double sum_ms = 0;
        for (unsigned k = 0; k < 100; k++, watch.sum.samples++)
            sum_ms += waits_next_ms(&watch, rows[i].seconds, rows[i].cost_s);
        if (sum_ms < 99 * rows[i].ms || sum_ms > 101 * (rows[i].ms + 1))
            fail_msg("row %zu: every %g ms", i, sum_ms / 100);
    }
}

/* Running threads, by the kernel's account: a part of them was ready without a CPU. What is refused is not reported. */
static void arithmetic(void **state) {
    (void)state;
    struct wait_watch watch = {.sum = {.samples = 10, .ns = {[WAIT_RUNS] = 800, [WAIT_SLEEP] = 200}},
                               .last_s = 1,
                               .ran_ns = 300,
                               .ready_ns = 100};
    struct wait_watch blind = watch;
    struct waits waits = wait_watch_end(&watch, 1);
    assert_int_equal(waits.ns[WAIT_RUNS], 600);
    assert_int_equal(waits.ns[WAIT_CPU], 200);
    assert_int_equal(waits.ns[WAIT_SLEEP], 200);
    waits_split_kernel(&waits, 4, 2, 3, 0.5);
    assert_int_equal(waits.ns[WAIT_RUNS], 300);
    assert_int_equal(waits.ns[WAIT_FAULTS], 225);
    assert_int_equal(waits.ns[WAIT_KERNEL], 75);
    blind.refused_ns = 60; /* of 1000 */
    assert_int_equal(wait_watch_end(&blind, 1).samples, 0);
    assert_int_equal(wait_watch_end(&(struct wait_watch){.refused_ns = 0}, 1).samples, 0); /* too short for a sample */
    assert_true(waits_fault_seconds() > 0 && waits_fault_seconds() < 1);
    struct wait_course course = {.moments = calloc(2, sizeof *course.moments), .count = 2};
    course.moments[0] = (struct wait_moment){.seconds = 1, .ns = {[WAIT_RUNS] = 1000}};
    course.moments[1] = (struct wait_moment){.seconds = 2, .ns = {[WAIT_RUNS] = 1000, [WAIT_SLEEP] = 1000}};
    wait_watch_end(&(struct wait_watch){.sum.samples = 2, .last_s = 2, .course = &course}, 2.5);
    struct waits_part part = {.kernel_s = 0};
    waits_add_between(&course, 2, 2.4, &part); /* after the last sample */
    assert_int_equal(part.waits.ns[WAIT_SLEEP], 400);
    assert_int_equal(part.waits.ns[WAIT_RUNS], 0);
    free(course.moments);
}

/* Of a part of the run: samples at 1, 2 and 4 s, of a thread that ran, then slept; and of another one after the last.
 */
static void of_a_part(void **state) {
    (void)state;
    struct wait_moment moments[] = {{1, 300, 100, {[WAIT_RUNS] = 1000}, 0, 0},
                                    {2, 600, 200, {[WAIT_RUNS] = 2000}, 4e8, 20},
                                    {4, 600, 200, {[WAIT_RUNS] = 2000, [WAIT_SLEEP] = 2000}, 4e8, 20}};
    const struct wait_course course = {.count = 3, .moments = moments};
    struct waits_part part = {.kernel_s = 0};
    const struct waits *waits = &part.waits;
    waits_add_between(&course, 0.5, 1.5, &part);
    assert_int_equal(waits->ns[WAIT_RUNS], 750);
    assert_int_equal(waits->ns[WAIT_CPU], 250);
    assert_int_equal(waits->samples, 1);
    assert_float_equal(part.kernel_s, 0.2, 1e-9);
    assert_float_equal(part.page_faults, 10, 1e-9);
    waits_add_between(&course, 1.5, 3, &part);
    assert_int_equal(waits->ns[WAIT_RUNS] + waits->ns[WAIT_CPU], 1500);
    assert_int_equal(waits->ns[WAIT_SLEEP], 1000);
    assert_int_equal(waits->samples, 2);
    assert_float_equal(waits->interval_s, 1.25, 1e-9);
    waits_add_between(&course, 3, 9, &part);
    assert_int_equal(waits->ns[WAIT_SLEEP], 2000);
    part = (struct waits_part){.kernel_s = 0};
    waits_add_between(&(struct wait_course){.count = 0}, 0, 1, &part);
    assert_int_equal(waits->samples, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_the_kernel),
        cmocka_unit_test(samples_of_a_process),
        cmocka_unit_test(looks_come_as_often_as_wanted),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(of_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
