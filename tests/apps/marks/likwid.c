/* SPDX-License-Identifier: BSD-3-Clause
 * LIKWID's marker API, by its own header (-DLIKWID_PERFMON) or by what likwid_library.c has of it. */
#include <pthread.h>

#include "regions.h"

#ifdef LIKWID_PERFMON
#include <likwid-marker.h>
#else
void likwid_markerInit(void), likwid_markerThreadInit(void), likwid_markerClose(void);
int likwid_markerStartRegion(const char *name), likwid_markerStopRegion(const char *name);
#define LIKWID_MARKER_INIT       likwid_markerInit()
#define LIKWID_MARKER_THREADINIT likwid_markerThreadInit()
#define LIKWID_MARKER_START(tag) likwid_markerStartRegion(tag)
#define LIKWID_MARKER_STOP(tag)  likwid_markerStopRegion(tag)
#define LIKWID_MARKER_CLOSE      likwid_markerClose()
#endif

static void *thread(void *unused) {
    LIKWID_MARKER_THREADINIT;
    LIKWID_MARKER_START("thread");
    work(100);
    LIKWID_MARKER_STOP("thread");
    return unused;
}

int main(void) {
    LIKWID_MARKER_INIT;
    LIKWID_MARKER_THREADINIT;
    NEST(LIKWID_MARKER_START, LIKWID_MARKER_STOP);
    OVERLAP(LIKWID_MARKER_START, LIKWID_MARKER_STOP);
    for (int i = 0; i < 2; i++) {
        pthread_t id;
        pthread_create(&id, NULL, thread, NULL);
        pthread_join(id, NULL);
    }
    LIKWID_MARKER_CLOSE;
    printf("region \"thread\" calls 2 open 0 mismatched 0 flop 200\n");
    return 0;
}
