/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes measured through an engine (see node_list.h). */
#include "node_list.h"
#include "launch.h"
#include "node_file.h"

#include <stdlib.h>
#include <string.h>

#include "bench/programs/child.h"
#include "carm/options/cli.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"
#include "render/page/units.h"

enum { STEP_MS = 250 };
static const double LOOK_AGAIN_S = 5; /* interval of looking at waiting nodes */
static const double END_S = 20;       /* time for launches to end after the signal */

/* A launch and its nodes. */
struct node_launch {
    struct launch process;
    size_t count, *nodes;         /* indices */
    char words[NODE_WORDS_BYTES]; /* last line of its standard error */
    bool final;                   /* these words mean that a second try would fail, too */
    bool pending, withdrawn;      /* its job has not started; the job is ended so that an idle node's job can start */
    struct campaign_run *run;
};
struct campaign_run {
    struct node_campaign *campaign;
    size_t launch_count, launch_most, at_once;
    struct node_launch **launches;
    double looked_s;
    char told_reasons[1024]; /* reasons of waiting jobs that were printed: each once */
    struct error failure;    /* a result that cannot be written; "": none */
};

/* The engine's list: nodes, and lines that name no node. */
struct node_listing {
    struct node_list *list;
    const char *partition; /* NULL: any */
    size_t refused;
    char first_refused[ENGINE_NODE_BYTES];
};

static void add_listed(void *context, enum launch_stream from, char *line) {
    struct node_listing *listing = context;
    struct engine_node node;
    (void)from;
    if (engine_read_node(line, &node))
        node_list_add(listing->list, &node);
    else if (line[strspn(line, " \t\r\n")] && listing->refused++ == 0)
        snprintf(listing->first_refused, sizeof listing->first_refused, "%s", line);
}

/* Adds requested names that the engine did not list. */
static void add_unknown(void *context, enum launch_stream from, char *line) {
    struct node_listing *listing = context;
    struct engine_node node;
    (void)from;
    if (!engine_read_node(line, &node)) {
        add_listed(context, from, line);
        return;
    }
    snprintf(node.unavailable, sizeof node.unavailable, "there is no such node%s%.40s",
             listing->partition ? " in partition " : "", listing->partition ? listing->partition : "");
    if (!node_list_find(listing->list, node.name))
        node_list_add(listing->list, &node);
}

/* For output that is ignored. */
static void skip_line(void *context, enum launch_stream from, char *line) {
    (void)context;
    (void)from;
    (void)line;
}

/* "a,b,c", for launchers without a list. */
static bool add_named(struct node_list *list, const char *names, struct error *err) {
    char *copy = need_strdup(names), *rest = copy, *name;
    bool done = true;
    while (done && (name = strsep(&rest, ","))) {
        struct engine_node node;
        done = engine_read_node(name, &node) ||
               error_set(err, "'%s' is not a node's name: -w takes NODE,NODE,… here", name);
        if (done)
            node_list_add(list, &node);
    }
    free(copy);
    return done;
}

static bool list_nodes(const struct node_campaign *campaign, struct node_listing *out, struct error *err) {
    struct command_words words = {0};
    bool done;
    if (campaign->engine->list(&campaign->request, &words))
        done = launch_run(&words, &(struct launch_reader){add_listed, out}, err);
    else
        done = add_named(out->list, campaign->request.nodes, err);
    command_words_free(&words);
    return done;
}

static void take_cpus(void *context, enum launch_stream from, char *line) {
    char name[ENGINE_NODE_BYTES];
    unsigned cpus;
    struct listed_node *node = NULL;
    (void)from;
    if (engine_read_cpus(line, name, &cpus) && (node = node_list_find(context, name)))
        node->is.cpus = cpus;
}

/* Nodes without an answer keep the CPUs from the list. */
static void find_cpus(struct node_campaign *campaign) {
    struct command_words words = {0};
    struct error none;
    if (!campaign->engine->cpus || campaign->request.allocated)
        return;
    campaign->engine->cpus(&campaign->request, &words);
    launch_run(&words, &(struct launch_reader){take_cpus, &campaign->nodes}, &none);
    command_words_free(&words);
}

/* Adds requested nodes that the engine did not list; they fail with that reason. */
static bool add_missing(const struct node_campaign *campaign, struct node_listing *out, struct error *err) {
    struct command_words words = {0};
    const bool done = !campaign->engine->names || !campaign->engine->names(&campaign->request, &words) ||
                      launch_run(&words, &(struct launch_reader){add_unknown, out}, err);
    command_words_free(&words);
    return done;
}

/* A wrong name in the user's list is an error; the engine's own list may have other lines. */
static bool check_refused(const struct node_campaign *campaign, const struct node_listing *listing, struct error *err) {
    if (listing->refused && campaign->request.nodes)
        return error_set(err, "'%s' is not a node's name; leave it out of %s", listing->first_refused,
                         campaign->request.nodes);
    if (listing->refused)
        notice_print("%zu line%s of the list from %s %s no node's name, such as '%s'", listing->refused,
                     listing->refused == 1 ? "" : "s", campaign->engine->name, listing->refused == 1 ? "is" : "are",
                     listing->first_refused);
    return true;
}

bool measure_nodes_find(struct node_campaign *campaign, struct error *err) {
    struct node_list *list = &campaign->nodes;
    struct node_listing listing = {.list = list, .partition = campaign->request.partition};
    if (!list_nodes(campaign, &listing, err))
        return false;
    if (list->count == 0)
        return error_set(err, "%s lists no nodes%s%s%s%s; look at its list, and choose by -w or -p",
                         campaign->engine->name, campaign->request.nodes ? " of " : "",
                         campaign->request.nodes ? campaign->request.nodes : "",
                         campaign->request.partition ? " in partition " : "",
                         campaign->request.partition ? campaign->request.partition : "");
    if (!add_missing(campaign, &listing, err) || !check_refused(campaign, &listing, err))
        return false;
    find_cpus(campaign);
    for (size_t i = 0; i < list->count; i++) {
        struct listed_node *node = &list->nodes[i];
        node->was_there = node_file_is_there(campaign->folder, node->is.name);
        if (node->was_there)
            node->state = NODE_DONE;
        else if (node->is.unavailable[0])
            node_list_give_up(node, node->is.unavailable);
    }
    return true;
}

/* How many nodes a launch has. */
static size_t nodes_a_launch(const struct node_campaign *campaign) {
    const unsigned asked = campaign->request.at_once;
    return campaign->engine->share == ENGINE_NODE_EACH        ? 1
           : campaign->engine->share == ENGINE_BATCH && asked ? asked
                                                              : campaign->nodes.count;
}

static size_t at_once(const struct node_campaign *campaign) {
    const size_t asked = campaign->request.at_once ? campaign->request.at_once : campaign->engine->usual_at_once;
    return asked && asked < campaign->nodes.count ? asked : campaign->nodes.count;
}

/* The next launch's command line; false: no node waits. `indices` has room for all nodes. */
static bool next_launch(const struct node_campaign *campaign, struct node_list *list, size_t *indices, size_t *count,
                        struct command_words *words) {
    *count = node_list_next(list, nodes_a_launch(campaign), indices);
    const struct engine_node **nodes = need_calloc(*count + 1, sizeof *nodes);
    for (size_t i = 0; i < *count; i++)
        nodes[i] = &list->nodes[indices[i]].is;
    if (*count)
        campaign->engine->launch(&campaign->request, nodes, *count, words);
    free(nodes);
    return *count > 0;
}

static void print_words(struct command_words *words) {
    char *text = command_words_text(words);
    printf("%s%s%s\n", text, words->input ? " <" : "", words->input ? words->input : "");
    free(text);
    command_words_free(words);
}

void measure_nodes_print(const struct node_campaign *campaign) {
    struct command_words words = {0};
    struct node_list list = {0};
    size_t *indices = need_calloc(campaign->nodes.count + 1, sizeof *indices), count;
    for (size_t i = 0; i < campaign->nodes.count; i++) {
        const struct listed_node *node = &campaign->nodes.nodes[i];
        if (node->state == NODE_WAITS)
            node_list_add(&list, &node->is);
        else if (node->state == NODE_FAILED)
            notice_print("%s is left out: %s", node->is.name, node->words);
    }
    if (campaign->engine->list(&campaign->request, &words))
        print_words(&words);
    if (campaign->engine->cpus && !campaign->request.allocated) {
        campaign->engine->cpus(&campaign->request, &words);
        print_words(&words);
    }
    while (next_launch(campaign, &list, indices, &count, &words))
        print_words(&words);
    free(indices);
    node_list_free(&list);
}

/* Stores a complete result. */
static void measure_nodes_keep(struct campaign_run *run, struct listed_node *node) {
    struct error why;
    char *text = parcel_parts_join(&node->result);
    if (!text) {
        node_list_say(node, "its result was damaged in transfer: the checksum does not match");
        return;
    }
    const enum node_file_end end = node_file_write(run->campaign->folder, node->is.name, text, &why);
    free(text);
    if (end == NODE_FILE_KEPT) {
        node->took_s = now_s() - node->began_s;
        node->state = NODE_DONE;
        if (!node->partial)
            node->words[0] = '\0';
    } else if (end == NODE_FILE_UNWRITABLE) {
        run->failure = why;
    } else {
        node_list_say(node, why.text);
    }
}

static void take_parcel(struct campaign_run *run, const struct parcel *parcel) {
    struct listed_node *node = node_list_find(&run->campaign->nodes, parcel->node);
    if (!node || node->state == NODE_DONE || node->state == NODE_FAILED)
        return;
    switch (parcel->kind) {
    case PARCEL_BEGIN:
        node->state = NODE_RUNS;
        node->began_s = now_s();
        node->partial = false;
        parcel_parts_free(&node->result);
        break;
    case PARCEL_RESULT:
        if (!parcel_parts_take(&node->result, parcel))
            break;
        /* A partial result is dropped after Ctrl-C, as the same command measures this node again, and for engines
         * with a second try. */
        if (node->partial && (cli_stop || run->campaign->engine->share != ENGINE_NODE_EACH))
            parcel_parts_free(&node->result);
        else
            measure_nodes_keep(run, node);
        break;
    case PARCEL_FAILED:
        node->partial = true;
        node_list_say(node, parcel->text);
        break;
    }
}

/* Standard error has lines of the engine, and lines of nodes behind a label if there are several. */
static void take_line(void *context, enum launch_stream from, char *line) {
    struct node_launch *launch = context;
    struct parcel parcel;
    if (from == LAUNCH_OUT && parcel_read(line, &parcel)) {
        take_parcel(launch->run, &parcel);
        return;
    }
    if (from == LAUNCH_OUT || strspn(line, " \t\r-") == strlen(line))
        return;
    for (size_t i = 0; i < launch->count; i++) {
        struct listed_node *node = &launch->run->campaign->nodes.nodes[launch->nodes[i]];
        const size_t length = strlen(node->is.name);
        const char *label = strstr(line, node->is.name);
        if (label && label[length] == ':' && node->state != NODE_DONE && !launch->final)
            node_list_say(node, line);
    }
    if (launch->final)
        return;
    const char *final = launch->run->campaign->engine->final;
    launch->final = final && strstr(line, final);
    snprintf(launch->words, sizeof launch->words, "%.*s", NODE_WORDS_BYTES - 1, line);
}

static bool begin_launch(struct campaign_run *run, struct error *err) {
    struct node_launch *launch = need_calloc(1, sizeof *launch);
    struct command_words words = {0};
    launch->run = run;
    launch->nodes = need_calloc(run->campaign->nodes.count + 1, sizeof *launch->nodes);
    bool begun = next_launch(run->campaign, &run->campaign->nodes, launch->nodes, &launch->count, &words);
    for (size_t i = 0; i < launch->count; i++)
        run->campaign->nodes.nodes[launch->nodes[i]].words[0] = '\0';
    err->text[0] = '\0';
    begun = begun && launch_start(&words, &launch->process, err);
    command_words_free(&words);
    if (begun) {
        run->launches[run->launch_count++] = launch;
        return true;
    }
    free(launch->nodes);
    free(launch);
    return false;
}

/* The result is complete, but its launch failed: that is shown with it. If a launch has several nodes, the failed
 * one is unknown. */
static void doubt(const struct node_launch *launch, struct listed_node *node) {
    char how[64], words[NODE_WORDS_BYTES];
    if (launch->count != 1 || launch->process.status == 0 || cli_stop)
        return;
    snprintf(words, sizeof words, "%s: %s%s%.250s", launch->run->campaign->engine->program,
             child_status_text(launch->process.status, how, sizeof how), launch->words[0] ? "; " : "", launch->words);
    node_list_say(node, words);
}

/* A node without a result has failed this time, unless its job was ended for an idle node. */
static void measure_nodes_settle(struct node_launch *launch) {
    for (size_t i = 0; i < launch->count; i++) {
        struct listed_node *node = &launch->run->campaign->nodes.nodes[launch->nodes[i]];
        char how[64];
        if (node->state == NODE_DONE)
            doubt(launch, node);
        if (node->state == NODE_DONE || node->state == NODE_FAILED)
            continue;
        if (launch->withdrawn) {
            node->state = NODE_WAITS;
            continue;
        }
        node->final = launch->final || launch->run->campaign->engine->share == ENGINE_NODE_EACH;
        if ((!node->words[0] || launch->final) && launch->words[0])
            node_list_say(node, launch->words);
        else if (!node->words[0])
            node_list_say(node, launch->process.status == 0
                                    ? "it started, but sent no result"
                                    : child_status_text(launch->process.status, how, sizeof how));
        node_list_failed_try(node);
        if (node->state == NODE_WAITS && !cli_stop) {
            status_line_clear();
            notice_print("%s failed, and is tried again: %s", node->is.name, node->words);
        }
    }
}

static void end_launch(struct campaign_run *run, size_t index) {
    struct node_launch *launch = run->launches[index];
    measure_nodes_settle(launch);
    launch_free(&launch->process);
    free(launch->nodes);
    free(launch);
    run->launches[index] = run->launches[--run->launch_count];
}

static void read_launches(struct campaign_run *run) {
    struct launch **processes = need_calloc(run->launch_count + 1, sizeof *processes);
    struct launch_reader *readers = need_calloc(run->launch_count + 1, sizeof *readers);
    for (size_t i = 0; i < run->launch_count; i++) {
        processes[i] = &run->launches[i]->process;
        readers[i] = (struct launch_reader){take_line, run->launches[i]};
    }
    launch_read(processes, readers, run->launch_count, STEP_MS);
    free(processes);
    free(readers);
    for (size_t i = run->launch_count; i-- > 0;)
        if (launch_ended(&run->launches[i]->process))
            end_launch(run, i);
}

/* Gives up nodes that became unavailable after they were listed, and notes which others are idle. */
static void look_at_nodes(struct campaign_run *run) {
    struct node_list now = {0}, *list = &run->campaign->nodes;
    struct node_listing listing = {.list = &now};
    struct error none;
    const bool listed = list_nodes(run->campaign, &listing, &none);
    for (size_t i = 0; i < now.count && listed; i++) {
        struct listed_node *node = node_list_find(list, now.nodes[i].is.name);
        if (!node || (node->state != NODE_WAITS && node->state != NODE_LAUNCHED))
            continue;
        node->is.busy = now.nodes[i].is.busy;
        if (now.nodes[i].is.unavailable[0]) {
            char words[NODE_WORDS_BYTES];
            snprintf(words, sizeof words, "%s%s%.250s", now.nodes[i].is.unavailable, node->words[0] ? "; before: " : "",
                     node->words);
            node_list_give_up(node, words);
        }
    }
    node_list_free(&now);
}

/* A job that has not started. Each reason is printed once. A job that will never start is given up. */
static void take_pending(void *context, enum launch_stream from, char *line) {
    struct campaign_run *run = context;
    struct engine_pending pending;
    struct listed_node *node;
    (void)from;
    if (!engine_read_pending(line, &pending) || !(node = node_list_find(&run->campaign->nodes, pending.node)) ||
        node->state != NODE_LAUNCHED)
        return;
    for (size_t i = 0; i < run->launch_count; i++)
        if (&run->campaign->nodes.nodes[run->launches[i]->nodes[0]] == node)
            run->launches[i]->pending = true;
    node->queued = true;
    if (pending.never) {
        char words[NODE_WORDS_BYTES];
        snprintf(words, sizeof words, "its job cannot start: %s reports %s", run->campaign->engine->name,
                 pending.reason);
        node_list_give_up(node, words);
    } else if (!strstr(run->told_reasons, pending.reason) &&
               strlen(run->told_reasons) + sizeof pending.reason < sizeof run->told_reasons) {
        status_line_clear();
        notice_print("the job for %s waits in the queue of %s: %s", node->is.name, run->campaign->engine->name,
                     pending.reason);
        strcat(strcat(run->told_reasons, pending.reason), "\n");
    }
}

static void look_at_queue(struct campaign_run *run) {
    struct command_words words = {0};
    struct error none;
    run->campaign->engine->pending(&run->campaign->request, &words);
    for (size_t i = 0; i < run->launch_count; i++)
        run->launches[i]->pending = false;
    launch_run(&words, &(struct launch_reader){take_pending, run}, &none);
    command_words_free(&words);
}

/* Whether a launch is about to end without having begun. */
static bool is_leaving(const struct campaign_run *run, const struct node_launch *launch) {
    return launch->withdrawn || run->campaign->nodes.nodes[launch->nodes[0]].state == NODE_FAILED;
}

/* Ends jobs in the queue for the sake of idle nodes: as many as there are idle nodes beyond the free launches. */
static void measure_nodes_make_room(struct campaign_run *run) {
    const struct node_list *list = &run->campaign->nodes;
    size_t idle = 0, room = run->launch_most - run->launch_count;
    for (size_t i = 0; i < list->count; i++)
        idle += list->nodes[i].state == NODE_WAITS && node_is_idle(&list->nodes[i]);
    for (size_t i = 0; i < run->launch_count; i++)
        room += is_leaving(run, run->launches[i]);
    for (size_t i = 0; i < run->launch_count && room < idle; i++)
        if (run->launches[i]->pending && !is_leaving(run, run->launches[i]))
            run->launches[i]->withdrawn = true, room++;
}

/* Looks for changes of waiting nodes. */
static void measure_nodes_look_again(struct campaign_run *run) {
    const struct node_list *list = &run->campaign->nodes;
    if (!run->campaign->engine->pending || now_s() - run->looked_s < LOOK_AGAIN_S ||
        node_list_count(list, NODE_LAUNCHED) + node_list_count(list, NODE_WAITS) == 0)
        return;
    look_at_nodes(run);
    look_at_queue(run);
    measure_nodes_make_room(run);
    run->looked_s = now_s();
    for (size_t i = 0; i < run->launch_count; i++)
        if (is_leaving(run, run->launches[i]))
            launch_signal(&run->launches[i]->process, run->campaign->engine->stop_signal);
}

static void measure_nodes_show(const struct campaign_run *run) {
    const struct node_list *list = &run->campaign->nodes;
    char left[UNITS_BYTES];
    if (!status_line_is_seen())
        return;
    const double left_s = node_list_left_s(list, run->at_once);
    status_line_show("%zu of %zu nodes measured · %zu running · %zu waiting · %zu failed%s%s",
                     node_list_count(list, NODE_DONE), list->count, node_list_count(list, NODE_RUNS),
                     node_list_count(list, NODE_WAITS) + node_list_count(list, NODE_LAUNCHED),
                     node_list_count(list, NODE_FAILED), left_s > 0 ? " · left: " : "",
                     left_s > 0 ? units_seconds(left, sizeof left, left_s) : "");
}

/* Ends the jobs, and the processes that wait for them. */
static void cancel(struct campaign_run *run) {
    struct command_words words = {0};
    struct error why;
    status_line_clear();
    notice_print("cancelling all jobs of this run");
    if (run->campaign->engine->cancel) {
        run->campaign->engine->cancel(&run->campaign->request, &words);
        if (!launch_run(&words, &(struct launch_reader){skip_line, NULL}, &why))
            notice_print("%s", why.text);
        command_words_free(&words);
    }
    for (size_t i = 0; i < run->launch_count; i++)
        launch_signal(&run->launches[i]->process, run->campaign->engine->stop_signal);
    for (const double until_s = now_s() + END_S; run->launch_count > 0 && now_s() < until_s;)
        read_launches(run);
    while (run->launch_count > 0)
        end_launch(run, run->launch_count - 1);
}

bool measure_nodes(struct node_campaign *campaign, struct error *err) {
    const size_t together = at_once(campaign);
    struct campaign_run run = {.campaign = campaign,
                               .at_once = together,
                               .launch_most = campaign->engine->share == ENGINE_NODE_EACH ? together : 1,
                               .looked_s = now_s()};
    run.launches = need_calloc(run.launch_most + 1, sizeof *run.launches);
    err->text[0] = '\0';
    while (!cli_stop && !run.failure.text[0] && !err->text[0]) {
        while (run.launch_count < run.launch_most && begin_launch(&run, err))
            ;
        if (run.launch_count == 0)
            break;
        measure_nodes_show(&run);
        read_launches(&run);
        measure_nodes_look_again(&run);
    }
    const bool stopped = cli_stop || run.failure.text[0] || err->text[0];
    if (stopped)
        cancel(&run);
    status_line_clear();
    free(run.launches);
    if (run.failure.text[0])
        return error_set(err, "%s", run.failure.text);
    if (cli_stop)
        return error_set(err, "interrupted: %zu of %zu nodes are measured; the same command measures the rest",
                         node_list_count(&campaign->nodes, NODE_DONE), campaign->nodes.count);
    return !err->text[0];
}
