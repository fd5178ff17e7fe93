/* SPDX-License-Identifier: BSD-3-Clause
 * The doctor on the CPU's identity and on the counting of its events. */
#include "doctor_checks.h"

#include <string.h>

#include "probe/arch.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "probe/osfile.h"
#include "probe/events/perf.h"
#include "probe/text.h"
#include "probe/uarch.h"

void doctor_identity(const struct doctor_input *input, struct finding *out) {
    const struct machine *machine = input->machine;
    for (unsigned k = 0; k < machine->kind_count; k++) {
        const struct uarch_match match = uarch_find(&machine->cpu, machine->kinds[k].name);
        if (!match.uarch) {
            finding_say(out, SEVERITY_NOTE, "results are shown without documented limits", "no documented limits: %s",
                        match.doubt);
            return;
        }
        if (*match.doubt) {
            finding_say(out, SEVERITY_WARNING, "trust the comparison with documented limits only if this is right",
                        "%s", match.doubt);
            return;
        }
        text_append(out->what, sizeof out->what, "%s%s", *out->what ? "; " : "", uarch_name(match.uarch));
    }
}

void doctor_virtual(const struct doctor_input *input, struct finding *out) {
    const struct cpu_identity *cpu = &input->machine->cpu;
    if (!(cpu->features & CPU_HYPERVISOR)) {
        finding_say(out, SEVERITY_OK, "", "none: the system runs on the hardware");
        return;
    }
    char product[64];
    osfile_text(input->root, "/sys/class/dmi/id/product_name", product, sizeof product);
    finding_say(out, SEVERITY_NOTE, "for figures of the hardware, measure on the host or a bare-metal instance",
                "a virtual machine (%s%s%s): the hypervisor sets identity, caches and clock; other guests may share "
                "caches and memory",
                *cpu->hypervisor ? cpu->hypervisor : "hypervisor not named", *product ? ", " : "", product);
}

void doctor_microcode(const struct doctor_input *input, struct finding *out) {
    char version[32];
    if (!osfile_line(input->root, "/proc/cpuinfo", "microcode", version, sizeof version))
        finding_say(out, SEVERITY_NOTE, "", "not known: the system does not report it");
    else if (input->machine->cpu.features & CPU_HYPERVISOR)
        finding_say(out, SEVERITY_OK, "", "%s, as reported by the hypervisor", version);
    else
        finding_say(out, SEVERITY_OK, "", "%s", version);
}

void doctor_caches(const struct doctor_input *input, struct finding *out) {
    static const char remedy[] = "trust the measured levels: `carmine sweep` shows them";
    const struct machine *machine = input->machine;
    if (strcmp(machine->cache_source, "none") == 0) {
        finding_say(out, SEVERITY_WARNING, MACHINE_CACHES_REMEDY, "%s",
                    machine->recorded ? "none in the recording"
                                      : "neither the system nor " ARCH_CACHES " report caches: DRAM is the only level");
        return;
    }
    if (strcmp(machine->cache_source, "hwloc") != 0) {
        finding_say(out, SEVERITY_WARNING, remedy,
                    "the system does not report caches; sizes and sharing are from " ARCH_CACHES);
        return;
    }
    if (machine->kind_count != 1 || input->cache_count == 0) {
        /* CPUID answers for the current core, whatever its kind. */
        finding_say(out, SEVERITY_OK, "", "as reported by hwloc; not compared with " ARCH_CACHES);
        return;
    }
    for (unsigned i = 0; i < machine->kinds[0].cache_count; i++) {
        const struct cache *ours = &machine->kinds[0].caches[i];
        for (unsigned j = 0; j < input->cache_count; j++)
            if (!ours->between && input->caches[j].level == ours->level &&
                input->caches[j].size_bytes != ours->size_bytes) {
                finding_say(out, SEVERITY_WARNING, remedy,
                            "hwloc and " ARCH_CACHES " disagree on the L%u: %llu and %llu KiB", ours->level,
                            (unsigned long long)(ours->size_bytes >> 10),
                            (unsigned long long)(input->caches[j].size_bytes >> 10));
                return;
            }
    }
    finding_say(out, SEVERITY_OK, "", "hwloc and " ARCH_CACHES " agree on the sizes");
}

/* Of SVE or SME, from the bit of its shortest vectors on; 0: it has none. */
static unsigned vector_bits(const struct doctor_input *input, cpu_features shortest) {
    enum { LEAST_BITS = 128, LENGTHS = 5 };
    for (unsigned i = 0; i < LENGTHS; i++)
        if (input->machine->cpu.features & shortest << i)
            return (unsigned)LEAST_BITS << i;
    return 0;
}

/* Linux gives programs 512 bits at most, or what /proc says (Documentation/arch/arm64/sve.rst). */
void doctor_vector_length(const struct doctor_input *input, struct finding *out) {
    enum { BYTE_BITS = 8 };
    const struct machine *machine = input->machine;
    const struct uarch *uarch = machine->kind_count ? uarch_find(&machine->cpu, machine->kinds[0].name).uarch : NULL;
    const unsigned documented = uarch ? uarch_vector_bytes(uarch) : 0;
    const unsigned bits = vector_bits(input, CPU_SVE128), streaming = vector_bits(input, CPU_SME128);
    char remedy[96], sme[32] = "";
    if (streaming > 0)
        snprintf(sme, sizeof sme, "; SME has %u bits", streaming);
    snprintf(remedy, sizeof remedy, "echo %u | sudo tee /proc/sys/abi/sve_default_vector_length", documented);
    if (bits == 0)
        finding_say(out, SEVERITY_OK, "", "no SVE%s", sme);
    else if (bits < BYTE_BITS * documented)
        finding_say(out, SEVERITY_WARNING, remedy, "SVE has %u bits here, %s has %u%s", bits, uarch_name(uarch),
                    BYTE_BITS * documented, sme);
    else
        finding_say(out, SEVERITY_OK, "", "SVE has %u bits%s", bits, sme);
}

void doctor_pmu(const struct doctor_input *input, struct finding *out) {
    const cpu_features features = input->machine->cpu.features;
    const bool device = perf_has_pmu(input->root);
    const struct papi_status *papi = input->papi;
    const char *need = features & CPU_AARCH64 ? "`carmine app` knows no flop without them (--flop N states them)"
                                              : "none needed: `carmine app` counts instructions itself";
    char remedy[160];
    snprintf(remedy, sizeof remedy, "%s; %s", need,
             features & CPU_HYPERVISOR ? "the hypervisor may offer a virtual PMU" : "look for `perf: ` in dmesg");
    if (papi && papi->counters)
        finding_say(out, SEVERITY_OK, "", "PAPI %s counts", papi->version);
    else if (!device)
        finding_say(out, SEVERITY_NOTE, remedy, "the kernel sees no performance counters%s%s",
                    papi && *papi->reason ? ": " : "", papi ? papi->reason : "");
    else if (papi)
        finding_say(out, SEVERITY_NOTE, need, "not usable: %s", papi->reason);
    else
        finding_say(out, SEVERITY_NOTE, "", "the kernel has counters; PAPI was not tried");
}

void doctor_paranoid(const struct doctor_input *input, struct finding *out) {
    static const char remedy[] = "sudo sysctl kernel.perf_event_paranoid=0";
    int64_t level;
    if (!osfile_number(input->root, "/proc/sys/kernel/perf_event_paranoid", &level))
        finding_say(out, SEVERITY_NOTE, "", "not known: no perf events in this kernel, or /proc is not mounted");
    else if (level > 2)
        finding_say(out, SEVERITY_WARNING, remedy, "%d: only root may count events", (int)level);
    else if (level > 0)
        finding_say(out, SEVERITY_NOTE, remedy, "%d: programs may be counted; memory traffic (uncore) only by root",
                    (int)level);
    else
        finding_say(out, SEVERITY_OK, "", "%d: everything may be counted", (int)level);
}

void doctor_watchdog(const struct doctor_input *input, struct finding *out) {
    int64_t on;
    if (!osfile_number(input->root, "/proc/sys/kernel/nmi_watchdog", &on))
        finding_say(out, SEVERITY_OK, "", "none in this kernel");
    else if (on)
        finding_say(out, SEVERITY_NOTE, "sudo sysctl kernel.nmi_watchdog=0", "on: it uses one hardware counter");
    else
        finding_say(out, SEVERITY_OK, "", "off");
}

void doctor_reference_cycles(const struct doctor_input *input, struct finding *out) {
    char why[160];
    if (input->reference_cycles == 0)
        finding_say(out, SEVERITY_OK, "", "can be counted: with the core's cycles they give its clock");
    else if (input->reference_cycles == DOCTOR_NOT_TRIED)
        finding_say(out, SEVERITY_NOTE, "", "not known: not tried");
    else
        finding_say(out, SEVERITY_NOTE, "", "cannot be counted: %s; clocks are measured by chains of additions",
                    perf_refusal(input->reference_cycles, false, why, sizeof why));
}

/* Intel documents the bits of one register that switch prefetchers off ("Disclosure of Hardware Prefetcher Control
 * on Some Intel Processors"); they apply to all cores with the same prefetchers since Nehalem. */
void doctor_prefetchers(const struct doctor_input *input, struct finding *out) {
    enum { REGISTER = 0x1a4, ALL = 0xf };
    static const char *const NAMES[] = {"L2's", "L2's of the next line", "L1's of the next line",
                                        "L1's by instruction"};
    uint64_t off;
    if (strcmp(input->machine->cpu.vendor, "GenuineIntel") != 0)
        finding_say(out, SEVERITY_NOTE, "", "not known: only Intel's cores report it");
    else if (!osfile_bytes(input->root, "/dev/cpu/0/msr", REGISTER, &off, sizeof off))
        finding_say(out, SEVERITY_NOTE, "sudo modprobe msr, and run as root, to see which are on",
                    "not known: /dev/cpu/0/msr cannot be read");
    else if ((off & ALL) == 0)
        finding_say(out, SEVERITY_OK, "", "all on (of CPU 0)");
    else {
        char list[128] = "";
        for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
            if (off >> i & 1)
                text_append(list, sizeof list, "%s%s", *list ? ", " : "", NAMES[i]);
        finding_say(out, SEVERITY_WARNING, "sudo wrmsr -a 0x1a4 0, unless that is what you want to measure",
                    "off (of CPU 0): %s", list);
    }
}
