#!/bin/sh
# The roofline in a terminal, to walk through: keys in, a screen out. Sizes and what is said: tests/unit/charts/test_walk.c.
. "$(dirname "$0")/../cli.sh"
results=$(dirname "$tests")/results
cp "$results/granite-rapids-2-cores-vm.json" my.json

refuses "no terminal" "carmine plot FILE --term" view my.json
refuses "no file" "cannot open" view missing.json
refuses "no result" "" view "$0"

# In a terminal of 100 columns and 30 lines, of a kind; the keys come one after the other, and the screen as it was sent.
if command -v script >/dev/null; then
    walk() { # KIND KEYS
        (sleep 1; printf '%b' "$2"; sleep 1; printf q) |
            TERM=$1 LC_ALL=C.UTF-8 timeout 60 script -qec "stty cols 100 rows 30; '$carmine' view my.json" screen >/dev/null 2>err
        status=$?
        LC_ALL=C tr -d '\r' <screen >out
    }
    walk xterm-256color ''
    expect "a screen, and q leaves it" status 0 out "choose" out "DRAM" out "2 cores" out "$(printf '\033[?1049l')"
    walk xterm-256color '\r'
    expect "Enter tells the numbers" status 0 out "by 2 threads at"
    walk vt100 '1i'
    expect "without colours; a level is hidden" status 0 out "hidden" out "ISA: "
    walk nosuchterminal ''
    expect "an unknown kind of terminal" status 2 out "TERM" not "Segmentation"
else
    skip "in a terminal" "there is no script"
fi
end_of_cases
