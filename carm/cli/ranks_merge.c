/* SPDX-License-Identifier: BSD-3-Clause
 * Carmine as a rank: stores the points of each rank and merges them. */
#include "ranks_merge.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/programs/app_points.h"
#include "bench/programs/child.h"
#include "carm/chart/chart.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/report_app.h"
#include "carm/session/measure.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/csv.h"
#include "carm/store/result_fields.h"
#include "carm/store/results.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/marks/ranks.h"
#include "probe/need.h"

static bool rank_results_read(struct rank_results *out, char **paths, size_t count, struct error *err) {
    *out = (struct rank_results){.paths = paths, .results = need_calloc(count + 1, sizeof *out->results)};
    for (; out->count < count; out->count++)
        if (!results_read(paths[out->count], &out->results[out->count], err))
            return false;
    return true;
}

static void rank_results_free(struct rank_results *results) {
    for (size_t i = 0; i < results->count; i++)
        results_free(&results->results[i]);
    free(results->results);
    *results = (struct rank_results){0};
}

static void ranks_merge_print_json(const struct app_points *points, const struct next_program *next, bool mix) {
    json_t *answer = report_app_json(&(struct report_app){
        .model = next->model, .points = points, .runs = points->program.seconds.n, .notes = json_array(), .mix = mix});
    fields_print(next_add(answer, next_of_program(next)));
}

static void ranks_merge_tell(const struct app_points *points, const struct model *model,
                             const struct arguments *arguments) {
    const bool parts = points->points[0].part != APP_PROGRAM, mix = cli_given(arguments, "instructions");
    const size_t count = points->count + parts;
    struct app_point *all = need_calloc(count, sizeof *all);
    const struct plot_terminal terminal = terminal_find();
    all[0] = points->program;
    for (size_t i = 0; i < points->count; i++)
        all[i + parts] = points->points[i];
    if (cli_given(arguments, "json")) {
        ranks_merge_print_json(
            points, &(struct next_program){model, all, count, cli_value(arguments, "output"), all[0].command, 0}, mix);
    } else if (cli_given(arguments, "csv")) {
        csv_print_rows(report_points_json(model, all, count), stdout);
    } else if (cli_given(arguments, "all")) {
        report_points_print(model, all, count, stdout);
    } else {
        app_answer_print(model, all, count, &(struct screen){&terminal, stdout});
    }
    if (mix && !view_options_data(arguments))
        report_mix_print(all, count, stdout);
    fflush(stdout);
    free(all);
}

/* Names the launch that would complete the points. */
static void tell_lacking(const struct app_point *program) {
    if (program->seconds.n == 0)
        notice_print("counted, not timed: a launch with --run time and the same -o FILE adds the time");
    if (!program->has_count)
        notice_print("timed, not counted: a launch with --run count and the same -o FILE adds flop and bytes");
}

bool ranks_merge(const struct rank_results *results, struct app_target *target, const struct arguments *arguments,
                 struct error *err) {
    struct merge_source *sources = need_calloc(results->count + 1, sizeof *sources);
    struct app_points points;
    size_t replaced = 0;
    for (size_t i = 0; i < results->count; i++)
        sources[i] = (struct merge_source){results->paths[i], results->results[i].machine.cpu.brand,
                                           results->results[i].points, results->results[i].point_count};
    bool done = app_merge(sources, results->count, &points, err);
    free(sources);
    if (!done)
        return false;
    done = app_target_add(target, points.points, points.count, "app", NULL, &replaced, err);
    struct model model = model_build(target->result);
    ranks_merge_tell(&points, &model, arguments);
    const char *plot = cli_value(arguments, "plot");
    done = done && (!plot || chart_roofline(&model, &(struct chart_options){0}, plot, err));
    if (done) {
        app_target_tell(target, points.count, replaced);
        tell_lacking(&points.program);
    }
    model_free(&model);
    app_points_free(&points);
    return done;
}

bool ranks_merge_files(const struct arguments *arguments, struct error *err) {
    struct session session = {0};
    struct app_target target = {0};
    struct rank_results results = {0};
    const char *output = cli_value(arguments, "output");
    bool done = output != NULL || error_set(err, "--merge needs -o FILE for the points");
    done = done && view_options_output(arguments, err) && view_options_plot(arguments, err) &&
           rank_results_read(&results, (char **)arguments->operands, arguments->operand_count, err) &&
           session_open(&session, NULL, arguments->line, err) &&
           app_target_find(&target, output, &session.result, err) && ranks_merge(&results, &target, arguments, err);
    rank_results_free(&results);
    app_target_free(&target);
    session_close(&session);
    return done;
}

/* Files of ranks. Each rank of a launch writes its points into a result of its own. The last rank to end finds all of
 * them; `carmine app --merge` merges those of several nodes. */

struct rank_files {
    char folder[4096];
    char launch[64]; /* one name per launch on this node */
    struct rank rank;
    bool kept; /* in the user's folder */
};

enum { PATH_BYTES = sizeof((struct rank_files *)0)->folder + 128 };

/* Whether the environment of the process says that it is a rank. Also false if that cannot be read. */
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

/* The process's parent and its start time, in ticks since the system's start. */
static bool ranks_merge_look(pid_t pid, pid_t *parent, unsigned long long *started) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *end = strrchr(text, ')'); /* the end of its name */
    return end && sscanf(end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                         parent, started) == 2;
}

static void name_host(char out[25]) {
    gethostname(out, 24);
    out[24] = '\0';
    for (char *c = out; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
}

/* A name from the host and the process that started this node's ranks: the nearest ancestor that is no rank. */
static void name_launch(struct rank rank, char out[64]) {
    char host[25];
    pid_t pid = getppid(), parent = 0;
    unsigned long long started = 0;
    name_host(host);
    while (ranks_merge_look(pid, &parent, &started) && is_rank(pid, rank) && parent > 1)
        pid = parent;
    snprintf(out, 64, "%s-%d-%llu", host, (int)pid, started);
}

static void remove_folder(const char *path) {
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char file[PATH_BYTES + 256];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file); /* unlink() fails for "." and ".." */
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

static bool ranks_merge_is_own_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* Removes temporary folders of launches that ended without all of their ranks: their starter has ended. */
static void ranks_merge_sweep(const char *place) {
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
            (ranks_merge_look((pid_t)pid, &parent, &now) && now == started))
            continue;
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        if (ranks_merge_is_own_folder(path))
            remove_folder(path);
    }
    if (folder)
        closedir(folder);
}

/* Opens "my.json.ranks" beside the -o file; without -o (NULL) a temporary folder of the launch. Error: it cannot be
 * made, or belongs to another user. */
static bool rank_files_open(struct rank_files *out, const char *output, struct rank rank, struct error *err) {
    const char *place = getenv("TMPDIR");
    place = place && *place ? place : "/tmp";
    *out = (struct rank_files){.rank = rank, .kept = output != NULL};
    name_launch(rank, out->launch);
    if (!output)
        ranks_merge_sweep(place);
    if (output)
        snprintf(out->folder, sizeof out->folder, "%.4080s.ranks", output);
    else
        snprintf(out->folder, sizeof out->folder, "%.3900s/carmine-ranks-%u-%s", place, (unsigned)geteuid(),
                 out->launch);
    if (mkdir(out->folder, output ? 0777 : 0700) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", out->folder, strerror(errno));
    return output ? file_is_folder(out->folder) ||
                        error_set(err, "%s is not a folder; the ranks' files need one", out->folder)
                  : ranks_merge_is_own_folder(out->folder) ||
                        error_set(err, "%s belongs to another user; set TMPDIR", out->folder);
}

static void ranks_merge_path_of(const struct rank_files *files, const char *launch, unsigned rank,
                                char out[PATH_BYTES]) {
    snprintf(out, PATH_BYTES, "%s/%.64s.rank%u.json", files->folder, launch, rank);
}

static bool launch_complete(const struct rank_files *files, const char *launch) {
    char path[PATH_BYTES];
    for (unsigned rank = 0; rank < files->rank.count; rank++) {
        ranks_merge_path_of(files, launch, rank, path);
        if (access(path, R_OK) != 0)
            return false;
    }
    return true;
}

/* Stores this rank's points. `*last`: the launch is complete now; only one rank gets this. */
static bool rank_files_put(const struct rank_files *files, const struct result *result, bool *last, struct error *err) {
    char path[PATH_BYTES], lock_path[PATH_BYTES];
    int lock = -1;
    ranks_merge_path_of(files, files->launch, files->rank.number, path);
    snprintf(lock_path, sizeof lock_path, "%s/lock", files->folder);
    if (!file_lock(lock_path, &lock, err))
        return false;
    const bool done = results_write(result, path, false, err);
    *last = done && launch_complete(files, files->launch);
    file_unlock(lock_path, lock);
    return done;
}

/* Cuts the name down to its launch. False: not the file of a launch's first rank. */
static bool is_launch(char *name) {
    static const char END[] = ".rank0.json";
    const size_t length = strlen(name), end = sizeof END - 1;
    if (length <= end || strcmp(name + length - end, END) != 0)
        return false;
    name[length - end] = '\0';
    return true;
}

/* The files of all complete launches. Each path and the list must be freed. */
static bool rank_files_list(const struct rank_files *files, char ***paths, size_t *count, struct error *err) {
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
            ranks_merge_path_of(files, entry->d_name, rank, path);
        }
    }
    closedir(folder);
    return true;
}

/* Removes a temporary folder. */
static void rank_files_close(const struct rank_files *files) {
    if (!files->kept)
        remove_folder(files->folder);
}

/* Names of programs that start ranks themselves: `srun -n 1 carmine app -- mpirun -n 4 ./a`. */
static const char *const LAUNCHERS[] = {"mpirun", "mpiexec", "orterun", "prterun", "prun", "srun", NULL};

struct rank rank_launch_find(const char *program) {
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (size_t i = 0; LAUNCHERS[i]; i++) {
        const size_t length = strlen(LAUNCHERS[i]);
        if (strncmp(name, LAUNCHERS[i], length) == 0 && (name[length] == '\0' || name[length] == '.'))
            return (struct rank){.count = 0};
    }
    return rank_find(environ);
}

static bool allows(const struct arguments *arguments, const struct app_request *request, struct error *err) {
    static const char *const SEVERAL[] = {"repeat", "flop", "bytes", "levels", "events", NULL};
    const char *refused = NULL;
    for (size_t i = 0; SEVERAL[i]; i++)
        if (cli_given(arguments, SEVERAL[i]))
            refused = SEVERAL[i];
    if (request->counters == APP_PAPI)
        refused = "counters";
    if (app_by_counts(request->by))
        refused = "by";
    if (refused)
        return error_set(err,
                         "--%s does not fit carmine in each rank, where the program runs once; `carmine app … -- "
                         "mpirun …` can run it several times",
                         refused);
    return cli_given(arguments, "output") || !rank_elsewhere(request->rank, environ) ||
           error_set(err, "there are ranks on other nodes: -o FILE stores each rank in FILE.ranks/, and `carmine app "
                          "--merge FILE.ranks/*.json -o FILE` makes one point of them");
}

/* Selects the files of the same program build, arguments and number of ranks. Frees the other paths. */
static size_t keep_alike(char **paths, size_t count, const struct app_point *own, const char *program) {
    struct stat built, left;
    size_t kept = 0;
    const bool known = stat(program, &built) == 0;
    for (size_t i = 0; i < count; i++) {
        struct result result;
        struct error ignored;
        bool alike = !known || (stat(paths[i], &left) == 0 && left.st_mtime >= built.st_mtime);
        alike = alike && results_read(paths[i], &result, &ignored);
        if (alike) {
            const struct app_point *there = result.points;
            alike = result.point_count > 0 && there->ranks == own->ranks && strcmp(there->program, own->program) == 0 &&
                    strcmp(there->command, own->command) == 0;
            results_free(&result);
        }
        if (alike)
            paths[kept++] = paths[i];
        else
            free(paths[i]);
    }
    return kept;
}

static bool ranks_merge_merge(const struct rank_files *files, const struct app_point *own, const char *program,
                              struct app_target *target, const struct arguments *arguments, struct error *err) {
    struct rank_results results = {.count = 0};
    char **paths = NULL;
    size_t count = 0;
    bool done = rank_files_list(files, &paths, &count, err);
    count = done ? keep_alike(paths, count, own, program) : 0;
    done = done && rank_results_read(&results, paths, count, err) && ranks_merge(&results, target, arguments, err);
    rank_results_free(&results);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    return done;
}

static bool ranks_merge_keep(const struct app_request *request, const struct app_runs *runs, struct app_target *target,
                             const struct arguments *arguments, struct error *err) {
    struct app_points points;
    struct rank_files files;
    struct result own = *target->here; /* this machine, and only these points */
    bool last = false;
    app_points_make(request, runs, &points);
    for (size_t i = 0; i < points.count; i++)
        fields_clean(result_point_fields, &points.points[i]);
    own.points = points.points;
    own.point_count = points.count;
    bool done = rank_files_open(&files, target->path, request->rank, err) && rank_files_put(&files, &own, &last, err);
    if (done && last) {
        done = ranks_merge_merge(&files, &points.points[0], runs->program.path, target, arguments, err);
        rank_files_close(&files);
    }
    app_points_free(&points);
    return done;
}

int rank_launch(const struct app_request *request, const struct arguments *arguments, struct app_target *target,
                struct error *err) {
    enum { RUN_COUNT, RUN_TIME }; /* in the order of the set */
    int status = CLI_ERROR;
    if (!allows(arguments, request, err))
        return CLI_ERROR;
    struct app_runs *runs = need_calloc(1, sizeof *runs);
    const bool measured = app_measure_once(request, cli_choice(arguments, "run", RUN_COUNT) == RUN_TIME, runs, err);
    if (child_stopped())
        status = 128 + child_stopped();
    else if (measured && ranks_merge_keep(request, runs, target, arguments, err))
        status = child_exit_status(runs->status);
    else if (!measured && WIFSIGNALED(runs->status))
        status = child_exit_status(runs->status);
    app_runs_free(runs);
    free(runs);
    return status;
}
