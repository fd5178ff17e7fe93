#!/bin/sh
# Programs of other compilers than C's, and under tools that not every machine has, counted exactly or not at all with a
# reason.
. "$(dirname "$0")/../count.sh"

cat >sanitized.c <<'END'
int main(void) { return 0; }
END
if cc -fsanitize=thread -o sanitized sanitized.c 2>/dev/null && ./sanitized 2>/dev/null; then
    counted ./sanitized
    expect "ThreadSanitizer is refused at once" status 127 err "without -fsanitize=thread"
else
    skip "ThreadSanitizer is refused at once" "there is no compiler with it, or it does not run here"
fi
if command -v gdb >/dev/null && gdb -q -batch -ex 'break main' -ex run "$apps/heap" >out 2>&1 && grep -q '^Breakpoint 1, ' out; then
    counted gdb -q -batch -ex 'break main' -ex run "$apps/heap"
    expect "a debugger's breakpoint is refused" status 127 err "a breakpoint"
else
    skip "a debugger's breakpoint is refused" "there is no gdb, or it cannot trace here"
fi
if GO111MODULE=off go build -o go_preempted "$tests/apps/go/preempted.go" 2>/dev/null; then
    counted ./go_preempted
    expect "Go preempts its routines" status 0 out "wrong sums: 0" true "[ $readable = 0 ]"
else
    skip "Go preempts its routines" "there is no go with cgo"
fi
if command -v c++ >/dev/null; then
    c++ -O2 -I"$tests/../probe/marks" -o exceptions "$tests/apps/counted/exceptions.cpp" "$BUILD/libcarmine.a" -pthread
    exact "C++ exceptions" ./exceptions
    exact "a C++ exception that is not caught" ./exceptions uncaught
else
    skip "C++ exceptions" "there is no C++ compiler"
fi
if command -v musl-gcc >/dev/null && musl-gcc -O1 -o musl "$tests/apps/counted/static.c"; then
    loaded "a program for musl" ./musl a
else
    skip "a program for musl" "there is no musl-gcc (Debian: musl-tools)"
fi
if command -v go >/dev/null && CGO_ENABLED=0 GO111MODULE=off GOFLAGS= HOME=$work go build -o golang "$tests/apps/counted/golang.go"; then
    loaded "a Go program" ./golang
else
    skip "a Go program" "there is no go (Debian: golang-go)"
fi
end_of_cases
