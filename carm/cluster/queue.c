/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes measured by jobs in an engine's queue, which write their results (see campaign.h). The queue and the folder are
 * all that is known of a campaign, so any later call takes it up. */
#include "campaign.h"
#include "shell.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/child.h"
#include "carm/options/cli.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"

enum { FEW = 3, LOG_BYTES_MOST = 1 << 20, PATH_BYTES = 4300 };
static const double FIRST_LOOK_S = 0.5, LOOK_S = 5, LOOK_A_NODE_S = 0.005; /* 30 s for 5,000 nodes */
/* For a file to appear that another node has written: NFS shows a folder's changes after 30 s or more, nfs(5),
 * acdirmin. */
static const double FILE_S = 60;
/* A controller that was restarted, or a changed partition, has such reasons for a few seconds. */
static const double NEVER_S = 5;

struct queue {
    struct node_campaign *campaign;
    char told[1024]; /* reasons of waiting jobs, and the engine's refusals, that were printed: each once */
};

static size_t in_queue(const struct node_campaign *campaign) {
    return campaign_nodes(campaign, NODE_QUEUED) + campaign_nodes(campaign, NODE_RUNS);
}

static void tell_once(struct queue *queue, const char *node, const char *what) {
    if (strstr(queue->told, what) || strlen(queue->told) + strlen(what) + 2 > sizeof queue->told)
        return;
    status_line_clear();
    if (*node)
        notice_print("the job for %s waits in the queue of %s: %s", node, queue->campaign->engine->name, what);
    else
        notice_print("%s", what);
    strcat(strcat(queue->told, what), "\n");
}

/* The job has ended: its file shows how, and the last line of its log. */
static void take_end(struct node_campaign *campaign, struct listed_node *node, const char *how) {
    char path[PATH_BYTES], words[NODE_WORDS_BYTES], *log;
    size_t length;
    struct error none;
    node->state = campaign_file(campaign->folder, node->is.name);
    snprintf(path, sizeof path, "%.4096s/%s.log", campaign->folder, node->is.name);
    if (node->state == NODE_DONE) {
        remove(path);
        return;
    }
    if (!file_read(path, LOG_BYTES_MOST, &log, &length, &none))
        log = need_strdup("");
    const char *last = child_last_line(log);
    node->state = node->state == NODE_PARTIAL ? NODE_PARTIAL : NODE_FAILED;
    snprintf(words, sizeof words, "%s: %s%s%.200s", campaign->engine->name, how, *last ? "; " : "", last);
    campaign_say(node, words);
    free(log);
}

/* Its file may become visible later than its end, which only a job without an error is granted. */
static bool file_is_awaited(struct node_campaign *campaign, struct listed_node *node, const char *how) {
    if (campaign_file(campaign->folder, node->is.name) != NODE_WAITS || strncmp(how, "COMPLETED", 9) != 0)
        return false;
    node->ended_s = node->ended_s > 0 ? node->ended_s : now_s();
    return now_s() - node->ended_s < FILE_S;
}

static void cancel(struct node_campaign *campaign, const char *job) {
    struct engine_request request = campaign->request;
    struct error why;
    char *said;
    request.one_job = job;
    char *text = engine_command(&request, campaign->engine->cancel);
    if (shell_run(text, 0, &(struct shell_reader){0}, &said, &why) < 0)
        notice_print("%s", why.text);
    free(said);
    free(text);
}

static void give_up_job(struct queue *queue, struct listed_node *node, const char *why) {
    char words[NODE_WORDS_BYTES];
    snprintf(words, sizeof words, "its job cannot start: %s reports %s", queue->campaign->engine->name, why);
    campaign_give_up(node, words);
    cancel(queue->campaign, node->job);
}

/* Gives up a job that the engine has called impossible for a while. */
static void take_waiting(struct queue *queue, struct listed_node *node, const struct engine_job *job) {
    node->state = NODE_QUEUED;
    node->never_s = !job->never ? 0 : node->never_s > 0 ? node->never_s : now_s();
    if (job->never && now_s() - node->never_s >= NEVER_S)
        give_up_job(queue, node, job->why);
    else if (!job->never && *job->why)
        tell_once(queue, node->is.name, job->why);
}

/* A job of an earlier call that still waits or runs is this call's, too. */
static void take_job(void *context, char *line) {
    struct queue *queue = context;
    struct engine_job job;
    struct listed_node *node =
        queue->campaign->engine->read_job(line, &job) ? campaign_node(queue->campaign, job.node) : NULL;
    if (!node || node->state >= NODE_DONE)
        return;
    if (!node->job[0] && job.state != ENGINE_JOB_ENDED)
        memcpy(node->job, job.id, sizeof node->job);
    if (strcmp(node->job, job.id) != 0)
        return;
    node->listed = true;
    if (job.state == ENGINE_JOB_WAITS) {
        take_waiting(queue, node, &job);
    } else {
        node->state = NODE_RUNS;
        if (job.state == ENGINE_JOB_ENDED && !file_is_awaited(queue->campaign, node, job.why))
            take_end(queue->campaign, node, job.why);
    }
}

/* Error: the engine does not answer. */
static bool look(struct queue *queue, struct error *err) {
    struct node_campaign *campaign = queue->campaign;
    for (size_t i = 0; i < campaign->count; i++)
        campaign->nodes[i].listed = false;
    char *text = engine_command(&campaign->request, campaign->engine->jobs);
    const bool told = shell_lines(text, &(struct shell_reader){take_job, queue}, err);
    free(text);
    for (size_t i = 0; told && i < campaign->count; i++) {
        struct listed_node *node = &campaign->nodes[i];
        if ((node->state == NODE_QUEUED || node->state == NODE_RUNS) && !node->listed)
            take_end(campaign, node, "its job has left the queue");
    }
    return told;
}

static void take_identity(void *context, char *line) {
    struct listed_node *node = context;
    snprintf(node->job, sizeof node->job, "%.*s", (int)strcspn(line, "; "), line);
}

static bool submit(const struct node_campaign *campaign, struct listed_node *node, struct error *err) {
    char *text = campaign_command(campaign, node);
    const bool done = shell_lines(text, &(struct shell_reader){take_identity, node}, err);
    free(text);
    return done;
}

/* Submits the waiting nodes, unless the engine takes no more jobs now. Error: it refuses the first ones, and so all. */
static bool submit_all(struct queue *queue, struct error *err) {
    struct node_campaign *campaign = queue->campaign;
    size_t taken = in_queue(campaign), refused = 0;
    for (size_t i = 0; i < campaign->count && !cli_stopped(); i++) {
        struct listed_node *node = &campaign->nodes[i];
        if (node->state != NODE_WAITS)
            continue;
        if (submit(campaign, node, err)) {
            node->state = NODE_QUEUED;
            taken++;
        } else if (taken && strstr(err->text, campaign->engine->limited)) {
            tell_once(queue, "", err->text);
            break;
        } else {
            campaign_give_up(node, err->text);
            if (!taken && ++refused == FEW)
                return false;
        }
        campaign_show(campaign);
    }
    return true;
}

/* Waits for the jobs. A queue that does not answer is asked again: its controller may be restarted. */
static void await(struct queue *queue) {
    struct node_campaign *campaign = queue->campaign;
    const double most_s = LOOK_S + LOOK_A_NODE_S * (double)campaign->count;
    struct error err;
    for (double wait_s = FIRST_LOOK_S; in_queue(campaign) && !cli_stopped(); wait_s = 2 * wait_s) {
        campaign_show(campaign);
        wait_s = wait_s < most_s ? wait_s : most_s;
        poll(NULL, 0, (int)(1000 * wait_s));
        if (cli_stopped() || (look(queue, &err) && submit_all(queue, &err)))
            continue;
        tell_once(queue, "", err.text);
    }
}

static void detach(const struct node_campaign *campaign) {
    const size_t wait = campaign_nodes(campaign, NODE_WAITS);
    char *text = engine_command(&campaign->request, campaign->engine->cancel);
    notice_print("%zu jobs are in the queue of %s. The same command without --detach waits for them and reports; "
                 "`%s` cancels them",
                 in_queue(campaign), campaign->engine->name, text);
    free(text);
    if (wait)
        notice_print("%zu nodes have no job yet: the same command submits them later", wait);
}

bool campaign_queue(struct node_campaign *campaign, struct error *err) {
    struct queue queue = {.campaign = campaign};
    if (!look(&queue, err))
        return false;
    const size_t earlier = in_queue(campaign);
    if (earlier)
        notice_print("%zu %s in the queue of %s already", earlier, earlier == 1 ? "job is" : "jobs are",
                     campaign->engine->name);
    bool done = submit_all(&queue, err);
    if (done && !campaign->detach)
        await(&queue);
    status_line_clear();
    if (cli_stopped()) {
        notice_print("cancelling all jobs of this run");
        cancel(campaign, NULL);
        return campaign_interrupted(campaign, err);
    }
    if (done && campaign->detach)
        detach(campaign);
    return done;
}
