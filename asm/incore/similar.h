/* SPDX-License-Identifier: BSD-3-Clause
 * Forms whose time another form tells, where only measured forms are known. Each architecture has its own. */
#pragma once

#include "core_table.h"

/* The nth form in whose place another may stand, from 0 on, which is itself: changes `form`. False: no more. */
bool similar_form(unsigned nth, char form[DEMAND_FORM_BYTES]);

/* Memory → the first register's letter, else a general register. */
void similar_without_memory(char *letters);

/* Whether a form stands for it and others: sums of x87, atomic instructions. */
bool similar_has_family(const char *form);

/* Whether it needs nothing but its load or store. */
bool similar_only_accesses(const struct instruction_demand *demand);

/* Whether it needs a unit that is no pipeline. */
bool similar_divides(const char *form);

/* Forms that are one load or store of each width, and nothing else. */
extern const char *const similar_loads[CORE_WIDTHS], *const similar_stores[CORE_WIDTHS];
