/* SPDX-License-Identifier: BSD-3-Clause
 * What is wrong with a node, told by which of its roofs are slow together. */
#ifndef CARM_FLEET_RULES_H
#define CARM_FLEET_RULES_H

#include "fleet_evidence.h"

/* Applies the rules to one node. True: something is wrong, and all members of `out` are set but node and group. False:
 * no rule finds fault with the node. */
bool fleet_diagnose(const struct fleet_evidence *evidence, struct fleet_outlier *out);

#endif
