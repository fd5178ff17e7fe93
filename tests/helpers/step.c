/* SPDX-License-Identifier: BSD-3-Clause
 * The reference for counting: step PROGRAM [ARGUMENT…] runs a program natively, in single steps between SSC marks, and
 * prints how often each address was executed: "OBJECT OFFSET COUNT", and for a rep-prefixed instruction "OBJECT OFFSET
 * COUNT ITERATIONS" (expand prints the counter's results in the same format). It follows one thread. All signals that
 * arrive between marks must have handlers. A step takes 23 µs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

enum { CANNOT_TRACE = 77, MARK_BYTES = 8, TRAP_FLAG = 0x100 };
static const uint8_t begin_mark[MARK_BYTES] = {0xbb, 0x11, 0x01, 0, 0, 0x64, 0x67, 0x90};
static const uint8_t end_mark[MARK_BYTES] = {0xbb, 0x22, 0x02, 0, 0, 0x64, 0x67, 0x90};

struct mapping {
    uint64_t low, high, file_offset;
    char permissions[5], path[256];
};
struct place { /* an instruction */
    uint64_t address, count, iterations, file_offset;
    const char *object;
    bool repeats, ends; /* rep-prefixed; an end mark */
};

enum { MAX_MAPPINGS = 512, PLACES = 1 << 16 };
static struct mapping mappings[MAX_MAPPINGS];
static size_t mapping_count;
static struct place places[PLACES]; /* a hash table */
static pid_t child;
static int memory; /* of the child */

static _Noreturn __attribute__((format(printf, 2, 3))) void fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("step: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    if (child)
        kill(child, SIGKILL);
    exit(status);
}

static void read_mappings(void) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/maps", child);
    FILE *file = fopen(path, "r");
    if (!file)
        fail(2, "cannot open %s", path);
    mapping_count = 0;
    while (mapping_count < MAX_MAPPINGS && fgets(line, sizeof line, file)) {
        struct mapping *mapping = &mappings[mapping_count];
        mapping->path[0] = '\0';
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %255s", &mapping->low, &mapping->high,
                   mapping->permissions, &mapping->file_offset, mapping->path) >= 4)
            mapping_count++;
    }
    fclose(file);
}

static const struct mapping *find_mapping(uint64_t address) {
    for (int attempt = 0; attempt < 2; attempt++) {
        for (size_t i = 0; i < mapping_count; i++)
            if (address >= mappings[i].low && address < mappings[i].high)
                return &mappings[i];
        read_mappings(); /* objects were loaded since */
    }
    fail(2, "it executes at %#" PRIx64 ", an unmapped address", address);
}

/* The first begin mark in the program's own code, as mapped by exec. */
static uint64_t find_begin_mark(void) {
    read_mappings();
    for (size_t i = 0; i < mapping_count; i++) {
        size_t bytes = mappings[i].high - mappings[i].low;
        uint8_t *code = strchr(mappings[i].permissions, 'x') && mappings[i].path[0] == '/' ? malloc(bytes) : NULL;
        if (code && pread(memory, code, bytes, (off_t)mappings[i].low) == (ssize_t)bytes) {
            const uint8_t *mark = memmem(code, bytes, begin_mark, MARK_BYTES);
            if (mark) {
                uint64_t address = mappings[i].low + (uint64_t)(mark - code);
                free(code);
                return address;
            }
        }
        free(code);
    }
    fail(2, "it has no begin mark");
}

static struct place *find_place(uint64_t address) {
    size_t i = address * 0x9e3779b97f4a7c15 >> 48;
    for (size_t tried = 0; places[i].address != address; i = (i + 1) % PLACES) {
        if (places[i].address == 0)
            break;
        if (++tried == PLACES)
            fail(2, "more than %d instructions", PLACES);
    }
    struct place *place = &places[i];
    if (place->address == address)
        return place;
    static ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    uint8_t code[ZYDIS_MAX_INSTRUCTION_LENGTH];
    ZydisDecodedInstruction instruction;
    ssize_t bytes = pread(memory, code, sizeof code, (off_t)address);
    if (bytes <= 0 ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, (ZyanUSize)bytes, &instruction)))
        fail(2, "it executes what is no instruction, at %#" PRIx64, address);
    place->address = address;
    const struct mapping *mapping = find_mapping(address);
    place->object = strdup(mapping->path);
    place->file_offset = address - mapping->low + mapping->file_offset;
    place->repeats = instruction.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
    place->ends = bytes >= MARK_BYTES && memcmp(code, end_mark, MARK_BYTES) == 0;
    return place;
}

/* Continues the child; returns the signal of its next stop, 0 when it has ended. */
static int resume(enum __ptrace_request how, int signal, struct user_regs_struct *registers) {
    int status;
    if (ptrace(how, child, NULL, (void *)(intptr_t)signal) != 0 || waitpid(child, &status, 0) != child)
        fail(2, "the program is lost: %s", strerror(errno));
    if (!WIFSTOPPED(status)) {
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail(2, "the program failed (wait status %#x)", (unsigned)status);
        return 0;
    }
    ptrace(PTRACE_GETREGS, child, NULL, registers);
    return WSTOPSIG(status);
}

static void poke_byte(uint64_t address, uint8_t byte) {
    if (pwrite(memory, &byte, 1, (off_t)address) != 1)
        fail(2, "cannot write to the program");
}

/* From the first instruction after a begin mark to the next end mark. A step ends with SIGTRAP: after the instruction,
 * after each iteration of a rep-prefixed one, or at the entry of a handler if a signal was delivered. Any other signal
 * stops the program before it has executed the instruction. */
static void step_region(struct user_regs_struct *registers) {
    struct place *place = find_place(registers->rip);
    int signal = 0;
    uint64_t rcx = registers->rcx; /* before the instruction */
    while (!place->ends) {
        bool delivers = signal != 0;
        signal = resume(PTRACE_SINGLESTEP, signal, registers);
        if (signal == 0)
            fail(2, "the program ended in a region");
        if (!delivers && signal == SIGTRAP) {
            place->count += registers->rip != place->address || !place->repeats;
            place->iterations += place->repeats ? rcx - registers->rcx : 0;
        }
        place = find_place(registers->rip);
        rcx = registers->rcx;
        if (signal == SIGTRAP)
            signal = 0;
    }
    /* After a popfq the kernel takes the flag of single steps for the program's own. */
    registers->eflags &= ~(unsigned long long)TRAP_FLAG;
    ptrace(PTRACE_SETREGS, child, NULL, registers);
}

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

int main(int argc, char **argv) {
    if (argc < 2)
        fail(2, "usage: step PROGRAM [ARGUMENT…]");
    child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* keeps the program's output apart from ours */
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
            execvp(argv[1], argv + 1);
        _exit(CANNOT_TRACE);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        child = 0;
        fail(CANNOT_TRACE, "%s cannot be traced here", argv[1]);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", child);
    memory = open(path, O_RDWR | O_CLOEXEC);
    if (memory < 0)
        fail(CANNOT_TRACE, "cannot open %s", path);
    uint64_t begin = find_begin_mark();
    struct user_regs_struct registers;
    poke_byte(begin, 0xcc);
    for (int signal = 0; (signal = resume(PTRACE_CONT, signal, &registers)) != 0;) {
        if (signal != SIGTRAP || registers.rip != begin + 1)
            continue;
        poke_byte(begin, begin_mark[0]);
        registers.rip = begin;
        ptrace(PTRACE_SETREGS, child, NULL, &registers);
        while (registers.rip < begin + MARK_BYTES && registers.rip >= begin)
            resume(PTRACE_SINGLESTEP, 0, &registers);
        poke_byte(begin, 0xcc);
        step_region(&registers);
        signal = 0;
    }
    qsort(places, PLACES, sizeof *places, compare_places);
    for (size_t i = 0; i < PLACES; i++) {
        const struct place *place = &places[i];
        if (place->count == 0)
            continue;
        printf("%s %#" PRIx64 " %" PRIu64, place->object, place->file_offset, place->count);
        if (place->repeats)
            printf(" %" PRIu64, place->iterations);
        putchar('\n');
    }
    return 0;
}
