#!/bin/sh
# carmine-workload: its counts against theory, its output, and errors.
. "$(dirname "$0")/../count.sh"
workload=$BUILD/carmine-workload
export OMP_WAIT_POLICY=passive # spinning threads would read memory
unset OPENBLAS_CORETYPE

# counts NAME SIZE MORE [OPTIONS]: one run does the flop of theory. It loads and stores the bytes of theory, at most
# MORE in a thousand beyond them (register spills), and 512 for the call. A thread that ends before the first one goes
# on with counted work: some flop to read the clock.
counts() {
    name=$1 size=$2 more=$3
    shift 3
    counted "$workload" "$name" size="$size" data=warm repeat=1 runs=1 "$@"
    "$BUILD/tests/helpers/profile" reports "$name" >profile
    region=$(grep '^region' profile)
    differs=$(awk -v flop="$(number flop "$region")" -v load="$(number load "$region")" -v store="$(number store "$region")" \
        -v more="$more" -v calls="$(number calls "$region")" -v threads="$(json threads <out)" \
        -v stated="$(json flop load_bytes store_bytes <out | xargs)" '
        function differs(what, found, stated, more) {
            if (stated != "null" && (found < stated || found > stated + more)) print what, found, "instead of", stated
        }
        BEGIN {
            split(stated, s, " ")
            differs("flop", flop, s[1], 32 * (threads - 1))
            differs("loads", load, s[2], (s[2] + s[3]) * more / 1000 + 512)
            differs("stores", store, s[3], (s[2] + s[3]) * more / 1000 + 512)
            if (calls != threads) print "marked", calls, "times"
        }')
    expect "counts of $name $size $*" status 0 true '[ -n "$region" ] && [ -z "$differs" ]' true '[ "$(json ok <out)" = true ]'
    [ -z "$differs" ] || echo "    $differs"
}
for name in daxpy stream-copy stream-scale stream-add stream-triad read write write-stream triad; do
    counts $name 40003 0
done
for name in intensity-1/16 intensity-1/16-fma intensity-8 intensity-8-fma order-rows order-columns; do
    counts $name 1003 0
done
for isa in sse avx avx2; do
    "$workload" read size=8 isa=$isa repeat=1 data=warm >/dev/null 2>&1 || { skip "counts, $isa" "not with this CPU"; continue; }
    counts daxpy 40003 0 isa=$isa
    counts write-stream 40003 0 isa=$isa
    counts dgemv 203 70 isa=$isa
    counts intensity-8-fma 1003 0 isa=$isa
done
counts dgemv 203 70
counts wht 2048 20
counts daxpy 40003 0 type=f32
counts dgemv 203 70 type=f32
counts dgemm-triple 53 1
counts dgemm-blocked 53 0
counts dgemm-scalar-replacement 53 0 block=16
counts fft-radix2 256 0
for size in 2 4 8 256; do counts fft-split $size 0; done
counts add 100003 0
counts mul 100003 0
counts cg 9 35
if [ "$(nproc)" -gt 1 ]; then
    for row in "daxpy 4003" "dgemv 203" "dgemm-blocked 53" "wht 2048" "intensity-8 1003" "cg 9" "order-columns 1003"; do
        counts $row 500 threads=2 # including OpenMP's own bytes
    done
else
    skip "counts of two threads" "there is one CPU"
fi
counted "$workload" daxpy size=1000 data=warm repeat=3 runs=5
expect "all runs of all repetitions are marked, and no others" true '[ "$(number flop "$(grep "^region \"daxpy" profile)")" = 30000 ]'
counted "$workload" daxpy size=1000 data=warm repeat=2 cycles=1e6
expect "nor those that choose how many there are" true '[ "$(number flop "$(grep "^region \"daxpy" profile)")" = $(($(json runs <out) * 4000)) ]'

# Libraries: installed, missing, or replaced by something else.
if "$workload" dgemm-openblas size=8 repeat=1 data=warm >/dev/null 2>&1; then
    counted "$workload" dgemm-openblas size=256 data=warm repeat=1 runs=1
    stated=$(json flop <out) found=$(number flop "$(grep '^region "dgemm' profile)")
    expect "OpenBLAS' dgemm is within 1 % of 2 n³ + 2 n²" true '[ "$stated" = 33685504 ]' true '[ $((found * 100)) -ge $((stated * 99)) ] && [ $((found * 100)) -le $((stated * 101)) ]' true 'json library <out | grep -q "^OpenBLAS [0-9].*, "'
    counted "$workload" fft-fftw size=1024 data=warm repeat=1 runs=1
    expect "FFTW's flop are its own" true '[ "$(json flop pseudo_flop ok <out | xargs)" = "null 51200 true" ]' true '[ "$(number flop "$(grep "^region \"fft" profile)")" -gt 10000 ]'
else
    skip "libraries" "OpenBLAS is not installed"
fi
for library in blis reference; do
    if "$workload" dgemm-$library size=8 repeat=1 data=warm >/dev/null 2>&1; then
        for name in daxpy dgemv dgemm; do
            counted "$workload" $name-$library size=256 data=warm repeat=1 runs=1
            stated=$(json flop <out) found=$(number flop "$(grep "^region \"$name" profile)")
            expect "$name-$library is within 1.5 % of theory" status 0 true '[ $((found * 1000)) -ge $((stated * 995)) ] && [ $((found * 1000)) -le $((stated * 1015)) ]' true '[ "$(json ok <out)" = true ]'
        done
    else
        skip "$library" "it is not installed"
    fi
done
if "$workload" fft-fftw size=8 repeat=1 data=warm >/dev/null 2>&1; then
    counted "$workload" fft-fftw-scalar size=1024 data=warm repeat=1 runs=1
    expect "FFTW without SIMD has scalar flop alone" true '[ "$(json ok <out)" = true ]' true 'grep "^region \"fft" profile | grep -vq 256'
else
    skip "FFTW without SIMD" "FFTW is not installed"
fi
start "$workload" daxpy size=1000 data=warm repeat=1000000 cycles=1e5 budget=0.02
expect "repetitions within a budget" status 0 true '[ "$(json seconds <out)" -lt 100000 ]' true '[ "$(json seconds <out)" -ge 1 ]'
mkdir no-libraries
echo nothing | tee no-libraries/libblis.so.4 no-libraries/libopenblas.so.0 no-libraries/libfftw3.so.3 no-libraries/libfftw3f.so.3 >no-libraries/other
without() { start env LD_LIBRARY_PATH="$work/no-libraries" "$workload" "$@"; }
without dgemm-openblas size=8
expect "without OpenBLAS" status 2 lines 0 err-lines 1 err "OpenBLAS is not installed" err "install libopenblas0"
without dgemm-blis size=8
expect "without BLIS" status 2 lines 0 err-lines 1 err "install libblis4"
without fft-fftw size=8
expect "without FFTW" status 2 lines 0 err-lines 1 err "install libfftw3-double3"
without fft-fftw size=8 type=f32
expect "without FFTW in single precision" status 2 err-lines 1 err "install libfftw3-single3"
without list
expect "the list without libraries" status 0 true 'grep dgemm-openblas out | grep -q "\"missing\":\"OpenBLAS is not installed"' true 'grep "\"daxpy\"" out | grep -q "\"missing\":null"'
without daxpy size=8 repeat=1
expect "and what needs none" status 0

# Output.
start "$workload" list
expect "the list" status 0 err-lines 0 true '[ "$(wc -l <out)" -ge 25 ]' true 'while read -r row; do echo "$row" | json workload summary size types || exit 1; done <out'
start "$workload" daxpy size=1000,3000 cycles=1e5 repeat=4
expect "a line for each size" status 0 lines 2 err-lines 0
head -n 1 out >first
expect "what a line says" true '[ "$(json workload size type threads data code flop read_bytes write_bytes load_bytes store_bytes working_set_bytes ok <first | xargs)" = "daxpy 1000 f64 1 cold warm 2000 16000 8000 16000 8000 16000 true" ]' true '[ "$(json seconds <first)" = 4 ]' true 'json runs <first | grep -qx "[1-9][0-9]*"' true 'json cold_by <first | grep -qE "^(copies|flush)$"' true '[ "$(json copies <first)" -gt 1 ]'
start "$workload" daxpy size=1000 repeat=2 code=cold data=warm
expect "cold code is one run a repetition" status 0 true '[ "$(json runs copies data code <out | xargs)" = "1 1 warm cold" ]'
for state in "warm tlb=cold" "cold tlb=cold" warm cold; do
    start "$workload" daxpy size=1000 repeat=2 cycles=1e5 data=$state
    case $state in
    *tlb*) expect "a cold TLB is one run a repetition: data=$state" status 0 true '[ "$(json runs tlb <out | xargs)" = "1 cold" ]' ;;
    warm) expect "warm data is in a warm TLB" status 0 true '[ "$(json runs <out)" -gt 1 ]' true '[ "$(json tlb <out)" = warm ]' ;;
    *) expect "of copies nothing is known" status 0 true '[ "$(json tlb <out)" = unknown ]' ;;
    esac
done
start "$workload" stream-copy size=5000 repeat=2 write-back=counted
expect "what is written back is of one run" status 0 true '[ "$(json runs copies cold_by <out | xargs)" = "1 1 flush" ]'
start "$workload" stream-copy size=5000 repeat=2 write-back=counted data=warm
expect "of warm data too" status 0 true '[ "$(json runs copies ok <out | xargs)" = "1 1 true" ]'
start "$workload" stream-copy size=5000 repeat=2 runs=7 cold-by=flush
expect "flushed data is one copy for each run" status 0 true '[ "$(json runs copies cold_by <out | xargs)" = "7 7 flush" ]'
run app --repeat 1 --annotate=data_flush -- "$workload" daxpy size=1000 repeat=1 runs=1 cold-by=flush
expect "each of its 250 lines is flushed" status 0 true 'awk "/ clflush/ && \$1 >= 250 { all = 1 } END { exit !all }" out'
start taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" "$workload" dgemm-triple size=20 repeat=2 cycles=1e5
expect "on one CPU" status 0 true '[ "$(json ok <out)" = true ]'

# Errors, one line each.
refused() { # text, arguments
    says=$1
    shift
    start "$workload" "$@"
    expect "refused: $*" status 2 lines 0 err-lines 1 err "$says"
}
refused "for \`carmine workload\`"
refused "for \`carmine workload\`" daxpy
refused "'' is not a valid word" daxpy ""
refused "there is no workload 'foo'; there are: daxpy" foo size=5
refused "'size=1.5' is not a valid word of a request" daxpy size=1.5
refused "'size=0' is not a valid word of a request" daxpy size=0
for number in repeat=0.5 repeat=0 repeat=1.5 runs=0.5 threads=1.5 block=2.5 last-level=0.5 counted=0.5 simulated=0.5; do
    refused "'$number' is not a valid word of a request" daxpy size=5 "$number"
done
refused "'size=6' repeats a key" daxpy size=5 size=6
refused "'repeat=2' repeats a key" daxpy size=5 repeat=1 repeat=2
refused "'type=f32' repeats a key" daxpy size=5 type=f64 type=f32
refused "MiB are free; use a smaller size" daxpy size=1e14
refused "a power of two" wht size=1000
refused "needs a size of at least 8" wht size=4
refused "usable cores" daxpy size=5 threads=60000
[ "$(nproc)" = 1 ] || refused "runs on one thread" fft-radix2 size=8 threads=2
refused "is of type f64 only" cg size=5 type=f32
refused "no workloads of type 'f16'" daxpy size=5 type=f16
refused "no workloads for the ISA 'amx'" daxpy size=5 isa=amx
refused "'data=lukewarm' is not a valid word" daxpy size=5 data=lukewarm
refused "'threads=0' is not a valid word" daxpy size=5 threads=0
if [ "$(nproc)" -gt 1 ] && "$workload" dgemm-openblas size=8 repeat=1 data=warm >/dev/null 2>&1; then
    refused "TLBs cannot be emptied; leave out --threads or --state tlb-cold" dgemm-openblas size=8 tlb=cold threads=2
else
    skip "TLBs of a library's threads" "OpenBLAS is not installed, or there is one CPU"
fi
refused "has no blocks" daxpy size=5 block=2
refused "use fewer runs" daxpy size=1e6 cold-by=flush runs=1e8
refused "'--size' is not a valid word" daxpy --size 5
refused "'foo=1' is not a valid word" daxpy size=5 foo=1
end_of_cases
