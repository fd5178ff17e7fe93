/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of cores, from the architectures' cores/. */
#include "core_table.h"

/* Paths begin at the repository's root, where make runs. */
#define EMBED(symbol, file)                                                                                            \
    __asm__(".pushsection .rodata\n.globl " #symbol "\n" #symbol ":\n.incbin \"asm/incore/" file                       \
            ".core\"\n.byte 0\n.popsection\n");                                                                        \
    extern const char symbol[] __attribute__((visibility("hidden")))

EMBED(core_haswell_text, "x86/cores/haswell");
EMBED(core_skylake_text, "x86/cores/skylake");
EMBED(core_skylake_server_text, "x86/cores/skylake-server");
EMBED(core_ice_lake_text, "x86/cores/ice-lake");
EMBED(core_golden_cove_text, "x86/cores/golden-cove");
EMBED(core_zen2_text, "x86/cores/zen2");
EMBED(core_zen3_text, "x86/cores/zen3");
EMBED(core_zen4_text, "x86/cores/zen4");
EMBED(core_zen5_text, "x86/cores/zen5");
EMBED(core_neoverse_n1_text, "aarch64/cores/neoverse-n1");
EMBED(core_neoverse_n2_text, "aarch64/cores/neoverse-n2");
EMBED(core_neoverse_n3_text, "aarch64/cores/neoverse-n3");
EMBED(core_neoverse_v1_text, "aarch64/cores/neoverse-v1");
EMBED(core_neoverse_v2_text, "aarch64/cores/neoverse-v2");
EMBED(core_neoverse_v3_text, "aarch64/cores/neoverse-v3");

const struct core_text core_texts[] = {{"haswell", core_haswell_text},
                                       {"skylake", core_skylake_text},
                                       {"skylake-server", core_skylake_server_text},
                                       {"ice-lake", core_ice_lake_text},
                                       {"golden-cove", core_golden_cove_text},
                                       {"zen2", core_zen2_text},
                                       {"zen3", core_zen3_text},
                                       {"zen4", core_zen4_text},
                                       {"zen5", core_zen5_text},
                                       {"neoverse-n1", core_neoverse_n1_text},
                                       {"neoverse-n2", core_neoverse_n2_text},
                                       {"neoverse-n3", core_neoverse_n3_text},
                                       {"neoverse-v1", core_neoverse_v1_text},
                                       {"neoverse-v2", core_neoverse_v2_text},
                                       {"neoverse-v3", core_neoverse_v3_text},
                                       {0}};
