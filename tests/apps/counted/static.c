/* SPDX-License-Identifier: BSD-3-Clause
 * A program for what takes no preloaded library: static FLOP-free work whose output tells how it was started. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char path[4096];
    const long length = readlink("/proc/self/exe", path, sizeof path);
    printf("%d arguments, the last is %s\n", argc, argv[argc - 1]);
    printf("I am %.*s\n", length < 0 ? 0 : (int)length, path);
    return 3;
}
