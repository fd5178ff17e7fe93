#!/bin/sh
# Programs that confine themselves. Some filter system calls: the counter's own calls still work, and the program's
# calls get the native answers. Some give up their root folder, their user or descriptors: the report was opened before.
. "$(dirname "$0")/../count.sh"

for way in little strict strict-exit refuse answer all twice violate; do
    exact "a filter of system calls: $way" "$apps/confined" $way
done
for way in root files bytes closed; do
    exact "rights given up: $way" "$apps/confined" $way
done
# A program that becomes another user must be able to read the counter. The build may lie in a home folder that is
# closed, so the counter is copied.
mkdir open closed && cp "$counter" open && cp "$counter" closed && chmod 700 closed
if [ "$(id -u)" != 0 ] || setpriv --reuid 65534 --regid 65534 --clear-groups test -r open/libcarmine-count.so; then
    counter=$work/open/libcarmine-count.so
    exact "rights given up: user" "$apps/confined" user
else
    skip "rights given up: user" "TMPDIR is in a folder that other users cannot enter"
fi
counter=$work/closed/libcarmine-count.so
if [ "$(id -u)" = 0 ]; then
    uncounted "another user may not read the counter" "another user's rights" "$apps/confined" user
else
    skip "another user may not read the counter" "only root becomes another"
fi
counter=$BUILD/libcarmine-count.so
uncounted "rights given up: child" "a process that it created could not write its counts" "$apps/confined" child
exact "a limit of the shell: descriptors" bash -c 'ulimit -n 8; exec "$0" files' "$apps/confined"
uncounted "a limit of the shell: bytes" "ulimit -f" sh -c 'ulimit -f 0; exec "$0" bytes' "$apps/confined"

# Such a program's native runs have no preloaded library: the kernel would kill it for writing a report.
for way in little strict; do
    start "$carmine" app --repeat 1 --counters count -o $way.json "$apps/confined" $way
    expect "a program that is killed for other calls: $way" file $way.json err "1 point added" not "nothing was added"
done
start "$carmine" app --repeat 1 --counters count "$apps/confined" strict
expect "a program that ends by its own system call" status 4 out "ended by its own" not "was killed, or still runs"
start "$carmine" app --repeat 1 "$apps/confined" violate
expect "a program that the kernel kills" err "was killed by signal 31" err-lines 1
end_of_cases
