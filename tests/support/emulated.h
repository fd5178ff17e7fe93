/* SPDX-License-Identifier: BSD-3-Clause
 * Whether this program is one of another architecture, run by an emulator on the host's kernel, as by qemu's of users:
 * then what the kernel says of processes, limits and clocks is the host's and the emulator's own. */
#pragma once

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* The emulator gives its program the first of two links that the kernel keeps equal. */
static inline bool emulated(void) {
    char shown[512] = "", kept[512] = "";
    return readlink("/proc/self/exe", shown, sizeof shown - 1) > 0 &&
           readlink("/proc/thread-self/exe", kept, sizeof kept - 1) > 0 && strcmp(shown, kept) != 0;
}
