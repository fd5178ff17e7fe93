/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the options of simulated caches. */
#include "levels_options.h"

#include <string.h>

#include "probe/error.h"

bool levels_options_read(const struct arguments *arguments, struct levels_choice *out, struct error *err) {
    const char *how = cli_value(arguments, "levels"), *caches = cli_value(arguments, "cache");
    *out = (struct levels_choice){0};
    if (caches && !how)
        return error_set(err, "--cache sets the caches of --levels; give both");
    if (!how)
        return true;
    if (*how && strcmp(how, "exact") != 0)
        return error_set(err, "--levels simulates a sample of cache lines, --levels=exact all; not '%s'", how);
    out->one_of = *how ? 1 : LEVELS_SAMPLED_ONE_OF;
    return !caches || cache_wishes_parse(caches, out->wishes, &out->wish_count, err);
}
