#!/bin/sh
# carmine fleet on an artificial cluster of sixty nodes finds exactly the twelve planted faults and diagnoses each.
# It also reads folders with several machine types, few nodes, hosts measured again, and files that are no results.
. "$(dirname "$0")/../cli.sh"
kept=$tests/../results/granite-rapids-2-cores-vm.json
cluster() { # FOLDER SEED
    mkdir "$1" && "$BUILD/tests/helpers/fleet" "$kept" 60 "$1" "$2" | sort >"$1.planted"
}
found() { # "HOST DIAGNOSIS" of each outlier in the JSON of the last run
    json 'outliers.*.host' <out >hosts
    json 'outliers.*.diagnosis' <out | paste -d ' ' hosts - | sort
}
node() { # HOST TIME FILE: writes node0002's result with this host name and this time
    sed "s/\"host\": *\"[^\"]*\"/\"host\": \"$1\"/; s/\"started_utc\": *\"[^\"]*\"/\"started_utc\": \"$2\"/" nodes/node0002.json >"$3"
}

# The planted faults.
for seed in 1 2 3; do
    rm -rf nodes
    cluster nodes $seed
    run fleet nodes --json
    expect "exactly the twelve faults, seed $seed" status 0 err-lines 0 true '[ "$(wc -l <nodes.planted)" = 12 ]' true 'found | cmp - nodes.planted'
done
expect "its JSON" true '[ "$(json schema <out)" = carmine.fleet/1 ]' true '[ "$(json nodes <out)" = 60 ]' \
    true '[ "$(json groups.0.nodes <out)" = 59 ]' true '[ "$(json groups.0.judged groups.1.judged <out | xargs echo)" = "true false" ]' \
    true '[ "$(json outliers.1.roof.level outliers.1.roof.unit <out | xargs echo)" = "DRAM bytes_per_s" ]'
run fleet nodes --tolerance dram=60% --json
expect "a wider tolerance" status 0 true '! found | grep -q "^node0005 "' true 'found | grep -q "^node0020 throttled socket"'
refuses "a tolerance of no roof" "neither a roof" fleet nodes --tolerance 'DRAM avx9.load=1%'
run fleet nodes --all
expect "its table" status 0 err-lines 0 out "60 nodes of 2 machine types, 12 outliers" out "Granite Rapids · 2 cores · 24 GiB: 59 nodes, 11 outliers" \
    true 'grep -q "^node0005  lost DIMM or channel  DRAM .* -2[0-9] %" out' true 'grep -q "^DRAM avx512.update, all cores  *59 " out' \
    out "below the group's: a DIMM or memory channel is missing or slow" out "of memory (usual: 23.5 GiB): a DIMM is missing" \
    out "and the core clock is low" out "L3 is found to end near 64 MiB (usual: 128 MiB)" out "FMA of avx512 is 50 % below" \
    out "all arithmetic of avx512 is" out "nodes/node0001.json names the same host" out "it has another CPU: Another CPU; hosts with such names have Intel(R) Xeon(R)" \
    out "1 node, too few to judge: node0050"
screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
run fleet nodes
expect "one screen" status 0 err-lines 0 true screen true 'head -n 1 out | grep -q "^60 nodes of 2 machine types, 12 outliers: "' \
    true 'head -n 3 out | xargs echo | grep -q "2 × throttled socket"' true 'grep -Eq "^node0040  dead FMA unit .* -5[0-9] %" out' \
    out "… and 5 more" true 'grep -Eq "^Granite Rapids · 2 cores · 24 GiB +59 +11 " out'
run fleet nodes --csv
expect "its CSV: a row per node" status 0 lines 61 out "host,file,group,compute_deviation" \
    true '[ "$(grep -c "\"nodes/.*,\"throttled socket\"," out)" = 2 ]'
mkdir set
for n in 1 2 3 4 5; do node n$n 2026-11-20T00:00:00Z set/n$n.json; done
run fleet set --all
expect "settings that agree" status 0 not "setting that differs"
sed -i 's/"huge_pages": *"[^"]*"/"huge_pages": "never"/; s/"microcode": *"[^"]*"/"microcode": "0x99"/' set/n4.json
run fleet set --all
expect "settings that differ" status 0 true 'grep -Eq "^huge pages .* +4  never +1  n4$" out' true 'grep -Eq "^microcode .* +4  0x99 +1  n4$" out'
run fleet set
expect "on the screen, too" status 0 out "0 outliers" true 'grep -Eq "^huge pages .* 4  never " out'
run fleet set --json
expect "and in JSON" true '[ "$(json "groups.0.settings_that_differ.huge pages.never" <out)" = 1 ]' true '! json groups.0.settings_that_differ.governor <out'
run fleet nodes --all=roofs
expect "all roofs" status 0 true '[ "$(grep -c " 5[0-9]  .* %  .*node00" out)" -gt 200 ]'
run fleet nodes --plot page.html
data() { sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' page.html | json "$@"; }
expect "its page" status 0 file page.html out "60 nodes of 2 machine types, 12 outliers" true 'grep -qF "<h1>60 nodes of 2 machine types, 12 outliers</h1>" page.html' \
    true '[ "$(data tables.0.rows.rows tables.1.rows.rows tables.2.rows.rows | xargs echo)" = "12 2 60" ]' \
    true 'data "tables.0.rows.rows.*.0" >hosts' true 'data "tables.0.rows.rows.*.1" | paste -d " " hosts - | sort | cmp - nodes.planted' \
    true 'grep -q "<svg viewBox" page.html' true '! grep -qiE "https?://|src=|@import|<link" page.html'
run fleet nodes --plot missing/page.html
expect "a page in a folder that is missing" status 2 err "missing/page.html"
refuses "the style of a page" "--style needs a picture: a page has the look of" fleet nodes --plot page.html --style dark
refuses "all of what is not there" "--all takes no value, or roofs as in --all=roofs" fleet nodes --all=nodes
for gone in "roofs:--all=roofs" "html page.html:--plot FILE.html"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --${gone%%:*}" "was removed after 0.2.0; ${gone#*:}" fleet nodes --${gone%%:*}
done
run fleet nodes --plot strips.svg
expect "its picture" status 0 true 'grep -q "<svg" strips.svg'
run fleet nodes/node00[1-5]*.json --json
expect "files, named one by one" status 0 true '[ "$(json nodes <out)" = 50 ]'

# A value is no outlier if its interval reaches the usual values.
. "$tests/cli/kept.sh"
mkdir known vague
for i in 2 3 4 6 7 8 9 11 20; do
    file=node$(printf %04d $i).json
    uncertain 0.995 1.005 <nodes/$file >known/$file
    uncertain 0.5 1.6 <nodes/$file >vague/$file
done
run fleet known --json
expect "small intervals change nothing" status 0 true '[ "$(found | xargs echo)" = "node0020 throttled socket" ]'
run fleet vague --json
expect "wide ones reach into what is usual" status 0 true '[ "$(json outliers <out)" = 0 ]'

# Files in a folder that are no results.
mkdir mixed mixed/rack2
cp nodes/node000[2-4].json mixed
cp nodes/node000[6-9].json mixed/rack2
: >mixed/empty.json
head -c 3000 nodes/node0002.json >mixed/half.json
echo '{"schema": "carmine.fleet/1"}' >mixed/fleet.json
echo "a note" >mixed/README
ln -s . mixed/again
run fleet mixed --all
expect "files that are no results are named" status 0 out "7 nodes of 1 machine type, 0 outliers" out "left out: mixed/empty.json" \
    out "left out: mixed/half.json" out "left out: mixed/fleet.json" not README
run fleet mixed
expect "and counted" status 0 true screen out "7 nodes of 1 machine type, 0 outliers" out "3 have no roofs, such as mixed/"
run fleet nodes/node0002.json nodes/node0005.json
expect "one screen of two nodes" status 0 true screen out "2 nodes have too few like them"
run fleet mixed --json
expect "also in the JSON" status 0 true '[ "$(json refused nodes <out | xargs echo)" = "3 7" ]'
run fleet mixed --csv
expect "and on standard error where the table is for programs" status 0 lines 8 err-lines 3 err "mixed/half.json"
refuses "nothing but such files" "none of the 2 files is a result" fleet mixed/empty.json mixed/half.json
refuses "one such file" "mixed/half.json: line" fleet mixed/half.json
mkdir bare bare/barer
refuses "a folder without files" "bare: the folder holds no results" fleet bare
refuses "a folder that is missing" "absent: cannot open" fleet absent
refuses "no folder" "DIR|FILE" fleet
refuses "a size without height" "--size takes a width with its unit" fleet nodes --size 800 --plot x.svg
run fleet nodes --plot x.gif
expect "a picture of no known kind" status 2 err "x.gif: unknown picture format" no-file x.gif

# Too few nodes to know the usual value.
run fleet nodes/node0002.json nodes/node0005.json --all
expect "two nodes" status 0 out "2 nodes of 1 machine type, 0 outliers" out "2 nodes, too few to judge: node0002, …"
run fleet nodes/node0002.json nodes/node0005.json --plot two.svg
expect "have no picture" status 2 err "no machine type has 3 nodes" no-file two.svg
run fleet nodes/node0002.json nodes/node0003.json nodes/node0020.json --all
expect "of three, one may stand apart" status 0 out "3 nodes, 1 outlier" out "throttled socket"

# Two machine types: each node is compared with nodes of its own type.
mkdir types
for i in 11 12 13 14 16 17 18; do
    sed 's/"brand": *"[^"]*"/"brand": "Another CPU"/; s/"uarch": *"[^"]*"/"uarch": ""/; s/"host": *"node/"host": "fat/' nodes/node00$i.json >types/fat$i.json
done
cp nodes/node002[0-9].json types
run fleet types --json
expect "two machine types" status 0 true '[ "$(json "groups.*.nodes" <out | xargs echo)" = "10 7" ]' \
    true '[ "$(json "groups.*.judged" <out | xargs echo)" = "true true" ]' true '[ "$(found | xargs echo)" = "node0020 throttled socket node0025 throttled socket" ]'

# CPUs with the same brand and a masked model number: the identified core makes the machine type. The node that differs
# has another CPU, not a lost DIMM.
mkdir masked
for i in 2 3 4 6 7; do
    sed 's/"uarch": *"[^"]*"/"uarch": "Sapphire Rapids (Golden Cove)"/' nodes/node000$i.json >masked/node000$i.json
done
cp nodes/node0005.json masked
run fleet masked --all
expect "a masked model number" status 0 out "6 nodes of 2 machine types, 1 outlier" out "Sapphire Rapids · 2 cores · 24 GiB: 5 nodes, 0 outliers" \
    out "it has another CPU: Granite Rapids (Redwood Cove); hosts with such names have Sapphire Rapids (Golden Cove)" not "lost DIMM"

# One host, several results.
mkdir again
cp nodes/node000[2-4].json nodes/node000[6-9].json again
node node0003 2026-11-20T16:00:00Z again/other.json
run fleet again --all
expect "a host measured again" status 0 out "duplicate host name" out "again/other.json): again/node0003.json names the same host, measured at 2026-11-20 17:58:35 (this one at 2026-11-20 16:00:00"
run fleet again --latest --all
expect "only the newest of each host" status 0 out "7 nodes of 1 machine type, 0 outliers" out "1 older result is left out"
for i in 2 4 6 7 8; do
    node node000$i 2026-11-19T16:00:00Z again/node000$i-before.json
done
run fleet again --all
expect "a history: the newest count" status 0 out "7 nodes of 1 machine type, 0 outliers" out "6 older results are left out" \
    out "again/other.json" out "again/node0002-before.json"
run fleet again
expect "the first screen names some of them" out "6 older results are left out" out "again/node0002-before.json"
run fleet again --json
expect "JSON names them all" true '[ "$(json older/5 <out)" != null ] && [ "$(json older_results <out)" = 6 ]'

# Different machines, all called `vm`.
mkdir vms && cp "$tests"/../results/*.json vms
run fleet vms
expect "a name is no host" status 0 out "$(ls vms | wc -l | tr -d ' ') nodes" not "older"
end_of_cases
