/* SPDX-License-Identifier: BSD-3-Clause
 * Prints what the counter left in a folder: `profile FOLDER [REGION]`. */
#include <stdio.h>

#include "print_profile.h"

int main(int argc, char **argv) {
    struct profile profile;
    struct error err;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: profile FOLDER [REGION]\n");
        return 2;
    }
    if (!profile_read(argv[1], &profile, &err)) {
        fprintf(stderr, "profile: %s\n", err.text);
        return 1;
    }
    int status = 0;
    printf("processes %u\n", profile.process_count);
    if (argc == 3) {
        const struct profile_region *region = profile_region_find(&profile, argv[2]);
        if (region != NULL)
            print_region(region);
        else
            status = 1;
    }
    for (size_t i = 0; argc == 2 && i < profile.region_count; i++)
        print_region(&profile.regions[i]);
    profile_free(&profile);
    return status;
}
