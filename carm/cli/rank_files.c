/* SPDX-License-Identifier: BSD-3-Clause
 * Files of ranks (see rank_files.h). */
#include "rank_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carm/store/file_io.h"
#include "probe/need.h"

enum { PATH_BYTES = sizeof((struct rank_files *)0)->folder + 128 };

/* Whether the process was started as a rank, as its environment says; also false where that cannot be read. */
static bool is_rank(pid_t pid, struct rank rank) {
    char path[64], entry[4096];
    const size_t length = strlen(rank_launchers[rank.launcher].rank);
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *file = fopen(path, "re");
    for (size_t at = 0; file && !found;) {
        const int c = fgetc(file);
        if (c != EOF && c != '\0') {
            at += at < sizeof entry - 1;
            entry[at - 1] = (char)c;
            continue;
        }
        found = at > length && strncmp(entry, rank_launchers[rank.launcher].rank, length) == 0 && entry[length] == '=';
        at = 0;
        if (c == EOF)
            break;
    }
    if (file)
        fclose(file);
    return found;
}

/* Its parent, and when it was started, in ticks since the system was. */
static bool look(pid_t pid, pid_t *parent, unsigned long long *started) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *end = strrchr(text, ')'); /* of its name */
    return end && sscanf(end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                         parent, started) == 2;
}

static void name_host(char out[25]) {
    gethostname(out, 24);
    out[24] = '\0';
    for (char *c = out; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
}

/* Of the host and the process that has started this node's ranks: the nearest one above that is none itself. */
static void name_launch(struct rank rank, char out[64]) {
    char host[25];
    pid_t pid = getppid(), parent = 0;
    unsigned long long started = 0;
    name_host(host);
    while (look(pid, &parent, &started) && is_rank(pid, rank) && parent > 1)
        pid = parent;
    snprintf(out, 64, "%s-%d-%llu", host, (int)pid, started);
}

static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char file[PATH_BYTES + 256];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file); /* not "." and ".." */
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

static bool is_own_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* Temporary folders of launches that have ended without all of their ranks: who started them is no more. */
static void sweep(const char *place) {
    char host[25], prefix[80], path[PATH_BYTES];
    DIR *folder = opendir(place);
    name_host(host);
    snprintf(prefix, sizeof prefix, "carmine-ranks-%u-%s-", (unsigned)geteuid(), host);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int pid;
        pid_t parent;
        unsigned long long started, now;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            sscanf(entry->d_name + strlen(prefix), "%d-%llu", &pid, &started) != 2 ||
            (look((pid_t)pid, &parent, &now) && now == started))
            continue;
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        if (is_own_folder(path))
            remove_folder(path);
    }
    if (folder)
        closedir(folder);
}

bool rank_files_open(struct rank_files *out, const char *output, struct rank rank, struct error *err) {
    const char *place = getenv("TMPDIR");
    place = place && *place ? place : "/tmp";
    *out = (struct rank_files){.rank = rank, .kept = output != NULL};
    name_launch(rank, out->launch);
    if (!output)
        sweep(place);
    if (output)
        snprintf(out->folder, sizeof out->folder, "%.4080s.ranks", output);
    else
        snprintf(out->folder, sizeof out->folder, "%.3900s/carmine-ranks-%u-%s", place, (unsigned)geteuid(),
                 out->launch);
    if (mkdir(out->folder, output ? 0777 : 0700) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", out->folder, strerror(errno));
    return output ? file_is_folder(out->folder) ||
                        error_set(err, "%s is no folder, and the ranks' files belong there", out->folder)
                  : is_own_folder(out->folder) || error_set(err, "%s is not yours; set TMPDIR", out->folder);
}

static void path_of(const struct rank_files *files, const char *launch, unsigned rank, char out[PATH_BYTES]) {
    snprintf(out, PATH_BYTES, "%s/%.64s.rank%u.json", files->folder, launch, rank);
}

static bool launch_complete(const struct rank_files *files, const char *launch) {
    char path[PATH_BYTES];
    for (unsigned rank = 0; rank < files->rank.count; rank++) {
        path_of(files, launch, rank, path);
        if (access(path, R_OK) != 0)
            return false;
    }
    return true;
}

bool rank_files_put(const struct rank_files *files, const struct result *result, bool *last, struct error *err) {
    char path[PATH_BYTES], lock_path[PATH_BYTES];
    int lock = -1;
    path_of(files, files->launch, files->rank.number, path);
    snprintf(lock_path, sizeof lock_path, "%s/lock", files->folder);
    if (!file_lock(lock_path, &lock, err))
        return false;
    const bool done = results_write(result, path, false, err);
    *last = done && launch_complete(files, files->launch);
    file_unlock(lock_path, lock);
    return done;
}

/* Cuts the name down to its launch. False: it is not the file of a launch's first rank. */
static bool is_launch(char *name) {
    static const char END[] = ".rank0.json";
    const size_t length = strlen(name), end = sizeof END - 1;
    if (length <= end || strcmp(name + length - end, END) != 0)
        return false;
    name[length - end] = '\0';
    return true;
}

bool rank_files_list(const struct rank_files *files, char ***paths, size_t *count, struct error *err) {
    DIR *folder = opendir(files->folder);
    *count = 0;
    *paths = NULL;
    if (!folder)
        return error_set(err, "cannot read the folder %s: %s", files->folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!is_launch(entry->d_name) || !launch_complete(files, entry->d_name))
            continue;
        *paths = need_realloc(*paths, (*count + files->rank.count) * sizeof **paths);
        for (unsigned rank = 0; rank < files->rank.count; rank++) {
            char *path = (*paths)[(*count)++] = need_malloc(PATH_BYTES);
            path_of(files, entry->d_name, rank, path);
        }
    }
    closedir(folder);
    return true;
}

void rank_files_close(const struct rank_files *files) {
    if (!files->kept)
        remove_folder(files->folder);
}
