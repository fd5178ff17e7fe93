# Functions for tests of the counter, in addition to cli.sh: runs under the collector, without `carmine app`.
. "$(dirname "$0")/../cli.sh"
unset LD_PRELOAD CARMINE_COLLECT_FOLDER CARMINE_COLLECT_EVENTS CARMINE_COLLECT_SAMPLE CARMINE_COLLECT_FAST
ulimit -c 0
apps=$BUILD/apps counter=$BUILD/libcarmine-count.so levels= hidden=
grep -q avx512f /proc/cpuinfo && export OPENBLAS_CORETYPE=SkylakeX # Debian's picks an SSE kernel on unknown CPUs

# Runs a command natively: native.out, native.status, and $status.
native() {
    start "$@"
    cp out native.out
    native_status=$status
}

# Runs a command under the counter. The folder reports has its reports, the file profile their text; $readable is 0 if
# they are readable. If $hidden is a library of tests/support/hide_encodings.c, the counter knows most vector
# instructions by their length alone. If $levels is set ("64 L1=32K:8,L2=1M:16 free"), caches are simulated.
counted() {
    rm -rf reports && mkdir -m 1777 reports
    # shellcheck disable=SC2086
    [ -z "$levels" ] || "$BUILD/tests/helpers/levels_request" reports $levels
    start env CARMINE_COLLECT_FOLDER="$work/reports" LD_PRELOAD="$counter${hidden:+:$hidden}" "$@"
    LD_PRELOAD="$hidden" "$BUILD/tests/helpers/profile" reports >profile 2>profile.err
    readable=$?
}

# Prints each wrong count. The programs in tests/apps print the expected ones: `region "NAME" KEY NUMBER…`, and
# `function NAME KEY NUMBER…` for functions of the last region.
wrong_counts() {
    awk '
        /^region / { match($0, /"[^"]*"/); name = substr($0, 1, RSTART + RLENGTH - 1) }
        /^function / { name = $1 " " $2 }
        !/^(region|function) / { next }
        FILENAME == "profile" { found[name] = $0 " " }
        FILENAME == "native.out" {
            count = split(substr($0, length(name) + 2), pairs, " ")
            for (i = 1; i < count; i += 2)
                if (index(found[name], " " pairs[i] " " pairs[i + 1] " ") == 0)
                    print name ": not", pairs[i], pairs[i + 1], "but", found[name]
        }' profile native.out
}

# exact NAME COMMAND…: the counted run prints and ends like the native one, and its counts are those that are printed.
exact() {
    case_name=$1
    shift
    native "$@"
    counted "$@"
    as_natively "$@"
}

# as_natively COMMAND…: compares the native run with the counted one.
as_natively() {
    if [ "$native_status" = 77 ]; then
        skip "$case_name" "$(basename "$1") could not be built in full, or this machine is too small"
    elif ! cmp -s native.out out || [ "$status" != "$native_status" ]; then
        echo "not ok $case_name: other output or status ($status instead of $native_status)"
        head -n 5 out err | cut -c 1-300 | sed 's/^/    /'
    elif [ $readable != 0 ]; then
        echo "not ok $case_name: $(cat profile.err)"
    elif [ -n "$(wrong_counts)" ]; then
        echo "not ok $case_name:"
        wrong_counts | cut -c 1-300 | sed 's/^/    /'
    else
        echo "ok $case_name"
    fi
}

# uncounted NAME TEXT COMMAND…: the counted run prints and ends like the native one; a message with TEXT replaces the
# counts.
uncounted() {
    case_name=$1 says=$2
    shift 2
    native "$@"
    counted "$@"
    if ! cmp -s native.out out || [ "$status" != "$native_status" ]; then
        echo "not ok $case_name: other output or status ($status instead of $native_status)"
        head -n 5 out err | cut -c 1-300 | sed 's/^/    /'
    elif [ $readable = 0 ]; then
        echo "not ok $case_name: it was counted"
    elif ! grep -qFe "$says" profile.err; then
        echo "not ok $case_name: '$says' is not in: $(cat profile.err)"
    else
        echo "ok $case_name"
    fi
}

# loaded NAME COMMAND…: like exact, but the counter starts the program, as `carmine app` does with a static one.
loaded() {
    case_name=$1
    shift
    native "$@"
    rm -rf reports && mkdir reports
    program=$1
    start "$BUILD/libcarmine-count.so" "$work/reports" "$program" -- "$@"
    "$BUILD/tests/helpers/profile" reports >profile 2>profile.err
    readable=$?
    as_natively "$@"
}

# number KEY LINE: the key's value in a line of a profile.
number() { printf '%s\n' "$2" | awk -v key="$1" '{ for (i = 1; i < NF; i++) if ($i == key) print $(i + 1) }'; }
