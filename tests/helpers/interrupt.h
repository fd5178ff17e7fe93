/* SPDX-License-Identifier: BSD-3-Clause
 * How tests/apps/interrupted and tests/helpers/interrupt communicate: by numbers of system calls that no kernel has. */
#pragma once

#include <stdint.h>

#define INTERRUPT_BEGIN_TEXT "5001" /* begin of the instructions to interrupt */
#define INTERRUPT_END_TEXT   "5002"
enum { INTERRUPT_SHOW = 5000, INTERRUPT_BEGIN = 5001, INTERRUPT_END = 5002 };

/* INTERRUPT_SHOW: its first argument is the address of this struct. */
struct interrupt_context {
    int32_t signal, code;
    uint64_t address;       /* si_addr of a fault */
    uint64_t registers[23]; /* in the format of a signal's frame */
    uint8_t state[4096];    /* in the format of xsave */
};
enum { INTERRUPT_STATE_BYTES_AT = 464 + 16 }; /* bytes of the state in a frame */
