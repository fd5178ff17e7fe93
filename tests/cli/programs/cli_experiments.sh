# The experiments of docs/experiments: scripts, pages, pictures and runner are consistent, and carmine accepts all their
# command lines. Nothing is measured.
. "$(dirname "$0")/../cli.sh"
folder=$tests/../docs/experiments
pictures=$tests/../docs/pictures/experiments
names=$(cd "$folder" && basename -s .sh ./*.sh)

# The command lines of these pages.
commands() { grep -h '^carmine ' "$@"; }
# The same without quotes.
typed() { commands "$@" | tr -d '"'; }
# The pictures that a page shows.
shown() { grep -ho '(\.\./pictures/experiments/[^)]*)' "$@" | sed 's|.*/||; s|)||'; }
# The pictures that the command lines draw.
drawn() { sed -n 's/^carmine plot .* -o \([^ ]*\.png\)$/\1/p' "$@"; }

status=0
expect "there are experiments" true '[ "$(echo "$names" | wc -l)" -ge 12 ]'
for name in $names; do
    script=$folder/$name.sh page=$folder/$name.md
    expect "$name: page, script and index" true '[ -f "$page" ]' true 'grep -q "($name.md)" "$folder/README.md"' true 'grep -q "$name.md" "$script"'
    expect "$name: a script of command lines alone" true '! grep -v "^#" "$script" | grep -v "^carmine [a-z]* [^|;&<>]*$"'
    expect "$name: the page shows the lines that are run" true '[ "$(commands "$page")" = "$(commands "$script")" ]'
    expect "$name: and the pictures that they draw" true '[ -n "$(drawn "$script")" ]' true '[ "$(shown "$page" | sort)" = "$(drawn "$script" | sort)" ]' true '(for picture in $(drawn "$script"); do [ -s "$pictures/$picture" ] || exit 1; done)'
done
for page in "$folder"/*.md; do
    name=$(basename "$page" .md)
    [ "$name" = README ] || expect "$name: a script for the page" true '[ -f "$folder/$name.sh" ] || [ -x "$folder/$name" ]'
done
# The tables of every figure of the sources: a row about a figure names pictures that a page's script draws, links a page of docs/
# with a picture, or says what is here instead.
sed -n '/^## Every figure/,/^## Slips/p' "$folder/README.md" | grep '^| [^|]*|' >rows
grep -E '^\|[^|]*(figure|roofline)|^\|[^|]*\|[^|]*(figure|roofline)|\.png' rows | grep -vE '\| (not here|the program is not here|`carmine )[^|]*\|$' >figures
expect "rows about figures" true '[ "$(wc -l <figures)" -ge 17 ]'
while IFS= read -r row; do
    named=$(echo "$row" | grep -o 'experiments/[a-z0-9-]*\.png' | sed 's|.*/||')
    pages=$(echo "$row" | grep -o '([a-z-]*\.md)' | tr -d '()')
    others=$(echo "$row" | grep -o '(\.\./[a-z-]*\.md' | tr -d '(')
    expect "$(echo "$row" | cut -d '|' -f 2,3): drawn by a script" \
        true '[ -n "$named" ] || (for page in $others; do grep -q "!\[" "$folder/$page" && exit 0; done; exit 1)' \
        true '(for picture in $named; do drawn $(for page in $pages; do echo "$folder/${page%.md}.sh"; done) | grep -qx "$picture" || exit 1; done)'
done <figures
expect "no picture that no page shows" true '[ "$(shown "$folder"/*.md | sort -u)" = "$(ls "$pictures")" ]'

# Experiments without foreign programs, and experiments that need one.
own=$(cd "$folder" && grep -L '^# Needs ' ./*.sh | xargs basename -s .sh)
needy=$(cd "$folder" && grep -l '^# Needs ' ./*.sh | xargs basename -s .sh)
unset LULESH
scripts() { for each; do echo "$folder/$each.sh"; done; }

# Numbers in the text agree with the page's tables, and carmine derives the same values as the sources from their
# numbers. cell PAGE ROW COLUMN: a cell of the last row that begins with ROW. nearly A B: equal to 2 %.
cell() { awk -F ' *[|] *' -v row="$2" -v column="$3" 'index($0, "| " row " |") == 1 { value = $(column + 1) } END { print value }' "$folder/$1"; }
nearly() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.98 * b && a < 1.02 * b) }'; }
says() { tr '\n' ' ' <"$folder/$1" | grep -qF "$2"; }
# largest COLUMN ROW…: the largest value in these rows of the paper's table IV.
largest() { column=$1 && shift && for row; do cell validation.md "$row" "$column"; done | sort -g | tail -n 1; }
status=0
a="Xeon E5-2660" b="Xeon X5680" c="Core i7-3930K"
expect "validation: table IV in words" true 'says validation.md "up to $(largest 3 "dgemv, $a" "dgemv, $b" "dgemv, $c") for dgemv"' \
    true 'says validation.md "up to $(largest 9 "dgemm, $c") (dgemm) on the Core i7"' true 'says validation.md "up to $(largest 7 "dgemm, $a" "dgemm, $b") for dgemm"' \
    true 'says validation.md "$(largest 6 "dgemv, $c") in the median and $(largest 7 "dgemv, $c") at most"'
written=$(for n in 100 1300 2500; do awk -v n=$n -v per="$(cell read-write.md "dgemv-openblas | $n" 5)" 'BEGIN { printf "%s%.1f", n == 100 ? "" : n == 1300 ? ", " : " and ", (2 * n * n + 2 * n) / per / (8 * n) }'; done)
expect "read-write: what dgemv writes, in words" true 'says read-write.md "It is $written times 8n at 100, 1300 and 2500"'
expect "dgemm: six loops by the thesis' bytes" true '(for n in 400 450 600; do
    nearly "$(cell dgemm.md "dgemm-blocked $n" 2)" "$(awk "BEGIN { print $n / (4 * (3 + $n / 50)) }")" &&
    nearly "$(cell dgemm.md "dgemm-blocked N_B=10 $n" 2)" "$(awk "BEGIN { print $n / (4 * (3 + $n / 10)) }")" || exit 1
done)'
faster() { awk -v a="$(cell blas.md "dgemm | $1" 6)" -v b="$(cell blas.md "dgemm | $1" 5)" 'BEGIN { printf "%.1f", a / b }'; }
expect "blas: how much faster the library is, in words" true 'says blas.md "$(faster 50) to $(faster 200) times as fast"'
run spec --spec "$tests/../specs/core-i5-4210u.json"
expect "the report's peaks" status 0 out "54.4 Gflop/s at 1.7 GHz" out "86.4 Gflop/s at 2.7 GHz"
run import stream "$folder/report-listing1.txt" --machine i5-4210U --peak 86.4e9 --threads 2 -o report.json
expect "its listing of STREAM" status 0 true 'json samples.*.value <report.json | xargs -n 1 | grep -qx "10614600000\.0"'
run plot report.json --roof triad -o report.svg
expect "its triad as the roof" status 0 true 'grep -q "stream triad" report.svg' true 'grep -q "that of the pattern triad" report.svg'
run plot report.json -o report.svg
expect "and its roofline, whose ridge is at 8.14 flop per byte" status 0 file report.svg true 'nearly "$(awk "BEGIN { print 86.4e9 / 10614600000 }")" 8.14'
rm report.json report.svg

# The runner with a stand-in for carmine, which logs its command lines and writes dummy files. Commands that contain
# $FAIL fail.
mkdir stand-in drawn
export PICTURES="$work/drawn" PAGES="$work/pages"
mkdir pages
for name in $names; do echo "# $name" >"pages/$name.md"; done
cat >stand-in/carmine <<'END'
#!/bin/sh
echo "carmine $*" >>../calls
case "$*" in *"${FAIL:-nothing of this name}"*) exit 2 ;; esac
[ "$1" != show ] || { echo '{"points": []}'; exit; }
for file; do :; done
[ "$1" = workload ] || [ "$1" = app ] || echo "$*" >"$file"
END
chmod +x stand-in/carmine
start "$folder/run" stand-in wht
expect "what writes tables is not there: nothing is measured or written" status 2 lines 0 err-lines 1 err "\`make experiments\` builds it" \
    no-file calls true '[ ! -e stand-in/experiments ]' true '[ -z "$(ls drawn)" ]' true '[ "$(cat pages/wht.md)" = "# wht" ]'
mkdir -p stand-in/tests/helpers && ln -s "$BUILD/tests/helpers/json" stand-in/tests/helpers
experiments() { rm -f stand-in/calls && start "$folder/run" stand-in "$@"; }
measured() { grep -v '^carmine run' stand-in/calls; }
roofs() { grep -c '^carmine run' stand-in/calls; }
experiments
expect "all of them, each once" status 0 err-lines 0 true '[ "$(measured | sort)" = "$(for name in $own; do typed "$folder/$name.sh"; done | sort)" ]'
after=$(cd "$folder" && sed -n 's/^# After \([a-z-]*\):.*/\1/p' ./*.sh | sort -u)
expect "what others begin with is run before them" true '[ -n "$after" ]' true '(for name in $after; do
    first=$(measured | grep -nF "$(typed "$folder/$name.sh" | tail -n 1)" | cut -d: -f1)
    for later in $(grep -l "^# After $name:" "$folder"/*.sh); do
        [ "$first" -lt "$(measured | grep -nF "$(typed "$later" | head -n 1)" | cut -d: -f1)" ] || exit 1
    done
done)'
expect "a line for each, and the sum" lines $(($(echo "$names" | wc -l) + 1)) out "stand-in/experiments/dgemm.txt" true 'tail -n 1 out | grep -q "^all "'
expect "the roofs once, and a copy for each" true '[ "$(roofs)" = 1 ]' true '(for name in $own; do [ -s "stand-in/experiments/$name.json" ] || exit 1; done)'
expect "their pictures" true '[ "$(ls drawn)" = "$(drawn $(scripts $own) | sort)" ]'
expect "those that need what is not here are skipped" true '[ "$(grep -c "skipped: .* is not set" out)" = "$(echo "$needy" | wc -l)" ]'
expect "what they print is kept, with the command lines" true 'grep -qF "$ $(commands "$folder/wht.sh" | head -n 1)" stand-in/experiments/wht.txt'
expect "and how long each took" true '[ "$(grep -cx "# [0-9]* s" stand-in/experiments/wht.txt)" = "$(commands "$folder/wht.sh" | wc -l)" ]'
experiments wht fft
expect "some, with the roofs that there are" status 0 lines 3 true '[ "$(measured)" = "$(typed "$folder/wht.sh" "$folder/fft.sh")" ]' true '[ "$(roofs)" = 0 ]'
LULESH=/there && export LULESH
experiments lulesh
expect "and run where that is" status 0 lines 2 true '[ "$(measured | grep -c " /there -s 45")" = 2 ]'
unset LULESH
PROTOCOL=quick && export PROTOCOL
experiments wht lart
expect "quick: every sixth size" status 0 lines 3 true 'grep -qxF "carmine workload wht --quick --sizes 2^8:2^22:*64 --repeat 10 --state cold -o wht.json --quick" stand-in/calls' true 'grep -q "^carmine validate .* --quick$" stand-in/calls'
experiments dgemm threads
expect "and traffic once" status 0 true 'grep -q -- " --levels=repeat=1 --sizes 10K,1090K -o" stand-in/calls' true 'grep -q -- "--sizes 100:1000:+1800 " stand-in/calls'
experiments four-states
expect "also with other words" status 0 true 'grep -q -- " --levels=exact,repeat=1,L1=32K:8,L2=2M:8,L3=none " stand-in/calls'
experiments steps
expect "and programs run four times" status 0 true 'grep -q "^carmine app --repeat 4 --levels " stand-in/calls'
experiments repetitions
expect "and a histogram of a size that there is" status 0 true 'grep -q -- "^carmine plot .*--chart histogram --point triad 1000 --size" stand-in/calls' true 'grep -q -- "--sizes 1K " stand-in/calls'
unset PICTURES PAGES
start "$folder/run" stand-in wht
expect "quick pictures and pages are not those of the book" status 0 true '[ -s stand-in/experiments/pictures/wht-roofline.png ]' true 'grep -qxF "$(head -n 1 "$folder/wht.md")" stand-in/experiments/pages/wht.md'
export PICTURES="$work/drawn" PAGES="$work/pages"
PROTOCOL=thesis && export PROTOCOL
experiments wht validation
expect "all workloads by one protocol" status 0 true '[ "$(grep -c "^carmine workload wht .* --repeat 100 --statistic min-of-10$" stand-in/calls)" = "$(grep -c "^carmine workload" "$folder/wht.sh")" ]' true '! grep "^carmine workload wht .*--quick" stand-in/calls'
expect "but what is counted alone, and what draws" true '[ "$(measured | tail -n "$(grep -c "^carmine" "$folder/validation.sh")")" = "$(typed "$folder/validation.sh")" ]' true '! grep "^carmine plot .*--repeat" stand-in/calls'
PROTOCOL=fast
experiments wht
expect "another protocol" status 2 err "PROTOCOL is quick, paper or thesis, not 'fast'"
unset PROTOCOL
FAIL="--state warm -o" && export FAIL
experiments wht stream
expect "one that fails does not stop the others" status 1 lines 3 err-lines 1 err "failed: carmine workload wht" true '[ "$(measured)" = "$(typed "$folder/wht.sh" "$folder/stream.sh")" ]'
FAIL="run --type"
experiments
expect "no roofs" status 2 lines 0 err "the roofs could not be measured" true '[ -z "$(measured)" ]'
unset FAIL
experiments wht nonsense
expect "an experiment that there is not" status 2 lines 0 err-lines 1 err "no experiment 'nonsense'; there are: blas cache-state" no-file stand-in/calls
start "$folder/run"
expect "no build folder" status 2 lines 0 err-lines 1 err "usage: docs/experiments/run BUILD [NAME…]"
start "$folder/run" drawn
expect "no carmine" status 2 lines 0 err-lines 1 err "there is no carmine in drawn"

# Tables: measured values replace a page's lines between the marks; all other lines stay.
cp "$folder"/*.c .
run workload compiler.c --name listing --cflags "-O1 -DLISTING=3" --sizes 1000 --state warm --quick --repeat 1 --annotate -o points.json
run workload daxpy --sizes 1000,3000,2000 --state warm --quick --repeat 1 -o theory.json
run workload read,write-stream --sizes 40000 --levels=exact,L1=4K:4,L2=16K:4,L3=64K:4 --quick --repeat 1 -o links.json
cat >page.md <<'END'
before
<!-- table points.json: kernel = name; flop = flop / size; B = int(load_bytes / size) + int(store_bytes / size); flop/byte = fraction(flop / size / 16) -->
what was here
<!-- end -->
between
<!-- table points.json: chosen = name; only size == 1000 -->
<!-- end -->
<!-- table theory.json: n = size; of theory = percent(size / 4000) " " change(size, 2000) " " amount(3000 * size) " " binary(size); at = duration(size) -->
<!-- end -->
<!-- table points.json: left out = name; only size > 1000 -->
<!-- end -->
<!-- table theory.json points.json: result = file; n = size; fastest = change(least_s, most_s); only size < 2000 -->
<!-- end -->
<!-- ratios theory.json -->
<!-- end -->
<!-- code points.json: listing/run -->
<!-- end -->
<!-- links links.json -->
<!-- end -->
after
END
start "$folder/tables" "$BUILD" page.md
expect "tables of a page" status 0 err-lines 0 true 'grep -qxF "| listing warm 1000 | 1 | 16 | 1/16 |" page.md' true 'grep -qxF "| kernel | flop | B | flop/byte |" page.md' true '! grep -q "what was here" page.md' true '[ "$(grep -cxE "before|between|after|<!-- end -->" page.md)" = 11 ]' true 'grep -q "mulsd" page.md' true '! grep -q " ret$" page.md'
expect "those that are chosen" true 'grep -qxF "| chosen |" page.md' true 'grep -qxF "| listing warm 1000 |" page.md' true '! grep -qF "| left out |" page.md'
expect "amounts as people read them" true 'grep -qxF "| 1000 | 25 % −50 % 3 M 1000 B | 1e+03 s |" page.md' true 'grep -qxF "| 3000 | 75 % +50 % 9 M 2.93 KiB | 3e+03 s |" page.md'
expect "one table of two results" true 'grep -qxF "| 1 | 1000 | +0 % |" page.md' true 'grep -qxF "| 2 | 1000 | +0 % |" page.md'
cat >curve.json <<'END'
{"levels": [[{"name": "L1", "effective_bytes": 4096}, {"name": "L2", "effective_bytes": 16384}, {"name": "L3", "effective_bytes": 65536}, {"name": "DRAM", "effective_bytes": 0}]],
 "curves": [{"threads": 1, "points": []}, {"threads": 2, "points": [
  {"working_set_bytes": 2048, "value": 9e9}, {"working_set_bytes": 4096, "value": 8e9}, {"working_set_bytes": 8192, "value": 5e9}, {"working_set_bytes": 16384, "value": 4e9},
  {"working_set_bytes": 32768, "value": 3e9}, {"working_set_bytes": 65536, "value": 2e9}, {"working_set_bytes": 131072, "value": 1e9}]}]}
END
printf '%s\n' '<!-- medians curve.json -->' '<!-- end -->' >medians.md
start "$folder/tables" "$BUILD" medians.md
expect "medians by LART's text, and by its algorithm" status 0 true 'grep -qxF "| L1 | to 4 KiB | 8.5 | 9 | 2 KiB to 8 KiB | 6.5 |" medians.md' true 'grep -qxF "| L3 | 16 KiB to 32 KiB | 3 | 3 | from 64 KiB | 1 |" medians.md' true 'grep -qxF "| DRAM | from 32 KiB | 1.5 | 2 | – | – |" medians.md'
rm curve.json
expect "ratios to theory: what is not known is left out" true 'grep -qxF "| daxpy | 1000 to 3000 | 1.000 | 1.000 | | | | | | |" page.md'
# Both links transfer the 320,000 bytes that are read. Non-temporal stores appear on the last link only, in their own
# column.
expect "two links" true 'grep -qE "^\| read \| 0.32 \| cold \| 0.32[0-9]* \| [^|]*\| 0.3[12][0-9]* \| 0.32[0-9]* \| [^|]*\| – \| (0.99|1.0[01]) \|$" page.md' \
    true 'grep -qE "^\| write-stream \| 0.32 \| cold \|.* 0.32[0-9]* \| (0.99|1.0[01]) \|$" page.md'
cp page.md once.md
start "$folder/tables" "$BUILD" page.md
expect "twice is once" status 0 true "cmp page.md once.md"
mkdir bare && ln -s "$carmine" bare
start "$folder/tables" bare page.md
expect "without what reads values the page stays as it was" status 2 err-lines 1 err "\`make experiments\` builds it" true "cmp page.md once.md"
sed -i 's/points.json: listing/missing.json: listing/' page.md && cp page.md once.md
start "$folder/tables" "$BUILD" page.md
expect "a table of what is not there" status 2 err "<!-- code missing.json" true "cmp page.md once.md"
rm points.json theory.json links.json

# carmine accepts every command line, up to the error that there are no roofs to draw.
run workload daxpy --sizes 1000 --state warm --quick --repeat 1 -o no-roofs.json
expect "a point without roofs" status 0 file no-roofs.json
for name in $names; do
    commands "$folder/$name.sh" >lines
    refused=
    while read -r _ verb words; do
        set -f
        case $verb in
        workload) eval "run workload $words --plot never.png" ;;
        plot) eval "run plot no-roofs.json ${words#* }" ;;
        app) eval "run app --repeat 1 ${words%% -o *} -- true" ;;
        esac
        set +f
        [ "$status" = 0 ] || grep -qE 'no roofs to draw|unknown point|whose traffic|no values for this chart|holds no (f64 )?compute ceiling|nothing is known|is not here|is not installed|traffic between levels' err || refused="$refused$(cat err); "
    done <lines
    status=0
    expect "$name: carmine takes its command lines${refused:+: $refused}" true '[ -z "$refused" ]'
done
expect "and measures nothing" no-file never.png true '[ "$(ls ./*.json)" = ./no-roofs.json ]'
end_of_cases
