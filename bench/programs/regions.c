/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the reports of libcarmine-papi.so (written by bench/collect/process.c). Images of one process that follow each
 * other by exec are added up; so are the processes. */
#include "regions.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/marks/rank_files.h"
#include "probe/clock.h"
#include "probe/clock_chains.h"
#include "probe/error.h"
#include "probe/marks/ranks.h"
#include "probe/order.h"

/* The time of a region in several processes.
 *
 * Of concurrent processes, the longest in the region gives its time. Times of consecutive processes are added. Events
 * are added; the machine's events, which every process sees, are treated like times. */

struct region_interval { /* one process in a region */
    size_t region;
    uint64_t start_ns, end_ns; /* of the process */
    double seconds, events[REGIONS_MAX_EVENTS];
    unsigned rank;      /* 0 also without ranks */
    double mpi_seconds; /* the part of `seconds` in MPI calls */
    uint64_t mpi_calls;
};

struct region_intervals {
    size_t count, room;
    struct region_interval *all;
};

bool region_intervals_add(struct region_intervals *intervals,
                          const struct region_interval *interval); /* false: out of memory */

bool region_intervals_add(struct region_intervals *intervals, const struct region_interval *interval) {
    if (intervals->count == intervals->room) {
        const size_t room = 2 * intervals->room + 16;
        struct region_interval *more = realloc(intervals->all, room * sizeof *more);
        if (!more)
            return false;
        intervals->all = more;
        intervals->room = room;
    }
    intervals->all[intervals->count++] = *interval;
    return true;
}

static void region_intervals_free(struct region_intervals *intervals) {
    free(intervals->all);
    *intervals = (struct region_intervals){0};
}

static int by_region_and_start(const void *a, const void *b) {
    const struct region_interval *x = a, *y = b;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Adds the time, and the machine's events; `sign` -1 subtracts them. */
static void add_time(struct regions_report *report, const bool *of_machine, const struct region_interval *interval,
                     int sign) {
    struct region_times *region = &report->regions[interval->region];
    region->seconds += sign * interval->seconds;
    for (unsigned i = 0; i < report->event_count; i++)
        region->events[i] += of_machine[i] ? sign * interval->events[i] : 0;
}

static void add_events(struct regions_report *report, const bool *of_machine, const struct region_interval *interval) {
    for (unsigned i = 0; i < report->event_count; i++)
        report->regions[interval->region].events[i] += of_machine[i] ? 0 : interval->events[i];
}

/* Processes that overlap, directly or in a chain, form a group. Its longest stay counts; groups are added. */
static void region_intervals_sum(struct region_intervals *intervals, const bool of_machine[REGIONS_MAX_EVENTS],
                                 struct regions_report *report) {
    const struct region_interval *longest = NULL;
    uint64_t group_end_ns = 0;
    if (intervals->count > 0)
        qsort(intervals->all, intervals->count, sizeof *intervals->all, by_region_and_start);
    for (size_t i = 0; i < intervals->count; i++) {
        const struct region_interval *interval = &intervals->all[i];
        add_events(report, of_machine, interval);
        if (interval->seconds == 0) /* never entered */
            continue;
        if (longest && (longest->region != interval->region || interval->start_ns >= group_end_ns))
            longest = NULL;
        if (!longest || interval->end_ns > group_end_ns)
            group_end_ns = interval->end_ns;
        if (longest && interval->seconds <= longest->seconds)
            continue;
        if (longest)
            add_time(report, of_machine, longest, -1);
        add_time(report, of_machine, interval, 1);
        longest = interval;
    }
}

/* Reports of a program that a launcher started as many ranks: the ranks' reports, and the time of each rank.
 *
 * Ranks in the reports of a run. */

/* The launcher that started the process of this report as a rank, from the second line; RANK_LAUNCHERS: no rank. */
static uint32_t regions_launcher_of(const char *folder, const char *name) {
    char path[4096], line[8192];
    unsigned rank, ranks, launcher;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    const bool told = file && fgets(line, sizeof line, file) && fgets(line, sizeof line, file) &&
                      sscanf(line, "rank\t%u\t%u\t%u", &rank, &ranks, &launcher) == 3 && launcher < RANK_LAUNCHERS;
    if (file)
        fclose(file);
    return told ? launcher : RANK_LAUNCHERS;
}

/* If some reports are of ranks, frees the others, which are of the launcher. Returns the number of reports left. */
static int region_ranks_alone(const char *folder, struct dirent **files, int count) {
    return rank_files_alone(folder, files, count, regions_launcher_of);
}

/* Adds the intervals of one rank into the times of `own`, which has the report's regions. */
static bool sum_rank(const struct region_intervals *intervals, unsigned rank, struct regions_report *own) {
    static const bool of_machine[REGIONS_MAX_EVENTS];
    struct region_intervals part = {.count = 0};
    bool done = true;
    memset(own->regions, 0, own->region_count * sizeof *own->regions);
    for (size_t i = 0; done && i < intervals->count; i++) {
        const struct region_interval *interval = &intervals->all[i];
        if (interval->rank != rank)
            continue;
        done = region_intervals_add(&part, interval);
        own->regions[interval->region].mpi_seconds += interval->mpi_seconds;
        own->regions[interval->region].mpi_calls += interval->mpi_calls;
    }
    if (done)
        region_intervals_sum(&part, of_machine, own);
    region_intervals_free(&part);
    return done;
}

/* Fills the report's rank_times. False: out of memory. */
static bool region_ranks_sum(const struct region_intervals *intervals, struct regions_report *report) {
    struct regions_report own = {.region_count = report->region_count};
    own.regions = calloc(report->region_count, sizeof *own.regions);
    /* each was in a process, so there are no more than intervals */
    report->rank_times = calloc(intervals->count + 1, sizeof *report->rank_times);
    bool done = own.regions && report->rank_times;
    for (unsigned rank = 0; done && rank < report->ranks; rank++) {
        done = sum_rank(intervals, rank, &own);
        for (unsigned r = 0; done && r < report->region_count; r++)
            if (own.regions[r].seconds > 0)
                report->rank_times[report->rank_time_count++] = (struct rank_times){
                    rank, r, own.regions[r].seconds, own.regions[r].mpi_seconds, own.regions[r].mpi_calls};
    }
    free(own.regions);
    return done;
}

const struct rank_times *regions_rank(const struct regions_report *report, unsigned rank, unsigned region) {
    for (size_t i = 0; i < report->rank_time_count; i++)
        if (report->rank_times[i].rank == rank && report->rank_times[i].region == region)
            return &report->rank_times[i];
    return NULL;
}

enum { MAX_FIELDS = 8 + REGIONS_MAX_EVENTS };

struct regions_reader {
    const char *path;
    unsigned line;
    struct error *err, killed; /* killed: the message for the first killed image */
    struct regions_report *out;
    bool of_machine[REGIONS_MAX_EVENTS];
    size_t room, place_room, tick_room, clock_room, map_room; /* allocated elements */
    struct region_intervals intervals;
    long process;                    /* of the last file; -1: none yet */
    struct region_interval *current; /* its stay in each region */
    size_t current_room;
    uint64_t start_ns, end_ns; /* of the process */
    unsigned rank;             /* of the process */
    /* Of this file: */
    char *fields[MAX_FIELDS];
    unsigned field_count;
    size_t first_place;
    unsigned event_count, events[REGIONS_MAX_EVENTS]; /* indices of its events */
    unsigned region_count, *regions;                  /* indices of its regions */
};

static bool regions_damaged(struct regions_reader *reader) {
    return error_set(reader->err, "%s: line %u is damaged", reader->path, reader->line);
}
static bool no_memory(struct regions_reader *reader) {
    return error_set(reader->err, "%s: out of memory", reader->path);
}

/* Decodes "%09" etc., which the report writes for characters that would end a field. */
static bool regions_decode(char *text) {
    char *to = text;
    for (; *text; text++) {
        unsigned code;
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        if (!isxdigit((unsigned char)text[1]) || !isxdigit((unsigned char)text[2]) ||
            sscanf(text, "%%%2x", &code) != 1 || code == 0)
            return false;
        *to++ = (char)code;
        text += 2;
    }
    *to = '\0';
    return true;
}

static bool regions_split(struct regions_reader *reader, char *line) {
    reader->field_count = 0;
    for (char *field; (field = strsep(&line, "\t"));) {
        if (reader->field_count == MAX_FIELDS || !regions_decode(field))
            return regions_damaged(reader);
        reader->fields[reader->field_count++] = field;
    }
    return true;
}

static bool regions_number(struct regions_reader *reader, unsigned field, int base, uint64_t *out) {
    char *end;
    if (field >= reader->field_count)
        return regions_damaged(reader);
    errno = 0;
    *out = strtoull(reader->fields[field], &end, base);
    return (errno == 0 && end != reader->fields[field] && *end == '\0') || regions_damaged(reader);
}

/* The array with room for one more element; NULL: out of memory, and the array is unchanged. */
static void *regions_grow(void *array, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return array;
    const size_t more = 2 * *room + 16;
    char *grown = realloc(array, more * size);
    if (grown) {
        memset(grown + *room * size, 0, (more - *room) * size);
        *room = more;
    }
    return grown;
}

static bool find_region(struct regions_reader *reader, const char *name, size_t *out) {
    struct regions_report *report = reader->out;
    for (*out = 0; *out < report->region_count; (*out)++)
        if (strcmp(report->regions[*out].name, name) == 0)
            return true;
    struct region_interval *current = regions_grow(reader->current, *out, &reader->current_room, sizeof *current);
    if (!current)
        return no_memory(reader);
    reader->current = current;
    struct region_times *regions = regions_grow(report->regions, *out, &reader->room, sizeof *regions);
    if (!regions)
        return no_memory(reader);
    report->regions = regions;
    snprintf(report->regions[*out].name, sizeof report->regions[*out].name, "%s", name);
    report->region_count++;
    return true;
}

static bool read_event(struct regions_reader *reader) {
    struct regions_report *report = reader->out;
    unsigned event = 0;
    if (reader->field_count != 3 || reader->event_count == REGIONS_MAX_EVENTS)
        return regions_damaged(reader);
    while (event < report->event_count && strcmp(report->events[event], reader->fields[2]) != 0)
        event++;
    if (event == REGIONS_MAX_EVENTS)
        return error_set(reader->err, "%s: its processes counted too many different events", reader->path);
    if (event == report->event_count) {
        snprintf(report->events[event], sizeof report->events[event], "%s", reader->fields[2]);
        reader->of_machine[event] = strcmp(reader->fields[1], "machine") == 0;
        report->event_count++;
    }
    reader->events[reader->event_count++] = event;
    return true;
}

static bool read_region(struct regions_reader *reader) {
    enum { NAME = 1, CALLS, THREADS, NANOSECONDS, OPEN, MISMATCHED, EVENTS };
    uint64_t calls, threads, ns, open, mismatched;
    size_t at;
    if (!regions_number(reader, CALLS, 10, &calls) || !regions_number(reader, THREADS, 10, &threads) ||
        !regions_number(reader, NANOSECONDS, 10, &ns) || !regions_number(reader, OPEN, 10, &open) ||
        !regions_number(reader, MISMATCHED, 10, &mismatched))
        return false;
    if (reader->field_count != EVENTS + reader->event_count || (reader->region_count == 0) != !*reader->fields[NAME])
        return regions_damaged(reader);
    if (!find_region(reader, reader->fields[NAME], &at))
        return false;
    unsigned *map = regions_grow(reader->regions, reader->region_count, &reader->map_room, sizeof *map);
    if (!map)
        return no_memory(reader);
    reader->regions = map;
    reader->regions[reader->region_count++] = (unsigned)at;

    struct region_times *region = &reader->out->regions[at];
    region->calls += calls;
    region->threads += (unsigned)threads;
    region->open += (unsigned)open;
    region->mismatched += (unsigned)mismatched;
    reader->current[at].seconds += 1e-9 * (double)ns;
    for (unsigned i = 0; i < reader->event_count; i++) {
        char *end;
        reader->current[at].events[reader->events[i]] += (double)strtoll(reader->fields[EVENTS + i], &end, 10);
        if (end == reader->fields[EVENTS + i] || *end)
            return regions_damaged(reader);
    }
    return true;
}

static bool regions_read_place(struct regions_reader *reader) {
    enum { REGION = 1, HITS, OFFSET, OBJECT, FIELDS };
    struct regions_report *report = reader->out;
    uint64_t region, hits, offset;
    if (!regions_number(reader, REGION, 10, &region) || !regions_number(reader, HITS, 10, &hits) ||
        !regions_number(reader, OFFSET, 16, &offset))
        return false;
    if (reader->field_count != FIELDS || region >= reader->region_count)
        return regions_damaged(reader);
    struct sampled_place *places =
        regions_grow(report->places, report->place_count, &reader->place_room, sizeof *places);
    if (!places)
        return no_memory(reader);
    report->places = places;
    struct sampled_place *place = &report->places[report->place_count++];
    snprintf(place->object, sizeof place->object, "%s", reader->fields[OBJECT]);
    place->file_offset = offset;
    place->hits = (unsigned)hits;
    place->region = reader->regions[region];
    place->pid = (uint32_t)reader->process;
    return true;
}

static bool read_tick(struct regions_reader *reader) {
    struct regions_report *report = reader->out;
    uint64_t tid, place;
    struct sampled_tick tick = {.rank = reader->rank, .pid = (uint32_t)reader->process};
    if (!regions_number(reader, 1, 10, &tid) || !regions_number(reader, 2, 10, &tick.wall_ns) ||
        !regions_number(reader, 3, 10, &tick.cpu_ns) || !regions_number(reader, 4, 10, &tick.delay_ns) ||
        !regions_number(reader, 5, 10, &place))
        return false;
    if (tid > UINT32_MAX || place > report->place_count - reader->first_place)
        return regions_damaged(reader);
    struct sampled_tick *ticks = regions_grow(report->ticks, report->tick_count, &reader->tick_room, sizeof *ticks);
    if (!ticks)
        return no_memory(reader);
    report->ticks = ticks;
    tick.tid = (uint32_t)tid;
    tick.place = place > 0 ? (uint32_t)(reader->first_place + place) : 0;
    ticks[report->tick_count++] = tick;
    return true;
}

/* The core clock; not where a chain was interrupted. */
static bool read_pace(struct regions_reader *reader) {
    struct regions_report *report = reader->out;
    const double NOOPS = REGIONS_NOOP_PIECES * CLOCK_PIECE_NOOPS;
    double slices_hz[CLOCK_SLICES];
    uint64_t noops_ns;
    for (unsigned i = 0; i < CLOCK_SLICES; i++) {
        uint64_t ns;
        if (!regions_number(reader, i + 1, 10, &ns))
            return false;
        slices_hz[i] = ns > 0 ? 1e9 * REGIONS_PACE_CYCLES / (double)ns : 0;
    }
    if (!regions_number(reader, CLOCK_SLICES + 1, 10, &noops_ns))
        return false;
    const struct clock_reading reading = clock_reading_of(slices_hz, CLOCK_SLICES);
    if (!(reading.hz > 0 && reading.spread <= 2 * CLOCK_AGREES))
        return true;
    struct sampled_clock *clocks =
        regions_grow(report->clocks, report->clock_count, &reader->clock_room, sizeof *clocks);
    if (!clocks)
        return no_memory(reader);
    report->clocks = clocks;
    clocks[report->clock_count++] = (struct sampled_clock){reading.hz, (double)noops_ns * 1e-9 * reading.hz / NOOPS};
    return true;
}

/* The process's MPI calls in a region that has been read. */
static bool read_mpi(struct regions_reader *reader) {
    uint64_t region, calls, ns;
    if (!regions_number(reader, 1, 10, &region) || !regions_number(reader, 2, 10, &calls) ||
        !regions_number(reader, 3, 10, &ns))
        return false;
    if (region >= reader->region_count)
        return regions_damaged(reader);
    struct region_interval *interval = &reader->current[reader->regions[region]];
    struct region_times *times = &reader->out->regions[reader->regions[region]];
    interval->mpi_seconds += 1e-9 * (double)ns;
    interval->mpi_calls += calls;
    times->mpi_seconds += 1e-9 * (double)ns;
    times->mpi_calls += calls;
    return true;
}

static bool read_rank(struct regions_reader *reader, const char *program) {
    struct regions_report *report = reader->out;
    uint64_t rank, ranks;
    if (!regions_number(reader, 1, 10, &rank) || !regions_number(reader, 2, 10, &ranks))
        return false;
    if (ranks > RANKS_MOST || rank >= ranks)
        return regions_damaged(reader);
    reader->rank = (unsigned)rank;
    report->ranks = (unsigned)ranks;
    if (rank == 0 && !report->program[0])
        snprintf(report->program, sizeof report->program, "%s", program);
    return true;
}

/* The text of the last process with one. */
static bool regions_read_text(struct regions_reader *reader, char out[256]) {
    if (reader->field_count != 2)
        return regions_damaged(reader);
    snprintf(out, 256, "%s", reader->fields[1]);
    return true;
}

/* Of the image; the process lasts from its first image to its last. */
static bool read_span(struct regions_reader *reader) {
    uint64_t start_ns;
    if (!regions_number(reader, 1, 10, &start_ns) || !regions_number(reader, 2, 10, &reader->end_ns))
        return false;
    struct regions_report *out = reader->out;
    out->begin_ns = out->end_ns == 0 || start_ns < out->begin_ns ? start_ns : out->begin_ns;
    out->end_ns = reader->end_ns > out->end_ns ? reader->end_ns : out->end_ns;
    if (reader->start_ns == 0)
        reader->start_ns = start_ns;
    return true;
}

static bool regions_read_line(struct regions_reader *reader, const char *program) {
    const char *kind = reader->fields[0];
    if (strcmp(kind, "rank") == 0)
        return read_rank(reader, program);
    if (strcmp(kind, "mpi") == 0)
        return read_mpi(reader);
    if (strcmp(kind, "span") == 0)
        return read_span(reader);
    if (strcmp(kind, "event") == 0)
        return read_event(reader);
    if (strcmp(kind, "region") == 0)
        return read_region(reader);
    if (strcmp(kind, "place") == 0)
        return regions_read_place(reader);
    if (strcmp(kind, "tick") == 0)
        return read_tick(reader);
    if (strcmp(kind, "pace") == 0)
        return read_pace(reader);
    if (strcmp(kind, "failure") == 0)
        return regions_read_text(reader, reader->out->failure);
    if (strcmp(kind, "unsampled") == 0)
        return regions_read_text(reader, reader->out->unsampled);
    if (strcmp(kind, "multiplexed") == 0)
        return reader->out->multiplexed = true;
    return regions_damaged(reader);
}

/* Ends a process after its last image. */
static bool close_process(struct regions_reader *reader) {
    for (size_t r = 0; r < reader->out->region_count; r++) {
        struct region_interval *interval = &reader->current[r];
        interval->region = r;
        interval->start_ns = reader->start_ns;
        interval->end_ns = reader->end_ns;
        interval->rank = reader->rank;
        if (!region_intervals_add(&reader->intervals, interval))
            return no_memory(reader);
        *interval = (struct region_interval){0};
    }
    return true;
}

static bool read_first(struct regions_reader *reader, const char **program) {
    uint64_t process;
    if (reader->field_count != 3 || strcmp(reader->fields[0], "carmine regions 1") != 0 ||
        !regions_number(reader, 1, 10, &process) || process > INT32_MAX)
        return regions_damaged(reader);
    *program = reader->fields[2];
    if ((long)process == reader->process) {
        reader->out->regions[0].threads--; /* the same thread continues */
        return true;
    }
    if (reader->process >= 0 && !close_process(reader))
        return false;
    reader->rank = 0;
    reader->start_ns = 0;
    reader->end_ns = UINT64_MAX; /* until read */
    reader->process = (long)process;
    reader->out->process_count++;
    return true;
}

static bool regions_read_report(struct regions_reader *reader, char *text) {
    const char *program = "";
    char *rest = text;
    reader->line = reader->event_count = reader->region_count = 0;
    reader->first_place = reader->out->place_count;
    for (char *line; (line = strsep(&rest, "\n")) && rest;) { /* a line without line feed is ignored */
        uint64_t lines;
        reader->line++;
        if (!regions_split(reader, line))
            return false;
        if (reader->line == 1) {
            if (!read_first(reader, &program))
                return false;
        } else if (strcmp(reader->fields[0], "end") == 0) {
            if (!regions_number(reader, 1, 10, &lines))
                return false;
            return (lines == reader->line - 1 && !*rest && reader->region_count > 0) || regions_damaged(reader);
        } else if (!regions_read_line(reader, program))
            return false;
    }
    if (reader->line == 0)
        return error_set(reader->err, "%s is empty", reader->path);
    return error_set(reader->err,
                     "%s (process %ld) left no times: it was killed, ended by its own system call, or still runs",
                     program, reader->process);
}

/* The last line states the number of lines; before the end the file has only its first line. */
static bool was_killed(const char *text) {
    static const char FIRST[] = "carmine regions 1\t";
    const char *last = strstr(text, "\nend\t");
    return strncmp(text, FIRST, strlen(FIRST)) == 0 && (!last || text[strlen(text) - 1] != '\n');
}

static bool regions_read_file(struct regions_reader *reader) {
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(reader->path, "r");
    if (!file)
        return error_set(reader->err, "cannot read %s: %s", reader->path, strerror(errno));
    const ssize_t length = getdelim(&text, &room, '\0', file);
    const bool whole = length > 0 && feof(file) && strlen(text) == (size_t)length;
    fclose(file);
    const bool killed = whole && was_killed(text);
    bool done = true;
    if (killed)
        reader->out->killed_count++;
    else
        done = whole ? regions_read_report(reader, text) : error_set(reader->err, "%s is damaged", reader->path);
    if (killed && reader->out->killed_count == 1) { /* reported if no other is complete */
        strtok(text, "\n");
        regions_split(reader, text);
        error_set(&reader->killed,
                  "%s (process %s) left no times: it was killed, ended by its own system call, or still runs",
                  reader->field_count > 2 ? reader->fields[2] : "a program",
                  reader->field_count > 1 ? reader->fields[1] : "?");
    }
    free(text);
    return done;
}

static int regions_by_thread(const void *a, const void *b) {
    const struct sampled_tick *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    return (x->wall_ns > y->wall_ns) - (x->wall_ns < y->wall_ns);
}

static int regions_is_report(const struct dirent *entry) {
    return strncmp(entry->d_name, "regions.", 8) == 0;
}

static int by_clock(const void *a, const void *b) {
    return order_doubles(&((const struct sampled_clock *)a)->hz, &((const struct sampled_clock *)b)->hz);
}

bool regions_read(const char *folder, struct regions_report *out, struct error *err) {
    struct regions_reader reader = {.err = err, .out = out, .process = -1};
    struct dirent **files = NULL;
    *out = (struct regions_report){0};
    /* by number: a process's images follow each other */
    const int all = scandir(folder, &files, regions_is_report, versionsort),
              count = all > 0 ? region_ranks_alone(folder, files, all) : all;
    bool done = count > 0 || error_set(err, "no process left its times in %s", folder);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]->d_name);
        reader.path = path;
        done = done && regions_read_file(&reader);
        free(files[i]);
    }
    free(files);
    if (done && reader.process < 0) {
        *err = reader.killed;
        done = false;
    }
    done = done && close_process(&reader);
    if (done)
        region_intervals_sum(&reader.intervals, reader.of_machine, out);
    if (done && out->ranks > 0)
        done = region_ranks_sum(&reader.intervals, out) || no_memory(&reader);
    if (done && out->tick_count > 0)
        qsort(out->ticks, out->tick_count, sizeof *out->ticks, regions_by_thread);
    if (done && out->clock_count > 0)
        qsort(out->clocks, out->clock_count, sizeof *out->clocks, by_clock);
    if (!done)
        regions_free(out);
    region_intervals_free(&reader.intervals);
    free(reader.current);
    free(reader.regions);
    return done;
}

bool regions_in_time(const struct regions_report *report) {
    return report->tick_count > 0 && !report->unsampled[0];
}

double regions_clock_hz(const struct regions_report *report) {
    return report->clock_count > 0 ? report->clocks[report->clock_count / 2].hz : 0;
}

void regions_neighbour_add(const struct regions_report *report, double best_cycles, struct neighbour_looks *looks) {
    const double SLOWER = 1.3, INTERRUPTED = 2.5; /* two programs that both compute get half of the core each */
    for (size_t i = 0; i < report->clock_count; i++) {
        const double times = report->clocks[i].noop_cycles / best_cycles;
        looks->looks += times < INTERRUPTED;
        looks->beside += times < INTERRUPTED && times > SLOWER;
    }
}

void regions_free(struct regions_report *report) {
    free(report->regions);
    free(report->places);
    free(report->ticks);
    free(report->clocks);
    free(report->rank_times);
    *report = (struct regions_report){0};
}
