/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of `carmine fleet run` (see fleet_run.h). */
#include "fleet_run.h"
#include "launch.h"
#include "node_file.h"
#include "node_program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/programs/program.h"
#include "carm/options/install_paths.h"
#include "carm/text/notice.h"
#include "carm/text/wrap.h"
#include "probe/error.h"

enum { AT_ONCE_MOST = 100000, WORDS_BYTES = NODE_WORDS_BYTES + ENGINE_NODE_BYTES + 16 };

bool fleet_run_refuse(const struct arguments *arguments, struct error *err) {
    static const struct cli_option OWN[] = {CHOICE_FLEET_RUN, {0}};
    for (size_t i = 0; OWN[i].name; i++)
        if (cli_given(arguments, OWN[i].name))
            return error_set(err,
                             "--%s is an option of `carmine fleet run`, which measures; this command reads results",
                             OWN[i].name);
    return true;
}

static void add_line(void *context, enum launch_stream from, char *line) {
    char *text = context;
    (void)from;
    strncat(text, line, 4095 - strlen(text));
}

/* The named launcher, or the first one found. */
static const struct engine *find_mpi(const char *named, struct engine_request *request, struct error *err) {
    static const char *const USUAL[] = {"mpirun", "mpiexec", "mpiexec.hydra"};
    struct command_words words = {0};
    struct program program;
    char version[4096] = "";
    request->program = *named ? named : NULL;
    for (size_t i = 0; i < sizeof USUAL / sizeof USUAL[0] && !request->program; i++)
        if (program_find(USUAL[i], &program, err))
            request->program = USUAL[i];
    if (!request->program) {
        error_set(
            err,
            "there is no mpirun or mpiexec along PATH: load the site's MPI, or name the launcher: --by mpi=PROGRAM");
        return NULL;
    }
    command_words_add(&words, "%s", request->program);
    command_words_add(&words, "--version");
    const bool told = launch_run(&words, &(struct launch_reader){add_line, version}, err);
    command_words_free(&words);
    const struct engine *engine = told ? engine_of_mpi(version) : NULL;
    if (told && !engine)
        error_set(err, "%s is the launcher of neither Open MPI nor MPICH or Intel MPI: %.200s", request->program,
                  version);
    return engine;
}

/* --by: an engine whose program is along PATH. */
static const struct engine *find_engine(const char *by, struct engine_request *request, struct error *err) {
    static const char MPI[] = "mpi";
    static const struct {
        const char *by;
        const struct engine *engine;
    } ENGINES[] = {{"slurm", &engine_slurm}, {"clush", &engine_clush}};
    struct program program;
    const struct engine *engine = NULL;
    if (strncmp(by, MPI, strlen(MPI)) == 0 && (!by[strlen(MPI)] || by[strlen(MPI)] == '='))
        return find_mpi(by + strlen(MPI) + (by[strlen(MPI)] == '='), request, err);
    for (size_t i = 0; i < sizeof ENGINES / sizeof ENGINES[0]; i++)
        engine = strcmp(by, ENGINES[i].by) == 0 ? ENGINES[i].engine : engine;
    if (!engine) {
        error_set(err, "fleet run needs --by slurm, mpi, mpi=PROGRAM or clush, which starts programs on the nodes%s%s",
                  *by ? "; not " : "", by);
        return NULL;
    }
    request->program = engine->program;
    if (program_find(engine->program, &program, err))
        return engine;
    error_set(err, "there is no %s along PATH: run this on a host that has %s, such as a login node", engine->program,
              engine->name);
    return NULL;
}

static bool read_options(const struct arguments *arguments, struct fleet_run *run, struct error *err) {
    struct engine_request *request = &run->campaign.request;
    const char *at_once = cli_value(arguments, "at-once"),
               *by = cli_given(arguments, "by") ? cli_value(arguments, "by") : "";
    double number = 0;
    if (at_once &&
        (!cli_number(at_once, "--at-once", &number, err) || number != (unsigned)number || number > AT_ONCE_MOST))
        return error_set(err, "--at-once takes a number of nodes, 1 to %d, not '%s'", AT_ONCE_MOST, at_once);
    request->at_once = (unsigned)number;
    request->partition = cli_value(arguments, "partition");
    request->nodes = cli_value(arguments, "nodes");
    run->campaign.folder = cli_given(arguments, "output") ? cli_value(arguments, "output") : "nodes";
    if (request->partition && strcmp(by, "slurm") != 0)
        return error_set(err, "--partition needs --by slurm");
    if (!request->nodes && strcmp(by, "clush") == 0)
        return error_set(err, "--by clush needs the nodes: --nodes 'node[1-64]'");
    run->campaign.engine = find_engine(by, request, err);
    return run->campaign.engine != NULL;
}

/* The program of the nodes: carmine-node, sent to them, if there is one beside this program; else this program, which
 * has to be at the same path there. */
static bool name_program(struct fleet_run *run, struct error *err) {
    if (run->campaign.engine->sends && node_program_find(run->program, sizeof run->program)) {
        command_words_add(&run->measure, "sh");
        command_words_add(&run->measure, "-c");
        command_words_add(&run->measure, "%s", node_program_receive);
        command_words_add(&run->measure, NODE_PROGRAM);
        run->measure.input = run->program;
        return true;
    }
    install_paths_self(run->program, sizeof run->program);
    command_words_add(&run->measure, "%s", run->program);
    return run->program[0] || error_set(err, "cannot find the path of carmine: /proc is missing");
}

/* Sets the job's name, "carmine-login1-4711", and the command of the nodes. */
static bool make_words(struct fleet_run *run, char *const *run_words, struct error *err) {
    char host[64] = "";
    if (!name_program(run, err))
        return false;
    gethostname(host, sizeof host - 1);
    snprintf(run->job, sizeof run->job, "carmine-%s-%ld", host, (long)getpid());
    command_words_add(&run->measure, "fleet");
    command_words_add(&run->measure, "node");
    if (run_words[0])
        command_words_add(&run->measure, "--");
    for (size_t i = 0; run_words[i]; i++)
        command_words_add(&run->measure, "%s", run_words[i]);
    run->campaign.request.job = run->job;
    run->campaign.request.measure = &run->measure;
    return true;
}

bool fleet_run_open(struct fleet_run *run, const struct arguments *arguments, char *const *run_words,
                    struct error *err) {
    const char *allocated = getenv("SLURM_JOB_ID"), *given = getenv("SLURM_JOB_NODELIST");
    *run = (struct fleet_run){.campaign = {.engine = NULL}};
    if (!read_options(arguments, run, err) || !make_words(run, run_words, err))
        return false;
    run->campaign.request.allocated = allocated && *allocated;
    if (run->campaign.engine == &engine_slurm && run->campaign.request.allocated && !run->campaign.request.nodes)
        run->campaign.request.nodes = given;
    return measure_nodes_find(&run->campaign, err);
}

void fleet_run_close(struct fleet_run *run) {
    node_list_free(&run->campaign.nodes);
    command_words_free(&run->measure);
}

bool fleet_run_measure(struct fleet_run *run, struct error *err) {
    const struct node_list *nodes = &run->campaign.nodes;
    const size_t there = node_list_count(nodes, NODE_DONE), wait = node_list_count(nodes, NODE_WAITS);
    if (!node_file_folder(run->campaign.folder, err))
        return false;
    cli_catch_signals();
    notice_print("measuring %zu node%s by %s, into %s%s", wait, wait == 1 ? "" : "s", run->campaign.engine->name,
                 run->campaign.folder, run->measure.input ? "; carmine-node is sent to each" : "");
    if (there)
        notice_print("%zu %s measured already: the results in %s stay", there, there == 1 ? "node is" : "nodes are",
                     run->campaign.folder);
    if (!measure_nodes(&run->campaign, err))
        return false;
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->nodes[i].state == NODE_DONE)
            return true;
    return error_set(err, "no node gave a result; %s: %s", nodes->nodes[0].is.name, nodes->nodes[0].words);
}

/* Nodes that are listed below the report. */
static bool is_doubted(const struct listed_node *node) {
    return node->state == NODE_DONE && !node->partial && node->words[0];
}
static bool is_partial(const struct listed_node *node) {
    return node->state == NODE_DONE && node->partial;
}
static bool has_failed(const struct listed_node *node) {
    return node->state == NODE_FAILED;
}

/* Prints the selected nodes with their last words; returns their number. */
static size_t print_nodes(const struct node_list *nodes, bool (*is_so)(const struct listed_node *node),
                          const char *what, size_t columns, FILE *out) {
    char line[WORDS_BYTES];
    size_t count = 0;
    for (size_t i = 0; i < nodes->count; i++)
        count += is_so(&nodes->nodes[i]);
    if (count)
        fprintf(out, "\n%s %zu of %zu nodes\n", what, count, nodes->count);
    for (size_t i = 0; i < nodes->count; i++)
        if (is_so(&nodes->nodes[i])) {
            snprintf(line, sizeof line, "%s  %s", nodes->nodes[i].is.name, nodes->nodes[i].words);
            wrap_print(line, columns, "    ", out);
        }
    return count;
}

size_t fleet_run_print_failed(const struct fleet_run *run, size_t columns, FILE *out) {
    const struct node_list *nodes = &run->campaign.nodes;
    print_nodes(nodes, is_doubted, "The job failed after the complete result of", columns, out);
    const size_t partial = print_nodes(nodes, is_partial, "Stopped before the end:", columns, out);
    return partial + print_nodes(nodes, has_failed, "No result from", columns, out);
}
