/* SPDX-License-Identifier: BSD-3-Clause
 * Joins a native and a counted run (see join.h). */
#include "join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* CPU time at each place in both runs, all threads together; [0]: at places that only one run has. */
struct place_times {
    uint64_t place;
    double native_s, counted_s;
};
struct place_ruler {
    size_t count;
    struct place_times *places; /* by place */
};

/* A native sample: what happened until then. */
struct native_tick {
    double wall_s, cpu_s, ready_s;
    uint64_t place;  /* 0: elsewhere */
    double position; /* in slices of the counted run, from 0 */
};
/* A counted one, at the end of its slice. */
struct counted_tick {
    double wall_s, cpu_s; /* cpu_s: of this slice */
    double native_s;      /* likewise, estimated; of all slices until then */
    uint64_t place;
    const struct count *own;
    struct count sum; /* of all slices before */
};
struct thread_course { /* a thread, or all together if the runs have different threads */
    size_t tick_count, slice_count;
    struct native_tick *ticks;
    struct counted_tick *slices;
};
struct joined {
    double begin_s, end_s, border_s;
    size_t line_count, thread_count;
    struct thread_course *lines;
    struct thread_course *threads; /* if all are one line: the native ones, for their times; else NULL */
};

static int join_by_place(const void *a, const void *b) {
    const struct place_times *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static struct place_times *time_at(const struct place_ruler *ruler, uint64_t place) {
    struct place_times *found = bsearch(&(struct place_times){.place = place}, ruler->places, ruler->count,
                                        sizeof *ruler->places, join_by_place);
    return found && found->native_s > 0 && found->counted_s > 0 ? found : &ruler->places[0];
}

static void make_ruler(struct thread_course *lines, size_t count, struct place_ruler *out) {
    size_t most = 1, kept = 1;
    for (size_t l = 0; l < count; l++)
        most += lines[l].tick_count + lines[l].slice_count;
    struct place_times *places = out->places = need_calloc(most, sizeof *places);
    out->count = 1;
    for (size_t l = 0; l < count; l++) {
        for (size_t i = 1; i < lines[l].tick_count; i++)
            places[out->count++] =
                (struct place_times){lines[l].ticks[i].place, lines[l].ticks[i].cpu_s - lines[l].ticks[i - 1].cpu_s, 0};
        for (size_t i = 0; i < lines[l].slice_count; i++)
            places[out->count++] = (struct place_times){lines[l].slices[i].place, 0, lines[l].slices[i].cpu_s};
    }
    qsort(places + 1, out->count - 1, sizeof *places, join_by_place);
    for (size_t i = 1; i < out->count; i++) {
        const bool more = places[i].place == places[kept - 1].place;
        kept += !more;
        places[kept - 1] = more ? (struct place_times){places[i].place, places[kept - 1].native_s + places[i].native_s,
                                                       places[kept - 1].counted_s + places[i].counted_s}
                                : places[i];
    }
    out->count = kept;
    for (size_t i = 1; i < kept; i++)
        if (places[i].native_s <= 0 || places[i].counted_s <= 0) {
            places[0].native_s += places[i].native_s;
            places[0].counted_s += places[i].counted_s;
        }
}

/* The places of one run alone are elsewhere. Each slice gets its native time: at its place, as much as all others per
 * CPU time of the counted run; few samples there are mixed with the mean. */
static void join_measure(struct thread_course *lines, size_t count, const struct place_ruler *ruler) {
    const double mixed_s = 0.02;
    double native_s = 0, counted_s = 0;
    for (size_t i = 0; i < ruler->count; i++) {
        const bool once = i == 0 || (ruler->places[i].native_s > 0 && ruler->places[i].counted_s > 0);
        native_s += once ? ruler->places[i].native_s : 0;
        counted_s += once ? ruler->places[i].counted_s : 0;
    }
    const double mean = counted_s > 0 ? native_s / counted_s : 1;
    for (size_t l = 0; l < count; l++) {
        double sum_s = 0;
        for (size_t i = 0; i < lines[l].tick_count; i++)
            lines[l].ticks[i].place = time_at(ruler, lines[l].ticks[i].place)->place;
        for (size_t i = 0; i < lines[l].slice_count; i++) {
            struct counted_tick *slice = &lines[l].slices[i];
            const struct place_times *times = time_at(ruler, slice->place);
            slice->place = times->place;
            sum_s += slice->cpu_s * (times->native_s + mixed_s * mean) / (times->counted_s + mixed_s);
            slice->native_s = sum_s;
        }
        const double own_s = lines[l].ticks[lines[l].tick_count - 1].cpu_s;
        for (size_t i = 0; i < lines[l].slice_count; i++)
            lines[l].slices[i].native_s *= sum_s > 0 ? own_s / sum_s : 0;
    }
}

/* A moment at which a run leaves places for others: of the NEAR samples on each side of it, none is at a place of the
 * FAR samples on the other side. */
enum { NEAR = 3, FAR = 12, MOST_CHANGES = 2000 };
struct code_change {
    uint64_t before[NEAR], after[NEAR];
    double cpu_s; /* native CPU time of the thread, as estimated until now */
};

/* Whether a place is on both sides. Elsewhere (0) is no place. */
static bool join_share(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    for (size_t i = 0; i < a_count; i++)
        for (size_t k = 0; k < b_count && a[i] != 0; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

static bool any(const uint64_t *places) {
    for (size_t i = 0; i < NEAR; i++)
        if (places[i] != 0)
            return true;
    return false;
}

/* `cpu_s`: of each place; a change lies between two of them. */
static size_t join_find_changes(const uint64_t *places, const double *cpu_s, size_t count, struct code_change *out) {
    size_t found = 0;
    for (size_t i = NEAR; i + NEAR <= count && found < MOST_CHANGES; i++) {
        const uint64_t *here = places + i;
        const size_t before = i < FAR ? i : FAR, after = count - i < FAR ? count - i : FAR;
        if (!any(here - NEAR) || !any(here) || join_share(here - NEAR, NEAR, here, after) ||
            join_share(here, NEAR, here - before, before))
            continue;
        memcpy(out[found].before, here - NEAR, sizeof out->before);
        memcpy(out[found].after, here, sizeof out->after);
        out[found++].cpu_s = (cpu_s[i - 1] + cpu_s[i]) / 2;
    }
    return found;
}

/* Of the native run's ticks, or of the counted run's slices. */
static size_t changes_of(const struct thread_course *line, bool native, struct code_change *out) {
    const size_t count = native ? line->tick_count : line->slice_count;
    uint64_t *places = need_calloc(count + 1, sizeof *places);
    double *at_s = need_calloc(count + 1, sizeof *at_s);
    for (size_t i = 0; i < count; i++) {
        places[i] = native ? line->ticks[i].place : line->slices[i].place;
        at_s[i] = native ? line->ticks[i].cpu_s : line->slices[i].native_s;
    }
    const size_t found = join_find_changes(places, at_s, count, out);
    free(places);
    free(at_s);
    return found;
}

/* The same moment in both runs. */
struct anchor {
    double native_s, counted_s;
};

/* The pairs of equal changes, in order, that agree best: those far from each other do not count. */
static size_t match(const struct code_change *native, size_t rows, const struct code_change *counted, size_t columns,
                    double far_s, struct anchor *out) {
    double *best = need_calloc((rows + 1) * (columns + 1), sizeof *best);
    const size_t wide = columns + 1;
    size_t found = 0;
    for (size_t i = rows; i-- > 0;)
        for (size_t k = columns; k-- > 0;) {
            const bool same = join_share(native[i].before, NEAR, counted[k].before, NEAR) &&
                              join_share(native[i].after, NEAR, counted[k].after, NEAR);
            const double near = same ? 1 - fabs(native[i].cpu_s - counted[k].cpu_s) / far_s : 0,
                         without = fmax(best[(i + 1) * wide + k], best[i * wide + k + 1]);
            best[i * wide + k] = near > 0 ? fmax(without, near + best[(i + 1) * wide + k + 1]) : without;
        }
    for (size_t i = 0, k = 0; i < rows && k < columns;) {
        if (best[i * wide + k] == best[(i + 1) * wide + k])
            i++;
        else if (best[i * wide + k] == best[i * wide + k + 1])
            k++;
        else
            out[found++] = (struct anchor){native[i++].cpu_s, counted[k++].cpu_s};
    }
    free(best);
    return found;
}

/* In which slice a thread is after so much native CPU time, as estimated. */
static double position_at(const struct thread_course *line, double native_s) {
    size_t low = 0, high = line->slice_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (line->slices[middle].native_s < native_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == line->slice_count)
        return (double)low;
    const double before_s = low > 0 ? line->slices[low - 1].native_s : 0, own_s = line->slices[low].native_s - before_s;
    return (double)low + (own_s > 0 ? fmax(0, native_s - before_s) / own_s : 1);
}

/* Places each tick, between the anchors. Returns the sum of the anchors' distances, and their number. */
static size_t place_ticks(struct thread_course *line, double *distance_s) {
    enum { ENDS = 2 };
    struct code_change *native = need_calloc(2 * (size_t)MOST_CHANGES, sizeof *native),
                       *counted = native + MOST_CHANGES;
    struct anchor *anchors = need_calloc((size_t)MOST_CHANGES + ENDS, sizeof *anchors);
    const double all_s = line->ticks[line->tick_count - 1].cpu_s, far_s = 0.02 + 0.2 * all_s;
    const size_t inner = match(native, changes_of(line, true, native), counted, changes_of(line, false, counted), far_s,
                               anchors + 1),
                 last = inner + 1;
    anchors[last] = (struct anchor){all_s, all_s};
    for (size_t i = 1; i < last; i++)
        *distance_s += fabs(anchors[i].native_s - anchors[i].counted_s);
    for (size_t i = 0, a = 0; i < line->tick_count; i++) {
        const double cpu_s = line->ticks[i].cpu_s;
        while (a + 1 < last && cpu_s > anchors[a + 1].native_s)
            a++;
        const struct anchor from = anchors[a], to = anchors[a + 1];
        const double part = to.native_s > from.native_s ? (cpu_s - from.native_s) / (to.native_s - from.native_s) : 1;
        line->ticks[i].position = i + 1 == line->tick_count
                                      ? (double)line->slice_count
                                      : position_at(line, from.counted_s + part * (to.counted_s - from.counted_s));
    }
    free(native);
    free(anchors);
    return inner;
}

static void join_judge(struct joined *joined, size_t anchors, double distance_s) {
    double cpu_s = 0, ticks = 0, slices = 0;
    for (size_t l = 0; l < joined->line_count; l++) {
        const struct thread_course *line = &joined->lines[l];
        cpu_s += line->ticks[line->tick_count - 1].cpu_s;
        ticks += (double)line->tick_count - 1;
        slices += (double)line->slice_count;
    }
    joined->border_s = cpu_s / fmax(1, fmin(ticks, slices)) + (anchors > 0 ? distance_s / (double)anchors : 0);
}

static void add_ticks(struct thread_course *line, const struct sampled_tick *ticks, const uint64_t *places,
                      size_t count) {
    line->ticks = need_realloc(line->ticks, (line->tick_count + count + 1) * sizeof *line->ticks);
    for (size_t i = 0; i < count; i++)
        line->ticks[line->tick_count++] =
            (struct native_tick){.wall_s = 1e-9 * (double)ticks[i].wall_ns,
                                 .cpu_s = i ? 1e-9 * (double)(ticks[i].cpu_ns - ticks[i - 1].cpu_ns) : 0,
                                 .ready_s = i ? 1e-9 * (double)(ticks[i].delay_ns - ticks[i - 1].delay_ns) : 0,
                                 .place = places[i]};
}

static void add_slices(struct thread_course *line, const struct profile_slice *slices, size_t count) {
    line->slices = need_realloc(line->slices, (line->slice_count + count + 1) * sizeof *line->slices);
    for (size_t i = 0; i < count; i++)
        line->slices[line->slice_count++] = (struct counted_tick){.wall_s = 1e-9 * (double)slices[i].wall_ns,
                                                                  .cpu_s = 1e-9 * (double)slices[i].cpu_ns,
                                                                  .place = slices[i].place,
                                                                  .own = &slices[i].count};
}

static int ticks_by_time(const void *a, const void *b) {
    const struct native_tick *x = a, *y = b;
    return (x->wall_s > y->wall_s) - (x->wall_s < y->wall_s);
}
static int slices_by_time(const void *a, const void *b) {
    const struct counted_tick *x = a, *y = b;
    return (x->wall_s > y->wall_s) - (x->wall_s < y->wall_s);
}

/* From differences to sums. */
static void join_add_up(struct thread_course *line) {
    for (size_t i = 1; i < line->tick_count; i++) {
        line->ticks[i].cpu_s += line->ticks[i - 1].cpu_s;
        line->ticks[i].ready_s += line->ticks[i - 1].ready_s;
    }
    struct count sum = {0};
    for (size_t i = 0; i < line->slice_count; i++) {
        line->slices[i].sum = sum;
        count_add(&sum, line->slices[i].own);
    }
}

/* The end of a thread's ticks or slices, which have the same rank, process and thread. */
static size_t end_of_ticks(const struct sampled_tick *ticks, size_t count, size_t at) {
    const struct sampled_tick first = ticks[at];
    while (at < count && ticks[at].rank == first.rank && ticks[at].pid == first.pid && ticks[at].tid == first.tid)
        at++;
    return at;
}
static size_t end_of_slices(const struct profile_slice *slices, size_t count, size_t at) {
    const struct profile_slice *first = &slices[at];
    while (at < count && slices[at].rank == first->rank && slices[at].pid == first->pid && slices[at].tid == first->tid)
        at++;
    return at;
}

/* The times of the native threads, which the line of all knows only at each thread's samples. */
static void keep_threads(struct joined *joined, const struct sampled_tick *ticks, const uint64_t *places,
                         size_t tick_count) {
    for (size_t at = 0, end; at < tick_count; at = end) {
        end = end_of_ticks(ticks, tick_count, at);
        joined->threads = need_realloc(joined->threads, (joined->thread_count + 1) * sizeof *joined->threads);
        joined->threads[joined->thread_count] = (struct thread_course){.tick_count = 0};
        add_ticks(&joined->threads[joined->thread_count], ticks + at, places + at, end - at);
        join_add_up(&joined->threads[joined->thread_count++]);
    }
}

/* The threads of both runs in pairs: by rank, then in the order of their creation. One line of all if their numbers
 * differ. */
static void pair_threads(struct joined *joined, const struct sampled_tick *ticks, const uint64_t *places,
                         size_t tick_count, const struct profile_slice *slices, size_t slice_count) {
    size_t threads = 0, t = 0, s = 0;
    bool alike = true;
    for (; t < tick_count && s < slice_count && alike; threads++) {
        alike = ticks[t].rank == slices[s].rank;
        t = end_of_ticks(ticks, tick_count, t);
        s = end_of_slices(slices, slice_count, s);
    }
    alike = alike && t == tick_count && s == slice_count;
    joined->line_count = alike ? threads : 1;
    joined->lines = need_calloc(joined->line_count, sizeof *joined->lines);
    for (size_t at = 0, line = 0; at < tick_count; line += alike) {
        const size_t end = end_of_ticks(ticks, tick_count, at);
        add_ticks(&joined->lines[line], ticks + at, places + at, end - at);
        at = end;
    }
    for (size_t at = 0, line = 0; at < slice_count; line += alike) {
        const size_t end = end_of_slices(slices, slice_count, at);
        add_slices(&joined->lines[line], slices + at, end - at);
        at = end;
    }
    if (!alike) {
        keep_threads(joined, ticks, places, tick_count);
        qsort(joined->lines->ticks, joined->lines->tick_count, sizeof *joined->lines->ticks, ticks_by_time);
        qsort(joined->lines->slices, joined->lines->slice_count, sizeof *joined->lines->slices, slices_by_time);
    }
}

struct joined *join(const struct sampled_tick *ticks, const uint64_t *tick_places, size_t tick_count,
                    const struct profile_slice *slices, size_t slice_count) {
    struct place_ruler ruler;
    if (tick_count == 0 || slice_count == 0)
        return NULL;
    struct joined *joined = need_calloc(1, sizeof *joined);
    size_t anchors = 0;
    double distance_s = 0;
    pair_threads(joined, ticks, tick_places, tick_count, slices, slice_count);
    joined->begin_s = INFINITY;
    for (size_t i = 0; i < joined->line_count; i++) {
        struct thread_course *line = &joined->lines[i];
        join_add_up(line);
        joined->begin_s = fmin(joined->begin_s, line->ticks[0].wall_s);
        joined->end_s = fmax(joined->end_s, line->ticks[line->tick_count - 1].wall_s);
    }
    make_ruler(joined->lines, joined->line_count, &ruler);
    join_measure(joined->lines, joined->line_count, &ruler);
    free(ruler.places);
    for (size_t i = 0; i < joined->line_count; i++)
        anchors += place_ticks(&joined->lines[i], &distance_s);
    join_judge(joined, anchors, distance_s);
    return joined;
}

void joined_free(struct joined *joined) {
    if (!joined)
        return;
    for (size_t i = 0; i < joined->line_count; i++) {
        free(joined->lines[i].ticks);
        free(joined->lines[i].slices);
    }
    for (size_t i = 0; i < joined->thread_count; i++)
        free(joined->threads[i].ticks);
    free(joined->lines);
    free(joined->threads);
    free(joined);
}

double joined_seconds(const struct joined *joined) {
    return joined->end_s - joined->begin_s;
}
double joined_border_s(const struct joined *joined) {
    return joined->border_s;
}

/* How far the thread came between two ticks, 0 to 1. If it also slept, it is assumed to have run half of its CPU time
 * before. */
static double part_until(const struct native_tick *from, const struct native_tick *to, double wall_s) {
    const double all_s = to->wall_s - from->wall_s, at_s = wall_s - from->wall_s,
                 active_s = fmin(all_s, to->cpu_s - from->cpu_s + to->ready_s - from->ready_s);
    if (!(all_s > 0))
        return 1;
    if (!(active_s > 0))
        return at_s / all_s;
    return at_s < active_s / 2 ? at_s / active_s : at_s > all_s - active_s / 2 ? 1 - (all_s - at_s) / active_s : 0.5;
}

/* Adds everything before a position, in slices. */
static void add_until(const struct thread_course *line, double position, struct count *sum) {
    const size_t at = (size_t)position;
    const bool ended = at >= line->slice_count;
    const struct counted_tick *slice = &line->slices[ended ? line->slice_count - 1 : at];
    const double part = ended ? 1 : position - (double)at;
    const uint64_t *own = slice->own->words;
    count_add(sum, &slice->sum);
    for (size_t i = 0; i < COUNT_WORDS; i++)
        sum->words[i] += part < 1 ? (uint64_t)llround(part * (double)(int64_t)own[i]) : own[i];
}

/* Adds a thread's times until then. Returns its position in slices. */
static double join_add_times(const struct thread_course *line, double wall_s, struct joined_sum *out) {
    size_t low = 0, high = line->tick_count; /* the first tick after it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (line->ticks[middle].wall_s <= wall_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const struct native_tick *from = &line->ticks[low - 1], *to = low < line->tick_count ? from + 1 : from;
    const double part = to > from ? part_until(from, to, wall_s) : 0;
    out->cpu_s += from->cpu_s + part * (to->cpu_s - from->cpu_s);
    out->ready_s += from->ready_s + part * (to->ready_s - from->ready_s);
    return to == from ? (double)line->slice_count : from->position + part * (to->position - from->position);
}

/* The position of the line of all after so much CPU time. */
static double position_after(const struct thread_course *line, double cpu_s) {
    size_t low = 0, high = line->tick_count - 1; /* the first tick with as much */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (line->ticks[middle].cpu_s < cpu_s)
            low = middle + 1;
        else
            high = middle;
    }
    const struct native_tick *to = &line->ticks[low], *from = low > 0 ? to - 1 : to;
    const double all_s = to->cpu_s - from->cpu_s;
    return all_s > 0 ? from->position + fmin(1, (cpu_s - from->cpu_s) / all_s) * (to->position - from->position)
                     : from->position;
}

void joined_until(const struct joined *joined, double seconds, struct joined_sum *out) {
    const double wall_s = seconds < joined_seconds(joined) ? seconds + joined->begin_s : joined->end_s;
    *out = (struct joined_sum){.cpu_s = 0};
    for (size_t i = 0; i < joined->thread_count; i++)
        join_add_times(&joined->threads[i], wall_s, out);
    if (joined->threads)
        add_until(joined->lines,
                  wall_s < joined->end_s ? position_after(joined->lines, out->cpu_s)
                                         : (double)joined->lines->slice_count,
                  &out->count);
    for (size_t i = 0; i < joined->line_count && !joined->threads; i++)
        add_until(&joined->lines[i], join_add_times(&joined->lines[i], wall_s, out), &out->count);
}
