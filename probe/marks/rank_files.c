/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_files.h"

#include <stdlib.h>

#include "ranks.h"
#include "probe/need.h"

/* A launcher may be a rank of another one: `srun mpirun ./a`. The launcher with the lower number wins. */
int rank_files_alone(const char *folder, struct dirent **files, int count, rank_file_launcher *launcher_of) {
    uint32_t *launchers = need_calloc((size_t)count + 1, sizeof *launchers), first = RANK_LAUNCHERS;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        launchers[i] = launcher_of(folder, files[i]->d_name);
        first = launchers[i] < first ? launchers[i] : first;
    }
    for (int i = 0; i < count; i++)
        if (first == RANK_LAUNCHERS || launchers[i] == first)
            files[kept++] = files[i];
        else
            free(files[i]);
    free(launchers);
    return kept;
}
