/* SPDX-License-Identifier: BSD-3-Clause
 * Measured values in place of a core's typed ones. A measured value that the host disturbed replaces nothing. */
#ifndef ASM_INCORE_CORE_OVERLAY_H
#define ASM_INCORE_CORE_OVERLAY_H

#include "core_measured.h"
#include "core_table.h"

/* A copy of the table, with the head as measured, for core_table_find() to use the measured forms. `measured` and the
 * table must outlive it. The caller frees it. `issue_width`: documented, 0 if unknown. */
struct core_table *core_overlay_make(const struct core_table *typed, unsigned issue_width,
                                     const struct core_measured *measured);

/* A row's form, with the latency and the busy cycles as measured. A throughput that is better than the row's refutes
 * it. One that is worse replaces it only if the core was alone, since a neighbour on the same core makes all rows
 * worse. */
void core_overlay_form(const struct core_value *value, bool alone, struct core_form *form);

#endif
