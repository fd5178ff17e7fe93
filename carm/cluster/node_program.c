/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carm/options/install_paths.h"
#include "carm/store/file_io.h"
#include "probe/error.h"

bool node_program_find(char *out, size_t size) {
    char folder[4096];
    struct error missing;
    return install_paths_folder(NODE_PROGRAM, folder, sizeof folder, &missing) &&
           (size_t)snprintf(out, size, "%s/" NODE_PROGRAM, folder) < size;
}

bool node_program_copy(const char *program, const char *folder, struct error *err) {
    enum { MOST_BYTES = 1 << 24 };
    char *text = NULL, path[4300];
    size_t length = 0;
    snprintf(path, sizeof path, "%.4200s/" NODE_PROGRAM, folder);
    const bool done = file_read(program, MOST_BYTES, &text, &length, err) &&
                      file_write(path, text, length, false, err) &&
                      (chmod(path, 0755) == 0 || error_set(err, "%s: %s", path, strerror(errno)));
    free(text);
    return done;
}

const char node_program_receive[] = "d=$(mktemp -d) || exit; trap 'rm -rf \"$d\"' EXIT; p=$d/" NODE_PROGRAM
                                    "; cat >\"$p\" && chmod 700 \"$p\" || exit; "
                                    "[ -s \"$p\" ] || { echo \"" NODE_PROGRAM " did not arrive\" >&2; exit; }; "
                                    "\"$p\" \"$@\" & c=$!; trap 'kill $c' HUP INT TERM; wait $c; s=$?; "
                                    "while kill -0 $c 2>/dev/null; do wait $c; s=$?; done; exit $s";
