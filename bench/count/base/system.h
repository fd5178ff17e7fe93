/* SPDX-License-Identifier: BSD-3-Clause
 * System calls, memory and text functions without libc. The counter runs inside another program, between its
 * instructions: it must not touch vector registers, errno, or locks that the program may hold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the system call of this number with up to six arguments; omitted ones are 0. Returns the kernel's result, a
 * negative errno on failure. */
#define SYSTEM_CALL(...) SYSTEM_CALL_SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL_SIX(number, a, b, c, d, e, f, ...)                                                                 \
    system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
long system_call(long number, long a, long b, long c, long d, long e, long f);

/* The same with five arguments. -EINTR if `*stop` is not 0, or if system_stop() cancels the call. */
long system_call_unless(const uint64_t *stop, long number, long a, long b, long c, long d, long e);

/* The same on another stack and with a signal mask; before and after it all signals are blocked. */
struct system_place {
    uint64_t stack;
    const uint64_t *mask, *stop;
    long number, arguments[5], result;
};
long system_call_from(struct system_place *place);

/* A signal handler calls this to cancel the call above; the signal interrupted at the address `*code`. True: the call
 * was not made yet, and the thread continues at the new `*code`, which skips it. */
bool system_stop(uint64_t *code);

/* A mask. */
extern const uint64_t all_signals;

/* Returns from the signal that has its frame at this address. */
_Noreturn void system_return(uint64_t frame);

/* The addresses after the syscall instructions of system_call() and system_return(): 0 and 1. */
enum { SYSTEM_OWN_CALLS = 2 };
uint64_t system_own_call(unsigned index);

/* Whether the result of a system call is a failure. */
static inline bool system_failed(long result) {
    return result < 0 && result > -4096;
}

/* Sends a signal that this thread has received to the thread again, with the kernel's information (siginfo_t). */
void system_signal_again(int number, const void *info);

/* Maps zeroed private memory of this size; the kernel provides only the touched pages. `address` is the required
 * address, or 0 for any. NULL: there is no memory, or the address is taken. */
void *system_map(uint64_t address, size_t bytes, bool executable);

/* Whether the program's memory from this address to the end of its page is readable. */
bool system_readable(const void *address);

/* Copies from an address of the program, which may be invalid. Returns how many bytes were readable. */
size_t system_copy(void *to, uint64_t from, size_t bytes);

/* Copies a text from such an address. False: its end is unreadable, or not within `size` bytes. */
bool system_copy_text(char *to, uint64_t from, size_t size);

/* strlen(), strcmp() == 0, and whether the text begins with `start`. */
size_t text_length(const char *text);
bool text_equal(const char *a, const char *b);
bool text_starts(const char *text, const char *start);
bool text_holds(const char *text, const char *piece); /* false for NULL */

/* Copies a text, cut to `size` bytes with the final NUL. */
void text_copy(char *to, const char *from, size_t size);

/* A short text built from pieces; the excess is cut off. */
struct text {
    char bytes[512]; /* ends in NUL */
    size_t length;   /* without the NUL */
};

/* Appends a piece. */
void text_add(struct text *text, const char *piece);

/* Appends a number in this base (10, 16). */
void text_add_number(struct text *text, uint64_t number, unsigned base);

/* One lock for all data that threads share. */
void system_lock(void);
bool system_try_lock(void);
void system_unlock(void);
