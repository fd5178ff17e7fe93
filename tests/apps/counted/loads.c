/* SPDX-License-Identifier: BSD-3-Clause
 * Code that comes and goes: loads LIBRARY LIBRARY… loads each in turn, 5,000 times in all, calls its work(), which
 * returns the flop that it did, twice by way of one place, and unloads it. Each may get the address of the one before.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "carmine.h"

long (*work)(void); /* called by way of its place */

int main(int argc, char **argv) {
    long flop = 0;
    int same_address = 0;
    long (*last)(void) = NULL;
    carmine_region_begin("work");
    for (int i = 0; argc > 1 && i < 5000; i++) {
        void *library = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW);
        if (!library)
            return 1;
        *(void **)&work = dlsym(library, "work");
        for (int call = 0; call < 2; call++)
            flop += work();
        same_address += work == last;
        last = work;
        dlclose(library);
    }
    carmine_region_end("work");
    fprintf(stderr, "%d times at the same address\n", same_address);
    printf("region \"work\" flop %ld\n", flop);
    return 0;
}
