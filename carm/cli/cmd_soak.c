/* SPDX-License-Identifier: BSD-3-Clause
 * carmine soak: measures headline roofs again and again for hours, and reports changes. */
#include <string.h>

#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/soak/soak_measure.h"
#include "carm/soak/soak_views.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {"for", 0, "TIME", "duration from the first round on: 30, 30s, 10m, 6h, 2d"},
    {"output", 'o', "FILE|DIR", "the log: a new file, or a folder (default: results/)"},
    {"resume", 0, "FILE", "continue the log FILE for the rest of its time, or for the time in --for"},
    {0},
};

/* The options. */
struct wish {
    double for_s; /* 0: not given */
    const char *resumed, *named;
    char path[4096]; /* of the log */
    struct plot_terminal terminal;
    struct session_options how;
};

static bool read_wish(const struct arguments *arguments, struct wish *out, struct error *err) {
    const char *time = cli_value(arguments, "for");
    *out = (struct wish){.resumed = cli_value(arguments, "resume"),
                         .named = cli_value(arguments, "output"),
                         .terminal = terminal_find(),
                         .how = {.statistic = STATISTIC_UPPER_QUARTILE, .huge_pages = true, .stop = &cli_stop}};
    if (time && !cli_duration(time, "--for", &out->for_s, err))
        return false;
    if (!time && !out->resumed)
        return error_set(err, "a duration is missing: name it with --for, such as --for 6h");
    if (out->resumed && out->named)
        return error_set(err, "--resume adds to its log FILE: leave out -o");
    return view_options_output(arguments, err);
}

/* Measures rounds until the time is over or a signal stops it. */
static bool soak_on(struct soak_bench *bench, struct soak *soak, struct soak_log *log, double until_s,
                    struct error *err) {
    char text[2][32];
    notice_print("%zu roofs, a round every %s, for %s; the log is %s, and Ctrl-C ends it with the answer",
                 soak->result.sample_count, findings_duration(bench->round_s, text[0], sizeof text[0]),
                 findings_duration(until_s - soak_measured_s(soak), text[1], sizeof text[1]), log->path);
    bool done = true;
    double measured_s = soak_measured_s(soak);
    while (done && !cli_stopped() && measured_s < until_s) {
        done = soak_bench_round(bench, soak, err);
        if (!done)
            break;
        measured_s += soak->rounds[soak->count - 1].seconds;
        soak_log_round(log, soak);
    }
    status_line_clear();
    return done || cli_stopped();
}

/* Reports the findings, even if the log lacks some of them. */
static int end(struct soak *soak, struct soak_log *log, bool measured, const struct arguments *arguments,
               const struct wish *wish, struct error *err) {
    struct error unwritten;
    const bool written = soak_log_close(log, &unwritten);
    int status = CLI_ERROR;
    if (soak->count > 0) {
        struct findings findings = findings_make(soak);
        status = soak_tell(&findings, wish->path, arguments, &wish->terminal);
        findings_free(&findings);
        fflush(stdout);
    } else if (measured) {
        error_set(err, "interrupted before the first round was complete");
    }
    if (measured && !written)
        *err = unwritten;
    return measured && written ? status : CLI_ERROR;
}

/* A folder gets a log with a new name. */
static bool choose_path(struct wish *wish, const struct session *session, struct error *err) {
    if (wish->named && !file_is_folder(wish->named)) {
        snprintf(wish->path, sizeof wish->path, "%s", wish->named);
        return true;
    }
    char result[sizeof wish->path - 16];
    if (!session_default_path(session, wish->named ? wish->named : "results", result, sizeof result, err))
        return false;
    snprintf(wish->path, sizeof wish->path, "%.*s-soak.jsonl", (int)(strlen(result) - strlen(".json")), result);
    return true;
}

static int begin(struct wish *wish, const struct arguments *arguments, struct error *err) {
    struct soak_bench bench = {0};
    struct soak soak = {0};
    struct soak_log log = {.file = -1};
    int status = CLI_ERROR;
    cli_catch_signals();
    if (session_open(&bench.session, NULL, arguments->line, err) &&
        measure_options_measurable(&bench.session.result.machine, err) && choose_path(wish, &bench.session, err) &&
        soak_log_create(&log, wish->path, err)) {
        notice_print("finding the roofs first, for some seconds");
        bool measured = soak_bench_choose(&bench, &soak, wish->for_s, &wish->how, err);
        if (measured) {
            soak_log_header(&log, &soak);
            measured = soak_on(&bench, &soak, &log, wish->for_s, err);
        }
        status = end(&soak, &log, measured, arguments, wish, err);
    }
    soak_bench_close(&bench);
    soak_free(&soak);
    return status;
}

static int resume(struct wish *wish, const struct arguments *arguments, struct error *err) {
    struct soak_bench bench = {0};
    struct soak soak;
    struct soak_log log = {.file = -1};
    int status = CLI_ERROR;
    snprintf(wish->path, sizeof wish->path, "%s", wish->resumed);
    if (!soak_read(wish->path, &soak, err))
        return CLI_ERROR;
    const double measured_s = soak_measured_s(&soak), until_s = wish->for_s > 0 ? measured_s + wish->for_s : soak.for_s;
    if (measured_s >= until_s)
        error_set(err, "%s is complete; name more time with --for", wish->path);
    else if (soak_log_resume(&log, wish->path, &soak, err)) {
        soak.cut = false;
        cli_catch_signals();
        const bool measured = soak_bench_resume(&bench, &soak, arguments->line, &wish->how, err) &&
                              soak_on(&bench, &soak, &log, until_s, err);
        status = end(&soak, &log, measured, arguments, wish, err);
    }
    soak_bench_close(&bench);
    soak_free(&soak);
    return status;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct wish wish;
    if (!read_wish(arguments, &wish, err))
        return CLI_ERROR;
    return (wish.resumed ? resume : begin)(&wish, arguments, err);
}

static const struct cli_example EXAMPLES[] = {
    {"carmine soak --for 6h -o night.jsonl", "six hours of load, logged round by round"},
    {"carmine soak --resume night.jsonl", "continue after a stop or a kill"},
    {"carmine soak --resume night.jsonl --for 2h", "continue for two more hours"},
    {0},
};

const struct command command_soak = {
    .name = "soak",
    .operands = "",
    .summary = "headline roofs for hours: steps and drifts",
    .description =
        "Shows whether this machine keeps its speed for hours. Measures the f64 peak, the best bandwidth of each level "
        "with all cores and with one, and the latency of memory, round after round, and logs each round with "
        "temperature, throttling, memory errors, time taken by a host (steal), and the load of other programs. The log "
        "is JSON lines; each line is on disk before the next round begins, so a kill loses only the current round. One "
        "screen shows the changes: steps with their time, drift per hour, and whether clock, temperature or other "
        "programs stepped at the same time (docs/soak.md). Exit status: 0 no change, 1 a change, 2 not measured or not "
        "written; `carmine show` of a log has the same, even during the run. `carmine plot` draws it over time.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "a row per round", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
