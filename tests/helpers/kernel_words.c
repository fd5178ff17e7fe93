/* SPDX-License-Identifier: BSD-3-Clause
 * Prints the kernels of an AArch64 build for aarch64_costs: on each line what the descriptor declares, and the words of
 * the function up to the end of its inner loop. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "asm/kernel.h"

/* b.cond with a negative distance: the end of the inner loop, since both loops end alike. */
static bool goes_back(uint32_t word) {
    return (word & 0xff000010) == 0x54000000 && (word & 0x00800000) != 0;
}

static void print_words(const struct kernel *kernel) {
    enum { MOST_WORDS = 1 << 14 };
    const unsigned char *code = (const unsigned char *)(uintptr_t)kernel->entry;
    for (unsigned i = 0; i < MOST_WORDS; i++) {
        uint32_t word;
        memcpy(&word, code + i * sizeof word, sizeof word);
        printf(" %08" PRIx32, word);
        if (goes_back(word))
            break;
    }
    putchar('\n');
}

int main(void) {
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        const struct cost *cost = &kernel->cost;
        const struct uarch_mix *mix = &cost->mix;
        printf("%s %s %d %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u %u", kernel->name, kernel->variant,
               kernel->kind, kernel->isa ? kernel->isa->vector_bytes : 0, element_table[kernel->type].bytes,
               kernel->block_bytes, cost->flop, cost->load_bytes, cost->store_bytes, cost->instructions, mix->add,
               mix->mul, mix->fma, mix->div, mix->sqrt, mix->dot, mix->shift, mix->equal, mix->greater, mix->compare,
               mix->load + 1000 * mix->store);
        print_words(kernel);
    }
    return 0;
}
