/* SPDX-License-Identifier: BSD-3-Clause
 * Prints the counter's results in a folder: `profile FOLDER [REGION]`; `profile FOLDER --loops`, or `--lines`. */
#include <stdio.h>
#include <string.h>

#include "print_profile.h"
#include "probe/error.h"

static int print_parts(const char *folder, bool loops) {
    struct profile profile;
    struct error err;
    if (!profile_read_parts(folder, 0, &profile, &err)) {
        fprintf(stderr, "profile: %s\n", err.text);
        return 1;
    }
    if (loops)
        print_loops(profile.parts);
    else
        print_lines(profile.parts);
    profile_free(&profile);
    return 0;
}

int main(int argc, char **argv) {
    struct profile profile;
    struct error err;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: profile FOLDER [REGION]\n");
        return 2;
    }
    if (argc == 3 && (strcmp(argv[2], "--loops") == 0 || strcmp(argv[2], "--lines") == 0))
        return print_parts(argv[1], strcmp(argv[2], "--loops") == 0);
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
