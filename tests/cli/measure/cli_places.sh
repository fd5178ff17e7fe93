#!/bin/sh
# Parts of a machine: packages, memory nodes, core kinds, SMT, thread counts. They are planned for recorded machines,
# and measured here if this machine has them.
. "$(dirname "$0")/../cli.sh"
case $isa in sse) planned=avx2 ;; *) planned=$isa ;; esac
plan() { # TOPOLOGY ARGS…
    topology=$(recording "$1")
    shift
    run run --dry-run --isa "$planned" --topology "$topology" "$@"
}
count() { grep -c -- "$1" out; }
samples() { sed -n "s/^\([0-9]*\) roofs, each visited.*/\1/p" out; }

plan server
expect "two packages" status 0 out "package 0, node 0" out "node 1, memory on node 0" true '[ "$(count "memory on node")" = 8 ]'
plan nodes
expect "four nodes" status 0 out "  package 0  " out "  node 0  " true '[ "$(count "memory on node")" = 32 ]'
four=$(samples)
plan server --threads 1,all
expect "thread counts leave the parts out" status 0 not "node 0"
plan server --quick
expect "so does a quick run" status 0 not "memory on node"
plan server --level DRAM --mix chase
expect "latency from node to node" status 0 true '[ "$(count "memory on node")" = 4 ]'
plan memory --level HBM
expect "high-bandwidth memory" status 0 out "HBM" not "DRAM"
if [ $isa = sse ]; then
    plan hybrid
    expect "core kinds" status 0 out "P core" out "LP-E cores"
else
    skip "core kinds" "the recording's are named by its CPU"
fi
plan clusters
one=$(samples)
expect "a machine without parts has the shortest plan" status 0 true "[ $one -lt $four ]" not "node 0"
plan pus_512 --mix load --level L3 --threads 1,..,all
expect "512 threads by doublings" status 0 true '[ "$(samples)" = 10 ]'
plan pus_512 --mix load --level DRAM --threads 1,…,64
expect "an ellipsis, up to a count" status 0 true '[ "$(samples)" = 7 ]'
plan server --smt
expect "SMT" status 0 out "SMT" true '[ "$(grep -c "^ *16  SMT" out)" -gt 10 ]'
plan no_l3 --smt
expect "no SMT to use" status 2 err "leave out --smt" err-lines 1
plan clusters --threads ..,x
expect "a count that is none" status 2 err "1,..,all" err-lines 1

# Measurements on this machine.
run run --isa $isa --mix load --level L1 --threads ..,all --budget 6 -o scaling.json
expect "every doubling up to all cores" status 0 true '[ "$("$carmine" show scaling.json --json | json "roofs.*.threads" | head -n 1)" = 1 ]'
run run --isa $isa --mix load --level L1 --threads ..,all --resume scaling.json
expect "nothing is measured twice" status 0 true '[ "$("$carmine" show scaling.json --json | json roofs)" = "$(json samples <scaling.json)" ]'
run sweep --isa $isa --mix load --per-octave 1 --quick --threads 1,.. -o sweep.json
expect "a sweep for each count" status 0 file sweep.json
end_of_cases
