/* SPDX-License-Identifier: BSD-3-Clause
 * Adds up files of counts by region, function and thread, over all processes (see profile.h). */
#include "profile.h"
#include "profile_cost.h"
#include "profile_dump.h"
#include "profile_traffic.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "probe/marks/rank_files.h"
#include "probe/error.h"
#include "probe/marks/ranks.h"
#include "probe/need.h"

/* Ranks of a program that a launcher started: which files are theirs, and what each rank did.
 *
 * Counts by rank. */

/* The launcher that started the process of this file as a rank; RANK_LAUNCHERS: it is no rank, or the file cannot be
 * read. */
static uint32_t profile_launcher_of(const char *folder, const char *name) {
    struct dump dump;
    struct error ignored;
    char path[512];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !dump_open(&dump, path, &ignored))
        return RANK_LAUNCHERS;
    const struct rank rank = dump.header.rank;
    dump_close(&dump);
    return rank.count > 0 && rank.launcher < RANK_LAUNCHERS ? rank.launcher : RANK_LAUNCHERS;
}

/* If some files are of ranks, frees the others, which are of the launcher. Returns the number of files left. */
static int profile_ranks_alone(const char *folder, struct dirent **files, int count) {
    return rank_files_alone(folder, files, count, profile_launcher_of);
}

static struct profile_rank *profile_rank_of(struct profile_region *region, uint32_t number) {
    for (size_t i = 0; i < region->rank_count; i++)
        if (region->ranks[i].number == number)
            return &region->ranks[i];
    struct profile_rank *ranks = realloc(region->ranks, (region->rank_count + 1) * sizeof *ranks);
    if (!ranks)
        return NULL;
    region->ranks = ranks;
    ranks[region->rank_count] = (struct profile_rank){.number = number};
    return &ranks[region->rank_count++];
}

/* Adds a thread's counts in the region to its rank, if it has one: as MPI's or as the program's. False: out of
 * memory. */
static bool profile_rank_add(struct profile_region *region, struct rank rank, const struct count *thread, bool in_mpi) {
    if (rank.count == 0)
        return true;
    struct profile_rank *own = profile_rank_of(region, rank.number);
    if (!own)
        return false;
    count_add(in_mpi ? &own->mpi : &own->count, thread);
    if (in_mpi)
        return true;
    struct count *threads = realloc(own->threads, (own->thread_count + 1) * sizeof *threads);
    if (!threads)
        return false;
    own->threads = threads;
    threads[own->thread_count++] = *thread;
    return true;
}

/* Advice for programs that can't be counted from inside, and for those that run without the counter. */
#define BY_THE_CPU  "`--counters papi` counts it where the CPU's counters can be read"
#define WITH_RIGHTS "measure a copy without such rights, or make room for the counter's report"

enum { MAX_PATH = 512 };

static struct profile_region *region_named(struct profile *profile, const char *name) {
    for (size_t i = 0; i < profile->region_count; i++)
        if (strcmp(profile->regions[i].name, name) == 0)
            return &profile->regions[i];
    struct profile_region *regions = realloc(profile->regions, (profile->region_count + 1) * sizeof *regions);
    if (regions == NULL)
        return NULL;
    profile->regions = regions;
    struct profile_region *region = &regions[profile->region_count++];
    *region = (struct profile_region){.calls = 0};
    snprintf(region->name, sizeof region->name, "%s", name);
    return region;
}

static int profile_by_name(const void *a, const void *b) {
    const struct profile_function *x = a, *y = b;
    int order = strcmp(x->object, y->object);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static int profile_by_instructions(const void *a, const void *b) {
    const struct profile_function *x = a, *y = b;
    if (x->count.instructions != y->count.instructions)
        return x->count.instructions < y->count.instructions ? 1 : -1;
    return profile_by_name(a, b);
}

/* Functions with the same name and object are merged, over all processes. */
static void merge_functions(struct profile_region *region) {
    size_t kept = 0;
    qsort(region->functions, region->function_count, sizeof *region->functions, profile_by_name);
    for (size_t i = 0; i < region->function_count; i++) {
        if (kept > 0 && profile_by_name(&region->functions[kept - 1], &region->functions[i]) == 0) {
            count_add(&region->functions[kept - 1].count, &region->functions[i].count);
            profile_traffic_add(&region->functions[kept - 1].traffic, region->functions[i].traffic);
            touched_sum(&region->functions[kept - 1].touched, region->functions[i].touched);
            free(region->functions[i].traffic);
        } else
            region->functions[kept++] = region->functions[i];
    }
    region->function_count = kept;
}

/* One process that is added to the profile: its costs, and buffers for one region at a time. */
struct profiled_process {
    struct dump dump;
    struct code_cost cost;
    uint64_t *steps;                  /* by counter, all threads, outside of MPI's calls */
    struct count *functions;          /* by function of the cost */
    struct profile_traffic **traffic; /* likewise, until moved to a region */
    struct touched *touched;          /* likewise, of the program; functions of one name share the first one's */
};

/* Adds a thread's work in the region, with its simulated caches' counts. */
static void profile_add_thread(struct profile_region *region, const struct count *count, const struct dump *dump,
                               uint32_t region_index, uint32_t thread) {
    const size_t at = region->thread_count++, more = region->thread_count;
    region->threads = need_realloc(region->threads, more * sizeof *region->threads);
    region->thread_traffic = need_realloc(region->thread_traffic, more * sizeof *region->thread_traffic);
    region->thread_touched = need_realloc(region->thread_touched, more * sizeof *region->thread_touched);
    region->threads[at] = *count;
    region->thread_traffic[at] = NULL;
    region->thread_touched[at] = (struct touched){0};
    for (size_t i = 0; i < dump->traffic_count; i++) {
        const struct dump_record *record = &dump->traffic[i];
        if (record->region != region_index || record->thread != thread)
            continue;
        for (size_t v = 0; v < record->value_count; v++) {
            const struct dump_traffic_value value = dump_traffic_value(record, v);
            profile_traffic_add_value(&region->thread_traffic[at], &value);
        }
        touched_sum(&region->thread_touched[at], record->footprint);
    }
}

/* The records from `first` on, all of one region; `*end` gets the first one of another. */
static bool profile_add_threads(struct profiled_process *process, size_t first, size_t *end,
                                struct profile_region *region) {
    const struct dump_record *records = process->dump.records;
    size_t at = first;
    while (at < process->dump.header.count_count && records[at].region == records[first].region) {
        struct count thread = {0};
        const uint32_t index = records[at].thread;
        const bool in_mpi = dump_thread(&process->dump, index).in_mpi;
        for (; at < process->dump.header.count_count && records[at].region == records[first].region &&
               records[at].thread == index;
             at++)
            for (size_t v = 0; v < records[at].value_count; v++) {
                struct dump_value value = dump_value(&records[at], v);
                process->steps[value.counter] += in_mpi ? 0 : value.value;
                code_cost_add(&process->cost, value.counter, value.value, &thread);
            }
        if (thread.instructions + thread.waiting_instructions == 0)
            continue;
        count_add(in_mpi ? &region->mpi : &region->count, &thread);
        if (!profile_rank_add(region, process->dump.header.rank, &thread, in_mpi))
            return false;
        if (!in_mpi)
            profile_add_thread(region, &thread, &process->dump, records[first].region, index);
    }
    *end = at;
    return true;
}

static void name_function(const struct profiled_process *process, const struct code_function *from,
                          struct profile_function *to) {
    const struct dump_object object = dump_object(&process->dump, from->object);
    snprintf(to->name, sizeof to->name, "%s", from->name);
    code_object_name(&object, to->object, sizeof to->object);
}

static struct touched *of_function(void *touched, size_t function) {
    return &((struct touched *)touched)[function];
}

static void profile_add_touches(struct profiled_process *process) {
    struct touched_sets sets = {0};
    if (process->dump.touch_count == 0)
        return;
    size_t *namesakes = code_cost_namesakes(&process->cost, process->functions);
    for (size_t i = 0; i < process->dump.touch_count; i++) {
        const struct dump_touch touch = dump_touch(&process->dump, i);
        if (touch.counter != 0)
            touched_add(&sets, namesakes[process->cost.counters[touch.counter].function], &touch);
    }
    touched_end(&sets, process->touched, of_function);
    free(namesakes);
}

static bool profile_add_functions(struct profiled_process *process, struct profile_region *region) {
    const struct code_cost *cost = &process->cost;
    memset(process->functions, 0, cost->function_count * sizeof *process->functions);
    for (size_t i = 0; i < process->dump.header.counter_count; i++)
        if (process->steps[i] != 0)
            code_cost_add(cost, i, process->steps[i], &process->functions[cost->counters[i].function]);
    memset(process->touched, 0, cost->function_count * sizeof *process->touched);
    if (region->name[0] == '\0')
        profile_add_touches(process);
    size_t most = region->function_count + cost->function_count;
    struct profile_function *functions = realloc(region->functions, (most + 1) * sizeof *functions);
    if (functions == NULL)
        return false;
    region->functions = functions;
    for (size_t i = 0; i < cost->function_count; i++)
        if (process->functions[i].instructions + process->functions[i].waiting_instructions > 0) {
            struct profile_function *function = &functions[region->function_count++];
            name_function(process, &cost->functions[i], function);
            function->count = process->functions[i];
            function->traffic = process->traffic[i];
            function->touched = process->touched[i];
            process->traffic[i] = NULL;
        }
    merge_functions(region);
    return true;
}

/* Adds the traffic of a region and of its functions. */
static void add_traffic(struct profiled_process *process, uint32_t index, struct profile_region *region) {
    const struct dump *dump = &process->dump;
    if (dump->footprints == NULL)
        return;
    size_t count;
    struct dump_traffic_value *list = profile_traffic_list(dump, index, &count);
    for (size_t i = 0; i < process->cost.function_count; i++) {
        free(process->traffic[i]);
        process->traffic[i] = NULL;
    }
    for (size_t i = 0; i < count; i++) {
        profile_traffic_add_value(&region->traffic, &list[i]);
        if (list[i].counter != 0)
            profile_traffic_add_value(&process->traffic[process->cost.counters[list[i].counter].function], &list[i]);
    }
    free(list);
    touched_sum(&region->touched, dump_footprint(dump, index));
}

static bool profile_add_counts(struct profiled_process *process, struct code_files *files, struct profile *profile) {
    const struct dump *dump = &process->dump;
    for (size_t i = 0; i < dump->header.region_count; i++) {
        struct dump_region from = dump_region(dump, i);
        struct profile_region *to = region_named(profile, from.name);
        if (to == NULL)
            return false;
        to->calls += from.calls;
        to->open += from.open;
        to->mismatched += from.mismatched;
    }
    for (size_t first = 0, end = 0; first < dump->header.count_count; first = end) {
        struct dump_region from = dump_region(dump, dump->records[first].region);
        struct profile_region *to = region_named(profile, from.name);
        memset(process->steps, 0, dump->header.counter_count * sizeof *process->steps);
        add_traffic(process, dump->records[first].region, to);
        if (!profile_add_threads(process, first, &end, to) || !profile_add_functions(process, to))
            return false;
        if (profile->parts != NULL && from.name[0] == '\0')
            profile_parts_add(profile->parts, dump, &process->cost, files, process->steps);
    }
    return true;
}

/* All processes have the same simulated caches. */
static void add_caches(const struct dump *dump, struct profile *profile) {
    const struct dump_header *header = &dump->header;
    profile->touches_unknown |= dump->footprints != NULL && dump->touches == NULL;
    profile->caches = header->levels.geometry;
    profile->one_of = header->levels.one_of;
    profile->seed = header->levels.seed;
    for (unsigned i = 0; i < SAMPLING_CLASSES; i++)
        profile->changes[i] += header->changes[i];
}

static bool profile_add_process(const char *path, struct code_files *files, struct profile *profile,
                                struct error *err) {
    struct profiled_process process = {.steps = NULL};
    if (!dump_open(&process.dump, path, err))
        return false;
    bool done = dump_check(&process.dump, err) && code_cost_find(&process.dump, files, &process.cost, err);
    if (done) {
        process.steps = calloc(process.dump.header.counter_count + 1, sizeof *process.steps);
        process.functions = calloc(process.cost.function_count + 1, sizeof *process.functions);
        process.traffic = calloc(process.cost.function_count + 1, sizeof *process.traffic);
        process.touched = need_calloc(process.cost.function_count + 1, sizeof *process.touched);
        done = (process.steps != NULL && process.functions != NULL && process.traffic != NULL &&
                profile_add_counts(&process, files, profile)) ||
               error_set(err, "not enough memory for the counts of %s", path);
    }
    if (done)
        profile->time_readings += process.dump.header.clock_calls + code_clock_readings(&process.dump, &process.cost);
    if (done) {
        code_cost_add_unknown(&process.dump, &process.cost, profile->unknown);
        add_caches(&process.dump, profile);
        profile_slices_add(profile, &process.dump, &process.cost);
    }
    profile->has_timers |= process.dump.header.timers != 0;
    if (process.dump.header.threads_together > profile->threads_together)
        profile->threads_together = process.dump.header.threads_together;
    free(process.steps);
    free(process.functions);
    for (size_t i = 0; process.traffic != NULL && i < process.cost.function_count; i++)
        free(process.traffic[i]);
    free(process.traffic);
    free(process.touched);
    code_cost_free(&process.cost);
    dump_close(&process.dump);
    profile->process_count++;
    return done;
}

/* How the program of a file ended. */
enum ending { ENDED, KILLED, NOT_COUNTED };

/* A process that is being killed gets a moment to end. */
static bool still_runs(uint32_t pid) {
    const struct timespec moment = {.tv_nsec = 10000000};
    enum { MOMENTS = 50 };
    for (unsigned i = 0; i < MOMENTS; i++) {
        if (pid == 0 || kill((pid_t)pid, 0) != 0)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

/* A failure with advice of its own has it after its last semicolon. */
static bool failed(const struct dump_header *header, struct error *err) {
    const char *program = header->program[0] != '\0' ? header->program : "a program";
    return header->failure[0] != '\0' &&
           !error_set(err, "%s (process %u) can't be counted: %s%s", program, header->pid, header->failure,
                      strchr(header->failure, ';') ? "" : "; " BY_THE_CPU);
}

/* Sets `err` unless the program ended and left its counts. */
static enum ending ending_of(const char *path, struct error *err) {
    struct dump dump;
    struct stat status;
    if (stat(path, &status) == 0 && status.st_size == 0) {
        error_set(err, "a process (%s) was killed as soon as it began; run it so that it ends by itself", path);
        return KILLED;
    }
    if (!dump_open(&dump, path, err))
        return NOT_COUNTED;
    const struct dump_header *header = &dump.header;
    const char *program = header->program[0] != '\0' ? header->program : "a program";
    enum ending ending = ENDED;
    if (failed(header, err)) {
        ending = NOT_COUNTED;
    } else if (header->complete != 1) {
        const bool runs = still_runs(header->pid);
        error_set(err, "%s (process %u) %s", program, header->pid,
                  runs ? "still runs, so its counts are unknown: let the program wait until it has ended"
                       : "left no counts: it was killed, it crashed, or a tracer or an emulator (proot, qemu) ran it; "
                         "run it by itself and to its end");
        ending = runs ? NOT_COUNTED : KILLED;
    }
    dump_close(&dump);
    return ending;
}

/* A program that was started by exec without the counter. */
static bool not_counted(const char *program, long process, struct error *err) {
    return error_set(err,
                     "%s (process %ld) was started and not counted: it has rights of its own (setuid), is for another "
                     "machine, cannot load the counter (chroot), or the counter cannot write its report (another "
                     "user's rights, a filter of system calls, a full disk, `ulimit -f`); " WITH_RIGHTS,
                     program, process);
}

/* Likewise, by the child of a vfork, which has left a file. */
static bool child_not_counted(const char *path, const char *name, struct error *err) {
    char program[256] = "";
    FILE *file = fopen(path, "re");
    if (file != NULL) {
        program[fread(program, 1, sizeof program - 1, file)] = '\0';
        fclose(file);
    }
    program[strcspn(program, "\n")] = '\0';
    const long process = strtol(name + strlen("exec."), NULL, 10);
    if (program[0] == '\0')
        return error_set(err,
                         "a program (process %ld) was started and not counted: nothing can be written to %s; is "
                         "the disk full, or `ulimit -f` too low?",
                         process, path);
    return not_counted(program, process, err);
}

static int is_count(const struct dirent *entry) {
    return strncmp(entry->d_name, "count.", strlen("count.")) == 0;
}

static int is_exec(const struct dirent *entry) {
    return strncmp(entry->d_name, "exec.", strlen("exec.")) == 0;
}

/* The files of one kind in the folder, by number. */
static bool list_files(const char *folder, int (*kind)(const struct dirent *), struct dirent ***entries, int *count,
                       struct error *err) {
    *count = scandir(folder, entries, kind, versionsort);
    return *count >= 0 || error_set(err, "%s can't be read: %s", folder, strerror(errno));
}

static void free_files(struct dirent **entries, int count) {
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

static bool profile_join(char path[MAX_PATH], const char *folder, const char *name, struct error *err) {
    return snprintf(path, MAX_PATH, "%s/%s", folder, name) < MAX_PATH ||
           error_set(err, "%s/%s is too long for a path", folder, name);
}

/* False if the program of this file became another one that left no file. */
static bool is_followed(const char *folder, const char *name, struct error *err) {
    char path[MAX_PATH], next[MAX_PATH];
    struct dump dump;
    struct error ignored;
    if (!profile_join(path, folder, name, err))
        return false;
    if (!dump_open(&dump, path, &ignored)) /* damage is reported later */
        return true;
    const struct dump_header header = dump.header;
    dump_close(&dump);
    const char *image = strrchr(name, '.') + 1;
    snprintf(next, sizeof next, "%.*s%ld", (int)(image - name), name, strtol(image, NULL, 10) + 1);
    return header.executes[0] == '\0' || (profile_join(path, folder, next, err) && access(path, F_OK) == 0) ||
           not_counted(header.executes, header.pid, err);
}

static bool all_are_followed(const char *folder, struct dirent **entries, int count, struct error *err) {
    for (int i = 0; i < count; i++)
        if (!is_followed(folder, entries[i]->d_name, err))
            return false;
    return true;
}

static bool all_were_started_counted(const char *folder, struct error *err) {
    struct dirent **entries;
    char path[MAX_PATH];
    int count = 0;
    if (!list_files(folder, is_exec, &entries, &count, err))
        return false;
    bool done = count == 0 || (profile_join(path, folder, entries[0]->d_name, err) &&
                               child_not_counted(path, entries[0]->d_name, err));
    free_files(entries, count);
    return done;
}

/* Some processes have no counts. If another one failed, that is the reason, as for a debugger and its program. */
static bool failed_because(const char *folder, struct dirent **entries, int count, struct error *err) {
    char path[MAX_PATH];
    struct dump dump;
    struct error ignored;
    for (int i = 0; i < count; i++) {
        if (!profile_join(path, folder, entries[i]->d_name, &ignored) || !dump_open(&dump, path, &ignored))
            continue;
        const bool is_why = failed(&dump.header, err);
        dump_close(&dump);
        if (is_why)
            break;
    }
    return false;
}

/* Whether another process of the program killed the process of this file, as it would natively. */
static bool was_killed_by_another(const char *folder, const char *name) {
    char path[MAX_PATH];
    struct error ignored;
    const char *process = name + strlen("count.");
    char announced[32];
    snprintf(announced, sizeof announced, "kill.%.*s", (int)strcspn(process, "."), process);
    return profile_join(path, folder, announced, &ignored) && access(path, F_OK) == 0;
}

/* Whether each process left its counts, except for those that others killed, and up to `killed_most` more. */
static bool all_ended(const char *folder, struct dirent **entries, int count, unsigned killed_most, bool *killed,
                      struct error *err) {
    char path[MAX_PATH];
    unsigned killed_count = 0, known_count = 0;
    for (int i = 0; i < count; i++) {
        if (!profile_join(path, folder, entries[i]->d_name, err))
            return false;
        const enum ending ending = ending_of(path, err);
        killed[i] = ending == KILLED;
        killed_count += killed[i];
        known_count += killed[i] && was_killed_by_another(folder, entries[i]->d_name);
        if (ending == NOT_COUNTED || killed_count > killed_most + known_count)
            return false;
    }
    return killed_count < (unsigned)count;
}

static bool sum_files(const char *folder, struct dirent **entries, int count, const bool *killed, struct profile *out,
                      struct error *err) {
    struct code_files files = {.count = 0};
    char path[MAX_PATH];
    bool done = true;
    for (int i = 0; done && i < count; i++) {
        out->killed_count += killed[i];
        done = killed[i] ||
               (profile_join(path, folder, entries[i]->d_name, err) && profile_add_process(path, &files, out, err));
    }
    code_files_close(&files);
    profile_slices_sort(out);
    if (out->parts != NULL)
        profile_parts_merge(out->parts);
    for (size_t i = 0; i < out->region_count; i++)
        if (out->regions[i].function_count > 0)
            qsort(out->regions[i].functions, out->regions[i].function_count, sizeof *out->regions[i].functions,
                  profile_by_instructions);
    return done;
}

/* Reads into a profile that is empty except for `parts`. */
static bool profile_read_folder(const char *folder, unsigned killed_most, struct profile *out, struct error *err) {
    struct dirent **entries;
    int count = 0;
    if (!list_files(folder, is_count, &entries, &count, err))
        return false;
    const bool followed = (all_are_followed(folder, entries, count, err) && all_were_started_counted(folder, err)) ||
                          failed_because(folder, entries, count, err);
    count = profile_ranks_alone(folder, entries, count);
    bool *killed = need_calloc((size_t)count + 1, sizeof *killed);
    bool done = followed &&
                (count > 0 || error_set(err,
                                        "the counter left no report in %s: the program has rights of its own (setuid), "
                                        "it cannot load the counter (chroot), or nothing can be "
                                        "written there (a full disk, `ulimit -f`); " WITH_RIGHTS,
                                        folder)) &&
                all_ended(folder, entries, count, killed_most, killed, err) &&
                sum_files(folder, entries, count, killed, out, err);
    free_files(entries, count);
    free(killed);
    if (!done)
        profile_free(out);
    return done;
}

bool profile_read_ended(const char *folder, unsigned killed_most, struct profile *out, struct error *err) {
    *out = (struct profile){.process_count = 0};
    return profile_read_folder(folder, killed_most, out, err);
}

bool profile_read_parts(const char *folder, unsigned killed_most, struct profile *out, struct error *err) {
    *out = (struct profile){.parts = profile_parts_new()};
    return profile_read_folder(folder, killed_most, out, err);
}

bool profile_read(const char *folder, struct profile *out, struct error *err) {
    return profile_read_ended(folder, 0, out, err);
}

void profile_free(struct profile *profile) {
    for (size_t i = 0; i < profile->region_count; i++) {
        for (size_t f = 0; f < profile->regions[i].function_count; f++)
            free(profile->regions[i].functions[f].traffic);
        for (size_t t = 0; profile->regions[i].thread_traffic && t < profile->regions[i].thread_count; t++)
            free(profile->regions[i].thread_traffic[t]);
        free(profile->regions[i].thread_traffic);
        free(profile->regions[i].thread_touched);
        free(profile->regions[i].traffic);
        free(profile->regions[i].functions);
        free(profile->regions[i].threads);
        for (size_t r = 0; r < profile->regions[i].rank_count; r++)
            free(profile->regions[i].ranks[r].threads);
        free(profile->regions[i].ranks);
    }
    free(profile->regions);
    free(profile->slices);
    profile_parts_free(profile->parts);
    *profile = (struct profile){.process_count = 0};
}

const struct profile_region *profile_region_find(const struct profile *profile, const char *name) {
    for (size_t i = 0; i < profile->region_count; i++)
        if (strcmp(profile->regions[i].name, name) == 0)
            return &profile->regions[i];
    return NULL;
}
