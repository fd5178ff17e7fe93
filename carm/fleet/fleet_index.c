/* SPDX-License-Identifier: BSD-3-Clause
 * The index of a folder (see fleet_index.h): how it is read, written and checked. */
#include "fleet_index.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe/need.h"
#include "render/draw/output_file.h"
#include "render/page/safe_text.h"

/* An index as bytes. */

/* To be raised if the stored values of a node, or how they are read from its file, change. */
enum { FORM = 3 };

_Static_assert(sizeof(struct fleet_index_header) % 8 == 0 && sizeof(struct fleet_index_entry) % 8 == 0 &&
                   sizeof(struct roof_key) % 8 == 0 && sizeof(struct fleet_value) % 8 == 0,
               "the checksum is one of whole words");

struct fleet_index_header fleet_index_header_of(uint64_t keys, uint64_t entries) {
    struct fleet_index_header header;
    memset(&header, 0, sizeof header);
    snprintf(header.what, sizeof header.what, "carmine: index of a fleet\n");
    snprintf(header.version, sizeof header.version, "%s", CARMINE_VERSION);
    header.form = FORM;
    header.byte_order = 0x01020304;
    header.entry_bytes = sizeof(struct fleet_index_entry);
    header.key_bytes = sizeof(struct roof_key);
    header.value_bytes = sizeof(struct fleet_value);
    header.keys = keys;
    header.entries = entries;
    return header;
}

/* Any changed bit of a word changes the sum, and so does another order of the words. */
static void add_to_sum(struct fleet_index_file *file, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + i, sizeof word);
        file->sum = (file->sum ^ word) * 0x9e3779b97f4a7c15; /* 2^64 / the golden ratio, odd */
        file->sum ^= file->sum >> 32;
    }
}

/* Whole words. False: too few are left. */
static bool fleet_index_take(struct fleet_index_file *file, void *out, uint64_t bytes) {
    file->failed = file->failed || bytes > file->left || fread(out, 1, bytes, file->stream) != bytes;
    if (file->failed)
        return false;
    file->left -= bytes;
    add_to_sum(file, out, bytes);
    return true;
}

void fleet_index_put(struct fleet_index_file *file, const void *bytes, size_t count) {
    file->failed = file->failed || fwrite(bytes, 1, count, file->stream) != count;
    add_to_sum(file, bytes, count);
}

/* The bytes rounded up to whole words. */
static size_t fleet_index_words(size_t bytes) {
    return (bytes + 7) / 8 * 8;
}

/* The coarsest time stamps of a file system (FAT). */
static const double COARSEST_S = 2;

static double fleet_index_now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct fleet_mark mark_of(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return (struct fleet_mark){0};
    return (struct fleet_mark){.bytes = (uint64_t)status.st_size,
                               .inode = status.st_ino,
                               .written_s = status.st_mtim.tv_sec,
                               .written_ns = status.st_mtim.tv_nsec,
                               .changed_s = status.st_ctim.tv_sec,
                               .changed_ns = status.st_ctim.tv_nsec};
}

void fleet_index_mark(struct fleet_reading *reading) {
    reading->began_s = fleet_index_now_s();
#pragma omp parallel for schedule(dynamic, 64)
    for (size_t i = 0; i < reading->paths->count; i++)
        reading->marks[i] = mark_of(reading->paths->list[i]);
}

static bool is_safe(const char *text, size_t size) {
    return memchr(text, '\0', size) && safe_text_is(text);
}

static bool is_amount(double value) {
    return isfinite(value) && value >= 0;
}

static bool is_sound_entry(const struct fleet_index_entry *entry) {
    const struct fleet_machine *machine = &entry->machine;
    bool sound =
        entry->cache_count <= FLEET_LEVELS && entry->interrupted <= 1 && is_amount(entry->elapsed_s) &&
        is_amount(machine->cpu_quota_cpus) && is_amount(machine->dram_bytes_per_s) && is_amount(entry->others.cpus) &&
        is_amount(entry->others.allowed_cpus) && is_amount(entry->others.busiest_cpus) &&
        is_safe(entry->others.busiest, sizeof entry->others.busiest) && is_safe(machine->host, sizeof machine->host) &&
        is_safe(machine->cpu, sizeof machine->cpu) && is_safe(machine->uarch, sizeof machine->uarch) &&
        is_safe(machine->governor, sizeof machine->governor) &&
        is_safe(machine->huge_pages, sizeof machine->huge_pages) &&
        is_safe(machine->microcode, sizeof machine->microcode) && entry->name_bytes > 0 &&
        entry->name_bytes <= FLEET_INDEX_LONGEST_NAME;
    for (size_t i = 0; i < FLEET_LEVELS; i++)
        sound &= is_safe(entry->caches[i].level, sizeof entry->caches[i].level);
    return sound;
}

/* A byte that is neither true nor false must not be read as a bool. */
static bool is_sound_key(const struct roof_key *key) {
    const unsigned char *smt = (const unsigned char *)&key->smt, *figure = (const unsigned char *)&key->figure;
    return key->kind <= SAMPLE_LATENCY && *smt <= 1 && *figure <= 1 && is_safe(key->kernel, sizeof key->kernel) &&
           is_safe(key->level, sizeof key->level) && is_safe(key->type, sizeof key->type) &&
           is_safe(key->core_kind, sizeof key->core_kind);
}

/* The keys' numbers in the reading, to be freed; NULL: invalid. */
static uint32_t *take_keys(struct fleet_index_file *file, uint64_t count, struct roof_keys *shared) {
    if (count > file->left / sizeof(struct roof_key))
        return NULL;
    uint32_t *numbers = need_calloc(count + 1, sizeof *numbers);
    for (uint64_t i = 0; i < count; i++) {
        struct roof_key key;
        if (!fleet_index_take(file, &key, sizeof key) || !is_sound_key(&key)) {
            free(numbers);
            return NULL;
        }
        numbers[i] = (uint32_t)roof_keys_put(shared, &key);
    }
    return numbers;
}

/* To be freed; NULL: invalid. */
static struct fleet_value *fleet_index_take_values(struct fleet_index_file *file, uint64_t count,
                                                   const uint32_t *numbers, uint64_t number_count) {
    if (count > file->left / sizeof(struct fleet_value))
        return NULL;
    struct fleet_value *values = need_calloc(count + 1, sizeof *values);
    bool sound = fleet_index_take(file, values, count * sizeof *values);
    for (uint64_t i = 0; i < count && sound; i++) {
        struct fleet_value *value = &values[i];
        sound = value->key < number_count && value->value > 0 && value->clock_hz >= 0 && value->low >= 0 &&
                value->high >= 0;
        value->key = sound ? numbers[value->key] : 0;
    }
    if (!sound) {
        free(values);
        return NULL;
    }
    return values;
}

/* A file of the folder and its name there. */
struct named {
    const char *name;
    size_t at; /* its index among the paths */
};

static int fleet_index_by_name(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static const char *name_within(const struct result_folder *folder, const char *path) {
    for (path += strlen(folder->path); *path == '/';)
        path++;
    return path;
}

static struct named *fleet_index_sort_names(const struct result_folder *folder, const struct result_paths *paths) {
    struct named *names = need_calloc(folder->count + 1, sizeof *names);
    for (size_t i = 0; i < folder->count; i++)
        names[i] = (struct named){name_within(folder, paths->list[folder->first + i]), folder->first + i};
    qsort(names, folder->count, sizeof *names, fleet_index_by_name);
    return names;
}

static void keep_node(struct fleet_reading *reading, size_t at, const struct fleet_index_entry *entry,
                      struct fleet_value *values) {
    struct fleet_node *node = &reading->nodes[at];
    *node = (struct fleet_node){.path = reading->paths->list[at],
                                .machine = entry->machine,
                                .started_s = entry->started_s,
                                .elapsed_s = entry->elapsed_s,
                                .others = entry->others,
                                .interrupted = entry->interrupted,
                                .cache_count = entry->cache_count,
                                .count = entry->value_count,
                                .values = values};
    memcpy(node->caches, entry->caches, sizeof node->caches);
    reading->done[at] = true;
}

/* An index while it is read. */
struct taking {
    struct fleet_index_file file;
    struct fleet_index_header header;
    const struct result_folder *folder;
    struct fleet_reading *reading;
    struct named *names;
    uint32_t *numbers; /* the numbers of its keys */
};

/* True: the entry is valid, whether its file has changed since or not. */
static bool take_entry(struct taking *t, struct fleet_index *index) {
    struct fleet_index_entry entry;
    char name[FLEET_INDEX_LONGEST_NAME + 8];
    if (!fleet_index_take(&t->file, &entry, sizeof entry) || !is_sound_entry(&entry) ||
        !fleet_index_take(&t->file, name, fleet_index_words(entry.name_bytes)) || memchr(name, '\0', entry.name_bytes))
        return false;
    name[entry.name_bytes] = '\0';
    struct fleet_value *values = fleet_index_take_values(&t->file, entry.value_count, t->numbers, t->header.keys);
    if (!values)
        return false;
    const struct named wanted = {.name = name},
                       *found = bsearch(&wanted, t->names, t->folder->count, sizeof *t->names, fleet_index_by_name);
    if (found && !t->reading->done[found->at] &&
        memcmp(&entry.mark, &t->reading->marks[found->at], sizeof entry.mark) == 0) {
        keep_node(t->reading, found->at, &entry, values);
        index->used++;
    } else {
        free(values);
    }
    index->entries++;
    return true;
}

static bool take_index(struct taking *t, struct fleet_index *index) {
    if (!fleet_index_take(&t->file, &t->header, sizeof t->header))
        return false;
    const struct fleet_index_header expected = fleet_index_header_of(t->header.keys, t->header.entries);
    if (memcmp(&expected, &t->header, sizeof expected) != 0)
        return false;
    t->numbers = take_keys(&t->file, t->header.keys, &t->reading->keys);
    for (uint64_t i = 0; t->numbers && i < t->header.entries; i++)
        if (!take_entry(t, index))
            return false;
    const uint64_t sum = t->file.sum;
    uint64_t written;
    return t->numbers && fleet_index_take(&t->file, &written, sizeof written) && written == sum && t->file.left == 0;
}

/* As if there were no index. */
static void forget_nodes(const struct result_folder *folder, struct fleet_reading *reading) {
    for (size_t i = folder->first; i < folder->first + folder->count; i++) {
        if (reading->done[i])
            free(reading->nodes[i].values);
        reading->nodes[i] = (struct fleet_node){0};
        reading->done[i] = false;
    }
}

static char *index_path(const struct result_folder *folder) {
    const size_t bytes = strlen(folder->path) + sizeof "/" FLEET_INDEX_NAME;
    char *path = need_malloc(bytes);
    snprintf(path, bytes, "%s/%s", folder->path, FLEET_INDEX_NAME);
    return path;
}

struct fleet_index fleet_index_read(const struct result_folder *folder, struct fleet_reading *reading) {
    struct fleet_index index = {0};
    struct stat status;
    char *path = index_path(folder);
    const int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    free(path);
    if (descriptor < 0)
        return index;
    struct taking t = {.file = {.stream = fdopen(descriptor, "rb")}, .folder = folder, .reading = reading};
    if (!t.file.stream)
        need_end();
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        t.file.left = (uint64_t)status.st_size;
        t.names = fleet_index_sort_names(folder, reading->paths);
        if (!take_index(&t, &index)) {
            forget_nodes(folder, reading);
            index = (struct fleet_index){0};
        }
    }
    fclose(t.file.stream);
    free(t.numbers);
    free(t.names);
    return index;
}

/* Files changed after this time are left out. In seconds since 1970, by the file system's clock: it has just created
 * this file, and it stamps the others, too. */
static double too_fresh_s(int descriptor, const struct fleet_reading *reading) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return -INFINITY;
    return (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec -
           (fleet_index_now_s() - reading->began_s) - COARSEST_S;
}

static bool fleet_index_is_settled(const struct fleet_mark *mark, double too_fresh) {
    const double written_s = (double)mark->written_s + 1e-9 * (double)mark->written_ns,
                 changed_s = (double)mark->changed_s + 1e-9 * (double)mark->changed_ns;
    return mark->changed_s && written_s < too_fresh && changed_s < too_fresh;
}

static void fleet_index_put_entry(struct fleet_index_file *file, const char *name, const struct fleet_mark *mark,
                                  const struct fleet_node *node) {
    struct fleet_index_entry entry;
    char padded[FLEET_INDEX_LONGEST_NAME + 8] = "";
    memset(&entry, 0, sizeof entry);
    entry.mark = *mark;
    entry.machine = node->machine;
    memcpy(entry.caches, node->caches, sizeof entry.caches);
    entry.started_s = node->started_s;
    entry.elapsed_s = node->elapsed_s;
    entry.others = node->others;
    entry.interrupted = node->interrupted;
    entry.cache_count = node->cache_count;
    entry.name_bytes = strlen(name);
    entry.value_count = node->count;
    memcpy(padded, name, entry.name_bytes);
    fleet_index_put(file, &entry, sizeof entry);
    fleet_index_put(file, padded, fleet_index_words(entry.name_bytes));
    fleet_index_put(file, node->values, node->count * sizeof *node->values);
}

/* Whether everything was written. */
static bool put_index(int descriptor, const struct result_folder *folder, const struct fleet_reading *reading,
                      const bool *kept, size_t count) {
    struct fleet_index_file file = {.stream = fdopen(dup(descriptor), "wb")};
    if (!file.stream)
        return false;
    const struct fleet_index_header header = fleet_index_header_of(reading->keys.count, count);
    fleet_index_put(&file, &header, sizeof header);
    fleet_index_put(&file, reading->keys.keys, reading->keys.count * sizeof *reading->keys.keys);
    for (size_t i = folder->first; i < folder->first + folder->count && !file.failed; i++)
        if (kept[i - folder->first])
            fleet_index_put_entry(&file, name_within(folder, reading->paths->list[i]), &reading->marks[i],
                                  &reading->nodes[i]);
    const uint64_t sum = file.sum;
    fleet_index_put(&file, &sum, sizeof sum);
    return (fclose(file.stream) == 0) & !file.failed;
}

/* Only a missing or a regular file may be replaced: a link would be followed. */
static bool is_free(const char *path) {
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

void fleet_index_write(const struct result_folder *folder, const struct fleet_reading *reading,
                       const struct fleet_index *read) {
    size_t known = 0, count = 0;
    for (size_t i = folder->first; i < folder->first + folder->count; i++)
        known += reading->done[i];
    if (known == read->used && read->entries == read->used)
        return;
    struct output_file out;
    char *path = index_path(folder);
    if (is_free(path) && output_file_open(&out, path) == 0) {
        bool *kept = need_calloc(folder->count + 1, sizeof *kept);
        const double too_fresh = too_fresh_s(out.descriptor, reading);
        for (size_t i = 0; i < folder->count; i++) {
            const size_t at = folder->first + i;
            kept[i] = reading->done[at] && fleet_index_is_settled(&reading->marks[at], too_fresh) &&
                      strlen(name_within(folder, reading->paths->list[at])) <= FLEET_INDEX_LONGEST_NAME;
            count += kept[i];
        }
        const bool better = count != read->used || read->entries != read->used;
        output_file_close(&out, better && put_index(out.descriptor, folder, reading, kept, count), false);
        free(kept);
    }
    free(path);
}
