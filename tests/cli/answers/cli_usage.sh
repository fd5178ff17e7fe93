#!/bin/sh
# Help, version, and wrong command lines.
. "$(dirname "$0")/../cli.sh"

run --help
expect "help of the program" status 0 out "This machine:" out "Programs:" out "Several machines:" out "Looking closer:" out "carmine COMMAND [options]" err-lines 0
run -h
expect "help by letter" status 0 out "Looking closer:"
run --version
expect "version" status 0 out "carmine " lines 1 err-lines 0
cp out version
run -V
expect "version by letter" status 0 err-lines 0 true 'cmp out version'
run
expect "no command" status 2 not "Segmentation"
refuses "unknown command" "no command 'foo'" foo
refuses "unknown option of the program" "no command '--foo'" --foo

# Suggestions for misspelt commands, options, and names as values.
# shellcheck disable=SC2086
meant() { refuses "$1" "(did you mean \`$2\`?)" $1; }
meant rnu run
meant mach machine
meant "run --thraeds 1" --threads
meant "run --isa avx521" avx512
meant "run --type f65" f64
meant "run --level DRMA" DRAM
meant "run --mix laod" load
meant "run --roof 2ld1t" 2ld1st
meant "run --statistic medina" median
meant "kernels avx2.f64.fam" avx2.f64.fma
run kernels
expect "the kinds of kernels" status 0 out "ISA.type.operation: fma, " out "without one: load, "
meant "import steram file" stream
meant "plot file --chart matirx" matrix
meant "plot file --style papr" paper
meant "workload dgemvv" dgemv
meant "app --counters coutn -- true" count
printf 'flops,bytes\n1,2\n' >slip.csv
meant "import csv slip.csv --machine here" flop
for slip in CARMINE_QUITE=yes CARMINE_PLOT_STLYE=paper CARMINE_BUDGET=60; do
    start env "$slip" "$carmine" show "$tests/../results/zen3-2-cores-vm.json"
    expect "a misspelt variable: $slip" status 0 err-lines 1 err "${slip%=*} has no effect (did you mean" out "DRAM"
done
start env CARMINE_BUDGET=60 "$carmine" machine
expect "with the command that it lacks" err "(did you mean \`CARMINE_RUN_BUDGET\`?)"
for gone in CARMINE_WIDTH:COLUMNS=N CARMINE_PLOT_WIDTH:COLUMNS=N CARMINE_COLOR:CLICOLOR_FORCE=1 CARMINE_WORKLOAD_LLC:--levels \
    "CARMINE_TERM:without -o" CARMINE_PMU:--counters=NAME; do
    start env "${gone%:*}=100" "$carmine" show "$tests/../results/zen3-2-cores-vm.json"
    expect "a variable of a removed option: ${gone%:*}" status 0 err-lines 1 err "${gone%:*} was removed after 0.2.0; " err "${gone#*:}"
done
for columns in -3 abc ""; do
    start env COLUMNS="$columns" "$carmine" help run
    cp out help
    start env -u COLUMNS "$carmine" help run
    expect "COLUMNS=$columns is as unset" status 0 err-lines 0 true 'cmp out help'
done
start env CARMINE_HOME=/opt CARMINE_STYLE=paper CARMINE_PLOT_TITLE=x CARMINE_COLLECT_EVENTS= "$carmine" show "$tests/../results/zen3-2-cores-vm.json"
expect "other variables are not noted" status 0 err-lines 0
refuses "help of what there is not" "no command 'shwo' (did you mean \`show\`?)" help shwo
refuses "nothing was surely meant" "no command 'measure'; carmine --help" measure
refuses "an option that may be several" "--s is ambiguous: --smt, --statistic" run --s

run doctor --markdown
expect "the doctor's list in Markdown" status 0 err-lines 0 true '[ "$(wc -l <out)" -gt 10 ]' \
    true '! sed 1,2d out | grep -vE "^- (✓|·|▲) [*][*][^*]+[*][*]: "'

run doctor
first=$(sed '/^$/,$d' out | tr -s '\n ' ' ') marked=$(grep -c '^▲' out)
case $first in
nothing*) [ "$marked" = 0 ] ;;
*) [ "${first%% *}" = "$marked" ] && [ -z "$(echo "${first#*: }" | sed 's/ $//; s/, /\n/g' | while read -r each; do grep -q "^▲ $each " out || echo "$each"; done)" ] ;;
esac
agrees=$?
expect "its first line names what is marked below" status 0 true '[ $agrees = 0 ]'

commands=$("$carmine" --help | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p')
for name in run machine doctor clock kernels sweep show plot validate; do
    echo "$commands" | grep -qx "$name"
    status=$?
    expect "help lists $name" status 0
done
for command in $commands; do
    run "$command" --help
    expect "help of $command" status 0 out "carmine $command [options]" out "--help" err-lines 0 \
        true '[ "$(grep -vE "^(  carmine | +[^ ]+$)" out | LC_ALL=C.UTF-8 wc -L)" -le 80 ]'
    cp out help
    run help "$command"
    expect "help $command" status 0 err-lines 0 true 'cmp out help' out "Examples:" true '[ "$(tail -n 1 out | cut -c 1-10)" = "  carmine " ]'
    refuses "unknown option of $command" "--no-such-option" "$command" --no-such-option
    option=$(sed -n 's/^  ....--\([a-z-]*\) [^ ].*/\1/p' help | head -n 1) # all options use the same parser, so one per command is enough
    [ -z "$option" ] || refuses "$command --$option without a value" "--$option needs a value" "$command" "--$option"
done
run help plot
expect "help of plot: two screens" status 0 true '[ "$(wc -l <out)" -le 48 ]'
# Removed formats and options give one error line that names the replacement. Help and completion do not list them.
: >roofs.json
for command in "plot file -o" "plot file --output" "run --plot" "app -o roofs.json --plot"; do
    # shellcheck disable=SC2086
    refuses "what is gone: $command" "x.TeX was removed after 0.2.0; LaTeX includes PDF: carmine plot FILE" $command x.TeX
done
refuses "what is gone, behind a =" "--plot x.tex was removed after" sweep --plot=x.tex
rm roofs.json
refuses "what is gone, an option" "--simulate was removed after 0.2.0; --levels" app --simulate true
refuses "what is gone, of a workload" "--simulate was removed after 0.2.0; --levels" workload daxpy --simulate
refuses "what is gone, with a value" "--llc was removed after 0.2.0; --levels=L3=SIZE" workload daxpy --llc 2Mi
refuses "what is gone, a value" "--counters callgrind was removed after 0.2.0; --counters count" app --counters callgrind true
refuses "unknown letter" "-z" run -z
refuses "a letter without a value" "-o needs a value" run -o
refuses "a list in two parts, of which one would be lost" "--mix fma,add" run --mix fma --mix add
run run --mix fma --budget 9 --budget 8 --dry-run
expect "of anything else the last value counts" status 0
refuses "an operand too many" "unexpected argument foo" run foo
refuses "an operand missing" "missing argument" show
refuses "two operands where one is taken" "unexpected argument b" show a b
refuses "a switch with a value" "--quick" run --quick=yes

for value in 0 -1 abc 1x "" , 1,,2 1.5 99999999999999999999; do
    refuses "--threads '$value'" "" run --threads "$value"
done
for command in run sweep validate; do
    refuses "$command with more threads than cores" "at most" "$command" --threads 65000
    refuses "$command --isa foo" "unknown ISA 'foo'; known: " "$command" --isa foo
    refuses "$command --isa sse,foo" "unknown ISA 'foo'" "$command" --isa sse,foo
    refuses "$command --isa without a name" "" "$command" --isa ""
    refuses "$command --mix foo" "unknown operation 'foo'" "$command" --mix foo
    refuses "$command --statistic foo" "unknown statistic 'foo'" "$command" --isa sse --mix load --statistic foo
    refuses "$command --pages foo" "unknown kind of pages 'foo'" "$command" --isa sse --mix load --pages foo
done
refuses "run --type f8" "unknown type 'f8'" run --type f8
refuses "run --level L9" "unknown level 'L9'" run --level L9
for value in -1 0 abc nan inf 1e999 "" 5x; do
    refuses "run --budget '$value'" "--budget takes a time such as 30 (seconds), 30s, 10m, 6h or 2d" run --budget "$value"
done
for value in 0 17 abc -3; do
    refuses "sweep --per-octave '$value'" "--per-octave" sweep --per-octave "$value"
done
refuses "an operation that the ISA does not have" "" run --isa x87 --mix fma
for command in run "show file" "plot file -o x.svg"; do
    # shellcheck disable=SC2086
    refuses "--roof foo: $command" "--roof takes an access pattern" $command --roof foo
done

# Runs the examples of --help that measure nothing, with files of their names. Examples of run and sweep get --dry-run.
results=$(dirname "$tests")/results
mkdir -p examples/nodes
(
    cd examples || exit 2
    for name in my old new; do cp "$results/granite-rapids-2-cores-vm.json" $name.json; done
    for node in 1 2 3; do sed "s/\"host\": *\"[^\"]*\"/\"host\":\"n$node\"/" my.json >nodes/$node.json; done
    cp "$tests/topologies/server.xml" node.xml
    cp "$(dirname "$tests")/specs/xeon-6980p.json" vendor.json
    cp "$tests/imports/stream.txt" stream.txt
    cp "$tests/imports/likwid_mem_dp.csv" likwid.csv
    cp "$tests/imports/plain.csv" points.csv
)
for command in show spec compare check fleet plot import kernels machine run sweep; do
    "$carmine" help $command | sed -n '/^Examples:/,$s/^  carmine //p' >lines
    while read -r line; do
        case $command in
        run | sweep) line="$line --topology $tests/topologies/server.xml --isa avx2 --dry-run" ;;
        esac
        case $line in
        *--dlp* | *--prefetch* | *--resume* | *--health* | "fleet run"*) continue ;; # these measure; cli_fleet_run tests fleet run
        esac
        start sh -c "cd examples && \"\$0\" $line" "$carmine"
        [ "$status" = 1 ] && [ $command = check ] && status=0
        expect "as --help has it: $line" status 0 not "error"
    done <lines
done

# These errors are found before anything is measured or read, and printed in one line.
for command in "app -- true" "clock --for 600" "run $short" "sweep" "workload daxpy"; do
    # shellcheck disable=SC2086
    case $command in app* | workload*) on="-o roofs.json" ;; *) on= ;; esac
    [ -f roofs.json ] || cp "$(dirname "$tests")/results/granite-rapids-2-cores-vm.json" roofs.json
    # shellcheck disable=SC2086
    {
        set -- $command
        name=$1
        shift
        refuses "$name --plot x.gif" "ends in .svg, .pdf, .eps or .png" "$name" $on --plot x.gif "$@"
        refuses "$name --plot no/x.svg" "cannot write no/x.svg" "$name" $on --plot no/x.svg "$@"
    }
done
for command in "run -o x.svg $short" "validate -o x.svg" "app -o x.svg -- true" "workload daxpy -o x.PDF" "import csv x -o x.png" \
    "sweep -o x.svg --plot y.svg"; do
    # shellcheck disable=SC2086
    refuses "a result with a picture's name: $command" "name a FILE.json" $command
done
for command in run sweep validate; do
    # shellcheck disable=SC2086
    refuses "$command into a folder that is missing" "cannot write no/x.json" $command -o no/x.json
done
mkdir taken.svg
for command in run sweep; do
    refuses "$command where a folder has the picture's name" "taken.svg is a directory" $command -o taken.json
    expect "and nothing is left" no-file taken.json
done
refuses "a plan for a file that cannot be written" "cannot write no/x.json" run --dry-run -o no/x.json
refuses "run --resume into another file" "leave out -o" run --resume roofs.json -o other.json
for command in "run $short -o new.json" "sweep -o new.json" "validate -o new.json" "clock --plot new.svg" "app -o new.json -- true"; do
    # shellcheck disable=SC2086
    start prlimit --fsize=2000 "$carmine" $command
    expect "no room: $command" status 2 lines 0 err-lines 1 err "ulimit -f" true '[ -z "$(ls new* 2>/dev/null)" ]'
done

run --completion
expect "completion names the commands" status 0 out "complete -o filenames -F _carmine carmine" out "run" out "--threads"
if command -v bash >/dev/null; then
    "$carmine" --completion >completion
    start bash -c '. ./completion; COMP_WORDS=(carmine run --th); COMP_CWORD=2; _carmine; echo "${COMPREPLY[*]}"'
    expect "completion completes an option" status 0 out "--threads"
    start bash -c '. ./completion; COMP_WORDS=(carmine mach); COMP_CWORD=1; _carmine; echo "${COMPREPLY[*]}"'
    expect "completion completes a command" status 0 out "machine"
    # offers OFFERED WORDS…: completion offers OFFERED for the last word.
    printf '%s\n' '. ./completion' 'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))' _carmine 'echo "${COMPREPLY[*]}"' >complete.bash
    : >plain.txt
    : >result.json
    offers() {
        wanted=$1
        shift
        start bash complete.bash carmine "$@"
        expect "completion of $*" status 0 err-lines 0 true '[ "$(cat out)" = "$wanted" ]'
    }
    offers "screen paper slide dark notes no-notes" plot --style ""
    offers paper plot --style = pa
    offers "sse,avx sse,avx2 sse,avx512" run --isa sse,av
    offers "loop line" app --by l
    offers count app --counters co
    offers "matrix matrix-latency" plot --chart mat
    offers "cycle core" compare --per ""
    offers "elsevier elsevier-page" plot --size el
    offers "acm acm-page" compare --size ac
    offers "1,all" run --threads 1,a
    offers DRAM run --level D
    offers "warm,code-cold warm,code-warm" workload --state warm,code
    offers "slurm mpi clush pdsh" fleet run --by ""
    offers "json junit" check --format j
    offers "likwid-perfctr likwid-bench" import lik
    offers result.json show res
    offers "" plot pla
    offers plain.txt run -o pla
    offers plain.txt import csv pla
    : >planned
    chmod +x planned
    offers "./planned" app -o points.json -- ./plann
    offers planned app -- echo plann
    offers "" app -- echo --o
    start bash complete.bash carmine app -- ca
    expect "completion of a program's name" status 0 true 'tr " " "\n" <out | grep -qx cat'
    start bash complete.bash carmine import csv ""
    expect "completion of a file after its format" out plain.txt out planned not perf
    offers csv import --machine here --threads 2 cs
    offers "avx512.f64.fma avx512.f64.fmaadd" kernels avx512.f64.fm
    offers avx512.f64.fmaadd kernels --all sse.f64.fma avx512.f64.fmaa
    start bash complete.bash carmine why a.json b.json ""
    expect "completion of a roof" out "L1 L1.5 L2 L3" out f64 out DRAM not --plot not result.json
    offers "DRAM" why --threads 1 a.json --labels=x=y b.json D
    offers result.json why res
    offers "avx2,avx avx2,avx512" run --isa avx2,avx
    offers "bash zsh fish" --completion ""
    offers agents help ag
    offers "carmine.result/1 carmine.roofs/1" --schema carmine.r
else
    skip "completion in bash" "there is no bash"
fi
refuses "completion of another shell" "unknown shell 'zhs' (did you mean \`zsh\`?); known: bash, zsh, fish" --completion zhs
"$carmine" --completion zsh >_carmine
"$carmine" --completion fish >carmine.fish
: >points.json
# Prints the offered words for a command line, one per line. Stand-ins replace the functions of zsh's completion system.
cat >complete.zsh <<'END'
compdef() { : }
_describe() { print -rl -- ${${(P)2}%%:*} }
compadd() { }
_arguments() { print -rl -- ${${(M)@:#*--*}} }
_normal() { print -r -- "normal $words" }
words=("${(@)argv}") CURRENT=$#words
. ./_carmine
_carmine
END
expect "values in zsh" true 'grep -q ":STYLE,…: _values -s , value screen paper slide dark notes no-notes" _carmine' true 'grep -q ":ISA,…: _values -s , value x87 scalar" _carmine'
expect "operands in zsh" true 'grep -q "1:name:(likwid-perfctr" _carmine' true 'grep -q "[*]:name:([^)]* avx512.f64.fma " _carmine' \
    true 'grep -q "3:name:(f64 .* DRAM HBM)" _carmine' true 'grep -q "compadd -- bash zsh fish" _carmine' true 'grep -q "compadd -- carmine.result/1" _carmine'
expect "schemas in fish" true 'grep -q -e "-l schema .* carmine.roofs/1 " carmine.fish'
expect "operands in fish" true 'grep -q "from import; and __fish_is_nth_token 2. -a .likwid-perfctr" carmine.fish' \
    true 'grep -q "from kernels. -a .*avx512.f64.fma " carmine.fish' true 'grep -q "from why; and __fish_is_nth_token 4. -a .f64" carmine.fish'
expect "values in fish" true 'grep -q -e "-l style -x -a .(__fish_append , screen paper slide dark notes no-notes). -d" carmine.fish' \
    true 'grep -q -e "-l isa -x -a .(__fish_append , x87 scalar .*). -d" carmine.fish'
if command -v zsh >/dev/null; then
    start zsh -f complete.zsh carmine ""
    expect "zsh completes commands" status 0 err-lines 0 out machine out fleet
    start zsh -f complete.zsh carmine run --th
    expect "zsh completes options" status 0 err-lines 0 out "--threads[thread counts" out "(-o --output)-o[" \
        out "]:FILE|DIR:_files" not "--per["
    start zsh -f complete.zsh carmine app -o points.json -- echo po
    expect "zsh completes the program's own" status 0 err-lines 0 out "normal echo po" lines 1
else
    expect "zsh's completion is well-formed, as far as sh tells" true 'bash -n _carmine || ! command -v bash'
fi
if command -v fish >/dev/null; then
    for line in "carmine mach:machine" "carmine run --th:--threads" "carmine show poi:points.json" "carmine help fl:fleet"; do
        start fish -N -c "source carmine.fish; complete -C '${line%%:*}'"
        expect "fish completes ${line%%:*}" status 0 err-lines 0 out "${line#*:}"
    done
else
    expect "fish's completion is well-formed, as far as sh tells" true "sh -n carmine.fish" \
        true '! grep -v "^complete -c carmine \|^#" carmine.fish'
fi
for command in $commands; do
    "$carmine" help "$command" >help
    for option in $(sed -n 's/^  ....--\([a-z-]*\).*/\1/p' help) $(sed -n '/^  Output:/,/^$/p' help | grep -o -e '--[a-z]*' | cut -c 3-); do
        offered="$offered $command:$option"
    done
done
for shell in bash zsh fish; do
    lacking=
    run --completion $shell
    expect "$shell completes every option" true "[ -n '$offered' ]" true '
        for pair in $offered; do
            case '$shell' in
            bash) sed -n "s/^    ${pair%:*}) COMPREPLY//p" out | grep -qwe "--${pair#*:}" ;;
            zsh) sed -n "/^    ${pair%:*})$/,/;;$/p" out | grep -qe "--${pair#*:}\(=-\)\?\(\[\|}\)" ;;
            fish) grep -q "seen_subcommand_from ${pair%:*}.* -l ${pair#*:} " out ;;
            esac || lacking=$pair
        done
        [ -z "$lacking" ]'
done
refuses "a manual page of no command" "no command 'ruin'" --man ruin
run --man run
expect "a command's manual page" status 0 out ".TH CARMINE\\-RUN 1" out ".SH EXAMPLES" out '\-\-budget TIME' out '\-\-quiet' true "! LC_ALL=C grep -q '[^ -~]' out"
run --man
expect "man page" status 0 out ".TH CARMINE 1" out ".BR carmine\\-run (1)" true '[ "$(wc -l <out)" -le 200 ]'
for section in NAME SYNOPSIS DESCRIPTION COMMANDS "EXIT STATUS" ENVIRONMENT FILES EXAMPLES "SEE ALSO"; do
    grep -qx ".SH $section" out || echo "$section"
done >lacking
expect "man page: its sections" true '[ ! -s lacking ] || ! cat lacking'
expect "man page is plain ASCII" true "! LC_ALL=C grep -q '[^ -~]' out"
if command -v groff >/dev/null; then
    cp out carmine.1
    start groff -man -Tutf8 -ww carmine.1
    expect "man page without warnings" status 0 err-lines 0
else
    skip "man page without warnings" "there is no groff"
fi

if [ -w /dev/full ]; then
    for command in --help --version "machine" "kernels" "run --help" "run --dry-run $short" \
        "plot $tests/../results/granite-rapids-2-cores-vm.json"; do
        # shellcheck disable=SC2086
        timeout 60 "$carmine" $command >/dev/full 2>err
        status=$?
        : >out
        expect "output to a full disk: $command" status 2 err "disk full"
    done
else
    skip "output to a full disk" "there is no /dev/full"
fi
end_of_cases
