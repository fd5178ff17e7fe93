#!/bin/sh
# Stored cores: compared, in pictures, on a page. Results without one show nothing of it.
. "$(dirname "$0")/../cli.sh"
roofs=roofs.json
{ sed '/^"core": \[/,$d' "$tests/../results/zen3-2-cores-vm.json" | sed '$s/,$//' && echo '}'; } >$roofs

# core DIVISION: a few forms, whose division has this latency.
core() {
    interval() { awk -v value="$1" 'BEGIN { printf "[%s, %s, %s]", value, 0.99 * value, 1.01 * value }'; }
    form() { printf '{"form": "%s", "%s_cycles": %s, "clock_hz": 3e9}%s\n' "$1" "$2" "$(interval "$3")" "$4"; }
    echo '"core": ['
    form "nop" throughput 0.1667 ,
    form "vaddsd xxx" latency 3 ,
    form "vdivsd xxx" latency "$1" ,
    form "load q" latency 4 ,
    form "mispredict" latency 17 ""
    echo '],'
}
core 13 >old.txt
core 6 >new.txt
sed '1r old.txt' "$roofs" >old.json
sed '1r new.txt' "$roofs" >new.json

run show old.json --all
expect "show: every form" status 0 out "── the core ──" true 'grep -Eq "^vdivsd xxx +13.00" out'
pairs='"core_pairs": [{"form": "vaddpd xxx", "other": "vmulpd xxx", "share": 0.6}],'
sed "1a $pairs" old.json >pairs.json
run show pairs.json --all
expect "pairs that share pipes" status 0 out "  b vmulpd xxx       6" not '```'
run show pairs.json --all --markdown
expect "as code in Markdown" status 0 true '[ "$(grep -c "^\`\`\`$" out)" = 2 ]' true 'sed -n "/^\`\`\`$/,/^\`\`\`$/p" out | grep -q "^  b vmulpd xxx"'
run show old.json --json
expect "in JSON" status 0 true '[ "$(json core.schema core.core <out | xargs echo)" = "carmine.core/1 5" ]'
run show old.json --csv --table core
expect "in CSV" status 0 err-lines 0 true 'is_csv out' out '"vdivsd xxx",13,12.87,13.13,'
run show "$roofs" --all
expect "nothing without one" status 0 not "the core ──"
run compare old.json new.json
expect "a line on the cores" status 0 err-lines 0 out "Core    A → B, cycles: latency of f64 division 13 → 6" true '[ "$(wc -l <out)" -le 24 ]'
run compare old.json new.json --baseline 2
expect "from the baseline on" status 0 out "Core    B → A, cycles: latency of f64 division 6 → 13"
run compare old.json old.json
expect "no difference" status 0 out "Core    none of 5 latencies and throughputs differs"
for other in "old.json $roofs" "$roofs old.json" "$roofs $roofs" "old.json"; do
    run compare $other # unquoted: two files
    expect "nothing without two of them: $(echo "$other" | sed 's|[^ ]*/||g')" status 0 not "Core  "
done
for each in old new; do
    sed '/^"samples": \[/,/^\],/c "samples": [],
        /^"curves": \[/,/^\]/c "curves": []' $each.json >$each-core.json
done
run compare old-core.json new-core.json
expect "without roofs, the cores come first" status 0 err-lines 0 true 'head -n 1 out | grep -q "^Core    A → B, cycles: latency of f64 division 13 → 6"' out "the base"
run compare old.json new.json --all
expect "a table" status 0 out "── The core ──" true 'grep -Eq "^f64 division, scalar +vdivsd xxx +latency +13.00 +6.00 +0.462$" out' out "1 of 5 latencies and throughputs differ" not "load q"
run compare old.json new.json --all --markdown
expect "in Markdown" status 0 true 'grep -Eq "^\| f64 division, scalar +\| vdivsd xxx" out'
run compare old.json new.json --json
expect "JSON" status 0 true '[ "$(json core <out)" = 5 ]' true '[ "$(json core.0.form core.1.form core.1.differs.1 <out | xargs echo)" = "vaddsd xxx vdivsd xxx true" ]'
run compare old.json new.json --csv
expect "CSV" status 0 out '"core latency","vdivsd xxx",,,,,,,,,"cycles",6,0.4615385,' true 'sed "s/\"[^\"]*\"//g" out | awk -F, "{ print NF }" | sort -u | xargs echo | grep -qx 25'

for files in old.json "old.json new.json" "old.json new.json $roofs"; do
    for style in screen dark; do
        run plot $files --chart core --style $style -o x.svg # unquoted: several words
        expect "picture of $(echo $files | wc -w), $style" status 0 file x.svg true 'grep -q "f64 division, scalar" x.svg'
    done
done
run plot old.json new.json --chart core -o x.png
expect "PNG" status 0 file x.png
run plot old.json --chart core
expect "in the terminal" status 0 out "f64 division" true '[ "$(wc -l <out)" -ge 8 ]'
cat >narrow.txt <<'END'
"core": [{"form": "vaddsd xxx", "latency_cycles": [11, 11, 11], "throughput_cycles": [0.25, 0.25, 0.25], "clock_hz": 3e9},
{"form": "vsqrtsd xxx", "latency_cycles": [7, 7, 7], "throughput_cycles": [0.75, 0.75, 0.75], "clock_hz": 3e9}],
END
sed '1r narrow.txt' "$roofs" >narrow.json
for width in 60 80; do
    COLUMNS=$width run plot narrow.json --chart core
    expect "whole numbers in $width columns" status 0 out "11 · 0.25" out "7 · 0.75" not "░"
done
refuses "no picture without data" "carmine core -o FILE" plot "$roofs" --chart core -o x.svg
refuses "too many" "room for 6 results" plot old.json old.json old.json old.json old.json old.json old.json --chart core -o x.svg
refuses "other charts are of one result" "--chart needs a picture of one result" plot old.json new.json --chart sweep -o x.svg
run plot old.json -o page.html
expect "on the page" status 0 true '[ "$(grep -c "id=\"core-name\"" page.html)" = 1 ]'
run plot "$roofs" -o roofs.html
expect "only with data" status 0 true '! grep -q core-name roofs.html'
end_of_cases
