/* SPDX-License-Identifier: BSD-3-Clause
 * Caches that the user asks for, as text. */
#include "levels_geometry.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(const char *text, struct error *err) {
    return error_set(err, "'%s' is no cache: give its level, size and perhaps ways, such as L2=1M:16 or L3=30M", text);
}

/* "1.25Mi": bytes, at least 1 and below 1 TiB. */
static bool size_read(const char **at, uint64_t *out) {
    static const char UNITS[] = "KMG";
    char *end;
    const double number = strtod(*at, &end);
    double unit = 1;
    const char *found = *end ? strchr(UNITS, *end & ~0x20) : NULL;
    if (end == *at || end != *at + strspn(*at, "0123456789."))
        return false;
    if (found) {
        for (const char *each = UNITS; each <= found; each++)
            unit *= 1024;
        end += end[1] == 'i' ? 2 : 1;
    }
    end += *end == 'B';
    *at = end;
    *out = number >= 0 && number * unit < 1e12 ? (uint64_t)(number * unit + 0.5) : 0;
    return *out > 0;
}

static bool wish_read(const char *text, struct cache_wish *out, struct error *err) {
    const char *at = text + 3;
    *out = (struct cache_wish){0};
    if ((text[0] != 'L' && text[0] != 'l') || text[1] < '1' || text[1] > '0' + HIERARCHY_LEVELS_MAX || text[2] != '=')
        return refuse(text, err);
    out->level = (unsigned)(text[1] - '0');
    if (!size_read(&at, &out->size_bytes))
        return refuse(text, err);
    if (*at == ':') {
        char *end;
        const unsigned long ways = at[1] >= '0' && at[1] <= '9' ? strtoul(at + 1, &end, 10) : 0;
        if (ways < 1)
            return refuse(text, err);
        if (ways > LRU_WAYS_MAX)
            return error_set(err, "'%s': a simulated cache has %d ways at most", text, LRU_WAYS_MAX);
        out->ways = (unsigned)ways;
        at = end;
    }
    return *at == '\0' || refuse(text, err);
}

bool cache_wishes_parse(const char *text, struct cache_wish out[HIERARCHY_LEVELS_MAX], unsigned *count,
                        struct error *err) {
    *count = 0;
    for (const char *at = text;; at++) {
        char one[64];
        const size_t length = strcspn(at, ",");
        if (length < 4 || length >= sizeof one)
            return refuse(text, err);
        memcpy(one, at, length);
        one[length] = '\0';
        struct cache_wish wish;
        if (!wish_read(one, &wish, err))
            return false;
        for (unsigned i = 0; i < *count; i++)
            if (out[i].level == wish.level)
                return error_set(err, "'%s' gives L%u twice", text, wish.level);
        out[(*count)++] = wish;
        at += length;
        if (*at == '\0')
            return true;
    }
}
