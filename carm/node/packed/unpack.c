/* SPDX-License-Identifier: BSD-3-Clause
 * The beginning of carmine-node: unpacks the program proper, a statically linked one at fixed addresses, from gzip's
 * format (RFC 1952, 1951) to where it was linked for, and enters it as the system enters a program. Kernels of unrolled
 * instructions are most of the program, and shrink to a tenth. It has no library, and its own addresses (Makefile) are
 * above those of the program. */
#include "carm/node/packed/start.h"

#include <elf.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>

extern const uint8_t packed[];
extern const uint64_t packed_bytes;
__asm__(".section .rodata\n.globl packed, packed_bytes\npacked: .incbin \"" PACKED "\"\npacked_end:\n"
        ".balign 8\npacked_bytes: .quad packed_end - packed\n.text\n");

enum { END_FAILED = 2, LAST_ERROR = 4095 };

static void end(const char *why) {
    uintptr_t length = 0;
    while (why[length])
        length++;
    start_call(SYS_write, 2, (uintptr_t)why, length, 0);
    start_call(SYS_exit_group, END_FAILED, 0, 0, 0);
    __builtin_unreachable();
}

static void end_damaged(void) {
    end("carmine: this file is damaged; copy carmine-node again\n");
}

/* Pages to be written. */
static uint8_t *map(uintptr_t at, uintptr_t bytes) {
    const long mapped =
        start_call(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0));
    if (mapped < 0 && mapped >= -LAST_ERROR)
        end("carmine: there is not enough memory to unpack carmine-node; raise `ulimit -v`\n");
    return (uint8_t *)mapped;
}

static struct {
    const uint8_t *in;
    uint64_t bits; /* the next `count` ones */
    unsigned count;
    uint8_t *begin, *out, *end;
} s;

static unsigned peek(unsigned count) {
    while (s.count < count) {
        s.bits |= (uint64_t)(s.in < packed + packed_bytes ? *s.in : 0) << s.count;
        if (s.in++ > packed + packed_bytes + sizeof s.bits)
            end_damaged();
        s.count += 8;
    }
    return (unsigned)(s.bits & ((1u << count) - 1));
}

static unsigned take(unsigned count) {
    const unsigned value = peek(count);
    s.bits >>= count;
    s.count -= count;
    return value;
}

/* A Huffman code by the next CODE_BITS bits: symbol and length in bits (RFC 1951, 3.2.2). */
enum { CODE_BITS = 15, LITERALS = 288, DISTANCES = 32, END_OF_BLOCK = 256 };
static struct code {
    struct {
        uint16_t symbol;
        uint8_t bits;
    } by[1 << CODE_BITS];
} literals, distances;

static void code_make(struct code *code, const uint8_t *lengths, unsigned symbols) {
    unsigned next = 0;
    for (unsigned i = 0; i < 1u << CODE_BITS; i++)
        code->by[i].bits = 0;
    for (unsigned bits = 1; bits <= CODE_BITS; bits++, next <<= 1)
        for (unsigned symbol = 0; symbol < symbols; symbol++) {
            unsigned turned = 0;
            if (lengths[symbol] != bits)
                continue;
            for (unsigned i = 0; i < bits; i++) /* codes begin with their highest bit */
                turned |= (next >> i & 1) << (bits - 1 - i);
            for (unsigned i = turned; i < 1u << CODE_BITS; i += 1u << bits) {
                code->by[i].symbol = (uint16_t)symbol;
                code->by[i].bits = (uint8_t)bits;
            }
            next++;
        }
}

static unsigned code_take(const struct code *code) {
    const unsigned at = peek(CODE_BITS);
    if (code->by[at].bits == 0)
        end_damaged();
    take(code->by[at].bits);
    return code->by[at].symbol;
}

/* The lengths of the codes of a block, run by run (RFC 1951, 3.2.7). */
static void read_codes(void) {
    static const uint8_t ORDER[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[LITERALS + DISTANCES + 256];
    const unsigned literal_count = take(5) + 257, distance_count = take(5) + 1, count = take(4) + 4;
    for (unsigned i = 0; i < sizeof ORDER; i++)
        lengths[ORDER[i]] = (uint8_t)(i < count ? take(3) : 0);
    code_make(&literals, lengths, sizeof ORDER);
    for (unsigned i = 0; i < literal_count + distance_count;) {
        const unsigned symbol = code_take(&literals);
        const uint8_t last = symbol == 16 && i ? lengths[i - 1] : symbol < 16 ? (uint8_t)symbol : 0;
        unsigned repeat = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : symbol == 18 ? 11 + take(7) : 1;
        while (repeat-- > 0)
            lengths[i++] = last;
    }
    code_make(&literals, lengths, literal_count);
    code_make(&distances, lengths + literal_count, distance_count);
}

/* The codes that need no table in the file (RFC 1951, 3.2.6). */
static void fixed_codes(void) {
    uint8_t lengths[LITERALS], fives[DISTANCES];
    for (unsigned i = 0; i < LITERALS; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    for (unsigned i = 0; i < DISTANCES; i++)
        fives[i] = 5;
    code_make(&literals, lengths, LITERALS);
    code_make(&distances, fives, DISTANCES);
}

static void put(uint8_t byte) {
    if (s.out == s.end)
        end_damaged();
    *s.out++ = byte;
}

/* The first of a group's values, each `extra` bits wide, that grow by `each` symbols (RFC 1951, 3.2.5). */
static unsigned value_of(unsigned symbol, unsigned each, unsigned first) {
    const unsigned extra = symbol < 2 * each ? 0 : symbol / each - 1;
    return first + (extra ? ((each + symbol % each) << extra) + take(extra) : symbol);
}

static void copy_earlier(unsigned symbol) {
    enum { LONGEST = 258 - 3, LAST = 28 };
    const unsigned length = symbol == LAST ? 3 + LONGEST : value_of(symbol, 4, 3);
    const uint64_t distance = value_of(code_take(&distances), 2, 1);
    if (distance > (uint64_t)(s.out - s.begin))
        end_damaged();
    for (unsigned i = 0; i < length; i++)
        put(s.out[-(int64_t)distance]);
}

static void inflate_block(void) {
    for (unsigned symbol; (symbol = code_take(&literals)) != END_OF_BLOCK;)
        if (symbol < END_OF_BLOCK)
            put((uint8_t)symbol);
        else
            copy_earlier(symbol - END_OF_BLOCK - 1);
}

static void copy_block(void) {
    take(s.count % 8);
    const unsigned length = take(16);
    take(16);
    for (unsigned i = 0; i < length; i++)
        put((uint8_t)take(8));
}

static uint32_t checksum(void) {
    uint32_t crc = UINT32_MAX, by[16];
    for (uint32_t i = 0; i < 16; i++) {
        by[i] = i;
        for (int bit = 0; bit < 4; bit++)
            by[i] = by[i] & 1 ? 0xEDB88320U ^ by[i] >> 1 : by[i] >> 1;
    }
    for (const uint8_t *at = s.begin; at < s.end; at++) {
        crc = by[(crc ^ *at) & 15] ^ crc >> 4;
        crc = by[(crc ^ *at >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

static uint32_t number_at(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* `gzip -n`: ten bytes, the blocks, the sum of the text and its length. */
static uint32_t inflate(void) {
    enum { HEADER = 10, TRAILER = 8 };
    const uint32_t bytes = number_at(packed + packed_bytes - TRAILER / 2);
    s.in = packed + HEADER;
    s.begin = s.out = map(0, bytes);
    s.end = s.begin + bytes;
    for (bool last = false; !last;) {
        last = take(1);
        const unsigned kind = take(2);
        if (kind == 0)
            copy_block();
        else if (kind == 1)
            fixed_codes(), inflate_block();
        else
            read_codes(), inflate_block();
    }
    if (s.out != s.end || checksum() != number_at(packed + packed_bytes - TRAILER))
        end_damaged();
    return bytes;
}

/* What the system says of the program, behind its arguments and environment. */
static Elf64_auxv_t *facts(uint64_t *stack) {
    uint64_t *at = stack + *stack + 2;
    while (*at++)
        ;
    return (Elf64_auxv_t *)at;
}

static void place(const Elf64_Phdr *part, uintptr_t page_bytes) {
    const uintptr_t begin = part->p_vaddr / page_bytes * page_bytes, bytes = part->p_vaddr + part->p_memsz - begin;
    uint8_t *to = map(begin, bytes) + (part->p_vaddr - begin);
    for (uint64_t i = 0; i < part->p_filesz; i++)
        to[i] = s.begin[part->p_offset + i];
    if (part->p_flags & PF_X)
        start_wrote_code(to, part->p_filesz);
    const unsigned allowed = (part->p_flags & PF_R ? PROT_READ : 0) | (part->p_flags & PF_W ? PROT_WRITE : 0) |
                             (part->p_flags & PF_X ? PROT_EXEC : 0);
    if (start_call(SYS_mprotect, begin, bytes, allowed, 0) != 0)
        end("carmine: this system lets no program write its own code, so carmine-node cannot unpack itself\n");
}

/* The program's own head instead of that of this beginning. */
static void describe(Elf64_auxv_t *fact, const Elf64_Ehdr *head, uintptr_t first) {
    for (; fact->a_type != AT_NULL; fact++)
        fact->a_un.a_val = fact->a_type == AT_PHDR    ? first + head->e_phoff
                           : fact->a_type == AT_PHNUM ? head->e_phnum
                           : fact->a_type == AT_ENTRY ? head->e_entry
                                                      : fact->a_un.a_val;
}

void *start_unpack(uint64_t *stack) {
    const uint32_t bytes = inflate();
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)s.begin;
    const Elf64_Phdr *parts = (const Elf64_Phdr *)(s.begin + head->e_phoff);
    const Elf64_auxv_t *page = facts(stack);
    uintptr_t first = UINTPTR_MAX;
    void *entry = (void *)head->e_entry;
    while (page->a_type != AT_PAGESZ)
        page++;
    for (unsigned i = 0; i < head->e_phnum; i++)
        if (parts[i].p_type == PT_LOAD) {
            place(&parts[i], page->a_un.a_val);
            first = parts[i].p_vaddr - parts[i].p_offset < first ? parts[i].p_vaddr - parts[i].p_offset : first;
        }
    describe(facts(stack), head, first);
    start_call(SYS_munmap, (uintptr_t)s.begin, bytes, 0, 0);
    return entry;
}
