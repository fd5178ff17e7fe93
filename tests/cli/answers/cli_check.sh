#!/bin/sh
# carmine check: a stored result against variants of itself with known verdicts, JUnit XML, and folders as baselines.
. "$(dirname "$0")/../cli.sh"
. "$tests/cli/kept.sh"

# The stored result without the four samples that have warnings: this keeps the expected counts simple.
sed 's/,"doubts":\["unstable"\]//; s/,"doubts":\["others active"\]//' "$kept" >base.json
cp base.json same.json

run check same.json --baseline base.json
expect "the same passes" status 0 err-lines 0 out "PASSED: of 302 roofs 302 pass" not fail
run check base.json --baseline base.json
expect "a file against itself is noticed" status 0 err "is compared with itself"
vary '"kernel":"avx512.load".*"level":"DRAM"' 0.8 <base.json >slow.json
run check slow.json --baseline base.json --all
expect "slower memory fails" status 1 out "FAILED: of 302 roofs 2 fail, 300 pass" \
    true 'grep -Eq "^fail +DRAM avx512.load, all cores +25.3 GB/s +31.6 GB/s +-20.0 % +±10 %$" out'
for tolerance in dram=20% "DRAM avx512.load=20%" "dram=1%,avx512.load=25%" DRAM=20%,compute=0%; do
    run check slow.json --baseline base.json --tolerance "$tolerance"
    expect "--tolerance $tolerance" status 0 out "PASSED"
done
run check slow.json --baseline base.json --tolerance "DRAM avx512.load=20%,DRAM avx512.load=19%"
expect "the last of several tolerances counts" status 1
for tolerance in "" dram "dram=" dram=5 dram=-5% dram=100% dram=nan% "dram=5%," "dram=5%;l1=5%" "dram=5 %"; do
    refuses "--tolerance '$tolerance'" "--tolerance takes percentages" check slow.json --baseline base.json --tolerance "$tolerance"
done
refuses "a tolerance of nothing" "'drm' is neither a roof" check slow.json --baseline base.json --tolerance "drm=5%"
vary '"kernel":"chase".*"level":"L1"' 1.2 <base.json >latency.json
run check latency.json --baseline base.json --all
expect "of latencies less is better" status 1 out "For latencies (pointer chase) lower is better." true 'grep -Eq "^fail +L1 chase, one core .* \+20.0 % +±10 %" out'
run check base.json --baseline latency.json
expect "and so better the other way round" status 0 out "2 better, 300 pass"
sed '/"kernel":"avx512.f64.fma".*"threads":2/d' base.json >less.json
run check less.json --baseline base.json --all
expect "a missing roof is a failure with its own name" status 1 true 'grep -Eq "^missing +avx512.f64.fma, all cores +217 Gflop/s +±3 %" out' out "1 missing, 301 pass"
run check base.json --baseline less.json --all
expect "more than the baseline is none" status 0 out "1 roof of the file is not in the baseline"
sed '/"kernel":"avx512.load".*"level":"L1"/s/}/,"doubts":["unstable"]}/' slow.json >doubtful.json
run check doubtful.json --baseline base.json --tolerance dram=20% --all
expect "doubtful" status 0 out "2 doubtful, 300 pass" true 'grep -Eq "^doubtful +L1 avx512.load, one core .* unstable$" out' out "▲ unstable: "
sed '/"kernel":"avx2/b; s/"doubts":\[/&"unstable",/; t; s/\("kernel":.*\)}/\1,"doubts":["unstable"]}/' base.json >unstable.json
run check unstable.json --baseline base.json
expect "no headline could be judged: that is no pass" status 2 out "UNKNOWN: " out " of 302 roofs could be judged, and no headline roof: " not PASSED
run check unstable.json --baseline base.json --json
expect "nor in JSON" status 2 true '[ "$(json passed <out)" = false ]'
run check unstable.json --baseline base.json --format nagios
expect "Nagios: unknown" status 3 true 'grep -q "^CARMINE UNKNOWN - " out'

# A quick run measures fewer roofs than its baseline has.
sed '/"kernel":"avx2/d; /"kernel":"chase"/d; /"kernel":"sse/d; /ld1st".*"level":"L3"/d; s/"command_line": *"[^"]*"/"command_line": "carmine run --quick"/' base.json | sed "N; s/,\n\]/\n]/; P; D" >quick.json
run check quick.json --baseline base.json
expect "a quick run against a full one" status 0 out "PASSED: of " true 'grep -Eq "^Depth   [0-9]+ roofs of the baseline are not compared" out' not missing
sed '/"kernel":"amx.bf16.dot"/d' quick.json >lost.json
run check lost.json --baseline base.json
expect "a lost instruction set is missing all the same" status 1 out "2 missing"
run check doubtful.json --baseline base.json --tolerance dram=20% --strict
expect "--strict: doubtful is not good enough" status 1 out "FAILED: of 302 roofs 2 doubtful, 300 pass"
vary '"rate"' 0.8 clock <base.json >clock.json
run check clock.json --baseline base.json --per cycle
expect "per cycle" status 0 out ", per cycle and core"

# The answer fits one screen.
screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
run check slow.json --baseline base.json
expect "one screen" status 1 true screen true 'head -n 1 out | grep -q "^FAILED: of 302 roofs 2 fail, 300 pass"' out "slow.json against base.json" \
    true 'grep -Eq "^dram +40 +2 +38 +.* ±10 %$" out' true 'grep -Eq "^fail +DRAM avx512.load, all cores .* -20.0 %" out' out "Rows    all 302: --all"
run check doubtful.json --baseline base.json --tolerance dram=20%
expect "doubts are counted" status 0 true screen out "PASSED: 300 of 302 roofs could be judged: 2 doubtful, 300 pass" out "Warning 2 of the verdicts" not "▲"
vary '"rate"' 0.8 clock <base.json >slower.json
run check slower.json --baseline base.json
expect "per cycle nothing fails" status 1 true screen true 'head -n 2 out | xargs echo | grep -q " fail.*; per cycle none of them fails"'
run check slower.json --baseline base.json
expect "for its clock" status 1 true screen true 'head -n 3 out | xargs echo | grep -q "the clock is [0-9]* % lower"'

# A roof fails only if the difference exceeds the tolerance for all values in both intervals.
uncertain 0.92 1.02 <base.json >known.json
vary '"kernel":"avx512.load".*"level":"DRAM"' 0.85 <known.json >lower.json
run check lower.json --baseline known.json --all
expect "what both intervals leave open passes, and is counted" status 0 out "PASSED: of 302 roofs 302 pass" \
    true 'grep -Eq "^pass +DRAM avx512.load, all cores .* ≈-15.0 % +±10 %$" out' \
    out "≈ 2 roofs are beyond their tolerance, but within the uncertainty of the two measurements"
run check lower.json --baseline base.json
expect "against a number its own interval counts" status 1 out "FAILED: of 302 roofs 2 fail, 300 pass"
vary '"kernel":"avx512.load".*"level":"DRAM"' 0.8 <known.json >lowest.json
run check lowest.json --baseline known.json --json
expect "beyond both it fails" status 1 true '[ "$(json passed counts.fail uncertain metrics.0.uncertain <out | xargs echo)" = "false 2 0 false" ]' \
    true 'json metrics.0.low metrics.0.reference_high <out'

# Formats for continuous integration: JUnit XML and JSON.
sed '/"kernel":"avx512.f64.fma".*"threads":2/d' doubtful.json | sed 's/"host": *"[^"]*"/"host": "a<b>\&c"/' >all.json
run check all.json --baseline base.json --junit out.xml
expect "JUnit XML" status 1 file out.xml true 'grep -q "tests=\"302\" failures=\"3\" errors=\"0\" skipped=\"2\"" out.xml' \
    true 'grep -q "<failure type=\"missing\" message=\"missing: the baseline has 217 Gflop/s\"/>" out.xml' true 'grep -q "hostname=\"a&lt;b&gt;&amp;c\"" out.xml' \
    true '[ "$(grep -c "<testcase " out.xml)" = 302 ]'
if command -v xmllint >/dev/null; then
    expect "it is well-formed" true 'xmllint --noout out.xml'
elif python3 -c "import xml.dom.minidom" 2>/dev/null; then
    expect "it is well-formed" true 'python3 -c "import xml.dom.minidom as m; m.parse(\"out.xml\")"'
else
    skip "it is well-formed" "there is no XML parser here"
fi
run check same.json --baseline base.json --junit pass.xml --json
expect "and JSON beside it" status 0 file pass.xml true '[ "$(json schema passed counts.pass metrics <out | xargs echo)" = "carmine.check/2 true 302 302" ]' \
    true 'grep -q "failures=\"0\"" pass.xml'
run check all.json --baseline base.json --json
expect "JSON of failures" status 1 true '[ "$(json passed counts.fail counts.missing counts.doubtful baseline_results <out | xargs echo)" = "false 2 1 2 1" ]' \
    true '[ "$(json metrics.0.verdict metrics.0.kernel metrics.0.level metrics.0.class <out | xargs echo)" = "fail avx512.load DRAM dram" ]' \
    true '[ "$(json metrics.2.verdict metrics.2.value <out | xargs echo)" = "missing null" ]'
cp base.json kept.json
run check kept.json --baseline base.json --format json -o ./kept.json
expect "verdicts do not take the place of the result" status 2 err "would overwrite the result there" true 'cmp kept.json base.json'
run check same.json --baseline kept.json --junit kept.json
expect "nor of the baseline" status 2 err "would overwrite the result there" true 'cmp kept.json base.json'
# Formats for monitoring and acceptance tests: Nagios, Prometheus, ReFrame.
run check slow.json --baseline base.json --format nagios
expect "Nagios: critical" status 2 true '[ "$(wc -l <out)" = 1 ]' true 'grep -q "^CARMINE CRITICAL - .* 2 fail.*: DRAM avx512.load.* -20.0 %.* | .*=[0-9.e+]*;;[0-9.e+]*:;0" out'
run check same.json --baseline base.json --format nagios
expect "Nagios: fine" status 0 true 'grep -q "^CARMINE OK - " out'
run check same.json --baseline none.json --format nagios
expect "Nagios: unknown, said where it is shown" status 3 err "none.json" true '[ "$(wc -l <out)" = 1 ]' true 'grep -q "^CARMINE UNKNOWN - none.json: " out'
run check --baseline base.json --format nagios
expect "no file: unknown, not critical" status 3 true 'grep -q "^CARMINE UNKNOWN - missing argument" out'
sed "s/\"host\": *\"[^\"]*\"/\"host\": \"a|b\"/; s/avx512[.]load/it's|a=b.load/" slow.json >bars.json
sed "s/avx512[.]load/it's|a=b.load/" base.json >bars-base.json
run check bars.json --baseline bars-base.json --format nagios
expect "Nagios: nothing else is taken for performance data, or ends a label" status 2 true '[ "$(tr -cd "|" <out | wc -c)" = 1 ]' \
    out "CARMINE CRITICAL - a_b " out ": DRAM it's_a=b.load" out " 'L2 it_s_a_b.load, one core'="
mkdir -p mixed && cp base.json mixed/base.json && echo '{' >mixed/broken.json
run check slow.json --baseline mixed --format nagios
expect "critical, beside a result that cannot be read" status 2 true 'grep -q "^CARMINE CRITICAL - " out'
run check slow.json --baseline base.json --format prometheus -o carmine.prom
expect "Prometheus" status 1 true '[ ! -s out ]' file carmine.prom true 'grep -qx "carmine_check_passed 0" carmine.prom' \
    true '! grep -v "^#" carmine.prom | grep -v "^carmine_[a-z_]*\({.*}\)\{0,1\} [0-9.e+-]*$"'
if command -v promtool >/dev/null; then
    expect "promtool finds nothing wrong" true 'promtool check metrics <carmine.prom >lint 2>&1'
else
    skip "promtool finds nothing wrong" "there is no promtool here"
fi
run check slow.json --baseline base.json --format reframe
expect "ReFrame" status 1 true '[ "$(json schema passed <out | xargs echo)" = "carmine.check.reframe/1 false" ]'
# The same numbers without a baseline, and the ends of intervals.
values() { grep '^carmine_roof_[^{]*_second' "$1" | sort; }
names() { sed -n 's/^carmine_roof_[^{]*{roof="\([^"]*\)".*/\1/p' "$1" | sort -u; }
run show slow.json --format prometheus
expect "numbers for Prometheus" status 0 not carmine_check not carmine_roof_ratio \
    true 'values out >own; values carmine.prom >other; [ -s own ] && cmp own other'
run show "$tests/../results/zen3-2-cores-vm.json" --format prometheus
cp out own.prom
run show "$tests/../results/zen3-2-cores-vm.json" --format flat
expect "numbers with names" status 0 true '[ "$(json schema <out | xargs echo)" = carmine.flat/1 ]' \
    true '[ "$(grep -c ^carmine_roof_high own.prom)" = "$(grep -c "\"high\": [0-9]" out)" ] && grep -q ^carmine_roof_low own.prom' \
    true 'names own.prom >own; sed -n "s/^  \"\(.*\)\": {\$/\1/p" out | sort >other; [ -s own ] && cmp own other'
for form in json csv markdown latex all annotate; do
    refuses "numbers with names, and --$form" "--format and --$form are two forms of output: choose one" show slow.json --format flat --$form
done
mkdir -p config/carmine && echo "json = yes" >config/carmine/config
XDG_CONFIG_HOME=$work/config run show slow.json --format prometheus
expect "a form asked for goes before the default of another" status 0 out carmine_roof_
refuses "an unknown form of show" "unknown form 'nagios'; known: flat, prometheus" show slow.json --format nagios
refuses "an unknown form" "unknown form 'yaml'; known: json, csv, junit, reframe, nagios, prometheus" check same.json --baseline base.json --format yaml
refuses "two forms" "name one form" check same.json --baseline base.json --format nagios --json
refuses "a file of no form" "-o needs a form" check same.json --baseline base.json -o x
refuses "JUnit nowhere" "/no/such/folder" check same.json --baseline base.json --junit /no/such/folder/x.xml

# A folder as baseline: the medians of its results of this machine type, without the checked file itself.
mkdir nodes
i=0
for factor in 0.99 1 1.01 1 5; do
    i=$((i + 1))
    vary '"level":"DRAM"' $factor <base.json >nodes/node$i.json
done
sed 's/"core_count": *2/"core_count": 4/; s/"machine_core_count": *2/"machine_core_count": 4/' base.json >nodes/other.json
echo "{}" >nodes/stray.json
echo "a note" >nodes/README
run check nodes/node1.json --baseline nodes
expect "a folder" status 0 out "medians of 4 results" out "PASSED" err "1 of the results in nodes left out: other machine types" \
    err "1 file left out that is no result: nodes/stray.json: schema"
run check slow.json --baseline nodes
expect "a slow one against a folder" status 1 out "medians of 5 results" out "2 fail"
mkdir alone empty
cp base.json alone
refuses "a folder with the file alone" "no other result of this machine type" check alone/base.json --baseline alone
refuses "an empty folder" "the folder holds no results" check same.json --baseline empty
run check nodes/other.json --baseline base.json
expect "another machine type is told" err "base.json is from another machine type"

# check --health compares this node with its group and prints one line. A busy host gives UNKNOWN.
run check --health --baseline nodes -o health.json
expect "health" true '[ "$status" -le 2 ]' true '[ "$(wc -l <out)" = 1 ]' true 'grep -Eq "^(OK|SLOW|UNKNOWN) [^ ]+: " out'
case $(cat out) in
*"nothing was measured"*) skip "its result is kept" "other programs run here" ;;
*) expect "its result is kept" file health.json true '[ "$(json samples.*.kernel <health.json | sort -u | grep -c "load\|chase")" -ge 2 ]' ;;
esac
"$BUILD/tests/helpers/hog" compute "$(taskset -cp $$ | sed 's/.*[^0-9]//')" &
hog=$!
run check --health --baseline nodes
kill "$hog"
wait "$hog" 2>/dev/null
expect "where something runs nothing is measured" status 2 true 'grep -Eq "^UNKNOWN [^ ]+: other programs use [0-9.]+ CPUs; nothing was measured$" out'
refuses "health of a file" "leave out FILE" check --health --baseline nodes same.json
refuses "health as JSON" "not --json" check --health --baseline nodes --json
refuses "health against nothing" "--baseline DIR" check --health
refuses "health against a folder that is not there, busy or not" "none: cannot open: there is no such file" check --health --baseline none
mkdir garbage
refuses "against an empty one" "garbage: the folder holds no results" check --health --baseline garbage
echo no >garbage/x.json
refuses "against one without a result" "garbage/x.json: line 1" check --health --baseline garbage

# Wrong usage.
refuses "no baseline" "--baseline FILE" check same.json
refuses "a missing file" "z.json: cannot open" check z.json --baseline base.json
refuses "a missing baseline" "z.json: cannot open" check same.json --baseline z.json
refuses "a file that is no result" "out.xml: " check out.xml --baseline base.json
refuses "a baseline that is no result" "out.xml: " check same.json --baseline out.xml
refuses "no file" "missing argument" check --baseline base.json
refuses "two files" "slow.json" check same.json slow.json --baseline base.json
refuses "per something else" "choice of --per 'core'; known: cycle" check same.json --baseline base.json --per core
end_of_cases
