#!/bin/sh
# Figures for papers: widths of columns, captions, limits of axes, and other names.
. "$(dirname "$0")/../cli.sh"
zen3=$tests/../results/zen3-2-cores-vm.json

# Column widths by name. The unit is the point of PDF, 72 to an inch; TeX has 72.27.
pdf_width() { LC_ALL=C sed -n 's/.*MediaBox \[ 0 0 \([0-9]*\.[0-9][0-9]\).*/\1/p' "$1" | head -n 1; }
for row in ieee=251.05 IEEE-page=514.07 acm=240.24 acm-page=504.40 aps=245.08 aps-page=508.09 elsevier=251.05 elsevier-page=520.04 \
    lncs=345.82 article=343.71 twocolumn=228.64 twocolumn-page=467.24 twocolumn-a4=220.17 twocolumn-a4-page=450.31; do
    run plot "$zen3" -o figure.pdf --style paper --size "${row%=*}"
    expect "--size ${row%=*}" status 0 true "[ \$(pdf_width figure.pdf) = ${row#*=} ]"
done
expect "with its fonts" true 'grep -aq "/FontFile" figure.pdf' true '[ "$(grep -ac "/FontFile" figure.pdf)" = "$(grep -ac "/Type /FontDescriptor" figure.pdf)" ]'
run compare "$zen3" "$tests/../results/zen4-2-cores-vm.json" --plot both.pdf --style paper --size acm
expect "of a comparison" status 0 true '[ "$(pdf_width both.pdf)" = 240.24 ]'
refuses "a column on a page for screens" "points, not 251.059 × 167.372; style paper takes it" plot "$zen3" -o n.pdf --size ieee
refuses "a column misspelt" "not 'iee-page' (did you mean \`ieee-page\`?)" plot "$zen3" -o n.pdf --size iee-page
refuses "all columns" "or a column: ieee, ieee-page, acm," plot "$zen3" -o n.pdf --size nature
refuses "of a comparison, too" "(did you mean \`acm\`?)" compare "$zen3" "$zen3" --plot n.pdf --size acn
refuses "a column without a picture" "--size needs a picture: add --plot FILE" compare "$zen3" "$zen3" --size acm

# A picture with points, and its caption: it has the ridge points, which would cross names, and the numbers of those
# points alone whose names have no room.
printf 'name,seconds,flop,core_bytes,threads\nlow,1,2e9,1e10,2\nhigh,1,8e10,2e9,2\n' >points.csv
cp "$zen3" points.json
chmod u+w points.json
run import csv points.csv -o points.json
expect "two points" status 0
run plot points.json -o points.svg --style paper --size ieee
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
for file in "$tests"/../results/*.json; do
    cp "$file" crowd.json
    chmod u+w crowd.json
    run import csv crowd.csv -o crowd.json
    run plot crowd.json -o crowd.svg --style paper
    expect "points in one place share their numbers: ${file##*/}" status 0 true 'grep -q ">1–7</text>" crowd.svg' \
        true '! grep -q "rather long name [0-9]*</text>" crowd.svg' \
        true 'grep -q "^Points: 1 a rather long name 1 .*; 7 a rather long name 7 " crowd.caption.txt'
done
run plot "$zen3" -o screen.svg
expect "other styles have ridge points" status 0 true 'grep -q ">0.17</text>" screen.svg'

# Limits of axes. Lines lead to them, and what is outside is counted.
zen4=$tests/../results/zen4-2-cores-vm.json levels=$tests/golden/files/levels.json loops=$tests/golden/files/loops.json
run plot points.json -o wide.svg --xlim 1/1024:1024 --ylim 1M:1T
expect "wider axes" status 0 err-lines 0 true 'grep -q ">1/512</text>" wide.svg' true 'grep -q ">512</text>" wide.svg' not "outside"
run plot points.json -o narrow.svg --xlim 1: --ylim 10Gflop/s:200
expect "narrower ones" status 0 true 'grep -q "outside of the chosen limits: 3 lines" narrow.svg' \
    true 'grep -q "not drawn: low (outside of the chosen limits)" narrow.svg' true '! grep -q ">L1" narrow.svg' true 'grep -q ">high" narrow.svg'
run plot points.json -o paper.svg --style paper --xlim 1:
expect "a caption tells, too" status 0 true 'grep -qx "Warning: outside of the chosen limits: 3 lines" paper.caption.txt' true '! grep -q "^Lines:.*L1" paper.caption.txt'
run plot points.json --ylim 10:
expect "in the terminal" status 0 out "not drawn: low (outside" not "● low"
run plot "$zen3" -o sweep.svg --chart sweep --xlim 64KiB:4MiB
expect "in bytes" status 0 true 'grep -q ">64 KiB</text>" sweep.svg' true '! grep -q ">32 KiB</text>" sweep.svg'
run plot "$levels" -o levels.svg --chart levels --xlim 1/64:4096
expect "of a chart by link" status 0 true 'grep -q "outside of the chosen limits: " levels.svg' true 'grep -q ">4096</text>\|>2048</text>" levels.svg'
run compare "$zen3" "$zen4" --plot both.svg --xlim 1/2:512
expect "of a comparison" status 0 true 'grep -q "outside of the chosen limits: 6 lines" both.svg' true 'grep -q ">512</text>\|>256</text>" both.svg'
run compare "$zen3" "$zen4" --plot ratios.svg --chart ratios --xlim 0.5:1
expect "of ratios" status 0 true 'grep -q "outside of the chosen limits: [0-9]* bar" ratios.svg'
refuses "below the axis, with its unit" "own axis begins at 966 Mflop/s; name both limits" plot "$zen3" -o n.svg --ylim :1M
refuses "and one without a prefix" "own axis begins at 0.007812 flop/B; name" plot "$zen3" -o n.svg --xlim :1/1000
refuses "0 on a logarithmic axis" "logarithmic" plot "$zen3" -o n.svg --xlim 0:1
refuses "from high to low" "LOW must be below HIGH" plot "$zen3" -o n.svg --xlim 4:1
refuses "beyond the chart's own end" "axis ends at" plot "$zen3" -o n.svg --ylim 1000:
refuses "no limits" "--ylim takes LOW:HIGH" plot "$zen3" -o n.svg --ylim 5
refuses "another unit" "the axis has the unit flop/s, not 'GB/s'" plot "$zen3" -o n.svg --ylim 5GB/s:
refuses "an axis of names" "--ylim: this chart has names on that axis" plot "$loops" --chart loops -o n.svg --ylim 1:2
refuses "limits of a report" "--xlim needs a picture" plot "$zen3" -o n.html --xlim 1:2
refuses "limits without a picture" "--ylim needs a picture: add --plot FILE" compare "$zen3" "$zen4" --ylim 1:2
start env CARMINE_PLOT_YLIM=5GB/s: "$carmine" plot "$zen3" -o default.svg
run plot "$zen3" -o plain.svg
expect "a default that does not fit" status 0 true 'cmp -s default.svg plain.svg'
start env CARMINE_PLOT_YLIM=50: "$carmine" plot "$zen3" -o default.svg
expect "and one that does" status 0 true '! cmp -s default.svg plain.svg'

# Other names.
run plot points.json -o named.svg --labels low=triad,high=dgemm
expect "other names" status 0 true 'grep -q ">triad" named.svg' true 'grep -q ">dgemm" named.svg' true '! grep -q ">low\|>high" named.svg'
run plot points.json -o named.svg --labels LOW=triad --point low
expect "of chosen points" status 0 true 'grep -q ">triad" named.svg' true '! grep -q ">high" named.svg'
run plot "$levels" -o named.svg --chart levels --labels "sum in L1=sum"
expect "in every chart" status 0 true 'grep -q ">sum</text>" named.svg' true '! grep -q "sum in L1" named.svg'
run plot points.json --labels low=triad
expect "in the terminal" status 0 out "triad" not "● low"
run plot "$zen3" "$zen4" -o both.svg --labels "zen3-2-cores-vm=ours,zen 4=theirs"
expect "of machines, by file or name" status 0 true 'grep -q ">ours</text>" both.svg' true 'grep -q ">theirs</text>" both.svg' true '! grep -q "Zen [34]" both.svg'
run compare "$zen3" "$zen4" --plot both.svg --labels "Zen 3=ours"
expect "of a comparison" status 0 true 'grep -q ">ours" both.svg' out "A  ours, the base" out "B  Zen 4"
refuses "an unknown name" "nothing here is named 'lo' (did you mean \`low\`?)" plot points.json -o n.svg --labels lo=triad
refuses "no other name" "--labels takes OLD=NEW,…" plot points.json -o n.svg --labels low
refuses "an empty name" "--labels takes OLD=NEW,…" plot points.json -o n.svg --labels low=
refuses "two for one" "--labels: 'LOW' has two other names" plot points.json -o n.svg --labels low=triad,LOW=dgemm
refuses "a report's names" "--labels needs a picture" plot points.json -o n.html --labels low=triad
expect "nothing is drawn by these" no-file n.svg no-file n.html
if "$BUILD/tests/helpers/font_widths" >widths; then
    expect "the widths that SVG has without cairo are the font's" true "cmp widths '$tests/../render/draw/font_widths.inc'"
else
    skip "the widths that SVG has without cairo" "there is no DejaVu Sans here"
fi
end_of_cases
