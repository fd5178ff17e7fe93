#!/bin/sh
# carmine validate with the smallest selection, its values in files, and their output by show and plot.
. "$(dirname "$0")/../cli.sh"
small="--level L1 --isa $isa --quick"
# Where the narrowest vectors have FMA, they are mixed with loads.
case $isa in sse) mixed=8addmul1ld longest=192addmul op=addmul ;; *) mixed=4fma1ld longest=96fma op=fma ;; esac

# shellcheck disable=SC2086
{
run validate $small
expect "the answer first" status 0 true 'grep -q "memory side  *ridge  *compute side  *worst point" out' true 'head -n 1 out | grep -q "^[01] of 1 levels agree with the model within 2 % on both sides"' true 'tr "\n" " " <out | grep -q "worst is the [a-z ]* of *L1"' out "Sides" true '[ "$(wc -l <out)" -le 14 ]'
run validate $small --csv
expect "CSV" status 0 lines 8 true 'is_csv out' true 'head -n 1 out | grep -q "^name,variant,level,threads,.*,side$"' true '[ "$(sed 1d out | sed "s/.*,//" | sort -u | xargs)" = "compute side memory side ridge" ]'
run validate $small --markdown
expect "Markdown" status 0 out "| memory side | ridge | compute side |"
run validate $small --all
expect "a table" status 0 out "deviation" out "$isa.f64.$mixed" out "compute side" true '[ $(grep -c "^L1 .*$isa.f64.[0-9]*$op[0-9]*ld " out) = 7 ]'
expect "and no file" true '[ "$(ls)" = "$(printf "err\nout")" ]'
run validate $small --json
expect "JSON" status 0 true '[ "$(json schema <out)" = carmine.validation/2 ]' true '[ "$(json points.*.name <out | wc -l)" = 7 ]' true 'json levels.*.worst_deviation levels.*.worst_flop_per_byte <out' true '[ "$(for side in memory_side ridge compute_side; do json "levels.*.${side}_deviation" <out; done | grep -c "^[0-9]")" = 3 ]' true 'json points.*.deviation points.*.port_limit_per_cycle points.*.doubts <out'
run validate $small --tolerance 0%
expect "a tolerance that nothing meets, side by side" status 1 err "the memory side of L1, 1 thread: " err "the ridge of L1, 1 thread: " err "the compute side of L1, 1 thread: " err "more than 0 %" out "deviation"
run validate $small --tolerance 1000%
expect "a tolerance that all meet" status 0
run validate $small --type f32 --mix 2ld1st -o v.json
expect "-o writes a result" status 0 file v.json true '[ "$(json schema <v.json)" = carmine.result/1 ]' true '[ "$(json validation.*.kernel <v.json | wc -l)" = 7 ]' true '[ "$(json samples.*.kernel <v.json | sort | xargs)" = "$isa.2ld1st $isa.f32.$op" ]'
run validate $small --type f32 --mix 2ld1st v.json
expect "the same again takes their place" status 0 true '[ "$(json validation.*.kernel <v.json | wc -l)" = 7 ]'
run validate $small v.json
expect "others are added" status 0 true '[ "$(json validation.*.kernel <v.json | wc -l)" = 14 ]' true '[ "$(json samples.*.kernel <v.json | wc -l)" = 2 ]'
run show v.json
expect "show sums them up" status 0 out "Model   14 mixed kernels; farthest from it is the"
run show v.json --all
expect "show lists them" status 0 out "$isa.f64.$mixed" out "$isa.f32.${longest}1x2ld1st" out "worst point"
run show v.json --json
expect "show --json too" status 0 true '[ "$(json validation.*.name <out | wc -l)" = 14 ]'
run plot v.json --type f32 -o v.svg
expect "plot draws them" status 0 file v.svg
run validate --level L1 --mix 2ld1st --quick -o widest.json
expect "the widest vectors have a point at each intensity, though their longest blocks exceed L1's sizes" status 0 true '[ "$(json validation.*.kernel <widest.json | wc -l)" = 7 ]'
measure_sample
run plot sample.json -o s.svg
expect "a picture without them" status 0 file s.svg
run show sample.json --all
expect "nor does its table" status 0 not "mixed kernels"
run validate $small sample.json
expect "points for an older result" status 0 true '[ "$(json validation.*.kernel <sample.json | wc -l)" = 7 ]' true '[ "$(json samples.*.kernel <sample.json | wc -l)" = 3 ]'
cp sample.json resumed.json
run run $short --resume resumed.json
expect "a resumed run keeps them" status 0 true '[ "$(json validation.*.kernel <resumed.json | wc -l)" = 7 ]'
run plot sample.json -o t.svg
expect "and a picture with them" status 0 true '[ $(grep -c "<circle" s.svg) = 0 ]' true '[ $(grep -c "<circle" t.svg) -ge 7 ]'

cp sample.json damaged.json
sed -i 's/"flop_per_byte":[0-9.e-]*/"flop_per_byte":-1/' damaged.json
refuses "a damaged point" "validation[0].flop_per_byte" show damaged.json
sed 's/"brand": *"[^"]*"/"brand": "Another CPU"/' sample.json >another.json
cmp -s sample.json another.json && echo "not ok the brand is written otherwise"
refuses "a result of another machine" "another machine" validate $small another.json
refuses "two files" "name one file" validate $small sample.json -o x.json
refuses "a pattern without mixed kernels" "load and 2ld1st" validate $small --mix update
refuses "a file that is missing" "no.json: cannot open" validate $small no.json
refuses "a folder that is missing" "missing/x.json" validate $small -o missing/x.json
for value in abc -1 5%% 5x nan ""; do
    refuses "--tolerance '$value'" "--tolerance takes a percentage" validate $small --tolerance "$value"
done
}
end_of_cases
