/* SPDX-License-Identifier: BSD-3-Clause
 * Code that a program writes while it runs, as just-in-time compilers do: written WAY. Region "WAY" is to have the flop
 * of the code as it is at each time, and what the code gives is printed. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "carmine.h"

enum { PAGE_BYTES = 4096, AREA_BYTES = 4 * PAGE_BYTES, ROUNDS = 300, ALL = PROT_READ | PROT_WRITE | PROT_EXEC };
typedef long function(void);

static long sum, flop;

/* Writes a function of `additions` flop that gives `value`; gives its size. */
static size_t write_function(uint8_t *at, int additions, int32_t value) {
    static const uint8_t addition[] = {0xf2, 0x0f, 0x58, 0xc0}; /* addsd %xmm0, %xmm0 */
    uint8_t *start = at;
    for (int i = 0; i < additions; i++, at += sizeof addition)
        memcpy(at, addition, sizeof addition);
    *at++ = 0xb8; /* mov $value, %eax; ret */
    memcpy(at, &value, sizeof value);
    at[4] = 0xc3;
    return (size_t)(at + 5 - start);
}

static void call(const void *code, int additions) {
    function *called;
    memcpy(&called, &code, sizeof called);
    sum = sum * 31 + called();
    flop += additions;
}

static uint8_t *map(int protection) {
    void *area = mmap(NULL, AREA_BYTES, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        exit(77);
    return area;
}

/* Never writable and executable at a time. */
static void protect(void) {
    uint8_t *area = map(PROT_READ | PROT_WRITE);
    for (int i = 0; i < ROUNDS; i++) {
        write_function(area, i % 5, i);
        mprotect(area, AREA_BYTES, PROT_READ | PROT_EXEC);
        call(area, i % 5);
        call(area, i % 5);
        mprotect(area, AREA_BYTES, PROT_READ | PROT_WRITE);
    }
}

static void overwrite(void) {
    uint8_t *area = map(ALL);
    for (int i = 0; i < ROUNDS; i++) {
        write_function(area, i % 5, i);
        for (int j = 0; j < 3; j++)
            call(area, i % 5);
    }
}

/* As overwrite, and what is called before it changed comes back. */
static void toggle(void) {
    uint8_t *area = map(ALL);
    for (int i = 0; i < ROUNDS; i++) {
        write_function(area, 1 + i % 2, i % 2);
        call(area, 1 + i % 2);
    }
}

/* A function that changes the constant that it moves right afterwards, in the same block, and calls its neighbour. */
static void change_itself(void) {
    static const uint8_t code[] = {
        0x8d, 0x04, 0x7f,             /* lea (%rdi,%rdi,2), %eax */
        0x89, 0x05, 0x05, 0,    0, 0, /* mov %eax, 5(%rip): the constant */
        0xf2, 0x0f, 0x58, 0xc0,       /* addsd %xmm0, %xmm0 */
        0xba, 0,    0,    0,    0,    /* mov $constant, %edx */
        0x01, 0xd0, 0xc3,             /* add %edx, %eax; ret */
    };
    uint8_t *area = map(ALL);
    long (*changing)(long);
    memcpy(area, code, sizeof code);
    area[5] = 5; /* behind the store: addsd and the opcode */
    memcpy(&changing, &area, sizeof changing);
    for (long i = 0; i < ROUNDS; i++, flop++)
        sum = sum * 31 + changing(i);
}

/* Mapped twice: written in one place, executed in another. */
static void map_twice(void) {
    const int file = memfd_create("twice", 0);
    if (file < 0 || ftruncate(file, AREA_BYTES) != 0)
        exit(77);
    uint8_t *writable = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *executable = mmap(NULL, AREA_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    for (int i = 0; i < ROUNDS; i++) {
        write_function(writable, i % 5, i);
        for (int j = 0; j < 3; j++)
            call(executable, i % 5);
    }
}

/* gcc's nested functions: a trampoline on the stack. */
static __attribute__((unused)) long apply(long (*nested)(long), long value) {
    return nested(value);
}
static void trampoline(void) {
#ifndef __clang__
    for (long i = 0; i < ROUNDS; i++) {
        long nested(long value) {
            return value + i;
        }
        sum = sum * 31 + apply(nested, i);
    }
#else
    exit(77);
#endif
}

/* An instruction that lies in two pages, whose second half changes. */
static void cross_pages(void) {
    uint8_t *area = map(ALL), *code = area + PAGE_BYTES - 7; /* addsd; mov from its third byte on */
    for (int i = 0; i < ROUNDS; i++) {
        write_function(code, 1, 0);
        const int32_t value = i;
        memcpy(code + 5, &value, sizeof value);
        call(code, 1);
        memcpy(area + PAGE_BYTES, (const uint8_t *)&value + 2, 2);
        area[PAGE_BYTES + 1] = 1;
        call(code, 1);
    }
}

/* The kernel writes the code. */
static void read_in(void) {
    int ends[2];
    uint8_t *area = map(ALL), code[64];
    if (pipe(ends) != 0)
        exit(77);
    for (int i = 0; i < ROUNDS; i++) {
        const size_t bytes = write_function(code, i % 5, i);
        struct iovec pieces[] = {{area, 3}, {area + 3, bytes - 3}};
        const ssize_t written = write(ends[1], code, bytes),
                      got = i % 2 ? read(ends[0], area, bytes) : readv(ends[0], pieces, 2);
        if (written != (ssize_t)bytes || got != written)
            printf("%s\n", strerror(errno));
        call(area, i % 5);
    }
}

/* So it does, by way of addresses in structures. */
static void receive(void) {
    int ends[2];
    uint8_t *area = map(ALL), code[64];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0)
        exit(77);
    for (int i = 0; i < ROUNDS; i++) {
        const size_t bytes = write_function(code, i % 5, i);
        struct iovec piece = {area, AREA_BYTES};
        struct mmsghdr messages = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}};
        const ssize_t written = write(ends[1], code, bytes);
        const long got = i % 2 ? recvmsg(ends[0], &messages.msg_hdr, 0) : recvmmsg(ends[0], &messages, 1, 0, NULL);
        if (written != (ssize_t)bytes || got <= 0)
            printf("%s\n", strerror(errno));
        call(area, i % 5);
    }
}

/* And as if another process did. */
static void poke(void) {
    uint8_t *area = map(ALL), code[64];
    for (int i = 0; i < ROUNDS; i++) {
        const size_t bytes = write_function(code, i % 5, i);
        const struct iovec from = {code, bytes}, to[] = {{area, 3}, {area + 3, bytes - 3}};
        if (process_vm_writev(getpid(), &from, 1, to, 2, 0) != (ssize_t)bytes) {
            if (i == 0 && (errno == ENOSYS || errno == EPERM))
                exit(77);
            printf("%s\n", strerror(errno));
        }
        call(area, i % 5);
    }
}

/* Another mapping, and zeroed pages, at the same address. */
static void map_anew(void) {
    uint8_t *area = map(ALL);
    for (int i = 0; i < ROUNDS; i++) {
        write_function(area, i % 5, i);
        call(area, i % 5);
        if (i % 2)
            madvise(area, AREA_BYTES, MADV_DONTNEED);
        else if (mmap(area, AREA_BYTES, ALL, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != area)
            exit(77);
        sum += area[0];
    }
}

/* Two threads call functions of one page while a third one is written there, and data. */
static uint8_t *shared;
static int done;
static void *call_neighbours(void *result) {
    function *called;
    const uint8_t *code = shared + 64;
    long own = 0;
    memcpy(&called, &code, sizeof called);
    for (int i = 0; i < 100 * ROUNDS || !__atomic_load_n(&done, __ATOMIC_ACQUIRE); i++)
        own += called() == 7;
    memcpy(result, &own, sizeof own);
    return result;
}
static void share(void) {
    pthread_t threads[2];
    long calls[2];
    shared = map(ALL);
    write_function(shared + 64, 0, 7);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, call_neighbours, &calls[i]) != 0)
            exit(77);
    for (int i = 0; i < 10 * ROUNDS; i++) {
        write_function(shared + 512, i % 3, i);
        call(shared + 512, i % 3);
        shared[1024] = (uint8_t)i;
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        sum += calls[i] < 100 * ROUNDS;
    }
}

/* Many functions, called again and again, that lead to each other. */
static void chain(void) {
    enum { FUNCTIONS = 2000, BYTES = 32 };
    uint8_t *area = mmap(NULL, FUNCTIONS * BYTES, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        exit(77);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < FUNCTIONS; i++) {
            uint8_t *at = area + (size_t)i * BYTES;
            const size_t bytes = write_function(at, 1 + (i + round) % 3, i);
            const int32_t distance = (int32_t)(BYTES - (bytes - 1) - 5);
            if (i + 1 < FUNCTIONS) { /* jmp to the next one instead of ret */
                at[bytes - 1] = 0xe9;
                memcpy(at + bytes, &distance, sizeof distance);
            }
            flop += 3L * (1 + (i + round) % 3);
        }
        for (int i = 0; i < 3; i++)
            call(area, 0);
    }
}

/* Amid memory that leaves the counter no place near the code. */
static void enclose(void) {
    enum { FUNCTIONS = 200 };
    const size_t around = (size_t)2 << 30;
    uint8_t *all = mmap(NULL, 2 * around, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED || mprotect(all + around, AREA_BYTES, ALL) != 0)
        exit(77);
    for (int i = 0; i < FUNCTIONS; i++) {
        write_function(all + around + (size_t)i * 64, i % 5, i);
        call(all + around + (size_t)i * 64, i % 5);
    }
}

/* More large functions than a piece of the code cache holds, all of them written twice. */
static void fill(void) {
    enum { FUNCTIONS = 18000, ADDITIONS = 400, BYTES = 4 * ADDITIONS + 16 };
    uint8_t *area = mmap(NULL, (size_t)FUNCTIONS * BYTES, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        exit(77);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < FUNCTIONS; i++) {
            write_function(area + (size_t)i * BYTES, ADDITIONS - round, i);
            call(area + (size_t)i * BYTES, ADDITIONS - round);
        }
}

/* A signal's handler, and a thread, for which faults are blocked: natively none comes. */
static uint8_t *blocked_area;
static int blocked_round;
static void write_blocked(int number) {
    (void)number;
    write_function(blocked_area, blocked_round % 5, blocked_round);
}
static void block(void) {
    struct sigaction action = {.sa_handler = write_blocked};
    sigset_t faults, before, other;
    blocked_area = map(ALL);
    sigfillset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
    sigfillset(&faults);
    write_blocked(0);
    for (int i = 0; i < ROUNDS; i++) {
        call(blocked_area, blocked_round % 5);
        blocked_round = i;
        if (i % 2) {
            raise(SIGUSR1);
            continue;
        }
        sigprocmask(SIG_SETMASK, &faults, &before);
        write_blocked(0);
        call(blocked_area, blocked_round % 5);
        blocked_round++;
        write_blocked(0);
        sigprocmask(SIG_SETMASK, &before, &other);
        sum += sigismember(&other, SIGSEGV) * 3 + sigismember(&before, SIGSEGV);
    }
}

/* Another thread calls what lies on this one's stack, which is used meanwhile. */
static int returned;
static __attribute__((unused)) void *call_nested(void *nested) {
    long (*called)(long), result;
    memcpy(&called, nested, sizeof called);
    result = called(1);
    __atomic_store_n(&returned, 1, __ATOMIC_RELEASE);
    return (void *)result;
}
static void lend(void) {
#ifndef __clang__
    for (long i = 0; i < ROUNDS / 10; i++) {
        long nested(long value) {
            return value + i;
        }
        long (*pointer)(long) = nested;
        void *result;
        pthread_t thread;
        returned = 0;
        if (pthread_create(&thread, NULL, call_nested, &pointer) != 0)
            exit(77);
        for (volatile long passes = 0; !__atomic_load_n(&returned, __ATOMIC_ACQUIRE);)
            passes++;
        pthread_join(thread, &result);
        sum = sum * 31 + (long)result;
    }
#else
    exit(77);
#endif
}
static void *lend_too(void *none) {
    lend();
    return none;
}
static void lend_both(void) {
    pthread_t thread;
    lend();
    if (pthread_create(&thread, NULL, lend_too, NULL) != 0 || pthread_join(thread, NULL) != 0)
        exit(77);
}

/* A function in each second page: more of them than the kernel lets a process have mappings. */
static void scatter(void) {
    enum { FUNCTIONS = 40000 };
    const size_t bytes = (size_t)2 * FUNCTIONS * PAGE_BYTES;
    uint8_t *area = mmap(NULL, bytes, ALL, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED)
        exit(77);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < FUNCTIONS; i++) {
            write_function(area + (size_t)i * 2 * PAGE_BYTES, 1 + round, i + round);
            call(area + (size_t)i * 2 * PAGE_BYTES, 1 + round);
        }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {
        {"protect", protect},      {"overwrite", overwrite}, {"toggle", toggle},
        {"itself", change_itself}, {"twice", map_twice},     {"trampoline", trampoline},
        {"cross", cross_pages},    {"read", read_in},        {"receive", receive},
        {"anew", map_anew},        {"share", share},         {"chain", chain},
        {"enclosed", enclose},     {"full", fill},           {"scattered", scatter},
        {"blocked", block},        {"lent", lend_both},      {"poke", poke},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (argc > 1 && strcmp(argv[1], ways[i].name) != 0)
            continue;
        sum = flop = 0;
        carmine_region_begin(ways[i].name);
        ways[i].run();
        carmine_region_end(ways[i].name);
        printf("%s %ld\nregion \"%s\" flop %ld\n", ways[i].name, sum, ways[i].name, flop);
    }
    return 0;
}
