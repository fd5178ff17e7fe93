/* SPDX-License-Identifier: BSD-3-Clause
 * Whether an event's name is known, and whether it counts on this machine: native events and PAPI's presets. */
#pragma once

#include "event_native.h"

/* As event_native_check(), and also for PAPI's presets: for these it initialises PAPI and leaves it initialised. */
void event_check(const char *event, const char *tables, bool try, struct event_check *out);
