# shellcheck shell=sh
# Interrupts a command while it measures, and checks its file. Source it after cli.sh.
export TMPDIR="$work/tmp" && mkdir tmp
ulimit -c 0
# Enough repetitions that the first result is stored before the last is measured.
many="--isa scalar,$isa --type f64,f32 --mix add,mul,addmul --threads 1 --budget 8"

sizes=1000:10000:+1000

begin() { # ARGS…: starts carmine in the background, with default signal handling as in a terminal
    env --default-signal=HUP,INT,QUIT "$carmine" "$@" >out 2>err </dev/null &
    pid=$!
}
ended() { ! kill -0 $pid 2>/dev/null || grep -q '^State:.Z' /proc/$pid/status 2>/dev/null; }
wait_for() { # COMMAND: waits until it succeeds, for two minutes at most; status 1: it never did
    tries=0
    until eval "$1" >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ $tries -gt 6000 ] || ended; then return 1; fi
        sleep 0.02
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
some() { [ "$(json "$1" <"$2" | head -n 1)" -gt 0 ]; } # PATH FILE: the list there is not empty

# caught NAME SIGNAL FILE COMMAND CONDITION ARGS…: starts the command, waits until it has written FILE and the condition
# is true, and sends the signal. Status 1, with a message: the command ended too soon.
caught() {
    caught_name=$1 signal=$2 file=$3 command=$4 condition=$5
    shift 5
    begin "$@"
    if wait_for "is_partial $file $command && $condition"; then
        end_with "$signal"
        case $signal:$status in
        KILL:137) return 0 ;;
        KILL:* | *:0) ;; # it had just ended
        *) return 0 ;;
        esac
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
