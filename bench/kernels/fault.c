/* SPDX-License-Identifier: BSD-3-Clause
 * The handler and the way out of a kernel (see fault.h). */
#include "fault.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static const struct {
    int number;
    const char *name;
} FAULTS[] = {{SIGILL, "SIGILL"}, {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

static struct sigaction before[FAULT_COUNT];

/* Of this thread, while it is inside of a guard. */
static _Thread_local sigjmp_buf *volatile way_out;
static _Thread_local volatile int died_of;

/* The kernel starts a handler with clean vector, x87 and flag registers, and so goes on what is behind the guard. What
 * is none of ours comes again, and meets whoever was there before: an instruction when it is executed again. */
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context;
    if (way_out && info->si_code > 0) { /* sent by a process: not positive */
        died_of = number;
        siglongjmp(*way_out, 1);
    }
    fault_watch_end();
    if (info->si_code <= 0)
        raise(number);
}

void fault_watch_begin(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i].number, &action, &before[i]);
}

void fault_watch_end(void) {
    for (size_t i = 0; i < FAULT_COUNT; i++)
        sigaction(FAULTS[i].number, &before[i], NULL);
}

/* The mask of signals need not be saved, since the handler does not change it (SA_NODEFER). */
int fault_guard(void (*work)(void *context), void *context) {
    sigjmp_buf here;
    died_of = 0;
    if (sigsetjmp(here, 0) == 0) {
        way_out = &here;
        work(context);
    }
    way_out = NULL;
    return died_of;
}

const char *fault_name(int signal_number) {
    for (size_t i = 0; i < FAULT_COUNT; i++)
        if (FAULTS[i].number == signal_number)
            return FAULTS[i].name;
    return "";
}
