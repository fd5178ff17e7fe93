/* SPDX-License-Identifier: BSD-3-Clause
 * The launchers of Open MPI, and of MPICH and Intel MPI (see engine.h). */
#include "engine.h"

#include <signal.h>
#include <string.h>

static bool is_open_mpi(const char *version) {
    return strstr(version, "Open MPI") || strstr(version, "OpenRTE") || strstr(version, "PRRTE") ||
           strstr(version, "prterun");
}

static bool is_hydra(const char *version) {
    return strstr(version, "HYDRA") || strstr(version, "Hydra") || strstr(version, "Intel(R) MPI");
}

/* A program that the user names is one word. */
static void begin(const struct engine_request *request, const char *options, FILE *out) {
    fputs("exec", out);
    engine_word(out, "%s", request->program);
    fprintf(out, " %s%s", options, request->own);
}

/* The launcher has no list: one process a node prints its name. */
static void list_names(const struct engine_request *request, const char *options, FILE *out) {
    if (request->nodes) {
        fputs("echo", out);
        engine_word(out, "%s", request->nodes);
        fputs(" | tr , '\\n'", out);
        return;
    }
    begin(request, options, out);
    fputs(" hostname", out);
}

#define OPEN_MPI_EACH "-N 1 --bind-to none"
#define HYDRA_EACH    "-ppn 1 -bind-to none"

static void open_mpi_list(const struct engine_request *request, FILE *out) {
    list_names(request, OPEN_MPI_EACH, out);
}

static void hydra_list(const struct engine_request *request, FILE *out) {
    list_names(request, HYDRA_EACH, out);
}

static void open_mpi_launch(const struct engine_request *request, FILE *out) {
    begin(request, OPEN_MPI_EACH, out);
    /* The first process alone gets the input otherwise. */
    fprintf(out, " --host %s %s%s", request->names, request->input ? "--stdin all " : "", request->measure);
    engine_input(out, request);
}

static void hydra_launch(const struct engine_request *request, FILE *out) {
    begin(request, HYDRA_EACH, out);
    fprintf(out, " -hosts %s -n %zu %s", request->names, request->count, request->measure);
}

const struct engine engine_open_mpi = {.by = "mpi",
                                       .name = "Open MPI",
                                       .is_of = is_open_mpi,
                                       .sends = true,
                                       .stop_signal = SIGTERM,
                                       .list = open_mpi_list,
                                       .launch = open_mpi_launch};
const struct engine engine_hydra = {.by = "mpi",
                                    .name = "MPICH",
                                    .is_of = is_hydra,
                                    .stop_signal = SIGTERM,
                                    .list = hydra_list,
                                    .launch = hydra_launch};
