/* SPDX-License-Identifier: BSD-3-Clause
 * Sanitizers' runtimes, by what the file says that it needs (see sanitizer.h). */
#include "sanitizer.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

bool sanitizer_find(const char *path, char *out, size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = file >= 0 && elf_version(EV_CURRENT) != EV_NONE ? elf_begin(file, ELF_C_READ_MMAP, NULL) : NULL;
    const bool found = elf && find_needed(elf, out, size);
    if (elf)
        elf_end(elf);
    if (file >= 0)
        close(file);
    return found;
}
