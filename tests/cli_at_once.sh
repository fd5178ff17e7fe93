#!/bin/sh
# Several processes that add to one file at once: what each of them adds is there in the end.
. "$(dirname "$0")/cli.sh"
points() { json 'points.*.name' <"$1" | sort | xargs echo; }
import() { # NAME FILE
    "$carmine" import sde "$tests/imports/stream_sde_sums.txt" --name "$1" --machine "Somebody's CPU" -o "$2"
}
measure_sample

for file in fresh.json sample.json; do
    for i in 1 2 3 4 5 6 7 8; do
        import p$i $file >/dev/null 2>err$i &
    done
    wait
    cat err? >err
    expect "eight imports into $file" not "cannot" true "[ \"\$(points $file)\" = 'p1 p2 p3 p4 p5 p6 p7 p8' ]"
done
expect "and its roofs are as they were" true '[ "$(json samples <sample.json)" = 3 ]'
for i in 1 2 3; do
    "$carmine" app -o sample.json --name app$i --repeat 1 -- true >/dev/null 2>err$i &
done
import q sample.json >/dev/null 2>err4
wait
cat err? >err
expect "three programs and an import" not "cannot" true "[ \"\$(points sample.json)\" = 'app1 app2 app3 p1 p2 p3 p4 p5 p6 p7 p8 q' ]"
expect "nothing else is left" true '! ls | grep -q tmp'
: >empty.json
run app -o empty.json --repeat 1 -- true
expect "an empty file is none yet" status 0 err "1 point added to empty.json" true '[ "$(json points <empty.json)" = 1 ]'
end_of_cases
