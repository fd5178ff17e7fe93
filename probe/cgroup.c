/* SPDX-License-Identifier: BSD-3-Clause
 * Control groups. The group's folder is where its file system is mounted (/proc/self/mountinfo) plus the group's path
 * (/proc/self/cgroup) less the mount's own root: in a container the two overlap. A limit may sit on any parent. */
#include "cgroup.h"
#include "need.h"
#include "osfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cgroup {
    bool v2;
    char mount[1024];  /* where the hierarchy is mounted */
    char folder[2048]; /* the process's own group, inside it */
};

/* Is `name` one of the comma-separated words of `list`? */
static bool list_has(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == '\0' || at[n] == ',' || at[n] == '\n'))
            return true;
    return false;
}

/* A line is "hierarchy:controllers:path"; v2's is "0::path". */
static bool group_path(const char *root, const char *controller, char *path, size_t path_bytes) {
    char text[8192];
    if (!osfile_text(root, "/proc/self/cgroup", text, sizeof text))
        return false;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *controllers = strchr(line, ':');
        char *where = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!where)
            continue;
        *where++ = '\0';
        controllers++;
        if (controller ? !list_has(controllers, controller) : *controllers != '\0')
            continue;
        snprintf(path, path_bytes, "%s", where);
        return true;
    }
    return false;
}

/* Finds the mount of the v2 hierarchy (controller NULL) or of a v1 controller, and its root inside the hierarchy. A
 * line is "id parent device root mountpoint options… - type source super_options". */
static bool group_mount(const char *root, const char *controller, char mount[1024], char mount_root[1024]) {
    static const char path[] = "/proc/self/mountinfo";
    char full[4096];
    if (snprintf(full, sizeof full, "%s%s", root, path) >= (int)sizeof full)
        return false;
    FILE *file = fopen(full, "re");
    if (!file)
        return false;
    char *line = NULL;
    size_t line_bytes = 0;
    bool found = false;
    while (!found && need_line(&line, &line_bytes, file)) {
        char type[32], super_options[1024];
        const char *dash = strstr(line, " - ");
        if (!dash || sscanf(dash, " - %31s %*s %1023s", type, super_options) != 2)
            continue;
        if (controller ? strcmp(type, "cgroup") != 0 || !list_has(super_options, controller)
                       : strcmp(type, "cgroup2") != 0)
            continue;
        found = sscanf(line, "%*s %*s %*s %1023s %1023s", mount_root, mount) == 2;
    }
    free(line);
    fclose(file);
    return found;
}

static bool group_find(const char *root, const char *controller, struct cgroup *out) {
    char path[1024], mount_root[1024];
    out->v2 = controller == NULL;
    if (!group_path(root, controller, path, sizeof path) || !group_mount(root, controller, out->mount, mount_root))
        return false;
    const size_t n = strlen(mount_root);
    const char *inside = path;
    if (strcmp(mount_root, "/") != 0)
        inside = strncmp(path, mount_root, n) == 0 ? path + n : "";
    snprintf(out->folder, sizeof out->folder, "%s%s", out->mount, strcmp(inside, "/") == 0 ? "" : inside);
    return true;
}

/* To the parent group; false at the hierarchy's mount point. */
static bool group_up(struct cgroup *group) {
    char *slash = strrchr(group->folder, '/');
    if (strlen(group->folder) <= strlen(group->mount) || !slash)
        return false;
    *slash = '\0';
    return true;
}

static const char *group_file(const struct cgroup *group, const char *name, char path[4096]) {
    snprintf(path, 4096, "%s/%s", group->folder, name);
    return path;
}

/* v1 writes "no limit" as a number just below 2^63; treat anything this large as no limit. */
static const int64_t NO_LIMIT_BYTES = INT64_C(1) << 60;

static void memory_of_group(const char *root, struct cgroup *group, uint64_t *limit_bytes, uint64_t *room_bytes) {
    char path[4096];
    int64_t limit, used = 0, inactive = 0, active = 0;
    if (!osfile_number(root, group_file(group, group->v2 ? "memory.max" : "memory.limit_in_bytes", path), &limit) ||
        limit < 0 || limit >= NO_LIMIT_BYTES)
        return;
    osfile_number(root, group_file(group, group->v2 ? "memory.current" : "memory.usage_in_bytes", path), &used);
    group_file(group, "memory.stat", path);
    osfile_field(root, path, group->v2 ? "inactive_file" : "total_inactive_file", &inactive);
    osfile_field(root, path, group->v2 ? "active_file" : "total_active_file", &active);
    const int64_t held = used - inactive - active;
    const int64_t room = limit - (held > 0 ? held : 0);
    const uint64_t room_positive = room > 0 ? (uint64_t)room : 0;
    if (room_positive < *room_bytes) {
        *limit_bytes = (uint64_t)limit;
        *room_bytes = room_positive;
    }
}

bool cgroup_memory_room(const char *root, uint64_t *limit_bytes, uint64_t *room_bytes) {
    /* Check both: on a hybrid system v2 is mounted but its controllers are v1's. */
    static const char *const hierarchies[] = {NULL, "memory"};
    *limit_bytes = *room_bytes = UINT64_MAX;
    for (size_t i = 0; i < 2; i++) {
        struct cgroup group;
        if (group_find(root, hierarchies[i], &group))
            do
                memory_of_group(root, &group, limit_bytes, room_bytes);
            while (group_up(&group));
    }
    return *room_bytes != UINT64_MAX;
}

static void cpu_of_group(const char *root, struct cgroup *group, double *cpus) {
    char path[4096], text[64];
    long long quota = -1, period = -1;
    if (group->v2) {
        if (!osfile_text(root, group_file(group, "cpu.max", path), text, sizeof text) ||
            sscanf(text, "%lld %lld", &quota, &period) != 2) /* "max 100000": no limit */
            return;
    } else {
        int64_t number;
        if (osfile_number(root, group_file(group, "cpu.cfs_quota_us", path), &number))
            quota = number;
        if (osfile_number(root, group_file(group, "cpu.cfs_period_us", path), &number))
            period = number;
    }
    if (quota > 0 && period > 0 && (double)quota / (double)period < *cpus)
        *cpus = (double)quota / (double)period;
}

bool cgroup_cpu_quota(const char *root, double *cpus) {
    static const char *const hierarchies[] = {NULL, "cpu"};
    static const double NONE = 1e9;
    *cpus = NONE;
    for (size_t i = 0; i < 2; i++) {
        struct cgroup group;
        if (group_find(root, hierarchies[i], &group))
            do
                cpu_of_group(root, &group, cpus);
            while (group_up(&group));
    }
    return *cpus < NONE;
}
