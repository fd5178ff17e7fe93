/* SPDX-License-Identifier: BSD-3-Clause
 * ITT. With -DWITH_ITTNOTIFY by its own header and static library; else by as much of them as stands here: a table of
 * functions that a tool's library fills, which INTEL_LIBITTNOTIFY64 names. */
#include <string.h>

#include "regions.h"

#ifdef WITH_ITTNOTIFY
#include <ittnotify.h>
#else
#include "itt_static.h"
#endif

static __itt_domain *domain;
static const __itt_id none;

#define TASK_BEGIN(name) __itt_task_begin(domain, none, none, __itt_string_handle_create(name))
#define TASK_END(name)   __itt_task_end(domain)
static __itt_id id_of(const char *name) {
    __itt_id id = {strlen(name), (unsigned char)name[0], 0};
    return id;
}
#define REGION_BEGIN(name) __itt_region_begin(domain, id_of(name), none, __itt_string_handle_create(name))
#define REGION_END(name)   __itt_region_end(domain, id_of(name))

int main(void) {
    __itt_pause(); /* which is what VTune's users begin with */
    work(7);
    domain = __itt_domain_create("solver");
    NEST(TASK_BEGIN, TASK_END);
    OVERLAP(REGION_BEGIN, REGION_END);
    __itt_resume();
    work(5000);
    __itt_frame_begin_v3(domain, NULL);
    work(60);
    __itt_frame_end_v3(domain, NULL);
    __itt_pause();
    const __itt_event event = __itt_event_create("event and more", 5);
    __itt_event_start(event);
    work(3);
    __itt_event_end(event);
    printf("region \"resumed\" calls 1 open 0 mismatched 0 flop 5060\n");
    printf("region \"solver\" calls 1 open 0 mismatched 0 flop 60\n");
    printf("region \"event\" calls 1 open 0 mismatched 0 flop 3\n");
    return 0;
}
