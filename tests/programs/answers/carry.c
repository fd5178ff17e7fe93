/* SPDX-License-Identifier: BSD-3-Clause
 * Sums and differences of 128 limbs by the carry flag, as compilers make them from intrinsics, against arithmetic that
 * needs no carry flag. Prints the number of wrong limbs. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>

enum { LIMBS = 128, ROUNDS = 200 };

static unsigned long long a[LIMBS], b[LIMBS], sum[LIMBS], difference[LIMBS];

__attribute__((noinline)) static unsigned char add(void) {
    unsigned char carry = 0;
    for (int i = 0; i < LIMBS; i++)
        carry = _addcarry_u64(carry, a[i], b[i], &sum[i]);
    return carry;
}
__attribute__((noinline)) static unsigned char subtract(void) {
    unsigned char borrow = 0;
    for (int i = 0; i < LIMBS; i++)
        borrow = _subborrow_u64(borrow, a[i], b[i], &difference[i]);
    return borrow;
}

/* In digits of 32 bits. */
static unsigned wrong_limbs(unsigned char carry, unsigned char borrow) {
    uint64_t up = 0;
    int64_t down = 0;
    unsigned wrong = 0;
    for (int i = 0; i < 2 * LIMBS; i++) {
        const int shift = i % 2 * 32;
        const uint32_t x = (uint32_t)(a[i / 2] >> shift), y = (uint32_t)(b[i / 2] >> shift);
        up += (uint64_t)x + y;
        down += (int64_t)x - y;
        wrong += (uint32_t)up != (uint32_t)(sum[i / 2] >> shift);
        wrong += (uint32_t)down != (uint32_t)(difference[i / 2] >> shift);
        up >>= 32;
        down >>= 32;
    }
    return wrong + (up != carry) + (down != -borrow);
}

int main(void) {
    unsigned wrong = 0;
    uint64_t state = 1;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < LIMBS; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            a[i] = state >> 62 ? ~0ull : state; /* limbs of ones carry furthest */
            b[i] = state >> 61 & 1 ? state * state : 0;
        }
        const unsigned char carry = add(), borrow = subtract();
        wrong += wrong_limbs(carry, borrow);
    }
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
