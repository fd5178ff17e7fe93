/* SPDX-License-Identifier: BSD-3-Clause
 * The command lines of engines (see engine.h); docs/cluster.md shows them. */
#include "engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { SRUN_AT_ONCE = 64 }; /* limited by processes and connections of the host that starts them */

/* Beginnings of Slurm's states of nodes that take no job. */
static const char *const SLURM_AWAY[] = {"down", "drain", "fail", "future", "inval", "maint", "unk"};

/* Beginnings of Slurm's reasons for jobs that wait until somebody changes the job or the configuration. */
static const char *const SLURM_NEVER[] = {
    "PartitionDown",      "PartitionInactive", "PartitionConfig",   "PartitionNodeLimit",
    "PartitionTimeLimit", "BadConstraints",    "AccountNotAllowed", "QOSNotAllowed",
    "InvalidAccount",     "InvalidQOS",        "JobHeld",           "ReservationDeleted"};

static bool begins_with_any(const char *text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(text, list[i], strlen(list[i])) == 0)
            return true;
    return false;
}

static void add_all(struct command_words *out, const struct command_words *more) {
    for (size_t i = 0; i < more->count; i++)
        command_words_add(out, "%s", more->list[i]);
    out->input = more->input;
}

/* "node1,node2" */
static char *join(const struct engine_node *const *nodes, size_t count, char *out) {
    char *end = out;
    *end = '\0';
    for (size_t i = 0; i < count; i++)
        end = stpcpy(stpcpy(end, i ? "," : ""), nodes[i]->name);
    return out;
}

static void add_nodes(struct command_words *out, const char *option, const struct engine_node *const *nodes,
                      size_t count) {
    char *list = need_calloc(count + 1, ENGINE_NODE_BYTES + 1);
    command_words_add(out, "%s", option);
    command_words_add(out, "%s", join(nodes, count, list));
    free(list);
}

static bool slurm_list(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "sinfo");
    command_words_add(out, "--noheader");
    command_words_add(out, "--Node");
    command_words_add(out, "--format=%%N|%%T|%%c|%%E");
    if (request->partition)
        command_words_add(out, "--partition=%s", request->partition);
    if (request->nodes)
        command_words_add(out, "--nodes=%s", request->nodes);
    return true;
}

/* sinfo skips unknown nodes. */
static bool slurm_names(const struct engine_request *request, struct command_words *out) {
    if (!request->nodes)
        return false;
    command_words_add(out, "scontrol");
    command_words_add(out, "show");
    command_words_add(out, "hostnames");
    command_words_add(out, "%s", request->nodes);
    return true;
}

/* Without cores reserved for the system (CoreSpecCount), which sinfo also counts. */
static void slurm_cpus(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "scontrol");
    command_words_add(out, "--oneliner");
    command_words_add(out, "show");
    command_words_add(out, "node");
    if (request->nodes)
        command_words_add(out, "%s", request->nodes);
}

/* A step gets only the CPUs that its task requests (seen with Slurm 22.05: one of two), so all are requested. */
static void slurm_launch(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                         struct command_words *out) {
    command_words_add(out, "srun");
    command_words_add(out, "--job-name=%s", request->job);
    if (request->partition)
        command_words_add(out, "--partition=%s", request->partition);
    command_words_add(out, "--nodes=1");
    command_words_add(out, "--ntasks=1");
    add_nodes(out, "--nodelist", nodes, count);
    if (!request->allocated)
        command_words_add(out, "--exclusive");
    if (!request->allocated && nodes[0]->cpus)
        command_words_add(out, "--cpus-per-task=%u", nodes[0]->cpus);
    command_words_add(out, "--cpu-bind=none");
    add_all(out, request->measure);
}

static void slurm_pending(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "squeue");
    command_words_add(out, "--noheader");
    command_words_add(out, "--name=%s", request->job);
    command_words_add(out, "--states=PENDING");
    command_words_add(out, "--format=%%n|%%r");
}

static void slurm_cancel(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "scancel");
    command_words_add(out, "--quiet");
    command_words_add(out, "--name=%s", request->job);
}

static void open_mpi_begin(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "%s", request->program);
    command_words_add(out, "-N");
    command_words_add(out, "1");
    command_words_add(out, "--bind-to");
    command_words_add(out, "none");
}

static void hydra_begin(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "%s", request->program);
    command_words_add(out, "-ppn");
    command_words_add(out, "1");
    command_words_add(out, "-bind-to");
    command_words_add(out, "none");
}

/* Without a list of nodes the launcher's own nodes print their names. */
static bool list_hosts(const struct engine_request *request,
                       void (*begin)(const struct engine_request *request, struct command_words *out),
                       struct command_words *out) {
    if (request->nodes)
        return false;
    begin(request, out);
    command_words_add(out, "hostname");
    return true;
}

static bool open_mpi_list(const struct engine_request *request, struct command_words *out) {
    return list_hosts(request, open_mpi_begin, out);
}

static bool hydra_list(const struct engine_request *request, struct command_words *out) {
    return list_hosts(request, hydra_begin, out);
}

static void open_mpi_launch(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                            struct command_words *out) {
    open_mpi_begin(request, out);
    add_nodes(out, "--host", nodes, count);
    if (request->measure->input) { /* the first process alone gets it otherwise */
        command_words_add(out, "--stdin");
        command_words_add(out, "all");
    }
    add_all(out, request->measure);
}

static void hydra_launch(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                         struct command_words *out) {
    hydra_begin(request, out);
    add_nodes(out, "-hosts", nodes, count);
    command_words_add(out, "-n");
    command_words_add(out, "%zu", count);
    add_all(out, request->measure);
}

static bool clush_list(const struct engine_request *request, struct command_words *out) {
    command_words_add(out, "nodeset");
    command_words_add(out, "--expand");
    command_words_add(out, "--separator=\\n");
    command_words_add(out, "%s", request->nodes);
    return true;
}

/* A shell on the node parses the command: it gets one text. */
static void clush_launch(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                         struct command_words *out) {
    char *text = command_words_text(request->measure);
    command_words_add(out, "clush");
    add_nodes(out, "-w", nodes, count);
    if (request->at_once) {
        command_words_add(out, "-f");
        command_words_add(out, "%u", request->at_once);
    }
    command_words_add(out, "%s", text);
    out->input = request->measure->input;
    free(text);
}

const struct engine engine_slurm = {.name = "Slurm",
                                    .program = "srun",
                                    .sends = true,
                                    .share = ENGINE_NODE_EACH,
                                    .usual_at_once = SRUN_AT_ONCE,
                                    .stop_signal = SIGTERM,
                                    .final = "DUE TO TIME LIMIT",
                                    .list = slurm_list,
                                    .names = slurm_names,
                                    .launch = slurm_launch,
                                    .cpus = slurm_cpus,
                                    .pending = slurm_pending,
                                    .cancel = slurm_cancel};
const struct engine engine_open_mpi = {.name = "Open MPI",
                                       .program = "mpirun",
                                       .sends = true,
                                       .share = ENGINE_BATCH,
                                       .stop_signal = SIGTERM,
                                       .list = open_mpi_list,
                                       .launch = open_mpi_launch};
const struct engine engine_hydra = {.name = "MPICH",
                                    .program = "mpiexec.hydra",
                                    .share = ENGINE_BATCH,
                                    .stop_signal = SIGTERM,
                                    .list = hydra_list,
                                    .launch = hydra_launch};
const struct engine engine_clush = {.name = "ClusterShell",
                                    .program = "clush",
                                    .sends = true,
                                    .share = ENGINE_ALL,
                                    .stop_signal = SIGINT, /* after SIGTERM its ssh processes stay */
                                    .list = clush_list,
                                    .launch = clush_launch};

const struct engine *engine_of_mpi(const char *version) {
    static const struct {
        const char *says;
        const struct engine *engine;
    } ROWS[] = {{"Open MPI", &engine_open_mpi}, {"OpenRTE", &engine_open_mpi}, {"PRRTE", &engine_open_mpi},
                {"prterun", &engine_open_mpi},  {"HYDRA", &engine_hydra},      {"Hydra", &engine_hydra},
                {"Intel(R) MPI", &engine_hydra}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
        if (strstr(version, ROWS[i].says))
            return ROWS[i].engine;
    return NULL;
}

/* A '*' behind the state: the node does not respond. */
static bool is_away(const char *state) {
    return begins_with_any(state, SLURM_AWAY, sizeof SLURM_AWAY / sizeof SLURM_AWAY[0]) || strchr(state, '*') != NULL;
}

bool engine_read_node(const char *line, struct engine_node *out) {
    char state[32] = "", reason[64] = "";
    *out = (struct engine_node){.cpus = 0};
    if (sscanf(line, "%63[^| \t\r\n]|%31[^|]|%u|%63[^\r\n]", out->name, state, &out->cpus, reason) < 1)
        return false;
    const char *behind = line + strlen(out->name);
    if (*behind != '|' && behind[strspn(behind, " \t\r\n")]) /* words, or half of another node's name */
        return false;
    /* The name becomes a file's name and a word of a command. */
    if (strspn(out->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") != strlen(out->name) ||
        out->name[0] == '.' || out->name[0] == '-')
        return false;
    if (strcmp(reason, "none") == 0)
        snprintf(reason, sizeof reason, "%s", strchr(state, '*') ? "not responding" : "");
    if (is_away(state))
        snprintf(out->unavailable, sizeof out->unavailable, "%s%s%s", state, *reason ? ": " : "", reason);
    out->busy = *state && strncasecmp(state, "idle", 4) != 0;
    return true;
}

bool engine_read_cpus(const char *line, char name[ENGINE_NODE_BYTES], unsigned *cpus) {
    const char *told = strstr(line, " CPUEfctv="); /* since Slurm 22.05 */
    return told && sscanf(line, "NodeName=%63[^ ]", name) == 1 && sscanf(told, " CPUEfctv=%u", cpus) == 1;
}

bool engine_read_pending(const char *line, struct engine_pending *out) {
    *out = (struct engine_pending){.never = false};
    if (sscanf(line, "%63[^| \t\r\n]|%95[^\r\n]", out->node, out->reason) != 2)
        return false;
    out->never = begins_with_any(out->reason, SLURM_NEVER, sizeof SLURM_NEVER / sizeof SLURM_NEVER[0]);
    return true;
}
