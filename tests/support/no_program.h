/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that decode.c and sequence.c of the counter call, for tests of single instructions: there are no marks, no
 * copies and no restartable sequences. */
#pragma once

#include "bench/count/code/cache.h"
#include "bench/count/code/marks.h"
#include "bench/count/code/restartable.h"

bool marks_know(uint32_t number) {
    (void)number;
    return false;
}
bool marks_end_here(uint32_t number) {
    (void)number;
    return false;
}
uint64_t cache_find(uint64_t address) {
    (void)address;
    return 0;
}
const struct block *cache_block_at(uint64_t code, uint32_t *place) {
    (void)code, (void)place;
    return NULL;
}
const uint8_t *cache_bytes(uint64_t index) {
    (void)index;
    return NULL;
}
void restartable_look_for(const struct instruction *instruction) {
    (void)instruction;
}
const struct restartable *restartable_at(uint64_t address) {
    (void)address;
    return NULL;
}
