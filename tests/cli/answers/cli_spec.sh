#!/bin/sh
# carmine spec: measured against documented values.
. "$(dirname "$0")/../cli.sh"
measure_sample
specs=$tests/../specs

for name in core-i5-4210u xeon-e5-2660 xeon-x5680 core-i7-3930k xeon-6980p; do
    run spec --spec "$specs/$name.json"
    expect "the example $name" status 0 out "peak at base" out "Source: " err-lines 0
done
run spec --spec "$specs/core-i5-4210u.json"
expect "the i5-4210U: 2 cores of 16 flop/cycle" status 0 out "16 flop/cycle" out "54.4 Gflop/s at 1.7 GHz" \
    out "86.4 Gflop/s at 2.7 GHz"
run spec --spec "$specs/xeon-e5-2660.json"
expect "the paper's E5-2660: 8 flop/cycle" status 0 out "8 flop/cycle, from the table" out "141 Gflop/s at 2.2 GHz"
run spec --spec "$specs/xeon-x5680.json"
expect "the paper's X5680: 4 flop/cycle, stated" status 0 out "4 flop/cycle, as the file states" out "79.2 Gflop/s"
run spec --spec "$specs/core-i7-3930k.json"
expect "the paper's i7-3930K, and its memory" status 0 out "154 Gflop/s at 3.2 GHz" \
    out "51.2 GB/s = 4 channels × 1.6 GT/s × 8 bytes"
run spec --spec "$specs/core-i5-4210u.json" --json
cp out spec.json
expect "the same as JSON" status 0 true '[ "$(json schema machine spec.cores <spec.json | xargs echo)" = "carmine.gaps/1 null 2" ]' \
    true 'json "spec.peaks.*.flop_per_s" <spec.json | xargs echo | grep -qx "54400000000.0 86400000000.0"' true '[ "$(json roofs <spec.json)" = 0 ]'

run spec sample.json --all
expect "a result alone" status 0 out "sse.f64.mul" out "sse.load" out "Documented limits: " out "measured" err-lines 0
run spec sample.json --json
cp out gaps.json
expect "its JSON" status 0 true '[ "$(json roofs <gaps.json)" = "$(json samples <sample.json)" ]' \
    true 'json "roofs.*.reasons" "roofs.*.documented_ratio" "roofs.*.nominal_ratio" "roofs.*.clock_hz" <gaps.json >/dev/null' \
    true '[ "$(json spec <gaps.json)" = null ]'
run spec sample.json --spec "$specs/xeon-6980p.json" --all
expect "a result with a specification" status 0 out "Nominal clock: 2.00 GHz, from the specification" out "measured peak" \
    out "at nominal" out "peak at turbo"
expect "at most 140 columns" status 0 true '[ "$(LC_ALL=C.UTF-8 awk "{ if (length > most) most = length } END { print most }" out)" -le 140 ]'

# The tables are followed by an explanation of each reason that they give. (This host may have no documented limit.)
sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":1000/g; s/"doubts": *\[[^]]*\]/"doubts":[]/g' "$tests/../results/granite-rapids-2-cores-vm.json" >far.json
run spec far.json --all
expect "a gap that nothing explains" status 0 true 'grep -qE "^(not explained|virtual machine) \([0-9]+\): " out'
sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":5/g' "$tests/../results/granite-rapids-2-cores-vm.json" >above.json
run spec above.json --all
expect "more than documented" status 0 true 'grep -qE "^above documented \([0-9]+\): the clock reading" out'
sed 's/"documented_per_cycle": *[0-9.e+]*,\{0,1\}//g; s/,}/}/g' sample.json >none.json
run spec none.json --all
expect "nothing is documented" status 0 out "no documented limit"

sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":1e9/g' sample.json >huge.json
for form in --all --json "--all --spec $specs/xeon-6980p.json"; do
    # shellcheck disable=SC2086
    run spec huge.json $form
    expect "limits at the end of their range: spec $form" status 0 out "sse.load"
done

# The answer fits one screen.
screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
kept=$tests/../results/granite-rapids-2-cores-vm.json
run spec "$kept"
expect "one screen" status 0 err-lines 0 true screen true 'head -n 2 out | xargs echo | grep -q "^162 of 294 roofs within 2 % of documented, 0 explained, 8 not; 124 without"' \
    out "L1 avx2.2ld1st, one core" out "Rows    all, what each reason means"
run spec "$kept" --spec "$specs/xeon-6980p.json"
expect "with a specification" status 0 true screen out "f64 peak 217 Gflop/s: avx512.f64.fma" out "at all-core turbo"
run spec none.json
expect "without any limit" status 0 true screen out "None of $(json samples <none.json) roofs has a documented limit"
for file in far above huge; do
    run spec $file.json
    expect "one screen: $file" status 0 err-lines 0 true screen
done
run spec huge.json --json
expect "JSON has no infinities" status 0 true '[ "$(json roofs <out)" = "$(json samples <huge.json)" ]'

run spec --limits
expect "the table of limits" status 0 out "| Haswell |" true 'cmp -s out "$tests/../docs/documented-limits.md"'

refuses "nothing to compare" "name a result FILE, or --spec FILE" spec
refuses "two results" "unexpected argument" spec sample.json sample.json
refuses "--limits with a result" "--limits takes no FILE" spec sample.json --limits
refuses "a missing result" "n.json: cannot open" spec n.json
refuses "a missing specification" "n.json: cannot open" spec sample.json --spec n.json
refuses "a result for a specification" "schema: must be \"carmine.spec/1\", not carmine.result/1" spec --spec sample.json
refuses "a specification for a result" "must be \"carmine.result/1\"" spec "$specs/xeon-6980p.json"
sed 's/"cores"/"core"/' "$specs/xeon-6980p.json" >typo.json
refuses "a misspelt field" "typo.json: cores: must be there" spec --spec typo.json
sed 's/"threads"/"treads"/' "$specs/xeon-6980p.json" >typo.json
refuses "a misspelt field that may be left out" "typo.json: treads: unknown field" spec --spec typo.json
sed 's/2.0e9/2.0/' "$specs/xeon-6980p.json" >ghz.json
refuses "a clock in GHz" "ghz.json: the base clock: must be in Hz" spec --spec ghz.json
end_of_cases
