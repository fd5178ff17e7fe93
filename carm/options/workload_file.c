/* SPDX-License-Identifier: BSD-3-Clause
 * A workload of the user's own (see workload_file.h). */
#include "workload_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The file's name as regions can have it. */
static void name_after(const char *file, char *out, size_t size) {
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    snprintf(out, size, "%.*s", (int)length, base);
    for (char *c = out; *c; c++)
        *c = isalnum((unsigned char)*c) || strchr("+-._", *c) ? *c : '_';
}

static bool name_points(const struct arguments *arguments, struct workload_file *out, struct error *err) {
    const char *name = cli_value(arguments, "name"), *cc = out->wish.compiler, *flags = out->wish.flags;
    const int length = name ? snprintf(out->label, sizeof out->label, "%s", name)
                            : snprintf(out->label, sizeof out->label, "%s%s%s%s%s", out->name, cc ? " " : "",
                                       cc ? cc : "", flags && *flags ? " " : "", flags ? flags : "");
    if (name && !*name)
        return error_set(err, "--name takes what the points are to be called");
    return (size_t)length < sizeof out->label ||
           error_set(err, "%s is too long for the names of points; --name gives them one of less than %zu characters",
                     name ? "--name" : "--cflags", sizeof out->label);
}

bool workload_file_read(const struct arguments *arguments, struct workload_file *out, bool *given, struct error *err) {
    static const char *const WITH_FILE[] = {"cflags", "cc", "name", "annotate"}, *const BUILT_IN[] = {"isa", "block"};
    const char *file = cli_value(arguments, "file");
    *out = (struct workload_file){
        .wish = {.file = file, .compiler = cli_value(arguments, "cc"), .flags = cli_value(arguments, "cflags")}};
    *given = file;
    for (size_t i = 0; i < sizeof WITH_FILE / sizeof *WITH_FILE; i++)
        if (!file && cli_given(arguments, WITH_FILE[i]))
            return error_set(err, "--%s is of --file", WITH_FILE[i]);
    if (!file)
        return true;
    for (size_t i = 0; i < sizeof BUILT_IN / sizeof *BUILT_IN; i++)
        if (cli_given(arguments, BUILT_IN[i]))
            return error_set(err, "--%s is of built-in workloads; --cflags tells the compiler, such as -mavx2 or -DN=8",
                             BUILT_IN[i]);
    if (arguments->operand_count > 0)
        return error_set(err, "--file is a workload itself; leave out %s", arguments->operands[0]);
    if (!cli_given(arguments, "sizes"))
        return error_set(err, "--file needs --sizes, such as 1K:1M:*10: what a size is, only the file knows");
    name_after(file, out->name, sizeof out->name);
    return name_points(arguments, out, err);
}

/* Warnings, too. */
static bool compile(const struct compile_wish *wish, const struct scratch *scratch, const char *path,
                    struct error *err) {
    char *messages;
    const bool done = compile_library(wish, scratch, path, &messages, err);
    if (messages)
        fputs(messages, stderr);
    free(messages);
    return done;
}

bool workload_file_compile(struct workload_file *file, const struct workload_request *request,
                           const struct scratch *scratch, struct error *err) {
    struct compile_wish wish = file->wish;
    wish.more = strcmp(request->type, "f32") == 0 ? "-DCARMINE_F32" : "";
    snprintf(file->library, sizeof file->library, "%s/native.so", scratch->path);
    if (!compile_describe(&wish, scratch, file->compiler, sizeof file->compiler, err) ||
        !compile(&wish, scratch, file->library, err))
        return false;
    file->own = (struct workload_own){wish.file, file->label, file->library, file->compiler};
    return true;
}
