// SPDX-License-Identifier: BSD-3-Clause
// Calls of the MPI of mpi_stand_in.c that do not return: mpi_left jump|inner|throw|alarm. They are left by a long jump
// out of a function of the program that MPI calls, or out of another call of MPI in that one, by an exception, by the
// handler of a signal on a stack of its own. What the program does from then on is its own. Prints the flop.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/time.h>

#include "mpi_stand_in.h"
#include "work.h"

static sigjmp_buf before, within;

static void jump() {
    work(7); // inside of MPI
    siglongjmp(before, 1);
}

static void jump_to_within() {
    siglongjmp(within, 1);
}

// Goes on in the outer call of MPI, which returns.
static void call_again() {
    double part = 1, sum = 0;
    if (sigsetjmp(within, 1) == 0)
        MPI_Allreduce(&part, &sum, 1, nullptr, jump_to_within, nullptr);
    work(7);
}

struct passed { // cleaned up on the exception's way
    ~passed() {
        work(200);
    }
};

static void raise_it() {
    throw 7;
}

static void handle(int) {
    siglongjmp(before, 1);
}

static void wait_for_signal() { // started here, the timer cannot end before there is a place to jump to
    const itimerval soon = {{0, 0}, {0, 2000}};
    setitimer(ITIMER_REAL, &soon, nullptr);
    for (;;)
        work(10);
}

static void reduce(mpi_operation *operation) {
    double part = 1, sum = 0;
    MPI_Allreduce(&part, &sum, 1, nullptr, operation, nullptr);
}

static void leave_by_exception() {
    try {
        passed on_the_way;
        reduce(raise_it);
    } catch (int) {
        work(100);
    }
}

static void leave_by_jump(mpi_operation *operation) {
    if (sigsetjmp(before, 1) == 0)
        reduce(operation);
    work(300);
}

static void on_a_stack_of_its_own() {
    static char stack[1 << 16];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGALRM, &action, nullptr);
}

int main(int, char **argv) {
    enum { TIMES = 20 };
    on_a_stack_of_its_own();
    for (int i = 0; i < TIMES; i++) {
        if (strcmp(argv[1], "alarm") == 0) {
            leave_by_jump(wait_for_signal);
        } else if (strcmp(argv[1], "throw") == 0) {
            leave_by_exception();
        } else {
            leave_by_jump(strcmp(argv[1], "inner") == 0 ? call_again : jump);
        }
        if (i % 2)
            reduce(nullptr);
        work(1000);
    }
    printf("%d flop\n", TIMES * 1300);
    return 0;
}
