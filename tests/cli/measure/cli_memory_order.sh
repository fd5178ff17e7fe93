#!/bin/sh
# The protocols of shared variables (docs/memory-order.md) on a machine that reorders: spin proves each model of
# tests/models/, and finds an error when any one of its orders, or half of one, is left out. The sources have these orders.
# The memory of the models gives the known answers to small programs (litmus.pml).
. "$(dirname "$0")/../cli.sh"
models=$tests/models

# The orders' places in the sources that are not there.
lost_places() { # MODEL
    sed -nE 's/^(#define .*|)\/\* ([a-z_\/]+\.[ch]): (.*) \*\/$/\2 \3/p' "$models/$1" >places
    [ -s places ] || echo "$1 has none"
    while read -r where code; do grep -qF "$code" "$tests/../$where" || echo "$where: $code"; done <places
}

# The search of all states of a model, ./pan. Compiling it takes longest: each order is a variable, to which an environment
# variable of its name gives another value.
make_search() { # MODEL
    orders=$(sed -n 's/^#ifndef //p' "$models/$1")
    {
        grep -E '^#define (RELAXED|ACQUIRE|RELEASE|ACQ_REL) ' "$models/weak.inc"
        for order in $orders; do sed -n "s/^#define $order \([A-Z_0-9]*\).*/#define $order its_$order\nbyte its_$order = \1;/p" "$models/$1"; done
        echo '#line 1' && cat "$models/$1"
    } >model.pml
    rm -f pan
    cp "$models/weak.inc" . && spin -a model.pml &&
        sed -i 's/now\.its_\([A-Z_]*\) = \([0-9]*\);/now.its_\1 = getenv("\1") ? atoi(getenv("\1")) : \2;/' pan.c &&
        gcc -O0 -w -DSAFETY -o pan pan.c
} >out 2>err

# The rows of litmus.pml whose outcome was not as they say, and those that Armv8 may show and this memory does not.
wrong_answers() {
    sed -n 's/^seen in line //p' out | sort -n >seen
    grep -n '/\* seen' "$models/litmus.pml" | cut -d : -f 1 | diff - seen | sed -n 's/^[<>] //p' |
        while read -r line; do sed -n "${line}p" "$models/litmus.pml"; done
    grep 'never, Armv8 seen' "$models/litmus.pml"
}

if command -v spin >/dev/null; then
    make_search litmus.pml && ./pan -m100000 >out 2>err
    wrong_answers >>err
    expect "the memory gives the known answers" out "errors: 0" err-lines 0
fi
for file in "$models"/*.pml; do
    name=${file##*/}
    [ "$name" != litmus.pml ] || continue
    lost_places "$name" >out 2>err
    expect "$name is of the sources" lines 0 err-lines 0
    command -v spin >/dev/null || continue
    make_search "$name" && ./pan -m100000 >out 2>err
    expect "$name holds" out "errors: 0" not "max search depth too small"
    for order in $orders; do
        parts=0
        ! grep -q "#define $order ACQ_REL" "$file" || parts="0 1 2"
        for left in $parts; do
            env "$order=$left" ./pan -m100000 >out 2>err
            expect "$name without $order: $left" out "errors: 1"
        done
    done
done
command -v spin >/dev/null || skip "proofs of the models" "no spin is installed (Debian: spin)"
end_of_cases
