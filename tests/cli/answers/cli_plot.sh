#!/bin/sh
# Pictures from result files.
. "$(dirname "$0")/../cli.sh"
measure_sample
run sweep --isa $isa --mix load --per-octave 1 --quick -o sweep.json
expect "a sweep to draw" status 0

# begins FILE BYTES-AS-TEXT
begins() { [ "$(head -c ${#2} "$1" | tr -d '\000')" = "$2" ]; }
for format in svg pdf eps png; do
    run plot sample.json -o "p.$format"
    expect "roofline as $format" status 0 file "p.$format" lines 0 err-lines 0
done
expect "its letters are text, and it is small" true "grep -q '<text ' p.svg" true "grep -q 'role=.img.' p.svg" true "grep -q '<title>' p.svg" \
    true "[ \$(wc -c <p.svg) -lt 60000 ]"
expect "it is SVG" true 'grep -q "<svg" p.svg' true 'tail -c 20 p.svg | grep -q "</svg>"'
expect "it is PDF" true 'begins p.pdf %PDF-' true 'tail -c 20 p.pdf | grep -q %%EOF'
expect "it is EPS" true 'begins p.eps "%!PS-Adobe-3.0 EPSF"' true "grep -q '^%%BoundingBox: 0 0 960 640' p.eps"
expect "it is PNG" true 'head -c 4 p.png | grep -q PNG'
run plot sample.json -o big.png --size 1200x800
expect "--size" status 0 true "! cmp -s big.png p.png"
for options in "--threads 1" "--type f64" "--isa $isa" "--roof load" "--chart roofline"; do
    # shellcheck disable=SC2086
    run plot sample.json -o o.svg $options
    expect "plot $options" status 0 file o.svg
done
run plot --help
tr -s '\n ' ' ' <out >help # of one line
run plot sample.json --chart nosuch -o n.svg
expect "an unknown chart" status 2 err "known: roofline, "
for chart in $(sed 's/.*known: //; s/,//g' err); do
    expect "the help names the chart $chart" status 2 true "grep -q -e '--chart CHART.* $chart\\( \\|,\\|;\\|\$\\)' help"
done
run plot sweep.json --chart sweep -o s.svg
expect "a sweep" status 0 file s.svg

# Applications with stated quantities: the CPU need not be able to count.
refuses "applications of a file without any" "holds no applications" plot sample.json -o n.svg --point work
cp sample.json points.json
for name in work other; do
    run app -o points.json --name $name --repeat 1 --flop 1e6 --bytes 1e7 -- true
    expect "a point to draw" status 0
done
run plot points.json -o points.svg
expect "applications are drawn" status 0 file points.svg true '! cmp -s points.svg p.svg'
run plot points.json -o without.svg --point none
expect "--no-points" status 0 true 'cmp -s without.svg p.svg'
run plot points.json -o one.svg --point work
expect "--point" status 0 true '! cmp -s one.svg points.svg' true '! cmp -s one.svg p.svg'
run plot points.json -o both.svg --point other,work
expect "--point takes several" status 0 true 'cmp -s both.svg points.svg'
run plot points.json -o dram.svg --add dram
expect "--dram names what it does not know" status 0 true '! cmp -s dram.svg points.svg'
run plot points.json -o some.svg --point nix,work
expect "one of two that is not there" status 0 err "no point 'nix': drawn without it" true 'cmp -s some.svg one.svg'
refuses "one of two that is misspelt" "did you mean \`work\`" plot points.json -o n.svg --point wrok,other
refuses "an application that is not there" "known: work, other" plot points.json -o n.svg --point nix
refuses "the original roofline needs a memory's roof" "holds no bandwidth of a memory" plot points.json -o n.svg --chart dram

# Per cycle, and options that select the data of a chart.
run plot sample.json -o cycle.svg --per cycle
expect "--per cycle" status 0 err-lines 0 true '! cmp -s cycle.svg p.svg'
run plot sample.json -o old.svg --per-cycle
expect "--per-cycle, as it was called once" status 0 err-lines 1 err "old spelling of --per cycle" true 'cmp old.svg cycle.svg'
refuses "an ISA that there is not" "(did you mean \`avx512\`?); known: x87" plot sample.json -o n.svg --isa avx521
refuses "an ISA that is not in the file" "of avx512" plot sample.json -o n.svg --isa avx512
refuses "--per core" "known: cycle" plot sample.json -o n.svg --per core
machines=$(dirname "$tests")/results
for threads in "" 1 2 all; do
    run plot "$machines/granite-rapids-2-cores-vm.json" -o "threads$threads.svg" ${threads:+--threads $threads} --point none
done
expect "--threads all: of all cores" status 0 true 'cmp threadsall.svg threads2.svg' true '! cmp -s threadsall.svg threads1.svg'
run plot "$machines/granite-rapids-2-cores-vm.json" -o both.svg --threads 1,all
expect "one core and all in one picture" status 0 err-lines 0 true "grep -q '1 and 2 cores' both.svg" true "grep -q 'L1, 1 thread' both.svg" \
    true "grep -q '>1 thread<' both.svg" true "grep -q '>2 threads<' both.svg"
for threads in 2,1 all,1,2 1,1,2; do
    run plot "$machines/granite-rapids-2-cores-vm.json" -o again.svg --threads $threads
    expect "the order and what is named twice do not matter: $threads" status 0 true 'cmp again.svg both.svg'
done
run plot "$machines/granite-rapids-1-core-vm.json" -o once.svg --threads 1,all
expect "a machine of one core" status 0 true "! grep -q '1 and' once.svg"
run plot "$machines/granite-rapids-2-cores-vm.json" -o documented.svg --threads 1,all --add documented
expect "with what is documented of both" status 0 true "grep -q 'documented, 1 thread' documented.svg" true "grep -q 'L1 documented' documented.svg"
run plot "$machines/granite-rapids-2-cores-vm.json" -o deviation.svg --add deviation
expect "how far repetitions lie apart" status 0 err-lines 0 true "grep -q 'bars on roofs' deviation.svg" true "grep -q 'of [0-9]* repetitions' deviation.svg"
for way in "-o deviation.html" ""; do
    refuses "where no bars are drawn: $way" "only pictures show bars" plot "$machines/granite-rapids-2-cores-vm.json" --add deviation $way
done
refuses "of several results" "needs a picture of one result" plot "$machines"/granite*.json --add deviation -o several.svg
run plot "$machines/granite-rapids-2-cores-vm.json" -o dram.svg --threads 1,all --chart dram
expect "over DRAM bytes" status 0 true "grep -q 'DRAM, 1 thread' dram.svg"
run plot "$machines/granite-rapids-2-cores-vm.json" --threads 1,all
expect "in the terminal" status 0 out "1 and 2 cores" out "2 threads" out "DRAM, 1 thread"
refuses "more numbers than can be followed" "at most 3" plot sample.json -o n.svg --threads 1,2,3,4
refuses "numbers of threads in a report" "readers choose in the report" plot sample.json -o n.html --threads 1,all
refuses "numbers of threads in another chart" "name one" plot sweep.json -o n.svg --threads 1,all --chart sweep
refuses "numbers of threads of a node" "name one" plot sample.json -o n.svg --threads 1,all --place node0
refuses "numbers of threads of two results" "of one result, and 2 are named" plot sample.json points.json -o n.svg --threads 1,all
refuses "one of them is not there" "of 77 threads" plot sample.json -o n.svg --threads 1,77
for chart in read write; do
    run plot points.json -o "$chart.svg" --chart $chart --of core
    expect "the roofline by $chart" status 0 true "grep -q '<svg' $chart.svg"
done
refuses "a choice that the chart does not have" "known: core, dram" plot points.json -o n.svg --chart read --of time
refuses "a choice for a chart without any" "--of is not for the chart roofline" plot points.json -o n.svg --of core
for gone in "join-sizes none:--add unjoined" "ceilings all:--add ceilings" "node 0:--place node0" "package 1:--place package"; do
    # shellcheck disable=SC2086
    refuses "what is gone: --${gone%%:*}" "${gone#*:}" plot points.json -o n.svg --${gone%%:*}
done

# Series: points of `app` with sizes written into the file.
sed 's/"program": *"work",/&"series":"daxpy cold 1 thread","size":1000,"working_set_bytes":16000,"analytic_flop":1e6,/
     s/"program": *"other",/&"series":"daxpy cold 1 thread","size":2000,"working_set_bytes":32000,"analytic_flop":1e6,/' \
    points.json >series.json
for chart in performance intensity ratio distribution; do
    refuses "no series for $chart" "holds no series" plot points.json -o n.svg --chart $chart
    run plot series.json -o "$chart.svg" --chart $chart
    expect "a chart by size: $chart" status 0 true "grep -q '<svg' $chart.svg"
done
expect "they differ" true '! cmp -s performance.svg intensity.svg' true '! cmp -s performance.svg distribution.svg'
run plot series.json -o joined.svg
expect "a series in the roofline" status 0 true '! cmp -s joined.svg points.svg'
run plot series.json -o size.svg --chart performance --add working-set --point "daxpy cold 1 thread"
expect "by working set, a series by its name" status 0 true '! cmp -s size.svg performance.svg'
run plot series.json -o pseudo.svg --add pseudo-flop,unjoined
expect "--pseudo-flop" status 0 file pseudo.svg
for of in time performance spread; do
    run plot series.json -o "d-$of.svg" --chart distribution --of $of
    expect "a distribution of $of" status 0 file "d-$of.svg"
done

refuses "a chart that is not there" "unknown chart 'foo'" plot sample.json -o n.svg --chart foo
refuses "no sweep in the file" "holds no" plot sample.json -o n.svg --chart sweep
refuses "no latency in the file" "holds no" plot sample.json -o n.svg --chart latency
refuses "no roofline in the file" "holds no" plot sweep.json -o n.svg
refuses "a roof that is not there" "holds no" plot sample.json -o n.svg --roof update
refuses "medians of a sweep that is not there" "holds no sweep with that many threads" plot "$machines/granite-rapids-2-cores-vm.json" -o n.svg --roof median --threads 2
run plot "$machines/granite-rapids-2-cores-vm.json" -o median.svg --roof median --threads 1
expect "medians over sizes" status 0 true 'grep -q "L2  *MEDIAN\|L2.*MEDIAN" median.svg' true 'grep -q "median over its sizes" median.svg'
refuses "a type that is not there" "holds no" plot sample.json -o n.svg --type f32
refuses "an ISA that is not there" "holds no" plot sample.json -o n.svg --isa avx512
refuses "threads that are not there" "holds no" plot sample.json -o n.svg --threads 77
refuses "an unknown type" "unknown type 'f8'" plot sample.json -o n.svg --type f8
for value in 0 -1 abc 1.5 1e30; do
    refuses "--threads $value" "--threads" plot sample.json -o n.svg --threads $value
done
refuses "a node without roofs" "that part of the machine" plot sample.json -o n.svg --place node0
refuses "a package without roofs" "that part of the machine" plot sample.json -o n.svg --place package1
run plot sample.json -o whole.svg
for place in node0 package1; do
    start env CARMINE_PLOT_PLACE=$place "$carmine" plot sample.json -o placed.svg
    expect "a default --place $place that the result has not" status 0 err-lines 0 true 'cmp -s placed.svg whole.svg'
done
start env CARMINE_PLOT_PLACE=node0 "$carmine" plot sample.json points.json -o placed.svg
expect "a default --place beside two results" status 0 file placed.svg
for value in 0 node package-1 node1e3 node0x "node 0" ""; do
    refuses "--place '$value'" "--place takes a part of the machine, such as node0" plot sample.json -o n.svg --place "$value"
done
for value in foo 960 960x 0x0 1x1 960x640x2 nanxnan 99999x99999 -960x640 8cm 8cmx 8cmx6km; do
    refuses "--size $value" "size" plot sample.json -o n.svg --size "$value"
done

# Appearance: styles, widths with units, titles, notes.
png_size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4 "x" $5 * 16777216 + $6 * 65536 + $7 * 256 + $8 }'; }
for row in screen=1920x1280 paper=1004x753 slide=1920x1080 dark=1920x1280; do
    run plot sample.json -o "${row%=*}.png" --style "${row%=*}"
    expect "--style ${row%=*}" status 0 err-lines 0 true "[ \$(png_size ${row%=*}.png) = ${row#*=} ]"
done
expect "screen is what there was, dark is another" true "cmp -s screen.png p.png" true "! cmp -s dark.png screen.png"
for row in 1200px=1200x800 640pt=1280x853 20cm=1134x756 200mm=1134x756 8in=1152x768; do
    run plot sample.json -o wide.png --size "${row%=*}"
    expect "--size ${row%=*}" status 0 true "[ \$(png_size wide.png) = ${row#*=} ]"
done
run plot sample.json -o paper.svg --style paper
expect "a caption beside a paper's picture" status 0 lines 0 true 'grep -q "^Lines: .*L1.*B/s" paper.caption.txt' true 'grep -q "^Ridge points: L1 [0-9.]*.* flop/B$" paper.caption.txt' \
    true '[ "$(head -n 1 paper.caption.txt | wc -c)" -gt 20 ]' true 'grep -q "<title>" paper.svg' \
    true '! grep -qF ">$(sed -n "s/.*<title>\(.*\)<.title>.*/\1/p" paper.svg)</text>" paper.svg'
run plot sample.json -o titled.svg --style paper --title "Our title"
expect "a title of its own" status 0 true 'grep -q "Our title</text>" titled.svg'
run plot sample.json -o screen.svg
expect "and for LaTeX" true 'grep -q "^Lines: .*L1.*B/s .*cdot" paper.caption.tex' true '! LC_ALL=C grep -q "[^ -~]" paper.caption.tex' \
    true 'grep -qx "% (Caption by carmine plot)" paper.caption.tex'
run plot sweep.json --chart sweep -o curves.svg --style paper
expect "a caption without details" status 0 true '! grep -q "^Details" curves.caption.txt' true '! grep -q endinput curves.caption.tex' \
    true 'grep -q carminetable curves.caption.tex && grep -q endinput paper.caption.tex'
expect "no caption of other styles" status 0 true '[ ! -e screen.caption.txt ]'
echo "my own words" >own.caption.txt
refuses "somebody's own text where the caption belongs" "own.caption.txt would be overwritten" plot "$tests/../results/zen5-2-cores-vm.json" --style paper -o own.svg
expect "which stays" no-file own.svg true 'grep -qx "my own words" own.caption.txt'
run plot "$tests/../results/zen5-2-cores-vm.json" --style paper -o paper.svg
expect "its own caption is replaced" status 0 lines 0
run plot sample.json -o sized.png --style paper --size 8cmx6cm
expect "--size with units" status 0 true "[ \$(png_size sized.png) = 945x709 ]"
refuses "a style that is not there" "known: screen, paper, slide, dark" plot sample.json -o n.svg --style poster
refuses "a picture's width without a unit" "8.5cm, 85mm, 3.3in" plot sample.json -o n.svg --size 120
refuses "a size in the terminal" "--size needs a picture" plot sample.json --size 8.5cm
refuses "a width that nothing fits on" "points" plot sample.json -o n.svg --size 1cm
refuses "a style in the terminal" "--style needs a picture" plot sample.json --style dark
refuses "a style of a report" "--style needs a picture" plot sample.json -o n.html --style dark
refuses "a word of styles that is not there" "known: screen, paper, slide, dark, notes, no-notes, font=NAME" plot sample.json -o n.svg --style paper,few
for both in "paper slide" "notes no-notes"; do
    refuses "contradicting words of --style: $both" "${both% *} and ${both#* } exclude each other" plot sample.json -o n.svg --style "${both% *},${both#* }"
done
refuses "two fonts" "Serif and Sans exclude each other" plot sample.json -o n.svg --style font=Serif,font=Sans
refuses "--add joined,unjoined" "joined and unjoined exclude each other" plot sample.json -o n.svg --add joined,dram,unjoined
run plot "$tests/../results/zen5-2-cores-vm.json" -o unnoted.svg --style paper
run plot "$tests/../results/zen5-2-cores-vm.json" -o noted.svg --style notes,paper
expect "notes of a paper" status 0 file noted.svg true '! cmp -s noted.svg unnoted.svg'
mv noted.svg first.svg
run plot "$tests/../results/zen5-2-cores-vm.json" -o noted.svg --style paper,notes
expect "in any order" status 0 file noted.svg true 'cmp -s noted.svg first.svg'
run plot sample.json -o titled.svg --title "A name of mine"
expect "--title" status 0 true '! cmp -s titled.svg p.svg' true "grep -q '<title>A name of mine</title>' titled.svg"
run plot sample.json -o font.svg --style "font=No Such Font"
expect "a font" status 0 err "the font 'No Such Font' is missing here: text is drawn in " true "grep -q \"font-family=.'No Such Font', DejaVu Sans, \" font.svg"
mkdir -p defaults/carmine && echo "plot.style = font='No Such Font'" >defaults/carmine/config
start env XDG_CONFIG_HOME="$work/defaults" "$carmine" plot sample.json -o quoted.svg
expect "a quoted font in the file of defaults" status 0 true "cmp -s quoted.svg font.svg"
for font in "" "A;B" "it's" "'" "''" "'A"; do
    refuses "the font '$font'" "--style font=NAME takes the name of one family" plot sample.json -o n.svg --style "font=$font"
done
# Machines whose only font is another one, or that have none.
mkdir one-font no-font
other=$(find /usr/share/fonts -name 'DejaVuSerif.ttf' 2>/dev/null | head -n 1)
[ -z "$other" ] || cp "$other" one-font
for folder in one-font no-font; do
    echo "<fontconfig><dir>$work/$folder</dir><cachedir>$work/font-cache</cachedir></fontconfig>" >$folder.conf
done
if [ -n "$other" ]; then
    start env FONTCONFIG_FILE="$work/one-font.conf" "$carmine" plot sample.json -o font.png
    expect "without the usual font" status 0 err "the font 'DejaVu Sans' is missing here: text is drawn in DejaVu Serif" \
        err "fonts-dejavu-core"
else
    skip "without the usual font" "there is no DejaVu Serif"
fi
start env FONTCONFIG_FILE="$work/no-font.conf" "$carmine" plot sample.json -o font.png
expect "without any font" status 0 err "there is no font here" err "fonts-dejavu-core"
start env FONTCONFIG_FILE="$work/no-font.conf" "$carmine" plot sample.json
expect "a terminal needs none" status 0 not "font"
refuses "a font in the terminal" "--style needs a picture" plot sample.json --style font=Serif

refuses "an unknown ending" "unknown picture format" plot sample.json -o n.gif
refuses "no ending" "unknown picture format" plot sample.json -o n
refuses "a folder that is missing" "missing/n.svg" plot sample.json -o missing/n.svg
refuses "a file that is missing" "no.json: cannot open" plot no.json -o n.svg
expect "no picture is left of all that" no-file n.svg no-file n no-file n.gif
cp p.svg before.svg
refuses "a failure" "holds no" plot sample.json -o p.svg --type f32
expect "leaves the old picture" true "cmp -s p.svg before.svg"
if [ -c /dev/full ] && [ -w /dev/full ]; then
    ln -s /dev/full full.svg
    refuses "a full disk" "No space left" plot sample.json -o full.svg
fi

# The committed results in results/, without those that the user has measured.
found=
for file in $(git -C "$tests/.." ls-files 'results/*.json' 2>/dev/null); do
    found=yes
    file=$tests/../$file
    name=$(basename "$file" .json)
    run show "$file"
    expect "kept result $name" status 0 err-lines 0
    run plot "$file" -o kept.svg
    expect "its roofline" status 0 true 'grep -q "<svg" kept.svg'
    # The screen's last column of numbers, of L1 outwards: "0.78–1.06 TB/s", "92.8 GB/s ±16 %", "360 GB/s".
    COLUMNS=120 run show "$file"
    grep -E "^(L[1-4]|DRAM) " out | grep -oE "[0-9.–]+ [GT]B/s( ±[0-9]+ %)?" >all
    grep -cE "^(L[1-4]|DRAM) " out >levels
    awk -v levels="$(cat levels)" '{ line[NR] = $0 } END { each = NR / levels; for (i = each; i <= NR; i += each) print line[i] }' all >values
    expect "its picture has the numbers of the screen" true "[ -s values ]" true 'while read -r value; do grep -qF "$value" kept.svg || exit 1; done <values'
done
[ -n "$found" ] || skip "kept results" "there are none, or there is no git"
end_of_cases
