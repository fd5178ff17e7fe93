/* SPDX-License-Identifier: BSD-3-Clause
 * Moves the descriptors of the first counters out of the program's way. */
#pragma once

#include <stdbool.h>

/* Occupies the low descriptors before the first counters are opened, so that these get higher ones than the
 * program's. */
void descriptors_hold(void);

/* Frees the low descriptors once the first counters are open, and records those of the counters. */
void descriptors_release(void);

/* Whether the descriptors of the first counters are unchanged; false once the program has closed or replaced one. */
bool descriptors_intact(void);

/* Forgets the recorded descriptors: the first counters end, or belong to the parent of a forked child. */
void descriptors_forget(void);
