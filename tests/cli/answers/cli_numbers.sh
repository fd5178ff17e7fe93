#!/bin/sh
# Absurd numbers: one number of a file is changed, and no command prints inf, nan or a number of more than eight digits,
# in text, JSON or CSV. Excepted are what tests/helpers/mutate.c excepts: dates, names, exact counts with commas,
# quotations of the input; and the digits of JSON and CSV. NUMBERS=100 tries that many changes of each file.
. "$(dirname "$0")/../cli.sh"
root=$tests/..
mutate() { "$BUILD/tests/helpers/mutate" "$@"; }
found=
# shown raw|text COMMAND…: remembers what is wrong with the answer
shown() {
    kind=$1
    shift
    run "$@"
    [ "$status" -le 2 ] || found="$found; $*: exit status $status"
    if [ "$kind" = raw ]; then why=$(mutate find raw <out); else why=$(mutate find <out); fi || found="$found; $*: $why"
    why=$(mutate find <err) || found="$found; $*: $why"
}
result() { # FILE SEED
    mutate "$2" <"$1" >m.json
    cp "$1" good.json
    shown text show m.json
    [ "$status" = 0 ] || return 0
    shown text show m.json --all
    shown raw show m.json --json
    shown raw show m.json --csv
    shown text check m.json --baseline good.json --all
    shown text check good.json --baseline m.json
    shown text compare m.json good.json
    shown raw compare good.json m.json --json
    shown text plot m.json
    shown text why m.json good.json
    shown text fleet m.json good.json
    shown text spec m.json
}
imported() { # FORMAT FILE SEED
    mutate "$3" <"$root/tests/imports/$2" >m.txt
    rm -f i.json
    shown text import "$1" m.txt --machine made-up --level DRAM -o i.json
    [ -f i.json ] || return 0
    shown text show i.json --all
    shown raw show i.json --json
}
clean() { # NAME
    [ -z "$found" ] || echo "$found"
    expect "$1" true '[ -z "$found" ]'
    found=
}

# A value that was changed beside its interval: refused, so that check has nothing to pass.
good=$root/tests/fuzz/seeds/result.json
sed 's/"value":[0-9.e+]*,"low"/"value":5e+10,"low"/' "$good" >m.json
refuses "a value outside of its interval" "value must be from low to high" check m.json --baseline "$good"
refuses "such a baseline" "value must be from low to high" check "$good" --baseline m.json
sed 's/"value":[0-9.e+]*,"low"/"value":1e+99,"low"/' "$good" >m.json
refuses "a value that no machine has" "m.json: samples[0]" show m.json

for seed in $(seq "${NUMBERS:-2}"); do
    for file in tests/fuzz/seeds/result.json tests/golden/files/loops.json docs/samples/node17.json; do
        result "$root/$file" "$seed"
    done
done
clean "results"
for seed in $(seq "${NUMBERS:-2}"); do
    for file in "$root"/tests/imports/plain*.csv; do imported csv "${file##*/}" "$seed"; done
    imported stream stream.txt "$seed"
    imported ert ert.json "$seed"
    imported likwid-bench likwid_bench.txt "$seed"
    imported likwid-perfctr likwid_mem_dp.csv "$seed"
    imported perf perf_zen.csv "$seed"
    imported sde sde_mix.txt "$seed"
    imported nsight nsight_raw.csv "$seed"
done
clean "imports"
for seed in $(seq "${NUMBERS:-4}"); do
    mutate "$seed" <"$root/specs/xeon-6980p.json" >m.json
    shown text spec --spec m.json "$root/results/zen3-2-cores-vm.json"
    mutate "$seed" <"$root/tests/fuzz/seeds/soak.jsonl" >m.jsonl
    shown text show m.jsonl
    shown raw show m.jsonl --json
done
clean "specifications and soaks"
end_of_cases
