/* SPDX-License-Identifier: BSD-3-Clause
 * The source of a topology: this machine, an XML file, or hwloc's environment variables. hwloc itself ignores a
 * source that it cannot read and describes this machine instead, so each source is tried, and fails, explicitly. */
#include "error.h"
#include "machine.h"
#include "midr.h"
#include "need.h"
#include "topology.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "osfile.h"

static const char RECORD_REMEDY[] = "record one with `lstopo --of xml FILE` on the machine in question";

/* Include disallowed PUs, to show how much of the machine is allowed; and caches before the memory, which hwloc
 * leaves out by default. */
static bool wishes_set(hwloc_topology_t topology) {
    return hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
           hwloc_topology_set_type_filter(topology, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL) == 0;
}

/* hwloc 2.9 crashes on some malformed files (an object without complete_cpuset), aborts on others, and prints
 * messages about them. So a child process loads and checks the file first, and only its exit status counts. */
_Noreturn static void xml_try(const char *path) {
    enum { MAX_CPU_SECONDS = 20 };
    const struct rlimit time = {MAX_CPU_SECONDS, MAX_CPU_SECONDS}, no_core = {0, 0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &no_core);
    const int silence = open("/dev/null", O_WRONLY);
    dup2(silence, STDOUT_FILENO);
    dup2(silence, STDERR_FILENO);
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0 || hwloc_topology_set_xml(topology, path) < 0 || !wishes_set(topology) ||
        hwloc_topology_load(topology) < 0)
        _exit(1);
    hwloc_topology_check(topology);
    _exit(0);
}

static bool xml_survives(const char *path, struct error *err) {
    const pid_t child = fork();
    if (child == 0)
        xml_try(path);
    int status = 1;
    pid_t ended = child;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0)
        return error_set(err, "%s: cannot start a process to read it: %s; end other processes, or raise `ulimit -u`",
                         path, strerror(errno));
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           error_set(err, "%s: not a complete hwloc topology in XML; %s", path, RECORD_REMEDY);
}

/* The major version of hwloc in the file; 0: none, as in files of hwloc 1. */
static unsigned xml_version(const char *path) {
    char text[4096];
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    const char *said = strstr(text, "<topology version=\"");
    return said ? (unsigned)strtoul(strchr(said, '"') + 1, NULL, 10) : 0;
}

static bool xml_set(hwloc_topology_t topology, const char *path, struct error *err) {
    enum { LARGEST_MIB = 64 }; /* a machine of 4,096 PUs takes about 4 */
    const unsigned own = hwloc_get_api_version() >> 16;
    struct stat status;
    if (stat(path, &status) < 0)
        return error_set(err, "%s: %s; %s", path, strerror(errno), RECORD_REMEDY);
    if (!S_ISREG(status.st_mode))
        return error_set(err, "%s: not a regular file, so not an hwloc topology; %s", path, RECORD_REMEDY);
    if (status.st_size > (off_t)LARGEST_MIB << 20)
        return error_set(err, "%s: larger than %d MiB, so not an hwloc topology; %s", path, LARGEST_MIB, RECORD_REMEDY);
    if (access(path, R_OK) < 0)
        return error_set(err, "%s: %s", path, strerror(errno));
    const unsigned made_by = xml_version(path);
    if (made_by > own)
        return error_set(
            err,
            "%s: made by hwloc %u, which hwloc %u cannot read; with hwloc %u's own lstopo, write it again: "
            "`lstopo -i %s --of v%uxml NEW.xml`",
            path, made_by, own, made_by, path, own);
    return xml_survives(path, err) &&
           (hwloc_topology_set_xml(topology, path) == 0 || error_set(err, "%s: %s", path, strerror(errno)));
}

static bool synthetic_set(hwloc_topology_t topology, const char *description, struct error *err) {
    return hwloc_topology_set_synthetic(topology, description) == 0 ||
           error_set(err, "HWLOC_SYNTHETIC: \"%s\" is not a synthetic topology; see lstopo(1), or unset it",
                     description);
}

static const char *set_variable(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* HWLOC_THISSYSTEM: the user declares that the source describes this very machine. */
static bool said_to_be_this_machine(void) {
    const char *said = set_variable("HWLOC_THISSYSTEM");
    return said && strtol(said, NULL, 10) != 0;
}

static bool is_in_folder(const char *folder, const char *name) {
    char path[PATH_MAX];
    return (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path && access(path, F_OK) == 0;
}

/* hwloc itself reads the folders that its variables name. It takes missing data from this machine, unless the
 * component of hwloc that reads this machine is left out. */
static bool folder_set(hwloc_topology_t topology, const char *variable, const char *has, const char *without,
                       struct error *err) {
    const char *folder = set_variable(variable);
    if (!is_in_folder(folder, has))
        return error_set(err, "%s: no recorded machine: %s/%s is missing; see hwloc-gather-topology(1), or unset it",
                         variable, folder, has);
    return said_to_be_this_machine() || !without ||
           hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, without) == 0 ||
           errno == EINVAL || /* this hwloc has no such component, as none of Arm has that of x86 */
           error_set(err, "%s: hwloc cannot leave out %s, which looks at this machine", variable, without);
}

static bool cpuid_set(hwloc_topology_t topology, const char *folder, struct error *err) {
    (void)folder;
    return folder_set(topology, "HWLOC_CPUID_PATH", "hwloc-cpuid-info", "linux", err);
}

static bool fsroot_set(hwloc_topology_t topology, const char *folder, struct error *err) {
    (void)folder;
    const bool both = set_variable("HWLOC_CPUID_PATH") != NULL;
    return folder_set(topology, "HWLOC_FSROOT", "sys/devices/system/cpu", both ? NULL : "x86", err) &&
           (!both || folder_set(topology, "HWLOC_CPUID_PATH", "hwloc-cpuid-info", NULL, err));
}

static const struct source {
    const char *variable;
    bool (*set)(hwloc_topology_t topology, const char *value, struct error *err);
    const char *system_file; /* in a folder: the system's name and architecture */
} SOURCES[] = {
    /* in hwloc's own order of precedence */
    {"HWLOC_FSROOT", fsroot_set, "/proc/hwloc-nofile-info"},
    {"HWLOC_CPUID_PATH", cpuid_set, "/proc/hwloc-nofile-info"},
    {"HWLOC_SYNTHETIC", synthetic_set, NULL},
    {"HWLOC_XMLFILE", xml_set, NULL},
};

/* The variable that applies; NULL: none is set, or its value is this machine's own root. */
static const struct source *source_chosen(void) {
    for (size_t i = 0; i < sizeof SOURCES / sizeof *SOURCES; i++) {
        const char *value = set_variable(SOURCES[i].variable);
        if (value && strcmp(value, "/") != 0)
            return &SOURCES[i];
    }
    return NULL;
}

/* The system's name and architecture from a recording, if it has them: hwloc would fill in this machine's. */
static void system_read(hwloc_topology_t topology, const struct source *source, const char *value,
                        struct machine *out) {
    if (source && source->system_file) {
        osfile_line(value, source->system_file, "HostName:", out->host, sizeof out->host);
        osfile_line(value, source->system_file, "Architecture:", out->architecture, sizeof out->architecture);
        return;
    }
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    const char *host = hwloc_obj_get_info_by_name(root, "HostName");
    const char *architecture = hwloc_obj_get_info_by_name(root, "Architecture");
    snprintf(out->host, sizeof out->host, "%s", host ? host : "");
    snprintf(out->architecture, sizeof out->architecture, "%s", architecture ? architecture : "");
}

/* Adds a kind of cores for each of Arm's parts, as hwloc itself does from 3.0 on. */
static void parts_register(hwloc_topology_t topology, const char *root) {
    enum { PARTS = 8 };
    uint32_t parts[PARTS], midr;
    hwloc_bitmap_t cpusets[PARTS];
    unsigned count = 0, i;
    for (hwloc_obj_t pu = NULL; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
        if (!midr_read(root, pu->os_index, &midr))
            break;
        for (i = 0; i < count && parts[i] != midr; i++)
            ;
        if (i == PARTS)
            break;
        if (i == count) {
            parts[count] = midr;
            cpusets[count++] = need_made(hwloc_bitmap_alloc());
        }
        hwloc_bitmap_or(cpusets[i], cpusets[i], pu->cpuset);
    }
    for (i = 0; i < count; i++) {
        char texts[4][8];
        struct hwloc_info_s infos[] = {
            {"CPUImplementer", texts[0]}, {"CPUVariant", texts[1]}, {"CPUPart", texts[2]}, {"CPURevision", texts[3]}};
        midr_texts(parts[i], texts);
        hwloc_cpukinds_register(topology, cpusets[i], -1, 4, infos, 0);
        hwloc_bitmap_free(cpusets[i]);
    }
}

bool topology_open(hwloc_topology_t topology, const char *path, struct machine *out, struct error *err) {
    const struct source *source = path ? NULL : source_chosen();
    const char *value = source ? set_variable(source->variable) : path;
    if ((path && !xml_set(topology, path, err)) || (source && !source->set(topology, value, err)))
        return false;
    if (!wishes_set(topology) || hwloc_topology_load(topology) < 0)
        return error_set(err, "hwloc cannot load the topology of %s: %s", value ? value : "this machine",
                         strerror(errno));
    const bool here = hwloc_topology_is_thissystem(topology);
    if (source && here && !said_to_be_this_machine())
        return error_set(err,
                         "%s: hwloc finds no recorded machine in %s; record one with hwloc-gather-topology, or "
                         "unset it",
                         source->variable, value);
    out->recorded = path || !here; /* --topology is never this machine */
    system_read(topology, source, value, out);
    if (!path && (!source || source->system_file))
        parts_register(topology, source ? value : "");
    snprintf(out->topology_source, sizeof out->topology_source, "%s",
             value           ? value
             : out->recorded ? "hwloc's environment variables"
                             : "this machine");
    return true;
}
