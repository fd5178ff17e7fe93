/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the counter simulate caches of any kind, independent of the machine: `levels_request FOLDER ONE_OF
 * L1=32K:8,L2=256K:8,L3=1M:16 free|inclusive|victims [code]`. The word after the caches: content of the last level;
 * code: also report the data touched by code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/levels_geometry.h"
#include "probe/error.h"

int main(int argc, char **argv) {
    static const char *const contents[] = {"free", "inclusive", "victims"};
    struct cache_wish wishes[HIERARCHY_LEVELS_MAX];
    struct hierarchy_geometry caches = {.tlbs = {{16, 4}, {128, 12}}};
    struct error err;
    unsigned content = 0;
    if (argc < 5 || !cache_wishes_parse(argv[3], wishes, &caches.level_count, &err))
        return 2;
    while (content < 2 && strcmp(argv[4], contents[content]) != 0)
        content++;
    for (unsigned i = 0; i < caches.level_count; i++)
        caches.levels[i] = (struct hierarchy_level){.level = i + 1,
                                                    .set_count = wishes[i].size_bytes / 64 / wishes[i].ways,
                                                    .ways = wishes[i].ways,
                                                    .sharing_cores = i + 1 == caches.level_count ? 64 : 1};
    caches.levels[caches.level_count - 1].content = (enum cache_content)content;
    const struct levels_how how = {.one_of = (unsigned)atoi(argv[2]), .seed = 1, .by_code = argc > 5};
    if (levels_request_write(argv[1], &caches, &how, &err))
        return 0;
    fprintf(stderr, "levels_request: %s\n", err.text);
    return 1;
}
