#!/bin/sh
# For programs that use carmine: the page of `carmine help agents`, the next step of each answer, and twenty programs with one
# planted cause each, which the page's rules find from JSON alone (tests/helpers/solve.py).
. "$(dirname "$0")/../cli.sh"
page=$tests/../docs/agents.md zen3=$tests/../results/zen3-2-cores-vm.json zen5=$tests/../results/zen5-2-cores-vm.json

run help agents
expect "the page" status 0 err-lines 0 true 'cmp out "$page"'
next() { json next.command <out; }
run machine --json
expect "first what disturbs" true '[ "$(next)" = "carmine doctor" ]'
run show "$zen3" --json
expect "uncertain roofs are measured again" true '[ "$(next)" = "carmine run --resume $zen3" ]' out "uncertain by more than 5 %"
run compare "$zen3" "$zen5" --json
expect "after how much comes why" true '[ "$(next)" = "carmine why $zen3 $zen5" ]'
run check "$zen3" --baseline "$zen5" --json
expect "a failed check" status 1 true '[ "$(next)" = "carmine why $zen5 $zen3" ]'
run check "$zen3" --baseline "$zen3" --json
expect "a passed one" status 0 true '[ "$(next)" = null ]' out '"reason": "the answer is complete"'
run app --json -- sh -c 'echo "a b"'
expect "without roofs they are first; the program writes elsewhere" true '[ "$(next)" = "carmine run" ]' err "a b"

python3 -c 1 2>/dev/null || {
    skip "twenty programs" "there is no python3"
    end_of_cases
    exit
}
# The roofs of another machine do: these causes do not depend on them.
cp "$zen5" my.json
export CARMINE_JSON=yes CARMINE_APP_INSTRUCTIONS=yes CARMINE_APP_REPEAT=2 CARMINE_QUIET=yes OMP_NUM_THREADS=1
run app -o my.json -- "$BUILD/apps/waits" sleep
shows_waits=$(json program.waits.samples <out)
run app -o my.json --by loop -- "$BUILD/apps/loops" horner 0 2000
knows_core=$(json points.0.loop.parts <out)
# what it needs | the planted cause | the program
while IFS='|' read -r needs cause program; do
    case $needs in
    waits) [ "$shows_waits" ] || { skip "$program: $cause" "this system shows no waits"; continue; } ;;
    core) [ "$knows_core" ] && [ -z "$TEST_CORE" ] || { skip "$program: $cause" "this core has no table, or another one"; continue; } ;;
    esac
    # Neighbours may spoil a run; not four.
    for _ in 1 2 3 4; do
        # shellcheck disable=SC2086
        eval "start '$tests/helpers/solve.py' '$carmine' '$page' my.json $program"
        [ "$(cat out)" != "$cause" ] || break
    done
    expect "$program: $cause" status 0 true '[ "$(cat out)" = "$cause" ]'
done <<'END'
waits|sleep|$BUILD/apps/waits sleep
waits|sleep|sh -c "sleep 0.4"
waits|pipes|$BUILD/apps/waits pipe
waits|locks|$BUILD/apps/waits lock
waits|page faults|$BUILD/apps/waits faults
waits|the kernel|dd if=/dev/zero of=/dev/null bs=1 count=200000
|failure|sh -c "exit 3"
|other work in each run|$BUILD/apps/timed clock
|wrong marks|$BUILD/apps/regions mismatch
|killed processes|$BUILD/apps/processes kill
core|a chain|$BUILD/apps/loops horner 0 20000
core|a chain|$BUILD/apps/loops newton 0 20000
core|a chain|$BUILD/apps/loops hash 0 20000
core|a chain|$BUILD/apps/loops chase 0 20000
core|divisions|$BUILD/apps/loops divide 0 20000
core|divisions|$BUILD/apps/pairs divided
|random access|$BUILD/apps/pairs searched_random
|random access|$BUILD/apps/pairs gathered_apart
|scalar code|$BUILD/apps/loops dot8 0 20000
|no fused multiply-add|$BUILD/apps/triad 2000 40000
END
end_of_cases
