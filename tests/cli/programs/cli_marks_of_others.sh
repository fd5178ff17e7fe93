#!/bin/sh
# Existing marks of programs: LIKWID, PAPI, ITT, Kokkos Tools, Caliper, NVTX, SSC marks. Each program behaves as it does
# natively, and its calls reach its own library. Its regions are found by the timer and by the counter. The tests use
# the real header and library if installed, otherwise the excerpts in tests/apps/marks.
# shellcheck disable=SC2086
. "$(dirname "$0")/../count.sh"
unset CARMINE_COLLECT_MARKS INTEL_LIBITTNOTIFY64 KOKKOS_TOOLS_LIBS KOKKOS_PROFILE_LIBRARY NVTX_INJECTION64_PATH
source=$tests/apps/marks
adapters=$BUILD/libcarmine-marks.so
tools=$BUILD/libcarmine-tools.so
variables="INTEL_LIBITTNOTIFY64=$tools KOKKOS_TOOLS_LIBS=$tools NVTX_INJECTION64_PATH=$tools"
export LD_LIBRARY_PATH="$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

command -v cc >/dev/null || {
    skip "marks of other systems" "there is no C compiler"
    end_of_cases
    exit
}

# Runs a program with a collector and the adapters. The collector writes into the folder reports.
collected() { # library command…
    library=$1
    shift
    rm -rf reports && mkdir reports
    start env CARMINE_COLLECT_FOLDER="$work/reports" LD_PRELOAD="$BUILD/$library:$adapters" $variables "$@"
}

# found NAME COMMAND…: the command prints and ends as it does natively. The regions' counts are those that it prints,
# and so are the timer's calls.
found() {
    found_name=$1
    shift
    native "$@"
    collected libcarmine-count.so "$@"
    "$BUILD/tests/helpers/profile" reports >profile 2>profile.err
    expect "$found_name: counted" status "$native_status" true 'cmp native.out out' true '[ ! -s profile.err ]' \
        true '[ -z "$(wrong_counts)" ]' true 'grep -q ^region native.out' true '! grep -q libcarmine- profile'
    wrong_counts | sed 's/^/    /'
    collected libcarmine-papi.so "$@"
    expect "$found_name: timed" status "$native_status" true 'cmp native.out out' true '[ -z "$(wrong_calls)" ]'
    wrong_calls | sed 's/^/    /'
}

# Prints each region whose calls, open and mismatched marks in the timer's report differ from the program's output.
wrong_calls() {
    awk -F '\t' '
        FNR == NR { if ($1 == "region") found[$2] = "calls " $3 " open " $6 " mismatched " $7; next }
        /^region / {
            split($0, quoted, "\"")
            match($0, /calls .* flop/)
            wanted = substr($0, RSTART, RLENGTH - 5)
            if (found[quoted[2]] != wanted) print quoted[2] ": not", wanted, "but", found[quoted[2]]
        }' reports/regions.* native.out
}

# builds PROGRAM COMPILER…
builds() {
    built=$1
    shift
    "$@" -g -O2 -Wall -o "$built" 2>built.err && return
    echo "not ok $built is built: $(head -n 3 built.err)"
    return 1
}

builds liblikwid_here.so cc -shared -fPIC "$source/likwid_library.c" &&
    builds likwid cc "$source/likwid.c" -L. -llikwid_here -pthread && found "LIKWID" ./likwid
if echo '#include <likwid-marker.h>' | cc -DLIKWID_PERFMON -fsyntax-only -x c - 2>/dev/null; then
    builds likwid_real cc -DLIKWID_PERFMON "$source/likwid.c" -llikwid -pthread && found "LIKWID's own library" ./likwid_real
else
    skip "LIKWID's own library" "it is not here (Debian: likwid)"
fi
builds papi cc "$source/papi.c" -lpapi && found "PAPI" ./papi
builds itt cc "$source/itt.c" && found "ITT" ./itt
builds kokkos cc "$source/kokkos.c" && found "Kokkos Tools" ./kokkos
builds nvtx cc "$source/nvtx.c" && found "NVTX" ./nvtx
if command -v c++ >/dev/null; then
    builds libcaliper_here.so c++ -shared -fPIC "$source/caliper_library.cpp" &&
        builds caliper c++ "$source/caliper.cpp" -L. -lcaliper_here && found "Caliper" ./caliper
else
    skip "Caliper" "there is no C++ compiler"
fi

# An old Kokkos uses another variable.
own_variables=$variables
if c++ -I/usr/include/trilinos -fopenmp -O2 -o kokkos_real "$source/kokkos_real.cpp" -ltrilinos_kokkoscore -ldl 2>/dev/null; then
    variables="KOKKOS_PROFILE_LIBRARY=$tools"
    found "Kokkos's own library" ./kokkos_real
    start env KOKKOS_PROFILE_LIBRARY="$tools" "$carmine" app --json --repeat 1 -- ./kokkos_real
    expect "Kokkos's own library: points" status 0 true '[ "$(json points.1.name <out)" = kokkos_real/solve ]' not "passed to the library"
else
    skip "Kokkos's own library" "it is not here (Debian: libtrilinos-kokkos-dev)"
fi

variables=$own_variables

# A program loaded with RTLD_LOCAL, as Python loads modules: its marker library is not in the global scope.
cat >loader.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv) {
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
    int (*run)(void) = module ? (int (*)(void))dlsym(module, "run") : 0;
    return run ? run() : 2;
}
END
builds loader cc loader.c && builds module.so cc -shared -fPIC -Dmain=run "$source/likwid.c" -L. -llikwid_here -pthread &&
    found "a library that is loaded for itself" ./loader ./module.so

# SSC marks are instructions; only the counter sees them.
builds ssc cc "$source/ssc.c"
native ./ssc
variables=CARMINE_COLLECT_MARKS=ssc,1:2,2:3
collected libcarmine-count.so ./ssc
"$BUILD/tests/helpers/profile" reports >profile 2>profile.err
expect "SSC marks" status 0 true 'cmp native.out out' true '[ -z "$(wrong_counts)" ]' true '[ "$(grep -c ^region profile)" = 5 ]'

# --marks selects systems of marks.
run app --json --repeat 1 -- ./likwid
expect "regions of other systems are points" status 0 true '[ "$(json points.0.name points.4.name <out)" = "likwid/outer
likwid/thread" ]'
run app --json --repeat 1 --marks papi,carmine -- ./likwid
expect "only those that are chosen" status 0 true '[ "$(json points.0.name <out)" = likwid ]'
run app --json --repeat 1 --marks none -- ./ssc
expect "no marks at all" status 0 true '[ "$(json points.0.name <out)" = ssc ]' not "SSC marks"
run app --json --repeat 1 -- ./ssc
expect "SSC marks: said, not timed" status 0 true '[ "$(json points.0.name <out)" = ssc ]' out "counted and not timed"
run app --json --repeat 1 --by region --marks ssc,1:2 -- ./ssc
expect "SSC marks: asked for" status 0 true '[ "$(json points.0.name points.2.name points.2.flop <out | head -n 2)" = "ssc/region
ssc/ssc 0x1" ]'
# A tool of the user, with functions that call each other.
cat >tool.c <<'END'
#include <stdint.h>
#include <stdio.h>
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *kernel) {
    *kernel = 5;
    printf("tool: %s on %u\n", name, device);
}
void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *kernel) {
    kokkosp_begin_parallel_for(name, device, kernel);
}
END
builds tool.so cc -shared -fPIC tool.c
start env KOKKOS_TOOLS_LIBS="$work/tool.so" ./kokkos
cp out native.out
start env KOKKOS_TOOLS_LIBS="$work/tool.so" "$carmine" app --repeat 1 -- ./kokkos
expect "a tool that is chosen already is told as before" status 0 out "tool: a scan on 0" true '! diff native.out out | grep "^<"'
start env KOKKOS_TOOLS_LIBS="$work/tool.so" "$carmine" app --json --repeat 1 -- ./kokkos
expect "it takes the marks" status 0 true '[ "$(json points.0.name <out)" = kokkos ]' out "KOKKOS_TOOLS_LIBS"
refuses "no system of marks" "'likwit' is not a system of marks; use carmine,ssc,likwid" app --marks likwit -- ./likwid
refuses "none and something" "'none' is not a system of marks" app --marks likwid,none -- ./likwid

start env KOKKOS_PROFILE_LIBRARY=/no/such/tool.so "$carmine" app --json --repeat 1 -- ./kokkos
expect "so does one by its former variable" status 0 out "the library in KOKKOS_PROFILE_LIBRARY" not "KOKKOS_TOOLS_LIBS"

# --marks selects libcarmine's own marks, too.
run app --json --repeat 1 --marks ssc -- "$apps/regions" nested
expect "libcarmine's marks left out" status 0 true '[ "$(json points.0.name <out)" = regions ]'
end_of_cases
