/* SPDX-License-Identifier: BSD-3-Clause
 * System calls and bytes without libc. The counter runs inside another program, between its instructions: it must not
 * touch vector registers, errno, or locks that the program may hold. */
#ifndef BENCH_COUNT_SYSTEM_H
#define BENCH_COUNT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the system call of this number with up to six arguments; those that are left out are 0. Gives the kernel's
 * result, which is a negative errno value on failure. */
#define SYSTEM_CALL(...) SYSTEM_CALL_SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL_SIX(number, a, b, c, d, e, f, ...)                                                                 \
    system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
long system_call(long number, long a, long b, long c, long d, long e, long f);

/* The same with five arguments, unless `*stop` is not 0: then, and where system_stop() says so, -EINTR. */
long system_call_unless(const uint64_t *stop, long number, long a, long b, long c, long d, long e);

/* To be told by the handler of a signal which comes at the address `*code` that the call above is not to be made any
 * more. True: it was about to be, and the thread goes on at `*code`, where it is not. */
bool system_stop(uint64_t *code);

/* Returns from the signal whose frame lies there. */
_Noreturn void system_return(uint64_t frame);

/* The addresses behind the instructions by which system_call() and system_return() enter the kernel, whatever calls
 * they make: 0 and 1. */
enum { SYSTEM_OWN_CALLS = 2 };
uint64_t system_own_call(unsigned index);

/* Whether the result of a system call is a failure. */
static inline bool system_failed(long result) {
    return result < 0 && result > -4096;
}

/* Sends a signal that this thread has got to it once more, with what the kernel says of it (siginfo_t). */
void system_signal_again(int number, const void *info);

/* Maps zeroed private memory of this size, of which the kernel gives only the pages that are touched. `address` is
 * where it must lie, or 0 for anywhere. NULL: there is no memory, or it cannot lie there. */
void *system_map(uint64_t address, size_t bytes, bool executable);

/* Whether the program's memory can be read at this address, and up to the end of its page. */
bool system_readable(const void *address);

/* Copies from an address that the program gave, which need not be good: as many bytes as can be read. */
size_t system_copy(void *to, uint64_t from, size_t bytes);

/* Copies a text from such an address. False: its end cannot be read, or is not within `size` bytes. */
bool system_copy_text(char *to, uint64_t from, size_t size);

/* strlen(), strcmp() == 0, and whether the text begins with `start`. */
size_t text_length(const char *text);
bool text_equal(const char *a, const char *b);
bool text_starts(const char *text, const char *start);
bool text_holds(const char *text, const char *piece); /* NULL holds none */

/* Copies a text, cut to `size` bytes with the NUL at its end. */
void text_copy(char *to, const char *from, size_t size);

/* Short texts put together from pieces; what does not fit is cut. */
struct text {
    char bytes[512]; /* ends in NUL */
    size_t length;   /* without the NUL */
};

/* Adds a piece. */
void text_add(struct text *text, const char *piece);

/* Adds a number in this base (10, 16). */
void text_add_number(struct text *text, uint64_t number, unsigned base);

/* One lock for everything that threads share. */
void system_lock(void);
void system_unlock(void);

#endif
