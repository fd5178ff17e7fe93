#!/bin/sh
# --csv of every command that has it: one heading, names that differ, and rows with a field for each.
. "$(dirname "$0")/../cli.sh"
zen3=$tests/../results/zen3-2-cores-vm.json zen5=$tests/../results/zen5-2-cores-vm.json
measure_sample
mkdir nodes
cp "$zen3" "$zen5" nodes

# The command lines; core, memory, sweep and validate have tests of their own that measure.
cat >lines <<EOF
run $short
machine
doctor
doctor --counters
doctor --counters=skx
clock --for 0.3
kernels sse.*
soak --for 1s -o soak.jsonl
app -o sample.json --by function -- true
workload daxpy --sizes 1000
workload daxpy --validate
import csv $tests/golden/files/points.csv --machine here
import stream $tests/imports/stream.txt --machine here
compare $zen3 $zen5
compare $zen3 $zen5 sample.json
why $zen3 $zen5
why $zen3 $zen5 L2
check $zen3 --baseline $zen5
fleet nodes
show $zen3
show $zen3 --table core
show $tests/golden/files/levels.json --table points
show soak.jsonl
spec $zen3
spec $tests/../results/granite-rapids-1-core-vm.json --spec $tests/../specs/xeon-6980p.json
EOF
while read -r line; do
    case $line in
    *" -- "*) line="${line%% -- *} --csv -- ${line#* -- }" ;;
    *) line="$line --csv" ;;
    esac
    # shellcheck disable=SC2086
    run $line
    expect "$(echo "$line" | sed 's|[^ ]*/||g')" true '[ "$status" -lt 2 ]' true 'is_csv out'
done <lines
for command in $("$carmine" --help | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p'); do
    run "$command" --help
    ! sed -n "/^  Output:/,/^$/p" out | grep -q -e "--csv" || echo "$command"
done | grep -vxE "core|memory|sweep|validate" >offered
expect "each command that offers it" true '[ "$(wc -l <offered)" = 15 ]' true 'sed "s/ .*//" lines | sort -u >had; sort offered | cmp - had'
run why "$zen3" "$zen5" --csv
expect "a column for each factor, numbers without prefix" true 'head -n 1 out | grep -q ",factors_clock,factors_per_cycle,"' true 'grep -Eq "^\"f64 peak\",\"compute\",\"all cores\",\"flop_per_s\",2\\.[0-9]+,.*,1\\.03424e\\+11," out'
run check "$zen3" --baseline "$zen5" --format csv
cp out form
run check "$zen3" --baseline "$zen5" --csv
expect "a form of check" status 1 true 'cmp out form'
refuses "both of them" "--csv is --format csv: name one form" check "$zen3" --baseline "$zen5" --csv --format json
refuses "a table that the file has not" "the file holds no memory; \`carmine memory -o FILE\` adds some" show "$zen3" --csv --table memory
refuses "a table of no CSV" "--table chooses a table of CSV: add --csv" show "$zen3" --table core
refuses "a vendor's data alone" "--csv is for a result" spec --spec "$tests/../specs/xeon-6980p.json" --csv
end_of_cases
