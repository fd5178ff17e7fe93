#!/bin/sh
# The pages and tables that make writes from results: `make cores wisdom tables`, in a copy of the tree, gives what is
# committed. Published figures are met, and a core's figure that differs from its table is on the page.
. "$(dirname "$0")/../cli.sh"
root=$(cd "$tests/.." && pwd)
mkdir tree
(cd "$root" && tar cf - --exclude='./build*' --exclude=./.git .) | tar xf - -C tree
start make -C tree -o all -o "$BUILD/tests/helpers/json" BUILD="$BUILD" cores wisdom tables
for each in docs/core-tables.md docs/core-published.md bench/kernels/wisdom_table.c docs/validation.md; do
    case $isa$each in neon*wisdom*) skip "$each is up to date" "its results are of x86, and this carmine has no kernels of x86" && continue ;; esac
    expect "$each is up to date" status 0 true 'cmp "tree/$each" "$root/$each"'
done
expect "published figures, too" true '! grep -q "not looked into" "$root/docs/core-published.md"' \
    true 'grep "^| zen3 " "$root/docs/core-published.md" | awk -F"|" "{ split(\$5, l, \" \"); split(\$6, t, \" \"); exit !(l[1] + t[1] >= 0.9 * (l[3] + t[3])) }"'

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
