# shellcheck shell=sh
# docs/experiments/with-counters: measured beside counted work and simulated traffic. Stand-ins for PAPI (fake_papi.c) and
# for the kernel's memory controllers (fake_uncore.c) replay recorded events.
. "$(dirname "$0")/../cli.sh"
bundle=$tests/../docs/experiments/with-counters
CC=${CC:-cc}
unset PROTOCOL EVENTS
case_of() { sed -n "s/^- \*\*$1\*\*: //p" "$report"; } # the line about a kernel's W or Q; empty: it agrees
row() { grep "^| $1 | " "$report" | tr -d ' '; }

# No counters: one line with the remedy, and nothing is measured. The doctor's findings are recorded.
mkdir -p none/tests/helpers && ln -s "$BUILD/tests/helpers/json" none/tests/helpers
"$carmine" doctor --counters=spr --json | sed 's/"state": "resolves"/"state": "no pmu"/' >none.json
cat >none/carmine <<'END'
#!/bin/sh
case "$*" in
"doctor --counters --json") cat none.json ;;
"doctor --json") echo '{"findings": [{"name": "counters", "severity": "warning", "what": "the kernel sees none", "remedy": "enable a virtual PMU"}]}' ;;
*) touch measured ;;
esac
END
chmod +x none/carmine
start "$bundle" none
expect "no counters: one line with the remedy" status 2 lines 0 err-lines 1 err "no counters count here: the kernel sees none; remedy: enable a virtual PMU." \
    err "Nothing was measured" no-file measured no-file none/experiments
run doctor --counters
if grep -q "Nothing can be counted" out; then
    start "$bundle" "$BUILD"
    expect "and so on this machine" status 2 lines 0 err-lines 1 err "no counters count here: " err "remedy: "
else
    skip "and so on this machine" "it has counters"
fi
start "$bundle"
expect "no build folder" status 2 err-lines 1 err "usage: docs/experiments/with-counters BUILD [KERNEL…]"
start "$bundle" none nonsense
expect "an unknown kernel" status 2 err-lines 1 err "no kernel 'nonsense'; there are: daxpy dgemv"
start env PROTOCOL=fast "$bundle" none
expect "another protocol" status 2 err-lines 1 err "PROTOCOL is quick or not set, not 'fast'"

# A machine with counters: recorded events, per run. Daxpy works and moves as counted and simulated.
cat >record <<'END'
daxpy 1000000 flop::scalar 400000
daxpy 1000000 flop::packed 200000
daxpy 1000000 mc:1 250500
daxpy 1000000 mc:2 125400
triad 1000000 flop::scalar 4000000
triad 1000000 flop::packed 0
triad 1000000 mc:1 375500
triad 1000000 mc:2 125300
read 1000000 mc:1 162500
read 1000000 mc:2 10
read 2048 mc:1 0
read 2048 mc:2 0
END
cat >events <<'END'
f64_flop = flop::scalar + flop::packed * 8
dram_read_bytes = mc/read/ * 64
dram_write_bytes = mc/write/ * 64
END
mkdir -p devices/mc_0/format devices/mc_0/events with/tests/helpers
echo 4242 >devices/mc_0/type
echo 0 >devices/mc_0/cpumask
echo config:0-7 >devices/mc_0/format/event
echo event=0x1 >devices/mc_0/events/read
echo event=0x2 >devices/mc_0/events/write
ln -s "$BUILD/tests/helpers/json" with/tests/helpers
ln -s "$BUILD/carmine-workload" with
# shellcheck disable=SC2046
$CC -D_GNU_SOURCE -Wall -Wextra -shared -fPIC $(pkg-config --cflags papi) -o counters.so "$tests/support/fake_papi.c" "$tests/support/fake_uncore.c" ||
    echo "not ok the stand-ins are built"
# libpfm4 resolves no recorded event, so the states are recorded too. With cold code each repetition is a single run.
# Small caches are simulated sooner, with the same traffic.
cat >with/carmine <<END
#!/bin/sh
echo "\$*" >>"$work/calls"
case "\$*" in
"doctor --counters "*) "$carmine" "\$@" --counters=spr | sed "\${STATES:-s/\"state\": \"[a-z ]*\"/\"state\": \"counts\"/}" && exit ;;
"workload "*\${STOP:-nothing}*) kill -INT \$PPID && sleep 1 && exit 1 ;;
"workload "*)
    for word; do
        shift
        case \$before in --state) word=\$word,code-cold ;; esac
        case \$word in --levels) word=--levels=L1=4K:4,L2=64K:4,L3=256K:4 ;; esac
        before=\$word
        set -- "\$@" "\$word"
    done
    ;;
esac
case \$1 in workload | app) export LD_PRELOAD="$work/counters.so" FAKE_RECORD="$work/record" FAKE_DEVICES="$work/devices" ;; esac
exec "$carmine" "\$@"
END
chmod +x with/carmine
export ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS"
export EVENTS=events PROTOCOL=quick
report=with/experiments/with-counters-REPORT.md parts=with/experiments/with-counters
start "$bundle" with daxpy read triad
expect "three kernels by recorded events" status 0 err-lines 0 out "daxpy-1000000" out "The report is " out "please attach" file "$report"
expect "the machine, its PMU and the events" true 'grep -q "^| CPU | ..* |$" "$report"' true 'grep -q "^| PMU | spr; libpfm4" "$report"' \
    true 'grep -qF "| f64_flop | \`flop::scalar\` × 1 + \`flop::packed\` × 8 |" "$report"' true 'grep -qF "| dram_read_bytes | \`mc/read/\` × 64 |" "$report"'
expect "daxpy: both agree" true 'row daxpy | grep -qE "^\|daxpy\|1000000\|2e\+06\|2e\+06\|1\.000\|2\.406e\+07\|2\.4[0-9]*e\+07\|(1\.00|0\.99)"' \
    true '[ -z "$(case_of "daxpy 1000000, W")$(case_of "daxpy 1000000, Q")" ]'
expect "triad: an FMA that counts twice, and traffic that agrees" true 'row triad | grep -q "|4e+06|2e+06|2.000|"' \
    true '[ "$(case_of "triad 1000000, W")" = "measured is 2.000 of counted. Each FMA is counted as four operations instead of two: the event counts two, and the factor doubles it. If all is FMA, the factor of the vector width may be wrong instead." ]' \
    true '[ -z "$(case_of "triad 1000000, Q")" ]'
expect "read: no work, and more traffic than simulated" true 'row read | grep -q "^|read|1000000|–|0|–|"' \
    true 'case_of "read 1000000, Q" | grep -q "^measured is 1\.[23][0-9]* of simulated. Prefetchers fetch cache lines"'
{ cat events && echo 'tlb_misses = unknown::walk'; } >more
start env LD_PRELOAD="$work/counters.so" FAKE_RECORD="$work/record" FAKE_DEVICES="$work/devices" "$carmine" workload read --sizes 1000000 --quick --repeat 3 \
    --events more --json
expect "what of another metric cannot be counted takes nothing from DRAM" status 0 true '[ "$(json points.0.sources.dram_bytes <out)" = counters ]'
expect "how many agree" true 'grep -qx "3 of 5 comparisons agree." "$report"' true 'grep -q "The idle machine moves 0 MB/s" "$report"'

# Stored parts are not measured again. After an interruption the missing ones are.
cp "$report" once.md
rm calls
start "$bundle" with daxpy read triad
expect "again: all are stored" status 0 out "stored" true '! grep -qE "^(workload|app) " calls' true 'cmp "$report" once.md'
rm "$parts/triad-1000000.tsv"
STOP=triad && export STOP
start "$bundle" with daxpy read triad
expect "interrupted" status 130 err "interrupted; the same command continues" file "$parts/daxpy-1000000.tsv" no-file "$parts/triad-1000000.tsv"
unset STOP
rm calls
start "$bundle" with daxpy read triad
expect "and continued" status 0 true '[ "$(grep -c "^workload " calls)" = 1 ]' true 'grep -q "^workload .*triad" calls' true 'grep -q "^- \*\*triad 1000000, W" "$report"'
start env PROTOCOL= "$bundle" with daxpy
expect "parts of another protocol are not mixed in" status 2 lines 0 err "holds parts of another machine, version, event or protocol"
rm -r with/experiments
sed 's/flop::scalar/unknown::scalar/' events >wrong
start env EVENTS=wrong "$bundle" with triad read
expect "a part that cannot be measured is reported, the others are measured" status 1 out "not measured: " true 'grep -q "^- triad-1000000: .*unknown::scalar" "$report"' \
    true 'row read' true 'row triad | grep -q "|–|2e+06|–|3.20[0-9]*e+07|"' no-file "$parts/triad-1000000.tsv"
rm -r with/experiments

# Each reason, by made-up parts: kernel, size, flop counted, of FMA, measured, events took turns, bytes read and written as
# measured and as simulated, bytes read by stores, seconds. Each has one line in the report.
start "$bundle" with read
cat >reasons <<'END'
daxpy 1000000 100 0 1 0 50 50 50 50 0 1 The events count nothing
dgemv 300 100 100 50 0 50 50 50 50 0 1 as one operation instead
dgemm-triple 100 100 0 90 1 50 50 50 50 0 1 took turns
fft-split 4096 100 0 400 0 50 50 50 50 0 1 factor of a vector width
write 1000000 100 0 115 0 50 50 50 50 0 1 counted when executed
write-stream 1000000 100 0 97 0 50 50 50 50 0 1 lacks a part
triad 1000000 100 0 100 0 0 1 50 50 0 1 see nothing of it
daxpy-openblas 1000000 100 0 100 0 25 25 50 50 0 1 other units than 64 bytes
dgemv-openblas 300 100 0 101 0 50 50 100 50 50 1 without reading them first
dgemm-openblas 100 100 0 99 0 90 50 50 50 0 1 Prefetchers fetch
fft-fftw 4096 100 0 100 0 50 20 50 50 0 1 left in the caches
END
cat >more <<'END'
daxpy 1000000 100 0 100 0 50 90 50 50 0 1 of earlier data
dgemv 300 100 0 100 0 30 50 50 50 0 1 still in the caches
write 1000000 100 0 100 0 30 51 50 50 0 1 still in the caches
write-stream 1000000 100 0 100 0 0 25 0 50 0 1 other units than 64 bytes
END
echo "daxpy 1000000 100 0 99 0 90 50 50 50 0 1 the idle machine moves as much" >noisy
make_parts() { # FILE
    while read -r kernel size columns; do
        echo "$kernel $size $columns" | cut -d ' ' -f 1-12 | tr ' ' '\t' >"$parts/$kernel-$size.tsv"
    done <"$1"
}
give_reasons() { # FILE
    while read -r kernel size columns; do
        text=$(echo "$columns" | cut -d ' ' -f 11-)
        expect "$text" status 0 true 'grep "^- \*\*$kernel $size, " "$report" | grep -qF "$text"' true '[ "$(grep -c "^- \*\*$kernel $size, " "$report")" = 1 ]'
    done <"$1"
}
make_parts reasons
start "$bundle" with read
give_reasons reasons
make_parts more
start "$bundle" with read
give_reasons more
awk -F '\t' -v OFS='\t' '{ $7 = 40; $8 = 0; $12 = 1; print }' "$parts/background.tsv" >busy && mv busy "$parts/background.tsv"
make_parts noisy
start "$bundle" with read
give_reasons noisy

# Without memory controllers only work is measured, and the report shows that.
rm -r with/experiments
grep f64_flop events >work_alone
STATES='s/"state": "not known"/"state": "counts"/' EVENTS=work_alone && export STATES
start "$bundle" with triad
expect "work alone" status 0 true 'grep -q "^Q is not measured: " "$report"' true 'row triad | grep -q "|2.000|–|.*|–|–|–|$"'
end_of_cases
