/* SPDX-License-Identifier: BSD-3-Clause
 * The doctor on memory: pages, sizes, and page migration. */
#include "doctor_checks.h"

#include <string.h>

#include "probe/cgroup.h"
#include "probe/machine.h"
#include "probe/osfile.h"

static double gib(uint64_t bytes) {
    return (double)bytes / (1 << 30);
}

void doctor_huge_pages(const struct doctor_input *input, struct finding *out) {
    enum { USUAL_BYTES = 2 << 20 }; /* where pages have 4 KiB; 32 and 512 MiB with 16 and 64 KiB */
    char modes[64];
    int64_t reserved = 0;
    osfile_field(input->root, "/proc/meminfo", "HugePages_Free:", &reserved);
    const bool known = osfile_text(input->root, "/sys/kernel/mm/transparent_hugepage/enabled", modes, sizeof modes);
    const char *chosen = strchr(modes, '[');
    int64_t bytes;
    char size[32] = "";
    if (osfile_number(input->root, "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", &bytes) &&
        bytes != USUAL_BYTES)
        snprintf(size, sizeof size, ", of %d MiB", (int)(bytes >> 20));
    if (known && chosen && strncmp(chosen, "[never]", 7) != 0)
        finding_say(out, SEVERITY_OK, "", "transparent huge pages: %.*s%s", (int)strcspn(chosen + 1, "]"), chosen + 1,
                    size);
    else if (known)
        finding_say(out, SEVERITY_WARNING, "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
                    "transparent huge pages are off: large buffers also measure the TLB%s",
                    reserved > 0 ? "; reserved huge pages are not used" : "");
    else
        finding_say(out, SEVERITY_NOTE, "",
                    "not known: this kernel has no transparent huge pages, or /sys is not mounted");
}

void doctor_memory(const struct doctor_input *input, struct finding *out) {
    const struct machine *machine = input->machine;
    uint64_t nodes_bytes = 0;
    for (unsigned i = 0; i < machine->node_count; i++)
        nodes_bytes += machine->nodes[i].memory_bytes;
    if (machine->memory_available_bytes > 0 && machine->memory_available_bytes < machine->memory_total_bytes / 8)
        finding_say(out, SEVERITY_WARNING, "end programs that hold memory (`top -o %MEM`)",
                    "%.1f of %.1f GiB are free: buffers for memory may be too small",
                    gib(machine->memory_available_bytes), gib(machine->memory_total_bytes));
    else if (nodes_bytes < machine->memory_total_bytes / 2)
        /* Memory that was added after boot is missing from the firmware's table of nodes. */
        finding_say(out, SEVERITY_NOTE, "",
                    "hwloc sees %.1f GiB, the system has %.1f; carmine uses the system's number", gib(nodes_bytes),
                    gib(machine->memory_total_bytes));
    else
        finding_say(out, SEVERITY_OK, "", "%.1f of %.1f GiB are free", gib(machine->memory_available_bytes),
                    gib(machine->memory_total_bytes));
}

void doctor_memory_limit(const struct doctor_input *input, struct finding *out) {
    uint64_t limit_bytes, room_bytes;
    if (!cgroup_memory_room(input->root, &limit_bytes, &room_bytes))
        finding_say(out, SEVERITY_OK, "", "no control group limits memory");
    else
        finding_say(out, SEVERITY_NOTE, "start without the limit (docker: no --memory; systemd: MemoryMax=)",
                    "a control group allows %.1f GiB; %.1f are left", gib(limit_bytes), gib(room_bytes));
}

void doctor_swap(const struct doctor_input *input, struct finding *out) {
    int64_t total_kib, free_kib;
    if (!osfile_field(input->root, "/proc/meminfo", "SwapTotal:", &total_kib) ||
        !osfile_field(input->root, "/proc/meminfo", "SwapFree:", &free_kib))
        finding_say(out, SEVERITY_NOTE, "", "not known: /proc/meminfo does not show it");
    else if (total_kib > free_kib)
        finding_say(out, SEVERITY_WARNING, "free memory first; then `sudo swapoff -a && sudo swapon -a`",
                    "%.1f of %.1f GiB are in use: memory was short", gib((uint64_t)(total_kib - free_kib) << 10),
                    gib((uint64_t)total_kib << 10));
    else
        finding_say(out, SEVERITY_OK, "", total_kib ? "not in use" : "none");
}

void doctor_numa_balancing(const struct doctor_input *input, struct finding *out) {
    int64_t on;
    if (input->machine->node_count < 2)
        finding_say(out, SEVERITY_OK, "", "one node: nothing to balance");
    else if (!osfile_number(input->root, "/proc/sys/kernel/numa_balancing", &on))
        finding_say(out, SEVERITY_OK, "", "none in this kernel");
    else if (on)
        finding_say(out, SEVERITY_NOTE, "sudo sysctl kernel.numa_balancing=0",
                    "on: the kernel unmaps pages now and then to find their users, and moves the pages");
    else
        finding_say(out, SEVERITY_OK, "", "off");
}
