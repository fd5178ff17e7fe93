/* SPDX-License-Identifier: BSD-3-Clause
 * System calls and bytes without libc. The counter runs inside another program, between its instructions: it must not
 * touch vector registers, errno, or locks that the program may hold. */
#ifndef BENCH_COUNT_SYSTEM_H
#define BENCH_COUNT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's result: negative errno values on failure. Missing arguments are 0. */
#define SYSTEM_CALL(...) SYSTEM_CALL_SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define SYSTEM_CALL_SIX(number, a, b, c, d, e, f, ...)                                                                 \
    system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
long system_call(long number, long a, long b, long c, long d, long e, long f);

static inline bool system_failed(long result) {
    return result < 0 && result > -4096;
}

/* Zeroed private memory, given only where it is touched; NULL when there is none. An address is kept to, or NULL. */
void *system_map(uint64_t address, size_t bytes, bool executable);

size_t text_length(const char *text);
bool text_equal(const char *a, const char *b);
bool text_starts(const char *text, const char *start);
/* Copies with the end, cut to `size`. */
void text_copy(char *to, const char *from, size_t size);

/* Short texts put together from pieces; what does not fit is cut. */
struct text {
    char bytes[512];
    size_t length;
};
void text_add(struct text *text, const char *piece);
void text_add_number(struct text *text, uint64_t number, unsigned base);

/* One lock for everything that threads share. */
void system_lock(void);
void system_unlock(void);

#endif
