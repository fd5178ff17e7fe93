#!/bin/sh
# The HTML report: one complete and small file. Texts of other origin stay text in it.
. "$(dirname "$0")/../cli.sh"
measure_sample
cp sample.json points.json
run app -o points.json --name work --repeat 1 --flop 1e6 --bytes 1e7 -- true
expect "a point to draw" status 0

# data FILE: the JSON of a report, one line.
data() { sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' "$1"; }
# told FILE PATH: the value at this path of the report's JSON.
told() { data "$1" | json "$2"; }
# picture FILE: the picture for readers without JavaScript.
picture() { sed -n '/id="still"/,/<\/figure>/p' "$1"; }
# counted FILE TEXT: how often the text occurs.
counted() { grep -oF -e "$2" "$1" | wc -l; }

run plot points.json -o r.html
expect "a report" status 0 file r.html lines 0 err-lines 0
expect "it is one page" true 'head -n 1 r.html | grep -q "^<!doctype html>"' true '[ "$(tail -n 1 r.html)" = "</html>" ]'
expect "nothing is left to fill in" true '! grep -q "{{" r.html'
expect "it asks for nothing outside" true '! grep -qiE "https?://|src=|@import|url\((.)*//|<link" r.html'
expect "and says so to the browser" true 'grep -qF "default-src '"'none'"'" r.html'
expect "its data is JSON" true '[ "$(told r.html schema)" = carmine.report/3 ]'
expect "of all roofs" true '[ "$(told r.html results.0.roofs.rows)" = "$("$carmine" show --json points.json | json roofs)" ]'
expect "and of the application" true 'told r.html results.0.points.rows.0.0 | grep -qx work'
expect "the picture is there without JavaScript" true 'sed -n "/id=\"still\"/,/<\/figure>/p" r.html | grep -q "<text.*L1"'
expect "its points tell their verdicts" true 'grep -qE "<title>work: [^<]{12,}" r.html'
expect "hovering text keeps its lines and columns" true 'grep -qF "weakest\t" r.html'
run plot points.json -o n.html --point none
expect "--no-points" status 0 true '[ "$(told n.html results.0.points.rows)" = 0 ]'
run plot points.json -o n.html --point work --type f64 --isa $isa --roof load
expect "options say what is shown at first" status 0 true '[ "$(told n.html controls.0.first.0)" = $isa ]' \
    true '! data n.html | grep -q "\"2LD1ST\""'
refuses "an application that is not there" "known: work" plot points.json -o n.html --point nix
run plot "$tests/golden/files/levels.json" -o l.html
expect "traffic between levels" status 0 true 'grep -qF "L2 ⇄ L3: 137 GB, 0.0156 flop/B, 71 % of its time" l.html' true 'grep -qF "bound by L2 ⇄ L3" l.html'
expect "drawn for each point" true '[ "$(counted l.html "simulated traffic between core")" = 7 ]' \
    true 'grep -qF "longest: 71 % of its time" l.html' true 'grep -qF "8.39 MB write-allocate" l.html' true '[ "$(counted r.html "simulated traffic between core")" = 0 ]'
run sweep --isa $isa --mix load --per-octave 1 --quick -o sweep.json
run plot sweep.json -o sweep.html
expect "a sweep alone" status 0 true '[ "$(told sweep.html results.0.curves)" = 1 ]' true 'grep -q "<svg viewBox" sweep.html'
run app -o lone.json --name lone --repeat 1 --flop 1e6 --bytes 1e7 -- true
run plot lone.json -o lone.html
expect "a point alone" status 0 true '[ "$(told lone.html results.0.points.rows)" = 1 ]'

# A measured machine of results/ under six names, with points.
kept=$tests/../results/granite-rapids-2-cores-vm.json
files=
for number in 1 2 3 4 5 6; do
    sed 's/"host": "[^"]*"/"host": "node'$number'"/; s/^"uarch": "[^"]*"/"uarch": "Core '$number'"/' "$kept" >node$number.json
    run app -o node$number.json --name work --repeat 1 --flop 1e6 --bytes 1e7 -- true
    files="$files node$number.json"
done
# shellcheck disable=SC2086
run plot $files -o six.html
expect "six machines" status 0 true '[ "$(told six.html results)" = 6 ]' true '[ "$(told six.html results.5.machine.host)" = node6 ]'
expect "are under 1 MB" true '[ "$(wc -c <six.html)" -lt 1000000 ]'
expect "and are told apart" true '[ "$(told six.html "results.*.label" | sort -u | wc -l)" = 6 ]'
expect "the picture shows all of them" true 'sed -n "/id=\"still\"/,/<\/figure>/p" six.html | grep -o "Core [1-6]" | sort -u | wc -l | grep -qx 6'
# Machines of one and of two cores, with applications of one thread: all show the same number of cores.
run plot "$tests"/../results/[gz]*.json -o kinds.html
expect "machines of different sizes" status 0 true '[ "$(told kinds.html controls.0.first.0)" = "all cores" ]' \
    true 'told kinds.html "controls.0.options.*.0" | grep -qx "one core"' true '[ "$(told kinds.html series.0.places)" = 2 ]'
cp "$tests/../results/zen5-2-cores-vm.json" other.json
run app -o other.json --name serial --repeat 1 --flop 1e6 --bytes 1e7 --threads 1 -- true
run plot other.json "$tests/../results/zen4-2-cores-vm.json" -o kinds2.html
expect "whatever the application of one of them" true '[ "$(told kinds2.html controls.0.first.0)" = "all cores" ]'
run plot "$tests"/../results/[gz]*.json --threads 1 -o kinds1.html
expect "and as --threads says" true '[ "$(told kinds1.html controls.0.first.0)" = "one core" ]' \
    true 'picture kinds1.html | grep -q "one core"'
run plot "$tests"/../results/[gz]*.json --threads all -o kinds1.html
expect "all, whatever the first machine has" status 0 true '[ "$(told kinds1.html controls.0.first.0)" = "all cores" ]' \
    true 'picture kinds1.html | grep -q "all cores"'
run plot "$tests"/../results/[gz]*.json --threads 2 -o kinds1.html
expect "a number that some have" status 0 true '[ "$(told kinds1.html controls.0.first.0)" = "all cores" ]'
run plot "$tests"/../results/zen3*.json "$tests"/../results/zen5*.json --threads all -o all.svg
expect "also in a picture" status 0 true 'grep -q "all cores" all.svg'
# Side by side: the numbers of `carmine compare`.
COLUMNS=400 "$carmine" compare "$tests"/../results/[gz]*.json --all >compare.txt
beside() { told kinds.html "beside.rows.$1.cells.*.$2"; }
expect "the table side by side" true '[ "$(told kinds.html beside.rows.0.name)" = "f64 peak" ]' true '[ "$(beside 0 1 | head -n 1)" = "" ]'
expect "has the values and ratios of compare" \
    true 'for row in 0 5 8 9 12; do for part in 0 1; do beside $row $part | grep . | while read -r cell; do grep -qF -e "$cell" compare.txt || exit 1; done || exit 1; done; done'
# Many: of each its best roofs, so that 500 have at most 8 MB; points that are named.
files51=
for number in $(seq 51); do
    sed 's/"host": "node1"/"host": "many'"$number"'"/' node1.json >many$number.json
    files51="$files51 many$number.json"
done
# shellcheck disable=SC2086
run plot $files51 -o brief.html
expect "51 machines" status 0 true '[ "$(told brief.html results)" = 51 ]' true '[ "$(wc -c <brief.html)" -lt 816000 ]' \
    true '[ "$(told brief.html results.0.points.rows)" = 0 ]' true 'told brief.html words.brief | grep -q "best roofs"' \
    true '[ "$(told brief.html "results.*.first" | grep -c true)" = 6 ]' true '! told six.html words.brief 2>&1 | grep -q "best roofs"'
expect "with the roofs of one core and of all" true '[ "$(told brief.html "controls.0.options.*.0" | sort | paste -sd,)" = "all cores,one core" ]' \
    true '[ "$(told brief.html beside.rows)" = "$(told six.html beside.rows)" ]'
# shellcheck disable=SC2086
run plot $files51 --point work --type f32 -o brief.html
expect "points that are named, another type" status 0 true '[ "$(told brief.html results.50.points.rows)" = 1 ]' true '[ "$(told brief.html controls.2.first.0)" = f32 ]'
# shellcheck disable=SC2086
refuses "roofs that such a report does not have" "name fewer files" plot $files51 --isa avx2 -o no.html
# shellcheck disable=SC2046
refuses "more than a browser shows, before any is read" "carmine fleet DIR" plot $(seq -f missing%g.json 501) -o no.html
# shellcheck disable=SC2086
run plot $files -o six.svg
expect "six machines in one picture" status 0 file six.svg
# shellcheck disable=SC2086
refuses "what is of one machine in a picture of six" "carmine compare" plot $files --point work -o no.svg

. "$tests/cli/kept.sh"
uncertain 0.99 1.02 <"$kept" >known.json
run plot known.json -o known.html
expect "the grade is told" status 0 true '[ "$(told known.html results.0.trust.grade)" = B ]'

# The page and the picture are drawn from the same plot, with the same texts and sizes.
data known.html >known.data
picture known.html | grep -oE '>(L[123]|DRAM|AVX|SSE|scalar|x87)[^<]*<' | tr -d '<>' >labels
expect "the picture has labels" true '[ "$(wc -l <labels)" -ge 7 ]'
expect "that are the page's" true 'while read -r label; do grep -qF "\"$label\"" known.data || exit 1; done <labels'
radius=$(picture r.html | grep -o 'circle[^>]* r="[0-9.]*"' | sed 's/.*"\([0-9.]*\)"/\1/' | tail -n 1)
expect "and a point's radius" true '[ -n "$radius" ]' true 'data r.html | grep -qF "\"radius\":$radius,"'

# Texts from files stay text in every place.
separator=$(printf '\342\200\250')
hostile="</script><script>alert(1)</script>"
sed "s|\"host\": \"[^\"]*\"|\"host\": \"$hostile\"|; s|\"brand\": \"[^\"]*\"|\"brand\": \"<!-- <b>\&amp;$separator\"|
     s|\"name\":\"work\"|\"name\":\"<img src=x onerror=alert(2)>\"|; s|\"uarch\": \"[^\"]*\"|\"uarch\": \"</title><style>\"|" points.json >hostile.json
run plot hostile.json -o hostile.html
expect "hostile texts" status 0 true '[ "$(told hostile.html results.0.machine.host)" = "$hostile" ]' true 'told hostile.html results.0.points.rows.0.0 | grep -q "^<img"'
expect "make no tag" true '! grep -qF -e "<script>alert" -e "<img" -e "<b>" hostile.html'
for text in "<script" "</script" "<style" "<!--" "</title>"; do
    expect "and no $text" true '[ "$(counted hostile.html "$text")" = "$(counted r.html "$text")" ]'
done
expect "nor end a line of the data" true '! data hostile.html | grep -q "$separator"'

refuses "a chart of a report" "leave out --chart" plot points.json -o n.html --chart sweep
refuses "a folder that is missing" "missing/r.html" plot points.json -o missing/r.html
if [ -c /dev/full ] && [ -w /dev/full ]; then
    ln -s /dev/full full.html
    refuses "a full disk" "No space left" plot points.json -o full.html
fi
end_of_cases
