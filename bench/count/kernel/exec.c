/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/reach.h"
#include "probe/marks/collector.h"

enum { EXEC_WORDS = 6144, EXEC_SCRIPTS = 4, EXEC_PATH_BYTES = 4096 };

/* What to execute in place of a program. */
struct exec {
    const char *words[EXEC_WORDS]; /* the counter and its arguments; NULL at the end */
    char path[EXEC_PATH_BYTES];
    struct image image;
    char interpreters[EXEC_SCRIPTS][IMAGE_PATH_BYTES], arguments[EXEC_SCRIPTS][IMAGE_PATH_BYTES];
};

static char own_library[IMAGE_PATH_BYTES], own_folder[IMAGE_PATH_BYTES]; /* "": too long, or unknown */

void exec_prepare(const char *libraries, const char *folder) {
    static const char NAME[] = "libcarmine-count.so";
    const char *start = libraries, *end = NULL;
    for (const char *at = libraries; at && *at && !end; at++) {
        if (text_starts(at, NAME))
            end = at + sizeof NAME - 1;
        else if (*at == ':' || *at == ' ')
            start = at + 1;
    }
    if (!end || (size_t)(end - start) >= sizeof own_library || text_length(folder) >= sizeof own_folder)
        return;
    text_copy(own_library, start, (size_t)(end - start) + 1);
    text_copy(own_folder, folder, sizeof own_folder);
}

bool exec_is_counter(const char *name) {
    return name && own_library[0] && text_equal(name, own_library);
}

/* Whether an environment preloads our library and contains its folder. */
static bool passes_on(const char *const *environment) {
    bool library = false, folder = false;
    for (; environment && *environment; environment++) {
        library |= text_starts(*environment, "LD_PRELOAD=") && text_holds(*environment, own_library);
        folder |= text_starts(*environment, COLLECTOR_FOLDER "=") && text_holds(*environment, own_folder);
    }
    return library && folder;
}

static bool is_preloaded(const struct image *image, uint64_t environment) {
    return text_starts(image->loader, "/lib64/ld-linux-x86-64.so") && passes_on((const char *const *)environment);
}

/* Follows the first lines of scripts to a program; returns the number of scripts. */
static unsigned follow_scripts(struct exec *out) {
    unsigned scripts = 0;
    image_read(out->path, &out->image);
    while (out->image.kind == IMAGE_SCRIPT && scripts < EXEC_SCRIPTS) {
        text_copy(out->interpreters[scripts], out->image.interpreter, IMAGE_PATH_BYTES);
        text_copy(out->arguments[scripts], out->image.argument, IMAGE_PATH_BYTES);
        image_read(out->interpreters[scripts++], &out->image);
    }
    return scripts;
}

/* Finds what to execute so that the program is counted. False: leave the call to the kernel unchanged. */
static bool exec_find(uint64_t path, uint64_t argv, uint64_t environment, struct exec *out) {
    if (!own_library[0] || !system_copy_text(out->path, path, sizeof out->path))
        return false;
    const unsigned scripts = follow_scripts(out);
    if (out->image.kind != IMAGE_PROGRAM || out->image.gains_rights || is_preloaded(&out->image, environment))
        return false;
    size_t count = 0;
    out->words[count++] = own_library;
    out->words[count++] = own_folder;
    out->words[count++] = scripts ? out->interpreters[scripts - 1] : out->path;
    out->words[count++] = "--";
    for (unsigned script = scripts; script-- > 0;) {
        out->words[count++] = out->interpreters[script];
        if (out->arguments[script][0])
            out->words[count++] = out->arguments[script];
    }
    const size_t first = count; /* a script's path replaces the first */
    const size_t words =
        system_copy(out->words + count, argv, (EXEC_WORDS - count) * sizeof *out->words) / sizeof *out->words;
    for (size_t i = 0; i < words; i++)
        if (!out->words[first + i]) {
            if (scripts && i > 0)
                out->words[first] = out->path;
            return i > 0;
        }
    return false;
}

long exec_call(const struct system_place *place, long number, const long arguments[5]) {
    struct system_place call = *place;
    call.number = number;
    __builtin_memcpy(call.arguments, arguments, sizeof call.arguments);
    return call.stack ? system_call_from(&call)
                      : system_call_unless(call.stop, number, arguments[0], arguments[1], arguments[2], arguments[3],
                                           arguments[4]);
}

long exec_counted(uint64_t path, uint64_t argv, uint64_t environment, const struct system_place *place) {
    struct exec exec;
    if (exec_find(path, argv, environment, &exec)) {
        const long result =
            exec_call(place, SYS_execve, (long[5]){(long)own_library, (long)exec.words, (long)environment});
        if (result != -ENOENT && result != -EACCES) /* else: no counter there (chroot), or not for this user */
            return result;
    }
    return exec_call(place, SYS_execve, (long[5]){(long)path, (long)argv, (long)environment});
}

/* Executable files. */

#define PAGE_BYTES       4096ull
#define PAGE_DOWN(value) ((value) & ~(PAGE_BYTES - 1))
#define PAGE_UP(value)   PAGE_DOWN((value) + PAGE_BYTES - 1)

static bool exec_gains_rights(const char *path, long file) {
    struct stat status;
    const long user = SYSTEM_CALL(SYS_geteuid, 0), group = SYSTEM_CALL(SYS_getegid, 0);
    if (system_failed(SYSTEM_CALL(SYS_fstat, file, &status)))
        return true;
    return (status.st_mode & S_ISUID && status.st_uid != (uid_t)user) ||
           (status.st_mode & S_ISGID && status.st_mode & S_IXGRP && status.st_gid != (gid_t)group) ||
           (user != 0 && SYSTEM_CALL(SYS_getxattr, path, "security.capability", NULL, 0) > 0);
}

static bool exec_is_blank(char character) {
    return character == ' ' || character == '\t';
}

/* A word, or with `rest` the rest of the line, without surrounding blanks. */
static const char *take_words(const char *at, bool rest, char out[IMAGE_PATH_BYTES]) {
    size_t length = 0;
    while (exec_is_blank(*at))
        at++;
    for (; *at && *at != '\n' && (rest || !exec_is_blank(*at)) && length + 1 < IMAGE_PATH_BYTES; at++)
        out[length++] = *at;
    while (length && exec_is_blank(out[length - 1]))
        length--;
    out[length] = '\0';
    return at;
}

static void read_program(long file, struct image *out) {
    const Elf64_Ehdr *header = &out->header;
    const size_t bytes = header->e_phnum * sizeof *out->segments;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 ||
        (header->e_type != ET_EXEC && header->e_type != ET_DYN) || header->e_phentsize != sizeof *out->segments ||
        header->e_phnum > IMAGE_SEGMENTS ||
        SYSTEM_CALL(SYS_pread64, file, out->segments, bytes, header->e_phoff) != (long)bytes)
        return;
    out->kind = IMAGE_PROGRAM;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (out->segments[i].p_type == PT_INTERP)
            SYSTEM_CALL(SYS_pread64, file, out->loader, sizeof out->loader - 1, out->segments[i].p_offset);
}

void image_read(const char *path, struct image *out) {
    char start[IMAGE_PATH_BYTES] = "";
    *out = (struct image){.kind = IMAGE_OTHER};
    if (SYSTEM_CALL(SYS_access, path, X_OK) != 0)
        return;
    const long file = SYSTEM_CALL(SYS_open, path, O_RDONLY | O_CLOEXEC);
    if (system_failed(file))
        return;
    const long got = SYSTEM_CALL(SYS_pread64, file, start, sizeof start - 1, 0);
    out->gains_rights = exec_gains_rights(path, file);
    if (got >= (long)sizeof out->header && __builtin_memcmp(start, ELFMAG, SELFMAG) == 0) {
        __builtin_memcpy(&out->header, start, sizeof out->header);
        read_program(file, out);
    } else if (got > 2 && start[0] == '#' && start[1] == '!') {
        out->kind = IMAGE_SCRIPT;
        take_words(take_words(start + 2, false, out->interpreter), true, out->argument);
    }
    SYSTEM_CALL(SYS_close, file);
}

static int protection_of(const Elf64_Phdr *segment) {
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

/* Memory after the file's bytes is zero: the rest of their last page, and whole pages. */
static bool map_segment(long file, const Elf64_Phdr *segment, uint64_t base) {
    const uint64_t start = base + segment->p_vaddr, first = PAGE_DOWN(start), from_file = start + segment->p_filesz,
                   end = PAGE_UP(start + segment->p_memsz), ahead = start - first;
    const int protection = protection_of(segment), flags = MAP_PRIVATE | MAP_FIXED;
    uint64_t zeros = first;
    if (segment->p_filesz) {
        zeros = PAGE_UP(from_file);
        if (system_failed(
                SYSTEM_CALL(SYS_mmap, first, zeros - first, protection, flags, file, segment->p_offset - ahead)))
            return false;
        if (protection & PROT_WRITE && segment->p_memsz > segment->p_filesz)
            __builtin_memset((void *)from_file, 0, zeros - from_file);
    }
    return zeros >= end ||
           !system_failed(SYSTEM_CALL(SYS_mmap, zeros, end - zeros, protection, flags | MAP_ANONYMOUS, -1, 0));
}

/* Reserves room for the whole program: at its fixed address, or anywhere. False: there is none. */
static bool reserve(const struct image *image, uint64_t *base) {
    uint64_t low = ~0ull, high = 0, alignment = PAGE_BYTES;
    for (unsigned i = 0; i < image->header.e_phnum; i++) {
        const Elf64_Phdr *segment = &image->segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        low = segment->p_vaddr < low ? PAGE_DOWN(segment->p_vaddr) : low;
        high = segment->p_vaddr + segment->p_memsz > high ? PAGE_UP(segment->p_vaddr + segment->p_memsz) : high;
        alignment = segment->p_align > alignment ? segment->p_align : alignment;
    }
    if (low >= high)
        return false;
    const bool fixed = image->header.e_type == ET_EXEC;
    const uint64_t spare = fixed ? 0 : alignment - PAGE_BYTES;
    const long at = SYSTEM_CALL(SYS_mmap, fixed ? low : 0, high - low + spare, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (fixed ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (system_failed(at) || (fixed && (uint64_t)at != low))
        return false;
    *base = fixed ? 0 : ((uint64_t)at + spare) / alignment * alignment - low;
    return true;
}

bool image_map(const char *path, const struct image *image, struct image_place *out) {
    const long file = SYSTEM_CALL(SYS_open, path, O_RDONLY | O_CLOEXEC);
    bool done = !system_failed(file) && reserve(image, &out->base);
    out->entry = out->base + image->header.e_entry;
    out->headers = 0;
    for (unsigned i = 0; done && i < image->header.e_phnum; i++) {
        const Elf64_Phdr *segment = &image->segments[i];
        if (segment->p_type != PT_LOAD)
            continue;
        done = map_segment(file, segment, out->base);
        if (image->header.e_phoff - segment->p_offset < segment->p_filesz)
            out->headers = out->base + segment->p_vaddr + image->header.e_phoff - segment->p_offset;
    }
    SYSTEM_CALL(SYS_close, file);
    return done;
}

/* The program's identity. */

static char program[IMAGE_PATH_BYTES]; /* its path; "": the kernel knows it */

/* Makes the kernel write a file's path to a buffer, which may be invalid; returns the kernel's result. */
static long locate(const char *path, uint64_t buffer, uint64_t size) {
    const long file = SYSTEM_CALL(SYS_open, path, O_PATH | O_CLOEXEC);
    const long length = system_failed(file) ? file : reach_path((uint64_t)file, (void *)buffer, size);
    SYSTEM_CALL(SYS_close, file);
    return length;
}

void self_is(const char *path) {
    const char *name = path;
    const long length = locate(path, (uint64_t)program, sizeof program - 1);
    if (system_failed(length))
        text_copy(program, path, sizeof program);
    else
        program[length] = '\0';
    for (const char *at = path; *at; at++)
        name = *at == '/' ? at + 1 : name;
    SYSTEM_CALL(SYS_prctl, PR_SET_NAME, name);
    dump_set_program(program);
}

/* "/proc/self/exe", "/proc/PID/exe" */
static bool exec_is_own(uint64_t path) {
    char text[32];
    struct text other = {.length = 0};
    if (!system_copy_text(text, path, sizeof text) || !text_starts(text, "/proc/"))
        return false;
    text_add(&other, "/proc/");
    text_add_number(&other, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&other, "/exe");
    return text_equal(text, "/proc/self/exe") || text_equal(text, other.bytes);
}

uint64_t self_path(uint64_t path) {
    return program[0] && exec_is_own(path) ? (uint64_t)program : path;
}

bool self_call(struct registers *r) {
    uint64_t words[] = {r->rdi, r->rsi, r->rdx, r->r10};
    unsigned path_at = 0;
    switch (program[0] ? r->rax : ~0ull) {
    case SYS_readlinkat:
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_faccessat2:
        path_at = 1;
        break;
    case SYS_readlink:
    case SYS_open:
    case SYS_stat:
    case SYS_access:
        break;
    default:
        return false;
    }
    if (!exec_is_own(words[path_at]))
        return false;
    if (r->rax == SYS_readlink || r->rax == SYS_readlinkat) {
        r->rax = (uint64_t)locate(program, words[path_at + 1], words[path_at + 2]);
    } else {
        words[path_at] = (uint64_t)program;
        r->rax = (uint64_t)SYSTEM_CALL((long)r->rax, words[0], words[1], words[2], words[3], r->r8);
    }
    return true;
}
