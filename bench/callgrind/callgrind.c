/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program under callgrind (see callgrind.h). */
#include "callgrind.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "asm/instruction.h"
#include "probe/marks/collector.h"
#include "probe/need.h"
#include "callgrind_marks.h"
#include "bench/program/child.h"
#include "bench/program/program.h"

/* What each run has: no settings from elsewhere, files in a form that is easily read, every process and thread apart.
 */
static const char *const COMMON[] = {
    "--command-line-only=yes",
    "--tool=callgrind",
    "-q",
    "--sigill-diagnostics=yes",
    "--vgdb=no",
    "--trace-children=yes",
    "--fair-sched=try",
    "--dump-line=no",
    "--combine-dumps=yes",
    "--separate-threads=yes",
    "--compress-strings=no",
    "--compress-pos=no",
};

static size_t count_of(const char *const *texts) {
    size_t count = 0;
    while (texts[count])
        count++;
    return count;
}

/* Why valgrind gave a process up. */
struct complaint {
    bool instruction; /* it met one that it does not know */
    bool died;        /* and the process died of it */
    bool avx512;
    char mnemonic[32];
    bool debug_information; /* it can't read that of `file` */
    char file[512];
};

/* "0x62 0xF1 0xFD …" */
static void decode_refused(const char *bytes, struct complaint *out) {
    enum { LONGEST_BYTES = 15 };
    uint8_t code[LONGEST_BYTES] = {0};
    size_t count = 0;
    for (char *end; count < sizeof code; bytes = end) {
        unsigned long byte = strtoul(bytes, &end, 16);
        if (end == bytes)
            break;
        code[count++] = (uint8_t)byte;
    }
    struct decoded_instruction instruction;
    bool known = instruction_decode(code, sizeof code, &instruction);
    *out = (struct complaint){.instruction = true};
    out->avx512 = known && strncmp(instruction.extension, "AVX512", strlen("AVX512")) == 0;
    snprintf(out->mnemonic, sizeof out->mnemonic, "%s", known ? instruction.mnemonic : "not decoded");
}

static void read_log(const char *path, struct complaint *out) {
    static const char UNKNOWN[] = "unhandled instruction bytes:";
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    *out = (struct complaint){0};
    while (file && need_line(&line, &size, file)) {
        const char *bytes = strstr(line, UNKNOWN);
        if (bytes)
            decode_refused(bytes + strlen(UNKNOWN), out);
        out->died |= out->instruction && strstr(line, "default action of signal 4");
        sscanf(line, "==%*d== Valgrind: \"%511[^\"]", out->file); /* before it says what is wrong with it */
        out->debug_information |= strstr(line, "corrupted debuginfo") != NULL;
    }
    free(line);
    if (file)
        fclose(file);
}

bool callgrind_check_logs(const char *folder, struct error *err) {
    DIR *open = opendir(folder);
    struct complaint complaint = {0};
    const struct dirent *entry;
    while (open && !complaint.died && !complaint.debug_information && (entry = readdir(open))) {
        char path[4096];
        if (strncmp(entry->d_name, MARK_LOG_FILE, strlen(MARK_LOG_FILE)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        read_log(path, &complaint);
    }
    if (open)
        closedir(open);
    if (complaint.debug_information)
        return error_set(err,
                         "valgrind cannot read the debug information of %s: compile it with -gdwarf-4, or take it away "
                         "(strip -g)",
                         complaint.file);
    if (!complaint.died)
        return true;
    if (!complaint.avx512)
        return error_set(err, "valgrind cannot run an instruction of the program (%s)", complaint.mnemonic);
    return error_set(err,
                     "valgrind cannot run AVX-512 code, and the program executes it whatever the CPU says (%s): "
                     "compile it without (-mno-avx512f), or use --counters count",
                     complaint.mnemonic);
}

/* The variables of the run, and the folder; to be freed. */
static struct child_variable *variables_of(const struct traffic_run *run) {
    struct child_variable *variables = need_calloc(1 + run->variable_count, sizeof *variables);
    variables[0] = (struct child_variable){COLLECTOR_FOLDER, run->folder};
    for (size_t i = 0; i < run->variable_count; i++)
        variables[1 + i] = run->variables[i];
    return variables;
}

bool callgrind_run(const struct traffic_run *run, const char *const *options, int *status, struct error *err) {
    enum { COMMON_COUNT = sizeof COMMON / sizeof COMMON[0], OTHERS = 4 };
    struct program valgrind;
    struct error search;
    if (!program_find("valgrind", &valgrind, &search))
        return error_set(err, "valgrind is not installed (%s)", search.text);

    char counts[4096], log[4096];
    snprintf(counts, sizeof counts, "--callgrind-out-file=%s/" MARK_COUNTS_FILE "%%p", run->folder);
    snprintf(log, sizeof log, "--log-file=%s/" MARK_LOG_FILE "%%p", run->folder);
    size_t option_count = count_of(options), word_count = count_of((const char *const *)run->argv), at = 0;
    const char **argv = need_calloc(COMMON_COUNT + OTHERS + option_count + word_count + 1, sizeof *argv);
    argv[at++] = "valgrind";
    for (size_t i = 0; i < COMMON_COUNT; i++)
        argv[at++] = COMMON[i];
    for (size_t i = 0; i < option_count; i++)
        argv[at++] = options[i];
    argv[at++] = counts;
    argv[at++] = log;
    argv[at++] = "--";
    for (size_t i = 0; i < word_count; i++)
        argv[at++] = run->argv[i];

    struct child_variable *variables = variables_of(run);
    const struct child child = {.path = valgrind.path,
                                .argv = (char *const *)argv,
                                .preload = run->collector,
                                .variables = variables,
                                .variable_count = 1 + run->variable_count,
                                .in = run->in,
                                .out = run->out,
                                .err = run->err};
    struct child_end end;
    bool done = child_run(&child, &end, err);
    free(argv);
    free(variables);
    if (!done)
        return false;
    *status = end.status;
    char text[96];
    if (!callgrind_check_logs(run->folder, err))
        return false;
    if (WIFSIGNALED(end.status))
        return error_set(err, "under valgrind the program was %s", child_status_text(end.status, text, sizeof text));
    return true;
}
