#!/bin/sh
# The protocols of shared variables (docs/memory-order.md) on a machine that reorders: spin proves each model of
# tests/models/, and finds an error when any one of its orders is left out. The sources have these orders.
. "$(dirname "$0")/../cli.sh"
models=$tests/models

# The orders' places in the sources that are not there.
lost_places() { # MODEL
    sed -nE 's/^(#define .*|)\/\* ([a-z_\/]+\.[ch]): (.*) \*\/$/\2 \3/p' "$models/$1" >places
    [ -s places ] || echo "$1 has none"
    while read -r where code; do grep -qF "$code" "$tests/../$where" || echo "$where: $code"; done <places
}

# Searches all states of a model; further arguments are the preprocessor's.
search() { # MODEL
    model=$1
    shift
    cp "$models/weak.inc" "$models/$model" . && spin "$@" -a "$model" && gcc -O0 -w -DSAFETY -o pan pan.c && ./pan -m100000
} >out 2>err

for file in "$models"/*.pml; do
    name=${file##*/}
    lost_places "$name" >out 2>err
    expect "$name is of the sources" lines 0 err-lines 0
    command -v spin >/dev/null || continue
    search "$name"
    expect "$name holds" out "errors: 0" not "max search depth too small"
    for order in $(sed -n 's/^#ifndef //p' "$file"); do
        search "$name" "-D$order=0"
        expect "$name without $order" out "errors: 1"
    done
done
command -v spin >/dev/null || skip "proofs of the models" "no spin is installed (Debian: spin)"
end_of_cases
