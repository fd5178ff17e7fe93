/* SPDX-License-Identifier: BSD-3-Clause
 * Profiles of counts that the test writes itself, with machine code of known cost: sums, the common parts of several
 * processes, every reason not to trust a folder, and truncated or changed files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/profile/dump.h"
#include "bench/profile/profile.h"
#include "bench/profile/profile_cost.h"
#include "probe/error.h"
#include "tests/support/folder.h"

/* Two blocks of this program, never executed, so that its own symbols name them. */
void profiled_vector(void), profiled_string(void);
__asm__(".pushsection .text\n"
        ".globl profiled_vector, profiled_string, profiled_end\n"
        ".type profiled_vector, @function\n.type profiled_string, @function\n"
        "profiled_vector:\n"
        "vmovapd (%rax), %ymm1\n"
        "vfmadd231pd 32(%rax), %ymm1, %ymm2\n"
        "vaddpd (%rax), %zmm1, %zmm2{%k1}\n"
        "vmulss (%rax), %xmm1, %xmm2\n"
        "push %rax\n"
        "jmp *(%rax)\n"
        ".size profiled_vector, . - profiled_vector\n"
        "profiled_string:\n"
        "rep movsq\n"
        "vmaskmovps %ymm1, %ymm2, (%rdi)\n"
        "fld1\n"
        "ret\n"
        ".size profiled_string, . - profiled_string\n"
        "profiled_end:\n"
        ".popsection\n");
extern const uint8_t profiled_end[];

enum { VECTOR, VECTOR_MASK, STRING, STRING_REPEAT, STRING_SIGNS, STRAY, VDSO, COUNTERS };
enum { VECTOR_INSTRUCTIONS = 6, STRING_INSTRUCTIONS = 4, STRAY_INSTRUCTIONS = 2, VDSO_INSTRUCTIONS = 1 };
static const uint8_t stray_code[] = {0x90, 0xc3}; /* nop, ret */
static const uint8_t vdso_code[] = {0x0f, 0x31};  /* rdtsc */

/* A file of counts under construction. */
struct writing {
    struct dump_header header;
    uint8_t bytes[1 << 16];
    size_t count;
};

static void put(struct writing *file, const void *bytes, size_t count) {
    assert_true(file->count + count <= sizeof file->bytes);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void put_object(struct writing *file, uint64_t low, uint64_t high, uint64_t offset, const char *path) {
    struct dump_object object = {.low = low, .high = high, .file_offset = offset};
    snprintf(object.path, sizeof object.path, "%s", path);
    put(file, &object, sizeof object);
    file->header.object_count++;
}

static void put_block(struct writing *file, uint64_t address, uint32_t object, uint32_t counter, uint32_t bytes,
                      uint32_t instructions) {
    struct dump_block block = {address, object, counter, bytes, instructions};
    put(file, &block, sizeof block);
    file->header.block_count++;
    file->header.code_bytes += bytes;
}

static void put_region(struct writing *file, const char *name, uint64_t calls, uint32_t open, uint32_t mismatched) {
    struct dump_region region = {.calls = calls, .open = open, .mismatched = mismatched};
    snprintf(region.name, sizeof region.name, "%s", name);
    put(file, &region, sizeof region);
    file->header.region_count++;
}

static void put_counts(struct writing *file, uint32_t region, uint32_t thread, const uint64_t values[COUNTERS]) {
    struct dump_counts counts = {.region = region, .thread = thread};
    for (unsigned i = 0; i < COUNTERS; i++)
        counts.value_count += values[i] != 0;
    put(file, &counts, sizeof counts);
    for (unsigned i = 0; i < COUNTERS; i++)
        if (values[i] != 0)
            put(file, &(struct dump_value){i, values[i]}, sizeof(struct dump_value));
    file->header.count_count++;
}

/* This program's mapping of the two functions. */
static struct dump_object own_code;

static int find_own_code(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr, at = (uintptr_t)profiled_vector;
        if (header->p_type == PT_LOAD && at >= low && at < low + header->p_filesz)
            own_code =
                (struct dump_object){.low = low, .high = low + header->p_filesz, .file_offset = header->p_offset};
    }
    return 1; /* the program itself comes first */
}

static void write_file(const char *name, const void *bytes, size_t count) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", fixture_folder, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* The objects, the blocks and their code, shared by all files. */
static void begin(struct writing *file) {
    const char *vector = (const char *)(uintptr_t)profiled_vector, *string = (const char *)(uintptr_t)profiled_string;
    enum { NOBODYS = 2000004242 }; /* number: larger than the system gives to processes */
    *file = (struct writing){.header = {.magic = DUMP_MAGIC, .complete = 1, .pid = NOBODYS, .program = "/opt/solver"}};
    put(file, &file->header, sizeof file->header);
    put_object(file, 0, 0, 0, "");
    put_object(file, own_code.low, own_code.high, own_code.file_offset, own_code.path);
    put_object(file, 0x7000, 0x8000, 0, "[vdso]");
    uint32_t vector_bytes = (uint32_t)(string - vector), string_bytes = (uint32_t)((const char *)profiled_end - string);
    put_block(file, (uintptr_t)vector, 1, VECTOR, vector_bytes, VECTOR_INSTRUCTIONS);
    put_block(file, (uintptr_t)string, 1, STRING, string_bytes, STRING_INSTRUCTIONS);
    put_block(file, 0x1234, 0, STRAY, sizeof stray_code, STRAY_INSTRUCTIONS);
    put_block(file, 0x7010, 2, VDSO, sizeof vdso_code, VDSO_INSTRUCTIONS);
    put(file, vector, vector_bytes);
    put(file, string, string_bytes);
    put(file, stray_code, sizeof stray_code);
    put(file, vdso_code, sizeof vdso_code);
    file->header.counter_count = COUNTERS;
}

static void put_threads(struct writing *file, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        put(file, &(struct dump_thread){.tid = 4242 + i}, sizeof(struct dump_thread));
    file->header.thread_count = count;
}

static void finish(struct writing *file) {
    memcpy(file->bytes, &file->header, sizeof file->header);
}

/* Two working threads and one idle; a region of both, and one that was left open. */
static void write_solver(struct writing *file) {
    begin(file);
    put_region(file, "", 1, 0, 0);
    put_region(file, "solve", 3, 0, 1);
    put_region(file, "left open", 1, 1, 0);
    put_threads(file, 3);
    put_counts(file, 1, 1, (uint64_t[COUNTERS]){[VECTOR] = 20, [VECTOR_MASK] = 160});
    put_counts(file, 0, 0,
               (uint64_t[COUNTERS]){[VECTOR] = 10,
                                    [VECTOR_MASK] = 40,
                                    [STRING] = 2,
                                    [STRING_REPEAT] = 100,
                                    [STRING_SIGNS] = 5,
                                    [STRAY] = 4,
                                    [VDSO] = 3});
    put_counts(file, 1, 0, (uint64_t[COUNTERS]){[VECTOR] = 5, [VECTOR_MASK] = 7});
    put_counts(file, 0, 1, (uint64_t[COUNTERS]){[VECTOR] = 20, [VECTOR_MASK] = 160});
    finish(file);
}

static void put_slice(struct writing *file, struct dump_slice slice, const uint64_t values[COUNTERS]) {
    for (unsigned i = 0; i < COUNTERS; i++)
        slice.value_count += values[i] != 0;
    put(file, &slice, sizeof slice);
    for (unsigned i = 0; i < COUNTERS; i++)
        if (values[i] != 0)
            put(file, &(struct dump_value){i, values[i]}, sizeof(struct dump_value));
    file->header.slice_count++;
}

static struct profile read_well(void) {
    struct profile profile;
    struct error err = {""};
    if (!profile_read(fixture_folder, &profile, &err))
        fail_msg("%s", err.text);
    return profile;
}

static void assert_count(const struct count *is, const struct count *want) {
    const uint64_t *a = (const uint64_t *)is, *b = (const uint64_t *)want;
    for (size_t i = 0; i < COUNT_WORDS; i++)
        if (a[i] != b[i])
            fail_msg("word %zu of the count is %llu, not %llu", i, (unsigned long long)a[i], (unsigned long long)b[i]);
}

/* Derived by hand from the assembly above. */
static struct count vector_count(uint64_t executions, uint64_t mask_bits) {
    struct count count = {
        .instructions = 6 * executions,
        .load_instructions = 5 * executions,
        .fused_flop = 8 * executions,
        .full_flop = (8 + 8 + 1) * executions,
        .load_bytes = (32 + 32 + 4 + 8) * executions + 8 * mask_bits,
        .full_load_bytes = (32 + 32 + 64 + 4 + 8) * executions,
        .stack_store_bytes = 8 * executions,
    };
    count.flop[COUNT_F64][COUNT_256] = 8 * executions;
    count.flop[COUNT_F64][COUNT_512] = mask_bits;
    count.flop[COUNT_F32][COUNT_SCALAR] = executions;
    count.mix[CLASS_MOVE] = 2 * executions;
    count.mix[CLASS_FLOP_256] = count.mix[CLASS_FLOP_512] = count.mix[CLASS_FLOP_SCALAR] = executions;
    count.mix[CLASS_BRANCH] = executions;
    return count;
}

static struct count string_count(uint64_t executions, uint64_t steps, uint64_t signs) {
    struct count count = {
        .instructions = 4 * executions,
        .load_instructions = executions,
        .store_instructions = 2 * executions,
        .load_bytes = 8 * steps,
        .full_load_bytes = 8 * steps,
        .store_bytes = 8 * steps + 4 * signs,
        .full_store_bytes = 8 * steps + 32 * executions,
        .stack_load_bytes = 8 * executions,
    };
    count.mix[CLASS_STRING] = count.mix[CLASS_CALL] = executions;
    count.mix[CLASS_MOVE] = 2 * executions;
    return count;
}

static struct count stray_count(uint64_t executions) {
    struct count count = {.instructions = 2 * executions, .stack_load_bytes = 8 * executions};
    count.mix[CLASS_OTHER] = count.mix[CLASS_CALL] = executions;
    return count;
}

static struct count vdso_count(uint64_t executions) {
    struct count count = {.instructions = executions};
    count.mix[CLASS_OTHER] = executions;
    return count;
}

static struct count sum(struct count a, struct count b) {
    count_add(&a, &b);
    return a;
}

static void assert_function(const struct profile_function *function, const char *name, const char *object,
                            struct count want) {
    assert_string_equal(function->name, name);
    assert_string_equal(function->object, object);
    assert_count(&function->count, &want);
}

/* A thread's slices add up to its counts; the last one has the rest. Places are those of the code. */
static void slices_are_parts_of_a_thread(void **state) {
    (void)state;
    static struct writing file;
    begin(&file);
    put_region(&file, "", 1, 0, 0);
    put_threads(&file, 2);
    put_counts(&file, 0, 0, (uint64_t[COUNTERS]){[VECTOR] = 10, [VECTOR_MASK] = 40, [STRAY] = 4});
    put_counts(&file, 0, 1, (uint64_t[COUNTERS]){[VDSO] = 3});
    put_slice(&file, (struct dump_slice){.wall_ns = 7, .cpu_ns = 4, .thread = 1}, (uint64_t[COUNTERS]){[VDSO] = 3});
    put_slice(&file, (struct dump_slice){.wall_ns = 5, .cpu_ns = 2, .counter = STRING, .offset = 1},
              (uint64_t[COUNTERS]){[VECTOR] = 6, [VECTOR_MASK] = 30});
    put_slice(&file, (struct dump_slice){.wall_ns = 6, .cpu_ns = 3, .counter = STRAY},
              (uint64_t[COUNTERS]){[VECTOR] = (uint64_t)-1, [STRAY] = 4});
    finish(&file);
    write_file("count.4242.0", file.bytes, file.count);
    struct profile profile = read_well();
    assert_int_equal(profile.slice_count, 3);
    const struct profile_slice *slices = profile.slices;
    const struct count first = vector_count(6, 30), last = vdso_count(3),
                       rest = sum(vector_count(4, 10), stray_count(4));
    assert_true(slices[0].wall_ns == 5 && slices[0].cpu_ns == 2 && slices[0].tid == 4242);
    assert_true(slices[0].place ==
                profile_place(own_code.path, own_code.file_offset + (uintptr_t)profiled_string + 1 - own_code.low));
    assert_true(slices[1].place == profile_place(COLLECTOR_WRITTEN, 1) && slices[2].place == 0);
    assert_count(&slices[0].count, &first);
    assert_count(&slices[1].count, &rest);
    assert_count(&slices[2].count, &last);
    assert_true(profile_place("/a", 63) == profile_place("/a", 0) && profile_place("/a", 64) != profile_place("/a", 0));
    assert_true(profile_place("/a", 0) != profile_place("/b", 0));
    profile_free(&profile);
}

static void sums_by_region_function_and_thread(void **state) {
    (void)state;
    static struct writing file;
    write_solver(&file);
    write_file("count.4242.0", file.bytes, file.count);
    struct profile profile = read_well();
    const char *slash = strrchr(own_code.path, '/');
    assert_int_equal(profile.process_count, 1);
    assert_int_equal(profile.region_count, 3);

    const struct profile_region *program = &profile.regions[0];
    struct count first = sum(sum(vector_count(10, 40), string_count(2, 100, 5)), sum(stray_count(4), vdso_count(3)));
    struct count second = vector_count(20, 160), all = sum(first, second);
    assert_string_equal(program->name, "");
    assert_int_equal(program->calls, 1);
    assert_count(&program->count, &all);
    assert_int_equal(count_flop(&program->count), 8 * 30 + 200 + 30);
    assert_int_equal(program->thread_count, 2);
    assert_count(&program->threads[0], &first);
    assert_count(&program->threads[1], &second);
    assert_int_equal(program->function_count, 4);
    assert_function(&program->functions[0], "profiled_vector", slash + 1, vector_count(30, 200));
    assert_function(&program->functions[1], "", "[unknown]", stray_count(4));
    assert_function(&program->functions[2], "profiled_string", slash + 1, string_count(2, 100, 5));
    assert_function(&program->functions[3], "", "[vdso]", vdso_count(3));

    const struct profile_region *solve = profile_region_find(&profile, "solve");
    struct count early = vector_count(5, 7), late = vector_count(20, 160), inside = sum(early, late);
    assert_ptr_equal(solve, &profile.regions[1]);
    assert_int_equal(solve->calls, 3);
    assert_int_equal(solve->mismatched, 1);
    assert_count(&solve->count, &inside);
    assert_int_equal(solve->thread_count, 2);
    assert_count(&solve->threads[0], &early);
    assert_count(&solve->threads[1], &late);
    assert_int_equal(solve->function_count, 1);

    const struct profile_region *open = profile_region_find(&profile, "left open");
    assert_int_equal(open->open, 1);
    assert_int_equal(open->count.instructions, 0);
    assert_int_equal(open->thread_count + open->function_count, 0);
    assert_null(profile_region_find(&profile, "no such region"));
    profile_free(&profile);
}

/* An image that it became by an exec, and a child with its own region. */
static void processes_are_summed_up(void **state) {
    (void)state;
    static struct writing file;
    write_solver(&file);
    write_file("count.4242.0", file.bytes, file.count);
    write_file("count.4242.1", file.bytes, file.count);
    begin(&file);
    put_region(&file, "", 1, 0, 0);
    put_region(&file, "of the child", 2, 0, 0);
    put_region(&file, "solve", 4, 1, 0);
    put_threads(&file, 1);
    put_counts(&file, 0, 0, (uint64_t[COUNTERS]){[STRAY] = 9});
    put_counts(&file, 2, 0, (uint64_t[COUNTERS]){[STRAY] = 1});
    finish(&file);
    write_file("count.999.0", file.bytes, file.count);
    struct profile profile = read_well();
    assert_int_equal(profile.process_count, 3);
    assert_int_equal(profile.region_count, 4);
    assert_string_equal(profile.regions[0].name, "");
    assert_int_equal(profile.regions[0].calls, 3);
    assert_int_equal(profile.regions[0].thread_count, 5);
    assert_int_equal(profile.regions[0].threads[0].instructions, 18);
    const struct profile_region *solve = profile_region_find(&profile, "solve");
    struct count inside = sum(vector_count(50, 334), stray_count(1));
    assert_count(&solve->count, &inside);
    assert_int_equal(solve->calls, 3 + 3 + 4);
    assert_int_equal(solve->open, 1);
    assert_int_equal(solve->mismatched, 2);
    assert_int_equal(solve->function_count, 2);
    assert_int_equal(solve->functions[0].count.instructions, 300);
    assert_non_null(profile_region_find(&profile, "of the child"));
    profile_free(&profile);
}

/* A refusal names the program and the remedy. */
static void assert_refused(const char *one, const char *two, const char *three) {
    struct profile profile;
    struct error err = {""};
    const char *const parts[] = {one, two, three};
    if (profile_read(fixture_folder, &profile, &err))
        fail_msg("there should be an error with \"%s\"", one);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(err.text, parts[i]) == NULL)
            fail_msg("\"%s\" is not in \"%s\"", parts[i], err.text);
    assert_int_equal(profile.region_count, 0);
}

static void nothing_there_is_an_error(void **state) {
    (void)state;
    struct profile profile;
    struct error err = {""};
    assert_refused(fixture_folder, "rights of its own", "measure a copy");
    assert_false(profile_read("/no/such/folder", &profile, &err));
    assert_non_null(strstr(err.text, "/no/such/folder"));
}

static void a_killed_program_is_an_error(void **state) {
    (void)state;
    static struct writing file;
    write_solver(&file);
    file.header.complete = 0;
    finish(&file);
    write_file("count.4242.0", file.bytes, sizeof file.header);
    assert_refused("/opt/solver", "4242", "killed, it crashed, or a tracer or an emulator");
}

/* If processes are known to be killed natively, too. */
static void others_than_killed_ones_count(void **state) {
    (void)state;
    static struct writing file;
    struct profile profile;
    struct error err = {""};
    write_solver(&file);
    write_file("count.4242.0", file.bytes, file.count);
    file.header.complete = 0;
    finish(&file);
    write_file("count.4243.0", file.bytes, sizeof file.header);
    assert_true(profile_read_ended(fixture_folder, 1, &profile, &err));
    assert_int_equal(profile.killed_count, 1);
    assert_int_equal(profile.process_count, 1);
    assert_int_equal(count_flop(&profile.regions[0].count), 8 * 30 + 200 + 30);
    profile_free(&profile);
    assert_refused("/opt/solver", "4242", "killed");
    file.header.pid = (uint32_t)getpid(); /* one that is alive */
    finish(&file);
    write_file("count.4243.0", file.bytes, sizeof file.header);
    assert_false(profile_read_ended(fixture_folder, 1, &profile, &err));
    assert_non_null(strstr(err.text, "still runs"));
}

static void a_program_that_can_not_be_counted_is_an_error(void **state) {
    (void)state;
    static struct writing file;
    struct profile profile;
    struct error err = {""};
    write_solver(&file);
    snprintf(file.header.failure, sizeof file.header.failure, "it executes code that it wrote itself");
    finish(&file);
    write_file("count.4242.0", file.bytes, file.count);
    assert_refused("/opt/solver", "it executes code that it wrote itself", "--counters papi");
    write_file("exec.77.0", "/usr/bin/sudo", strlen("/usr/bin/sudo")); /* an exec that was not followed */
    assert_refused("/opt/solver", "it executes code that it wrote itself", "--counters papi");
    snprintf(file.header.failure, sizeof file.header.failure, "a sanitizer is in it; measure another build");
    finish(&file);
    write_file("count.4242.0", file.bytes, file.count);
    assert_false(profile_read(fixture_folder, &profile, &err));
    assert_non_null(strstr(err.text, "; measure another build"));
    assert_null(strstr(err.text, "--counters"));
}

static void a_program_that_was_not_counted_is_an_error(void **state) {
    (void)state;
    static struct writing file;
    write_solver(&file);
    write_file("count.4242.0", file.bytes, file.count);
    write_file("exec.77.0", "/usr/bin/sudo", strlen("/usr/bin/sudo"));
    assert_refused("/usr/bin/sudo", "77", "setuid");
}

static void a_program_that_became_one_that_was_not_counted_is_an_error(void **state) {
    (void)state;
    static struct writing file;
    struct profile profile;
    struct error err;
    write_solver(&file);
    snprintf(file.header.executes, sizeof file.header.executes, "/usr/bin/sudo");
    finish(&file);
    write_file("count.4242.9", file.bytes, file.count);
    assert_refused("/usr/bin/sudo", "was started and not counted", "setuid");
    file.header.executes[0] = '\0';
    finish(&file);
    write_file("count.4242.10", file.bytes, file.count); /* that process wrote its counts */
    assert_true(profile_read(fixture_folder, &profile, &err));
    profile_free(&profile);
}

/* One error at a time. */
static void what_is_damaged_is_named(void **state) {
    (void)state;
    static struct writing right;
    write_solver(&right);
    const size_t objects = sizeof right.header, blocks = objects + 3 * sizeof(struct dump_object);
    const size_t regions = blocks + 4 * sizeof(struct dump_block) + right.header.code_bytes;
    const size_t threads = regions + 3 * sizeof(struct dump_region);
    const size_t counts = threads + 3 * sizeof(struct dump_thread);
    const struct {
        size_t offset;
        uint32_t value;
        const char *message;
    } rows[] = {
        {0, 0x46464952, "not a file of this version"},
        {offsetof(struct dump_header, object_count), 0, "damaged"},
        {offsetof(struct dump_header, object_count), 4, "damaged"},
        {offsetof(struct dump_header, block_count), UINT32_MAX, "shorter than its header"},
        {offsetof(struct dump_header, code_bytes), UINT32_MAX, "shorter than its header"},
        {offsetof(struct dump_header, code_bytes) + 4, UINT32_MAX, "shorter than its header"},
        {offsetof(struct dump_header, counter_count), UINT32_MAX, "more counters"},
        {offsetof(struct dump_header, counter_count), 2, "a missing counter"},
        {offsetof(struct dump_header, counter_count), 3, "counter"},
        {offsetof(struct dump_header, region_count), 0, "no region"},
        {offsetof(struct dump_header, thread_count), 0, "damaged"},
        {offsetof(struct dump_header, count_count), UINT32_MAX, "ends within"},
        {offsetof(struct dump_header, count_count), 5, "ends within"},
        {offsetof(struct dump_header, count_count), 3, "data after its counts"},
        {blocks + offsetof(struct dump_block, object), 3, "names a missing object"},
        {blocks + offsetof(struct dump_block, object), 2, "outside of its object"},
        {blocks + offsetof(struct dump_block, counter), COUNTERS, "a missing counter"},
        {blocks + offsetof(struct dump_block, code_bytes), 5, "bytes"},
        {blocks + offsetof(struct dump_block, instruction_count), 5, "after its last instruction"},
        {blocks + offsetof(struct dump_block, instruction_count), 7, "no instruction"},
        {blocks + offsetof(struct dump_block, instruction_count), 9999, "more instructions than bytes"},
        {blocks + 4 * sizeof(struct dump_block), 0x06060606, "no instruction"},
        {regions, 'x', "name"},
        {regions + sizeof(struct dump_region), 0, "name"},
        {counts + offsetof(struct dump_counts, region), 3, "missing region or thread"},
        {counts + offsetof(struct dump_counts, thread), 3, "missing region or thread"},
        {counts + offsetof(struct dump_counts, value_count), UINT32_MAX, "ends within"},
        {counts + sizeof(struct dump_counts), COUNTERS, "a missing counter"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct writing wrong;
        wrong = right;
        memcpy(wrong.bytes + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        write_file("count.4242.0", wrong.bytes, wrong.count);
        assert_refused(rows[i].message, "count.4242.0", "");
    }
}

/* Nothing is lost between lines, loops and the program, including instructions with their own counters and strays. */
static void parts_are_the_whole(void **state) {
    (void)state;
    static struct writing file;
    struct profile profile;
    struct error err = {""};
    write_solver(&file);
    write_file("count.4242.0", file.bytes, file.count);
    write_file("count.4243.0", file.bytes, file.count); /* the same parts once more */
    if (!profile_read_parts(fixture_folder, 0, &profile, &err))
        fail_msg("%s", err.text);
    const struct profile_parts *parts = profile.parts;
    struct count loops = parts->outside, lines = {0};
    for (size_t i = 0; i < parts->loop_count; i++)
        count_add(&loops, &parts->loops[i].own);
    for (size_t i = 0; i < parts->line_count; i++)
        count_add(&lines, &parts->lines[i].count);
    assert_in_range(parts->line_count, 3, 10); /* of both processes together */
    assert_count(&loops, &profile.regions[0].count);
    assert_count(&lines, &profile.regions[0].count);
    const struct profile_place *place =
        profile_place_find(parts, own_code.path, own_code.file_offset + ((uintptr_t)profiled_string - own_code.low));
    assert_non_null(place);
    assert_string_equal(parts->lines[place->line].source.function, "profiled_string");
    assert_int_equal(place->loop, PART_NONE);
    profile_free(&profile);
}

static void every_truncation_is_an_error(void **state) {
    (void)state;
    static struct writing file;
    write_solver(&file);
    write_file("count.4242.0", file.bytes, 0);
    assert_refused("count.4242.0", "killed as soon as it began", "");
    for (size_t count = 1; count < file.count; count++) {
        write_file("count.4242.0", file.bytes, count);
        assert_refused("count.4242.0", "damaged", "");
    }
}

/* An error or any profile, but never a crash. */
static void any_change_is_survived(void **state) {
    (void)state;
    enum { CHANGES = 600 };
    static struct writing file;
    unsigned refused = 0;
    srand(7);
    for (size_t i = 0; i < CHANGES; i++) {
        write_solver(&file);
        size_t at = i % 2 == 0 ? (size_t)rand() % file.count : offsetof(struct dump_header, pid) + (size_t)rand() % 44;
        uint32_t value = i % 3 == 0 ? (uint32_t)rand() : i % 3 == 1 ? (uint32_t)rand() % 16 : UINT32_MAX;
        memcpy(file.bytes + at, &value, at + 4 <= file.count ? 4 : 1);
        write_file("count.4242.0", file.bytes, file.count);
        struct profile profile;
        struct error err = {""};
        if (profile_read_parts(fixture_folder, 0, &profile, &err))
            profile_free(&profile);
        else
            refused += strlen(err.text) > 0;
    }
    print_message("%u of %u were refused\n", refused, CHANGES);
    assert_in_range(refused, CHANGES / 10, CHANGES - 1);
}

static void integers_are_no_flop(void **state) {
    (void)state;
    struct count count = {.instructions = 0};
    struct effect effect = {.class = CLASS_FLOP_512, .type = TYPE_I8, .flop = 128, .flop_bytes = 64};
    count_executions(&count, &effect, 3);
    effect.type = TYPE_I16;
    count_executions(&count, &effect, 2);
    assert_int_equal(count.flop[COUNT_I8][COUNT_512], 384);
    assert_int_equal(count.flop[COUNT_I16][COUNT_512], 256);
    assert_int_equal(count_flop(&count), 0);
    assert_int_equal(count.full_flop, 0);
}

/* A tile's configuration is no mask: what it leaves out is not missing from the full cost. */
static void tiles_count_by_their_elements(void **state) {
    (void)state;
    struct count count = {.instructions = 0};
    struct effect effect = {.class = CLASS_FLOP_TILE,
                            .type = TYPE_BF16,
                            .flop = 16384,
                            .dynamic = DYNAMIC_TILE_PRODUCT,
                            .elements_most = 8192,
                            .element_flop = 2};
    count_executions(&count, &effect, 2);
    assert_int_equal(count_flop(&count), 0);
    count_elements(&count, &effect, 100);
    assert_int_equal(count.flop[COUNT_BF16][COUNT_TILE], 200);
    assert_int_equal(count.full_flop, 200);
    assert_int_equal(count.mix[CLASS_FLOP_TILE], 2);
}

/* x87 has no width, and a broadcast operand is loaded whatever the mask is. */
static void what_the_mask_does_not_govern_is_counted_in_full(void **state) {
    (void)state;
    struct count count = {.instructions = 0};
    struct effect masked = {.class = CLASS_FLOP_512,
                            .type = TYPE_F64,
                            .flop = 8,
                            .flop_bytes = 64,
                            .load_bytes = 8,
                            .dynamic = DYNAMIC_MASK,
                            .elements_most = 8,
                            .element_flop = 1};
    struct effect x87 = {.class = CLASS_FLOP_SCALAR, .type = TYPE_F64, .x87 = true, .flop = 1};
    count_executions(&count, &masked, 10);
    count_elements(&count, &masked, 30);
    count_executions(&count, &x87, 5);
    assert_int_equal(count.flop[COUNT_F64][COUNT_512], 30);
    assert_int_equal(count.flop[COUNT_X87][COUNT_SCALAR], 5);
    assert_int_equal(count.full_flop, 85);
    assert_int_equal(count.load_bytes, 80);
    assert_int_equal(count.full_load_bytes, 80);
}

static void fused_multiply_adds_are_told_apart(void **state) {
    (void)state;
    struct count count = {.instructions = 0};
    struct effect effect = {.sort = SORT_FMA, .class = CLASS_FLOP_512, .type = TYPE_F64, .flop = 16, .flop_bytes = 64};
    count_executions(&count, &effect, 3);
    effect.dynamic = DYNAMIC_MASK, effect.elements_most = 8, effect.element_flop = 2;
    count_executions(&count, &effect, 2);
    count_elements(&count, &effect, 5);
    effect = (struct effect){.sort = SORT_ADD, .class = CLASS_FLOP_512, .type = TYPE_F64, .flop = 8, .flop_bytes = 64};
    count_executions(&count, &effect, 1);
    assert_int_equal(count.fused_flop, 48 + 10);
    assert_int_equal(count_flop(&count), 48 + 10 + 8);
}

static int prepare(void **state) {
    dl_iterate_phdr(find_own_code, NULL);
    const ssize_t bytes = readlink("/proc/self/exe", own_code.path, sizeof own_code.path - 1);
    return bytes > 0 ? fixture_folder_make(state) : -1;
}

/* Lines 4 to 7 and 4 to 11 by two instructions of the string's, 0 to 7 and 64 by the stray's; two pages. `*offset`:
 * begin of the touched data. */
static void write_touches(struct writing *file, uint64_t touches, size_t *offset) {
    static const struct dump_touch told[] = {{STRING, 0, DUMP_TOUCH_LINES, 0, 0xf0},
                                             {STRING, 1, DUMP_TOUCH_LINES, 0, 0xff0},
                                             {STRING, 0, DUMP_TOUCH_PAGES, 7, 3},
                                             {STRAY, 0, DUMP_TOUCH_LINES, 0, 0xff},
                                             {STRAY, 0, DUMP_TOUCH_LINES, 1, 1}};
    begin(file);
    file->header.levels = (struct dump_levels_request){.one_of = 1};
    file->header.levels.geometry.level_count = 1;
    file->header.levels.geometry.levels[0] = (struct hierarchy_level){.level = 1, .set_count = 64, .ways = 8};
    put_region(file, "", 1, 0, 0);
    put_threads(file, 2);
    put_counts(file, 0, 0, (uint64_t[COUNTERS]){[STRING] = 2, [STRING_REPEAT] = 100, [STRING_SIGNS] = 5});
    put_counts(file, 0, 1, (uint64_t[COUNTERS]){[STRAY] = 4});
    put(file, &(struct touched){13, 2}, sizeof(struct touched));
    for (uint32_t thread = 0; thread < 2; thread++)
        put(file, &(struct dump_traffic){.thread = thread, .footprint = {8 + thread, 2 * (thread == 0)}},
            sizeof(struct dump_traffic));
    *offset = file->count;
    put(file, &(struct dump_touches){touches}, sizeof(struct dump_touches));
    if (touches != DUMP_NOT_KNOWN)
        put(file, told, sizeof told);
    finish(file);
}

static void assert_touched(struct touched is, uint64_t lines, uint64_t pages) {
    assert_int_equal(is.lines, lines);
    assert_int_equal(is.pages, pages);
}

/* By two processes with separate memory. */
static void what_code_touched_counts_once(void **state) {
    (void)state;
    enum { TOUCHES = 5 };
    static struct writing file;
    struct profile profile;
    struct error err = {""};
    size_t at;
    write_touches(&file, TOUCHES, &at);
    write_file("count.4242.0", file.bytes, file.count);
    write_file("count.4243.0", file.bytes, file.count);
    if (!profile_read_parts(fixture_folder, 0, &profile, &err))
        fail_msg("%s", err.text);
    const struct profile_region *program = &profile.regions[0];
    assert_false(profile.touches_unknown);
    assert_touched(program->touched, 26, 4);
    assert_int_equal(program->function_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const bool is_string = program->functions[i].name[0] != '\0';
        assert_touched(program->functions[i].touched, is_string ? 16 : 18, is_string ? 4 : 0);
    }
    assert_int_equal(program->thread_count, 4);
    assert_touched(program->thread_touched[0], 8, 2);
    assert_touched(program->thread_touched[3], 9, 0);
    profile_free(&profile);

    write_touches(&file, DUMP_NOT_KNOWN, &at); /* of one process */
    write_file("count.4243.0", file.bytes, file.count);
    profile = read_well();
    assert_true(profile.touches_unknown);
    assert_touched(profile.regions[0].touched, 26, 4);
    profile_free(&profile);
}

static void touches_that_are_damaged_are_named(void **state) {
    (void)state;
    static struct writing file;
    size_t at;
    const struct {
        size_t offset;
        uint32_t value;
        const char *message;
    } rows[] = {
        {0, 6, "ends within its touches"},
        {4, UINT32_MAX, "ends within its touches"},
        {0, 4, "data after its counts"},
        {sizeof(struct dump_touches), COUNTERS, "a touch of a missing counter"},
        {sizeof(struct dump_touches) + 4, DUMP_TOUCH_KINDS << 16, "a touch of a missing counter"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_touches(&file, 5, &at);
        memcpy(file.bytes + at + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        write_file("count.4242.0", file.bytes, file.count);
        assert_refused(rows[i].message, "count.4242.0", "");
    }
    write_touches(&file, 5, &at);
    write_file("count.4242.0", file.bytes, at + 4);
    assert_refused("damaged", "ends before its touches", "");
}

/* A rank whose thread was in the vector's code outside MPI, and in the string's within MPI. */
static void write_rank(struct writing *file, uint32_t number) {
    begin(file);
    file->header.rank = (struct rank){number, 2, 0};
    put_region(file, "", 1, 0, 0);
    put(file, &(struct dump_thread){.tid = 1}, sizeof(struct dump_thread));
    put(file, &(struct dump_thread){.tid = 1, .in_mpi = 1}, sizeof(struct dump_thread));
    file->header.thread_count = 2;
    put_counts(file, 0, 0, (uint64_t[COUNTERS]){[VECTOR] = 10 * (number + 1), [VECTOR_MASK] = 40});
    put_counts(file, 0, 1, (uint64_t[COUNTERS]){[STRING] = 2, [STRING_REPEAT] = 100, [STRING_SIGNS] = 5});
    finish(file);
}

static void ranks_and_mpi_are_apart(void **state) {
    (void)state;
    static struct writing file;
    write_rank(&file, 1);
    write_file("count.4242.0", file.bytes, file.count);
    write_rank(&file, 0);
    write_file("count.4243.0", file.bytes, file.count);
    write_solver(&file); /* it started them and has not ended */
    file.header.complete = 0;
    finish(&file);
    write_file("count.4241.0", file.bytes, file.count);
    struct profile profile = read_well();
    const struct profile_region *program = &profile.regions[0];
    const struct count first = vector_count(10, 40), second = vector_count(20, 40), mpi = string_count(2, 100, 5),
                       all = sum(first, second), all_mpi = sum(mpi, mpi);
    assert_int_equal(profile.process_count, 2);
    assert_int_equal(profile.region_count, 1);
    assert_count(&program->count, &all);
    assert_count(&program->mpi, &all_mpi);
    assert_int_equal(program->thread_count, 2);
    assert_int_equal(program->function_count, 1);
    assert_function(&program->functions[0], "profiled_vector", strrchr(own_code.path, '/') + 1, all);
    assert_int_equal(program->rank_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(program->ranks[i].thread_count, 1);
        assert_count(&program->ranks[i].count, program->ranks[i].number == 0 ? &first : &second);
        assert_count(&program->ranks[i].mpi, &mpi);
    }
    profile_free(&profile);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, prepare, fixture_folder_remove)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(sums_by_region_function_and_thread),
        IN_FOLDER(slices_are_parts_of_a_thread),
        IN_FOLDER(ranks_and_mpi_are_apart),
        IN_FOLDER(what_code_touched_counts_once),
        IN_FOLDER(touches_that_are_damaged_are_named),
        IN_FOLDER(processes_are_summed_up),
        IN_FOLDER(nothing_there_is_an_error),
        IN_FOLDER(a_killed_program_is_an_error),
        IN_FOLDER(others_than_killed_ones_count),
        IN_FOLDER(a_program_that_can_not_be_counted_is_an_error),
        IN_FOLDER(a_program_that_was_not_counted_is_an_error),
        IN_FOLDER(a_program_that_became_one_that_was_not_counted_is_an_error),
        IN_FOLDER(what_is_damaged_is_named),
        IN_FOLDER(parts_are_the_whole),
        IN_FOLDER(every_truncation_is_an_error),
        IN_FOLDER(any_change_is_survived),
        cmocka_unit_test(integers_are_no_flop),
        cmocka_unit_test(tiles_count_by_their_elements),
        cmocka_unit_test(what_the_mask_does_not_govern_is_counted_in_full),
        cmocka_unit_test(fused_multiply_adds_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
