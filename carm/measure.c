/* SPDX-License-Identifier: BSD-3-Clause
 * A measuring session (see measure.h). */
#include "measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../bench/doubt.h"
#include "../probe/osfile.h"
#include "cli.h"
#include "choices.h"
#include "model.h"

enum { VISITS = 3 };

static double since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* "always [madvise] never" → "madvise". */
static void read_bracketed(const char *path, char *out, size_t size) {
    char line[128];
    osfile_text("", path, line, sizeof line);
    char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;
    snprintf(out, size, "%.*s", to ? (int)(to - from - 1) : 0, to ? from + 1 : "");
}

static void read_environment(struct environment *out, const char *command_line) {
    snprintf(out->version, sizeof out->version, "%s", CARMINE_VERSION);
    snprintf(out->command_line, sizeof out->command_line, "%s", command_line);
    time_t now = time(NULL);
    strftime(out->started_utc, sizeof out->started_utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(out->kernel, sizeof out->kernel, "%.40s %.80s", system.sysname, system.release);
    osfile_text("", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", out->governor, sizeof out->governor);
    read_bracketed("/sys/kernel/mm/transparent_hugepage/enabled", out->huge_pages, sizeof out->huge_pages);
    osfile_line("", "/proc/cpuinfo", "microcode", out->microcode, sizeof out->microcode);
    double load;
    out->load_average = getloadavg(&load, 1) == 1 ? load : 0;
}

bool session_open(struct session *out, const char *topology_path, const char *command_line, struct error *err) {
    *out = (struct session){0};
    struct result *result = &out->result;
    clock_gettime(CLOCK_MONOTONIC, &out->started);
    if (!machine_load(&result->machine, topology_path, err))
        return false;
    read_environment(&result->environment, command_line);
    const struct machine *machine = &result->machine;
    const char *own_memory = machine->node_count ? machine->nodes[machine->cores[0].node].kind : "DRAM";
    result->kind_count = machine->kind_count;
    for (unsigned i = 0; i < machine->kind_count; i++) {
        out->uarch[i] = uarch_find(&machine->cpu, machine->kinds[i].name);
        result->levels[i] = levels_detected(&machine->kinds[i], own_memory);
    }
    if (out->uarch[0].uarch)
        snprintf(result->uarch, sizeof result->uarch, "%s", uarch_name(out->uarch[0].uarch));
    uarch_sources(out->uarch[0].uarch, result->documented_sources, sizeof result->documented_sources);
    snprintf(result->uarch_doubt, sizeof result->uarch_doubt, "%s", out->uarch[0].doubt);
    return true;
}

bool session_start(struct session *session, uint64_t node_bytes, enum sample_statistic statistic, bool huge_pages,
                   struct error *err) {
    struct bench *bench = &session->bench;
    if (!bench_open(bench, &session->result.machine, node_bytes, huge_pages, err))
        return false;
    bench->levels = session->result.levels;
    bench->statistic = statistic;
    bench->stop = &cli_stop;
    struct environment *environment = &session->result.environment;
    environment->tick_hz = bench->clock.tick_hz;
    environment->rest_clock_hz = bench->clock.rest_hz;
    snprintf(environment->clock_doubt, sizeof environment->clock_doubt, "%s", bench->clock.doubt);
    snprintf(environment->statistic, sizeof environment->statistic, "%s", choices_statistic_names[statistic]);
    return true;
}

static void show_progress(const struct session *session, const struct plan *plan, size_t step, const char *round) {
    enum { BAR = 28 };
    if (!isatty(STDERR_FILENO))
        return;
    double done_s = 0, left_s = 0;
    for (size_t i = 0; i < plan->count; i++)
        *(i < step ? &done_s : &left_s) += plan->steps[i].expected_s;
    if (step == plan->count) {
        fprintf(stderr, "\r\033[K");
        return;
    }
    int filled = (int)(BAR * done_s / (done_s + left_s + 1e-9));
    const struct plan_step *next = &plan->steps[step];
    struct sample place = {0};
    plan_describe(next, &session->result.machine, session->result.levels, &place);
    fprintf(stderr, "\r\033[K  %.*s%.*s %3.0f %%  %.0f s  %s%s%s%s, %u thread%s", filled * 3,
            "████████████████████████████", BAR - filled, "                            ",
            100 * done_s / (done_s + left_s + 1e-9), since(&session->started), round, next->kernel,
            place.level[0] ? " in " : "", place.level, next->threads, next->threads > 1 ? "s" : "");
}

/* What is known beforehand of the sample: the documented limit, and whether to believe in the identity it rests on. */
static void judge(const struct session *session, const struct plan_step *step, struct sample *sample) {
    const struct uarch_match *match = &session->uarch[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    const struct kernel *kernel = kernel_find_variant(sample->kernel, sample->variant);
    bool mixed_kinds = step->core_kind == TEAM_ANY_KIND && session->result.machine.kind_count > 1;
    if (!kernel || mixed_kinds)
        return;
    unsigned cache_level = 0;
    if (sample->level[0] == 'L')
        cache_level = (unsigned)atoi(sample->level + 1);
    else if (sample->level[0])
        return; /* memory: a matter of channels, not of the core */
    struct uarch_limit limit = bench_documented(match->uarch, kernel, cache_level);
    sample->documented_per_cycle = limit.per_cycle;
    if (limit.per_cycle > 0 && sample->per_cycle > 1.01 * limit.per_cycle)
        sample->doubts |= DOUBT_ABOVE_DOCUMENTED | (match->doubt[0] ? DOUBT_MASKED_CPU : 0);
}

/* One thread meets a level's whole capacity, so its sweep tells where the level ends. */
static void judge_levels(struct result *result, const struct curve *curve, int core_kind) {
    struct sweep_point *points = calloc(curve->count + 1, sizeof *points);
    for (size_t i = 0; i < curve->count; i++) {
        double value = curve->points[i].value;
        points[i] =
            (struct sweep_point){curve->points[i].working_set_bytes, curve->kind == SAMPLE_LATENCY ? 1 / value : value};
    }
    levels_judge(&result->levels[core_kind == TEAM_ANY_KIND ? 0 : core_kind], points, curve->count);
    free(points);
}

bool session_sweep(struct session *session, const struct plan *plan, struct error *err) {
    struct result *result = &session->result;
    result->curves = realloc(result->curves, (result->curve_count + 1) * sizeof *result->curves);
    struct curve *curve = &result->curves[result->curve_count++];
    *curve = (struct curve){.kind = plan->steps[0].kind,
                            .threads = plan->steps[0].threads,
                            .points = calloc(plan->count, sizeof *curve->points)};
    snprintf(curve->kernel, sizeof curve->kernel, "%s", plan->steps[0].kernel);
    curve->small_pages = plan->steps[0].small_pages;
    if (plan->steps[0].core_kind != TEAM_ANY_KIND)
        snprintf(curve->core_kind, sizeof curve->core_kind, "%s", result->machine.kinds[plan->steps[0].core_kind].name);
    for (size_t i = 0; i < plan->count && !cli_stop; i++) {
        struct sample sample;
        show_progress(session, plan, i, "");
        if (!bench_run(&session->bench, &plan->steps[i], &sample, err))
            return false;
        if (sample.doubts & DOUBT_INTERRUPTED)
            break;
        /* Few repetitions are enough for a point of a curve. */
        curve->points[curve->count++] =
            (struct curve_point){.working_set_bytes = sample.working_set_bytes,
                                 .value = sample.value,
                                 .per_cycle = sample.per_cycle,
                                 .clock_hz = sample.clock_hz,
                                 .doubts = sample.doubts & ~(uint32_t)(DOUBT_UNSTABLE | DOUBT_TOO_SHORT)};
    }
    show_progress(session, plan, plan->count, "");
    /* Address translation and random lines blur the steps. */
    if (curve->threads == 1 && !curve->small_pages && !strstr(curve->kernel, "random") && !cli_stop)
        judge_levels(result, curve, plan->steps[0].core_kind);
    return true;
}

static bool holds(const struct result *result, const struct levels *levels, const struct machine *machine,
                  const struct plan_step *step) {
    struct sample wanted = {0};
    plan_describe(step, machine, levels, &wanted);
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->samples[i];
        if (sample->small_pages == wanted.small_pages && strcmp(sample->kernel, step->kernel) == 0 &&
            strcmp(sample->level, wanted.level) == 0 && model_same_place(sample, &wanted))
            return true;
    }
    return false;
}

/* A step's visits: the best is the number, since what disturbs a roof lowers it, and the second best vouches for it. */
struct visits {
    bool measured;
    struct bench_choice choice;
    struct sample best, second;
    unsigned count;
};

static void add_visit(struct visits *visits, const struct plan_step *step, const struct sample *sample) {
    if (visits->count++ == 0) {
        visits->best = *sample;
        return;
    }
    bool better = bench_better(step, sample, &visits->best);
    struct sample lower = better ? visits->best : *sample;
    if (better)
        visits->best = *sample;
    if (visits->count == 2 || bench_better(step, &lower, &visits->second))
        visits->second = lower;
}

/* One round over the steps; those whose visits agree already are passed over. */
static bool run_round(struct session *session, const struct plan *plan, struct visits *visits, unsigned round,
                      struct error *err) {
    for (size_t i = 0; i < plan->count && !cli_stop; i++) {
        const struct plan_step *step = &plan->steps[i];
        bool vouched = visits[i].count > 1 && bench_agree(step, &visits[i].best, &visits[i].second);
        if (!visits[i].measured || vouched)
            continue;
        struct sample sample;
        static const char *const ROUNDS[VISITS] = {"", "again: ", "once more: "};
        show_progress(session, plan, i, ROUNDS[round]);
        if (!bench_visit(&session->bench, step, &visits[i].choice, &sample, err))
            return false;
        if (sample.doubts & DOUBT_INTERRUPTED)
            break; /* half a sample is none */
        add_visit(&visits[i], step, &sample);
        session->steps_done += round == 0;
    }
    return true;
}

bool session_run(struct session *session, const struct plan *plan, bool quick, struct error *err) {
    struct result *result = &session->result;
    result->samples = realloc(result->samples, (result->sample_count + plan->count + 1) * sizeof *result->samples);
    session->steps_total += plan->count;
    struct visits *visits = calloc(plan->count + 1, sizeof *visits);
    size_t to_measure = 0;
    for (size_t i = 0; i < plan->count; i++) {
        visits[i].measured = !holds(result, &result->levels[0], &result->machine, &plan->steps[i]);
        session->steps_done += !visits[i].measured;
        to_measure += visits[i].measured;
    }
    unsigned planned = (unsigned)(result->sample_count + to_measure);
    if (planned > result->environment.planned_samples)
        result->environment.planned_samples = planned;
    bool done = true;
    for (unsigned round = 0; round < (quick ? 1 : VISITS) && done && !cli_stop; round++)
        done = run_round(session, plan, visits, round, err);
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        if (visits[i].count == 0)
            continue;
        struct sample *sample = &result->samples[result->sample_count++];
        *sample = visits[i].best;
        /* A quick run, or one stopped before the second round, has nobody to vouch for it. */
        if (visits[i].count > 1 && !bench_agree(step, &visits[i].best, &visits[i].second))
            sample->doubts |= DOUBT_UNSTABLE;
        judge(session, step, sample);
    }
    free(visits);
    show_progress(session, plan, plan->count, "");
    return done;
}

bool session_series(struct session *session, const struct plan *plan, struct sample *samples, size_t *taken,
                    struct error *err) {
    bool done = true;
    for (*taken = 0; *taken < plan->count && done && !cli_stop;) {
        struct sample *sample = &samples[*taken];
        show_progress(session, plan, *taken, "");
        done = bench_run(&session->bench, &plan->steps[*taken], sample, err);
        if (!done || sample->doubts & DOUBT_INTERRUPTED)
            break;
        judge(session, &plan->steps[*taken], sample);
        ++*taken;
    }
    show_progress(session, plan, plan->count, "");
    return done;
}

void session_finish(struct session *session) {
    session->result.environment.elapsed_s = since(&session->started);
    struct environment *environment = &session->result.environment;
    /* Resumed with a narrower selection, it still lacks some of what was planned once. */
    environment->interrupted = cli_stop || session->result.sample_count < environment->planned_samples;
}

void session_close(struct session *session) {
    bench_close(&session->bench);
    results_free(&session->result);
}

bool session_default_path(const struct session *session, const char *folder, char *out, size_t size,
                          struct error *err) {
    char stamp[32], host[64];
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    time_t now = time(NULL);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime(&now));
    snprintf(host, sizeof host, "%s", session->result.machine.host);
    for (char *c = host; *c; c++)
        if (*c == '/')
            *c = '_';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s; name a file with -o", folder, strerror(errno));
    snprintf(out, size, "%s%s%s-%s.json", folder, slash, host, stamp);
    for (int suffix = 2; access(out, F_OK) == 0; suffix++)
        snprintf(out, size, "%s%s%s-%s-%d.json", folder, slash, host, stamp, suffix);
    return true;
}
