#!/bin/sh
# In a control group that grants a twentieth of one CPU, the measured value is the core's, or has a warning that the
# core is shared.
. "$(dirname "$0")/../cli.sh"
group=
leave() {
    [ -z "$group" ] || rmdir "$group"
    rm -rf "$work"
}
trap leave EXIT
for controller in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct; do
    mkdir "$controller/carmine.$$" 2>/dev/null || continue
    group=$controller/carmine.$$
    { echo 5000 >"$group/cpu.cfs_quota_us"; } 2>/dev/null && break
    rmdir "$group"
    group=
done
if [ -z "$group" ]; then
    skip "a quota" "no control group of the first version can be made here"
    end_of_cases
    exit
fi
cat >granted <<END
#!/bin/sh
echo \$\$ >$group/cgroup.procs && exec "\$@"
END
chmod +x granted
start ./granted "$carmine" run --quick --isa $isa --type f64 --mix mul --threads 1 --budget 4 -o quota.json
expect "a run under a quota" status 0 file quota.json out "control group grants 0.05"
number() { json "samples.0.$1" <quota.json; }
expect "its number is the core's, or is doubted" \
    true 'json samples.0.doubts.* <quota.json | grep -q "core shared" ||
        awk "BEGIN { exit !($(number per_cycle) > 0.9 * $(number documented_per_cycle)) }"'
end_of_cases
