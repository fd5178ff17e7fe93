/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of cores, from x86/cores/. */
#include "core_table.h"

/* Paths begin at the repository's root, where make runs. */
#define EMBED(symbol, file)                                                                                            \
    __asm__(".pushsection .rodata\n.globl " #symbol "\n" #symbol ":\n.incbin \"asm/incore/x86/cores/" file             \
            ".core\"\n.byte 0\n.popsection\n");                                                                        \
    extern const char symbol[] __attribute__((visibility("hidden")))

EMBED(core_haswell_text, "haswell");
EMBED(core_skylake_text, "skylake");
EMBED(core_skylake_server_text, "skylake-server");
EMBED(core_ice_lake_text, "ice-lake");
EMBED(core_golden_cove_text, "golden-cove");
EMBED(core_zen2_text, "zen2");
EMBED(core_zen3_text, "zen3");
EMBED(core_zen4_text, "zen4");
EMBED(core_zen5_text, "zen5");

const struct core_text core_texts[] = {{"haswell", core_haswell_text},
                                       {"skylake", core_skylake_text},
                                       {"skylake-server", core_skylake_server_text},
                                       {"ice-lake", core_ice_lake_text},
                                       {"golden-cove", core_golden_cove_text},
                                       {"zen2", core_zen2_text},
                                       {"zen3", core_zen3_text},
                                       {"zen4", core_zen4_text},
                                       {"zen5", core_zen5_text},
                                       {0}};
