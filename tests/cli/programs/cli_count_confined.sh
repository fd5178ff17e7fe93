#!/bin/sh
# Programs that shut themselves in. They set filters of system calls on themselves: the counter's own calls go on, the
# program's are judged as natively. They give up their root, their user, descriptors: the report was held before.
. "$(dirname "$0")/../count.sh"

for way in little strict strict-exit refuse answer all twice violate; do
    exact "a filter of system calls: $way" "$apps/confined" $way
done
for way in root files bytes closed; do
    exact "rights given up: $way" "$apps/confined" $way
done
# Another user takes the counter along from where he may read it alone, and the build may be in a home that is closed.
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

# Its native runs have nothing preloaded then, which would be killed for writing a report.
for way in little strict; do
    start "$carmine" app --repeat 1 --counters count -o $way.json "$apps/confined" $way
    expect "a program that is killed for other calls: $way" file $way.json err "1 point added" not "nothing was added"
done
start "$carmine" app --repeat 1 "$apps/confined" violate
expect "a program that the kernel kills" err "was killed by signal 31" err-lines 1
end_of_cases
