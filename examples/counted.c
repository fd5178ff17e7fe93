/* SPDX-License-Identifier: BSD-3-Clause
 * What did a program execute? Reads a file of libcarmine-count.so by its description (docs/count-file.md), without any
 * code of Carmine, and prints flop, bytes and the hottest blocks of code, the loops: counted FILE [REGION]. It knows
 * the commonest arithmetic, and leaves out instructions with a counter of their own (masks, rep). Build: gcc -O2
 * counted.c -lZydis */
#include <Zydis/Zydis.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEADER = 1536, OBJECT = 280, BLOCK = 24, REGION = 80, THREAD = 12, COUNTS = 16, VALUE = 16, HOTTEST = 5 };
struct cost {
    const char *path; /* of its code */
    uint64_t offset, instructions, flop, bytes;
};

static uint64_t number(const char *at, size_t bytes) { /* records need not be aligned */
    uint64_t out = 0;
    memcpy(&out, at, bytes);
    return out;
}

static const char *map(const char *path) { /* zeros if it is no file with content; nobody reads behind its end */
    FILE *file = fopen(path, "r"), *readable = file && fgetc(file) != EOF ? file : fopen("/dev/zero", "r");
    return mmap(NULL, 1ul << 36, PROT_READ, MAP_PRIVATE, fileno(readable), 0);
}

static const char *function_at(const char *elf, uint64_t offset) { /* "?": no symbol covers the file's offset */
    const Elf64_Ehdr *head = (const void *)elf;
    const Elf64_Phdr *segment = (const void *)(elf + head->e_phoff);
    const Elf64_Shdr *section = (const void *)(elf + head->e_shoff);
    uint64_t address = 0;
    for (int i = 0; i < head->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && offset - segment[i].p_offset < segment[i].p_filesz)
            address = offset - segment[i].p_offset + segment[i].p_vaddr;
    for (int i = 0; i < head->e_shnum; i++)
        for (size_t at = 0; section[i].sh_type == SHT_SYMTAB && at < section[i].sh_size; at += sizeof(Elf64_Sym)) {
            const Elf64_Sym *symbol = (const void *)(elf + section[i].sh_offset + at);
            if (address - symbol->st_value < symbol->st_size)
                return elf + section[section[i].sh_link].sh_offset + symbol->st_name;
        }
    return "?";
}

/* Names such as "vfmadd231pd" and "addss" end with the lanes (p: all, s: one) and their type (d: f64, s: f32). */
static void add(struct cost *to, const ZydisDecodedInstruction *one, const ZydisDecodedOperand *in, uint64_t times) {
    static const char *const names[] = {"fm", "fnm", "add", "sub", "mul", "div", "sqrt", "min", "max"};
    const char *name = ZydisMnemonicGetString(one->mnemonic), *end = name + strlen(name) - 2;
    to->instructions += times;
    if (one->avx.mask.reg || one->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names && strchr("ps", end[0]) && strchr("ds", end[1]); i++)
        if (strncmp(name + (*name == 'v'), names[i], strlen(names[i])) == 0)
            to->flop += times * (i < 2 ? 2 : 1) * (end[0] == 's' ? 1 : in[0].size / (end[1] == 'd' ? 64 : 32));
    for (int i = 0; i < one->operand_count_visible && one->meta.category != ZYDIS_CATEGORY_WIDENOP; i++)
        if (in[i].type == ZYDIS_OPERAND_TYPE_MEMORY && in[i].mem.type == ZYDIS_MEMOP_TYPE_MEM)
            to->bytes += times * in[i].size / 8 * (in[i].actions == ZYDIS_OPERAND_ACTION_READWRITE ? 2 : 1);
}

int main(int argc, char **argv) {
    const char *file = map(argc > 1 ? argv[1] : "");
    if (memcmp(file, "CARMCN10", 8) != 0 || number(file + 8, 4) != 1)
        return fprintf(stderr, "counted: no complete file of this version\n"), 2;
    const uint64_t block_count = number(file + 24, 4);
    const char *objects = file + HEADER, *block = objects + number(file + 20, 4) * OBJECT,
               *code = block + block_count * BLOCK, *regions = code + number(file + 80, 8),
               *threads = regions + number(file + 32, 4) * REGION, *counts = threads + number(file + 36, 4) * THREAD;
    uint64_t *counters = calloc(number(file + 28, 4), sizeof *counters);
    for (uint64_t i = number(file + 40, 4); i > 0; i--, counts += COUNTS) {
        const char *name = regions + number(counts, 4) * REGION;
        for (uint64_t values = number(counts + 8, 4); values > 0; values--, counts += VALUE)
            if (strcmp(name, argc > 2 ? argv[2] : "") == 0)
                counters[number(counts + COUNTS, 8)] += number(counts + COUNTS + 8, 8);
    }
    struct cost *costs = calloc(block_count, sizeof *costs), *hot = costs, all = {0};
    ZydisDecodedInstruction one;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (uint64_t i = 0; i < block_count; i++, block += BLOCK) {
        const char *object = objects + number(block + 8, 4) * OBJECT, *end = code + number(block + 16, 4);
        costs[i] = (struct cost){object + 24, number(block, 8) - number(object, 8) + number(object + 16, 8), 0, 0, 0};
        for (; ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, end - code, &one, operands)); code += one.length) {
            add(&costs[i], &one, operands, counters[number(block + 12, 4)]);
            add(&all, &one, operands, counters[number(block + 12, 4)]);
        }
        if (code < end)
            fprintf(stderr, "%#lx of %s: newer than Zydis, and the rest of the block\n", costs[i].offset,
                    costs[i].path);
        code = end;
    }
    printf("%lu flop, %lu B, %lu instructions\n", all.flop, all.bytes, all.instructions);
    for (int n = 0; n < HOTTEST && block_count > 0; n++, hot->instructions = 0) {
        for (uint64_t i = 0; i < block_count; i++)
            hot = costs[i].instructions > hot->instructions ? &costs[i] : hot;
        printf("%4.1f %%: %lu flop, %lu B in %s at %#lx of %s\n", 100. * hot->instructions / all.instructions,
               hot->flop, hot->bytes, function_at(map(hot->path), hot->offset), hot->offset, hot->path);
    }
    return 0;
}
