# Built without any optional library, as on a machine that has none of them: carmine measures and shows, and refuses the
# rest with a line that names the library and its package. The objects are those of BUILD.
. "$(dirname "$0")/../cli.sh"
here=$work/build
absent="papi pfm zydis elf cairo ncurses"
case $isa in sse) libraries=6 ;; *) libraries=5 ;; esac # of AArch64 no build has Zydis
if grep -q __asan_init "$BUILD/carmine"; then
    skip "built without libraries" "the objects have sanitizers, which a build of this test lacks"
    end_of_cases
    exit
fi
mkdir "$here" && cp -a "$BUILD/generate" "$BUILD/asm" "$BUILD/bench" "$BUILD/carm" "$BUILD/probe" "$BUILD/render" "$BUILD/pic" "$BUILD/carmine-workload" "$here"
remake() { start make --no-print-directory -C "$tests/.." BUILD="$here" WITHOUT="$absent" "$here/carmine" "$here/libcarmine-papi.so"; }

remake
expect "built without libraries" status 0 file "$here/carmine" out "without  PAPI" out "without  ncurses" \
    true "[ \$(grep -c ^without out) = $libraries ]" true "! ldd $here/carmine $here/libcarmine-papi.so | grep -E '(lib(papi|pfm|Zydis|elf|dw|cairo|ncursesw))[.]'"
[ "$status" = 0 ] || { end_of_cases; exit; }
remake
expect "said once" status 0 not "without" not "link"
carmine=$here/carmine

run run --isa $isa --type f64 --mix mul,load --threads 1 --budget 5 -o q.json
expect "run" status 0 file q.json file q.svg out "f64 peak" not "built without"
run show q.json
expect "show" status 0 out "f64 peak" err-lines 0
run machine
expect "machine" status 0 err-lines 0
run doctor
expect "doctor" status 0 err-lines 0
run plot q.json
expect "plot without a file" status 0 out "f64"
run plot q.json -o x.svg
expect "plot as SVG" status 0 true "grep -q 'textLength=\"[1-9]' x.svg"
run plot q.json -o x.html
expect "a report for browsers" status 0 file x.html

lacks() { # package, command
    package=$1
    shift
    refuses "refused without $package: $*" "install $package and build it again" "$@"
    expect "  in a sentence" err "this carmine was built without "
}
lacks libncurses-dev view q.json
lacks libcairo2-dev plot q.json -o x.png
lacks libcairo2-dev run --quick --plot x.pdf
lacks libpapi-dev app --counters papi -- true
lacks "libelf-dev and libdw-dev" app --counters papi --by function -- true
decodes() { # command: needs Zydis, and x86-64
    case $isa in sse) lacks libzydis-dev "$@" ;; *) refuses "refused on AArch64: $*" "on x86-64 alone" "$@" ;; esac
}
decodes app -- true
expect "  with the way out" err "--flop N --bytes N state what it does"
decodes app --counters count -- true
decodes app --levels -- true
decodes workload --validate
run workload daxpy --sizes 1000 --quick --json
expect "workload: work by theory" status 0 err "flop and bytes are those of theory: " \
    true '[ "$(json points.0.flop points.0.sources.flop points.0.sources.core_bytes <out | xargs)" = "2000 stated stated" ]'
decodes sweep --dlp
decodes sweep --prefetch
run kernels
if [ $isa = sse ]; then
    expect "kernels" status 0 err-lines 0 not "--verify"
    for each in core "kernels --verify" "kernels --disassemble sse.f64.add"; do
        # shellcheck disable=SC2086
        lacks libzydis-dev $each
    done
else
    expect "kernels" status 0 err-lines 0
fi

absent=papi
remake
expect "linked anew where other libraries are missing" status 0 out "without  PAPI" not "cairo" true "ldd $here/carmine | grep libcairo"
end_of_cases
