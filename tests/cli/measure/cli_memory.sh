#!/bin/sh
# carmine memory with little time: its plan, its files, interruptions, and machines that lack something.
. "$(dirname "$0")/../cli.sh"
topologies=$tests/topologies
cpus=$(nproc) # that this process may use

run memory --dry-run
expect "the plan" status 0 out "mlp " out "writes " out "pages " out "at most 1" true 'tail -n 1 out | grep -q "^about [0-9]* s, at most [0-9]* s$"' true '[ "$(ls)" = "$(printf "err\nout")" ]'
run memory --part mlp,pages --dry-run
expect "the plan of two parts" status 0 out "mlp " out "pages " not "loaded" not "writes"
run memory --topology "$(recording nodes)" --dry-run
expect "a machine with several nodes" status 0 out "memory node 3 from node 0" out "3 cores loading" out "136 of 136 pairs of CPUs"
run memory --topology "$(recording pus_512)" --dry-run
expect "a very large one" status 0 out "of 130816 pairs of CPUs" out "one core in" true '[ "$(sed -n "s/^about \([0-9]*\) s.*/\1/p" out)" -lt 600 ]'
refuses "a recorded machine" "cannot be measured" memory --topology "$(recording nodes)"
case $isa in sse) other=arm ;; *) other=server ;; esac
refuses "a machine of another architecture" "no kernels" memory --topology "$topologies/$other.xml" --dry-run
refuses "an unknown part" "loaded, mlp, cores, writes, pages" memory --part nonsense
refuses "no time" "--budget" memory --budget -1
refuses "a folder that is missing" "missing/x.json" memory --part mlp --budget 1 -o missing/x.json

run memory --part mlp --budget 2 -o m.json
expect "one part" status 0 file m.json err "m.json" true '[ "$(json schema <m.json)" = carmine.result/1 ]' true 'json memory_series.*.part <m.json | grep -qx mlp' true '! json memory_series.*.part <m.json | grep -qvx mlp'
expect "a first round reaches each point, or says how far it came" true 'json environment.partial <m.json || [ "$(json memory_series.0.points.*.setting <m.json | wc -l)" = 20 ]'
run show m.json
expect "show reads it" status 0
cp m.json before.json
run memory --part pages --budget 2 -o m.json
expect "another part is added" status 0 true 'json memory_series.*.part <m.json | grep -qx pages' true '[ "$(json memory_series.*.part <m.json | grep -cx mlp)" = "$(json memory_series.*.part <before.json | grep -cx mlp)" ]'
before=$(json memory_series.*.page_bytes <m.json | grep -c .)
run memory --part mlp --pages small --budget 8 -o m.json
expect "small pages are series of their own" status 0 true 'json memory_series.*.page_bytes <m.json | tail -n 1 | grep -qx 4096' true '[ "$(json memory_series.*.page_bytes <m.json | wc -l)" -gt "$before" ]'
measure_sample
run memory --part mlp --budget 1 -o sample.json
expect "a result keeps its roofs" status 0 true '[ "$(json samples.*.kernel <sample.json | wc -l)" = 3 ]' true 'json memory_series.*.part <sample.json | grep -qx mlp' true '[ "$(json environment.command_line <sample.json | grep -c memory)" = 0 ]'
cp sample.json resumed.json
run run $short --resume resumed.json
expect "a resumed run keeps the memory" status 0 true '[ "$(json memory_series.*.part <resumed.json)" = "$(json memory_series.*.part <sample.json)" ]'
sed 's/"brand": *"[^"]*"/"brand": "Another CPU"/' sample.json >another.json
refuses "a result of another machine" "another machine" memory --part mlp --budget 1 -o another.json
cp sample.json replaced.json
"$carmine" memory --part mlp -o replaced.json >out 2>err </dev/null &
pid=$!
for _ in $(seq 300); do grep -q measuring err && break; sleep 0.1; done
cp another.json replaced.json
sleep 1
kill -INT $pid
wait $pid
status=$?
expect "a file replaced by another machine's" status 2 err "another machine" true 'cmp another.json replaced.json'
echo nonsense >broken.json
refuses "a file that is no result" "broken.json" memory --part mlp --budget 1 -o broken.json
sed 's/"setting":1,/"setting":-1,/' m.json >damaged.json
cmp -s m.json damaged.json && echo "not ok the setting is written otherwise"
refuses "a damaged point" "memory_series[" show damaged.json

if [ "$cpus" -gt 1 ]; then
    sed -E 's/, "partial": "[^"]*"//; s/("interrupted": (true|false))/\1, "partial": "memory: 41 of 60 points of mlp"/' m.json >marked.json
    run memory --part cores --budget 60 -o marked.json
    expect "a part that ends leaves the mark of another" status 0 true '[ "$(json environment.partial <marked.json)" = "memory: 41 of 60 points of mlp" ]'
    run memory --part cores --budget 20 -o c.json
    expect "lines between CPUs" status 0 true '[ "$(json memory_pairs.*.first <c.json | wc -l)" -ge 1 ]' true 'json memory_pairs.0.swap_s memory_pairs.0.store_s memory_pairs.0.shares <c.json'
    run memory --part loaded --budget 2 -o l.json
    expect "loaded latency" status 0 true 'json memory_series.*.part <l.json | grep -qx loaded' true '[ "$(json memory_series.0.points.0.setting <l.json | cut -d . -f 1)" = 1000000000 ]'
    one=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    start taskset -c "$one" "$carmine" memory --part loaded,cores,mlp --budget 2 -o one.json
    expect "with one CPU the other parts are measured" status 0 true 'json memory_omitted <one.json | grep -q "one core"' true 'json memory_omitted <one.json | grep -q "one CPU"' true 'json memory_series.*.part <one.json | grep -qx mlp'
    start taskset -c "$one" "$carmine" memory --part cores
    expect "with one CPU there are no pairs" status 2 lines 0 err-lines 1 err "one CPU"
else
    skip "pairs of CPUs and loaded latency" "this process may use one CPU"
fi

# Interrupted in the middle: what was measured is stored, and the same command measures the rest.
"$carmine" memory --part mlp -o i.json >out 2>err </dev/null &
pid=$!
for _ in $(seq 1500); do [ -s i.json ] && break; sleep 0.02; done
kill -INT $pid
wait $pid
status=$?
expect "an interruption" status 2 file i.json err "the same command" true '[ "$(json memory_series.*.part <i.json | wc -l)" -ge 1 ]'
run memory --part mlp --budget 2 -o i.json
expect "the same command goes on" status 0

if [ -c /dev/full ] && ln -s /dev/full full.json 2>/dev/null; then
    run memory --part mlp --budget 3 -o full.json
    expect "a full disk" status 2 err "full.json"
fi
end_of_cases
