/* SPDX-License-Identifier: BSD-3-Clause
 * The list of a campaign's nodes (see campaign.h). */
#include "campaign.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>

#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

enum { FIRST_CAPACITY = 64, PATH_BYTES = 4300 };

/* The engine's list: nodes, and lines that name no node. */
struct node_listing {
    struct node_campaign *campaign;
    size_t known, refused;
    char first_refused[ENGINE_NODE_BYTES];
};

static struct listed_node *find_node(const struct node_campaign *campaign, const char *name) {
    for (size_t i = 0; i < campaign->count; i++)
        if (strcmp(campaign->nodes[i].is.name, name) == 0)
            return &campaign->nodes[i];
    return NULL;
}

struct listed_node *campaign_node(struct node_campaign *campaign, const char *name) {
    const size_t length = strcspn(name, ".");
    struct listed_node *node = find_node(campaign, name);
    for (size_t i = 0; i < campaign->count && !node; i++) {
        const char *other = campaign->nodes[i].is.name;
        if (length == strcspn(other, ".") && strncmp(name, other, length) == 0)
            node = &campaign->nodes[i];
    }
    return node;
}

void campaign_free(struct node_campaign *campaign) {
    for (size_t i = 0; i < campaign->count; i++)
        parcel_parts_free(&campaign->nodes[i].result);
    free(campaign->nodes);
}

size_t campaign_nodes(const struct node_campaign *campaign, enum node_state state) {
    size_t count = 0;
    for (size_t i = 0; i < campaign->count; i++)
        count += campaign->nodes[i].state == state;
    return count;
}

void campaign_say(struct listed_node *node, const char *words) {
    const bool foreign = strstr(words, "Exec format error") || strstr(words, "cannot execute binary file");
    snprintf(node->words, sizeof node->words, "%.*s%s", foreign ? 180 : NODE_WORDS_BYTES - 1, words,
             foreign ? ": carmine is of another architecture than this node; build a carmine-node for it (make "
                       "CROSS=aarch64-linux-gnu node) and copy it to carmine-node-aarch64 beside carmine"
                     : "");
    safe_text_clean(node->words);
}

void campaign_give_up(struct listed_node *node, const char *words) {
    node->state = NODE_FAILED;
    campaign_say(node, words);
}

bool campaign_interrupted(const struct node_campaign *campaign, struct error *err) {
    return error_set(err, "interrupted: %zu of %zu nodes are measured; the same command measures the rest",
                     campaign_nodes(campaign, NODE_DONE), campaign->count);
}

void campaign_show(const struct node_campaign *campaign) {
    if (status_line_is_seen())
        status_line_show("%zu of %zu nodes measured · %zu running · %zu waiting · %zu failed",
                         campaign_nodes(campaign, NODE_DONE), campaign->count, campaign_nodes(campaign, NODE_RUNS),
                         campaign_nodes(campaign, NODE_WAITS) + campaign_nodes(campaign, NODE_QUEUED),
                         campaign_nodes(campaign, NODE_FAILED));
}

/* A name that the engine lists without its state, although it has states, is only the user's. */
static void add_listed(void *context, char *line) {
    struct node_listing *listing = context;
    struct node_campaign *campaign = listing->campaign;
    const char *partition = campaign->request.partition;
    struct engine_node node;
    if (!engine_read_node(line, &node)) {
        if (line[strspn(line, " \t\r\n")] && listing->refused++ == 0)
            snprintf(listing->first_refused, sizeof listing->first_refused, "%s", line);
        return;
    }
    if (find_node(campaign, node.name))
        return;
    if (campaign->engine->jobs && !node.has_state)
        snprintf(node.unavailable, sizeof node.unavailable, "there is no such node%s%.40s",
                 partition ? " in partition " : "", partition ? partition : "");
    else
        listing->known++;
    if (campaign->count == campaign->capacity) {
        campaign->capacity = 2 * campaign->capacity + FIRST_CAPACITY;
        campaign->nodes = need_realloc(campaign->nodes, campaign->capacity * sizeof *campaign->nodes);
    }
    campaign->nodes[campaign->count++] = (struct listed_node){.is = node};
}

/* A wrong name in the user's list is an error; the engine's own list may have other lines. */
static bool check_refused(const struct node_listing *listing, struct error *err) {
    const struct engine_request *request = &listing->campaign->request;
    if (listing->refused && request->nodes)
        return error_set(err, "'%s' is not a node's name; leave it out of %s", listing->first_refused, request->nodes);
    if (listing->refused)
        notice_print("%zu line%s of the list from %s %s no node's name, such as '%s'", listing->refused,
                     listing->refused == 1 ? "" : "s", listing->campaign->engine->name,
                     listing->refused == 1 ? "is" : "are", listing->first_refused);
    return true;
}

static void path_of(const char *folder, const char *node, char out[PATH_BYTES]) {
    snprintf(out, PATH_BYTES, "%.4096s/%.100s.json", folder, node);
}

enum node_state campaign_file(const char *folder, const char *node) {
    char path[PATH_BYTES];
    struct result result;
    struct error none;
    path_of(folder, node, path);
    if (!results_read(path, &result, &none))
        return NODE_WAITS;
    const bool whole = !result.environment.interrupted;
    results_free(&result);
    return whole ? NODE_DONE : NODE_PARTIAL;
}

bool campaign_file_put(const char *folder, const char *node, struct result *result, struct error *err) {
    char path[PATH_BYTES];
    path_of(folder, node, path);
    snprintf(result->machine.host, sizeof result->machine.host, "%s", node);
    return results_write(result, path, false, err);
}

static void mark_nodes(struct node_campaign *campaign) {
    for (size_t i = 0; i < campaign->count; i++) {
        struct listed_node *node = &campaign->nodes[i];
        if (campaign_file(campaign->folder, node->is.name) == NODE_DONE)
            node->state = NODE_DONE;
        else if (node->is.unavailable[0])
            campaign_give_up(node, node->is.unavailable);
    }
}

bool campaign_find_nodes(struct node_campaign *campaign, struct error *err) {
    const struct engine_request *request = &campaign->request;
    struct node_listing listing = {.campaign = campaign};
    char *text = engine_command(request, campaign->engine->list);
    const bool listed = shell_lines(text, &(struct shell_reader){add_listed, &listing}, err);
    free(text);
    if (!listed || !check_refused(&listing, err))
        return false;
    if (listing.known == 0)
        return error_set(err, "%s lists no nodes%s%s%s%s; look at its list, and choose by -w or -p",
                         campaign->engine->name, request->nodes ? " of " : "", request->nodes ? request->nodes : "",
                         request->partition ? " in partition " : "", request->partition ? request->partition : "");
    mark_nodes(campaign);
    return true;
}

char *campaign_command(const struct node_campaign *campaign, const struct listed_node *one) {
    const size_t begin = one ? (size_t)(one - campaign->nodes) : 0, end = one ? begin + 1 : campaign->count;
    struct engine_request request = campaign->request;
    char *names = NULL;
    size_t bytes = 0;
    FILE *out = need_made(open_memstream(&names, &bytes));
    for (size_t i = begin; i < end; i++)
        if (campaign->nodes[i].state == NODE_WAITS)
            fprintf(out, "%s%s", request.count++ ? "," : "", campaign->nodes[i].is.name);
    fclose(out);
    request.names = need_made(names);
    char *text = engine_command(&request, campaign->engine->launch);
    free(names);
    return text;
}

static void print_command(char *text) {
    puts(text);
    free(text);
}

void campaign_print(const struct node_campaign *campaign) {
    for (size_t i = 0; i < campaign->count; i++)
        if (campaign->nodes[i].state == NODE_FAILED)
            notice_print("%s is left out: %s", campaign->nodes[i].is.name, campaign->nodes[i].words);
    print_command(engine_command(&campaign->request, campaign->engine->list));
    if (!campaign->engine->jobs && campaign_nodes(campaign, NODE_WAITS))
        print_command(campaign_command(campaign, NULL));
    for (size_t i = 0; i < campaign->count && campaign->engine->jobs; i++)
        if (campaign->nodes[i].state == NODE_WAITS)
            print_command(campaign_command(campaign, &campaign->nodes[i]));
}
