/* SPDX-License-Identifier: BSD-3-Clause
 * What tests/apps/interrupted and tests/helpers/interrupt tell each other, by numbers of system calls that no kernel
 * has. */
#ifndef TESTS_HELPERS_INTERRUPT_H
#define TESTS_HELPERS_INTERRUPT_H

#include <stdint.h>

#define INTERRUPT_BEGIN_TEXT "5001" /* instructions are to be interrupted from here on */
#define INTERRUPT_END_TEXT   "5002"
enum { INTERRUPT_SHOW = 5000, INTERRUPT_BEGIN = 5001, INTERRUPT_END = 5002 };

/* INTERRUPT_SHOW: its first argument is the address of this. */
struct interrupt_context {
    int32_t signal, code;
    uint64_t address;       /* si_addr of a fault */
    uint64_t registers[23]; /* as in a signal's frame */
    uint8_t state[4096];    /* as xsave writes it */
};
enum { INTERRUPT_STATE_BYTES_AT = 464 + 16 }; /* in that state as a frame holds it: how many bytes it has */

#endif
