#!/bin/sh
# deps.sh where nothing is installed, with stand-ins for Debian's tools: the packages that it asks for, also for a build
# for another architecture.
. "$(dirname "$0")/../cli.sh"
mkdir bin root
for each in sh grep find cat; do ln -s "$(command -v $each)" bin; done
printf '#!/bin/sh\necho 0\n' >bin/id
printf '#!/bin/sh\necho "$*" >>"%s/called"\n' "$work" >bin/apt-get
printf '#!/bin/sh\ncase $1 in --print-architecture) echo amd64 ;; *) cat "%s/foreign" ;; esac\n' "$work" >bin/dpkg
cp bin/apt-get bin/apt-cache
chmod +x bin/*
: >foreign
deps() { : >called && start env -i PATH="$work/bin" HOME="$work" "$@"; }
script=$tests/../deps.sh
asked() { grep '^install' called | tr ' ' '\n' | grep -v "^-\|^Dpkg" | tail -n +2 | sort | xargs; }

deps "$script"
expect "here" status 0 err-lines 1 true '! asked | grep -q :' true 'asked | grep -qw gcc' true 'asked | grep -qw libhwloc-dev'
here=$(asked)
deps "$script" packages
expect "what dpkg-buildpackage asks for" status 0 true '[ "$(asked)" = "$(printf "%s\n" $here build-essential debhelper dpkg-dev | sort | xargs)" ]'
deps CROSS=aarch64-linux-gnu "$script"
expect "packages of an architecture that Debian does not know here" status 2 lines 0 err-lines 1 \
    err 'dpkg --add-architecture arm64 && apt-get update' err " libhwloc-dev:arm64" true '! grep -q "^install" called'
echo arm64 >foreign
deps CROSS=aarch64-linux-gnu "$script"
expect "its compiler and its libraries" status 0 true '[ "$(asked | sed "s/:arm64//g; s/ gcc-aarch64-linux-gnu / /")" = "$here" ]' true 'asked | grep -qw gcc-aarch64-linux-gnu' \
    true '[ "$(asked | tr " " "\n" | grep -c "^lib.*-dev:arm64$")" = "$(asked | tr " " "\n" | grep -c "^lib.*-dev")" ]' \
    true 'grep -q "^install.* --no-remove " called'
deps CROSS=aarch64-linux-gnu "$script" test
expect "what its tests need" status 0 true 'asked | grep -qw "libcmocka-dev:arm64"' true 'asked | grep -qw qemu-user-static' true '! asked | grep -qw valgrind'
deps CROSS=aarch64-linux-gnu SYSROOT="$work/root" "$script"
expect "what a folder of libraries lacks" status 2 lines 0 err-lines 1 err "below SYSROOT=$work/root there is no" err " libjansson-dev:arm64" err "dpkg -x" true '! grep -q "^install" called'
deps CROSS=riscv64-linux-gnu "$script"
expect "a system that there is no code for" status 2 lines 0 err-lines 1 err "CROSS=riscv64-linux-gnu" err "aarch64-linux-gnu"
end_of_cases
