/* SPDX-License-Identifier: BSD-3-Clause
 * In place of liblikwid: tells what it is called for, and gives what a program cannot expect from anyone else. */
#include <stdio.h>

void likwid_markerInit(void);
void likwid_markerThreadInit(void);
void likwid_markerClose(void);
int likwid_markerStartRegion(const char *name);
int likwid_markerStopRegion(const char *name);

void likwid_markerInit(void) {
    puts("likwid: init");
}
void likwid_markerThreadInit(void) {
    puts("likwid: thread");
}
void likwid_markerClose(void) {
    puts("likwid: close");
}
int likwid_markerStartRegion(const char *name) {
    printf("likwid: start %s\n", name);
    return -7;
}
int likwid_markerStopRegion(const char *name) {
    printf("likwid: stop %s\n", name);
    return -8;
}
