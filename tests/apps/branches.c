/* SPDX-License-Identifier: BSD-3-Clause
 * Code that gets about: recursion, calls through pointers, jump tables, long jumps, string functions, formatted
 * printing, in region "branches". It takes the same way in every run, so that runs can be compared address by address.
 */
#include <alloca.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carmine.h"

static char text[4096], copy[4096];
static int numbers[100];
static jmp_buf place;

static __attribute__((noinline)) int ackermann(int m, int n) {
    return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}
static __attribute__((noinline)) int choose(int number) { /* a jump table */
    switch (number % 8) {
    case 0:
        return number / 3;
    case 1:
        return number * number;
    case 2:
        return -number;
    case 3:
        return (int)strlen(text);
    case 4:
        return number ^ 0x55;
    case 5:
        return abs(number - 50);
    case 6:
        return ~number;
    default:
        return 7;
    }
}
static double halve(double x) {
    return x / 2;
}
static double (*const functions[])(double) = {sin, exp, halve, sqrt, cbrt};

static __attribute__((noinline)) void leave(int depth) {
    if (depth > 0)
        leave(depth - 1);
    if (numbers[0] >= 0)
        longjmp(place, 1);
}
static __attribute__((noinline)) int
loop_in_place(long times) { /* blocks that jump to themselves, and `loop`, `jrcxz` */
    int sum = 0;
    __asm__ volatile("1: inc %0; loop 1b; jrcxz 2f; inc %0; 2: std; lea 7+%2, %%rdi; mov $8, %%ecx; mov $1, %%eax;"
                     "rep stosb; cld"
                     : "+r"(sum), "+c"(times), "=m"(copy)
                     :
                     : "rax", "rdi", "cc", "memory");
    return sum;
}

static __attribute__((noinline)) void branches(void) {
    volatile long sum = 0; /* lives on after the long jump */
    double x = 0.5;
    carmine_region_begin("branches");
    sum += ackermann(2, 3);
    for (int i = 0; i < 100; i++) {
        numbers[i] = i * 7919 % 101;
        sum += choose(numbers[i]);
        x = functions[i % 5](x);
    }
    qsort(numbers, 100, sizeof *numbers, compare);
    memset(text, 'a', 1000);
    for (size_t bytes = 1; bytes < 1000; bytes *= 3) {
        memcpy(copy, text, bytes);
        memmove(copy + 1, copy, bytes);
        sum += memcmp(copy, text, bytes) + (strchr(copy, 'b') != NULL) + (int)strlen(copy);
    }
    snprintf(copy, sizeof copy, "%d %s %.12g %5.2f", numbers[50], "text", x, 1 / 3.0);
    sum += (long)(1000 * strtod("3.25e-1", NULL)) + strtol("0x7f", NULL, 0) + atoi(copy);
    if (setjmp(place) == 0)
        leave(20);
    sum += loop_in_place(30);
    carmine_region_end("branches");
    printf("%ld %.15g %s\n", sum, x, copy + 8);
}

/* The C library's memcpy goes other ways where source and destination are alike in their place within a page, and a
 * stack begins anywhere in one: here it always lies the same way to the data. */
int main(void) {
    volatile char *aligner = alloca((uintptr_t)__builtin_frame_address(0) % 4096 + 16);
    *aligner = 0;
    branches();
    return 0;
}
