/* SPDX-License-Identifier: BSD-3-Clause
 * ClusterShell and pdsh, which start shells on nodes by ssh (see engine.h). */
#include "engine.h"

#include <signal.h>

/* A shell on the node parses the command: it gets one text. */
static void launch(const char *program, const struct engine_request *request, FILE *out) {
    fprintf(out, "exec %s -w %s", program, request->names);
    fputs(request->own, out);
    engine_word(out, "%s", request->measure);
    engine_input(out, request);
}

static void clush_list(const struct engine_request *request, FILE *out) {
    fputs("nodeset --expand '--separator=\\n'", out);
    engine_word(out, "%s", request->nodes);
}

static void clush_launch(const struct engine_request *request, FILE *out) {
    launch("clush", request, out);
}

/* Its query ends with a line of all names. */
static void pdsh_list(const struct engine_request *request, FILE *out) {
    fputs("pdsh -Q -w", out);
    engine_word(out, "%s", request->nodes);
    fputs(" | tail -n 1 | tr , '\\n'", out);
}

static void pdsh_launch(const struct engine_request *request, FILE *out) {
    launch("pdsh -b", request, out);
}

/* After SIGTERM the ssh processes stay; pdsh ends by one SIGINT with -b. */
const struct engine engine_clush = {.by = "clush",
                                    .name = "ClusterShell",
                                    .program = "clush",
                                    .unlisted = true,
                                    .sends = true,
                                    .stop_signal = SIGINT,
                                    .list = clush_list,
                                    .launch = clush_launch};
const struct engine engine_pdsh = {.by = "pdsh",
                                   .name = "pdsh",
                                   .program = "pdsh",
                                   .unlisted = true,
                                   .stop_signal = SIGINT,
                                   .list = pdsh_list,
                                   .launch = pdsh_launch};
