# shellcheck shell=sh
# How events are grouped into sets. A stand-in for PAPI (fake_papi.c) simulates a hybrid CPU with few counters.
. "$(dirname "$0")/../cli.sh"
CC=${CC:-cc}
unset LD_PRELOAD CARMINE_COLLECT_FOLDER CARMINE_COLLECT_EVENTS CARMINE_COLLECT_SAMPLE
mkdir fake
name=$(readelf -d "$BUILD/libcarmine-papi.so" | sed -n 's/.*(NEEDED).*\[\(libpapi[^]]*\)\].*/\1/p')
# shellcheck disable=SC2046
$CC -D_GNU_SOURCE -Wall -Wextra -shared -fPIC $(pkg-config --cflags papi) -Wl,-soname,"$name" -o "fake/$name" "$tests/support/fake_papi.c" ||
    echo "not ok the stand-in is built"

# count EVENT…: counts these events in the marked regions "outer", "inner" and "innermost".
count() {
    rm -rf left log && mkdir left && touch log
    start env CARMINE_COLLECT_FOLDER="$work/left" CARMINE_COLLECT_EVENTS="$(printf '%s\n' "$@")" FAKE_PAPI_LOG="$work/log" \
        LD_LIBRARY_PATH="$work/fake" LD_PRELOAD="$BUILD/libcarmine-papi.so" "$BUILD/apps/regions" nested
}
events() { awk -F '\t' '$1 == "event" { print $2, $3 }' left/* | xargs; }
# The counts of region "innermost": three calls, each between two consecutive readings.
values() { awk -F '\t' '$1 == "region" && $2 == "innermost" { for (i = 8; i <= NF; i++) print $i }' left/* | xargs; }
failure() { sed -n 's/^failure\t//p' left/*; }
# sets NUMBER: the last sets that were started, one per line. Before, each event was tried alone and each set as a
# whole.
sets() { tail -n "$1" log; }

count glc::x1 glc::x2
expect "one set" status 0 true '[ "$(events)" = "threads glc::x1 threads glc::x2" ]' true '[ "$(values)" = "3 6" ]' \
    true '[ "$(sets 1)" = "perf_event glc::x1 glc::x2" ]' true '[ -z "$(failure)" ]' true '! grep -q rdpmc log' \
    true '! grep -q multiplexed left/*'

count glc::x1 grt::x10 glc::x2 mc:::x7 grt::x20
expect "a set for each kind of core, and one of the machine" status 0 \
    true '[ "$(events)" = "threads glc::x1 threads glc::x2 threads grt::x10 threads grt::x20 machine mc:::x7" ]' \
    true '[ "$(values)" = "3 6 30 60 21" ]' true '[ -z "$(failure)" ]' \
    true '[ "$(sets 2)" = "$(printf "perf_event glc::x1 glc::x2\nperf_event attached grt::x10 grt::x20")" ]'

count glc::x1 glc::x2 glc::x3 glc::x4 glc::x5
expect "more events than counters take turns" status 0 true '[ "$(values)" = "3 6 9 12 15" ]' true 'grep -q ^multiplexed left/*' \
    true '[ "$(sets 1)" = "perf_event multiplexed glc::x1 glc::x2 glc::x3 glc::x4 glc::x5" ]' true '[ -z "$(failure)" ]'

count glc::x1 unknown::x1 glc::x2
expect "an event that is not known" status 0 true '[ "$(events)" = "threads glc::x1 threads glc::x2" ]' \
    true '[ "$(values)" = "3 6" ]' true 'failure | grep -q "^unknown::x1: "'
count forbidden::x1 glc::x2
expect "an event that is not permitted" status 0 true '[ "$(values)" = 6 ]' true 'failure | grep -q "^forbidden::x1: .*permit\|^forbidden::x1: .*sysctl"'

# The runs of `app`: the kernel shows how many events fit one, and none takes turns. Four counters, one event takes two.
# The file replaces all metrics of this CPU.
cat >formulas <<'END'
f64_flop = glc::scalar-pair1 + glc::packed10 * 8
f32_flop = glc::single1 + glc::singles2 * 16
f16_flop = glc::half1
any_flop = glc::any1
loads = glc::loads4
stores = glc::stores2
tlb_misses = glc::walks1
width_bytes = glc::scalar-pair1 * 8 + glc::packed10 * 64
END
rm -f log
start env FAKE_PAPI_LOG="$work/log" LD_LIBRARY_PATH="$work/fake" "$carmine" app --counters papi --events formulas --repeat 2 --json "$BUILD/apps/regions" nested
expect "as many events in a run as fit" status 0 true '[ "$(grep -c glc log)" -gt 0 ]' true '! grep -q multiplexed log' \
    true '[ "$(sed -n "s/^perf_event \(glc::.* glc.*\)/\1/p" log | sort -u | xargs)" = "glc::scalar-pair1 glc::packed10 glc::half1 glc::single1 glc::singles2 glc::any1 glc::loads4 glc::stores2 glc::walks1" ]' \
    true '! json points.*.doubts.* <out | grep -q multiplexed' true '[ "$(json points.0.sources.core_bytes <out)" = estimated ]'

# Haswell and Neoverse N1 count loads and stores, and have no event for flop.
printf 'loads = glc::loads4\nstores = glc::stores2\nwidth_bytes = glc::width1 * 16\ntlb_misses = glc::walks1\n' >bytes
for core in haswell "Neoverse N1"; do
    start env TEST_CORE="$core" FAKE_PAPI_LOG="$work/log" LD_LIBRARY_PATH="$work/fake" "$BUILD/tests/helpers/other_core" app --counters papi --events bytes --repeat 2 --json "$BUILD/apps/regions" nested
    expect "$core: no flop, and the way out" status 0 true '[ "$(json points.0.sources.core_bytes <out)" = estimated ]' \
        out "flop are not known: the core has no event for floating-point operations; --flop N states them, and \`carmine import csv\` takes"
done
start env TEST_CORE=haswell FAKE_PAPI_LOG="$work/log" LD_LIBRARY_PATH="$work/fake" "$BUILD/tests/helpers/other_core" app --counters papi --events bytes --repeat 2 --flop 1e6 --by program --json "$BUILD/apps/regions" nested
expect "stated flop need no note" status 0 not "flop are not known"
end_of_cases
