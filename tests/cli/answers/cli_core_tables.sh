#!/bin/sh
# The pages of measured cores against typed tables and published figures: docs/core-tables.md and core-published.md are
# what the results give, and a figure that differs is on them.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
(cd "$root" && asm/incore/agreement "$carmine" results/*.json) >page 2>err
expect "the page is up to date; make cores writes it anew" true 'cmp page "$root/docs/core-tables.md"'
(cd "$root" && tests/peers/published_core/figures "$carmine") >page 2>err
expect "published figures, too" true 'cmp page "$root/docs/core-published.md"' true '! grep -q "not looked into" page' \
    true 'grep "^| zen3 " page | awk -F"|" "{ split(\$5, l, \" \"); split(\$6, t, \" \"); exit !(l[1] + t[1] >= 0.9 * (l[3] + t[3])) }"'

# Zen 4's table says 3 cycles for addsd and mulsd, and for a multiplication of integers.
core() { printf '{"form": "%s", "%s_cycles": [%s, %s, %s], "clock_hz": 3e9%s}%s\n' "$1" "$2" "$3" "$3" "$3" "$5" "$4"; }
{
    echo '"core": ['
    core "addsd xx" latency 3.1 , ""
    core "mulsd xx" latency 5 , ""
    core "imul qq" latency 9 , ', "disturbed": true'
    core "load q" latency 4 "" ""
    echo '],'
} >core.txt
sed '1r core.txt' "$root/results/zen4-2-cores-vm.json" >zen4.json
"$root/asm/incore/agreement" "$carmine" "$root/results/emerald-rapids-2-cores-vm.json" zen4.json >page
expect "what differs is listed" true 'grep -q "^| zen4.json | Zen 4[^|]* | [-0-9]* | 1 of 3 | 0 of 0 | 1 of 4 forms |$" page' \
    true 'grep -qx "| .mulsd xx. | latency | [34] | 5 | 5 – 5 |" page' true '! grep -q "addsd\|imul\|load q\|emerald" page'
end_of_cases
