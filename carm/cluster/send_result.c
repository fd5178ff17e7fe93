/* SPDX-License-Identifier: BSD-3-Clause
 * The part of `carmine fleet run` that runs on a node (see fleet_run.h). */
#include "fleet_run.h"
#include "command_words.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "bench/programs/scratch.h"
#include "carm/options/install_paths.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "render/page/safe_text.h"

enum { WORDS_BYTES_MOST = 1 << 20, LAST_WORDS_BYTES = 400 };

/* The engine's name of this node: SLURMD_NODENAME, else the host's name. */
static void send_result_node(char out[PARCEL_NODE_BYTES]) {
    const char *given = getenv("SLURMD_NODENAME");
    memset(out, 0, PARCEL_NODE_BYTES);
    if (given && *given)
        snprintf(out, PARCEL_NODE_BYTES, "%s", given);
    else if (gethostname(out, PARCEL_NODE_BYTES - 1) != 0 || !*out)
        snprintf(out, PARCEL_NODE_BYTES, "unknown");
}

/* The last line of output, else how the process ended. */
static void last_words(const char *path, int status, char out[LAST_WORDS_BYTES]) {
    char *text;
    size_t length;
    struct error none;
    child_status_text(status, out, LAST_WORDS_BYTES);
    if (!file_read(path, WORDS_BYTES_MOST, &text, &length, &none))
        return;
    const char *last = child_last_line(text);
    if (*last)
        snprintf(out, LAST_WORDS_BYTES, "%s", last);
    safe_text_clean(out);
    free(text);
}

static void send_file(const char *node, const char *path, const char *words) {
    struct result result;
    struct error why;
    if (!results_read(path, &result, &why)) {
        parcel_write(node, PARCEL_FAILED, words, stdout);
        return;
    }
    snprintf(result.machine.host, sizeof result.machine.host, "%s", node);
    json_t *json = results_json(&result);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
    parcel_write(node, PARCEL_RESULT, text, stdout);
    free(text);
    json_decref(json);
    results_free(&result);
}

static bool measure(const struct scratch *scratch, const char *node, char *const *run_words, struct error *err) {
    char program[4096], words[LAST_WORDS_BYTES], said[sizeof scratch->path + 16], path[sizeof said];
    struct command_words run = {0};
    struct child_end end = {0};
    install_paths_self(program, sizeof program);
    snprintf(said, sizeof said, "%s/said", scratch->path);
    snprintf(path, sizeof path, "%s/result.json", scratch->path);
    const int file = open(said, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (!program[0] || file < 0)
        return error_set(err, "cannot write %s; set TMPDIR to a folder with space", said);
    command_words_add(&run, "carmine");
    command_words_add(&run, "run");
    command_words_add(&run, "-o");
    command_words_add(&run, "%s", path);
    for (size_t i = 0; run_words[i]; i++)
        command_words_add(&run, "%s", run_words[i]);
    const struct child child = {.path = program, .argv = run.list, .in = -1, .out = -1, .err = file};
    bool done = child_run(&child, &end, err);
    close(file);
    if (done) {
        last_words(said, end.status, words);
        if (child_stop) /* e.g. by a time limit: the results that `carmine run` saved so far are sent */
            parcel_write(node, PARCEL_FAILED, "stopped before the end", stdout);
        send_file(node, path, words);
    }
    if (done && child_stop)
        done = error_set(err, "interrupted");
    command_words_free(&run);
    return done;
}

bool send_result(char *const *run_words, struct error *err) {
    char node[PARCEL_NODE_BYTES];
    struct scratch scratch;
    send_result_node(node);
    child_catch_signals();
    if (!scratch_make(&scratch, err))
        return false;
    parcel_write(node, PARCEL_BEGIN, "", stdout);
    const bool done = measure(&scratch, node, run_words, err);
    scratch_remove(&scratch);
    return done;
}
