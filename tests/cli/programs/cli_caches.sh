#!/bin/sh
# Simulated caches against callgrind's of the same geometry: tests/helpers/caches_trace.c runs the loops under
# callgrind, and simulates their accesses.
. "$(dirname "$0")/../cli.sh"
if ! command -v valgrind >/dev/null; then
    skip "caches as callgrind simulates them" "valgrind is not installed"
    end_of_cases
    exit
fi
trace=$BUILD/tests/helpers/caches_trace

# callgrind's counts of the loop's function, as lines "name value".
counted() { # loop, further option
    valgrind --tool=callgrind --callgrind-out-file=callgrind.out --cache-sim=yes --toggle-collect=accesses "$2" \
        --D1=32768,8,64 --LL=1048576,16,64 "$trace" run "$1" >valgrind.out 2>&1 || return 1
    awk '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i } /^totals:/ { for (i = 2; i <= NF; i++) print name[i], $i }' callgrind.out
}
# All values of the two files agree to 0.5 %, or to 100 (cache lines that the program's start left).
agree() { # simulated, counted
    awk 'FNR == NR { counted[$1] = $2; next }
        { off = $2 - counted[$1]; off = off < 0 ? -off : off; shown++ }
        off > 0.005 * counted[$1] && off > 100 || !($1 in counted) { print $0 ", not " counted[$1]; bad = 1 }
        END { exit bad || shown != 5 }' "$2" "$1"
}
for loop in triad dgemm transposition stencil random; do
    "$trace" simulate $loop >simulated
    {
        counted $loop --simulate-wb=no | grep -v '^I'
        counted $loop --simulate-wb=yes | awk '/^(IL|DL)dm[rw] / { sum += $2 } END { print "written", sum }'
    } >counted
    expect "$loop: as callgrind" true 'agree simulated counted'
done
end_of_cases
