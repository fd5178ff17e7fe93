# shellcheck shell=sh
# libcarmine as users get it: installed, found by pkg-config, linked in all ways, from C, C++ and Fortran.
. "$(dirname "$0")/../cli.sh"
repository=$(dirname "$tests")
CC=${CC:-cc}
unset LD_PRELOAD CARMINE_COLLECT_FOLDER CARMINE_COLLECT_EVENTS CARMINE_COLLECT_SAMPLE

# -o all: the build is up to date, and possibly has other flags.
start env LC_ALL=C make -C "$repository" -o all BUILD="$BUILD" PREFIX="$work/usr" install
expect "install" status 0 file usr/bin/carmine file usr/include/carmine.h file usr/include/carmine.f90 file usr/include/carmine_workload.h file usr/share/doc/carmine/docs/method.md file usr/share/man/man1/carmine-run.1 file usr/share/carmine/schema/carmine.check.2.json file usr/share/carmine/python/carmine.py \
    file usr/lib/libcarmine.a file usr/lib/libcarmine.so.1 true 'test -L usr/lib/libcarmine.so' \
    file usr/lib/carmine/libcarmine-papi.so file usr/lib/carmine/libcarmine-count.so file usr/lib/pkgconfig/carmine.pc \
    true '[ "$(grep -v "^make.*: " out | tail -n 3 | cut -d " " -f 1 | xargs)" = "export carmine cc" ]' true "grep -q × usr/share/zsh/site-functions/_carmine" out "PATH=\"$work/usr/bin:\$PATH\" PKG_CONFIG_PATH=\"$work/usr/lib/pkgconfig\""
PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
export PKG_CONFIG_PATH
unset LD_LIBRARY_PATH # programs find the library by themselves
flags="$(pkg-config --cflags carmine)" libraries="$(pkg-config --libs carmine)"

# built NAME COMMAND…: builds ./program with the command, without a warning. Status 1: it failed.
built() {
    built_name=$1
    shift
    rm -f program
    start "$@" -o program
    [ "$status" = 0 ] && [ ! -s err ] && return
    echo "not ok $built_name: the build fails"
    head -n 4 err | sed 's/^/    /'
    return 1
}
# Runs a program under the collector, which writes its report into the folder left.
measure() { # command
    rm -rf left && mkdir left
    CARMINE_COLLECT_FOLDER=$work/left LD_PRELOAD=$work/usr/lib/carmine/libcarmine-papi.so "$@" >measured 2>>err
}
calls() { awk -F '\t' -v name="$1" '$1 == "region" && $2 == name { print $3 }' left/regions.*; }

# From the build folder, too.
# shellcheck disable=SC2086
if built "the build folder" $CC -Wall -Wno-unknown-pragmas -I"$repository/probe/marks" "$repository/examples/triad.c" -L"$BUILD" -lcarmine; then
    start env LD_LIBRARY_PATH="$BUILD" ./program 1000 3
    expect "the build folder" status 0 out "sum 3496500" err-lines 0 true "readelf -d program | grep -q libcarmine.so.1"
fi

for way in "" "-static" "-static-pie" "-no-pie" "-flto" "-std=c99 -Wextra -Wpedantic -Werror"; do
    [ "$way" = -static ] && libraries="$(pkg-config --static --libs carmine)"
    echo 'int main(void) { return 0; }' >empty.c
    # shellcheck disable=SC2086
    if ! $CC $way -o empty empty.c 2>/dev/null; then
        skip "C $way" "$CC does not link so here"
        continue
    fi
    # shellcheck disable=SC2086
    built "C $way" $CC -Wall -Wno-unknown-pragmas $way $flags "$repository/examples/triad.c" $libraries || continue
    start ./program 1000 3
    case $way in
    -static*) expect "C $way" status 0 out "sum 3496500" err-lines 0 ;;
    *)
        measure ./program 1000 3
        expect "C $way" status 0 out "sum 3496500" err-lines 0 true 'cmp out measured' true '[ "$(calls triad)" = 1 ]'
        ;;
    esac
done

if command -v g++ >/dev/null; then
    # shellcheck disable=SC2086
    if built "C++" g++ -Wall -Wextra -Wpedantic -Werror $flags "$repository/examples/scope.cpp" $libraries; then
        start ./program 1000
        measure ./program 1000
        expect "C++, and a region that an exception ends" status 0 out "the root of 1000 is 31.622776602" \
            true 'cmp out measured' true '[ "$(calls roots) $(calls step)" = "1 31" ]' \
            true '[ "$(grep -c "^region" left/*)" = 3 ]' true 'awk -F "\t" "\$1 == \"region\" && \$6 + \$7 > 0 { exit 1 }" left/*'
    fi
else
    skip "C++" "there is no g++"
fi

if command -v gfortran >/dev/null; then
    # shellcheck disable=SC2086
    if built "Fortran" gfortran -Wall -Wextra -fopenmp -O2 "$(pkg-config --variable=fortran carmine)" "$repository/examples/triad.f90" $libraries; then
        start ./program 1000 3
        measure ./program 1000 3
        expect "Fortran" status 0 out "sum  3.49650" true 'cmp out measured' true '[ "$(calls triad)" = 1 ]'
    fi
else
    skip "Fortran" "there is no gfortran"
fi

# The measured roofs, from C, C++ and Fortran.
export R="$repository/results/zen3-2-cores-vm.json"
flags="$(pkg-config --cflags carmine-roofs)" libraries="$(pkg-config --libs carmine-roofs)"
# shellcheck disable=SC2086
if built "roofs" $CC -O2 -Wall -Wextra -Wpedantic -Werror -Wno-unknown-pragmas $flags "$repository/examples/attainable.c" $libraries -lm; then
    start ./program "$R"
    expect "how far from the roof" status 0 true 'grep -Eq "^[0-9.]+ Gflop/s of 3.4 that one core can reach at 1/12 flop/B: [0-9]+ % " out'
    start ./program "$repository/Makefile"
    expect "roofs of no result" status 1 err "Makefile: "
    start ./program "$repository/specs/none.json"
    expect "roofs of no file" status 1 err "none.json"
    start ./program "$work"
    expect "roofs of a folder" status 1 err "$work: is a directory"
    sed "s,carmine.result/1,carmine.result/2," "$R" >later.json
    start ./program later.json
    expect "roofs of a result in a form of later" status 1 err "later.json: no result of carmine run with the schema carmine.result/1"
fi
cat >roofs.cpp <<'END'
#include <carmine_roofs.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
static void print(const carmine_roofs *roofs, const char *name, unsigned threads) {
    std::printf("%s %.4g\n", name, carmine_roof_value(roofs, name, threads));
}
int main() {
    carmine_roofs *roofs = carmine_roofs_open(std::getenv("R"));
    for (const char *name : {"f64", "avx2.f64.fma", "L1", "L3", "L3 avx2.load", "DRAM", "DRAM chase", "f16", "L4", "L", ""})
        print(roofs, name, CARMINE_ALL_CORES);
    for (const char *name : {"f64", "DRAM", "DRAM chase"})
        print(roofs, name, 1);
    print(roofs, "DRAM", 7);
    std::printf("%g\n", carmine_roof_attainable(roofs, "DRAM", "f64", 1000, 1) == carmine_roof_value(roofs, "f64", 1) ? 1. : 0.);
    const double negative = carmine_roof_attainable(roofs, "DRAM", "f64", -1, 1);
    carmine_roofs_close(roofs);
    carmine_roofs_close(nullptr);
    const bool refused = !carmine_roofs_open(nullptr) && std::strstr(carmine_roofs_error(), "NULL");
    return std::isnan(carmine_roof_value(nullptr, "f64", 1)) && std::isnan(negative) && refused ? 0 : 1;
}
END
# The library's values equal those of the file, which awk finds.
cat >roofs.awk <<'END'
function best(name, threads, value) { if (!((name, threads) in is) || (name ~ /chase/ ? value < is[name, threads] : value > is[name, threads])) is[name, threads] = value }
/"kernel":/ && !/"small_pages":true/ {
    kernel = threads = value = level = ""
    if (match($0, /"kernel":"[^"]*/)) kernel = substr($0, RSTART + 10, RLENGTH - 10)
    if (match($0, /"level":"[^"]*/)) level = substr($0, RSTART + 9, RLENGTH - 9)
    if (match($0, /"threads":[0-9]*/)) threads = substr($0, RSTART + 10, RLENGTH - 10)
    if (match($0, /"value":[^,]*/)) value = substr($0, RSTART + 8, RLENGTH - 8) + 0
    n = split(kernel, part, ".")
    if (!threads || !value || /"rate":\[[^]]*\]\]/) next
    if (level == "") { best(part[2], threads, value); best(kernel, threads, value) }
    else { best(level " " kernel, threads, value); if (kernel != "chase" && part[n] != "random") best(level, threads, value) }
}
function tell(name, threads) { printf "%s %s\n", name, (name, threads) in is ? sprintf("%.4g", is[name, threads]) : "nan" }
END {
    n = split("f64|avx2.f64.fma|L1|L3|L3 avx2.load|DRAM|DRAM chase|f16|L4|L|", names, "|")
    for (i = 1; i <= n; i++) tell(names[i], 2)
    tell("f64", 1); tell("DRAM", 1); tell("DRAM chase", 1); tell("DRAM", 7)
    print 1
}
END
if command -v g++ >/dev/null; then
    # shellcheck disable=SC2086
    if built "roofs in C++" g++ -Wall -Wextra -Wpedantic -Werror $flags roofs.cpp $libraries; then
        start ./program
        grep '"kernel":' "$R" | grep '"value":' | awk -f roofs.awk >wanted
        expect "roofs in C++: as the file has them" status 0 true 'diff wanted out'
    fi
fi
cat >roofs.f90 <<'END'
program roofs_of_this_machine
    use carmine_roofs
    use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
    implicit none
    type(carmine_roofs_file) :: roofs
    character(len=1024) :: path
    call get_environment_variable('R', path)
    roofs = carmine_roofs_open(path)
    print '(es9.2)', carmine_roof_attainable(roofs, 'DRAM', 'f64', 0.125d0, 1)
    print '(l1)', ieee_is_nan(carmine_roof_value(roofs, 'L4', carmine_all_cores))
    call carmine_roofs_close(roofs)
end program
END
if command -v gfortran >/dev/null; then
    # shellcheck disable=SC2086
    if built "roofs in Fortran" gfortran -Wall -Wextra "$(pkg-config --variable=fortran carmine-roofs)" roofs.f90 $libraries; then
        start ./program
        expect "roofs in Fortran" status 0 out "5.1" out "T"
    fi
fi
flags="$(pkg-config --cflags carmine)" libraries="$(pkg-config --libs carmine)"

# A marked library that the program loads, and a test collector that logs its calls.
cat >library.c <<'END'
#include <carmine.h>
static void work_on(const char *name) {
    carmine_region_begin(name);
    carmine_region_end(name);
}
void work(void) { work_on("in the library"); }
__attribute__((constructor)) static void start(void) { work_on("at its start"); }
__attribute__((destructor)) static void end(void) { work_on("at its end"); }
END
cat >loader.c <<'END'
#include <carmine.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
    void *library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 2;
    void (*work)(void) = (void (*)(void))dlsym(library, "work");
    errno = 77;
    work();
    carmine_region_begin("outer");
    work();
    carmine_region_end("outer");
    if (errno != 77 || dlerror())
        return 3;
    return 0;
}
END
cat >collector.c <<'END'
#include <errno.h>
#include <stdio.h>
struct carmine_collector {
    unsigned version;
    void (*begin)(const char *), (*end)(const char *);
};
static void begin(const char *name) { printf("(%s", name), errno = 77; }
static void end(const char *name) { printf(" %s)", name), errno = 77; }
const struct carmine_collector carmine_collector = {VERSION, begin, end};
END
echo 'void work(void); int main(void) { work(); return 0; }' >linked.c
# shellcheck disable=SC2086
$CC -shared -fPIC $flags -o library.so library.c $libraries && $CC -o linked linked.c ./library.so $libraries && $CC $flags -o loader loader.c $libraries -ldl &&
    $CC -shared -fPIC -DVERSION=1 -o collector.so collector.c && $CC -shared -fPIC -DVERSION=2 -o newer.so collector.c
start ./loader
expect "a loaded library's marks, errno and dlerror" status 0 lines 0 err-lines 0
start env LD_PRELOAD=./collector.so ./loader
expect "a collector is told the names in their order" status 0 \
    out "(at its start at its start)(in the library in the library)(outer(in the library in the library) outer)"
start env LD_PRELOAD=./newer.so ./loader
expect "a collector of another version is left alone" status 0 lines 0 not library
measure ./loader
expect "a loaded library's marks, measured" true '[ "$(calls "in the library") $(calls outer)" = "2 1" ]'
measure ./linked
expect "marks before the collector's own start" true '[ "$(calls "at its start") $(calls "in the library")" = "1 1" ]' \
    true 'tail -n 1 left/* | grep -q ^end'
start env LD_PRELOAD="$work/usr/lib/carmine/libcarmine-papi.so" ./loader
expect "a collector that is not asked for leaves nothing" status 0 lines 0 err-lines 0 true '[ "$(ls left | wc -l)" = 1 ]'

# A moved tree: the program finds its libraries, and programs find the headers and libraries.
mv usr moved
PKG_CONFIG_PATH=$work/moved/lib/pkgconfig
# shellcheck disable=SC2046
if built "a moved tree" $CC -O2 "$repository/examples/attainable.c" $(pkg-config --cflags --libs carmine carmine-roofs) -lm; then
    start ./program "$repository/results/granite-rapids-2-cores-vm.json"
    expect "a moved tree: libraries of programs" status 0 err-lines 0 true 'readelf -d program | grep -q "RUNPATH.*moved/lib"'
fi
start moved/bin/carmine app -- ./program "$repository/results/granite-rapids-2-cores-vm.json"
expect "a moved tree: the counter" status 0 not "$work/usr"
start moved/bin/carmine workload
expect "a moved tree: the workloads" status 0 out triad
mv moved usr

start make -C "$repository" BUILD="$BUILD" PREFIX="$work/usr" uninstall
expect "uninstall" status 0 true '[ -z "$(find usr -type f -o -type l)" ]' no-file usr/lib/carmine
end_of_cases
