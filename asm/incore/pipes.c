/* SPDX-License-Identifier: BSD-3-Clause */
#include "pipes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/text.h"

enum { KINDS_MOST = 64, NAME_BYTES = 40 };
static const double ALL = 0.9; /* a share from here on is all pipes: the rest is the loop around a measured pair */

/* Uses by form, the longest first. */
struct kinds {
    size_t count;
    struct pipe_use of[KINDS_MOST];
    double share[KINDS_MOST][KINDS_MOST]; /* of pipes; 0: none, or unknown */
};

static int longest_first(const void *a, const void *b) {
    const double x = ((const struct pipe_use *)a)->cycles, y = ((const struct pipe_use *)b)->cycles;
    return (x < y) - (x > y);
}

static void find_kinds(const struct core_measured *measured, const struct pipe_use *uses, size_t count,
                       struct kinds *out) {
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < out->count && out->of[at].of != uses[i].of)
            at++;
        if (at == KINDS_MOST)
            continue;
        if (at == out->count)
            out->of[out->count++] = (struct pipe_use){uses[i].of, 0};
        out->of[at].cycles += uses[i].cycles;
    }
    qsort(out->of, out->count, sizeof *out->of, longest_first);
    for (size_t i = 0; i < out->count; i++)
        for (size_t k = 0; k < out->count; k++)
            out->share[i][k] = i == k ? 1 : core_measured_share(measured, out->of[i].of, out->of[k].of);
}

static void keep_longer(struct busiest_pipes *busiest, const struct busiest_pipes *other) {
    if (other->cycles > busiest->cycles * (1 + 1e-9))
        *busiest = *other;
}

static void add(struct busiest_pipes *to, const struct pipe_use *use) {
    to->of[to->count++] = use->of;
    to->cycles += use->cycles;
}

/* Those that share all pipes with each other, from one on. */
static struct busiest_pipes all_shared(const struct kinds *kinds, size_t first) {
    struct busiest_pipes pipes = {.part = 1};
    size_t of[PIPES_FORMS_MOST] = {first};
    add(&pipes, &kinds->of[first]);
    for (size_t i = first + 1; i < kinds->count && pipes.count < PIPES_FORMS_MOST; i++) {
        bool shares = true;
        for (unsigned k = 0; k < pipes.count; k++)
            shares &= kinds->share[i][of[k]] >= ALL;
        of[pipes.count] = i;
        if (shares)
            add(&pipes, &kinds->of[i]);
    }
    return pipes;
}

/* Both as long as the longer one, L, take (1 + share) L. Leaving out L - S of the shorter one saves at most the time of
 * that alone, so at least S + share L remain. */
static struct busiest_pipes partly_shared(const struct kinds *kinds, size_t longer, size_t shorter) {
    struct busiest_pipes pipes = {0};
    add(&pipes, &kinds->of[longer]);
    add(&pipes, &kinds->of[shorter]);
    const double cycles = kinds->of[shorter].cycles + kinds->share[longer][shorter] * kinds->of[longer].cycles;
    pipes.part = cycles / pipes.cycles;
    pipes.cycles = cycles;
    return pipes;
}

struct busiest_pipes pipes_busiest(const struct core_measured *measured, const struct pipe_use *uses, size_t count) {
    struct busiest_pipes busiest = {0};
    struct kinds kinds;
    find_kinds(measured, uses, count, &kinds);
    for (size_t i = 0; i < kinds.count; i++) {
        const struct busiest_pipes alike = all_shared(&kinds, i);
        keep_longer(&busiest, &alike);
        for (size_t k = i + 1; k < kinds.count; k++) {
            const struct busiest_pipes pair = partly_shared(&kinds, i, k);
            keep_longer(&busiest, &pair);
        }
    }
    return busiest;
}

double pipes_part(const struct busiest_pipes *pipes, const struct pipe_use *use) {
    for (unsigned i = 0; i < pipes->count; i++)
        if (pipes->of[i] == use->of)
            return pipes->part * use->cycles;
    return 0;
}

/* By the letters of demand.h. */
static void name_of(const char *form, char out[NAME_BYTES]) {
    const char *letters = form + strcspn(form, " ");
    if (strchr(letters, 'm'))
        snprintf(out, NAME_BYTES, "%s", letters[1] == 'm' ? "stores" : "loads");
    else
        snprintf(out, NAME_BYTES, "%.*s", (int)(letters - form), form);
}

/* Whether it is one of a list's names, not a part of one. */
static bool is_named(const char *list, const char *name) {
    for (const char *at = list; (at = strstr(at, name)); at++) {
        const char next = at[strlen(name)];
        if (at > list && at[-1] == ' ' && (next == ',' || next == '\0'))
            return true;
    }
    return false;
}

char *pipes_text(const struct busiest_pipes *pipes, char *out, size_t size) {
    char name[NAME_BYTES];
    *out = '\0';
    for (unsigned i = 0; i < pipes->count; i++) {
        name_of(pipes->of[i]->form, name);
        if (strlen(out) + strlen(name) + sizeof "of " < size && !is_named(out, name))
            text_append(out, size, "%s%s", *out ? ", " : "of ", name);
    }
    return out;
}
