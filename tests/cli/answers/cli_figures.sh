#!/bin/sh
# Figures in the pages are those of the stored results that they name.
. "$(dirname "$0")/../cli.sh"
root=$tests/..
granite=$root/results/granite-rapids-2-cores-vm.json

# stands PAGE TEXT: the page has the sentence, wherever its lines end.
stands() { tr '\n' ' ' <"$root/docs/$1" | grep -qF "$2"; }

# roof PATTERN: that of L1 on one core, as pictures name it: "128 B/cycle".
roof() { COLUMNS=120 "$carmine" plot "$granite" --threads 1 --roof "$1" | grep -o "L1[^│]*B/cycle" | sed 's/.* · //'; }
expect "roofs at the median and at the best size" true '[ "$(roof median)" = "115 B/cycle" ]' true '[ "$(roof load)" = "128 B/cycle" ]' \
    true 'stands method.md "L1 115 B/cycle as median, 128 as roof"'

for each in "$root"/results/*.json; do
    "$carmine" show "$each" --csv 2>err | awk -F, -v zen5="$(grep -c '"uarch": "Zen 5"' "$each")" \
        '$1 ~ /\.random"$/ && $3 ~ /"L[12]"/ && $4 == 1 { rows++; off += $8 < (zen5 ? 48 : 31) || $8 > (zen5 ? 50 : 33) } END { print off + 0, (rows > 0) }'
done | sort -u >random
expect "random lines in L1 and L2" true '[ "$(cat random)" = "0 1" ]' true 'stands method.md "(32 bytes per cycle, 49 on a Zen 5)"'

mkdir nodes
"$BUILD/tests/helpers/fleet" "$granite" 60 nodes >planted
sleep 2.2 # the index leaves out what changed just now
run fleet nodes --index
each=$(($(wc -c <nodes/.carmine-fleet-index) / 60))
expect "a node in the index of a fleet" true '[ "$each" -gt 9000 ] && [ "$each" -lt 11500 ]' true 'stands fleet.md "about 10 kB for 302 roofs"'
end_of_cases
