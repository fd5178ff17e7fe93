/* SPDX-License-Identifier: BSD-3-Clause
 * Reading callgrind's files (see callgrind_file.h). */
#include "callgrind_file.h"
#include "probe/need.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 1 << 16 }; /* valgrind itself has 500 at a time */

struct callgrind_file {
    const char *path;
    FILE *stream;
    char *text; /* the line that was read last */
    size_t text_bytes;
    unsigned line_number;
    char command[512];
    char **objects; /* their names */
    size_t object_count;
    const char *object; /* that the lines are about; NULL: not yet said */
    struct callgrind_part part;
    size_t line_room;
};

static const char UNKNOWN_OBJECT[] = "???";

struct callgrind_file *callgrind_file_open(const char *path, struct error *err) {
    FILE *stream = fopen(path, "re");
    if (!stream) {
        error_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct callgrind_file *file = need_calloc(1, sizeof *file);
    *file = (struct callgrind_file){.path = need_strdup(path), .stream = stream};
    return file;
}

void callgrind_file_close(struct callgrind_file *file) {
    if (!file)
        return;
    for (size_t i = 0; i < file->object_count; i++)
        free(file->objects[i]);
    free(file->objects);
    free(file->part.lines);
    free(file->text);
    free((char *)file->path);
    fclose(file->stream);
    free(file);
}

const char *callgrind_file_command(const struct callgrind_file *file) {
    return file->command;
}

static bool next_line(struct callgrind_file *file) {
    if (!need_line(&file->text, &file->text_bytes, file->stream))
        return false;
    file->text[strcspn(file->text, "\n")] = '\0';
    file->line_number++;
    return true;
}

static bool damaged(const struct callgrind_file *file, struct error *err) {
    return error_set(err, "%s:%u: not callgrind's format: '%.60s'", file->path, file->line_number, file->text);
}

/* What stands behind `key`, without blanks before it; NULL: the line says something else. */
static const char *value_of(const char *line, const char *key) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    line += length;
    return line + strspn(line, " \t");
}

static bool number(const char **at, uint64_t *out) {
    char *end;
    *out = strtoull(*at, &end, 0);
    if (end == *at || !strchr("0123456789", **at))
        return false;
    *at = end + strspn(end, " \t");
    return true;
}

static bool numbers(const char *at, unsigned most, uint64_t *out) {
    for (unsigned i = 0; i < most && *at; i++)
        if (!number(&at, &out[i]))
            return false;
    return *at == '\0';
}

/* Objects' names are compared once and then known by their pointer. */
static const char *intern(struct callgrind_file *file, const char *name) {
    for (size_t i = 0; i < file->object_count; i++)
        if (strcmp(file->objects[i], name) == 0)
            return file->objects[i];
    file->objects = need_realloc(file->objects, (file->object_count + 1) * sizeof *file->objects);
    return file->objects[file->object_count++] = need_strdup(name);
}

static struct callgrind_line *add_line(struct callgrind_file *file) {
    struct callgrind_part *part = &file->part;
    if (part->line_count == file->line_room) {
        file->line_room = file->line_room ? 2 * file->line_room : 4096;
        part->lines = need_realloc(part->lines, file->line_room * sizeof *part->lines);
    }
    struct callgrind_line *line = &part->lines[part->line_count++];
    *line = (struct callgrind_line){.object = file->object ? file->object : UNKNOWN_OBJECT};
    return line;
}

static bool read_events(struct callgrind_part *part, const char *names) {
    part->event_count = 0;
    for (int used = 0; *names; names += used) {
        used = 0;
        if (part->event_count == CALLGRIND_MAX_EVENTS ||
            sscanf(names, "%15s %n", part->events[part->event_count], &used) != 1 || used == 0)
            return false;
        part->event_count++;
    }
    return part->event_count > 0;
}

static bool read_header(struct callgrind_file *file, const char *line) {
    struct callgrind_part *part = &file->part;
    const char *value;
    uint64_t count;
    if ((value = value_of(line, "thread:")) && number(&value, &count)) {
        part->thread = (unsigned)count;
        return count < MAX_THREADS;
    }
    if ((value = value_of(line, "desc: Timerange: Basic block")) && number(&value, &count))
        part->first_block = count;
    else if ((value = value_of(line, "desc: Trigger:")))
        snprintf(part->trigger, sizeof part->trigger, "%s", value);
    else if ((value = value_of(line, "cmd:")))
        snprintf(file->command, sizeof file->command, "%s", value);
    else if ((value = value_of(line, "positions:")))
        return strchr(value, ' ') == NULL; /* one, by the options that it is run with */
    else if ((value = value_of(line, "events:")))
        return read_events(part, value);
    return true;
}

/* "jcnd=3/4 0x11d2", and then the jump's own address in a line of its own. */
static bool read_jump(struct callgrind_file *file, const char *value) {
    uint64_t taken, chances, target, source;
    if (!number(&value, &taken))
        return false;
    chances = taken;
    if (*value == '/' && (value++, !number(&value, &chances)))
        return false;
    if (!number(&value, &target) || !next_line(file))
        return false;
    const char *own = file->text;
    if (!number(&own, &source))
        return false;
    if (source == target) {
        struct callgrind_line *line = add_line(file);
        line->address = source;
        line->self_jumps = taken;
        line->self_chances = chances;
    }
    return true;
}

static bool read_costs(struct callgrind_file *file, const char *at) {
    uint64_t address, costs[CALLGRIND_MAX_EVENTS] = {0};
    if (file->part.event_count == 0 || !number(&at, &address) || !numbers(at, file->part.event_count, costs))
        return false;
    struct callgrind_line *line = add_line(file);
    line->address = address;
    line->executions = costs[0];
    return true;
}

static bool read_body(struct callgrind_file *file, const char *line) {
    const char *value;
    if (strchr("0123456789", line[0]))
        return read_costs(file, line);
    if ((value = value_of(line, "ob=")))
        file->object = intern(file, value);
    else if (value_of(line, "calls="))
        return next_line(file); /* the cost of what was called: it stands at the called function, too */
    else if ((value = value_of(line, "jcnd=")) || (value = value_of(line, "jump=")))
        return read_jump(file, value);
    else /* fn=, fl=, cob=, …: functions are known by their addresses */
        return strchr(line, '=') != NULL;
    return true;
}

/* A part begins with a header, in which each line has a key with a colon, and ends with its totals. */
bool callgrind_file_next(struct callgrind_file *file, const struct callgrind_part **out, struct error *err) {
    struct callgrind_part *part = &file->part;
    *part = (struct callgrind_part){.lines = part->lines};
    file->object = NULL;
    *out = NULL;
    bool begun = false, in_body = false;
    while (next_line(file)) {
        const char *line = file->text, *value;
        if (line[0] == '\0' || line[0] == '#')
            continue;
        begun = true;
        if ((value = value_of(line, "totals:"))) {
            if (part->event_count == 0 || !numbers(value, part->event_count, part->totals))
                return damaged(file, err);
            *out = part;
            return true;
        }
        in_body = in_body || strchr("0123456789", line[0]) || value_of(line, "ob=") || value_of(line, "fl=") ||
                  value_of(line, "fn=");
        if (!(in_body ? read_body(file, line) : read_header(file, line)))
            return damaged(file, err);
    }
    if (begun || ferror(file->stream))
        return error_set(err, "%s: ends in the middle", file->path);
    return true;
}

bool callgrind_total(const struct callgrind_part *part, const char *event, uint64_t *out, struct error *err) {
    for (unsigned i = 0; i < part->event_count; i++)
        if (strcmp(part->events[i], event) == 0) {
            *out = part->totals[i];
            return true;
        }
    return error_set(err, "valgrind does not tell %s; version 3.13 or newer is needed", event);
}
