/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile_cost.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

uint64_t texts_hash(const char *text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
    return hash;
}

/* The slot of the text, or the free one for it. */
static size_t slot_of(const struct texts *texts, const char *text) {
    size_t slot = (size_t)texts_hash(text) & (texts->most - 1);
    while (texts->slots[slot] != NULL && strcmp(texts->slots[slot], text) != 0)
        slot = (slot + 1) & (texts->most - 1);
    return slot;
}

static void grow(struct texts *texts) {
    const struct texts old = *texts;
    texts->most = old.most > 0 ? 2 * old.most : 256;
    texts->slots = need_calloc(texts->most, sizeof *texts->slots);
    for (size_t i = 0; i < old.most; i++)
        if (old.slots[i] != NULL)
            texts->slots[slot_of(texts, old.slots[i])] = old.slots[i];
    free(old.slots);
}

const char *texts_keep(struct texts *texts, const char *text) {
    if (2 * texts->count >= texts->most)
        grow(texts);
    const size_t slot = slot_of(texts, text);
    if (texts->slots[slot] == NULL) {
        texts->slots[slot] = need_strdup(text);
        texts->count++;
    }
    return texts->slots[slot];
}

void texts_free(struct texts *texts) {
    for (size_t i = 0; i < texts->most; i++)
        free(texts->slots[i]);
    free(texts->slots);
    *texts = (struct texts){.count = 0};
}
