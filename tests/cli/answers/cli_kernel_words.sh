#!/bin/sh
# The machine code of the kernels of AArch64, by LLVM: of this build, or of a cross build in its folder.
. "$(dirname "$0")/../cli.sh"

cross=$BUILD/aarch64-linux-gnu
case $(od -An -tx1 -j18 -N1 "$BUILD/carmine") in
*b7) words=$BUILD/tests/helpers/kernel_words ;;
*) words="qemu-aarch64-static $cross/tests/helpers/kernel_words" ;;
esac
$words >words 2>/dev/null
if ! [ -s words ]; then
    skip "each kernel costs what its machine code does" "no cross build in $cross that runs here (QEMU_LD_PREFIX names its SYSROOT)"
else
    start sh -c "$BUILD/tests/helpers/aarch64_costs <words"
    if [ "$status" = 77 ]; then
        skip "each kernel costs what its machine code does" "$(cat out)"
    else
        expect "each kernel costs what its machine code does" status 0 out ", 0 differences" true 'grep -qE "^[0-9]{4} kernels" out'
        sed '/^neon.f64.fma 12x2 /s/ 24 0 0 0 0 0 0 0 0 / 23 0 0 0 0 0 0 0 0 /' words >other
        start sh -c "$BUILD/tests/helpers/aarch64_costs <other"
        expect "a wrong number is found" status 1 out "neon.f64.fma 12x2: fma: declared 23, decoded 24"
    fi
fi

end_of_cases
