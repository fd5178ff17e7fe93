#!/bin/sh
# The progress of run in a terminal: one line that is overwritten repeatedly and removed at the end.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/terminal.sh"
has_terminal || { skip "a run in a terminal" "there is no script(1)"; end_of_cases; exit; }
export TERM=xterm LC_ALL=C.UTF-8
erase=$(printf '\033')\\[K
colour=$(printf '\033')'\[[0-9;]*m'
lines() { tr '\r' '\n' <raw | sed "s/$erase//g; s/$colour//g"; } # every state of the line
stays() { tr -d '\r' <raw | sed "s/.*$erase//"; }                # the text that remains on the screen

in_terminal 70 24 "$carmine run $short -o live.json"
expect "how far it is" status 0 file live.json true 'lines | grep -Eq "^[0-9]+ s · first pass: [0-9]+ of [0-9]+ · |^[0-9]+ of [0-9]+ s · "' \
    true 'lines | grep -Eq "converged.* · (again: |searching code: )?$isa.f64.mul, 1 thread|visits differ|others use|first pass"'
expect "no line is wider than the terminal" true '[ "$(lines | wc -L)" -le 70 ]'
expect "nothing of it stays" true 'stays | grep -q "f64 peak, $(echo $isa | tr a-z A-Z)"' true '! stays | grep -q "first pass\|converged"' \
    true 'stays | grep -q "result in live.json"'
in_terminal 70 24 "$carmine run $short -o quiet.json 2>told"
expect "none where messages go elsewhere" status 0 true '! grep -q "$erase\|first pass" raw told'
end_of_cases
