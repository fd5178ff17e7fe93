/* SPDX-License-Identifier: BSD-3-Clause */
#include "written_names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/marks/collector.h"
#include "probe/need.h"

const char *written_names_dump(const char *path) {
    const size_t mark = strlen(COLLECTOR_WRITTEN);
    return strncmp(path, COLLECTOR_WRITTEN, mark) == 0 ? path + mark : NULL;
}

struct written {
    uint64_t start, end;
    uint64_t reach; /* the greatest end of this one and those before it */
    size_t order;   /* in which they were written */
    char *name;
};
struct written_names {
    struct written *functions;
    size_t count, most;
};

static void add(struct written_names *names, uint64_t start, uint64_t bytes, const char *name) {
    if (bytes == 0 || start + bytes < start || name[0] == '\0')
        return;
    if (names->count == names->most) {
        names->most = names->most * 2 + 64;
        names->functions = need_realloc(names->functions, names->most * sizeof *names->functions);
    }
    names->functions[names->count] =
        (struct written){.start = start, .end = start + bytes, .order = names->count, .name = need_strdup(name)};
    names->count++;
}

/* NULL: it does not exist, or belongs to another user. */
static FILE *open_own(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool own = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
               (status.st_uid == geteuid() || geteuid() == 0);
    FILE *stream = own ? fdopen(file, "r") : NULL;
    if (stream == NULL && file >= 0)
        close(file);
    return stream;
}

/* Lines such as "7f12 1a Name of it", numbers in base 16. */
static void read_map(FILE *file, struct written_names *names) {
    char *line = NULL;
    size_t most = 0;
    while (need_line(&line, &most, file)) {
        char *at = line;
        line[strcspn(line, "\n")] = '\0';
        const uint64_t start = strtoull(at, &at, 16), bytes = strtoull(at, &at, 16);
        add(names, start, bytes, at + strspn(at, " "));
    }
    free(line);
}

enum { DUMP_MAGIC = 0x4a695444, CODE_LOAD = 0, CODE_MOVE = 1, MOST_RECORD_BYTES = 64 << 20 };
struct jit_header {
    uint32_t magic, version, total_size, machine, unused, pid;
    uint64_t time_ns, flags;
};
struct jit_record {
    uint32_t id, total_size;
    uint64_t time_ns;
};
struct code_load { /* followed by the name and the code */
    uint32_t pid, tid;
    uint64_t address_in_memory, address, bytes, index;
};
struct code_move {
    uint32_t pid, tid;
    uint64_t address_in_memory, from, to, bytes, index;
};

static void load(struct written_names *names, const uint8_t *record, size_t bytes) {
    struct code_load code;
    if (bytes <= sizeof code || memchr(record + sizeof code, '\0', bytes - sizeof code) == NULL)
        return;
    memcpy(&code, record, sizeof code);
    add(names, code.address, code.bytes, (const char *)record + sizeof code);
}

static void move(struct written_names *names, const uint8_t *record, size_t bytes) {
    struct code_move code;
    if (bytes < sizeof code)
        return;
    memcpy(&code, record, sizeof code);
    for (size_t i = names->count; i-- > 0;)
        if (names->functions[i].start == code.from) {
            add(names, code.to, code.bytes, names->functions[i].name);
            return;
        }
}

static void read_dump(FILE *file, struct written_names *names) {
    struct jit_header header;
    struct jit_record record;
    if (fread(&header, sizeof header, 1, file) != 1 || header.magic != DUMP_MAGIC ||
        header.total_size < sizeof header || fseek(file, (long)header.total_size, SEEK_SET) != 0)
        return;
    while (fread(&record, sizeof record, 1, file) == 1 && record.total_size >= sizeof record &&
           record.total_size <= MOST_RECORD_BYTES) {
        const size_t bytes = record.total_size - sizeof record;
        uint8_t *rest = need_calloc(bytes + 1, 1);
        const bool whole = fread(rest, 1, bytes, file) == bytes;
        if (whole && record.id == CODE_LOAD)
            load(names, rest, bytes);
        else if (whole && record.id == CODE_MOVE)
            move(names, rest, bytes);
        free(rest);
        if (!whole)
            return;
    }
}

static int by_start(const void *a, const void *b) {
    const struct written *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void read_file(const char *path, void (*read)(FILE *, struct written_names *), struct written_names *names) {
    FILE *file = open_own(path);
    if (file == NULL)
        return;
    read(file, names);
    fclose(file);
}

struct written_names *written_names_open(uint32_t pid, const char *dump_path) {
    struct written_names *names = need_calloc(1, sizeof *names);
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%" PRIu32 ".map", pid);
    read_file(path, read_map, names);
    if (dump_path[0] != '\0')
        read_file(dump_path, read_dump, names);
    if (names->count > 0)
        qsort(names->functions, names->count, sizeof *names->functions, by_start);
    for (size_t i = 0; i < names->count; i++) {
        const uint64_t before = i > 0 ? names->functions[i - 1].reach : 0;
        names->functions[i].reach = names->functions[i].end > before ? names->functions[i].end : before;
    }
    return names;
}

void written_names_close(struct written_names *names) {
    for (size_t i = 0; names != NULL && i < names->count; i++)
        free(names->functions[i].name);
    if (names != NULL)
        free(names->functions);
    free(names);
}

const char *written_names_find_start(const struct written_names *names, uint64_t address, uint64_t *start) {
    size_t low = 0, high = names->count;
    while (low < high) { /* the first that starts beyond */
        const size_t middle = low + (high - low) / 2;
        if (names->functions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct written *found = NULL;
    for (size_t i = low; i > 0 && names->functions[i - 1].reach > address; i--) {
        const struct written *here = &names->functions[i - 1];
        if (here->end > address && (found == NULL || here->order > found->order))
            found = here;
    }
    *start = found != NULL ? found->start : 0;
    return found != NULL ? found->name : NULL;
}
