/* SPDX-License-Identifier: BSD-3-Clause
 * Function symbols of ELF files, by libelf (see symbols.h). Separate debug files are not used. */
#include "symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/need.h"

struct segment { /* as read from the file */
    uint64_t offset, bytes, address;
};
struct function {
    uint64_t start, end; /* offsets in the file; end is 0 for a symbol without a size, until the next symbol is known */
    uint64_t reach;      /* the greatest end of this symbol and those before it */
    const char *name;
    bool local;
};
struct symbols {
    int file;
    Elf *elf;
    struct segment *segments;
    struct function *functions;
    size_t segment_count, function_count;
};

static const struct segment *segment_of_offset(const struct symbols *symbols, uint64_t offset) {
    for (size_t i = 0; i < symbols->segment_count; i++)
        if (offset >= symbols->segments[i].offset && offset - symbols->segments[i].offset < symbols->segments[i].bytes)
            return &symbols->segments[i];
    return NULL;
}

static const struct segment *segment_of_address(const struct symbols *symbols, uint64_t address) {
    for (size_t i = 0; i < symbols->segment_count; i++)
        if (address >= symbols->segments[i].address &&
            address - symbols->segments[i].address < symbols->segments[i].bytes)
            return &symbols->segments[i];
    return NULL;
}

static bool read_segments(struct symbols *symbols) {
    size_t count = 0, file_bytes = 0;
    if (elf_rawfile(symbols->elf, &file_bytes) == NULL || elf_getphdrnum(symbols->elf, &count) != 0)
        return false;
    symbols->segments = need_calloc(count + 1, sizeof *symbols->segments);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(symbols->elf, (int)i, &header) == NULL || header.p_type != PT_LOAD ||
            header.p_offset >= file_bytes)
            continue;
        uint64_t most = file_bytes - header.p_offset;
        symbols->segments[symbols->segment_count++] =
            (struct segment){header.p_offset, header.p_filesz < most ? header.p_filesz : most, header.p_vaddr};
    }
    return true;
}

static Elf_Scn *section_of_type(Elf *elf, GElf_Word type, GElf_Shdr *header) {
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL; section = elf_nextscn(elf, section))
        if (gelf_getshdr(section, header) != NULL && header->sh_type == type)
            return section;
    return NULL;
}

static void add_function(struct symbols *symbols, const GElf_Sym *symbol, const char *name) {
    int type = GELF_ST_TYPE(symbol->st_info);
    const struct segment *segment = segment_of_address(symbols, symbol->st_value);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF || segment == NULL ||
        name == NULL || name[0] == '\0')
        return;
    uint64_t start = segment->offset + (symbol->st_value - segment->address);
    uint64_t most = segment->bytes - (start - segment->offset);
    uint64_t bytes = symbol->st_size < most ? symbol->st_size : most;
    symbols->functions[symbols->function_count++] = (struct function){
        .start = start,
        .end = bytes > 0 ? start + bytes : 0,
        .name = name,
        .local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL,
    };
}

/* If a place has several names, this order puts the one to use first: with a size, visible outside, without
 * underscores, short. */
static int by_place(const void *a, const void *b) {
    const struct function *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if ((x->end == 0) != (y->end == 0))
        return x->end == 0 ? 1 : -1;
    if (x->local != y->local)
        return x->local ? 1 : -1;
    size_t x_rank = strspn(x->name, "_") * 1000 + strlen(x->name);
    size_t y_rank = strspn(y->name, "_") * 1000 + strlen(y->name);
    return x_rank != y_rank ? (x_rank < y_rank ? -1 : 1) : strcmp(x->name, y->name);
}

static bool read_functions(struct symbols *symbols) {
    GElf_Shdr header;
    Elf_Scn *section = section_of_type(symbols->elf, SHT_SYMTAB, &header);
    if (section == NULL)
        section = section_of_type(symbols->elf, SHT_DYNSYM, &header);
    Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;
    size_t count = data != NULL && header.sh_entsize > 0 ? data->d_size / header.sh_entsize : 0;
    symbols->functions = need_calloc(count + 1, sizeof *symbols->functions);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol) != NULL)
            add_function(symbols, &symbol, elf_strptr(symbols->elf, header.sh_link, symbol.st_name));
    }
    qsort(symbols->functions, symbols->function_count, sizeof *symbols->functions, by_place);
    size_t kept = 0;
    for (size_t i = 0; i < symbols->function_count; i++)
        if (kept == 0 || symbols->functions[i].start != symbols->functions[kept - 1].start)
            symbols->functions[kept++] = symbols->functions[i];
    symbols->function_count = kept;
    uint64_t reach = 0;
    for (size_t i = 0; i < kept; i++) {
        struct function *function = &symbols->functions[i];
        const struct segment *segment = segment_of_offset(symbols, function->start);
        uint64_t segment_end = segment->offset + segment->bytes;
        if (function->end == 0)
            function->end = i + 1 < kept && function[1].start < segment_end ? function[1].start : segment_end;
        reach = function->end > reach ? function->end : reach;
        function->reach = reach;
    }
    return true;
}

bool symbols_readable(struct error *err) {
    (void)err;
    return true;
}

struct symbols *symbols_open(const char *path) {
    struct stat status;
    struct symbols *symbols = need_calloc(1, sizeof *symbols);
    symbols->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool opened = symbols->file >= 0 && fstat(symbols->file, &status) == 0 && S_ISREG(status.st_mode) &&
                  elf_version(EV_CURRENT) != EV_NONE &&
                  (symbols->elf = elf_begin(symbols->file, ELF_C_READ_MMAP, NULL)) != NULL &&
                  elf_kind(symbols->elf) == ELF_K_ELF && read_segments(symbols) && read_functions(symbols);
    if (opened)
        return symbols;
    symbols_close(symbols);
    return NULL;
}

void symbols_close(struct symbols *symbols) {
    if (symbols == NULL)
        return;
    if (symbols->elf != NULL)
        elf_end(symbols->elf);
    if (symbols->file >= 0)
        close(symbols->file);
    free(symbols->segments);
    free(symbols->functions);
    free(symbols);
}

const char *symbols_find(const struct symbols *symbols, uint64_t file_offset, uint64_t *start) {
    size_t low = 0, high = symbols->function_count;
    while (low < high) { /* the first that starts beyond */
        size_t middle = low + (high - low) / 2;
        if (symbols->functions[middle].start <= file_offset)
            low = middle + 1;
        else
            high = middle;
    }
    /* Functions may be nested: search backwards for the innermost that covers the offset, as long as one may. */
    for (size_t i = low; i > 0 && symbols->functions[i - 1].reach > file_offset; i--)
        if (symbols->functions[i - 1].end > file_offset) {
            *start = symbols->functions[i - 1].start;
            return symbols->functions[i - 1].name;
        }
    return NULL;
}

/* Runtimes of sanitizers, by the libraries that the file needs. */

static bool is_sanitizer(const char *library) {
    static const char *const NAMES[] = {"libasan", "libtsan", "liblsan", "libubsan", "libhwasan", "libclang_rt."};
    for (size_t i = 0; library && i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strncmp(library, NAMES[i], strlen(NAMES[i])) == 0)
            return true;
    return false;
}

static bool find_needed(Elf *elf, char *out, size_t size) {
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        GElf_Dyn entry;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
            const char *name =
                entry.d_tag == DT_NEEDED ? elf_strptr(elf, header.sh_link, (size_t)entry.d_un.d_val) : NULL;
            if (is_sanitizer(name))
                return snprintf(out, size, "%s", name) > 0;
        }
    }
    return false;
}

bool symbols_sanitizer(const char *path, char *out, size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    const bool found = elf && find_needed(elf, out, size);
    if (elf)
        elf_end(elf);
    if (file >= 0)
        close(file);
    return found;
}
