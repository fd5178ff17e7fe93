#!/bin/sh
# carmine compare: a stored result against variants with known ratios, pictures, and unusual files.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/kept.sh"
without() { # PATTERN <RESULT: no samples whose line has it
    awk -v pattern="$1" '
        $0 ~ pattern { next }
        held != "" { if ($0 ~ /^]/) sub(/,$/, "", held); print held }
        { held = $0 }
        END { print held }'
}
rename() { # HOST MICROARCHITECTURE <RESULT
    sed "s/\"host\": *\"[^\"]*\"/\"host\": \"$1\"/; s/^\"uarch\": *\"[^\"]*\"/\"uarch\": \"$2\"/"
}
cp "$kept" a.json
vary '"level":"DRAM"' 1.5 <a.json | rename zen5 "Zen 5" >b.json
without '"kernel":"a[mv]x' <a.json | rename atom "Silvermont" >c.json

run compare a.json b.json --all
expect "two machines" status 0 err-lines 0 out "A  Granite Rapids, the base" out "B  Zen 5" out "ratios against Granite Rapids" \
    true 'grep -Eq "^DRAM bandwidth +avx512.update +30.2 GB/s +45.4 GB/s +1.50$" out' \
    true 'grep -Eq "^DRAM latency +chase +227 ns +340 ns +1.50$" out' \
    true 'grep -Eq "^L3 bandwidth .* 1.00 +detected size disagrees$" out' out "── all cores ──" not " lacks "
run compare a.json b.json --baseline 2 --all
expect "--baseline N" status 0 out "B  Zen 5, the base" true 'grep -Eq "^DRAM bandwidth +avx512.update +45.4 GB/s +30.2 GB/s +0.667$" out'
for base in b.json "Zen 5"; do
    run compare a.json b.json --baseline "$base" --all
    expect "--baseline $base" status 0 out "B  Zen 5, the base"
done
for base in 0 3 x.json -1 1x ""; do
    refuses "--baseline '$base'" "--baseline takes one of the files" compare a.json b.json --baseline "$base"
done
run compare a.json c.json --per cycle --all
expect "per cycle; what one lacks" status 0 out "values per cycle and core" out "kernel (B/cycle)" out "▲ B lacks " \
    true 'grep -Eq "^f64 peak +avx512.f64.fma; B: sse.f64.fma +32.14 +8.02[0-9] +0.250" out' true 'grep -Eq "^ +avx512.f64.fma +32.14 +–" out'
COLUMNS=80 run compare a.json c.json
expect "of other instruction sets, on one screen" status 0 true 'grep -Eq "^f64 peak +avx512.f64.fma; B: sse +[0-9]" out' \
    true '[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]'
run compare a.json --per core --all
expect "one file: its numbers of cores side by side" status 0 err "side by side" out "B  all cores" out "▲ B lacks 8 roofs that A has" \
    true 'grep -Eq "^f64 peak +avx512.f64.fma +109 Gflop/s +109 Gflop/s +0.99" out'
run compare a.json a.json --all
expect "a file with itself is noticed" status 0 err "a.json and a.json are the same file" out "A  a.json"
run compare a.json b.json --labels A=before,b.json=after --all
expect "--labels" status 0 out "A  before, the base" out "B  after"

# The answer fits one screen.
screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
run compare a.json b.json
expect "one screen" status 0 err-lines 0 true screen true 'head -n 3 out | grep -q "^B: 1.00 × A.s f64 peak, 1.50 × its DRAM bandwidth$"' \
    out "A  Granite Rapids, the base" out "Rows    all 302" true 'grep -Eq "^DRAM bandwidth .* 1.50$" out' not "▲"
run compare a.json a.json
expect "no difference" status 0 true screen out "none of 302 roofs differs"
run compare a.json
expect "one core and two" status 0 true screen true 'head -n 1 out | grep -q "^B: 2.00 × A.s f64 peak, .* nearly all of the difference$"'
run compare a.json b.json c.json a.json b.json c.json
expect "six" status 0 true screen out "5 results against A: f64 peak "
run compare a.json b.json c.json a.json b.json c.json a.json
expect "seven" status 0 true screen out "6 results against " out "lowest"

run compare a.json b.json c.json --csv
expect "CSV: a row per roof and file" status 0 err-lines 0 lines $((1 + 3 * 302)) out '"Zen 5","b.json","bandwidth","avx512.load","DRAM","all",' \
    true 'sed "s/\"[^\"]*\"//g" out | awk -F, "{ print NF }" | sort -u | xargs echo | grep -qx 25' \
    true 'grep -q "^\"Zen 5\",.*,\"latency\",\"chase\",\"DRAM\",\"1\",\"\",0,0,,,,\"s\",3.4[0-9]*e-07,1.5,3.4[0-9]*e-07,1.5," out' \
    true 'grep -q "^\"Silvermont\",.*avx512.f64.fma.*\"missing\",,,$" out'
run compare a.json b.json c.json --json
expect "JSON" status 0 err-lines 0 true '[ "$(json schema base machines roofs <out | xargs echo)" = "carmine.compare/1 0 3 302" ]' \
    true '[ "$(json machines.1.label machines.2.host <out | xargs echo)" = "Zen 5 atom" ]' \
    true 'json "best.*.level" <out | grep -qx DRAM' true '[ "$(json roofs.0.values.2 roofs.0.ratios.2 <out | xargs echo)" = "null null" ]'

# Values whose intervals overlap may be equal.
uncertain 0.98 1.03 <a.json >known.json
vary '"level":"L3"' 0.96 <known.json | vary '"level":"DRAM"' 0.9 | rename zen5 "Zen 5" >other.json
run compare known.json other.json --all
expect "what overlaps is no difference" status 0 err-lines 0 out "ratios against Granite Rapids (≈: the intervals overlap" \
    true 'grep -Eq "^L3 bandwidth .* ≈0.960 " out' true 'grep -Eq "^DRAM bandwidth .* 0.900$" out' true 'grep -Eq "^f64 peak .* ≈1.00$" out'
run compare a.json other.json --all
expect "without intervals on one side everything is told as it is" status 0 not "≈"
run compare known.json other.json --csv
expect "alike and not, in CSV" status 0 true 'grep -q "^\"Zen 5\",.*,\"avx512.update\",\"L3\",\"1\",.*,1$" out' \
    true 'grep -q "^\"Zen 5\",.*,\"avx512.update\",\"DRAM\",\"1\",.*,0$" out'
run compare known.json other.json --chart ratios --plot bars.svg
expect "bars with intervals" status 0 true 'grep -q "uncertainty" bars.svg || ! grep -q "<text" bars.svg'

# An application before and after a change is named once.
point='{"name":"solve","program":"p","part":"program","command":"p","measured_utc":"2026-11-20T16:00:00Z","threads":2,"processes":1,"calls":1,"seconds":[20,20,SS,SS,SS,SS,SS],"seconds_source":"clock","time_share":1,"flop":[1,1,1e9,1e9,1e9,1e9,1e9],"flop_source":"counted","load_bytes":[1,1,1e9,1e9,1e9,1e9,1e9],"store_bytes":[1,1,0,0,0,0,0],"bytes_source":"counted"}'
with_point() { # SECONDS <RESULT
    sed "\$d" | sed "\$s/\$/,/"
    echo "\"points\": [$(echo "$point" | sed "s/SS/$1/g")]}"
}
with_point 0.05 <a.json >before.json
with_point 0.04 <a.json >after.json
run compare before.json after.json
expect "before and after: the answer" status 0 true screen out "B 0.800 × the time"
run compare before.json after.json --plot arrow.svg --all
expect "before and after" status 0 out "── applications ──" true 'grep -Eq "^ +B +2 +40 ms +-20.0 % +25 Gflop/s +\+25.0 % +1 +same" out' \
    file arrow.svg

# Pictures.
for i in 1 2 3 4; do rename "host$i" "Machine $i" <b.json >"d$i.json"; done
for ending in svg pdf png; do
    run compare a.json b.json d1.json d2.json d3.json d4.json --chart overlay --plot six.$ending
    expect "six machines over each other: $ending" status 0 err-lines 0 file six.$ending
    run compare a.json b.json d1.json --plot bars.$ending --chart ratios --per cycle --type f32 --threads 1
    expect "bars: $ending" status 0 err-lines 0 file bars.$ending
done
for threads in "" 1 all; do
    run compare a.json b.json --plot "threads$threads.svg" ${threads:+--threads $threads}
done
expect "--threads: all cores, unless one is asked for" true 'cmp threads.svg threadsall.svg' true '! cmp -s threads.svg threads1.svg'
for count in 3 4; do
    files=$(echo a.json b.json d1.json d2.json | cut -d " " -f "1-$count")
    # shellcheck disable=SC2086
    run compare $files --plot "default$count.svg"
    # shellcheck disable=SC2086
    run compare $files --plot "overlay$count.svg" --chart overlay
    # shellcheck disable=SC2086
    run plot $files -o "plot$count.svg"
    expect "plot draws what compare draws: $count" status 0 true "cmp plot$count.svg default$count.svg"
done
expect "three machines are drawn over each other" true 'cmp default3.svg overlay3.svg'
expect "of four the ratios" true '! cmp -s default4.svg overlay4.svg'
run compare a.json b.json d1.json d2.json --plot four.svg
expect "and that is said" status 0 err "4 machines: ratios are drawn; --chart overlay" true 'cmp four.svg default4.svg'
grep -v '[.]f64[.]fma"' "$tests/../results/zen5-2-cores-vm.json" >without.json
run compare without.json "$tests/../results/zen5-2-cores-vm.json"
expect "FMA against another operation is named" status 0 out "f64 peak (FMA against FMA + ADD)" out "avx512.f64.fmaadd; B: fma "
run compare "$tests/../results/emerald-rapids-16-cores-vm.json" "$tests/../results/zen3-2-cores-vm.json" "$tests/../results/zen4-2-cores-vm.json" \
    "$tests/../results/zen5-2-cores-vm.json" --labels A=base,B=one,C=two,D=three --plot paper.svg --style paper
for name in one two three; do
    expect "a paper's colours have names: $name" status 0 true "grep -q '>$name</text>' paper.svg" true "! grep -qi ^$name paper.caption.txt"
done
run plot a.json b.json --per-cycle --threads 1 --type f32 -o cycle.svg
run compare a.json b.json --per cycle --threads 1 --type f32 --plot cycle2.svg
expect "plot passes on what compare knows, too" status 0 true 'cmp cycle.svg cycle2.svg'
refuses "extras of two" "\`carmine compare\`" plot a.json b.json --add dram -o no.svg
run compare a.json b.json c.json d1.json d2.json d3.json d4.json --plot seven.svg
expect "seven machines are strips" status 0 err "drawn as strips" file seven.svg
rm -f no.svg
refuses "seven over each other" "--chart ratios" compare a.json b.json c.json d1.json d2.json d3.json d4.json --plot no.svg --chart overlay
refuses "no such ceilings" "bf16 ceiling" compare b.json c.json --baseline 2 --plot no.svg --type bf16 --threads 7
refuses "a chart without a file" "add --plot" compare a.json b.json --chart ratios
refuses "another chart" "known: overlay, ratios" compare a.json b.json --chart pie --plot no.svg
refuses "a picture of no known form" "no.jpeg" compare a.json b.json --plot no.jpeg
refuses "a picture nowhere" "/no/such/folder" compare a.json b.json --plot /no/such/folder/x.svg
refuses "a type that is none" "f128" compare a.json b.json --type f128
refuses "threads that are none" "--threads" compare a.json b.json --threads some
refuses "part of a core" "--threads takes a number of threads" compare a.json b.json --threads 1.5
refuses "a size that is none" "--size takes a width with its unit" compare a.json b.json --size 960 --plot x.svg
refuses "per something else" "known: cycle, core" compare a.json b.json --per socket
refuses "--names, which is gone" "--names was removed after 0.2.0; --labels A=OLD,B=NEW" compare a.json b.json --names before,after
refuses "two names of one machine" "--labels: 'a.json' and 'a' are one machine" compare a.json b.json --labels a.json=x,A=y
run compare ./a.json b.json --labels a.json=x,b=y --all
expect "files with and without folder and ending" status 0 out "A  x, the base" out "B  y"
run compare b.json a.json --labels A=mine --all
expect "a file's name counts before a letter" status 0 out "B  mine" not "A  mine"
refuses "a file that is missing" "missing.json: cannot open: there is no such file; \`carmine run -o FILE\` measures a result" compare missing.json
run compare "$tests/../results/emerald-rapids-16-cores-vm.json" "$tests/../results"/granite*.json "$tests/../results"/zen*.json
expect "a name in the sentence is that in the table" status 0 out "(Zen 4 (2 cores))" out "Zen 4 (2 cores)  "
expect "no picture was left" no-file no.svg no-file no.jpeg

# Files that are missing, empty, no results, or unusual.
refuses "a missing file" "z.json: cannot open" compare a.json z.json
: >empty.json
refuses "an empty file" "empty.json: " compare a.json empty.json
run check a.json --baseline b.json --json
cp out other.json
refuses "JSON that is no result" "other.json: schema: must be" compare a.json other.json
refuses "no file" "missing argument" compare
mkdir folder
refuses "an empty folder" "holds no results" compare folder
cp a.json b.json folder
run compare folder --all
expect "a folder stands for its results" status 0 out "A  Granite Rapids, the base" out "folder/b.json"
without '"threads":2' <a.json >one.json
refuses "one file of one core" "nothing to compare" compare one.json
rename 'a <b> \& %s' "" <a.json >odd.json
run compare odd.json b.json --plot odd.svg --all
expect "a name that XML does not take" status 0 out "a <b> & %s" file odd.svg

# A hundred machines.
mkdir nodes
for i in $(seq 200 299); do rename "node$i" "Zen 5" <a.json >nodes/$i.json; done
vary '"threads":2.*"level":"DRAM"' 0.5 <nodes/217.json >slow.json && mv slow.json nodes/217.json
run compare nodes --plot strips.svg --all
expect "a hundred machines" status 0 out "… and 60 more" out "100 of 100" file strips.svg \
    true 'grep -Eq "^DRAM bandwidth +avx512.update +58.0 GB/s +100 of 100 +0.500 +node217 +1.00 +1.00 +node" out'
run compare nodes --csv
expect "their CSV" status 0 lines $((1 + 100 * 302))

# Each of a few machines has a look of its own, and its name beside that.
for cores in 1 4 8 16; do
    sed "s/\"host\": *\"[^\"]*\"/\"host\": \"node$cores\"/; s/^\"uarch\": *\"[^\"]*\"/\"uarch\": \"Core of $cores\"/; s/\"core_count\": 2/\"core_count\": $cores/g" <a.json >core$cores.json
done
run compare a.json core*.json --plot few.svg
expect "a few machines in one picture" status 0 true 'grep -q "5 machines of 1 to 16 cores" few.svg' \
    true 'for cores in 1 4 8 16; do grep -q ">Core of $cores ($cores core" few.svg || echo missing; done | { ! grep -q missing; }'
end_of_cases
