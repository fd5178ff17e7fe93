/* SPDX-License-Identifier: BSD-3-Clause
 * Checks with the CPU how many bytes instructions access: each runs with an operand at the end of the last readable
 * page, which must succeed, and one byte further, which must fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "asm/x86/effect.h"
#include "tests/support/encodings.h"

enum { PAGE = 4096, MAX_BYTES = 64, STACK_BYTES = 64 * 1024 };

/* Executes the code, which ends in a jump to execute_return, with rax = address and 0 in all other registers except
 * rsp. */
void execute(const void *code, const void *address);
void execute_return(void);
__asm__(".pushsection .bss\n"
        "execute_stack: .skip 8\n"
        ".popsection\n"
        ".pushsection .text\n"
        ".globl execute, execute_return\n"
        ".type execute, @function\n"
        "execute:\n"
        "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
        "mov %rsp, execute_stack(%rip)\n"
        "mov %rsi, %rax\n"
        "xor %ecx, %ecx\n xor %edx, %edx\n xor %ebx, %ebx\n xor %esi, %esi\n xor %ebp, %ebp\n"
        "jmp *%rdi\n"
        "execute_return:\n"
        "mov execute_stack(%rip), %rsp\n"
        "cld\n fninit\n"
        "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
        "ret\n"
        ".popsection\n");

static ZydisDecoder decoder;
static sigjmp_buf before;
static volatile sig_atomic_t caught;
static uint8_t *code_page, *end; /* of possible accesses */
static uint64_t tried[ZYDIS_MNEMONIC_MAX_VALUE + 1];
static unsigned executed, missing, wrong;

static void on_signal(int number) {
    caught = number;
    siglongjmp(before, 1);
}

/* The signal that ended it, 0 for none. */
static int signal_of(const void *address) {
    caught = 0;
    if (sigsetjmp(before, 1) == 0)
        execute(code_page, address);
    else
        __asm__ volatile("cld\n\tfninit" ::: "memory");
    return caught;
}

static void put_code(const uint8_t *code, size_t bytes) {
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0}; /* to the address that follows */
    void (*back)(void) = execute_return;
    memcpy(code_page, code, bytes);
    memcpy(code_page + bytes, jump, sizeof jump);
    memcpy(code_page + bytes + sizeof jump, &back, sizeof back);
}

/* Computation and moves with one memory operand; nothing that may not be executed, or that sets the CPU's state. */
static bool is_worth_trying(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                            const struct effect *effect) {
    const ZydisDecodedOperand *memory = effect_memory(instruction, operands);
    if (memory == NULL || memory->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN || effect->bytes_unknown ||
        memory->mem.type != ZYDIS_MEMOP_TYPE_MEM || memory->mem.base != ZYDIS_REGISTER_RAX ||
        effect->dynamic != DYNAMIC_NONE || instruction->avx.mask.reg > ZYDIS_REGISTER_K0 ||
        effect->stack_load_bytes + effect->stack_store_bytes > 0)
        return false;
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            (ZydisRegisterGetClass(operands[i].reg.value) == ZYDIS_REGCLASS_SEGMENT ||
             ZydisRegisterGetLargestEnclosing(instruction->machine_mode, operands[i].reg.value) == ZYDIS_REGISTER_RSP))
            return false;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_LDMXCSR:
    case ZYDIS_MNEMONIC_VLDMXCSR:
    case ZYDIS_MNEMONIC_BT: /* a bit number from a register: the bit may be far away */
    case ZYDIS_MNEMONIC_BTS:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTC:
        return false;
    case ZYDIS_MNEMONIC_MOVSXD: /* to 16 bits: four bytes, according to Zydis 4.0; compilers do not use it */
        return instruction->operand_width > 16;
    default:
        break;
    }
    if (instruction->meta.category == ZYDIS_CATEGORY_MOVDIR) /* from one address to another, aligned one */
        return false;
    return effect->class != CLASS_OTHER && effect->class != CLASS_BRANCH && effect->class != CLASS_CALL &&
           effect->class != CLASS_GATHER && instruction->meta.category != ZYDIS_CATEGORY_AMX_TILE;
}

static void try_encoding(const uint8_t *code) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct effect effect;
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, ENCODING_BYTES, &instruction, operands)))
        return;
    effect_find(&instruction, operands, &effect);
    unsigned bytes = effect.load_bytes > effect.store_bytes ? effect.load_bytes : effect.store_bytes;
    if (!is_worth_trying(&instruction, operands, &effect) || bytes == 0 || bytes > MAX_BYTES ||
        (tried[instruction.mnemonic] >> (bytes - 1) & 1) != 0)
        return;
    put_code(code, instruction.length);
    int within = signal_of(end - bytes), beyond = signal_of(end - bytes + 1);
    if (within == SIGILL) {
        missing++;
        return;
    }
    tried[instruction.mnemonic] |= UINT64_C(1) << (bytes - 1);
    executed++;
    if (within == SIGSEGV || beyond != SIGSEGV) {
        fprintf(stderr, "%s accesses %s than %u bytes\n", ZydisMnemonicGetString(instruction.mnemonic),
                within == SIGSEGV ? "more" : "fewer", bytes);
        wrong++;
    }
}

/* In a separate process, because it may end in any state. */
static int try_all(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    static uint8_t stack[STACK_BYTES];
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    code_page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code_page == MAP_FAILED || pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
        return 2;
    end = pages + PAGE;
    each_encoding(try_encoding);
    printf("%u executed, %u encodings not on this CPU, %u wrong\n", executed, missing, wrong);
    fflush(NULL);
    return wrong == 0 && executed > 500 ? 0 : 1;
}

static void operands_are_as_large_as_the_cpu_has_them(void **state) {
    (void)state;
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(try_all());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2) /* pages cannot be writable and executable here */
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operands_are_as_large_as_the_cpu_has_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
