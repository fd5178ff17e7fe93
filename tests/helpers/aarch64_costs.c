/* SPDX-License-Identifier: BSD-3-Clause
 * Decodes the kernels that kernel_words prints of an AArch64 build, by LLVM's disassembler, and compares cost, step and
 * accesses of the inner loop with what their descriptors declare. Prints each difference and the sums; status 1: there
 * are some, 77: LLVM 19 is not here (`./deps.sh disassembler`). */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"

enum { TEXT_BYTES = 96, LINE = 64, REGISTERS = 32, NONE = 255 };

enum sort { ADD, MUL, FMA, DIV, SQRT, DOT, SHIFT, EQUAL, GREATER, COMPARE, MOVES, SORTS };
static const char *const SORT_NAMES[SORTS] = {
    "add", "mul", "fma", "div", "sqrt", "dot", "shift", "equal", "greater", "compare", "load + 1000 store"};
static const char *const PLACES[] = {"flop", "load bytes", "store bytes", "instructions"};
enum { PLACE_COUNT = sizeof PLACES / sizeof *PLACES };

/* Arithmetic: operations per element of the last operand. */
static const struct {
    const char *name;
    enum sort sort;
    unsigned flop;
    bool general; /* also the bookkeeping of other kernels, in general registers */
} arithmetic_rows[] = {
    {"fadd", ADD, 1, false},    {"fsub", ADD, 1, false},     {"fmul", MUL, 1, false},      {"fdiv", DIV, 1, false},
    {"fsqrt", SQRT, 1, false},  {"fmla", FMA, 2, false},     {"fmls", FMA, 2, false},      {"fmadd", FMA, 2, false},
    {"fmsub", FMA, 2, false},   {"fnmsub", FMA, 2, false},   {"bfdot", DOT, 2, false},     {"sdot", DOT, 2, false},
    {"udot", DOT, 2, false},    {"usdot", DOT, 2, false},    {"bfmmla", DOT, 4, false},    {"smmla", DOT, 4, false},
    {"add", ADD, 1, true},      {"sub", ADD, 1, true},       {"mul", MUL, 1, true},        {"lsl", SHIFT, 1, true},
    {"lsr", SHIFT, 1, true},    {"shl", SHIFT, 1, false},    {"ushr", SHIFT, 1, false},    {"cmeq", EQUAL, 1, false},
    {"cmpeq", EQUAL, 1, false}, {"cmgt", GREATER, 1, false}, {"cmpgt", GREATER, 1, false}, {"cmp", COMPARE, 1, true},
    {"fmopa", DOT, 2, false},   {"bfmopa", DOT, 2, false},   {"smopa", DOT, 2, false},     {"umopa", DOT, 2, false},
};

/* Loads and stores: the bytes of general registers; 0: those of the register. */
static const struct {
    const char *name;
    bool store;
    unsigned registers, bytes;
} access_rows[] = {
    {"ldr", false, 1, 0},  {"ldrb", false, 1, 1}, {"ldrh", false, 1, 2},  {"ldp", false, 2, 0},
    {"ld1b", false, 1, 0}, {"str", true, 1, 0},   {"strb", true, 1, 1},   {"strh", true, 1, 2},
    {"stp", true, 2, 0},   {"stnp", true, 2, 0},  {"stnt1d", true, 1, 0},
};
static const char *const LOOP_CONTROL[] = {"subs", "b.ne", "nop", "umulh", "madd"};

static struct {
    void *context;
    size_t (*decode)(void *context, uint8_t *bytes, uint64_t count, uint64_t address, char *text, size_t text_bytes);
} llvm;

static bool llvm_open(void) {
    static const char *const NAMES[] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"},
                             *const PARTS[] = {"LLVMInitializeAArch64TargetInfo", "LLVMInitializeAArch64Target",
                                               "LLVMInitializeAArch64TargetMC", "LLVMInitializeAArch64Disassembler"};
    void *(*create)(const char *triple, const char *cpu, const char *features, void *data, int tag, void *info,
                    void *lookup);
    void *library = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !library; i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof PARTS / sizeof *PARTS; i++) {
        void (*initialize)(void);
        *(void **)&initialize = dlsym(library, PARTS[i]);
        if (!initialize)
            return false;
        initialize();
    }
    *(void **)&create = library ? dlsym(library, "LLVMCreateDisasmCPUFeatures") : NULL;
    *(void **)&llvm.decode = library ? dlsym(library, "LLVMDisasmInstruction") : NULL;
    llvm.context = create && llvm.decode
                       ? create("aarch64-linux-gnu", "",
                                "+sve,+bf16,+i8mm,+fullfp16,+dotprod,+sme,+sme-f64f64,+sme-i16i64", NULL, 0, NULL, NULL)
                       : NULL;
    return llvm.context != NULL;
}

/* A loop on paper. */
struct decoded_loop {
    char name[64], variant[32];
    enum kernel_kind kind;
    unsigned vector_bytes, element_bytes, block_bytes;
    unsigned counts[PLACE_COUNT + SORTS];
    unsigned base_of[REGISTERS], from_base[REGISTERS]; /* "add x3, x0, #1024"; NONE: it is none */
    unsigned cursor, step_bytes, low_bytes, high_bytes;
    unsigned failures;
};

static void fails(struct decoded_loop *loop, const char *what, const char *text) {
    printf("%s %s: %s: %s\n", loop->name, loop->variant, what, text);
    loop->failures++;
}

/* Of "d3", "q3", "v3.2d", "z3.d", "x7". */
static unsigned register_bytes(const struct decoded_loop *loop, const char *text) {
    static const char LETTERS[] = "bhsdq";
    const char *letter = strchr(LETTERS, *text);
    if (*text == 'v' || *text == 'z')
        return *text == 'v' ? 16 : loop->vector_bytes;
    return *text == 'x' ? 8 : *text == 'w' ? 4 : *text && letter ? 1u << (letter - LETTERS) : 0;
}

/* Of "v3.2d" and "z3.d"; all of other registers. */
static unsigned element_bytes_of(const struct decoded_loop *loop, const char *text) {
    static const char LETTERS[] = "bhsd";
    const char *dot = strchr(text, '.'), *letter = dot ? strchr(LETTERS, dot[strcspn(dot, LETTERS)]) : NULL;
    return letter && *letter ? 1u << (letter - LETTERS) : register_bytes(loop, text);
}

static void take_arithmetic(struct decoded_loop *loop, enum sort sort, unsigned flop, const char *operands) {
    const char *last = strrchr(operands, ' ');
    last = last && last[1] != '#' ? last + 1 : operands;
    const unsigned bytes = register_bytes(loop, last), element_bytes = element_bytes_of(loop, last);
    if (element_bytes != loop->element_bytes || bytes != (loop->vector_bytes > 8 ? loop->vector_bytes : element_bytes))
        fails(loop, "not of the kernel's type or width", operands);
    loop->counts[PLACE_COUNT + sort]++;
    const unsigned rows =
        strncmp(operands, "za", 2) == 0 ? bytes / element_bytes_of(loop, operands) : 1; /* of a tile */
    loop->counts[0] += flop * rows * bytes / (element_bytes ? element_bytes : 1);
}

/* The bytes from the cursor on: "[x0]", "[x3, #16]", "[x3, #1, mul vl]". */
static void take_place(struct decoded_loop *loop, const char *place, unsigned bytes) {
    unsigned base = NONE, distance = 0;
    sscanf(place, "[x%u, #%u", &base, &distance);
    if (base >= REGISTERS) {
        fails(loop, "not at a register", place);
        return;
    }
    distance *= strstr(place, "mul vl") ? loop->vector_bytes : 1;
    if (loop->base_of[base] != NONE) {
        distance += loop->from_base[base];
        base = loop->base_of[base];
    }
    if (loop->kind != KERNEL_MEMORY && loop->kind != KERNEL_MIXED)
        return;
    if (loop->step_bytes > 0 || (loop->cursor != NONE && loop->cursor != base))
        fails(loop, "accesses are not all at one register that moves behind them", place);
    loop->cursor = base;
    loop->low_bytes = distance < loop->low_bytes ? distance : loop->low_bytes;
    loop->high_bytes = distance + bytes > loop->high_bytes ? distance + bytes : loop->high_bytes;
}

static void take_access(struct decoded_loop *loop, size_t row, const char *operands) {
    const bool store = access_rows[row].store, line = loop->kind == KERNEL_RANDOM && loop->vector_bytes > LINE;
    const char *first = operands + strspn(operands, "{ "), *place = strchr(operands, '[');
    const unsigned one = access_rows[row].bytes ? access_rows[row].bytes : register_bytes(loop, first);
    const unsigned bytes = access_rows[row].registers * (line ? LINE : one);
    if (!place || one == 0 || (loop->vector_bytes > 8 && one != loop->vector_bytes))
        fails(loop, "not of the kernel's width", operands);
    loop->counts[store ? 2 : 1] += bytes;
    loop->counts[PLACE_COUNT + MOVES] += access_rows[row].registers * (store ? 1000 : 1);
    if (place)
        take_place(loop, place, bytes);
}

/* "add x0, x0, #4095", "add x3, x0, #1, lsl #12" */
static bool take_sum(struct decoded_loop *loop, const char *operands) {
    unsigned to, from, bytes;
    if (sscanf(operands, "x%u, x%u, #%u", &to, &from, &bytes) != 3 || to >= REGISTERS || from >= REGISTERS)
        return false;
    bytes <<= strstr(operands, "lsl #12") ? 12 : 0;
    if (to != from) {
        loop->base_of[to] = from;
        loop->from_base[to] = bytes;
    } else if (loop->base_of[to] != NONE)
        loop->from_base[to] += bytes;
    else
        loop->step_bytes += bytes;
    return true;
}

static bool is_control(const char *name) {
    for (size_t i = 0; i < sizeof LOOP_CONTROL / sizeof *LOOP_CONTROL; i++)
        if (strcmp(LOOP_CONTROL[i], name) == 0)
            return true;
    return false;
}

static void take_instruction(struct decoded_loop *loop, const char *name, const char *operands) {
    const bool computes = loop->kind == KERNEL_COMPUTE, general = *operands == 'x' || *operands == 'w';
    loop->counts[3]++;
    for (size_t i = 0; i < sizeof access_rows / sizeof *access_rows; i++)
        if (strcmp(access_rows[i].name, name) == 0) {
            take_access(loop, i, operands);
            return;
        }
    if (strcmp(name, "dc") == 0 && strncmp(operands, "zva, ", 5) == 0) {
        char place[16];
        snprintf(place, sizeof place, "[%.8s]", operands + 5);
        loop->counts[2] += LINE;
        loop->counts[PLACE_COUNT + MOVES] += 1000;
        take_place(loop, place, LINE);
        return;
    }
    if (is_control(name) || (!computes && strcmp(name, "add") == 0 && take_sum(loop, operands)) ||
        (loop->kind == KERNEL_RANDOM && strcmp(name, "add") == 0))
        return;
    for (size_t i = 0; i < sizeof arithmetic_rows / sizeof *arithmetic_rows; i++)
        if (strcmp(arithmetic_rows[i].name, name) == 0 && (!general || arithmetic_rows[i].general)) {
            take_arithmetic(loop, arithmetic_rows[i].sort, arithmetic_rows[i].flop, operands);
            return;
        }
    fails(loop, "its cost is not known", name);
}

/* Writes "fmla" and "v0.2d, v31.2d, v30.2d". */
static bool decode(uint32_t word, char name[TEXT_BYTES], char operands[TEXT_BYTES]) {
    uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    char text[TEXT_BYTES] = "";
    const bool decoded = llvm.decode(llvm.context, bytes, sizeof bytes, 0, text, sizeof text) == sizeof bytes;
    *name = *operands = '\0';
    return sscanf(text, " %s %[^\n]", name, operands) >= 1 && decoded;
}

/* The loop ends with the last word; the branch says where it begins. */
static void take_loop(struct decoded_loop *loop, const uint32_t *words, size_t count) {
    char name[TEXT_BYTES], operands[TEXT_BYTES];
    int distance = 0;
    if (count == 0 || !decode(words[count - 1], name, operands) || sscanf(operands, "#%d", &distance) != 1 ||
        distance >= 0 || (size_t)(-distance / 4) >= count) {
        fails(loop, "no loop", operands);
        return;
    }
    for (size_t i = count - 1 - (size_t)(-distance / 4); i < count; i++)
        if (decode(words[i], name, operands))
            take_instruction(loop, name, operands);
        else
            fails(loop, "no instruction", name);
}

static void check_walk(struct decoded_loop *loop) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "%u to %u of %u, a step of %u", loop->low_bytes, loop->high_bytes, loop->block_bytes,
             loop->step_bytes);
    if (loop->kind != KERNEL_MEMORY && loop->kind != KERNEL_MIXED)
        return;
    if (loop->step_bytes != loop->block_bytes || loop->low_bytes != 0 || loop->high_bytes != loop->block_bytes)
        fails(loop, "accesses", text);
}

/* Reads what a descriptor declares, and compares. Returns the number of differences. */
static unsigned check_line(char *line) {
    struct decoded_loop loop = {.cursor = NONE, .low_bytes = ~0u};
    unsigned declared[PLACE_COUNT + SORTS];
    uint32_t words[1 << 14];
    size_t count = 0;
    char *rest, *field = strtok_r(line, " ", &rest);
    snprintf(loop.name, sizeof loop.name, "%s", field);
    snprintf(loop.variant, sizeof loop.variant, "%s", strtok_r(NULL, " ", &rest));
    loop.kind = (enum kernel_kind)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
    loop.vector_bytes = (unsigned)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
    loop.element_bytes = (unsigned)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
    loop.block_bytes = (unsigned)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
    for (size_t i = 0; i < PLACE_COUNT + SORTS; i++)
        declared[i] = (unsigned)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
    while (count < sizeof words / sizeof *words && (field = strtok_r(NULL, " \n", &rest)))
        words[count++] = (uint32_t)strtoul(field, NULL, 16);
    for (unsigned i = 0; i < REGISTERS; i++)
        loop.base_of[i] = NONE;
    take_loop(&loop, words, count);
    check_walk(&loop);
    for (size_t i = 0; i < PLACE_COUNT + SORTS; i++)
        if (loop.counts[i] != declared[i]) {
            char text[TEXT_BYTES];
            snprintf(text, sizeof text, "declared %u, decoded %u", declared[i], loop.counts[i]);
            fails(&loop, i < PLACE_COUNT ? PLACES[i] : SORT_NAMES[i - PLACE_COUNT], text);
        }
    return loop.failures;
}

int main(void) {
    char *line = NULL;
    size_t size = 0, kernels = 0, failures = 0;
    if (!llvm_open()) {
        puts("no libLLVM of version 19 here: `./deps.sh disassembler` installs it");
        return 77;
    }
    for (; getline(&line, &size, stdin) > 0; kernels++)
        failures += check_line(line);
    free(line);
    printf("%zu kernels decoded, %zu differences\n", kernels, failures);
    return failures > 0 || kernels == 0;
}
