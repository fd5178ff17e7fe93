/* SPDX-License-Identifier: BSD-3-Clause
 * Measured values in place of a core's typed ones. A measured value that the host disturbed replaces nothing. */
#pragma once

#include "core_measured.h"
#include "core_table.h"

/* A copy of the table, with the head as measured, for core_table_find() to use the measured forms. `measured` and the
 * table must outlive it. The caller frees it. `issue_width`: documented, 0 if unknown. `typed` NULL: the core has no
 * table, so that its ports are unknown, and each form keeps pipes of its own busy (pipes.h). */
struct core_table *core_overlay_make(const struct core_table *typed, unsigned issue_width,
                                     const struct core_measured *measured);

/* Whether no-ops were renamed as fast as documented: no neighbour on the core took its share. False if nothing is
 * documented. */
bool core_measured_alone(const struct core_measured *measured, unsigned issue_width);
/* Instructions renamed per cycle; 0: unknown. */
unsigned core_overlay_issue_width(const struct core_measured *measured);

/* What the table says of a measured form, or of a value of its head; 0: nothing, or nothing that can be compared. */
struct core_typed {
    double latency_cycles, throughput_cycles;
};
struct core_typed core_overlay_typed(const struct core_table *table, unsigned issue_width,
                                     const struct core_value *value);

/* Whether they are more than 15 % apart, a worse throughput 25 %. False where one is unknown. */
bool core_latency_differs(const struct core_value *value, const struct core_typed *typed);
bool core_throughput_differs(const struct core_value *value, const struct core_typed *typed);
