/* SPDX-License-Identifier: BSD-3-Clause
 * The doctor on allowed CPUs, their clocks, and other programs on them. */
#include "doctor_checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "probe/cgroup.h"
#include "probe/clock.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/osfile.h"

void doctor_cpuset(const struct doctor_input *input, struct finding *out) {
    const struct machine *machine = input->machine;
    if (machine->allowed_pu_count < machine->pu_count)
        finding_say(out, SEVERITY_NOTE,
                    "ask the batch system, container or `taskset` for all CPUs to measure the whole machine",
                    "%u of %u CPUs may be used: \"all cores\" means these", machine->allowed_pu_count,
                    machine->pu_count);
    else
        finding_say(out, SEVERITY_OK, "", "all %u CPUs may be used", machine->pu_count);
}

void doctor_quota(const struct doctor_input *input, struct finding *out) {
    double cpus;
    if (!cgroup_cpu_quota(input->root, &cpus))
        finding_say(out, SEVERITY_OK, "", "no control group limits CPU time");
    else if (cpus < input->machine->allowed_pu_count)
        finding_say(out, SEVERITY_WARNING, "start without the limit (docker: no --cpus; systemd: CPUQuota=)",
                    "a control group grants %.2f CPUs' worth of time for %u CPUs: threads are stopped in between", cpus,
                    input->machine->allowed_pu_count);
    else
        finding_say(out, SEVERITY_OK, "", "a control group grants %.2f CPUs' worth of time, enough for all", cpus);
}

void doctor_offline(const struct doctor_input *input, struct finding *out) {
    char list[128];
    if (!osfile_text(input->root, "/sys/devices/system/cpu/offline", list, sizeof list))
        finding_say(out, SEVERITY_NOTE, "", "not known: the system does not report it");
    else if (*list)
        finding_say(out, SEVERITY_NOTE, "echo 1 | sudo tee /sys/devices/system/cpu/cpu<N>/online",
                    "CPUs %s are offline: sharing of caches is shown without them", list);
    else
        finding_say(out, SEVERITY_OK, "", "none");
}

void doctor_smt(const struct doctor_input *input, struct finding *out) {
    int64_t active;
    if (!osfile_number(input->root, "/sys/devices/system/cpu/smt/active", &active))
        finding_say(out, SEVERITY_NOTE, "", "not known: the system does not report it");
    else if (active)
        finding_say(out, SEVERITY_NOTE, "echo off | sudo tee /sys/devices/system/cpu/smt/control",
                    "on: one thread per core is measured, and another program on its sibling halves it");
    else
        finding_say(out, SEVERITY_OK, "", "off: a core runs one thread");
}

void doctor_governor(const struct doctor_input *input, struct finding *out) {
    const struct machine *machine = input->machine;
    char governor[32] = "", found[32] = "";
    unsigned others = 0, known = 0, first_other = 0;
    for (unsigned c = 0; c < machine->core_count; c++) {
        char path[96];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", machine->cores[c].pus[0]);
        if (!osfile_text(input->root, path, governor, sizeof governor))
            continue;
        known++;
        if (strcmp(governor, "performance") != 0 && others++ == 0) {
            memcpy(found, governor, sizeof found);
            first_other = machine->cores[c].pus[0];
        }
    }
    if (known == 0)
        finding_say(out, SEVERITY_NOTE, "", "not known: the system has no control over the clock%s",
                    machine->cpu.features & CPU_HYPERVISOR ? " (a virtual machine)" : "");
    else if (others > 0)
        finding_say(out, SEVERITY_WARNING, "sudo cpupower frequency-set -g performance",
                    "%s on %u of %u cores (first: CPU %u): the clock follows the load", found, others, known,
                    first_other);
    else
        finding_say(out, SEVERITY_OK, "", "performance on all %u cores", known);
}

void doctor_turbo(const struct doctor_input *input, struct finding *out) {
    static const char intel[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
    static const char generic[] = "/sys/devices/system/cpu/cpufreq/boost";
    int64_t value;
    bool on;
    const char *remedy;
    if (osfile_number(input->root, intel, &value)) {
        on = value == 0;
        remedy = "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo";
    } else if (osfile_number(input->root, generic, &value)) {
        on = value != 0;
        remedy = "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost";
    } else {
        finding_say(out, SEVERITY_NOTE, "", "not known: the system does not report it");
        return;
    }
    if (on)
        finding_say(
            out, SEVERITY_NOTE, remedy,
            "on: rates per second depend on temperature and on the number of busy cores; rates per cycle do not");
    else
        finding_say(out, SEVERITY_OK, "", "off: the clock does not rise above its base");
}

void doctor_tsc(const struct doctor_input *input, struct finding *out) {
    char source[32];
    osfile_text(input->root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source);
    const bool invariant = input->machine->cpu.features & CPU_INVARIANT_TSC;
    if (!invariant)
        finding_say(out, SEVERITY_WARNING, "in a virtual machine, let the hypervisor pass `invtsc` through",
                    "the time-stamp counter may change its rate (not invariant according to CPUID)");
    else if (!*source)
        finding_say(out, SEVERITY_NOTE, "", "invariant; the kernel's clock source is not known");
    else if (strcmp(source, "tsc") != 0 && strcmp(source, "kvm-clock") != 0 && !strstr(source, "hyperv"))
        finding_say(out, SEVERITY_WARNING, "look for `clocksource` in dmesg: the kernel found the TSC unstable",
                    "invariant by CPUID, but the kernel keeps time by %s", source);
    else
        finding_say(out, SEVERITY_OK, "", "invariant; the kernel keeps time by %s", source);
}

void doctor_counter(const struct doctor_input *input, struct finding *out) {
    static const char ITS_SOURCE[] = "arch_sys_counter";
    char source[32];
    osfile_text(input->root, "/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source);
    if (strcmp(source, "tsc") == 0)
        finding_say(out, SEVERITY_WARNING, "measure on a machine of this architecture",
                    "the kernel keeps time by an x86's TSC: this program runs in an emulator, whose speed it measures");
    else if (!*source)
        finding_say(out, SEVERITY_NOTE, "", "of constant rate; the kernel's clock source is not known");
    else if (strcmp(source, ITS_SOURCE) != 0)
        finding_say(out, SEVERITY_WARNING, "look for `arch_timer` in dmesg: the kernel may not trust it",
                    "the kernel keeps time by %s, not by %s", source, ITS_SOURCE);
    else
        finding_say(out, SEVERITY_OK, "", "of constant rate; the kernel keeps time by it");
}

/* Up to 100 ns the shortest repetition that has a number, of 20 µs, lasts 200 steps. */
void doctor_step(const struct doctor_input *input, struct finding *out) {
    static const double COARSE_S = 100e-9;
    const double step_ns = 1e9 * input->step_s;
    if (!(step_ns > 0))
        finding_say(out, SEVERITY_NOTE, "", "not known: not measured");
    else if (input->step_s > COARSE_S)
        finding_say(out, SEVERITY_WARNING,
                    "choose a finer one in /sys/devices/system/clocksource/clocksource0/current_clocksource",
                    "%.0f ns: what is timed lasts %d of them, and what cannot last 200 has no number", step_ns,
                    CLOCK_STEPS);
    else if (step_ns < 1)
        finding_say(out, SEVERITY_OK, "", "below 1 ns");
    else
        finding_say(out, SEVERITY_OK, "", "%.0f ns", step_ns);
}

void doctor_load(const struct doctor_input *input, struct finding *out) {
    static const char remedy[] = "stop other programs (`top` shows them) and wait a minute";
    char text[128];
    double load = 0;
    unsigned running = 0;
    if (!osfile_text(input->root, "/proc/loadavg", text, sizeof text) ||
        sscanf(text, "%lf %*s %*s %u/", &load, &running) != 2) {
        finding_say(out, SEVERITY_NOTE, "", "not known: /proc/loadavg cannot be read");
        return;
    }
    const unsigned others = running > 0 ? running - 1 : 0; /* one of them is this process */
    const char *more = others == 1 ? "" : "s";
    if (load > 0.5 || others > input->machine->pu_count / 2)
        finding_say(out, SEVERITY_WARNING, remedy, "%.2f over the last minute, %u other task%s running now", load,
                    others, more);
    else
        finding_say(out, SEVERITY_OK, "", "%.2f over the last minute, %u other task%s running now", load, others, more);
}

void doctor_steal(const struct doctor_input *input, struct finding *out) {
    char text[256];
    uint64_t t[8] = {0}; /* user nice system idle iowait irq softirq steal */
    if (!osfile_line(input->root, "/proc/stat", "cpu", text, sizeof text) ||
        sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8) {
        finding_say(out, SEVERITY_NOTE, "", "not known: /proc/stat does not show it");
        return;
    }
    /* Share of the time in which a task wanted to run: idle time cannot be stolen. */
    const uint64_t wanted = t[0] + t[1] + t[2] + t[5] + t[6] + t[7];
    const double share = wanted ? (double)t[7] / (double)wanted : 0;
    if (share > 0.005)
        finding_say(out, SEVERITY_WARNING, "measure when the host is quiet, or on a dedicated instance",
                    "the hypervisor gave %.1f %% of the busy time since boot to others", 100 * share);
    else
        finding_say(out, SEVERITY_OK, "", "%.1f %% of the busy time since boot", 100 * share);
}
