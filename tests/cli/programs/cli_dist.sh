#!/bin/sh
# `make dist`: the tarball has all committed files except packaging/ (its recipes contain the tarball's checksum), no
# other files, and the same bytes each time. tests/packages/tarball builds from it.
. "$(dirname "$0")/../cli.sh"
source=$(cd "$tests/.." && pwd)
if ! (cd "$source" && command -v xz && git rev-parse --verify -q HEAD:Makefile) >/dev/null 2>&1; then
    skip "the tarball" "this is no checkout, or there is no xz"
    end_of_cases
    exit
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
version=$(sed -n 's/^VERSION *:= *//p' "$source/Makefile")
dist() { start make -C "$source" --no-print-directory BUILD="$work/$1" dist; }
dist one
expect "it is made" status 0 file "one/carmine-$version.tar.xz" true '[ "$(ls one)" = "carmine-$version.tar.xz" ]'
sleep 1.1
(umask 077 && cd "$source" && TZ=Asia/Tokyo LC_ALL=C make --no-print-directory BUILD="$work/two" dist >/dev/null 2>&1)
expect "the same bytes, another time, by another user's settings" true 'cmp one/*.xz two/*.xz'
(cd "$source" && git ls-tree -r --name-only HEAD) | grep -v '^packaging/' | sed "s|^|carmine-$version/|" | sort >wanted
tar tf one/*.xz | grep -v '/$' | sort >found
expect "all that is committed but packaging/" true 'cmp wanted found' true '[ "$(wc -l <found)" -gt 1000 ]'
tar tvf one/*.xz --full-time --utc --numeric-owner >long
commit=$(cd "$source" && TZ=UTC git log -1 --date='format-local:%Y-%m-%d %H:%M:%S' --format=%cd)
expect "of nobody, at the time of the commit" true '[ "$(cut -d " " -f 2 long | sort -u)" = 0/0 ]' \
    true '[ "$(grep -cF " $commit " long)" = "$(wc -l <long)" ]' true '! grep -v "^[-dl]rwxr-xr-x\|^-rw-r--r--\|^lrwxrwxrwx" long'
tar xf one/*.xz
start make -C "carmine-$version" --no-print-directory dist
expect "without a checkout it says so" status 2 err "this is no checkout" true '[ -z "$(find carmine-$version -name "*.xz")" ]'
end_of_cases
