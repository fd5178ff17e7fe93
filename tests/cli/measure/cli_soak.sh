#!/bin/sh
# carmine soak: a short one is measured, shown and drawn; others are killed, continued and stopped; errors. The status
# is 0 or 1, since the findings depend on the host.
. "$(dirname "$0")/../cli.sh"
said() { [ "$status" = 0 ] || [ "$status" = 1 ]; }
rounds() { echo $(($(wc -l <"$1") - 1)); }
has_rounds() { # FILE NUMBER: waits two minutes for that many rounds
    for _ in $(seq 1200); do
        [ ! -s "$1" ] || [ "$(rounds "$1")" -lt "$2" ] || return 0
        sleep 0.1
    done
    return 1
}
is_screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(wc -L <out)" -le 80 ]; }

run soak --for 2s -o a.jsonl
expect "a short soak" true said out "f64 peak" out "DRAM latency, 1 core" out "carmine plot a.jsonl" true is_screen \
    true '[ "$(rounds a.jsonl)" -ge 1 ]' true 'head -n 1 a.jsonl | grep -q "^{\"schema\":\"carmine.soak/1\""'
keep_answer a.jsonl
run show a.jsonl
expect "shown" true said true 'grep -qE "^Time    [0-9-]+ [0-9:]{8} to ([0-9]+ [A-Z][a-z]+ )?[0-9:]{8} UTC$" out' true is_screen
run show a.jsonl --json
expect "as JSON" true said out '"schema": "carmine.soak-findings/1"'
run show a.jsonl --csv
expect "as CSV" true said lines $(($(rounds a.jsonl) + 1)) out 'utc,at_s,"f64 peak'
refuses "a table of roofs of it" "--roof is an option for results" show a.jsonl --roof load
refuses "what is there already" "a.jsonl exists already: --resume continues it" soak --for 1s -o a.jsonl
refuses "one that has its time" "name more time with --for" soak --resume a.jsonl
had=$(rounds a.jsonl)
run soak --resume a.jsonl --for 2s
expect "on for some longer" true said true '[ "$(rounds a.jsonl)" -gt $had ]'
run plot a.jsonl -o a.svg
expect "drawn" status 0 file a.svg true 'grep -q "f64 peak" a.svg' true 'grep -q "Time since" a.svg'
run plot a.jsonl
expect "drawn in a terminal" status 0 out "DRAM latency"
refuses "a report of it" "there is no report" plot a.jsonl -o a.html
refuses "another chart of it" "--chart is an option for results" plot a.jsonl --chart sweep -o b.svg
refuses "two at once" "drawn by itself" plot a.jsonl a.jsonl -o b.svg

# A killed soak leaves complete lines, and --resume continues it, also after a last line that was cut off.
"$carmine" soak --for 1h -o k.jsonl >out 2>err </dev/null &
pid=$!
has_rounds k.jsonl 2
refuses "a log that another writes" "another carmine soak writes k.jsonl" soak --resume k.jsonl
{ kill -KILL $pid && wait $pid; } 2>/dev/null
run show k.jsonl
expect "a killed soak" true said true '[ "$(rounds k.jsonl)" -ge 2 ]'
printf '{"utc":"2026-11-23T04:58:20Z","at_' >>k.jsonl
run show k.jsonl
expect "a line that was cut off" true said out "was incomplete, and is left out"
"$carmine" soak --resume k.jsonl >out 2>err </dev/null &
pid=$!
has=$(rounds k.jsonl)
has_rounds k.jsonl $((has + 1))
kill -INT $pid
wait $pid
status=$?
expect "gone on with, and stopped: it answers" true said out "f64 peak" not "was not whole" true '[ "$(rounds k.jsonl)" -gt $has ]'
run show k.jsonl
expect "the log is whole" true said not "was not whole"

# One that ends before its first round: no log stays, and the name is free again.
"$carmine" soak --for 1h -o e.jsonl >out 2>err </dev/null &
pid=$!
for _ in $(seq 600); do
    ! grep -q "finding the roofs" err || break
    sleep 0.1
done
kill -TERM $pid
wait $pid
status=$?
expect "stopped before its first round" err "nothing was written" no-file e.jsonl

for time in "" 0 0s -5m 6x 1e99d nan; do
    run soak "--for=$time" -o b.jsonl
    expect "--for '$time'" status 2 lines 0 err "--for" no-file b.jsonl
done
refuses "no time" "name it with --for" soak -o b.jsonl
refuses "-o with --resume" "leave out -o" soak --resume a.jsonl -o b.jsonl
refuses "a picture's name" "is a picture" soak --for 1s -o b.svg
refuses "what is nowhere" "cannot open" soak --resume nowhere.jsonl
printf '{}' >other.json
refuses "another file" "has no complete line" soak --resume other.json
printf '{"schema":"carmine.result/1"}\n' >other.json
refuses "a result" 'must be "carmine.soak/1"' soak --resume other.json
refuses "an unwritable place" "cannot write" soak --for 1s -o /nowhere/a.jsonl
sed '2s/.*/nonsense/' a.jsonl >broken.jsonl
refuses "a broken line" "line 2" show broken.jsonl
run soak --for 1s -o /dev/full
expect "a full disk: it answers, and says that the log is lacking" status 2 out "f64 peak" err "No space left" err "lacks the last rounds"

end_of_cases
