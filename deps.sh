#!/bin/sh
# Installs what the build needs and is missing here, and nothing else: `deps.sh`, or for what `make test`, `make fuzz`
# and `make analyze` need beside it `deps.sh test`, `deps.sh fuzz`, `deps.sh analyze`; `deps.sh marks` for what some tests
# of other systems' marks are skipped without, `deps.sh python` for those of schemas, the Python module and its wheel, `deps.sh cluster` for the engines that tests/cluster/ sets up, `deps.sh disassembler` for test_dots, `deps.sh models` for cli_memory_order, `deps.sh emulator` for tests/aarch64, `deps.sh
# chroot` for the newcomer's machine that tests/fresh makes, and `deps.sh packages` for Debian packages.
# Prints nothing when nothing is missing. Status 2: it could not be installed, and the message says what to do.
# `deps.sh absent` only prints which optional libraries (their names in the Makefile) are missing, or in WITHOUT.
# CROSS=aarch64-linux-gnu: what a build for that system needs, its compiler and its libraries, which are Debian's for
# that architecture, or lie below SYSROOT.
PATH=$PATH:/usr/sbin:/sbin
case $CROSS in
'') foreign= ;;
aarch64-linux-gnu) foreign=arm64 ;;
x86_64-linux-gnu) foreign=amd64 ;;
*) echo "deps: carmine is not built for CROSS=$CROSS; give aarch64-linux-gnu or x86_64-linux-gnu" >&2 && exit 2 ;;
esac
CC=${CC:-${CROSS:+$CROSS-}gcc${SYSROOT:+ --sysroot=$SYSROOT}}
compiler=${CC%% *}
[ -z "$CROSS" ] || export PKG_CONFIG_SYSROOT_DIR="$SYSROOT" \
    PKG_CONFIG_LIBDIR="$SYSROOT/usr/lib/$CROSS/pkgconfig:$SYSROOT/usr/share/pkgconfig"
missing= wanted= # Debian packages: needed, and optional
absent=
export DEBIAN_FRONTEND=noninteractive

of_architecture() { # package: libraries are those of the system that is built for
    case $1 in lib*-dev) echo "$1${foreign:+:$foreign}" ;; *) echo "$1" ;; esac
}
need() { # package, command that succeeds where it is installed
    package=$(of_architecture "$1")
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
optional() { # name in the Makefile, package, command that succeeds where it is installed
    part=$1 package=$(of_architecture "$2")
    shift 2
    case " $WITHOUT " in
    *" $part "*) absent="$absent $part" ;;
    *) "$@" >/dev/null 2>&1 || absent="$absent $part" wanted="$wanted $package" ;;
    esac
}
compiles() { # include line, further arguments of the compiler
    printf '%s\nint main(void) { return 0; }\n' "$1" | (shift; $CC $FLAGS -x c -o /dev/null - "$@")
}
fuzzes() {
    printf 'int LLVMFuzzerTestOneInput(void) { return 0; }\n' | $CC -x c -o /dev/null -fsanitize=fuzzer,address -
}
has_command() { command -v "$1"; }
has_library() { ldconfig -p | grep -qF "$1"; } # the name that programs load
has_font() { # without one, pictures have no text
    find /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts" -name '*.[to]tf' 2>/dev/null | grep -q .
}

optional papi libpapi-dev pkg-config papi
optional pfm libpfm4-dev compiles '#include <perfmon/pfmlib.h>' -lpfm
optional zydis libzydis-dev compiles '#include <Zydis/Zydis.h>' -lZydis
optional elf libelf-dev pkg-config libelf
optional elf libdw-dev pkg-config libdw
optional cairo libcairo2-dev pkg-config cairo
optional cairo libpng-dev pkg-config libpng
optional ncurses libncurses-dev pkg-config ncursesw
[ "$1" != absent ] || { echo "$absent"; exit 0; }
optional fonts fonts-dejavu-core has_font

case ${compiler##*/} in
cc | gcc) need gcc has_command "$compiler" ;;
"$CROSS-gcc")
    need "gcc-$CROSS" has_command "$compiler"
    need gcc has_command gcc # for the generator of kernels, which runs here
    ;;
clang*)
    need "${compiler##*/}" has_command "$compiler"
    need libomp-dev compiles '#include <omp.h>' -fopenmp=libomp
    ;;
*) need "${compiler##*/}" has_command "$compiler" ;;
esac
need libc6-dev compiles '#include <stdio.h>'
need make has_command make
need pkg-config has_command pkg-config
need libhwloc-dev pkg-config hwloc
need libjansson-dev pkg-config jansson
case ${CROSS:+cross-}$1 in
cross-test)
    need libcmocka-dev pkg-config cmocka
    need qemu-user-static has_command "qemu-${CROSS%%-*}-static"
    ;;
test)
    need libcmocka-dev pkg-config cmocka
    need valgrind has_command valgrind
    need libopenblas-dev pkg-config openblas
    need libfftw3-dev pkg-config fftw3
    need libblis4 has_library libblis.so.4
    need libblas3 [ -e "/usr/lib/$(gcc -print-multiarch 2>/dev/null)/blas/libblas.so.3" ]
    need tmux has_command tmux
    need libgmp-dev compiles '#include <gmp.h>' -lgmp
    need bc has_command bc
    ;;
fuzz) need libclang-rt-14-dev fuzzes ;;
marks)
    need likwid compiles '#include <likwid-marker.h>'
    need libtrilinos-kokkos-dev [ -e /usr/include/trilinos/Kokkos_Core.hpp ]
    ;;
python)
    need python3-jsonschema /usr/bin/python3 -c "import jsonschema"
    need python3-matplotlib /usr/bin/python3 -c "import matplotlib"
    need python3-pandas /usr/bin/python3 -c "import pandas"
    need python3-venv /usr/bin/python3 -c "import venv, ensurepip"
    ;;
cluster)
    need slurm-wlm has_command slurmctld
    need munge has_command munged
    need iproute2 has_command ip
    need clustershell has_command clush
    need openmpi-bin has_command mpirun.openmpi
    need mpich has_command mpiexec.hydra
    ;;
models) need spin has_command spin ;;
emulator)
    need gcc-aarch64-linux-gnu has_command aarch64-linux-gnu-gcc
    need qemu-user-static has_command qemu-aarch64-static
    ;;
disassembler) need libllvm19 has_library libLLVM.so.19.1 ;;
chroot) need debootstrap has_command debootstrap ;;
packages)
    need dpkg-dev has_command dpkg-buildpackage
    need build-essential dpkg-query -s build-essential # dpkg-buildpackage asks for the package
    need debhelper has_command dh
    ;;
analyze) need clang-tidy-14 has_command clang-tidy-14 ;;
esac
needed=$missing missing=$missing$wanted
[ -z "$missing" ] && exit 0
give_up() {
    [ -z "$needed" ] || exit 2
    echo "deps: the build does without" >&2
    exit 0
}

names_foreign() { case $missing in *":$foreign "* | *":$foreign") [ "$foreign" ] ;; *) false ;; esac }
is_known() { (dpkg --print-architecture && dpkg --print-foreign-architectures) 2>/dev/null | grep -qxF "$foreign"; }

if names_foreign && [ "$SYSROOT" ]; then
    echo "deps: below SYSROOT=$SYSROOT there is no$missing; unpack these packages there (dpkg -x)" >&2
    give_up
fi
if ! has_command apt-get >/dev/null; then
    echo "deps: missing, by their Debian names:$missing" >&2
    echo "deps: there is no apt-get here; install the same libraries and their headers with this system's package manager" >&2
    give_up
fi
if names_foreign && ! is_known; then
    echo "deps: missing:$missing; make $foreign's packages known first: \`dpkg --add-architecture $foreign && apt-get update\` as root" >&2
    give_up
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif has_command sudo >/dev/null && sudo -n env true 2>/dev/null; then
    as_root="sudo -n env DEBIAN_FRONTEND=noninteractive"
else
    echo "deps: missing:$missing; to install them, run as root:" >&2
    echo "    apt-get update && apt-get install -y --no-install-recommends$missing" >&2
    give_up
fi

install_missing() {
    # shellcheck disable=SC2086
    $as_root apt-get install -qq -y ${foreign:+--no-remove} --no-install-recommends -o Dpkg::Use-Pty=0 $missing
}
known() { # the package lists are there and know all that is missing
    # shellcheck disable=SC2086
    apt-cache show --no-all-versions $missing >/dev/null 2>&1
}
echo "deps: installing$missing" >&2
known || $as_root apt-get update -qq
install_missing || { $as_root apt-get update -qq && install_missing; } && exit 0
echo "deps: could not install$missing; apt-get says above why" >&2
give_up
