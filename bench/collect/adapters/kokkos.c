/* SPDX-License-Identifier: BSD-3-Clause
 * Kokkos Tools (Kokkos_Profiling_C_Interface.h of kokkos/kokkos): a program with Kokkos loads the library from
 * KOKKOS_TOOLS_LIBS (before Kokkos 3.7: KOKKOS_PROFILE_LIBRARY), and calls these functions. Kernels, regions and
 * sections become regions; copies and fences do not. */
#include "adapter.h"

#include <pthread.h>
#include <stdatomic.h>

#include "probe/marks/collector.h"

/* Keys: regions share 0, kernels are numbered from 1, sections from the top down. */
#define REGION_KEY          0
#define SECTION_KEY(number) (UINT64_MAX - (number))

static _Atomic uint64_t kernels;

static void begin_kernel(const char *name, uint64_t *kernel) {
    *kernel = atomic_fetch_add_explicit(&kernels, 1, memory_order_relaxed) + 1;
    adapter_open(MARKS_KOKKOS, *kernel, name);
}

#define KERNEL(kind)                                                                                                   \
    EXPORTED void kokkosp_begin_parallel_##kind(const char *name, uint32_t device, uint64_t *kernel);                  \
    EXPORTED void kokkosp_end_parallel_##kind(uint64_t kernel);                                                        \
    void kokkosp_begin_parallel_##kind(const char *name, uint32_t device, uint64_t *kernel) {                          \
        (void)device;                                                                                                  \
        begin_kernel(name, kernel);                                                                                    \
    }                                                                                                                  \
    void kokkosp_end_parallel_##kind(uint64_t kernel) {                                                                \
        adapter_close(MARKS_KOKKOS, kernel);                                                                           \
    }
KERNEL(for)
KERNEL(reduce)
KERNEL(scan)

EXPORTED void kokkosp_push_profile_region(const char *name);
EXPORTED void kokkosp_pop_profile_region(void);
void kokkosp_push_profile_region(const char *name) {
    adapter_open(MARKS_KOKKOS, REGION_KEY, name);
}
void kokkosp_pop_profile_region(void) {
    adapter_close(MARKS_KOKKOS, REGION_KEY);
}

/* Sections have a name and a number, and may overlap. */
enum { SECTIONS = 1024 };
static char sections[SECTIONS][COLLECTOR_NAME_BYTES];
static uint32_t section_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

EXPORTED void kokkosp_create_profile_section(const char *name, uint32_t *section);
EXPORTED void kokkosp_start_profile_section(uint32_t section);
EXPORTED void kokkosp_stop_profile_section(uint32_t section);

void kokkosp_create_profile_section(const char *name, uint32_t *section) {
    pthread_mutex_lock(&lock);
    *section = section_count < SECTIONS ? section_count++ : SECTIONS;
    for (unsigned i = 0; *section < SECTIONS && name && name[i] && i < COLLECTOR_NAME_BYTES - 1; i++)
        sections[*section][i] = name[i];
    pthread_mutex_unlock(&lock);
}
void kokkosp_start_profile_section(uint32_t section) {
    if (section < SECTIONS)
        adapter_open(MARKS_KOKKOS, SECTION_KEY(section), sections[section]);
}
void kokkosp_stop_profile_section(uint32_t section) {
    if (section < SECTIONS)
        adapter_close(MARKS_KOKKOS, SECTION_KEY(section));
}

/* A tool's requirements of Kokkos. */
struct kokkos_settings {
    bool fences; /* fence before and after each kernel; false: on a CPU a kernel is finished when its launch returns */
    bool others[255];
};
EXPORTED void kokkosp_request_tool_settings(uint32_t count, struct kokkos_settings *settings);
void kokkosp_request_tool_settings(uint32_t count, struct kokkos_settings *settings) {
    if (count > 0)
        settings->fences = false;
}
