/* SPDX-License-Identifier: BSD-3-Clause
 * The log of a soak (see soak.h): its fields, how it is read, and how it is written so that it survives a kill. */
#include "soak.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/store/ranges.h"
#include "carm/store/result_fields.h"
#include "carm/store/shape.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/draw/output_file.h"

enum { MAX_FILE_BYTES = 1 << 30, MAX_VALUES = 1000, SCHEMA_WITHIN = 64 };

static const double LATEST_S = 1e11;

static const char *const SCHEMA[] = {"carmine.soak/1", NULL};

static const struct field VALUE_FIELDS[] = {
    FIELD(soak_value, value, FIELD_NUMBER, "flop/s, B/s or s", "of the roof; 0: not measured", .digits = 6),
    FIELD(soak_value, low, FIELD_NUMBER, "flop/s, B/s or s", "the value's interval, in nine of ten cases", .digits = 6),
    FIELD(soak_value, high, FIELD_NUMBER, "flop/s, B/s or s", "likewise", .digits = 6),
    FIELD(soak_value, clock_hz, FIELD_NUMBER, "Hz", "under this load; 0: unknown", .digits = 5),
    FIELD(soak_value, doubts, FIELD_DOUBTS, NULL, "as in a result's samples"),
    {0},
};
static const char *value_fits(const void *record) {
    const struct soak_value *value = record;
    return value->high > 0 && !range_contains(value->low, value->high, value->value) ? "value must be from low to high"
                                                                                     : NULL;
}

static const struct field ROUND_FIELDS[] = {
    FIELD(soak_round, utc, FIELD_TEXT, NULL, "its end"),
    FIELD(soak_round, at_s, FIELD_NUMBER, "s", "since the start"),
    FIELD(soak_round, seconds, FIELD_NUMBER, "s", "its duration"),
    FIELD_ALLOCATED_LIST(soak_round, values, value_count, VALUE_FIELDS, MAX_VALUES,
                         "one for each sample of the first line, in its order", .fits = value_fits),
    FIELD(soak_round, clock_hz, FIELD_NUMBER, "Hz", "under the load of the first of them", .missing = "unknown",
          .digits = 5),
    FIELD(soak_round, temperature_c, FIELD_NUMBER, "°C", "the highest", .missing = "unknown"),
    FIELD(soak_round, throttled, FIELD_BYTES, NULL, "events since the boot", .missing = "none, or unknown"),
    FIELD(soak_round, corrected, FIELD_BYTES, NULL, "memory errors", .missing = "none, or unknown"),
    FIELD(soak_round, uncorrected, FIELD_BYTES, NULL, "memory errors", .missing = "none, or unknown"),
    FIELD(soak_round, stolen_cpus, FIELD_NUMBER, "CPUs", "taken away by the host", .missing = "none", .digits = 4),
    FIELD(soak_round, others_cpus, FIELD_NUMBER, "CPUs", "used by other programs", .missing = "none", .digits = 4),
    {0},
};
static const struct field HEADER_FIELDS[] = {
    {.key = "schema", .type = FIELD_CONSTANT, .meaning = "of this file", .names = SCHEMA},
    FIELD(soak, for_s, FIELD_NUMBER, "s", "requested duration"),
    FIELD(soak, started_s, FIELD_BYTES, "s", "since 1970, UTC"),
    FIELD(soak, reads, FIELD_TEXT, NULL, "system values in the rounds"),
    FIELD(soak, absent, FIELD_TEXT, NULL, "system values that the system does not have"),
    FIELD(soak, has_temperature, FIELD_BOOL, NULL, "whether rounds have it"),
    FIELD(soak, has_throttling, FIELD_BOOL, NULL, "likewise"),
    FIELD(soak, has_memory_errors, FIELD_BOOL, NULL, "likewise"),
    FIELD(soak, has_activity, FIELD_BOOL, NULL, "steal time and other programs: likewise"),
    FIELD(soak, result, FIELD_RECORD, NULL, "the machine, and the samples that each round measures again",
          .of = result_fields),
    {0},
};

json_t *soak_shape(void) {
    return shape_any(json_pack("{s:{s:[s]},s:o,s:o}", "if", "required", "schema", "then", fields_schema(HEADER_FIELDS),
                               "else", fields_schema(ROUND_FIELDS)));
}

bool soak_is(const char *path) {
    char begin[SCHEMA_WITHIN + 1];
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "re") : NULL;
    if (!file)
        return false;
    begin[fread(begin, 1, SCHEMA_WITHIN, file)] = '\0';
    fclose(file);
    return strstr(begin, "\"carmine.soak/") != NULL;
}

struct soak_round *soak_add(struct soak *soak) {
    if (soak->count == soak->capacity) {
        soak->capacity = soak->capacity ? 2 * soak->capacity : 64;
        soak->rounds = need_realloc(soak->rounds, soak->capacity * sizeof *soak->rounds);
    }
    struct soak_round *round = &soak->rounds[soak->count++];
    *round = (struct soak_round){.value_count = soak->result.sample_count};
    round->values = need_calloc(round->value_count + 1, sizeof *round->values);
    return round;
}

double soak_measured_s(const struct soak *soak) {
    double sum = 0;
    for (size_t i = 0; i < soak->count; i++)
        sum += soak->rounds[i].seconds;
    return sum;
}

void soak_free(struct soak *soak) {
    for (size_t i = 0; i < soak->count; i++)
        free(soak->rounds[i].values);
    free(soak->rounds);
    results_free(&soak->result);
    *soak = (struct soak){0};
}

static bool read_header(const json_t *root, struct soak *out, struct error *err) {
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strcmp(schema, SCHEMA[0]) != 0)
        return error_set(err, "schema: must be \"%s\"%s%s; `carmine soak -o FILE` writes such a log", SCHEMA[0],
                         schema ? ", not " : "", schema ? schema : "");
    out->result.machine.recorded = true;
    if (!fields_read(HEADER_FIELDS, root, out, "", err) || !ranges_hold(HEADER_FIELDS, out, err))
        return false;
    if ((double)out->started_s > LATEST_S)
        return error_set(err, "started_s: must be below %g", LATEST_S);
    return out->result.sample_count > 0 || error_set(err, "result.samples: must not be empty");
}

static bool read_round(const json_t *root, struct soak *out, struct error *err) {
    const double before_s = out->count ? out->rounds[out->count - 1].at_s : 0;
    struct soak_round *round = soak_add(out);
    free(round->values);
    *round = (struct soak_round){0};
    if (!fields_read(ROUND_FIELDS, root, round, "", err) || !ranges_hold(ROUND_FIELDS, round, err))
        return false;
    if (round->value_count != out->result.sample_count)
        return error_set(err, "values: there must be %zu, as many as the first line has samples, not %zu",
                         out->result.sample_count, round->value_count);
    return round->at_s >= before_s || error_set(err, "at_s: must not be before the previous round");
}

static bool read_line(const char *line, size_t length, size_t number, struct soak *out, struct error *err) {
    json_error_t trouble;
    struct error inner;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &trouble);
    if (!root && json_error_code(&trouble) == json_error_out_of_memory)
        need_end();
    if (!root)
        return error_set(err, "line %zu, column %d: %s", number, trouble.column, trouble.text);
    const bool done = number == 1 ? read_header(root, out, &inner) : read_round(root, out, &inner);
    json_decref(root);
    return done || error_set(err, "line %zu: %s", number, inner.text);
}

bool soak_read(const char *path, struct soak *out, struct error *err) {
    char *text;
    size_t length, number = 0;
    struct error inner = {""};
    *out = (struct soak){0};
    if (!file_read(path, MAX_FILE_BYTES, &text, &length, err))
        return false;
    bool done = true;
    for (const char *end; done && (end = memchr(text + out->whole_bytes, '\n', length - out->whole_bytes));) {
        const char *line = text + out->whole_bytes;
        done = read_line(line, (size_t)(end - line), ++number, out, &inner);
        out->whole_bytes = (size_t)(end + 1 - text);
    }
    out->cut = out->whole_bytes < length;
    if (done && number == 0)
        done = error_set(
            &inner, "has no complete line: not the log of a soak, or of a soak that was killed before its first round");
    free(text);
    if (!done) {
        soak_free(out);
        error_set(err, "%s: %s", path, inner.text);
    }
    return done;
}

static int open_target(const char *path, int flags) {
    char *target;
    const int reason = output_file_target(path, &target);
    if (reason) {
        errno = reason == OUTPUT_FILE_FOREIGN ? EACCES : reason;
        return -1;
    }
    const int file = open(target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    free(target);
    return file;
}

static bool open_log(struct soak_log *out, const char *path, int flags, struct error *err) {
    struct stat status;
    *out = (struct soak_log){.file = open_target(path, flags), .path = path};
    if (out->file < 0 || fstat(out->file, &status) != 0)
        return error_set(err, "cannot write %s: %s; choose another place", path, strerror(errno));
    out->regular = S_ISREG(status.st_mode);
    out->end = status.st_size;
    if (out->regular && flock(out->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return error_set(err, "another carmine soak writes %s; name another file", path);
    return true;
}

bool soak_log_create(struct soak_log *out, const char *path, struct error *err) {
    *out = (struct soak_log){.file = -1};
    if (file_stamp(path).exists)
        return error_set(err, "%s exists already: --resume continues it, or name another file", path);
    if (!file_writable(path, err) || !open_log(out, path, O_CREAT, err))
        return false;
    return !out->regular || out->end == 0 || error_set(err, "another program wrote %s meanwhile", path);
}

bool soak_log_resume(struct soak_log *out, const char *path, const struct soak *soak, struct error *err) {
    if (!open_log(out, path, 0, err))
        return false;
    if (out->end < (off_t)soak->whole_bytes) /* another program cut it meanwhile */
        return error_set(err, "another program wrote %s meanwhile", path);
    out->end = (off_t)soak->whole_bytes;
    return ftruncate(out->file, out->end) == 0 ||
           error_set(err, "cannot write %s: %s; name a file that you may write", path, strerror(errno));
}

/* 0, or the errno of the failure; then the file's end is unchanged. */
static int write_pending(struct soak_log *log) {
    if (log->regular && lseek(log->file, log->end, SEEK_SET) < 0)
        return errno;
    int reason = output_file_put(log->file, log->pending, log->pending_bytes);
    if (reason == 0 && log->regular && fdatasync(log->file) != 0)
        reason = errno;
    if (reason && log->regular && ftruncate(log->file, log->end) != 0)
        return errno;
    return reason;
}

static char *line_of(json_t *record) {
    char *text = need_made(json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(10)));
    json_decref(record);
    return text;
}

static void log_line(struct soak_log *log, char *text) {
    const size_t length = strlen(text);
    log->pending = need_realloc(log->pending, log->pending_bytes + length + 1);
    memcpy(log->pending + log->pending_bytes, text, length);
    log->pending[log->pending_bytes + length] = '\n';
    log->pending_bytes += length + 1;
    free(text);
    const int reason = write_pending(log);
    if (reason && !log->failed)
        notice_print("warning: %s cannot be written: %s; the rounds continue, and writing is tried again", log->path,
                     strerror(reason));
    log->failed |= reason != 0;
    if (reason)
        return;
    log->end += (off_t)log->pending_bytes;
    log->pending_bytes = 0;
}

void soak_log_header(struct soak_log *log, const struct soak *soak) {
    log_line(log, line_of(fields_write(HEADER_FIELDS, soak)));
}

void soak_log_round(struct soak_log *log, struct soak *soak) {
    struct soak_round *round = &soak->rounds[soak->count - 1];
    struct error ignored;
    char *text = line_of(fields_write(ROUND_FIELDS, round));
    json_t *line = need_made(json_loads(text, 0, NULL));
    free(round->values);
    *round = (struct soak_round){0};
    const bool readable = fields_read(ROUND_FIELDS, line, round, "", &ignored);
    json_decref(line);
    if (readable) {
        log_line(log, text);
    } else { /* the line would make the whole log unreadable */
        free(round->values);
        free(text);
        soak->count--;
    }
}

/* An empty file, as of a soak that ended before its first round, is no log. */
static void remove_empty(const struct soak_log *log) {
    struct stat open_one, named;
    if (log->regular && fstat(log->file, &open_one) == 0 && open_one.st_size == 0 && lstat(log->path, &named) == 0 &&
        named.st_ino == open_one.st_ino && named.st_dev == open_one.st_dev)
        unlink(log->path);
}

bool soak_log_close(struct soak_log *log, struct error *err) {
    const bool whole = log->pending_bytes == 0;
    if (log->file >= 0) {
        remove_empty(log);
        close(log->file);
    }
    free(log->pending);
    log->file = -1;
    log->pending = NULL;
    return whole || error_set(err,
                              "%s lacks the last rounds, which could not be written; free some space, then "
                              "--resume it",
                              log->path);
}
