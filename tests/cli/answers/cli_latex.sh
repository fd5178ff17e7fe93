#!/bin/sh
# A page of two columns with a figure, its caption and all tables compiles without a warning, whatever names hold.
. "$(dirname "$0")/../cli.sh"
zen3=$tests/../results/zen3-2-cores-vm.json zen4=$tests/../results/zen4-2-cores-vm.json

# The page of docs/pictures.md, with our files.
sed -n '/^```tex$/,/^```$/p' "$tests/../docs/pictures.md" | sed '/^```/d' >page.tex
expect "docs/pictures.md has a page" true '[ "$(wc -l <page.tex)" -ge 15 ]' true 'grep -q "columnwidth\|includegraphics" page.tex'

# Each sign that has a meaning in TeX, and those of our texts.
odd='50 % & $1_a #2 {b} ~c ^d \e <f> |g|' other='[h] *i --j "k" é ≤ ± µ ² ▲ …'
cp "$zen3" points.json
chmod u+w points.json
printf 'name,seconds,flop,core_bytes,threads\n"%s",1,2e9,1e10,2\n"%s",1,8e10,2e9,2\n' "$odd" "$(printf %s "$other" | sed 's/"/""/g')" >points.csv
run import csv points.csv -o points.json
expect "points with all signs" status 0
run plot points.json -o roofline.pdf --style paper --size twocolumn
expect "a figure" status 0 file roofline.pdf file roofline.caption.tex
run show points.json --latex
cp out roofs.tex
expect "a table of roofs" status 0 true 'grep -q tabular roofs.tex'
run compare "$zen3" "$zen4" --latex --labels "A=A 50 % #_{1}"
cp out machines.tex
expect "a table of machines, without their folders" status 0 true 'grep -q tabular machines.tex' true '! grep -q "results/" machines.tex'
work_of= && grep -q zydis "$BUILD/absent" && work_of="--flop 1e9 --bytes 1e9"
# shellcheck disable=SC2086
run app --latex --repeat 1 $work_of -- sh -c 'echo "its own output"'
cp out program.tex
expect "a table of a program, without its output" status 0 true 'grep -q tabular program.tex' true '! grep -q "its own output" program.tex' err "its own output"

# compile: page.log has what TeX says.
if ! command -v pdflatex >/dev/null || ! kpsewhich booktabs.sty >/dev/null || ! kpsewhich graphicx.sty >/dev/null; then
    skip "a page in LaTeX" "there is no pdflatex with booktabs and graphicx"
    end_of_cases
    exit
fi
for pass in 1 2; do # the second knows the labels
    start env TEXMFVAR="$work/texmf" max_print_line=1000 pdflatex -interaction=nonstopmode -halt-on-error page.tex
done
expect "a page in LaTeX" status 0 file page.pdf true '! grep -a "^!" page.log'
expect "without warnings" true '! grep -aE "Overfull|LaTeX Warning|Missing" page.log'
expect "the caption refers to the table" true 'grep -q "newlabel{tab:roofs}" page.aux' true 'grep -q "ref{.carminetable}" roofline.caption.tex'
expect "the figure is as wide as the column" true 'grep -aq "^<roofline.pdf, id=[0-9]*, 229\.[45][0-9]*pt x " page.log' true 'grep -aq "^columnwidth 229.5pt$" page.log'
expect "all of its files are there" true '[ "$(grep -aoE "\((\./)?(roofs|machines|program|roofline.caption)\.tex" page.log | sort -u | wc -l)" = 4 ]'
sed 's/twocolumn/a4paper,twocolumn/' page.tex >narrow.tex
start env TEXMFVAR="$work/texmf" pdflatex -interaction=nonstopmode -halt-on-error narrow.tex
expect "in a narrower column it sticks out" status 0 true 'grep -aq "Overfull" narrow.log'
end_of_cases
