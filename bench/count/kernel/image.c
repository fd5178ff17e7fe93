/* SPDX-License-Identifier: BSD-3-Clause
 * Files that can be executed (see image.h). */
#include "image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/count/base/system.h"

#define PAGE_BYTES       4096ull
#define PAGE_DOWN(value) ((value) & ~(PAGE_BYTES - 1))
#define PAGE_UP(value)   PAGE_DOWN((value) + PAGE_BYTES - 1)

static bool gains_rights(const char *path, long file) {
    struct stat status;
    const long user = SYSTEM_CALL(SYS_geteuid, 0), group = SYSTEM_CALL(SYS_getegid, 0);
    if (system_failed(SYSTEM_CALL(SYS_fstat, file, &status)))
        return true;
    return (status.st_mode & S_ISUID && status.st_uid != (uid_t)user) ||
           (status.st_mode & S_ISGID && status.st_mode & S_IXGRP && status.st_gid != (gid_t)group) ||
           (user != 0 && SYSTEM_CALL(SYS_getxattr, path, "security.capability", NULL, 0) > 0);
}

static bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

/* A word, or with `rest` all up to the end of the line; blanks around it do not count. */
static const char *take_words(const char *at, bool rest, char out[IMAGE_PATH_BYTES]) {
    size_t length = 0;
    while (is_blank(*at))
        at++;
    for (; *at && *at != '\n' && (rest || !is_blank(*at)) && length + 1 < IMAGE_PATH_BYTES; at++)
        out[length++] = *at;
    while (length && is_blank(out[length - 1]))
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
    out->gains_rights = gains_rights(path, file);
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

/* What is behind the file's bytes is zero: the rest of their last page, and whole pages. */
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

/* Room for all of it: where it says, or where it may lie. False: there is none. */
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
