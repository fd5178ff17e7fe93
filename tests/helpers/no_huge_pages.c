/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a command without transparent huge pages, as on a system without them: no_huge_pages COMMAND ARGS… */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 2 || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) {
        perror("no_huge_pages");
        return 125;
    }
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
