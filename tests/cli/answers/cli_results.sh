#!/bin/sh
# Result files: the values that show derives from them, and broken or hostile files.
. "$(dirname "$0")/../cli.sh"
measure_sample

run show sample.json
expect "show says it in one screen" status 0 out "f64 peak" out "L1 " out "grade" out "carmine show sample.json --all" not "$isa.load" \
    err-lines 0 true '[ "$(wc -l <out)" -le 24 ]'
run show sample.json --all
expect "show --all prints every row" status 0 out "$isa.f64.mul" out "$isa.load" out "L1" err-lines 0
run show sample.json --json
expect "show --json is JSON" status 0 true "json <out"
cp out roofs.json
has() { # NAME PATH…: each path leads to a value
    name=$1
    shift
    for path; do
        json "$path" <roofs.json >/dev/null || { echo "not ok $name: no $path"; return; }
    done
    echo "ok $name"
}
has "the fixed names of a roof" schema machine roofs points 'roofs.*.name' 'roofs.*.kind' 'roofs.*.level' \
    'roofs.*.threads' 'roofs.*.value' 'roofs.*.unit' 'roofs.*.per_cycle' 'roofs.*.clock_hz' \
    'roofs.*.documented_per_cycle' 'roofs.*.spread' 'roofs.*.doubts' 'roofs.*.low' 'roofs.*.high'
expect "their schema and units" true '[ "$(json schema <roofs.json)" = carmine.roofs/1 ]' \
    true 'json "roofs.*.unit" <roofs.json | sort -u | xargs echo | grep -qx "bytes_per_s flop_per_s"' \
    true 'json "roofs.*.kind" <roofs.json | sort -u | xargs echo | grep -qx "bandwidth compute"' \
    true '[ "$(json roofs.0.level roofs.2.level <roofs.json | xargs echo)" = "L1 null" ]'
run show sample.json --csv
expect "show --csv has a row per roof" status 0 lines $((1 + $(json roofs <roofs.json))) out "name,kind,level,threads" \
    true '[ "$(sed "s/\"[^\"]*\"//g" out | awk -F, "{ print NF }" | sort -u | wc -l)" = 1 ]'
cp "$tests/../results/granite-rapids-2-cores-vm.json" before.json
run show before.json --all
expect "a file of before has neither grade nor intervals" status 0 out "spread" not "headline roofs" not "±"
run show before.json --json
expect "nor in JSON" status 0 true '[ "$(json trust roofs.0.low roofs.0.high <out | xargs echo)" = "null null null" ]'
sed 's/"features": \[/&"asimd", /' before.json >arm.json
run show before.json
expect "an x86-64 was seen on metal" status 0 not "on metal"
run show arm.json
expect "an AArch64 was not, by its authors" status 0 out "▲ AArch64, never seen on metal by its authors (docs/aarch64.md: \`make metal\`)"
run show sample.json --all --roof store
expect "show --roof" status 0 out "$isa.store"
run show --fields
expect "show --fields: what a file holds" status 0 err-lines 0 out "### The file" out '| `working_set_bytes` | count | B |'
refuses "--fields with a result" "--fields takes no FILE" show sample.json --fields
refuses "neither" "name a result FILE, or use --fields" show
cp sample.json "a name with blanks and ümlauts.json"
run show "a name with blanks and ümlauts.json"
expect "a file name with blanks" status 0 out "L1 "
odd="it's \$(touch ran);x.json"
cp sample.json "$odd"
COLUMNS=200 run show "$odd"
cat >suggested <<'END'
carmine() { printf %s "$2"; }
END
sed -n 's/^Rows .*: \(carmine show .*\)$/\1/p' out >>suggested
expect "a suggested command is quoted for a shell" status 0 true '[ "$(sh suggested)" = "$odd" ]' no-file ran
mkdir pipes && cp sample.json pipes/a.json && mkfifo pipes/b.json
start timeout 60 "$carmine" fleet pipes --all
expect "a pipe among results is left out by its name" status 0 out "pipes/b.json"
start timeout 60 "$carmine" check sample.json --baseline pipes
expect "in a baseline, too" err "pipes/b.json: a pipe or a device"
start timeout 60 "$carmine" compare pipes
expect "compare refuses it" status 2 err "pipes/b.json: a pipe or a device" err-lines 1
run show ./-.json
expect "a missing file" status 2 err "./-.json: cannot open" err-lines 1
start timeout 60 sh -c '"$1" show /dev/stdin --json <sample.json' sh "$carmine"
expect "a result through a pipe" status 0 true "json <out"

# Not results at all.
: >empty.json
echo '{"schema": "carmine.result/1"}' >bare.json
refuses "a result without its fields" "bare.json: uarch: must be there; the file was cut or edited: restore it, or measure again" show bare.json
refuses "an empty file" "empty.json: " show empty.json
refuses "a folder" ": not a file" show .
{ printf '\357\273\277'; cat sample.json; } >marked.json
refuses "a byte order mark" "marked.json: begins with a byte order mark of UTF-8" show marked.json
printf '\377\376{\000' >wide.json
refuses "of UTF-16" "wide.json: begins with a byte order mark of UTF-16" show wide.json
head -c 1000 sample.json >truncated.json
refuses "a truncated file" "truncated.json: line" show truncated.json
refuses "its message tells what to look for" "is the file complete?" show truncated.json
head -c 4096 "$carmine" >binary.json
refuses "not JSON" "binary.json: line 1" show binary.json
echo '{"schema": "carmine.result/1"' | tr '\n' '\000' >zero.json
refuses "a zero byte" "zero.json: " show zero.json
for text in 1 '"x"' null; do
    echo "$text" >other.json
    refuses "other JSON: $text" "other.json: line 1" show other.json
done
for text in '{}' '[]' '{"schema": 1}' '{"schema": "carmine.result/2"}' '{"schema": null, "samples": {}}'; do
    echo "$text" >other.json
    refuses "other JSON: $text" "other.json: schema: must be \"carmine.result/1\"" show other.json
done
echo '{"schema": "carmine.result/1"}' >other.json
refuses "only a schema" "other.json: " show other.json
head -c 17000000 /dev/zero | tr '\000' ' ' >huge.json
refuses "a huge file" "huge.json: larger than 16 MiB" show huge.json
head -c 200000 /dev/zero | tr '\000' '[' >deep.json
refuses "deep nesting" "deep.json: line" show deep.json
sed 's/"schema"/"schema": "x", "schema"/' sample.json >twice.json
refuses "a key given twice" "twice.json: line" show twice.json

# damage NAME PATH SED-SCRIPT: makes one value wrong. The message names the file and the path inside.
damage() {
    sed "$3" sample.json >damaged.json
    if cmp -s sample.json damaged.json; then
        echo "not ok $1: the damage did not change the file"
        return
    fi
    refuses "$1" "damaged.json: $2" show damaged.json
}
number='[-+0-9.e]*'
damage "NaN" "line" "s/\"value\": *$number/\"value\":NaN/"
damage "a number out of range" "line" "s/\"value\": *$number/\"value\":1e999/"
damage "a negative rate" "samples[0].value: must be" "s/\"value\": *$number/\"value\":-1/"
damage "a text for a number" "samples[0].value: must be" "s/\"value\": *$number/\"value\":\"1\"/"
damage "null for a number" "samples[0].value: must be" "s/\"value\": *$number/\"value\":null/"
damage "a number missing" "samples[0].value: must be there" "s/\"value\": *$number/\"other\":1/"
damage "a fraction for a count" "samples[0].threads: must be" "s/\"threads\": *[0-9]*/\"threads\":1.5/"
damage "a count out of range" "samples[0].threads: must be" "s/\"threads\": *[0-9]*/\"threads\":99999999999/"
damage "a huge integer" "line" "s/\"threads\": *[0-9]*/\"threads\":99999999999999999999999/"
damage "negative bytes" "samples[0].working_set_bytes: must be" "s/\"working_set_bytes\": *[0-9]*/\"working_set_bytes\":-4096/"
damage "a number for a text" "samples[0].kernel: must be" 's/"kernel": *"'$isa'.load"/"kernel":7/'
damage "a text too long" "samples[0].kernel: must be" "s/$isa.load/$(head -c 3000 /dev/zero | tr '\000' a)/"
damage "an unknown kind" "samples[0].kind: must be" 's/"kind": *"bandwidth"/"kind":"speed"/'
other_doubts='s/,"doubts": *\[[^]]*\]//; s/"kernel": *"'$isa'.load"/&,"doubts":'
damage "a doubt without a name" "samples[0].doubts: must be" "$other_doubts"'[7]/'
sed "$other_doubts"'["gut feeling"]/' sample.json >newer.json
run show newer.json
expect "a doubt of a newer carmine" status 0 err-lines 0 out "Warnings unknown to this carmine are left out (gut feeling)"
refuses "two forms of output" "--format and --csv are two forms of output: choose one" show newer.json --csv --format flat
damage "doubts that are no list" "samples[0].doubts: must be" "$other_doubts"'{}/'
damage "statistics too short" "samples[0].rate: must be" 's/"rate": *\[[^]]*\]/"rate":[1,2,3]/'
damage "statistics of texts" "samples[0].rate: must be" 's/"rate": *\[[^]]*\]/"rate":["a",2,3,4,5,6,7]/'
damage "samples that are no list" "samples: must be" 's/"samples": *\[/"samples": 1, "old": [/'
damage "a sample that is no object" "samples[0]: must be" 's/"samples": *\[/"samples": [[],/'
damage "curves missing" "curves: must be" 's/"curves"/"curbs"/'
damage "the machine missing" "machine: must be" 's/"machine": *{/"machin": {/'
damage "a core kind too many" "machine.kinds: must be" 's/"kinds": *\[/"kinds": [{},{},{},{},{},{},{},{},{},{},/'
damage "interrupted as a text" "environment.interrupted: must be" 's/"interrupted": *false/"interrupted":"no"/'

# Strange, but well-formed.
sed 's/'$isa'.load/%s%n%s/; s/"L1"/"L99"/g' sample.json >strange.json
for form in --all --json --csv; do
    # shellcheck disable=SC2086
    run show strange.json $form
    expect "strange names are only printed: show $form" status 0 out "%s%n%s"
done
run run $short -o "$(printf 'line\nbreak.json')"
expect "a file name with a line break" status 0 true 'json environment.command_line <"$(printf "line\nbreak.json")" | grep -q break'

# Rows by level, instruction set and threads, in every form.
zen=$tests/../results/zen5-2-cores-vm.json
run show "$zen" --level L2,DRAM --threads all --isa avx2 --csv
expect "chosen rows" status 0 true '[ "$(sed 1d out | cut -d, -f3,4 | sort -u | xargs)" = "DRAM,2 L2,2" ]' true '! sed 1d out | grep -v "^\"avx2\."'
run show "$zen" --level L1 --json
expect "chosen rows in JSON" status 0 true '[ "$(json "roofs.*.level" <out | sort -u)" = L1 ]' true '[ "$(json points <out)" = 0 ]'
run show "$zen" --isa scalar --threads 1 --markdown
expect "chosen rows in Markdown" status 0 out "| scalar.f64.fma |" not "avx512" true 'grep -q "^|---|---|--:|" out'
refuses "rows that the file lacks" "holds no such roof; it has threads 1, 2; levels L1, L2, L3, DRAM; instruction sets " show "$zen" --level HBM
start env CARMINE_MARKDOWN=yes "$carmine" show "$zen" --json
expect "a typed form before a default" status 0 true 'json schema <out'
start env CARMINE_STYLE=oval "$carmine" plot "$zen" -o oval.svg
expect "a wrong default names its place" status 2 err-lines 1 err "the default of --style in CARMINE_STYLE: unknown style"
refuses "two forms" "two forms of output: choose one" show "$zen" --json --csv

# A result with little in it: nothing to print, but no crash.
sed -n '/"samples"/q; p' sample.json >few.json
echo '"samples": [], "curves": []}' >>few.json
run show few.json
expect "a result without samples" status 0
run show few.json --json
expect "its JSON" status 0 true '[ "$(json roofs <out)" = 0 ]'
run show few.json --csv
expect "its CSV" status 0 lines 1
refuses "its picture" "the result holds no" plot few.json -o few.svg

# LaTeX: tables, and comments.
run show "$tests/../results/zen5-2-cores-vm.json" --latex
expect "tables in LaTeX" status 0 out '\begin{tabular}{lrrlrl}' out 'Triad, best code & 41.8--57.7 GB/s & 52.0 GB/s &' \
    true '! grep -vE "^(%|$|.(begin|end|toprule|midrule|bottomrule)|.* & )" out'
run compare "$tests/../results/zen5-2-cores-vm.json" "$tests/../results/zen3-2-cores-vm.json" --latex
expect "a rule below headings alone" status 0 true '[ "$(grep -c "^.midrule" out)" = 1 ]' true '[ "$(grep -c "^.toprule" out)" = 2 ]'
refuses "two forms" "choose one" show "$tests/../results/zen5-2-cores-vm.json" --latex --json
end_of_cases
