#!/bin/sh
# carmine view: keys in, a screen out. tests/unit/charts/test_walk.c tests sizes and texts.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/terminal.sh"
results=$(dirname "$tests")/results
cp "$results/granite-rapids-2-cores-vm.json" my.json

refuses "no terminal" "carmine plot FILE" view my.json
refuses "no file" "cannot open" view missing.json
refuses "no result" "" view "$0"

# A terminal of 100 columns and 30 lines. walk types the keys; the file out has the screen's bytes.
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

# The screen with a mouse and in other sizes.
if has_screen; then
    cp my.json points.json
    printf 'name,seconds,flop,core_bytes,threads\nfirst,1,1e9,4e9,2\nsecond,1,8e10,2e9,2\n' >points.csv
    run import csv points.csv -o points.json
    expect "points to choose" status 0
    screen_open 100 30 "TERM=xterm-256color LC_ALL=C.UTF-8 COLORTERM= '$carmine' view points.json"
    screen_shows "→ first"
    expect "the first point is chosen" true 'screen_shows "→ first"' true 'grep -q "★" out'
    screen_find "★"
    first_column=$column first_line=$line
    screen_type Right
    expect "a key: the next" true 'screen_shows "→ second"'
    screen_mouse 0 "$first_column" "$first_line"
    expect "a click chooses the nearest" true 'screen_shows "→ first"'
    screen_mouse 65 10 10
    expect "the wheel goes on" true 'screen_shows "→ second"'
    screen_mouse 64 10 10
    expect "and back" true 'screen_shows "→ first"'
    screen_find "1 L1"
    screen_mouse 0 "$column" "$line"
    expect "a click on a level hides it" true 'screen_shows "1 L1 (hidden)"'
    screen_find "Enter more"
    screen_mouse 0 $((column + 2)) "$line"
    expect "a click on a word below is its key" true 'screen_shows "Enter less"'
    for size in "140 45" "70 20" "60 12" "30 5" "100 30"; do
        # shellcheck disable=SC2086
        screen_size $size
        least=0
        [ "${size% *}" -lt 140 ] || least=121
        expect "resized to $size" true 'screen_spans $least ${size% *} "→ first"'
    done
    screen_shows "q quit"
    screen_find "q quit"
    screen_mouse 0 "$column" "$line"
    expect "a click on quit leaves, and the screen is as it was" true 'screen_shows "status 0"' not "DRAM"
    screen_close
else
    skip "the mouse, and other sizes" "there is no tmux"
fi
end_of_cases
