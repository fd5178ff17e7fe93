/* SPDX-License-Identifier: BSD-3-Clause
 * NVIDIA's NVTX (nvToolsExt.h and nvtxDetail/nvtxTypes.h of NVIDIA/NVTX 3): the header's code in a program loads the
 * library from NVTX_INJECTION64_PATH, and passes it tables of pointers to its functions (InitializeInjectionNvtx2).
 * Ranges, pushed and popped or started and ended, become regions; marks do not. */
#include "adapter.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "probe/marks/collector.h"

struct nvtx_event { /* nvtxEventAttributes_t, version 2 and later */
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void *message;
};
_Static_assert(offsetof(struct nvtx_event, message) == 40, "as in the program");
enum { MESSAGE_TEXT = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };

enum { NOT_TRACKED = -2 }; /* result of push and pop, as without a tool */

/* Non-ASCII characters of a name become question marks. */
static const char *narrow(const wchar_t *wide, char out[COLLECTOR_NAME_BYTES]) {
    size_t i = 0;
    for (; wide && wide[i] && i < COLLECTOR_NAME_BYTES - 1; i++)
        out[i] = (char)(wide[i] > 0 && wide[i] < 0x80 ? wide[i] : '?');
    out[i] = '\0';
    return out;
}

/* Registered strings are our own copies. */
static const char *name_of(const struct nvtx_event *event, char out[COLLECTOR_NAME_BYTES]) {
    if (!event || event->size < sizeof *event)
        return NULL;
    switch (event->message_type) {
    case MESSAGE_TEXT:
    case MESSAGE_REGISTERED:
        return event->message;
    case MESSAGE_WIDE:
        return narrow(event->message, out);
    default:
        return NULL;
    }
}

/* Pushed ranges end in the order of their domain; NULL is the one without a name. */
static int domain_push(const void *domain, const struct nvtx_event *event) {
    char text[COLLECTOR_NAME_BYTES];
    adapter_open(MARKS_NVTX, (uintptr_t)domain, name_of(event, text));
    return NOT_TRACKED;
}
static int domain_pop(const void *domain) {
    adapter_close(MARKS_NVTX, (uintptr_t)domain);
    return NOT_TRACKED;
}
static int push(const char *name) {
    adapter_open(MARKS_NVTX, 0, name);
    return NOT_TRACKED;
}
static int push_wide(const wchar_t *name) {
    char text[COLLECTOR_NAME_BYTES];
    return push(narrow(name, text));
}
static int push_event(const struct nvtx_event *event) {
    return domain_push(NULL, event);
}
static int pop(void) {
    return domain_pop(NULL);
}

/* Started ranges end by number. Numbers have the highest bit set; addresses of domains do not. */
static uint64_t start(const char *name) {
    static _Atomic uint64_t ranges;
    const uint64_t range = (1ull << 63) + atomic_fetch_add_explicit(&ranges, 1, memory_order_relaxed);
    adapter_open(MARKS_NVTX, range, name);
    return range;
}
static uint64_t start_wide(const wchar_t *name) {
    char text[COLLECTOR_NAME_BYTES];
    return start(narrow(name, text));
}
static uint64_t start_event(const struct nvtx_event *event) {
    char text[COLLECTOR_NAME_BYTES];
    return start(name_of(event, text));
}
static uint64_t domain_start(const void *domain, const struct nvtx_event *event) {
    (void)domain;
    return start_event(event);
}
static void end(uint64_t range) {
    adapter_close(MARKS_NVTX, range);
}
static void domain_end(const void *domain, uint64_t range) {
    (void)domain;
    end(range);
}

/* A domain is represented by its name, a registered string by its text: both exist until the program ends. */
static void *create(const char *name) {
    return name ? strdup(name) : NULL;
}
static void *create_wide(const wchar_t *name) {
    char text[COLLECTOR_NAME_BYTES];
    return create(narrow(name, text));
}
static void *domain_register(const void *domain, const char *text) {
    (void)domain;
    return create(text);
}
static void *domain_register_wide(const void *domain, const wchar_t *text) {
    (void)domain;
    return create_wide(text);
}

/* The functions that a tool may replace, by number in two of NVTX's modules. */
enum { MODULE_CORE = 1, MODULE_DOMAINS = 5 };
static const struct {
    int module;
    unsigned number;
    void (*function)(void);
} taken_over[] = {
    {MODULE_CORE, 4, ANY_FUNCTION(start_event)},         {MODULE_CORE, 5, ANY_FUNCTION(start)},
    {MODULE_CORE, 6, ANY_FUNCTION(start_wide)},          {MODULE_CORE, 7, ANY_FUNCTION(end)},
    {MODULE_CORE, 8, ANY_FUNCTION(push_event)},          {MODULE_CORE, 9, ANY_FUNCTION(push)},
    {MODULE_CORE, 10, ANY_FUNCTION(push_wide)},          {MODULE_CORE, 11, ANY_FUNCTION(pop)},
    {MODULE_DOMAINS, 2, ANY_FUNCTION(domain_start)},     {MODULE_DOMAINS, 3, ANY_FUNCTION(domain_end)},
    {MODULE_DOMAINS, 4, ANY_FUNCTION(domain_push)},      {MODULE_DOMAINS, 5, ANY_FUNCTION(domain_pop)},
    {MODULE_DOMAINS, 10, ANY_FUNCTION(domain_register)}, {MODULE_DOMAINS, 11, ANY_FUNCTION(domain_register_wide)},
    {MODULE_DOMAINS, 12, ANY_FUNCTION(create)},          {MODULE_DOMAINS, 13, ANY_FUNCTION(create_wide)},
};

struct nvtx_callbacks {
    size_t bytes;
    int (*functions_of)(int module, void (***table[])(void), unsigned *size);
};
typedef const void *export_table(uint32_t table);
enum { TABLE_CALLBACKS = 1 };

EXPORTED int InitializeInjectionNvtx2(export_table *get);
int InitializeInjectionNvtx2(export_table *get) {
    const struct nvtx_callbacks *callbacks = adapter_takes(MARKS_NVTX) ? get(TABLE_CALLBACKS) : NULL;
    if (!callbacks || callbacks->bytes < sizeof *callbacks)
        return 0; /* as without a tool */
    for (unsigned i = 0; i < sizeof taken_over / sizeof *taken_over; i++) {
        void (***table)(void) = NULL;
        unsigned size = 0;
        if (callbacks->functions_of(taken_over[i].module, &table, &size) && table && taken_over[i].number < size &&
            table[taken_over[i].number])
            *table[taken_over[i].number] = taken_over[i].function;
    }
    return 1;
}
