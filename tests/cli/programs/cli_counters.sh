#!/bin/sh
# doctor --counters: events of this and of other cores, user formulas, calibration.
. "$(dirname "$0")/../cli.sh"
unset LIBPFM_FORCE_PMU

# On any machine: either events are counted and calibrated, or the output explains the consequences.
run doctor --counters
if grep -q "are counted here" out; then
    expect "this machine counts, and says how right" out "events of" out "calibration: measured over expected"
else
    way="--counters count" && grep -q zydis "$BUILD/absent" && way="--flop N --bytes N"
    expect "no counters here, and what that means" status 0 out "events of" out "Nothing can be counted" out "$way"
fi
expect "permissions are told" out "perf_event_paranoid" out "metric"
start "$carmine" doctor --counters --json
expect "as JSON" true '[ "$(json schema <out)" = carmine.counters/1 ]' true '[ "$(json this_machine <out)" = true ]' \
    true '[ "$(json cores.0.metrics <out)" = 12 ]'

# All events of each core of this architecture that libpfm4 4.13 knows resolve, by the variable and by the option.
case $isa in
sse)
    pmus="snb snb_ep ivb ivb_ep hsw hsw_ep bdw bdw_ep skl skx clx icl icx spr amd64_fam17h_zen1 amd64_fam17h_zen2 amd64_fam19h_zen3 amd64_fam19h_zen4"
    core=spr events=32 code=0x5140c7 event=FP_ARITH_INST_RETIRED:SCALAR_DOUBLE unknown=emr stand_in=spr
    ;;
*)
    pmus="arm_n1 arm_kunpeng arm_thunderx2 arm_v1 arm_n2 arm_v2 arm_a64fx"
    core=arm_v1 events=10 code=0x480080c0 event=FP_SCALE_OPS_SPEC unknown=arm_n3 stand_in=arm_n2
    ;;
esac
for pmu in $pmus; do
    start env LIBPFM_FORCE_PMU=$pmu "$carmine" doctor --counters --json
    [ "$(json this_machine <out)" = true ] && continue
    expect "LIBPFM_FORCE_PMU=$pmu resolves" status 0 true '[ "$(json good <out)" = true ]' \
        true "[ \"\$(json tables <out)\" = $pmu ]" not '"not known"'
done
start env LIBPFM_FORCE_PMU=${pmus%% *} "$carmine" doctor --counters=$core
expect "the option goes before the variable" status 0 out "tables of $core"
expect "how many resolve" out "$events of $events events resolve" out "$code" out "× 8"

# Unknown cores are reported; some use the tables of another core.
run doctor --counters=$unknown
if grep -q "does not know $unknown" out; then
    expect "a stand-in is named" status 0 out "tables of $stand_in have these events"
else
    expect "$unknown is known" status 0 out "tables of $unknown"
fi
if [ $isa = sse ]; then
    run doctor --counters=amd64_fam1ah_zen5
    expect "zen5 is known, by its own tables or by those of zen4" true 'grep -Eq "11 of 11 events resolve with .* tables of amd64_fam1(ah_zen5|9h_zen4)" out'
fi
for pmu in adl_glc adl_grt; do
    run doctor --counters=$pmu
    ! grep -q "does not know this core ($pmu)" out || expect "$pmu is unknown: one reason for all its events" status 0 not "event not found"
done
run doctor --counters=hsw
expect "what a core does not count is said" status 0 out "no event for floating-point operations"
run doctor --counters=amd64_fam17h_zen2
expect "what is not told apart is said" status 0 out "any_flop: f64 and f32 are counted together" out "dispatched, not retired"

# User formulas.
echo "f64_flop = $event * 3 # ours" >mine
run doctor --counters=$core --events mine
expect "a formula of one's own" status 0 out "× 3" out "formulas of your own" true '! grep -q "128B_PACKED_DOUBLE  *× 2 " out'
printf 'loads = GOLD_RETIRED\n' >mine
run doctor --counters=$core --events mine
expect "an event that does not resolve" status 1 out "GOLD_RETIRED" out "not known" out "$((events - 1)) of $events"
printf 'loads = a\nflops = b\n' >mine
refuses "a metric that is none" "mine, line 2: flops is not a metric" doctor --counters --events mine
refuses "no such file" "nothing cannot be read" doctor --counters --events nothing

# Events of the kernel are handled like a core's: PAPI counts them, and calibration finds them wrong.
printf 'cycles = perf::TASK-CLOCK * 0.001\n' >mine
run doctor --counters --events mine
if grep -q "TASK-CLOCK .*counts" out; then
    expect "what counts is calibrated" status 1 out "chain of adds" out "are unreliable" not "not calibrated"
else
    expect "what PAPI cannot open is not said to count" not "1 of all are counted here" not "calibration: " out "TASK-CLOCK: "
    skip "what counts is calibrated" "neither the kernel nor PAPI lets us count the kernel's events"
fi

refuses "a core without a row" "no events are listed for p6; known cores: core, wsm_dp" doctor --counters=p6
refuses "what is gone: --pmu" "--pmu was removed after 0.2.0; --counters=NAME" doctor --counters --pmu spr
refuses "--events alone" "--events needs --counters" doctor --events mine
refuses "hints" "--fix-hints and --counters exclude each other" doctor --counters --fix-hints
end_of_cases
