/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the options of simulated caches. */
#include "measure_options.h"

#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/text.h"

enum { REPEAT_MOST = 1000 };

static bool read_repeat(const char *text, unsigned *out, struct error *err) {
    char *end;
    const unsigned long number = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (number < 1 || number > REPEAT_MOST || *end)
        return error_set(err, "--levels: repeat= takes a number from 1 to %d, not '%s'", REPEAT_MOST, text);
    *out = (unsigned)number;
    return true;
}

bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, unsigned *repeat,
                         struct error *err) {
    static const char REPEAT[] = "repeat=";
    const char *list = cli_value(arguments, "levels");
    char caches[256] = "";
    bool other = false;
    *out = (struct levels_choice){.one_of = list ? LEVELS_SAMPLED_ONE_OF : 0};
    for (char *rest = list && *list ? cli_keep(list) : NULL, *word; (word = strsep(&rest, ","));) {
        if (strcmp(word, "exact") == 0) {
            out->one_of = 1;
        } else if (repeat && strncmp(word, REPEAT, strlen(REPEAT)) == 0) {
            if (!read_repeat(word + strlen(REPEAT), repeat, err))
                return false;
        } else if (!strchr(word, '=')) {
            return error_set(err,
                             "--levels simulates a sample of cache lines, --levels=exact all, --levels=L3=30M "
                             "another cache; not '%s'",
                             word);
        } else {
            text_append(caches, sizeof caches, "%s%s", other ? "," : "", word);
            other = true;
        }
    }
    return !other || cache_wishes_parse(caches, out->wishes, &out->wish_count, err);
}
