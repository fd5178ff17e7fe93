# shellcheck shell=sh
# Catching a command while it measures, and what its file says then. Source it after cli.sh.
export TMPDIR="$work/tmp" && mkdir tmp
ulimit -c 0
# Enough of it that the first result is there before the last.
many="--isa scalar,sse --type f64,f32 --mix add,mul,addmul --threads 1 --budget 8"

sizes=1000:40000:+1000

begin() { # ARGS…: in the background, with the signals as a terminal would leave them
    env --default-signal=HUP,INT,QUIT "$carmine" "$@" >out 2>err </dev/null &
    pid=$!
}
ended() { ! kill -0 $pid 2>/dev/null || grep -q '^State:.Z' /proc/$pid/status 2>/dev/null; }
wait_for() { # COMMAND: until it is so, at most two minutes; status 1: it never was
    tries=0
    until eval "$1" >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ $tries -gt 1200 ] || ended; then return 1; fi
        sleep 0.1
    done
}
end_with() { # SIGNAL
    kill "-$1" $pid
    wait $pid
    status=$?
}
partial() { json environment.partial <"$1"; }
is_partial() { partial "$1" | grep -q "^$2: "; }
is_whole() { json environment <"$1" && ! partial "$1"; }
interrupted() { [ "$(json environment.interrupted <"$1")" = true ]; }
some() { [ "$(json "$1" <"$2" | head -n 1)" -gt 0 ]; } # of a list

# caught NAME SIGNAL FILE COMMAND CONDITION ARGS…: begins, waits until the file is of COMMAND and the condition holds, and
# sends the signal. Status 1: it was over too soon, and that is said.
caught() {
    caught_name=$1 signal=$2 file=$3 command=$4 condition=$5
    shift 5
    begin "$@"
    if wait_for "is_partial $file $command && $condition"; then
        end_with "$signal"
        [ "$signal" = KILL ] && [ $status != 137 ] || return 0
    else
        kill -9 $pid 2>/dev/null
        wait $pid
        status=$?
    fi
    if [ $status = 0 ]; then
        skip "$caught_name" "it was over before it was caught"
    else
        expect "$caught_name" true "is_partial $file $command"
    fi
    return 1
}
