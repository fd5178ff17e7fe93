/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine app`, libcarmine and the collectors (libcarmine-papi.so, libcarmine-count.so: preloaded into the
 * measured program) agree on. */
#ifndef PROBE_COLLECTOR_H
#define PROBE_COLLECTOR_H

/* A collector exports `const struct carmine_collector carmine_collector`; libcarmine looks for it once, with dlsym. At
 * a begin the call comes before the SSC mark, at an end after it, so that the code between the two SSC marks is the
 * program's own: the collector that counts instructions counts from mark to mark and takes only the name from here. */
struct carmine_collector {
    unsigned version; /* COLLECTOR_VERSION; libcarmine ignores another */
    void (*begin)(const char *name);
    void (*end)(const char *name);
};
enum { COLLECTOR_VERSION = 1 };

enum { COLLECTOR_NAME_BYTES = 64 }; /* of a region, with the end; longer ones are cut */

/* The region that a mark names: NULL and "" have a name, too, the same in all collectors, which joins what they know.
 */
static inline const char *collector_region(const char *name) {
    return name && *name ? name : "(no name)";
}

/* Of ARCH_MARK (probe/arch.h). */
enum { SSC_MARK_BEGIN = 0x111, SSC_MARK_END = 0x222 };

/* The environment of the measured program. Children inherit it, so that they are measured too. */
#define COLLECTOR_FOLDER "CARMINE_FOLDER" /* an existing folder, absolute: each process leaves its report there */
#define COLLECTOR_EVENTS "CARMINE_EVENTS" /* native events for PAPI, one per line; empty or unset: time alone */
#define COLLECTOR_SAMPLE "CARMINE_SAMPLE" /* "1": sample where the CPU time goes too (time of functions) */

#endif
