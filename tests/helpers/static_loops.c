/* SPDX-License-Identifier: BSD-3-Clause
 * static_loops CORE ISSUE_WIDTH FILE…: the straight loops in the code of ELF files, for tests/peers/in_core. For each:
 * a line "loop FILE OFFSET INSTRUCTIONS UNKNOWN PORTS RENAMING DIVIDER CHAIN" (cycles per iteration), its instructions
 * in Intel's syntax, and an empty line. */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#include "asm/incore/in_core.h"

enum { FEWEST = 4, MOST = 120, MOST_BYTES = 15 * MOST };

struct text {
    const char *file;
    const uint8_t *code;
    size_t bytes;
    uint64_t address;
};

static bool decode(const struct text *text, size_t at, ZydisDecodedInstruction *instruction,
                   ZydisDecodedOperand *operands) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return at < text->bytes &&
           ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, text->code + at, text->bytes - at, instruction, operands));
}

/* The instructions from `first` to the branch at `last`; 0: there are jumps, calls or odd things among them. */
static size_t read_loop(const struct text *text, size_t first, size_t last, struct loop_instruction *out) {
    size_t count = 0;
    for (size_t at = first; at <= last;) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (count == MOST || !decode(text, at, &instruction, operands))
            return 0;
        const ZydisInstructionCategory category = instruction.meta.category;
        if (at < last && (category == ZYDIS_CATEGORY_COND_BR || category == ZYDIS_CATEGORY_UNCOND_BR ||
                          category == ZYDIS_CATEGORY_CALL || category == ZYDIS_CATEGORY_RET))
            return 0;
        out[count++] = (struct loop_instruction){text->address + at, text->code + at, instruction.length, 1};
        at += instruction.length;
        if (at > last && at != last + instruction.length)
            return 0;
    }
    return count >= FEWEST ? count : 0;
}

static void print_instructions(const struct text *text, const struct loop_instruction *of, size_t count) {
    ZydisFormatter formatter;
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_TRUE);
    for (size_t i = 0; i < count; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        char line[160];
        decode(text, (size_t)(of[i].code - text->code), &instruction, operands);
        ZydisFormatterFormatInstruction(&formatter, &instruction, operands, instruction.operand_count_visible, line,
                                        sizeof line, ZYDIS_RUNTIME_ADDRESS_NONE, NULL);
        puts(line);
    }
    puts("");
}

static void print_loops(const struct core_table *table, unsigned issue_width, const struct text *text) {
    struct loop_instruction loop[MOST];
    for (size_t at = 0; at < text->bytes;) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (!decode(text, at, &instruction, operands)) {
            at++;
            continue;
        }
        const int64_t back = operands[0].imm.value.s + instruction.length;
        const bool closes = instruction.meta.category == ZYDIS_CATEGORY_COND_BR &&
                            operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && back < 0 && back > -MOST_BYTES &&
                            (size_t)-back <= at;
        const size_t count = closes ? read_loop(text, at + (size_t)back, at, loop) : 0;
        if (count > 0) {
            struct in_core in_core;
            in_core_find(table, issue_width, loop, count, loop[0].address, &in_core);
            printf("loop %s %#llx %zu %g %.2f %.2f %.2f %.2f\n", text->file, (unsigned long long)loop[0].address, count,
                   in_core.unknown, in_core.cycles[IN_CORE_PORTS], in_core.cycles[IN_CORE_RENAMING],
                   in_core.cycles[IN_CORE_DIVIDER], in_core.cycles[IN_CORE_CHAIN]);
            print_instructions(text, loop, count);
            in_core_free(&in_core);
        }
        at += instruction.length;
    }
}

int main(int argc, char **argv) {
    const struct core_table *table = core_table_named(argc > 1 ? argv[1] : NULL);
    if (!table || argc < 4)
        return 2;
    elf_version(EV_CURRENT);
    for (int i = 3; i < argc; i++) {
        const int file = open(argv[i], O_RDONLY);
        Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
        for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
            GElf_Shdr header;
            const Elf_Data *data = elf_getdata(section, NULL);
            if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) && data && data->d_buf)
                print_loops(table, (unsigned)atoi(argv[2]),
                            &(struct text){argv[i], data->d_buf, data->d_size, header.sh_addr});
        }
        elf_end(elf);
        close(file);
    }
    return 0;
}
