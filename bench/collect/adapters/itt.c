/* SPDX-License-Identifier: BSD-3-Clause
 * Intel's ITT (ittnotify.h, ittnotify_config.h of intel/ittapi 3): its part in a program loads the library from
 * INTEL_LIBITTNOTIFY64, and passes it a table of functions to fill (__itt_api_init). Tasks, regions, frames, events,
 * and the time between resume and pause are regions. */
#include "adapter.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct itt_domain { /* the program reads `flags`: 0 disables its calls */
    volatile int flags;
    const char *name;
    void *wide_name;
    int extra;
    void *extra_pointer;
    struct itt_domain *next;
};
struct itt_string {
    const char *text;
    void *wide_text;
    int extra;
    void *extra_pointer;
    struct itt_string *next;
};
struct itt_id { /* passed by value */
    unsigned long long d1, d2, d3;
};
struct itt_function {
    const char *name;
    void (**place)(void);  /* through which the program calls it */
    void (*first)(void);   /* content before the table is filled, */
    void (*without)(void); /* and content without a tool */
    int group;
};
struct itt_global { /* the table's beginning */
    unsigned char magic[8];
    unsigned long version[3];
    long states[3];
    pthread_mutex_t mutex;
    void *library, *error_handler;
    const char **path;
    struct itt_function *functions; /* up to an entry without a name */
};

/* Regions with an identifier may overlap. Others end in the order of their domain. */
static uint64_t key_of(const struct itt_domain *domain, const struct itt_id *id) {
    const uint64_t FACTOR = 0x9e3779b97f4a7c15;
    uint64_t key = (uintptr_t)domain;
    if (id)
        key = ((key * FACTOR ^ id->d1) * FACTOR ^ id->d2) * FACTOR ^ id->d3;
    return key;
}
static const char *text_of(const struct itt_string *string) {
    return string ? string->text : NULL;
}

static void task_begin(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
                       const struct itt_string *name) {
    (void)id;
    (void)parent;
    adapter_open(MARKS_ITT, key_of(domain, NULL), text_of(name));
}
static void task_begin_function(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
                                const void *function) {
    Dl_info info;
    (void)id;
    (void)parent;
    adapter_open(MARKS_ITT, key_of(domain, NULL), dladdr(function, &info) ? info.dli_sname : NULL);
}
static void task_end(const struct itt_domain *domain) {
    adapter_close(MARKS_ITT, key_of(domain, NULL));
}

/* Overlapped tasks, and regions. */
static void begin_with_id(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
                          const struct itt_string *name) {
    (void)parent;
    adapter_open(MARKS_ITT, key_of(domain, &id), text_of(name));
}
static void end_with_id(const struct itt_domain *domain, struct itt_id id) {
    adapter_close(MARKS_ITT, key_of(domain, &id));
}

/* Frames only have their domain's name. Frames of Intel's and LLVM's OpenMP are not marks of the program. */
static void frame_begin(const struct itt_domain *domain, const struct itt_id *id) {
    static const struct itt_id no_id;
    if (domain && domain->name && !strstr(domain->name, "$omp$"))
        adapter_open(MARKS_ITT, key_of(domain, id ? id : &no_id), domain->name);
}
static void frame_end(const struct itt_domain *domain, const struct itt_id *id) {
    static const struct itt_id no_id;
    adapter_close(MARKS_ITT, key_of(domain, id ? id : &no_id));
}

static __thread bool resumed __attribute__((tls_model("initial-exec")));
static void resume(void) {
    if (!resumed)
        adapter_open(MARKS_ITT, 0, "resumed");
    resumed = true;
}
static void pause_collection(void) {
    if (resumed)
        adapter_close(MARKS_ITT, 0);
    resumed = false;
}

/* Objects that programs create exist to the end, one per name. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct itt_domain *domain_create(const char *name) {
    static struct itt_domain *domains;
    if (!name)
        return NULL;
    pthread_mutex_lock(&lock);
    struct itt_domain *domain = domains;
    while (domain && strcmp(domain->name, name) != 0)
        domain = domain->next;
    if (!domain && (domain = calloc(1, sizeof *domain)) && (domain->name = strdup(name))) {
        domain->flags = 1;
        domain->next = domains;
        domains = domain;
    }
    pthread_mutex_unlock(&lock);
    return domain && domain->name ? domain : NULL;
}

static struct itt_string *string_create(const char *text) {
    static struct itt_string *strings;
    if (!text)
        return NULL;
    pthread_mutex_lock(&lock);
    struct itt_string *string = strings;
    while (string && strcmp(string->text, text) != 0)
        string = string->next;
    if (!string && (string = calloc(1, sizeof *string)) && (string->text = strdup(text))) {
        string->next = strings;
        strings = string;
    }
    pthread_mutex_unlock(&lock);
    return string && string->text ? string : NULL;
}

/* Events have numbers from 1. */
enum { EVENTS = 1024 };
static const struct itt_string *events[EVENTS];

static int event_create(const char *name, int length) {
    static int count;
    char text[256];
    const size_t bytes = name && length > 0 ? strnlen(name, (size_t)length) : 0;
    const size_t kept = bytes < sizeof text ? bytes : sizeof text - 1;
    memcpy(text, name ? name : "", kept);
    text[kept] = '\0';
    const struct itt_string *string = string_create(text);
    pthread_mutex_lock(&lock);
    const int event = string && count < EVENTS - 1 ? ++count : 0;
    events[event] = event ? string : NULL;
    pthread_mutex_unlock(&lock);
    return event;
}
static const struct itt_string *event_of(int event) {
    return event > 0 && event < EVENTS ? events[event] : NULL;
}
static int event_start(int event) {
    if (event_of(event))
        adapter_open(MARKS_ITT, (uint64_t)event, event_of(event)->text);
    return 0;
}
static int event_end(int event) {
    if (event_of(event))
        adapter_close(MARKS_ITT, (uint64_t)event);
    return 0;
}

static const struct {
    const char *name;
    void (*function)(void);
} taken_over[] = {
    {"__itt_task_begin", ANY_FUNCTION(task_begin)},
    {"__itt_task_begin_fn", ANY_FUNCTION(task_begin_function)},
    {"__itt_task_end", ANY_FUNCTION(task_end)},
    {"__itt_task_begin_overlapped", ANY_FUNCTION(begin_with_id)},
    {"__itt_task_end_overlapped", ANY_FUNCTION(end_with_id)},
    {"__itt_region_begin", ANY_FUNCTION(begin_with_id)},
    {"__itt_region_end", ANY_FUNCTION(end_with_id)},
    {"__itt_frame_begin_v3", ANY_FUNCTION(frame_begin)},
    {"__itt_frame_end_v3", ANY_FUNCTION(frame_end)},
    {"__itt_resume", ANY_FUNCTION(resume)},
    {"__itt_pause", ANY_FUNCTION(pause_collection)},
    {"__itt_domain_create", ANY_FUNCTION(domain_create)},
    {"__itt_string_handle_create", ANY_FUNCTION(string_create)},
    {"__itt_event_create", ANY_FUNCTION(event_create)},
    {"__itt_event_start", ANY_FUNCTION(event_start)},
    {"__itt_event_end", ANY_FUNCTION(event_end)},
};

/* Whether this table belongs to a runtime that marks its own work, not the program author's. */
static bool of_runtime(const struct itt_global *global) {
    static const char *const RUNTIMES[] = {"libomp", "libiomp", "libtbb"};
    Dl_info info;
    if (!dladdr(global, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/'), *file = slash ? slash + 1 : info.dli_fname;
    for (unsigned i = 0; i < sizeof RUNTIMES / sizeof *RUNTIMES; i++)
        if (strncmp(file, RUNTIMES[i], strlen(RUNTIMES[i])) == 0)
            return true;
    return false;
}

static void (*function_for(const struct itt_function *function))(void) {
    for (unsigned i = 0; i < sizeof taken_over / sizeof *taken_over; i++)
        if (strcmp(taken_over[i].name, function->name) == 0)
            return taken_over[i].function;
    return function->without;
}

/* The name that ITT's part in programs searches for. */
EXPORTED void __itt_api_init(struct itt_global *global, int groups); /* NOLINT(*-reserved-identifier,cert-dcl*) */
void __itt_api_init(struct itt_global *global, int groups) {
    static const unsigned char MAGIC[sizeof global->magic] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};
    (void)groups;
    if (memcmp(global->magic, MAGIC, sizeof MAGIC) != 0)
        return;
    const bool take = adapter_takes(MARKS_ITT) && !of_runtime(global);
    for (struct itt_function *function = global->functions; function->name; function++)
        *function->place = take ? function_for(function) : function->without;
}
