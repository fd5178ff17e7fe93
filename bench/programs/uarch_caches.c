/* SPDX-License-Identifier: BSD-3-Clause
 * Inclusion of the caches of documented products, and their TLBs, for the exact counter, which is of x86-64 alone: of
 * no others. Figures without a source are left out. */
#include <stddef.h>
#include <string.h>

#include "bench/programs/levels_geometry.h"
#include "probe/uarch.h"

/* H. Brais classifies all of Intel's caches: client L3s up to Rocket Lake are inclusive; those of Xeon SP and of Tiger
 * Lake are neither inclusive nor exclusive, and so is every L2. The manual says that L2's victims fill the L3 of Xeon
 * SP. */
#define INTEL_INCLUSIVE                                                                                                \
    .l2 = CONTENT_FREE, .l3 = CONTENT_INCLUSIVE, .content_source = "H. Brais, stackoverflow.com/questions/19416964"
#define INTEL_VICTIM                                                                                                   \
    .l2 = CONTENT_FREE, .l3 = CONTENT_VICTIM,                                                                          \
    .content_source = "Intel optimization manual, Skylake Server: the L3 as a victim cache of L2; "                    \
                      "H. Brais, stackoverflow.com/questions/19416964"
#define INTEL_FREE                                                                                                     \
    .l2 = CONTENT_FREE, .l3 = CONTENT_FREE, .content_source = "H. Brais, stackoverflow.com/questions/19416964"
#define ZEN                                                                                                            \
    .l2 = CONTENT_INCLUSIVE, .l3 = CONTENT_VICTIM,                                                                     \
    .content_source = "AMD software optimization guides: L2 inclusive of L1, L3 filled by victims of L2"
#define MANUAL      .tlb_source = "Intel optimization manual, TLB parameters"
#define HASWELL_TLB .tlbs = {{64, 4}, {1024, 8}}, MANUAL
#define SKYLAKE_TLB .tlbs = {{64, 4}, {1536, 12}}, MANUAL
#define SUNNY_TLB   .tlbs = {{64, 4}, {2048, 16}}, MANUAL
#define GOLDEN_TLB  .tlbs = {{96, -1}, {2048, 16}}, MANUAL

/* clang-format off */
static const struct uarch_caches TABLE[] = {
    {.name = "Sandy Bridge", INTEL_INCLUSIVE, .tlbs = {{64, 4}, {512, 4}}, MANUAL},
    {.name = "Ivy Bridge", INTEL_INCLUSIVE, .tlbs = {{64, 4}, {512, 4}}, MANUAL},
    {.name = "Haswell", INTEL_INCLUSIVE, HASWELL_TLB},
    {.name = "Broadwell", INTEL_INCLUSIVE, .tlbs = {{64, 4}, {1536, 6}}, MANUAL},
    {.name = "Skylake", INTEL_INCLUSIVE, SKYLAKE_TLB},
    {.name = "Kaby Lake (Skylake)", INTEL_INCLUSIVE, SKYLAKE_TLB},
    {.name = "Kaby Lake R to Comet Lake-U (Skylake)", INTEL_INCLUSIVE, SKYLAKE_TLB},
    {.name = "Coffee Lake (Skylake)", INTEL_INCLUSIVE, SKYLAKE_TLB},
    {.name = "Comet Lake (Skylake)", INTEL_INCLUSIVE, SKYLAKE_TLB},
    {.name = "Skylake-SP", INTEL_VICTIM, SKYLAKE_TLB},
    {.name = "Cascade Lake", INTEL_VICTIM, SKYLAKE_TLB},
    {.name = "Cooper Lake", INTEL_VICTIM, SKYLAKE_TLB},
    {.name = "Ice Lake (Sunny Cove)", INTEL_INCLUSIVE, SUNNY_TLB},
    {.name = "Tiger Lake (Willow Cove)", INTEL_FREE, SUNNY_TLB},
    {.name = "Rocket Lake (Cypress Cove)", INTEL_INCLUSIVE, SUNNY_TLB},
    {.name = "Ice Lake-SP (Sunny Cove)", INTEL_VICTIM, SUNNY_TLB},
    {.name = "Sapphire Rapids (Golden Cove)", INTEL_VICTIM, GOLDEN_TLB},
    {.name = "Emerald Rapids (Raptor Cove)", INTEL_VICTIM, GOLDEN_TLB},
    {.name = "Granite Rapids (Redwood Cove)", INTEL_VICTIM, GOLDEN_TLB},
    {.name = "Zen", ZEN, .tlbs = {{64, -1}, {1536, 12}}, .tlb_source = "AMD 55723; wikichip.org, Zen"},
    {.name = "Zen 2", ZEN, .tlbs = {{64, -1}, {2048, 0}}, .tlb_source = "wikichip.org, Zen 2"},
    {.name = "Zen 3", ZEN},
    {.name = "Zen 4", ZEN},
    {.name = "Zen 5", ZEN},
    {.name = "Zen 5 (Strix Point)", ZEN},
    {.name = "Zen 5 (Strix Halo)", ZEN},
    {.name = "Zen 5 (mobile)", ZEN},
};
/* clang-format on */

const struct uarch_caches *uarch_caches_at(unsigned index) {
    return index < sizeof TABLE / sizeof *TABLE ? &TABLE[index] : NULL;
}

const struct uarch_caches *uarch_caches_of(const struct uarch *uarch) {
    const struct uarch_caches *row = &TABLE[0];
    for (unsigned i = 0; row && (!uarch || strcmp(row->name, uarch_name(uarch)) != 0);)
        row = uarch_caches_at(++i);
    return row;
}
