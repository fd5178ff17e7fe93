#!/bin/sh
# carmine import: files of other tools, whole command lines.
. "$(dirname "$0")/../cli.sh"
samples=$tests/imports
point() { json "points.*.$1" <"$2"; }

# The example of NERSC's roofline page: STREAM on a Xeon Phi.
run import sde "$samples/stream_sde_sums.txt" -o stream.json --name stream --machine "Xeon Phi 7250"
expect "flop and core bytes by SDE" status 0 file stream.json out "0.0802" err "intensity: cache-aware" err "added to stream.json"
run import vtune "$samples/stream_vtune_sums.txt" -o stream.json --name stream
expect "DRAM bytes by VTune" status 0 out "0.0825" out "0.973" err "intensity: operational" err "1 of it to existing points"
run show stream.json --json
expect "one point of both" status 0 true '[ "$(point flop out)" = 4000000400 ]' \
    true '[ "$(point core_bytes out)" = 49869806228 ]' true '[ "$(point dram_bytes out)" = 48511113024 ]' \
    true '[ "$(point flop_per_dram_byte out | xargs printf %.4f)" = 0.0825 ]' \
    true '[ "$(point flop_per_byte out | xargs printf %.4f)" = 0.0802 ]' \
    true '[ "$(point bandwidth_bound out | xargs printf %.3f)" = 0.973 ]' \
    true 'point origin out | grep -q "^sde.*vtune"' true '[ "$(json points.*.sources.flop <out)" = imported ]'
run show stream.json
expect "a file without roofs" status 0 out "Xeon Phi 7250" out "imported" not "0 threads" not "0 of 0 cores" not "0.00 GHz"

# Points and roofs of a foreign CPU, drawn.
run import ert "$samples/ert.json" -o foreign.json --machine "Somebody's CPU" --threads 4
expect "roofs by ERT" status 0 out "ert.update" out "946 Gflop/s" err "6 roofs"
run import stream "$samples/stream.txt" -o foreign.json
expect "roofs by STREAM" status 0 out "stream.triad" err "these bandwidths exclude write-allocate"
run import csv "$samples/plain.csv" -o foreign.json
expect "points by hand, judged" status 0 out "35 %" out "stream.triad, 68.9 GB/s" err "intensity: both"
run show foreign.json
expect "show in one screen" status 0 out "Somebody's CPU" out "imported 10" not "0.00 GHz"
run show foreign.json --all
expect "show" status 0 out "Somebody's CPU" out "4 threads" out "▲ imported (10 of 10)" not "0.00 GHz"
for options in "" "--chart dram" "--add dram" "--type f32"; do
    # shellcheck disable=SC2086
    run plot foreign.json -o foreign.svg $options
    expect "plot $options" status 0 true 'grep -q "<svg" foreign.svg'
    rm -f foreign.svg
done

# The simplest roofline: a stated peak and another tool's bandwidth. Either of them may state the threads.
sed '/Number of Threads/d' "$samples/stream.txt" >untold.txt
drawn() { # NAME RIDGE: checks the ridge point of simple.json
    run plot simple.json
    expect "$1: drawn with its ridge point" status 0 out "stated peak" true "grep -q '[:┊]$2\$' out"
    run show simple.json --all
    expect "$1: shown as one roofline" status 0 out "ridge point" out "stated.f64.peak" lines "$3" not " 0 threads"
    rm simple.json
}
run import stream "$samples/stream.txt" --peak 1e12 --machine M -o simple.json
drawn "STREAM tells of threads" 15 22
run import stream untold.txt --peak 1e12 --machine M -o simple.json
drawn "nobody tells of threads" 15 22
run import stream untold.txt --peak 1e12 --threads 4 --machine M -o simple.json
drawn "--threads tells" 15 22
run import stream untold.txt --machine M -o simple.json
run import likwid-bench "$samples/likwid_bench.txt" --level L2 --threads 4 --peak 1e12 -o simple.json
drawn "one file tells of threads, the other does not" 11 26
run import stream untold.txt --machine M --peak 1e12 -o simple.json
run import csv "$samples/plain.csv" -o simple.json
expect "points of told threads are judged by it" status 0 out "stream.triad" out "35 %" out "with an unknown number of threads"
drawn "points tell of threads" 15 40
run import likwid-perfctr "$samples/likwid_flops_sp.csv" --machine M --peak 1e12 --bandwidth 1e11 -o simple.json
for chart in roofline dram; do
    run plot simple.json --chart $chart
    expect "stated roofs of the points' type, $chart" status 0 out "f32" out "stated traffic" true "grep -q '[:┊]10$' out"
done
rm simple.json
run import stream "$samples/stream.txt" --machine M -o simple.json
refuses "without any ceiling" "import\` states one" plot simple.json -o simple.svg
rm simple.json

# Arrays that may be in caches.
sed 's/^Array size = 80000000/Array size = 100000/' "$samples/stream.txt" >small.txt
run import stream small.txt --machine node7
expect "small arrays" status 0 out "may be in caches" err "arrays have 0.7629 MiB each" err "at most 0.191 MiB together"
run import stream small.txt --machine node7 --level L2
expect "their level by --level" status 0 out "L2" not "in caches" not "MiB each"
grep -v '^Array size\|^Memory per\|^Total memory' "$samples/stream.txt" >sizeless.txt
run import stream sizeless.txt --machine node7
expect "no size" status 0 out "may be in caches" err "does not state the size of its arrays"

# Two memories: ERT calls each of them DRAM, even MCDRAM. Stated data sheet values appear beside the measured ones.
run import ert "$samples/ert_mcdram.txt" --machine Phi --level HBM --bandwidth 4.5e11 --peak 2.6e12 -o phi.json
expect "one memory" status 0 out "HBM" not "DRAM"
run import ert "$samples/ert_ddr.txt" --bandwidth 1.152e11 -o phi.json
expect "the other one" status 0
run plot phi.json --threads 272
expect "both in one picture" status 0 out "HBM" out "DRAM" out "stated peak"
run plot phi.json --threads 272 --add documented -o phi.svg
expect "theory beside it" status 0 true '[ "$(grep -o ">documented<\|DRAM documented\|HBM documented" phi.svg | sort -u | wc -l)" = 3 ]' true 'grep -q "ert peak" phi.svg && ! grep -q "stated" phi.svg' true 'grep -q "2.60 Tflop/s" phi.svg'
run import sde "$samples/sde_mix.txt" --machine Phi
expect "pushes, pops, calls and returns of SDE" status 0 err "3200 of its" err "flop/B without them"
run import sde "$samples/stream_sde_sums.txt" --machine Phi
expect "of its sums they are not told" status 0 err "an unknown part of pushes"

# GPUs and CPUs need separate results.
run import nvprof "$samples/nvprof_metrics.csv" "$samples/nvprof_times.csv" -o gpu.json --name gpp --peak 7.8e12 --bandwidth 9e11
expect "kernels by nvprof, with stated roofs" status 0 out "gpp/NumBandNgpown_kernel" out "stated.traffic" out "compute-bound"
expect "its name is the device's" true 'grep -q "Tesla V100-SXM2-16GB" gpu.json'
run plot gpu.json -o gpu.svg
expect "a GPU is drawn over DRAM bytes" status 0 file gpu.svg
run import nsight "$samples/nsight_raw.csv" -o h200.json --machine "NVIDIA H200"
expect "kernels and roofs by Nsight Compute" status 0 out "nsight.traffic" out "3.75 TB/s" out "64 %"
refuses "a GPU in a CPU's result" "is a result of a CPU" import nvprof "$samples/nvprof_metrics.csv" -o foreign.json
refuses "a program of this machine in a GPU's result" "is a result of a GPU" app -o gpu.json --repeat 1 --flop 1 --bytes 1 -- true
refuses "a CPU in a GPU's result" "is a result of a GPU" import stream "$samples/stream.txt" -o gpu.json

# Without -o nothing is written.
for format in "likwid-perfctr likwid_mem_dp.csv" "likwid-perfctr likwid_flops_sp.csv" "sde sde_mix.txt" \
    "vtune vtune.csv" "perf perf_spr.csv" "perf perf_zen.csv" "stream stream.txt" "ert ert_summary.txt" \
    "nsight nsight_details.csv" "csv plain.csv"; do
    run import "${format% *}" "$samples/${format#* }" --machine here
    expect "$format" status 0 err "nothing was written"
done
run import likwid-bench "$samples/likwid_bench.txt" --level L2 --machine here
expect "likwid-bench" status 0 out "stream_avx512" out "84 GB/s"
run import perf "$samples/perf_spr.csv" --machine here --threads 4 --json
expect "--json" status 0 true '[ "$(json points.*.threads <out)" = 4 ]' true 'json points.*.doubts.* <out | grep -q multiplexed'
run import perf "$samples/perf_zen.csv" --machine here
expect "threads that nobody told" status 0 err "state it with --threads N"
run import likwid-perfctr "$samples/likwid_mem_dp.csv" --region solve --name app
expect "--region" status 0 out "app/solve" not "setup"
run import sde "$samples/sde_mix_avx512.txt" --machine here
expect "masks that nobody told" status 0 err "as if no element were masked"

refuses "an unknown format" "known: likwid-perfctr, likwid-bench, sde" import papi "$samples/plain.csv"
refuses "no file" "missing argument" import csv
refuses "no such file" "cannot open" import csv nothing.csv --machine here
refuses "no machine" "name it with --machine" import stream "$samples/stream.txt"
refuses "no level" "name the level: --level" import likwid-bench "$samples/likwid_bench.txt" --machine here
refuses "a level that there is not" "--level takes" import likwid-bench "$samples/likwid_bench.txt" --machine here --level L
refuses "half a thread" "--threads takes" import stream "$samples/stream.txt" --machine here --threads 1.5
refuses "no time" "--seconds" import stream "$samples/stream.txt" --machine here --seconds 0
refuses "a region that there is not" "there are: solve, setup" import likwid-perfctr "$samples/likwid_mem_dp.csv" --region x
refuses "another format's file" "is not output of STREAM" import stream "$samples/plain.csv" --machine here
refuses "an unknown column" "line 1, column 3: unknown column 'gflops' (did you mean \`flop\`?); known: name" import csv "$(
    printf 'name,flop,gflops\n' >odd.csv
    echo odd.csv
)" --machine here
head -c 4096 "$carmine" >binary.csv
refuses "a binary file" "this is a program: give the output of the tool" import csv binary.csv --machine here
: >empty.csv
for format in likwid-perfctr likwid-bench sde vtune perf ert stream nvprof nsight csv; do
    refuses "an empty file as $format" "empty.csv: is empty" import $format empty.csv --machine here
done
printf 'PERFILE2\0\0' >perf.data
refuses "a binary form" "perf.data of perf record: make counts with perf stat -x," import perf perf.data --machine here
printf 'Elapsed Time: 1.5s\n' >summary.txt
refuses "another form" "this is VTune's summary: make it with -report hw-events" import vtune summary.txt --machine here
cp foreign.json before.json
refuses "a result that is none" "cannot" import stream "$samples/stream.txt" -o /nowhere/x.json --machine here
refuses "roofs of another machine" "give them a result of their own" import stream "$samples/stream.txt" -o foreign.json --machine Other
expect "after a refusal the file is as it was" true 'cmp -s before.json foreign.json'

# Import into a result of carmine: its own roofs judge the imported point.
measure_sample
run import csv "$samples/plain.csv" -o sample.json --threads 1
expect "into a measured result" status 0 out "gpp"
run show sample.json --json
expect "beside what was measured" status 0 true 'point name out | grep -q "^gpp$"'
refuses "a level that the machine has not" "has no level 'L9'" import likwid-bench "$samples/likwid_bench.txt" -o sample.json --level L9
{ echo name,seconds,flop,core_bytes && for i in 1 2 3 4; do echo "p$i,1,1e9,4e9"; done && echo last,0.5,1e9,4e9; } >many.csv
run import csv many.csv --machine here
expect "what is the same of all is said once" status 0 out "p1 to last, 5 points: not judged" true '[ "$(grep -c "not judged" out)" = 1 ]' \
    true '[ "$(grep -c "Imported: csv" out)" = 1 ]'
end_of_cases
