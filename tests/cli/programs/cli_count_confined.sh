#!/bin/sh
# Programs that shut themselves in. They set filters of system calls on themselves: the counter's own calls go on, the
# program's are judged as natively. They give up their root, their user, descriptors: the report was held before.
. "$(dirname "$0")/../count.sh"

for way in little strict strict-exit refuse answer all twice violate; do
    exact "a filter of system calls: $way" "$apps/confined" $way
done
for way in root user files bytes closed; do
    exact "rights given up: $way" "$apps/confined" $way
done
uncounted "rights given up: child" "a process that it created could not leave its counts" "$apps/confined" child
exact "a limit of the shell: descriptors" bash -c 'ulimit -n 8; exec "$0" files' "$apps/confined"
uncounted "a limit of the shell: bytes" "nothing can be written" sh -c 'ulimit -f 0; exec "$0" bytes' "$apps/confined"
end_of_cases
