#!/bin/sh
# carmine why: stored results against each other and against variants with known factors, the picture, and refusals.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/kept.sh"
results=$tests/../results
one=$results/granite-rapids-1-core-vm.json
zen=$results/zen3-2-cores-vm.json
cp "$kept" two.json

run why "$one" "$kept" --all
expect "two results of one machine" status 0 err-lines 0 out "A  1 core" out "B  2 cores" \
    out "f64 peak, all cores: 1.84 = 0.917 clock × 1.00 per cycle × 2.00 cores" \
    out "2 cores, not 1, each at 100 % of its rate alone; clock 3.38 GHz, not" \
    out "DRAM, all cores: 1.94 = 1.09 clock × 0.925 per cycle × 1.92 cores" out "L1 latency: 1.03 = 1.03 clock × 0.999 cycles" \
    out "for latencies lower is better"
run why "$kept" "$zen" --all
expect "two machines: another level is a factor of its own" status 0 out "L3, all cores: 1.70 = 0.905 clock × 2.43 level × 0.772 cores" \
    out "L3 of 11.3 MiB, not 128 MiB" out "L3 latency: 0.383 = 1.10 clock × 0.346 level"
run why "$kept" "$zen"
expect "one screen" status 0 true '[ "$(wc -l <out)" -le 24 ]' true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]' \
    true 'head -n 1 out | grep -q "^B: 0.476 × A.s f64 peak"' true 'grep -Eq "^L3 +1.70 += 0.905 +× 2.43 +× 0.772$" out' \
    true 'grep -Eq "^L1 latency +0.887 += 1.10 +× 0.803" out' out "in words: --all"
run why "$one" "$kept" DRAM
expect "one roof" status 0 err-lines 0 out "DRAM, all cores: 58 GB/s in B, 30 GB/s in A" true 'grep -Eq "^clock +× 1.09 +13 % +3.55 GHz, not 3.26 GHz$" out' \
    true 'grep -Eq "^cores +× 1.92 +99 % +2 cores, not 1, each at 96 % of its rate alone$" out' true 'grep -Eq "^all +. 1.94$" out' \
    out "avx512.update on both"
run why "$one" "$kept" "dram LATENCY"
expect "a latency" status 0 out "227 ns in B, 230 ns in A (lower is better)" out "813 cycles, not 824"
run why "$kept" "$zen" "avx2.f64.fma" --threads 1
expect "a kernel, of one core" status 0 out "avx2.f64.fma, one core" out "Documented  16 flop/cycle of a core on both"
run why "$kept" "$zen" f64
expect "other kernels are named" status 0 out "not avx512.f64.fma: the best of each" true 'grep -Eq "^Documented  16 flop/cycle of a core, not 32$" out'
run why "$one" "$kept" --all --type f32 --labels A=before,B=after
expect "--type, --labels" status 0 out "f32 peak, all cores" out "A  before" not "f64 peak"

# carmine finds the factor that was changed.
vary '"kernel":"avx512.load"' 0.5 <two.json >half.json
run why two.json half.json "L2 avx512.load"
expect "half the value is half per cycle" status 0 out "0.500 = 1.00 clock × 0.500 per cycle × 1.00 cores"
sed 's/"per_cycle":[^,]*/"per_cycle":0/; s/"clock_hz":\[[^]]*\]/"clock_hz":[0,0,0]/' two.json >clockless.json
run why two.json clockless.json
expect "factors that take part" status 0 out "per core" not "per cycle"
run why two.json clockless.json --all
expect "a clock that is not known" status 0 out "f64 peak, all cores: 1.00 = 1.00 per core × 1.00 cores"
run why two.json clockless.json DRAM
expect "and whose" status 0 out "the clock of B is not known"
run why two.json two.json DRAM
expect "a file with itself" status 0 err "are the same file: every ratio is 1" out "next to no difference"

run why "$one" "$kept" --json
expect "JSON of all" status 0 err-lines 0 true '[ "$(json schema machines ratios ratios.0.roof ratios.0.factors <out | xargs echo)" = "carmine.why/1 2 9 f64 peak 3" ]' \
    true 'json "ratios.*.factors.*.ratio" <out | awk "{ if (!(\$1 > 0)) exit 1 }"'
run why "$one" "$kept" DRAM --json
expect "JSON of one" status 0 true '[ "$(json ratios ratios.0.factors.2.name ratios.0.b.cores <out | xargs echo)" = "1 cores 2" ]'

for ending in svg pdf png; do
    run why "$one" "$kept" DRAM --plot dram.$ending
    expect "a waterfall: $ending" status 0 err-lines 0 file dram.$ending out "58 GB/s in B"
done
run why "$kept" "$zen" --all --plot all.svg
expect "all waterfalls" status 0 err-lines 0 file all.svg out "L3 latency: "
run why "$kept" "$zen" --plot term
expect "all in the terminal" status 0 out "Why Zen 3 differs from Granite Rapids" out "L3, all cores   1.70" out "another level"
run why "$kept" "$zen" L3 --plot term
expect "in the terminal" status 0 out "L3, all cores · why Zen 3 differs from Granite Rapids" out "level: × 2.43 at 268 GB/s"

refuses "one file" "missing argument" why a.json
refuses "a file that is not there" "z.json: cannot open" why two.json z.json
refuses "a roof that is none" "no roof 'L9' in both files; they share f64 peak, L1, " why two.json "$zen" L9
refuses "cores that they do not share" "no roofs of that many cores in common" why two.json "$zen" --threads 7
refuses "threads that are none" "--threads takes a number of cores, or all" why two.json "$zen" --threads some
refuses "a picture of no known form" "x.jpeg" why two.json "$zen" DRAM --plot x.jpeg
refuses "two things on one output" "both want standard output" why two.json "$zen" DRAM --plot term --json
refuses "a name of no machine" "nothing here is named 'C'" why two.json "$zen" --labels C=new
start env CARMINE_SIZE=20cm "$carmine" why two.json "$zen"
expect "a default for pictures" status 0 err-lines 0
refuses "a size that is none" "--size takes a width with its unit" why two.json "$zen" DRAM --size 960 --plot x.svg
: >empty.json
refuses "an empty file" "empty.json: " why two.json empty.json
run import csv "$tests/imports/plain.csv" --machine "Some CPU" -o points.json
refuses "nothing in common" "have no roofs in common; \`carmine show FILE\` lists" why two.json points.json

# Imported roofs have no clock.
run import stream "$tests/imports/stream.txt" --machine "Some CPU" -o stream.json
run why stream.json two.json --all
expect "an imported roof" status 0 out "DRAM, all cores: " out " per core × " out "the clock of A is not known"
sed 's/"threads":[0-9]*/"threads":0/' stream.json >untold.json
run why untold.json two.json DRAM
expect "of an unknown number of threads" status 0 out " not to be split" out "the number of cores of A is not known"
expect "no picture was left" no-file x.svg no-file x.jpeg
end_of_cases
