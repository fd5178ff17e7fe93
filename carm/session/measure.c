/* SPDX-License-Identifier: BSD-3-Clause
 * A measuring session, and when it saves. */
#include "measure.h"
#include "session_thresholds.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/kernels/campaign.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/model/describe.h"
#include "carm/text/notice.h"
#include "probe/cgroup.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/osfile.h"
#include "probe/stop.h"

/* Progress of a campaign on one line of a terminal: time, settled steps, the grade so far, and the current step or
 * the reason for waiting. */
struct progress_line {
    double shown_s; /* time of the last output */
    bool graded;    /* the campaign measures the result's samples */
};

static const double EVERY_S = 0.2;

static const char *const DOING[] = {
    [CAMPAIGN_FIRST] = "", [CAMPAIGN_SEARCH] = "searching code: ", [CAMPAIGN_AGAIN] = "again: "};

static void tell_doing(const struct result *result, const struct campaign *campaign, enum campaign_doing doing,
                       size_t step, char *out, size_t size) {
    if (doing == CAMPAIGN_WAIT) {
        struct doubts doubts = NO_DOUBTS;
        for (size_t i = 0; i < result->sample_count; i++)
            doubts_join(&doubts, result->samples[i].doubts);
        snprintf(out, size, "%s: measured again later",
                 doubts_any(doubts_common(doubts, DOUBTS(DOUBT_CORE_SHARED, DOUBT_SIBLING_BUSY, DOUBT_OTHERS_ACTIVE)))
                     ? "others use these cores"
                     : "visits differ");
        return;
    }
    const struct plan_step *next = campaign->steps[step].plan;
    struct sample place = {0};
    plan_describe(next, &result->machine, result->levels, &place);
    snprintf(out, size, "%s%s%s%s, %u thread%s", DOING[doing], next->kernel, place.level[0] ? " in " : "", place.level,
             next->threads, next->threads > 1 ? "s" : "");
}

/* The grade and its reason. Separate, because a narrow terminal shows only the grade. */
struct grade_text {
    char grade[16], reason[64];
};

static struct grade_text tell_grade(const struct result *result) {
    const struct trust trust = trust_grade(result->samples, result->sample_count, true);
    struct grade_text out = {"", ""};
    if (trust.grade) {
        snprintf(out.grade, sizeof out.grade, " · %c so far", trust.grade);
        snprintf(out.reason, sizeof out.reason, " · %u of %u headline roofs beyond 5 %%", trust.beyond_5,
                 trust.headline);
    }
    return out;
}

/* Updates a few times a second. `elapsed_s` is the time of the whole session. */
static void progress_line_show(struct progress_line *line, const struct result *result, const struct campaign *campaign,
                               enum campaign_doing doing, size_t step, double elapsed_s) {
    if (doing == CAMPAIGN_DONE) {
        status_line_clear();
        return;
    }
    if (!status_line_is_seen() || elapsed_s < line->shown_s + EVERY_S)
        return;
    line->shown_s = elapsed_s;
    const struct campaign_state state = campaign_state(campaign);
    char what[160];
    const struct grade_text grade = line->graded ? tell_grade(result) : (struct grade_text){"", ""};
    tell_doing(result, campaign, doing, step, what, sizeof what);
    if (state.visited < state.wanted)
        status_line_show("%.0f s · first pass: %zu of %zu · %s", elapsed_s, state.visited, state.wanted, what);
    else
        status_line_show("%.0f of %.0f s · %zu of %zu converged%s · %s%s", elapsed_s, elapsed_s + state.left_s,
                         state.settled, state.wanted, grade.grade, what, grade.reason);
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

static double read_quota_cpus(const struct machine *machine) {
    double cpus;
    return cgroup_cpu_quota("", &cpus) && cpus < machine->allowed_pu_count ? cpus : 0;
}

bool session_open(struct session *out, const char *topology_path, const char *command_line, struct error *err) {
    *out = (struct session){0};
    struct result *result = &out->result;
    out->began_s = now_s();
    if (!machine_load(&result->machine, topology_path, err))
        return false;
    const struct machine *machine = &result->machine;
    read_environment(&result->environment, command_line);
    result->environment.cpu_quota_cpus = read_quota_cpus(machine);
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
    results_clean(result);
    return true;
}

void session_reserve(struct session *session, const struct plan *plan) {
    const uint64_t node_bytes = plan_node_bytes(plan, &session->result.machine);
    session->node_bytes = node_bytes > session->node_bytes ? node_bytes : session->node_bytes;
}

bool session_start(struct session *session, const struct session_options *options, struct error *err) {
    struct bench *bench = &session->bench;
    others_begin(&session->others, "", &session->result.machine);
    if (!bench_open(bench, &session->result.machine, session->node_bytes, options->huge_pages, err))
        return false;
    bench->levels = session->result.levels;
    bench->uarch = session->uarch;
    bench->statistic = options->statistic;
    bench->stop = options->stop;
    struct environment *environment = &session->result.environment;
    environment->tick_hz = bench->clock.tick_hz;
    environment->rest_clock_hz = bench->clock.rest_hz;
    snprintf(environment->clock_doubt, sizeof environment->clock_doubt, "%s", bench->clock.doubt);
    snprintf(environment->statistic, sizeof environment->statistic, "%s", sample_statistic_names[options->statistic]);
    return true;
}

static const size_t NEW = SIZE_MAX;

/* A running campaign and its output. */
struct session_campaign {
    struct session *session;
    const struct plan *plan;
    void (*keep)(const struct session_campaign *measuring,
                 const struct campaign *campaign); /* copies everything known so far into */
    struct curve *curve;                           /* this, or */
    const size_t *held;                            /* by step, into samples of the result: NEW is appended to */
    const struct sample *before;                   /* the earlier samples */
    size_t had;                                    /* their number */
    struct progress_line line;
};

/* Copies the bench's list of died kernels into the result. */
static void keep_deaths(struct session *session) {
    const struct bench *bench = &session->bench;
    struct result *result = &session->result;
    if (bench->death_count == result->death_count)
        return;
    result->deaths = need_realloc(result->deaths, bench->death_count * sizeof *result->deaths);
    memcpy(result->deaths, bench->deaths, bench->death_count * sizeof *result->deaths);
    result->death_count = bench->death_count;
}

static void measure_progress(void *context, const struct campaign *campaign, enum campaign_doing doing, size_t step) {
    struct session_campaign *measuring = context;
    measuring->keep(measuring, campaign);
    keep_deaths(measuring->session);
    checkpoint_if_due(&measuring->session->checkpoint);
    progress_line_show(&measuring->line, &measuring->session->result, campaign, doing, step,
                       session_elapsed_s(measuring->session));
}

/* Number of new samples that can never be measured. */
static size_t count_impossible(const struct session_campaign *measuring, const struct campaign *campaign) {
    size_t count = 0;
    for (size_t i = 0; i < campaign->count && measuring->held; i++) {
        const struct campaign_step *step = &campaign->steps[i];
        count += measuring->held[i] == NEW && step->visited > 0 && step->visit_count == 0 &&
                 bench_has_died(&measuring->session->bench, step->plan->kernel);
    }
    return count;
}

/* Runs the plan's steps except those in `skip` (NULL: none). Everything known is stored before each visit and at the
 * end, also after an error. */
static bool run_campaign(struct session_campaign *measuring, const struct campaign_options *options, const bool *skip,
                         struct error *err) {
    const struct campaign_bench bench = bench_for_campaign(&measuring->session->bench);
    struct campaign_options told = *options;
    struct campaign campaign;
    told.progress = measure_progress;
    told.progress_context = measuring;
    measuring->line.graded = !measuring->curve;
    campaign_open(&campaign, measuring->plan, &bench, &told);
    for (size_t i = 0; i < measuring->plan->count && skip; i++)
        if (skip[i])
            campaign_skip(&campaign, i);
    const bool done = campaign_run(&campaign, err);
    measuring->keep(measuring, &campaign);
    measuring->session->impossible += count_impossible(measuring, &campaign);
    campaign_close(&campaign);
    return done;
}

/* A few repetitions are enough for a point of a curve. Blank numbers give none. */
static void keep_curve(const struct session_campaign *measuring, const struct campaign *campaign) {
    struct curve *curve = measuring->curve;
    struct sample sample;
    curve->count = 0;
    curve->partial = false;
    for (size_t i = 0; i < measuring->plan->count; i++)
        if (!campaign_number(campaign, i, &sample))
            curve->partial = true;
        else if (!sample_is_blank(&sample))
            curve->points[curve->count++] =
                (struct curve_point){.working_set_bytes = sample.working_set_bytes,
                                     .value = sample.value,
                                     .per_cycle = sample.per_cycle,
                                     .clock_hz = sample.clock_hz,
                                     .doubts = doubts_without(sample.doubts, DOUBTS(DOUBT_UNSTABLE))};
}

bool session_sweep(struct session *session, const struct plan *plan, const struct campaign_options *options,
                   struct error *err) {
    struct result *result = &session->result;
    result->curves = need_realloc(result->curves, (result->curve_count + 1) * sizeof *result->curves);
    struct curve *curve = &result->curves[result->curve_count++];
    *curve = (struct curve){.kind = plan->steps[0].kind,
                            .threads = plan->steps[0].threads,
                            .points = need_calloc(plan->count, sizeof *curve->points)};
    snprintf(curve->kernel, sizeof curve->kernel, "%s", plan->steps[0].kernel);
    curve->small_pages = plan->steps[0].small_pages;
    if (plan->steps[0].core_kind != TEAM_ANY_KIND)
        snprintf(curve->core_kind, sizeof curve->core_kind, "%s", result->machine.kinds[plan->steps[0].core_kind].name);
    struct session_campaign measuring = {.session = session, .plan = plan, .keep = keep_curve, .curve = curve};
    const bool done = run_campaign(&measuring, options, NULL, err);
    if (curve->count == 0) { /* the kernel died, time ran out, or all are blank */
        free(curve->points);
        result->curve_count--;
    }
    if (!done || curve->count == 0)
        return done;
    if (!curve->partial)
        results_judge(&result->levels[plan->steps[0].core_kind == TEAM_ANY_KIND ? 0 : plan->steps[0].core_kind], curve);
    return true;
}

/* The index of the step's sample in the result; NEW: none. */
static size_t find_held(const struct result *result, const struct plan_step *step) {
    struct sample wanted = {0};
    plan_describe(step, &result->machine, &result->levels[0], &wanted);
    for (size_t i = 0; i < result->sample_count; i++) {
        const struct sample *sample = &result->samples[i];
        if (sample->small_pages == wanted.small_pages && strcmp(sample->kernel, step->kernel) == 0 &&
            strcmp(sample->level, wanted.level) == 0 && sample_same_place(sample, &wanted))
            return i;
    }
    return NEW;
}

/* An existing sample takes the new number if that is the better one. */
static void keep_samples(const struct session_campaign *measuring, const struct campaign *campaign) {
    struct result *result = &measuring->session->result;
    result->sample_count = measuring->had;
    if (campaign->handed > 0)
        result->environment.apart_share = (double)campaign->apart / (double)campaign->handed;
    for (size_t i = 0; i < measuring->plan->count; i++) {
        struct sample number;
        if (!campaign_number(campaign, i, &number))
            continue;
        if (measuring->held[i] == NEW) {
            result->samples[result->sample_count++] = number;
            continue;
        }
        const struct sample *before = &measuring->before[measuring->held[i]];
        result->samples[measuring->held[i]] = estimate_replaces(&number, before) ? number : *before;
    }
}

/* Whether `carmine run --resume` measures the sample again: it is blank, or lowers the grade of the result. */
static bool is_wanted_again(const struct sample *sample, bool headline) {
    const bool known = sample->low > 0; /* older files lack it */
    return sample_is_blank(sample) ||
           (known && (doubts_has(sample->doubts, DOUBT_CLOCK_UNCERTAIN) ||
                      (headline && estimate_uncertainty(sample) > number_thresholds.unpaced_bound.value)));
}

bool session_run(struct session *session, const struct plan *plan, const struct campaign_options *options,
                 struct error *err) {
    struct result *result = &session->result;
    const size_t had = result->sample_count;
    bool *skip = need_calloc(plan->count + 1, sizeof *skip), *headline = need_calloc(had + 1, sizeof *headline);
    size_t *held = need_calloc(plan->count + 1, sizeof *held), added = 0;
    trust_headline(result->samples, had, headline);
    for (size_t i = 0; i < plan->count; i++) {
        held[i] = find_held(result, &plan->steps[i]);
        skip[i] = held[i] != NEW && !is_wanted_again(&result->samples[held[i]], headline[held[i]]);
        added += held[i] == NEW;
    }
    result->samples = need_realloc(result->samples, (had + added + 1) * sizeof *result->samples);
    if (had + added > result->environment.planned_samples)
        result->environment.planned_samples = (unsigned)(had + added);
    struct sample *before = need_calloc(had + 1, sizeof *before);
    if (had > 0)
        memcpy(before, result->samples, had * sizeof *before);
    struct session_campaign measuring = {
        .session = session, .plan = plan, .keep = keep_samples, .held = held, .before = before, .had = had};
    const size_t impossible = session->impossible;
    const bool done = run_campaign(&measuring, options, skip, err);
    const size_t died = session->impossible - impossible;
    result->environment.planned_samples -= (unsigned)died; /* these samples are impossible */
    session->lacks |= result->sample_count + died < had + added;
    free(skip);
    free(headline);
    free(held);
    free(before);
    return done;
}

double session_elapsed_s(const struct session *session) {
    return now_s() - session->began_s;
}

bool session_is_here(const struct session *session, const struct result *file, const char *path, const char *remedy,
                     struct error *err) {
    const struct result *here = &session->result;
    if (strcmp(file->machine.cpu.brand, here->machine.cpu.brand) == 0 &&
        file->machine.core_count == here->machine.core_count && file->kind_count == here->kind_count)
        return true;
    return error_set(err, "%s is from another machine (%s, %u cores); %s there, or write a new file with -o", path,
                     file->machine.cpu.brand, file->machine.core_count, remedy);
}

void session_inherit_others(struct session *session, const struct environment *resumed) {
    struct environment *own = &session->result.environment;
    own->others_cpus = resumed->others_cpus;
    own->others_allowed_cpus = resumed->others_allowed_cpus;
    own->busiest_other_cpus = resumed->busiest_other_cpus;
    memcpy(own->busiest_other, resumed->busiest_other, sizeof own->busiest_other);
}

/* A resumed result retains the higher load of other programs. */
static void keep_others(struct session *session) {
    struct environment *environment = &session->result.environment;
    if (!session->others.all.known)
        return;
    const struct others others = others_since(&session->others, "", &session->result.machine);
    if (others.cpus < environment->others_cpus)
        return;
    environment->others_cpus = others.cpus;
    environment->others_allowed_cpus = others.allowed_cpus;
    environment->busiest_other_cpus = others.busiest_cpus;
    snprintf(environment->busiest_other, sizeof environment->busiest_other, "%s", others.busiest);
    results_clean(&session->result);
}

void session_finish(struct session *session) {
    session->result.environment.elapsed_s = session_elapsed_s(session);
    struct environment *environment = &session->result.environment;
    const bool stopped = stop_requested(session->bench.stop);
    /* After resuming with fewer roofs, some planned samples may still be missing. */
    keep_deaths(session);
    keep_others(session);
    char death[DESCRIBE_DEATH_BYTES];
    for (size_t i = 0; i < session->result.death_count; i++)
        fprintf(stderr, "carmine: %s\n", describe_death(&session->result.deaths[i], death, sizeof death));
    environment->interrupted = stopped || session->result.sample_count < environment->planned_samples;
    snprintf(environment->ended, sizeof environment->ended, "%s",
             stopped          ? "it was interrupted"
             : session->lacks ? "its time was up"
                              : "");
}

bool session_all_lived(const struct session *session, struct error *err) {
    const size_t deaths = session->result.death_count;
    return deaths == 0 || error_set(err, "%zu kernel%s died, as shown above; everything else is measured", deaths,
                                    deaths == 1 ? "" : "s");
}

void session_close(struct session *session) {
    bench_close(&session->bench);
    others_free(&session->others);
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

/* Saves partial results from time to time. */

struct checkpoint checkpoint_begin(bool (*save)(void *context, struct error *err), void *context) {
    return (struct checkpoint){.save = save, .context = context, .last_s = now_s()};
}

double checkpoint_wait_s(double cost_s) {
    const double wanted_s = cost_s / session_thresholds.save_share.value;
    return fmin(session_thresholds.save_rarely_s.value, fmax(session_thresholds.save_s.value, wanted_s));
}

void checkpoint_if_due(struct checkpoint *checkpoint) {
    const double began_s = now_s();
    struct error err;
    if (!checkpoint->save || began_s - checkpoint->last_s < checkpoint_wait_s(checkpoint->cost_s))
        return;
    if (!checkpoint->save(checkpoint->context, &err) && !checkpoint->failed) {
        checkpoint->failed = true;
        notice_print("warning: partial results could not be saved: %s", err.text);
    }
    checkpoint->last_s = now_s();
    checkpoint->cost_s = checkpoint->last_s - began_s;
}
