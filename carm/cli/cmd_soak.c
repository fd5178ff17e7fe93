/* SPDX-License-Identifier: BSD-3-Clause
 * carmine soak: headline roofs measured again and again for hours, and what changed. */
#include <string.h>

#include "carm/options/measure_options.h"
#include "carm/options/terminal.h"
#include "carm/options/view_options.h"
#include "carm/soak/soak_measure.h"
#include "carm/soak/soak_views.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "carm/text/status_line.h"
#include "commands.h"

static const struct cli_option OPTIONS[] = {
    {"for", 0, "TIME", "how long: 30s, 10m, 6h, 2d, from the first round on"},
    {"output", 'o', "FILE|DIR", "the log, a new file, or a folder for one with a new name (default: results/)"},
    {"resume", 0, "FILE", "go on with the log FILE for what is left of its time, or for as long as --for says"},
    {"json", 0, NULL, "print what was found as JSON (as `carmine show --json`)"},
    CHOICE_TERMINAL,
    {0},
};

/* What the command line asks for. */
struct wish {
    double for_s; /* 0: not said */
    const char *resumed, *named;
    char path[4096]; /* of the log */
    struct plot_terminal terminal;
    struct session_options how;
};

static bool read_wish(const struct arguments *arguments, struct wish *out, struct error *err) {
    const char *time = cli_value(arguments, "for");
    *out = (struct wish){.resumed = cli_value(arguments, "resume"),
                         .named = cli_value(arguments, "output"),
                         .how = {.statistic = STATISTIC_UPPER_QUARTILE, .huge_pages = true, .stop = &cli_stop}};
    if (time && !cli_duration(time, "--for", &out->for_s, err))
        return false;
    if (!time && !out->resumed)
        return error_set(err, "--for says how long, such as --for 6h");
    if (out->resumed && out->named)
        return error_set(err, "--resume adds to the log that it names: leave out -o");
    return terminal_find(arguments, &out->terminal, err) && view_options_output(arguments, err);
}

/* Rounds until the time is over, or it is stopped. */
static bool soak_on(struct soak_bench *bench, struct soak *soak, struct soak_log *log, double until_s,
                    struct error *err) {
    char text[2][32];
    notice_print("%zu roofs, a round every %s, for %s; the log is %s, and Ctrl-C ends it with the answer",
                 soak->result.sample_count, findings_duration(bench->round_s, text[0], sizeof text[0]),
                 findings_duration(until_s - soak_measured_s(soak), text[1], sizeof text[1]), log->path);
    bool done = true;
    double measured_s = soak_measured_s(soak);
    while (done && !cli_stop && measured_s < until_s) {
        done = soak_bench_round(bench, soak, err);
        if (!done)
            break;
        measured_s += soak->rounds[soak->count - 1].seconds;
        soak_log_round(log, soak);
    }
    status_line_clear();
    return done || cli_stop;
}

/* Says what was found, even where the log lacks some of it. */
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
        error_set(err, "interrupted before the first round was whole");
    }
    if (measured && !written)
        *err = unwritten;
    return measured && written ? status : CLI_ERROR;
}

/* A folder gets a log of a new name. */
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
    if (session_open(&bench.session, NULL, arguments->line, err) &&
        measure_options_measurable(&bench.session.result.machine, err) && choose_path(wish, &bench.session, err) &&
        soak_log_create(&log, wish->path, err)) {
        notice_print("finding the roofs first, which takes some seconds");
        cli_catch_signals();
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
        error_set(err, "%s has all of its time; --for says for how much longer", wish->path);
    else if (soak_log_resume(&log, wish->path, &soak, err)) {
        soak.cut = false; /* it no longer is */
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
    {"carmine soak --resume night.jsonl", "on from where it was stopped or killed"},
    {"carmine soak --resume night.jsonl --for 2h", "and for longer"},
    {0},
};

const struct command command_soak = {
    .name = "soak",
    .operands = "",
    .summary = "headline roofs for hours: what steps or drifts",
    .description =
        "Measures the f64 peak, the best bandwidth of each level, by all cores and by one, and the latency of memory, "
        "round after round, and logs each round with the temperature, throttling and memory errors that the system "
        "reports, the time that a host took away, and what other programs used. The log is JSON lines: each is on the "
        "disk before the next round begins, and a kill loses the round under way. One screen says what changed: steps "
        "with their time, drift per hour, and which of clock, temperature and other programs stepped at the same time "
        "(docs/soak.md). The exit status is 0 if nothing changed, 1 if something did, 2 if it could not be measured or "
        "written; so it is of `carmine show` of such a log, even while it is written; `carmine plot` draws it over "
        "time.",
    .options = OPTIONS,
    .examples = EXAMPLES,
    .run = command,
};
