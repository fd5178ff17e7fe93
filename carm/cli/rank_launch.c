/* SPDX-License-Identifier: BSD-3-Clause
 * Carmine in each rank (see rank_launch.h). */
#include "rank_launch.h"
#include "rank_files.h"
#include "ranks_merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/programs/app_points.h"
#include "bench/programs/child.h"
#include "carm/store/result_fields.h"
#include "probe/need.h"

/* What begins so starts ranks itself: `srun -n 1 carmine app -- mpirun -n 4 ./a`. */
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
                         "--%s does not go with carmine in each rank, where the program is run once; `carmine app … -- "
                         "mpirun …` runs it as often as it takes",
                         refused);
    return cli_given(arguments, "output") || !rank_elsewhere(request->rank, environ) ||
           error_set(err, "there are ranks on other nodes: -o FILE keeps what each leaves in FILE.ranks/, and `carmine "
                          "app --merge FILE.ranks/*.json -o FILE` makes one point of it");
}

/* Those that are of this program as it is now, with these arguments and as many ranks; the others are freed. */
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

static bool merge(const struct rank_files *files, const struct app_point *own, const char *program,
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

static bool keep(const struct app_request *request, const struct app_runs *runs, struct app_target *target,
                 const struct arguments *arguments, struct error *err) {
    struct app_points points;
    struct rank_files files;
    struct result own = *target->here; /* of this machine, with nothing but the points */
    bool last = false;
    app_points_make(request, runs, &points);
    for (size_t i = 0; i < points.count; i++)
        fields_clean(result_point_fields, &points.points[i]);
    own.points = points.points;
    own.point_count = points.count;
    bool done = rank_files_open(&files, target->path, request->rank, err) && rank_files_put(&files, &own, &last, err);
    if (done && last) {
        done = merge(&files, &points.points[0], runs->program.path, target, arguments, err);
        rank_files_close(&files);
    }
    app_points_free(&points);
    return done;
}

int rank_launch(const struct app_request *request, const struct arguments *arguments, struct app_target *target,
                struct error *err) {
    enum { RUN_COUNT, RUN_TIME }; /* as the set has them */
    struct app_runs runs = {0};
    int status = CLI_ERROR;
    if (!allows(arguments, request, err))
        return CLI_ERROR;
    const bool measured = app_measure_once(request, cli_choice(arguments, "run", RUN_COUNT) == RUN_TIME, &runs, err);
    if (child_stop)
        status = 128 + child_stop;
    else if (measured && keep(request, &runs, target, arguments, err))
        status = child_exit_status(runs.status);
    else if (!measured && WIFSIGNALED(runs.status))
        status = child_exit_status(runs.status);
    app_runs_free(&runs);
    return status;
}
