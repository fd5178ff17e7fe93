#!/bin/sh
# carmine plot: charts in the terminal.
. "$(dirname "$0")/../cli.sh"
unset LC_ALL LC_CTYPE LANG NO_COLOR COLORTERM COLUMNS
export TERM=xterm-256color
measure_sample
printf 'name,seconds,flop,core_bytes,threads\ngpp,1,1e9,4e9,1\n' >gpp.csv
run import csv gpp.csv -o sample.json
run sweep --isa $isa --mix load --per-octave 1 --quick -o sweep.json
escape=$(printf '\033')
widest() { LC_ALL=C.UTF-8 wc -L <out; }
has_escapes() { grep -q "$escape" out; }
is_ascii() { ! LC_ALL=C grep -q '[^ -~]' out; }

export LANG=en_US.UTF-8
run plot sample.json
expect "80 columns in a pipe" status 0 err-lines 0 out "Performance  [Gflop/s]" out "│" out "L1" true '[ "$(widest)" -le 80 ]'
expect "no colours in a pipe" true '! has_escapes'
for columns in 60 100 120 200; do
    COLUMNS=$columns run plot sample.json
    expect "$columns columns" status 0 true "[ \"\$(widest)\" -le $columns ]" true "[ \"\$(widest)\" -gt $((columns - 20)) ]"
done
COLUMNS=130 run plot sample.json
expect "COLUMNS" status 0 true '[ "$(widest)" -gt 110 ]' true '[ "$(widest)" -le 130 ]'
COLUMNS=20 run plot sample.json
expect "60 at least" status 0 true '[ "$(widest)" -gt 50 ]' true '[ "$(widest)" -le 60 ]'

# The locale decides between Unicode and ASCII.
for locale in LC_ALL LC_CTYPE LANG; do
    start env "$locale=C" "$carmine" plot sample.json
    case $locale in
    LC_CTYPE | LC_ALL) expect "ASCII by $locale" status 0 true is_ascii out "Performance  [Gflop/s]" ;;
    esac
    start env -u LANG "$locale=de_DE.utf8" "$carmine" plot sample.json
    expect "Unicode by $locale" status 0 out "│"
done
start env LANG=C "$carmine" plot sample.json
expect "ASCII by LANG" status 0 true is_ascii
start env -u LANG "$carmine" plot sample.json
expect "ASCII without a locale" status 0 true is_ascii true '[ "$(widest)" -le 80 ]'

# Every screen is in ASCII then, as wide as it is with signs; what other programs read stays in UTF-8.
zen3=$tests/../results/zen3-2-cores-vm.json
zen5=$tests/../results/zen5-2-cores-vm.json
for command in "show $zen3" "show --all $zen3" "compare $zen3 $zen5" "why $zen3 $zen5" "why --all $zen3 $zen5" "spec $zen3" \
    "check $zen3 --baseline $zen5" "fleet $zen3" "machine" "kernels" "compare --help"; do
    # shellcheck disable=SC2086
    start env LC_ALL=C COLUMNS=80 "$carmine" $command
    expect "in ASCII: $command" true is_ascii true 'cp err out; is_ascii'
done
start env LC_ALL=C COLUMNS=80 "$carmine" show "$zen3"
expect "signs have their width" true '[ "$(widest)" -le 80 ]' out "| Zen 3 |" true 'grep "^L3" out | grep -q "GB/s +-[0-9]* %   *[0-9.]* ns$"'
start env LC_ALL=C "$carmine" show no-such-€.json
expect "a name in ASCII" status 2 err "no-such-?.json"
for form in json csv markdown; do
    run show "$zen3" --$form
    cp out utf8
    start env LC_ALL=C "$carmine" show "$zen3" --$form
    expect "data stays: --$form" status 0 true "cmp -s utf8 out"
done
expect "with signs" true '! is_ascii'
sed 's/"host": "vm"/"host": "bär"/' "$zen3" >named.json
start env LC_ALL=C "$carmine" check named.json --baseline "$zen3" --format junit
expect "data stays: --format" out 'hostname="bär"'

# Colours depend on the terminal and on its variables.
export CLICOLOR_FORCE=1
run plot sample.json
expect "256 colours" status 0 out "${escape}[38;5;"
start env TERM=xterm "$carmine" plot sample.json
expect "eight colours" status 0 true has_escapes not "38;5;"
start env TERM=xterm COLORTERM=truecolor "$carmine" plot sample.json
expect "COLORTERM" status 0 out "38;5;"
NO_COLOR=1 run plot sample.json
expect "NO_COLOR wins" status 0 true '! has_escapes'
CLICOLOR_FORCE=0 run plot sample.json
expect "0 does not force" status 0 true '! has_escapes'
unset CLICOLOR_FORCE
in_terminal() { script -qec "$*" /dev/null </dev/null >out 2>err; }
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    in_terminal "$carmine plot sample.json"
    expect "colours in a terminal" true has_escapes
    in_terminal "NO_COLOR=1 $carmine plot sample.json"
    expect "NO_COLOR" true '! has_escapes' out "│"
    in_terminal "TERM=dumb $carmine plot sample.json"
    expect "a dumb terminal" true '! has_escapes'
    in_terminal "stty cols 140; NO_COLOR=1 $carmine plot sample.json"
    expect "the terminal's width" true '[ "$(widest)" -gt 120 ]' true '[ "$(widest)" -le 141 ]'

    # Long output goes through a pager, in terminals only; no line is wider than the terminal.
    in_terminal "stty cols 80; PAGER='sed s/^/paged:/' $carmine show sample.json --all"
    expect "a pager of one's own" out "paged:" out "$isa.f64.mul" true '! grep -qv "^paged:" out'
    expect "a table has no line that is wider than the terminal" true '[ "$(grep "^paged: *$isa.f64" out | LC_ALL=C.UTF-8 wc -L)" -le 87 ]'
    in_terminal "stty cols 60; PAGER=cat $carmine kernels $isa.load"
    expect "nor has any other, which says so" true '[ "$(head -n 6 out | tr -d "\r" | LC_ALL=C.UTF-8 wc -L)" -le 60 ]' true 'head -n 1 out | grep -q "…"'
    in_terminal "PAGER='sed s/^/paged:/' $carmine show sample.json"
    expect "one screen needs none" out "L1" not "paged:"
    in_terminal "PAGER=there-is-none $carmine show sample.json --all"
    expect "a pager that is missing" out "not found" out "$isa.f64.mul"
    in_terminal "PAGER=true $carmine show sample.json --all; echo status \$?"
    expect "a reader who has seen enough" out "status 0"
    PAGER='sed s/^/paged:/' run show sample.json --all
    expect "none in a pipe" status 0 out "$isa.f64.mul" not "paged:"
else
    skip "colours in a terminal" "there is no script(1)"
fi

# Every chart, several files, and the list of points.
run plot sample.json --chart roofline --point none
expect "--no-points" status 0 not "gpp"
run plot sample.json
expect "points with their verdicts" status 0 out "gpp" out " %"
run plot sweep.json --chart sweep
expect "a sweep" status 0 out "Working set" out "KiB"
run plot sample.json sample.json
expect "two files" status 0 true '[ "$(grep -c "Performance  \[Gflop/s\]" out)" = 2 ]'
run import nsight "$tests/imports/nsight_raw.csv" --machine "A GPU" -o gpu.json
run plot gpu.json
expect "a GPU, over DRAM bytes" status 0 out "A GPU" out "between caches and memory" out "DRAM 64 %"

run plot gpu.json -o gpu.html
expect "nothing of cores in its small print" status 0 true 'sed -n "/id=.still/,/<.figure>/p" gpu.html >picture' true 'grep -q "Bytes are those between caches" picture' true '! grep -qE "write-allocate|Per cycle" picture'

refuses "what is gone: --term" "--term was removed after 0.2.0; without -o it draws in the terminal" plot sample.json --term
refuses "the former width" "COLUMNS=N chooses the columns" plot sample.json --width 100
refuses "the former colours" "NO_COLOR=1 turns colours off" plot sample.json --color never
refuses "no such chart in it" "holds no" plot sample.json --chart sweep
end_of_cases
