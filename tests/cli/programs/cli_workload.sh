#!/bin/sh
# carmine workload: series of built-in kernels, where their points are stored, and errors.
. "$(dirname "$0")/../workload.sh"

# A series without a result, and its exact values.
workload daxpy --sizes 1000,3000 --state warm
expect "a series without a result" status 0 out "── daxpy warm 1 thread ──" out "3000" out "0.0832" err "no roofs to judge by" true '! grep -q DRAM out' true '[ "$(ls)" = "$(printf "err\nout\ntmp")" ]'
left_nothing "a series"
workload daxpy,stream-copy --sizes 1000:3000:+2000 -o new.json
expect "several workloads, a range, a new result" status 0 file new.json out "daxpy cold" out "stream-copy cold" err "4 points added to new.json" true '[ "$(json samples <new.json)" = 0 ]'
expect "names of points" true '[ "$(point name new.json)" = "daxpy 1000 daxpy 3000 stream-copy 1000 stream-copy 3000" ]'
run show new.json --json
expect "flop are those of theory" status 0 true '[ "$(point flop out)" = "2000 6000 0 0" ]' true '[ "$(point analytic_flop out)" = "2000 6000 0 0" ]'
expect "bytes by theory, and counted to 1 %" true '[ "$(point analytic_bytes out)" = "24000 72000 16000 48000" ]' true 'for b in $(point core_bytes out); do echo $b; done | paste -sd " " | awk "{ split(\"24000 72000 16000 48000\", t); for (i = 1; i <= 4; i++) if (\$i < t[i] || \$i > 1.03 * t[i]) exit 1 }"'
expect "what is compulsory: write-allocate is read" true '[ "$(point compulsory_read_bytes out)" = "16000 48000 16000 48000" ]' true '[ "$(point compulsory_write_bytes out)" = "8000 24000 8000 24000" ]'
expect "series, sizes and states" true '[ "$(json points.0.series <out)" = "daxpy cold 1 thread" ]' true '[ "$(point size out)" = "1000 3000 1000 3000" ]' true '[ "$(point data out | xargs -n 1 | sort -u) $(point code out | xargs -n 1 | sort -u)" = "cold warm" ]' true '[ "$(json points.0.sources.seconds points.0.sources.flop points.0.sources.dram_bytes points.0.repetitions <out | xargs)" = "clock counted null 3" ]'
workload daxpy --sizes 3000 --state warm,code-cold --type f32 -o new.json
expect "other states and types are other points" status 0 err "1 point added" true 'point name new.json | grep -q "daxpy f32 warm code-cold 3000"'
workload daxpy --sizes 3000 --state warm,tlb-cold -o tlb-cold.json
expect "a cold TLB" status 0 out "── daxpy warm tlb-cold 1 thread ──" true "grep -q 'each of 1 run$' out" true '[ "$(point name tlb-cold.json) $(point tlb tlb-cold.json)" = "daxpy warm tlb-cold 3000 cold" ]'
workload daxpy --sizes 3000 --state tlb-cold --json
expect "of cold data, too" status 0 true '[ "$(point name out)" = "daxpy tlb-cold 3000" ]' true '[ "$(point data out) $(point tlb out)" = "cold cold" ]'
workload daxpy --sizes 3000 -o new.json
expect "the same name takes its place" status 0 err "instead of an earlier one" true '[ "$(json points <new.json)" = 5 ]'
workload dgemm-blocked --sizes 40 --block 10 --state warm --json
expect "JSON" status 0 true '[ "$(json schema <out)" = carmine.workload/1 ]' true '[ "$(point name out) $(point flop out)" = "dgemm-blocked N_B=10 warm 40 128000" ]'
workload daxpy --sizes 2000 --statistic min-of-2 --state warm --json
expect "the fastest of some" status 0 true '[ "$(point repetitions out)" = 6 ]'
workload daxpy --sizes 2000 --isa sse --state warm --json
expect "another instruction set" status 0 true '[ "$(point name out) $(point flop out)" = "daxpy sse warm 2000 4000" ]'
if [ "$(nproc)" -gt 1 ]; then
    workload stream-triad --sizes 4000 --threads 1,2 --state warm --json
    expect "two threads" status 0 true '[ "$(point threads out) $(point flop out)" = "1 2 8000 8000" ]' true '[ "$(json points.1.series <out)" = "stream-triad warm 2 threads" ]'
    refuses "threads of what has one" "one thread only" workload fft-radix2 --sizes 64 --threads 2
else
    skip "two threads" "there is one CPU"
fi

# More threads than CPUs take turns, and all output shows this.
measure_sample
many=$(($(nproc) * 2)) cpus="$(nproc) CPU$([ "$(nproc)" = 1 ] || echo s)"
cp sample.json turns.json
workload stream-triad --sizes 40000 --threads $many --state warm -o turns.json --plot turns.svg
expect "threads in turns" status 0 out "── stream-triad warm $many threads on $cpus ──" true 'grep -q "$many threads on" turns.svg'
run show turns.json --all
expect "shown as such" status 0 out "stream-triad warm $many threads on $cpus 40000" out "$many on $cpus" out "$many threads on $cpus 40000: "
run show turns.json --json
expect "in files too" status 0 true '[ "$(json points.0.threads <out) $(json points.0.cpus <out)" = "$many $(nproc)" ]'
refuses "simulated caches of them" "simulates one core per thread" workload stream-triad --sizes 4000 --threads $many --levels

# Points judged by roofs, and pictures.
workload daxpy --sizes 2000,4000 --state warm -o sample.json --plot roofs.svg
expect "judged by roofs, and drawn" status 0 file roofs.svg true '[ "$(json samples <sample.json)" = 3 ]'

# Errors.
cp new.json before.json
run workload
expect "no names: the list" status 0 out "dgemv" err-lines 0
run workload --json
expect "the list as JSON" status 0 err-lines 0 true 'json workloads.*.name <out | grep -qx daxpy'
run workload --csv
expect "the list as CSV" status 0 err-lines 0 out "name,summary,size,types,one_thread,missing" true 'is_csv out'
run workload --markdown -q
expect "the list in Markdown" status 0 err-lines 0 true 'grep -q "^| daxpy  *|" out'
refuses "an unknown workload" "unknown workload 'foo'; known: daxpy" workload foo
refuses "an unknown one among others, before anything is measured" "unknown workload 'foo'" workload daxpy,foo -o new.json
refuses "a size that is none" "'1x' is not a size" workload daxpy --sizes 1x
refuses "a size that the workload does not take" "power of two" workload wht --sizes 1000 -o new.json
refuses "more threads than its CPUs take" "64 on each" workload daxpy --threads 100000
refuses "f32 of what is only for f64" "only for f64" workload cg --type f32
for option in state type statistic isa; do
    refuses "--$option foo" "foo" workload daxpy --$option foo
done
for value in 0 -1 1.5 abc ""; do
    refuses "--repeat '$value'" "--repeat takes" workload daxpy --repeat "$value"
done
refuses "--statistic min-of-0" "--statistic takes" workload daxpy --statistic min-of-0
refuses "two states of data" "--state: warm and cold exclude each other" workload daxpy --state warm,code-cold,cold
for gone in "data warm" "code cold" "tlb cold" "write-back counted"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --$gone" "--${gone% *} was removed after 0.2.0; --state " workload daxpy --$gone
done
refuses "--plot without roofs" "no roofs to draw" workload daxpy --sizes 1000 -o new.json --plot x.svg
refuses "a folder that is missing" "missing/x.json" workload daxpy -o missing/x.json
echo nonsense >none.json
refuses "a result that is none" "line 1" workload daxpy -o none.json
expect "none of these adds anything" true "cmp new.json before.json"
left_nothing "after failures"

# Stand-ins for carmine-workload beside a copy of carmine: it fails while counted, or its results are wrong.
mkdir stand-in
cp "$carmine" "$BUILD"/libcarmine-*.so stand-in
stand_in() { # COMMANDS: what it does, except for list
    printf '#!/bin/sh\n[ "$1" != list ] || exec "%s" list\n%s\n' "$BUILD/carmine-workload" "$1" >stand-in/carmine-workload
    chmod +x stand-in/carmine-workload
    start stand-in/carmine workload --repeat 3 daxpy --sizes 1000 --state warm -o new.json
}
stand_in 'echo "carmine-workload: out of luck" >&2; exit 2'
expect "it refuses in its own words" status 2 err-lines 1 err "carmine workload: out of luck" true "cmp new.json before.json"
stand_in 'kill -9 $$'
expect "it is killed" status 2 err "killed by signal 9" true "cmp new.json before.json"
stand_in 'exec "'"$BUILD/carmine-workload"'" "$@" | sed "s/\"ok\":true/\"ok\":false/"'
expect "a wrong result" status 2 err "daxpy 1000: its result is wrong" err "nothing was added" true "cmp new.json before.json"
stand_in 'echo nonsense'
expect "no report" status 2 err "printed no report, but 'nonsense" true "cmp new.json before.json"
rm stand-in/carmine-workload
start stand-in/carmine workload daxpy
expect "without the workloads" status 2 err "carmine-workload is neither in" err-lines 1

# An event that the kernel counts on any machine stands in for the CPU's counters.
echo "tlb_misses = perf::PAGE-FAULTS" >events
start "$carmine" app --counters papi --events events --repeat 2 true
if grep -q "bytes per miss" out; then
    start "$carmine" workload daxpy --events events --sizes 1000 --quick --repeat 3 --state warm -o tlb.json
    expect "TLB misses where they are counted" status 0 out "TLB misses" true '[ "$(json points.0.tlb_misses.0 <tlb.json)" = 1 ]'
else
    skip "TLB misses" "PAPI counts no page faults here"
fi
refuses "events that are not there" "no.events" workload --events no.events daxpy

mkdir -p installed/bin installed/lib/carmine
cp "$carmine" installed/bin && cp "$BUILD"/libcarmine-*.so "$BUILD/carmine-workload" installed/lib/carmine
start installed/bin/carmine workload daxpy --sizes 1000 --quick --repeat 3 --state warm --json
expect "as it is installed" status 0 true '[ "$(point flop out)" = 2000 ]'

# Interrupted: points that were measured before are stored.
cp before.json new.json
"$carmine" workload --repeat 100 read --sizes 1000,1M,8M -o new.json >out 2>err &
pid=$!
while ! grep -q '"read 1000"' new.json; do sleep 0.05; done
kill -TERM $pid
wait $pid
status=$?
expect "interrupted" status 143 err "interrupted; " out "read cold" true 'point name new.json | grep -q "read 1000"' true '! point name new.json | grep -q "read 8000000"'
left_nothing "at the end"
end_of_cases
