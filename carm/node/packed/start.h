/* SPDX-License-Identifier: BSD-3-Clause
 * What carmine-node needs of its architecture before it is unpacked: x86/start.c and aarch64/start.c. Each also has
 * _start, which calls start_unpack() and enters what that returns, with the stack and registers as execve(2) leaves
 * them. */
#pragma once

#include <stdint.h>

/* The stack has the number of arguments, arguments, environment, auxiliary vector. Returns the program's entry. */
void *start_unpack(uint64_t *stack);

/* A system call; as mmap(2) it maps no file. Returns its result, or -errno. */
long start_call(long number, uintptr_t a, uintptr_t b, uintptr_t c, long d);

/* Instructions written there become visible to the core that fetches them. */
void start_wrote_code(const uint8_t *at, uint64_t bytes);
