/* SPDX-License-Identifier: BSD-3-Clause
 * What a run of a program writes: its standard output, its standard error, and the files in the working folder that it
 * writes. Shows whether the counted run did the work of the native ones.
 *
 * Two streams are compared line by line, by hashes. A line that differs between native runs, or between the counted
 * runs of which one has a faster clock, depends on something else (a time, a process's number) and shows nothing. The
 * same lines in another order are the same output, because threads and ranks print when they are ready. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct error;

/* Limits of what is compared: of each stream, and files of one run. docs/applications.md states them. */
enum { OUTPUT_BYTES_MOST = 16 << 20, OUTPUT_PIECES_MOST = 1 << 20, OUTPUT_FILES_MOST = 32 };

/* A line, or 64 KiB of a longer one. The last piece of a stream above the limits is the length of its rest. */
struct output_piece {
    uint64_t hash, begin_bytes; /* its place in the stream */
    bool varies;                /* native runs differ in it */
};
struct output_stream {
    char name[272]; /* "standard output", or "file NAME" */
    size_t piece_count, piece_room;
    struct output_piece *pieces;
    size_t head_bytes, head_room;
    unsigned char *head; /* a copy of its first bytes, to show differences */
    bool varies;         /* native runs differ in its existence or in its number of pieces */
};
struct run_output {
    unsigned run_count; /* merged runs; 0: none was captured */
    bool limited;       /* `ulimit -f` would hold for the files in memory: both streams went to /dev/null */
    size_t stream_count;
    struct output_stream *streams;
};

/* A run's standard output and standard error: files in memory, which never let the program wait for a reader. A thread
 * frees what is beyond the limit. */
enum { OUTPUT_STREAMS = 2 };
struct output_capture {
    int to[OUTPUT_STREAMS]; /* the program's standard output and standard error */
    int end;                /* the event that the program has ended */
    bool limited;           /* see struct run_output */
    pthread_t thread;
    struct timespec began;
};

/* Before a run. Error: no files or no thread. */
bool run_output_begin(struct output_capture *out, struct error *err);

/* After it. `left_out`: a file that the program did not write; NULL. The output is to be freed. */
struct run_output run_output_end(struct output_capture *capture, const char *left_out);

/* Adds a further native run to `all`, which may be empty. Frees `run`. */
void run_output_merge(struct run_output *all, struct run_output *run);

/* Whether the counted run wrote something else than the native runs. `again`: the counted run with the faster clock;
 * without a run: unknown. `out` gets the stream, the place of the first difference and some bytes of both, safe to
 * print. */
bool run_output_differs(const struct run_output *native, const struct run_output *counted,
                        const struct run_output *again, char *out, size_t size);

/* Whether a part of the output shows nothing because it varies. `out` gets a sentence. */
bool run_output_varies(const struct run_output *native, const struct run_output *counted,
                       const struct run_output *again, char *out, size_t size);

void run_output_free(struct run_output *output);
