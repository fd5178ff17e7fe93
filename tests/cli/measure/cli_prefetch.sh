#!/bin/sh
# sweep --prefetch: the search over prefetch instructions and distances.
. "$(dirname "$0")/../cli.sh"
prefetch="sweep --prefetch --isa sse --level L2 --budget 1"

# shellcheck disable=SC2086
{
    run $prefetch --prefetch=1x8 --plot p.png
    expect "a curve" status 0 out "sse.load 1x8 in L2" out "prefetcht0" out "prefetchnta" out "against none" out "8 KiB" \
        out "best" out "as requested" file p.png err-lines 0
    expect "its picture is PNG" true 'head -c 4 p.png | grep -q PNG'
    run $prefetch --prefetch=4x4 --mix 2ld1st --plot p.svg --json
    expect "as JSON" status 0 true '[ "$(json schema <out)" = carmine.prefetch/1 ]' \
        true '[ "$(json streams <out)$(json unroll <out)" = 44 ]' \
        true 'json without cells.25.against_none.median best.pairs.median best.helps rounds <out' \
        true 'grep -q "without prefetch" p.svg' true 'grep -q "shade around a line" p.svg' \
        true '[ "$(grep -o "fill=.#[0-9a-f]*. fill-opacity" p.svg | sort -u | wc -l)" = 2 ]' # a colour per instruction
    run $prefetch --prefetch=1x8 --csv
    expect "as CSV" status 0 lines 28 true 'is_csv out' out '"sse.load","L2",' out '"prefetcht0",0,' \
        true 'head -n 1 out | grep -q ",unit,prefetch,distance_bytes,value,against_none_n,.*,against_none_median,"' true 'grep -qE "\"none\",0,[0-9.e+]+,,,,$" out'
    run $prefetch
    expect "in the best shape without" status 0 out "the best without prefetch; --prefetch=4x8 takes another"
    run sweep --prefetch=1x8 --isa sse --budget 0.1
    expect "memory is the default" status 0 out "in DRAM"
    refuses "no lines to prefetch" "no cache lines to prefetch" $prefetch --mix ntstore
    refuses "arithmetic" "no cache lines to prefetch" $prefetch --mix mul
    refuses "two patterns" "takes one value" $prefetch --mix load,store
    refuses "two levels" "at most 1" sweep --prefetch --level L1,L2
    refuses "a result file" "no meaning with --prefetch" $prefetch -o p.json
    refuses "both searches" "--dlp has no meaning with --prefetch" $prefetch --dlp
    refuses "sizes of a staircase" "no meaning with --prefetch" $prefetch --per-octave 2
    refuses "a shape that is too long" "there is no sse.load of 8x256" $prefetch --prefetch=8x256
    refuses "a recorded machine" "cannot be measured" $prefetch --topology "$tests/topologies/server.xml"
    refuses "a shape for all shapes" "--dlp has no meaning with --prefetch" sweep --dlp --prefetch=1x8
    refuses "what is gone: --shape" "--shape was removed after 0.2.0; --prefetch=4x8" $prefetch --shape 4x8
    for shape in 1 x8 0x8 1x0 1x8x2 axb; do
        refuses "--prefetch=$shape" "streams x lines" $prefetch --prefetch=$shape
    done
}
# An interrupted search prints complete tables only.
timeout --foreground --preserve-status -s INT 1 "$carmine" sweep --prefetch --isa sse --budget 600 >out 2>err </dev/null
status=$?
expect "interrupted" status 2 err "interrupted" not "against none"
end_of_cases
