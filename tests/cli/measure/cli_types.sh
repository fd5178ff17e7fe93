#!/bin/sh
# Types other than f64 and f32, and slow operations: units, pictures, and errors.
. "$(dirname "$0")/../cli.sh"

run run --type i8 --mix dot --threads 1 --budget 6 --all -o i8.json
if [ "$status" = 0 ]; then
    expect "integer operations" status 0 out "i8.dot" out "op/s" out "op/cycle" not "flop"
    run show i8.json --json
    expect "their unit as JSON" status 0 out '"op_per_s"' not "flop_per_s"
    run show i8.json --csv
    expect "and as CSV" status 0 out ',"op_per_s",' not "flop_per_s"
    run plot i8.json --type i8 -o i8.svg
    expect "their roofline" status 0 file i8.svg
    refuses "another type's roofline" "no f64 compute ceiling" plot i8.json -o n.svg
else
    expect "no integer dot products on this CPU" status 2 err "leave nothing to measure"
    for name in "their unit as JSON" "and as CSV" "their roofline" "another type's roofline"; do
        skip "$name" "this CPU has no integer dot products"
    done
fi

run run --isa sse --type f64 --mix div,sqrt --threads 1 --budget 6 --all -o slow.json
expect "divisions and roots on request" status 0 out "sse.f64.div" out "sse.f64.sqrt" not "sse.f64.add"
run run --dry-run
expect "not by default" status 0 out "sse.f64.mul" not ".div" not ".sqrt"

run kernels 'amx.*' 'avx512.f16.div'
expect "kernels of other CPUs are listed too" status 0 out "amx.i8.dot" out "amx.bf16.dot" out "avx512.f16.div" out " op"
run kernels 'amx.i8.dot' --json
expect "integer operations of a kernel as JSON" status 0 true '[ "$(json "kernels.*.flop" <out | sort -u)" = 0 ]'
run run --isa scalar,sse --type i16,i32 --mix add,mul,shift,cmpeq,cmp,load --level L1 --threads 1 --dry-run
expect "loads of single integers, asked for by type" status 0 out "scalar.i16.load" out "scalar.i32.load" not "scalar.i8.load"
run run --isa scalar,sse --type i32 --mix add,shift,cmp,cmpgt --threads 1 --budget 30 --all -o integers.json
expect "integers in general registers and in vectors" status 0 out "scalar.i32.cmp " out "scalar.i32.shift" out "sse.i32.cmpgt" out "Gop/s" not "flop"
run plot integers.json --type i32 --add ceilings -o integers.svg
expect "their roofline" status 0 true 'grep -q "Performance  \[Gop/s\]" integers.svg && grep -q "operations per byte" integers.svg' true 'grep -q "SSE ADD" integers.svg && grep -q "SSE shifts" integers.svg'
start env TEST_HAS="avx2 fma avx_vnni avx_vnni_int8 avx_vnni_int16" "$BUILD/tests/helpers/other_core" run --dry-run --mix dotss,dotus,dotuu
expect "dot products of other signs, asked for" status 0 out "avx2.i8.dotss" out "avx2.i8.dotuu" out "avx2.i16.dotus" out "avx2.i16.dotuu" not ".dot "
run run --type i16 --mix dotss --threads 1 --budget 4 --all -o i16.json
if [ "$status" = 0 ]; then
    expect "dot products of 16 bits" status 0 out "i16.dotss" out "op/cycle" not "flop"
else
    expect "no dot products of 16 bits on this CPU" status 2 err "leave nothing to measure"
fi
run kernels --verify '*.i8.*' '*.i16.*' '*.i32.*' '*.i64.*'
expect "proven from their machine code" status 0 out "; 0 failed"
refuses "a shift of bytes in vectors, which no CPU has" "nothing to measure" run --isa sse --type i8 --mix shift
refuses "operations that a type does not have" "nothing to measure" run --type bf16 --mix sqrt
end_of_cases
