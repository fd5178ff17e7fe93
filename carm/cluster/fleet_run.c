/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of `carmine fleet run` (see fleet_run.h). */
#include "fleet_run.h"
#include "shell.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/programs/program.h"
#include "carm/options/install_paths.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "carm/text/table.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

enum { WORDS_BYTES = NODE_WORDS_BYTES + ENGINE_NODE_BYTES + 16 };

static const struct engine *const engines[] = {&engine_slurm, &engine_open_mpi, &engine_hydra,
                                               &engine_clush, &engine_pdsh,     NULL};

bool fleet_run_refuse(const struct arguments *arguments, struct error *err) {
    static const struct cli_option OWN[] = {CHOICE_FLEET_RUN, {0}};
    for (size_t i = 0; OWN[i].name; i++)
        if (cli_given(arguments, OWN[i].name))
            return error_set(err,
                             "--%s is an option of `carmine fleet run`, which measures; this command reads results",
                             OWN[i].name);
    return true;
}

static void add_version(void *context, char *line) {
    text_append(context, 4096, "%s\n", line);
}

/* The engine of an MPI launcher: the named one, or the first one found. */
static const struct engine *find_mpi(const char *named, struct engine_request *request, struct error *err) {
    static const char *const USUAL[] = {"mpirun", "mpiexec", "mpiexec.hydra"};
    struct program program;
    char version[4096] = "", command[4200];
    request->program = *named ? named : NULL;
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0] && !request->program; i++)
        if (program_find(USUAL[i], &program, err))
            request->program = USUAL[i];
    if (!request->program || !program_find(request->program, &program, err)) {
        error_set(err, "there is no %s along PATH: load the site's MPI, or name the launcher: --by mpi=PROGRAM",
                  request->program ? request->program : "mpirun or mpiexec");
        return NULL;
    }
    snprintf(command, sizeof command, "%s --version", request->program);
    if (!shell_lines(command, &(struct shell_reader){add_version, version}, err))
        return NULL;
    for (size_t i = 0; engines[i]; i++)
        if (engines[i]->is_of && engines[i]->is_of(version))
            return engines[i];
    error_set(err, "%s is the launcher of neither Open MPI nor MPICH or Intel MPI: %.200s", request->program, version);
    return NULL;
}

/* --by: an engine whose program is along PATH. Within a job of Slurm its own nodes are measured. */
static const struct engine *find_engine(const char *by, struct engine_request *request, struct error *err) {
    const char *job = getenv("SLURM_JOB_ID");
    const size_t length = strcspn(by, "=");
    const struct engine *engine = NULL;
    struct program program;
    for (size_t i = 0; engines[i] && !engine; i++)
        if (strncmp(by, engines[i]->by, length) == 0 && !engines[i]->by[length] && (!by[length] || engines[i]->is_of))
            engine = engines[i];
    if (!engine) {
        error_set(err,
                  "fleet run needs --by slurm, mpi, mpi=PROGRAM, clush or pdsh, which starts programs on the nodes%s%s",
                  *by ? "; not " : "", by);
        return NULL;
    }
    if (engine->is_of)
        return find_mpi(by + length + (by[length] == '='), request, err);
    if (engine->jobs && job && *job)
        engine = &engine_slurm_step;
    if (program_find(engine->program, &program, err))
        return engine;
    error_set(err, "there is no %s along PATH: run this on a host that has %s, such as a login node", engine->program,
              engine->name);
    return NULL;
}

/* Options that only some engines have. */
static bool check_engine(const struct arguments *arguments, const struct engine *engine, struct error *err) {
    if (cli_given(arguments, "partition") && !engine->jobs)
        return error_set(err, "--partition needs --by slurm, outside of a job");
    if (cli_given(arguments, "detach") && !engine->jobs)
        return error_set(err, "--detach needs a queue: --by slurm, outside of a job");
    if (!cli_given(arguments, "nodes") && engine->unlisted)
        return error_set(err, "--by %s needs the nodes: --nodes 'node[1-64]'", engine->by);
    return true;
}

static bool read_options(const struct arguments *arguments, struct fleet_run *run, struct error *err) {
    struct engine_request *request = &run->campaign.request;
    request->partition = cli_value(arguments, "partition");
    request->nodes = cli_value(arguments, "nodes");
    run->campaign.detach = cli_given(arguments, "detach");
    run->campaign.folder = cli_given(arguments, "output") ? cli_value(arguments, "output") : "nodes";
    run->campaign.engine = find_engine(cli_given(arguments, "by") ? cli_value(arguments, "by") : "", request, err);
    if (run->campaign.engine == &engine_slurm_step && !request->nodes)
        request->nodes = getenv("SLURM_JOB_NODELIST");
    return run->campaign.engine && check_engine(arguments, run->campaign.engine, err);
}

/* The path of the folder, which may be still to make, and the name of its jobs: "carmine-1a2b3c4d", the same for every
 * call with this folder (FNV-1a). */
static bool name_job(struct fleet_run *run, struct error *err) {
    uint32_t sum = 0x811c9dc5;
    char path[PATH_MAX], here[PATH_MAX] = "";
    if (realpath(run->campaign.folder, path))
        snprintf(run->folder, sizeof run->folder, "%s", path);
    else if (*run->campaign.folder == '/')
        snprintf(run->folder, sizeof run->folder, "%.4096s", run->campaign.folder);
    else if (getcwd(here, sizeof here))
        snprintf(run->folder, sizeof run->folder, "%.3900s/%.250s", here, run->campaign.folder);
    else
        return error_set(err, "the current folder is gone: name the folder of the results by -o");
    for (const char *byte = run->folder; *byte; byte++)
        sum = (sum ^ (unsigned char)*byte) * 0x01000193;
    snprintf(run->job, sizeof run->job, "carmine-%08x", (unsigned)sum);
    return true;
}

/* What runs on a node: the program of its architecture, if there is one beside this program and the engine can send it;
 * else this program, which has to be at the same path there. */
static bool put_program(struct fleet_run *run, FILE *out, struct error *err) {
    const struct engine *engine = run->campaign.engine;
    char self[4096] = "";
    if (engine->sends || engine->jobs)
        node_programs_find(&run->programs, run->folder, engine->jobs);
    if (run->programs.count) {
        node_programs_command(&run->programs, out);
    } else {
        install_paths_self(self, sizeof self);
        engine_word(out, "%s", self);
    }
    fputs(" fleet node", out);
    run->campaign.request.input = *run->programs.input ? run->programs.input : NULL;
    return run->programs.count || *self || error_set(err, "cannot find the path of carmine: /proc is missing");
}

static bool make_texts(struct fleet_run *run, char *const *run_words, char *const *own_words, struct error *err) {
    size_t bytes = 0;
    FILE *out = need_made(open_memstream(&run->measure, &bytes));
    bool done = name_job(run, err) && put_program(run, out, err);
    if (run->campaign.engine->jobs)
        engine_word(out, "--output=%s", run->folder);
    if (run_words[0])
        fputs(" --", out);
    engine_words(out, run_words);
    fclose(out);
    out = need_made(open_memstream(&run->own, &bytes));
    engine_words(out, own_words);
    fclose(out);
    need_made(run->measure);
    run->campaign.request.measure = run->measure + strspn(run->measure, " ");
    run->campaign.request.own = need_made(run->own);
    run->campaign.request.job = run->job;
    run->campaign.request.folder = run->folder;
    return done;
}

bool fleet_run_open(struct fleet_run *run, const struct arguments *arguments, char *const *run_words,
                    char *const *own_words, struct error *err) {
    *run = (struct fleet_run){.measure = NULL};
    return read_options(arguments, run, err) && make_texts(run, run_words, own_words, err) &&
           campaign_find_nodes(&run->campaign, err);
}

void fleet_run_close(struct fleet_run *run) {
    campaign_free(&run->campaign);
    free(run->measure);
    free(run->own);
}

static bool make_folder(const char *folder, struct error *err) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", folder, strerror(errno));
    return file_is_folder(folder) || error_set(err, "%s is not a folder: -o names the folder of the results", folder);
}

bool fleet_run_measure(struct fleet_run *run, struct error *err) {
    struct node_campaign *campaign = &run->campaign;
    const size_t there = campaign_nodes(campaign, NODE_DONE), wait = campaign_nodes(campaign, NODE_WAITS);
    if (!make_folder(campaign->folder, err) || (wait && !node_programs_place(&run->programs, err)))
        return false;
    cli_catch_signals();
    notice_print("measuring %zu node%s by %s, into %s%s", wait, wait == 1 ? "" : "s", campaign->engine->name,
                 campaign->folder, run->programs.count ? "; carmine-node is sent to each" : "");
    if (there)
        notice_print("%zu %s measured already: the results in %s stay", there, there == 1 ? "node is" : "nodes are",
                     campaign->folder);
    const bool measured = !wait || (campaign->engine->jobs ? campaign_queue : campaign_launch)(campaign, err);
    node_programs_end(&run->programs);
    if (!measured)
        return false;
    return campaign_nodes(campaign, NODE_FAILED) < campaign->count ||
           error_set(err, "no node gave a result; %s: %s", campaign->nodes[0].is.name, campaign->nodes[0].words);
}

/* Prints the nodes of this state with their last words; returns their number. */
static size_t print_nodes(const struct node_campaign *campaign, enum node_state state, const char *what, size_t columns,
                          FILE *out) {
    char line[WORDS_BYTES];
    const size_t count = campaign_nodes(campaign, state);
    if (count)
        fprintf(out, "\n%s %zu of %zu nodes\n", what, count, campaign->count);
    for (size_t i = 0; i < campaign->count; i++)
        if (campaign->nodes[i].state == state) {
            snprintf(line, sizeof line, "%s  %s", campaign->nodes[i].is.name, campaign->nodes[i].words);
            wrap_print(line, columns, "    ", out);
        }
    return count;
}

size_t fleet_run_print_failed(const struct fleet_run *run, size_t columns, FILE *out) {
    const size_t partial = print_nodes(&run->campaign, NODE_PARTIAL, "Stopped before the end:", columns, out);
    return partial + print_nodes(&run->campaign, NODE_FAILED, "No result from", columns, out);
}
