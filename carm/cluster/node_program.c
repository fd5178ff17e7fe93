/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_program.h"

#include <stdio.h>

#include "carm/options/install_paths.h"
#include "probe/error.h"

bool node_program_find(char *out, size_t size) {
    char folder[4096];
    struct error missing;
    return install_paths_folder(NODE_PROGRAM, folder, sizeof folder, &missing) &&
           (size_t)snprintf(out, size, "%s/" NODE_PROGRAM, folder) < size;
}

const char node_program_receive[] = "d=$(mktemp -d) || exit; trap 'rm -rf \"$d\"' EXIT; p=$d/" NODE_PROGRAM
                                    "; cat >\"$p\" && chmod 700 \"$p\" || exit; "
                                    "[ -s \"$p\" ] || { echo \"" NODE_PROGRAM " did not arrive\" >&2; exit; }; "
                                    "\"$p\" \"$@\" & c=$!; trap 'kill $c' HUP INT TERM; wait $c; s=$?; "
                                    "while kill -0 $c 2>/dev/null; do wait $c; s=$?; done; exit $s";
