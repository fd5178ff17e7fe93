/* SPDX-License-Identifier: BSD-3-Clause
 * forms FILE…: each form of an instruction (asm/incore/demand.h) in the code of ELF files, a tab, and an example of it
 * for an assembler (Intel's syntax). For asm/incore/x86/cores/generate. */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#include "asm/incore/demand.h"

static void print_form(const ZydisFormatter *formatter, const ZydisDecodedInstruction *instruction,
                       const ZydisDecodedOperand *operands, const uint8_t *code) {
    struct instruction_demand demand;
    char text[160];
    if (!demand_find(code, instruction->length, 0, &demand))
        return;
    ZydisFormatterFormatInstruction(formatter, instruction, operands, instruction->operand_count_visible, text,
                                    sizeof text, ZYDIS_RUNTIME_ADDRESS_NONE, NULL);
    printf("%s\t%s\n", demand.form, text);
}

static void print_code(const ZydisFormatter *formatter, const uint8_t *code, size_t bytes) {
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t at = 0; at < bytes;) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        const bool known =
            ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, bytes - at, &instruction, operands));
        if (known)
            print_form(formatter, &instruction, operands, code + at);
        at += known ? instruction.length : 1;
    }
}

static void print_file(const ZydisFormatter *formatter, const char *path) {
    const int file = open(path, O_RDONLY);
    Elf *elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const Elf_Data *data = elf_getdata(section, NULL);
        if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR) && data && data->d_buf)
            print_code(formatter, data->d_buf, data->d_size);
    }
    elf_end(elf);
    close(file);
}

int main(int argc, char **argv) {
    ZydisFormatter formatter;
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    elf_version(EV_CURRENT);
    for (int i = 1; i < argc; i++)
        print_file(&formatter, argv[i]);
    return 0;
}
