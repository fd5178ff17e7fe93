#!/bin/sh
# The page of typed tables against measured cores: docs/core-tables.md is what the results give, and a figure that
# differs is on it.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
(cd "$root" && asm/incore/agreement "$carmine" results/*.json) >page 2>err
expect "the page is up to date; make cores writes it anew" true 'cmp page "$root/docs/core-tables.md"'

# Zen 3's table says 3 cycles for addsd and 4 for mulsd, and 3 for a multiplication of integers.
core() { printf '{"form": "%s", "%s_cycles": [%s, %s, %s], "clock_hz": 3e9%s}%s\n' "$1" "$2" "$3" "$3" "$3" "$5" "$4"; }
{
    echo '"core": ['
    core "addsd xx" latency 3.1 , ""
    core "mulsd xx" latency 5 , ""
    core "imul qq" latency 9 , ', "disturbed": true'
    core "load q" latency 4 "" ""
    echo '],'
} >core.txt
sed '1r core.txt' "$root/results/zen3-2-cores-vm.json" >zen3.json
"$root/asm/incore/agreement" "$carmine" "$root/results/zen4-2-cores-vm.json" zen3.json >page
expect "what differs is listed" true 'grep -q "^| zen3.json | Zen 3[^|]* | [-0-9]* | 1 of 3 | 0 of 0 | 1 of 4 forms |$" page' \
    true 'grep -qx "| .mulsd xx. | latency | [34] | 5 | 5 – 5 |" page' true '! grep -q "addsd\|imul\|load q\|zen4" page'
end_of_cases
