/* SPDX-License-Identifier: BSD-3-Clause
 * Interleaved chains of AArch64 (see asm/interleaved_chain.h): none yet. */
#include "asm/interleaved_chain.h"

const struct interleaved_chain interleaved_chain_table[] = {{0}};
const size_t interleaved_chain_count = 0;
