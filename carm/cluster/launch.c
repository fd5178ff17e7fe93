/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes measured by a launcher's processes, whose output has the results (see campaign.h). */
#include "campaign.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>

#include "bench/programs/child.h"
#include "bench/programs/scratch.h"
#include "carm/options/cli.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "probe/error.h"

struct launch {
    struct node_campaign *campaign;
    struct error failure; /* a result that cannot be written; "": none */
};

/* Reads the text like any result, from a file, so that every value is checked. */
static bool read_text(const char *text, struct result *out, struct error *err) {
    struct scratch scratch;
    char path[sizeof scratch.path + 16];
    if (!scratch_make(&scratch, err))
        return false;
    snprintf(path, sizeof path, "%s/sent", scratch.path);
    const bool done = file_write(path, text, strlen(text), true, err) && results_read(path, out, err);
    scratch_remove(&scratch);
    return done;
}

/* Stores a complete text. */
static void keep_result(struct launch *launch, struct listed_node *node) {
    struct error why;
    struct result result;
    char *text = parcel_parts_join(&node->result);
    if (!text) {
        campaign_say(node, "its result was damaged in transfer: the checksum does not match");
    } else if (!read_text(text, &result, &why)) {
        campaign_say(node, why.text);
    } else {
        if (campaign_file_put(launch->campaign->folder, node->is.name, &result, &why))
            node->state = node->stopped ? NODE_PARTIAL : NODE_DONE;
        else
            launch->failure = why;
        results_free(&result);
    }
    free(text);
}

static void take_launched(void *context, char *line) {
    struct launch *launch = context;
    struct parcel parcel;
    struct listed_node *node = parcel_read(line, &parcel) ? campaign_node(launch->campaign, parcel.node) : NULL;
    if (!node || node->state != NODE_RUNS)
        return;
    if (parcel.kind == PARCEL_FAILED) {
        node->stopped = true;
        campaign_say(node, parcel.text);
    } else if (parcel_parts_take(&node->result, &parcel)) {
        keep_result(launch, node);
    }
    campaign_show(launch->campaign);
}

/* A node without a result has failed, with the last line behind its label, or the last one of all. */
static void give_up_rest(struct node_campaign *campaign, int status, char *said) {
    char how[64];
    const char *last = "";
    for (char *line = strtok(said, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        for (size_t i = 0; i < campaign->count; i++) {
            struct listed_node *node = &campaign->nodes[i];
            const char *label = node->state == NODE_RUNS ? strstr(line, node->is.name) : NULL;
            if (label && label[strlen(node->is.name)] == ':')
                campaign_say(node, line);
        }
        last = line[strspn(line, " \t-")] ? line : last;
    }
    if (!*last)
        last = status == 0 ? "it started, but sent no result" : child_status_text(status, how, sizeof how);
    for (size_t i = 0; i < campaign->count; i++) {
        struct listed_node *node = &campaign->nodes[i];
        if (node->state != NODE_RUNS)
            continue;
        node->state = NODE_FAILED;
        if (!node->words[0])
            campaign_say(node, last);
    }
}

bool campaign_launch(struct node_campaign *campaign, struct error *err) {
    struct launch launch = {.campaign = campaign};
    char *text = campaign_command(campaign, NULL), *said;
    for (size_t i = 0; i < campaign->count; i++)
        if (campaign->nodes[i].state == NODE_WAITS)
            campaign->nodes[i].state = NODE_RUNS;
    campaign_show(campaign);
    const int status =
        shell_run(text, campaign->engine->stop_signal, &(struct shell_reader){take_launched, &launch}, &said, err);
    if (status != -1)
        give_up_rest(campaign, status, said);
    status_line_clear();
    free(said);
    free(text);
    if (launch.failure.text[0])
        return error_set(err, "%s", launch.failure.text);
    return status != -1 && (!cli_stopped() || campaign_interrupted(campaign, err));
}
