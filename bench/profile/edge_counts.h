/* SPDX-License-Identifier: BSD-3-Clause
 * How often each way between pieces of code was taken, where the pieces' own counts determine it: what enters a piece
 * leaves it again. */
#ifndef BENCH_PROFILE_EDGE_COUNTS_H
#define BENCH_PROFILE_EDGE_COUNTS_H

#include "code_graph.h"

/* Sets `count` and `known` of edges. `contradicts`, all false to begin with, gets of each piece whether the counts
 * around it, as far as ways lead, do not add up, as where something unseen entered or left (longjmp, exceptions, a case
 * of a `switch`): then none of its edges is to be believed. */
void edge_counts_find(struct code_graph *graph, bool *contradicts);

#endif
