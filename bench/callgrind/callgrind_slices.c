/* SPDX-License-Identifier: BSD-3-Clause
 * Regions and threads from the parts of callgrind's files (see callgrind_slices.h). */
#include "callgrind_slices.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind_marks.h"
#include "probe/need.h"

struct sliced_thread {
    unsigned number; /* that the collector gave it */
    size_t index;    /* of all processes' threads */
    size_t creator;  /* among this process's; of the first, itself */
    size_t *open;    /* regions, the innermost last */
    size_t depth;
};
struct sliced_process { /* an image of one */
    char name[64];      /* its files': the process's number, and perhaps the image's */
    char command[512];  /* "" unless it may have forked unseen */
    size_t thread_count, slot_count;
    bool did_something;
    struct sliced_thread *threads; /* in the order of their creation */
    size_t *slots;                 /* which of them has valgrind's number; the first where none was announced */
};
struct slice_reader {
    bool (*take)(void *context, const struct slice *slice, struct error *err);
    void *context;
    struct slices *out;
    const char *folder;
    size_t process_count;
    struct sliced_process *processes;
    size_t *regions; /* of the slice at hand */
};

static size_t find_region(struct slices *out, const char *name) {
    for (size_t i = 0; i < out->region_count; i++)
        if (strcmp(out->regions[i].name, name) == 0)
            return i;
    out->regions = need_realloc(out->regions, (out->region_count + 1) * sizeof *out->regions);
    struct slices_region *region = &out->regions[out->region_count];
    *region = (struct slices_region){0};
    snprintf(region->name, sizeof region->name, "%s", name);
    return out->region_count++;
}

static size_t add_thread(struct sliced_process *process, struct slices *out, unsigned number, size_t creator) {
    process->threads = need_realloc(process->threads, (process->thread_count + 1) * sizeof *process->threads);
    process->threads[process->thread_count] =
        (struct sliced_thread){.number = number, .creator = creator, .index = out->thread_count++};
    return process->thread_count++;
}

/* Threads that nobody announced (made without pthread_create) are taken for the first. */
static size_t thread_of_slot(const struct sliced_process *process, unsigned slot) {
    return slot < process->slot_count ? process->slots[slot] : 0;
}

static void announce_thread(struct sliced_process *process, struct slices *out, unsigned slot, unsigned number,
                            unsigned creator_number) {
    size_t creator = 0;
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].number == creator_number)
            creator = i;
    if (slot >= process->slot_count) {
        process->slots = need_realloc(process->slots, (slot + 1) * sizeof *process->slots);
        memset(process->slots + process->slot_count, 0, (slot + 1 - process->slot_count) * sizeof *process->slots);
        process->slot_count = slot + 1;
    }
    process->slots[slot] = add_thread(process, out, number, creator);
}

static void begin_region(struct sliced_thread *thread, struct slices *out, const char *name) {
    size_t region = find_region(out, name);
    out->regions[region].calls++;
    thread->open = need_realloc(thread->open, (thread->depth + 1) * sizeof *thread->open);
    thread->open[thread->depth++] = region;
}

static void end_region(struct sliced_thread *thread, struct slices *out, const char *name) {
    size_t region = find_region(out, name), at = thread->depth;
    while (at > 0 && thread->open[at - 1] != region)
        at--;
    if (at == 0 || at < thread->depth)
        out->regions[region].mismatched++;
    if (at == 0)
        return;
    memmove(&thread->open[at - 1], &thread->open[at], (thread->depth - at) * sizeof *thread->open);
    thread->depth--;
}

/* The collector's text within the trigger; "" of other triggers. */
static const char *mark_of(const struct callgrind_part *part) {
    const char *mark = strstr(part->trigger, "carmine ");
    return mark ? mark : "";
}

static const char *name_after(const char *mark, const char *what) {
    size_t length = strlen(what);
    return strncmp(mark, what, length) == 0 ? mark + length : NULL;
}

/* The regions that are open on the thread, and on the threads that it descends from; each once. */
static size_t regions_of(struct slice_reader *reader, const struct sliced_process *process, size_t thread) {
    size_t count = 0;
    reader->regions = need_realloc(reader->regions, reader->out->region_count * sizeof *reader->regions);
    reader->regions[count++] = 0;
    for (size_t at = thread;; at = process->threads[at].creator) {
        const struct sliced_thread *each = &process->threads[at];
        for (size_t i = 0; i < each->depth; i++) {
            bool known = false;
            for (size_t k = 0; k < count; k++)
                known |= reader->regions[k] == each->open[i];
            if (!known)
                reader->regions[count++] = each->open[i];
        }
        if (each->creator == at)
            return count;
    }
}

static bool take_part(struct slice_reader *reader, struct sliced_process *process, const char *maps,
                      const struct callgrind_part *part, struct error *err) {
    const char *mark = mark_of(part), *name;
    unsigned number, creator;
    if (strcmp(mark, MARK_INHERITED) == 0 || strcmp(mark, MARK_OWN) == 0)
        return true;
    if (strcmp(mark, MARK_LOST) == 0)
        return error_set(err, "process %s of the program replaced itself in a way that valgrind does not tell of",
                         process->name);
    if (sscanf(mark, MARK_THREAD, &number, &creator) == 2)
        announce_thread(process, reader->out, part->thread, number, creator);
    size_t at = thread_of_slot(process, part->thread);
    if ((name = name_after(mark, MARK_BEGIN))) {
        begin_region(&process->threads[at], reader->out, name);
        return true;
    }
    if ((name = name_after(mark, MARK_END))) {
        end_region(&process->threads[at], reader->out, name);
        return true;
    }
    process->did_something = true;
    struct slice slice = {.part = part, .maps = maps, .thread = process->threads[at].index};
    slice.region_count = regions_of(reader, process, at);
    slice.regions = reader->regions;
    return reader->take(reader->context, &slice, err);
}

/* What a forked process has from its parent is not its own. The collector sets it apart; without the collector there is
 * no telling, and a process that forked looks like one that was started with the same command. */
static bool check_start(struct slice_reader *reader, struct sliced_process *process, const char *command,
                        const struct callgrind_part *first, struct error *err) {
    bool from_start = first->first_block == 0;
    if (strcmp(mark_of(first), from_start ? MARK_START : MARK_INHERITED) == 0)
        return true;
    snprintf(process->command, sizeof process->command, "%s", command);
    bool twice = !from_start;
    for (struct sliced_process *other = reader->processes; other < process; other++)
        twice |= strcmp(other->command, process->command) == 0;
    return !twice || error_set(err,
                               "under valgrind the program (%s) starts processes in a way that leaves it unknown what "
                               "each of them did: no library can be preloaded into it, or it forks by itself",
                               command);
}

static bool read_process(struct slice_reader *reader, struct sliced_process *process, const char *path,
                         const char *maps, struct error *err) {
    struct callgrind_file *file = callgrind_file_open(path, err);
    const struct callgrind_part *part;
    bool ok = file != NULL, first = true, complete = false;
    while (ok && (ok = callgrind_file_next(file, &part, err)) && part) {
        if (first)
            ok = check_start(reader, process, callgrind_file_command(file), part, err);
        first = false;
        complete = strcmp(part->trigger, "Program termination") == 0 || strcmp(mark_of(part), MARK_EXEC) == 0;
        ok = ok && take_part(reader, process, maps, part, err);
    }
    if (ok && !complete)
        ok = error_set(err, "process %s of the program was killed or still runs: valgrind has not told all of it",
                       process->name);
    callgrind_file_close(file);
    for (size_t i = 0; i < process->thread_count; i++)
        for (size_t k = 0; k < process->threads[i].depth; k++)
            reader->out->regions[process->threads[i].open[k]].open++;
    return ok;
}

static bool find_processes(struct slice_reader *reader, struct error *err) {
    DIR *open = opendir(reader->folder);
    if (!open)
        return error_set(err, "%s: %s", reader->folder, strerror(errno));
    const struct dirent *entry;
    while ((entry = readdir(open))) {
        const char *name = name_after(entry->d_name, MARK_COUNTS_FILE);
        if (!name)
            continue;
        reader->processes = need_realloc(reader->processes, (reader->process_count + 1) * sizeof *reader->processes);
        struct sliced_process *process = &reader->processes[reader->process_count++];
        *process = (struct sliced_process){0};
        snprintf(process->name, sizeof process->name, "%s", name);
    }
    closedir(open);
    return reader->process_count > 0 ||
           error_set(err, "valgrind left nothing in %s: it needs /proc, and a dozen files at once (`ulimit -n`)",
                     reader->folder);
}

static int by_name(const void *a, const void *b) {
    const struct sliced_process *x = a, *y = b;
    return strverscmp(x->name, y->name);
}

bool slices_read(const char *folder, bool (*take)(void *context, const struct slice *slice, struct error *err),
                 void *context, struct slices *out, struct error *err) {
    struct slice_reader reader = {.take = take, .context = context, .out = out, .folder = folder};
    *out = (struct slices){0};
    find_region(out, "");
    bool ok = find_processes(&reader, err);
    if (ok)
        qsort(reader.processes, reader.process_count, sizeof *reader.processes, by_name);
    for (size_t i = 0; ok && i < reader.process_count; i++) {
        struct sliced_process *process = &reader.processes[i];
        char counts[4096], maps[4096];
        snprintf(counts, sizeof counts, "%s/" MARK_COUNTS_FILE "%s", folder, process->name);
        snprintf(maps, sizeof maps, "%s/" MARK_MAPS_FILE "%s", folder, process->name);
        add_thread(process, out, 0, 0);
        ok = read_process(&reader, process, counts, maps, err);
    }
    for (size_t i = 0; i < reader.process_count; i++) {
        out->process_count += reader.processes[i].did_something;
        for (size_t k = 0; k < reader.processes[i].thread_count; k++)
            free(reader.processes[i].threads[k].open);
        free(reader.processes[i].threads);
        free(reader.processes[i].slots);
    }
    free(reader.processes);
    free(reader.regions);
    if (!ok)
        slices_free(out);
    return ok;
}

void slices_free(struct slices *slices) {
    free(slices->regions);
    *slices = (struct slices){0};
}
