/* SPDX-License-Identifier: BSD-3-Clause
 * Paths of preloaded libraries, and their variables (see preload.h). */
#include "preload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/marks/collector.h"
#include "probe/text.h"

bool preload_path(const char *collectors, const char *library, const struct scratch *scratch,
                  char out[PRELOAD_PATH_BYTES], struct error *err) {
    static const char SEPARATORS[] = " :\t\n";
    snprintf(out, PRELOAD_PATH_BYTES, "%s/%s", collectors, library);
    if (!strpbrk(out, SEPARATORS))
        return true;
    char link[PRELOAD_PATH_BYTES];
    snprintf(link, sizeof link, "%s/%s", scratch->path, library);
    if ((access(link, F_OK) != 0 && symlink(out, link) != 0) || strpbrk(link, SEPARATORS))
        return error_set(err,
                         "%s: its path contains blanks or colons, and so does that of %s; set TMPDIR to another folder",
                         out, scratch->path);
    strcpy(out, link);
    return true;
}

/* The target of an environment variable. Ours: as carmine's parent had it. */
enum leads { NOWHERE, TO_US, ELSEWHERE };
static enum leads leads(const char *variable) {
    const char *value = variable ? getenv(variable) : NULL, *slash = value ? strrchr(value, '/') : NULL;
    if (!value || !*value)
        return NOWHERE;
    return strcmp(slash ? slash + 1 : value, PRELOAD_TOOLS) == 0 ? TO_US : ELSEWHERE;
}

/* A variable that the user has set is left unchanged. */
static void add_variable(struct preload_marks *marks, const struct mark_system *system) {
    const bool former = leads(system->former) == ELSEWHERE;
    if (former || leads(system->variable) == ELSEWHERE)
        text_append(marks->elsewhere, sizeof marks->elsewhere, "%s%s", *marks->elsewhere ? ", " : "",
                    former ? system->former : system->variable);
    else if (leads(system->former) == NOWHERE)
        marks->variables[marks->variable_count++] = (struct child_variable){system->variable, marks->tools};
}

bool preload_marks_find(const char *list, const char *collectors, const struct scratch *scratch,
                        struct preload_marks *out, struct error *err) {
    *out = (struct preload_marks){.variable_count = 0};
    list = list ? list : mark_systems_all();
    out->variables[out->variable_count++] = (struct child_variable){COLLECTOR_MARKS, list};
    out->any = strcmp(list, COLLECTOR_NO_MARKS) != 0;
    if (!out->any)
        return true;
    if (!preload_path(collectors, PRELOAD_ADAPTERS, scratch, out->adapters, err) ||
        !preload_path(collectors, PRELOAD_TOOLS, scratch, out->tools, err))
        return false;
    for (unsigned i = 0; i < MARKS_SYSTEMS; i++)
        if (mark_systems[i].variable && collector_takes(list, mark_systems[i].name))
            add_variable(out, &mark_systems[i]);
    return true;
}

bool preload_list(const struct preload_marks *marks, const char *collectors, const char *collector,
                  const struct scratch *scratch, char out[PRELOAD_LIST_BYTES], struct error *err) {
    char path[PRELOAD_PATH_BYTES], mpi[PRELOAD_PATH_BYTES];
    if (!preload_path(collectors, collector, scratch, path, err) ||
        !preload_path(collectors, PRELOAD_MPI, scratch, mpi, err))
        return false;
    snprintf(out, PRELOAD_LIST_BYTES, "%s:%s%s%s", path, mpi, marks->any ? ":" : "", marks->adapters);
    return true;
}

size_t preload_mark_variables(const struct preload_marks *marks, struct child_variable out[PRELOAD_MARK_VARIABLES]) {
    for (size_t i = 0; i < marks->variable_count; i++)
        out[i] = marks->variables[i];
    return marks->variable_count;
}
