/* SPDX-License-Identifier: BSD-3-Clause
 * The output of a program's runs (see run_output.h). */
#include "run_output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"

enum { PIECE_BYTES = 64 << 10, READ_BYTES = 256 << 10, HEAD_BYTES = 256 << 10, SHOWN_BYTES = 24 };

/* Streams of pieces. */

/* Never 0, the hash of a missing piece. */
static uint64_t run_output_hash_of(const unsigned char *bytes, size_t count) {
    const uint64_t factor = 0x9e3779b97f4a7c15; /* 2^64 / golden ratio */
    uint64_t hash = (count + 1) * factor, word;
    for (; count > 0; bytes += sizeof word) {
        const size_t part = count < sizeof word ? count : sizeof word;
        word = 0;
        memcpy(&word, bytes, part);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
        count -= part;
    }
    return hash | 1;
}

static void add_piece(struct output_stream *stream, uint64_t hash, uint64_t begin_bytes) {
    if (stream->piece_count == stream->piece_room) {
        stream->piece_room = stream->piece_room ? 2 * stream->piece_room : 16;
        stream->pieces = need_realloc(stream->pieces, stream->piece_room * sizeof *stream->pieces);
    }
    stream->pieces[stream->piece_count++] = (struct output_piece){.hash = hash, .begin_bytes = begin_bytes};
}

static void add_head(struct output_stream *stream, const unsigned char *bytes, size_t count) {
    const size_t wanted = stream->head_bytes + count < HEAD_BYTES ? stream->head_bytes + count : HEAD_BYTES;
    if (wanted > stream->head_room) {
        stream->head_room = 2 * wanted;
        stream->head = need_realloc(stream->head, stream->head_room);
    }
    if (wanted > stream->head_bytes)
        memcpy(stream->head + stream->head_bytes, bytes, wanted - stream->head_bytes);
    stream->head_bytes = wanted;
}

static struct output_stream *add_stream(struct run_output *output, const char *kind, const char *name) {
    output->streams = need_realloc(output->streams, (output->stream_count + 1) * sizeof *output->streams);
    struct output_stream *stream = &output->streams[output->stream_count++];
    *stream = (struct output_stream){0};
    snprintf(stream->name, sizeof stream->name, "%s%.255s", kind, name);
    for (char *c = stream->name; *c; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c; /* it is shown */
    return stream;
}

static bool is_full(const struct output_stream *stream, uint64_t bytes) {
    return bytes >= OUTPUT_BYTES_MOST || stream->piece_count >= OUTPUT_PIECES_MOST;
}

/* Makes pieces of a file's bytes from `begin_bytes` on. Returns how many bytes they have: all but the begin of a line.
 * The pieces depend on the bytes alone, not on how these were read. */
static size_t run_output_cut(struct output_stream *stream, const unsigned char *bytes, size_t count,
                             uint64_t begin_bytes, bool at_end) {
    size_t from = 0;
    while (from < count && !is_full(stream, begin_bytes + from)) {
        const unsigned char *begin = bytes + from, *line = memchr(begin, '\n', count - from);
        size_t length = line ? (size_t)(line - begin) + 1 : count - from;
        if (!line && !at_end && length < PIECE_BYTES)
            break;
        length = length < PIECE_BYTES ? length : PIECE_BYTES;
        add_piece(stream, run_output_hash_of(begin, length), begin_bytes + from);
        add_head(stream, begin, length);
        from += length;
    }
    return from;
}

static void read_stream(struct output_stream *stream, int file) {
    unsigned char *buffer = need_malloc(READ_BYTES);
    size_t filled = 0;
    uint64_t done_bytes = 0;
    struct stat about;
    for (ssize_t got = 1; got > 0 && !is_full(stream, done_bytes);) {
        got = pread(file, buffer + filled, READ_BYTES - filled, (off_t)(done_bytes + filled));
        filled += got > 0 ? (size_t)got : 0;
        const size_t used = run_output_cut(stream, buffer, filled, done_bytes, got <= 0);
        done_bytes += used;
        filled -= used;
        memmove(buffer, buffer + used, filled);
    }
    free(buffer);
    if (fstat(file, &about) == 0 && (uint64_t)about.st_size > done_bytes)
        add_piece(stream, (uint64_t)about.st_size - done_bytes, done_bytes);
}

/* Files. */

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Files that are ours: where our own output goes, and the result. */
static bool is_ours(const struct stat *file, const char *left_out) {
    struct stat own;
    return (fstat(STDOUT_FILENO, &own) == 0 && is_same_file(&own, file)) ||
           (fstat(STDERR_FILENO, &own) == 0 && is_same_file(&own, file)) ||
           (left_out && stat(left_out, &own) == 0 && is_same_file(&own, file));
}

static bool is_older(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static void add_file(struct run_output *output, const char *name) {
    const int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    read_stream(add_stream(output, "file ", name), file);
    close(file);
}

static void add_files(struct run_output *output, const struct timespec *began, const char *left_out) {
    struct dirent **entries;
    unsigned added = 0;
    const int count = scandir(".", &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat about;
        if (added < OUTPUT_FILES_MOST && lstat(entries[i]->d_name, &about) == 0 && S_ISREG(about.st_mode) &&
            !is_older(&about.st_ctim, began) && !is_ours(&about, left_out)) {
            add_file(output, entries[i]->d_name);
            added++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Capturing. */

/* Frees the bytes beyond the limit while the program writes them; the size of the file remains. */
static void *free_rest(void *argument) {
    enum { PAUSE_MS = 20 };
    const struct output_capture *own = argument;
    struct pollfd end = {.fd = own->end, .events = POLLIN};
    off_t freed_bytes[OUTPUT_STREAMS] = {OUTPUT_BYTES_MOST, OUTPUT_BYTES_MOST};
    while (poll(&end, 1, PAUSE_MS) == 0)
        for (int i = 0; i < OUTPUT_STREAMS; i++) {
            struct stat about;
            if (fstat(own->to[i], &about) != 0 || about.st_size <= freed_bytes[i])
                continue;
            fallocate(own->to[i], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, freed_bytes[i],
                      about.st_size - freed_bytes[i]);
            freed_bytes[i] = about.st_size;
        }
    return NULL;
}

static void run_output_close_all(const struct output_capture *own) {
    for (int i = 0; i < OUTPUT_STREAMS; i++)
        if (own->to[i] >= 0)
            close(own->to[i]);
    if (own->end >= 0)
        close(own->end);
}

static bool open_all(struct output_capture *out) {
    struct rlimit most;
    out->limited = getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
    for (int i = 0; i < OUTPUT_STREAMS; i++) {
        out->to[i] = out->limited ? open("/dev/null", O_WRONLY | O_CLOEXEC) : memfd_create("output", MFD_CLOEXEC);
        if (out->to[i] < 0)
            return false;
    }
    return (out->end = eventfd(0, EFD_CLOEXEC)) >= 0;
}

/* Kernels stamp files with the exact clock or with the coarse one, which lags a step behind: a run begins when both
 * have passed a moment that no file of an earlier run is younger than. */
static void begin_after(struct timespec *moment) {
    struct timespec coarse;
    clock_gettime(CLOCK_REALTIME, moment);
    do {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
        clock_gettime(CLOCK_REALTIME_COARSE, &coarse);
    } while (is_older(&coarse, moment));
}

bool run_output_begin(struct output_capture *out, struct error *err) {
    sigset_t all, before;
    *out = (struct output_capture){.to = {-1, -1}, .end = -1};
    int reason = open_all(out) ? 0 : errno;
    if (!reason) {
        sigfillset(&all); /* signals are for the thread that waits for the program */
        pthread_sigmask(SIG_BLOCK, &all, &before);
        reason = pthread_create(&out->thread, NULL, free_rest, out);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    begin_after(&out->began);
    if (!reason)
        return true;
    run_output_close_all(out);
    return error_set(err, "cannot store the program's output: %s; raise `ulimit -n` and `ulimit -u`", strerror(reason));
}

struct run_output run_output_end(struct output_capture *capture, const char *left_out) {
    static const char *const NAMES[OUTPUT_STREAMS] = {"standard output", "standard error"};
    struct run_output output = {.run_count = 1, .limited = capture->limited};
    const uint64_t one = 1;
    if (write(capture->end, &one, sizeof one) == sizeof one)
        pthread_join(capture->thread, NULL);
    for (int i = 0; i < OUTPUT_STREAMS; i++)
        read_stream(add_stream(&output, "", NAMES[i]), capture->to[i]);
    run_output_close_all(capture);
    add_files(&output, &capture->began, left_out);
    return output;
}

/* Comparing. */

static const struct output_stream *run_output_find(const struct run_output *output, const char *name) {
    for (size_t i = 0; i < output->stream_count; i++)
        if (strcmp(output->streams[i].name, name) == 0)
            return &output->streams[i];
    return NULL;
}

static uint64_t hash_at(const struct output_stream *stream, size_t piece) {
    return piece < stream->piece_count ? stream->pieces[piece].hash : 0;
}

void run_output_merge(struct run_output *all, struct run_output *run) {
    if (all->run_count == 0) {
        *all = *run;
        *run = (struct run_output){0};
        return;
    }
    for (size_t i = 0; i < all->stream_count; i++) {
        struct output_stream *stream = &all->streams[i];
        const struct output_stream *other = run_output_find(run, stream->name);
        stream->varies |= !other || other->piece_count != stream->piece_count;
        for (size_t piece = 0; !stream->varies && piece < stream->piece_count; piece++)
            stream->pieces[piece].varies |= hash_at(other, piece) != hash_at(stream, piece);
    }
    all->run_count++;
    run_output_free(run);
}

static int run_output_by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Of the lines that do not vary; sorted. */
struct hashes {
    uint64_t *values;
    size_t count;
};
static struct hashes sorted_hashes(const struct output_stream *stream) {
    struct hashes out = {need_malloc((stream->piece_count + 1) * sizeof *out.values), 0};
    for (size_t i = 0; i < stream->piece_count; i++)
        if (!stream->pieces[i].varies)
            out.values[out.count++] = stream->pieces[i].hash;
    qsort(out.values, out.count, sizeof *out.values, run_output_by_value);
    return out;
}

/* How many lines of `a` have no equal one in `b`, in any order. */
static size_t count_missing(const struct output_stream *a, const struct output_stream *b) {
    const struct hashes of_a = sorted_hashes(a), of_b = sorted_hashes(b);
    size_t i = 0, j = 0, same = 0;
    while (i < of_a.count && j < of_b.count) {
        const uint64_t x = of_a.values[i], y = of_b.values[j];
        same += x == y;
        i += x <= y;
        j += y <= x;
    }
    free(of_a.values);
    free(of_b.values);
    return of_a.count - same;
}

/* One stream of the native runs, and the same of the counted ones. `again` is NULL if unknown. */
struct streams {
    const struct output_stream *native, *counted, *again;
};
struct output_finding {
    bool differs;
    size_t first, varying; /* the first different piece; the number of pieces that vary */
};

/* Whether the counted run wrote the native lines in another order, but for as many as vary between counted runs and not
 * between native ones. */
static bool is_reordered(const struct streams *of) {
    size_t varying = 0;
    for (size_t i = 0; i < of->native->piece_count; i++)
        varying += of->native->pieces[i].varies;
    const size_t of_counted = of->again ? count_missing(of->counted, of->again) : 0;
    return of->native->piece_count == of->counted->piece_count &&
           count_missing(of->native, of->counted) <= (of_counted > varying ? of_counted - varying : 0);
}

static struct output_finding run_output_compare(const struct streams *of) {
    const size_t native = of->native->piece_count, counted = of->counted->piece_count,
                 most = native > counted ? native : counted;
    struct output_finding found = {false, 0, 0};
    if (of->native->varies || (of->again && of->again->piece_count != counted))
        return (struct output_finding){false, 0, most};
    for (size_t i = 0; i < most; i++) {
        const bool varies = i < native && of->native->pieces[i].varies;
        if (!varies && hash_at(of->native, i) == hash_at(of->counted, i))
            continue;
        if (varies || (of->again && hash_at(of->again, i) != hash_at(of->counted, i)))
            found.varying++;
        else if (!found.differs)
            found.differs = true, found.first = i;
    }
    found.differs = found.differs && !is_reordered(of);
    return found;
}

/* Whether all native runs wrote this file and no counted run did. */
static bool is_missing(const struct output_stream *file, const struct run_output *counted,
                       const struct run_output *again) {
    return !file->varies && !run_output_find(counted, file->name) && !run_output_find(again, file->name) &&
           counted->stream_count < OUTPUT_STREAMS + OUTPUT_FILES_MOST;
}

/* Finds the streams of that number. A file that not all runs wrote is not compared. */
static bool find_streams(const struct run_output *native, const struct run_output *counted,
                         const struct run_output *again, size_t number, struct streams *out) {
    *out = (struct streams){.native = &native->streams[number]};
    out->counted = run_output_find(counted, out->native->name);
    out->again = again->run_count > 0 ? run_output_find(again, out->native->name) : NULL;
    return out->counted && (out->again || again->run_count == 0);
}

/* Up to SHOWN_BYTES in quotation marks, with escapes for all but printable ASCII. */
static void run_output_show(const struct output_stream *stream, size_t from, char out[4 * SHOWN_BYTES + 8]) {
    char *at = out;
    if (from >= stream->head_bytes) {
        snprintf(out, 8, "nothing");
        return;
    }
    *at++ = '"';
    for (size_t i = from; i < stream->head_bytes && i < from + SHOWN_BYTES; i++) {
        const unsigned char byte = stream->head[i];
        if (byte == '\n')
            at += sprintf(at, "\\n");
        else if (byte < ' ' || byte > '~')
            at += sprintf(at, "\\x%02x", byte);
        else
            *at++ = (char)byte;
    }
    snprintf(at, 2, "\"");
}

/* The same piece may begin at another byte, after a part that varies. */
static size_t begin_of(const struct output_stream *stream, size_t piece) {
    return piece < stream->piece_count ? (size_t)stream->pieces[piece].begin_bytes : SIZE_MAX;
}

static void run_output_describe(const struct streams *of, size_t first, char *out, size_t size) {
    const struct output_stream *native = of->native, *counted = of->counted;
    const size_t a = begin_of(native, first), b = begin_of(counted, first);
    size_t same = 0;
    while (a != SIZE_MAX && b != SIZE_MAX && a + same < native->head_bytes && b + same < counted->head_bytes &&
           native->head[a + same] == counted->head[b + same])
        same++;
    const size_t at = (a != SIZE_MAX ? a : b) + same;
    if (at >= HEAD_BYTES || (b != SIZE_MAX && b + same >= HEAD_BYTES)) {
        snprintf(out, size, "%s differs in the line at byte %zu", native->name, at - same);
        return;
    }
    char shown[2][4 * SHOWN_BYTES + 8];
    run_output_show(native, a == SIZE_MAX ? a : a + same, shown[0]);
    run_output_show(counted, b == SIZE_MAX ? b : b + same, shown[1]);
    snprintf(out, size, "%s differs from byte %zu on: %s natively, %s counted", native->name, at, shown[0], shown[1]);
}

bool run_output_differs(const struct run_output *native, const struct run_output *counted,
                        const struct run_output *again, char *out, size_t size) {
    for (size_t i = 0; i < native->stream_count; i++) {
        struct streams of;
        struct output_finding found = {false, 0, 0};
        if (is_missing(&native->streams[i], counted, again)) {
            snprintf(out, size, "%s was not written", native->streams[i].name);
            return true;
        }
        if (find_streams(native, counted, again, i, &of))
            found = run_output_compare(&of);
        if (found.differs) {
            run_output_describe(&of, found.first, out, size);
            return true;
        }
    }
    return false;
}

bool run_output_varies(const struct run_output *native, const struct run_output *counted,
                       const struct run_output *again, char *out, size_t size) {
    if (native->limited) {
        snprintf(out, size, "with `ulimit -f` standard output and standard error were not compared");
        return true;
    }
    for (size_t i = 0; i < native->stream_count; i++) {
        struct streams of;
        struct output_finding found = {false, 0, 0};
        if (find_streams(native, counted, again, i, &of))
            found = run_output_compare(&of);
        if (found.varying > 0) {
            snprintf(out, size, "%zu line%s of %s differ%s from run to run; only the others were compared",
                     found.varying, found.varying == 1 ? "" : "s", of.native->name, found.varying == 1 ? "s" : "");
            return true;
        }
    }
    return false;
}

void run_output_free(struct run_output *output) {
    for (size_t i = 0; i < output->stream_count; i++) {
        free(output->streams[i].pieces);
        free(output->streams[i].head);
    }
    free(output->streams);
    *output = (struct run_output){0};
}
