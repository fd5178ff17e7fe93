/* SPDX-License-Identifier: BSD-3-Clause
 * Where the program continues after it left the cache because its code did not know. */
#pragma once

#include "bench/count/code/context.h"
#include "bench/count/code/links.h"

/* The address in the cache at which a thread continues that left it by this exit; NULL: by an indirect branch. Next
 * time its code knows the way, if possible. */
uint64_t follow_exit(struct context *context, struct exit *exit);

/* Translates in advance what forked children had to request, so that the next child need not. */
void follow_lessons(struct context *context);
