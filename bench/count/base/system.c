/* SPDX-License-Identifier: BSD-3-Clause
 * System calls and bytes without libc (see system.h). */
#include "system.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { PAGE_BYTES = 4096 };

/* The compiler calls these by name. libc's versions would use vector registers. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

__attribute__((visibility("hidden"))) void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    enum { FEW = 64 }; /* bytes; a repeated string instruction takes longer to start */
    uint8_t *at = to;
    const uint8_t *source = from;
    uint64_t eight;
    for (; bytes < FEW && bytes >= sizeof eight; bytes -= sizeof eight) {
        __builtin_memcpy(&eight, source, sizeof eight);
        __builtin_memcpy(at, &eight, sizeof eight);
        at += sizeof eight;
        source += sizeof eight;
    }
    for (; bytes > 0 && bytes < sizeof eight; bytes--)
        *(volatile uint8_t *)at++ = *source++;
    if (bytes)
        __asm__ volatile("rep movsb" : "+D"(at), "+S"(source), "+c"(bytes)::"memory");
    return to;
}

__attribute__((visibility("hidden"))) void *memset(void *to, int value, size_t bytes) {
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(value) : "memory");
    return to;
}

__attribute__((visibility("hidden"))) void *memmove(void *to, const void *from, size_t bytes) {
    if ((uintptr_t)to - (uintptr_t)from >= bytes)
        return memcpy(to, from, bytes);
    for (size_t i = bytes; i-- > 0;)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

__attribute__((visibility("hidden"))) int memcmp(const void *a, const void *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            return ((const uint8_t *)a)[i] - ((const uint8_t *)b)[i];
    return 0;
}

/* In assembly, so that the address after each syscall instruction is known. */
/* clang-format off */
#define FUNCTION(name) ".globl " #name "\n.hidden " #name "\n" #name ":\n"
__asm__(
    ".text\n"
    FUNCTION(system_call)
    "mov %rdi, %rax\n"
    "mov %rsi, %rdi\n"
    "mov %rdx, %rsi\n"
    "mov %rcx, %rdx\n"
    "mov %r8, %r10\n"
    "mov %r9, %r8\n"
    "mov 8(%rsp), %r9\n"
    "syscall\n"
    FUNCTION(system_call_made)
    "ret\n"

    FUNCTION(system_call_unless)
    "cmpq $0, (%rdi)\n"
    FUNCTION(system_unless_begin)
    "jne system_unless_stopped\n"
    "mov %rsi, %rax\n"
    "mov %rdx, %rdi\n"
    "mov %rcx, %rsi\n"
    "mov %r8, %rdx\n"
    "mov %r9, %r10\n"
    "mov 8(%rsp), %r8\n"
    "syscall\n"
    FUNCTION(system_unless_made)
    "ret\n"
    FUNCTION(system_unless_stopped)
    "mov $-4, %rax\n" /* -EINTR */
    "ret\n"

    FUNCTION(system_call_from)
    "push %rbx\n"
    "push %rbp\n"
    "mov %rdi, %rbx\n"
    "mov %rsp, %rbp\n"
    "mov 0(%rbx), %rsp\n"
    "push $0\n"
    "push $0\n"
    "mov $14, %edi\n" /* rt_sigprocmask: SIG_SETMASK */
    "mov $2, %esi\n"
    "mov 8(%rbx), %rdx\n"
    "mov $0, %ecx\n"
    "mov $8, %r8d\n"
    "call system_call\n"
    "mov 16(%rbx), %rdi\n"
    "mov 24(%rbx), %rsi\n"
    "mov 32(%rbx), %rdx\n"
    "mov 40(%rbx), %rcx\n"
    "mov 48(%rbx), %r8\n"
    "mov 56(%rbx), %r9\n"
    "mov 64(%rbx), %rax\n"
    "mov %rax, (%rsp)\n"
    "call system_call_unless\n"
    "mov %rax, 72(%rbx)\n"
    "mov $14, %edi\n" /* SIG_BLOCK */
    "mov $0, %esi\n"
    "lea all_signals(%rip), %rdx\n"
    "mov $0, %ecx\n"
    "mov $8, %r8d\n"
    "call system_call\n"
    "mov %rbp, %rsp\n"
    "mov 72(%rbx), %rax\n"
    "pop %rbp\n"
    "pop %rbx\n"
    "ret\n"

    FUNCTION(system_return)
    "mov %rdi, %rsp\n"
    "mov $15, %eax\n" /* rt_sigreturn */
    "syscall\n"
    FUNCTION(system_return_made)
    "ud2\n");
/* clang-format on */
void system_call_made(void), system_return_made(void);
__attribute__((used, visibility("hidden"))) const uint64_t all_signals = ~0ull;
void system_unless_begin(void), system_unless_made(void), system_unless_stopped(void);

uint64_t system_own_call(unsigned index) {
    return (uint64_t)(index ? system_return_made : system_call_made);
}

bool system_stop(uint64_t *code) {
    if (*code < (uint64_t)system_unless_begin || *code >= (uint64_t)system_unless_made)
        return false;
    *code = (uint64_t)system_unless_stopped;
    return true;
}

void system_signal_again(int number, const void *info) {
    SYSTEM_CALL(SYS_rt_tgsigqueueinfo, SYSTEM_CALL(SYS_getpid, 0), SYSTEM_CALL(SYS_gettid, 0), number, info);
}

void *system_map(uint64_t address, size_t bytes, bool executable) {
    int protection = PROT_READ | PROT_WRITE | (executable ? PROT_EXEC : 0);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address ? MAP_FIXED_NOREPLACE : 0);
    long at = SYSTEM_CALL(SYS_mmap, address, bytes, protection, flags, -1, 0);
    if (system_failed(at))
        return NULL;
    if (address && (uint64_t)at != address) { /* the kernel does not know MAP_FIXED_NOREPLACE */
        SYSTEM_CALL(SYS_munmap, at, bytes);
        return NULL;
    }
    return (void *)at;
}

/* The kernel reads the signal mask before it rejects the unknown operation. */
bool system_readable(const void *address) {
    enum { NO_WAY = 99 };
    return SYSTEM_CALL(SYS_rt_sigprocmask, NO_WAY, (uint64_t)address & ~7ull, NULL, sizeof(uint64_t)) == -EINVAL;
}

size_t system_copy(void *to, uint64_t from, size_t bytes) {
    size_t done = 0;
    while (done < bytes && system_readable((const void *)(from + done))) {
        const size_t left = PAGE_BYTES - (from + done) % PAGE_BYTES, piece = left < bytes - done ? left : bytes - done;
        __builtin_memcpy((char *)to + done, (const void *)(from + done), piece);
        done += piece;
    }
    return done;
}

bool system_copy_text(char *to, uint64_t from, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if ((i == 0 || (from + i) % PAGE_BYTES == 0) && !system_readable((const void *)(from + i)))
            return false;
        to[i] = ((const char *)from)[i];
        if (!to[i])
            return true;
    }
    return false;
}

size_t text_length(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

bool text_equal(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

bool text_starts(const char *text, const char *start) {
    while (*start && *text == *start)
        text++, start++;
    return *start == '\0';
}

bool text_holds(const char *text, const char *piece) {
    for (; text && *text; text++)
        if (text_starts(text, piece))
            return true;
    return false;
}

void text_copy(char *to, const char *from, size_t size) {
    size_t i = 0;
    for (; i + 1 < size && from[i]; i++)
        to[i] = from[i];
    to[i] = '\0';
}

void text_add(struct text *text, const char *piece) {
    while (*piece && text->length + 1 < sizeof text->bytes)
        text->bytes[text->length++] = *piece++;
    text->bytes[text->length] = '\0';
}

void text_add_number(struct text *text, uint64_t number, unsigned base) {
    char digits[32];
    size_t first = sizeof digits - 1;
    digits[first] = '\0';
    do {
        digits[--first] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    if (base == 16)
        text_add(text, "0x");
    text_add(text, digits + first);
}

static int lock;

void system_lock(void) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        SYSTEM_CALL(SYS_sched_yield, 0);
}

bool system_try_lock(void) {
    return !__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE);
}

void system_unlock(void) {
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}
