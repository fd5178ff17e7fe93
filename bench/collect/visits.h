/* SPDX-License-Identifier: BSD-3-Clause
 * Regions as threads mark them: where they are open, for how long. */
#ifndef BENCH_COLLECT_VISITS_H
#define BENCH_COLLECT_VISITS_H

#include <stdint.h>

#include "collect.h"

void visit_begin(struct thread *thread, const char *name);
void visit_end(struct thread *thread, const char *name);
void visits_close(struct thread *thread);  /* its end */
void visits_forget(struct thread *thread); /* as new */
void visits_total(const struct thread *thread, struct total totals[MOST_REGIONS], uint64_t now_ns);
void visits_after_fork(struct thread *thread);

#endif
