/* SPDX-License-Identifier: BSD-3-Clause
 * lengths: reads instructions as hexadecimal bytes, one a line, and decodes each behind the others' bytes. Prints how
 * many there were, how many Zydis does not know, how many are unknown, and each whose length is not that of its line.
 * Status 1: one has another length.
 * lengths draw COUNT: writes so many random encodings of VEX, EVEX, REX2 and the legacy maps as assembly, each followed
 * by enough no-ops that the next begins at a multiple of 32 bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/x86/newer.h"
#include "tests/support/chance.h"

enum { LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH };

static unsigned bytes_of(const char *line, uint8_t code[LONGEST]) {
    unsigned bytes = 0;
    for (int used; bytes < LONGEST && sscanf(line, " %2hhx%n", &code[bytes], &used) == 1; line += used)
        bytes++;
    return bytes;
}

enum { DRAWN_BYTES = 16 };

static void draw(unsigned count) {
    static const uint8_t begins[][2] = {{0xd5},    {0x62, 4}, {0x62, 1},    {0x62, 2},    {0x62, 3}, {0x62, 5},
                                        {0xc4, 1}, {0xc4, 2}, {0x0f, 0x38}, {0x0f, 0x3a}, {0xc4, 3}, {0x62, 0x0a}};
    const unsigned kinds = sizeof begins / sizeof *begins;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *begin = begins[i % kinds];
        for (unsigned at = 0; at < DRAWN_BYTES; at++) {
            unsigned byte = (unsigned)(chance_next() >> 56);
            if (at == 0 || (at == 1 && begin[0] == 0x0f))
                byte = begin[at];
            else if (at == 1 && begin[0] != 0xd5)
                byte = (byte & (begin[0] == 0xc4 ? 0xe0u : 0xf8u)) | begin[1];
            printf("%s%u", at ? ", " : ".byte ", byte);
        }
        printf("\n.fill %d, 1, 0x90\n", DRAWN_BYTES);
    }
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "draw") == 0) {
        draw((unsigned)strtoul(argv[2], NULL, 10));
        return 0;
    }
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
