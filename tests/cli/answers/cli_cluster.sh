#!/bin/sh
# carmine on clusters: it may use some of the CPUs only, and several processes of one node add to the same file.
# (cli_run.sh tests the names of new files that several processes write at once.)
. "$(dirname "$0")/../cli.sh"
points() { json 'points.*.name' <"$1" | sort | xargs echo; }
import() { # NAME FILE
    "$carmine" import sde "$tests/imports/stream_sde_sums.txt" --name "$1" --machine "Somebody's CPU" -o "$2"
}
# carmine uses only the CPUs that it may use, and prints which these are.
last=$(taskset -cp $$ 2>/dev/null | sed 's/.*[^0-9]//')
if [ -n "$last" ]; then
    start taskset -c "$last" "$carmine" run --quick --isa sse --type f64 --mix load --level L1 --all -o given.json
    expect "one CPU of the machine" status 0 out "1 thread on CPU $last" not "threads on CPUs" \
        true '[ "$(json "samples.*.cpus" <given.json | sort -u)" = "$last" ]' true '[ "$(json samples <given.json)" = 1 ]' \
        true '[ "$(json machine.core_count machine.allowed_pu_count <given.json | xargs echo)" = "1 1" ]'
    start taskset -c "$last" "$carmine" doctor
    if [ "$("$carmine" machine --json | json pu_count)" = 1 ]; then
        skip "how many it got" "there is only one"
    else
        expect "how many it got" out "1 of $("$carmine" machine --json | json pu_count) CPUs may be used"
    fi
else
    skip "one CPU of the machine" "there is no taskset"
fi

# Processes that add to one file at the same time lose nothing of each other's points.
measure_sample
for file in fresh.json sample.json; do
    for i in 1 2 3 4; do
        import p$i $file >/dev/null 2>err$i &
    done
    wait
    cat err? >err
    expect "four imports into $file" not ": cannot" true "[ \"\$(points $file)\" = 'p1 p2 p3 p4' ]"
done
expect "and its roofs are as they were" true '[ "$(json samples <sample.json)" = 3 ]'
for i in 1 2; do
    "$carmine" app -o sample.json --name app$i --repeat 1 -- true >/dev/null 2>err$i &
done
import q sample.json >/dev/null 2>err4
wait
cat err? >err
expect "two programs and an import" not ": cannot" true "[ \"\$(points sample.json)\" = 'app1 app2 p1 p2 p3 p4 q' ]"
"$carmine" validate --level L1 --isa sse --quick sample.json >/dev/null 2>err &
sleep 0.3
import late sample.json >/dev/null 2>&1
wait
expect "an import while mixed kernels are measured" true 'points sample.json | grep -qw late' \
    true '[ "$(json validation <sample.json)" = 7 ]' true '[ "$(json samples <sample.json)" = 3 ]'
expect "nothing else is left" true '! ls | grep -q tmp'
: >empty.json
run app -o empty.json --repeat 1 -- true
expect "an empty file is none yet" status 0 err "1 point added to empty.json" true '[ "$(json points <empty.json)" = 1 ]'
end_of_cases
