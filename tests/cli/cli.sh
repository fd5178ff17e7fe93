# Functions for tests of whole command lines. A test script sources this file and works in an empty folder of its own.
# It prints "ok NAME", "not ok NAME: …" or "skip NAME: …" for each case. BUILD is the build folder (set by tests/run).
: "${BUILD:?start these tests with tests/run BUILD}"
carmine=$BUILD/carmine
[ -z "$TEST_CORE" ] || carmine=$BUILD/tests/helpers/other_core # seems to run on that core (tests/helpers/other_core.c)
tests=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/carmine.XXXXXX") || exit 2
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset HWLOC_XMLFILE HWLOC_THISSYSTEM OMP_NUM_THREADS OMP_THREAD_LIMIT
export XDG_CONFIG_HOME="$work/none" # the defaults of whoever tests
for variable in $(env | sed -n 's/^\(CARMINE_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done

# The narrowest vectors, which every CPU of the architecture has, and the shortest measurement.
case " $(cat "$BUILD/absent" 2>/dev/null) " in *" x86 "*) isa=neon ;; *) isa=sse ;; esac
short="--isa $isa --type f64 --mix mul --threads 1 --budget 4"

# Runs a command for at most five minutes. Its exit status is in $status, its output in the files out and err.
start() {
    timeout --foreground 300 "$@" >out 2>err </dev/null
    status=$?
    # The leak checker itself may crash when it stops threads that end: then the command runs again without it.
    [ "$status" = 0 ] || ! grep -q "LeakSanitizer has encountered a fatal error" err || {
        ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" timeout --foreground 300 "$@" >out 2>err </dev/null
        status=$?
    }
    keep_answers "$@"
}

# Keeps a JSON answer, and the result that -o names, until the end of the cases.
keep_answers() {
    keep_answer out
    kept_before=
    for kept_word; do
        [ "$kept_before" != -o ] || [ "$status" != 0 ] || [ ! -f "$kept_word" ] || keep_answer "$kept_word"
        kept_before=$kept_word
    done
}
keep_answer() { # FILE
    { read -r answer_begins; read -r answer_goes_on; } <"$1"
    case $answer_begins$answer_goes_on in '{"schema": "carmine.'* | '{"schema":"carmine.'*) mkdir -p "$work/.answers" && cp "$1" "$(mktemp -p "$work/.answers")" ;; esac
}

run() { start "$carmine" "$@"; }

# expect NAME CONDITION…: checks the last command:
#   status N | out TEXT | err TEXT | not TEXT (in neither) | lines N (of out) | err-lines N | file PATH | no-file PATH |
#   true COMMAND (a shell command)
expect() {
    case_name=$1 problem=
    shift
    while [ $# -gt 0 ]; do
        case $1 in
        status) [ "$status" = "$2" ] || problem="$problem; exit status $status instead of $2" ;;
        out | err) grep -qFe "$2" "$1" || problem="$problem; '$2' is not in $1" ;;
        not) cat out err | grep -qFe "$2" && problem="$problem; '$2' is there" ;;
        lines) [ "$(wc -l <out)" = "$2" ] || problem="$problem; $(wc -l <out) lines instead of $2" ;;
        err-lines) [ "$(wc -l <err)" = "$2" ] || problem="$problem; $(wc -l <err) lines of messages instead of $2" ;;
        file) [ -f "$2" ] || problem="$problem; there is no $2" ;;
        no-file) [ ! -e "$2" ] || problem="$problem; $2 is there" ;;
        true) eval "$2" >/dev/null 2>&1 || problem="$problem; not so: $2" ;;
        *) problem="$problem; unknown condition $1" ;;
        esac
        shift 2
    done
    if [ -z "$problem" ]; then
        echo "ok $case_name"
        return
    fi
    echo "not ok $case_name: ${problem#; }"
    head -n 6 out err | cut -c 1-300 | sed 's/^/    /'
}

# refuses NAME TEXT ARGS…: the program prints one error line with TEXT, nothing else, and ends with status 2.
refuses() {
    refused=$1 says=$2
    shift 2
    run "$@"
    expect "$refused" status 2 lines 0 err-lines 1 err "$says"
}

skip() { echo "skip $1: $2"; }

# json PATH… <FILE: the values at these paths.
json() { "$BUILD/tests/helpers/json" "$@"; }

# way NAME WAY ON FILE FOLDER BEGAN INSTALLED: a row of the table of ways to install, without downloads, for .ci/run.
way() {
    name=$1
    shift
    mkdir -p "$BUILD/ways" && "$tests/packages/row" "$1" "$2" "$3" none "$4" "$5" "$6" >"$BUILD/ways/$name"
}

# is_csv FILE: a heading of different names, and rows with a field for each.
is_csv() {
    awk '
        { fields = 0; rest = $0
          do {
              if (rest ~ /^"/) { if (!match(rest, /^"([^"]|"")*"/)) exit bad = 1 } else match(rest, /^[^,"]*/)
              name = substr(rest, 1, RLENGTH)
              if (NR == 1 && (name == "" || name in names)) exit bad = 1
              names[NR == 1 ? name : ""]
              fields++
              more = substr(rest, RLENGTH + 1, 1)
              rest = substr(rest, RLENGTH + 2)
          } while (more == ",")
          if (more != "") exit bad = 1
          width = NR == 1 ? fields : width
          if (fields != width) exit bad = 1 }
        END { exit bad || NR < 2 }' "$1"
}

# process_ends PID: it ends within about a minute; a zombie has ended.
process_ends() {
    for _ in $(seq 600); do
        case $(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) in Z | X | "") return 0 ;; esac
        sleep 0.1
    done
    return 1
}

# recording NAME: the file of a recorded machine. Those of x86-64 lose their CPU's name on AArch64, which has no kernels for it.
recording() {
    case $isa in
    sse) echo "$tests/topologies/$1.xml" ;;
    *) sed 's/<info name="CPU[^>]*>//g' "$tests/topologies/$1.xml" >"$work/$1.xml" && echo "$work/$1.xml" ;;
    esac
}

# Makes sample.json, a small result with a ceiling and two bandwidths.
measure_sample() {
    run run --isa $isa --type f64 --mix mul,load,store --level L1 --threads 1 --budget 4 -o bandwidth.json
    run run $short --resume bandwidth.json
    mv bandwidth.json sample.json
    [ "$status" = 0 ] || echo "not ok a sample to test with: $(cat err)"
}

# Every kept answer fits its schema. Without python3-jsonschema, or with ANSWERS=keep, they go to BUILD/answers, to be checked
# later, all by one process.
end_of_cases() {
    [ "$ANSWERS" = keep ] || "$tests/helpers/schema.py" "$BUILD/carmine" "$work/.answers" >out 2>err
    case $? in
    0) [ "$ANSWERS" != keep ] || keep_for_later ;;
    1) echo "not ok the answers fit their schemas: $(cut -c 1-300 out err | head -n 5)" ;;
    *) keep_for_later ;;
    esac
    echo "end of cases"
}
keep_for_later() {
    [ ! -d "$work/.answers" ] || { rm -rf "$BUILD/answers/$(basename "$0" .sh)" && mkdir -p "$BUILD/answers" && cp -r "$work/.answers" "$BUILD/answers/$(basename "$0" .sh)"; }
}
