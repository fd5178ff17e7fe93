/* SPDX-License-Identifier: BSD-3-Clause
 * Other programs' use of CPUs from /proc: the system's busy time less our own, and the times of all visible processes.
 * In a container the busy time covers the whole host, but only the container's processes are visible. */
#include "others.h"
#include "number_thresholds.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/machine.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/osfile.h"

enum { STAT_BYTES = 1024, PATH_BYTES = 4096, FIRST_CAPACITY = 256 };

struct others_process {
    long number, parent;
    unsigned long long started; /* in ticks since boot: tells processes apart that reuse a number */
    double used_s;
    char name[OTHERS_NAME_BYTES];
};

static bool is_allowed(const struct machine *machine, unsigned cpu) {
    for (unsigned i = 0; i < machine->core_count; i++)
        for (unsigned k = 0; k < machine->cores[i].pu_count && k < MACHINE_MAX_PUS; k++)
            if (machine->cores[i].pus[k] == cpu)
                return true;
    return false;
}

/* As `all`, but with the busy time of the allowed CPUs only. */
static struct activity allowed_now(const char *path, const struct machine *machine, const struct activity *all) {
    struct activity now = *all;
    char *line = NULL;
    size_t bytes = 0;
    unsigned cpu;
    unsigned long long user, nice, system;
    FILE *file = fopen(path, "re");
    now.busy_s = 0;
    while (file && need_line(&line, &bytes, file) && strncmp(line, "cpu", 3) == 0)
        if (sscanf(line, "cpu%u %llu %llu %llu", &cpu, &user, &nice, &system) == 4 && is_allowed(machine, cpu))
            now.busy_s += (double)(user + nice + system) / (double)sysconf(_SC_CLK_TCK);
    free(line);
    if (file)
        fclose(file);
    return now;
}

/* "17 (a name) S 1 …": fields 14, 15 and 22 are user time, kernel time and start time (proc(5)). A name may contain any
 * character. */
static bool read_process(const char *root, long number, struct others_process *out) {
    char path[64], text[STAT_BYTES];
    unsigned long long user, kernel;
    snprintf(path, sizeof path, "/proc/%ld/stat", number);
    *out = (struct others_process){.number = number};
    if (!osfile_text(root, path, text, sizeof text))
        return false;
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || end < begin ||
        sscanf(end + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %*d %*d %llu",
               &out->parent, &user, &kernel, &out->started) != 4)
        return false;
    out->used_s = (double)(user + kernel) / (double)sysconf(_SC_CLK_TCK);
    snprintf(out->name, sizeof out->name, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

static int by_number(const void *a, const void *b) {
    const long i = ((const struct others_process *)a)->number, k = ((const struct others_process *)b)->number;
    return (i > k) - (i < k);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct others_process *)a)->name, ((const struct others_process *)b)->name);
}

static size_t read_processes(const char *root, struct others_process **out) {
    char path[PATH_BYTES];
    size_t count = 0, capacity = 0;
    *out = NULL;
    if (snprintf(path, sizeof path, "%s/proc", root) >= (int)sizeof path)
        return 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (count == capacity) {
            capacity = capacity ? 2 * capacity : FIRST_CAPACITY;
            *out = need_realloc(*out, capacity * sizeof **out);
        }
        count += read_process(root, atol(entry->d_name), &(*out)[count]);
    }
    if (folder)
        closedir(folder);
    if (count)
        qsort(*out, count, sizeof **out, by_number);
    return count;
}

static const struct others_process *find(const struct others_process *list, size_t count, long number) {
    const struct others_process wanted = {.number = number};
    return count ? bsearch(&wanted, list, count, sizeof *list, by_number) : NULL;
}

/* This process or a descendant of it. */
static bool is_own(const struct others_process *list, size_t count, const struct others_process *of) {
    for (size_t steps = 0; of && steps < count; steps++) {
        if (of->number == getpid())
            return true;
        of = find(list, count, of->parent);
    }
    return false;
}

/* Replaces each process's total time by its time since the watch began (0 for our own), and sorts by name. */
static void leave_the_difference(const struct others_watch *watch, struct others_process *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct others_process *before = find(watch->processes, watch->count, list[i].number);
        if (before && before->started == list[i].started)
            list[i].used_s -= before->used_s;
        if (is_own(list, count, &list[i]))
            list[i].used_s = 0;
    }
    if (count)
        qsort(list, count, sizeof *list, by_name);
}

static void find_busiest(const struct others_watch *watch, const char *root, double wall_s, struct others *out) {
    struct others_process *list;
    const size_t count = read_processes(root, &list);
    double most_s = 0;
    leave_the_difference(watch, list, count);
    for (size_t from = 0, to; from < count; from = to) {
        double used_s = 0;
        for (to = from; to < count && by_name(&list[to], &list[from]) == 0; to++)
            used_s += list[to].used_s;
        if (used_s <= most_s)
            continue;
        most_s = used_s;
        snprintf(out->busiest, sizeof out->busiest, "%s", list[from].name);
    }
    out->busiest_cpus = most_s / wall_s;
    free(list);
}

static void stat_path(const char *root, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%s/proc/stat", root);
}

void others_begin(struct others_watch *out, const char *root, const struct machine *machine) {
    char path[PATH_BYTES];
    stat_path(root, path);
    *out = (struct others_watch){.count = 0};
    out->count = read_processes(root, &out->processes);
    out->all = activity_now(path);
    out->allowed = allowed_now(path, machine, &out->all);
}

struct others others_since(const struct others_watch *watch, const char *root, const struct machine *machine) {
    char path[PATH_BYTES];
    stat_path(root, path);
    const struct activity all = activity_now(path), allowed = allowed_now(path, machine, &all);
    struct others out = {.cpus = activity_of_others(&watch->all, &all),
                         .allowed_cpus = activity_of_others(&watch->allowed, &allowed)};
    if (watch->all.known && all.wall_s > watch->all.wall_s)
        find_busiest(watch, root, all.wall_s - watch->all.wall_s, &out);
    return out;
}

void others_free(struct others_watch *watch) {
    free(watch->processes);
    *watch = (struct others_watch){.count = 0};
}

/* The whole machine's activity. */

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

struct activity activity_now(const char *proc_stat_path) {
    struct activity now = {0};
    static const int OWN[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    now.wall_s = now_s();
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        struct rusage own;
        if (getrusage(OWN[i], &own) == 0)
            now.own_s += seconds(own.ru_utime) + seconds(own.ru_stime);
    }
    FILE *file = fopen(proc_stat_path, "r");
    unsigned long long user, nice, system, stolen = 0;
    if (file && fscanf(file, "cpu %llu %llu %llu %*u %*u %*u %*u %llu", &user, &nice, &system, &stolen) >= 3) {
        const double ticks_per_s = (double)sysconf(_SC_CLK_TCK);
        now.known = true;
        now.busy_s = (double)(user + nice + system) / ticks_per_s;
        now.stolen_s = (double)stolen / ticks_per_s;
    }
    if (file)
        fclose(file);
    return now;
}

/* Average number of CPUs between the two readings. */
static double rate(const struct activity *before, const struct activity *after, double seconds_between) {
    const double wall_s = after->wall_s - before->wall_s;
    const bool told = before->known && after->known && wall_s >= number_thresholds.others_ticks_s.value;
    return told && seconds_between > 0 ? seconds_between / wall_s : 0;
}

double activity_of_others(const struct activity *before, const struct activity *after) {
    return rate(before, after, (after->busy_s - before->busy_s) - (after->own_s - before->own_s));
}

double activity_stolen(const struct activity *before, const struct activity *after) {
    return rate(before, after, after->stolen_s - before->stolen_s);
}

void activity_sample(struct activity *from, const struct activity *now, bool *busy) {
    const double watched_s = now->wall_s - from->wall_s;
    const bool too_long = watched_s > number_thresholds.others_forget_s.value;
    if (!too_long && !(watched_s > number_thresholds.others_watch_s.value))
        return;
    *busy = !too_long && activity_of_others(from, now) > number_thresholds.others_matter.value;
    *from = *now;
}
