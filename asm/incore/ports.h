/* SPDX-License-Identifier: BSD-3-Clause
 * The busiest set of ports: operations that only these ports can do need at least their sum over the number of ports.
 */
#pragma once

#include "core_table.h"

struct busiest_ports {
    uint64_t ports;
    double cycles;
};
/* Of uses with equal or overlapping sets; the smallest set if several need as long. */
struct busiest_ports ports_busiest(const struct core_use *uses, size_t count);
