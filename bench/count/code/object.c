/* SPDX-License-Identifier: BSD-3-Clause
 * The mappings of code (see object.h): reads /proc/thread-self/maps line by line. A first thread that has ended has
 * none. */
#include "object.h"
#include "context.h"
#include "written.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"
#include "bench/profile/dump.h"

enum { MAX_OBJECTS = 4096, FEW_OBJECTS = 1024, MAX_LINE_BYTES = 4352, MAX_MAPPINGS = 1024 };

static struct object objects[MAX_OBJECTS];
static uint32_t count = 1; /* index 0 means none */

struct line {
    uint64_t low, high, file_offset;
    bool reads, writes, executes, shared;
    const char *path;
};

static const char *read_hex(const char *at, uint64_t *out) {
    for (*out = 0;; at++) {
        if (*at >= '0' && *at <= '9')
            *out = *out << 4 | (uint64_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            *out = *out << 4 | (uint64_t)(*at - 'a' + 10);
        else
            return at;
    }
}

/* "7f00-7f80 r-xp 00001000 fe:01 1234     /usr/lib/…" */
static void parse(const char *at, struct line *out) {
    at = read_hex(at, &out->low);
    at = read_hex(at + (*at == '-'), &out->high);
    while (*at == ' ')
        at++;
    out->reads = at[0] == 'r';
    out->writes = at[0] && at[1] == 'w';
    out->executes = at[0] && at[1] && at[2] == 'x';
    out->shared = at[0] && at[1] && at[2] && at[3] == 's';
    while (*at && *at != ' ')
        at++;
    at = read_hex(at + (*at == ' '), &out->file_offset);
    for (int column = 0; column < 2; column++) { /* device and inode */
        while (*at == ' ')
            at++;
        while (*at && *at != ' ')
            at++;
    }
    while (*at == ' ')
        at++;
    out->path = at;
}

/* Returns the next line of an open file without its end; false at the end of the file. */
struct line_reader {
    long file;
    char buffer[MAX_LINE_BYTES];
    size_t start, end;
};
static bool object_read_line(struct line_reader *reader, char **out) {
    for (;;) {
        for (size_t i = reader->start; i < reader->end; i++)
            if (reader->buffer[i] == '\n') {
                reader->buffer[i] = '\0';
                *out = reader->buffer + reader->start;
                reader->start = i + 1;
                return true;
            }
        size_t left = reader->end - reader->start;
        for (size_t i = 0; i < left; i++)
            reader->buffer[i] = reader->buffer[reader->start + i];
        reader->start = 0;
        reader->end = left;
        long got = left < sizeof reader->buffer
                       ? SYSTEM_CALL(SYS_read, reader->file, reader->buffer + left, sizeof reader->buffer - left)
                       : 0;
        if (got <= 0)
            return false;
        reader->end += (size_t)got;
    }
}

/* A library that is mapped again at the same address is the same object. */
static uint32_t find_gone(const struct line *line) {
    for (uint32_t i = 1; i < count; i++)
        if (objects[i].gone && objects[i].low == line->low && objects[i].high == line->high &&
            objects[i].file_offset == line->file_offset && text_equal(objects[i].path, line->path))
            return i;
    return 0;
}

static uint32_t object_add(const struct line *line) {
    const uint32_t before = find_gone(line);
    if (before) {
        objects[before].gone = false;
        return before;
    }
    if (count == MAX_OBJECTS)
        fail_program("it maps more pieces of code than the counter's tables hold", 0);
    struct object *object = &objects[count];
    *object = (struct object){.low = line->low, .high = line->high, .file_offset = line->file_offset};
    text_copy(object->path, line->path, sizeof object->path);
    return count++;
}

/* One object for all parts of the mapped file, or for all memory without a file. */
static uint32_t written_object_of(const struct line *line, bool file) {
    const struct line whole = {
        .low = file ? line->low - line->file_offset : 0, .high = ~0ull, .path = file ? line->path : COLLECTOR_WRITTEN};
    for (uint32_t i = 1; i < count; i++)
        if (objects[i].written && objects[i].low == whole.low &&
            (file ? text_equal : text_starts)(objects[i].path, whole.path))
            return i;
    const uint32_t object = object_add(&whole);
    objects[object].written = true;
    return object;
}

void object_names_written(const char *path) {
    const struct line memory = {.path = COLLECTOR_WRITTEN};
    struct text text = {.length = 0};
    text_add(&text, COLLECTOR_WRITTEN);
    text_add(&text, path);
    text_copy(objects[written_object_of(&memory, false)].path, text.bytes, sizeof objects->path);
}

/* The threads' stack pointers when they last entered the dispatcher. */
static struct context *const *threads;

void object_prepare(struct context *const *first_thread) {
    threads = first_thread;
}

static bool holds_stack(const struct line *line) {
    for (const struct context *thread = *threads; thread; thread = thread->next)
        if (!thread->ended && thread->passing.registers.rsp >= line->low && thread->passing.registers.rsp < line->high)
            return true;
    return false;
}

/* The mapping in which code that the program writes was found last. Its other pages need no look-up. */
static struct {
    uint64_t low, high;
    uint32_t object;
    bool writes, checked;
} last;

static uint32_t add_page(uint64_t address) {
    written_add(address, last.object, last.writes, last.checked);
    return last.object;
}

static bool object_is_file(const struct line *line) {
    return line->path[0] == '/' && !text_starts(line->path, "/memfd:") && !text_starts(line->path, "/dev/zero");
}

/* Code that nobody writes. */
static bool is_read_only(const struct line *line) {
    return line->executes && !line->writes && !line->shared &&
           (object_is_file(line) || text_equal(line->path, "[vdso]"));
}

static uint32_t add_written(const struct line *line, uint64_t address) {
    last.low = line->low;
    last.high = line->high;
    last.object = written_object_of(line, object_is_file(line));
    last.writes = line->writes;
    last.checked = line->shared || holds_stack(line); /* others may write to it; a stack is written all the time */
    return add_page(address);
}

static bool holds(const struct line *line, uint64_t address) {
    return line->executes && address >= line->low && address < line->high;
}

static struct line_reader reader;

bool object_is_mapped(uint64_t address) {
    const long maps = reach_maps();
    bool found = false;
    struct line line;
    reader = (struct line_reader){.file = maps};
    for (char *text; !system_failed(maps) && !found && object_read_line(&reader, &text);) {
        parse(text, &line);
        found = holds(&line, address);
    }
    reach_close(maps);
    return found;
}

static uint32_t find_read_only(uint64_t address) {
    for (uint32_t i = count - 1; i > 0; i--)
        if (!objects[i].gone && address >= objects[i].low && address < objects[i].high && !objects[i].written)
            return i;
    return 0;
}

/* The mappings as last read. If a program has more, a requested mapping replaces another. */
static struct known_mapping {
    uint64_t low, high;
    bool data, code; /* private file mapping, not writable: readable, or executable */
} mappings[MAX_MAPPINGS];
static uint32_t mapping_count;

static void note_mapping(const struct line *line, uint64_t asked_for) {
    const bool kept = object_is_file(line) && !line->shared && !line->writes, full = mapping_count == MAX_MAPPINGS;
    if (!full || (asked_for >= line->low && asked_for < line->high))
        mappings[full ? asked_for / 4096 % MAX_MAPPINGS : mapping_count++] =
            (struct known_mapping){line->low, line->high, kept && line->reads, kept && line->executes};
}

/* Reads all mappings at once: a starting program has its libraries mapped, and each read takes the kernel some time.
 * Closes `maps`. */
static void read_mappings(long maps, uint64_t address, void (*look_at)(const struct line *line, uint64_t address)) {
    struct line line;
    reader = (struct line_reader){.file = maps};
    if (mapping_count < MAX_MAPPINGS)
        mapping_count = 0;
    for (char *text; object_read_line(&reader, &text);) {
        parse(text, &line);
        note_mapping(&line, address);
        if (look_at)
            look_at(&line, address);
    }
    reach_close(maps);
}

static uint32_t found;

/* Adds all code that nobody writes along the way. */
static void look_for_code(const struct line *line, uint64_t address) {
    if (holds(line, address))
        found = is_read_only(line) ? object_add(line) : add_written(line, address);
    else if (is_read_only(line) && count < FEW_OBJECTS && !written_object(line->low) && !find_read_only(line->low))
        object_add(line);
}

static uint32_t look_up(uint64_t address) {
    const long maps = reach_maps();
    if (system_failed(maps))
        fail_program("/proc/self/maps cannot be read: mount /proc", 0);
    found = 0;
    read_mappings(maps, address, look_for_code);
    return found;
}

static const struct known_mapping *known_mapping(uint64_t address) {
    for (uint32_t i = 0; i < mapping_count; i++)
        if (address >= mappings[i].low && address < mappings[i].high)
            return &mappings[i];
    return NULL;
}

static const struct known_mapping *mapping_of(uint64_t address) {
    const struct known_mapping *known = known_mapping(address);
    const long maps = known ? -1 : reach_maps();
    if (known || maps < 0)
        return known;
    read_mappings(maps, address, NULL);
    return known_mapping(address);
}

uint32_t object_known(uint64_t address) {
    return written_object(address) ? 0 : find_read_only(address);
}

uint32_t object_find(uint64_t address) {
    const uint32_t written = written_object(address), read_only = written ? 0 : find_read_only(address);
    if (written || read_only)
        return written ? written : read_only;
    return address >= last.low && address < last.high ? add_page(address) : look_up(address);
}

uint64_t object_constant(uint64_t address) {
    const struct known_mapping *mapping = address % sizeof(uint64_t) == 0 ? mapping_of(address) : NULL;
    if (!mapping || !mapping->data)
        return 0;
    const uint64_t value = *(const uint64_t *)address;
    mapping = mapping_of(value);
    return mapping && mapping->code ? value : 0;
}

void object_forget_constants(uint64_t low, uint64_t high) {
    for (uint32_t i = mapping_count; i-- > 0;)
        if (mappings[i].low < high && mappings[i].high > low)
            mappings[i] = mappings[--mapping_count];
}

uint32_t object_count(void) {
    return count;
}

const struct object *object_get(uint32_t index) {
    return &objects[index];
}

bool object_forget(uint64_t low, uint64_t high) {
    bool any = false;
    if (low < last.high && high > last.low)
        last.high = 0;
    for (uint32_t i = 1; i < count; i++)
        if (!objects[i].gone && !objects[i].written && objects[i].low < high && objects[i].high > low) {
            objects[i].gone = true;
            any = true;
        }
    return any;
}
