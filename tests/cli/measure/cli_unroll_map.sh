#!/bin/sh
# The search over accumulators × unroll, and streams × unroll.
. "$(dirname "$0")/../cli.sh"
dlp="sweep --dlp --isa sse --budget 1"

# shellcheck disable=SC2086
{
    run $dlp --mix mul --plot s.png
    expect "a surface" status 0 out "sse.f64.mul" out "UNROLL" out "best" out "enough" out "program   has" file s.png err-lines 0
    expect "its picture is PNG" true 'head -c 4 s.png | grep -q PNG'
    run $dlp --mix mul --json
    expect "as JSON" status 0 true '[ "$(json schema <out)" = carmine.surface/1 ]' \
        true 'json name winner.width winner.unroll winner.per_cycle enough.width run.variant latency_cycles <out'
    run $dlp --mix mul,load --budget 0.5 --csv
    expect "as CSV, several too" status 0 true 'is_csv out' out '"sse.f64.mul","",' out '"sse.load","L1",' out '"flop_per_cycle"' \
        true 'head -n 1 out | grep -q "^name,level,threads,width,unroll,per_cycle,unit$"'
    run $dlp --mix add --type f32 --threads 1 --plot s.svg
    expect "of another type" status 0 out "sse.f32.add" true 'grep -q "</svg>" s.svg'
    run $dlp --mix add -o old.svg
    expect "-o, which once named it" status 0 err-lines 1 err "old spelling of --plot old.svg" file old.svg
    run $dlp --mix load --level L2 --plot s.pdf
    expect "of an access pattern" status 0 out "sse.load in L2" out "streams" out "byte/cycle" true 'head -c 5 s.pdf | grep -q %PDF-'
    run $dlp --mix 2ld1st
    expect "L1 is the default" status 0 out "sse.2ld1st in L1"

    run sweep --dlp --isa x87,sse --mix add,mul --budget 0.5
    expect "several operations are rows of a table" status 0 lines 5 out "x87.f64.add" out "sse.f64.mul" out "latency" not UNROLL
    run sweep --dlp --isa sse --mix mul,load --budget 0.5 --json
    expect "and a list in JSON" status 0 true '[ "$(json surfaces.1.name <out)" = sse.load ]' \
        true 'json schema surfaces.0.winner.per_cycle surfaces.1.values.0.0 <out'
    refuses "a picture of two" "one surface" $dlp --mix mul,add --plot two.svg
    refuses "two types at once" "at most 1" $dlp --mix mul --type f64,f32
    refuses "two thread counts at once" "one value" $dlp --threads 1,2
    refuses "a result file" "--plot FILE draws the surface" $dlp --mix mul -o s.json
    refuses "a level for arithmetic" "works in registers" $dlp --mix mul --level L1
    run $dlp --mix ntstore --level DRAM --budget 1
    expect "memory, and stores past the caches" status 0 out "in DRAM" out "streams"
    refuses "an operation without streams" "--mix takes" $dlp --mix chase
    refuses "an operation that the ISA lacks" "--mix takes" sweep --dlp --isa x87 --mix fma
    refuses "another type" "known: f64, f32" $dlp --mix mul --type f16
    refuses "sizes of a staircase" "no meaning with --dlp" $dlp --per-octave 2
    refuses "more threads than cores" "at most" $dlp --mix mul --threads 65000
    refuses "a folder that is missing" "missing/s.svg" $dlp --mix mul --plot missing/s.svg
    refuses "a recorded machine" "cannot be measured" $dlp --mix mul --topology "$tests/topologies/server.xml"
}
# An interrupted search prints complete tables only.
timeout --foreground --preserve-status -s INT 1.5 "$carmine" sweep --dlp --isa x87,sse --mix add,mul,addmul,add2mul >out 2>err </dev/null
status=$?
expect "interrupted" status 2 err "interrupted" not UNROLL

for option in "--level L1" "--type f64" "--budget 3"; do
    # shellcheck disable=SC2086
    refuses "$option without --dlp" "needs --dlp" sweep $option
done
for value in -1 0 abc nan inf; do
    refuses "--budget '$value'" "--budget takes a time such as 30 (seconds)" sweep --dlp --budget "$value"
done
end_of_cases
