#!/bin/sh
# The output of each command in terminals of 80, 120 and 200 columns, and of 80 columns in colours, compared with
# tests/golden/, and those of each stored result in 80 columns: a change of output shows in a diff. GOLDEN=write (`make golden`) rewrites these files; review
# them then. All output comes from files; none depends on the host.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/terminal.sh"
has_terminal || { skip "answers in a terminal" "there is no script(1)"; end_of_cases; exit; }
golden=$tests/golden
escape=$(printf '\033')
unset NO_COLOR COLORTERM COLUMNS LC_CTYPE LANG MANPAGER
export PAGER=cat LC_ALL=C.UTF-8 TERM=xterm-256color PATH="$BUILD:$PATH"

# The files that the command lines name.
cp "$tests"/imports/* "$tests/topologies/server.xml" "$tests/topologies/hybrid.xml" .
cp "$tests/../results/granite-rapids-1-core-vm.json" before.json
cp "$tests/../results/granite-rapids-2-cores-vm.json" after.json
cp "$tests/../results/zen3-2-cores-vm.json" other.json
cp "$tests/../specs/xeon-6980p.json" vendor.json
cp "$golden/files/levels.json" "$golden/files/loops.json" .
cp after.json points.json
run import csv "$golden/files/points.csv" --threads 2 -o points.json
expect "points to show" status 0
mkdir nodes && "$BUILD/tests/helpers/fleet" after.json 60 nodes 1 >planted

# Adds the output in one terminal to the file now, below a title line. No line may be wider than the terminal. A narrow
# terminal must show the same words as a wide one, so no word is cut.
section() { # TITLE COLUMNS COMMAND
    in_terminal "$2" 24 "$3"
    printf '── %s: %s ──\n' "$1" "$3" >>now
    sed "s/$escape/␛/g" out >>now
    sed "s/$escape\[[0-9;]*m//g" out >plain
    widest=$(wc -L <plain)
    [ "$widest" -le "$2" ] || problem="$problem; a line of $widest in $2 columns"
}
words() { tr -s ' ' '\n' | LC_ALL=C sort -u; }

# golden NAME MOST-LINES COMMAND: MOST-LINES at 80 columns; 0: any
golden() {
    name=$1 most=$2 problem=
    shift 2
    : >now
    section "200 columns" 200 "$*"
    words <plain >all-words
    section "120 columns" 120 "$*"
    section "80 columns in colours" 80 "$*"
    sed -i "s/^── 80 columns in/── 80 columns, in/" now
    NO_COLOR=1 && export NO_COLOR
    section "80 columns" 80 "$*"
    unset NO_COLOR
    lines=$(wc -l <plain)
    [ "$most" = 0 ] || [ "$lines" -le "$most" ] || problem="$problem; $lines lines at 80 columns"
    cut=$(words <plain | LC_ALL=C comm -23 - all-words | grep -v '^…$' | xargs echo)
    [ -z "$cut" ] || problem="$problem; only at 80 columns: $cut"
    compare_now
}

# Compares the file now with the golden one of this name.
compare_now() {
    [ "$GOLDEN" != write ] || cp now "$golden/$name.txt"
    cmp -s now "$golden/$name.txt" || problem="$problem; not what tests/golden/$name.txt holds"
    if [ -z "$problem" ]; then
        echo "ok $name"
    else
        echo "not ok $name: ${problem#; }"
        diff "$golden/$name.txt" now | head -n 20 | sed 's/^/    /'
    fi
}

golden show 24 carmine show after.json
golden show-doubtful 24 carmine show other.json
golden show-points 24 carmine show points.json
golden show-levels 24 carmine show levels.json
golden show-loops 24 carmine show loops.json
golden show-all 0 carmine show loops.json --all
golden compare 24 carmine compare before.json after.json
golden compare-machines 24 carmine compare after.json other.json
golden compare-many 24 carmine compare nodes/node000*.json
golden compare-cores 24 carmine compare after.json
golden why 24 carmine why after.json other.json
golden why-roof 24 carmine why after.json other.json DRAM
golden check 24 carmine check other.json --baseline after.json
golden check-pass 24 carmine check after.json --baseline after.json
golden spec 24 carmine spec after.json
golden spec-vendor 24 carmine spec after.json --spec vendor.json
golden fleet 24 carmine fleet nodes
golden machine 24 carmine machine --topology server.xml
golden machine-hybrid 24 carmine machine --topology hybrid.xml
golden import-points 24 carmine import csv plain.csv --machine node7
golden import-roofs 24 carmine import stream stream.txt --machine node7
golden kernels 0 carmine kernels "'avx2.f64.*add'"
if "$carmine" workload | grep -q '^▲'; then
    skip workloads "a library is missing"
else
    golden workloads 0 carmine workload
fi
golden help 0 carmine --help
golden refusals 24 "carmine shwo x; carmine show missing.json; carmine run --isa vax; true"

# The texts of each chart, which are beside a picture in the style of papers, or the reason why there is none.
captions() { # FILE CHART…
    file=$1
    shift
    for chart; do
        printf '── %s of %s ──\n' "$chart" "$file"
        rm -f chart.caption.txt
        "$carmine" plot "$file" -q --chart "$chart" --style paper -o chart.svg 2>&1 && cat chart.caption.txt
    done
}
name=captions problem=
{
    # shellcheck disable=SC2046
    captions after.json $("$carmine" plot after.json --chart none 2>&1 | sed 's/.*known: //; s/,//g')
    captions other.json roofline core
    captions levels.json roofline levels instructions time
    captions loops.json roofline loops
} >now
compare_now

# The first screen of each command for each stored result.
first_screens() { # FILE
    for command in "show $1" "spec $1" "compare after.json $1" "why after.json $1" "check $1 --baseline after.json" "fleet $1" "plot $1" \
        "plot $1 --chart latency" "plot $1 --chart core"; do
        printf '── carmine %s ──\n' "$command"
        # shellcheck disable=SC2086
        COLUMNS=80 "$carmine" $command 2>&1
    done
}
for file in "$tests"/../results/*.json; do
    name=results/$(basename "$file" .json) problem=
    cp "$file" result.json
    first_screens result.json >now
    compare_now
done
# The rest asks the same code again and again, in which sanitizers find nothing new.
! grep -q __asan_init "$BUILD/carmine" || { end_of_cases; exit; }

# Something of everything that a file may have; a log of a soak; a memory and a core.
cp "$tests/fuzz/seeds/result.json" mixed.json
cp "$tests/fuzz/seeds/soak.jsonl" .
sed "1r $golden/files/memory.txt" after.json >memory.json
cp "$golden/files/code.json" .

# The words and numbers of each chart in a terminal, each with its number.
texts() { grep -o '[[:alnum:]][[:alnum:]%.,:;()/×·–-]*' | LC_ALL=C sort | uniq -c | awk '{ printf "%s%s%s", $2, ($1 > 1 ? "×" $1 : ""), (NR % 16 ? " " : "\n") } END { print "" }'; }
name=charts problem=
for file in after.json other.json levels.json loops.json mixed.json memory.json; do
    for chart in $("$carmine" plot after.json --chart none 2>&1 | sed 's/.*known: //; s/,//g'); do
        COLUMNS=160 "$carmine" plot "$file" -q --chart "$chart" >whole 2>/dev/null || continue
        printf '── %s of %s: %s ──\n' "$chart" "$file" "$(cksum <whole)"
        texts <whole
    done
done >now
compare_now

# points.json was made just now.
undated() { sed 's/[0-9-]\{10\}T[0-9:]\{8\}Z/DATE/g'; }

# All rows of each table: its first lines, and a sum of the whole.
name=tables problem=
: >now
"$carmine" --schema | sed 's/^/--schema /' >schemas
while read -r command; do
    # shellcheck disable=SC2086
    COLUMNS=160 "$carmine" $command 2>&1 | undated >whole
    printf '── carmine %s: %s ──\n' "$command" "$(cksum <whole)" >>now
    head -n 24 whole >>now
done <<EOF
$(cat schemas)
show after.json --all
show other.json --all
show levels.json --csv --table points
show loops.json --csv --table points
show other.json --csv --table core
show after.json --csv
show after.json --json
show loops.json --json
show after.json --format flat
show after.json --format prometheus
show points.json --latex --all
compare before.json after.json other.json --all
compare before.json after.json --csv
compare after.json other.json --json
compare after.json other.json --markdown --per cycle --threads 1
why after.json other.json --json
why after.json other.json DRAM --csv
check other.json --baseline after.json --all
check other.json --baseline after.json --json
check other.json --baseline after.json --csv
show code.json --annotate
show code.json --annotate=dgemm:8
show code.json --json
show mixed.json --all
show mixed.json --csv --table points
show memory.json --all
show memory.json --csv --table memory
show memory.json --json
show soak.jsonl
show soak.jsonl --csv
plot soak.jsonl
show soak.jsonl --json
spec after.json --all
spec after.json --spec vendor.json --all
spec after.json --spec vendor.json --json
spec --spec vendor.json --limits
fleet nodes --all
fleet nodes --all=roofs
fleet nodes --json
fleet nodes --csv
machine --topology server.xml --all
machine --topology hybrid.xml --json
import csv plain.csv --machine node7 --json
EOF
compare_now

# Each two options of a command: the sum of the answer, or what is refused.
pairs() { # COMMAND OPTION…
    command=$1
    shift
    for first; do
        shift
        for second; do
            # shellcheck disable=SC2086
            COLUMNS=120 "$carmine" $command "$first" "$second" >whole 2>whole.err
            printf '%s %s %s: %s, %s %s\n' "$command" "$first" "$second" $? "$(undated <whole | cksum)" "$(head -n 1 whole.err)"
        done
    done
}
name=pairs problem=
{
    pairs "show points.json" --all --json --csv --markdown --latex --format=flat --isa=avx2 --level=L2 --threads=1 --roof=load
    pairs "compare before.json after.json" --all --json --csv --markdown --per=cycle --threads=1 --type=f32 --baseline=2 --labels=A=x
    pairs "why after.json other.json" --all --json --csv --threads=1 --type=f32 --roof=load --labels=A=x
    pairs "check after.json --baseline other.json" --all --json --csv --per=cycle --strict --tolerance=dram=8%
    pairs "plot points.json" --per=cycle --threads=1 --type=f32 --isa=avx2 --roof=load --add=documented --point=none --xlim=1:8
} >now
compare_now

# The sum of each help, manual page and completion, and the answer to each option with a value that few have: the
# unknown option behind it ends the command before it does anything.
name=usage problem=
unreleased() { sed 's/[0-9-]\{10\}//g; s/[0-9]*\.[0-9]*\.[0-9]*//g'; }
{
    for shell in bash zsh fish; do printf 'completion %s: %s\n' $shell "$("$carmine" --completion $shell | cksum)"; done
    for command in $("$carmine" --help | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p'); do
        COLUMNS=80 "$carmine" help "$command" >whole
        printf '%s: help %s, manual %s\n' "$command" "$(cksum <whole)" "$("$carmine" --man "$command" | unreleased | cksum)"
        for option in $(sed -n 's/^  .\{4\}\(--[a-z-]*\).*/\1/p' whole); do
            "$carmine" "$command" "$option=0,x" --none 2>&1 | grep -v -e --none -e 'takes no value;'
        done
    done
} >now
compare_now

# The same answers in terminals of other widths: their sums.
name=widths problem=
for columns in 24 48 64 80 100; do
    while read -r command; do
        # shellcheck disable=SC2086
        printf '%s columns, carmine %s: %s\n' $columns "$command" "$(COLUMNS=$columns "$carmine" $command 2>&1 | undated | cksum)"
    done <<EOF
show points.json
show loops.json --all
show code.json --annotate
show memory.json --all
compare before.json after.json
compare before.json after.json other.json --all
why after.json other.json
check other.json --baseline after.json --all
spec after.json --all
fleet nodes
machine --topology server.xml
machine --topology hybrid.xml --all
plot points.json
plot points.json --chart scaling
EOF
done >now
compare_now

# What pages show, and the words of pictures of ratios: their sums.
name=pages problem=
{
    for file in code.json loops.json mixed.json memory.json; do
        "$carmine" plot $file -q -o page.html
        printf 'page of %s: %s\n' $file "$(sed -n 's/^<script type="application.json" id="data">//p' page.html | unreleased | cksum)"
    done
    while IFS=: read -r files labels; do
        rm -f ratios.svg
        # shellcheck disable=SC2086
        "$carmine" compare $files --labels "$labels" --chart ratios --plot ratios.svg >whole 2>&1
        printf 'ratios of %s, %s: %s\n' "$files" "$labels" "$(sed 's/<[^>]*>/ /g' ratios.svg | tr -s ' ' '\n' | LC_ALL=C sort -u | cksum)"
    done <<EOF
before.json after.json:A=old,B=new
before.json after.json:A=node 17 with its old firmware,B=nodewhosenamehasnoblanks v2
before.json after.json other.json:A=old,B=new,C=other
before.json after.json other.json:A=node 17 of rack 3 (old firmware),B=node 17 of rack 3 (new firmware),C=node 17 of rack 3 (no firmware)
EOF
} >now
compare_now
end_of_cases
