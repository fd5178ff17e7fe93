#!/bin/sh
# Programs that shut themselves in: they set filters of system calls on themselves. The counter's own calls go on, the
# program's are judged as natively.
. "$(dirname "$0")/../count.sh"

for way in little strict strict-exit refuse answer all twice violate; do
    exact "a filter of system calls: $way" "$apps/confined" $way
done
end_of_cases
