/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes and how far they are (see node_list.h). */
#include "node_list.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/safe_text.h"

enum { FIRST_CAPACITY = 64 };

void node_list_add(struct node_list *list, const struct engine_node *node) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->nodes[i].is.name, node->name) == 0)
            return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
        list->nodes = need_realloc(list->nodes, list->capacity * sizeof *list->nodes);
    }
    list->nodes[list->count++] = (struct listed_node){.is = *node};
}

void node_list_free(struct node_list *list) {
    for (size_t i = 0; i < list->count; i++)
        parcel_parts_free(&list->nodes[i].result);
    free(list->nodes);
    *list = (struct node_list){0};
}

static bool same_host(const char *a, const char *b) {
    const size_t length = strcspn(a, ".");
    return length == strcspn(b, ".") && strncmp(a, b, length) == 0;
}

struct listed_node *node_list_find(struct node_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->nodes[i].is.name, name) == 0)
            return &list->nodes[i];
    for (size_t i = 0; i < list->count; i++)
        if (same_host(list->nodes[i].is.name, name))
            return &list->nodes[i];
    return NULL;
}

size_t node_list_count(const struct node_list *list, enum node_state state) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->nodes[i].state == state;
    return count;
}

/* A node listed as idle whose job nevertheless waited does not count as idle. */
bool node_is_idle(const struct listed_node *node) {
    return !node->is.busy && !node->queued;
}

static size_t take(struct node_list *list, bool idle, bool tried, size_t most, size_t *indices) {
    size_t count = 0;
    for (size_t i = 0; i < list->count && count < most; i++) {
        struct listed_node *node = &list->nodes[i];
        if (node->state != NODE_WAITS || node_is_idle(node) != idle || (node->tries > 0) != tried)
            continue;
        node->state = NODE_LAUNCHED;
        indices[count++] = i;
    }
    return count;
}

size_t node_list_next(struct node_list *list, size_t most, size_t *indices) {
    size_t count = 0;
    for (unsigned turn = 0; turn < 4 && count == 0 && most > 0; turn++) {
        const bool idle = turn < 2, tried = turn % 2;
        count = take(list, idle, tried, tried ? 1 : most, indices);
    }
    return count;
}

void node_list_say(struct listed_node *node, const char *words) {
    snprintf(node->words, sizeof node->words, "%.*s", NODE_WORDS_BYTES - 1, words);
    safe_text_clean(node->words);
}

void node_list_give_up(struct listed_node *node, const char *words) {
    node->state = NODE_FAILED;
    node_list_say(node, words);
    parcel_parts_free(&node->result);
}

void node_list_failed_try(struct listed_node *node) {
    node->state = ++node->tries < NODE_TRIES && !node->final ? NODE_WAITS : NODE_FAILED;
    parcel_parts_free(&node->result);
}

double node_list_left_s(const struct node_list *list, size_t at_once) {
    double sum_s = 0;
    size_t done = 0, rest = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct listed_node *node = &list->nodes[i];
        if (node->state == NODE_DONE && !node->was_there)
            sum_s += node->took_s, done++;
        rest += node->state < NODE_DONE;
    }
    const size_t rounds = at_once ? (rest + at_once - 1) / at_once : rest > 0;
    return done ? (double)rounds * sum_s / (double)done : 0;
}
