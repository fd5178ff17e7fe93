/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_programs.h"
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "carm/options/install_paths.h"
#include "carm/store/file_io.h"
#include "probe/error.h"
#include "probe/need.h"

#define NODE_PROGRAM "carmine-node"

/* As `uname -m` names them. */
static const char *const machines[] = {"x86_64", "aarch64"};

/* `sh -c` of one of these runs the program for its node with the words that follow. It is in the folder of the
 * results; or it is in standard input, behind those for other architectures, and is removed at the end. A signal that
 * ends the shell alone reaches it. */
static const char other_machine[] =
    " *) m=$(uname -m); echo \"this node is $m, and carmine has no " NODE_PROGRAM " for it: build one (make "
    "CROSS=$m-linux-gnu node) and copy it to " NODE_PROGRAM "-$m beside carmine\" >&2; exit 1 ;; esac; ";
static const char receive[] =
    "d=$(mktemp -d) || exit; trap 'rm -rf \"$d\"' EXIT; p=$d/" NODE_PROGRAM "; cat >\"$p.all\" || exit; ";
static const char run_received[] = "tail -c +$b \"$p.all\" | head -c $n >\"$p\" && chmod 700 \"$p\" || exit; "
                                   "[ -s \"$p\" ] || { echo \"" NODE_PROGRAM " did not arrive\" >&2; exit; }; "
                                   "rm \"$p.all\"; \"$p\" \"$@\" & c=$!; trap 'kill $c' HUP INT TERM; wait $c; s=$?; "
                                   "while kill -0 $c 2>/dev/null; do wait $c; s=$?; done; exit $s";

static bool find_part(const char *name, struct node_program *out) {
    char folder[4096];
    struct error missing;
    struct stat file;
    if (!install_paths_folder(name, folder, sizeof folder, &missing) ||
        (size_t)snprintf(out->path, sizeof out->path, "%s/%s", folder, name) >= sizeof out->path ||
        stat(out->path, &file) != 0)
        return false;
    out->bytes = (size_t)file.st_size;
    return true;
}

void node_programs_find(struct node_programs *out, const char *folder, bool queued) {
    struct utsname system;
    const bool known = uname(&system) == 0;
    *out = (struct node_programs){.count = 0};
    snprintf(out->folder, sizeof out->folder, "%s", folder);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct node_program *program = &out->list[out->count];
        char name[64];
        snprintf(name, sizeof name, NODE_PROGRAM "-%s", machines[i]);
        program->machine = machines[i];
        if ((known && strcmp(system.machine, machines[i]) == 0 && find_part(NODE_PROGRAM, program)) ||
            find_part(name, program))
            out->count++;
    }
    if (!queued && out->count)
        snprintf(out->input, sizeof out->input, "%s%s", out->count > 1 ? folder : out->list[0].path,
                 out->count > 1 ? "/" NODE_PROGRAM ".all" : "");
}

/* The shell's choice by the node's architecture: the program, or its place in the input. */
static void write_choice(const struct node_programs *programs, FILE *text) {
    size_t begin = 1;
    fputs("case $(uname -m) in", text);
    for (size_t i = 0; i < programs->count; i++) {
        const struct node_program *program = &programs->list[i];
        if (!*programs->input)
            fprintf(text, " %s) p=%s ;;", program->machine, strrchr(program->path, '/') + 1);
        else
            fprintf(text, " %s) b=%zu n=%zu ;;", program->machine, begin, program->bytes);
        begin += program->bytes;
    }
    fputs(other_machine, text);
}

void node_programs_command(const struct node_programs *programs, FILE *out) {
    char *script = NULL;
    size_t bytes = 0;
    FILE *text = need_made(open_memstream(&script, &bytes));
    const bool queued = !*programs->input;
    if (!queued)
        fputs(receive, text);
    write_choice(programs, text);
    fputs(queued ? "exec \"$0/$p\" \"$@\"" : run_received, text);
    fclose(text);
    engine_words(out,
                 (char *[]){"sh", "-c", need_made(script), queued ? (char *)programs->folder : NODE_PROGRAM, NULL});
    free(script);
}

static bool holds_already(const char *path, const char *bytes, size_t length) {
    struct error ignored;
    char *text = NULL;
    size_t present = 0;
    const bool same = access(path, X_OK) == 0 && file_read(path, length, &text, &present, &ignored) &&
                      present == length && memcmp(text, bytes, length) == 0;
    free(text);
    return same;
}

/* Writes the programs one behind the other. A file that has them stays: a job in the queue may be executing it. */
static bool write_programs(const struct node_program *programs, size_t count, const char *path, struct error *err) {
    enum { MOST_BYTES = 1 << 24 };
    char *all = NULL;
    size_t length = 0;
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        char *text = NULL;
        size_t bytes = 0;
        done = file_read(programs[i].path, MOST_BYTES, &text, &bytes, err);
        if (done) {
            all = need_realloc(all, length + bytes + 1);
            memcpy(all + length, text, bytes);
            length += bytes;
        }
        free(text);
    }
    if (done && !holds_already(path, all, length)) {
        done = file_write(path, all, length, false, err);
        if (done && chmod(path, 0755) != 0)
            done = error_set(err, "%s: %s", path, strerror(errno));
    }
    free(all);
    return done;
}

static bool is_joined(const struct node_programs *programs) {
    return *programs->input && programs->count > 1;
}

bool node_programs_place(const struct node_programs *programs, struct error *err) {
    char path[sizeof programs->folder + 300];
    bool done = true;
    if (is_joined(programs))
        return write_programs(programs->list, programs->count, programs->input, err);
    for (size_t i = 0; i < programs->count && done && !*programs->input; i++) {
        snprintf(path, sizeof path, "%s%.256s", programs->folder, strrchr(programs->list[i].path, '/'));
        done = write_programs(&programs->list[i], 1, path, err);
    }
    return done;
}

void node_programs_end(const struct node_programs *programs) {
    if (is_joined(programs))
        remove(programs->input);
}
