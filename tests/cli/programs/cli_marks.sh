# shellcheck shell=sh
# libcarmine as others use it: installed, found by pkg-config, linked in all ways, from C, C++ and Fortran.
. "$(dirname "$0")/../cli.sh"
repository=$(dirname "$tests")
CC=${CC:-cc}
unset LD_PRELOAD CARMINE_FOLDER CARMINE_EVENTS CARMINE_SAMPLE

# What was built, maybe with other flags than these, is up to date.
start make -C "$repository" -o all BUILD="$BUILD" PREFIX="$work/usr" install
expect "install" status 0 file usr/bin/carmine file usr/include/carmine.h file usr/include/carmine.f90 file usr/include/carmine_workload.h \
    file usr/lib/libcarmine.a file usr/lib/libcarmine.so.1 true 'test -L usr/lib/libcarmine.so' \
    file usr/lib/carmine/libcarmine-papi.so file usr/lib/carmine/libcarmine-count.so file usr/lib/pkgconfig/carmine.pc
PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
LD_LIBRARY_PATH=$work/usr/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
flags="$(pkg-config --cflags carmine)" libraries="$(pkg-config --libs carmine)"

# built NAME COMMAND…: builds ./program with it, without a warning, or skips what follows.
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
# Runs a program under the collector, which leaves its report in the folder left.
measure() { # command
    rm -rf left && mkdir left
    CARMINE_FOLDER=$work/left LD_PRELOAD=$work/usr/lib/carmine/libcarmine-papi.so "$@" >measured 2>>err
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
    if built "Fortran" gfortran -Wall -Wextra -fopenmp -O2 "$work/usr/include/carmine.f90" "$repository/examples/triad.f90" $libraries; then
        start ./program 1000 3
        measure ./program 1000 3
        expect "Fortran" status 0 out "sum  3.49650" true 'cmp out measured' true '[ "$(calls triad)" = 1 ]'
    fi
else
    skip "Fortran" "there is no gfortran"
fi

# A library with marks that the program loads, and a collector of our own that writes down what it is told.
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

start make -C "$repository" BUILD="$BUILD" PREFIX="$work/usr" uninstall
expect "uninstall" status 0 true '[ -z "$(find usr -type f -o -type l)" ]' no-file usr/lib/carmine
end_of_cases
