/* SPDX-License-Identifier: BSD-3-Clause
 * How often each way between pieces of code was taken, where the pieces' own counts determine it: what enters a piece
 * leaves it again. */
#ifndef BENCH_PROFILE_EDGE_COUNTS_H
#define BENCH_PROFILE_EDGE_COUNTS_H

#include "code_graph.h"

/* Sets `count` and `known` of edges. `contradicts` gets whether a function's counts do not add up, as where something
 * unseen entered or left it (longjmp, exceptions): then none of its edges is to be believed. */
void edge_counts_find(struct code_graph *graph, bool *contradicts);

#endif
