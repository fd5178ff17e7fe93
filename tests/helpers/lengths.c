/* SPDX-License-Identifier: BSD-3-Clause
 * lengths: reads instructions as hexadecimal bytes, one a line, and decodes each behind the others' bytes. Prints how
 * many there were, how many Zydis does not know, how many are unknown, and each whose length is not that of its line.
 * Status 1: one has another length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/x86/newer.h"

enum { LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH };

static unsigned bytes_of(const char *line, uint8_t code[LONGEST]) {
    unsigned bytes = 0;
    for (int used; bytes < LONGEST && sscanf(line, " %2hhx%n", &code[bytes], &used) == 1; line += used)
        bytes++;
    return bytes;
}

int main(void) {
    char line[256];
    unsigned all = 0, newer = 0, unknown = 0, wrong = 0;
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (; fgets(line, sizeof line, stdin); all++) {
        uint8_t code[LONGEST];
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        memset(code, 0xcc, sizeof code);
        const unsigned bytes = bytes_of(line, code);
        newer += !newer_by_zydis(&decoder, code, LONGEST, &instruction, operands);
        const bool decoded = newer_decode(&decoder, code, LONGEST, &instruction, operands);
        unknown += decoded && newer_is_unknown(&instruction);
        if (decoded && instruction.length == bytes)
            continue;
        wrong++;
        printf("%d bytes instead of %u: %s", decoded ? instruction.length : 0, bytes, line);
    }
    printf("%u instructions, %u not of Zydis, %u of these unknown, %u wrong\n", all, newer, unknown, wrong);
    return wrong > 0;
}
