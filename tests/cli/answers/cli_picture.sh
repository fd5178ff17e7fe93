#!/bin/sh
# Figures for papers: the widths of columns.
. "$(dirname "$0")/../cli.sh"
zen3=$tests/../results/zen3-2-cores-vm.json

# Column widths by name. The unit is the point of PDF, 72 to an inch; TeX has 72.27.
pdf_width() { LC_ALL=C sed -n 's/.*MediaBox \[ 0 0 \([0-9]*\.[0-9][0-9]\).*/\1/p' "$1" | head -n 1; }
for row in ieee=251.05 IEEE-page=514.07 acm=240.24 acm-page=504.40 aps=245.08 aps-page=508.09 elsevier=251.05 elsevier-page=520.04 \
    lncs=345.82 article=343.71 twocolumn=228.64 twocolumn-page=467.24 twocolumn-a4=220.17 twocolumn-a4-page=450.31; do
    run plot "$zen3" -o figure.pdf --style paper --width "${row%=*}"
    expect "--width ${row%=*}" status 0 true "[ \$(pdf_width figure.pdf) = ${row#*=} ]"
done
expect "with its fonts" true 'grep -aq "/FontFile" figure.pdf' true '[ "$(grep -ac "/FontFile" figure.pdf)" = "$(grep -ac "/Type /FontDescriptor" figure.pdf)" ]'
run compare "$zen3" "$tests/../results/zen4-2-cores-vm.json" --plot both.pdf --style paper --width acm
expect "of a comparison" status 0 true '[ "$(pdf_width both.pdf)" = 240.24 ]'
refuses "a column misspelt" "not 'iee-page' (did you mean \`ieee-page\`?)" plot "$zen3" -o n.pdf --width iee-page
refuses "all columns" "or a column: ieee, ieee-page, acm," plot "$zen3" -o n.pdf --width nature
refuses "of a comparison, too" "(did you mean \`acm\`?)" compare "$zen3" "$zen3" --plot n.pdf --width acn
refuses "a column without a picture" "--width acm is for pictures: add --plot FILE" compare "$zen3" "$zen3" --width acm
refuses "a column in the terminal" "--term takes columns" plot "$zen3" --term --width ieee
start env CARMINE_WIDTH=acm "$carmine" show "$zen3"
expect "a default for pictures is none for tables" status 0 err-lines 0

# A picture with points, and its caption: it has the ridge points, which would cross names, and the numbers of those
# points alone whose names have no room.
printf 'name,seconds,flop,core_bytes,threads\nlow,1,2e9,1e10,2\nhigh,1,8e10,2e9,2\n' >points.csv
cp "$zen3" points.json
chmod u+w points.json
run import csv points.csv -o points.json
expect "two points" status 0
run plot points.json -o points.svg --style paper --width ieee
expect "have their names" status 0 true 'grep -q ">low" points.svg' true 'grep -q ">high" points.svg' true 'grep -qx "Points: low ▲, .*; high ▲, .*" points.caption.txt'
expect "no ridge crosses them" true 'grep -q "^Ridge points: L1 0.17; .*DRAM 1.7 flop/B$" points.caption.txt' \
    true '! grep -q ">0.17</text>" points.svg'
expect "its signs are explained" true 'grep -qx "▲ marks what a warning is about." points.caption.txt'
i=0
echo "name,seconds,flop,core_bytes,threads" >crowd.csv
for place in 1e9,4e9 1.05e9,4e9 1.1e9,4.1e9 1.02e9,4.2e9 1.04e9,4.4e9 1.14e9,4.4e9 1.14e9,4.7e9; do
    i=$((i + 1))
    echo "a rather long name $i,1,$place,2" >>crowd.csv
done
cp "$zen3" crowd.json
chmod u+w crowd.json
run import csv crowd.csv -o crowd.json
run plot crowd.json -o crowd.svg --style paper
expect "names without room are numbers" status 0 true 'grep -q ">7</text>" crowd.svg' true '! grep -q "rather long name [0-9]*</text>" crowd.svg' \
    true 'grep -q "^Points: 1 a rather long name 1 .*; 7 a rather long name 7 " crowd.caption.txt'
run plot "$zen3" -o screen.svg
expect "other styles have ridge points" status 0 true 'grep -q ">0.17</text>" screen.svg'
end_of_cases
