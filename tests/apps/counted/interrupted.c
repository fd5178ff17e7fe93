/* SPDX-License-Identifier: BSD-3-Clause
 * Every kind of instruction that the counter copies in another way, to be interrupted anywhere by
 * tests/helpers/interrupt. Between two system calls that no kernel has, which tell the begin and the end, no address
 * and no register depends on how the program was started: what the C library's string functions leave in vector and mask
 * registers depends on the lengths of paths. Its handler shows the context that it sees by a third system call. */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "../helpers/interrupt.h"

/* rbx, rbp, rsp and r12 to r15 of the caller are put aside; all others and the flags are set. r15 leads to `words`. All state
 * that xsave has but that of AMX and of protection keys becomes initial first. */
__asm__(".text\n"
        "run_kind:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rsp, caller_stack(%rip)\n"
        "mov %rdi, %r14\n"
        "lea own_stack_end(%rip), %rsp\n"
        "lea words(%rip), %r15\n"
        "fxrstor initial_state(%rip)\n"
        "cmpl $0, wide_vectors(%rip); je 1f\n"
        "mov $0xe7, %eax; xor %edx, %edx; xrstor initial_state(%rip)\n"
        "vmovupd (%r15), %ymm0; vmovupd 32(%r15), %ymm1; vmovupd 64(%r15), %ymm2; vpcmpeqd %ymm3, %ymm3, %ymm3\n"
        "jmp 2f\n"
        "1: movupd (%r15), %xmm0; movupd 32(%r15), %xmm1; movupd 64(%r15), %xmm2; pcmpeqd %xmm3, %xmm3\n"
        "2: fninit; fldpi; fld1\n"
        "mov $0x11, %ebx; mov $0x22, %ebp; mov $0x33, %edx; mov $0x44, %esi; mov $0x55, %edi; mov $0x66, %r8d\n"
        "mov $0x77, %r9d; mov $0x88, %r10d; mov $0x99, %r12d; mov $0xaa, %r13d\n"
        "pushq $0x8d7; popfq\n"
        "mov $" INTERRUPT_BEGIN_TEXT ", %eax; syscall\n"
        "jmp *%r14\n"
        "end_kind:\n"
        "cld; mov $" INTERRUPT_END_TEXT ", %eax; syscall\n"
        "mov caller_stack(%rip), %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "ret\n"
        ".data; .balign 64\n"
        "words: .quad 0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000, 0x4010000000000000\n"
        ".quad 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16\n"
        "bytes: .ascii \"the quick brown fox jumps over the lazy dog\"\n"
        "place: .quad target_of_jump, target_of_call\n"
        "in_turn: .quad target_of_call, other_target\n"
        "caller_stack: .quad 0\n"
        ".balign 64; initial_state: .zero 24; .long 0x1f80; .zero 548\n" /* MXCSR; the header of xsave is 0 */
        ".bss; .balign 64; .zero 4096; own_stack_end: .zero 64; copies: .zero 256\n"
        ".text\n");
void run_kind(const void *kind);
extern uint64_t words[];
__attribute__((used)) int wide_vectors;

/* Blocks that are counted by an instruction that changes flags, and ones that need them. */
__asm__(
    "flags:\n"
    "mov $3, %eax; mov %rax, %rcx; lea 5(%rax,%rcx), %rdi; add %rcx, %rdi; mov %rdi, %rsi; jnz 1f\n"
    "1: mov %rdi, %r8; mov $-1, %r9; setc %r10b; jo 2f\n"
    "2: cmpq $5, 32(%r15); mov %rax, %rdx; jne 3f\n"
    "3: cmpb $1, (%r15); jb 6f\n"
    "6: test %rax, (%r15,%rcx,8); js 7f\n"
    "7: sub 40(%r15), %rdx; jp 8f\n"
    "8: stc; jmp 10f; 10: testb $0, %fs:40; js 9f\n"
    "9: sahf; lahf; mov %rax, %rbx; seto %al; jp 4f\n"
    "4: stc; adc %rax, %rbx; sbb %rdx, %rdx; jmp 5f\n"
    "5: sub $64, %rsp; pushfq; popq %rcx; add $64, %rsp; std; nop; cld; mov $7, %ecx; shl %cl, %rax; jmp end_kind\n");
/* Every sort of branch. */
__asm__("branches:\n"
        "mov $4, %ecx\n"
        "1: inc %rax; loop 1b; mov $3, %ecx\n"
        "2: cmp %rax, %rax; loope 2b; mov $3, %ecx\n"
        "3: test %rcx, %rcx; loopne 3b; jrcxz 4f; nop\n"
        "4: mov $1, %ecx; jrcxz 5f; nop\n"
        "5: call 6f; call *place+8(%rip); lea place(%rip), %rax; call *8(%rax); lea target_of_call(%rip), %rcx; call "
        "*%rcx\n"
        "lea place(%rip), %rcx; jmp *(%rcx)\n"
        "6: mov (%rsp), %rdx; ret\n"
        "target_of_call: push %rcx; lea -24(%rsp), %rsp; add $24, %rsp; pop %rcx; ret\n"
        "target_of_jump: lea target_of_call(%rip), %rax; push $1; push $2; lea 7f(%rip), %rdx; push %rdx; ret $16\n"
        "7: xor %eax, %eax; jz 8f; nop\n"
        "8: jnz end_kind; lea end_kind(%rip), %rax; jmp *%rax\n");
/* Targets, and places that functions return to, whose addresses have the same low 16 bits: of each pair one is found by
 * its second place in the table. They come so often that they are looked for without an interruption, too. */
__asm__(".balign 65536\n"
        "again: mov $60, %edx\n"
        ".balign 64\n"
        "1: lea 2f(%rip), %rcx; stc; mov $0x77, %r11d; call *%rcx; jmp 3f\n"
        ".balign 64\n"
        "2: mov %rcx, %rsi; ret\n"
        ".balign 65536; .skip 64\n"
        "3: lea 4f(%rip), %rcx; stc; mov $0x88, %r11d; call *%rcx; jmp 5f\n"
        ".balign 64\n"
        "4: mov %rcx, %rsi; ret\n"
        "5: dec %edx; jnz 1b; jmp end_kind\n");
/* Calls by way of a place that always holds the same address, and of one that holds two in turn. */
__asm__("guesses:\n"
        "mov $60, %edx\n"
        "1: stc; mov $0x77, %r11d; mov $0x99, %ecx; call *place+8(%rip)\n"
        "mov in_turn(%rip), %rax; xchg %rax, in_turn+8(%rip); mov %rax, in_turn(%rip)\n"
        "stc; call *in_turn(%rip); dec %edx; jnz 1b; jmp end_kind\n"
        "other_target: mov %rcx, %rsi; ret\n");
/* Calls and jumps by way of places that nobody can write to, and by way of jumps through these. */
__asm__(".pushsection .data.rel.ro, \"aw\"; .balign 8\n"
        "fixed: .quad fixed_target, fixed_end\n"
        ".popsection\n"
        "constants:\n"
        "stc; mov $0x77, %r11d; mov $0x99, %ecx; call *fixed(%rip); stc; call stub; mov %rcx, %rdx; call marked_stub\n"
        "jmp 1f; 1: jmp stub_of_end\n"
        "stub: jmp *fixed(%rip)\n"
        "marked_stub: endbr64; .byte 0xf2; jmp *fixed(%rip)\n"
        "stub_of_end: jmp *fixed+8(%rip)\n"
        "fixed_end: jmp end_kind\n"
        "fixed_target: mov %rcx, %rsi; ret\n");
/* Short loops, which are copied several times, left by each of these copies. */
__asm__("loops:\n"
        "mov $1, %edx\n"
        "1: mov %rdx, %rcx\n"
        "2: mov (%r15), %rax; imul %rcx, %rsi; dec %rcx; jnz 2b\n"
        "mov %rdx, %rcx\n"
        "3: mulsd %xmm1, %xmm0; lea -1(%rcx), %rcx; cmpq $0, 72(%r15,%rcx,8); mov %rcx, %rdi; jne 4f; nop\n"
        "4: add $1, %rdx; cmp $18, %rdx; jne 1b\n"
        "jmp end_kind\n");
/* Instructions whose cost is counted when they run. */
__asm__(
    "repeats:\n"
    "lea bytes(%rip), %rsi; lea copies(%rip), %rdi; mov $9, %ecx; rep movsb\n"
    "mov $3, %ecx; rep stosq; cmp %rsi, %rdi; mov $5, %ecx; lea bytes(%rip), %rsi; rep lodsb\n"
    "lea bytes(%rip), %rdi; mov $'q', %al; mov $20, %ecx; repne scasb; setc %dl\n"
    "lea bytes(%rip), %rsi; lea copies(%rip), %rdi; mov $20, %ecx; repe cmpsb; seta %dl; xor %ecx, %ecx; rep movsb\n"
    "mov $2, %ecx; rep stosb; jmp end_kind\n");
__asm__("masks:\n"
        "lea copies(%rip), %rdi; stc; movdqa %xmm3, %xmm4; psrldq $5, %xmm4; maskmovdqu %xmm4, %xmm0; adc $0, %rax\n"
        "jmp end_kind\n"
        "wide_masks:\n"
        "lea copies(%rip), %rdi; vpsrldq $4, %ymm3, %ymm4; stc; vmaskmovps %ymm0, %ymm4, (%rdi); seto %cl; vpxor "
        "%ymm5, %ymm5, %ymm5\n"
        "vpcmpeqd %ymm4, %ymm4, %ymm4; vmovapd %ymm5, %ymm6; vgatherqpd %ymm4, (%r15,%ymm5,8), %ymm6\n"
        "vmaskmovpd (%rdi), %ymm3, %ymm7; jmp end_kind\n");
/* An operand so far away that a register has to hold its address. It is mapped by main(). */
#define FAR "0x7fe00000"
__asm__("far:\n"
        "stc; mov " FAR "+far(%rip), %rax; adc %rax, " FAR "+far(%rip); mov %rdx, " FAR "+far(%rip); lea " FAR
        "+far(%rip), %rsi\n"
        "jmp 1f\n"
        "1: addsd " FAR "+far(%rip), %xmm0; cmpq $0, " FAR "+far(%rip); mov " FAR "+far(%rip), %rbx; jmp end_kind\n");
__asm__(
    "calls:\n"
    "stc; mov $24, %eax; mov $0x1234, %ecx; mov $0x5678, %r11d; syscall; mov %rcx, %rdx; jc 1f; nop\n" /* sched_yield */
    "1: mov $5003, %eax; syscall; fld1; faddp; jmp end_kind\n");
__asm__("marks:\n"
        "mov $0x111, %ebx; .byte 0x64, 0x67, 0x90; stc; mov $1, %eax; adc $2, %eax\n"
        "mov $0x222, %ebx; .byte 0x64, 0x67, 0x90; jmp end_kind\n");
/* Faults in all of it; the handler goes on at r12. */
__asm__("faults:\n"
        "lea 1f(%rip), %r12; xor %edi, %edi; mov $8, %ecx; stc; mov (%rdi), %rax; add %rax, %rax\n"
        "1: lea 2f(%rip), %r12; mov $1, %eax; add $2, %eax; ud2\n"
        "2: lea 3f(%rip), %r12; stc; rep movsb; nop\n"
        "3: lea 4f(%rip), %r12; xor %edi, %edi; call *8(%rdi)\n"
        "4: lea 5f(%rip), %r12; mov %rsp, %r13; mov $64, %esp; call 5f; nop\n"
        "5: mov $64, %esp; lea 6f(%rip), %r12; ret\n"
        "6: mov %r13, %rsp; lea 7f(%rip), %r12; xor %ecx, %ecx; xor %edx, %edx; div %ecx\n"
        "7: lea 8f(%rip), %r12; cmpq $1, 8(%rdi); jne 8f\n"
        "8: lea 9f(%rip), %r12; fninit; pushq $0x37b; fldcw (%rsp); add $8, %rsp; fld1; fldz; fdivrp; fwait\n"
        "9: lea 10f(%rip), %r12; movdqa %xmm3, %xmm4; stc; maskmovdqu %xmm4, %xmm0; nop\n"
        "10: lea 11f(%rip), %r12; stc; jmp 12f; 12: mov (%rdi), %rbx; jc 11f; nop\n"
        "11: lea 13f(%rip), %r12; stc; jmp 14f; 14: testb $1, (%rdi,%rcx); jc 13f; nop\n"
        "13: lea 15f(%rip), %r12; stc; jmp 16f; 16: sub 8(%rdi), %rbx; jc 15f; nop\n"
        "15: lea end_kind(%rip), %r12; mov $1, %esi; mov " FAR "+0x100000+faults(%rip), %rsi\n");
extern const char flags[], branches[], again[], guesses[], constants[], loops[], repeats[], masks[], wide_masks[],
    far[], calls[], marks[], faults[];

/* Where a handler may have its program go on, which goes on where it was from there: the block that was interrupted is
 * left for good. The red zone stays as it is. */
__asm__("go_back: ret $128\n");
extern const char go_back[];
static bool leaves;
static struct interrupt_context seen;

static void show(int signal, siginfo_t *info, void *context) {
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    const uint8_t *state = (const uint8_t *)interrupted->uc_mcontext.fpregs;
    uint32_t bytes = ((const uint32_t *)(const void *)state)[INTERRUPT_STATE_BYTES_AT / 4];
    if (registers[REG_RIP] == (greg_t)go_back)
        return;
    seen.signal = signal;
    seen.code = info->si_code;
    seen.address = signal == SIGUSR1 ? 0 : (uint64_t)info->si_addr;
    memcpy(seen.registers, registers, sizeof seen.registers);
    memcpy(seen.state, state, bytes < sizeof seen.state ? bytes : sizeof seen.state);
    if (signal != SIGUSR1) {
        registers[REG_RIP] = registers[REG_R12];
        interrupted->uc_mcontext.fpregs->swd = 0;
        interrupted->uc_mcontext.fpregs->cwd = 0x37f;
    } else if (leaves && registers[REG_RSP] > 4096) { /* some have no stack */
        registers[REG_RSP] -= 128 + 8;
        *(greg_t *)registers[REG_RSP] = registers[REG_RIP];
        registers[REG_RIP] = (greg_t)go_back;
    }
    syscall(INTERRUPT_SHOW, &seen);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name, *code;
        int wide;
    } kinds[] = {{"flags", flags, 0},           {"branches", branches, 0},   {"again", again, 0},
                 {"guesses", guesses, 0},       {"constants", constants, 0}, {"loops", loops, 0},
                 {"repeats", repeats, 0},       {"masks", masks, 0},         {"far", far, 0},
                 {"wide masks", wide_masks, 1}, {"calls", calls, 0},         {"marks", marks, 0},
                 {"faults", faults, 0}};
    static const int signals[] = {SIGUSR1, SIGSEGV, SIGILL, SIGFPE, SIGBUS};
    static char stack[65536];
    struct sigaction action = {.sa_sigaction = show, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    char *page = (char *)(((uintptr_t)far + strtoul(FAR, NULL, 16)) & ~(uintptr_t)4095);
    if (mmap(page, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page)
        return 77;
    leaves = argc > 2 && strcmp(argv[2], "leave") == 0;
    wide_vectors = __builtin_cpu_supports("avx2");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if ((argc > 1 && strcmp(argv[1], kinds[i].name) != 0) || kinds[i].wide > wide_vectors)
            continue;
        run_kind(kinds[i].code); /* once for the copies to be made */
        run_kind(kinds[i].code);
        printf("%s\n", kinds[i].name);
    }
    return 0;
}
