#!/bin/sh
# Counted programs compute right: known answers of libraries and languages that carry from limb to limb. The constants
# were computed by CPython's own long integers, or are stated by their RFC; the C programs check themselves.
. "$(dirname "$0")/../count.sh"
export HOME="$work" LC_ALL=C

# 3000! mod (10^300 + 7), which these all compute; and 3^200
factorial=824861886887286384938557876713488780671091456820517116867309210398246652835701993251101779918314751550931428092687285077818598859468911575346385965438220643981232109448689857597680594690308646631923902517141144735772995176544966614897449347256762692280480852772052634359631553070056268266521250804094
power=265613988875874769338781322035779626829233452653394495974574961739092490901302182994384699044001
pi=3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679

# answers NAME NEEDS ANSWER COMMAND…: prints the answer (without blanks and folded lines) natively and when counted.
answers() {
    case_name=$1 needs=$2 answer=$3
    shift 3
    for need in $needs; do
        command -v "$need" >/dev/null || { skip "$case_name" "there is no $need"; return; }
    done
    for how in native counted; do
        "$how" "$@"
        printed=$(tr -d ' \\\n' <out)
        [ "$printed" = "$answer" ] && [ "$status" = 0 ] && continue
        echo "not ok $case_name: $how, with status $status: $(printf %.200s "$printed") instead of $(printf %.80s "$answer"); $(head -n 1 err)"
        return
    done
    [ "$readable" = 0 ] && echo "ok $case_name" || echo "not ok $case_name: $(head -n 1 profile.err)"
}

# built NAME COMPILER FLAGS ANSWER: the same of a program in tests/programs/answers.
built() {
    # shellcheck disable=SC2086
    if ! command -v "$2" >/dev/null; then
        skip "$1 by $2" "there is no $2"
    elif ! "$2" -O2 -o "$1.$2" "$tests/programs/answers/$1.c" $3 2>compiled; then
        skip "$1 by $2" "it cannot be built: $(head -n 1 compiled)"
    else
        answers "$1 by $2" "" "$4" "./$1.$2"
    fi
}
for compiler in gcc clang-14; do
    built carry $compiler "" 0wrong
    built gmp $compiler -lgmp "1134checks,0wrong$factorial"
    built mpfr $compiler "-lmpfr -lgmp" "4right$pi"
done

answers bc bc "$factorial" sh -c 'echo "a = 1; for (i = 1; i <= 3000; i++) a *= i; a % (10^300 + 7)" | bc'
answers dc dc "$power" dc -e '3 200 ^ p'
answers awk gawk "$power" sh -c 'gawk -M "BEGIN { print 3 ^ 200 }" 2>&1'
answers Python python3 "$factorial" python3 -S -c 'import math; print(math.factorial(3000) % (10**300 + 7))'
answers Perl perl "$power" perl -Mbigint -e 'print 3 ** 200'
answers Ruby ruby "$factorial" ruby -e 'puts (1..3000).inject(:*) % (10**300 + 7)'
answers Node node "$factorial" node -e 'let a = 1n; for (let i = 1n; i <= 3000n; i++) a *= i; console.log(String(a % (10n ** 300n + 7n)))'
answers Guile guile "$power" guile -c '(display (expt 3 200))'
cat >factorial.gap <<'GAP'
Print(Factorial(3000) mod (10^300+7), "\n");
GAP
answers GAP gap "$factorial" sh -c 'gap -q <factorial.gap'
answers Maxima maxima "$factorial" sh -c "maxima --very-quiet --batch-string='linel: 2000\$ print(mod(3000!, 10^300+7))\$' | tail -n 1"
echo 'main = print (product [1 .. 3000] `mod` (10 ^ 300 + 7 :: Integer))' >a.hs
if command -v ghc >/dev/null && ghc -v0 -O a.hs -o a.haskell 2>compiled; then
    answers Haskell "" "$factorial" ./a.haskell
else
    skip Haskell "there is no ghc, or it cannot build"
fi

# OpenSSL: FIPS 180 (digests of "abc"), RFC 8032 section 7.1 test 2 (Ed25519), a Mersenne prime. Signatures of the native
# run are verified by the counted one, and the other way round.
printf abc >abc
printf r >r
cat >ed25519.pem <<'PEM'
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7
-----END PRIVATE KEY-----
PEM
answers "OpenSSL: SHA-1" openssl a9993e364706816aba3e25717850c26c9cd0d89d sh -c 'openssl dgst -sha1 -r abc | cut -d" " -f1'
answers "OpenSSL: SHA-256" openssl ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad sh -c 'openssl dgst -sha256 -r abc | cut -d" " -f1'
answers "OpenSSL: Ed25519" openssl 92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00 \
    sh -c 'openssl pkeyutl -sign -rawin -in r -inkey ed25519.pem | od -An -v -tx1'
answers "OpenSSL: a prime" openssl '7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF(7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF)isprime' openssl prime -hex 7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
for key in 'RSA -algorithm RSA -pkeyopt rsa_keygen_bits:2048' 'P-256 -algorithm EC -pkeyopt ec_paramgen_curve:P-256' \
    'P-521 -algorithm EC -pkeyopt ec_paramgen_curve:P-521'; do
    # shellcheck disable=SC2086
    if ! command -v openssl >/dev/null || ! openssl genpkey ${key#* } -out key.pem 2>/dev/null; then
        skip "OpenSSL: ${key%% *}" "there is no openssl"
        continue
    fi
    openssl pkey -in key.pem -pubout -out public.pem
    openssl dgst -sha256 -sign key.pem -out signature abc
    answers "OpenSSL: ${key%% *}, verified" "" VerifiedOK openssl dgst -sha256 -verify public.pem -signature signature abc
    answers "OpenSSL: ${key%% *}, signed" "" "" openssl dgst -sha256 -sign key.pem -out signature abc
    openssl dgst -sha256 -verify public.pem -signature signature abc >verified 2>&1 && echo "ok OpenSSL: ${key%% *}, signed right" ||
        echo "not ok OpenSSL: ${key%% *}, signed right: $(head -n 1 verified)"
done
end_of_cases
