/* SPDX-License-Identifier: BSD-3-Clause
 * In place of ittnotify.h and the static library behind it: the functions that itt.c uses, reached through pointers
 * that the library of INTEL_LIBITTNOTIFY64 fills at the first call (__itt_api_init). */
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    volatile int flags;
    const char *nameA;
    void *nameW;
    int extra1;
    void *extra2, *next;
} __itt_domain;
typedef struct {
    const char *strA;
    void *strW;
    int extra1;
    void *extra2, *next;
} __itt_string_handle;
typedef struct {
    unsigned long long d1, d2, d3;
} __itt_id;
typedef int __itt_event;

static __itt_domain *(*domain_create)(const char *);
static __itt_string_handle *(*string_handle_create)(const char *);
static void (*task_begin)(const __itt_domain *, __itt_id, __itt_id, __itt_string_handle *);
static void (*task_end)(const __itt_domain *);
static void (*region_begin)(const __itt_domain *, __itt_id, __itt_id, __itt_string_handle *);
static void (*region_end)(const __itt_domain *, __itt_id);
static void (*frame_begin)(const __itt_domain *, const __itt_id *);
static void (*frame_end)(const __itt_domain *, const __itt_id *);
static void (*pause_collection)(void), (*resume)(void), (*marker)(void);
static __itt_event (*event_create)(const char *, int);
static int (*event_start)(__itt_event), (*event_end)(__itt_event);

static struct {
    const char *name;
    void *place, *first, *without;
    int group;
} functions[] = {
    {"__itt_domain_create", &domain_create, NULL, NULL, 0},
    {"__itt_string_handle_create", &string_handle_create, NULL, NULL, 0},
    {"__itt_marker", &marker, NULL, NULL, 0},
    {"__itt_task_begin", &task_begin, NULL, NULL, 0},
    {"__itt_task_end", &task_end, NULL, NULL, 0},
    {"__itt_region_begin", &region_begin, NULL, NULL, 0},
    {"__itt_region_end", &region_end, NULL, NULL, 0},
    {"__itt_frame_begin_v3", &frame_begin, NULL, NULL, 0},
    {"__itt_frame_end_v3", &frame_end, NULL, NULL, 0},
    {"__itt_pause", &pause_collection, NULL, NULL, 0},
    {"__itt_resume", &resume, NULL, NULL, 0},
    {"__itt_event_create", &event_create, NULL, NULL, 0},
    {"__itt_event_start", &event_start, NULL, NULL, 0},
    {"__itt_event_end", &event_end, NULL, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
static struct {
    unsigned char magic[8];
    unsigned long version_major, version_minor, version_build;
    volatile long api_initialized, mutex_initialized, atomic_counter;
    pthread_mutex_t mutex;
    void *lib, *error_handler;
    const char **dll_path;
    void *api_list, *others[8];
} global = {.magic = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30}, .version_major = 3, .api_list = functions};

__attribute__((constructor)) static void load(void) {
    const char *library = getenv("INTEL_LIBITTNOTIFY64");
    void (*init)(void *, int) = NULL;
    global.lib = library ? dlopen(library, RTLD_LAZY) : NULL;
    if (global.lib)
        *(void **)&init = dlsym(global.lib, "__itt_api_init");
    if (init)
        init(&global, -1);
    if (marker)
        abort(); /* nobody takes that over */
}

#define CALL(function, ...)              (function ? function(__VA_ARGS__) : 0)
#define CALL_DOMAIN(function, ...)       (domain && domain->flags && function ? function(__VA_ARGS__) : (void)0)
#define __itt_domain_create(name)        CALL(domain_create, name)
#define __itt_string_handle_create(name) CALL(string_handle_create, name)
#define __itt_task_begin(...)            CALL_DOMAIN(task_begin, __VA_ARGS__)
#define __itt_task_end(...)              CALL_DOMAIN(task_end, __VA_ARGS__)
#define __itt_region_begin(...)          CALL_DOMAIN(region_begin, __VA_ARGS__)
#define __itt_region_end(...)            CALL_DOMAIN(region_end, __VA_ARGS__)
#define __itt_frame_begin_v3(...)        CALL_DOMAIN(frame_begin, __VA_ARGS__)
#define __itt_frame_end_v3(...)          CALL_DOMAIN(frame_end, __VA_ARGS__)
#define __itt_pause()                    (pause_collection ? pause_collection() : (void)0)
#define __itt_resume()                   (resume ? resume() : (void)0)
#define __itt_event_create(...)          CALL(event_create, __VA_ARGS__)
#define __itt_event_start(...)           CALL(event_start, __VA_ARGS__)
#define __itt_event_end(...)             CALL(event_end, __VA_ARGS__)
