/* SPDX-License-Identifier: BSD-3-Clause
 * Marks incomplete results. */
#include "partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "carm/text/next_step.h"
#include "probe/text.h"
#include "render/page/safe_text.h"

static bool is_of(const struct environment *environment, const char *command) {
    const size_t length = strlen(command);
    return strncmp(environment->partial, command, length) == 0 && environment->partial[length] == ':';
}

void partial_mark(struct environment *environment, const struct progress *progress) {
    if (environment->partial[0] && !is_of(environment, progress->command))
        return;
    snprintf(environment->partial, sizeof environment->partial, "%s: %zu of %zu %s", progress->command, progress->done,
             progress->planned, progress->what);
}

void partial_clear(struct environment *environment, const char *command) {
    if (is_of(environment, command))
        environment->partial[0] = '\0';
}

void partial_inherit(struct environment *out, const struct environment *resumed) {
    if (!is_of(resumed, "run") && !is_of(resumed, "sweep"))
        memcpy(out->partial, resumed->partial, sizeof out->partial);
}

bool partial_lacks_roofs(const struct result *result) {
    return result->environment.interrupted && result->environment.partial[0];
}

const char *partial_text(const struct result *result, const char *path, char *out, size_t size) {
    const struct environment *environment = &result->environment;
    char had[64] = "", *resume = next_command(NEXT_RESUME, path);
    out[0] = '\0';
    if (environment->planned_samples > result->sample_count)
        snprintf(had, sizeof had, ", with %zu of %u samples", result->sample_count, environment->planned_samples);
    if (is_of(environment, "run"))
        snprintf(out, size, "This is partial (%s): the run is still active, or did not finish. `%s` measures the rest.",
                 environment->partial, resume);
    else if (environment->partial[0])
        snprintf(out, size,
                 "This is partial (%s): the command is still active, or did not finish. The same command again "
                 "measures the rest%s%s%s.",
                 environment->partial, environment->interrupted ? "; `" : "", environment->interrupted ? resume : "",
                 environment->interrupted ? "` measures the roofs" : "");
    else if (environment->interrupted)
        snprintf(out, size, "The run ended early%s%s%s. `%s` measures the rest.", had, *environment->ended ? ": " : "",
                 environment->ended, resume);
    if (environment->unknown_doubts[0])
        text_append(out, size, "%sWarnings unknown to this carmine are left out (%s): a newer one wrote the file.",
                    *out ? " " : "", environment->unknown_doubts);
    free(resume);
    safe_text_clean(out);
    return out;
}

void partial_warn(const struct result *result, const char *path) {
    char text[PARTIAL_TEXT_BYTES];
    if (*partial_text(result, path, text, sizeof text))
        notice_print("%s: %s", path, text);
}
