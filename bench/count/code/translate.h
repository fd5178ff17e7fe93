/* SPDX-License-Identifier: BSD-3-Clause
 * Translates the program's blocks into the code cache: copies each with a counter, and rewrites the parts that depend
 * on the code's address. Called under the lock, after the program's vector state was saved. */
#pragma once

#include <stdint.h>

#include "links.h"

/* The copy of the block at an address that this exit (NULL: none) leads to; 0: nothing is executable there. Ends the
 * program if it can't be counted. */
uint64_t translate(uint64_t address, struct exit *from);
