/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so: takes over the program that it is preloaded into. */
#include "dump.h"

int carmine_counter_dummy(void);
int carmine_counter_dummy(void) {
    return 0;
}
