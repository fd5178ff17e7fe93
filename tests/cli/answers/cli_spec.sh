#!/bin/sh
# carmine spec: measured against documented values.
. "$(dirname "$0")/../cli.sh"
measure_sample
judged() { [ "$status" -le 2 ] && [ ! -s err ]; } # on this host: 0 as specified, 1 below, 2 if no figure can be told
specs=$tests/../specs

for name in core-i5-4210u xeon-e5-2660 xeon-x5680 core-i7-3930k xeon-6980p; do
    run spec --spec "$specs/$name.json"
    expect "the example $name" status 0 out "peak at base" out "Source: " not "peak as stated" err-lines 0
done
sed 's/"uarch"/"peak_flop_per_s": 7.5e12, &/' "$specs/xeon-6980p.json" >stated.json
run spec --spec stated.json
expect "a peak that the file states" status 0 out "peak as stated           7.5 Tflop/s"
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
expect "a result alone" true judged out "$isa.f64.mul" out "$isa.load" out "Documented limits: " out "measured"
run spec sample.json --json
cp out gaps.json
expect "its JSON" true judged true '[ "$(json roofs <gaps.json)" = "$(json samples <sample.json)" ]' \
    true 'json "roofs.*.reasons" "roofs.*.documented_ratio" "roofs.*.nominal_ratio" "roofs.*.clock_hz" <gaps.json >/dev/null' \
    true '[ "$(json spec <gaps.json)" = null ]'
sed 's/"uarch": "Granite Rapids"/"flop_per_cycle_per_core": 32/' "$specs/xeon-6980p.json" >any.json # of any core
run spec sample.json --spec any.json --all
expect "a result with a specification" true judged out "Nominal clock: 2.00 GHz, from the specification" out "measured peak" \
    out "at nominal" out "peak at turbo"
expect "at most 140 columns" status 0 true '[ "$(LC_ALL=C.UTF-8 awk "{ if (length > most) most = length } END { print most }" out)" -le 140 ]'

# The tables are followed by an explanation of each reason that they give. (This host may have no documented limit.)
sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":1000/g; s/"doubts": *\[[^]]*\]/"doubts":[]/g' "$tests/../results/granite-rapids-2-cores-vm.json" >far.json
run spec far.json --all
expect "a gap that nothing explains" status 1 true 'grep -qE "^(not explained|virtual machine) \([0-9]+\): " out'
sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":5/g' "$tests/../results/granite-rapids-2-cores-vm.json" >above.json
run spec above.json --all
expect "more than documented, which cannot be told" status 2 err-lines 0 true 'grep -qE "^above documented \([0-9]+\): the clock reading" out'
sed 's/"documented_per_cycle": *[0-9.e+]*,\{0,1\}//g; s/,}/}/g' sample.json >none.json
run spec none.json --all
expect "nothing is documented" status 2 err-lines 0 out "no documented limit"

sed 's/"documented_per_cycle": *[0-9.e+]*/"documented_per_cycle":1e9/g' sample.json >huge.json
for form in --all --json "--all --spec any.json"; do
    # shellcheck disable=SC2086
    run spec huge.json $form
    expect "limits at the end of their range: spec $form" true judged out "$isa.load"
done

# The answer fits one screen.
screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
kept=$tests/../results/granite-rapids-2-cores-vm.json
run spec "$kept"
expect "one screen" status 0 err-lines 0 true screen true 'head -n 1 out | grep -qx "As specified: f64, f32 FMA, L1; cannot tell: L2, memory, clock"' \
    out "162 of 294 roofs within 2 % of their documented limit; gaps: 0 explained," out "known, not explained" out "Rows    all, what each reason means"
run spec "$kept" --spec "$specs/xeon-6980p.json"
expect "with a specification" status 0 true screen out "614 GB/s" out "2 cores cannot keep all channels busy" out "vendors state it of the best core alone"
run spec "$kept" --all
expect "all begins with the verdicts" status 0 out "f64 FMA     32 flop/cycle   100 %    100 %  as specified" out "── 2 threads ──"
run spec none.json
expect "without any limit" status 2 true screen out "None of $(json samples <none.json) roofs has a documented limit"
for file in far above huge; do
    run spec $file.json
    expect "one screen: $file" true judged true screen
done
run spec huge.json --json
expect "JSON has no infinities" true judged true '[ "$(json roofs <out)" = "$(json samples <huge.json)" ]'
for result in "$tests"/../results/*.json; do
    run spec "$result"
    expect "a guest reaches its core's figures: $(basename "$result")" status 0 true screen out "f64 FMA" \
        out "memory: a guest cannot see the host's modules" out "cannot tell: "
    case $result in *-16-cores-vm.json) continue ;; esac # lines about memory take the room
    run show "$result"
    expect "one line of it in the first screen" status 0 true '[ "$(grep -c "^Spec    as specified: f64, f32 FMA" out)" = 1 ]' \
        true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]'
done

# The memory: the CPU's name, and modules as dmidecode lists them.
as() { # as BRAND RESULT: the result as of this CPU on bare metal
    sed -E "s/\"brand\": *\"[^\"]*\"/\"brand\": \"$1\"/; s/\"hypervisor\": *\"[^\"]*\"/\"hypervisor\": \"\"/; s/\"hypervisor\", //" "$2"
}
module() { # module SIZE BANK RATE
    printf 'Handle 0x0040, DMI type 17, 92 bytes\nMemory Device\n\tArray Handle: 0x003E\n\tData Width: 64 bits\n\tSize: %s\n' "$1"
    printf '\tLocator: DIMM 0\n\tBank Locator: %s\n\tType: DDR4\n\tSpeed: 3200 MT/s\n\tConfigured Memory Speed: %s MT/s\n\n' "$2" "$3"
}
zen3=$tests/../results/zen3-2-cores-vm.json
as "AMD EPYC 7313P 16-Core Processor" "$zen3" >named.json
run spec named.json
expect "a machine with few modules" status 1 true screen out "below: memory" out "205 GB/s" out "fewer or slower modules than 8 × DDR4-3200?" not "guest"
run spec named.json --all
expect "who states its memory" status 1 out "Memory limit: 205 GB/s, by AMD, product specifications"
{
    for channel in A B C D E F; do module "16 GB" "P0 CHANNEL $channel" 2933; done
    module "No Module Installed" "P0 CHANNEL G" 0
} >modules.txt
run spec named.json --memory modules.txt
expect "its modules" status 1 true screen out "2 of 8 channels are empty, and the modules run at 2933 of"
for channel in A B C D E F G H; do module "16 GB" "P0 CHANNEL $channel" 3200; done >modules.txt
start sh -c '"$0" spec named.json --memory - --json <modules.txt' "$carmine"
cp out piped.json
expect "from standard input, as JSON" status 1 true '[ "$(json specification.verdict <piped.json)" = below ]' \
    true 'json "specification.figures.*.reason" <piped.json | grep -q "no rule explains this gap"'
for channel in A B; do module "16 GB" "P0 CHANNEL $channel" 3200; done >modules.txt
as "AMD EPYC" "$zen3" >unnamed.json
run spec unnamed.json
expect "nobody knows its modules" status 0 out "not readable without root: \`sudo dmidecode -t memory" out "spec FILE --memory -"
module "16 GB" "P0 CHANNEL A" 9000 >modules.txt
run spec unnamed.json --memory modules.txt
expect "modules alone: 72 GB/s" status 0 out "As specified: f64, f32 FMA, L1, memory" out "72 GB/s" out "85.8 %"
run spec unnamed.json --memory modules.txt --all
expect "who lists its modules" status 0 out "Memory limit: 72 GB/s, by dmidecode"
run show named.json
expect "the share of the memory's peak in the first screen" status 0 true 'grep -qE "^DRAM .* 30 % " out'
mkdir nodes
for node in a b c; do sed "s/\"host\": *\"[^\"]*\"/\"host\": \"$node\"/" named.json >nodes/$node.json; done
run fleet nodes
expect "the share in a fleet" status 0 out "Memory  30 % of documented: Zen 3"
run fleet nodes --json
expect "and as JSON" status 0 true 'json groups.0.dram_documented_ratio <out | grep -q "^0.301"'
run compare named.json "$zen3"
expect "the share of one of two machines" status 0 true screen out "Spec    DRAM by all cores is 30 % of documented in A"
refuses "modules without a result" "--memory is for a result" spec --spec "$specs/xeon-6980p.json" --memory modules.txt
refuses "modules of a guest" "names no module of DRAM" spec named.json --memory /dev/null
refuses "missing modules" "n.txt: cannot open" spec named.json --memory n.txt

run spec --limits
expect "the table of limits" status 0 out "| Haswell |" true 'cmp -s out "$tests/../docs/documented-limits.md"'

refuses "nothing to compare" "name a result FILE, or --spec FILE" spec
refuses "two results" "unexpected argument" spec sample.json sample.json
refuses "--limits with a result" "--limits takes no FILE" spec sample.json --limits
refuses "a missing result" "n.json: cannot open" spec n.json
refuses "one of a core in no table" "xeon-x5680.json is the specification of a Westmere, but" spec "$tests/../results/zen3-2-cores-vm.json" --spec "$tests/../specs/xeon-x5680.json"
refuses "a specification of another core" "xeon-6980p.json is the specification of a Granite Rapids (Redwood Cove), but $tests/../results/zen3-2-cores-vm.json is the result of a Zen 3" \
    spec "$tests/../results/zen3-2-cores-vm.json" --spec "$tests/../specs/xeon-6980p.json"
head -c 1100000 /dev/zero | tr '\0' 'm' >large.txt
refuses "modules in a huge file" "larger than 1 MiB, the most that is read" spec sample.json --memory large.txt
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
