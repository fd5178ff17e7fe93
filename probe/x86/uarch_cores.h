/* SPDX-License-Identifier: BSD-3-Clause
 * The cores that products of x86-64 have, and how their vendors call the ports. Private to the rows of uarch_table.h.
 */
#ifndef PROBE_X86_UARCH_CORES_H
#define PROBE_X86_UARCH_CORES_H

#include "probe/uarch_table.h"

/* Ports, as bits of a mask. Names are the vendor's; D is a data path that a port's load occupies, V a vector port,
 * A an address unit, F a floating-point pipe, L and S the load and store paths of AMD cores, I
 * their units of general registers; DV is the divider behind
 * port 0, TMUL the unit that multiplies tiles. */
enum {
    /* clang-format off */
    P0 = 1 << 0, P1 = 1 << 1, P2 = 1 << 2, P3 = 1 << 3, P4 = 1 << 4, P5 = 1 << 5, P7 = 1 << 7, P8 = 1 << 8,
    P6 = 1 << 6, P9 = 1 << 9, P11 = 1 << 11, D2 = 1 << 12, D3 = 1 << 13,
    P10 = 1 << 10, P20 = 1 << 14, P21 = 1 << 15, P22 = 1 << 16, P25 = 1 << 17, P26 = 1 << 18, P27 = 1 << 19,
    V2 = 1 << 20, V3 = 1 << 21, DV = 1 << 22, TMUL = 1 << 23,
    F0 = 1 << 0, F1 = 1 << 1, F2 = 1 << 2, F3 = 1 << 3, A0 = 1 << 4, A1 = 1 << 5, A2 = 1 << 6, A3 = 1 << 7,
    L0 = 1 << 8, L1 = 1 << 9, S0 = 1 << 10, S1 = 1 << 11,
    I0 = 1 << 12, I1 = 1 << 13, I2 = 1 << 14, I3 = 1 << 15, I4 = 1 << 16, I5 = 1 << 17,
    /* clang-format on */
};

extern const struct port_model core_sandy_bridge, core_haswell, core_skylake, core_skylake_server, core_ice_lake_client,
    core_ice_lake_server, core_golden_cove, core_lion_cove, core_zen1, core_zen2, core_zen3, core_zen4, core_zen5;

#endif
