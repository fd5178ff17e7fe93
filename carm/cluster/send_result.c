/* SPDX-License-Identifier: BSD-3-Clause
 * The part of `carmine fleet run` that runs on a node (see fleet_run.h). */
#include "fleet_run.h"
#include "shell.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "bench/programs/scratch.h"
#include "carm/options/install_paths.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

/* The engine's name of this node: SLURMD_NODENAME, else the host's name. */
static void find_name(char out[PARCEL_NODE_BYTES]) {
    const char *given = getenv("SLURMD_NODENAME");
    memset(out, 0, PARCEL_NODE_BYTES);
    if (given && *given)
        snprintf(out, PARCEL_NODE_BYTES, "%s", given);
    else if (gethostname(out, PARCEL_NODE_BYTES - 1) != 0 || !*out)
        snprintf(out, PARCEL_NODE_BYTES, "unknown");
}

static void print_result(const char *node, struct result *result) {
    snprintf(result->machine.host, sizeof result->machine.host, "%s", node);
    json_t *json = results_json(result);
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
    parcel_write(node, PARCEL_RESULT, text, stdout);
    free(text);
    json_decref(json);
}

/* A failed measurement is an error only with a folder: a failed exit status would make a launcher end all other nodes.
 * `words`: how it ended. */
static bool deliver(const char *folder, const char *path, char *words, struct error *err) {
    char node[PARCEL_NODE_BYTES];
    struct result result;
    struct error none;
    bool done = true;
    find_name(node);
    safe_text_clean(words);
    if (!folder && cli_stopped()) /* what `carmine run` has stored so far is sent */
        parcel_write(node, PARCEL_FAILED, "stopped before the end", stdout);
    if (!results_read(path, &result, &none)) {
        if (folder)
            return error_set(err, "%s", words);
        parcel_write(node, PARCEL_FAILED, words, stdout);
        return true;
    }
    if (folder)
        done = campaign_file_put(folder, node, &result, err);
    else
        print_result(node, &result);
    results_free(&result);
    return done;
}

bool send_result(const char *folder, char *const *run_words, struct error *err) {
    char program[4096], *text = NULL, *said, how[64], path[sizeof(struct scratch) + 16];
    size_t bytes = 0;
    struct scratch scratch;
    if (!scratch_make(&scratch, err))
        return false;
    cli_catch_signals();
    install_paths_self(program, sizeof program);
    snprintf(path, sizeof path, "%s/result.json", scratch.path);
    FILE *out = need_made(open_memstream(&text, &bytes));
    fputs("exec", out);
    engine_words(out, (char *const[]){program, "run", "-o", path, NULL});
    engine_words(out, run_words);
    fclose(out);
    const int status = shell_run(need_made(text), SIGTERM, &(struct shell_reader){0}, &said, err);
    const char *last = child_last_line(said);
    char *words = need_strdup(*last ? last : child_status_text(status, how, sizeof how));
    const bool done = status != -1 && deliver(folder, path, words, err);
    free(words);
    free(said);
    free(text);
    scratch_remove(&scratch);
    return done && (!cli_stopped() || error_set(err, "interrupted"));
}
