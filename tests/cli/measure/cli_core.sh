#!/bin/sh
# carmine core: every form of its output, beside programs that compute on all CPUs, and interrupted. No times are known here.
. "$(dirname "$0")/../cli.sh"
topologies=$tests/topologies

# Columns of the CSV: form, value, low, high of latency, of throughput, clock, crosses, disturbed.
ordered='awk -F, "NR > 1 && ((\$2 != \"\" && (\$2 <= 0 || \$3 > \$2 || \$2 > \$4)) || (\$5 != \"\" && (\$5 <= 0 || \$6 > \$5 || \$5 > \$7)) || \$8 < 1e8) { bad = 1 } END { exit bad || NR < 100 }" out'

# A busy host needs longer; a quiet one ends sooner.
run core --csv --budget 90
expect "intervals are ordered, and above zero" status 0 true 'is_csv out' out "form,latency_cycles," out '"add qq",' out '"mispredict",' out '"load indexed",' true "$ordered" true '[ "$(cut -d, -f1 out | sort | uniq -d | wc -l)" = 0 ]'
for _ in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' &
    hogs="$hogs $!"
done
run core --json --budget 90
kill $hogs
# It may say that it believes none of its values.
expect "beside hogs" true '[ "$status" = 0 ] || grep -q "values were disturbed, so none can be believed" err' true '[ "$(json schema <out)" = carmine.core/1 ]' true 'json core.*.form <out | grep -qx "addsd xx"' out '"pairs":' true '! json core.*.latency_cycles core.*.throughput_cycles <out | grep -q "^-"'
run core -o new.json --budget 90
expect "one screen, and a new result" status 0 out "load from L1" err "result in new.json" true '[ "$(wc -l <out)" -le 26 ]' true 'json core.*.form <new.json | grep -qx "addsd xx"'
run show new.json
expect "show reads it" status 0 out "load from L1"
if grep -q "from the table of" out; then
    sed '/"form":"load q"/s/"latency_cycles":\[[^]]*\]/"latency_cycles":[40,40,40]/; /"form":"load q"/s/"disturbed":true/"disturbed":false/' new.json >slow.json
    COLUMNS=120 run show slow.json # beside values that a busy host disturbed, too
    expect "another value than the table's is marked" status 0 true 'grep -Eq "^load from L1 +40.00 .*≠" out'
else
    skip "another value than the table's is marked" "this core has no table"
fi
measure_sample
run core -o sample.json --budget 90
expect "a result keeps its roofs" status 0 err "added to" true '[ "$(json samples.*.kernel <sample.json | wc -l)" = 3 ]' true 'json core.*.form <sample.json | grep -qx "addsd xx"'
cp sample.json resumed.json
run run $short --resume resumed.json
expect "a resumed run keeps the core" status 0 true '[ "$(json core.*.form core.*.latency_cycles core_pairs.*.share <resumed.json)" = "$(json core.*.form core.*.latency_cycles core_pairs.*.share <sample.json)" ]'
sed 's/"brand": *"[^"]*"/"brand": "Another CPU"/' sample.json >another.json
refuses "a result of another machine" "another machine" core -o another.json
sed '/"form":"[^"]*"/s/,"disturbed":true//; s/"clock_hz":[0-9.e+]*/&,"disturbed":true/' new.json >busy.json
run show busy.json
expect "all values are disturbed" status 0 out "none can be believed"
refuses "too little time" "--budget must be at least 5 s" core --budget 1
sed '/"form":"mispredict"/s/"latency_cycles":\[/&-/' sample.json >damaged.json
cmp -s sample.json damaged.json && echo "not ok the cycles are written otherwise"
refuses "a damaged value" "core[" show damaged.json
"$carmine" core >out 2>err </dev/null &
pid=$!
for _ in $(seq 300); do grep -q measuring err && break; sleep 0.1; done
kill -INT $pid
wait $pid
status=$?
expect "interrupted" status 2 err "interrupted"
export HWLOC_XMLFILE="$topologies/nodes.xml"
refuses "a recorded machine" "cannot be measured" core
unset HWLOC_XMLFILE
end_of_cases
