/* SPDX-License-Identifier: BSD-3-Clause
 * Loads mpi_waits.c as a library, and its MPI with it, for itself alone: as Python loads mpi4py. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *plugin = dlopen("./libwaits.so", RTLD_NOW | RTLD_LOCAL);
    int (*run)(int, char **) = NULL;
    if (plugin)
        *(void **)&run = dlsym(plugin, "run");
    if (!run)
        fprintf(stderr, "%s\n", dlerror());
    return run ? run(argc, argv) : 2;
}
