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
end_of_cases
