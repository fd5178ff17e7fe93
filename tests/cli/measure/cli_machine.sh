#!/bin/sh
# Output about machines: machine, doctor, kernels, and machines recorded by hwloc.
. "$(dirname "$0")/../cli.sh"

screen() { [ "$(wc -l <out)" -le 24 ] && [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ]; }
run machine
expect "machine, in one screen" status 0 true screen out "caches" out "memory" out "Rows    identity"
run machine --all
expect "machine" status 0 out "ISAs" out "caches" out "memory" out "clock"
run machine --json
expect "machine --json" status 0 true "json schema usable_core_count isas kinds nodes memory_total_bytes <out"
run doctor
expect "doctor: the answer first" status 0 true 'head -n 1 out | grep -Eq "^(nothing disturbs|1 thing disturbs|[0-9]+ things disturb) measurements here"'
COLUMNS=70 run doctor
expect "in 70 columns" status 0 true '[ "$(wc -L <out)" -le 70 ]'
run doctor --json
expect "doctor --json" status 0 true "json 'findings.*.name' 'findings.*.severity' 'findings.*.what' 'findings.*.remedy' <out"
run doctor --fix-hints
expect "doctor --fix-hints prints only lines for a shell" status 0 true '! grep -v "^# \|^echo \|^sudo \|^sysctl \|^modprobe \|^cpupower \|^swapoff \|^systemctl \|^taskset \|^ulimit \|^apt-get \|^tee " out'
cat >headline.awk <<'AWK'
function near(a, b) { return a - b < 0.0051 && b - a < 0.0051 }
NR == 1 { rest = $1; lowest = $5; equal = / every load$/; named = $0; sub(/.* under /, "", named) }
/^load / { rows = 1; next }
!NF { rows = 0 }
rows { split($0, cells, /  +/); hz = cells[2] + 0; of[cells[1]] = hz; if (hz > 0 && (!least || hz < least)) least = hz }
END { first = of["at rest"]; exit first > 0 && !(near(rest, first) && (equal ? least > 0.989 * first : near(lowest, least) && near(of[named], least))) }
AWK
run clock --for 0.3
expect "clock: the first line says what its rows say" status 0 true "awk -f headline.awk out"
expect "clock: the answer first" status 0 out "sse MUL" not "0.00 GHz" true 'head -n 1 out | grep -Eq "^[0-9.]+ GHz at rest|not known"'
run clock --seconds 0.3 --csv
expect "its CSV, and the old spelling" status 0 err "--seconds is an old spelling of --for" true 'head -n 1 out | grep -q "^name,count,clock_hz,"' true 'grep -q "^\"at rest\",[0-9]*,[0-9.e+]*," out'
run clock --for 0.3 --json --plot clock.svg
expect "clock --json and its history" status 0 true "json 'loads.*.name' 'loads.*.clock_hz' 'loads.*.disagreement' <out" \
    true "grep -q '<svg' clock.svg"
run --schema carmine.clock/1
for key in clock_hz min_hz max_hz disagreement; do
    expect "a clock that is not known has no $key" status 0 true "[ \"\$(json properties.loads.items.properties.$key.type.1 <out)\" = null ]"
done
refuses "clock for no time" "--for takes a time such as 30 (seconds)" clock --for 0
refuses "clock for ever" "--for takes at most 1h for each load" clock --for 3h
refuses "clock into nowhere" "cannot write" clock --for 0.1 --plot no/where.svg
run kernels --verify
expect "every kernel is proven from its machine code" status 0 out " 0 failed"
run kernels
expect "all kernels in one screen" status 0 out "generated kernels" out "2ld1st" true '[ "$(wc -l <out)" -le 24 ]'
(cd "$tests/.." && bench/kernels/wisdom "$carmine" results/*.json) >wisdom.c
expect "the table of winners is what results/ and the list of kernels give" true 'cmp wisdom.c "$tests/../bench/kernels/wisdom_table.c"'
run kernels sse.f64.mul --csv
expect "kernels --csv" status 0 true 'head -n 1 out | grep -q "^name,variant,flop,"' true 'grep -q "^\"sse.f64.mul\"," out'
run kernels sse.f64.mul
expect "a kernel by name" status 0 out "sse.f64.mul" not "sse.f64.add"
run kernels 'sse.*' scalar.load
expect "kernels by pattern" status 0 out "sse.f32.mul" out "scalar.load" not "avx"
run kernels 'sse.load' --json
expect "kernels --json" status 0 true "json 'kernels.*.name' 'kernels.*.flop' 'kernels.*.load_bytes' <out"
run kernels sse.f64.mul --disassemble
expect "a kernel's machine code" status 0 out "mulpd"
refuses "an unknown kernel" "no kernel matches 'sse.f64.nope'" kernels sse.f64.nope
refuses "an unknown kernel to disassemble" "no kernel matches 'nope'" kernels nope --disassemble
refuses "an unknown kernel to verify" "no kernel matches 'nope'" kernels nope --verify

for file in "$tests"/topologies/*.xml; do
    name=$(basename "$file" .xml)
    case $name in
    truncated | not_a_topology | crashes_hwloc | made_by_hwloc_3)
        refuses "recorded: $name" "$name.xml" machine --topology "$file"
        refuses "recorded: $name, to plan" "$name.xml" run --dry-run --isa sse --topology "$file"
        continue
        ;;
    esac
    run machine --topology "$file"
    expect "recorded: $name, in one screen" status 0 true screen out "$name.xml" out "cores"
    run machine --topology "$file" --all
    expect "recorded: $name" status 0 out "$name.xml" out "cores"
    run machine --topology "$file" --json
    expect "recorded: $name as JSON" status 0 true '[ "$(json recorded <out)" = true ]'
    case $name in
    arm | power | graviton3 | grace | a64fx | altra | apple_m1 | gb10)
        refuses "recorded: $name, its plan" "which has no kernels; they exist for x86-64" \
            run --dry-run --isa sse --topology "$file"
        continue
        ;;
    esac
    run run --dry-run --isa sse,avx2 --topology "$file"
    expect "recorded: $name, its plan" status 0 out "sse.load" out "avx2.f64.fma" out "roofs, each visited"
    refuses "recorded: $name, to measure" "cannot be measured" run --isa sse --topology "$file" -o never.json
    refuses "recorded: $name, to sweep" "cannot be measured" sweep --isa sse --topology "$file"
    run sweep --dry-run --isa sse --topology "$file"
    expect "recorded: $name, the sweep's sizes" status 0 out "curves of"
done
expect "nothing was written for recorded machines" no-file never.json no-file results
run machine --topology "$tests/topologies/smt_guest.xml" --all
expect "an L1 for each PU" status 0 out "8 instances, each for a part of a core"
run machine --topology "$tests/topologies/full_and_dense.xml" --all
expect "one L3 larger than the other" status 0 out "16 MiB, lines of 64 B, 1 instance for 4 cores" \
    out " 8 MiB, lines of 64 B, 1 instance for 8 cores"
run machine --topology "$tests/topologies/full_and_dense.xml" --json
expect "one L3 larger than the other, as JSON" status 0 true "json 'kinds.0.caches.2.shapes.1.size_bytes' <out"
run machine --topology "$tests/topologies/memory_mode.xml" --all
expect "memory behind a cache" status 0 out "node 1: 372 GiB behind a memory-side cache of 96 GiB, 2 usable cores"
run machine --topology "$tests/topologies/hybrid.xml" --all
expect "limits of what the P cores have" status 0 out "limits of a P core" out "avx2.f64.fma" not "avx512" not "amx"
run machine --topology "$tests/topologies/no_memory_told.xml" --all
expect "limits of a core without FMA" status 0 out "avx.f64.addmul" not "avx2" not "fma"
expect "memory that is not told" out "memory      size not known" out "node 0: size not known" not "0 B"
run machine --topology "$tests/topologies/server.xml" --all
expect "limits of what Sapphire Rapids has" status 0 out "avx512.f16.fma" out "amx.bf16.dot" out "avx512.bf16.dot" \
    out "avx512.i8.dot"
run machine --topology "$tests/topologies/one_fma_unit.xml"
expect "a Silver has one 512-bit FMA unit" status 0 out "A core does 16 flop of f64" not "one or two"
sed 's/Silver 4108 //' "$tests/topologies/one_fma_unit.xml" >unnamed.xml
run machine --topology unnamed.xml
expect "a Skylake-SP without a name has one or two" status 0 out "16 or 32"
run machine --topology "$tests/topologies/no_memory.xml" --all
expect "a node without memory" status 0 out "node 1: no memory" out "identity    not known" not "family 0" not "without vendor"
run machine --topology "$tests/topologies/no_caches.xml" --all
expect "caches that are not told" status 0 out "none in the recording" not "from none"
run machine --topology "$tests/topologies/arm.xml" --all
expect "another architecture" status 0 out "identity    Arm part 0xd99 variant 0 revision 1" \
    out "exist here for x86-64 only" not "vendor" not "family" not "limits of"
run machine --topology "$tests/topologies/graviton3.xml" --all
expect "documented limits without kernels for them" status 0 out "core        Neoverse V1" out "ISAs        scalar, neon, sve256, by" \
    out "L1 load         64  B/cycle" out "  sources: Arm's Neoverse V1" not "not known (a rec"
run machine --topology "$tests/topologies/apple_m1.xml"
expect "kinds of Arm's cores" status 0 out "Apple M1 (Firestorm + Icestorm) · 8 cores" out "Firestorm: 4 cores" \
    out "A Firestorm core does 16 flop of f64" true 'grep -Eq "^Icestorm +8 flop +4 flop" out' out "has no clock" \
    out "L2 Icestorm     4 MiB, 16 ways, lines of 128 B, 1 instance for 4 cores"
run machine --topology "$tests/topologies/server.xml"
expect "the answer: a core's limits" status 0 true 'head -n 3 out | grep -q "^A core does 32 flop of f64 and 192 B from L1 per cycle at most$"' \
    true 'grep -Eq "^AMX +1024 flop +2048 op$" out'
run machine --topology "$tests/topologies/hybrid.xml"
expect "of a P core" status 0 true 'head -n 3 out | grep -q "^A P core does 20 flop of f64"' out "more lines"
refuses "a topology that is missing" "no.xml" machine --topology no.xml
echo "<topology/>" >shell.xml
refuses "a topology without objects" "shell.xml" machine --topology shell.xml
refuses "a folder as a topology" "$work" machine --topology "$work"
for damage in 's/<object/<objekt/' 's/cpuset="[^"]*"/cpuset="zz"/g' 's/os_index="[0-9]*"/os_index="-5"/g' '/<\/object>/d'; do
    sed "$damage" "$tests/topologies/server.xml" >damaged.xml
    run machine --topology damaged.xml
    expect "a damaged topology ($damage)" not "Segmentation" true '[ $status = 2 ] || [ $status = 0 ]'
done
for command in run sweep; do
    refuses "a recording of an unknown CPU without its ISAs: $command" "give them with --isa" \
        $command --dry-run --topology "$tests/topologies/no_l3.xml"
done
run run --dry-run --topology "$tests/topologies/server.xml"
expect "the plan of a known CPU has its documented ISAs" status 0 out "avx512.f64.fma"
run run --dry-run --topology "$tests/topologies/hybrid.xml"
expect "of a known hybrid CPU, those of all its cores" status 0 out "avx2.f64.fma" not "avx512"
sed 's|\(<object type="Package"[^>]*>\)|\1<info name="CPUModel" value="Dual-Core Intel(R) Itanium(R) Processor 9140N"/>|' \
    "$tests/topologies/no_l3.xml" >itanium.xml
refuses "an architecture that the CPU's name tells" "is of ia64, which has no kernels" run --dry-run --isa avx2 \
    --topology itanium.xml

# What a CPU has and cannot be measured.
other=$BUILD/tests/helpers/other_core
has="amx_tile amx_bf16 amx_int8 amx_fp16 avx10_2" refused="Operation not permitted"
for command in machine "machine --all" "run --dry-run"; do
    # shellcheck disable=SC2086
    start env COLUMNS=250 TEST_HAS="$has" TEST_TILES="$refused" TEST_UNSAVED="avx_vnni_int8" "$other" $command
    expect "features that cannot be measured: $command" status 0 not "amx.f16.dot" \
        out "Left out: AMX (the operating system refuses its tiles: $refused); avx_vnni_int8 (the operating system does not save the registers); avx10_2 (no kernels)"
done
start env TEST_HAS="$has" TEST_TILES= "$other" run --dry-run
expect "tiles that are granted" status 0 out "amx.f16.dot" out "amx.bf16.dot" not "refuses" not "dotss"

# hwloc's own variables.
HWLOC_XMLFILE=$tests/topologies/server.xml
export HWLOC_XMLFILE
refuses "a recording through hwloc's variable" "cannot be measured" run --isa sse
unset HWLOC_XMLFILE

# The recorded machine allows CPUs 2 to 4, and this process may use none of them.
first=$(taskset -cp $$ 2>/dev/null | sed 's/.*: *//; s/[^0-9].*//')
if [ "${first:-9}" -lt 2 ]; then
    start env HWLOC_XMLFILE="$tests/topologies/cpuset.xml" HWLOC_THISSYSTEM=1 taskset -c "$first" "$carmine" run $short
    expect "an empty cpuset" status 2 err "no CPU is allowed" err-lines 1
else
    skip "an empty cpuset" "needs taskset and CPU 0 or 1"
fi

if [ "$first" = 0 ]; then
    start env HWLOC_SYNTHETIC="l3:1(size=2MiB) l2:1(size=512KiB) l1d:1(size=64KiB) core:1 pu:1" HWLOC_THISSYSTEM=1 "$carmine" run --dry-run
    expect "caches that the user states" status 0 out " L1 " out " L3 " err-lines 0
    start env HWLOC_SYNTHETIC="l3:1(size=2MiB) core:1 pu:1" HWLOC_THISSYSTEM=1 "$carmine" run --dry-run
    expect "an L3 alone: its upper half" status 0 out " L3   " out "512 KiB … 1 MiB" not " L1 "
else
    skip "caches that the user states" "needs taskset and CPU 0"
fi

run run --dry-run
expect "the plan of this machine" status 0 out "roofs, each visited" no-file results
run sweep --dry-run
expect "the sweep's sizes" status 0 out "4 KiB" out "curves of"
end_of_cases
